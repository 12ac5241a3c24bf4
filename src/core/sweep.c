/* sweep: see sweep.h. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>

static int compare_rates(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int compare_budgets(const void *a, const void *b) {
    const struct sweep_budget *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static enum ss_status lay_out_rates(struct sweep *sweep, const struct rate_axis *rates, const struct profile *profile,
                                    struct arena *arena, struct error *error) {
    const uint32_t given = rates != NULL ? rates->count : 0;
    sweep->rates = ARENA_ARRAY(arena, double, given + 1);
    if (sweep->rates == NULL)
        return error_no_memory(error);
    if (given == 0)
        sweep->rates[sweep->rate_count++] = NAN;
    for (uint32_t i = 0; i < given; i++) {
        struct link_options options = sweep->base.link;
        struct link link;
        options.bandwidth_gb_per_s = sweep->rates[i] = rates->gb_per_s[i];
        const enum ss_status status = link_resolve(&profile->link, &options, &link, error);
        if (status != SS_OK)
            return status;
    }
    qsort(sweep->rates, given, sizeof *sweep->rates, compare_rates);
    for (uint32_t i = 0; i < given; i++)
        if (i == 0 || sweep->rates[i] > sweep->rates[sweep->rate_count - 1])
            sweep->rates[sweep->rate_count++] = sweep->rates[i];
    return SS_OK;
}

static enum ss_status lay_out_budgets(struct sweep *sweep, const struct budget_axis *budgets,
                                      const struct profile *profile, struct arena *arena, struct error *error) {
    struct limits limits;
    sweep->budgets = ARENA_ARRAY(arena, struct sweep_budget, budgets->count);
    if (sweep->budgets == NULL)
        return error_no_memory(error);
    enum ss_status status = limits_compute(profile, &limits, error);
    for (uint32_t i = 0; i < budgets->count && status == SS_OK; i++) {
        struct sweep_budget *budget = &sweep->budgets[i];
        budget->choice = budgets->choice[i];
        budget->choice.headroom_share = sweep->base.budget.headroom_share;
        budget->choice.headroom_bytes = sweep->base.budget.headroom_bytes;
        status = budget_resolve(&budget->choice, profile, &limits, &budget->bytes, error);
    }
    if (status != SS_OK)
        return status;
    qsort(sweep->budgets, budgets->count, sizeof *sweep->budgets, compare_budgets);
    for (uint32_t i = 0; i < budgets->count; i++)
        if (i == 0 || sweep->budgets[i].bytes > sweep->budgets[sweep->budget_count - 1].bytes)
            sweep->budgets[sweep->budget_count++] = sweep->budgets[i];
    return SS_OK;
}

enum ss_status sweep_init(struct sweep *sweep, const struct settings *base, const struct planner *const *planners,
                          uint32_t planner_count, const struct rate_axis *rates, const struct budget_axis *budgets,
                          const struct profile *profile, struct arena *arena, struct error *error) {
    *sweep = (struct sweep){ .base = *base, .planners = planners, .planner_count = planner_count };
    enum ss_status status = lay_out_rates(sweep, rates, profile, arena, error);
    return status == SS_OK ? lay_out_budgets(sweep, budgets, profile, arena, error) : status;
}

uint32_t sweep_columns(const struct sweep *sweep) {
    return sweep->planner_count * sweep->rate_count;
}

uint32_t sweep_points(const struct sweep *sweep) {
    return sweep_columns(sweep) * sweep->budget_count;
}

struct settings sweep_settings(const struct sweep *sweep, uint32_t n) {
    struct settings settings = sweep->base;
    const uint32_t column = n / sweep->budget_count;
    const double rate = sweep->rates[column % sweep->rate_count];
    settings.planner = sweep->planners[column / sweep->rate_count];
    settings.budget = sweep->budgets[n % sweep->budget_count].choice;
    if (!isnan(rate))
        settings.link.bandwidth_gb_per_s = rate;
    return settings;
}

bool sweep_begins_column(const struct sweep *sweep, uint32_t n) {
    return n % sweep->budget_count == 0;
}

void sweep_shard(const struct sweep *sweep, uint32_t index, uint32_t count, uint32_t *first, uint32_t *end) {
    const uint64_t columns = sweep_columns(sweep);
    *first = (uint32_t)(columns * (index - 1) / count) * sweep->budget_count;
    *end = (uint32_t)(columns * index / count) * sweep->budget_count;
}

/* Whether A is the better plan to have: one that fits, then the faster one. */
static bool is_better(const struct sim_totals *a, const struct outcome *b, uint64_t host_memory_bytes) {
    if (!a->feasible || a->host_peak_bytes > host_memory_bytes)
        return false;
    return !outcome_feasible(b) || a->step_us < b->timeline.totals.step_us;
}

static enum ss_status take_over(struct simulator *simulator, const struct plan *plan, const struct settings *settings,
                                struct arena *arena, struct outcome *point, struct error *error) {
    struct sim_totals totals;
    enum ss_status status = sim_evaluate(simulator, plan, &point->link, point->budget_bytes, &totals, error);
    if (status != SS_OK || !is_better(&totals, point, settings->host_memory_bytes))
        return status;
    status = sim_run(simulator, plan, &point->link, point->budget_bytes, arena, &point->timeline, error);
    point->host_limit_exceeded = false;
    point->proved = false;
    return status;
}

enum ss_status sweep_reuse(const struct outcome *less, const struct settings *settings, struct arena *arena,
                           struct outcome *point, struct error *error) {
    const bool below = outcome_feasible(point) && point->timeline.totals.step_us <= less->timeline.totals.step_us;
    if (!outcome_feasible(less) || (below && outcome_gap(point) <= 0))
        return SS_OK;
    struct plan plan = less->timeline.plan;
    const uint64_t limit = less->timeline.budget_bytes;
    struct simulator *simulator = simulator_new(less->timeline.profile, error);
    if (simulator == NULL)
        return SS_INTERNAL;
    plan.budget_bytes = point->budget_bytes;
    enum ss_status status = take_over(simulator, &plan, settings, arena, point, error);
    plan.budget_bytes = limit;
    if (status == SS_OK)
        status = take_over(simulator, &plan, settings, arena, point, error);
    simulator_free(simulator);
    return status;
}
