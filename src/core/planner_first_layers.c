/* offload-first-n: the first N layers are offloaded, the last ones stay, as production frameworks do (the
 * --cpu-offloading-num-layers of Megatron-LM and Transformer Engine). N is the least that fits the budget: offloading
 * adds no steps, so more layers never need more memory and N is found by bisection. */
#include "planner_list.h"
#include "trial.h"

static void offload_layers(struct trial *trial, uint32_t layers) {
    for (uint32_t u = 0; u < trial->units.count; u++) {
        const bool goes = trial->profile->ops[trial->units.unit[u].producer].layer < layers;
        trial_set(trial, u, goes ? ACTION_OFFLOAD : ACTION_KEEP);
    }
}

enum ss_status planner_first_layers(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                    struct planner_result *out, struct error *error) {
    struct trial trial;
    enum ss_status status = trial_begin(&trial, task, simulator, arena, 1, error);
    uint32_t low = 0, high = task->profile->layer_count;
    while (low < high && status == SS_OK) {
        const uint32_t middle = low + (high - low) / 2;
        const struct schedule *schedule;
        offload_layers(&trial, middle);
        status = trial_requirement(&trial, &schedule, error);
        if (status == SS_OK && schedule->peak_bytes <= task->budget_bytes)
            high = middle;
        else
            low = middle + 1;
    }
    offload_layers(&trial, high);
    return status == SS_OK ? trial_finish(&trial, out, error) : status;
}
