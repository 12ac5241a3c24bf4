/* diff: two plans, or one plan under two settings — what differs, and what it costs. */
#include <string.h>

#include "core/difference.h"
#include "io/report_diff.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"
#include "setting.h"

struct side {
    const char *name;            /* as the user wrote it: a planner or a file */
    const struct planner *planner; /* NULL: a file */
    struct options options;
    struct profile profile;      /* over this side's link */
    struct plan plan;
    struct plan_details details;
    struct outcome outcome;
    struct report_extras extras;
};

/* Which plan each side is about: the one given for both where there is one alone. */
static enum ss_status name_sides(const struct options *options, struct side sides[2], struct error *error) {
    const int last = options->argument_count - 1;
    int inputs = strcmp(options->argument[0], "-") == 0;
    for (int i = 0; i < 2; i++) {
        sides[i].name = options->argument[i + 1 < last ? i + 1 : last];
        sides[i].planner = planner_find(sides[i].name);
    }
    for (int i = 1; i <= last; i++)
        inputs += strcmp(options->argument[i], "-") == 0;
    if (inputs > 1)
        return error_set(error, SS_USAGE, "only one of profile and plans can be standard input");
    if (last == 1 && !options->a && !options->b)
        return error_set(error, SS_USAGE, "diff needs a second plan, or --a or --b with another setting");
    return SS_OK;
}

static enum ss_status run_side(struct side *side, const struct profile *profile, enum option_id option, const char *setting,
                               const struct options *options, struct arena *arena, struct error *error) {
    enum ss_status status = setting_take(options, option, setting, &side->options, error);
    if (status != SS_OK)
        return status;
    side->profile = setting_profile(&side->options, profile);
    if (!side->planner)
        status = load_plan_details(options, side->name, &side->profile, arena, &side->plan, &side->details, error);
    if (status == SS_OK)
        status = planning_run(&side->options, &side->profile, side->planner, side->planner ? NULL : &side->plan, NULL, arena,
                              &side->outcome, &side->extras, error);
    side->extras.details = side->planner ? NULL : &side->details;
    return status;
}

static enum ss_status print(const struct options *options, const struct side sides[2],
                            const struct difference *difference, struct error *error) {
    const struct diff_side names[2] = { { sides[0].name, &sides[0].extras }, { sides[1].name, &sides[1].extras } };
    struct buffer out = { 0 };
    if (options->json)
        diff_json(&out, difference, names);
    else
        diff_text(&out, difference, names);
    return output_buffer(options, &out, error);
}

static bool all_well(const struct side sides[2], const struct difference *difference) {
    return !difference_found(difference) && outcome_feasible(&sides[0].outcome) && outcome_feasible(&sides[1].outcome);
}

/* Standard input can be read once: one plan for both sides is read for A and copied. */
static enum ss_status run_sides(const struct options *options, const struct profile *profile, struct side sides[2],
                                struct arena *arena, struct error *error) {
    enum ss_status status = run_side(&sides[0], profile, OPTION_a, options->a, options, arena, error);
    if (status != SS_OK)
        return status;
    if (strcmp(sides[0].name, "-") != 0 || options->argument_count > 2)
        return run_side(&sides[1], profile, OPTION_b, options->b, options, arena, error);
    status = setting_take(options, OPTION_b, options->b, &sides[1].options, error);
    sides[1].profile = setting_profile(&sides[1].options, profile);
    if (status == SS_OK)
        status = planning_run(&sides[1].options, &sides[1].profile, NULL, &sides[0].plan, NULL, arena, &sides[1].outcome,
                              &sides[1].extras, error);
    sides[1].extras.details = &sides[0].details;
    return status;
}

enum ss_status cmd_diff(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct difference difference;
    struct side *sides = ARENA_ARRAY(&arena, struct side, 2);
    enum ss_status status = sides ? name_sides(options, sides, error) : error_no_memory(error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = run_sides(options, &profile, sides, &arena, error);
    if (status == SS_OK)
        status = difference_compute(&difference, &arena, &sides[0].outcome, &sides[1].outcome, error);
    if (status == SS_OK)
        status = print(options, sides, &difference, error);
    if (status == SS_OK && !all_well(sides, &difference))
        status = SS_NO;
    arena_free(&arena);
    return status;
}
