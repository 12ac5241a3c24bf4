/* help: the overlay that says what words mean (from the glossary), lists keys (from the action table), what the glyphs mean,
 * and what is not modelled. */
#ifndef SLACKSWAP_VIEW_HELP_H
#define SLACKSWAP_VIEW_HELP_H

#include "state.h"

struct canvas;

void draw_help(const struct canvas *canvas);
/* Scrolls to row TO, or as near as there are rows. */
void help_scroll_to(struct view_state *state, int to);
void help_scroll_to_not_modelled(struct view_state *state);
/* To the next heading (DIRECTION 1), or the one before (-1). */
void help_scroll_by_part(struct view_state *state, int direction);

#endif
