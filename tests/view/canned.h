/* canned: made-up answers for the What-if view, so that its screens don't change with planners and bounds, and nobody waits. */
#ifndef SLACKSWAP_TESTS_CANNED_H
#define SLACKSWAP_TESTS_CANNED_H

#include "view/state.h"

/* Answers what the view asks, if it does. */
void canned_whatif(const struct view_state *state, struct scene *scene);

#endif
