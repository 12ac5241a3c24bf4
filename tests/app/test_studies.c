/* Studies in the background: only what is asked for runs, the newest question wins, nothing is left behind. The studies are
 * stand-ins, told what to do by their question; with --enable-tsan this also shows that the threads share nothing unguarded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/studies.h"

enum manner { AT_ONCE, GROWING, FOREVER, FAILING, SILENT };
struct question { uint64_t number; enum manner manner; };
struct answer { uint64_t number, pieces; };

static struct question wanted; /* 0: nothing. Read by ask on the loop's thread alone */
static atomic_int running, most_running, begun;

static bool ask(const struct view_state *state, const struct scene *scene, void *question) {
    (void)state, (void)scene;
    memcpy(question, &wanted, sizeof wanted);
    return wanted.number > 0;
}

static bool same(const void *question, const void *other) {
    return ((const struct question *)question)->number == ((const struct question *)other)->number;
}

static void show(const struct study_run *run, uint64_t number, uint64_t pieces) {
    struct arena arena = { 0 };
    struct answer *answer = ARENA_ARRAY(&arena, struct answer, 1);
    assert_non_null(answer);
    *answer = (struct answer){ number, pieces };
    run->show(run->context, &arena, answer);
    arena_free(&arena);
}

static enum ss_status answer(const struct study_run *run, const struct question *question, struct error *error) {
    switch (question->manner) {
    case FAILING: return error_set(error, SS_USAGE, "no such thing");
    case SILENT: return SS_OK;
    case FOREVER:
        while (!run->should_stop(run->context))
            uv_sleep(1);
        return SS_STOPPED;
    case GROWING:
        for (uint64_t i = 1; i < 20 && !run->should_stop(run->context); i++) {
            show(run, question->number, i);
            uv_sleep(1);
        }
        show(run, question->number, 20);
        return SS_OK;
    default: show(run, question->number, 20); return SS_OK;
    }
}

static enum ss_status work(const struct study_run *run, const void *question, const void *prepared,
                           struct error *error) {
    const int now = atomic_fetch_add(&running, 1) + 1;
    if (now > atomic_load(&most_running))
        atomic_store(&most_running, now);
    atomic_fetch_add(&begun, 1);
    assert_int_equal(*(const uint64_t *)prepared, ((const struct question *)question)->number);
    const enum ss_status status = answer(run, question, error);
    atomic_fetch_sub(&running, 1);
    return status;
}

static void *prepare(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    (void)state, (void)scene;
    uint64_t *copy = ARENA_ARRAY(arena, uint64_t, 1);
    *copy = wanted.number;
    return copy;
}

static const struct study_kind KIND = { sizeof(struct question), ask, same, prepare, work, ABOUT_SCENE };

static struct subject SUBJECT = { .holders = 1 };

struct fixture {
    uv_loop_t loop;
    struct studies *studies;
    struct scene scene;
    struct study_slot slot;
    uint64_t last_pieces;
    int changes;
};

/* What the viewer's loop does: it looks anew at what is asked. */
static void changed(void *context) {
    struct fixture *f = context;
    const struct answer *shown = f->slot.answer;
    f->changes++;
    if (shown != NULL && wanted.number > 0 && shown->number == wanted.number) {
        assert_true(shown->pieces >= f->last_pieces);
        f->last_pieces = shown->pieces;
    }
    studies_update(f->studies, NULL);
}

static void begin(struct fixture *f) {
    struct error error = { "", "" };
    memset(f, 0, sizeof *f);
    f->scene.subject = &SUBJECT;
    wanted = (struct question){ 0, AT_ONCE };
    atomic_store(&begun, 0);
    atomic_store(&most_running, 0);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    assert_int_equal(studies_new(&f->studies, &f->loop, &KIND, 1, &f->scene, &f->slot, changed, f, &error), SS_OK);
}

