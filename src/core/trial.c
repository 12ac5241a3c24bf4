/* trial: see trial.h. */
#include "trial.h"

#include <string.h>

enum ss_status task_bound(const struct plan_task *task, double *bound_us, struct error *error) {
    struct bound bound = { .bound_us = 0 };
    const enum ss_status status = bounds_find(task->bounds, task->profile, &task->link, task->budget_bytes, &bound, error);
    *bound_us = bound.bound_us;
    return status;
}

bool totals_fit(const struct sim_totals *totals, const struct plan_task *task) {
    return totals->feasible && totals->host_peak_bytes <= task->host_memory_bytes;
}

bool totals_better(const struct sim_totals *a, const struct sim_totals *b, const struct plan_task *task) {
    if (a->feasible != b->feasible)
        return a->feasible;
    if (!a->feasible)
        return a->required_bytes < b->required_bytes;
    const bool a_fits = totals_fit(a, task), b_fits = totals_fit(b, task);
    if (a_fits != b_fits)
        return a_fits;
    if (!a_fits && a->host_peak_bytes != b->host_peak_bytes)
        return a->host_peak_bytes < b->host_peak_bytes;
    return a->step_us < b->step_us;
}

static uint32_t unit_of(const struct profile *profile, enum plan_unit unit, uint32_t tensor) {
    return unit == UNIT_LAYER ? profile->ops[profile->tensors[tensor].producer].layer : tensor;
}

/* Groups the free managed tensors by unit, in the order of the first tensor of each: a counting sort. */
static enum ss_status units_build(struct units *units, struct arena *arena, const struct profile *profile,
                                  const struct closure *closure, enum plan_unit kind, struct error *error) {
    const uint32_t keys = kind == UNIT_LAYER ? profile->layer_count : profile->tensor_count;
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, keys);
    units->tensor = ARENA_ARRAY(arena, uint32_t, profile->managed_count);
    units->unit = ARENA_ARRAY(arena, struct unit, profile->managed_count);
    units->count = 0;
    if (!number || !units->tensor || !units->unit)
        return error_no_memory(error);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t m = 0; m < profile->managed_count; m++) {
            const uint32_t tensor = profile->managed[m];
            if (profile->tensors[tensor].keep)
                continue;
            uint32_t *u = &number[unit_of(profile, kind, tensor)];
            if (*u == 0) {
                units->unit[units->count] = (struct unit){ 0, 0, 0, NONE, true };
                *u = ++units->count;
            }
            struct unit *unit = &units->unit[*u - 1];
            if (pass == 0) {
                const uint32_t producer = profile->tensors[tensor].producer;
                unit->producer = producer < unit->producer ? producer : unit->producer;
                unit->count++;
                unit->bytes += profile->tensors[tensor].bytes;
                unit->recomputable = unit->recomputable && closure_allows(closure, profile, tensor);
            } else {
                units->tensor[unit->at++] = tensor;
            }
        }
        uint32_t at = 0;
        for (uint32_t u = 0; u < units->count; u++) {
            units->unit[u].at = at;
            at += units->unit[u].count;
        }
    }
    return SS_OK;
}

/* Units by first producer: a counting sort. */
static enum ss_status units_order(struct units *units, struct arena *arena, const struct profile *profile,
                                  struct error *error) {
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)profile->op_count + 1);
    units->by_producer = ARENA_ARRAY(arena, uint32_t, units->count);
    if (!at || !units->by_producer)
        return error_no_memory(error);
    for (uint32_t u = 0; u < units->count; u++)
        at[units->unit[u].producer + 1]++;
    for (uint32_t i = 0; i < profile->op_count; i++)
        at[i + 1] += at[i];
    for (uint32_t u = 0; u < units->count; u++)
        units->by_producer[at[units->unit[u].producer]++] = u;
    return SS_OK;
}

enum ss_status trial_begin(struct trial *trial, const struct plan_task *task, struct simulator *simulator,
                           struct arena *arena, uint64_t default_limit, struct error *error) {
    *trial = (struct trial){ .task = task, .profile = task->profile, .simulator = simulator, .arena = arena };
    trial->limit = task->evaluation_limit == EVALS_DEFAULT ? default_limit : task->evaluation_limit;
    enum ss_status status = closure_compute(&trial->closure, arena, task->profile, error);
    if (status == SS_OK)
        status = units_build(&trial->units, arena, task->profile, &trial->closure, task->unit, error);
    if (status == SS_OK)
        status = units_order(&trial->units, arena, task->profile, error);
    if (status == SS_OK)
        status = plan_init(&trial->plan, arena, task->profile, error);
    if (status == SS_OK)
        status = plan_init(&trial->best, arena, task->profile, error);
    trial->plan.unit = trial->best.unit = UNIT_NAME[task->unit];
    return status;
}

bool trial_stopping(struct trial *trial) {
    if (!trial->stopped && trial->task->should_stop)
        trial->stopped = trial->task->should_stop(trial->task->context);
    return trial->stopped;
}

bool trial_over(struct trial *trial) {
    return trial->evaluations > 0 && (trial_stopping(trial) || trial->evaluations >= trial->limit);
}

/* Whether PLAN is the best so far, as the FIRST one is; then it is remembered. */
static bool remember(struct trial *trial, const struct plan *plan, const struct sim_totals *totals, bool first) {
    if (!first && !totals_better(totals, &trial->best_totals, trial->task))
        return false;
    memcpy(trial->best.action, plan->action, trial->profile->tensor_count);
    trial->best_totals = *totals;
    return true;
}

void trial_tell(const struct trial *trial) {
    const struct plan_task *task = trial->task;
    if (task->improved && totals_fit(&trial->best_totals, task))
        task->improved(task->context, &trial->best, &trial->best_totals);
}

enum ss_status trial_evaluate(struct trial *trial, struct error *error) {
    const struct plan_task *task = trial->task;
    const enum ss_status status =
        sim_evaluate(trial->simulator, &trial->plan, &task->link, task->budget_bytes, &trial->totals, error);
    if (status != SS_OK)
        return status;
    const bool first = trial->evaluations++ == 0;
    if (remember(trial, &trial->plan, &trial->totals, first))
        trial_tell(trial);
    return SS_OK;
}

bool trial_adopt(struct trial *trial, const struct planner_result *result) {
    const bool first = trial->evaluations == 0;
    trial->evaluations += result->evaluations;
    trial->stopped = trial->stopped || result->stopped;
    return remember(trial, &result->plan, &result->totals, first);
}

enum ss_status trial_requirement(struct trial *trial, const struct schedule **schedule, struct error *error) {
    return schedule_build(simulator_builder(trial->simulator), &trial->plan, schedule, error);
}

void trial_set(struct trial *trial, uint32_t unit, enum action action) {
    const struct unit *u = &trial->units.unit[unit];
    for (uint32_t i = 0; i < u->count; i++)
        trial->plan.action[trial->units.tensor[u->at + i]] = (uint8_t)action;
}

void trial_keep_all(struct trial *trial) {
    memset(trial->plan.action, ACTION_KEEP, trial->profile->tensor_count);
}

enum ss_status trial_finish(struct trial *trial, struct planner_result *out, struct error *error) {
    if (trial->evaluations == 0) { /* nothing was tried: the plan as it stands */
        const enum ss_status status = trial_evaluate(trial, error);
        if (status != SS_OK)
            return status;
    }
    out->plan = trial->best;
    out->plan.budget_bytes = trial->task->budget_bytes;
    out->totals = trial->best_totals;
    out->evaluations = trial->evaluations;
    out->stopped = trial->stopped;
    return SS_OK;
}
