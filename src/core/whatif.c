/* whatif: see whatif.h. */
#include "whatif.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

#define BUDGET_STEP 40       /* budgets at every fortieth of the unlimited peak … */
#define BUDGET_FIRST 4       /* … from four of them on */
#define BISECTIONS 40
#define STRIDE_MOST 8
#define FREE_SLACK 1e-9      /* relative: what adding up in another order makes of nothing */

/* A point's best plan so far. */
struct solved {
    struct plan plan;            /* in the engine's arena */
    struct sim_totals totals;
    struct bound bound;
    uint64_t budget_bytes;
    struct link link;
    bool valid, fits;            /* the link exists; the plan fits it */
};

struct engine {
    const struct whatif_task *task;
    const struct profile *profile;
    struct limits limits;
    struct simulator *simulator;
    struct bounds bounds;
    struct arena arena;          /* plans that are kept */
    struct arena scratch;        /* of the planner at work */
    enum whatif_axis axis;
    uint64_t evaluations;
    int stride;                  /* of the values there could be on an axis every so many-th is looked at */
};

/* Large profiles are looked at in less detail: four times the tensors, half the values on each axis. */
static int stride_for(const struct profile *profile) {
    int stride = 1;
    for (uint64_t tensors = 1500; tensors < profile->managed_count && stride < STRIDE_MOST; tensors *= 4)
        stride *= 2;
    return stride;
}

/* Whether value I of COUNT is looked at; the last one always is. */
static bool is_chosen(const struct engine *engine, int i, int count) { return (count - 1 - i) % engine->stride == 0; }

static bool is_over(const struct engine *engine) {
    return engine->task->should_stop != NULL && engine->task->should_stop(engine->task->context);
}

static bool totals_allowed(const struct engine *engine, const struct sim_totals *totals) {
    return totals->feasible && totals->host_peak_bytes <= engine->task->settings.host_memory_bytes;
}

static enum ss_status engine_begin(struct engine *engine, const struct whatif_task *task, struct error *error) {
    const uint64_t asked = task->settings.evaluation_limit;
    *engine = (struct engine){ .task = task, .profile = task->profile };
    engine->stride = stride_for(task->profile);
    engine->evaluations = asked == EVALS_DEFAULT || asked == UINT64_MAX ? (uint64_t)(WHATIF_EVALUATIONS / engine->stride) : asked;
    enum ss_status status = limits_compute(task->profile, &engine->limits, error);
    if (status != SS_OK)
        return status;
    engine->simulator = simulator_new(task->profile, error);
    return engine->simulator != NULL ? SS_OK : SS_INTERNAL;
}

static void engine_end(struct engine *engine) {
    simulator_free(engine->simulator);
    arena_free(&engine->arena);
    arena_free(&engine->scratch);
}

/* ---- one point ---- */

/* Where AT on the axis is. False when the link can't be so. */
static bool find_place(const struct engine *engine, double at, struct solved *out) {
    struct settings settings = engine->task->settings;
    if (engine->axis == WHATIF_RATE)
        whatif_take_rate(&settings, at, engine->profile);
    if (link_resolve(&engine->profile->link, &settings.link, &out->link, NULL) != SS_OK)
        return false;
    if (engine->axis == WHATIF_BUDGET)
        out->budget_bytes = (uint64_t)at;
    else if (budget_resolve(&engine->task->settings.budget, engine->profile, &engine->limits, &out->budget_bytes, NULL) !=
             SS_OK)
        return false;
    return true;
}

static enum ss_status run_planner(struct engine *engine, const struct planner *planner, const struct solved *place,
                                  struct planner_result *result, struct error *error) {
    const struct settings *settings = &engine->task->settings;
    const struct plan_task task = {
        .profile = engine->profile, .link = place->link, .budget_bytes = place->budget_bytes,
        .bounds = &engine->bounds,
        .host_memory_bytes = settings->host_memory_bytes, .unit = settings->unit, .seed = settings->seed,
        .evaluation_limit = engine->evaluations, .should_stop = engine->task->should_stop,
        .context = engine->task->context,
    };
    arena_reset(&engine->scratch);
    return planner_run(planner, &task, engine->simulator, &engine->scratch, result, error);
}

