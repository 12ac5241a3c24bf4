/* What re-running ops costs at least (closure.h), held against schedules of random plans. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/closure.h"
#include "core/schedule.h"
#include "tests/random_profile.h"

static void shares_never_exceed_what_a_chain_costs(void **state) {
    struct random random = { 31 };
    uint32_t chains = 0, met = 0, shared = 0;
    for (int i = 0; i < 20000; i++) {
        const struct random_shape shape = { .most_ops = 4 + random_below(&random, 20), .whole_times = true,
                                            .chain_only = random_chance(&random, 10),
                                            .free_choice = random_chance(&random, 80) };
        struct arena arena = { 0 };
        struct profile profile;
        struct closure closure;
        struct plan plan;
        const struct schedule *schedule;
        random_profile(&random, &shape, &arena, &profile);
        struct schedule_builder *builder = schedule_builder_new(&profile, NULL);
        assert_non_null(builder);
        assert_int_equal(closure_compute(&closure, &arena, &profile, NULL), SS_OK);
        assert_int_equal(plan_init(&plan, &arena, &profile, NULL), SS_OK);
        const uint32_t percent = 20 + random_below(&random, 81);
        bool *again = ARENA_ARRAY(&arena, bool, profile.op_count);
        for (uint32_t m = 0; m < profile.managed_count; m++) {
            const uint32_t t = profile.managed[m];
            if (!closure_allows(&closure, &profile, t) || !random_chance(&random, percent))
                continue;
            plan.action[t] = ACTION_RECOMPUTE;
            again[profile.tensors[t].producer] = true;
        }
        assert_int_equal(schedule_build(builder, &plan, &schedule, NULL), SS_OK);
        for (uint32_t op = 0; op < profile.op_count; op++) {
            assert_true(closure.share_us[op] >= -1e-9 && closure.share_us[op] <= closure.full_us[op] + 1e-9);
            shared += again[op] && closure.share_us[op] != closure.full_us[op];
        }
        double shares = 0, taken = 0; /* of one chain */
        for (uint32_t k = schedule->forward_count; k < schedule->step_count; k++) {
            const uint32_t op = schedule->op[k];
            if (schedule->kind[k] == STEP_RECOMPUTE) {
                taken += schedule->duration_us[k];
                shares += again[op] ? closure.share_us[op] : 0;
                again[op] = false; /* whatever it runs again for later, that restored its tensors */
                continue;
            }
            if (shares > taken * (1 + 1e-9) + 1e-9)
                fail_msg("case %d: shares of %.9f us in a chain that takes %.9f us", i, shares, taken);
            chains += taken > 0;
            met += taken > 0 && shares > taken * (1 - 1e-9);
            shares = taken = 0;
        }
        schedule_builder_free(builder);
        arena_free(&arena);
    }
    assert_true(chains > 5000 && met > chains / 2 && shared > 1000);
    print_message("%u chains, %u of which take what the shares say\n", chains, met);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(shares_never_exceed_what_a_chain_costs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
