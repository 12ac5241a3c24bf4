/* residency: see residency.h. */
#include "residency.h"

uint32_t residency_first_use(const struct profile *profile, const struct tensor *tensor) {
    return backward_step_of(profile, profile->index[tensor->savers.at + tensor->savers.count - 1]);
}

uint32_t residency_last_use(const struct profile *profile, const struct tensor *tensor) {
    return backward_step_of(profile, profile->index[tensor->savers.at]);
}

struct residency_edges residency_edges(const struct profile *profile) {
    struct residency_edges edges = { 0, 0 };
    uint32_t producer = NONE, saver = NONE;
    for (uint32_t m = 0; m < profile->managed_count; m++) {
        const struct tensor *t = &profile->tensors[profile->managed[m]];
        if (t->keep)
            continue;
        const uint32_t used = profile->index[t->savers.at + t->savers.count - 1];
        producer = t->producer < producer ? t->producer : producer;
        saver = used < saver ? used : saver;
    }
    for (uint32_t i = 0; producer != NONE && i <= producer; i++)
        edges.release_us += profile->ops[i].forward_us;
    for (uint32_t i = 0; saver != NONE && i <= saver; i++)
        edges.tail_us += profile->ops[i].backward_us;
    return edges;
}

/* Marks BYTES as resident from step FIRST to LAST; the sums stay below 2^63, wrapping differences cancel out. */
static void hold(uint64_t *delta, uint32_t first, uint32_t last, uint64_t bytes) {
    delta[first] += bytes;
    delta[last + 1] -= bytes;
}

enum ss_status residency_compute(uint64_t **requirement, struct arena *arena, const struct profile *profile,
                                 bool offload_all, struct error *error) {
    const uint32_t steps = 2 * profile->op_count;
    uint64_t *delta = ARENA_ARRAY(arena, uint64_t, (size_t)steps + 1);
    if (!delta)
        return error_no_memory(error);
    for (uint32_t i = 0; i < profile->tensor_count; i++) {
        const struct tensor *t = &profile->tensors[i];
        if (t->producer == NONE)
            continue;
        if (t->managed && (t->keep || !offload_all)) {
            hold(delta, t->producer, residency_last_use(profile, t), t->bytes);
        } else {
            hold(delta, t->producer, t->last_forward, t->bytes);
            if (t->managed)
                hold(delta, residency_first_use(profile, t), residency_last_use(profile, t), t->bytes);
        }
        if (t->gradient && t->consumers.count > 0)
            hold(delta, backward_step_of(profile, t->last_forward), backward_step_of(profile, t->producer), t->bytes);
    }
    uint64_t level = 0;
    for (uint32_t k = 0; k < steps; k++) {
        level += delta[k];
        const struct op *op = &profile->ops[k < profile->op_count ? k : steps - 1 - k];
        delta[k] = level + (k < profile->op_count ? op->forward_workspace_bytes : op->backward_workspace_bytes);
    }
    *requirement = delta;
    return SS_OK;
}