/* Takes PLAN over where it is better than what POINT has. */
static enum ss_status offer(struct engine *engine, const struct plan *plan, uint64_t limit_bytes, struct solved *point,
                            struct error *error) {
    struct plan candidate = *plan;
    struct sim_totals totals;
    candidate.budget_bytes = limit_bytes;
    enum ss_status status =
        sim_evaluate(engine->simulator, &candidate, &point->link, point->budget_bytes, &totals, error);
    if (status != SS_OK || !totals_allowed(engine, &totals) || (point->fits && totals.step_us >= point->totals.step_us))
        return status;
    status = plan_copy(&point->plan, &engine->arena, engine->profile, &candidate, error);
    point->totals = totals;
    point->fits = true;
    return status;
}

/* OUT is the best of what the planner finds at AT and of what LESS (NULL: nothing), a point below, is worth there. */
static enum ss_status solve(struct engine *engine, double at, const struct solved *less, struct solved *out,
                            struct error *error) {
    struct planner_result result;
    *out = (struct solved){ 0 };
    out->valid = find_place(engine, at, out);
    if (!out->valid)
        return SS_OK;
    enum ss_status status = bounds_find(&engine->bounds, engine->profile, &out->link, out->budget_bytes, &out->bound, error);
    if (status == SS_OK)
        status = run_planner(engine, engine->task->settings.planner, out, &result, error);
    if (status == SS_OK)
        status = plan_copy(&out->plan, &engine->arena, engine->profile, &result.plan, error);
    if (status != SS_OK)
        return status;
    out->totals = result.totals;
    out->fits = totals_allowed(engine, &result.totals);
    if (less == NULL || !less->fits)
        return SS_OK;
    status = offer(engine, &less->plan, out->budget_bytes, out, error);
    if (status == SS_OK && engine->axis == WHATIF_BUDGET)
        status = offer(engine, &less->plan, less->plan.budget_bytes, out, error);
    return status;
}

static void describe(const struct engine *engine, const struct solved *solved, struct whatif_point *point) {
    const struct plan_mix mix = solved->valid ? plan_mix(engine->profile, &solved->plan) : (struct plan_mix){ 0 };
    point->known = true;
    point->fits = solved->fits;
    point->bound_us = solved->bound.bound_us;
    point->step_us = solved->totals.step_us;
    point->recompute_us = solved->totals.recompute_us;
    point->stall_us = solved->totals.stall_us;
    point->required_bytes = solved->totals.required_bytes;
    point->offload_bytes = mix.bytes[ACTION_OFFLOAD];
    point->recompute_bytes = mix.bytes[ACTION_RECOMPUTE];
}

bool whatif_is_free(double step_us, double ideal_us) {
    return step_us <= ideal_us * (1 + FREE_SLACK);
}

/* ---- the axes ---- */

static void add_point(struct whatif_curve *curve, double at) {
    if (curve->count == 0 || at > curve->point[curve->count - 1].at)
        curve->point[curve->count++].at = at;
}

/* Fortieths of the unlimited peak; the first point is the least that anything fits into, where that lies among them. */
static void lay_out_budgets(const struct engine *engine, struct whatif_curve *curve) {
    const double peak = (double)engine->limits.unlimited_peak_bytes, least = (double)engine->limits.least_bytes;
    for (int i = BUDGET_FIRST; i <= BUDGET_STEP; i++) {
        const double at = floor(i / (double)BUDGET_STEP * peak);
        if (at < least || !is_chosen(engine, i, BUDGET_STEP + 1))
            continue;
        if (curve->count == 0 && i > BUDGET_FIRST)
            add_point(curve, least);
        add_point(curve, at);
    }
    if (curve->count == 0)
        add_point(curve, least);
}

/* GB/s, what links have among them. */
static const double CURVE_RATES[] = { WHATIF_RATE_LEAST, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 25, 28, 32, 36, 40, 45, 50,
                                      56, 64, 72, 80, 90, 100, 112, WHATIF_RATE_MOST };
static const double MAP_RATES[WHATIF_MAP_RATES] = { 2, 4, 6, 8, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100,
                                                    WHATIF_RATE_MOST };

static void lay_out_rates(const struct engine *engine, struct whatif_curve *curve) {
    const int count = sizeof CURVE_RATES / sizeof *CURVE_RATES;
    for (int i = 0; i < count; i++)
        if (is_chosen(engine, i, count))
            add_point(curve, CURVE_RATES[i]);
}

