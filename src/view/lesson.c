/* Taking lessons: the list, turning pages, answering, looking around and coming back, leaving. What a page sets is asked for
 * like any other outcome; when it is there, the screen begins anew, the page's keys are pressed, and its figures are taken
 * from it. */
#include <stdio.h>
#include <string.h>

#include "challenge.h"
#include "classroom.h"
#include "lesson_panel.h"
#include "move.h"
#include "reduce.h"
#include "view_kind.h"

void classroom_free(struct classroom *classroom) {
    lesson_play_free(&classroom->play);
    *classroom = (struct classroom){ .source = NULL };
}

/* ---- what is taught ---- */

/* Inline profiles have the numbers of their lessons, from 1: 0 is what the viewer was opened with (core/work.h). */
static struct work_choice work_of(const struct classroom *classroom) {
    const struct lesson *lesson = classroom->play.lesson;
    if (lesson->model != NULL)
        return work_of_model(lesson->model, &lesson->model_options);
    return (struct work_choice){ .profile = classroom->number + 1 };
}

enum ss_status classroom_profile(void *context, uint32_t number, struct arena *arena, struct profile *out, struct error *error) {
    const struct classroom *classroom = context;
    const struct lesson *lesson;
    (void)arena; /* a lesson stays as long as anyone looks at it */
    enum ss_status status = classroom->source->open(classroom->source->context, number - 1, &lesson, error);
    if (status == SS_OK)
        *out = lesson->profile;
    return status;
}

static bool have_list(struct view_state *state, unsigned *effects) {
    struct classroom *classroom = state->classroom;
    struct error error = { "", "" };
    if (classroom == NULL || classroom->source == NULL) {
        *effects = state_message(state, MESSAGE_INFO, "There are no lessons here.");
        return false;
    }
    if (classroom->entry == NULL &&
        classroom->source->list(classroom->source->context, &classroom->entry, &classroom->count, &error) != SS_OK) {
        *effects = state_message(state, MESSAGE_BAD, error.text);
        return false;
    }
    return true;
}

/* ---- pages ---- */

/* Whether the screen is as the page sets it. */
static bool is_as_set(const struct view_state *state) {
    const struct lesson_play *play = &state->classroom->play;
    struct work_choice work = work_of(state->classroom);
    struct settings settings = state->settings;
    settings.work = lesson_play_stand(play)->settings.work;
    return work_equal(&state->settings.work, &work) && lesson_play_is_as_set(play, &settings, state->plan);
}

/* Asks for what the page sets, or goes on at once where it is there. FRESH: the screen begins anew with it. */
static unsigned set_page(struct view_state *state, const struct scene *scene, bool fresh) {
    const struct lesson_play *play = &state->classroom->play;
    const struct lesson_stand *stand = lesson_play_stand(play);
    bool there = is_as_set(state) && !state->planning && scene->latest != NULL && !lesson_play_waits(play);
    history_begin(state->history); /* what can be undone is what was done on the page */
    state->settings = stand->settings;
    state->settings.work = work_of(state->classroom);
    state->plan = stand->plan;
    knob_leave(state);
    state->finding = state->playing = false;
    state->mark = (struct target){ .kind = TARGET_NONE };
    state->lesson.setting = true;
    state->lesson.fresh = fresh;
    return EFFECT_RELAYOUT | EFFECT_PLAY | (there ? state_outcome(state, scene, true) : state_replan(state));
}

/* A text leaves the page to its question or task as soon as both have room on it. */
static void open_question(const struct view_state *state, const struct scene *scene) {
    struct lesson_play *play = &state->classroom->play;
    if (play->phase == LESSON_TELL && lesson_page_holds_all(state, scene->profile->layer_count))
        lesson_play_next(play);
}

/* Another page is open than before, when BEFORE was what stood. BACK: whatever is on the screen belongs to a later one. */
static unsigned show_page(struct view_state *state, const struct scene *scene, const struct lesson_stand *before, bool back) {
    const struct lesson_play *play = &state->classroom->play;
    const struct lesson_stand *now = lesson_play_stand(play);
    bool reveals = play->phase == LESSON_REVEAL || play->phase == LESSON_DONE;
    state->lesson.part = 0;
    state->lesson.asked = false;
    if (now != before)
        return set_page(state, scene, back || !reveals || now->keys[0] != '\0');
    if (!is_as_set(state) || lesson_play_waits(play))
        return set_page(state, scene, false);
    open_question(state, scene);
    history_begin(state->history);
    return EFFECT_REDRAW | EFFECT_RELAYOUT | (play->phase == LESSON_END ? EFFECT_LESSON_END : 0);
}

