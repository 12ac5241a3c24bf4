#include "state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "layout.h"
#include "move.h"
#include "text.h"

#define ZOOM_FACTOR 2.0
#define PAN_SHARE 0.2     /* of the window */
#define WINDOW_LEAST 1e-6 /* of the step */

const double SPEEDS[] = { 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
const uint32_t SPEED_COUNT = sizeof SPEEDS / sizeof SPEEDS[0];
#define SPEED_DEFAULT 5 /* a step of half a second lasts ten */

static int clamp_size(int size) {
    return size < 1 ? 1 : size > GRID_MAX ? GRID_MAX : size;
}

void state_init(struct view_state *state, const struct settings *settings, int width, int height) {
    *state = (struct view_state){
        .width = clamp_size(width),
        .height = clamp_size(height),
        .settings = *settings,
        .generation = 1,
        .planning = true,
        .speed = SPEED_DEFAULT,
    };
}

enum context state_context(const struct view_state *state) {
    return state->help           ? CONTEXT_HELP
           : state->finding      ? CONTEXT_FIND
           : state->knob_focused ? CONTEXT_VALUE
                                 : CONTEXT_TIMELINE;
}

bool state_stale(const struct view_state *state, const struct scene *scene) {
    return state->planning || scene->shown == NULL || scene->shown->outcome != scene->latest;
}

unsigned state_message(struct view_state *state, enum message_kind kind, const char *text) {
    state->message_kind = kind;
    text_fit(state->message, sizeof state->message, text, MESSAGE_MAX, CUT_END, state->ascii);
    return EFFECT_REDRAW;
}

/* ---- layers that are open ---- */

bool state_is_open(const struct view_state *state, uint32_t layer) {
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] == layer)
            return true;
    return false;
}

static void open_remove(struct view_state *state, uint32_t at) {
    memmove(&state->open[at], &state->open[at + 1], (state->open_count - at - 1) * sizeof state->open[0]);
    state->open_count--;
}

static void open_toggle(struct view_state *state, uint32_t layer) {
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] == layer) {
            open_remove(state, i);
            return;
        }
    if (state->open_count == OPEN_MAX)
        open_remove(state, 0);
    uint32_t at = state->open_count;
    for (; at > 0 && state->open[at - 1] > layer; at--)
        state->open[at] = state->open[at - 1];
    state->open[at] = layer;
    state->open_count++;
}

uint32_t state_layer_rows(const struct view_state *state, const struct scene *scene) {
    return scene->profile->layer_count + OPEN_ROWS * state->open_count;
}

struct row state_layer_row(const struct view_state *state, uint32_t n) {
    uint32_t extra = 0; /* rows of the open layers above */
    for (uint32_t i = 0; i < state->open_count; i++) {
        uint32_t header = state->open[i] + extra;
        if (n <= header)
            break;
        if (n <= header + OPEN_ROWS)
            return (struct row){ (uint8_t)(ROW_LAYER + (n - header)), state->open[i] };
        extra += OPEN_ROWS;
    }
    return (struct row){ ROW_LAYER, n - extra };
}

uint32_t state_layer_row_index(const struct view_state *state, struct row row) {
    uint32_t index = row.layer + (uint32_t)(row.kind - ROW_LAYER);
    for (uint32_t i = 0; i < state->open_count && state->open[i] < row.layer; i++)
        index += OPEN_ROWS;
    return index;
}

/* ---- the window in time ---- */

static void window_set(struct view_state *state, double from_us, double to_us) {
    double least = state->end_us * WINDOW_LEAST;
    if (to_us - from_us < least) {
        double middle = (from_us + to_us) / 2;
        from_us = middle - least / 2;
        to_us = middle + least / 2;
    }
    if (to_us - from_us >= state->end_us) {
        from_us = 0;
        to_us = state->end_us;
    }
    if (from_us < 0) {
        to_us -= from_us;
        from_us = 0;
    }
    if (to_us > state->end_us) {
        from_us -= to_us - state->end_us;
        to_us = state->end_us;
    }
    state->from_us = from_us < 0 ? 0 : from_us;
    state->to_us = to_us;
}

