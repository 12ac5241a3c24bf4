/* closure: see closure.h. */
#include "closure.h"

#include <math.h>

enum ss_status closure_compute(struct closure *out, struct arena *arena, const struct profile *profile,
                               struct error *error) {
    const uint32_t n = profile->op_count;
    out->rerunnable = ARENA_ARRAY(arena, bool, n);
    out->full_us = ARENA_ARRAY(arena, double, n);
    uint32_t *seen = ARENA_ARRAY(arena, uint32_t, profile->tensor_count); /* tensor -> last op that read it, + 1 */
    if (!out->rerunnable || !out->full_us || !seen)
        return error_no_memory(error);
    for (uint32_t i = 0; i < n; i++) {
        const struct op *op = &profile->ops[i];
        out->rerunnable[i] = op->recomputable;
        for (uint32_t k = 0; k < op->inputs.count && out->rerunnable[i]; k++) {
            const struct tensor *t = &profile->tensors[profile->index[op->inputs.at + k]];
            if (!t->managed && t->producer != NONE)
                out->rerunnable[i] = out->rerunnable[t->producer];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct op *op = &profile->ops[i];
        double full = op->recompute_us;
        for (uint32_t k = 0; k < op->inputs.count; k++) {
            const uint32_t input = profile->index[op->inputs.at + k];
            const struct tensor *t = &profile->tensors[input];
            if (t->managed || t->producer == NONE || seen[input] == i + 1)
                continue;
            seen[input] = i + 1;
            full += out->full_us[t->producer];
        }
        out->full_us[i] = full < 1e300 ? full : 1e300;
    }
    return closure_share(&out->share_us, arena, profile, out->rerunnable, INFINITY, error);
}
