#include "state.h"

#include <string.h>

#include "challenge.h"
#include "core/preset.h"
#include "grid.h"
#include "help.h"
#include "help_terms.h"
#include "move.h"
#include "reduce.h"
#include "text.h"
#include "view_compare.h"
#include "view_kind.h"

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
        .layers = { .line = { 0, NONE, NONE } },
        .pointed = NONE,
    };
    compare_start(state);
}

enum context state_context(const struct view_state *state) {
    return state->help           ? state->about.finding ? CONTEXT_TERM : CONTEXT_HELP
           : state->lesson.list  ? CONTEXT_LESSONS
           : state->command.open ? CONTEXT_COMMAND
           : state->presets.open ? CONTEXT_PRESETS
           : state->bookmarks.awaiting != 0 ? CONTEXT_LETTER
           : state->finding      ? CONTEXT_FIND
           : state->knob_focused ? CONTEXT_VALUE
                                 : VIEW_KINDS[state->view].context;
}

bool state_stale(const struct view_state *state, const struct scene *scene) {
    return state->planning || scene->shown == NULL || scene->shown->outcome != scene->latest;
}

unsigned state_message(struct view_state *state, enum message_kind kind, const char *text) {
    state->message_kind = kind;
    text_fit(state->message, sizeof state->message, text, MESSAGE_MAX, CUT_END, state->ascii);
    return EFFECT_REDRAW;
}

static void settle(struct view_state *state, const struct scene *scene) {
    VIEW_KINDS[state->view].settle(state, scene);
}

/* ---- outcomes ---- */

unsigned state_replan(struct view_state *state) {
    state->generation++;
    state->planning = true;
    state->improving = false;
    return EFFECT_REDRAW | EFFECT_REPLAN;
}

/* Brings times and selection over to the timeline that is shown now. */
static void take_timeline(struct view_state *state, const struct scene *scene) {
    double end_us = scene->shown->timeline->end_us;
    bool first = state->end_us <= 0;
    double scale = first ? 1 : end_us / state->end_us;
    state->end_us = end_us;
    state->axis_us = first || state->view != VIEW_COMPARE ? end_us : scale * state->axis_us;
    if (first) {
        window_set(state, 0, end_us);
        move_start(state, scene);
        bookmark_return(state, scene);
    } else {
        window_set(state, state->from_us * scale, state->to_us * scale);
        move_cursor(state, state->anchor_us * scale);
        move_find_again(state, scene);
    }
}

unsigned state_outcome(struct view_state *state, const struct scene *scene, bool final) {
    unsigned effects = EFFECT_REDRAW;
    bool fits = scene->shown != NULL && scene->shown->outcome == scene->latest;
    double before_us = state->end_us;
    state->planning = !final;
    if (final)
        lesson_before_outcome(state);
    if (final || scene->latest == NULL || !outcome_feasible(scene->latest))
        state->improving = false;
    else if (!state->improving) {
        state->improving = true;
        state->first_gap = outcome_gap(scene->latest);
    }
    bool restored = final && state->history != NULL && state->history->awaited != NULL && state_restore(state, scene, &effects);
    if (fits && (!restored || state->end_us <= 0))
        take_timeline(state, scene);
    else if (state->lesson.setting && final && scene->shown != NULL)
        take_timeline(state, scene); /* a page may show what does not fit */
    if (!fits && state->end_us <= 0 && before_us > 0)
        effects |= EFFECT_FORGET;
    settle(state, scene);
    if (final)
        effects |= lesson_after_outcome(state, scene) | challenge_note(state, scene);
    return effects;
}

unsigned state_failed(struct view_state *state, const char *message) {
    state->planning = state->improving = false;
    lesson_failed(state);
    if (state->history != NULL)
        state->history->awaited = NULL;
    return state_message(state, MESSAGE_BAD, message);
}

/* ---- the screen ---- */