/* ---- knees ---- */

typedef bool condition(const struct engine *engine, const struct solved *solved);

static bool is_free(const struct engine *engine, const struct solved *solved) {
    return solved->fits && whatif_is_free(solved->totals.step_us, engine->profile->ideal_us);
}

static bool recomputes_nothing(const struct engine *engine, const struct solved *solved) {
    (void)engine;
    return solved->fits && solved->totals.recompute_us <= 0;
}

static bool does_fit(const struct engine *engine, const struct solved *solved) {
    (void)engine;
    return solved->fits;
}

static condition *const CONDITIONS[KNEE_COUNT] = {
    [KNEE_FREE] = is_free, [KNEE_NO_RECOMPUTE] = recomputes_nothing, [KNEE_FIT] = does_fit,
};

/* The value that AT is shown as: three digits, so that what is read off the screen is the very knee. */
static double shown_value(const struct engine *engine, double at) {
    char text[UNIT_TEXT];
    uint64_t bytes = 0;
    double rate = 0;
    if (engine->axis == WHATIF_BUDGET)
        return parse_bytes(format_bytes(text, (uint64_t)at), &bytes, NULL) == SS_OK ? (double)bytes : floor(at);
    return parse_rate(format_rate(text, at), &rate, NULL) == SS_OK ? rate : at;
}

/* Whether the condition holds at AT, with what the nearest point below is worth there. */
static enum ss_status test(struct engine *engine, const struct whatif_curve *curve, const struct solved *solved,
                           condition *holds, double at, bool *out, struct error *error) {
    const struct solved *less = NULL;
    struct solved here;
    for (uint32_t i = 0; i < curve->count && curve->point[i].at < at; i++)
        less = &solved[i];
    if (is_over(engine))
        return SS_STOPPED;
    const enum ss_status status = solve(engine, at, less, &here, error);
    *out = status == SS_OK && holds(engine, &here);
    return status;
}

/* The least value of the axis from which the condition holds: between a point where it holds (as at all above it) and the
 * one below. Where planners are erratic it may hold below again: then the search goes on from there. */
static enum ss_status find_knee(struct engine *engine, const struct whatif_curve *curve, const struct solved *solved,
                                condition *holds, struct whatif_knee *knee, struct error *error) {
    uint32_t first = curve->count;
    while (first > 0 && holds(engine, &solved[first - 1]))
        first--;
    if (first == 0 || first == curve->count) {
        knee->place = first == 0 ? KNEE_EVERYWHERE : KNEE_NOWHERE;
        knee->at = first == 0 ? curve->point[0].at : 0;
        return SS_OK;
    }
    double low = curve->point[first - 1].at, high = curve->point[first].at;
    bool settled = false, here = false;
    enum ss_status status = SS_OK;
    for (int i = 0; i < BISECTIONS && status == SS_OK && !settled; i++) {
        const double middle = shown_value(engine, (low + high) / 2);
        const bool narrow = middle <= low || middle >= high;
        status = test(engine, curve, solved, holds, narrow ? WHATIF_CHECK * high : middle, &here, error);
        settled = status == SS_OK && narrow && !here;
        if (here && narrow)
            low = high / 2;
        if (here)
            high = narrow ? WHATIF_CHECK * high : middle;
        else if (!narrow)
            low = middle;
    }
    knee->place = settled ? KNEE_AT : KNEE_UNKNOWN;
    knee->at = high;
    return status;
}

/* ---- a curve ---- */

struct drawing {
    struct engine engine;
    struct whatif_curve *curve;
    struct solved solved[WHATIF_POINTS];
    void (*show)(void *context, const struct whatif_curve *curve);
};

/* The nearest point below I that is known. */
static const struct solved *below(const struct drawing *drawing, uint32_t i) {
    while (i-- > 0)
        if (drawing->curve->point[i].known)
            return &drawing->solved[i];
    return NULL;
}

