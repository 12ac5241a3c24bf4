/* A measured step beside its simulation: residuals say which event added what, and add up. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/residuals.h"
#include "hand_made.h"
#include "tests/random_profile.h"

#define EVENTS_MOST 400

/* Every event of TIMELINE as if it had been measured exactly. */
static uint32_t measure_exactly(const struct timeline *timeline, struct measurement *out) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < timeline->schedule.step_count; k++)
        out[count++] = (struct measurement){ LANE_COMPUTE, timeline->schedule.kind[k], timeline->schedule.op[k],
                                             timeline->steps[k].start_us, timeline->steps[k].end_us };
    for (uint32_t i = 0; i < timeline->schedule.d2h_count; i++)
        out[count++] = (struct measurement){ LANE_D2H, 0, timeline->d2h[i].tensor, timeline->d2h[i].start_us,
                                             timeline->d2h[i].end_us };
    for (uint32_t i = 0; i < timeline->schedule.h2d_count; i++)
        out[count++] = (struct measurement){ LANE_H2D, 0, timeline->h2d[i].tensor, timeline->h2d[i].start_us,
                                             timeline->h2d[i].end_us };
    assert_true(count <= EVENTS_MOST);
    return count;
}

static struct residuals compare(struct hand *hand, const struct measurement *measurements, uint32_t count) {
    struct residuals out;
    assert_int_equal(residuals_compute(&out, &hand->arena, &hand->timeline, measurements, count, &hand->error), SS_OK);
    return out;
}

/* a, b, c, d in a chain, x offloaded and z recomputed. */
static void run_chain(struct hand *hand) {
    hand_chain(hand);
    hand_plan(hand, "x", ACTION_OFFLOAD);
    hand_plan(hand, "z", ACTION_RECOMPUTE);
    hand_run(hand);
}

static void a_step_that_ran_as_simulated_has_no_residuals(void **state) {
    (void)state;
    struct hand hand;
    struct measurement measured[EVENTS_MOST];
    run_chain(&hand);
    const uint32_t count = measure_exactly(&hand.timeline, measured);
    const struct residuals r = compare(&hand, measured, count);
    uint32_t events = 0;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        events += r.lane[lane].count;
        assert_int_equal(r.lane[lane].unmeasured, 0);
        assert_int_equal(r.lane[lane].unmatched, 0);
        for (uint32_t i = 0; i < r.lane[lane].count; i++)
            assert_true(residual_of(&r.lane[lane].residuals[i]) == 0);
    }
    assert_int_equal(events, count);
    hand_end(&hand);
}

static void who_took_longer_has_the_residual_and_those_behind_it_have_none(void **state) {
    (void)state;
    struct hand hand;
    struct measurement measured[EVENTS_MOST];
    run_chain(&hand);
    const uint32_t count = measure_exactly(&hand.timeline, measured);
    measured[1].end_us += 7; /* the second forward step; all behind it on its lane come 7 us later */
    for (uint32_t k = 2; k < hand.timeline.schedule.step_count; k++) {
        measured[k].start_us += 7;
        measured[k].end_us += 7;
    }
    const struct lane_residuals *lane = &compare(&hand, measured, count).lane[LANE_COMPUTE];
    assert_int_equal(lane->residuals[0].event.index, 1);
    assert_true(fabs(lane->residuals[0].longer_us - 7) < 1e-9);
    assert_true(fabs(lane->residuals[0].waited_us) < 1e-9);
    for (uint32_t i = 1; i < lane->count; i++)
        assert_true(fabs(residual_of(&lane->residuals[i])) < 1e-9);
    assert_true(fabs(lane->late_us - 7) < 1e-9);
    hand_end(&hand);
}

