/* The planning thread: newest request wins, nothing stale is told, nothing is left behind. The planner is a stand-in, so
 * that it takes as long as a case needs; built with --enable-tsan this also shows that the threads share nothing unguarded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/worker.h"

static const struct profile PROFILE = { .name = "stand-in" };
static struct subject SUBJECT = { .holders = 1, .profile = &PROFILE };
static const struct planner PLANNER = { .name = "stand-in" };
static atomic_int running, most_running, computed;
static atomic_int early_told; /* early results told so far */

static void enter(void) {
    int now = atomic_fetch_add(&running, 1) + 1;
    if (now > atomic_load(&most_running))
        atomic_store(&most_running, now);
    atomic_fetch_add(&computed, 1);
}

/* Every outcome carries its request's seed, and replays (early results) say so by their evaluations. */
static enum ss_status answer(const struct outcome_request *request, struct arena *arena, struct outcome *out) {
    char *work = arena_alloc(arena, 1000, 1);
    assert_non_null(work);
    *out = (struct outcome){ .seed = request->seed, .evaluations = request->plan ? 1 : 2 };
    return SS_OK;
}

static enum ss_status compute_at_once(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                                      struct error *error) {
    (void)error;
    enter();
    atomic_fetch_sub(&running, 1);
    return answer(request, arena, out);
}

static enum ss_status compute_forever(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                                      struct error *error) {
    (void)arena, (void)out, (void)error;
    enter();
    while (!request->should_stop(request->context))
        uv_sleep(1);
    atomic_fetch_sub(&running, 1);
    return SS_STOPPED;
}

static enum ss_status compute_in_a_while(const struct outcome_request *request, struct arena *arena,
                                         struct outcome *out, struct error *error) {
    (void)error;
    enter();
    for (int i = 0; i < 3 && !request->should_stop(request->context); i++)
        uv_sleep(1);
    atomic_fetch_sub(&running, 1);
    return answer(request, arena, out);
}

/* Hands over better plans as fast as it can, until it is stopped or two of them were told. */
static enum ss_status compute_improving(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                                        struct error *error) {
    const struct plan plan = { .planner = "stand-in" };
    const struct sim_totals totals = { .feasible = true };
    (void)error;
    if (request->plan)
        return answer(request, arena, out);
    while (!request->should_stop(request->context) && atomic_load(&early_told) < 2) {
        request->improved(request->context, &plan, &totals);
        uv_sleep(1);
    }
    return answer(request, arena, out);
}

static enum ss_status compute_failing(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                                      struct error *error) {
    (void)request, (void)arena, (void)out;
    return error_set(error, SS_USAGE, "the GPU is too small");
}

/* ---- the loop's side ---- */

struct fixture {
    uv_loop_t loop;
    struct worker *worker;
    uv_timer_t timer;
    uint64_t asked, shown;   /* newest generation asked for; last one told of */
    int early, finals, failures;
    bool early_after_final, mixed, keep_arena, close_when_told, ask_when_told;
    struct arena kept;
    char message[512];
};

static void ask(struct fixture *f) {
    f->asked++;
    worker_request(f->worker, &SUBJECT, &(struct settings){ .planner = &PLANNER, .seed = f->asked }, NULL, f->asked);
}

static void on_planned(void *context, uint64_t generation, struct arena *arena, const struct view_model *model,
                       bool final) {
    struct fixture *f = context;
    const struct outcome *outcome = model->outcome;
    f->mixed |= outcome->seed != generation || outcome->evaluations != (final ? 2 : 1);
    f->early_after_final |= !final && f->shown == generation && f->finals > 0;
    f->shown = generation;
    f->finals += final;
    f->early += !final;
    atomic_store(&early_told, f->early);
    if (f->keep_arena) {
        arena_free(&f->kept);
        f->kept = *arena;
        *arena = (struct arena){ 0 };
    }
    if (final && f->ask_when_told) {
        f->ask_when_told = false;
        ask(f);
    } else if (f->close_when_told) {
        worker_close(f->worker);
        f->close_when_told = false;
    }
}

static void on_failed(void *context, uint64_t generation, const struct error *error) {
    struct fixture *f = context;
    f->shown = generation;
    f->failures++;
    memcpy(f->message, error->text, sizeof f->message);
}

static void start(struct fixture *f, compute_function *compute, double plan_time_us) {
    struct error error = { "", "" };
    const struct worker_listener listener = { on_planned, on_failed, f };
    *f = (struct fixture){ .asked = 0 };
    atomic_store(&most_running, 0);
    atomic_store(&computed, 0);
    atomic_store(&early_told, 0);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    assert_int_equal(worker_new(&f->worker, &f->loop, plan_time_us, compute, &listener, &error), SS_OK);
    assert_int_equal(uv_timer_init(&f->loop, &f->timer), 0);
    f->timer.data = f;
}

/* Turns the loop until COUNTER reaches LEAST. */
static void turn_until(struct fixture *f, const int *counter, int least) {
    while (*counter < least)
        uv_run(&f->loop, UV_RUN_ONCE);
}

