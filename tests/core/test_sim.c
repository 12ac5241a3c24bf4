/* MODEL.md §4: when things happen, and why. Times are small enough to be reckoned by hand: 1000 bytes take 1 us. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hand_made.h"

#define ASSERT_TIME(found, expected)                                                                                   \
    do {                                                                                                               \
        double found_us = (found), expected_us = (expected);                                                          \
        if (!(fabs(found_us - expected_us) <= 1e-6))                                                                   \
            fail_msg("%s is %.9g us, expected %.9g", #found, found_us, expected_us);                                   \
    } while (0)

static void assert_step(const struct hand *hand, uint32_t k, double start_us, enum cause_kind kind, uint32_t index) {
    const struct timeline_step *step = &hand->timeline.steps[k];
    if (fabs(step->start_us - start_us) > 1e-6 || step->cause.kind != kind || step->cause.index != index)
        fail_msg("step %u starts at %.9g for cause %u of %u, expected %.9g, %u of %u", k, step->start_us,
                 step->cause.kind, step->cause.index, start_us, kind, index);
}

static void assert_transfer(const struct timeline_transfer *transfer, double start_us, double end_us,
                            enum cause_kind kind, uint32_t index) {
    if (fabs(transfer->start_us - start_us) > 1e-6 || fabs(transfer->end_us - end_us) > 1e-6 ||
        transfer->cause.kind != kind || transfer->cause.index != index)
        fail_msg("transfer from %.9g to %.9g for cause %u of %u, expected %.9g to %.9g, %u of %u", transfer->start_us,
                 transfer->end_us, transfer->cause.kind, transfer->cause.index, start_us, end_us, kind, index);
}

static void assert_stall(const struct hand *hand, uint32_t number, uint32_t step, double start_us, double end_us,
                         enum stall_kind kind, const char *tensor, enum cause_kind held) {
    assert_true(number < hand->timeline.stall_count);
    const struct stall *stall = &hand->timeline.stalls[number];
    ASSERT_TIME(stall->start_us, start_us);
    ASSERT_TIME(stall->end_us, end_us);
    assert_int_equal(stall->step, step);
    assert_int_equal(stall->kind, kind);
    assert_string_equal(hand->profile.tensors[stall->tensor].name, tensor);
    assert_int_equal(stall->held.kind, held);
    const struct timeline_transfer *transfers = kind == STALL_TRANSFER ? hand->timeline.h2d : hand->timeline.d2h;
    assert_int_equal(transfers[stall->transfer].tensor, stall->tensor);
}

/* ---- compute alone -------------------------------------------------------------------------------------------- */

static void kept_work_runs_without_a_gap(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_run(&hand);
    for (uint32_t k = 0; k < 8; k++)
        assert_step(&hand, k, 10 * k, k ? CAUSE_ORDER : CAUSE_START, k ? k - 1 : 0);
    ASSERT_TIME(hand.timeline.totals.step_us, 80);
    assert_true(hand.timeline.totals.stall_us == 0);
    assert_int_equal(hand.timeline.totals.peak_bytes, 30000);
    assert_int_equal(hand.timeline.totals.host_peak_bytes, 0);
    assert_int_equal(hand.timeline.stall_count, 0);
    hand_end(&hand);
}

static void fixed_time_is_added_to_the_step(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand.profile.fixed_us = 5;
    hand_op(&hand, "a", 10, 20, "", "", "");
    hand_finish(&hand);
    hand_run(&hand);
    ASSERT_TIME(hand.timeline.totals.step_us, 35);
    ASSERT_TIME(hand.timeline.end_us, 30);
    hand_end(&hand);
}

static void recompute_steps_take_the_recompute_time(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 10);
    hand_op_with(&hand, (struct op_spec){ .name = "a", .forward_us = 10, .backward_us = 1, .recompute_us = 7 }, "", "x",
                 "");
    hand_op(&hand, "b", 10, 1, "x", "", "x");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_RECOMPUTE);
    hand_run(&hand);
    ASSERT_TIME(hand.timeline.totals.step_us, 29);
    ASSERT_TIME(hand.timeline.totals.recompute_us, 7);
    hand_end(&hand);
}

