/* keep: everything stays on the GPU. It ignores the budget; the totals tell whether that fits. */
#include "planner_list.h"
#include "trial.h"

enum ss_status planner_keep(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                            struct planner_result *out, struct error *error) {
    struct trial trial;
    const enum ss_status status = trial_begin(&trial, task, simulator, arena, 1, error);
    return status == SS_OK ? trial_finish(&trial, out, error) : status;
}
