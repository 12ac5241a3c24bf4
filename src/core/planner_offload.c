/* offload: what must go, goes over the link.
 *
 * Units leave in the order in which they are produced, earliest first: the earliest have the longest time to go out
 * and are needed back last. A unit leaves only when some step between its last forward use and its first backward use
 * still needs more than the target. Offloading adds no steps, so demand.h is exact and the target is the budget. */
#include "demand.h"
#include "planner_list.h"
#include "trial.h"

static bool must_go(const struct trial *trial, struct demand *demand, const struct unit *unit, int64_t target) {
    for (uint32_t i = 0; i < unit->count; i++)
        if (demand_away_at(demand, trial->units.tensor[unit->at + i], demand->watched) ||
            demand_without(demand, trial->units.tensor[unit->at + i]) > target)
            return true;
    return false;
}

enum ss_status planner_offload(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                               struct planner_result *out, struct error *error) {
    struct trial trial;
    struct demand demand;
    enum ss_status status = trial_begin(&trial, task, simulator, arena, 1, error);
    if (status == SS_OK)
        status = demand_init(&demand, arena, task->profile, error);
    if (status != SS_OK)
        return status;
    const int64_t target = task->budget_bytes < INT64_MAX ? (int64_t)task->budget_bytes : INT64_MAX;
    for (uint32_t p = 0; p < trial.units.count && demand_exceeds(&demand, target); p++) {
        const uint32_t u = trial.units.by_producer[p];
        const struct unit *unit = &trial.units.unit[u];
        if (!must_go(&trial, &demand, unit, target))
            continue;
        trial_set(&trial, u, ACTION_OFFLOAD);
        for (uint32_t i = 0; i < unit->count; i++)
            demand_take_away(&demand, trial.units.tensor[unit->at + i]);
    }
    return trial_finish(&trial, out, error);
}