static void window_zoom(struct view_state *state, double factor) {
    double span = state->to_us - state->from_us, anchor = state->cursor_us;
    if (anchor < state->from_us || anchor > state->to_us)
        anchor = (state->from_us + state->to_us) / 2;
    double share = span > 0 ? (anchor - state->from_us) / span : 0.5;
    span /= factor;
    if (span < state->end_us * WINDOW_LEAST)
        return;
    window_set(state, anchor - share * span, anchor + (1 - share) * span);
}

static void window_pan(struct view_state *state, double share) {
    double by = share * (state->to_us - state->from_us);
    window_set(state, state->from_us + by, state->to_us + by);
}

/* ---- planning ---- */

static unsigned replan(struct view_state *state) {
    state->generation++;
    state->planning = true;
    return EFFECT_REDRAW | EFFECT_REPLAN;
}

static const struct planner *next_planner(const struct planner *planner) {
    uint32_t i = planner != NULL ? (uint32_t)(planner - PLANNERS) + 1 : 0;
    return &PLANNERS[i % PLANNER_COUNT];
}

unsigned state_outcome(struct view_state *state, const struct scene *scene, bool final) {
    state->planning = !final;
    if (scene->shown != NULL && scene->shown->outcome == scene->latest) {
        double end_us = scene->shown->timeline->end_us;
        bool first = state->end_us <= 0;
        double scale = first ? 1 : end_us / state->end_us;
        state->end_us = end_us;
        if (first) {
            window_set(state, 0, end_us);
            move_start(state, scene);
        } else {
            window_set(state, state->from_us * scale, state->to_us * scale);
            move_cursor(state, state->anchor_us * scale);
            move_find_again(state, scene);
        }
    }
    move_settle(state, scene);
    return EFFECT_REDRAW;
}

unsigned state_failed(struct view_state *state, const char *message) {
    state->planning = false;
    return state_message(state, MESSAGE_BAD, message);
}

/* ---- knobs and typed values ---- */

static unsigned knob_leave(struct view_state *state) {
    state->knob_focused = false;
    state->value[0] = '\0';
    return EFFECT_REDRAW;
}

static unsigned knob_focus(struct view_state *state, enum knob_id knob) {
    bool again = state->knob_focused && state->knob == knob;
    state->knob = knob;
    state->knob_focused = !again;
    state->value[0] = '\0';
    return EFFECT_REDRAW;
}

/* The knobs beside budget and bandwidth in turn; those that mean nothing at present are passed over. */
static unsigned knob_focus_other(struct view_state *state) {
    int knob = state->knob_focused && state->knob > KNOB_BANDWIDTH ? (int)state->knob : KNOB_BANDWIDTH;
    do
        knob = knob + 1 < KNOB_COUNT ? knob + 1 : KNOB_BANDWIDTH + 1;
    while (!knob_applies((enum knob_id)knob, &state->settings));
    state->knob = (enum knob_id)knob;
    state->knob_focused = true;
    state->value[0] = '\0';
    return EFFECT_REDRAW;
}

static unsigned knob_step(struct view_state *state, const struct scene *scene, int steps) {
    if (!knob_turn(state->knob, steps, scene->profile, &scene->limits, &state->settings))
        return state_message(state, MESSAGE_INFO, steps > 0 ? "This knob is at its end: it can't go up."
                                                            : "This knob is at its end: it can't go down.");
    return replan(state);
}

static unsigned value_take(struct view_state *state, const struct scene *scene) {
    struct error error = { "", "" };
    if (state->value[0] == '\0')
        return knob_leave(state);
    if (knob_parse(state->knob, state->value, scene->profile, &state->settings, &error) != SS_OK)
        return state_message(state, MESSAGE_BAD, error.text);
    return knob_leave(state) | replan(state);
}

/* Takes the last character off. */
static unsigned erase(char *text) {
    size_t length = strlen(text);
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
        length--;
    text[length > 0 ? length - 1 : 0] = '\0';
    return EFFECT_REDRAW;
}

/* Whether C begins a value of the knob: numbers do, and the words of the knobs that take words. */
static bool value_begins(enum knob_id knob, char c) {
    const char *words = knob == KNOB_DUPLEX ? "fha" : knob == KNOB_HOST_MEMORY ? "n" : "";
    return isdigit((unsigned char)c) || c == '.' || strchr(words, c) != NULL;
}

