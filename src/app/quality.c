/* quality: see quality.h. */
#include "quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_PLANNER "slackswap" /* its plan is what refine starts from and the viewer shows at once */
#define SAME_PLAN 1e-9

const char *const QUALITY_FAULT_NAME[QUALITY_FAULT_COUNT] = { "none", "plan", "bound", "unknown" };

/* Time of this thread alone. */
static double processor_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool time_is_up(void *end_us) { return processor_us() > *(const double *)end_us; }

/* One planner on the cell, for PLAN_US at most. */
static enum ss_status run(const struct quality_task *task, const struct planner *planner, double plan_us,
                          struct bounds *bounds,
                          struct arena *arena, struct outcome *out, struct error *error) {
    double end_us = processor_us() + plan_us;
    const bool searches = strcmp(planner->name, PLANNER_DEFAULT) == 0; /* the others end by themselves */
    const struct outcome_request request = {
        .profile = task->profile, .budget = task->budget, .link = task->link, .planner = planner,
        .host_memory_bytes = BYTES_UNLIMITED, .seed = task->seed, .should_stop = time_is_up, .context = &end_us, .bounds = bounds,
        .evaluation_limit = task->evaluation_limit == EVALS_DEFAULT && searches ? UINT64_MAX : task->evaluation_limit,
    };
    return outcome_compute(&request, arena, out, error);
}

static double step_of(const struct outcome *outcome) {
    return outcome_feasible(outcome) ? outcome->timeline.totals.step_us : INFINITY;
}

/* What the long search says of a gap that is too large: the plan is at fault when it found a much better one, the bound
 * when no plan is better; else nobody knows. */
static enum quality_fault judge(const struct quality_cell *cell) {
    if (cell->proved)
        return FAULT_BOUND;
    return cell->long_gap <= QUALITY_GAP_MOST || cell->long_gap < cell->gap / 2 ? FAULT_PLAN : FAULT_UNKNOWN;
}

static enum ss_status search_long(const struct quality_task *task, struct quality_cell *cell, struct error *error) {
    struct arena arena = { 0 };
    struct outcome outcome;
    const enum ss_status status = run(task, planner_find(PLANNER_DEFAULT), QUALITY_LONG_US, NULL, &arena, &outcome, error);
    if (status == SS_OK) {
        cell->long_gap = fmin(outcome_gap(&outcome), cell->gap);
        cell->fault = judge(cell);
    }
    arena_free(&arena);
    return status;
}

enum ss_status quality_measure(const struct quality_task *task, struct quality_cell *out, struct error *error) {
    double refined_us = INFINITY, proved_us = INFINITY;
    struct bounds bounds = { .count = 0 };
    *out = (struct quality_cell){ .gap = INFINITY, .first_gap = INFINITY, .long_gap = NAN, .best_other = NONE };
    for (uint32_t p = 0; p < task->planner_count; p++) {
        const struct planner *planner = task->planners[p];
        struct arena arena = { 0 };
        struct outcome outcome;
        enum ss_status status = run(task, planner, task->plan_us, &bounds, &arena, &outcome, error);
        if (status == SS_STOPPED) { /* no plan in the time given */
            out->step_us[p] = INFINITY;
            arena_free(&arena);
            continue;
        }
        if (status == SS_OK) {
            out->step_us[p] = step_of(&outcome);
            out->budget_bytes = outcome.budget_bytes;
            out->ideal_us = outcome.ideal_us;
            out->bound = outcome.bound;
            if (strcmp(planner->name, FIRST_PLANNER) == 0 && outcome_feasible(&outcome))
                out->first_gap = outcome_gap(&outcome);
            if (strcmp(planner->name, PLANNER_DEFAULT) == 0) {
                out->feasible = outcome_feasible(&outcome);
                out->gap = out->feasible ? outcome_gap(&outcome) : INFINITY;
                refined_us = out->step_us[p];
            } else if (out->best_other == NONE || out->step_us[p] < out->step_us[out->best_other]) {
                out->best_other = isfinite(out->step_us[p]) ? p : out->best_other;
            }
            if (outcome.proved)
                proved_us = out->step_us[p];
        }
        arena_free(&arena);
        if (status != SS_OK)
            return status;
    }
    out->beaten = out->best_other != NONE && out->step_us[out->best_other] < refined_us * (1 - SAME_PLAN);
    out->proved = refined_us <= proved_us * (1 + SAME_PLAN) && isfinite(proved_us);
    if (task->search_long && out->feasible && out->gap > QUALITY_GAP_MOST)
        return search_long(task, out, error);
    return SS_OK;
}

/* ---- summary ---- */

static bool counts(const struct quality_cell *cell) {
    return cell->feasible && cell->bound.bound_us > QUALITY_ABOVE_IDEAL * cell->ideal_us;
}

struct ranked { const struct quality_cell *cell; uint32_t n; };

static int worst_first(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (counts(x->cell) != counts(y->cell))
        return counts(x->cell) ? -1 : 1;
    if (x->cell->feasible != y->cell->feasible)
        return x->cell->feasible ? -1 : 1;
    if (x->cell->feasible && x->cell->gap != y->cell->gap)
        return x->cell->gap > y->cell->gap ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, by_size);
    return count == 0 ? NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

enum ss_status quality_summarise(const struct quality_cell *cells, uint32_t count, uint32_t *order,
                                 struct quality_summary *out, struct error *error) {
    struct arena arena = { 0 };
    struct ranked *ranked = ARENA_ARRAY(&arena, struct ranked, count);
    double *gap = ARENA_ARRAY(&arena, double, count), *first_gap = ARENA_ARRAY(&arena, double, count);
    *out = (struct quality_summary){ .cells = count, .worst_gap = NAN, .worst_first_gap = NAN };
    if (!ranked || !gap || !first_gap) {
        arena_free(&arena);
        return error_no_memory(error);
    }
    for (uint32_t n = 0; n < count; n++) {
        const struct quality_cell *cell = &cells[n];
        ranked[n] = (struct ranked){ cell, n };
        out->feasible += cell->feasible;
        out->beaten += cell->beaten;
        if (counts(cell)) {
            gap[out->counted] = cell->gap;
            first_gap[out->counted++] = cell->first_gap;
            out->worst_gap = fmax(out->worst_gap, cell->gap);
            out->worst_first_gap = fmax(out->worst_first_gap, cell->first_gap);
            out->above += cell->gap > QUALITY_GAP_MOST;
        } else if (cell->feasible) {
            out->worst_other_gap = fmax(out->worst_other_gap, cell->gap);
            out->other_above += cell->gap > QUALITY_GAP_MOST;
        }
    }
    out->median_gap = median(gap, out->counted);
    out->median_first_gap = median(first_gap, out->counted);
    qsort(ranked, count, sizeof *ranked, worst_first);
    for (uint32_t n = 0; n < count; n++)
        order[n] = ranked[n].n;
    arena_free(&arena);
    return SS_OK;
}