unsigned state_maximise(struct view_state *state) {
    state->maximised = !state->maximised;
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

unsigned state_open_view(struct view_state *state, const struct scene *scene, enum view_id view) {
    if (state->view == view)
        return 0;
    state->view = view;
    state->maximised = false;
    window_axis(state, state->end_us);
    settle(state, scene);
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

static unsigned help_toggle(struct view_state *state, const struct scene *scene) {
    state->help = !state->help;
    state->help_scroll = 0;
    if (state->help)
        help_terms_of_screen(state, scene, &state->about);
    return EFFECT_REDRAW;
}

static unsigned help_move(struct view_state *state, int lines) {
    if (state->help)
        help_scroll_to(state, state->help_scroll + lines);
    return EFFECT_REDRAW;
}

/* Leaves what is typed; help says everything again. */
static unsigned help_find_leave(struct view_state *state) {
    state->about.finding = false;
    state->about.query[0] = '\0';
    state->help_scroll = 0;
    return EFFECT_REDRAW;
}

static unsigned help_part(struct view_state *state, int direction) {
    help_scroll_by_part(state, direction);
    return EFFECT_REDRAW;
}

static unsigned close_one(struct view_state *state, const struct scene *scene) {
    if (state->help && (state->about.finding || state->about.query[0] != '\0'))
        return help_find_leave(state);
    if (state->help)
        return help_toggle(state, scene);
    if (state->command.open || state->bookmarks.awaiting != 0) {
        state->command = (struct command_state){ .open = false };
        state->bookmarks.awaiting = 0;
        return EFFECT_REDRAW;
    }
    if (state->lesson.list) {
        state->lesson.list = false;
        return EFFECT_REDRAW;
    }
    if (state->presets.open) {
        state->presets.open = false;
        return EFFECT_REDRAW;
    }
    if (!state->finding && !state->knob_focused && state->mark.kind != TARGET_NONE) {
        state->mark = (struct target){ .kind = TARGET_NONE };
        return EFFECT_REDRAW;
    }
    if (state->finding) {
        state->finding = false;
        return EFFECT_REDRAW;
    }
    if (state->knob_focused)
        return knob_leave(state);
    if (state->maximised)
        return state_maximise(state);
    if (state->lesson.open)
        return lesson_close(state, scene);
    return challenge_is_open(state, NULL, NULL) ? challenge_leave(state, scene) : EFFECT_REDRAW;
}

unsigned state_resize(struct view_state *state, const struct scene *scene, int width, int height) {
    state->width = clamp_size(width);
    state->height = clamp_size(height);
    help_move(state, 0);
    settle(state, scene);
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

/* ---- actions ---- */

/* What was asked for stands there already: it is no change, and needs no plan. */
static bool is_there(const struct view_state *state, const struct view_state *before, unsigned effects) {
    return (effects & EFFECT_REPLAN) != 0 && !before->planning && before->end_us > 0 && state->plan == before->plan &&
           settings_equal(&state->settings, &before->settings);
}

unsigned state_note(struct view_state *state, const struct view_state *before, unsigned effects) {
    struct history *history = state->history;
    if (!work_equal(&before->settings.work, &state->settings.work))
        effects |= EFFECT_WORK;
    if (history == NULL)
        return effects;
    bool stepped = history->stepped;
    history->stepped = false;
    if (stepped)
        return effects;
    if (is_there(state, before, effects)) {
        state->planning = before->planning;
        state->improving = before->improving;
        state->generation = before->generation;
        effects = (effects & ~(unsigned)EFFECT_REPLAN) | EFFECT_REDRAW;
    }
    state->ghost = state->ghost || (effects & EFFECT_REPLAN) != 0;
    history->awaited = NULL; /* whoever goes on from here is not taken back */
    if (!history_note(history, before, (effects & EFFECT_REPLAN) != 0))
        effects |= state_message(state, MESSAGE_BAD, "No memory is left: this can't be undone.");
    return effects;
}

static bool screen_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    int page = state->height > 4 ? state->height - 4 : 1;
    switch (action) {
    case DO_help:
    case DO_help_close: *effects = help_toggle(state, scene); return true;
    case DO_help_up: *effects = help_move(state, -1); return true;
    case DO_help_down: *effects = help_move(state, 1); return true;
    case DO_help_page_up: *effects = help_move(state, -page); return true;
    case DO_help_page_down: *effects = help_move(state, page); return true;
    case DO_help_part_next: *effects = help_part(state, 1); return true;
    case DO_help_part_previous: *effects = help_part(state, -1); return true;
    case DO_not_modelled:
        *effects = help_toggle(state, scene);
        help_scroll_to_not_modelled(state);
        return true;
    case DO_copy: *effects = scene->shown != NULL ? EFFECT_REDRAW | EFFECT_COPY : 0; return true;
    case DO_close: *effects = close_one(state, scene); return true;
    case DO_repaint: *effects = EFFECT_REDRAW | EFFECT_REPAINT; return true;
    case DO_pin: *effects = compare_pin(state, scene); return true;
    case DO_save:
        *effects = scene->shown != NULL ? EFFECT_SAVE
                                        : state_message(state, MESSAGE_INFO, "There is no plan to save yet.");
        return true;
    case DO_suspend: *effects = EFFECT_SUSPEND; return true;
    case DO_quit: *effects = EFFECT_QUIT; return true;
#define X(name, context, key, tab, help)                                                                       \
    case DO_view_##name: *effects = state_open_view(state, scene, VIEW_##context); return true;
    VIEWS(X)
#undef X
    default: return false;
    }
}

/* The ghost of a change stays while one looks around in time, turns on, or does nothing to what is looked at. */
static bool lets_ghost_be(enum ui_action action) {
    return action == DO_nothing || action == DO_maximise || action == DO_knob_up || action == DO_knob_down ||
           action == DO_repaint || action == DO_suspend || ACTION_TABLE[action].group == GROUP_TIME;
}

unsigned state_perform(struct view_state *state, const struct scene *scene, enum ui_action action) {
    state->ghost = state->ghost && (state->planning || lets_ghost_be(action));
    bool had_message = state->message_kind != MESSAGE_NONE;
    unsigned effects = 0;
    state->message_kind = MESSAGE_NONE;
    state->message[0] = '\0';
    if (lesson_act(state, scene, action, &effects)) {
        settle(state, scene);
        return effects | (had_message ? EFFECT_REDRAW : 0);
    }
    if (!challenge_act(state, scene, action, &effects) && !VIEW_KINDS[state->view].act(state, scene, action, &effects)) {
        effects = 0;
        if (!edit_act(state, scene, action, &effects) && !turn_act(state, scene, action, &effects) &&
            !command_act(state, scene, action, &effects) && !presets_act(state, action, &effects) && !bookmark_act(state, scene, action, &effects) &&
            !typing_act(state, scene, action, &effects))
            screen_act(state, scene, action, &effects);
    }
    presets_settle(state, action);
    settle(state, scene);
    return effects | (had_message ? EFFECT_REDRAW : 0);
}

unsigned state_set(struct view_state *state, const struct settings *settings, bool part) {
    struct view_state before = *state;
    const unsigned work = work_equal(&settings->work, &state->settings.work) ? 0 : EFFECT_WORK;
    state->settings = *settings;
    const unsigned effects = state_replan(state) | work;
    return part ? effects : state_note(state, &before, effects);
}

unsigned state_apply(struct view_state *state, const struct scene *scene, enum ui_action action) {
    struct view_state before = *state;
    if (lesson_bars(state, action))
        return 0;
    return state_note(state, &before, state_perform(state, scene, action));
}

/* Takes KEY as a character of the text that is being typed. */
static bool type(struct view_state *state, struct key key, unsigned *effects) {
    if (value_type(state, key, effects))
        return true;
    *effects = EFFECT_REDRAW;
    return find_type(state, key) || command_type(state, key) || term_type(state, key);
}

unsigned state_press(struct view_state *state, const struct scene *scene, struct key key) {
    unsigned effects = 0;
    if (type(state, key, &effects))
        return effects;
    effects = 0;
    if (bookmark_type(state, scene, key, &effects) || presets_type(state, key, &effects))
        return effects;
    enum context context = state_context(state);
    enum context below = context == CONTEXT_VALUE || context == CONTEXT_PRESETS ? VIEW_KINDS[state->view].context
                         : context == CONTEXT_TERM ? CONTEXT_HELP
                                                   : context;
    return state_perform(state, scene, action_for_key(key, context, below));
}

/* On a page of a lesson its keys go before those of the view. */
static unsigned press(struct view_state *state, const struct scene *scene, struct key key) {
    enum ui_action action = DO_nothing;
    if (lesson_bars(state, action_for_key(key, CONTEXT_ANY, CONTEXT_ANY)))
        return 0;
    if (lesson_has_keys(state) && state_context(state) == VIEW_KINDS[state->view].context) {
        enum context page = lesson_context(state);
        action = action_in(key, page);
        if (action == DO_nothing && page == CONTEXT_QUESTION)
            action = action_in(key, CONTEXT_LESSON);
    }
    return action != DO_nothing ? state_perform(state, scene, action) : state_press(state, scene, key);
}

unsigned state_key(struct view_state *state, const struct scene *scene, struct key key) {
    struct view_state before = *state;
    return state_note(state, &before, press(state, scene, key));
}

bool state_paste(struct view_state *state, const struct scene *scene, struct key key, unsigned *effects) {
    struct view_state before = *state;
    bool typed = type(state, key, effects);
    if (!typed)
        *effects = context_is_view(state_context(state))
                       ? state_message(state, MESSAGE_INFO, "What is pasted is not taken for keys: it goes where a text is typed.")
                       : 0;
    *effects = state_note(state, &before, *effects);
    return typed;
}

/* ---- for tests ---- */

static bool times_are_valid(const struct view_state *state) {
    return state->from_us >= 0 && state->to_us <= state->axis_us && state->from_us <= state->to_us &&
           (state->from_us < state->to_us || state->end_us <= 0) && (state->axis_us > 0) == (state->end_us > 0) && state->cursor_us >= 0 &&
           state->cursor_us <= state->end_us && state->anchor_us >= 0 && state->anchor_us <= state->end_us;
}

bool state_is_valid(const struct view_state *state, const struct scene *scene) {
    if (state->width < 1 || state->height < 1 || state->knob >= KNOB_COUNT || state->presets.choice >= PRESET_COUNT || state->view >= VIEW_COUNT ||
        memchr(state->value, '\0', sizeof state->value) == NULL ||
        memchr(state->command.text, '\0', sizeof state->command.text) == NULL ||
        memchr(state->query, '\0', sizeof state->query) == NULL || state->help_scroll < 0 ||
        memchr(state->about.query, '\0', sizeof state->about.query) == NULL || state->about.count > HELP_TERMS)
        return false;
    if (!lesson_is_valid(state))
        return false;
    for (int view = 0; view < VIEW_COUNT; view++)
        if (!VIEW_KINDS[view].is_valid(state, scene))
            return false;
    if (scene->shown == NULL)
        return !state->selection.exists && state->end_us <= 0;
    return times_are_valid(state) && (!state->selection.exists || move_event_exists(scene, state->selection.event));
}
