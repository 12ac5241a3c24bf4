/* What must be true of every recorded simulation, on random work: causes, stalls, memory, totals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../random_profile.h"
#include "hand_made.h"

enum { CASES = 3000 };

/* One random case, simulated; false when its plan is refused. */
struct random_case {
    struct arena arena;
    struct profile profile;
    struct plan plan;
    struct link link;
    uint64_t budget_bytes;
    struct simulator *simulator;
    struct timeline timeline;
};

static bool random_case_begin(struct random_case *c, struct random *random) {
    struct error error = { .text = "" };
    struct random_shape shape = { .most_ops = 2 + random_below(random, 25), .whole_times = random_chance(random, 60),
                                  .free_choice = random_chance(random, 90) };
    *c = (struct random_case){ .budget_bytes = BYTES_UNLIMITED };
    random_profile(random, &shape, &c->arena, &c->profile);
    random_plan(random, &c->profile, &c->arena, &c->plan);
    struct link_options options = random_link_options(random, &c->profile);
    assert_int_equal(link_resolve(&c->profile.link, &options, &c->link, &error), SS_OK);
    c->simulator = simulator_new(&c->profile, &error);
    assert_non_null(c->simulator);
    struct sim_totals totals;
    if (sim_evaluate(c->simulator, &c->plan, &c->link, BYTES_UNLIMITED, &totals, &error) != SS_OK)
        return false;
    if (random_chance(random, 80)) /* mostly just enough, or little more */
        c->budget_bytes = totals.required_bytes + totals.required_bytes * random_below(random, 3) * 15 / 100;
    assert_int_equal(sim_run(c->simulator, &c->plan, &c->link, c->budget_bytes, &c->arena, &c->timeline, &error), SS_OK);
    assert_true(c->timeline.totals.feasible);
    return true;
}

static void random_case_end(struct random_case *c) {
    simulator_free(c->simulator);
    arena_free(&c->arena);
}

static void for_each_case(uint64_t seed, void (*check)(const struct random_case *)) {
    struct random random = { seed };
    for (int i = 0; i < CASES; i++) {
        struct random_case c;
        if (random_case_begin(&c, &random))
            check(&c);
        random_case_end(&c);
    }
}

/* ---- causes --------------------------------------------------------------------------------------------------- */

static uint32_t lane_count(const struct timeline *t, enum lane lane) {
    return lane == LANE_COMPUTE ? t->schedule.step_count : lane == LANE_D2H ? t->schedule.d2h_count
                                                                            : t->schedule.h2d_count;
}

static void check_causes(const struct random_case *c) {
    const struct timeline *t = &c->timeline;
    for (enum lane lane = LANE_COMPUTE; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < lane_count(t, lane); i++) {
            struct event event = { (uint8_t)lane, i }, cause;
            if (!timeline_cause(t, event, &cause)) {
                assert_true(lane == LANE_COMPUTE && i == 0 && timeline_start(t, event) == 0);
                continue;
            }
            if (timeline_end(t, cause) != timeline_start(t, event))
                fail_msg("event %u of lane %u starts at %.17g, its cause ends at %.17g", i, lane,
                         timeline_start(t, event), timeline_end(t, cause));
        }
}

static void every_event_starts_when_its_cause_ends(void **state) {
    (void)state;
    for_each_case(11, check_causes);
}

static void check_critical_path(const struct random_case *c) {
    const struct timeline *t = &c->timeline;
    struct arena arena = { NULL };
    struct error error;
    struct event *path;
    uint32_t count;
    double length_us = 0;
    assert_int_equal(timeline_critical_path(t, &arena, &path, &count, &error), SS_OK);
    assert_true(path[0].lane == LANE_COMPUTE && path[0].index == t->schedule.step_count - 1);
    assert_true(path[count - 1].lane == LANE_COMPUTE && path[count - 1].index == 0);
    for (uint32_t i = 0; i < count; i++)
        length_us += timeline_end(t, path[i]) - timeline_start(t, path[i]);
    assert_true(fabs(length_us - t->end_us) <= 1e-9 * t->end_us + 1e-9);
    arena_free(&arena);
}

static void the_critical_path_is_as_long_as_the_step(void **state) {
    (void)state;
    for_each_case(12, check_critical_path);
}

/* ---- stalls --------------------------------------------------------------------------------------------------- */

