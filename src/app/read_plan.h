/* read_plan: a plan's file for the viewer that is open. */
#ifndef SLACKSWAP_APP_READ_PLAN_H
#define SLACKSWAP_APP_READ_PLAN_H

#include "view/state.h"

/* Does EFFECT_READ_PLAN: reads the file state->compare.path ("~/" is the home folder) for the side in focus of the Compare
 * view, or says why it can't be read, or what is odd about it. Returns effects. */
unsigned read_compared_plan(struct view_state *state, const struct scene *scene);

#endif
