/* The bound holds for every plan (MODEL.md §6): tested against all 3^n plans of small random profiles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/bounds.h"
#include "core/planner.h"
#include "core/sim.h"
#include "tests/random_profile.h"

/* Step time of the best of all plans, INFINITY when none fits. */
static double best_of_all_plans(const struct profile *profile, const struct link *link, uint64_t budget,
                                struct arena *arena) {
    struct simulator *simulator = simulator_new(profile, NULL);
    struct plan plan;
    assert_non_null(simulator);
    assert_int_equal(plan_init(&plan, arena, profile, NULL), SS_OK);
    double best = INFINITY;
    bool more = true;
    while (more) {
        struct sim_totals totals;
        if (sim_evaluate(simulator, &plan, link, budget, &totals, NULL) == SS_OK && totals.feasible)
            best = fmin(best, totals.step_us);
        more = false;
        for (uint32_t m = 0; m < profile->managed_count && !more; m++) {
            const uint32_t t = profile->managed[m];
            if (profile->tensors[t].keep)
                continue;
            plan.action[t] = (uint8_t)((plan.action[t] + 1) % ACTION_COUNT);
            more = plan.action[t] != ACTION_KEEP;
        }
    }
    simulator_free(simulator);
    return best;
}

struct tally { uint32_t cases, above_ideal, tight; };

static void check_case(struct random *random, const struct random_shape *shape, struct tally *tally) {
    struct arena arena = { 0 };
    struct profile profile;
    struct link link;
    struct limits limits;
    struct bound bound;
    random_profile(random, shape, &arena, &profile);
    const struct link_options options = random_link_options(random, &profile);
    assert_int_equal(link_resolve(&profile.link, &options, &link, NULL), SS_OK);
    assert_int_equal(limits_compute(&profile, &limits, NULL), SS_OK);
    const uint64_t spread = limits.unlimited_peak_bytes - limits.least_bytes;
    const uint64_t budget = limits.least_bytes + spread * random_below(random, 101) / 100;
    assert_int_equal(bound_compute(&profile, &link, budget, &bound, NULL), SS_OK);
    const double best = best_of_all_plans(&profile, &link, budget, &arena);
    assert_true(best < INFINITY); /* the least budget is feasible */
    assert_true(bound.bound_us >= profile.ideal_us);
    if (bound.bound_us > best * (1 + 1e-9) + 1e-6)
        fail_msg("case %u: bound %.9f us, but a plan takes %.9f us", tally->cases, bound.bound_us, best);
    /* what bounds plans on a faster link, or with more memory, bounds these, too */
    if (tally->cases % 4 == 0) {
        struct bound other;
        const double more = 1 + tally->cases / 4 % 30 / 10.0;
        const struct link faster = { NULL, more * link.h2d_gb_per_s, more * link.d2h_gb_per_s, more * link.h2d_both_gb_per_s,
                                     more * link.d2h_both_gb_per_s, link.latency_us };
        assert_int_equal(bound_compute(&profile, &faster, budget + (more > 2 ? spread / 8 : 0), &other, NULL), SS_OK);
        if (other.bound_us > best * (1 + 1e-9) + 1e-6)
            fail_msg("case %u: a faster link's bound %.9f us, but a plan takes %.9f us", tally->cases, other.bound_us, best);
    }
    tally->cases++;
    tally->above_ideal += bound.bound_us > profile.ideal_us * (1 + 1e-9);
    tally->tight += bound.bound_us > profile.ideal_us * (1 + 1e-9) && bound.bound_us > best * (1 - 1e-6);
    arena_free(&arena);
}

static void no_plan_is_faster_than_the_bound(void **state) {
    struct random random = { 20240607 };
    struct tally tally = { 0 };
    for (int i = 0; i < CASES_OF(3000); i++) {
        const struct random_shape shape = { .most_ops = 2 + random_below(&random, 7), .most_managed = 6,
                                            .whole_times = random_chance(&random, 40),
                                            .chain_only = random_chance(&random, 30),
                                            .free_choice = random_chance(&random, 50) };
        check_case(&random, &shape, &tally);
    }
    /* The test would prove nothing were the bound mostly the ideal time. */
    assert_true(tally.above_ideal > tally.cases / 10 && tally.tight > tally.above_ideal / 2);
    print_message("%u cases, bound above ideal in %u, met exactly in %u of them\n", tally.cases, tally.above_ideal,
                  tally.tight);
}

/* Too many tensors to try all plans: those that refine finds stand for them. */
static void no_plan_that_refine_finds_is_faster_than_the_bound(void **state) {
    struct random random = { 5 };
    uint32_t above_ideal = 0;
    for (int i = 0; i < CASES_OF(120); i++) {
        const struct random_shape shape = { .most_ops = i % 4 ? 10 + random_below(&random, 50) : 150,
                                            .whole_times = random_chance(&random, 40),
                                            .chain_only = random_chance(&random, 20),
                                            .free_choice = random_chance(&random, 85) };
        struct arena arena = { 0 };
        struct profile profile;
        struct limits limits;
        struct bound bound;
        struct planner_result result;
        random_profile(&random, &shape, &arena, &profile);
        assert_int_equal(limits_compute(&profile, &limits, NULL), SS_OK);
        const uint64_t spread = limits.unlimited_peak_bytes - limits.least_bytes;
        const uint64_t budget = limits.least_bytes + spread * random_below(&random, 71) / 100;
        const struct plan_task task = { .profile = &profile, .link = profile.link, .budget_bytes = budget,
                                        .host_memory_bytes = BYTES_UNLIMITED, .evaluation_limit = 300 };
        struct simulator *simulator = simulator_new(&profile, NULL);
        assert_non_null(simulator);
        assert_int_equal(bound_compute(&profile, &profile.link, budget, &bound, NULL), SS_OK);
        assert_int_equal(planner_run(planner_find("refine"), &task, simulator, &arena, &result, NULL), SS_OK);
        assert_true(result.totals.feasible);
        if (bound.bound_us > result.totals.step_us * (1 + 1e-9) + 1e-6)
            fail_msg("case %d: bound %.9f us, but a plan takes %.9f us", i, bound.bound_us, result.totals.step_us);
        above_ideal += bound.bound_us > profile.ideal_us * (1 + 1e-9);
        simulator_free(simulator);
        arena_free(&arena);
    }
    assert_true(above_ideal > CASES_OF(120) / 5);
}

