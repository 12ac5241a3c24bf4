/* Lessons are played: page by page, with right and with wrong answers, to and fro, and whatever a learner does. The built-in
 * ones say what is so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/lesson_check.h"
#include "core/lesson_play.h"
#include "io/file.h"
#include "io/lesson_files.h"
#include "io/lesson_json.h"

struct hand {
    struct arena arena;
    struct lesson lesson;
    struct lesson_play play;
};

static void begin_with(struct hand *hand, const char *text, size_t length, const char *name) {
    struct error error = { "", "" };
    *hand = (struct hand){ .arena = { 0 } };
    if (lesson_json_read(text, length, name, &hand->arena, &hand->lesson, &error) != SS_OK)
        fail_msg("%s: %s: %s", name, error.place, error.text);
    assert_int_equal(lesson_play_start(&hand->play, &hand->lesson, &error), SS_OK);
}

static void begin(struct hand *hand) {
    char path[4096];
    struct file_text text;
    snprintf(path, sizeof path, "%s/tests/fixtures/lessons/good.json", getenv("SRCDIR") ? getenv("SRCDIR") : ".");
    assert_int_equal(file_read(path, &text, NULL), SS_OK);
    begin_with(hand, text.text, text.length, "good");
    file_text_free(&text);
}

static void end(struct hand *hand) {
    lesson_play_free(&hand->play);
    arena_free(&hand->arena);
}

/* Plans what the page shows and hands it over. */
static void settle(struct hand *hand) {
    struct arena arena = { 0 };
    struct outcome outcome;
    struct error error = { "", "" };
    if (lesson_play_compute(&hand->play, &arena, &outcome, &error) != SS_OK)
        fail_msg("%s: %s", hand->lesson.name, error.text);
    arena_free(&arena);
}

/* Hands over what the learner makes of it: PLAN by hand (NULL: the planner) under the settings of the page. */
static bool try_plan(struct hand *hand, const struct plan *plan) {
    struct arena arena = { 0 };
    struct outcome outcome;
    struct outcome_request request = settings_request(&hand->lesson.profile, &lesson_play_stand(&hand->play)->settings);
    request.plan = plan;
    assert_int_equal(outcome_compute(&request, &arena, &outcome, NULL), SS_OK);
    const bool turned = lesson_play_take(&hand->play, &outcome);
    arena_free(&arena);
    return turned;
}

static void says(struct hand *hand, enum lesson_part part, uint32_t index, const char *expected) {
    struct arena arena = { 0 };
    const char *text = lesson_play_say(&hand->play, part, index, &arena);
    assert_non_null(text);
    assert_string_equal(text, expected);
    arena_free(&arena);
}

static void is_at(struct hand *hand, uint32_t step, enum lesson_phase phase) {
    assert_int_equal(hand->play.step, step);
    assert_int_equal(hand->play.phase, phase);
}

static void next(struct hand *hand) {
    assert_true(lesson_play_next(&hand->play));
    if (lesson_play_waits(&hand->play))
        settle(hand);
}

static void figures_come_with_the_outcome_and_no_page_is_turned_before(void **state) {
    (void)state;
    struct hand hand;
    begin(&hand);
    is_at(&hand, 0, LESSON_TELL);
    assert_true(lesson_play_waits(&hand.play));
    says(&hand, LESSON_PART_TEXT, 0, "Everything is kept: …, at most ….");
    assert_false(lesson_play_next(&hand.play));
    settle(&hand);
    says(&hand, LESSON_PART_TEXT, 0, "Everything is kept: 900.0 us, at most 3.22 KiB.");
    says(&hand, LESSON_PART_ASK, 0, "");
    assert_true(lesson_play_next(&hand.play));
    is_at(&hand, 1, LESSON_TELL);
    end(&hand);
}

