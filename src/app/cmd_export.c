/* export: a result in the form of another program. A plan is made, or replayed, as `plan` and `simulate` do. */
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "palette_of.h"
#include "planning.h"

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
    return SS_OK;
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
static void write_picture(const struct options *options, const struct outcome *outcome, struct buffer *out) {
    struct palette asked, light, dark;
    palette_of(&options->theme.theme, &asked);
    palette_of(theme_builtin("light"), &light);
    palette_of(&THEME_DEFAULT, &dark);
    const bool is_asked = options->source[OPTION_theme] == SOURCE_FLAG;
    options->to->put(out, outcome, is_asked ? &(struct look){ &asked, NULL } : &(struct look){ &light, &dark });
}

static enum ss_status write_out(const struct options *options, const struct outcome *outcome, struct error *error) {
    struct buffer out = { 0 };
    if (options->to->needs_times && !outcome->timeline.totals.feasible)
        return refuse(options, outcome, error);
    write_picture(options, outcome, &out);
    enum ss_status status = output_buffer(options, &out, error);
    return status == SS_OK && !outcome_feasible(outcome) ? SS_NO : status;
}

enum ss_status cmd_export(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct plan plan;
    struct outcome outcome;
    enum ss_status status = check(options, error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK && options->plan)
        status = load_plan(options, options->plan, &profile, &arena, &plan, error);
    if (status == SS_OK)
        status = planning_run(options, &profile, options->settings.planner, options->plan ? &plan : NULL, &arena, &outcome,
                              NULL, error);
    if (status == SS_OK)
        status = write_out(options, &outcome, error);
    arena_free(&arena);
    return status;
}