/* Once more is needed where something is given away. */
static unsigned give_up(struct view_state *state, const struct scene *scene) {
    struct lesson_play *play = &state->classroom->play;
    const struct lesson_stand *before = lesson_play_stand(play);
    bool task = play->phase == LESSON_TASK;
    if (!state->lesson.asked) {
        state->lesson.asked = true;
        return state_message(state, MESSAGE_INFO, task ? "Try it: the goal stands above. Space once more shows a solution."
                                                       : "Predict first: a letter answers. Space once more shows the answer.");
    }
    return lesson_play_give_up(play) ? show_page(state, scene, before, false) : 0;
}

static unsigned next(struct view_state *state, const struct scene *scene) {
    struct classroom *classroom = state->classroom;
    struct lesson_play *play = &classroom->play;
    const struct lesson_stand *before = lesson_play_stand(play);
    if (state->lesson.part + 1 < lesson_parts(state, scene->profile->layer_count)) {
        state->lesson.part++;
        return EFFECT_REDRAW;
    }
    if (play->phase == LESSON_ASK || play->phase == LESSON_TASK)
        return give_up(state, scene);
    if (play->phase == LESSON_END) {
        if (classroom->number + 1 < classroom->count)
            return lesson_open(state, scene, classroom->number + 1);
        return state_message(state, MESSAGE_INFO, "This was the last lesson: L shows them all.");
    }
    if (!lesson_play_next(play))
        return state_message(state, MESSAGE_BAD, "What this page shows could not be planned: BSpace goes back.");
    return show_page(state, scene, before, false);
}

static unsigned back(struct view_state *state, const struct scene *scene) {
    struct lesson_play *play = &state->classroom->play;
    const struct lesson_stand *before = lesson_play_stand(play);
    if (state->lesson.part > 0) {
        state->lesson.part--;
        return EFFECT_REDRAW;
    }
    const bool asks = play->phase == LESSON_ASK || play->phase == LESSON_TASK;
    bool turned = lesson_play_back(play);
    if (turned && asks && lesson_page_holds_all(state, scene->profile->layer_count)) { /* the text stands on this page */
        turned = lesson_play_back(play);
        if (!turned)
            lesson_play_next(play);
    }
    if (!turned)
        return state_message(state, MESSAGE_INFO, "This is where the lesson begins.");
    return show_page(state, scene, before, true);
}

static unsigned answer(struct view_state *state, const struct scene *scene, uint32_t which) {
    struct lesson_play *play = &state->classroom->play;
    const struct lesson_stand *before = lesson_play_stand(play);
    if (!lesson_play_answer(play, which))
        return state_message(state, MESSAGE_INFO, "There is no such answer.");
    return show_page(state, scene, before, false);
}

/* ---- coming and going ---- */

unsigned lesson_open(struct view_state *state, const struct scene *scene, uint32_t number) {
    struct classroom *classroom = state->classroom;
    struct error error = { "", "" };
    const struct lesson *lesson;
    unsigned effects = 0;
    if (!have_list(state, &effects))
        return effects;
    if (number >= classroom->count)
        return state_message(state, MESSAGE_BAD, "There is no such lesson.");
    if (classroom->entry[number].fault != NULL)
        return state_message(state, MESSAGE_BAD, classroom->entry[number].fault);
    bool again = classroom->play.lesson != NULL && classroom->number == number && classroom->play.phase != LESSON_END;
    struct lesson_play play;
    if (!again) {
        if (classroom->source->open(classroom->source->context, number, &lesson, &error) != SS_OK ||
            lesson_play_start(&play, lesson, &error) != SS_OK)
            return state_message(state, MESSAGE_BAD, error.text);
    }
    state->lesson.list = false;
    if (!state->lesson.open && !challenge_is_open(state, NULL, NULL) && !state_set_aside(state)) {
        if (!again)
            lesson_play_free(&play);
        return state_message(state, MESSAGE_BAD, "No memory is left for a lesson.");
    }
    if (!again) {
        lesson_play_free(&classroom->play);
        classroom->play = play;
        classroom->number = number;
    }
    state->lesson = (struct lesson_state){ .open = true, .choice = number };
    return set_page(state, scene, true);
}

unsigned lesson_open_at(struct view_state *state, const struct scene *scene, uint32_t number, uint32_t step) {
    struct error error = { "", "" };
    unsigned effects = lesson_open(state, scene, number);
    if (!state->lesson.open)
        return effects;
    if (step != LESSON_FROM_START) {
        struct lesson_play *play = &state->classroom->play;
        lesson_play_go(play, step);
        if (lesson_play_compute_before(play, &error) != SS_OK)
            effects |= state_message(state, MESSAGE_BAD, error.text);
        effects |= set_page(state, scene, true);
        state->lesson.ahead = true;
    }
    if (state->history != NULL)
        state->history->stepped = false; /* no key did it */
    return effects | EFFECT_WORK;
}