/* Where a step shows what an earlier one showed, its figures are there at once. */
static void what_was_shown_before_is_known(void **state) {
    (void)state;
    struct hand hand;
    begin(&hand);
    settle(&hand);
    lesson_play_next(&hand.play);
    assert_false(lesson_play_waits(&hand.play));
    says(&hand, LESSON_PART_TEXT, 0, "There are 5 tensors.");
    lesson_play_next(&hand.play);
    is_at(&hand, 1, LESSON_ASK);
    says(&hand, LESSON_PART_ASK, 0, "L1.saved is dropped: how much slower than 900.0 us?");
    end(&hand);
}

static void go_to_question(struct hand *hand) {
    begin(hand);
    settle(hand);
    next(hand);
    next(hand);
    is_at(hand, 1, LESSON_ASK);
}

static void an_open_question_is_not_passed(void **state) {
    (void)state;
    struct hand hand;
    go_to_question(&hand);
    assert_false(lesson_play_next(&hand.play));
    assert_false(lesson_play_answer(&hand.play, 3));
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_NONE);
    is_at(&hand, 1, LESSON_ASK);
    end(&hand);
}

static void the_right_answer_is_known_by_what_is_revealed(void **state) {
    (void)state;
    struct hand hand;
    go_to_question(&hand);
    assert_true(lesson_play_answer(&hand.play, 1));
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_WAITING);
    settle(&hand);
    assert_int_equal(lesson_play_right(&hand.play), 1);
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_RIGHT);
    says(&hand, LESSON_PART_WHY, 0, "1.00 ms for 900.0 us: 100.0 us to compute it again.");
    assert_int_equal(lesson_play_score(&hand.play).earned, 1);
    assert_int_equal(lesson_play_score(&hand.play).of, 2);
    end(&hand);
}

static void only_the_first_try_earns(void **state) {
    (void)state;
    struct hand hand;
    go_to_question(&hand);
    lesson_play_answer(&hand.play, 2);
    settle(&hand);
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_WRONG);
    says(&hand, LESSON_PART_ANSWER_WHY, 2, "No: 1.00 ms.");
    assert_true(lesson_play_back(&hand.play));
    assert_true(lesson_play_answer(&hand.play, 1));
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_RIGHT);
    assert_int_equal(lesson_play_score(&hand.play).earned, 0);
    end(&hand);
}

static void who_gives_up_is_shown_the_answer(void **state) {
    (void)state;
    struct hand hand;
    go_to_question(&hand);
    assert_true(lesson_play_give_up(&hand.play));
    settle(&hand);
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_SHOWN);
    assert_int_equal(lesson_play_right(&hand.play), 1);
    lesson_play_back(&hand.play);
    lesson_play_answer(&hand.play, 1);
    assert_int_equal(lesson_play_score(&hand.play).earned, 0);
    end(&hand);
}

static void go_to_task(struct hand *hand) {
    go_to_question(hand);
    lesson_play_answer(&hand->play, 1);
    settle(hand);
    next(hand);
    next(hand);
    is_at(hand, 2, LESSON_TASK);
}

static void a_task_is_done_by_any_plan_that_reaches_its_goal(void **state) {
    (void)state;
    struct hand hand;
    go_to_task(&hand);
    const struct lesson_task *task = &hand.lesson.step[2].task;
    assert_false(try_plan(&hand, task->attempt.plan));
    assert_false(lesson_play_next(&hand.play));
    is_at(&hand, 2, LESSON_TASK);
    struct plan *own = ARENA_ARRAY(&hand.arena, struct plan, 1);
    assert_int_equal(plan_copy(own, &hand.arena, &hand.lesson.profile, task->solution.plan, NULL), SS_OK);
    own->action[profile_find_tensor(&hand.lesson.profile, "L3.saved")] = ACTION_OFFLOAD;
    assert_true(try_plan(&hand, own));
    is_at(&hand, 2, LESSON_DONE);
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_RIGHT);
    assert_int_equal(lesson_play_score(&hand.play).earned, 2);
    end(&hand);
}