/* ---- transfers ------------------------------------------------------------------------------------------------ */

static void an_offload_starts_when_made_and_returns_at_the_turn(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[0], 10, 20, CAUSE_PRODUCED, 0);
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_BACKWARD, 3);
    ASSERT_TIME(hand.timeline.totals.step_us, 80);
    assert_int_equal(hand.timeline.totals.peak_bytes, 30000); /* x is back before Bd, beside y and z */
    assert_int_equal(hand.timeline.totals.d2h_bytes, 10000);
    assert_int_equal(hand.timeline.totals.h2d_bytes, 10000);
    hand_end(&hand);
}

/* Fc needs y and z: without the room that x left at 20 it could not start then. x returns when Bd has made room. */
static void a_tight_budget_delays_the_return_and_is_met_exactly(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.budget_bytes = 20000;
    hand_run(&hand);
    assert_step(&hand, 2, 20, CAUSE_ROOM, 0);
    assert_transfer(&hand.timeline.h2d[0], 50, 60, CAUSE_STEP_ROOM, 4);
    assert_step(&hand, 6, 60, CAUSE_LANDED, 0);
    ASSERT_TIME(hand.timeline.totals.step_us, 80);
    assert_int_equal(hand.timeline.totals.peak_bytes, 20000);
    hand_end(&hand);
}

/* The D2H of x ends with Fb, but its room is not what Fc waited for: Fb is the cause. */
static void a_transfer_that_ends_at_the_same_instant_is_no_cause_unless_needed(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.budget_bytes = 30000;
    hand_run(&hand);
    ASSERT_TIME(hand.timeline.d2h[0].end_us, 20);
    assert_step(&hand, 2, 20, CAUSE_ORDER, 1);
    hand_end(&hand);
}

static void latency_holds_the_lane_before_the_bytes_move(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.link.latency_us = 3;
    hand.budget_bytes = 20000;
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[0], 10, 23, CAUSE_PRODUCED, 0);
    assert_step(&hand, 2, 23, CAUSE_ROOM, 0);
    assert_transfer(&hand.timeline.h2d[0], 53, 66, CAUSE_STEP_ROOM, 4);
    assert_step(&hand, 6, 66, CAUSE_LANDED, 0);
    ASSERT_TIME(hand.timeline.totals.step_us, 86);
    ASSERT_TIME(hand.timeline.totals.stall_us, 6);
    assert_int_equal(hand.timeline.stall_count, 2);
    assert_stall(&hand, 0, 2, 20, 23, STALL_ROOM, "x", CAUSE_PRODUCED);
    assert_stall(&hand, 1, 6, 63, 66, STALL_TRANSFER, "x", CAUSE_STEP_ROOM);
    hand_end(&hand);
}

/* x's forward copy goes when Fb has ended; from then on it blocks Fc until it has drained. */
static void pending_bytes_block_the_next_step(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.link.d2h_gb_per_s = 0.5;
    hand.budget_bytes = 20000;
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[0], 10, 30, CAUSE_PRODUCED, 0);
    assert_step(&hand, 2, 30, CAUSE_ROOM, 0);
    assert_stall(&hand, 0, 2, 20, 30, STALL_ROOM, "x", CAUSE_PRODUCED);
    hand_end(&hand);
}

static void a_prefetch_distance_holds_a_return(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_prefetch(&hand, "x", 1);
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 50, 60, CAUSE_DISTANCE, 4); /* Bb is step 6: from step 5 on */
    ASSERT_TIME(hand.timeline.totals.step_us, 80);
    hand_prefetch(&hand, "x", 0);
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 60, 70, CAUSE_DISTANCE, 5);
    assert_stall(&hand, 0, 6, 60, 70, STALL_TRANSFER, "x", CAUSE_DISTANCE);
    ASSERT_TIME(hand.timeline.totals.step_us, 90);
    hand_prefetch(&hand, "x", 2);
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_BACKWARD, 3);
    hand_end(&hand);
}

