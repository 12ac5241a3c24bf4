#include "follow.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/units.h"
#include "move.h"
#include "reduce.h"
#include "view_kind.h"

/* ---- plans ---- */

/* PLAN for the profile TO, in the history: what may not be done there is kept, and counted in *LOST. NULL when memory is
 * short. */
static const struct plan *carried(struct history *history, const struct profile *from, const struct plan *plan,
                                  const struct subject *to, uint32_t *lost) {
    struct plan *out = ARENA_ARRAY(&history->arena, struct plan, 1);
    if (out == NULL || plan_carry(out, &history->arena, from, plan, to->profile, lost, NULL) != SS_OK)
        return NULL;
    for (uint32_t i = 0; i < to->profile->managed_count; i++) {
        const uint32_t tensor = to->profile->managed[i];
        if (out->action[tensor] == ACTION_RECOMPUTE && !closure_allows(&to->closure, to->profile, tensor)) {
            out->action[tensor] = ACTION_KEEP;
            (*lost)++;
        }
    }
    return out;
}

/* The plan at hand, unless it was made for the new profile already: a step of undoing brings its own. */
static void carry_plan(struct view_state *state, const struct subject *from, const struct subject *to) {
    char text[MESSAGE_MAX];
    uint32_t lost = 0;
    if (state->plan == NULL || state->history == NULL || state->history->awaited != NULL || state->lesson.setting)
        return;
    state->plan = carried(state->history, from->profile, state->plan, to, &lost);
    if (state->plan == NULL) {
        state_message(state, MESSAGE_BAD, "No memory is left: the plan made by hand is lost.");
    } else if (lost > 0) {
        snprintf(text, sizeof text, "Your plan goes on, but for %u tensor%s that %s not there, or must stay.", (unsigned)lost,
                 plural(lost), lost == 1 ? "is" : "are");
        state_message(state, MESSAGE_INFO, text);
    }
}

/* The pinned plan is played under the budget and on the link that the new profile has. */
static bool carry_pin(struct view_state *state, const struct subject *from, const struct subject *to) {
    struct compare_state *compare = &state->compare;
    const struct settings *settings = &state->settings;
    uint32_t lost;
    if (compare->pinned == NULL)
        return true;
    compare->pinned = carried(state->history, from->profile, compare->pinned, to, &lost);
    return compare->pinned != NULL && link_resolve(&to->profile->link, &settings->link, &compare->pinned_link, NULL) == SS_OK &&
           budget_resolve(&settings->budget, to->profile, &to->limits, &compare->pinned_budget_bytes, NULL) == SS_OK;
}

/* Plans that files brought are played with what is at hand anyway. */
static bool carry_files(struct view_state *state, const struct subject *from, const struct subject *to) {
    struct compare_state *compare = &state->compare;
    uint32_t lost;
    for (uint32_t i = 0; i < compare->file_count; i++) {
        compare->file[i].plan = carried(state->history, from->profile, compare->file[i].plan, to, &lost);
        if (compare->file[i].plan == NULL)
            return false;
    }
    return true;
}

/* What is compared: all of it, or one begins anew. A profile that is no model has no other devices. */
static void carry_compared(struct view_state *state, const struct subject *from, const struct subject *to) {
    if (state->history == NULL)
        return;
    if (!carry_pin(state, from, to) || !carry_files(state, from, to))
        compare_start(state);
    for (int side = 0; side < 2 && to->work.model == NULL; side++)
        state->compare.side[side].device = 0;
}

/* ---- places ---- */

static uint32_t same_layer(const struct profile *from, const struct profile *to, uint32_t layer) {
    return layer < from->layer_count ? profile_find_layer(to, from->layers[layer].name) : NONE;
}
static uint32_t same_op(const struct profile *from, const struct profile *to, uint32_t op) {
    return op < from->op_count ? profile_find_op(to, from->ops[op].name) : NONE;
}
static uint32_t same_tensor(const struct profile *from, const struct profile *to, uint32_t tensor) {
    return tensor < from->tensor_count ? profile_find_tensor(to, from->tensors[tensor].name) : NONE;
}

