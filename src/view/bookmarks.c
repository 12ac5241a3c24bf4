/* Bookmarks: a letter for a place, and back to it. */
#include <stdio.h>

#include "move.h"
#include "reduce.h"

static bool letter_of(struct key key, uint32_t *out) {
    *out = key.code - 'a';
    return key.modifiers == 0 && key.code >= 'a' && key.code <= 'z';
}

struct bookmark bookmark_here(const struct view_state *state) {
    double end = state->end_us > 0 ? state->end_us : 1;
    const struct selection *selection = &state->selection;
    return (struct bookmark){
        .set = true, .exists = selection->exists, .view = (uint8_t)state->view, .row = state->row.kind,
        .kind = selection->kind, .lane = selection->event.lane, .layer = state->row.layer, .op = selection->op,
        .tensor = selection->tensor, .from = (float)(state->from_us / end), .to = (float)(state->to_us / end),
        .cursor = (float)(state->cursor_us / end),
    };
}

static void go(struct view_state *state, const struct scene *scene, const struct bookmark *mark) {
    state_open_view(state, scene, (enum view_id)mark->view);
    state->row = (struct row){ mark->row, mark->layer };
    if (mark->row > ROW_LAYER && !state_is_open(state, mark->layer))
        state->row.kind = ROW_LAYER;
    window_set(state, mark->from * state->end_us, mark->to * state->end_us);
    move_cursor(state, mark->cursor * state->end_us);
    state->selection = (struct selection){ .exists = mark->exists, .event = { mark->lane, 0 }, .op = mark->op,
                                           .kind = mark->kind, .tensor = mark->tensor };
    move_find_again(state, scene);
}

void bookmark_return(struct view_state *state, const struct scene *scene) {
    struct bookmark place = state->place;
    state->place = (struct bookmark){ .set = false };
    if (!place.set || !place.exists)
        return;
    place.view = (uint8_t)state->view;
    go(state, scene, &place);
}

bool bookmark_type(struct view_state *state, const struct scene *scene, struct key key, unsigned *effects) {
    uint8_t wanted = state->bookmarks.awaiting;
    uint32_t letter;
    char text[64];
    if (state_context(state) != CONTEXT_LETTER || !letter_of(key, &letter))
        return false;
    struct bookmark *mark = &state->bookmarks.at[letter];
    state->bookmarks.awaiting = 0;
    *effects = EFFECT_REDRAW | EFFECT_RELAYOUT;
    if (wanted == BOOKMARK_SET) {
        *mark = bookmark_here(state);
        snprintf(text, sizeof text, "Here is %c now: ' %c comes back.", (char)key.code, (char)key.code);
        *effects |= state_message(state, MESSAGE_INFO, text);
    } else if (!mark->set) {
        snprintf(text, sizeof text, "No place is called %c: m %c makes one.", (char)key.code, (char)key.code);
        *effects |= state_message(state, MESSAGE_INFO, text);
    } else if (scene->shown != NULL) {
        go(state, scene, mark);
    }
    return true;
}

bool bookmark_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    if (action != DO_bookmark_set && action != DO_bookmark_go)
        return false;
    state->bookmarks.awaiting = action == DO_bookmark_set ? BOOKMARK_SET : BOOKMARK_GO;
    *effects = EFFECT_REDRAW;
    if (scene->shown == NULL)
        state->bookmarks.awaiting = 0;
    return true;
}