static unsigned lesson_leave(struct view_state *state, const struct scene *scene) {
    uint32_t number = state->classroom->number;
    bool over = state->classroom->play.phase == LESSON_END;
    unsigned effects = state_take_back(state, scene);
    state->lesson = (struct lesson_state){ .choice = number };
    return effects | EFFECT_RELAYOUT |
           state_message(state, MESSAGE_INFO, over ? "Your own work is back as you left it."
                                                   : "Your own work is back as you left it; L and Enter go on with the lesson.");
}

static unsigned look_around(struct view_state *state) {
    state->classroom->left = *state;
    state->lesson.away = true;
    history_begin(state->history);
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

/* To the page as it was left, where it was as it should be, or a task is being tried. */
static unsigned come_back(struct view_state *state, const struct scene *scene) {
    const struct view_state *left = &state->classroom->left;
    state->lesson.away = false;
    if (state->history == NULL || !(state->classroom->play.phase == LESSON_TASK || is_as_set(left)))
        return set_page(state, scene, true);
    history_restart(state->history);
    return EFFECT_RELAYOUT | state_go_to(state, scene, left);
}

unsigned lesson_close(struct view_state *state, const struct scene *scene) {
    return state->lesson.away ? come_back(state, scene) : lesson_leave(state, scene);
}

/* ---- the list ---- */

static unsigned list_toggle(struct view_state *state) {
    unsigned effects = 0;
    if (!state->lesson.list && !have_list(state, &effects))
        return effects;
    state->lesson.list = !state->lesson.list;
    return EFFECT_REDRAW;
}

/* The row below the last lesson is the challenge. */
static unsigned list_move(struct view_state *state, int64_t by) {
    int64_t to = (int64_t)state->lesson.choice + by, last = state->classroom->count;
    state->lesson.choice = (uint32_t)(to > last ? last : to < 0 ? 0 : to);
    return EFFECT_REDRAW;
}

static unsigned list_take(struct view_state *state, const struct scene *scene) {
    if (state->pointed != NONE)
        state->lesson.choice = state->pointed;
    return state->lesson.choice == state->classroom->count ? challenge_start(state, scene)
                                                           : lesson_open(state, scene, state->lesson.choice);
}

static bool list_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_lessons_up: *effects = list_move(state, -1); return true;
    case DO_lessons_down: *effects = list_move(state, 1); return true;
    case DO_lessons_first: *effects = list_move(state, INT32_MIN); return true;
    case DO_lessons_last: *effects = list_move(state, INT32_MAX); return true;
    case DO_lessons_take: *effects = list_take(state, scene); return true;
    case DO_lessons_close: *effects = list_toggle(state); return true;
    default: return false;
    }
}

/* What L does: the list, or in a lesson away from its page and back. */
static unsigned lessons(struct view_state *state, const struct scene *scene) {
    if (!state->lesson.open || state->classroom->play.phase == LESSON_END)
        return list_toggle(state);
    return state->lesson.away ? come_back(state, scene) : look_around(state);
}

bool lesson_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    bool asked = state->lesson.asked;
    if (action == DO_lessons) {
        *effects = lessons(state, scene);
        return true;
    }
    if (state->lesson.list && list_act(state, scene, action, effects))
        return true;
    state->lesson.asked = false;
    if (!lesson_has_keys(state))
        return false;
    switch (action) {
    case DO_lesson_next:
    case DO_lesson_solve:
        state->lesson.asked = asked;
        *effects = next(state, scene);
        return true;
    case DO_lesson_back:
    case DO_lesson_retell: *effects = back(state, scene); return true;
    case DO_answer_a:
    case DO_answer_b:
    case DO_answer_c:
    case DO_answer_d: *effects = answer(state, scene, (uint32_t)(action - DO_answer_a)); return true;
    default: return false;
    }
}

/* ---- contexts ---- */

bool lesson_has_keys(const struct view_state *state) {
    return state->lesson.open && !state->lesson.away && !state->lesson.setting;
}

enum context lesson_context(const struct view_state *state) {
    switch (state->classroom->play.phase) {
    case LESSON_ASK: return CONTEXT_QUESTION;
    case LESSON_TASK: return CONTEXT_TASK;
    default: return CONTEXT_LESSON;
    }
}

bool lesson_bars(const struct view_state *state, enum ui_action action) {
    static const enum ui_action ALWAYS[] = { DO_quit, DO_close, DO_help, DO_repaint, DO_suspend };
    if (!state->lesson.setting)
        return false;
    for (size_t i = 0; i < sizeof ALWAYS / sizeof ALWAYS[0]; i++)
        if (action == ALWAYS[i])
            return false;
    return true;
}

/* ---- outcomes ---- */

