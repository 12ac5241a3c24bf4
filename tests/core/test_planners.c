/* What each planner promises, on random profiles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/bound.h"
#include "core/planner.h"
#include "core/trial.h"
#include "tests/random_profile.h"

struct work {
    struct arena arena;
    struct profile profile;
    struct limits limits;
    struct plan_task task;
    struct simulator *simulator;
};

static void work_make(struct work *work, struct random *random, uint32_t most_ops) {
    const struct random_shape shape = { .most_ops = 1 + random_below(random, most_ops),
                                        .whole_times = random_chance(random, 30),
                                        .chain_only = random_chance(random, 30),
                                        .free_choice = random_chance(random, 30) };
    *work = (struct work){ .arena = { 0 } };
    random_profile(random, &shape, &work->arena, &work->profile);
    assert_int_equal(limits_compute(&work->profile, &work->limits, NULL), SS_OK);
    const uint64_t spread = work->limits.unlimited_peak_bytes - work->limits.least_bytes;
    const struct link_options options = random_link_options(random, &work->profile);
    work->task = (struct plan_task){ .profile = &work->profile, .host_memory_bytes = BYTES_UNLIMITED, .seed = 1,
                                     .budget_bytes = work->limits.least_bytes + spread * random_below(random, 101) / 100 };
    assert_int_equal(link_resolve(&work->profile.link, &options, &work->task.link, NULL), SS_OK);
    work->simulator = simulator_new(&work->profile, NULL);
    assert_non_null(work->simulator);
}

static void work_free(struct work *work) {
    simulator_free(work->simulator);
    arena_free(&work->arena);
}

/* Runs the planner and checks what holds for all of them. */
static struct planner_result run(struct work *work, const struct planner *planner) {
    struct planner_result result, again;
    struct error error;
    struct sim_totals totals;
    if (planner_run(planner, &work->task, work->simulator, &work->arena, &result, &error) != SS_OK)
        fail_msg("%s: %s", planner->name, error.text);
    assert_string_equal(result.plan.planner, planner->name);
    if (work->task.evaluation_limit != EVALS_DEFAULT)
        assert_true(result.evaluations <= work->task.evaluation_limit);
    if (sim_evaluate(work->simulator, &result.plan, &work->task.link, work->task.budget_bytes, &totals, &error) != SS_OK)
        fail_msg("%s: invalid plan: %s", planner->name, error.text);
    assert_int_equal(totals.feasible, result.totals.feasible);
    assert_true(!totals.feasible || totals.step_us == result.totals.step_us);
    assert_int_equal(planner_run(planner, &work->task, work->simulator, &work->arena, &again, &error), SS_OK);
    assert_memory_equal(result.plan.action, again.plan.action, work->profile.tensor_count);
    return result;
}

static bool unit_alike(const struct work *work, const struct plan *plan) {
    const struct profile *p = &work->profile;
    uint8_t *seen = arena_alloc((struct arena *)&work->arena, p->layer_count, 1);
    for (uint32_t m = 0; m < p->managed_count; m++) {
        const struct tensor *t = &p->tensors[p->managed[m]];
        if (t->keep)
            continue;
        uint8_t *layer = &seen[p->ops[t->producer].layer];
        if (*layer != 0 && *layer != plan->action[p->managed[m]] + 1)
            return false;
        *layer = (uint8_t)(plan->action[p->managed[m]] + 1);
    }
    return true;
}

static void every_planner_gives_a_valid_plan_and_none_beats_the_bound(void **state) {
    struct random random = { 11 };
    for (int i = 0; i < CASES_OF(600); i++) {
        struct work work;
        struct bound bound;
        work_make(&work, &random, 24);
        work.task.unit = random_chance(&random, 40) ? UNIT_LAYER : UNIT_TENSOR;
        work.task.evaluation_limit = 1 + random_below(&random, 60);
        assert_int_equal(bound_compute(&work.profile, &work.task.link, work.task.budget_bytes, &bound, NULL), SS_OK);
        for (uint32_t p = 0; p < PLANNER_COUNT; p++) {
            const struct planner_result result = run(&work, &PLANNERS[p]);
            assert_true(!result.totals.feasible || result.totals.step_us >= bound.bound_us * (1 - 1e-9) - 1e-6);
            assert_true(work.task.unit == UNIT_TENSOR || unit_alike(&work, &result.plan));
        }
        work_free(&work);
    }
}

