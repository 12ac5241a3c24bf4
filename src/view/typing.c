/* Typing names: what is looked for, on the screen and in the help. */
#include <string.h>

#include "move.h"
#include "reduce.h"
#include "text.h"

unsigned typing_erase(char *text) {
    size_t length = strlen(text);
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
        length--;
    text[length > 0 ? length - 1 : 0] = '\0';
    return EFFECT_REDRAW;
}

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

/* Whether KEY is a character; then it goes to the end of TEXT, of SIZE bytes, where there is room. */
static bool type_into(char *text, size_t size, struct key key) {
    char bytes[4];
    size_t used = strlen(text);
    if (key.modifiers != 0 || key.code < ' ' || key.code == 0x7F || key.code >= K_UP)
        return false;
    size_t length = text_encode(key.code, bytes);
    if (used + length < size) {
        memcpy(text + used, bytes, length);
        text[used + length] = '\0';
    }
    return true;
}

bool find_type(struct view_state *state, struct key key) {
    return state_context(state) == CONTEXT_FIND && type_into(state->query, sizeof state->query, key);
}

bool term_type(struct view_state *state, struct key key) {
    if (state_context(state) != CONTEXT_TERM || !type_into(state->about.query, sizeof state->about.query, key))
        return false;
    state->help_scroll = 0;
    return true;
}

static unsigned term_start(struct view_state *state) {
    state->about.finding = true;
    state->about.query[0] = '\0';
    state->help_scroll = 0;
    return EFFECT_REDRAW;
}

bool typing_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_find: *effects = find_start(state); return true;
    case DO_find_take:
    case DO_find_next: *effects = find_next(state, scene, 1); return true;
    case DO_find_previous: *effects = find_next(state, scene, -1); return true;
    case DO_help_find: *effects = term_start(state); return true;
    case DO_term_take:
        state->about.finding = false;
        *effects = EFFECT_REDRAW;
        return true;
    case DO_term_erase:
        *effects = typing_erase(state->about.query);
        state->help_scroll = 0;
        return true;
    case DO_find_erase: *effects = typing_erase(state->query); return true;
    default: return false;
    }
}
