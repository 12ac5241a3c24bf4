/* limits: what every budget shares (bound.h). */
#include "bound.h"

#include "residency.h"
#include "schedule.h"

static uint32_t highest(const uint64_t *requirement, uint32_t steps) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < steps; k++)
        if (requirement[k] > requirement[best])
            best = k;
    return best;
}

enum ss_status limits_compute(const struct profile *profile, struct limits *out, struct error *error) {
    const uint32_t steps = 2 * profile->op_count;
    struct arena arena = { 0 };
    uint64_t *kept = NULL, *least = NULL;
    enum ss_status status = residency_compute(&kept, &arena, profile, false, error);
    if (status == SS_OK)
        status = residency_compute(&least, &arena, profile, true, error);
    if (status == SS_OK) {
        const uint32_t k = highest(least, steps);
        out->unlimited_peak_bytes = kept[highest(kept, steps)];
        out->least_bytes = least[k];
        out->least_op = k < profile->op_count ? k : steps - 1 - k;
        out->least_kind = k < profile->op_count ? STEP_FORWARD : STEP_BACKWARD;
    }
    arena_free(&arena);
    return status;
}
