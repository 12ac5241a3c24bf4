/* Turning: knobs, the values typed for them, and planners. */
#include <ctype.h>
#include <string.h>

#include "reduce.h"

static const struct planner *next_planner(const struct planner *planner) {
    uint32_t i = planner != NULL ? (uint32_t)(planner - PLANNERS) + 1 : 0;
    return &PLANNERS[i % PLANNER_COUNT];
}

unsigned knob_leave(struct view_state *state) {
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
    return state_replan(state);
}

unsigned budget_turn_to(struct view_state *state, const struct scene *scene, uint64_t bytes) {
    state->knob = KNOB_BUDGET;
    if (!knob_turn_budget_to(bytes, scene->profile, &scene->limits, &state->settings))
        return 0;
    return state_replan(state);
}

static unsigned value_take(struct view_state *state, const struct scene *scene) {
    struct error error = { "", "" };
    if (state->value[0] == '\0')
        return knob_leave(state);
    if (knob_parse(state->knob, state->value, scene->profile, &state->settings, &error) != SS_OK)
        return state_message(state, MESSAGE_BAD, error.text);
    return knob_leave(state) | state_replan(state);
}

/* Whether C begins a value of the knob: numbers do, and the words of the knobs that take words. */
static bool value_begins(enum knob_id knob, char c) {
    const char *words = knob == KNOB_DUPLEX ? "fha" : knob == KNOB_HOST_MEMORY ? "n" : knob == KNOB_ATTENTION ? "fe" : "";
    for (uint32_t i = 0; knob == KNOB_GPU && i < GPU_COUNT; i++)
        if (GPUS[i].name[0] == c)
            return true;
    return isdigit((unsigned char)c) || c == '.' || strchr(words, c) != NULL;
}

static bool value_continues(char c) {
    return isalnum((unsigned char)c) || strchr(".%/-", c) != NULL;
}

bool value_type(struct view_state *state, struct key key, unsigned *effects) {
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

bool turn_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_knob_budget: *effects = knob_focus(state, KNOB_BUDGET); return true;
    case DO_knob_bandwidth: *effects = knob_focus(state, KNOB_BANDWIDTH); return true;
    case DO_knob_other:
        *effects = state->pointed < KNOB_COUNT ? knob_focus(state, (enum knob_id)state->pointed) : knob_focus_other(state);
        return true;
    case DO_knob_down: *effects = knob_step(state, scene, -1); return true;
    case DO_knob_up: *effects = knob_step(state, scene, 1); return true;
    case DO_value_take: *effects = value_take(state, scene); return true;
    case DO_value_erase: *effects = typing_erase(state->value); return true;
    case DO_planner: /* a plan made by hand goes first */
        if (state->plan == NULL)
            state->settings.planner = next_planner(state->settings.planner);
        state->plan = NULL;
        *effects = state_replan(state);
        return true;
    default: return false;
    }
}