static void who_started_later_has_waited(void **state) {
    (void)state;
    struct hand hand;
    struct measurement measured[EVENTS_MOST];
    run_chain(&hand);
    const uint32_t count = measure_exactly(&hand.timeline, measured);
    measured[count - 1].start_us += 3; /* the only H2D */
    measured[count - 1].end_us += 3;
    const struct lane_residuals *lane = &compare(&hand, measured, count).lane[LANE_H2D];
    assert_int_equal(lane->count, 1);
    assert_true(fabs(lane->residuals[0].waited_us - 3) < 1e-9);
    assert_true(fabs(lane->residuals[0].longer_us) < 1e-9);
    assert_true(fabs(lane->mean_us - 3) < 1e-9);
    hand_end(&hand);
}

static void what_has_no_counterpart_is_counted(void **state) {
    (void)state;
    struct hand hand;
    run_chain(&hand);
    const struct measurement measured[] = {
        { LANE_COMPUTE, STEP_FORWARD, 0, 0, 10 },
        { LANE_COMPUTE, STEP_FORWARD, 0, 0, 12 },          /* twice */
        { LANE_COMPUTE, STEP_RECOMPUTE, 0, 20, 30 },       /* a is not run again */
        { LANE_D2H, 0, hand_find(&hand, "y"), 0, 5 },      /* y is kept */
    };
    const struct residuals r = compare(&hand, measured, 4);
    assert_int_equal(r.lane[LANE_COMPUTE].count, 1);
    assert_int_equal(r.lane[LANE_COMPUTE].unmatched, 2);
    assert_int_equal(r.lane[LANE_COMPUTE].unmeasured, hand.timeline.schedule.step_count - 1);
    assert_int_equal(r.lane[LANE_D2H].unmatched, 1);
    assert_int_equal(r.lane[LANE_D2H].unmeasured, 1);
    assert_int_equal(r.lane[LANE_H2D].unmeasured, 1);
    hand_end(&hand);
}

static void residuals_add_up_and_the_largest_come_first(void **state) {
    (void)state;
    struct random random = { 5 };
    uint32_t feasible = 0, again = 0;
    for (int round = 0; round < 300; round++) {
        const struct random_shape shape = { .most_ops = 14, .free_choice = true };
        struct hand hand = { .arena = { 0 } };
        struct measurement measured[EVENTS_MOST];
        random_profile(&random, &shape, &hand.arena, &hand.profile);
        random_plan(&random, &hand.profile, &hand.arena, &hand.plan);
        hand.simulator = simulator_new(&hand.profile, &hand.error);
        assert_int_equal(sim_run(hand.simulator, &hand.plan, &hand.profile.link, BYTES_UNLIMITED, &hand.arena,
                                 &hand.timeline, &hand.error), SS_OK);
        feasible += hand.timeline.totals.feasible;
        const uint32_t count = measure_exactly(&hand.timeline, measured);
        for (uint32_t i = 0; i < count; i++) {
            measured[i].end_us += random_below(&random, 1000) / 100.0;
            again += measured[i].lane == LANE_COMPUTE && measured[i].kind == STEP_RECOMPUTE;
        }
        const struct residuals r = compare(&hand, measured, count);
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            double sum = 0;
            assert_int_equal(r.lane[lane].unmatched, 0);
            for (uint32_t i = 0; i < r.lane[lane].count; i++) {
                sum += residual_of(&r.lane[lane].residuals[i]);
                assert_true(i == 0 || fabs(residual_of(&r.lane[lane].residuals[i])) <=
                                          fabs(residual_of(&r.lane[lane].residuals[i - 1])));
            }
            assert_true(fabs(sum - r.lane[lane].late_us) < 1e-6 + 1e-9 * hand.timeline.end_us);
        }
        simulator_free(hand.simulator);
        arena_free(&hand.arena);
    }
    assert_int_equal(feasible, 300);
    assert_true(again > 100);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_ran_as_simulated_has_no_residuals),
        cmocka_unit_test(who_took_longer_has_the_residual_and_those_behind_it_have_none),
        cmocka_unit_test(who_started_later_has_waited),
        cmocka_unit_test(what_has_no_counterpart_is_counted),
        cmocka_unit_test(residuals_add_up_and_the_largest_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
