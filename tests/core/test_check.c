/* Checking plans: what planners make has no errors, every fix does what it announces, and mending needs few changes.
 * The words of each rule are told by tests/check. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/check.h"
#include "core/closure.h"
#include "core/outcome.h"
#include "core/planner.h"
#include "core/zoo.h"
#include "tests/random_profile.h"

#define CASES CASES_OF(400)
#define PLANNERS_A_CASE 4

static struct arena arena;
static struct profile profile;
static struct link link;
static uint64_t budget_bytes;
static struct simulator *simulator;
static struct error error;

static int forget(void **state) {
    (void)state;
    simulator_free(simulator);
    simulator = NULL;
    arena_free(&arena);
    return 0;
}

static void must(enum ss_status status) {
    if (status != SS_OK)
        fail_msg("%s", error.text);
}

/* A random profile, a link for it, and a budget between the least that anything fits into and the unlimited peak. */
static void draw(struct random *random) {
    static const struct random_shape shape = { .most_ops = 24 };
    struct limits limits;
    forget(NULL);
    random_profile(random, &shape, &arena, &profile);
    const struct link_options options = random_link_options(random, &profile);
    must(link_resolve(&profile.link, &options, &link, &error));
    must(limits_compute(&profile, &limits, &error));
    const uint64_t room = limits.unlimited_peak_bytes - limits.least_bytes;
    budget_bytes = limits.least_bytes + room * random_below(random, 101) / 100;
    assert_non_null(simulator = simulator_new(&profile, &error));
}

/* A random plan that is allowed: what may not be recomputed is moved. */
static void draw_plan(struct random *random, struct plan *plan) {
    struct closure closure;
    random_plan(random, &profile, &arena, plan);
    must(closure_compute(&closure, &arena, &profile, &error));
    for (uint32_t m = 0; m < profile.managed_count; m++) {
        const uint32_t tensor = profile.managed[m];
        if (plan->action[tensor] == ACTION_RECOMPUTE && !closure_allows(&closure, &profile, tensor))
            plan->action[tensor] = ACTION_OFFLOAD;
    }
}

static struct check_task task_of(const struct plan *plan, uint64_t host_memory_bytes) {
    return (struct check_task){ .profile = &profile, .plan = plan, .link = link, .budget_bytes = budget_bytes,
                                .host_memory_bytes = host_memory_bytes };
}

static bool has_rule(const struct check *check, enum rule_id rule) {
    for (uint32_t i = 0; i < check->findings.count; i++)
        if (check->findings.finding[i].rule == rule)
            return true;
    return false;
}

static void assert_same_totals(const struct sim_totals *a, const struct sim_totals *b) {
    assert_int_equal(a->feasible, b->feasible);
    assert_int_equal(a->required_bytes, b->required_bytes);
    if (!a->feasible)
        return;
    assert_true(a->step_us == b->step_us);
    assert_true(a->stall_us == b->stall_us && a->recompute_us == b->recompute_us);
    assert_int_equal(a->peak_bytes, b->peak_bytes);
    assert_int_equal(a->host_peak_bytes, b->host_peak_bytes);
}

/* Applies FIX to what was checked and looks at what becomes of it, without the checker. */
static void assert_keeps_its_word(const struct check *check, const struct fix *fix, uint64_t host_memory_bytes) {
    struct plan plan;
    struct sim_totals totals;
    must(plan_copy(&plan, &arena, &profile, &check->plan, &error));
    changes_apply(&plan, fix->change, fix->count);
    must(sim_evaluate(simulator, &plan, &link, budget_bytes, &totals, &error));
    assert_same_totals(&totals, &fix->totals);
    assert_int_equal(fix->fits, totals.feasible && totals.host_peak_bytes <= host_memory_bytes);
    if (totals.feasible && check->timeline.totals.feasible) {
        assert_true(fix->step_change_us == totals.step_us - check->timeline.totals.step_us);
        assert_true(fix->peak_change_bytes == (double)totals.peak_bytes - (double)check->timeline.totals.peak_bytes);
    }
}

