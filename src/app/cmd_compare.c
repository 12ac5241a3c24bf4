/* compare: every planner on the same work, and the bound that none can beat. */
#include "core/units.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"

struct comparison {
    uint32_t count;
    struct outcome outcome[PLANNERS_MAX];
    const struct outcome *listed[PLANNERS_MAX]; /* as the reports take them */
    struct report_extras extras[PLANNERS_MAX];
};

static enum ss_status run_all(const struct options *options, const struct profile *profile, struct arena *arena,
                              struct comparison *out, struct error *error) {
    enum ss_status status = SS_OK;
    struct bounds bounds = { .count = 0 };
    out->count = options->planner_count ? options->planner_count : PLANNER_COUNT;
    for (uint32_t i = 0; i < out->count && status == SS_OK; i++) {
        const struct planner *planner = options->planner_count ? options->planners[i] : &PLANNERS[i];
        out->listed[i] = &out->outcome[i];
        status = planning_run(options, profile, planner, NULL, &bounds, arena, &out->outcome[i], &out->extras[i], error);
    }
    return status;
}

static bool any_fits(const struct comparison *comparison) {
    for (uint32_t i = 0; i < comparison->count; i++)
        if (outcome_feasible(&comparison->outcome[i]))
            return true;
    return false;
}

static void put_timing(const struct comparison *comparison, struct buffer *out) {
    char plan[UNIT_TEXT], simulate[UNIT_TEXT];
    buffer_text(out, "\n");
    for (uint32_t i = 0; i < comparison->count; i++)
        buffer_printf(out, "%-16splanning took %s, one simulation %s\n", comparison->outcome[i].planner_name,
                      format_time(plan, comparison->extras[i].plan_us),
                      format_time(simulate, comparison->extras[i].simulate_us));
}

static enum ss_status print(const struct options *options, const struct comparison *comparison, struct error *error) {
    struct buffer out = { 0 };
    if (options->json) {
        compare_json(&out, comparison->listed, comparison->extras, comparison->count);
    } else {
        compare_text(&out, comparison->listed, comparison->count);
        if (options->timing)
            put_timing(comparison, &out);
    }
    return output_buffer(options, &out, error);
}

enum ss_status cmd_compare(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    enum ss_status status = load_profile(options, &arena, &profile, error);
    struct comparison *comparison = ARENA_ARRAY(&arena, struct comparison, 1);
    if (status == SS_OK && !comparison)
        status = error_no_memory(error);
    if (status == SS_OK)
        status = run_all(options, &profile, &arena, comparison, error);
    if (status == SS_OK)
        status = print(options, comparison, error);
    if (status == SS_OK && !any_fits(comparison))
        status = SS_NO;
    arena_free(&arena);
    return status;
}
