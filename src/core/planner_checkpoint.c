/* checkpoint: keep what crosses layers, recompute the rest, whatever the budget (Chen et al., "Training Deep Nets with
 * Sublinear Memory Cost", 2016, with every layer a segment).
 *
 * With one action a layer a layer's output can't stay while its inside goes: then every second, third, … layer stays,
 * and the others are recomputed from it; the best such distance is taken. */
#include "items.h"
#include "planner_list.h"

static enum ss_status whole_layers(struct trial *trial, const struct items *items, struct error *error) {
    enum ss_status status = SS_OK;
    for (uint32_t distance = 2; distance <= 16 && status == SS_OK && !trial_over(trial); distance++) {
        for (uint32_t i = 0; i < items->count; i++) {
            const bool stays = i % distance == 0 || !items->item[i].recomputable;
            trial_set(trial, items->unit[i], stays ? ACTION_KEEP : ACTION_RECOMPUTE);
        }
        status = trial_evaluate(trial, error);
    }
    return status;
}

enum ss_status planner_checkpoint(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                  struct planner_result *out, struct error *error) {
    struct trial trial;
    struct items items;
    enum ss_status status = trial_begin(&trial, task, simulator, arena, UINT64_MAX, error);
    if (status == SS_OK)
        status = items_build(&items, arena, &trial, error);
    if (status != SS_OK)
        return status;
    if (task->unit == UNIT_LAYER) {
        status = whole_layers(&trial, &items, error);
    } else {
        for (uint32_t p = 0; p < trial.units.count; p++)
            if (!items.crosses[items.unit[p]] && trial.units.unit[items.unit[p]].recomputable)
                trial_set(&trial, items.unit[p], ACTION_RECOMPUTE);
    }
    return status == SS_OK ? trial_finish(&trial, out, error) : status;
}