/* ---- the properties ----------------------------------------------------------------------------------------------- */

static void no_plan_of_a_planner_has_an_error(void **state) {
    struct random random = { 11 };
    uint32_t fitting = 0;
    (void)state;
    for (int i = 0; i < CASES / 2; i++) {
        draw(&random);
        for (int p = 0; p < PLANNERS_A_CASE; p++) {
            const struct plan_task task = { .profile = &profile, .link = link, .budget_bytes = budget_bytes,
                                            .host_memory_bytes = BYTES_UNLIMITED, .evaluation_limit = 40 };
            struct planner_result result;
            struct check check;
            must(planner_run(&PLANNERS[random_below(&random, PLANNER_COUNT)], &task, simulator, &arena, &result, &error));
            const struct check_task checking = task_of(&result.plan, BYTES_UNLIMITED);
            must(check_plan(&checking, &arena, &check, &error));
            assert_int_equal(check.findings.of[SEVERITY_ERROR], result.totals.feasible ? 0 : 1);
            assert_false(has_rule(&check, RULE_OTHER_PROFILE) || has_rule(&check, RULE_OTHER_LINK) ||
                         has_rule(&check, RULE_OTHER_BUDGET));
            fitting += result.totals.feasible;
        }
    }
    assert_true(fitting > CASES);
}

static void every_fix_does_exactly_what_it_announces(void **state) {
    struct random random = { 12 };
    uint32_t fixes[RULE_COUNT] = { 0 };
    (void)state;
    for (int i = 0; i < 4 * CASES; i++) {
        struct plan plan;
        struct check check;
        draw(&random);
        draw_plan(&random, &plan);
        plan.budget_bytes = BYTES_UNLIMITED;
        const uint64_t host = random_chance(&random, 50) ? BYTES_UNLIMITED : random_below(&random, 300000);
        const struct check_task task = task_of(&plan, host);
        must(check_plan(&task, &arena, &check, &error));
        for (uint32_t f = 0; f < check.findings.count; f++)
            if (check.findings.finding[f].fix) {
                assert_keeps_its_word(&check, check.findings.finding[f].fix, host);
                fixes[check.findings.finding[f].rule]++;
            }
    }
    static const enum rule_id met[] = { RULE_OVER_BUDGET, RULE_HOST_MEMORY, RULE_LATE_PREFETCH,
                                        RULE_DRAINING_BACKLOG, RULE_MOVED_FOR_NOTHING, RULE_ROOM_TO_KEEP,
                                        RULE_RECOMPUTE_IN_SLACK, RULE_BEYOND_SLACK, RULE_FREE_TO_LEAVE };
    for (size_t r = 0; r < sizeof met / sizeof met[0]; r++)
        if (fixes[met[r]] == 0)
            fail_msg("%s never came with a fix: the property was not tried", RULE_TABLE[met[r]].id);
}

static void an_error_is_found_exactly_where_a_plan_does_not_fit(void **state) {
    struct random random = { 13 };
    (void)state;
    for (int i = 0; i < 2 * CASES; i++) {
        struct plan plan;
        struct check check;
        struct sim_totals totals;
        draw(&random);
        draw_plan(&random, &plan);
        const uint64_t host = random_chance(&random, 50) ? BYTES_UNLIMITED : random_below(&random, 300000);
        must(sim_evaluate(simulator, &plan, &link, budget_bytes, &totals, &error));
        const struct check_task task = task_of(&plan, host);
        must(check_plan(&task, &arena, &check, &error));
        assert_int_equal(has_rule(&check, RULE_OVER_BUDGET), !totals.feasible);
        assert_int_equal(has_rule(&check, RULE_HOST_MEMORY), totals.feasible && totals.host_peak_bytes > host);
        assert_int_equal(check.findings.of[SEVERITY_ERROR],
                         has_rule(&check, RULE_OVER_BUDGET) + has_rule(&check, RULE_HOST_MEMORY));
    }
}