static bool value_continues(char c) {
    return isalnum((unsigned char)c) || strchr(".%/-", c) != NULL;
}

/* Takes KEY as a character of the value being typed. True when it was one, or was refused as one. */
static bool value_type(struct view_state *state, struct key key, unsigned *effects) {
    size_t length = strlen(state->value);
    if (state_context(state) != CONTEXT_VALUE || key.modifiers != 0 || key.code <= ' ' || key.code >= 0x7F)
        return false;
    char c = (char)key.code;
    if (length == 0 && !value_begins(state->knob, c))
        return false;
    state->message_kind = MESSAGE_NONE;
    if (!value_continues(c) || length + 1 >= sizeof state->value) {
        *effects = state_message(state, MESSAGE_BAD, "Enter takes the value, Escape leaves the knob.");
        return true;
    }
    state->value[length] = c;
    state->value[length + 1] = '\0';
    *effects = EFFECT_REDRAW;
    return true;
}

/* ---- finding ---- */

static unsigned find_start(struct view_state *state) {
    state->finding = true;
    state->query[0] = '\0';
    return EFFECT_REDRAW;
}

static unsigned find_next(struct view_state *state, const struct scene *scene, int direction) {
    state->finding = false;
    if (state->query[0] == '\0')
        return state_message(state, MESSAGE_INFO, "Nothing to look for: / takes a name.");
    move_find(state, scene, direction);
    return EFFECT_REDRAW;
}

/* Takes KEY as a character of the name to find. */
static bool find_type(struct view_state *state, struct key key) {
    char bytes[4];
    size_t used = strlen(state->query);
    if (state_context(state) != CONTEXT_FIND || key.modifiers != 0 || key.code < ' ' || key.code == 0x7F ||
        key.code >= K_UP)
        return false;
    size_t length = text_encode(key.code, bytes);
    if (used + length < sizeof state->query) {
        memcpy(state->query + used, bytes, length);
        state->query[used + length] = '\0';
    }
    return true;
}

/* ---- the screen ---- */

