/* Puzzles: the same everywhere and for ever, feasible but not by keeping all, worth planning by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/bound.h"
#include "core/knobs.h"
#include "core/puzzle.h"
#include "core/work.h"

struct built { struct arena arena; struct profile profile; struct limits limits; uint64_t budget_bytes; };

static void build(struct built *built, uint32_t level, uint32_t seed) {
    struct error error = { "", "" };
    memset(built, 0, sizeof *built);
    if (puzzle_build(level, seed, &built->arena, &built->profile, &built->budget_bytes, &error) != SS_OK)
        fail_msg("level %u, seed %u: %s", level, seed, error.text);
    assert_int_equal(limits_compute(&built->profile, &built->limits, NULL), SS_OK);
}

static uint64_t mix(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x100000001B3); /* FNV-1a, a word at a time */
}

static uint64_t fingerprint(const struct built *built) {
    const struct profile *profile = &built->profile;
    uint64_t sum = mix(UINT64_C(0xCBF29CE484222325), built->budget_bytes);
    for (uint32_t i = 0; i < profile->tensor_count; i++)
        sum = mix(mix(sum, profile->tensors[i].bytes), profile->tensors[i].producer);
    for (uint32_t i = 0; i < profile->op_count; i++)
        sum = mix(mix(sum, (uint64_t)profile->ops[i].forward_us), (uint64_t)profile->ops[i].backward_us);
    return mix(mix(sum, (uint64_t)(profile->link.h2d_gb_per_s * 10)), (uint64_t)(profile->link.h2d_both_gb_per_s * 10 + 0.5));
}

/* Gaps that people have reached are kept by level and seed: a puzzle may never become another one. */
static void a_puzzle_is_the_same_everywhere_and_for_ever(void **state) {
    (void)state;
    uint64_t sum = 0;
    for (uint32_t level = 1; level <= PUZZLE_LEVELS; level++)
        for (uint32_t seed = 0; seed < 20; seed++) {
            struct built built;
            build(&built, level, seed);
            sum = mix(sum, fingerprint(&built));
            arena_free(&built.arena);
        }
    if (sum != UINT64_C(0xA2BF9ACEE8DFBD98))
        fail_msg("the fingerprint is 0x%" PRIX64, sum);
}

static void it_does_not_fit_by_keeping_all_yet_some_plan_fits(void **state) {
    (void)state;
    for (uint32_t level = 1; level <= PUZZLE_LEVELS; level++)
        for (uint32_t seed = 0; seed < 100; seed++) {
            struct built built;
            build(&built, level, seed);
            assert_true(built.budget_bytes < built.limits.unlimited_peak_bytes);
            assert_true(built.budget_bytes >= built.limits.least_bytes);
            arena_free(&built.arena);
        }
}

static void levels_grow(void **state) {
    (void)state;
    uint32_t before = 0;
    for (uint32_t level = 1; level <= PUZZLE_LEVELS; level++) {
        uint32_t tensors = 0;
        for (uint32_t seed = 0; seed < 30; seed++) {
            struct built built;
            build(&built, level, seed);
            tensors += built.profile.managed_count;
            arena_free(&built.arena);
        }
        assert_true(tensors > before);
        before = tensors;
    }
}

static void another_seed_is_another_puzzle(void **state) {
    (void)state;
    struct built a, b;
    build(&a, 3, 1);
    build(&b, 3, 2);
    assert_true(fingerprint(&a) != fingerprint(&b));
    arena_free(&a.arena);
    arena_free(&b.arena);
}

static void what_is_no_puzzle_is_refused(void **state) {
    (void)state;
    struct arena arena = { 0 };
    struct profile profile;
    struct error error = { "", "" };
    uint64_t budget_bytes;
    assert_int_equal(puzzle_build(0, 0, &arena, &profile, &budget_bytes, &error), SS_USAGE);
    assert_string_equal(error.text, "there is no level 0: levels go from 1 to 12");
    assert_int_equal(puzzle_build(13, 0, &arena, &profile, &budget_bytes, &error), SS_USAGE);
    assert_int_equal(puzzle_build(1, PUZZLE_SEEDS, &arena, &profile, &budget_bytes, &error), SS_USAGE);
    assert_string_equal(error.text, "there is no seed 16777216: seeds are below 16777216");
    arena_free(&arena);
}

