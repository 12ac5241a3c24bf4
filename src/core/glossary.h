/* glossary: what the words mean that screens, reports and lessons use. One table: the viewer's help, the palette,
 * `screen --plain` and man/slackswap-glossary.7 are made from it.
 *
 * A term has a name and, where it is also written otherwise, further forms. Words are one or two plain sentences. Terms stand
 * in alphabetical order, whatever the case. */
#ifndef SLACKSWAP_CORE_GLOSSARY_H
#define SLACKSWAP_CORE_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct term {
    const char *name;    /* "prefetch distance" */
    const char *forms;   /* how screens also write it, parted by '|': "prefetch|prefetch_steps"; "" */
    const char *words;   /* what it means */
    const char *see;     /* names of related terms, parted by '|'; "" */
    const char *section; /* of MODEL.md, where it comes from: "4"; "" for a word of the screens alone */
};
extern const struct term GLOSSARY[];
extern const uint32_t GLOSSARY_COUNT;

#define TERM_NONE UINT32_MAX

/* The term called TEXT, LENGTH bytes, by its name or another form, whatever the case; TERM_NONE. */
uint32_t glossary_find(const char *text, size_t length);
/* The next term that TEXT names from *AT on: its place goes to *AT, its length to *LENGTH. Of several at one place the longest;
 * whole words only. TERM_NONE when there is none. */
uint32_t glossary_next(const char *text, size_t *at, size_t *length);
/* The terms that QUERY, words parted by blanks, asks for, the best first: those called so, those whose name begins so, those
 * that have it in their names, those that have it in what is said about them. At most MOST; returns how many. "what is" before
 * the words is passed over. Every term for an empty query. */
uint32_t glossary_search(const char *query, uint32_t *out, uint32_t most);
/* The N-th (0 = first) related term of TERM; TERM_NONE after the last. */
uint32_t glossary_related(uint32_t term, uint32_t n);

#endif