static void check_stalls(const struct random_case *c) {
    const struct timeline *t = &c->timeline;
    double stall_us = 0;
    for (uint32_t i = 0; i < t->stall_count; i++) {
        const struct stall *stall = &t->stalls[i];
        struct timeline_transfer *transfer = stall->kind == STALL_TRANSFER ? &t->h2d[stall->transfer]
                                                                           : &t->d2h[stall->transfer];
        assert_true(stall->end_us > stall->start_us);
        assert_true(i == 0 || t->stalls[i - 1].end_us <= stall->start_us);
        assert_int_equal(transfer->tensor, stall->tensor);
        assert_true(transfer->end_us == stall->end_us);
        assert_true(stall->kind != STALL_TRANSFER || transfer->use_step == stall->step);
        assert_true(stall->held.kind == transfer->cause.kind && stall->held.index == transfer->cause.index);
        stall_us += stall->end_us - stall->start_us;
    }
    const struct sim_totals *totals = &t->totals;
    assert_true(fabs(stall_us - totals->stall_us) <= 1e-9 * totals->step_us + 1e-12);
    double sum_us = totals->stall_us + totals->recompute_us + c->profile.ideal_us;
    assert_true(fabs(sum_us - totals->step_us) <= 1e-9 * totals->step_us + 1e-6 * t->schedule.step_count);
}