/* What is selected at PLACE, and the layer, by their names; a place whose names are gone is none. */
static void carry_place(struct bookmark *place, const struct profile *from, const struct profile *to) {
    if (!place->set)
        return;
    place->op = place->exists && place->lane == LANE_COMPUTE ? same_op(from, to, place->op) : 0;
    place->tensor = place->exists && place->lane != LANE_COMPUTE ? same_tensor(from, to, place->tensor) : 0;
    place->layer = place->row >= ROW_LAYER ? same_layer(from, to, place->layer) : 0;
    place->set = place->op != NONE && place->tensor != NONE && place->layer != NONE;
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void carry_open(struct view_state *state, const struct profile *from, const struct profile *to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->open_count; i++) {
        const uint32_t layer = same_layer(from, to, state->open[i]);
        if (layer != NONE)
            state->open[count++] = layer;
    }
    qsort(state->open, count, sizeof state->open[0], compare_numbers);
    state->open_count = count;
}

static void carry_line(struct view_state *state, const struct profile *from, const struct profile *to) {
    struct layers_line *line = &state->layers.line;
    const uint32_t layer = same_layer(from, to, line->layer);
    *line = (struct layers_line){ layer == NONE ? 0 : layer, NONE, NONE };
    state->layers.top = 0;
}

/* Nothing is shown until the first outcome of the new profile: then one is back at the same place, if there is such a one. */
static void carry_places(struct view_state *state, const struct profile *from, const struct profile *to) {
    if (state->end_us > 0)
        state->place = bookmark_here(state);
    carry_place(&state->place, from, to);
    for (int i = 0; i < BOOKMARKS; i++)
        carry_place(&state->bookmarks.at[i], from, to);
    carry_open(state, from, to);
    carry_line(state, from, to);
    state->row = (struct row){ .kind = ROW_COMPUTE };
    state->selection = (struct selection){ .exists = false };
    state->mark = (struct target){ .kind = TARGET_NONE };
    state->trail_count = state->top_row = 0;
    state->end_us = state->axis_us = state->from_us = state->to_us = state->cursor_us = state->anchor_us = 0;
    state->playing = false;
    state->drag = (struct drag){ .kind = DRAG_NOTHING };
    state->bookmarks.awaiting = 0;
    state->pointed = NONE;
    state->whatif.moved[0] = state->whatif.moved[1] = false;
    state->problems = (struct problems_state){ .row = 0 };
    state->compare.row = 0;
}

/* ---- following ---- */

static void carry(struct view_state *state, const struct scene *scene, const struct subject *from) {
    carry_plan(state, from, scene->subject);
    carry_compared(state, from, scene->subject);
    whatif_settle(state, scene); /* only models have a pane of batches */
    if (!subject_alike(from, scene->subject))
        carry_places(state, from->profile, scene->profile);
}

unsigned state_follow(struct view_state *state, struct scene *scene, unsigned effects) {
    struct error error = { "", "" };
    if (effects & EFFECT_REPLAN)
        scene_change(scene);
    if (!(effects & EFFECT_WORK))
        return effects;
    struct subject *from = subject_hold(scene->subject);
    if (scene_open(scene, &state->settings.work, &error) == SS_OK) {
        carry(state, scene, from);
    } else {
        state->settings.work = from->work;
        if ((state->history != NULL && state->history->awaited != NULL) || state->lesson.setting)
            state->plan = NULL; /* it was made for the profile that can't be had */
        state_message(state, MESSAGE_BAD, error.text);
    }
    subject_release(from);
    return (effects & ~(unsigned)EFFECT_WORK) | EFFECT_REDRAW | EFFECT_RELAYOUT | EFFECT_PLAY;
}

/* What was set aside, of the profile that has changed, is to be found as it was left. */
static void carry_aside(struct view_state *aside, const struct subject *old, const struct subject *fresh) {
    uint32_t lost;
    if (aside->settings.work.model != NULL || aside->settings.work.profile != WORK_OPENED)
        return;
    if (aside->plan != NULL)
        aside->plan = carried(aside->history, old->profile, aside->plan, fresh, &lost);
    carry_compared(aside, old, fresh);
    if (!subject_alike(old, fresh))
        carry_places(aside, old->profile, fresh->profile);
}

unsigned state_reload(struct view_state *state, struct scene *scene, struct subject *fresh) {
    const struct subject *old = scene->opened;
    struct history *history = state->history;
    const bool shown = scene->subject == old;
    if (history != NULL) {
        if (history->aside.exists)
            carry_aside(history->aside.state, old, fresh);
        history_forget(history);
    }
    state_message(state, MESSAGE_INFO, state->plan != NULL && shown ? "The profile has changed on disk; your plan goes on."
                                                                    : "The profile has changed on disk and was read anew.");
    scene_replace_opened(scene, fresh);
    return shown ? state_follow(state, scene, EFFECT_WORK | state_replan(state)) : EFFECT_REDRAW;
}