static void want(struct fixture *f, uint64_t number, enum manner manner) {
    wanted = (struct question){ number, manner };
    f->last_pieces = 0;
    studies_update(f->studies, NULL);
}

static bool is_answered(const struct fixture *f) {
    return f->slot.complete && f->slot.answer != NULL && ((const struct answer *)f->slot.answer)->number == wanted.number;
}

static void turn_until_answered(struct fixture *f) {
    while (!is_answered(f))
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void turn_while_running(struct fixture *f) {
    do
        uv_run(&f->loop, UV_RUN_NOWAIT);
    while (atomic_load(&running) > 0);
    for (int i = 0; i < 20; i++) {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
}

static void end(struct fixture *f) {
    studies_close(f->studies);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    assert_int_equal(atomic_load(&running), 0);
    study_free(&f->slot);
}

static void what_is_asked_is_answered_once(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, AT_ONCE);
    turn_until_answered(&f);
    for (int i = 0; i < 100; i++)
        studies_update(f.studies, NULL);
    turn_while_running(&f);
    assert_int_equal(atomic_load(&begun), 1);
    end(&f);
}

static void answers_grow_until_they_are_complete(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, GROWING);
    turn_until_answered(&f);
    assert_int_equal(((const struct answer *)f.slot.answer)->pieces, 20);
    assert_true(f.changes > 3);
    end(&f);
}

static void in_a_storm_one_runs_at_a_time_and_the_newest_question_wins(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    for (uint64_t number = 1; number <= 1000; number++) {
        want(&f, number, number % 3 == 0 ? FOREVER : GROWING);
        uv_run(&f.loop, UV_RUN_NOWAIT);
    }
    want(&f, 1001, GROWING);
    turn_until_answered(&f);
    assert_int_equal(atomic_load(&most_running), 1);
    assert_true(atomic_load(&begun) < 1001);
    end(&f);
}

static void what_nobody_asks_for_any_more_is_stopped_and_begins_anew_when_asked_again(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, FOREVER);
    while (atomic_load(&running) == 0)
        uv_sleep(1);
    want(&f, 0, AT_ONCE);
    turn_while_running(&f);
    assert_null(f.slot.answer);
    want(&f, 1, AT_ONCE);
    turn_until_answered(&f);
    assert_int_equal(atomic_load(&begun), 2);
    end(&f);
}

static void a_failure_is_told_and_not_tried_again(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, FAILING);
    while (f.slot.message[0] == '\0')
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_string_equal(f.slot.message, "no such thing");
    studies_update(f.studies, NULL);
    turn_while_running(&f);
    assert_int_equal(atomic_load(&begun), 1);
    want(&f, 2, AT_ONCE);
    turn_until_answered(&f);
    assert_string_equal(f.slot.message, "");
    end(&f);
}

static void one_that_shows_nothing_is_not_run_for_ever(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, SILENT);
    turn_while_running(&f);
    studies_update(f.studies, NULL);
    turn_while_running(&f);
    assert_int_equal(atomic_load(&begun), 1);
    end(&f);
}

static void closing_stops_what_runs_and_leaves_nothing_open(void **state) {
    (void)state;
    struct fixture f;
    begin(&f);
    want(&f, 1, FOREVER);
    while (atomic_load(&running) == 0)
        uv_sleep(1);
    end(&f);
    begin(&f);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_is_answered_once),
        cmocka_unit_test(answers_grow_until_they_are_complete),
        cmocka_unit_test(in_a_storm_one_runs_at_a_time_and_the_newest_question_wins),
        cmocka_unit_test(what_nobody_asks_for_any_more_is_stopped_and_begins_anew_when_asked_again),
        cmocka_unit_test(a_failure_is_told_and_not_tried_again),
        cmocka_unit_test(one_that_shows_nothing_is_not_run_for_ever),
        cmocka_unit_test(closing_stops_what_runs_and_leaves_nothing_open),
    };
    return cmocka_run_group_tests_name("studies", tests, NULL, NULL);
}