/* y, at the head, may come for Bc only; x, due later, waits behind it although nothing else holds it. */
static void a_blocked_head_blocks_those_behind_it(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_OFFLOAD);
    hand_prefetch(&hand, "y", 0);
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 50, 60, CAUSE_DISTANCE, 4);
    assert_transfer(&hand.timeline.h2d[1], 60, 70, CAUSE_LANE, 0);
    assert_string_equal(hand.profile.tensors[hand.timeline.h2d[0].tensor].name, "y");
    assert_step(&hand, 5, 60, CAUSE_LANDED, 0);
    assert_step(&hand, 6, 70, CAUSE_LANDED, 1); /* Bc ends at 70 too; H2D is the last in order */
    assert_int_equal(hand.timeline.stall_count, 1);
    hand_end(&hand);
}

static void d2h_is_a_queue_in_producer_order(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_OFFLOAD);
    hand.link.d2h_gb_per_s = 0.4;
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[0], 10, 35, CAUSE_PRODUCED, 0);
    assert_transfer(&hand.timeline.d2h[1], 35, 60, CAUSE_LANE, 0);
    assert_transfer(&hand.timeline.h2d[0], 60, 70, CAUSE_ON_HOST, 1); /* y itself */
    assert_stall(&hand, 0, 5, 50, 70, STALL_TRANSFER, "y", CAUSE_ON_HOST);
    hand_end(&hand);
}

/* ---- both ways at once ---------------------------------------------------------------------------------------- */

/* x is read by b and d, y by c. x goes out first and is due first, while y, 40,000 bytes, still goes out. */
static void two_way_work(struct hand *hand, uint64_t x_bytes) {
    hand_begin(hand);
    hand_tensor(hand, "x", x_bytes);
    hand_tensor(hand, "y", 40000);
    hand_op(hand, "a", 10, 10, "", "x", "");
    hand_op(hand, "b", 10, 10, "x", "y", "");
    hand_op(hand, "c", 10, 10, "y", "", "y");
    hand_op(hand, "d", 10, 10, "x", "", "x");
    hand_finish(hand);
    hand_plan(hand, "x", ACTION_OFFLOAD);
    hand_plan(hand, "y", ACTION_OFFLOAD);
}

static void full_duplex_transfers_do_not_slow_each_other(void **state) {
    (void)state;
    struct hand hand;
    two_way_work(&hand, 10000);
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[1], 20, 60, CAUSE_LANE, 0); /* Fb ends at 20 as well: D2H is later in order */
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_BACKWARD, 3);
    hand_end(&hand);
}

static void half_duplex_changes_the_rates_in_mid_transfer(void **state) {
    (void)state;
    struct hand hand;
    two_way_work(&hand, 10000);
    hand.link.h2d_both_gb_per_s = hand.link.d2h_both_gb_per_s = 0.5;
    hand_run(&hand);
    /* At 40 y has 20,000 bytes to go; x takes 20 us at half the rate, y moves 10,000 in them and 10,000 alone. */
    assert_transfer(&hand.timeline.h2d[0], 40, 60, CAUSE_BACKWARD, 3);
    assert_transfer(&hand.timeline.d2h[1], 20, 70, CAUSE_LANE, 0);
    assert_step(&hand, 4, 60, CAUSE_LANDED, 0);
    assert_transfer(&hand.timeline.h2d[1], 70, 110, CAUSE_ON_HOST, 1);
    assert_stall(&hand, 0, 4, 40, 60, STALL_TRANSFER, "x", CAUSE_BACKWARD);
    assert_stall(&hand, 1, 5, 70, 110, STALL_TRANSFER, "y", CAUSE_ON_HOST);
    ASSERT_TIME(hand.timeline.totals.step_us, 140);
    ASSERT_TIME(hand.timeline.totals.stall_us, 60);
    hand_end(&hand);
}

static void each_direction_has_its_own_rate_for_both_ways(void **state) {
    (void)state;
    struct hand hand;
    two_way_work(&hand, 10000);
    hand.link.h2d_both_gb_per_s = 0.25; /* D2H is not slowed */
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[1], 20, 60, CAUSE_LANE, 0);
    /* 5,000 bytes by 60, then 5,000 at the full rate */
    assert_transfer(&hand.timeline.h2d[0], 40, 65, CAUSE_BACKWARD, 3);
    hand_end(&hand);
}

