/* compare_state: the part of the state that belongs to the Compare view. */
#ifndef SLACKSWAP_VIEW_COMPARE_STATE_H
#define SLACKSWAP_VIEW_COMPARE_STATE_H

#include "core/link.h"
#include "core/plan.h"

/* What stands on one side: the plan that was pinned, the newest one (fit or not), or what a planner would do now. */
enum compare_what { COMPARE_PINNED, COMPARE_CURRENT, COMPARE_PLANNER, COMPARE_WHAT_COUNT };
struct compare_choice {
    uint8_t what;               /* enum compare_what */
    uint8_t planner;            /* COMPARE_PLANNER: its place in PLANNERS */
};

struct compare_state {
    struct compare_choice side[2]; /* A and B */
    uint8_t focus;              /* the side that the arrows choose for */
    const struct plan *pinned;  /* belongs to the history; NULL: nothing is pinned */
    uint64_t pinned_budget_bytes; /* with what it was played when it was pinned */
    struct link pinned_link;
    uint32_t row;               /* of the changed layers: the first that is in sight */
};

#endif
