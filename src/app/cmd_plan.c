/* plan: plans a profile and reports; the plan itself goes to the file of -o. */
#include <string.h>

#include "io/plan_json.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"

static enum ss_status save_plan(const struct options *options, const struct outcome *outcome, struct error *error) {
    struct buffer out = { 0 };
    plan_json_write(&out, outcome->timeline.profile, &outcome->timeline.plan);
    return output_buffer(options, &out, error);
}

enum ss_status cmd_plan(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct outcome outcome;
    struct report_extras extras;
    if (options->output && strcmp(options->output, "-") == 0)
        return error_set(error, SS_USAGE, "the plan can't go where the report goes: -o needs a file");
    enum ss_status status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = planning_run(options, &profile, options->settings.planner, NULL, NULL, &arena, &outcome, &extras, error);
    if (status == SS_OK && options->output)
        status = save_plan(options, &outcome, error);
    if (status == SS_OK)
        status = output_result(options, &outcome, &extras, error);
    if (status == SS_OK && !outcome_feasible(&outcome))
        status = SS_NO;
    arena_free(&arena);
    return status;
}
