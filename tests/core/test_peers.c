/* The planners of the literature, and the one that proves its plan the best. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/bound.h"
#include "core/planner.h"
#include "core/zoo.h"
#include "tests/random_profile.h"

#define MOST_FREE 7

struct work {
    struct arena arena;
    struct profile profile;
    struct plan_task task;
    struct simulator *simulator;
};

static void work_begin(struct work *work, uint64_t budget, const struct link *link) {
    work->task = (struct plan_task){ .profile = &work->profile, .link = *link, .budget_bytes = budget,
                                     .host_memory_bytes = BYTES_UNLIMITED };
    work->simulator = simulator_new(&work->profile, NULL);
    assert_non_null(work->simulator);
}

static void random_work(struct work *work, struct random *random, uint32_t most_ops) {
    const struct random_shape shape = { .most_ops = 1 + random_below(random, most_ops),
                                        .whole_times = random_chance(random, 30),
                                        .chain_only = random_chance(random, 30) };
    struct limits limits;
    struct link link;
    *work = (struct work){ .arena = { 0 } };
    random_profile(random, &shape, &work->arena, &work->profile);
    assert_int_equal(limits_compute(&work->profile, &limits, NULL), SS_OK);
    const struct link_options options = random_link_options(random, &work->profile);
    assert_int_equal(link_resolve(&work->profile.link, &options, &link, NULL), SS_OK);
    const uint64_t spread = limits.unlimited_peak_bytes - limits.least_bytes;
    work_begin(work, limits.least_bytes + spread * random_below(random, 101) / 100, &link);
}

static void model_work(struct work *work, const char *name, enum attention attention) {
    struct limits limits;
    *work = (struct work){ .arena = { 0 } };
    const struct model_options options = { .attention = attention };
    assert_int_equal(model_build(model_find(name), &options, &work->arena, &work->profile, NULL), SS_OK);
    assert_int_equal(limits_compute(&work->profile, &limits, NULL), SS_OK);
    work_begin(work, limits.unlimited_peak_bytes / 2, &work->profile.link);
}

static void work_end(struct work *work) {
    simulator_free(work->simulator);
    arena_free(&work->arena);
}

static struct planner_result run(struct work *work, const char *name) {
    struct planner_result result;
    struct error error;
    if (planner_run(planner_find(name), &work->task, work->simulator, &work->arena, &result, &error) != SS_OK)
        fail_msg("%s: %s", name, error.text);
    return result;
}

/* The fastest of all 3^n plans; INFINITY when none fits. */
static double exhaustive_optimum(struct work *work, const uint32_t *free_tensors, uint32_t count) {
    struct plan plan;
    struct sim_totals totals;
    double best = INFINITY;
    uint32_t plans = 1;
    assert_int_equal(plan_init(&plan, &work->arena, &work->profile, NULL), SS_OK);
    for (uint32_t i = 0; i < count; i++)
        plans *= ACTION_COUNT;
    for (uint32_t n = 0; n < plans; n++) {
        for (uint32_t i = 0, rest = n; i < count; i++, rest /= ACTION_COUNT)
            plan.action[free_tensors[i]] = (uint8_t)(rest % ACTION_COUNT);
        if (sim_evaluate(work->simulator, &plan, &work->task.link, work->task.budget_bytes, &totals, NULL) == SS_OK &&
            totals.feasible)
            best = fmin(best, totals.step_us);
    }
    return best;
}

static void optimal_finds_what_exhaustive_search_finds(void **state) {
    struct random random = { 21 };
    uint32_t compared = 0;
    while (compared < 150) {
        struct work work;
        uint32_t free_tensors[MOST_FREE], count = 0;
        random_work(&work, &random, 8);
        for (uint32_t m = 0; m < work.profile.managed_count; m++)
            if (!work.profile.tensors[work.profile.managed[m]].keep && count++ < MOST_FREE)
                free_tensors[count - 1] = work.profile.managed[m];
        if (count > 2 && count <= MOST_FREE) {
            const double best = exhaustive_optimum(&work, free_tensors, count);
            const struct planner_result result = run(&work, "optimal");
            assert_true(result.proved);
            assert_true(result.totals.feasible);
            assert_true(fabs(result.totals.step_us - best) <= 1e-9 * best);
            compared++;
        }
        work_end(&work);
    }
}

static void optimal_says_when_it_was_not_given_the_time(void **state) {
    struct work work;
    model_work(&work, "bert-large", ATTENTION_FLASH);
    work.task.evaluation_limit = 50;
    const struct planner_result optimal = run(&work, "optimal");
    assert_false(optimal.proved);
    assert_true(optimal.evaluations <= 50);
    assert_true(optimal.totals.step_us <= run(&work, "slackswap").totals.step_us);
    work_end(&work);
}

