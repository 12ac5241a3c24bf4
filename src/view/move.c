#include "move.h"

#include <math.h>
#include <string.h>

#include "core/letters.h"
#include "inspect.h"
#include "layout.h"
#include "reduce.h"

#define EVENT_KINDS                                                                                            \
    (TRACK_BIT(TRACK_FORWARD) | TRACK_BIT(TRACK_RECOMPUTE) | TRACK_BIT(TRACK_BACKWARD) |                       \
     TRACK_BIT(TRACK_D2H) | TRACK_BIT(TRACK_H2D))
#define COMPUTE_KINDS                                                                                          \
    (TRACK_BIT(TRACK_FORWARD) | TRACK_BIT(TRACK_RECOMPUTE) | TRACK_BIT(TRACK_BACKWARD) | TRACK_BIT(TRACK_STALL))

const struct track *row_tracks(const struct view_model *model, struct row row, unsigned *kinds) {
    static const unsigned KINDS[ROW_KIND_COUNT] = {
        [ROW_COMPUTE] = COMPUTE_KINDS,
        [ROW_D2H] = TRACK_BIT(TRACK_D2H),
        [ROW_H2D] = TRACK_BIT(TRACK_H2D),
        [ROW_LAYER] = COMPUTE_KINDS | TRACK_BIT(TRACK_D2H) | TRACK_BIT(TRACK_H2D),
        [ROW_LAYER_COMPUTE] = TRACK_BIT(TRACK_FORWARD) | TRACK_BIT(TRACK_BACKWARD) | TRACK_BIT(TRACK_STALL),
        [ROW_LAYER_RECOMPUTE] = TRACK_BIT(TRACK_RECOMPUTE),
        [ROW_LAYER_D2H] = TRACK_BIT(TRACK_D2H),
        [ROW_LAYER_H2D] = TRACK_BIT(TRACK_H2D),
    };
    *kinds = KINDS[row.kind];
    return row.kind < ROW_LAYER ? model->all : model->layer[row.layer];
}

static enum lane track_lane(int kind) {
    return kind == TRACK_D2H ? LANE_D2H : kind == TRACK_H2D ? LANE_H2D : LANE_COMPUTE;
}

static uint32_t lane_count(const struct timeline *timeline, enum lane lane) {
    const struct schedule *schedule = &timeline->schedule;
    return lane == LANE_COMPUTE ? schedule->step_count : lane == LANE_D2H ? schedule->d2h_count : schedule->h2d_count;
}

bool move_event_exists(const struct scene *scene, struct event event) {
    return scene->shown != NULL && event.lane < LANE_COUNT &&
           event.index < lane_count(scene->shown->timeline, (enum lane)event.lane);
}

uint32_t event_layer(const struct timeline *timeline, struct event event) {
    const struct profile *profile = timeline->profile;
    uint32_t op = event.lane == LANE_COMPUTE
                      ? timeline->schedule.op[event.index]
                      : profile->tensors[(event.lane == LANE_D2H ? timeline->d2h : timeline->h2d)[event.index].tensor]
                            .producer;
    return profile->ops[op].layer;
}

/* ---- selecting ---- */

void move_cursor(struct view_state *state, double at_us) {
    state->cursor_us = at_us < 0 ? 0 : at_us > state->end_us ? state->end_us : at_us;
    state->anchor_us = state->cursor_us;
}

/* A cursor outside the window takes the window along. */
static void show_cursor(struct view_state *state) {
    double span = state->to_us - state->from_us;
    if (state->cursor_us >= state->from_us && state->cursor_us < state->to_us)
        return;
    window_set(state, state->cursor_us - span / 2, state->cursor_us + span / 2);
}

/* The row of EVENT's layer that shows it: its lane where the layer is open, else the layer's row itself. */
static struct row layer_row_of(const struct view_state *state, const struct timeline *timeline, struct event event) {
    struct row row = { ROW_LAYER, event_layer(timeline, event) };
    if (state->row.kind > ROW_LAYER && state_is_open(state, row.layer))
        row.kind = event.lane == LANE_D2H   ? ROW_LAYER_D2H
                   : event.lane == LANE_H2D ? ROW_LAYER_H2D
                   : timeline->schedule.kind[event.index] == STEP_RECOMPUTE ? ROW_LAYER_RECOMPUTE
                                                                            : ROW_LAYER_COMPUTE;
    return row;
}

