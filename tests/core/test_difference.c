/* Two outcomes side by side, on random work: changes are found, time adds up, memory is that of the two timelines. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/difference.h"
#include "tests/random_profile.h"

#define ROUNDS CASES_OF(300)

struct pair {
    struct arena arena;
    struct profile profile;
    struct plan plan[2];
    struct outcome outcome[2];
    struct difference difference;
};

static void compute(struct pair *pair, struct random *random, int side, const struct link_options *link) {
    struct error error;
    const struct outcome_request request = {
        .profile = &pair->profile, .plan = &pair->plan[side], .link = *link, .host_memory_bytes = BYTES_UNLIMITED,
        .budget = { .kind = BUDGET_SHARE, .share = 0.5 + random_below(random, 100) / 100.0 },
    };
    assert_int_equal(outcome_compute(&request, &pair->arena, &pair->outcome[side], &error), SS_OK);
}

static void make(struct pair *pair, struct random *random) {
    const struct random_shape shape = { .most_ops = 14, .whole_times = random_chance(random, 50),
                                        .free_choice = true };
    struct error error;
    *pair = (struct pair){ .arena = { 0 } };
    random_profile(random, &shape, &pair->arena, &pair->profile);
    for (int side = 0; side < 2; side++) {
        const struct link_options link = random_link_options(random, &pair->profile);
        random_plan(random, &pair->profile, &pair->arena, &pair->plan[side]);
        if (side == 1 && random_chance(random, 20))
            pair->plan[1] = pair->plan[0];
        compute(pair, random, side, &link);
    }
    if (difference_compute(&pair->difference, &pair->arena, &pair->outcome[0], &pair->outcome[1], &error) != SS_OK)
        fail_msg("%s", error.text);
}

static bool differs(const struct pair *pair, uint32_t tensor) {
    const struct plan *a = &pair->plan[0], *b = &pair->plan[1];
    return a->action[tensor] != b->action[tensor] ||
           (a->action[tensor] == ACTION_OFFLOAD && plan_prefetch(a, tensor) != plan_prefetch(b, tensor));
}

static void each_tensor_that_differs_is_listed_once_in_its_layer(void **state) {
    (void)state;
    struct random random = { 11 };
    for (int round = 0; round < ROUNDS; round++) {
        struct pair pair;
        make(&pair, &random);
        const struct difference *d = &pair.difference;
        uint32_t expected = 0, listed = 0;
        for (uint32_t i = 0; i < pair.profile.managed_count; i++)
            expected += differs(&pair, pair.profile.managed[i]);
        for (uint32_t l = 0; l < d->layer_count; l++) {
            assert_int_equal(d->layers[l].at, listed);
            assert_true(d->layers[l].count > 0);
            listed += d->layers[l].count;
            for (uint32_t i = d->layers[l].at; i < listed; i++) {
                const struct tensor *tensor = &pair.profile.tensors[d->changes[i].tensor];
                assert_int_equal(pair.profile.ops[tensor->producer].layer, d->layers[l].layer);
                assert_true(differs(&pair, d->changes[i].tensor));
            }
        }
        assert_int_equal(d->change_count, expected);
        assert_int_equal(listed, expected);
        assert_int_equal(difference_found(d), expected > 0);
        arena_free(&pair.arena);
    }
}

static void recompute_and_stalls_account_for_the_change_of_the_step(void **state) {
    (void)state;
    struct random random = { 12 };
    uint32_t timed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct pair pair;
        make(&pair, &random);
        const struct difference *d = &pair.difference;
        if (d->timed) {
            double causes = d->figure[DIFFERENCE_RECOMPUTE][1] - d->figure[DIFFERENCE_RECOMPUTE][0], layers = 0;
            for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
                causes += d->stall_us[reason][1] - d->stall_us[reason][0];
            for (uint32_t l = 0; l < d->time_count; l++)
                layers += layer_time_change(&d->times[l]);
            const double step = d->figure[DIFFERENCE_STEP][1] - d->figure[DIFFERENCE_STEP][0];
            assert_true(fabs(causes - step) <= 1e-4 + 1e-9 * d->figure[DIFFERENCE_STEP][0]);
            assert_true(fabs(layers - step) <= 1e-4 + 1e-9 * d->figure[DIFFERENCE_STEP][0]);
            timed++;
        }
        assert_int_equal(d->timed, !isnan(d->figure[DIFFERENCE_STEP][0]) && !isnan(d->figure[DIFFERENCE_STEP][1]));
        arena_free(&pair.arena);
    }
    assert_true(timed > ROUNDS / 5);
}

static uint64_t used_at(const struct outcome *outcome, double at_us) {
    const struct timeline *timeline = &outcome->timeline;
    return at_us >= timeline->end_us ? 0 : memory_used(&timeline->memory[timeline_memory_at(timeline, at_us)]);
}

static void memory_is_that_of_both_timelines_at_each_time(void **state) {
    (void)state;
    struct random random = { 13 };
    for (int round = 0; round < ROUNDS; round++) {
        struct pair pair;
        make(&pair, &random);
        const struct difference *d = &pair.difference;
        int64_t most = INT64_MIN, least = INT64_MAX;
        for (uint32_t i = 0; i < d->memory_count; i++) {
            for (int side = 0; side < 2; side++)
                assert_int_equal(d->memory[i].used[side], used_at(&pair.outcome[side], d->memory[i].at_us));
            assert_true(i == 0 || d->memory[i].at_us > d->memory[i - 1].at_us);
            most = memory_change(&d->memory[i]) > most ? memory_change(&d->memory[i]) : most;
            least = memory_change(&d->memory[i]) < least ? memory_change(&d->memory[i]) : least;
        }
        if (d->memory_count > 0) {
            assert_int_equal(memory_change(&d->memory[d->most]), most);
            assert_int_equal(memory_change(&d->memory[d->least]), least);
        }
        assert_int_equal(d->memory_count > 0, d->timed);
        arena_free(&pair.arena);
    }
}

static void a_slice_has_the_largest_difference_that_holds_within_it(void **state) {
    (void)state;
    struct memory_pair memory[] = { { 0, { 0, 5 } }, { 10, { 0, 1 } }, { 20, { 9, 0 } }, { 30, { 0, 0 } } };
    const struct difference d = { .memory = memory, .memory_count = 4 };
    uint32_t spot = 0;
    assert_ptr_equal(difference_memory(&d, 0, 5, &spot), &memory[0]);
    assert_ptr_equal(difference_memory(&d, 5, 10, &spot), &memory[0]); /* what began at 0 still holds */
    assert_ptr_equal(difference_memory(&d, 10, 20, &spot), &memory[1]);
    assert_ptr_equal(difference_memory(&d, 15, 25, &spot), &memory[2]);
    assert_ptr_equal(difference_memory(&d, 30, 40, &spot), &memory[3]);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tensor_that_differs_is_listed_once_in_its_layer),
        cmocka_unit_test(recompute_and_stalls_account_for_the_change_of_the_step),
        cmocka_unit_test(memory_is_that_of_both_timelines_at_each_time),
        cmocka_unit_test(a_slice_has_the_largest_difference_that_holds_within_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
