/* sqrt: segments of layers; what crosses from one segment into another stays, the inside is run again (Chen et al.,
 * "Training Deep Nets with Sublinear Memory Cost", 2016).
 *
 * The paper takes about the square root of the layers as segments, and searches around it when a budget is given: so
 * does this, over powers of the square root of two. With one action a layer, the last layer of a segment stays. */
#include "planner_list.h"
#include "trial.h"

#include <math.h>

#define HALVINGS 4 /* lengths from a quarter of the square root to four times it */

static bool leaves_segment(const struct profile *profile, uint32_t tensor, uint32_t length) {
    const struct tensor *t = &profile->tensors[tensor];
    const uint32_t segment = profile->ops[t->producer].layer / length;
    for (uint32_t c = 0; c < t->consumers.count; c++)
        if (profile->ops[profile->index[t->consumers.at + c]].layer / length != segment)
            return true;
    return false;
}

static bool unit_stays(const struct trial *trial, const struct unit *unit, uint32_t length) {
    const struct profile *profile = trial->profile;
    if (!unit->recomputable)
        return true;
    if (trial->task->unit == UNIT_LAYER)
        return profile->ops[unit->producer].layer % length == length - 1;
    for (uint32_t i = 0; i < unit->count; i++)
        if (leaves_segment(profile, trial->units.tensor[unit->at + i], length))
            return true;
    return false;
}

enum ss_status planner_sqrt(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                            struct planner_result *out, struct error *error) {
    struct trial trial;
    enum ss_status status = trial_begin(&trial, task, simulator, arena, UINT64_MAX, error);
    uint32_t last = 0;
    for (int i = 0; i <= 2 * HALVINGS && status == SS_OK && !trial_over(&trial); i++) {
        const double wanted = sqrt(task->profile->layer_count) * exp2(0.5 * (i - HALVINGS));
        const uint32_t length = wanted < 1 ? 1 : (uint32_t)lround(wanted);
        if (length == last)
            continue;
        last = length;
        for (uint32_t u = 0; u < trial.units.count; u++)
            trial_set(&trial, u, unit_stays(&trial, &trial.units.unit[u], length) ? ACTION_KEEP : ACTION_RECOMPUTE);
        status = trial_evaluate(&trial, error);
    }
    return status == SS_OK ? trial_finish(&trial, out, error) : status;
}
