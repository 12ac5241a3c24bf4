/* Curves over budgets and links, their knees, and the map. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/whatif_batch.h"
#include "core/zoo.h"
#include "tests/random_profile.h"

struct work {
    struct arena arena;
    struct profile profile;
    struct whatif_task task;
    uint32_t asked, stop_after;   /* should_stop was asked, says yes from then on; 0: never */
    uint32_t shown;
};

static bool should_stop(void *context) {
    struct work *work = context;
    work->asked++;
    return work->stop_after > 0 && work->asked >= work->stop_after;
}

static void count_curve(void *context, const struct whatif_curve *curve) {
    (void)curve;
    ((struct work *)context)->shown++;
}

static void count_map(void *context, const struct whatif_map *map) {
    (void)map;
    ((struct work *)context)->shown++;
}

static void take_task(struct work *work, const char *planner) {
    work->task = (struct whatif_task){ .profile = &work->profile, .settings = settings_default(),
                                       .should_stop = should_stop, .context = work };
    work->task.settings.planner = planner_find(planner);
    work->task.settings.evaluation_limit = 30;
}

static void begin_model(struct work *work, const char *planner) {
    *work = (struct work){ .shown = 0 };
    assert_int_equal(model_build(model_find("gpt2"), &(struct model_options){ .batch = 0 }, &work->arena, &work->profile,
                                 NULL), SS_OK);
    take_task(work, planner);
}

static void begin_random(struct work *work, uint64_t seed, const char *planner) {
    struct random random = { seed };
    const struct random_shape shape = { .most_ops = 1 + random_below(&random, 20) };
    *work = (struct work){ .shown = 0 };
    random_profile(&random, &shape, &work->arena, &work->profile);
    take_task(work, planner);
}

static struct outcome plan_at(struct work *work, enum whatif_axis axis, double at) {
    struct settings settings = work->task.settings;
    struct outcome outcome;
    if (axis == WHATIF_RATE)
        whatif_take_rate(&settings, at, &work->profile);
    else
        settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = (uint64_t)at };
    const struct outcome_request request = {
        .profile = &work->profile, .budget = settings.budget, .link = settings.link, .planner = settings.planner,
        .unit = settings.unit, .host_memory_bytes = settings.host_memory_bytes,
        .evaluation_limit = settings.evaluation_limit, .seed = settings.seed,
    };
    assert_int_equal(outcome_compute(&request, &work->arena, &outcome, NULL), SS_OK);
    return outcome;
}

static void a_budget_curve_never_rises_and_stays_above_the_bound(void **state) {
    (void)state;
    static const char *const PLANNER[] = { "slackswap-rule", "offload", "selective", "capuchin", "sqrt" };
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct work work;
        struct whatif_curve curve;
        begin_random(&work, seed, PLANNER[seed % 5]);
        assert_int_equal(whatif_curve(&work.task, WHATIF_BUDGET, &curve, count_curve, NULL), SS_OK);
        assert_true(work.shown >= curve.count);
        for (uint32_t i = 0; i < curve.count; i++) {
            const struct whatif_point *point = &curve.point[i];
            assert_true(point->known);
            assert_true(!point->fits || point->step_us >= point->bound_us * (1 - 1e-9));
            if (i == 0)
                continue;
            assert_true(point->at > point[-1].at);
            assert_true(!point[-1].fits || (point->fits && point->step_us <= point[-1].step_us));
        }
        arena_free(&work.arena);
    }
}

/* A curve may be better than the planner alone, never worse; above a knee all points have what it promises, and 2 % below
 * it the planner has not. */
static void a_knee_is_true_from_there_on_and_not_just_below(void **state) {
    (void)state;
    for (enum whatif_axis axis = WHATIF_BUDGET; axis <= WHATIF_RATE; axis++) {
        struct work work;
        struct whatif_curve curve;
        begin_model(&work, "slackswap");
        work.task.settings.budget.share = 0.8;
        assert_int_equal(whatif_curve(&work.task, axis, &curve, count_curve, NULL), SS_OK);
        assert_int_equal(curve.knee[KNEE_FREE].place, KNEE_AT);
        assert_int_equal(curve.knee[KNEE_NO_RECOMPUTE].place, KNEE_AT);
        for (uint32_t i = 0; i < curve.count; i++) {
            assert_true(curve.point[i].at < curve.knee[KNEE_FREE].at
                        || whatif_is_free(curve.point[i].step_us, curve.ideal_us));
            assert_true(curve.point[i].at < curve.knee[KNEE_NO_RECOMPUTE].at || curve.point[i].recompute_us <= 0);
        }
        const struct outcome at = plan_at(&work, axis, curve.knee[KNEE_FREE].at);
        assert_true(whatif_is_free(at.timeline.totals.step_us, curve.ideal_us));
        const struct outcome below = plan_at(&work, axis, WHATIF_CHECK * curve.knee[KNEE_FREE].at);
        assert_false(whatif_is_free(below.timeline.totals.step_us, curve.ideal_us));
        arena_free(&work.arena);
    }
}

