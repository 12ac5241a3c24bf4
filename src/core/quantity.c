#include "quantity.h"

#include <string.h>

#include "plan.h"

const char *const QUANTITY_NAME[QUANTITY_COUNT] = {
#define X(id, measure, value) [QUANTITY_##id] = #id,
    QUANTITIES(X)
#undef X
};
const enum measure QUANTITY_MEASURE[QUANTITY_COUNT] = {
#define X(id, measure, value) [QUANTITY_##id] = MEASURE_##measure,
    QUANTITIES(X)
#undef X
};

/* When the last forward op has ended. */
static double quantity_forward_us(const struct timeline *timeline) {
    if (!timeline->totals.feasible || timeline->schedule.forward_count == 0)
        return 0;
    return timeline_end(timeline, (struct event){ LANE_COMPUTE, timeline->schedule.forward_count - 1 });
}

/* What only a simulation tells; the rest holds for infeasible outcomes too. */
static bool is_simulated(enum quantity_id id) {
    switch (id) {
    case QUANTITY_step_us:
    case QUANTITY_recompute_us:
    case QUANTITY_stall_us:
    case QUANTITY_forward_us:
    case QUANTITY_peak_us:
    case QUANTITY_throughput:
    case QUANTITY_gap:
    case QUANTITY_peak_bytes:
    case QUANTITY_host_peak_bytes:
    case QUANTITY_d2h_bytes:
    case QUANTITY_h2d_bytes:
    case QUANTITY_stall_count: return true;
    default: return false;
    }
}

void quantities_take(const struct outcome *outcome, struct quantities *out) {
    const struct outcome *O = outcome;
    const struct timeline *T = &outcome->timeline;
    const struct sim_totals *S = &T->totals;
    const struct plan_mix mix = plan_mix(T->profile, &T->plan), *M = &mix;
    for (int id = 0; id < QUANTITY_COUNT; id++) {
        if (!S->feasible && is_simulated((enum quantity_id)id)) {
            out->of[id] = 0;
            continue;
        }
        switch ((enum quantity_id)id) {
#define X(id, measure, value) case QUANTITY_##id: out->of[QUANTITY_##id] = (value); break;
            QUANTITIES(X)
#undef X
        default: break;
        }
    }
}

enum quantity_id quantity_find(const char *name, size_t length) {
    int id = 0;
    while (id < QUANTITY_COUNT && !(strlen(QUANTITY_NAME[id]) == length && memcmp(QUANTITY_NAME[id], name, length) == 0))
        id++;
    return (enum quantity_id)id;
}
