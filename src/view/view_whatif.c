/* What-if: what its keys do. The cursor moves over points, rows and columns that are known or will be. */
#include <math.h>
#include <stdlib.h>

#include "reduce.h"
#include "view_kind.h"
#include "view_whatif.h"

double whatif_knob(const struct view_state *state, const struct scene *scene, enum whatif_axis axis) {
    uint64_t bytes = 0;
    if (axis == WHATIF_RATE)
        return knob_bandwidth(scene->profile, &state->settings);
    budget_resolve(&state->settings.budget, scene->profile, &scene->limits, &bytes, NULL);
    return (double)bytes;
}

static double stands_at(const struct view_state *state, const struct scene *scene, enum whatif_axis axis) {
    return state->whatif.moved[axis] ? state->whatif.at[axis] : whatif_knob(state, scene, axis);
}

uint32_t whatif_cursor(const struct view_state *state, const struct scene *scene, enum whatif_axis axis,
                       const struct whatif_curve *curve) {
    const double at = stands_at(state, scene, axis);
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < curve->count; i++)
        if (fabs(curve->point[i].at - at) < fabs(curve->point[nearest].at - at))
            nearest = i;
    return nearest;
}

static double map_value(const struct whatif_map *map, enum whatif_axis axis, uint32_t i) {
    return axis == WHATIF_BUDGET ? (double)map->budget_bytes[i] : map->rate[i];
}

static uint32_t map_count(const struct whatif_map *map, enum whatif_axis axis) {
    return axis == WHATIF_BUDGET ? map->budget_count : map->rate_count;
}

uint32_t whatif_map_cursor(const struct view_state *state, const struct scene *scene, enum whatif_axis axis,
                           const struct whatif_map *map) {
    const double at = stands_at(state, scene, axis);
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < map_count(map, axis); i++)
        if (fabs(map_value(map, axis, i) - at) < fabs(map_value(map, axis, nearest) - at))
            nearest = i;
    return nearest;
}

static void put_cursor(struct view_state *state, enum whatif_axis axis, double at) {
    state->whatif.moved[axis] = true;
    state->whatif.at[axis] = at;
}

/* COUNT values on from I, and not beyond the ends. */
static uint32_t step(uint32_t i, int by, uint32_t count) {
    const int64_t to = (int64_t)i + by;
    return to < 0 ? 0 : to >= (int64_t)count ? count - 1 : (uint32_t)to;
}

static void move_on_map(struct view_state *state, const struct scene *scene, enum whatif_axis axis, int by) {
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    if (map == NULL || map_count(map, axis) == 0)
        return;
    put_cursor(state, axis, map_value(map, axis, step(whatif_map_cursor(state, scene, axis, map), by,
                                                      map_count(map, axis))));
}

static void move_on_curve(struct view_state *state, const struct scene *scene, enum whatif_axis axis, int by) {
    const struct whatif_curve *curve = whatif_shown_curve(state, scene, axis, NULL);
    if (curve == NULL)
        return;
    put_cursor(state, axis, curve->point[step(whatif_cursor(state, scene, axis, curve), by, curve->count)].at);
}

uint32_t whatif_knob_batch(const struct view_state *state) {
    const struct work_choice *work = &state->settings.work;
    return work->model != NULL ? work_of_model(work->model, &work->options).options.batch : 0;
}

uint32_t whatif_batch_cursor(const struct view_state *state, const struct whatif_batches *batches) {
    const int64_t at = state->whatif.batch > 0 ? state->whatif.batch : whatif_knob_batch(state);
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < batches->count; i++)
        if (llabs(batches->batch[i].batch - at) < llabs(batches->batch[nearest].batch - at))
            nearest = i;
    return nearest;
}

static void move_in_batches(struct view_state *state, const struct scene *scene, int by) {
    const struct whatif_batches *batches = whatif_shown_batches(state, scene);
    if (batches != NULL && batches->count > 0)
        state->whatif.batch = batches->batch[step(whatif_batch_cursor(state, batches), by, batches->count)].batch;
}