/* What a learner made of the task is on the screen, and in the text, until the page is shown again. */
static void coming_back_to_a_task_shows_the_solution(void **state) {
    (void)state;
    struct hand hand;
    struct lesson_record *record;
    go_to_task(&hand);
    record = &hand.play.record[2];
    assert_true(try_plan(&hand, hand.lesson.step[2].task.solution.plan));
    assert_true(record->solved && record->tried);
    next(&hand);
    is_at(&hand, 3, LESSON_TELL);
    assert_true(lesson_play_back(&hand.play));
    is_at(&hand, 2, LESSON_DONE);
    assert_ptr_equal(lesson_play_stand(&hand.play), &hand.lesson.step[2].task.solution);
    settle(&hand);
    assert_false(record->tried);
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_RIGHT);
    end(&hand);
}

static void a_task_given_up_shows_its_solution_and_earns_nothing(void **state) {
    (void)state;
    struct hand hand;
    go_to_task(&hand);
    try_plan(&hand, hand.lesson.step[2].task.attempt.plan);
    assert_true(lesson_play_give_up(&hand.play));
    assert_true(lesson_play_waits(&hand.play));
    settle(&hand);
    says(&hand, LESSON_PART_WHY, 0, "The step takes 1.20 ms, 9.09% above the bound.");
    assert_int_equal(lesson_play_verdict(&hand.play), VERDICT_SHOWN);
    lesson_play_back(&hand.play);
    assert_true(try_plan(&hand, hand.lesson.step[2].task.solution.plan));
    assert_int_equal(lesson_play_score(&hand.play).earned, 1);
    end(&hand);
}

static void back_leads_over_all_pages_to_the_first(void **state) {
    (void)state;
    struct hand hand;
    uint32_t pages = 0;
    go_to_task(&hand);
    lesson_play_give_up(&hand.play);
    settle(&hand);
    next(&hand);
    next(&hand);
    is_at(&hand, 3, LESSON_END);
    assert_false(lesson_play_next(&hand.play));
    while (lesson_play_back(&hand.play))
        pages++;
    assert_int_equal(pages, 8); /* the END, and TELL | TELL ASK REVEAL | TELL TASK DONE | TELL less the first */
    is_at(&hand, 0, LESSON_TELL);
    end(&hand);
}

static void a_step_can_be_gone_to_with_all_before_it_computed(void **state) {
    (void)state;
    struct hand hand;
    begin(&hand);
    lesson_play_go(&hand.play, 3);
    says(&hand, LESSON_PART_TEXT, 0, "The planner does it in …, by hand it took ….");
    assert_int_equal(lesson_play_compute_before(&hand.play, NULL), SS_OK);
    settle(&hand);
    says(&hand, LESSON_PART_TEXT, 0, "The planner does it in 1.10 ms, by hand it took 1.20 ms.");
    assert_int_equal(lesson_play_score(&hand.play).earned, 0);
    lesson_play_go(&hand.play, 99);
    is_at(&hand, 3, LESSON_TELL);
    end(&hand);
}

static void what_stands_is_recognised(void **state) {
    (void)state;
    struct hand hand;
    begin(&hand);
    const struct lesson_stand *stand = lesson_play_stand(&hand.play);
    struct settings settings = stand->settings;
    assert_true(lesson_play_is_as_set(&hand.play, &settings, NULL));
    assert_false(lesson_play_is_as_set(&hand.play, &settings, hand.lesson.step[1].question.reveal.plan));
    settings.work.profile = 7; /* whoever keeps the profile numbers it */
    assert_true(lesson_play_is_as_set(&hand.play, &settings, NULL));
    settings.budget.share = 0.5;
    assert_false(lesson_play_is_as_set(&hand.play, &settings, NULL));
    end(&hand);
}

/* ---- the built-in lessons ---- */

