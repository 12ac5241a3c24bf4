/* Lists and ranges, the grid they span, and that no curve over it rises. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/sweep.h"
#include "tests/random_profile.h"

/* ---- axes ---- */

static void check_budgets(const char *text, uint32_t count, const struct budget_choice *expected) {
    struct arena arena = { 0 };
    struct budget_axis axis;
    struct error error = { "", "" };
    if (axis_parse_budgets(text, BUDGET_BYTES, &arena, &axis, &error) != SS_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(axis.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(axis.choice[i].kind, expected[i].kind);
        assert_true(axis.choice[i].share == expected[i].share);
        assert_int_equal(axis.choice[i].bytes, expected[i].bytes);
    }
    arena_free(&arena);
}

#define SHARE(of) { .kind = BUDGET_SHARE, .share = (of) }
#define BYTES(number) { .kind = BUDGET_BYTES, .bytes = (number) }

static void lists_and_ranges_may_be_mixed(void **state) {
    (void)state;
    check_budgets("50%", 1, (struct budget_choice[]){ SHARE(0.5) });
    check_budgets("30%:40%:5%,1KiB,90%", 5,
                  (struct budget_choice[]){ SHARE(0.3), SHARE(0.35), SHARE(0.4), BYTES(1024), SHARE(0.9) });
    check_budgets("1kB:2kB:400B", 3, (struct budget_choice[]){ BYTES(1000), BYTES(1400), BYTES(1800) });
    check_budgets("7%:7%:1%", 1, (struct budget_choice[]){ SHARE(7 / 100.0) });
}

static void every_value_of_a_range_is_the_one_that_could_be_written_alone(void **state) {
    (void)state;
    struct arena arena = { 0 };
    struct budget_axis range, list;
    struct rate_axis rates;
    assert_int_equal(axis_parse_budgets("0.1%:99.9%:0.1%", BUDGET_BYTES, &arena, &range, NULL), SS_OK);
    assert_int_equal(range.count, 999);
    for (uint32_t i = 0; i < range.count; i++) {
        const char *text = arena_printf(&arena, "%u.%u%%", (i + 1) / 10, (i + 1) % 10);
        assert_int_equal(axis_parse_budgets(text, BUDGET_BYTES, &arena, &list, NULL), SS_OK);
        assert_true(range.choice[i].share == list.choice[0].share);
    }
    assert_int_equal(axis_parse_rates("0.1:0.3:0.1,8GB/s", &arena, &rates, NULL), SS_OK);
    assert_int_equal(rates.count, 4);
    assert_true(rates.gb_per_s[0] == 0.1 && rates.gb_per_s[1] == 0.2 && rates.gb_per_s[2] == 0.3
                && rates.gb_per_s[3] == 8);
    arena_free(&arena);
}

static void what_is_no_list_is_refused_with_what_was_expected(void **state) {
    (void)state;
    static const struct { bool rates; const char *text, *error; } cases[] = {
        { false, "30%:95%", "expected a value or a range FROM:TO:STEP, found '30%:95%'" },
        { false, "1%:2%:3%:4%", "expected a value or a range FROM:TO:STEP, found '1%:2%:3%:4%'" },
        { false, "95%:30%:5%", "expected a range that goes up, found '95%:30%:5%'" },
        { false, "30%:95%:0%", "expected a step above 0, found '30%:95%:0%'" },
        { false, "30%:24GiB:5%", "expected three shares or three sizes, found '30%:24GiB:5%'" },
        { false, "30:95:5%", "expected three shares or three sizes, found '30:95:5%'" },
        { false, "1%:99%:0.0001%", "expected at most 10000 values, found '1%:99%:0.0001%'" },
        { false, "0B:9999B:1B,50%", "expected at most 10000 values" },
        { false, "", "expected values and ranges FROM:TO:STEP parted by commas, found ''" },
        { false, "50%,", "expected values and ranges FROM:TO:STEP parted by commas, found ''" },
        { false, "50%,,60%", "expected values and ranges FROM:TO:STEP parted by commas, found ',60%'" },
        { true, "8:16:-1", "expected a rate such as 25GB/s or 25, found '-1'" },
        { true, "8:16", "expected a value or a range FROM:TO:STEP, found '8:16'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = { 0 };
        struct error error = { "", "" };
        struct rate_axis rates;
        struct budget_axis budgets;
        const enum ss_status status = cases[i].rates
            ? axis_parse_rates(cases[i].text, &arena, &rates, &error)
            : axis_parse_budgets(cases[i].text, BUDGET_BYTES, &arena, &budgets, &error);
        assert_int_equal(status, SS_USAGE);
        assert_string_equal(error.text, cases[i].error);
        arena_free(&arena);
    }
}

static void a_share_is_no_size_of_a_whole_gpu(void **state) {
    (void)state;
    struct arena arena = { 0 };
    struct budget_axis axis;
    assert_int_equal(axis_parse_budgets("4GiB:8GiB:2GiB", BUDGET_GPU_MEMORY, &arena, &axis, NULL), SS_OK);
    assert_int_equal(axis.count, 3);
    assert_int_equal(axis.choice[2].kind, BUDGET_GPU_MEMORY);
    assert_int_equal(axis_parse_budgets("50%", BUDGET_GPU_MEMORY, &arena, &axis, NULL), SS_USAGE);
    arena_free(&arena);
}

/* ---- the grid ---- */

struct work {
    struct arena arena;
    struct profile profile;
    struct limits limits;
    struct sweep sweep;
    struct random random;
};

static void lay_out(struct work *work, const struct planner *const *planners, uint32_t planner_count,
                    const char *rates_text, const char *budgets_text) {
    struct settings base = settings_default();
    struct rate_axis rates;
    struct budget_axis budgets;
    base.evaluation_limit = 40;
    if (random_chance(&work->random, 50))
        base.host_memory_bytes = work->limits.unlimited_peak_bytes * random_below(&work->random, 100) / 100;
    base.unit = random_chance(&work->random, 30) ? UNIT_LAYER : UNIT_TENSOR;
    assert_int_equal(axis_parse_rates(rates_text, &work->arena, &rates, NULL), SS_OK);
    assert_int_equal(axis_parse_budgets(budgets_text, BUDGET_BYTES, &work->arena, &budgets, NULL), SS_OK);
    assert_int_equal(sweep_init(&work->sweep, &base, planners, planner_count, &rates, &budgets, &work->profile,
                                &work->arena, NULL), SS_OK);
}

static void work_begin(struct work *work, uint64_t seed) {
    *work = (struct work){ .random = { seed } };
    const struct random_shape shape = { .most_ops = 1 + random_below(&work->random, 30),
                                        .whole_times = random_chance(&work->random, 30),
                                        .chain_only = random_chance(&work->random, 30) };
    random_profile(&work->random, &shape, &work->arena, &work->profile);
    assert_int_equal(limits_compute(&work->profile, &work->limits, NULL), SS_OK);
}

static struct outcome plan_point(struct work *work, uint32_t n) {
    const struct settings settings = sweep_settings(&work->sweep, n);
    const struct outcome_request request = {
        .profile = &work->profile, .budget = settings.budget, .link = settings.link, .planner = settings.planner,
        .unit = settings.unit, .host_memory_bytes = settings.host_memory_bytes,
        .evaluation_limit = settings.evaluation_limit, .seed = settings.seed,
    };
    struct outcome outcome;
    assert_int_equal(outcome_compute(&request, &work->arena, &outcome, NULL), SS_OK);
    return outcome;
}

static void points_stand_in_order_of_planner_link_and_memory_and_none_twice(void **state) {
    (void)state;
    static const double RATE[] = { 8, 16, 25 };
    static const double SHARE_OF[] = { 0.3, 0.5, 0.9 };
    struct work work;
    work_begin(&work, 7);
    const struct planner *planners[] = { planner_find("offload"), planner_find("keep") };
    lay_out(&work, planners, 2, "25,8,16,8:16:8", "90%,30%,50%,30%");
    assert_int_equal(sweep_points(&work.sweep), 18);
    for (uint32_t n = 0; n < 18; n++) {
        const struct settings settings = sweep_settings(&work.sweep, n);
        assert_string_equal(settings.planner->name, n < 9 ? "offload" : "keep");
        assert_true(settings.link.bandwidth_gb_per_s == RATE[n / 3 % 3]);
        assert_true(settings.budget.share == SHARE_OF[n % 3]);
        assert_int_equal(sweep_begins_column(&work.sweep, n), n % 3 == 0);
    }
    arena_free(&work.arena);
}

static void shards_are_whole_columns_and_the_grid_is_all_of_them_in_turn(void **state) {
    (void)state;
    struct work work;
    work_begin(&work, 7);
    const struct planner *planner = planner_find("offload");
    lay_out(&work, &planner, 1, "1:7:1", "30%,50%,90%");
    for (uint32_t count = 1; count <= 10; count++) {
        uint32_t next = 0;
        for (uint32_t index = 1; index <= count; index++) {
            uint32_t first, end;
            sweep_shard(&work.sweep, index, count, &first, &end);
            assert_int_equal(first, next);
            assert_true(sweep_begins_column(&work.sweep, first) && sweep_begins_column(&work.sweep, end));
            assert_true(end - first <= 3 * ((7 + count - 1) / count));
            next = end;
        }
        assert_int_equal(next, sweep_points(&work.sweep));
    }
    arena_free(&work.arena);
}

static void a_rate_that_the_link_cannot_have_is_refused_before_any_point(void **state) {
    (void)state;
    struct work work;
    work_begin(&work, 7);
    struct settings base = settings_default();
    struct budget_axis budgets;
    double rate[] = { 25, 8 };
    struct error error = { "", "" };
    base.link.h2d_both_gb_per_s = 10;
    assert_int_equal(axis_parse_budgets("50%", BUDGET_BYTES, &work.arena, &budgets, NULL), SS_OK);
    assert_int_equal(sweep_init(&work.sweep, &base, &base.planner, 1, &(struct rate_axis){ rate, 2 }, &budgets,
                                &work.profile, &work.arena, &error), SS_USAGE);
    assert_true(error.text[0] != '\0');
    arena_free(&work.arena);
}

/* Of the quick planners, the erratic ones among them: what a point has taken over is at least as fast as what is below it. */
static void no_curve_rises_with_the_budget(void **state) {
    (void)state;
    static const char *const QUICK[] = { "slackswap-rule", "offload", "recompute", "selective", "sqrt", "capuchin",
                                         "slackswap", "keep" };
    uint32_t taken_over = 0;
    for (uint64_t seed = 1; seed <= CASES_OF(60); seed++) {
        struct work work;
        work_begin(&work, seed);
        const struct planner *planner = planner_find(QUICK[seed % (sizeof QUICK / sizeof *QUICK)]);
        lay_out(&work, &planner, 1, "0.5,3", "15%:95%:8%");
        struct outcome below;
        for (uint32_t n = 0; n < sweep_points(&work.sweep); n++) {
            struct outcome point = plan_point(&work, n), own = point;
            const struct settings settings = sweep_settings(&work.sweep, n);
            if (!sweep_begins_column(&work.sweep, n)) {
                assert_int_equal(sweep_reuse(&below, &settings, &work.arena, &point, NULL), SS_OK);
                assert_true(!outcome_feasible(&below) || outcome_feasible(&point));
                assert_true(!outcome_feasible(&below)
                            || point.timeline.totals.step_us <= below.timeline.totals.step_us);
                taken_over += point.timeline.plan.action != own.timeline.plan.action;
            }
            assert_true(!outcome_feasible(&own) || point.timeline.totals.step_us <= own.timeline.totals.step_us);
            assert_true(!outcome_feasible(&point) || point.timeline.totals.peak_bytes <= point.budget_bytes);
            below = point;
        }
        arena_free(&work.arena);
    }
    assert_true(taken_over > CASES_OF(10)); /* else nothing was shown */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_ranges_may_be_mixed),
        cmocka_unit_test(every_value_of_a_range_is_the_one_that_could_be_written_alone),
        cmocka_unit_test(what_is_no_list_is_refused_with_what_was_expected),
        cmocka_unit_test(a_share_is_no_size_of_a_whole_gpu),
        cmocka_unit_test(points_stand_in_order_of_planner_link_and_memory_and_none_twice),
        cmocka_unit_test(shards_are_whole_columns_and_the_grid_is_all_of_them_in_turn),
        cmocka_unit_test(a_rate_that_the_link_cannot_have_is_refused_before_any_point),
        cmocka_unit_test(no_curve_rises_with_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
