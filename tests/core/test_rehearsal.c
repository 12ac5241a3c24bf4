/* A rehearsal and its trees, against plain numbers and against the simulator. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/planner.h"
#include "core/rehearsal.h"
#include "core/zoo.h"
#include "tests/random_profile.h"

struct work {
    struct arena arena;
    struct profile profile;
    struct plan_task task;
    struct simulator *simulator;
    struct trial trial;
    struct rehearsal rehearsal;
};

static void work_begin(struct work *work, double share) {
    struct schedule_builder *builder;
    const struct schedule *schedule;
    work->simulator = simulator_new(&work->profile, NULL);
    assert_non_null(work->simulator);
    builder = simulator_builder(work->simulator);
    work->task.profile = &work->profile;
    work->task.host_memory_bytes = BYTES_UNLIMITED;
    work->task.budget_bytes = BYTES_UNLIMITED;
    assert_int_equal(trial_begin(&work->trial, &work->task, work->simulator, &work->arena, 1, NULL), SS_OK);
    assert_int_equal(schedule_build(builder, &work->trial.plan, &schedule, NULL), SS_OK);
    work->task.budget_bytes = (uint64_t)(share * (double)schedule->peak_bytes);
    assert_int_equal(rehearsal_init(&work->rehearsal, &work->trial, &work->arena, NULL), SS_OK);
}

static void work_random(struct work *work, struct random *random, double share) {
    const struct random_shape shape = { .most_ops = 1 + random_below(random, 24), .whole_times = random_chance(random, 30),
                                        .chain_only = random_chance(random, 30), .free_choice = random_chance(random, 30) };
    *work = (struct work){ .arena = { 0 } };
    random_profile(random, &shape, &work->arena, &work->profile);
    const struct link_options options = random_link_options(random, &work->profile);
    assert_int_equal(link_resolve(&work->profile.link, &options, &work->task.link, NULL), SS_OK);
    work->task.unit = random_chance(random, 30) ? UNIT_LAYER : UNIT_TENSOR;
    work_begin(work, share);
}

static void work_free(struct work *work) {
    simulator_free(work->simulator);
    arena_free(&work->arena);
}

static void change(struct work *work, uint32_t unit, enum action action) {
    if (action == ACTION_RECOMPUTE && !work->trial.units.unit[unit].recomputable)
        action = ACTION_OFFLOAD;
    trial_set(&work->trial, unit, action);
    rehearsal_change(&work->rehearsal, unit, action);
}

static void change_randomly(struct work *work, struct random *random, uint32_t times) {
    for (uint32_t i = 0; i < times && work->trial.units.count > 0; i++)
        change(work, random_below(random, work->trial.units.count), (enum action)random_below(random, ACTION_COUNT));
}

/* ---- trees ---- */

static double last_done(const struct queue_node *piece, uint32_t count) {
    double done = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        done = fmax(done + piece[i].work, piece[i].done);
    return done;
}

static void a_queue_ends_when_its_last_piece_is_done(void **state) {
    struct random random = { 31 };
    for (uint32_t count = 1; count < 40; count++) {
        struct arena arena = { 0 };
        struct queue_tree tree;
        struct queue_node piece[40];
        assert_int_equal(queue_tree_init(&tree, count, &arena, NULL), SS_OK);
        for (uint32_t i = 0; i < count; i++)
            piece[i] = (struct queue_node){ 0, -INFINITY };
        for (int i = 0; i < 100; i++) {
            const uint32_t leaf = random_below(&random, count);
            const double work = random_below(&random, 20);
            piece[leaf] = random_chance(&random, 30) ? (struct queue_node){ 0, -INFINITY }
                                                     : (struct queue_node){ work, work + random_below(&random, 200) };
            queue_tree_set(&tree, leaf, piece[leaf]);
            assert_true(queue_tree_done(&tree) == last_done(piece, count));
        }
        arena_free(&arena);
    }
}

static void the_highest_level_follows_ranges_that_are_raised(void **state) {
    struct random random = { 32 };
    for (uint32_t count = 1; count < 40; count++) {
        struct arena arena = { 0 };
        struct level_tree tree;
        int64_t level[40];
        for (uint32_t i = 0; i < count; i++)
            level[i] = (int64_t)random_below(&random, 100) - 50;
        assert_int_equal(level_tree_init(&tree, level, count, &arena, NULL), SS_OK);
        for (int i = 0; i < 100; i++) {
            const uint32_t first = random_below(&random, count), last = first + random_below(&random, count - first);
            const int64_t by = (int64_t)random_below(&random, 100) - 50;
            int64_t most = INT64_MIN;
            level_tree_raise(&tree, first, last, by);
            for (uint32_t k = 0; k < count; k++) {
                level[k] += k >= first && k <= last ? by : 0;
                most = level[k] > most ? level[k] : most;
            }
            assert_true(level_tree_most(&tree) == most);
        }
        arena_free(&arena);
    }
}