/* Closes everything; the loop must come to its end with nothing left open. */
static void finish(struct fixture *f, bool close_worker) {
    if (close_worker)
        worker_close(f->worker);
    uv_close((uv_handle_t *)&f->timer, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    assert_int_equal(atomic_load(&running), 0);
    assert_false(f->mixed);
    assert_false(f->early_after_final);
    arena_free(&f->kept);
}

static void a_request_is_answered_once(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_at_once, INFINITY);
    ask(&f);
    turn_until(&f, &f.finals, 1);
    finish(&f, true);
    assert_int_equal(f.finals, 1);
    assert_int_equal(f.shown, 1);
}

static void of_a_thousand_requests_at_once_only_the_newest_is_answered(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_in_a_while, INFINITY);
    for (int i = 0; i < 1000; i++)
        ask(&f);
    turn_until(&f, &f.finals, 1);
    finish(&f, true);
    assert_int_equal(f.finals, 1);
    assert_int_equal(f.shown, 1000);
    assert_in_range(atomic_load(&computed), 1, 2);
}

static void ask_now_and_then(uv_timer_t *timer) {
    struct fixture *f = timer->data;
    for (int i = 0; i < 1 + (int)(f->asked % 7); i++)
        ask(f);
    if (f->asked >= 1500)
        uv_timer_stop(timer);
}

static void in_a_storm_one_runs_at_a_time_and_the_newest_wins(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_in_a_while, INFINITY);
    f.keep_arena = true;
    uv_timer_start(&f.timer, ask_now_and_then, 0, 1);
    while (f.asked < 1500 || f.shown != f.asked)
        uv_run(&f.loop, UV_RUN_ONCE);
    finish(&f, true);
    assert_int_equal(atomic_load(&most_running), 1);
    assert_int_equal(f.shown, f.asked);
    assert_true(atomic_load(&computed) < (int)f.asked);
}

static void a_running_request_stops_for_a_newer_one(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_forever, 50e3);
    ask(&f);
    while (atomic_load(&running) == 0)
        uv_sleep(1);
    ask(&f);
    turn_until(&f, &f.failures, 1);
    finish(&f, true);
    assert_int_equal(f.shown, 2);
    assert_int_equal(f.failures, 1);
    assert_string_equal(f.message, "stand-in found no plan in the time given");
}

static void early_results_come_before_the_final_one_a_tenth_of_a_second_apart(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_improving, INFINITY);
    f.keep_arena = true;
    uint64_t began_ns = uv_hrtime();
    ask(&f);
    turn_until(&f, &f.finals, 1);
    assert_true(uv_hrtime() - began_ns >= 100000000);
    finish(&f, true);
    assert_true(f.early >= 2);
    assert_int_equal(f.finals, 1);
}

static void early_results_of_a_superseded_request_are_dropped(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_improving, 100e3);
    ask(&f);
    uv_sleep(20); /* an early result waits to be told */
    ask(&f);
    turn_until(&f, &f.finals, 1);
    finish(&f, true);
    assert_int_equal(f.finals, 1);
    assert_int_equal(f.shown, 2);
}

static void a_failure_is_told_with_its_words(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_failing, INFINITY);
    ask(&f);
    turn_until(&f, &f.failures, 1);
    finish(&f, true);
    assert_string_equal(f.message, "the GPU is too small");
    assert_int_equal(f.finals, 0);
}

static void closing_stops_what_runs_and_tells_nobody(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_forever, INFINITY);
    ask(&f);
    ask(&f);
    finish(&f, true);
    assert_int_equal(f.finals + f.early + f.failures, 0);
}

static void closing_an_idle_worker_leaves_nothing_open(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_at_once, INFINITY);
    finish(&f, true);
}

static void whoever_is_told_may_ask_anew_and_close(void **state) {
    struct fixture f;
    (void)state;
    start(&f, compute_at_once, INFINITY);
    f.ask_when_told = f.close_when_told = true;
    ask(&f);
    turn_until(&f, &f.finals, 2);
    finish(&f, false);
    assert_int_equal(f.finals, 2);
    assert_int_equal(f.shown, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered_once),
        cmocka_unit_test(of_a_thousand_requests_at_once_only_the_newest_is_answered),
        cmocka_unit_test(in_a_storm_one_runs_at_a_time_and_the_newest_wins),
        cmocka_unit_test(a_running_request_stops_for_a_newer_one),
        cmocka_unit_test(early_results_come_before_the_final_one_a_tenth_of_a_second_apart),
        cmocka_unit_test(early_results_of_a_superseded_request_are_dropped),
        cmocka_unit_test(a_failure_is_told_with_its_words),
        cmocka_unit_test(closing_stops_what_runs_and_tells_nobody),
        cmocka_unit_test(closing_an_idle_worker_leaves_nothing_open),
        cmocka_unit_test(whoever_is_told_may_ask_anew_and_close),
    };
    return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