static void select_event(struct view_state *state, const struct timeline *timeline, struct event event) {
    struct selection *selection = &state->selection;
    *selection = (struct selection){ .exists = true, .event = event, .op = NONE, .tensor = NONE };
    if (event.lane == LANE_COMPUTE) {
        selection->op = timeline->schedule.op[event.index];
        selection->kind = timeline->schedule.kind[event.index];
    } else {
        selection->tensor = (event.lane == LANE_D2H ? timeline->d2h : timeline->h2d)[event.index].tensor;
    }
    state->inspector_scroll = 0;
}

/* Selects EVENT, and row and cursor follow it. */
static void go(struct view_state *state, const struct scene *scene, struct event event) {
    const struct timeline *timeline = scene->shown->timeline;
    select_event(state, timeline, event);
    state->row = state->row.kind < ROW_LAYER ? (struct row){ event.lane, 0 } : layer_row_of(state, timeline, event);
    move_cursor(state, timeline_start(timeline, event));
    show_cursor(state);
}

void move_select(struct view_state *state, const struct scene *scene, struct event event) {
    state->trail_count = 0;
    select_event(state, scene->shown->timeline, event);
    move_cursor(state, timeline_start(scene->shown->timeline, event));
    show_cursor(state);
}

void move_go(struct view_state *state, const struct scene *scene, struct event event) {
    state->trail_count = 0;
    go(state, scene, event);
}

/* ---- events in time: ordered by start, then lane, then place on the lane ---- */

struct moment {
    double at_us;
    struct event event;
};

static int compare(struct moment a, struct moment b) {
    if (a.event.lane == b.event.lane)
        return a.event.index < b.event.index ? -1 : a.event.index > b.event.index;
    if (a.at_us < b.at_us || a.at_us > b.at_us)
        return a.at_us < b.at_us ? -1 : 1;
    return a.event.lane < b.event.lane ? -1 : 1;
}

static struct moment track_moment(const struct track *track, int kind, uint32_t i) {
    return (struct moment){ track->start_us[i], { (uint8_t)track_lane(kind), track->index[i] } };
}

/* The first of the track's events that is after HERE, or at it when INCLUSIVE. */
static uint32_t first_after(const struct track *track, int kind, struct moment here, bool inclusive) {
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(track_moment(track, kind, middle), here);
        if (order > 0 || (inclusive && order == 0))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The neighbour of HERE among the tracks of KINDS; false when there is none. */
static bool neighbour(const struct track *tracks, unsigned kinds, struct moment here, int direction,
                      struct moment *out) {
    bool found = false;
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        if (!(kinds & EVENT_KINDS & TRACK_BIT(kind)))
            continue;
        uint32_t i = first_after(&tracks[kind], kind, here, direction < 0);
        if (direction < 0 ? i == 0 : i == tracks[kind].count)
            continue;
        struct moment candidate = track_moment(&tracks[kind], kind, direction < 0 ? i - 1 : i);
        if (!found || compare(candidate, *out) * direction < 0)
            *out = candidate;
        found = true;
    }
    return found;
}

/* Where movement starts from: the selection, or the cursor when nothing is selected. */
static struct moment here(const struct view_state *state, const struct timeline *timeline) {
    if (!state->selection.exists)
        return (struct moment){ state->cursor_us, { LANE_COUNT, 0 } };
    return (struct moment){ timeline_start(timeline, state->selection.event), state->selection.event };
}

void move_event(struct view_state *state, const struct scene *scene, int direction, bool same_row) {
    unsigned kinds = EVENT_KINDS;
    const struct track *tracks = scene->shown->all;
    struct moment found = { 0, { LANE_COUNT, 0 } };
    if (same_row)
        tracks = row_tracks(scene->shown, state->row, &kinds);
    if (neighbour(tracks, kinds, here(state, scene->shown->timeline), direction, &found))
        move_go(state, scene, found.event);
    else
        state_message(state, MESSAGE_INFO, direction < 0 ? "No earlier event." : "No later event.");
}

