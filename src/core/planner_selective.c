/* selective: the inside of attention is run again, everything else stays (Korthikanti et al., "Reducing Activation
 * Recomputation in Large Transformer Models", 2022).
 *
 * The inside of attention is what stands around a softmax: the scores it reads, its result, and the dropout of that.
 * Fused attention keeps nothing inside, so there the plan keeps everything; the paper says the same. With one action
 * a layer a module is run again when the inside is most of its bytes. */
#include "planner_list.h"
#include "trial.h"

#include <string.h>

static bool is_softmax(const struct profile *profile, uint32_t op) {
    return op != NONE && strcmp(profile->ops[op].kind, "softmax") == 0;
}

static bool touches_softmax(const struct profile *profile, const struct tensor *tensor) {
    if (is_softmax(profile, tensor->producer))
        return true;
    for (uint32_t c = 0; c < tensor->consumers.count; c++)
        if (is_softmax(profile, profile->index[tensor->consumers.at + c]))
            return true;
    return false;
}

/* Scores and probabilities, or what a dropout makes of the probabilities. */
static bool inside_attention(const struct profile *profile, uint32_t tensor) {
    const struct tensor *t = &profile->tensors[tensor];
    if (touches_softmax(profile, t))
        return true;
    const struct op *op = &profile->ops[t->producer];
    if (strcmp(op->kind, "dropout") != 0)
        return false;
    for (uint32_t i = 0; i < op->inputs.count; i++)
        if (is_softmax(profile, profile->tensors[profile->index[op->inputs.at + i]].producer))
            return true;
    return false;
}

enum ss_status planner_selective(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                 struct planner_result *out, struct error *error) {
    struct trial trial;
    const enum ss_status status = trial_begin(&trial, task, simulator, arena, 1, error);
    if (status != SS_OK)
        return status;
    for (uint32_t u = 0; u < trial.units.count; u++) {
        const struct unit *unit = &trial.units.unit[u];
        uint64_t inside = 0;
        for (uint32_t i = 0; i < unit->count; i++) {
            const uint32_t t = trial.units.tensor[unit->at + i];
            inside += inside_attention(task->profile, t) ? task->profile->tensors[t].bytes : 0;
        }
        if (unit->recomputable && inside > unit->bytes / 2)
            trial_set(&trial, u, ACTION_RECOMPUTE);
    }
    return trial_finish(&trial, out, error);
}