static void optimal_proves_the_ideal_at_once(void **state) {
    struct work work;
    model_work(&work, "gpt2-xl", ATTENTION_FLASH);
    work.task.budget_bytes = BYTES_UNLIMITED;
    const struct planner_result optimal = run(&work, "optimal");
    assert_true(optimal.proved);
    assert_true(fabs(optimal.totals.step_us - work.profile.ideal_us) <= 1e-9 * work.profile.ideal_us);
    work_end(&work);
}

static void sqrt_keeps_about_a_square_root_and_leaves_the_link_alone(void **state) {
    struct work work;
    model_work(&work, "gpt2-xl", ATTENTION_FLASH);
    const struct planner_result result = run(&work, "sqrt");
    const struct plan_mix mix = plan_mix(&work.profile, &result.plan);
    assert_true(result.totals.feasible);
    assert_int_equal(mix.count[ACTION_OFFLOAD], 0);
    assert_in_range(mix.count[ACTION_KEEP], 1, 4 * 7 + 1);
    work_end(&work);
}

static void offload_first_n_offloads_whole_layers_and_no_more_than_needed(void **state) {
    struct work work;
    model_work(&work, "bert-large", ATTENTION_FLASH);
    struct planner_result result = run(&work, "offload-first-n");
    const struct profile *p = &work.profile;
    uint32_t layers = 0;
    for (uint32_t m = 0; m < p->managed_count; m++)
        if (result.plan.action[p->managed[m]] == ACTION_OFFLOAD)
            layers = p->ops[p->tensors[p->managed[m]].producer].layer + 1;
    assert_in_range(layers, 2, p->layer_count - 1);
    for (uint32_t m = 0; m < p->managed_count; m++) {
        const uint32_t layer = p->ops[p->tensors[p->managed[m]].producer].layer;
        assert_int_equal(result.plan.action[p->managed[m]], layer < layers ? ACTION_OFFLOAD : ACTION_KEEP);
        if (layer == layers - 1)
            result.plan.action[p->managed[m]] = ACTION_KEEP;
    }
    struct sim_totals totals;
    assert_true(result.totals.feasible);
    assert_int_equal(sim_evaluate(work.simulator, &result.plan, &work.task.link, work.task.budget_bytes, &totals, NULL),
                     SS_OK);
    assert_false(totals.feasible);
    work_end(&work);
}

static void selective_reruns_scores_and_probabilities_only(void **state) {
    struct work work;
    model_work(&work, "gpt2-xl", ATTENTION_EAGER);
    const struct planner_result result = run(&work, "selective");
    const struct profile *p = &work.profile;
    for (uint32_t m = 0; m < p->managed_count; m++) {
        const char *local = strrchr(p->tensors[p->managed[m]].name, '.') + 1;
        const bool inside = strcmp(local, "probs") == 0 || strcmp(local, "scores") == 0 ||
            strcmp(local, "attn_mask") == 0 || strcmp(local, "attn_drop") == 0;
        assert_int_equal(result.plan.action[p->managed[m]], inside ? ACTION_RECOMPUTE : ACTION_KEEP);
    }
    work_end(&work);
    model_work(&work, "gpt2-xl", ATTENTION_FLASH);
    const struct planner_result fused = run(&work, "selective");
    assert_int_equal(plan_mix(&work.profile, &fused.plan).count[ACTION_RECOMPUTE], 0);
    work_end(&work);
}

static void capuchin_fits_the_models_and_obeys_the_host_limit(void **state) {
    static const char *const NAMES[] = { "bert-large", "gpt2-xl", "llama-7b" };
    for (int i = 0; i < 3; i++) {
        struct work work;
        model_work(&work, NAMES[i], ATTENTION_FLASH);
        const struct planner_result free_host = run(&work, "capuchin");
        assert_true(free_host.totals.feasible);
        assert_true(free_host.totals.host_peak_bytes > 0);
        work.task.host_memory_bytes = free_host.totals.host_peak_bytes / 2;
        const struct planner_result tight = run(&work, "capuchin");
        assert_true(tight.totals.feasible);
        assert_true(tight.totals.host_peak_bytes <= work.task.host_memory_bytes);
        work_end(&work);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_finds_what_exhaustive_search_finds),
        cmocka_unit_test(optimal_says_when_it_was_not_given_the_time),
        cmocka_unit_test(optimal_proves_the_ideal_at_once),
        cmocka_unit_test(sqrt_keeps_about_a_square_root_and_leaves_the_link_alone),
        cmocka_unit_test(offload_first_n_offloads_whole_layers_and_no_more_than_needed),
        cmocka_unit_test(selective_reruns_scores_and_probabilities_only),
        cmocka_unit_test(capuchin_fits_the_models_and_obeys_the_host_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
