/* outcome: see outcome.h. */
#include "outcome.h"

#include <math.h>

enum ss_status budget_resolve(const struct budget_choice *choice, const struct profile *profile,
                              const struct limits *limits, uint64_t *out, struct error *error) {
    if (choice->kind == BUDGET_BYTES) {
        *out = choice->bytes;
        return SS_OK;
    }
    if (choice->kind == BUDGET_SHARE) {
        const double bytes = floor(choice->share * (double)limits->unlimited_peak_bytes);
        *out = bytes < 0x1p63 ? (uint64_t)bytes : BYTES_UNLIMITED;
        return SS_OK;
    }
    const uint64_t headroom = choice->headroom_bytes
        ? choice->headroom_bytes : (uint64_t)floor(choice->headroom_share * (double)choice->bytes);
    uint64_t taken;
    if (!bytes_add(profile->static_bytes, headroom, &taken) || taken > choice->bytes)
        return error_set(error, SS_USAGE,
                         "the GPU has %llu bytes, but static memory (%llu) and headroom (%llu) alone need more",
                         (unsigned long long)choice->bytes, (unsigned long long)profile->static_bytes,
                         (unsigned long long)headroom);
    *out = choice->bytes - taken;
    return SS_OK;
}

/* The plan that counts: the one given, or the planner's. */
static enum ss_status choose_plan(const struct outcome_request *request, struct bounds *bounds, struct simulator *simulator,
                                  struct arena *arena, struct outcome *out, struct plan *plan, struct error *error) {
    if (request->plan) {
        *plan = *request->plan;
        out->planner_name = arena_strdup(arena, plan->planner && plan->planner[0] ? plan->planner : "given");
        return out->planner_name ? SS_OK : error_no_memory(error);
    }
    const struct plan_task task = {
        .profile = request->profile, .link = out->link, .budget_bytes = out->budget_bytes, .bounds = bounds,
        .host_memory_bytes = request->host_memory_bytes, .unit = request->unit,
        .evaluation_limit = request->evaluation_limit, .seed = request->seed,
        .should_stop = request->should_stop, .improved = request->improved, .context = request->context,
    };
    struct planner_result result;
    const enum ss_status status = planner_run(request->planner, &task, simulator, arena, &result, error);
    if (status != SS_OK)
        return status;
    *plan = result.plan;
    out->planner_name = request->planner->name;
    out->evaluations = result.evaluations;
    out->proved = result.proved;
    out->own_model_us = result.own_model_us;
    return SS_OK;
}

enum ss_status outcome_compute(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                               struct error *error) {
    const struct profile *profile = request->profile;
    *out = (struct outcome){ .unit = request->unit, .seed = request->seed, .ideal_us = profile->ideal_us,
                             .own_model_us = NAN };
    enum ss_status status = limits_compute(profile, &out->limits, error);
    if (status == SS_OK)
        status = budget_resolve(&request->budget, profile, &out->limits, &out->budget_bytes, error);
    if (status == SS_OK)
        status = link_resolve(&profile->link, &request->link, &out->link, error);
    if (status != SS_OK)
        return status;
    struct simulator *simulator = simulator_new(profile, error);
    if (!simulator)
        return SS_INTERNAL;
    struct plan plan = { 0 };
    struct bounds own = { .count = 0 }, *bounds = request->bounds ? request->bounds : &own;
    status = choose_plan(request, bounds, simulator, arena, out, &plan, error);
    if (status == SS_OK)
        status = sim_run(simulator, &plan, &out->link, out->budget_bytes, arena, &out->timeline, error);
    simulator_free(simulator);
    if (status == SS_OK) /* behind the plan, the first of which is shown meanwhile; a planner may have looked for it already */
        status = (request->in_passing ? bounds_quick : bounds_find)(bounds, profile, &out->link, out->budget_bytes, &out->bound,
                                                                    error);
    if (status == SS_OK)
        out->host_limit_exceeded = out->timeline.totals.feasible
            && out->timeline.totals.host_peak_bytes > request->host_memory_bytes;
    return status;
}

bool outcome_feasible(const struct outcome *outcome) {
    return outcome->timeline.totals.feasible && !outcome->host_limit_exceeded;
}

/* A profile in which nothing takes time is as fast as it can be. */
/* NUMERATOR / DENOMINATOR, exactly 1 when only the order of the additions behind them tells the two apart: a step at the
 * ideal is 100 % of it and has no gap. */
static double ratio(double numerator, double denominator) {
    if (!(denominator > 0) || fabs(numerator - denominator) <= 1e-12 * denominator)
        return 1;
    return numerator / denominator;
}

double outcome_throughput(const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    return totals->feasible ? ratio(outcome->ideal_us, totals->step_us) : 0;
}

double outcome_gap(const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    return totals->feasible ? ratio(totals->step_us, outcome->bound.bound_us) - 1 : INFINITY;
}
