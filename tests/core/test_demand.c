/* Room that steps need while a planner makes up its mind, against the same counted step by step; and sorting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/demand.h"
#include "core/ranked.h"
#include "core/residency.h"
#include "tests/random_profile.h"

/* What each step needs, in plain numbers. */
struct plain { const struct profile *profile; int64_t need[200]; bool away[200]; };

static int64_t most(const struct plain *plain, uint32_t first, uint32_t end) {
    int64_t best = INT64_MIN;
    for (uint32_t k = first; k < end; k++)
        best = plain->need[k] > best ? plain->need[k] : best;
    return best;
}

static void reset(struct plain *plain, struct arena *arena, const struct profile *profile) {
    uint64_t *requirement;
    *plain = (struct plain){ .profile = profile };
    assert_int_equal(residency_compute(&requirement, arena, profile, false, NULL), SS_OK);
    for (uint32_t k = 0; k < 2 * profile->op_count; k++)
        plain->need[k] = (int64_t)requirement[k];
}

static void take_away(struct plain *plain, uint32_t tensor) {
    const struct tensor *t = &plain->profile->tensors[tensor];
    for (uint32_t k = t->last_forward + 1; k < residency_first_use(plain->profile, t); k++)
        plain->need[k] -= (int64_t)t->bytes;
    plain->away[tensor] = true;
}

static void check(struct demand *demand, const struct plain *plain, struct random *random) {
    const struct profile *profile = plain->profile;
    const uint32_t steps = 2 * profile->op_count;
    const int64_t peak = most(plain, 0, steps), target = peak - 2 + (int64_t)random_below(random, 4);
    const uint32_t tensor = profile->managed[random_below(random, profile->managed_count)];
    const struct tensor *t = &profile->tensors[tensor];
    switch (random_below(random, 5)) {
    case 0:
        assert_true(demand_exceeds(demand, target) == (peak > target));
        assert_true(peak <= target || plain->need[demand->watched] > target);
        assert_true(demand->watched_bytes == plain->need[demand->watched]);
        break;
    case 1:
        assert_true(demand_peak(demand) == peak);
        break;
    case 2: {
        const uint32_t step = demand_peak_step(demand);
        assert_true(plain->need[step] == peak && (step == 0 || most(plain, 0, step) < peak));
        break;
    }
    case 3:
        assert_true(demand_without(demand, tensor) ==
                    most(plain, t->last_forward + 1, residency_first_use(profile, t)));
        break;
    default: { /* nothing is asked: changes wait */
        const uint32_t step = random_below(random, steps);
        assert_true(demand_away_at(demand, tensor, step) ==
                    (t->last_forward < step && step < residency_first_use(profile, t)));
    }
    }
}

static void demand_is_what_counting_step_by_step_gives(void **state) {
    struct random random = { 41 };
    for (int i = 0; i < 600; i++) {
        struct arena arena = { 0 };
        struct profile profile;
        struct demand demand;
        struct plain plain;
        const struct random_shape shape = { .most_ops = 1 + random_below(&random, 40) };
        random_profile(&random, &shape, &arena, &profile);
        assert_true(profile.tensor_count < 200 && profile.op_count < 100);
        assert_int_equal(demand_init(&demand, &arena, &profile, NULL), SS_OK);
        for (int round = 0; round < 3 && profile.managed_count > 0; round++) {
            reset(&plain, &arena, &profile);
            demand_reset(&demand);
            for (uint32_t k = 0; k < 2 * profile.managed_count; k++) {
                const uint32_t tensor = profile.managed[random_below(&random, profile.managed_count)];
                if (!plain.away[tensor]) {
                    take_away(&plain, tensor);
                    demand_take_away(&demand, tensor);
                }
                check(&demand, &plain, &random);
            }
        }
        arena_free(&arena);
    }
}

static void sorting_puts_keys_in_order_and_ties_by_number(void **state) {
    struct random random = { 42 };
    for (uint32_t count = 0; count < 300; count++) {
        struct ranked array[300], other[300];
        uint64_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            array[i] = (struct ranked){ random_below(&random, 20), random_below(&random, 50), i };
            sum += (uint64_t)i * i;
        }
        const struct ranked *sorted = ranked_sort(array, other, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(i == 0 || sorted[i - 1].key < sorted[i].key ||
                        (sorted[i - 1].key == sorted[i].key && sorted[i - 1].tie <= sorted[i].tie));
            sum -= (uint64_t)sorted[i].what * sorted[i].what;
        }
        assert_int_equal(sum, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demand_is_what_counting_step_by_step_gives),
        cmocka_unit_test(sorting_puts_keys_in_order_and_ties_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
