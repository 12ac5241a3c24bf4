/* Any bytes at all as a lesson: refused with a message, or played — checked from end to end, and told page by page, while the
 * bytes say what the learner does. */
#include <stdlib.h>
#include <string.h>

#include "core/lesson_check.h"
#include "core/lesson_play.h"
#include "exercise.h"
#include "io/lesson_json.h"

#define OPS_MOST 16
#define EVALS_MOST 20
#define MOVES_MOST 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_quick(const struct lesson_stand *stand) {
    return stand->plan || stand->settings.evaluation_limit <= EVALS_MOST || strcmp(stand->settings.planner->name, "keep") == 0;
}

/* Lessons that take long to plan are another test's. */
static bool is_small(const struct lesson *lesson) {
    bool small = lesson->profile.op_count <= OPS_MOST;
    for (uint32_t i = 0; i < lesson->step_count && small; i++)
        small = is_quick(&lesson->step[i].stand) && is_quick(lesson_step_end(&lesson->step[i])) &&
                (lesson->step[i].kind != LESSON_SETS_TASK || is_quick(&lesson->step[i].task.attempt));
    return small;
}

static void check(const struct lesson *lesson, struct arena *arena) {
    struct lesson_faults *faults = ARENA_ARRAY(arena, struct lesson_faults, 1);
    struct error error = { 0 };
    faults->arena = arena;
    if (lesson_check(lesson, faults, &error) != SS_OK)
        abort();
    for (uint32_t i = 0; i < faults->count; i++)
        if (faults->fault[i].place[0] != '$' || !faults->fault[i].text[0])
            abort();
}

static void say_all(const struct lesson_play *play, struct arena *arena) {
    for (int part = LESSON_PART_TEXT; part <= LESSON_PART_WHY; part++)
        for (uint32_t index = 0; index < LESSON_ANSWERS_MOST; index++)
            if (!lesson_play_say(play, (enum lesson_part)part, index, arena))
                abort();
}

static void settle(struct lesson_play *play, const struct lesson_stand *stand) {
    struct arena arena = { 0 };
    struct outcome outcome;
    struct error error = { 0 };
    struct outcome_request request = settings_request(&play->lesson->profile, &stand->settings);
    request.plan = stand->plan;
    if (outcome_compute(&request, &arena, &outcome, &error) == SS_OK)
        lesson_play_take(play, &outcome);
    arena_free(&arena);
}

static void move(struct lesson_play *play, uint8_t what) {
    const struct lesson_step *step = &play->lesson->step[play->step];
    switch (what % 8) {
    case 0: lesson_play_back(play); break;
    case 1: lesson_play_give_up(play); break;
    case 2: lesson_play_answer(play, what / 8u % 5u); break;
    case 3: lesson_play_go(play, what / 8u); break;
    case 4: settle(play, lesson_play_stand(play)); break;
    case 5:
        if (play->phase == LESSON_TASK)
            settle(play, what & 8 ? &step->task.attempt : &step->task.solution);
        break;
    default: lesson_play_next(play); break;
    }
}

static void play_on(const struct lesson *lesson, struct arena *arena, const uint8_t *data, size_t size) {
    struct lesson_play play;
    if (lesson_play_start(&play, lesson, NULL) != SS_OK)
        abort();
    for (size_t i = 0; i < size && i < MOVES_MOST; i++) {
        move(&play, data[i]);
        say_all(&play, arena);
        lesson_play_verdict(&play);
    }
    lesson_play_free(&play);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena = { 0 };
    struct lesson lesson;
    struct error error = { 0 };
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    const enum ss_status status = lesson_json_read(text, size, "fuzzed", &arena, &lesson, &error);
    exercise_reading(status, &error);
    if (status == SS_OK && is_small(&lesson)) {
        check(&lesson, &arena);
        play_on(&lesson, &arena, data, size);
    }
    arena_free(&arena);
    free(text);
    return 0;
}