static void move_along(struct view_state *state, const struct scene *scene, int by) {
    if (state->whatif.pane == WHATIF_PANE_BATCH)
        move_in_batches(state, scene, by);
    else if (state->whatif.pane == WHATIF_PANE_MAP)
        move_on_map(state, scene, WHATIF_RATE, by);
    else
        move_on_curve(state, scene, state->whatif.pane == WHATIF_PANE_BUDGET ? WHATIF_BUDGET : WHATIF_RATE, by);
}

/* Up is more memory on the map; elsewhere it leads from pane to pane. */
static void move_across(struct view_state *state, const struct scene *scene, int by) {
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    if (state->whatif.pane == WHATIF_PANE_BATCH) {
        move_in_batches(state, scene, -by);
        return;
    }
    if (state->whatif.pane != WHATIF_PANE_MAP) {
        if (by < 0)
            state->whatif.pane = WHATIF_PANE_MAP;
        return;
    }
    if (map != NULL && by > 0 && whatif_map_cursor(state, scene, WHATIF_BUDGET, map) + 1 >= map->budget_count)
        state->whatif.pane = WHATIF_PANE_BUDGET;
    else
        move_on_map(state, scene, WHATIF_BUDGET, by);
}

/* A profile that is no built-in model has no batches to choose from. */
static int pane_count(const struct view_state *state) {
    return state->settings.work.model != NULL ? WHATIF_PANE_COUNT : WHATIF_PANE_BATCH;
}

static void move_pane(struct view_state *state, int by) {
    const int count = pane_count(state);
    state->whatif.pane = (uint8_t)((state->whatif.pane + count + by) % count);
}

#define ITEM_PANE 16 /* bits of an item below its pane */

uint32_t whatif_item(enum whatif_pane pane, uint32_t i) { return (uint32_t)pane << ITEM_PANE | i; }

/* What was clicked gets the cursor. */
static void point_at(struct view_state *state, const struct scene *scene, uint32_t item) {
    const uint32_t pane = item >> ITEM_PANE, i = item & ((1u << ITEM_PANE) - 1);
    const enum whatif_axis axis = pane == WHATIF_PANE_BUDGET ? WHATIF_BUDGET : WHATIF_RATE;
    const struct whatif_curve *curve = whatif_shown_curve(state, scene, axis, NULL);
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    const struct whatif_batches *batches = whatif_shown_batches(state, scene);
    if (pane == WHATIF_PANE_BATCH && batches != NULL && i < batches->count) {
        state->whatif.batch = batches->batch[i].batch;
    } else if (pane == WHATIF_PANE_MAP && map != NULL && i < map->budget_count * map->rate_count) {
        put_cursor(state, WHATIF_BUDGET, (double)map->budget_bytes[i / map->rate_count]);
        put_cursor(state, WHATIF_RATE, map->rate[i % map->rate_count]);
    } else if (pane < WHATIF_PANE_MAP && curve != NULL && i < curve->count) {
        put_cursor(state, axis, curve->point[i].at);
    } else {
        return;
    }
    state->whatif.pane = (uint8_t)pane;
}

static unsigned take_settings(struct view_state *state, const struct settings *settings) {
    if (settings_equal(settings, &state->settings))
        return state_message(state, MESSAGE_INFO, "The knobs stand there already.");
    state->settings = *settings;
    return state_replan(state);
}

/* Sets the knob to the batch under the cursor, in the memory that its figures are for. */
static unsigned choose_batch(struct view_state *state, const struct scene *scene) {
    struct settings settings = state->settings;
    const struct whatif_batches *batches = whatif_shown_batches(state, scene);
    if (batches == NULL || batches->count == 0)
        return state_message(state, MESSAGE_INFO, "No batch is known to fit yet.");
    settings.work.options.batch = batches->batch[whatif_batch_cursor(state, batches)].batch;
    state->whatif.batch = 0;
    if (!work_equal(&settings.work, &state->settings.work) && settings.budget.kind == BUDGET_SHARE)
        settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = batches->budget_bytes };
    return take_settings(state, &settings);
}

