#include "lesson_check.h"

#include <stdio.h>
#include <string.h>

#include "lesson_play.h"

#define UNKNOWN "\1" /* stands for a figure that is not there: no text has it */
#define PLACE 64 /* bytes of a path behind "$.steps[N]" */

struct checking {
    struct lesson_play play;
    struct lesson_faults *faults;
    struct arena scratch;
    struct error *error;
    enum ss_status status;
};

static const struct lesson_step *step_of(const struct checking *checking) {
    return &checking->play.lesson->step[checking->play.step];
}

enum ss_status lesson_faults_add(struct lesson_faults *faults, const char *place, const char *text, struct error *error) {
    if (faults->count == LESSON_FAULTS_MOST)
        return SS_OK;
    struct lesson_fault *fault = &faults->fault[faults->count];
    fault->place = arena_strdup(faults->arena, place);
    fault->text = arena_strdup(faults->arena, text);
    if (!fault->place || !fault->text)
        return error_no_memory(error);
    faults->count++;
    return SS_OK;
}

/* PLACE is what follows "$.steps[N]". */
static void add(struct checking *checking, const char *place, const char *text) {
    char whole[PLACE + 24];
    if (checking->status != SS_OK)
        return;
    snprintf(whole, sizeof whole, "$.steps[%u]%s", checking->play.step, place);
    checking->status = lesson_faults_add(checking->faults, whole, text, checking->error);
}

/* ---- texts ---- */

static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void check_words(struct checking *checking, enum lesson_part part, uint32_t index, size_t most, const char *place) {
    char found[128];
    const char *text = lesson_play_fill(&checking->play, part, index, UNKNOWN, &checking->scratch);
    if (!text) {
        checking->status = error_no_memory(checking->error);
        return;
    }
    if (characters(text) > most) {
        snprintf(found, sizeof found, "expected at most %zu characters once filled in, found %zu", most, characters(text));
        add(checking, place, found);
    }
    if (strstr(text, UNKNOWN))
        add(checking, place, "speaks of a figure that is not there: the plan does not fit, or the tensor has none");
}

/* ---- what holds ---- */

static void check_claims(struct checking *checking) {
    const struct lesson_step *step = step_of(checking);
    for (uint32_t i = 0; i < step->claim_count; i++) {
        char trace[240], text[512], place[PLACE];
        if (lesson_play_holds(&checking->play, step->claim[i], trace, sizeof trace))
            continue;
        snprintf(place, sizeof place, ".claims[%u]", i);
        snprintf(text, sizeof text, "does not hold: %.200s (%s)", step->claim[i], trace);
        add(checking, place, text);
    }
}

/* Whether there is anything at ID to be lit up; lanes are there though nothing is on them. */
static bool is_there(const struct snapshot *snapshot, enum lesson_place_id id) {
    const double *of = snapshot->quantities.of;
    switch (id) {
    case LESSON_PLACE_recompute: return of[QUANTITY_recompute_us] > 0;
    case LESSON_PLACE_stall: return of[QUANTITY_stall_count] > 0;
    default: return true;
    }
}

/* What a plan that does not fit shows is what was shown before: its lanes are not looked at. */
static void check_places(struct checking *checking, const struct lesson_stand *stand, bool end, const char *part) {
    const struct lesson_play *play = &checking->play;
    const struct snapshot *snapshot = end ? &play->end[play->step] : &play->entry[play->step];
    for (uint32_t i = 0; i < stand->highlight_count && snapshot->quantities.of[QUANTITY_step_us] > 0; i++) {
        char place[PLACE], text[128];
        if (is_there(snapshot, (enum lesson_place_id)stand->highlight[i].id))
            continue;
        snprintf(place, sizeof place, "%s.highlight[%u]", part, i);
        snprintf(text, sizeof text, "expected a place that is there, found '%s': the step has none", LESSON_PLACE_NAME[stand->highlight[i].id]);
        add(checking, place, text);
    }
}

/* Takes the outcome of STAND as if the page showed it. */
static void compute(struct checking *checking, const struct lesson_stand *stand, bool *turned) {
    struct arena arena = { 0 };
    struct outcome outcome;
    struct lesson_play *play = &checking->play;
    struct outcome_request request = settings_request(&play->lesson->profile, &stand->settings);
    request.plan = stand->plan;
    if (checking->status == SS_OK)
        checking->status = outcome_compute(&request, &arena, &outcome, checking->error);
    *turned = checking->status == SS_OK && lesson_play_take(play, &outcome);
    arena_free(&arena);
}

static void settle(struct checking *checking) {
    bool turned;
    if (lesson_play_waits(&checking->play))
        compute(checking, lesson_play_stand(&checking->play), &turned);
}

/* ---- questions and tasks ---- */

