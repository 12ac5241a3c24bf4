/* sweep: the same work on a grid of planners, links and budgets, one line a point.
 *
 * Points are planned by several threads and taken up in order, each leaning on the one below it in its column (sweep.h),
 * so that neither --jobs nor --shard changes a byte. */
#include "core/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "io/report_sweep.h"
#include "jobs.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"
#include "talk.h"

/* A point between being planned and being let go. */
struct point {
    struct arena arena;
    struct outcome outcome;
    struct report_extras extras;
};

struct run {
    const struct options *options;
    const struct profile *profile;
    struct sweep sweep;
    uint32_t first;             /* of this shard */
    struct point **points;      /* of the shard; NULL before and after */
    bool any_fits;
};

static void point_free(struct point **point) {
    if (*point != NULL)
        arena_free(&(*point)->arena);
    free(*point);
    *point = NULL;
}

static enum ss_status plan_point(void *context, uint32_t n, struct error *error) {
    struct run *run = context;
    struct point *point = calloc(1, sizeof *point);
    if (point == NULL)
        return error_no_memory(error);
    run->points[n] = point;
    struct options options = *run->options;
    options.settings = sweep_settings(&run->sweep, run->first + n);
    return planning_run(&options, run->profile, options.settings.planner, NULL, &point->arena, &point->outcome,
                        &point->extras, error);
}

static enum ss_status print_point(struct run *run, uint32_t n, struct error *error) {
    const struct point *point = run->points[n];
    struct buffer out = { 0 };
    if (run->options->json)
        sweep_json_line(&out, &point->outcome, &point->extras);
    else
        sweep_text_line(&out, &point->outcome, &point->extras, sweep_begins_column(&run->sweep, n));
    return output_buffer(run->options, &out, error);
}

static enum ss_status take_point(void *context, uint32_t n, struct error *error) {
    struct run *run = context;
    const struct settings settings = sweep_settings(&run->sweep, run->first + n);
    struct point *point = run->points[n];
    enum ss_status status = SS_OK;
    if (!sweep_begins_column(&run->sweep, n)) {
        status = sweep_reuse(&run->points[n - 1]->outcome, &settings, &point->arena, &point->outcome, error);
        point_free(&run->points[n - 1]);
    }
    if (status == SS_OK)
        status = print_point(run, n, error);
    run->any_fits = run->any_fits || outcome_feasible(&point->outcome);
    if (sweep_begins_column(&run->sweep, n + 1))
        point_free(&run->points[n]);
    return status;
}

static enum ss_status print_head(const struct run *run, struct error *error) {
    struct buffer out = { 0 };
    struct limits limits;
    enum ss_status status = limits_compute(run->profile, &limits, error);
    if (status != SS_OK || run->options->json)
        return status;
    sweep_text_head(&out, run->profile, &limits, run->options->timing);
    return output_buffer(run->options, &out, error);
}

static enum ss_status run_shard(struct run *run, uint32_t end, struct error *error) {
    const struct options *options = run->options;
    const uint32_t count = end - run->first;
    const struct jobs jobs = { .count = count, .work = plan_point, .take = take_point, .context = run };
    if (count == 0) {
        talk_note(options, "shard %u/%u is empty: the grid has %u curve%s", (unsigned)options->shard.index,
                  (unsigned)options->shard.count, (unsigned)sweep_columns(&run->sweep),
                  sweep_columns(&run->sweep) == 1 ? "" : "s");
        return SS_OK;
    }
    run->points = calloc(count, sizeof *run->points);
    if (run->points == NULL)
        return error_no_memory(error);
    enum ss_status status = print_head(run, error);
    if (status == SS_OK)
        status = jobs_run(&jobs, options->jobs > 0 ? options->jobs : jobs_threads_default(), error);
    for (uint32_t n = 0; n < count; n++)
        point_free(&run->points[n]);
    free(run->points);
    return status == SS_OK && !run->any_fits ? SS_NO : status;
}

/* What --budget, --gpu-memory and --bandwidth leave open. */
static enum ss_status lay_out(struct run *run, struct arena *arena, struct error *error) {
    const struct options *options = run->options;
    struct budget_axis budgets = options->budgets;
    const uint32_t planners = options->planner_count > 0 ? options->planner_count : 1;
    enum ss_status status = SS_OK;
    if (budgets.count == 0)
        status = axis_parse_budgets(SWEEP_BUDGETS_DEFAULT, BUDGET_BYTES, arena, &budgets, error);
    if (status == SS_OK)
        status = sweep_init(&run->sweep, &options->settings,
                            options->planner_count > 0 ? options->planners : &options->settings.planner, planners,
                            &options->rates, &budgets, run->profile, arena, error);
    return status;
}

enum ss_status cmd_sweep(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct run run = { .options = options, .profile = &profile };
    uint32_t end;
    enum ss_status status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = lay_out(&run, &arena, error);
    if (status == SS_OK) {
        sweep_shard(&run.sweep, options->shard.index, options->shard.count, &run.first, &end);
        status = run_shard(&run, end, error);
    }
    arena_free(&arena);
    return status;
}
