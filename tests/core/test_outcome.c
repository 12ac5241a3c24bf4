/* What commands, screens and the viewer are told of one choice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/outcome.h"
#include "core/zoo.h"

struct work { struct arena arena; struct profile profile; };

static void work_begin(struct work *work, const char *model) {
    *work = (struct work){ .arena = { 0 } };
    assert_int_equal(model_build(model_find(model), &(struct model_options){ .batch = 0 }, &work->arena, &work->profile,
                                 NULL), SS_OK);
}

static struct outcome compute(struct work *work, struct budget_choice budget) {
    struct outcome outcome;
    const struct outcome_request request = { .profile = &work->profile, .budget = budget, .link = LINK_OPTIONS_NONE,
                                             .planner = planner_find("slackswap"),
                                             .host_memory_bytes = BYTES_UNLIMITED };
    assert_int_equal(outcome_compute(&request, &work->arena, &outcome, NULL), SS_OK);
    return outcome;
}

/* llama-7b at 80 % needs no recomputing and no stall; its step and its ideal are added up in different orders. */
static void a_step_at_the_ideal_is_all_of_it_and_has_no_gap(void **state) {
    (void)state;
    struct work work;
    work_begin(&work, "llama-7b");
    const struct outcome outcome = compute(&work, (struct budget_choice){ .kind = BUDGET_SHARE, .share = 0.8 });
    assert_true(outcome_feasible(&outcome));
    assert_true(outcome_throughput(&outcome) == 1);
    assert_true(outcome_gap(&outcome) == 0);
    arena_free(&work.arena);
}

static void what_does_not_fit_has_no_throughput_and_a_bound_all_the_same(void **state) {
    (void)state;
    struct work work;
    work_begin(&work, "gpt2-xl");
    const struct outcome outcome = compute(&work, (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = 1000 });
    assert_false(outcome_feasible(&outcome));
    assert_true(outcome_throughput(&outcome) == 0);
    assert_true(isinf(outcome_gap(&outcome)));
    assert_true(outcome.bound.bound_us >= outcome.ideal_us);
    arena_free(&work.arena);
}

struct told { const struct bounds *bounds; uint32_t plans; bool bound_known_at_first; };

static void tell(void *context, const struct plan *plan, const struct sim_totals *totals) {
    struct told *told = context;
    (void)plan;
    (void)totals;
    if (told->plans++ == 0)
        told->bound_known_at_first = told->bounds->count > 0;
}

static void refine_tells_its_first_plan_before_the_bound_is_looked_for(void **state) {
    (void)state;
    struct work work;
    struct outcome outcome;
    struct bounds bounds = { .count = 0 };
    struct told told = { .bounds = &bounds };
    work_begin(&work, "gpt2");
    const struct outcome_request request = { .profile = &work.profile, .budget = BUDGET_CHOICE_DEFAULT,
                                             .link = LINK_OPTIONS_NONE, .planner = planner_find("refine"), .evaluation_limit = 30,
                                             .host_memory_bytes = BYTES_UNLIMITED, .improved = tell, .context = &told,
                                             .bounds = &bounds };
    assert_int_equal(outcome_compute(&request, &work.arena, &outcome, NULL), SS_OK);
    assert_true(told.plans > 0 && !told.bound_known_at_first);
    assert_int_equal(bounds.count, 1); /* what refine found is the outcome's, too */
    assert_true(bounds.known[0].bound.bound_us == outcome.bound.bound_us);
    arena_free(&work.arena);
}

static void the_name_of_a_replayed_plans_planner_outlives_the_plan(void **state) {
    (void)state;
    struct work work;
    struct outcome outcome;
    struct plan plan;
    char name[] = "somebody";
    work_begin(&work, "gpt2");
    assert_int_equal(plan_init(&plan, &work.arena, &work.profile, NULL), SS_OK);
    plan.planner = name;
    const struct outcome_request request = { .profile = &work.profile, .plan = &plan, .link = LINK_OPTIONS_NONE,
                                             .budget = BUDGET_CHOICE_DEFAULT, .host_memory_bytes = BYTES_UNLIMITED };
    assert_int_equal(outcome_compute(&request, &work.arena, &outcome, NULL), SS_OK);
    memset(name, 0, sizeof name);
    assert_string_equal(outcome.planner_name, "somebody");
    arena_free(&work.arena);
}

static void gpu_memory_leaves_what_weights_and_headroom_do_not_take(void **state) {
    (void)state;
    struct work work;
    work_begin(&work, "gpt2-xl");
    work.profile.static_bytes = 1000;
    struct limits limits;
    uint64_t bytes;
    assert_int_equal(limits_compute(&work.profile, &limits, NULL), SS_OK);
    struct budget_choice choice = { .kind = BUDGET_GPU_MEMORY, .bytes = 10000, .headroom_share = 0.05 };
    assert_int_equal(budget_resolve(&choice, &work.profile, &limits, &bytes, NULL), SS_OK);
    assert_int_equal(bytes, 8500);
    choice.headroom_bytes = 9000;
    assert_int_equal(budget_resolve(&choice, &work.profile, &limits, &bytes, NULL), SS_OK);
    assert_int_equal(bytes, 0);
    choice.headroom_bytes = 9001;
    assert_int_equal(budget_resolve(&choice, &work.profile, &limits, &bytes, NULL), SS_USAGE);
    choice = (struct budget_choice){ .kind = BUDGET_SHARE, .share = 0.5 };
    assert_int_equal(budget_resolve(&choice, &work.profile, &limits, &bytes, NULL), SS_OK);
    assert_int_equal(bytes, limits.unlimited_peak_bytes / 2);
    arena_free(&work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_at_the_ideal_is_all_of_it_and_has_no_gap),
        cmocka_unit_test(what_does_not_fit_has_no_throughput_and_a_bound_all_the_same),
        cmocka_unit_test(refine_tells_its_first_plan_before_the_bound_is_looked_for),
        cmocka_unit_test(the_name_of_a_replayed_plans_planner_outlives_the_plan),
        cmocka_unit_test(gpu_memory_leaves_what_weights_and_headroom_do_not_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
