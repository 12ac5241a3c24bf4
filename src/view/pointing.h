/* pointing: the mouse, as part of the reducer.
 *
 * What is drawn says what a click on it does where it stands for an action (grid_link): knobs, tabs, hints. Elsewhere the
 * panes decide: a click selects what is under it, the wheel scrolls, with Control it zooms about the pointer, the ruler
 * pans, and the budget line can be dragged. */
#ifndef SLACKSWAP_VIEW_POINTING_H
#define SLACKSWAP_VIEW_POINTING_H

#include "grid.h"
#include "mouse.h"
#include "state.h"

/* GRID: the screen as it was drawn last, whatever its size. Returns enum effect bits. */
unsigned state_mouse(struct view_state *state, const struct scene *scene, const struct grid *grid, struct mouse mouse);

#endif