/* Points above that are known already get the new one's plan, as far up as it is an improvement. */
static enum ss_status pass_on(struct drawing *drawing, uint32_t from, struct error *error) {
    struct engine *engine = &drawing->engine;
    const struct solved *less = &drawing->solved[from];
    enum ss_status status = SS_OK;
    for (uint32_t i = from + 1; i < drawing->curve->count && less->fits && status == SS_OK; i++) {
        struct solved *point = &drawing->solved[i];
        if (!drawing->curve->point[i].known || !point->valid)
            continue;
        const double before = point->fits ? point->totals.step_us : INFINITY;
        status = offer(engine, &less->plan, point->budget_bytes, point, error);
        if (status == SS_OK && engine->axis == WHATIF_BUDGET)
            status = offer(engine, &less->plan, less->plan.budget_bytes, point, error);
        if (!point->fits || point->totals.step_us >= before)
            break;
        describe(engine, point, &drawing->curve->point[i]);
        less = point;
    }
    return status;
}

/* Every STEP-th point from FIRST on that is not known yet. */
static enum ss_status draw_points(struct drawing *drawing, uint32_t first, uint32_t step, struct error *error) {
    struct whatif_curve *curve = drawing->curve;
    enum ss_status status = SS_OK;
    for (uint32_t i = first; i < curve->count && status == SS_OK; i += step) {
        if (curve->point[i].known)
            continue;
        if (is_over(&drawing->engine))
            return SS_STOPPED;
        status = solve(&drawing->engine, curve->point[i].at, below(drawing, i), &drawing->solved[i], error);
        if (status != SS_OK)
            break;
        describe(&drawing->engine, &drawing->solved[i], &curve->point[i]);
        status = pass_on(drawing, i, error);
        drawing->show(drawing->engine.task->context, curve);
    }
    return status;
}

static enum ss_status draw_curve(struct drawing *drawing, struct error *error) {
    struct whatif_curve *curve = drawing->curve;
    enum ss_status status = SS_OK;
    for (uint32_t step = 8; step > 0 && status == SS_OK; step /= 2)
        status = draw_points(drawing, 0, step, error);
    for (int kind = 0; kind < KNEE_COUNT && status == SS_OK; kind++) {
        status = find_knee(&drawing->engine, curve, drawing->solved, CONDITIONS[kind], &curve->knee[kind], error);
        if (status == SS_OK)
            drawing->show(drawing->engine.task->context, curve);
    }
    return status;
}

enum ss_status whatif_curve(const struct whatif_task *task, enum whatif_axis axis, struct whatif_curve *out,
                            void (*show)(void *context, const struct whatif_curve *curve), struct error *error) {
    struct drawing drawing = { .curve = out, .show = show };
    memset(out, 0, sizeof *out);
    enum ss_status status = engine_begin(&drawing.engine, task, error);
    if (status != SS_OK)
        return status;
    drawing.engine.axis = axis;
    out->ideal_us = task->profile->ideal_us;
    out->unlimited_peak_bytes = drawing.engine.limits.unlimited_peak_bytes;
    out->least_bytes = drawing.engine.limits.least_bytes;
    if (axis == WHATIF_BUDGET)
        lay_out_budgets(&drawing.engine, out);
    else
        lay_out_rates(&drawing.engine, out);
    status = draw_curve(&drawing, error);
    engine_end(&drawing.engine);
    return status;
}

/* ---- the map ---- */

/* Simplest first: what a reader would rather have when two are alike. */
static const char *const MAP_PLANNERS[] = { "keep", "offload", "offload-first-n", "checkpoint", "sqrt", "selective",
                                            "recompute", "slackswap-rule", "capuchin", "slackswap" };
#define MAP_PLANNER_COUNT (sizeof MAP_PLANNERS / sizeof *MAP_PLANNERS)

uint32_t whatif_map_planners(uint8_t *index) {
    uint32_t count = 0;
    for (size_t i = 0; i < MAP_PLANNER_COUNT; i++) {
        const struct planner *planner = planner_find(MAP_PLANNERS[i]);
        if (planner != NULL)
            index[count++] = (uint8_t)(planner - PLANNERS);
    }
    return count;
}

