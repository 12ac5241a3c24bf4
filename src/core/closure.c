/* closure: see closure.h. */
#include "closure.h"

/* Ops whose re-run can ever be of use: they restore something managed, or feed an op that does. */
static void mark_useful(bool *useful, const struct closure *closure, const struct profile *profile) {
    for (uint32_t i = profile->op_count; i-- > 0;) {
        const struct op *op = &profile->ops[i];
        for (uint32_t o = 0; o < op->outputs.count && !useful[i]; o++) {
            const struct tensor *t = &profile->tensors[profile->index[op->outputs.at + o]];
            useful[i] = t->managed && !t->keep;
            for (uint32_t c = 0; c < t->consumers.count && !t->managed && !useful[i]; c++)
                useful[i] = useful[profile->index[t->consumers.at + c]];
        }
        useful[i] = useful[i] && closure->rerunnable[i];
    }
}

/* How many ops or groups of outputs may be the reason for re-running op I: its own managed outputs count as one, each
 * useful consumer of an unmanaged output as one (an op that reads two of them may count twice: shares get smaller). */
static uint32_t beneficiaries(uint32_t i, const bool *useful, const struct profile *profile) {
    const struct op *op = &profile->ops[i];
    uint32_t count = 0;
    bool own = false;
    for (uint32_t o = 0; o < op->outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[op->outputs.at + o]];
        if (t->managed) {
            own = own || !t->keep;
            continue;
        }
        for (uint32_t c = 0; c < t->consumers.count; c++)
            count += useful[profile->index[t->consumers.at + c]];
    }
    return count + own;
}

enum ss_status closure_compute(struct closure *out, struct arena *arena, const struct profile *profile,
                               struct error *error) {
    const uint32_t n = profile->op_count;
    out->rerunnable = ARENA_ARRAY(arena, bool, n);
    out->full_us = ARENA_ARRAY(arena, double, n);
    out->share_us = ARENA_ARRAY(arena, double, n);
    bool *useful = ARENA_ARRAY(arena, bool, n);
    uint32_t *split = ARENA_ARRAY(arena, uint32_t, n);
    uint32_t *seen = ARENA_ARRAY(arena, uint32_t, profile->tensor_count); /* tensor -> last op that read it, + 1 */
    if (!out->rerunnable || !out->full_us || !out->share_us || !useful || !split || !seen)
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
    mark_useful(useful, out, profile);
    for (uint32_t i = 0; i < n; i++)
        split[i] = beneficiaries(i, useful, profile);
    for (uint32_t i = 0; i < n; i++) {
        const struct op *op = &profile->ops[i];
        double full = op->recompute_us, share = op->recompute_us;
        for (uint32_t k = 0; k < op->inputs.count; k++) {
            const uint32_t input = profile->index[op->inputs.at + k];
            const struct tensor *t = &profile->tensors[input];
            if (t->managed || t->producer == NONE || seen[input] == i + 1)
                continue;
            seen[input] = i + 1;
            full += out->full_us[t->producer];
            share += out->share_us[t->producer];
        }
        out->full_us[i] = full < 1e300 ? full : 1e300;
        out->share_us[i] = split[i] ? share / split[i] : 0;
    }
    return SS_OK;
}