/* Where everything offloaded fits, mending finds something that fits. */
static void what_can_fit_is_made_to_fit(void **state) {
    struct random random = { 14 };
    uint32_t mended_count = 0;
    (void)state;
    for (int i = 0; i < 2 * CASES; i++) {
        struct plan plan;
        struct mended mended;
        struct sim_totals totals;
        draw(&random);
        draw_plan(&random, &plan);
        plan.budget_bytes = BYTES_UNLIMITED;
        const struct check_task task = task_of(&plan, BYTES_UNLIMITED);
        must(check_mend(&task, MEND_ERRORS, &arena, &mended, &error));
        assert_true(mended.fits);
        must(sim_evaluate(simulator, &mended.plan, &link, budget_bytes, &totals, &error));
        assert_same_totals(&totals, &mended.after);
        assert_true(totals.feasible);
        if (mended.before.feasible)
            assert_int_equal(mended.count, 0);
        mended_count += !mended.before.feasible;
    }
    assert_true(mended_count > CASES / 4);
}

static void removing_warnings_never_makes_the_step_longer(void **state) {
    struct random random = { 15 };
    uint32_t shorter = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        struct plan plan;
        struct mended mended;
        struct sim_totals totals;
        draw(&random);
        draw_plan(&random, &plan);
        plan.budget_bytes = BYTES_UNLIMITED;
        const struct check_task task = task_of(&plan, BYTES_UNLIMITED);
        must(check_mend(&task, MEND_ALL, &arena, &mended, &error));
        must(sim_evaluate(simulator, &mended.plan, &link, budget_bytes, &totals, &error));
        assert_same_totals(&totals, &mended.after);
        if (!mended.before.feasible)
            continue;
        assert_true(mended.after.step_us <= mended.before.step_us * (1 + 1e-4));
        shorter += mended.after.step_us < mended.before.step_us;
    }
    assert_true(shorter > CASES / 10);
}

/* ---- a good plan, broken ------------------------------------------------------------------------------------------ */

static struct planner_result plan_well(const char *model, double share) {
    const struct model_options options = { .batch = 0 };
    struct limits limits;
    struct planner_result result;
    forget(NULL);
    must(model_build(model_find(model), &options, &arena, &profile, &error));
    must(limits_compute(&profile, &limits, &error));
    link = profile.link;
    budget_bytes = (uint64_t)((double)limits.unlimited_peak_bytes * share);
    assert_non_null(simulator = simulator_new(&profile, &error));
    const struct plan_task task = { .profile = &profile, .link = link, .budget_bytes = budget_bytes,
                                    .host_memory_bytes = BYTES_UNLIMITED, .evaluation_limit = 300 };
    must(planner_run(planner_find("refine"), &task, simulator, &arena, &result, &error));
    assert_true(result.totals.feasible);
    return result;
}

/* Gives K of the tensors that GOOD moves or drops back to the GPU: now it needs too much. */
static void break_actions(struct random *random, const struct plan *good, uint32_t k, struct plan *broken) {
    must(plan_copy(broken, &arena, &profile, good, &error));
    while (k > 0) {
        const uint32_t tensor = profile.managed[random_below(random, profile.managed_count)];
        if (broken->action[tensor] == ACTION_KEEP || profile.tensors[tensor].bytes < 1 << 20)
            continue;
        broken->action[tensor] = ACTION_KEEP;
        k--;
    }
}

