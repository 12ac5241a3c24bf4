/* What re-running ops costs at least (closure.h), held against schedules of random plans. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/closure.h"
#include "core/schedule.h"
#include "tests/core/hand_made.h"
#include "tests/random_profile.h"

static void shares_never_exceed_what_a_chain_costs(void **state) {
    struct random random = { 31 };
    uint32_t chains = 0, met = 0, shared = 0;
    for (int i = 0; i < 20000; i++) {
        const struct random_shape shape = { .most_ops = 4 + random_below(&random, 20), .whole_times = true,
                                            .chain_only = random_chance(&random, 10),
                                            .free_choice = random_chance(&random, 80) };
        struct arena arena = { 0 };
        struct profile profile;
        struct closure closure;
        struct plan plan;
        const struct schedule *schedule;
        random_profile(&random, &shape, &arena, &profile);
        struct schedule_builder *builder = schedule_builder_new(&profile, NULL);
        assert_non_null(builder);
        assert_int_equal(closure_compute(&closure, &arena, &profile, NULL), SS_OK);
        if (i % 2) /* whatever is said to be dear */
            assert_int_equal(closure_share(&closure.share_us, &arena, &profile, closure.rerunnable,
                                           random_below(&random, 100) / 100.0, NULL), SS_OK);
        assert_int_equal(plan_init(&plan, &arena, &profile, NULL), SS_OK);
        const uint32_t percent = 20 + random_below(&random, 81);
        bool *again = ARENA_ARRAY(&arena, bool, profile.op_count);
        for (uint32_t m = 0; m < profile.managed_count; m++) {
            const uint32_t t = profile.managed[m];
            if (!closure_allows(&closure, &profile, t) || !random_chance(&random, percent))
                continue;
            plan.action[t] = ACTION_RECOMPUTE;
            again[profile.tensors[t].producer] = true;
        }
        assert_int_equal(schedule_build(builder, &plan, &schedule, NULL), SS_OK);
        for (uint32_t op = 0; op < profile.op_count; op++) {
            assert_true(closure.share_us[op] >= -1e-9 && closure.share_us[op] <= closure.full_us[op] + 1e-9);
            shared += again[op] && closure.share_us[op] != closure.full_us[op];
        }
        double shares = 0, taken = 0; /* of one chain */
        for (uint32_t k = schedule->forward_count; k < schedule->step_count; k++) {
            const uint32_t op = schedule->op[k];
            if (schedule->kind[k] == STEP_RECOMPUTE) {
                taken += schedule->duration_us[k];
                shares += again[op] ? closure.share_us[op] : 0;
                again[op] = false; /* whatever it runs again for later, that restored its tensors */
                continue;
            }
            if (shares > taken * (1 + 1e-9) + 1e-9)
                fail_msg("case %d: shares of %.9f us in a chain that takes %.9f us", i, shares, taken);
            chains += taken > 0;
            met += taken > 0 && shares > taken * (1 - 1e-9);
            shares = taken = 0;
        }
        schedule_builder_free(builder);
        arena_free(&arena);
    }
    assert_true(chains > 5000 && met > chains / 2 && shared > 1000);
    print_message("%u chains, %u of which take what the shares say\n", chains, met);
}

static double share_of(const struct hand *hand, const struct closure *closure, const char *output) {
    return closure->share_us[hand->profile.tensors[hand_find(hand, output)].producer];
}

/* A norm of 4 us, whose output is gone after the forward pass, serves two branches: an op of 1 us each, and what reads that. */
static void begin_branches(struct hand *hand) {
    static const char *const tensors[] = { "x", "n", "a", "pa", "qa", "ja", "ka", "b", "pb", "qb", "jb", "kb", "y" };
    hand_begin(hand);
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++)
        hand_tensor(hand, tensors[t], 100);
    hand_op(hand, "conv", 500, 1, "", "x", "");
    hand_op(hand, "norm", 4, 1, "x", "n", "x");
}

/* The ops of branch X up to where P and Q, which read the same, have run. */
static void add_branch(struct hand *hand, const char *x, const char *p, const char *q, double us) {
    hand_op(hand, arena_printf(&hand->arena, "relu %s", x), 1, 1, "n", x, x);
    hand_op(hand, p, us, 1, x, p, x);
    hand_op(hand, q, us, 1, x, q, x);
}

static void end_branches(struct hand *hand, struct closure *closure, double dear) {
    hand_op(hand, "add", 1, 1, "ka kb", "y", "");
    hand_finish(hand);
    assert_int_equal(closure_compute(closure, &hand->arena, &hand->profile, NULL), SS_OK);
    assert_int_equal(closure_share(&closure->share_us, &hand->arena, &hand->profile, closure->rerunnable, dear, NULL), SS_OK);
}

/* Both may pay for a norm of their own: they share one only if the joins, which are dear, run again as well. */
static void who_shares_only_with_what_is_dear_pays_for_all(void **state) {
    struct hand hand;
    struct closure closure;
    begin_branches(&hand);
    add_branch(&hand, "a", "pa", "qa", 10);
    hand_op(&hand, "join a", 30, 1, "pa qa", "ja", "");
    hand_op(&hand, "out a", 50, 1, "ja", "ka", "ja");
    add_branch(&hand, "b", "pb", "qb", 10);
    hand_op(&hand, "join b", 30, 1, "pb qb", "jb", "");
    hand_op(&hand, "out b", 50, 1, "jb", "kb", "jb");
    end_branches(&hand, &closure, INFINITY);
    assert_true(fabs(share_of(&hand, &closure, "a") - 5) < 1e-9 && fabs(share_of(&hand, &closure, "b") - 5) < 1e-9);
    /* a join costs 30 us and the 20 us of what it alone reads; the two have had back what one norm costs */
    assert_true(fabs(share_of(&hand, &closure, "ja") + share_of(&hand, &closure, "jb") - (2 * 50 - 4)) < 1e-9);
    hand_end(&hand);
}

/* No op runs again on every way to where the branches meet, but one of two does on any: both have it back, so it counts what
 * runs again anyway. */
static void several_that_are_dear_guard_as_well_as_one(void **state) {
    struct hand hand;
    struct closure closure;
    const double dears[] = { INFINITY, 0.2 }, both_us[] = { 2 + 4, 2 + 8 };
    for (int i = 0; i < 2; i++) {
        begin_branches(&hand);
        add_branch(&hand, "a", "pa", "qa", 50);
        hand_op(&hand, "join a", 3, 1, "pa qa", "ka", "pa qa");
        add_branch(&hand, "b", "pb", "qb", 50);
        hand_op(&hand, "join b", 3, 1, "pb qb", "kb", "pb qb");
        end_branches(&hand, &closure, dears[i]);
        const double both = share_of(&hand, &closure, "a") + share_of(&hand, &closure, "b");
        if (fabs(both - both_us[i]) > 1e-9)
            fail_msg("what costs %g us a byte is dear: both pay %.9f us, not %g", dears[i], both, both_us[i]);
        hand_end(&hand);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(shares_never_exceed_what_a_chain_costs),
                                        cmocka_unit_test(who_shares_only_with_what_is_dear_pays_for_all),
                                        cmocka_unit_test(several_that_are_dear_guard_as_well_as_one) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
