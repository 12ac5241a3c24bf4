/* What the bound takes for granted of re-runs (bound.c, item 7), held against schedules of random plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/bound_windows.h"
#include "core/schedule.h"
#include "tests/random_profile.h"

/* A plan, and when each op first restores a leaver of its own: at a step of the schedule, for the B step of the one that
 * keeps everything. NONE: never. */
struct replay {
    const struct profile *profile;
    const struct windows *windows;
    const uint32_t *tensor;         /* leaver -> tensor */
    struct plan plan;
    const struct schedule *schedule;
    uint32_t *at, *before;
};

static uint32_t *list_tensors(const struct profile *profile, struct arena *arena) {
    uint32_t *tensors = ARENA_ARRAY(arena, uint32_t, profile->tensor_count), count = 0;
    assert_non_null(tensors);
    for (uint32_t i = 0; i < profile->op_count; i++) {
        for (uint32_t o = 0; o < profile->ops[i].outputs.count; o++) {
            const uint32_t t = profile->index[profile->ops[i].outputs.at + o];
            if (profile->tensors[t].managed && !profile->tensors[t].keep && profile->tensors[t].bytes > 0)
                tensors[count++] = t;
        }
    }
    return tensors;
}

static void choose(struct replay *r, struct random *random, const struct closure *closure) {
    const uint32_t keep = random_below(random, 50), offload = random_below(random, 60);
    for (uint32_t m = 0; m < r->profile->managed_count; m++) {
        const uint32_t t = r->profile->managed[m];
        if (r->profile->tensors[t].keep || random_chance(random, keep))
            continue;
        const bool drop = closure_allows(closure, r->profile, t) && !random_chance(random, offload);
        r->plan.action[t] = drop ? ACTION_RECOMPUTE : ACTION_OFFLOAD;
    }
}

static void find_reruns(struct replay *r) {
    const uint32_t n = r->profile->op_count;
    for (uint32_t op = 0; op < n; op++)
        r->at[op] = NONE;
    for (uint32_t l = 0; l < r->windows->leaver_count; l++) {
        const uint32_t t = r->tensor[l], op = r->windows->leaver[l].op, step = r->schedule->first_use[t];
        if (r->plan.action[t] == ACTION_RECOMPUTE && step != NONE && (r->at[op] == NONE || step < r->at[op]))
            r->at[op] = step;
    }
    for (uint32_t op = 0; op < n; op++) {
        uint32_t step = r->at[op];
        while (step != NONE && r->schedule->kind[step] == STEP_RECOMPUTE)
            step++;
        r->before[op] = step == NONE ? NONE : 2 * n - 1 - r->schedule->op[step];
    }
}

/* Does an op that runs again before the same B read what OP restores? */
static bool is_called(const struct replay *r, uint32_t op) {
    const struct windows *w = r->windows;
    for (uint32_t reader = op + 1; reader < r->profile->op_count; reader++)
        for (uint32_t i = w->read_at[reader]; i < w->read_at[reader + 1] && r->before[reader] == r->before[op]; i++)
            if (w->leaver[w->read[i]].op == op)
                return true;
    return false;
}

/* What OP's closure reads is there when it runs again, wherever it was. */
static bool finds_what_it_reads(const struct replay *r, uint32_t op) {
    const struct windows *w = r->windows;
    for (uint32_t i = w->read_at[op]; i < w->read_at[op + 1]; i++) {
        const uint32_t t = r->tensor[w->read[i]];
        if (r->plan.action[t] != ACTION_KEEP && r->schedule->first_use[t] > r->at[op])
            return false;
    }
    return true;
}

struct tally { uint32_t again, early; };

static void replay(struct random *random, const struct profile *profile, const struct windows *windows,
                   const struct closure *closure, struct arena *arena, struct tally *tally) {
    struct schedule_builder *builder = schedule_builder_new(profile, NULL);
    struct replay r = { .profile = profile, .windows = windows, .tensor = list_tensors(profile, arena),
                        .at = ARENA_ARRAY(arena, uint32_t, profile->op_count),
                        .before = ARENA_ARRAY(arena, uint32_t, profile->op_count) };
    assert_true(builder && r.at && r.before);
    assert_int_equal(plan_init(&r.plan, arena, profile, NULL), SS_OK);
    choose(&r, random, closure);
    assert_int_equal(schedule_build(builder, &r.plan, &r.schedule, NULL), SS_OK);
    find_reruns(&r);
    for (uint32_t op = 0; op < profile->op_count; op++) {
        if (r.at[op] == NONE)
            continue;
        const bool early = r.before[op] < windows->natural[op];
        if (early && !is_called(&r, op))
            fail_msg("%s runs again early, for nobody", profile->ops[op].name);
        if (!finds_what_it_reads(&r, op))
            fail_msg("%s runs again before what it reads is back", profile->ops[op].name);
        tally->again++;
        tally->early += early;
    }
    schedule_builder_free(builder);
}

static void re_runs_are_as_the_bound_has_them(void **state) {
    struct random random = { 17 };
    struct tally tally = { 0, 0 };
    for (int i = 0; i < CASES_OF(6000); i++) {
        const struct random_shape shape = { .most_ops = 4 + random_below(&random, 24),
                                            .chain_only = random_chance(&random, 10),
                                            .free_choice = random_chance(&random, 80) };
        struct arena arena = { 0 };
        struct profile profile;
        struct closure closure;
        struct windows windows;
        random_profile(&random, &shape, &arena, &profile);
        uint64_t *requirement = ARENA_ARRAY(&arena, uint64_t, 2 * (size_t)profile.op_count);
        double *single_us = ARENA_ARRAY(&arena, double, 2 * (size_t)profile.op_count); /* no step is looked at */
        assert_true(requirement && single_us);
        assert_int_equal(closure_compute(&closure, &arena, &profile, NULL), SS_OK);
        assert_int_equal(windows_build(&windows, &arena, &profile, &profile.link, &closure,
                                       &(struct tightness){ requirement, 0, single_us }, 100, NULL), SS_OK);
        for (int p = 0; p < 4 && !windows.reads_cut; p++)
            replay(&random, &profile, &windows, &closure, &arena, &tally);
        arena_free(&arena);
    }
    assert_true(tally.early > tally.again / 20 && tally.again > 5000);
    print_message("%u re-runs, %u of them early\n", tally.again, tally.early);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(re_runs_are_as_the_bound_has_them) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
