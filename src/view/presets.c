/* Presets: the start screen, where one is chosen; any key that means nothing there leads on, and does what it does. */
#include "challenge.h"
#include "core/preset.h"
#include "reduce.h"

unsigned preset_open(struct view_state *state, uint32_t which) {
    const struct preset *preset = &PRESETS[which];
    if (challenge_is_open(state, NULL, NULL))
        return state_message(state, MESSAGE_INFO, "Leave the challenge first: Escape.");
    preset_apply(preset, &state->settings);
    state->plan = NULL;
    state->presets = (struct presets_state){ .open = false, .choice = (uint8_t)which };
    return state_message(state, MESSAGE_INFO, preset->words) | state_replan(state);
}

void presets_settle(struct view_state *state, enum ui_action action) {
    const enum context context = ACTION_TABLE[action].context;
    if ((context == CONTEXT_VIEW || context_is_view(context)) && action != DO_presets)
        state->presets.open = false;
}

static unsigned choose(struct view_state *state, int by) {
    const int to = state->presets.choice + by;
    state->presets.choice = (uint8_t)(to < 0 ? 0 : to >= (int)PRESET_COUNT ? (int)PRESET_COUNT - 1 : to);
    return EFFECT_REDRAW;
}

bool presets_type(struct view_state *state, struct key key, unsigned *effects) {
    if (state_context(state) != CONTEXT_PRESETS || key.modifiers != 0 || key.code < '1' || key.code >= '1' + PRESET_COUNT)
        return false;
    *effects = preset_open(state, key.code - '1');
    return true;
}

bool presets_act(struct view_state *state, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_presets: state->presets.open = true; break;
    case DO_presets_close: state->presets.open = false; break;
    case DO_presets_up: *effects = choose(state, -1); return true;
    case DO_presets_down: *effects = choose(state, 1); return true;
    case DO_presets_take:
        *effects = preset_open(state, state->pointed < PRESET_COUNT ? state->pointed : state->presets.choice);
        return true;
    default: return false;
    }
    *effects = EFFECT_REDRAW;
    return true;
}