static void check_answers(struct checking *checking, const struct lesson_question *question) {
    char text[512] = "expected exactly one answer to be right, found";
    uint32_t right = 0;
    for (uint32_t i = 0; i < question->answer_count; i++) {
        char trace[240];
        const bool holds = lesson_play_holds(&checking->play, question->answer[i].when, trace, sizeof trace);
        const size_t used = strlen(text);
        if (holds)
            snprintf(text + used, sizeof text - used, "%s '%.60s' (%.100s)", right ? " and" : "", question->answer[i].text, trace);
        right += holds;
    }
    if (right == 1)
        return;
    if (right == 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), " none");
    add(checking, ".question.answers", text);
}

static void check_question(struct checking *checking, const struct lesson_question *question) {
    char place[PLACE];
    lesson_play_next(&checking->play);
    check_words(checking, LESSON_PART_ASK, 0, LESSON_ASK_MOST, ".question.ask");
    for (uint32_t i = 0; i < question->answer_count; i++) {
        snprintf(place, sizeof place, ".question.answers[%u].text", i);
        check_words(checking, LESSON_PART_ANSWER, i, LESSON_ANSWER_MOST, place);
    }
    lesson_play_answer(&checking->play, 0);
    settle(checking);
    if (question->reveal.highlight != step_of(checking)->stand.highlight)
        check_places(checking, &question->reveal, true, ".question.reveal");
    check_answers(checking, question);
    check_words(checking, LESSON_PART_WHY, 0, LESSON_TEXT_MOST, ".question.why");
    for (uint32_t i = 0; i < question->answer_count; i++) {
        snprintf(place, sizeof place, ".question.answers[%u].why", i);
        check_words(checking, LESSON_PART_ANSWER_WHY, i, LESSON_TEXT_MOST, place);
    }
}

/* Plays STAND as the learner's: it must not reach the goal. */
static void must_miss(struct checking *checking, const struct lesson_stand *stand, const char *place, const char *text) {
    bool turned;
    compute(checking, stand, &turned);
    if (turned) {
        add(checking, place, text);
        lesson_play_back(&checking->play);
    }
}

static void check_task(struct checking *checking, const struct lesson_task *task) {
    const struct lesson_step *step = step_of(checking);
    char trace[240], text[512];
    lesson_play_next(&checking->play);
    check_words(checking, LESSON_PART_ASK, 0, LESSON_ASK_MOST, ".task.ask");
    must_miss(checking, &step->stand, ".task.goal", "expected a goal still to be reached, found that it holds at first");
    must_miss(checking, &task->attempt, ".task.attempt", "expected an attempt that misses the goal, found that it reaches it");
    lesson_play_give_up(&checking->play);
    settle(checking);
    if (task->solution.highlight != step->stand.highlight)
        check_places(checking, &task->solution, true, ".task.solution");
    if (!lesson_play_holds(&checking->play, task->goal, trace, sizeof trace)) {
        snprintf(text, sizeof text, "expected a solution that reaches the goal %.160s (%s)", task->goal, trace);
        add(checking, ".task.solution", text);
    }
    check_words(checking, LESSON_PART_WHY, 0, LESSON_TEXT_MOST, ".task.why");
}

static void check_step(struct checking *checking) {
    const struct lesson_step *step = step_of(checking);
    settle(checking);
    check_places(checking, &step->stand, false, "");
    check_words(checking, LESSON_PART_TEXT, 0, LESSON_TEXT_MOST, ".text");
    if (step->kind == LESSON_ASKS)
        check_question(checking, &step->question);
    if (step->kind == LESSON_SETS_TASK)
        check_task(checking, &step->task);
    check_claims(checking);
    arena_reset(&checking->scratch);
}

enum ss_status lesson_check(const struct lesson *lesson, struct lesson_faults *faults, struct error *error) {
    struct checking checking = { .faults = faults, .error = error };
    checking.status = lesson_play_start(&checking.play, lesson, error);
    if (checking.status != SS_OK)
        return checking.status;
    if (lesson_play_score(&checking.play).of == 0)
        checking.status = lesson_faults_add(faults, "$.steps", "expected at least one question or task: a lesson asks before it shows", error);
    while (checking.status == SS_OK && checking.play.phase != LESSON_END) {
        check_step(&checking);
        if (checking.status == SS_OK && !lesson_play_next(&checking.play))
            checking.status = error_set(error, SS_INTERNAL, "the lesson can't be played on after step %u", checking.play.step + 1);
    }
    if (checking.status != SS_OK && checking.status != SS_INTERNAL) { /* it can't be planned */
        const struct error said = error ? *error : (struct error){ "", "can't be planned" };
        checking.status = SS_OK;
        add(&checking, "", said.text);
    }
    lesson_play_free(&checking.play);
    arena_free(&checking.scratch);
    return checking.status;
}