static void a_puzzle_is_a_number_of_work_and_back(void **state) {
    (void)state;
    uint32_t level, seed;
    for (uint32_t i = 1; i <= PUZZLE_LEVELS; i++) {
        assert_true(puzzle_of_work(puzzle_work(i, PUZZLE_SEEDS - i), &level, &seed));
        assert_int_equal(level, i);
        assert_int_equal(seed, PUZZLE_SEEDS - i);
    }
    assert_false(puzzle_of_work(WORK_OPENED, &level, &seed));
    assert_false(puzzle_of_work(1 << 24, &level, &seed));
    assert_false(puzzle_of_work(UINT32_MAX, &level, &seed));
}

static struct puzzle_marks marks_of(uint32_t level, uint32_t seed) {
    struct built built;
    struct puzzle_marks marks;
    build(&built, level, seed);
    assert_int_equal(puzzle_marks_find(&marks, &built.arena, &built.profile, built.budget_bytes, NULL, NULL, NULL), SS_OK);
    arena_free(&built.arena); /* the plan goes with it */
    return marks;
}

static void the_first_puzzle_of_most_levels_is_where_slackswap_can_be_beaten(void **state) {
    (void)state;
    uint32_t beaten = 0;
    for (uint32_t level = 1; level <= PUZZLE_LEVELS; level++) {
        struct puzzle_marks marks = marks_of(level, puzzle_first_seed(level));
        assert_true(isfinite(marks.slackswap_gap) && isfinite(marks.best_gap) && marks.best_gap >= 0);
        beaten += marks.best_gap < marks.slackswap_gap - 0.001;
    }
    assert_in_range(beaten, 9, PUZZLE_LEVELS);
}

static void of_small_ones_the_best_plan_is_proved_and_half_beat_slackswap(void **state) {
    (void)state;
    uint32_t beaten = 0;
    for (uint32_t level = 1; level <= 3; level++)
        for (uint32_t seed = 0; seed < 8; seed++) {
            struct puzzle_marks marks = marks_of(level, seed);
            assert_true(marks.proved);
            beaten += marks.best_gap < marks.slackswap_gap - 1e-4;
        }
    assert_in_range(beaten, 12, 24);
}

static void stars_are_for_fitting_beating_slackswap_and_the_best(void **state) {
    (void)state;
    const struct puzzle_marks marks = { .slackswap_gap = 0.02, .best_gap = 0.01, .best_planner = "refine" };
    assert_int_equal(puzzle_stars(INFINITY, &marks), 0);
    assert_int_equal(puzzle_stars(0.5, &marks), 1);
    assert_int_equal(puzzle_stars(0.02, &marks), 1);
    assert_int_equal(puzzle_stars(0.0199, &marks), 2);
    assert_int_equal(puzzle_stars(0.01, &marks), 3);
    assert_int_equal(puzzle_stars(0.01 + 1e-12, &marks), 3);
    assert_string_equal(puzzle_verdict(INFINITY, &marks), "no plan of yours fits yet");
    assert_string_equal(puzzle_verdict(0.5, &marks), "fits");
    assert_string_equal(puzzle_verdict(0.02, &marks), "as good as slackswap");
    assert_string_equal(puzzle_verdict(0.015, &marks), "beats slackswap");
    assert_string_equal(puzzle_verdict(0.01, &marks), "the best that is known");
    assert_string_equal(puzzle_verdict(0.005, &marks), "better than any planner's plan");
    struct puzzle_marks proved = marks;
    proved.proved = true;
    assert_string_equal(puzzle_verdict(0.01, &proved), "the best there is");
    const struct puzzle_marks equal = { .slackswap_gap = 0.01, .best_gap = 0.01, .proved = true };
    assert_int_equal(puzzle_stars(0.01, &equal), 3); /* where it can't be beaten, to equal it is the best */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puzzle_is_the_same_everywhere_and_for_ever),
        cmocka_unit_test(it_does_not_fit_by_keeping_all_yet_some_plan_fits),
        cmocka_unit_test(levels_grow),
        cmocka_unit_test(another_seed_is_another_puzzle),
        cmocka_unit_test(what_is_no_puzzle_is_refused),
        cmocka_unit_test(a_puzzle_is_a_number_of_work_and_back),
        cmocka_unit_test(the_first_puzzle_of_most_levels_is_where_slackswap_can_be_beaten),
        cmocka_unit_test(of_small_ones_the_best_plan_is_proved_and_half_beat_slackswap),
        cmocka_unit_test(stars_are_for_fitting_beating_slackswap_and_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