/* Offloading everything needs the least there is, in whole layers too. */
static void offload_fits_whenever_anything_can(void **state) {
    struct random random = { 12 };
    const struct planner *planner = planner_find("offload");
    for (int i = 0; i < CASES_OF(500); i++) {
        struct work work;
        work_make(&work, &random, 24);
        work.task.unit = i % 2 ? UNIT_LAYER : UNIT_TENSOR;
        const struct planner_result result = run(&work, planner);
        assert_true(result.totals.feasible);
        work.task.budget_bytes = work.limits.unlimited_peak_bytes;
        const struct planner_result roomy = run(&work, planner);
        assert_int_equal(plan_mix(&work.profile, &roomy.plan).count[ACTION_OFFLOAD], 0);
        work_free(&work);
    }
}

static void slackswap_fits_whenever_anything_can(void **state) {
    struct random random = { 14 };
    const struct planner *planner = planner_find("slackswap");
    for (int i = 0; i < CASES_OF(500); i++) {
        struct work work;
        work_make(&work, &random, 24);
        work.task.unit = i % 2 ? UNIT_LAYER : UNIT_TENSOR;
        work.task.evaluation_limit = i % 3 ? EVALS_DEFAULT : 1;
        const struct planner_result result = run(&work, planner);
        assert_true(result.totals.feasible);
        work.task.budget_bytes = work.limits.unlimited_peak_bytes;
        const struct planner_result roomy = run(&work, planner);
        assert_true(roomy.totals.step_us <= work.profile.ideal_us * (1 + 1e-9) + 1e-9);
        work_free(&work);
    }
}

static void recompute_and_checkpoint_leave_the_link_alone(void **state) {
    struct random random = { 15 };
    for (int i = 0; i < CASES_OF(300); i++) {
        struct work work;
        work_make(&work, &random, 24);
        const struct planner_result recompute = run(&work, planner_find("recompute"));
        const struct planner_result checkpoint = run(&work, planner_find("checkpoint"));
        assert_int_equal(plan_mix(&work.profile, &recompute.plan).count[ACTION_OFFLOAD], 0);
        assert_int_equal(plan_mix(&work.profile, &checkpoint.plan).count[ACTION_OFFLOAD], 0);
        for (uint32_t m = 0; m < work.profile.managed_count; m++) {
            const struct tensor *t = &work.profile.tensors[work.profile.managed[m]];
            for (uint32_t c = 0; c < t->consumers.count; c++)
                if (work.profile.ops[work.profile.index[t->consumers.at + c]].layer != work.profile.ops[t->producer].layer)
                    assert_int_equal(checkpoint.plan.action[work.profile.managed[m]], ACTION_KEEP);
        }
        work_free(&work);
    }
}

/* A host that holds nothing leaves recomputing; slackswap obeys it whenever recomputing alone would do. */
static void slackswap_obeys_the_host_limit(void **state) {
    struct random random = { 16 };
    uint32_t cases = 0;
    for (int i = 0; i < CASES_OF(400); i++) {
        struct work work;
        work_make(&work, &random, 24);
        const struct planner_result recompute = run(&work, planner_find("recompute"));
        work.task.host_memory_bytes = 0;
        const struct planner_result result = run(&work, planner_find("slackswap"));
        if (recompute.totals.feasible && recompute.totals.recompute_us > 0) {
            assert_true(result.totals.feasible);
            assert_int_equal(result.totals.host_peak_bytes, 0);
            cases++;
        }
        work_free(&work);
    }
    assert_true(cases > CASES_OF(20));
}