/* Sets the knobs to the point under the cursor. */
static unsigned choose(struct view_state *state, const struct scene *scene) {
    struct settings settings = state->settings;
    const enum whatif_pane pane = state->whatif.pane;
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    double at[2] = { NAN, NAN };
    for (enum whatif_axis axis = WHATIF_BUDGET; axis <= WHATIF_RATE; axis++) {
        const bool mine = pane == WHATIF_PANE_MAP || (pane == WHATIF_PANE_BUDGET) == (axis == WHATIF_BUDGET);
        const struct whatif_curve *curve = whatif_shown_curve(state, scene, axis, NULL);
        if (!mine || !state->whatif.moved[axis])
            continue;
        if (pane == WHATIF_PANE_MAP && map != NULL)
            at[axis] = map_value(map, axis, whatif_map_cursor(state, scene, axis, map));
        else if (pane != WHATIF_PANE_MAP && curve != NULL)
            at[axis] = curve->point[whatif_cursor(state, scene, axis, curve)].at;
    }
    if (!isnan(at[WHATIF_BUDGET]))
        whatif_take_budget(&settings, (uint64_t)at[WHATIF_BUDGET], &scene->limits);
    if (!isnan(at[WHATIF_RATE]))
        whatif_take_rate(&settings, at[WHATIF_RATE], scene->profile);
    state->whatif.moved[WHATIF_BUDGET] = state->whatif.moved[WHATIF_RATE] = false;
    return take_settings(state, &settings);
}

static bool is_moved(const struct view_state *state) {
    return state->whatif.moved[WHATIF_BUDGET] || state->whatif.moved[WHATIF_RATE] || state->whatif.batch > 0;
}

bool whatif_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    *effects = EFFECT_REDRAW;
    switch (action) {
    case DO_point_previous: move_along(state, scene, -1); return true;
    case DO_point_next:
        if (state->pointed != NONE)
            point_at(state, scene, state->pointed);
        else
            move_along(state, scene, 1);
        return true;
    case DO_row_first: move_along(state, scene, -WHATIF_POINTS); return true;
    case DO_row_last: move_along(state, scene, WHATIF_POINTS); return true;
    case DO_row_up: move_across(state, scene, 1); return true;
    case DO_row_down: move_across(state, scene, -1); return true;
    case DO_page_up: move_on_map(state, scene, WHATIF_BUDGET, 4); return true;
    case DO_page_down: move_on_map(state, scene, WHATIF_BUDGET, -4); return true;
    case DO_whatif_pane_next: move_pane(state, 1); return true;
    case DO_whatif_pane_previous: move_pane(state, -1); return true;
    case DO_open: *effects = state->whatif.pane == WHATIF_PANE_BATCH ? choose_batch(state, scene) : choose(state, scene); return true;
    case DO_close:
        if (!is_moved(state))
            return false;
        if (state->help || state->finding || state->knob_focused)
            return false;
        state->whatif.moved[WHATIF_BUDGET] = state->whatif.moved[WHATIF_RATE] = false;
        state->whatif.batch = 0;
        return true;
    default: return false;
    }
}

void whatif_settle(struct view_state *state, const struct scene *scene) {
    (void)scene; /* the cursor stands at a value, wherever the curves are */
    if (state->whatif.pane >= pane_count(state))
        state->whatif.pane = WHATIF_PANE_BUDGET;
    if (state->settings.work.model == NULL)
        state->whatif.batch = 0;
}

bool whatif_is_valid(const struct view_state *state, const struct scene *scene) {
    (void)scene;
    const struct whatif_state *whatif = &state->whatif;
    return whatif->pane < pane_count(state) && (!whatif->moved[0] || whatif->at[0] >= 0)
        && (!whatif->moved[1] || whatif->at[1] > 0);
}