static void a_lane_in_its_latency_slows_nobody(void **state) {
    (void)state;
    struct hand hand;
    two_way_work(&hand, 10000);
    hand.link.h2d_both_gb_per_s = hand.link.d2h_both_gb_per_s = 0.5;
    hand.link.latency_us = 10;
    hand_run(&hand);
    /* x goes out from 10 to 30, y from 30: it moves from 40 to 50 alone, while x is in its latency, then 10 us a
     * 5,000 bytes beside it until 70; it has 20,000 left. */
    assert_transfer(&hand.timeline.h2d[0], 40, 70, CAUSE_BACKWARD, 3);
    assert_transfer(&hand.timeline.d2h[1], 30, 90, CAUSE_LANE, 0);
    hand_end(&hand);
}

/* y has begun its latency alone when x starts, so that both share from the ends of their latencies on. */
static void a_transfer_that_starts_in_the_latency_of_the_other_shares_with_it(void **state) {
    (void)state;
    struct hand hand;
    two_way_work(&hand, 18000);
    hand.link.h2d_both_gb_per_s = hand.link.d2h_both_gb_per_s = 0.5;
    hand.link.latency_us = 10;
    hand_run(&hand);
    /* y: latency 38–48, 2,000 bytes alone until 50, 18,000 beside x until 86, the other 20,000 alone */
    assert_transfer(&hand.timeline.h2d[0], 40, 86, CAUSE_BACKWARD, 3);
    assert_transfer(&hand.timeline.d2h[1], 38, 106, CAUSE_LANE, 0);
    hand_end(&hand);
}

/* ---- room ----------------------------------------------------------------------------------------------------- */

/* Bc has a workspace that fills the budget: x, due right after it, can't come early. It may come for its own step. */
static void a_return_without_early_room_comes_for_its_own_step(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 10000);
    hand_tensor(&hand, "y", 10000);
    hand_op(&hand, "a", 10, 10, "", "x", "");
    hand_op(&hand, "b", 10, 10, "x", "y", "x");
    hand_op_with(&hand, (struct op_spec){ .name = "c", .forward_us = 10, .backward_us = 10, .recompute_us = NAN,
                                          .backward_workspace_bytes = 10000 }, "y", "", "y");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.budget_bytes = 20000;
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_STEP_ROOM, 3);
    assert_stall(&hand, 0, 4, 40, 50, STALL_TRANSFER, "x", CAUSE_STEP_ROOM);
    hand_end(&hand);
}

/* A return needs room in every step until its use: a tight step ahead holds it, however much room there is now. */
static void a_return_needs_room_in_every_step_until_its_use(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 10000);
    hand_op(&hand, "a", 10, 10, "", "x", "x");
    hand_op(&hand, "b", 10, 10, "", "", "");
    hand_op_with(&hand, (struct op_spec){ .name = "c", .forward_us = 10, .backward_us = 10, .recompute_us = NAN,
                                          .backward_workspace_bytes = 5001 }, "", "", "");
    hand_op(&hand, "d", 10, 10, "", "", "");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.budget_bytes = 15000;
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 60, 70, CAUSE_STEP_ROOM, 5); /* after Bc, not at the turn */
    hand.budget_bytes = 15001;
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_BACKWARD, 3);
    hand_end(&hand);
}