struct patience { uint32_t asked, left; };

static bool out_of_patience(void *context) {
    struct patience *patience = context;
    return patience->asked++ >= patience->left;
}

/* At whatever time it is told so. */
static void a_stopped_planner_still_gives_a_plan(void **state) {
    static const char *const names[] = { "slackswap", "slackswap-rule", "capuchin" };
    struct random random = { 17 };
    for (int i = 0; i < CASES_OF(300); i++) {
        struct work work;
        struct patience patience = { .left = i / 3 % 5 };
        work_make(&work, &random, 24);
        work.task.should_stop = out_of_patience;
        work.task.context = &patience;
        struct planner_result result;
        assert_int_equal(planner_run(planner_find(names[i % 3]), &work.task, work.simulator, &work.arena, &result, NULL), SS_OK);
        assert_true(result.totals.feasible && patience.asked > 0);
        if (patience.left == 0)
            assert_true(result.stopped && result.evaluations == 1);
        work_free(&work);
    }
}

struct watched { double last_us; uint32_t count; };

static void watch(void *context, const struct plan *plan, const struct sim_totals *totals) {
    struct watched *watched = context;
    assert_true(totals->feasible && totals->step_us < watched->last_us);
    watched->last_us = totals->step_us;
    watched->count++;
}

static void refine_only_ever_improves_on_slackswap(void **state) {
    struct random random = { 18 };
    uint32_t better = 0;
    for (int i = 0; i < CASES_OF(150); i++) {
        struct work work;
        struct watched watched = { INFINITY, 0 };
        struct planner_result result;
        work_make(&work, &random, 24);
        work.task.unit = i % 3 ? UNIT_TENSOR : UNIT_LAYER;
        work.task.evaluation_limit = 300;
        const struct planner_result first = run(&work, planner_find("slackswap"));
        work.task.improved = watch;
        work.task.context = &watched;
        assert_int_equal(planner_run(planner_find("refine"), &work.task, work.simulator, &work.arena, &result, NULL), SS_OK);
        assert_true(result.totals.feasible && result.totals.step_us <= first.totals.step_us);
        assert_true(watched.count > 0 && watched.last_us == result.totals.step_us);
        assert_true(work.task.unit == UNIT_TENSOR || unit_alike(&work, &result.plan));
        better += result.totals.step_us < first.totals.step_us;
        work_free(&work);
    }
    assert_true(better > CASES_OF(10));
}

/* Two uniform chains of the literature at half of their memory, no latency (Beaumont et al. 2021 plan the same ones). */
struct chain { const char *name; double forward_us, mib, inner_mib, rate_mib_per_ms, at_most_ms; };