static void stalls_recompute_and_ideal_make_the_step(void **state) {
    (void)state;
    for_each_case(13, check_stalls);
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

/* Once everything of an instant has happened, memory follows from the lanes alone. */
static void check_sample(const struct timeline *t, const struct memory_sample *sample) {
    const struct tensor *tensors = t->profile->tensors;
    uint64_t pending = 0, extra = 0, host = 0;
    for (uint32_t i = 0; i < t->schedule.d2h_count; i++) {
        const struct timeline_transfer *out = &t->d2h[i], *back = &t->h2d[t->h2d_of[out->tensor]];
        const struct tensor *tensor = &tensors[out->tensor];
        if (out->end_us > sample->at_us && tensor->last_forward < sample->step)
            pending += tensor->bytes;
        if (out->start_us <= sample->at_us && sample->at_us < back->end_us)
            host += tensor->bytes;
        if (back->start_us <= sample->at_us && sample->step < back->use_step)
            extra += tensor->bytes;
    }
    assert_int_equal(sample->bytes[MEMORY_DRAINING], pending);
    assert_int_equal(sample->bytes[MEMORY_PREFETCHED], extra);
    assert_int_equal(sample->host_bytes, host);
}

static void check_memory(const struct random_case *c) {
    const struct timeline *t = &c->timeline;
    uint64_t peak = 0, host_peak = 0;
    for (uint32_t i = 0; i < t->memory_count; i++) {
        const struct memory_sample *sample = &t->memory[i];
        bool last_of_instant = i + 1 == t->memory_count || t->memory[i + 1].at_us > sample->at_us;
        assert_true(i == 0 ? sample->at_us == 0 : t->memory[i - 1].at_us <= sample->at_us);
        assert_int_equal(memory_used(sample), t->schedule.requirement[sample->step] + sample->bytes[MEMORY_DRAINING] +
                                                  sample->bytes[MEMORY_PREFETCHED]);
        if (last_of_instant && sample->at_us < t->end_us)
            check_sample(t, sample);
        if (sample->running && memory_used(sample) > peak) {
            peak = memory_used(sample);
            assert_true(i <= t->peak_sample);
        }
        if (sample->host_bytes > host_peak)
            host_peak = sample->host_bytes;
    }
    assert_int_equal(peak, t->totals.peak_bytes);
    assert_int_equal(memory_used(&t->memory[t->peak_sample]), peak);
    assert_true(peak <= c->budget_bytes);
    assert_int_equal(host_peak, t->totals.host_peak_bytes);
}

static void memory_is_what_the_lanes_make_of_it_and_fits(void **state) {
    (void)state;
    for_each_case(14, check_memory);
}

/* ---- lanes and totals ----------------------------------------------------------------------------------------- */

static void check_order(const struct random_case *c) {
    const struct timeline *t = &c->timeline;
    for (enum lane lane = LANE_COMPUTE; lane < LANE_COUNT; lane++) {
        double busy_us = 0;
        for (uint32_t i = 0; i < lane_count(t, lane); i++) {
            struct event event = { (uint8_t)lane, i };
            double start_us = timeline_start(t, event), end_us = timeline_end(t, event);
            assert_true(start_us <= end_us && end_us <= t->end_us);
            assert_true(i == 0 || timeline_end(t, (struct event){ (uint8_t)lane, i - 1 }) <= start_us);
            uint32_t found = timeline_at(t, lane, start_us);
            assert_true(found >= i && timeline_start(t, (struct event){ (uint8_t)lane, found }) == start_us);
            busy_us += end_us - start_us;
        }
        assert_true(fabs(busy_us - t->lane_busy_us[lane]) <= 1e-9 * t->end_us);
    }
    for (uint32_t i = 0; i < t->schedule.h2d_count; i++) {
        const struct timeline_transfer *back = &t->h2d[i], *out = &t->d2h[t->d2h_of[back->tensor]];
        assert_true(t->steps[out->use_step].end_us <= out->start_us && out->end_us <= back->start_us);
        assert_true(back->end_us <= t->steps[back->use_step].start_us);
        assert_true(back->start_us >= t->steps[t->schedule.forward_count - 1].end_us);
    }
}

static void lanes_do_one_thing_at_a_time_and_in_order(void **state) {
    (void)state;
    for_each_case(15, check_order);
}

static void check_totals(const struct random_case *c) {
    struct error error;
    struct sim_totals alone;
    const struct sim_totals *recorded = &c->timeline.totals;
    assert_int_equal(sim_evaluate(c->simulator, &c->plan, &c->link, c->budget_bytes, &alone, &error), SS_OK);
    assert_true(alone.feasible == recorded->feasible && alone.required_bytes == recorded->required_bytes &&
                alone.required_step == recorded->required_step && alone.step_us == recorded->step_us &&
                alone.recompute_us == recorded->recompute_us && alone.stall_us == recorded->stall_us &&
                alone.peak_bytes == recorded->peak_bytes && alone.host_peak_bytes == recorded->host_peak_bytes &&
                alone.d2h_bytes == recorded->d2h_bytes && alone.h2d_bytes == recorded->h2d_bytes);
}

static void totals_alone_are_those_of_the_timeline(void **state) {
    (void)state;
    for_each_case(16, check_totals);
}

/* ---- looking up ----------------------------------------------------------------------------------------------- */

static void a_time_finds_its_event_and_its_memory(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand_plan(&hand, "x", ACTION_OFFLOAD);
    hand_run(&hand);
    const struct timeline *t = &hand.timeline;
    assert_int_equal(timeline_at(t, LANE_COMPUTE, -1), NONE);
    assert_int_equal(timeline_at(t, LANE_COMPUTE, 0), 0);
    assert_int_equal(timeline_at(t, LANE_COMPUTE, 19.9), 1);
    assert_int_equal(timeline_at(t, LANE_COMPUTE, 20), 2);
    assert_int_equal(timeline_at(t, LANE_COMPUTE, 1000), 7);
    assert_int_equal(timeline_at(t, LANE_D2H, 9.9), NONE);
    assert_int_equal(timeline_at(t, LANE_D2H, 10), 0);
    assert_int_equal(t->d2h_of[hand_find(&hand, "x")], 0);
    assert_int_equal(t->h2d_of[hand_find(&hand, "y")], NONE);
    assert_int_equal(t->memory[timeline_memory_at(t, 45)].bytes[MEMORY_PREFETCHED], 10000);
    assert_int_equal(t->memory[timeline_memory_at(t, 45)].bytes[MEMORY_KEPT], 20000);
    assert_int_equal(t->memory[timeline_memory_at(t, 65)].bytes[MEMORY_PREFETCHED], 0); /* in use */
    hand_end(&hand);
}

static void infeasible_work_has_no_events(void **state) {
    (void)state;
    struct hand hand;
    hand_chain(&hand);
    hand.budget_bytes = 1;
    hand_run(&hand);
    assert_int_equal(hand.timeline.memory_count, 0);
    assert_int_equal(hand.timeline.stall_count, 0);
    assert_int_equal(timeline_at(&hand.timeline, LANE_D2H, 0), NONE);
    hand_end(&hand);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_starts_when_its_cause_ends),
        cmocka_unit_test(the_critical_path_is_as_long_as_the_step),
        cmocka_unit_test(stalls_recompute_and_ideal_make_the_step),
        cmocka_unit_test(memory_is_what_the_lanes_make_of_it_and_fits),
        cmocka_unit_test(lanes_do_one_thing_at_a_time_and_in_order),
        cmocka_unit_test(totals_alone_are_those_of_the_timeline),
        cmocka_unit_test(a_time_finds_its_event_and_its_memory),
        cmocka_unit_test(infeasible_work_has_no_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