static void breaking_k_actions_is_mended_by_about_k(void **state) {
    struct random random = { 16 };
    const struct planner_result good = plan_well("bert-large", 0.5);
    (void)state;
    for (uint32_t k = 1; k <= 6; k++)
        for (int i = 0; i < 3; i++) {
            struct plan broken;
            struct mended mended;
            break_actions(&random, &good.plan, k, &broken);
            const struct check_task task = task_of(&broken, BYTES_UNLIMITED);
            must(check_mend(&task, MEND_ERRORS, &arena, &mended, &error));
            assert_true(mended.fits);
            assert_in_range(mended.count, 0, k + 1);
            assert_true(mended.after.step_us <= good.totals.step_us * 1.01);
        }
}

/* Makes K of the tensors that GOOD keeps be computed again, which costs time. */
static void slow_down(struct random *random, const struct plan *good, uint32_t k, struct plan *broken) {
    must(plan_copy(broken, &arena, &profile, good, &error));
    while (k > 0) {
        const uint32_t tensor = profile.managed[random_below(random, profile.managed_count)];
        if (broken->action[tensor] != ACTION_KEEP || profile.ops[profile.tensors[tensor].producer].forward_us < 100)
            continue;
        broken->action[tensor] = ACTION_RECOMPUTE;
        k--;
    }
}

static void slowing_k_actions_is_mended_by_about_k(void **state) {
    struct random random = { 17 };
    const struct planner_result good = plan_well("bert-large", 0.7);
    (void)state;
    for (uint32_t k = 1; k <= 4; k++) {
        struct plan broken;
        struct mended mended;
        slow_down(&random, &good.plan, k, &broken);
        const struct check_task task = task_of(&broken, BYTES_UNLIMITED);
        must(check_mend(&task, MEND_ALL, &arena, &mended, &error));
        assert_true(mended.before.step_us > good.totals.step_us);
        assert_in_range(mended.count, 1, 2 * k + 1);
        assert_true(mended.after.step_us <= good.totals.step_us * 1.0001);
    }
}

static bool stop_at_once(void *context) {
    (void)context;
    return true;
}

static void a_check_can_be_stopped(void **state) {
    const struct planner_result good = plan_well("gpt2", 0.5);
    struct check check;
    (void)state;
    struct check_task task = task_of(&good.plan, BYTES_UNLIMITED);
    task.should_stop = stop_at_once;
    assert_int_equal(check_plan(&task, &arena, &check, &error), SS_STOPPED);
}

static void a_check_spends_no_more_than_it_may_and_says_so(void **state) {
    const struct planner_result good = plan_well("gpt2", 0.5);
    struct check check;
    (void)state;
    struct check_task task = task_of(&good.plan, BYTES_UNLIMITED);
    task.evaluation_limit = 7;
    must(check_plan(&task, &arena, &check, &error));
    assert_int_equal(check.evaluations, 7);
    assert_true(check.limited);
}

static void rule_ids_are_words_and_differ(void **state) {
    (void)state;
    for (int a = 0; a < RULE_COUNT; a++) {
        assert_int_equal(strspn(RULE_TABLE[a].id, "abcdefghijklmnopqrstuvwxyz-"), strlen(RULE_TABLE[a].id));
        for (int b = 0; b < a; b++)
            assert_string_not_equal(RULE_TABLE[a].id, RULE_TABLE[b].id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(no_plan_of_a_planner_has_an_error, forget),
        cmocka_unit_test_teardown(every_fix_does_exactly_what_it_announces, forget),
        cmocka_unit_test_teardown(an_error_is_found_exactly_where_a_plan_does_not_fit, forget),
        cmocka_unit_test_teardown(what_can_fit_is_made_to_fit, forget),
        cmocka_unit_test_teardown(removing_warnings_never_makes_the_step_longer, forget),
        cmocka_unit_test_teardown(breaking_k_actions_is_mended_by_about_k, forget),
        cmocka_unit_test_teardown(slowing_k_actions_is_mended_by_about_k, forget),
        cmocka_unit_test_teardown(a_check_can_be_stopped, forget),
        cmocka_unit_test_teardown(a_check_spends_no_more_than_it_may_and_says_so, forget),
        cmocka_unit_test(rule_ids_are_words_and_differ),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
