/* help_lines: what help says, line by line. Private to the view.
 *
 * Keys and signs are one list, terms of the glossary another; on a narrow screen the terms of the screen stand before the
 * keys, as many as take half of what is in sight, and all terms after them. While a term is looked for there are but the
 * terms that are asked for. */
#ifndef SLACKSWAP_VIEW_HELP_LINES_H
#define SLACKSWAP_VIEW_HELP_LINES_H

#include "state.h"

/* A heading, a key with its words, a glyph with its words, the note on the layers' names, words alone; of a term: the part of
 * its words that stands in this line, with its name where it is the first one, or what to see also. */
enum line_kind { LINE_BLANK, LINE_HEADING, LINE_ACTION, LINE_ROLE, LINE_NOTE, LINE_WORDS, LINE_TERM, LINE_SEE };
struct help_line {
    enum line_kind kind;
    int what;           /* action, role, index into NOT_MODELLED, or term */
    const char *words;
    size_t length;      /* bytes of it; of a heading its own line alone */
    bool first;         /* of a term: its name stands in this line */
};
#define HELP_LINES_MAX 3000

enum help_part { PART_TERMS_HERE, PART_KEYS, PART_NOT_MODELLED, PART_GLOSSARY, PART_COUNT_OF_HELP };
struct help_page {
    struct help_line line[HELP_LINES_MAX];
    int count, second;  /* lines; where the second column begins, or count */
    int part[PART_COUNT_OF_HELP]; /* the line at which it begins; -1: it is not there */
};

/* Lines for COLUMNS of text in each of PARALLEL (1 or 2) columns of HEIGHT rows. */
void help_page_make(struct help_page *page, const struct help_state *about, int parallel, int columns, int height);

#define TERM_COLUMNS 20       /* of a term's name, before its words … */
#define TERM_NAMES_BESIDE 60  /* … where a line has so many */
/* Where the words of terms begin in a line of COLUMNS. */
int help_term_indent(int columns);

#endif
