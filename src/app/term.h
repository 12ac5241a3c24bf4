/* term: the terminal — the only part of the program, with its two helpers term_keys and term_colors, that knows curses.
 *
 * It owns the terminal from term_open to term_close: nobody else may read, write or set its modes meanwhile. A grid goes
 * out (only the cells that changed), keys come in. Input is non-blocking on a descriptor of its own, so that the
 * descriptors 0, 1 and 2, which are shared with other processes, keep their modes. */
#ifndef SLACKSWAP_APP_TERM_H
#define SLACKSWAP_APP_TERM_H

#include "core/base.h"
#include "view/grid.h"
#include "view/key.h"
#include "view/mouse.h"
#include "view/theme.h"

struct term_options {
    const struct theme *theme; /* outlives the terminal */
    bool mono;                 /* no colours, whatever the terminal can do */
    bool ascii;                /* asked for; see term_ascii */
    bool mouse;                /* take the mouse, where the terminal has one */
};

struct terminal;
/* Takes the terminal over: that of standard input, output or error, in this order, else the controlling one. SS_USAGE with
 * what to do about it when there is none, or it can't be drawn on (TERM unset, unknown, or without cursor addressing). */
enum ss_status term_open(struct terminal **out, const struct term_options *options, struct error *error);
/* Gives the terminal back as it was found. NULL is allowed. */
void term_close(struct terminal *term);

/* The descriptor that becomes readable when there are keys; non-blocking. */
int term_fd(const struct terminal *term);
/* Whether only ASCII may be drawn: it was asked for, or the locale's characters are not UTF-8. */
bool term_ascii(const struct terminal *term);
void term_size(const struct terminal *term, int *width, int *height);

/* What comes in: a key, a character that was pasted, or something done with the mouse. */
struct input {
    bool is_mouse, is_pasted;
    struct key key;
    struct mouse mouse;
};
/* Takes the next input that has arrived; false when there is none left. Never blocks longer than the escape delay. */
bool term_input(struct terminal *term, struct input *out);
/* Whether the terminal went away: to be asked when the descriptor was readable and nothing came of it. */
bool term_is_gone(const struct terminal *term);

/* Shows GRID, which may be of another size than the terminal at the moment. */
void term_draw(struct terminal *term, const struct grid *grid);
/* From now on THEME, which outlives the terminal; the next term_draw sends every cell. */
void term_theme(struct terminal *term, const struct theme *theme);
/* Asks the terminal to put TEXT into its clipboard (OSC 52); whether it does is its own business. */
void term_copy(struct terminal *term, const char *text);
/* The next term_draw sends every cell. */
void term_repaint(struct terminal *term);
/* Finds out the size anew. */
void term_take_size(struct terminal *term);

/* Whether this process may use the terminal: it is not a background job. */
bool term_is_ours(const struct terminal *term);
/* Gives the terminal back for a while, as before term_open. */
void term_leave(struct terminal *term);
/* Takes it over again, also when others changed its modes in between; the next term_draw sends every cell. */
void term_return(struct terminal *term);

#endif
