/* MODEL.md §3: which steps, in which order, needing how much memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../random_profile.h"
#include "hand_made.h"

static void assert_requirement(struct hand *hand, const uint64_t *expected, uint32_t count) {
    const struct schedule *schedule = hand_schedule(hand);
    assert_int_equal(schedule->step_count, count);
    for (uint32_t k = 0; k < count; k++)
        if (schedule->requirement[k] != expected[k])
            fail_msg("step %u needs %llu bytes, expected %llu", k, (unsigned long long)schedule->requirement[k],
                     (unsigned long long)expected[k]);
}
#define ASSERT_REQUIREMENT(hand, ...)                                                                                  \
    assert_requirement((hand), (const uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* ---- requirement ---------------------------------------------------------------------------------------------- */

static void a_kept_tensor_stays_until_its_last_backward_use(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Fd Bd Bc Bb Ba");
    ASSERT_REQUIREMENT(&hand, 10000, 20000, 30000, 30000, 30000, 20000, 10000, 0);
    const struct schedule *schedule = hand_schedule(&hand);
    assert_int_equal(schedule->peak_bytes, 30000);
    assert_int_equal(schedule->peak_step, 2); /* the first of them */
    assert_int_equal(schedule->last_use[hand_find(&hand, "x")], 6);
    assert_int_equal(schedule->first_use[hand_find(&hand, "x")], NONE); /* not brought back */
    hand_end(&hand);
}

static void an_offloaded_tensor_is_there_in_forward_and_from_its_first_backward_use(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Fd Bd Bc Bb Ba");
    ASSERT_REQUIREMENT(&hand, 10000, 20000, 20000, 20000, 20000, 10000, 10000, 0);
    assert_int_equal(hand_schedule(&hand)->first_use[hand_find(&hand, "x")], 6);
    hand_end(&hand);
}

static void a_recomputed_tensor_is_restored_before_its_first_saver(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "y", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Fd Bd Rb Bc Bb Ba");
    ASSERT_REQUIREMENT(&hand, 10000, 20000, 20000 + 10000, 20000, 20000, 20000, 20000, 10000, 0);
    const struct schedule *schedule = hand_schedule(&hand);
    assert_int_equal(schedule->first_use[hand_find(&hand, "y")], 5);
    assert_int_equal(schedule->last_use[hand_find(&hand, "y")], 6);
    assert_true(schedule->recompute_us == 10 && schedule->compute_us == 90);
    hand_end(&hand);
}

/* b's input m is not managed: R(b) has to run a again, and m lives from R(a) to R(b) only. */
static void an_unmanaged_input_is_an_intermediate_of_the_chain(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "m", 7);
    hand_tensor(&hand, "y", 100);
    hand_op(&hand, "a", 1, 1, "", "m", "");
    hand_op(&hand, "b", 1, 1, "m", "y", "");
    hand_op(&hand, "c", 1, 1, "y", "", "y");
    hand_finish(&hand);
    hand_plan(&hand, "y", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Ra Rb Bc Bb Ba");
    ASSERT_REQUIREMENT(&hand, 7, 107, 100, 7, 107, 100, 0, 0);
    hand_end(&hand);
}

/* a makes p and q; both are dropped. Restoring p for c brings q back too, and q stays for b. */
static void an_op_that_runs_again_restores_all_its_dropped_outputs(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "p", 100);
    hand_tensor(&hand, "q", 10);
    hand_tensor(&hand, "r", 1);
    hand_op(&hand, "a", 1, 1, "", "p q", "");
    hand_op(&hand, "b", 1, 1, "q", "r", "q");
    hand_op(&hand, "c", 1, 1, "p r", "", "p");
    hand_finish(&hand);
    hand_plan(&hand, "p", ACTION_RECOMPUTE);
    hand_plan(&hand, "q", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Ra Bc Bb Ba");
    ASSERT_REQUIREMENT(&hand, 110, 111, 101, 110, 110, 10, 0);
    hand_end(&hand);
}

/* q is on the host: R(a) does not restore it, it is fetched. */
static void what_is_on_the_host_is_not_restored(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "p", 100);
    hand_tensor(&hand, "q", 10);
    hand_op(&hand, "a", 1, 1, "", "p q", "");
    hand_op(&hand, "b", 1, 1, "p q", "", "p q");
    hand_finish(&hand);
    hand_plan(&hand, "p", ACTION_RECOMPUTE);
    hand_plan(&hand, "q", ACTION_OFFLOAD);
    assert_string_equal(hand_steps(&hand), "Fa Fb Ra Bb Ba");
    ASSERT_REQUIREMENT(&hand, 110, 110, 100, 110, 0);
    hand_end(&hand);
}

