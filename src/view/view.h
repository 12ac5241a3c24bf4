/* view: draws a state. Pure: the same state, scene and theme give the same cells. */
#ifndef SLACKSWAP_VIEW_VIEW_H
#define SLACKSWAP_VIEW_VIEW_H

#include "grid.h"
#include "scene.h"
#include "state.h"
#include "theme.h"

/* Draws into GRID, which has the size STATE says (grid_resize it after every EFFECT_RELAYOUT or state_resize). */
void view_draw(const struct view_state *state, const struct scene *scene, const struct theme *theme,
               struct grid *grid);

#endif
