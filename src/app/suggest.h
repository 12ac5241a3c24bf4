/* suggest: what somebody may have meant. */
#ifndef SLACKSWAP_APP_SUGGEST_H
#define SLACKSWAP_APP_SUGGEST_H

#include <stddef.h>

/* The best guess so far; start with { .word = WHAT WAS TYPED }. */
struct suggestion {
    const char *word;
    const char *best;   /* NULL: nothing is near */
    size_t distance;    /* of BEST: letters to insert, leave out, change or swap */
};
/* Looks at one more word that would have been right; it must live as long as the suggestion. */
void suggest(struct suggestion *suggestion, const char *candidate);
/* " (did you mean 'NAME'?)" with PREFIX before the name, or "" when nothing is near. Returns TEXT. */
char *suggestion_text(const struct suggestion *suggestion, const char *prefix, char text[80]);

#endif