/* y is rebuilt from x, which is offloaded: x has to be back for R(b), two steps before B(b). */
static void an_r_that_reads_an_offloaded_tensor_is_its_first_use(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Fd Bd Rb Bc Bb Ba");
    assert_int_equal(hand_schedule(&hand)->first_use[hand_find(&hand, "x")], 5);
    assert_int_equal(hand_schedule(&hand)->last_use[hand_find(&hand, "x")], 7);
    hand_end(&hand);
}

/* p, saved by c alone, is past its last saver when R(b) reads it for B(b): it has to stay until then. */
static void a_tensor_stays_for_an_r_after_its_last_saver(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "p", 100);
    hand_tensor(&hand, "q", 10);
    hand_op(&hand, "a", 1, 1, "", "p", "");
    hand_op(&hand, "b", 1, 1, "p", "q", "q");
    hand_op(&hand, "c", 1, 1, "p", "", "p");
    hand_finish(&hand);
    hand_plan(&hand, "q", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Bc Rb Bb Ba");
    ASSERT_REQUIREMENT(&hand, 100, 110, 100, 100, 110, 10, 0);
    assert_int_equal(hand_schedule(&hand)->last_use[hand_find(&hand, "p")], 4);
    hand_end(&hand);
}

static void a_gradient_lives_from_its_last_reader_to_its_producer(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor_with(&hand, (struct tensor_spec){ .name = "g", .bytes = 5 });  /* read by b and c */
    hand_tensor_with(&hand, (struct tensor_spec){ .name = "end", .bytes = 3 }); /* read by nobody: no gradient */
    hand_tensor_with(&hand, (struct tensor_spec){ .name = "batch", .bytes = 9 }); /* made by nobody */
    hand_op(&hand, "a", 1, 1, "batch", "g", "batch");
    hand_op(&hand, "b", 1, 1, "g", "", "");
    hand_op(&hand, "c", 1, 1, "g", "end", "");
    hand_finish(&hand);
    ASSERT_REQUIREMENT(&hand, 5, 5, 5 + 3, 5, 5, 5);
    hand_end(&hand);
}

static void workspace_counts_while_its_op_runs(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 100);
    struct op_spec a = { .name = "a", .recompute_us = NAN, .forward_workspace_bytes = 20,
                         .backward_workspace_bytes = 3 };
    hand_op_with(&hand, a, "", "x", "");
    hand_op(&hand, "b", 1, 1, "x", "", "x");
    hand_finish(&hand);
    ASSERT_REQUIREMENT(&hand, 120, 100, 100, 3);
    hand_plan(&hand, "x", ACTION_RECOMPUTE);
    ASSERT_REQUIREMENT(&hand, 120, 100, 120, 100, 3); /* Fa Fb Ra Bb Ba */
    hand_end(&hand);
}

/* ---- order ---------------------------------------------------------------------------------------------------- */

/* D2H goes by producer and place among its outputs; H2D by first use, ties by number. q has the lower number. */
static void transfers_are_queued_by_producer_and_by_first_use(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "q", 1);
    hand_tensor(&hand, "p", 1);
    hand_tensor(&hand, "r", 1);
    hand_op(&hand, "a", 1, 1, "", "p q", "");
    hand_op(&hand, "b", 1, 1, "p q", "r", "p q r");
    hand_op(&hand, "c", 1, 1, "r", "", "r");
    hand_finish(&hand);
    hand_plan(&hand, "p", ACTION_OFFLOAD);
    hand_plan(&hand, "q", ACTION_OFFLOAD);
    hand_plan(&hand, "r", ACTION_OFFLOAD);
    const struct schedule *schedule = hand_schedule(&hand);
    const uint32_t p = hand_find(&hand, "p"), q = hand_find(&hand, "q"), r = hand_find(&hand, "r");
    assert_int_equal(schedule->d2h_count, 3);
    assert_memory_equal(schedule->d2h, ((const uint32_t[]){ p, q, r }), 3 * sizeof(uint32_t));
    assert_int_equal(schedule->h2d_count, 3);
    assert_memory_equal(schedule->h2d, ((const uint32_t[]){ r, q, p }), 3 * sizeof(uint32_t));
    hand_end(&hand);
}

/* Inputs are restored in listed order, depth first. */
static void a_chain_restores_inputs_in_listed_order(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "u", 1);
    hand_tensor(&hand, "v", 1);
    hand_tensor(&hand, "w", 1);
    hand_op(&hand, "a", 1, 1, "", "u", "");
    hand_op(&hand, "b", 1, 1, "", "v", "");
    hand_op(&hand, "c", 1, 1, "v u v", "w", "");
    hand_op(&hand, "d", 1, 1, "w", "", "w");
    hand_finish(&hand);
    hand_plan(&hand, "w", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fa Fb Fc Fd Rb Ra Rc Bd Bc Bb Ba");
    hand_end(&hand);
}