/* x and y come back before Bd; what x takes until its use counts when y asks for room. */
static void returns_on_their_way_take_room_from_those_behind(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_OFFLOAD);
    hand.budget_bytes = 25000; /* Fb and Fc need 20,000; at Bd: z, and y on its way: no room for x */
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 40, 50, CAUSE_BACKWARD, 3);
    assert_transfer(&hand.timeline.h2d[1], 50, 60, CAUSE_LANE, 0); /* Bd over, z gone: there is room beside y */
    assert_int_equal(hand.timeline.totals.peak_bytes, 20000);
    hand.budget_bytes = 30000;
    hand.link.h2d_gb_per_s = hand.link.h2d_both_gb_per_s = 2;
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[0], 40, 45, CAUSE_BACKWARD, 3);
    assert_transfer(&hand.timeline.h2d[1], 45, 50, CAUSE_LANE, 0); /* in mid-step */
    assert_int_equal(hand.timeline.totals.peak_bytes, 30000);
    hand.budget_bytes = 29999;
    hand_run(&hand);
    assert_transfer(&hand.timeline.h2d[1], 50, 55, CAUSE_STEP_ROOM, 4);
    hand_end(&hand);
}

/* y, read by nobody, drains until 65; only then is there room for x, which Bd waits for. */
static void a_drained_offload_makes_room_for_a_return(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 10000);
    hand_tensor(&hand, "y", 45000);
    hand_op(&hand, "a", 10, 10, "", "x", "");
    hand_op(&hand, "b", 10, 10, "", "y", "y");
    hand_op(&hand, "c", 10, 10, "", "", "");
    hand_op_with(&hand, (struct op_spec){ .name = "d", .forward_us = 10, .backward_us = 10, .recompute_us = NAN,
                                          .backward_workspace_bytes = 10000 }, "x", "", "x");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_OFFLOAD);
    hand.budget_bytes = 55000;
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[1], 20, 65, CAUSE_LANE, 0);
    assert_transfer(&hand.timeline.h2d[0], 65, 75, CAUSE_ROOM, 1);
    assert_stall(&hand, 0, 4, 40, 75, STALL_TRANSFER, "x", CAUSE_ROOM);
    hand_end(&hand);
}

/* ---- edges ---------------------------------------------------------------------------------------------------- */

static void completions_within_a_millionth_belong_to_one_instant(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 10000);
    hand_tensor(&hand, "y", 10000);
    hand_op(&hand, "a", 10, 10, "", "x", "");
    hand_op(&hand, "b", 10.0000009, 10, "x", "y", "x"); /* ends 0.9e-6 us after the D2H of x */
    hand_op(&hand, "c", 10, 10, "y", "", "y");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_run(&hand);
    assert_true(hand.timeline.steps[1].end_us == 20 && hand.timeline.d2h[0].end_us == 20);
    assert_true(hand.timeline.steps[2].start_us == 20);
    hand_end(&hand);
}

static void work_without_times_and_bytes_ends_at_once(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 0);
    hand_op(&hand, "a", 0, 0, "", "x", "");
    hand_op(&hand, "b", 0, 0, "x", "", "x");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.budget_bytes = 0;
    hand_run(&hand);
    assert_true(hand.timeline.totals.feasible);
    assert_true(hand.timeline.totals.step_us == 0 && hand.timeline.totals.stall_us == 0);
    hand_end(&hand);
}

static void a_transfer_of_no_bytes_takes_its_latency(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 0);
    hand_op(&hand, "a", 1, 1, "", "x", "");
    hand_op(&hand, "b", 1, 1, "x", "", "x");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.link.latency_us = 4;
    hand_run(&hand);
    assert_transfer(&hand.timeline.d2h[0], 1, 5, CAUSE_PRODUCED, 0);
    assert_transfer(&hand.timeline.h2d[0], 5, 9, CAUSE_ON_HOST, 0);
    ASSERT_TIME(hand.timeline.totals.step_us, 11);
    hand_end(&hand);
}

static void host_bytes_last_from_the_start_out_to_the_end_back(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_plan(&hand, "y", ACTION_OFFLOAD);
    hand_run(&hand);
    static const struct { double at_us; uint64_t bytes; } expected[] = {
        { 0, 0 }, { 9, 0 }, { 10, 10000 }, { 20, 20000 }, { 49, 20000 }, { 50, 10000 }, { 60, 0 },
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint32_t sample = timeline_memory_at(&hand.timeline, expected[i].at_us);
        assert_int_equal(hand.timeline.memory[sample].host_bytes, expected[i].bytes);
    }
    assert_int_equal(hand.timeline.totals.host_peak_bytes, 20000);
    hand_end(&hand);
}

