/* The Timeline: what its keys do. How rows and the selection move is in move.c. */
#include <stdio.h>

#include "layout.h"
#include "move.h"
#include "reduce.h"
#include "view_kind.h"

const double SPEEDS[] = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
const uint32_t SPEED_COUNT = sizeof SPEEDS / sizeof SPEEDS[0];

static unsigned open_layer(struct view_state *state, const struct scene *scene) {
    if (state->row.kind < ROW_LAYER) {
        if (!state->selection.exists)
            return 0;
        move_to_layers(state, scene);
    }
    rows_toggle(state, state->row.layer);
    state->row.kind = ROW_LAYER;
    return EFFECT_REDRAW;
}

static unsigned play(struct view_state *state) {
    if (state->end_us <= 0)
        return 0;
    state->playing = !state->playing;
    if (state->playing && state->cursor_us >= state->end_us)
        move_cursor(state, 0);
    return EFFECT_REDRAW | EFFECT_PLAY;
}

static unsigned next_speed(struct view_state *state) {
    char text[64];
    state->speed = (state->speed + 1) % SPEED_COUNT;
    snprintf(text, sizeof text, "Plays at %g of real time.", SPEEDS[state->speed]);
    return state_message(state, MESSAGE_INFO, text);
}

unsigned state_tick(struct view_state *state, const struct scene *scene, double elapsed_us) {
    if (!state->playing || scene->shown == NULL || !(elapsed_us > 0))
        return 0;
    unsigned effects = EFFECT_REDRAW;
    double to = state->cursor_us + elapsed_us * SPEEDS[state->speed];
    if (to >= state->end_us) {
        to = state->end_us;
        state->playing = false;
        effects |= EFFECT_PLAY;
    }
    move_follow(state, scene, to);
    double span = state->to_us - state->from_us;
    if (to > state->to_us || to < state->from_us)
        window_set(state, to, to + span);
    move_settle(state, scene);
    return effects;
}

/* Actions that need a timeline to act on. */
static bool apply_to_timeline(struct view_state *state, const struct scene *scene, enum ui_action action) {
    switch (action) {
    case DO_event_previous: move_event(state, scene, -1, false); break;
    case DO_event_next: move_event(state, scene, 1, false); break;
    case DO_lane_previous: move_event(state, scene, -1, true); break;
    case DO_lane_next: move_event(state, scene, 1, true); break;
    case DO_stall_next: move_stall(state, scene, 1); break;
    case DO_stall_previous: move_stall(state, scene, -1); break;
    case DO_cause: move_cause(state, scene); break;
    case DO_consequence: move_consequence(state, scene); break;
    case DO_peak: move_peak(state, scene); break;
    case DO_zoom_in: window_zoom(state, ZOOM_FACTOR); break;
    case DO_zoom_out: window_zoom(state, 1 / ZOOM_FACTOR); break;
    case DO_pan_left: window_pan(state, -PAN_SHARE); break;
    case DO_pan_right: window_pan(state, PAN_SHARE); break;
    case DO_fit: window_set(state, 0, state->end_us); break;
    default: return false;
    }
    return true;
}

static int page_rows(const struct view_state *state, const struct scene *scene) {
    int height = panes_make(state, scene->profile->layer_count).layers.height;
    return height > 1 ? height - 1 : 1;
}

bool timeline_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    *effects = EFFECT_REDRAW;
    if (scene->shown != NULL && apply_to_timeline(state, scene, action))
        return true;
    switch (action) {
    case DO_row_up: move_row(state, scene, -1); return true;
    case DO_row_down: move_row(state, scene, 1); return true;
    case DO_page_up: move_row(state, scene, -page_rows(state, scene)); return true;
    case DO_page_down: move_row(state, scene, page_rows(state, scene)); return true;
    case DO_row_first: move_row_end(state, scene, false); return true;
    case DO_row_last: move_row_end(state, scene, true); return true;
    case DO_pane_next: move_pane(state, scene, 1); *effects |= EFFECT_RELAYOUT; return true;
    case DO_pane_previous: move_pane(state, scene, -1); *effects |= EFFECT_RELAYOUT; return true;
    case DO_open: *effects = open_layer(state, scene); return true;
    case DO_play: *effects = play(state); return true;
    case DO_speed: *effects = next_speed(state); return true;
    case DO_maximise: *effects = state_maximise(state); return true;
    default: return false;
    }
}

void timeline_settle(struct view_state *state, const struct scene *scene) {
    move_settle(state, scene);
}

bool timeline_is_valid(const struct view_state *state, const struct scene *scene) {
    uint32_t layers = scene->profile->layer_count;
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] >= layers || (i > 0 && state->open[i] <= state->open[i - 1]))
            return false;
    if (state->speed >= SPEED_COUNT || state->pane >= PANE_COUNT || state->open_count > OPEN_MAX ||
        state->trail_count > TRAIL_MAX || state->inspector_scroll < 0)
        return false;
    if (state->row.kind >= ROW_LAYER && (state->row.kind >= ROW_KIND_COUNT || state->row.layer >= layers ||
                                         (state->row.kind > ROW_LAYER && !state_is_open(state, state->row.layer))))
        return false;
    return state->top_row < state_layer_rows(state, scene);
}