static void below_the_least_budget_no_plan_fits(void **state) {
    struct random random = { 7 };
    for (int i = 0; i < CASES_OF(300); i++) {
        const struct random_shape shape = { .most_ops = 6, .most_managed = 5 };
        struct arena arena = { 0 };
        struct profile profile;
        struct limits limits;
        struct bound bound;
        random_profile(&random, &shape, &arena, &profile);
        assert_int_equal(limits_compute(&profile, &limits, NULL), SS_OK);
        if (limits.least_bytes > 0) {
            assert_true(best_of_all_plans(&profile, &profile.link, limits.least_bytes - 1, &arena) == INFINITY);
            assert_int_equal(bound_compute(&profile, &profile.link, limits.least_bytes - 1, &bound, NULL), SS_OK);
            assert_true(isfinite(bound.bound_us));
        }
        assert_true(best_of_all_plans(&profile, &profile.link, limits.unlimited_peak_bytes, &arena)
                    <= profile.ideal_us * (1 + 1e-9) + 1e-9);
        arena_free(&arena);
    }
}

/* Marks what is remembered: found again, it was not looked for. */
static void a_bound_is_looked_for_once(void **state) {
    (void)state;
    struct arena arena = { 0 };
    struct random random = { 3 };
    struct profile profile;
    struct bounds bounds = { .count = 0 };
    struct bound bound;
    const struct random_shape shape = { .most_ops = 6, .most_managed = 5 };
    random_profile(&random, &shape, &arena, &profile);
    const struct bound mark = { .bound_us = 1e9, .binding = BINDING_ROOM };
    bounds_note(&bounds, &profile, &profile.link, 100, &mark);
    assert_int_equal(bounds_find(&bounds, &profile, &profile.link, 100, &bound, NULL), SS_OK);
    assert_true(bound.bound_us == mark.bound_us);
    struct link other = profile.link;
    other.d2h_gb_per_s /= 2;
    assert_int_equal(bounds_find(&bounds, &profile, &other, 100, &bound, NULL), SS_OK);
    assert_true(bound.bound_us < mark.bound_us);
    assert_int_equal(bounds_find(&bounds, &profile, &profile.link, 101, &bound, NULL), SS_OK);
    assert_true(bound.bound_us < mark.bound_us);
    const struct profile again = profile;
    assert_int_equal(bounds_find(&bounds, &again, &profile.link, 100, &bound, NULL), SS_OK);
    assert_true(bound.bound_us < mark.bound_us);
    assert_int_equal(bounds_find(&bounds, &profile, &profile.link, 100, &bound, NULL), SS_OK);
    assert_true(bound.bound_us == mark.bound_us);
    for (uint64_t budget = 0; budget < BOUNDS_MOST; budget++) /* the oldest make room */
        assert_int_equal(bounds_find(&bounds, &profile, &profile.link, budget, &bound, NULL), SS_OK);
    assert_int_equal(bounds.count, BOUNDS_MOST);
    assert_int_equal(bounds_find(&bounds, &profile, &profile.link, 100, &bound, NULL), SS_OK);
    assert_true(bound.bound_us < mark.bound_us);
    arena_free(&arena);
}

/* What is found quickly is a bound, too, and gives way to the other. */
static void the_quick_bound_is_no_higher(void **state) {
    (void)state;
    struct random random = { 11 };
    uint32_t lower = 0;
    for (int i = 0; i < 400; i++) { /* all of them, whatever watches: few tell the two apart */
        const struct random_shape shape = { .most_ops = 12, .most_managed = 9 };
        struct arena arena = { 0 };
        struct profile profile;
        struct limits limits;
        struct bounds bounds = { .count = 0 };
        struct bound quick, bound, known;
        random_profile(&random, &shape, &arena, &profile);
        assert_int_equal(limits_compute(&profile, &limits, NULL), SS_OK);
        const uint64_t budget = limits.least_bytes + (limits.unlimited_peak_bytes - limits.least_bytes) / 4;
        assert_int_equal(bounds_quick(&bounds, &profile, &profile.link, budget, &quick, NULL), SS_OK);
        assert_int_equal(bounds_find(&bounds, &profile, &profile.link, budget, &bound, NULL), SS_OK);
        assert_int_equal(bounds_quick(&bounds, &profile, &profile.link, budget, &known, NULL), SS_OK);
        assert_true(profile.ideal_us <= quick.bound_us && quick.bound_us <= bound.bound_us);
        assert_true(known.bound_us == bound.bound_us);
        assert_int_equal(bounds.count, 1);
        lower += quick.bound_us < bound.bound_us;
        arena_free(&arena);
    }
    print_message("%u of 400 are lower\n", lower);
    assert_true(lower > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_is_faster_than_the_bound),
        cmocka_unit_test(no_plan_that_refine_finds_is_faster_than_the_bound),
        cmocka_unit_test(below_the_least_budget_no_plan_fits),
        cmocka_unit_test(a_bound_is_looked_for_once),
        cmocka_unit_test(the_quick_bound_is_no_higher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
