/* help_terms: which terms of the glossary a screen speaks of. */
#ifndef SLACKSWAP_VIEW_HELP_TERMS_H
#define SLACKSWAP_VIEW_HELP_TERMS_H

#include "grid.h"
#include "state.h"

/* Terms on the screen of STATE: of the selection first, then in the pane that has the keys, the inspector, the rest of the
 * view, the header and the knobs. Draws it for that; where memory is short there are none. */
void help_terms_of_screen(const struct view_state *state, const struct scene *scene, struct help_state *out);
/* The term at X, Y of what GRID shows, and those related to it; else those of its row. False when there are none. */
bool help_terms_at(const struct grid *grid, int x, int y, struct help_state *out);
/* TERM, and those related to it. */
void help_terms_about(uint32_t term, struct help_state *out);

#endif
