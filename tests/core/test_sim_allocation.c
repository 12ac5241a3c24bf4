/* Planners evaluate thousands of plans: after the first runs sim_evaluate allocates nothing. Linked with --wrap, so that
 * the core's calls for memory come by here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../random_profile.h"
#include "core/sim.h"

static size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    allocations++;
    return __real_realloc(memory, size);
}

static void evaluating_plans_again_allocates_nothing(void **state) {
    (void)state;
    enum { PLANS = 50 };
    struct random random = { 21 };
    struct random_shape shape = { .most_ops = 400, .free_choice = true };
    struct arena arena = { NULL };
    struct error error;
    struct profile profile;
    struct plan plans[PLANS];
    do
        random_profile(&random, &shape, &arena, &profile);
    while (profile.op_count < 100);
    for (int i = 0; i < PLANS; i++)
        random_plan(&random, &profile, &arena, &plans[i]);
    struct simulator *simulator = simulator_new(&profile, &error);
    assert_non_null(simulator);
    struct sim_totals first[PLANS], again;
    for (int i = 0; i < PLANS; i++)
        assert_int_equal(sim_evaluate(simulator, &plans[i], &profile.link, BYTES_UNLIMITED, &first[i], &error), SS_OK);
    assert_true(allocations > 0); /* the wrapping works */
    allocations = 0;
    for (int i = PLANS; i-- > 0;) {
        assert_int_equal(sim_evaluate(simulator, &plans[i], &profile.link, first[i].required_bytes, &again, &error),
                         SS_OK);
        assert_true(again.feasible);
    }
    assert_int_equal(allocations, 0);
    simulator_free(simulator);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(evaluating_plans_again_allocates_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