/* Selects in the row what runs at the anchor, or else what is nearest to it, and moves the cursor there. */
static void select_in_row(struct view_state *state, const struct scene *scene) {
    unsigned kinds;
    const struct track *tracks = row_tracks(scene->shown, state->row, &kinds);
    double nearest = INFINITY;
    state->selection = (struct selection){ .exists = false };
    state->trail_count = 0;
    state->inspector_scroll = 0;
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        if (!(kinds & EVENT_KINDS & TRACK_BIT(kind)))
            continue;
        const struct track *track = &tracks[kind];
        uint32_t after = track_find(track, state->anchor_us);
        for (uint32_t i = after > 0 ? after - 1 : 0; i <= after && i < track->count; i++) {
            double away = fmax(track->start_us[i] - state->anchor_us, state->anchor_us - track->end_us[i]);
            if (away >= nearest)
                continue;
            nearest = away;
            select_event(state, scene->shown->timeline, track_moment(track, kind, i).event);
        }
    }
    state->cursor_us = state->selection.exists ? timeline_start(scene->shown->timeline, state->selection.event)
                                               : state->anchor_us;
    show_cursor(state);
}

/* ---- rows and panes ---- */

static enum pane row_pane(struct row row) {
    return row.kind < ROW_LAYER ? PANE_ENGINES : PANE_LAYERS;
}

static void set_row(struct view_state *state, const struct scene *scene, struct row row) {
    state->row = row;
    if (!state->maximised)
        state->pane = row_pane(row);
    if (scene->shown != NULL)
        select_in_row(state, scene);
}

void move_to(struct view_state *state, const struct scene *scene, struct row row, double at_us) {
    move_cursor(state, at_us);
    set_row(state, scene, row);
}

/* Rows that may be reached: all of them, or those of the pane that has the screen. */
static void row_range(const struct view_state *state, const struct scene *scene, uint32_t *first, uint32_t *last) {
    *first = state->maximised && state->pane == PANE_LAYERS ? ENGINE_ROWS : 0;
    *last = state->maximised && state->pane == PANE_ENGINES ? ENGINE_ROWS - 1
                                                            : ENGINE_ROWS + state_layer_rows(state, scene) - 1;
}

void move_row(struct view_state *state, const struct scene *scene, int rows) {
    uint32_t first, last;
    if (state->pane == PANE_INSPECTOR) {
        state->inspector_scroll += rows;
        return;
    }
    if (state->maximised && state->pane == PANE_MEMORY)
        return;
    row_range(state, scene, &first, &last);
    int64_t at = state->row.kind < ROW_LAYER ? state->row.kind
                                             : ENGINE_ROWS + (int64_t)state_layer_row_index(state, state->row);
    at += rows;
    at = at < (int64_t)first ? first : at > (int64_t)last ? last : at;
    set_row(state, scene, at < ENGINE_ROWS ? (struct row){ (uint8_t)at, 0 }
                                           : state_layer_row(state, (uint32_t)(at - ENGINE_ROWS)));
}

void move_row_end(struct view_state *state, const struct scene *scene, bool last) {
    if (state->pane == PANE_INSPECTOR)
        state->inspector_scroll = last ? GRID_MAX : 0;
    else if (state->maximised && state->pane == PANE_ENGINES)
        set_row(state, scene, (struct row){ last ? ROW_H2D : ROW_COMPUTE, 0 });
    else if (!state->maximised || state->pane == PANE_LAYERS)
        set_row(state, scene, state_layer_row(state, last ? state_layer_rows(state, scene) - 1 : 0));
}

void move_to_layers(struct view_state *state, const struct scene *scene) {
    if (state->row.kind >= ROW_LAYER)
        return;
    state->row = state->selection.exists && scene->shown != NULL
                     ? layer_row_of(state, scene->shown->timeline, state->selection.event)
                     : state_layer_row(state, state->top_row);
    if (!state->maximised)
        state->pane = PANE_LAYERS;
}

static void move_to_engines(struct view_state *state) {
    if (state->row.kind >= ROW_LAYER)
        state->row = (struct row){ state->selection.exists ? state->selection.event.lane : ROW_COMPUTE, 0 };
}

void move_pane(struct view_state *state, const struct scene *scene, int direction) {
    state->pane = (enum pane)(((int)state->pane + direction + PANE_COUNT) % PANE_COUNT);
    if (state->pane == PANE_ENGINES)
        move_to_engines(state);
    if (state->pane == PANE_LAYERS)
        move_to_layers(state, scene);
}