/* A chain as long as the model: 200,000 ops deep. */
static void a_long_chain_needs_no_deep_call_stack(void **state) {
    (void)state;
    enum { OPS = 200000 };
    struct hand hand;
    hand_begin(&hand);
    uint32_t previous = NONE;
    for (uint32_t i = 0; i < OPS; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        uint32_t output = hand_tensor(&hand, name, 1);
        bool last = i + 1 == OPS;
        struct op_spec op = { .name = name, .recompute_us = NAN, .inputs = &previous, .input_count = i > 0,
                              .outputs = &output, .output_count = 1, .saved = &output, .saved_count = last };
        assert_int_equal(profile_add_op(&hand.profile, &op, NULL, &hand.error), SS_OK);
        previous = output;
    }
    hand_finish(&hand);
    hand.plan.action[previous] = ACTION_RECOMPUTE;
    const struct schedule *schedule = hand_schedule(&hand);
    assert_int_equal(schedule->step_count, 3 * OPS);
    assert_int_equal(schedule->op[OPS], 0); /* R of the first op */
    assert_int_equal(schedule->peak_bytes, 2);
    hand_end(&hand);
}

/* ---- refusals ------------------------------------------------------------------------------------------------- */

static void assert_refused(struct hand *hand, const char *tensor, const char *op) {
    const struct schedule *schedule;
    assert_int_equal(schedule_build(simulator_builder(hand->simulator), &hand->plan, &schedule, &hand->error),
                     SS_BAD_INPUT);
    if (!strstr(hand->error.text, tensor) || !strstr(hand->error.text, op))
        fail_msg("expected %s and %s in: %s", tensor, op, hand->error.text);
}

/* y needs m, m needs a, and a must not run twice: y is to blame. If x, which is managed, stands between, x is. */
static void a_closure_with_an_op_that_must_not_run_twice_names_its_root(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 1);
    hand_tensor(&hand, "m", 1);
    hand_tensor(&hand, "y", 1);
    hand_op_with(&hand, (struct op_spec){ .name = "gather", .recompute_us = NAN, .not_recomputable = true }, "", "x", "");
    hand_op(&hand, "b", 1, 1, "x", "m", "x");
    hand_op_with(&hand, (struct op_spec){ .name = "random", .recompute_us = NAN, .not_recomputable = true }, "m", "y",
                 "");
    hand_op(&hand, "d", 1, 1, "y", "", "y");
    hand_finish(&hand);
    hand_plan(&hand, "y", ACTION_RECOMPUTE);
    assert_refused(&hand, "'y'", "'random'");
    hand_plan(&hand, "y", ACTION_KEEP);
    hand_plan(&hand, "x", ACTION_RECOMPUTE);
    assert_refused(&hand, "'x'", "'gather'");
    hand_end(&hand);
}

/* z is rebuilt from y, y from x; only x's own producer is barred. */
static void the_root_is_the_managed_tensor_nearest_to_the_op(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 1);
    hand_tensor(&hand, "y", 1);
    hand_tensor(&hand, "z", 1);
    hand_op_with(&hand, (struct op_spec){ .name = "gather", .recompute_us = NAN, .not_recomputable = true }, "", "x", "");
    hand_op(&hand, "b", 1, 1, "x", "y", "x");
    hand_op(&hand, "c", 1, 1, "y", "z", "y");
    hand_op(&hand, "d", 1, 1, "z", "", "z");
    hand_finish(&hand);
    hand_plan(&hand, "z", ACTION_RECOMPUTE);
    hand_plan(&hand, "y", ACTION_RECOMPUTE);
    assert_string_equal(hand_steps(&hand), "Fgather Fb Fc Fd Rb Rc Bd Bc Bb Bgather");
    hand_plan(&hand, "x", ACTION_RECOMPUTE);
    assert_refused(&hand, "'x'", "'gather'");
    hand_end(&hand);
}

static void a_tensor_that_must_stay_is_not_moved(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor_with(&hand, (struct tensor_spec){ .name = "x", .bytes = 1, .keep = true });
    hand_op(&hand, "a", 1, 1, "", "x", "x");
    hand_finish(&hand);
    hand.plan.action[0] = ACTION_OFFLOAD; /* past plan_set, which refuses it too */
    assert_refused(&hand, "'x'", "offload");
    hand_end(&hand);
}

static void sizes_whose_sum_would_not_be_exact_are_refused(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    for (int i = 0; i < 400; i++) { /* 400 * 2^53 is below 2^63, three times that is not */
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        hand_tensor(&hand, name, BYTES_LIMIT - 1);
    }
    hand_op(&hand, "a", 1, 1, "", "t0", "t0");
    assert_int_equal(profile_finish(&hand.profile, NULL, &hand.error), SS_OK);
    assert_null(simulator_new(&hand.profile, &hand.error));
    assert_non_null(strstr(hand.error.text, "2^63"));
    arena_free(&hand.arena);
}

