/* prices: what keeping, offloading or recomputing the selection would make of the step — each simulated, with everything
 * else in the plan as it is. A study (study.h). */
#ifndef SLACKSWAP_VIEW_PRICES_H
#define SLACKSWAP_VIEW_PRICES_H

#include "scene.h"
#include "state.h"

struct price_question {
    uint64_t generation;        /* of the outcome whose plan is changed */
    uint8_t kind, sort;         /* of the target; how the table is sorted that a range may be of */
    uint32_t first, last;
};

struct price {
    uint32_t changed;           /* tensors whose action would change; 0: it is so already, or can't be */
    uint32_t refused;           /* tensors that can't be treated so */
    bool feasible;
    uint64_t required_bytes;    /* what the plan would need */
    double step_us;             /* against the plan as it is; meaningful when feasible, as the next */
    double peak_bytes;          /* likewise */
};
struct prices { struct price action[ACTION_COUNT]; };

/* What is known about the selection at hand; NULL while it is being found out. */
const struct prices *prices_shown(const struct view_state *state, const struct scene *scene);
/* Whether there is anything to price. */
bool prices_apply(const struct view_state *state, const struct scene *scene);
void *prices_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena);

#endif
