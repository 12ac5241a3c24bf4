/* challenge_state: the part of the state that belongs to a puzzle (core/puzzle.h) being planned by hand. Which one it is, and
 * whether there is one, state.settings.work says. Undoing takes nothing of this back. */
#ifndef SLACKSWAP_VIEW_CHALLENGE_STATE_H
#define SLACKSWAP_VIEW_CHALLENGE_STATE_H

#include "core/knobs.h"

struct challenge_state {
    struct settings set;  /* as the puzzle sets them: plans under others don't count */
    double best_gap;      /* of plans of one's own, now or at another time; INFINITY: none fits yet */
    bool given_away;      /* the best plan was shown: plans don't count any more */
};

#endif
