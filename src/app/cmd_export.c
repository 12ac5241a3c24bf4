/* export: a result in the form of another program. A plan is made, or replayed, as `plan` and `simulate` do; curves are
 * planned as `sweep` does. */
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "palette_of.h"
#include "planning.h"
#include "sweep_run.h"

static enum ss_status refuse_list(const struct options *options, enum option_id id, bool is_list, struct error *error) {
    if (!is_list || options->source[id] != SOURCE_FLAG)
        return SS_OK;
    error_set(error, SS_USAGE, "expected one value, found a list, which curves takes and %s does not", options->to->name);
    error_place(error, "--%s", OPTION_TABLE[id].name);
    return SS_USAGE;
}

/* A result has one budget, one link and one planner; curves have no plan. */
static enum ss_status check_lists(const struct options *options, struct error *error) {
    const bool many = options->budgets.count > 0;
    enum ss_status status;
    if (options->to->put_curves && options->plan)
        return error_set(error, SS_USAGE, "curves are planned anew at each point: --plan is for one result");
    if (options->to->put_curves)
        return SS_OK;
    if ((status = refuse_list(options, OPTION_budget, many, error)) != SS_OK ||
        (status = refuse_list(options, OPTION_gpu_memory, many, error)) != SS_OK ||
        (status = refuse_list(options, OPTION_bandwidth, options->rates.count > 0, error)) != SS_OK)
        return status;
    return refuse_list(options, OPTION_planner, options->planner_count > 1, error);
}

static enum ss_status check(const struct options *options, struct error *error) {
    char list[128] = "";
    for (uint32_t i = 0; i < EXPORT_COUNT; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i == 0 ? "" : ", ", EXPORTS[i].name);
    if (!options->to)
        return error_set(error, SS_USAGE, "export needs --to FORMAT: %s", list);
    if (options->source[OPTION_theme] == SOURCE_FLAG && !options->to->is_picture)
        return error_set(error, SS_USAGE, "--theme is for pictures, and %s is none", options->to->name);
    if (options->plan && strcmp(options->plan, "-") == 0 && strcmp(options->argument[0], "-") == 0)
        return error_set(error, SS_USAGE, "profile and plan can't both be standard input");
    return check_lists(options, error);
}

/* What did not happen can't be shown. */
static enum ss_status refuse(const struct options *options, const struct outcome *outcome, struct error *error) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    const struct op *op = &timeline->profile->ops[timeline->schedule.op[totals->required_step]];
    char needs[UNIT_TEXT], budget[UNIT_TEXT];
    return error_set(error, SS_NO, "the plan does not fit into %s: it needs %s at %c %s; %s shows what fits",
                     format_bytes(budget, timeline->budget_bytes), format_bytes(needs, totals->required_bytes),
                     STEP_LETTER[timeline->schedule.kind[totals->required_step]], op->name, options->to->name);
}

/* A theme that was asked for is the picture's; else it is light, and dark for those who prefer that. */
struct picture_look { struct palette light, dark; struct look look; };

static void choose_look(const struct options *options, struct picture_look *out) {
    const bool is_asked = options->source[OPTION_theme] == SOURCE_FLAG;
    palette_of(is_asked ? &options->theme.theme : theme_builtin("light"), &out->light);
    palette_of(&THEME_DEFAULT, &out->dark);
    out->look = (struct look){ &out->light, is_asked ? NULL : &out->dark };
}

static enum ss_status export_result(const struct options *options, const struct profile *profile, struct arena *arena,
                                    struct error *error) {
    struct plan plan;
    struct outcome outcome;
    struct picture_look look;
    struct buffer out = { 0 };
    enum ss_status status = SS_OK;
    if (options->plan)
        status = load_plan(options, options->plan, profile, arena, &plan, error);
    if (status == SS_OK)
        status = planning_run(options, profile, options->settings.planner, options->plan ? &plan : NULL, NULL, arena, &outcome,
                              NULL, error);
    if (status != SS_OK)
        return status;
    if (options->to->needs_times && !outcome.timeline.totals.feasible)
        return refuse(options, &outcome, error);
    choose_look(options, &look);
    options->to->put(&out, &outcome, &look.look);
    status = output_buffer(options, &out, error);
    return status == SS_OK && !outcome_feasible(&outcome) ? SS_NO : status;
}

static enum ss_status take_point(void *context, uint32_t n, const struct outcome *outcome,
                                 const struct report_extras *extras, struct error *error) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    struct curves *curves = context;
    (void)extras;
    (void)error;
    curves->points[n] = (struct curve_point){
        .fits = outcome_feasible(outcome), .step_us = totals->step_us, .recompute_us = totals->recompute_us,
        .bound_us = outcome->bound.bound_us, .bandwidth = outcome->link.h2d_gb_per_s,
    };
    return SS_OK;
}

/* A budget that was given alone is a grid of one. */
static void make_axis(struct options *options) {
    const bool given = options->source[OPTION_budget] == SOURCE_FLAG || options->source[OPTION_gpu_memory] == SOURCE_FLAG;
    if (given && options->budgets.count == 0)
        options->budgets = (struct budget_axis){ &options->settings.budget, 1 };
}

static enum ss_status export_grid(const struct options *given, const struct profile *profile, struct arena *arena,
                                  struct error *error) {
    struct options options = *given;
    struct sweep sweep;
    struct curves curves = { .profile = profile, .sweep = &sweep };
    struct sweep_run run = { .options = &options, .profile = profile, .sweep = &sweep, .take = take_point, .context = &curves };
    struct picture_look look;
    struct buffer out = { 0 };
    make_axis(&options);
    enum ss_status status = sweep_lay_out(&sweep, &options, profile, arena, error);
    if (status == SS_OK)
        status = limits_compute(profile, &curves.limits, error);
    if (status != SS_OK)
        return status;
    run.end = sweep_points(&sweep);
    curves.points = ARENA_ARRAY(arena, struct curve_point, run.end);
    status = curves.points ? sweep_run(&run, error) : error_no_memory(error);
    if (status == SS_OK && !run.any_fits)
        return error_set(error, SS_NO, "no plan fits at any of the %u points: there are no curves", (unsigned)run.end);
    if (status != SS_OK)
        return status;
    choose_look(&options, &look);
    options.to->put_curves(&out, &curves, &look.look);
    return output_buffer(&options, &out, error);
}

enum ss_status cmd_export(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    enum ss_status status = check(options, error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = options->to->put_curves ? export_grid(options, &profile, &arena, error)
                                         : export_result(options, &profile, &arena, error);
    arena_free(&arena);
    return status;
}
