#include "planning.h"

#include <math.h>
#include <string.h>
#include <time.h>

double clock_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

bool deadline_passed(void *deadline) {
    return clock_us() > ((const struct deadline *)deadline)->at_us;
}

/* With an exact number of evaluations no clock may interfere: the result must be the same on every machine. Where only a
 * time was given, the time alone ends the search. */
static struct deadline apply_limits(const struct options *options, struct outcome_request *request) {
    if (options->source[OPTION_evals] != SOURCE_DEFAULT)
        return (struct deadline){ INFINITY };
    if (isnan(options->plan_time_us))
        return (struct deadline){ clock_us() + PLAN_TIME_DEFAULT_US };
    request->evaluation_limit = UINT64_MAX;
    return (struct deadline){ clock_us() + options->plan_time_us };
}

static enum ss_status measure_simulation(const struct outcome *outcome, double *us, struct error *error) {
    const struct timeline *timeline = &outcome->timeline;
    struct sim_totals totals;
    struct simulator *simulator = simulator_new(timeline->profile, error);
    if (!simulator)
        return SS_INTERNAL;
    double start = clock_us();
    enum ss_status status =
        sim_evaluate(simulator, &timeline->plan, &outcome->link, outcome->budget_bytes, &totals, error);
    *us = clock_us() - start;
    simulator_free(simulator);
    return status;
}

/* A plan that is replayed brings its own unit. */
static enum plan_unit unit_of(const struct plan *plan) {
    return plan->unit && strcmp(plan->unit, UNIT_NAME[UNIT_LAYER]) == 0 ? UNIT_LAYER : UNIT_TENSOR;
}

enum ss_status planning_run(const struct options *options, const struct profile *profile, const struct planner *planner,
                            const struct plan *plan, struct bounds *bounds, struct arena *arena, struct outcome *out,
                            struct report_extras *extras, struct error *error) {
    struct outcome_request request = settings_request(profile, &options->settings);
    request.planner = planner;
    request.plan = plan;
    request.bounds = bounds;
    request.unit = plan ? unit_of(plan) : request.unit;
    double start = clock_us();
    struct deadline deadline = apply_limits(options, &request);
    request.should_stop = deadline_passed;
    request.context = &deadline;
    enum ss_status status = outcome_compute(&request, arena, out, error);
    if (status == SS_STOPPED)
        return error_set(error, SS_NO, "%s found no plan in the time given", planner->name);
    if (status != SS_OK || !extras)
        return status;
    *extras = (struct report_extras){ .actions = options->actions, .timing = options->timing,
                                      .plan_us = clock_us() - start };
    return options->timing ? measure_simulation(out, &extras->simulate_us, error) : SS_OK;
}