static void a_curve_holds_what_the_planner_finds_where_that_is_best(void **state) {
    (void)state;
    struct work work;
    struct whatif_curve curve;
    begin_model(&work, "slackswap");
    assert_int_equal(whatif_curve(&work.task, WHATIF_RATE, &curve, count_curve, NULL), SS_OK);
    for (uint32_t i = 0; i < curve.count; i++)
        assert_true(curve.point[i].step_us <= plan_at(&work, WHATIF_RATE, curve.point[i].at).timeline.totals.step_us);
    arena_free(&work.arena);
}

static void what_keeps_everything_fits_from_the_unlimited_peak_on(void **state) {
    (void)state;
    struct work work;
    struct whatif_curve curve;
    begin_model(&work, "keep");
    assert_int_equal(whatif_curve(&work.task, WHATIF_BUDGET, &curve, count_curve, NULL), SS_OK);
    assert_int_equal(curve.knee[KNEE_FIT].place, KNEE_AT);
    const double peak = (double)curve.unlimited_peak_bytes, at = curve.knee[KNEE_FIT].at;
    assert_true(at >= peak && at < peak * 1.01);
    arena_free(&work.arena);
}

static void the_same_question_has_the_same_answer(void **state) {
    (void)state;
    struct work work;
    struct whatif_curve first, second;
    struct whatif_map map, again;
    begin_random(&work, 5, "slackswap");
    assert_int_equal(whatif_curve(&work.task, WHATIF_BUDGET, &first, count_curve, NULL), SS_OK);
    assert_int_equal(whatif_curve(&work.task, WHATIF_BUDGET, &second, count_curve, NULL), SS_OK);
    assert_memory_equal(&first, &second, sizeof first);
    assert_int_equal(whatif_map(&work.task, &map, count_map, NULL), SS_OK);
    assert_int_equal(whatif_map(&work.task, &again, count_map, NULL), SS_OK);
    assert_memory_equal(&map, &again, sizeof map);
    arena_free(&work.arena);
}

static void a_cell_has_the_bound_of_its_budget_and_link(void **state) {
    (void)state;
    struct work work;
    struct link link;
    struct limits limits;
    struct bound bound;
    double us;
    begin_random(&work, 5, "slackswap");
    assert_int_equal(limits_compute(&work.profile, &limits, NULL), SS_OK);
    struct settings settings = work.task.settings;
    whatif_take_rate(&settings, 12, &work.profile);
    assert_int_equal(link_resolve(&work.profile.link, &settings.link, &link, NULL), SS_OK);
    for (int tenth = 3; tenth < 10; tenth += 2) {
        const uint64_t budget = limits.unlimited_peak_bytes * (uint64_t)tenth / 10;
        assert_int_equal(bound_compute(&work.profile, &link, budget, &bound, NULL), SS_OK);
        assert_int_equal(whatif_cell_bound(&work.profile, &work.task.settings, budget, 12, &us, NULL), SS_OK);
        assert_true(us == bound.bound_us);
    }
    work.task.settings.link.latency_us = -1; /* no link is so */
    assert_int_equal(whatif_cell_bound(&work.profile, &work.task.settings, 1, 12, &us, NULL), SS_OK);
    assert_true(isnan(us));
    arena_free(&work.arena);
}

static void it_stops_when_told_to(void **state) {
    (void)state;
    for (uint32_t after = 1; after < 400; after += 37) {
        struct work work;
        struct whatif_curve curve;
        struct whatif_map map;
        begin_model(&work, "slackswap");
        work.stop_after = after;
        assert_int_equal(whatif_curve(&work.task, WHATIF_BUDGET, &curve, count_curve, NULL), SS_STOPPED);
        work.asked = 0;
        assert_int_equal(whatif_map(&work.task, &map, count_map, NULL), SS_STOPPED);
        assert_true(work.asked <= after + 3);
        arena_free(&work.arena);
    }
}

static void the_map_names_the_fastest_plan_of_all(void **state) {
    (void)state;
    struct work work;
    struct whatif_map map;
    uint8_t planner[64];
    const uint32_t count = whatif_map_planners(planner);
    begin_random(&work, 11, "slackswap");
    assert_int_equal(whatif_map(&work.task, &map, count_map, NULL), SS_OK);
    assert_int_equal(map.known, map.budget_count * map.rate_count);
    for (uint32_t row = 0; row < map.budget_count; row += 3)
        for (uint32_t column = 0; column < map.rate_count; column += 4) {
            double best = INFINITY;
            for (uint32_t i = 0; i < count; i++) {
                work.task.settings.planner = &PLANNERS[planner[i]];
                whatif_take_rate(&work.task.settings, map.rate[column], &work.profile);
                const struct outcome outcome = plan_at(&work, WHATIF_BUDGET, (double)map.budget_bytes[row]);
                if (outcome_feasible(&outcome))
                    best = fmin(best, outcome.timeline.totals.step_us);
            }
            assert_int_equal(map.winner[row][column] == WHATIF_NOBODY, isinf(best));
            assert_true(isinf(best) || fabs(map.step_us[row][column] - best) <= 1e-8 * best);
        }
    arena_free(&work.arena);
}