static unsigned maximise(struct view_state *state) {
    state->maximised = !state->maximised;
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

static unsigned open_layer(struct view_state *state, const struct scene *scene) {
    if (state->row.kind < ROW_LAYER) {
        if (!state->selection.exists)
            return 0;
        move_to_layers(state, scene);
    }
    open_toggle(state, state->row.layer);
    state->row.kind = ROW_LAYER;
    return EFFECT_REDRAW;
}

static unsigned help_toggle(struct view_state *state) {
    state->help = !state->help;
    state->help_scroll = 0;
    return EFFECT_REDRAW;
}

static unsigned help_move(struct view_state *state, int lines) {
    int last = help_scroll_last(state->width, state->height);
    int to = state->help_scroll + lines;
    state->help_scroll = to < 0 ? 0 : to > last ? last : to;
    return EFFECT_REDRAW;
}

static unsigned close_one(struct view_state *state) {
    if (state->help)
        return help_toggle(state);
    if (state->finding) {
        state->finding = false;
        return EFFECT_REDRAW;
    }
    if (state->knob_focused)
        return knob_leave(state);
    if (state->maximised)
        return maximise(state);
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

unsigned state_resize(struct view_state *state, const struct scene *scene, int width, int height) {
    state->width = clamp_size(width);
    state->height = clamp_size(height);
    help_move(state, 0);
    move_settle(state, scene);
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
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

static unsigned apply(struct view_state *state, const struct scene *scene, enum ui_action action) {
    if (scene->shown != NULL && apply_to_timeline(state, scene, action))
        return EFFECT_REDRAW;
    int page = panes_make(state, scene->profile->layer_count).layers.height;
    switch (action) {
    case DO_row_up: move_row(state, scene, -1); return EFFECT_REDRAW;
    case DO_row_down: move_row(state, scene, 1); return EFFECT_REDRAW;
    case DO_page_up: move_row(state, scene, -(page > 1 ? page - 1 : 1)); return EFFECT_REDRAW;
    case DO_page_down: move_row(state, scene, page > 1 ? page - 1 : 1); return EFFECT_REDRAW;
    case DO_row_first: move_row_end(state, scene, false); return EFFECT_REDRAW;
    case DO_row_last: move_row_end(state, scene, true); return EFFECT_REDRAW;
    case DO_pane_next: move_pane(state, scene, 1); return EFFECT_REDRAW | EFFECT_RELAYOUT;
    case DO_pane_previous: move_pane(state, scene, -1); return EFFECT_REDRAW | EFFECT_RELAYOUT;
    case DO_open: return open_layer(state, scene);
    case DO_play: return play(state);
    case DO_speed: return next_speed(state);
    case DO_knob_budget: return knob_focus(state, KNOB_BUDGET);
    case DO_knob_bandwidth: return knob_focus(state, KNOB_BANDWIDTH);
    case DO_knob_other: return knob_focus_other(state);
    case DO_knob_down: return knob_step(state, scene, -1);
    case DO_knob_up: return knob_step(state, scene, 1);
    case DO_planner: state->settings.planner = next_planner(state->settings.planner); return replan(state);
    case DO_maximise: return maximise(state);
    case DO_help: return help_toggle(state);
    case DO_help_up: return help_move(state, -1);
    case DO_help_down: return help_move(state, 1);
    case DO_help_page_up: return help_move(state, -(state->height > 4 ? state->height - 4 : 1));
    case DO_help_page_down: return help_move(state, state->height > 4 ? state->height - 4 : 1);
    case DO_help_close: return help_toggle(state);
    case DO_value_take: return value_take(state, scene);
    case DO_value_erase: return erase(state->value);
    case DO_find: return find_start(state);
    case DO_find_take:
    case DO_find_next: return find_next(state, scene, 1);
    case DO_find_previous: return find_next(state, scene, -1);
    case DO_find_erase: return erase(state->query);
    case DO_close: return close_one(state);
    case DO_repaint: return EFFECT_REDRAW | EFFECT_REPAINT;
    case DO_suspend: return EFFECT_SUSPEND;
    case DO_quit: return EFFECT_QUIT;
    default: return 0;
    }
}

unsigned state_apply(struct view_state *state, const struct scene *scene, enum ui_action action) {
    bool had_message = state->message_kind != MESSAGE_NONE;
    state->message_kind = MESSAGE_NONE;
    state->message[0] = '\0';
    unsigned effects = apply(state, scene, action);
    move_settle(state, scene);
    return effects | (had_message ? EFFECT_REDRAW : 0);
}

unsigned state_key(struct view_state *state, const struct scene *scene, struct key key) {
    unsigned effects = 0;
    if (value_type(state, key, &effects))
        return effects;
    if (find_type(state, key))
        return EFFECT_REDRAW;
    return state_apply(state, scene, action_for_key(key, state_context(state)));
}

bool state_is_valid(const struct view_state *state, const struct scene *scene) {
    uint32_t layers = scene->profile->layer_count;
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] >= layers || (i > 0 && state->open[i] <= state->open[i - 1]))
            return false;
    if (state->width < 1 || state->height < 1 || state->speed >= SPEED_COUNT || state->knob >= KNOB_COUNT ||
        state->pane >= PANE_COUNT || state->open_count > OPEN_MAX || state->trail_count > TRAIL_MAX ||
        memchr(state->value, '\0', sizeof state->value) == NULL ||
        memchr(state->query, '\0', sizeof state->query) == NULL || state->help_scroll < 0 ||
        state->inspector_scroll < 0)
        return false;
    if (state->row.kind >= ROW_LAYER && (state->row.kind >= ROW_KIND_COUNT || state->row.layer >= layers ||
                                         (state->row.kind > ROW_LAYER && !state_is_open(state, state->row.layer))))
        return false;
    if (state->top_row >= state_layer_rows(state, scene))
        return false;
    if (scene->shown == NULL)
        return !state->selection.exists && state->end_us <= 0;
    if (!(state->from_us >= 0 && state->to_us <= state->end_us && state->from_us <= state->to_us &&
          (state->from_us < state->to_us || state->end_us <= 0) && state->cursor_us >= 0 &&
          state->cursor_us <= state->end_us && state->anchor_us >= 0 && state->anchor_us <= state->end_us))
        return false;
    return !state->selection.exists || move_event_exists(scene, state->selection.event);
}