/* ---- parts ---------------------------------------------------------------------------------------------------- */

/* On random work: the parts of a step, and its live set, add up to what it needs; building is repeatable. */
static void parts_and_live_sets_add_up(void **state) {
    (void)state;
    struct random random = { 7 };
    for (int round = 0; round < 300; round++) {
        struct arena arena = { NULL };
        struct error error = { .text = "" };
        struct profile profile;
        struct plan plan;
        struct random_shape shape = { .most_ops = 12, .whole_times = round % 2, .free_choice = true };
        random_profile(&random, &shape, &arena, &profile);
        random_plan(&random, &profile, &arena, &plan);
        struct schedule_builder *builder = schedule_builder_new(&profile, &error);
        assert_non_null(builder);
        uint64_t *parts[PART_COUNT];
        assert_int_equal(schedule_parts(builder, &plan, &arena, parts, &error), SS_OK);
        const struct schedule *schedule;
        assert_int_equal(schedule_build(builder, &plan, &schedule, &error), SS_OK);
        for (uint32_t k = 0; k < schedule->step_count; k++) {
            struct resident *live;
            uint32_t count;
            uint64_t sum[PART_COUNT] = { 0 };
            assert_int_equal(schedule_live_set(builder, &plan, k, &arena, &live, &count, &error), SS_OK);
            for (uint32_t i = 0; i < count; i++) {
                sum[live[i].part] += live[i].bytes;
                assert_true(i == 0 || live[i - 1].bytes >= live[i].bytes);
            }
            for (int part = 0; part < PART_COUNT; part++)
                assert_int_equal(sum[part], parts[part][k]);
            assert_int_equal(sum[PART_KEPT] + sum[PART_GRADIENT] + sum[PART_SCRATCH], schedule->requirement[k]);
        }
        schedule_builder_free(builder);
        arena_free(&arena);
    }
}

static void a_live_set_lists_tensors_gradients_and_workspace(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor_with(&hand, (struct tensor_spec){ .name = "g", .bytes = 5 });
    hand_op(&hand, "a", 1, 1, "", "g", "");
    hand_op_with(&hand, (struct op_spec){ .name = "b", .recompute_us = NAN, .backward_workspace_bytes = 7 }, "g", "",
                 "g");
    hand_finish(&hand);
    struct resident *live;
    uint32_t count;
    struct schedule_builder *builder = simulator_builder(hand.simulator);
    assert_int_equal(schedule_live_set(builder, &hand.plan, 2, &hand.arena, &live, &count, &hand.error), SS_OK);
    assert_int_equal(count, 3);
    assert_true(live[0].tensor == NONE && live[0].bytes == 7 && live[0].part == PART_SCRATCH);
    assert_true(live[1].tensor == 0 && live[1].part == PART_KEPT);
    assert_true(live[2].tensor == 0 && live[2].part == PART_GRADIENT);
    assert_int_equal(schedule_live_set(builder, &hand.plan, 4, &hand.arena, &live, &count, &hand.error), SS_USAGE);
    hand_end(&hand);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kept_tensor_stays_until_its_last_backward_use),
        cmocka_unit_test(an_offloaded_tensor_is_there_in_forward_and_from_its_first_backward_use),
        cmocka_unit_test(a_recomputed_tensor_is_restored_before_its_first_saver),
        cmocka_unit_test(an_unmanaged_input_is_an_intermediate_of_the_chain),
        cmocka_unit_test(an_op_that_runs_again_restores_all_its_dropped_outputs),
        cmocka_unit_test(what_is_on_the_host_is_not_restored),
        cmocka_unit_test(an_r_that_reads_an_offloaded_tensor_is_its_first_use),
        cmocka_unit_test(a_tensor_stays_for_an_r_after_its_last_saver),
        cmocka_unit_test(a_gradient_lives_from_its_last_reader_to_its_producer),
        cmocka_unit_test(workspace_counts_while_its_op_runs),
        cmocka_unit_test(transfers_are_queued_by_producer_and_by_first_use),
        cmocka_unit_test(a_chain_restores_inputs_in_listed_order),
        cmocka_unit_test(a_long_chain_needs_no_deep_call_stack),
        cmocka_unit_test(a_closure_with_an_op_that_must_not_run_twice_names_its_root),
        cmocka_unit_test(the_root_is_the_managed_tensor_nearest_to_the_op),
        cmocka_unit_test(a_tensor_that_must_stay_is_not_moved),
        cmocka_unit_test(sizes_whose_sum_would_not_be_exact_are_refused),
        cmocka_unit_test(parts_and_live_sets_add_up),
        cmocka_unit_test(a_live_set_lists_tensors_gradients_and_workspace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
