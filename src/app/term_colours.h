/* term_colours: how many colours a terminal has, and a theme's styles in them, as curses wants them told. */
#ifndef SLACKSWAP_APP_TERM_COLOURS_H
#define SLACKSWAP_APP_TERM_COLOURS_H

#include "view/theme.h"

/* One more than enough: the styles that occur together make some dozens of pairs. */
#define COLOR_PAIRS_MAX 1024

struct term_look {
    unsigned attributes; /* attr_t of curses */
    int pair;            /* an extended pair: COLOR_PAIR() wraps at 256 */
};

struct term_colours {
    const struct theme *theme;
    enum colour_depth depth;
    int count;                  /* that the terminal has */
    int pair_count, pair_limit; /* pair 0 is the terminal's own colours */
    int fg[COLOR_PAIRS_MAX], bg[COLOR_PAIRS_MAX];
};

/* The terminfo entry to use in place of TERM when COLORTERM says that the terminal takes 24-bit colours and TERM doesn't:
 * its "-direct" sibling. NULL when TERM is right as it is. USABLE says whether an entry exists. */
const char *term_direct_name(const char *term, const char *colorterm, bool (*usable)(const char *name, int fd), int fd,
                             char *name, size_t size);
/* After newterm: switches colours on, as many as the terminal has. */
void term_colours_start(struct term_colours *colours, const struct theme *theme, bool mono);
/* Another theme from now on. */
void term_colours_theme(struct term_colours *colours, const struct theme *theme);
struct term_look term_colours_look(struct term_colours *colours, struct style style);

#endif