/* ---- the rehearsal ---- */

static void assert_alike(double a, double b) {
    if (!(a == b || fabs(a - b) <= 1e-9 * (1 + fabs(a))))
        fail_msg("%.9f and %.9f", a, b);
}

static void what_was_changed_often_is_as_if_it_were_new(void **state) {
    struct random random = { 33 };
    uint32_t played = 0;
    for (int i = 0; i < 400; i++) {
        struct work work;
        struct rehearsal fresh;
        work_random(&work, &random, 0.4 + 0.6 * random_below(&random, 100) / 100);
        change_randomly(&work, &random, 200);
        assert_int_equal(rehearsal_init(&fresh, &work.trial, &work.arena, NULL), SS_OK);
        for (uint32_t u = work.trial.units.count; u-- > 0;)
            rehearsal_change(&fresh, u, (enum action)work.trial.plan.action[work.trial.units.tensor[work.trial.units.unit[u].at]]);
        assert_true(rehearsal_missing(&fresh) == rehearsal_missing(&work.rehearsal));
        assert_true(fresh.offloaded_bytes == work.rehearsal.offloaded_bytes);
        assert_alike(rehearsal_forecast(&fresh, 0.5), rehearsal_forecast(&work.rehearsal, 0.5));
        const double cost_us = rehearsal_play(&work.rehearsal, INFINITY);
        assert_alike(rehearsal_play(&fresh, INFINITY), cost_us);
        assert_true(isinf(rehearsal_play(&work.rehearsal, cost_us / 2 - 1)));
        played += cost_us < INFINITY;
        work_free(&work);
    }
    assert_true(played > 50);
}

/* Without re-runs nothing is left out of what is missing; with them, no re-run is. */
static void bytes_and_recompute_are_those_of_the_schedule(void **state) {
    struct random random = { 34 };
    for (int i = 0; i < 400; i++) {
        struct work work;
        const struct schedule *schedule;
        work_random(&work, &random, 0.7);
        change_randomly(&work, &random, 50);
        assert_int_equal(trial_requirement(&work.trial, &schedule, NULL), SS_OK);
        assert_true(work.rehearsal.recompute_us >= schedule->recompute_us * (1 - 1e-9) - 1e-9);
        for (uint32_t u = 0; u < work.trial.units.count; u++)
            change(&work, u, random_chance(&random, 50) ? ACTION_OFFLOAD : ACTION_KEEP);
        assert_int_equal(trial_requirement(&work.trial, &schedule, NULL), SS_OK);
        assert_true(rehearsal_missing(&work.rehearsal) == (int64_t)schedule->peak_bytes - (int64_t)work.task.budget_bytes);
        assert_true(fabs(work.rehearsal.recompute_us) < 1e-6);
        work_free(&work);
    }
}

/* Around a good plan, hardly one is rehearsed otherwise than it is simulated. */
static void a_rehearsal_comes_close_to_the_simulation(void **state) {
    const struct model_options options = { 0 };
    struct work work = { .arena = { 0 } };
    struct random random = { 35 };
    struct planner_result good;
    uint32_t compared = 0, close = 0;
    assert_int_equal(model_build(model_find("gpt2"), &options, &work.arena, &work.profile, NULL), SS_OK);
    work.task.link = work.profile.link;
    work_begin(&work, 0.5);
    assert_int_equal(planner_run(planner_find("slackswap"), &work.task, work.simulator, &work.arena, &good, NULL), SS_OK);
    for (int i = 0; i < 2000; i++) {
        for (uint32_t u = 0; u < work.trial.units.count && i % 10 == 0; u++)
            change(&work, u, (enum action)good.plan.action[work.trial.units.tensor[u]]);
        change_randomly(&work, &random, 2);
        assert_int_equal(trial_evaluate(&work.trial, NULL), SS_OK);
        if (!work.trial.totals.feasible)
            continue;
        const double true_us = work.trial.totals.step_us - work.profile.ideal_us;
        compared++;
        close += fabs(rehearsal_play(&work.rehearsal, INFINITY) - true_us) <= 1e-4 * work.profile.ideal_us;
    }
    assert_true(compared > 500);
    if (close < compared * 9 / 10)
        fail_msg("%u of %u are close", close, compared);
    work_free(&work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_ends_when_its_last_piece_is_done),
        cmocka_unit_test(the_highest_level_follows_ranges_that_are_raised),
        cmocka_unit_test(what_was_changed_often_is_as_if_it_were_new),
        cmocka_unit_test(bytes_and_recompute_are_those_of_the_schedule),
        cmocka_unit_test(a_rehearsal_comes_close_to_the_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
