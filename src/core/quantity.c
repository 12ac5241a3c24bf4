#include "quantity.h"

#include <math.h>
#include <string.h>

#include "plan.h"

const struct quantity QUANTITY_TABLE[QUANTITY_COUNT] = {
#define X(id, measure, value, help) [QUANTITY_##id] = { #id, help, MEASURE_##measure },
    QUANTITIES(X)
#undef X
};

/* When the last forward op has ended. */
static double quantity_forward_us(const struct timeline *timeline) {
    if (!timeline->totals.feasible || timeline->schedule.forward_count == 0)
        return 0;
    return timeline_end(timeline, (struct event){ LANE_COMPUTE, timeline->schedule.forward_count - 1 });
}

static double quantity_peak_us(const struct timeline *timeline) {
    return timeline->memory_count > 0 ? timeline->memory[timeline->peak_sample].at_us : 0;
}

static double quantity_longest_stall_us(const struct timeline *timeline) {
    double longest = 0;
    for (uint32_t i = 0; i < timeline->stall_count; i++)
        longest = fmax(longest, timeline->stalls[i].end_us - timeline->stalls[i].start_us);
    return longest;
}

static double quantity_drained_us(const struct timeline *timeline) {
    const uint32_t count = timeline->totals.feasible ? timeline->schedule.d2h_count : 0;
    return count > 0 ? timeline->d2h[count - 1].end_us : 0;
}

/* What only a simulation tells; the rest holds for infeasible outcomes too. */
static bool is_simulated(enum quantity_id id) {
    switch (id) {
    case QUANTITY_ideal_us:
    case QUANTITY_bound_us:
    case QUANTITY_latency_us:
    case QUANTITY_budget_bytes:
    case QUANTITY_required_bytes:
    case QUANTITY_unlimited_peak_bytes:
    case QUANTITY_least_bytes:
    case QUANTITY_keep_bytes:
    case QUANTITY_offload_bytes:
    case QUANTITY_recompute_bytes:
    case QUANTITY_static_bytes:
    case QUANTITY_h2d_gb_per_s:
    case QUANTITY_d2h_gb_per_s:
    case QUANTITY_h2d_both_gb_per_s:
    case QUANTITY_d2h_both_gb_per_s:
    case QUANTITY_keep_count:
    case QUANTITY_offload_count:
    case QUANTITY_recompute_count:
    case QUANTITY_tensor_count:
    case QUANTITY_op_count:
    case QUANTITY_layer_count:
    case QUANTITY_bound_by_ideal:
    case QUANTITY_bound_by_d2h_window:
    case QUANTITY_bound_by_h2d_window:
    case QUANTITY_bound_by_recompute:
    case QUANTITY_bound_by_room:
    case QUANTITY_feasible: return false;
    default: return true;
    }
}

void quantities_take(const struct outcome *outcome, struct quantities *out) {
    static const struct memory_sample nothing;
    const struct outcome *O = outcome;
    const struct timeline *T = &outcome->timeline;
    const struct sim_totals *S = &T->totals;
    const struct plan_mix mix = plan_mix(T->profile, &T->plan), *M = &mix;
    const struct memory_sample *P = T->memory_count > 0 ? &T->memory[T->peak_sample] : &nothing;
    for (int id = 0; id < QUANTITY_COUNT; id++) {
        if (!S->feasible && is_simulated((enum quantity_id)id)) {
            out->of[id] = NAN;
            continue;
        }
        switch ((enum quantity_id)id) {
#define X(id, measure, value, help) case QUANTITY_##id: out->of[QUANTITY_##id] = (value); break;
            QUANTITIES(X)
#undef X
        default: break;
        }
    }
}

enum quantity_id quantity_find(const char *name, size_t length) {
    int id = 0;
    while (id < QUANTITY_COUNT &&
           !(strlen(QUANTITY_TABLE[id].name) == length && memcmp(QUANTITY_TABLE[id].name, name, length) == 0))
        id++;
    return (enum quantity_id)id;
}
