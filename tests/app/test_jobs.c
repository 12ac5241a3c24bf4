/* Work done by many threads is taken up as if one had done it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "app/jobs.h"

#define COUNT 200

struct bench {
    uint32_t made[COUNT];      /* by piece */
    uint32_t order[COUNT], taken;
    uint32_t fails_at;         /* or COUNT */
    bool refuse;               /* the piece is done, but not taken up */
    atomic_uint begun, most_ahead;
    atomic_uint taken_now;
};

static enum ss_status work(void *context, uint32_t n, struct error *error) {
    struct bench *bench = context;
    const unsigned ahead = atomic_fetch_add(&bench->begun, 1) + 1 - atomic_load(&bench->taken_now);
    unsigned most = atomic_load(&bench->most_ahead);
    while (ahead > most && !atomic_compare_exchange_weak(&bench->most_ahead, &most, ahead))
        ;
    if (n % 7 == 0) /* so that later pieces are done first */
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    bench->made[n] = n * n;
    if (n >= bench->fails_at && !bench->refuse)
        return error_set(error, SS_BAD_INPUT, "piece %u", (unsigned)n);
    return SS_OK;
}

static enum ss_status take(void *context, uint32_t n, struct error *error) {
    struct bench *bench = context;
    assert_int_equal(bench->made[n], n * n);
    bench->order[bench->taken++] = n;
    atomic_fetch_add(&bench->taken_now, 1);
    return n >= bench->fails_at ? error_set(error, SS_NO, "refused %u", (unsigned)n) : SS_OK;
}

static enum ss_status run(struct bench *bench, uint32_t threads, struct error *error) {
    const struct jobs jobs = { .count = COUNT, .work = work, .take = take, .context = bench };
    return jobs_run(&jobs, threads, error);
}

static void pieces_are_taken_up_in_order_whatever_the_threads(void **state) {
    (void)state;
    static const uint32_t THREADS[] = { 1, 2, 7, JOBS_MOST };
    for (size_t i = 0; i < sizeof THREADS / sizeof *THREADS; i++) {
        struct bench bench = { .fails_at = COUNT };
        assert_int_equal(run(&bench, THREADS[i], NULL), SS_OK);
        assert_int_equal(bench.taken, COUNT);
        for (uint32_t n = 0; n < COUNT; n++)
            assert_int_equal(bench.order[n], n);
    }
}

static void the_first_error_in_order_ends_it_and_is_the_one_told(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        struct bench bench = { .fails_at = 21 };
        struct error error = { "", "" };
        assert_int_equal(run(&bench, threads, &error), SS_BAD_INPUT);
        assert_string_equal(error.text, "piece 21");
        assert_int_equal(bench.taken, 21);
        bench = (struct bench){ .fails_at = 21, .refuse = true };
        assert_int_equal(run(&bench, threads, &error), SS_NO);
        assert_string_equal(error.text, "refused 21");
        assert_int_equal(bench.taken, 22);
    }
}

static void threads_do_not_run_far_ahead_of_what_is_taken_up(void **state) {
    (void)state;
    struct bench bench = { .fails_at = COUNT };
    assert_int_equal(run(&bench, 4, NULL), SS_OK);
    assert_true(bench.most_ahead <= 4 * 4 + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_taken_up_in_order_whatever_the_threads),
        cmocka_unit_test(the_first_error_in_order_ends_it_and_is_the_one_told),
        cmocka_unit_test(threads_do_not_run_far_ahead_of_what_is_taken_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
