/* Editing: keep, offload or recompute the selection by hand; marking a range; undoing and redoing. */
#include "edit.h"

#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "reduce.h"
#include "view_problems.h"

/* ---- marking ---- */

static unsigned mark_toggle(struct view_state *state, const struct scene *scene) {
    struct target here = state_target(state, scene);
    if (state->mark.kind != TARGET_NONE) {
        state->mark = (struct target){ .kind = TARGET_NONE };
        return EFFECT_REDRAW;
    }
    if (here.kind == TARGET_NONE)
        return state_message(state, MESSAGE_INFO, "Nothing is selected that a range could begin at.");
    state->mark = here;
    return state_message(state, MESSAGE_INFO, "The range begins here: move on, then K, O or R; v or Esc drops it.");
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* TARGET seen in ops (LAYERS false) or in layers. */
static struct target widened(const struct profile *profile, struct target target, bool layers) {
    if (target.kind == TARGET_TENSOR) {
        uint32_t op = profile->tensors[target.first].producer;
        target = (struct target){ TARGET_OPS, op, op, NULL };
    }
    if (layers && target.kind == TARGET_OPS)
        target = (struct target){ TARGET_LAYERS, profile->ops[target.first].layer, profile->ops[target.last].layer,
                                  NULL };
    return target;
}

/* From the mark to HERE: layers where either end is one, else ops. Layers in the order of PLACE, if it is given. */
static struct target range_to(const struct profile *profile, const uint32_t *place, struct target mark,
                              struct target here) {
    bool layers = mark.kind == TARGET_LAYERS || here.kind == TARGET_LAYERS;
    mark = widened(profile, mark, layers);
    here = widened(profile, here, layers);
    if (!layers || place == NULL)
        return (struct target){ here.kind, smaller(mark.first, here.first), larger(mark.last, here.last), NULL };
    uint32_t from = place[mark.first], to = place[here.first];
    return (struct target){ TARGET_LAYERS, smaller(from, to), larger(from, to), place };
}

struct target state_target(const struct view_state *state, const struct scene *scene) {
    const struct selection *selection = &state->selection;
    struct target here = { .kind = TARGET_NONE };
    bool table = state->view == VIEW_LAYERS && scene->shown != NULL;
    if (table && state->layers.line.tensor != NONE)
        here = (struct target){ TARGET_TENSOR, state->layers.line.tensor, state->layers.line.tensor, NULL };
    else if (state->row.kind == ROW_LAYER)
        here = (struct target){ TARGET_LAYERS, state->row.layer, state->row.layer, NULL };
    else if (selection->exists && selection->event.lane == LANE_COMPUTE)
        here = (struct target){ TARGET_OPS, selection->op, selection->op, NULL };
    else if (selection->exists)
        here = (struct target){ TARGET_TENSOR, selection->tensor, selection->tensor, NULL };
    if (state->mark.kind == TARGET_NONE || here.kind == TARGET_NONE)
        return here;
    bool sorted = table && state->layers.sort != COLUMN_NAME;
    return range_to(scene->profile, sorted ? scene->shown->figures.place[state->layers.sort] : NULL, state->mark, here);
}

/* ---- acting on tensors ---- */

void edit_tensor(const struct profile *profile, const struct closure *closure, struct plan *plan, uint32_t tensor,
                 enum action action, struct edit_count *count) {
    if (plan->action[tensor] == action) {
        count->same++;
    } else if (profile->tensors[tensor].keep && action != ACTION_KEEP) {
        count->bound++;
    } else if (action == ACTION_RECOMPUTE && !closure_allows(closure, profile, tensor)) {
        count->barred++;
    } else {
        plan->action[tensor] = (uint8_t)action;
        count->changed++;
    }
}

static struct edit_count edit_plan(const struct scene *scene, struct plan *plan, struct target target,
                                   enum action action) {
    const struct profile *profile = scene->profile;
    struct edit_count count = { 0 };
    for (uint32_t i = 0; i < profile->managed_count; i++)
        if (target_has(profile, target, profile->managed[i]))
            edit_tensor(profile, &scene->closure, plan, profile->managed[i], action, &count);
    return count;
}

static const char *const DONE[ACTION_COUNT] = { "kept", "offloaded", "recomputed" };

/* "3 tensors kept; 1 must stay on the GPU." */
static unsigned say_edit(struct view_state *state, struct edit_count count, enum action action, const char *what) {
    char text[MESSAGE_MAX];
    int length;
    if (count.changed > 0)
        length = snprintf(text, sizeof text, "By hand: %s %s", what, DONE[action]);
    else if (count.same > 0)
        length = snprintf(text, sizeof text, "Nothing changed: %s %s already", what, DONE[action]);
    else if (count.bound + count.barred > 0)
        length = snprintf(text, sizeof text, "Nothing changed: %s", what);
    else
        length = snprintf(text, sizeof text, "The plan decides about nothing that is made here");
    if (count.bound > 0 && length < MESSAGE_MAX)
        length += snprintf(text + length, sizeof text - (size_t)length, "; %u must stay on the GPU",
                           (unsigned)count.bound);
    if (count.barred > 0 && length < MESSAGE_MAX)
        length += snprintf(text + length, sizeof text - (size_t)length, "; %u can't be recomputed: an op may not run twice",
                           (unsigned)count.barred);
    if (length < MESSAGE_MAX - 1)
        snprintf(text + length, sizeof text - (size_t)length, ".");
    return state_message(state, MESSAGE_INFO, text);
}

#define NO_MEMORY "No memory is left for another plan."

static struct plan *own_plan(struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct plan *copy = history_plan(state->history, scene->profile, plan);
    if (copy == NULL)
        return NULL;
    copy->planner = "by hand";
    copy->unit = UNIT_NAME[UNIT_TENSOR];
    copy->budget_bytes = BYTES_UNLIMITED; /* it is played under whatever budget the knob says */
    return copy;
}

unsigned state_take_plan(struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct plan *copy = state->history != NULL ? own_plan(state, scene, plan) : NULL;
    if (copy == NULL)
        return state_message(state, MESSAGE_BAD, NO_MEMORY);
    state->plan = copy;
    return state_replan(state);
}

unsigned state_take_changed(struct view_state *state, const struct scene *scene, const struct plan *plan,
                            const struct change *change, uint32_t count) {
    struct plan *copy = state->history != NULL ? own_plan(state, scene, plan) : NULL;
    if (copy == NULL || plan_add_distances(copy, &state->history->arena, scene->profile, NULL) != SS_OK)
        return state_message(state, MESSAGE_BAD, NO_MEMORY);
    changes_apply(copy, change, count);
    state->plan = copy;
    return state_replan(state);
}

unsigned state_edit(struct view_state *state, const struct scene *scene, struct target target, enum action action) {
    char what[TARGET_WORDS];
    const struct plan *base = state->plan != NULL     ? state->plan
                              : scene->shown != NULL ? &scene->shown->timeline->plan
                                                     : NULL;
    if (state->history == NULL || base == NULL || target.kind == TARGET_NONE)
        return state_message(state, MESSAGE_INFO, "Nothing is selected that a plan decides about.");
    struct plan *plan = own_plan(state, scene, base);
    if (plan == NULL)
        return state_message(state, MESSAGE_BAD, NO_MEMORY);
    struct edit_count count = edit_plan(scene, plan, target, action);
    target_words(scene->profile, target, state->ascii, what);
    unsigned effects = say_edit(state, count, action, what);
    if (count.changed == 0)
        return effects;
    state->plan = plan;
    return effects | state_replan(state);
}

/* ---- undoing ---- */

/* What undoing or redoing changed, in a few words. */
static void say_step(struct view_state *state, const struct scene *scene, const struct view_state *from, int direction) {
    char text[MESSAGE_MAX], now[UNIT_TEXT], was[UNIT_TEXT];
    const char *done = direction < 0 ? "Undone" : "Done again";
    snprintf(text, sizeof text, "%s: back where you were.", done);
    const bool same_work = work_equal(&state->settings.work, &from->settings.work);
    if (state->plan != from->plan && same_work)
        snprintf(text, sizeof text, "%s: the plan is %s.", done, state->plan != NULL ? "as it was edited" : "the planner's");
    else if (state->settings.planner != from->settings.planner)
        snprintf(text, sizeof text, "%s: planned by %s.", done, state->settings.planner->name);
    for (int knob = 0; knob < KNOB_COUNT && (state->plan == from->plan || !same_work); knob++) {
        knob_format((enum knob_id)knob, scene->profile, &state->settings, now);
        knob_format((enum knob_id)knob, scene->profile, &from->settings, was);
        if (strcmp(now, was) != 0) {
            snprintf(text, sizeof text, "%s: %s %s (was %s).", done, KNOBS[knob].name, now, was);
            break;
        }
    }
    state_message(state, MESSAGE_INFO, text);
}

static bool same_choice(const struct view_state *a, const struct view_state *b) {
    return a->plan == b->plan && settings_equal(&a->settings, &b->settings);
}

unsigned state_go_to(struct view_state *state, const struct scene *scene, const struct view_state *to) {
    unsigned effects = EFFECT_REDRAW | EFFECT_RELAYOUT | EFFECT_PLAY;
    const bool same = same_choice(to, state) && !state->planning && to->end_us > 0;
    state->settings = to->settings;
    state->plan = to->plan;
    state->history->awaited = to;
    state->history->stepped = true;
    if (!same || !state_restore(state, scene, &effects))
        effects |= state_replan(state);
    return effects;
}

static unsigned step(struct view_state *state, const struct scene *scene, int direction) {
    struct view_state from = *state;
    struct history *history = state->history;
    const struct view_state *to = history != NULL ? history_step(history, state, direction) : NULL;
    if (to == NULL)
        return state_message(state, MESSAGE_INFO, direction < 0 ? "Nothing is left to undo." : "Nothing is left to redo.");
    const unsigned effects = state_go_to(state, scene, to);
    if (direction < 0 && history->at == 0)
        return effects | state_message(state, MESSAGE_INFO, "Everything is undone: back where you began.");
    say_step(state, scene, &from, direction);
    return effects;
}

bool state_set_aside(struct view_state *state) {
    return state->history != NULL && history_set_aside(state->history, state);
}

unsigned state_take_back(struct view_state *state, const struct scene *scene) {
    const struct view_state *to = state->history != NULL ? history_take_back(state->history) : NULL;
    if (to == NULL)
        return 0;
    state->view = to->view;
    return state_go_to(state, scene, to);
}

/* Whether the outcome at hand is the one that MOMENT was seen with. */
static bool fits(const struct view_state *moment, const struct scene *scene) {
    struct view_state copy = *moment;
    return scene->shown != NULL && moment->end_us > 0 &&
           !(moment->end_us < scene->shown->timeline->end_us || moment->end_us > scene->shown->timeline->end_us) &&
           state_is_valid(&copy, scene);
}

bool state_restore(struct view_state *state, const struct scene *scene, unsigned *effects) {
    const struct view_state *moment = state->history->awaited;
    struct view_state now = *state;
    state->history->awaited = NULL;
    /* a planner that is stopped by the clock may have found something else this time */
    if (moment->end_us > 0 && !fits(moment, scene))
        return false;
    *state = *moment;
    state->width = now.width;
    state->height = now.height;
    state->ascii = now.ascii;
    state->generation = now.generation;
    state->planning = now.planning;
    state->challenge = now.challenge;
    state->message_kind = now.message_kind;
    memcpy(state->message, now.message, sizeof state->message);
    state->playing = state->ghost = false;
    state->drag = (struct drag){ .kind = DRAG_NOTHING };
    state->help = state->finding = state->knob_focused = state->command.open = state->presets.open = false;
    state->bookmarks.awaiting = 0; /* nobody goes back to type on */
    state->value[0] = '\0';
    *effects |= EFFECT_REDRAW | EFFECT_RELAYOUT | EFFECT_PLAY;
    return true;
}

bool edit_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_keep: *effects = state_edit(state, scene, state_target(state, scene), ACTION_KEEP); return true;
    case DO_offload: *effects = state_edit(state, scene, state_target(state, scene), ACTION_OFFLOAD); return true;
    case DO_recompute: *effects = state_edit(state, scene, state_target(state, scene), ACTION_RECOMPUTE); return true;
    case DO_fix_1:
    case DO_fix_2:
    case DO_fix_3:
    case DO_fix_4:
    case DO_fix_5:
    case DO_fix_6:
    case DO_fix_7:
    case DO_fix_8:
    case DO_fix_9: *effects = fix_apply(state, scene, (uint32_t)(action - DO_fix_1)); return true;
    case DO_mark: *effects = mark_toggle(state, scene); return true;
    case DO_undo: *effects = step(state, scene, -1); return true;
    case DO_redo: *effects = step(state, scene, 1); return true;
    default: return false;
    }
}
