#include "sweep_run.h"

#include <stdlib.h>

#include "jobs.h"
#include "planning.h"

/* A point between being planned and being let go. */
struct point {
    struct arena arena;
    struct outcome outcome;
    struct report_extras extras;
};

struct work {
    struct sweep_run *run;
    struct point **points;      /* of the points to plan; NULL before and after */
};

static void point_free(struct point **point) {
    if (*point != NULL)
        arena_free(&(*point)->arena);
    free(*point);
    *point = NULL;
}

static enum ss_status plan_point(void *context, uint32_t n, struct error *error) {
    const struct work *work = context;
    struct point *point = calloc(1, sizeof *point);
    if (point == NULL)
        return error_no_memory(error);
    work->points[n] = point;
    struct options options = *work->run->options;
    options.settings = sweep_settings(work->run->sweep, work->run->first + n);
    return planning_run(&options, work->run->profile, options.settings.planner, NULL, NULL, &point->arena, &point->outcome,
                        &point->extras, error);
}

static enum ss_status take_point(void *context, uint32_t n, struct error *error) {
    const struct work *work = context;
    struct sweep_run *run = work->run;
    const struct settings settings = sweep_settings(run->sweep, run->first + n);
    struct point *point = work->points[n];
    enum ss_status status = SS_OK;
    if (!sweep_begins_column(run->sweep, n)) {
        status = sweep_reuse(&work->points[n - 1]->outcome, &settings, &point->arena, &point->outcome, error);
        point_free(&work->points[n - 1]);
    }
    if (status == SS_OK)
        status = run->take(run->context, run->first + n, &point->outcome, &point->extras, error);
    run->any_fits = run->any_fits || outcome_feasible(&point->outcome);
    if (sweep_begins_column(run->sweep, n + 1))
        point_free(&work->points[n]);
    return status;
}

enum ss_status sweep_run(struct sweep_run *run, struct error *error) {
    const uint32_t count = run->end - run->first;
    struct work work = { run, calloc(count, sizeof *work.points) };
    const struct jobs jobs = { .count = count, .work = plan_point, .take = take_point, .context = &work };
    if (work.points == NULL)
        return error_no_memory(error);
    const enum ss_status status =
        jobs_run(&jobs, run->options->jobs > 0 ? run->options->jobs : jobs_threads_default(), error);
    for (uint32_t n = 0; n < count; n++)
        point_free(&work.points[n]);
    free(work.points);
    return status;
}

/* What --budget, --gpu-memory and --bandwidth leave open. */
enum ss_status sweep_lay_out(struct sweep *sweep, const struct options *options, const struct profile *profile,
                             struct arena *arena, struct error *error) {
    struct budget_axis budgets = options->budgets;
    const uint32_t planners = options->planner_count > 0 ? options->planner_count : 1;
    enum ss_status status = SS_OK;
    if (budgets.count == 0)
        status = axis_parse_budgets(SWEEP_BUDGETS_DEFAULT, BUDGET_BYTES, arena, &budgets, error);
    if (status == SS_OK)
        status = sweep_init(sweep, &options->settings,
                            options->planner_count > 0 ? options->planners : &options->settings.planner, planners,
                            &options->rates, &budgets, profile, arena, error);
    return status;
}