/* ---- stalls, causes, the peak ---- */

void move_stall(struct view_state *state, const struct scene *scene, int direction) {
    const struct timeline *timeline = scene->shown->timeline;
    uint32_t count = timeline->stall_count, low = 0, high = count;
    struct moment from = here(state, timeline);
    /* the first stall whose step is not before the selection */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct event event = { LANE_COMPUTE, timeline->stalls[middle].step };
        if (compare((struct moment){ timeline_start(timeline, event), event }, from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool at_one = low < count && from.event.lane == LANE_COMPUTE && timeline->stalls[low].step == from.event.index;
    if (direction > 0 && at_one)
        low++;
    if (direction < 0 ? low == 0 : low == count) {
        state_message(state, MESSAGE_INFO, count == 0      ? "No stalls: compute never waits."
                                           : direction < 0 ? "No earlier stall."
                                                           : "No later stall.");
        return;
    }
    move_go(state, scene, (struct event){ LANE_COMPUTE, timeline->stalls[direction < 0 ? low - 1 : low].step });
}

void move_cause(struct view_state *state, const struct scene *scene) {
    struct event cause;
    if (!state->selection.exists)
        return;
    if (!timeline_cause(scene->shown->timeline, state->selection.event, &cause)) {
        state_message(state, MESSAGE_INFO, "The chain begins here: nothing was waited for.");
        return;
    }
    if (state->trail_count == TRAIL_MAX) {
        for (uint32_t i = 1; i < TRAIL_MAX; i++)
            state->trail[i - 1] = state->trail[i];
        state->trail_count--;
    }
    state->trail[state->trail_count++] = state->selection.event;
    go(state, scene, cause);
}

/* The first event that waited for EVENT. */
static bool find_consequence(const struct timeline *timeline, struct event event, struct event *out) {
    bool found = false;
    for (int lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < lane_count(timeline, (enum lane)lane); i++) {
            struct event cause, candidate = { (uint8_t)lane, i };
            if (!timeline_cause(timeline, candidate, &cause) || cause.lane != event.lane ||
                cause.index != event.index)
                continue;
            if (!found || timeline_start(timeline, candidate) < timeline_start(timeline, *out))
                *out = candidate;
            found = true;
            break;
        }
    return found;
}

void move_consequence(struct view_state *state, const struct scene *scene) {
    struct event next;
    if (!state->selection.exists)
        return;
    if (state->trail_count > 0)
        go(state, scene, state->trail[--state->trail_count]);
    else if (find_consequence(scene->shown->timeline, state->selection.event, &next))
        go(state, scene, next);
    else
        state_message(state, MESSAGE_INFO, "Nothing waited for this.");
}

void move_peak(struct view_state *state, const struct scene *scene) {
    const struct timeline *timeline = scene->shown->timeline;
    const struct memory_sample *sample = &timeline->memory[timeline->peak_sample];
    move_go(state, scene, (struct event){ LANE_COMPUTE, sample->step });
    move_cursor(state, sample->at_us);
    show_cursor(state);
}

/* ---- finding ---- */

static bool event_matches(const struct timeline *timeline, struct event event, const char *query) {
    const struct profile *profile = timeline->profile;
    const char *name =
        event.lane == LANE_COMPUTE
            ? profile->ops[timeline->schedule.op[event.index]].name
            : profile->tensors[(event.lane == LANE_D2H ? timeline->d2h : timeline->h2d)[event.index].tensor].name;
    const size_t length = strlen(query);
    return letters_hold(name, query, length) ||
           letters_hold(profile->layers[event_layer(timeline, event)].name, query, length);
}

void move_find(struct view_state *state, const struct scene *scene, int direction) {
    if (scene->shown == NULL)
        return;
    const struct timeline *timeline = scene->shown->timeline;
    struct moment begin = here(state, timeline), at = begin;
    /* past the end the search goes on at the other end, once, up to where it began */
    for (bool round = false;;) {
        struct moment next = { 0, { LANE_COUNT, 0 } };
        if (!neighbour(scene->shown->all, EVENT_KINDS, at, direction, &next)) {
            if (round)
                break;
            round = true;
            at = (struct moment){ direction > 0 ? -1 : INFINITY, { LANE_COUNT, 0 } };
            continue;
        }
        at = next;
        if (event_matches(timeline, at.event, state->query)) {
            move_go(state, scene, at.event);
            if (round)
                state_message(state, MESSAGE_INFO,
                              direction > 0 ? "Found from the start on." : "Found from the end on.");
            return;
        }
        if (round && compare(at, begin) * direction >= 0)
            break;
    }
    state_message(state, MESSAGE_INFO, "No op, tensor or layer has that in its name.");
}

void move_follow(struct view_state *state, const struct scene *scene, double at_us) {
    uint32_t step = timeline_at(scene->shown->timeline, LANE_COMPUTE, at_us);
    if (step != NONE)
        move_go(state, scene, (struct event){ LANE_COMPUTE, step });
    move_cursor(state, at_us);
}

/* ---- outcomes come and go ---- */

void move_start(struct view_state *state, const struct scene *scene) {
    const struct timeline *timeline = scene->shown->timeline;
    uint32_t longest = NONE;
    for (uint32_t i = 0; i < timeline->stall_count; i++)
        if (longest == NONE || timeline->stalls[i].end_us - timeline->stalls[i].start_us >
                                   timeline->stalls[longest].end_us - timeline->stalls[longest].start_us)
            longest = i;
    if (longest != NONE)
        move_go(state, scene, (struct event){ LANE_COMPUTE, timeline->stalls[longest].step });
    else
        move_peak(state, scene);
}

/* The step that runs SELECTION's op as it did, or NONE. */
static uint32_t find_step(const struct schedule *schedule, const struct selection *selection) {
    if (selection->kind == STEP_FORWARD)
        return selection->op;
    if (selection->kind == STEP_BACKWARD)
        return schedule->backward_step[selection->op];
    for (uint32_t k = schedule->forward_count; k < schedule->step_count; k++)
        if (schedule->op[k] == selection->op && schedule->kind[k] == STEP_RECOMPUTE)
            return k;
    return NONE;
}

void move_find_again(struct view_state *state, const struct scene *scene) {
    const struct timeline *timeline = scene->shown->timeline;
    struct selection selection = state->selection;
    if (!selection.exists) {
        select_in_row(state, scene);
        return;
    }
    uint32_t index = selection.event.lane == LANE_COMPUTE ? find_step(&timeline->schedule, &selection)
                     : selection.event.lane == LANE_D2H   ? timeline->d2h_of[selection.tensor]
                                                          : timeline->h2d_of[selection.tensor];
    if (index == NONE)
        select_in_row(state, scene);
    else if (state->playing)
        move_follow(state, scene, state->cursor_us);
    else
        move_go(state, scene, (struct event){ selection.event.lane, index });
}

void move_settle(struct view_state *state, const struct scene *scene) {
    uint32_t rows = state_layer_rows(state, scene);
    struct panes panes = panes_make(state, scene->profile->layer_count);
    uint32_t height = panes.layers.height > 0 ? (uint32_t)panes.layers.height : 1;
    struct row row = state->row;
    if (row.kind < ROW_LAYER && state->selection.exists && scene->shown != NULL)
        row = (struct row){ ROW_LAYER, event_layer(scene->shown->timeline, state->selection.event) };
    if (row.kind >= ROW_LAYER) {
        uint32_t at = state_layer_row_index(state, row), margin = height >= 10 ? 2 : height >= 5 ? 1 : 0;
        /* of a layer that has been opened all lanes come into sight, if they can */
        bool opened = row.kind == ROW_LAYER && state_is_open(state, row.layer) && height > OPEN_ROWS;
        uint32_t below = opened ? OPEN_ROWS : margin, above = at < margin ? at : opened ? 0 : margin;
        if (at + below >= state->top_row + height)
            state->top_row = at + below + 1 - height;
        if (at - above < state->top_row)
            state->top_row = at - above;
    }
    if (state->top_row + height > rows)
        state->top_row = rows > height ? rows - height : 0;
    if (state->inspector_scroll > 0) {
        int last = inspector_scroll_last(state, scene, panes.inspector);
        state->inspector_scroll = state->inspector_scroll > last ? last : state->inspector_scroll;
    }
    if (state->inspector_scroll < 0)
        state->inspector_scroll = 0;
}
