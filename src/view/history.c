#include "history.h"

#include <stdlib.h>

#include "state.h"

void history_free(struct history *history) {
    arena_free(&history->arena);
    free(history->moment);
    free(history->aside.moment);
    free(history->aside.state);
    *history = (struct history){ .count = 0 };
}

struct plan *history_plan(struct history *history, const struct profile *profile, const struct plan *plan) {
    struct plan *copy = ARENA_ARRAY(&history->arena, struct plan, 1);
    return copy && plan_copy(copy, &history->arena, profile, plan, NULL) == SS_OK ? copy : NULL;
}

/* Room for one moment more and the tip. */
static bool make_room(struct history *history) {
    if (history->count + 2 <= history->capacity)
        return true;
    uint32_t capacity = history->capacity > 0 ? 2 * history->capacity : 16;
    struct view_state *larger = realloc(history->moment, capacity * sizeof *larger);
    if (!larger)
        return false;
    history->moment = larger;
    history->capacity = capacity;
    return true;
}

bool history_note(struct history *history, const struct view_state *before, bool changed) {
    if (history->count > 0 && !changed)
        return true;
    if (!make_room(history))
        return false;
    if (history->count == 0) {
        history->moment[0] = *before;
        history->count = history->at = 1;
    }
    if (!changed)
        return true;
    uint32_t place = history->at > 0 ? history->at : 1;
    history->count = place;
    if (!make_room(history))
        return false;
    history->moment[place] = *before;
    history->count = history->at = place + 1;
    return true;
}

const struct view_state *history_step(struct history *history, const struct view_state *state, int direction) {
    if (history->count == 0 || (direction > 0 && history->at >= history->count))
        return NULL;
    if (direction < 0 && history->at == 0)
        return &history->moment[0];
    if (history->at == history->count)
        history->moment[history->count] = *state;
    history->at += direction < 0 ? -1 : 1;
    return &history->moment[history->at];
}

uint32_t history_left(const struct history *history) {
    return history->at > 0 ? history->at - 1 : 0;
}

void history_restart(struct history *history) {
    history->count = history->at = 0;
    history->awaited = NULL;
}

void history_begin(struct history *history) {
    if (history == NULL)
        return;
    history_restart(history);
    history->stepped = true;
}

void history_forget(struct history *history) {
    history_restart(history);
    history->aside.count = history->aside.at = 0;
}

bool history_set_aside(struct history *history, const struct view_state *state) {
    struct history_aside *aside = &history->aside;
    if (aside->exists || (!aside->state && !(aside->state = malloc(sizeof *aside->state))))
        return false;
    *aside->state = *state;
    free(aside->moment);
    aside->moment = history->moment;
    aside->count = history->count;
    aside->capacity = history->capacity;
    aside->at = history->at;
    aside->exists = true;
    history->moment = NULL;
    history->count = history->capacity = history->at = 0;
    history->awaited = NULL;
    return true;
}

const struct view_state *history_take_back(struct history *history) {
    struct history_aside *aside = &history->aside;
    if (!aside->exists)
        return NULL;
    free(history->moment);
    history->moment = aside->moment;
    history->count = aside->count;
    history->capacity = aside->capacity;
    history->at = aside->at;
    aside->moment = NULL;
    aside->exists = false;
    return aside->state;
}