static void check_file(const struct lesson_file *file) {
    struct hand hand;
    begin_with(&hand, file->text, file->length, file->name);
    struct lesson_faults *faults = ARENA_ARRAY(&hand.arena, struct lesson_faults, 1);
    faults->arena = &hand.arena;
    assert_int_equal(lesson_check(&hand.lesson, faults, NULL), SS_OK);
    for (uint32_t i = 0; i < faults->count; i++)
        print_message("%s: %s: %s\n", file->name, faults->fault[i].place, faults->fault[i].text);
    assert_int_equal(faults->count, 0);
    end(&hand);
}

static void every_built_in_lesson_says_what_is_so(void **state) {
    (void)state;
    assert_true(LESSON_FILE_COUNT >= 10);
    for (uint32_t i = 0; i < LESSON_FILE_COUNT; i++)
        check_file(&LESSON_FILES[i]);
}

/* Answers the open question: rightly, or else wrongly. What is right is known once it was given up in TEACHER. */
static void answer(struct hand *hand, const uint32_t *right, bool rightly) {
    const uint32_t count = hand->lesson.step[hand->play.step].question.answer_count;
    const uint32_t pick = right[hand->play.step];
    assert_true(pick < count);
    assert_true(lesson_play_answer(&hand->play, rightly ? pick : (pick + 1) % count));
    if (lesson_play_waits(&hand->play))
        settle(hand);
    assert_int_equal(lesson_play_verdict(&hand->play), rightly ? VERDICT_RIGHT : VERDICT_WRONG);
}

/* Plays to the end; RIGHT gets the answers where TEACH, else they are given, rightly or wrongly. All that is said is
 * complete. Returns it, in ARENA. */
static const char *play_through(struct hand *hand, uint32_t *right, bool teach, bool rightly, struct arena *arena) {
    const char *all = "";
    struct lesson_play *play = &hand->play;
    if (lesson_play_waits(play))
        settle(hand);
    do {
        const char *text = lesson_play_say(play, LESSON_PART_TEXT, 0, arena), *why = "", *said = "";
        if (play->phase == LESSON_ASK && teach) {
            lesson_play_give_up(play);
            if (lesson_play_waits(play))
                settle(hand);
            right[play->step] = lesson_play_right(play);
        } else if (play->phase == LESSON_ASK) {
            answer(hand, right, rightly);
            said = lesson_play_say(play, LESSON_PART_ANSWER_WHY, play->record[play->step].answer, arena);
        } else if (play->phase == LESSON_TASK && (teach || !rightly)) {
            lesson_play_give_up(play);
            settle(hand);
        } else if (play->phase == LESSON_TASK) {
            const struct lesson_stand *solution = &hand->lesson.step[play->step].task.solution;
            struct arena scratch = { 0 };
            struct outcome outcome;
            struct outcome_request request = settings_request(&hand->lesson.profile, &solution->settings);
            request.plan = solution->plan;
            assert_int_equal(outcome_compute(&request, &scratch, &outcome, NULL), SS_OK);
            assert_true(lesson_play_take(play, &outcome));
            arena_free(&scratch);
        }
        if (play->phase == LESSON_REVEAL || play->phase == LESSON_DONE)
            why = lesson_play_say(play, LESSON_PART_WHY, 0, arena);
        all = arena_printf(arena, "%s%s\n%s\n%s\n", all, text, said, why);
        assert_true(lesson_play_next(play));
        if (lesson_play_waits(play))
            settle(hand);
    } while (play->phase != LESSON_END);
    assert_null(strstr(all, "…"));
    assert_null(strchr(all, '{'));
    return all;
}