/* A screen as nobody has touched it; settings, size and what is remembered stay. */
static void begin_screen(struct view_state *state) {
    state->view = VIEW_TIMELINE;
    state->knob = KNOB_BUDGET;
    state->pane = PANE_ENGINES;
    state->maximised = state->help = state->ghost = false;
    state->inspector_scroll = 0;
    state->row = (struct row){ ROW_COMPUTE, 0 };
    state->selection = (struct selection){ .exists = false };
    state->layers = (struct layers_state){ .line = { 0, NONE, NONE } };
    state->command = (struct command_state){ .open = false };
    state->trail_count = state->open_count = 0;
    state->top_row = 0;
    state->end_us = state->from_us = state->to_us = state->cursor_us = state->anchor_us = 0;
    state->whatif = (struct whatif_state){ 0 };
    state->problems = (struct problems_state){ 0 };
    state->place = (struct bookmark){ .set = false };
    compare_start(state);
}

void lesson_before_outcome(struct view_state *state) {
    if (state->lesson.open && state->lesson.setting && state->lesson.fresh)
        begin_screen(state);
}

static const char *keys_of(const struct lesson_play *play) {
    const char *keys = lesson_play_stand(play)->keys;
    return keys[0] != '\0' ? keys : play->lesson->step[play->step].stand.keys;
}

/* A layer that is pointed at comes into sight, unless the page's keys choose what is. */
static void show_layer(struct view_state *state, const struct scene *scene) {
    const struct lesson_stand *stand = lesson_play_stand(&state->classroom->play);
    for (uint32_t i = 0; i < stand->highlight_count; i++) {
        if (stand->highlight[i].id == LESSON_PLACE_LAYER) {
            move_to(state, scene, (struct row){ ROW_LAYER, stand->highlight[i].index }, state->cursor_us);
            VIEW_KINDS[state->view].settle(state, scene);
            return;
        }
    }
}

static unsigned press_keys(struct view_state *state, const struct scene *scene) {
    const char *script = keys_of(&state->classroom->play);
    struct arena arena = { 0 };
    struct key *keys = NULL;
    size_t count = 0;
    unsigned effects = 0;
    if (script[0] == '\0' && scene->shown != NULL)
        show_layer(state, scene);
    if (keys_parse(script, &arena, &keys, &count, NULL) == SS_OK)
        for (size_t i = 0; i < count; i++)
            effects |= state_press(state, scene, keys[i]);
    arena_free(&arena);
    return effects & ~(unsigned)(EFFECT_QUIT | EFFECT_SUSPEND | EFFECT_SAVE | EFFECT_EXPORT | EFFECT_COPY);
}

/* Who changes something while a task is announced has begun with it. */
static bool takes_up_task(const struct view_state *state) {
    const struct lesson_play *play = &state->classroom->play;
    return play->phase == LESSON_TELL && play->lesson->step[play->step].kind == LESSON_SETS_TASK && !is_as_set(state);
}

unsigned lesson_after_outcome(struct view_state *state, const struct scene *scene) {
    struct lesson_state *lesson = &state->lesson;
    unsigned effects = EFFECT_REDRAW | EFFECT_RELAYOUT;
    if (!lesson->open || lesson->away || scene->latest == NULL)
        return 0;
    struct lesson_play *play = &state->classroom->play;
    struct work_choice work = work_of(state->classroom);
    bool ours = work_equal(&state->settings.work, &work); /* else the profile can't be had, or was built otherwise */
    if (lesson->setting) {
        if (ours)
            lesson_play_take(play, scene->latest);
        if (ours && lesson->fresh)
            effects |= press_keys(state, scene);
        if (ours && lesson->ahead && play->lesson->step[play->step].kind != LESSON_TELLS)
            lesson_play_next(play);
        lesson->setting = lesson->fresh = lesson->ahead = false;
        if (ours)
            open_question(state, scene);
        return effects | (play->phase == LESSON_END ? EFFECT_LESSON_END : 0);
    }
    bool begins = ours && takes_up_task(state) && lesson_play_next(play);
    bool turned = ours && play->phase == LESSON_TASK && lesson_play_take(play, scene->latest);
    if (!begins && !turned)
        return 0;
    lesson->part = 0;
    lesson->asked = false;
    return effects;
}

void lesson_failed(struct view_state *state) {
    state->lesson.setting = state->lesson.fresh = state->lesson.ahead = false;
}

bool lesson_is_valid(const struct view_state *state) {
    const struct lesson_state *lesson = &state->lesson;
    if (lesson->open && (state->classroom == NULL || state->classroom->play.lesson == NULL))
        return false;
    if (lesson->list && (state->classroom == NULL || state->classroom->entry == NULL))
        return false;
    return (!lesson->list || lesson->choice <= state->classroom->count) &&
           (lesson->open || (!lesson->away && !lesson->setting));
}