static void count_batches(void *context, const struct whatif_batches *batches) {
    (void)batches;
    ((struct work *)context)->shown++;
}

static uint64_t least_of_batch(struct work *work, uint32_t batch) {
    struct profile profile;
    struct limits limits;
    assert_int_equal(model_build(model_find("gpt2"), &(struct model_options){ .batch = batch }, &work->arena, &profile,
                                 NULL), SS_OK);
    assert_int_equal(limits_compute(&profile, &limits, NULL), SS_OK);
    return limits.least_bytes;
}

static void the_largest_batch_just_fits_and_each_is_priced_in_tokens(void **state) {
    (void)state;
    struct work work;
    struct whatif_batches batches;
    begin_model(&work, "slackswap");
    work.task.settings.budget = (struct budget_choice){ .kind = BUDGET_GPU_MEMORY, .bytes = UINT64_C(10) << 30,
                                                        .headroom_share = 0.1 };
    assert_int_equal(whatif_batches(&work.task, model_find("gpt2"), &(struct model_options){ .batch = 5 }, &batches,
                                    count_batches, NULL), SS_OK);
    assert_int_equal(batches.budget_bytes, (UINT64_C(10) << 30) - (UINT64_C(1) << 30));
    assert_true(least_of_batch(&work, batches.largest) <= batches.budget_bytes);
    assert_true(least_of_batch(&work, batches.largest + 1) > batches.budget_bytes);
    bool own = false;
    for (uint32_t i = 0; i < batches.count; i++) {
        const struct whatif_batch *batch = &batches.batch[i];
        own = own || batch->batch == 5;
        assert_true(i == 0 || batch->batch > batch[-1].batch);
        assert_true(batch->fits);
        assert_true(fabs(batch->tokens_per_s * batch->step_us - 1e6 * batch->batch * 1024) < 1);
    }
    assert_true(own);
    assert_int_equal(batches.batch[batches.count - 1].batch, batches.largest);
    assert_int_equal(work.shown, batches.count + 1);
    work.stop_after = work.asked + 40;
    assert_int_equal(whatif_batches(&work.task, model_find("gpt2"), &(struct model_options){ .batch = 5 }, &batches,
                                    count_batches, NULL), SS_STOPPED);
    arena_free(&work.arena);
}

static void where_not_even_one_sample_fits_no_batch_does(void **state) {
    (void)state;
    struct work work;
    struct whatif_batches batches;
    begin_model(&work, "slackswap");
    work.task.settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = 1000 };
    assert_int_equal(whatif_batches(&work.task, model_find("gpt2"), &(struct model_options){ .batch = 0 }, &batches,
                                    count_batches, NULL), SS_OK);
    assert_int_equal(batches.largest, 0);
    assert_int_equal(batches.count, 0);
    arena_free(&work.arena);
}

static void a_budget_is_taken_as_a_share_where_that_gives_the_very_bytes(void **state) {
    (void)state;
    const struct limits limits = { .unlimited_peak_bytes = 11543650304 };
    struct settings settings = settings_default();
    whatif_take_budget(&settings, 5771825152, &limits);
    assert_int_equal(settings.budget.kind, BUDGET_SHARE);
    assert_true(settings.budget.share == 0.5);
    whatif_take_budget(&settings, 5771825153, &limits);
    assert_int_equal(settings.budget.kind, BUDGET_BYTES);
    assert_int_equal(settings.budget.bytes, 5771825153);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_curve_never_rises_and_stays_above_the_bound),
        cmocka_unit_test(a_knee_is_true_from_there_on_and_not_just_below),
        cmocka_unit_test(a_curve_holds_what_the_planner_finds_where_that_is_best),
        cmocka_unit_test(what_keeps_everything_fits_from_the_unlimited_peak_on),
        cmocka_unit_test(the_same_question_has_the_same_answer),
        cmocka_unit_test(a_cell_has_the_bound_of_its_budget_and_link),
        cmocka_unit_test(it_stops_when_told_to),
        cmocka_unit_test(the_map_names_the_fastest_plan_of_all),
        cmocka_unit_test(the_largest_batch_just_fits_and_each_is_priced_in_tokens),
        cmocka_unit_test(where_not_even_one_sample_fits_no_batch_does),
        cmocka_unit_test(a_budget_is_taken_as_a_share_where_that_gives_the_very_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
