/* simulate: replays a plan that was saved. */
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"

static enum ss_status check(const struct options *options, struct error *error) {
    if (!options->plan)
        return error_set(error, SS_USAGE, "simulate needs --plan FILE");
    return load_check_inputs(options, error);
}

enum ss_status cmd_simulate(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct plan plan;
    struct plan_details details;
    struct outcome outcome;
    struct report_extras extras;
    enum ss_status status = check(options, error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = load_plan_details(options, options->plan, &profile, &arena, &plan, &details, error);
    if (status == SS_OK)
        status = planning_run(options, &profile, NULL, &plan, NULL, &arena, &outcome, &extras, error);
    extras.details = &details;
    if (status == SS_OK)
        status = output_result(options, &outcome, &extras, error);
    if (status == SS_OK && !outcome_feasible(&outcome))
        status = SS_NO;
    arena_free(&arena);
    return status;
}