static void the_smaller_budget_counts(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand.plan.budget_bytes = 29999;
    hand_run(&hand);
    assert_false(hand.timeline.totals.feasible);
    assert_int_equal(hand.timeline.budget_bytes, 29999);
    hand.plan.budget_bytes = 50000;
    hand.budget_bytes = 30000;
    hand_run(&hand);
    assert_true(hand.timeline.totals.feasible);
    assert_int_equal(hand.timeline.budget_bytes, 30000);
    hand_end(&hand);
}

static void an_infeasible_plan_says_what_it_needs_and_where(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand.budget_bytes = 29999;
    hand_run(&hand);
    assert_false(hand.timeline.totals.feasible);
    assert_int_equal(hand.timeline.totals.required_bytes, 30000);
    assert_int_equal(hand.timeline.totals.required_step, 2);
    assert_null(hand.timeline.steps);
    assert_int_equal(hand.timeline.schedule.step_count, 8);
    assert_int_equal(timeline_at(&hand.timeline, LANE_COMPUTE, 10), NONE);
    struct event *path;
    uint32_t count;
    assert_int_equal(timeline_critical_path(&hand.timeline, &hand.arena, &path, &count, &hand.error), SS_OK);
    assert_int_equal(count, 0);
    hand_end(&hand);
}

static void times_beyond_counting_are_refused(void **state) {
    (void)state;
    struct hand hand;
    hand_begin(&hand);
    hand_tensor(&hand, "x", 1);
    hand_op(&hand, "a", 8e307, 1, "", "x", "");
    hand_op(&hand, "b", 1, 1, "x", "", "x");
    hand_finish(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand.link.latency_us = 1.7e308;
    struct sim_totals totals;
    assert_int_equal(sim_evaluate(hand.simulator, &hand.plan, &hand.link, BYTES_UNLIMITED, &totals, &hand.error),
                     SS_BAD_INPUT);
    hand_end(&hand);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_work_runs_without_a_gap),
        cmocka_unit_test(fixed_time_is_added_to_the_step),
        cmocka_unit_test(recompute_steps_take_the_recompute_time),
        cmocka_unit_test(an_offload_starts_when_made_and_returns_at_the_turn),
        cmocka_unit_test(a_tight_budget_delays_the_return_and_is_met_exactly),
        cmocka_unit_test(a_transfer_that_ends_at_the_same_instant_is_no_cause_unless_needed),
        cmocka_unit_test(latency_holds_the_lane_before_the_bytes_move),
        cmocka_unit_test(pending_bytes_block_the_next_step),
        cmocka_unit_test(a_prefetch_distance_holds_a_return),
        cmocka_unit_test(a_blocked_head_blocks_those_behind_it),
        cmocka_unit_test(d2h_is_a_queue_in_producer_order),
        cmocka_unit_test(full_duplex_transfers_do_not_slow_each_other),
        cmocka_unit_test(half_duplex_changes_the_rates_in_mid_transfer),
        cmocka_unit_test(each_direction_has_its_own_rate_for_both_ways),
        cmocka_unit_test(a_lane_in_its_latency_slows_nobody),
        cmocka_unit_test(a_transfer_that_starts_in_the_latency_of_the_other_shares_with_it),
        cmocka_unit_test(a_return_without_early_room_comes_for_its_own_step),
        cmocka_unit_test(a_return_needs_room_in_every_step_until_its_use),
        cmocka_unit_test(returns_on_their_way_take_room_from_those_behind),
        cmocka_unit_test(a_drained_offload_makes_room_for_a_return),
        cmocka_unit_test(completions_within_a_millionth_belong_to_one_instant),
        cmocka_unit_test(work_without_times_and_bytes_ends_at_once),
        cmocka_unit_test(a_transfer_of_no_bytes_takes_its_latency),
        cmocka_unit_test(host_bytes_last_from_the_start_out_to_the_end_back),
        cmocka_unit_test(the_smaller_budget_counts),
        cmocka_unit_test(an_infeasible_plan_says_what_it_needs_and_where),
        cmocka_unit_test(times_beyond_counting_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