static void play_three_times(const struct lesson_file *file) {
    struct hand hand;
    struct arena arena = { 0 };
    uint32_t right[LESSON_STEPS_MOST];
    struct lesson_score score;
    const char *all[3];
    bool asks = false;
    for (int round = 0; round < 3; round++) {
        begin_with(&hand, file->text, file->length, file->name);
        all[round] = play_through(&hand, right, round == 0, round == 1, &arena);
        score = lesson_play_score(&hand.play);
        assert_int_equal(score.earned, round == 1 ? score.of : 0);
        for (uint32_t i = 0; i < hand.lesson.step_count; i++)
            asks = asks || hand.lesson.step[i].kind == LESSON_ASKS;
        end(&hand);
    }
    assert_true(score.of > 0);
    assert_true(!asks || strcmp(all[1], all[2]) != 0); /* a wrong answer is told why */
    arena_free(&arena);
}

static void every_built_in_lesson_can_be_played_rightly_and_wrongly(void **state) {
    (void)state;
    for (uint32_t i = 0; i < LESSON_FILE_COUNT; i++)
        play_three_times(&LESSON_FILES[i]);
}

/* ---- whatever a learner does ---- */

static uint32_t random_next(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 16; }

static void one_move(struct hand *hand, uint32_t *seed) {
    struct lesson_play *play = &hand->play;
    const struct lesson_task *task = &hand->lesson.step[play->step].task;
    switch (random_next(seed) % 9) {
    case 0: lesson_play_back(play); break;
    case 1: lesson_play_give_up(play); break;
    case 2: lesson_play_answer(play, random_next(seed) % 5); break;
    case 3: lesson_play_go(play, random_next(seed) % (hand->lesson.step_count + 2)); break;
    case 4:
        if (play->phase == LESSON_TASK)
            try_plan(hand, random_next(seed) % 2 ? task->attempt.plan : task->solution.plan);
        break;
    case 5:
    case 6:
        if (lesson_play_waits(play))
            settle(hand);
        break;
    default: lesson_play_next(play); break;
    }
}

/* Every text is complete as soon as its figures are there, whatever was done before. */
static void check_texts(struct hand *hand) {
    struct arena arena = { 0 };
    const struct lesson_play *play = &hand->play;
    for (int part = LESSON_PART_TEXT; part <= LESSON_PART_WHY; part++)
        for (uint32_t index = 0; index <= LESSON_ANSWERS_MOST; index++) {
            const char *text = lesson_play_say(play, (enum lesson_part)part, index, &arena);
            assert_non_null(text);
            assert_true(strlen(text) <= 4 * LESSON_TEXT_MOST);
        }
    assert_true(play->step < play->lesson->step_count && play->phase < LESSON_PHASE_COUNT);
    const struct lesson_score score = lesson_play_score(play);
    assert_true(score.earned <= score.of);
    assert_non_null(lesson_play_stand(play));
    lesson_play_verdict(play);
    arena_free(&arena);
}

static void nothing_a_learner_does_breaks_a_lesson(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct hand hand;
        uint32_t random = seed;
        begin(&hand);
        for (int move = 0; move < 300; move++) {
            one_move(&hand, &random);
            check_texts(&hand);
        }
        end(&hand);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_with_the_outcome_and_no_page_is_turned_before),
        cmocka_unit_test(what_was_shown_before_is_known),
        cmocka_unit_test(an_open_question_is_not_passed),
        cmocka_unit_test(the_right_answer_is_known_by_what_is_revealed),
        cmocka_unit_test(only_the_first_try_earns),
        cmocka_unit_test(who_gives_up_is_shown_the_answer),
        cmocka_unit_test(a_task_is_done_by_any_plan_that_reaches_its_goal),
        cmocka_unit_test(coming_back_to_a_task_shows_the_solution),
        cmocka_unit_test(a_task_given_up_shows_its_solution_and_earns_nothing),
        cmocka_unit_test(back_leads_over_all_pages_to_the_first),
        cmocka_unit_test(a_step_can_be_gone_to_with_all_before_it_computed),
        cmocka_unit_test(what_stands_is_recognised),
        cmocka_unit_test(every_built_in_lesson_says_what_is_so),
        cmocka_unit_test(every_built_in_lesson_can_be_played_rightly_and_wrongly),
        cmocka_unit_test(nothing_a_learner_does_breaks_a_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