static void refine_matches_published_solvers_on_uniform_chains(void **state) {
    static const struct chain CHAINS[] = {
        { "mid", 1000, 1, 4, 1, 79.0 },          { "mid", 1000, 1, 4, 2, 73.0 },
        { "mid", 1000, 1, 4, 4, 72.0 },          { "bertlike", 1500, 16, 272, 24, 121.9 },
        { "bertlike", 1500, 16, 272, 48, 117.7 }, { "bertlike", 1500, 16, 272, 96, 108.84 },
    };
    const double mib = 1048576;
    for (size_t c = 0; c < sizeof CHAINS / sizeof *CHAINS; c++) {
        const struct chain *chain = &CHAINS[c];
        struct work work = { .arena = { 0 } };
        struct layer_spec layer = { .name = "input", .output_bytes = (uint64_t)(chain->mib * mib) };
        assert_int_equal(profile_begin(&work.profile, &work.arena, NULL), SS_OK);
        assert_int_equal(profile_add_layer(&work.profile, &layer, NULL), SS_OK);
        for (int i = 0; i < CASES_OF(24); i++) {
            layer = (struct layer_spec){ .name = arena_printf(&work.arena, "layer%d", i),
                                         .forward_us = chain->forward_us, .backward_us = 2 * chain->forward_us,
                                         .activation_bytes = (uint64_t)((chain->inner_mib - chain->mib) * mib),
                                         .output_bytes = (uint64_t)(chain->mib * mib) };
            assert_int_equal(profile_add_layer(&work.profile, &layer, NULL), SS_OK);
        }
        assert_int_equal(profile_finish(&work.profile, NULL, NULL), SS_OK);
        const double rate = chain->rate_mib_per_ms * mib / 1e6; /* GB/s */
        work.task = (struct plan_task){
            .profile = &work.profile, .host_memory_bytes = BYTES_UNLIMITED, .seed = 1, .evaluation_limit = 6000,
            .link = { "chain", rate, rate, rate, rate, 0 },
            .budget_bytes = (uint64_t)((3 * chain->mib + 24 * chain->inner_mib) * mib / 2) };
        work.simulator = simulator_new(&work.profile, NULL);
        assert_non_null(work.simulator);
        const struct planner_result result = run(&work, planner_find("refine"));
        assert_true(result.totals.feasible);
        if (result.totals.step_us > chain->at_most_ms * 1e3)
            fail_msg("%s at %g MiB/ms: %.3f ms, at most %g expected", chain->name, chain->rate_mib_per_ms,
                     result.totals.step_us / 1e3, chain->at_most_ms);
        work_free(&work);
    }
}

static void keep_keeps_and_tells_the_truth(void **state) {
    struct random random = { 13 };
    for (int i = 0; i < CASES_OF(200); i++) {
        struct work work;
        work_make(&work, &random, 16);
        const struct planner_result result = run(&work, planner_find("keep"));
        const struct plan_mix mix = plan_mix(&work.profile, &result.plan);
        assert_int_equal(mix.count[ACTION_OFFLOAD] + mix.count[ACTION_RECOMPUTE], 0);
        assert_int_equal(result.totals.feasible, work.task.budget_bytes >= work.limits.unlimited_peak_bytes);
        assert_int_equal(result.totals.required_bytes, work.limits.unlimited_peak_bytes);
        work_free(&work);
    }
}

/* Given the evaluations that all of them take, refine is behind none of the planners that build a plan. */
static void refine_is_never_behind_another_planner(void **state) {
    struct random random = { 17 };
    for (int i = 0; i < CASES_OF(200); i++) {
        struct work work;
        work_make(&work, &random, 24);
        work.task.unit = i % 2 ? UNIT_LAYER : UNIT_TENSOR;
        work.task.evaluation_limit = 400;
        const struct planner_result refined = run(&work, planner_find("refine"));
        for (uint32_t p = 0; p < PLANNER_COUNT; p++) {
            if (strcmp(PLANNERS[p].name, "optimal") == 0)
                continue;
            const struct planner_result other = run(&work, &PLANNERS[p]);
            if (totals_fit(&other.totals, &work.task) && other.totals.step_us < refined.totals.step_us * (1 - 1e-12))
                fail_msg("%s takes %.6f us, refine %.6f", PLANNERS[p].name, other.totals.step_us, refined.totals.step_us);
        }
        work_free(&work);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_planner_gives_a_valid_plan_and_none_beats_the_bound),
        cmocka_unit_test(offload_fits_whenever_anything_can),
        cmocka_unit_test(slackswap_fits_whenever_anything_can),
        cmocka_unit_test(recompute_and_checkpoint_leave_the_link_alone),
        cmocka_unit_test(slackswap_obeys_the_host_limit),
        cmocka_unit_test(a_stopped_planner_still_gives_a_plan),
        cmocka_unit_test(refine_only_ever_improves_on_slackswap),
        cmocka_unit_test(refine_matches_published_solvers_on_uniform_chains),
        cmocka_unit_test(keep_keeps_and_tells_the_truth),
        cmocka_unit_test(refine_is_never_behind_another_planner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