static void lay_out_map(const struct engine *engine, struct whatif_map *map) {
    const double peak = (double)engine->limits.unlimited_peak_bytes;
    for (int i = 0; i < WHATIF_MAP_BUDGETS; i++) { /* 25 %, 30 %, … 100 % */
        const uint64_t bytes = (uint64_t)floor((i + 5) / 20.0 * peak);
        if (!is_chosen(engine, i, WHATIF_MAP_BUDGETS))
            continue;
        if (map->budget_count == 0 || bytes > map->budget_bytes[map->budget_count - 1])
            map->budget_bytes[map->budget_count++] = bytes;
    }
    for (int i = 0; i < WHATIF_MAP_RATES; i++)
        if (is_chosen(engine, i, WHATIF_MAP_RATES))
            map->rate[map->rate_count++] = MAP_RATES[i];
}

static enum ss_status map_cell(struct engine *engine, struct whatif_map *map, uint32_t row, uint32_t column,
                               struct error *error) {
    uint8_t planner[MAP_PLANNER_COUNT];
    const uint32_t count = whatif_map_planners(planner);
    struct solved cell = { .budget_bytes = map->budget_bytes[row] };
    struct settings settings = engine->task->settings;
    double *best = &map->step_us[row][column];
    enum ss_status status = SS_OK;
    map->winner[row][column] = WHATIF_NOBODY;
    whatif_take_rate(&settings, map->rate[column], engine->profile);
    if (link_resolve(&engine->profile->link, &settings.link, &cell.link, NULL) != SS_OK)
        return SS_OK;
    for (uint32_t i = 0; i < count && status == SS_OK; i++) {
        struct planner_result result;
        const bool found = map->winner[row][column] != WHATIF_NOBODY;
        if (found && whatif_is_free(*best, engine->profile->ideal_us))
            break;
        if (is_over(engine))
            return SS_STOPPED;
        status = run_planner(engine, &PLANNERS[planner[i]], &cell, &result, error);
        if (status != SS_OK || !totals_allowed(engine, &result.totals) ||
            (found && result.totals.step_us >= *best * (1 - FREE_SLACK)))
            continue;
        *best = result.totals.step_us;
        map->winner[row][column] = planner[i];
    }
    return status;
}

enum ss_status whatif_map(const struct whatif_task *task, struct whatif_map *out,
                          void (*show)(void *context, const struct whatif_map *map), struct error *error) {
    struct engine engine;
    memset(out, 0, sizeof *out);
    enum ss_status status = engine_begin(&engine, task, error);
    if (status != SS_OK)
        return status;
    out->ideal_us = task->profile->ideal_us;
    lay_out_map(&engine, out);
    for (uint32_t row = 0; row < out->budget_count && status == SS_OK; row++)
        for (uint32_t column = 0; column < out->rate_count && status == SS_OK; column++) {
            status = is_over(&engine) ? SS_STOPPED : map_cell(&engine, out, row, column, error);
            out->known += status == SS_OK;
            if (status == SS_OK)
                show(task->context, out);
        }
    engine_end(&engine);
    return status;
}

enum ss_status whatif_cell_bound(const struct profile *profile, const struct settings *settings, uint64_t budget_bytes,
                                 double rate, double *out, struct error *error) {
    struct settings there = *settings;
    struct link link;
    struct bound bound = { .bound_us = NAN };
    enum ss_status status = SS_OK;
    whatif_take_rate(&there, rate, profile);
    if (link_resolve(&profile->link, &there.link, &link, NULL) == SS_OK)
        status = bound_compute(profile, &link, budget_bytes, &bound, error);
    *out = bound.bound_us;
    return status;
}

void whatif_take_budget(struct settings *settings, uint64_t bytes, const struct limits *limits) {
    struct budget_choice *budget = &settings->budget;
    const double peak = (double)limits->unlimited_peak_bytes;
    if (budget->kind == BUDGET_SHARE && peak > 0) {
        for (double digits = 1000; digits <= 1e6; digits *= 10) { /* 52.5 % rather than 0.5250000001 */
            const double share = round((double)bytes / peak * digits) / digits;
            if ((uint64_t)floor(share * peak) == bytes) {
                budget->share = share;
                return;
            }
        }
    }
    budget->kind = BUDGET_BYTES;
    budget->bytes = bytes;
}

void whatif_take_rate(struct settings *settings, double gb_per_s, const struct profile *profile) {
    char text[UNIT_TEXT];
    snprintf(text, sizeof text, "%.17g", gb_per_s);
    knob_parse(KNOB_BANDWIDTH, text, profile, settings, NULL);
}
