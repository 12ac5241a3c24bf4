/* Planners of chains (rotor, pofo): their dynamic programs against exhaustive search in their own models, what they find
 * on chains of the literature, and the plans made of that. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/bound.h"
#include "core/planner.h"
#include "core/pofo_table.h"
#include "core/zoo.h"
#include "tests/random_profile.h"

static const struct patience ENDLESS = { NULL, NULL };
static const double MIB = 1048576;

/* ---- every schedule of a small chain, one after the other ---------------------------------------------------------- */

#define MOST_CHOICES 64

/* A walk through a tree of choices: the same walk again and again, each time with another choice at the last fork that
 * has one left. */
struct walk { uint32_t at, length, taken[MOST_CHOICES], options[MOST_CHOICES]; };

static uint32_t choose(struct walk *walk, uint32_t options) {
    if (walk->at == walk->length) {
        assert_true(walk->length < MOST_CHOICES);
        walk->taken[walk->length] = 0;
        walk->options[walk->length++] = options;
    }
    return walk->taken[walk->at++];
}

static bool next_walk(struct walk *walk) {
    walk->at = 0;
    while (walk->length > 0 && walk->taken[walk->length - 1] + 1 == walk->options[walk->length - 1])
        walk->length--;
    if (walk->length == 0)
        return false;
    walk->taken[walk->length - 1]++;
    return true;
}

/* Plays a schedule of stages FIRST…LAST op by op: what it takes, and the most that it holds. */
struct played { double time; uint64_t held, most; };

static void holds(struct played *played, uint64_t bytes) {
    played->most = played->held + bytes > played->most ? played->held + bytes : played->most;
}

static void play(struct walk *walk, const struct chain *chain, uint32_t first, uint32_t last, struct played *played) {
    const struct stage *stage = chain->stage;
    const uint32_t checkpoint = first + choose(walk, last - first + 1);
    if (checkpoint == first) {
        holds(played, stage[last].gradient_bytes + stage[first].all_need_bytes);
        played->time += stage[first].rerun_us;
        if (first < last) {
            played->held += stage[first].saved_bytes;
            play(walk, chain, first + 1, last, played);
            played->held -= stage[first].saved_bytes;
        }
        holds(played, stage[first].backward_need_bytes);
        played->time += stage[first].backward_us;
        return;
    }
    for (uint32_t s = first; s < checkpoint; s++) {
        holds(played, stage[last].gradient_bytes + (s > first ? stage[s - 1].output_bytes : 0) + stage[s].none_need_bytes);
        played->time += stage[s].rerun_us;
    }
    played->held += stage[checkpoint - 1].output_bytes;
    play(walk, chain, checkpoint, last, played);
    played->held -= stage[checkpoint - 1].output_bytes;
    play(walk, chain, first, checkpoint - 1, played);
}

static double fastest_schedule(const struct chain *chain, uint64_t memory) {
    struct walk walk = { 0, 0, { 0 }, { 0 } };
    double best = INFINITY;
    do {
        struct played played = { 0, 0, 0 };
        play(&walk, chain, 0, chain->count - 1, &played);
        if (played.most <= memory)
            best = fmin(best, played.time);
    } while (next_walk(&walk));
    return best;
}

/* A chain of whole numbers, small enough that a slot is a byte. */
static void random_chain(struct random *random, struct stage *stage, uint32_t most, struct chain *chain) {
    *chain = (struct chain){ .stage = stage, .count = 1 + random_below(random, most) };
    for (uint32_t s = 0; s < chain->count; s++) {
        struct stage *now = &stage[s];
        *now = (struct stage){ .forward_us = random_below(random, 9), .backward_us = random_below(random, 9),
                               .rerun_us = random_below(random, 9), .output_bytes = random_below(random, 6),
                               .gradient_bytes = random_below(random, 6) };
        now->saved_bytes = now->output_bytes + random_below(random, 12);
        now->none_need_bytes = now->output_bytes + random_below(random, 6);
        now->all_need_bytes = now->saved_bytes + random_below(random, 4);
        now->backward_need_bytes = now->saved_bytes + now->gradient_bytes + random_below(random, 6);
        chain->first_us += now->forward_us - now->rerun_us;
    }
}

static void rotor_finds_what_exhaustive_search_finds(void **state) {
    struct random random = { 31 };
    uint32_t fit = 0, none = 0;
    for (int i = 0; i < 1500; i++) {
        struct stage stage[7];
        struct chain chain;
        struct arena arena = { 0 };
        struct rotor_table table;
        random_chain(&random, stage, 6, &chain);
        const uint64_t memory = random_below(&random, 15 * chain.count + 10);
        assert_int_equal(rotor_table_build(&table, &arena, &chain, memory, 500, &ENDLESS, NULL), SS_OK);
        const double found = rotor_table_time(&table, 0, chain.count - 1, table.slots);
        const double best = fastest_schedule(&chain, memory);
        if (found != best && !(fabs(found - best) < 1e-9))
            fail_msg("case %d: %g found, %g is the best", i, found, best);
        fit += best < INFINITY;
        none += !(best < INFINITY);
        arena_free(&arena);
    }
    assert_true(fit > 300 && none > 300);
}

/* ---- pofo: every decision, counted in whole slots as the published code does, or exactly -------------------------------- */

struct mirror { double kept, out, back, time; }; /* where both ends of time stand, see pofo_table.h */

static double count(enum pofo_counting counting, double slots) {
    return counting == POFO_AS_PUBLISHED ? ceil(slots - 1e-9) : slots;
}

static double fastest_pass(struct walk *walk, const struct rotor_table *rotor, double out_rate, double back_rate,
                           enum pofo_counting counting) {
    const struct chain *chain = rotor->chain;
    const struct stage *stage = chain->stage;
    struct mirror now = { 0, 0, 0, 0 };
    double input = 0, late_back = 0;
    uint32_t i = 0;
    while (i < chain->count) {
        const uint32_t end = i + choose(walk, chain->count - i + 1);
        const bool moves = input > 0 && choose(walk, 2) == 1;
        const double room = rotor->slots - now.kept - input;
        double late_out = 0, forward = 0, backward, next;
        if (room < 0)
            return INFINITY;
        if (end == i) { /* saving all */
            const double all = (double)stage[i].all_need_bytes, need = (double)stage[i].backward_need_bytes;
            if (all > room || need > room)
                return INFINITY;
            late_out = fmax(0, now.out - (room - all));
            late_back = fmax(0, now.back - (room - need));
            forward = stage[i].forward_us + late_out / out_rate;
            backward = stage[i].backward_us + late_back / back_rate;
            next = (double)stage[i++].saved_bytes;
        } else { /* stages i … end-1 saving nothing */
            const double again = rotor_table_time(rotor, i, end - 1, (uint32_t)room), transfer = now.back / back_rate;
            double elapsed = 0;
            for (uint32_t j = i; j < end; j++) {
                const double need = (double)(stage[j].none_need_bytes + (j > i ? stage[j - 1].output_bytes : 0));
                if (need > room)
                    return INFINITY;
                late_out = fmax(late_out, now.out - elapsed * out_rate - (room - need));
                elapsed += stage[j].forward_us;
            }
            forward = elapsed + late_out / out_rate;
            backward = ((again > transfer ? again : transfer) + again + transfer) / 2;
            next = (double)stage[end - 1].output_bytes;
            i = end;
        }
        if (!(backward < INFINITY))
            return INFINITY;
        now.time += forward + backward;
        now.out = count(counting, fmax(0, now.out + (moves ? input : 0) - forward * out_rate));
        now.back = count(counting, fmax(0, now.back - backward * back_rate) + (moves ? input : 0));
        now.kept += moves ? 0 : input;
        if (now.kept + now.out > rotor->slots || now.kept + now.back > rotor->slots)
            return INFINITY;
        input = next;
    }
    return now.kept + input > rotor->slots ? INFINITY : now.time + now.out / out_rate + now.back / back_rate;
}

/* INFINITY, too, where a slot is no byte. */
static double fastest_of_all(const struct rotor_table *rotor, const struct link *link, enum pofo_counting counting) {
    struct walk walk = { 0, 0, { 0 }, { 0 } };
    double best = INFINITY;
    do
        best = fmin(best, fastest_pass(&walk, rotor, link->d2h_gb_per_s * 1e3, link->h2d_gb_per_s * 1e3, counting));
    while (next_walk(&walk));
    return rotor->slot_bytes == 1 ? best : INFINITY;
}

static void pofo_finds_what_exhaustive_search_finds(void **state) {
    struct random random = { 32 };
    uint32_t fit = 0, better = 0;
    for (int i = 0; i < 1500; i++) {
        struct stage stage[6];
        struct chain chain;
        struct arena arena = { 0 };
        struct rotor_table rotor;
        struct pofo_table table, exact;
        random_chain(&random, stage, 5, &chain);
        const uint64_t memory = random_below(&random, 12 * chain.count + 8);
        const struct link link = { "", 1e-3 * (1 + random_below(&random, 4)), 0.5e-3 * (1 + random_below(&random, 4)), 1, 1, 0 };
        assert_int_equal(rotor_table_build(&rotor, &arena, &chain, memory, 60, &ENDLESS, NULL), SS_OK);
        assert_int_equal(pofo_table_build(&table, &arena, &rotor, &link, POFO_AS_PUBLISHED, &ENDLESS, NULL), SS_OK);
        assert_int_equal(pofo_table_build(&exact, &arena, &rotor, &link, POFO_EXACT, &ENDLESS, NULL), SS_OK);
        assert_true(exact.best_us <= table.best_us * (1 + 1e-9));
        const double best = fastest_of_all(&rotor, &link, POFO_AS_PUBLISHED);
        const double least = fastest_of_all(&rotor, &link, POFO_EXACT);
        assert_true(rotor.slot_bytes != 1 || exact.best_us >= least * (1 - 1e-9));
        if (rotor.slot_bytes == 1 && table.best_us != best && !(fabs(table.best_us - best) <= 1e-9 * best))
            fail_msg("case %d, %u stages in %u: %.17g found, %.17g is the best", i, chain.count, (unsigned)memory,
                     table.best_us, best);
        const double alone = chain.first_us + rotor_table_time(&rotor, 0, chain.count - 1, rotor.slots);
        assert_true(table.best_us <= alone * (1 + 1e-9));
        fit += best < INFINITY;
        better += best < alone * (1 - 1e-9);
        arena_free(&arena);
    }
    assert_true(fit > 300 && better > 100);
}

/* ---- a profile as a chain -------------------------------------------------------------------------------------------- */

static struct chain chain_of(const struct profile *profile, struct arena *arena, uint32_t most) {
    struct closure closure;
    struct chain chain;
    assert_int_equal(closure_compute(&closure, arena, profile, NULL), SS_OK);
    assert_int_equal(chain_build(&chain, arena, profile, &closure, most, NULL), SS_OK);
    return chain;
}

static void a_transformer_is_a_chain_of_its_layers(void **state) {
    struct arena arena = { 0 };
    struct profile profile;
    const struct model_options options = { 0 };
    assert_int_equal(model_build(model_find("gpt2-xl"), &options, &arena, &profile, NULL), SS_OK);
    const struct chain chain = chain_of(&profile, &arena, 128);
    uint64_t saved = 0, managed = 0;
    double time = profile.fixed_us;
    assert_int_equal(chain.count, profile.layer_count);
    for (uint32_t s = 0; s < chain.count; s++) {
        saved += chain.stage[s].saved_bytes;
        time += chain.stage[s].forward_us + chain.stage[s].backward_us;
    }
    for (uint32_t m = 0; m < profile.managed_count; m++)
        managed += profile.tensors[profile.managed[m]].bytes;
    assert_int_equal(saved, managed);
    assert_true(fabs(time - profile.ideal_us) <= 1e-9 * time);
    /* two equal layers in the middle: a stage each, with the residual stream as its only output */
    assert_int_equal(chain.stage[20].output_bytes, chain.stage[21].output_bytes);
    assert_int_equal(chain.stage[20].gradient_bytes, chain.stage[20].output_bytes);
    assert_true(chain.stage[20].output_bytes > 0 && chain.stage[20].output_bytes < chain.stage[20].saved_bytes / 8);
    assert_in_range(chain_of(&profile, &arena, 16).count, 8, 16);
    arena_free(&arena);
}

/* A short-form layer: f = forward, b = backward, "saved" beside the output. */
static void add_layer(struct profile *profile, const char *name, double forward, double backward, uint64_t saved,
                      uint64_t output) {
    const struct layer_spec layer = { .name = name, .forward_us = forward, .backward_us = backward,
                                      .activation_bytes = saved, .output_bytes = output };
    assert_int_equal(profile_add_layer(profile, &layer, NULL), SS_OK);
}

static void a_stage_needs_what_its_ops_hold(void **state) {
    struct arena arena = { 0 };
    struct profile profile;
    assert_int_equal(profile_begin(&profile, &arena, NULL), SS_OK);
    add_layer(&profile, "a", 1, 2, 30, 4);
    add_layer(&profile, "b", 3, 4, 50, 6);
    add_layer(&profile, "c", 5, 6, 70, 8);
    assert_int_equal(profile_finish(&profile, NULL, NULL), SS_OK);
    const struct chain chain = chain_of(&profile, &arena, 128);
    const struct stage *b = &chain.stage[1];
    assert_int_equal(chain.count, 3);
    assert_int_equal(b->output_bytes, 6);
    assert_int_equal(b->saved_bytes, 56);
    assert_int_equal(b->gradient_bytes, 6);
    assert_int_equal(b->none_need_bytes, 56);
    assert_int_equal(b->all_need_bytes, 56);
    assert_int_equal(b->backward_need_bytes, 50 + 6 + 4); /* its output is read by c's backward alone; both gradients */
    assert_int_equal(chain.stage[2].output_bytes, 0);
    arena_free(&arena);
}

/* ---- the planners ---------------------------------------------------------------------------------------------------- */

struct work {
    struct arena arena;
    struct profile profile;
    struct limits limits;
    struct plan_task task;
    struct simulator *simulator;
};

static void work_begin(struct work *work) {
    work->simulator = simulator_new(&work->profile, NULL);
    assert_non_null(work->simulator);
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

/* The chains of issue and paper: 24 equal layers behind an input, at half of P = x + 24 xbar + 2 x; no latency. */
static void uniform_chain(struct work *work, double forward_ms, uint64_t output_mib, uint64_t saved_mib, double mib_per_ms) {
    *work = (struct work){ .arena = { 0 } };
    assert_int_equal(profile_begin(&work->profile, &work->arena, NULL), SS_OK);
    add_layer(&work->profile, "input", 0, 0, 0, output_mib << 20);
    for (int i = 0; i < 24; i++)
        add_layer(&work->profile, arena_printf(&work->arena, "layer%d", i), forward_ms * 1e3, 2e3 * forward_ms,
                  (saved_mib - output_mib) << 20, output_mib << 20);
    assert_int_equal(profile_finish(&work->profile, NULL, NULL), SS_OK);
    const double rate = mib_per_ms * MIB / 1e6;
    work->task = (struct plan_task){ .profile = &work->profile, .link = { "", rate, rate, rate, rate, 0 },
                                     .budget_bytes = ((3 * output_mib + 24 * saved_mib) << 20) / 2,
                                     .host_memory_bytes = BYTES_UNLIMITED };
    work_begin(work);
}

/* What pofo's own code would promise for TASK, with its rounding. */
static double pofo_as_published(struct work *work) {
    struct rotor_table rotor;
    struct pofo_table table;
    const struct chain chain = chain_of(&work->profile, &work->arena, POFO_MOST_STAGES);
    assert_int_equal(rotor_table_build(&rotor, &work->arena, &chain, work->task.budget_bytes, POFO_SLOTS, &ENDLESS, NULL),
                     SS_OK);
    assert_int_equal(pofo_table_build(&table, &work->arena, &rotor, &work->task.link, POFO_AS_PUBLISHED, &ENDLESS, NULL),
                     SS_OK);
    return table.best_us / 1e3;
}

static void own_models_give_the_published_figures(void **state) {
    static const struct {
        double forward_ms;
        uint64_t output_mib, saved_mib;
        double mib_per_ms, rotor_ms, rounded_ms, pofo_ms;
    } CHAINS[] = {
        { 1, 1, 4, 1, 85, 82.495, 79 },           { 1, 1, 4, 2, 85, 77, 73 },         { 1, 1, 4, 4, 85, 72, 72 },
        { 1.5, 16, 272, 24, 127.5, 127.5, 123 },  { 1.5, 16, 272, 48, 127.5, 123, 118.5 },
        { 1.5, 16, 272, 96, 127.5, 112.5, 108.84 },
    }; /* published for pofo: 83, 78, 72 and 127.5, 123, 112.5; its code takes a checkpoint off the memory twice */
    for (size_t c = 0; c < sizeof CHAINS / sizeof *CHAINS; c++) {
        struct work work;
        uniform_chain(&work, CHAINS[c].forward_ms, CHAINS[c].output_mib, CHAINS[c].saved_mib, CHAINS[c].mib_per_ms);
        const struct planner_result rotor = run(&work, "rotor"), pofo = run(&work, "pofo");
        assert_true(rotor.totals.feasible && pofo.totals.feasible);
        if (fabs(rotor.own_model_us - CHAINS[c].rotor_ms * 1e3) > 1e-6)
            fail_msg("rotor, chain %zu: %.3f us", c, rotor.own_model_us);
        if (fabs(pofo_as_published(&work) - CHAINS[c].rounded_ms) > 1e-6)
            fail_msg("pofo as published, chain %zu: %.6f ms", c, pofo_as_published(&work));
        if (pofo.own_model_us > CHAINS[c].pofo_ms * 1e3 + 1e-6)
            fail_msg("pofo, chain %zu: %.3f us", c, pofo.own_model_us);
        assert_int_equal(rotor.totals.d2h_bytes, 0);
        assert_true(rotor.totals.step_us <= rotor.own_model_us * (1 + 1e-9));
        assert_true(pofo.totals.step_us <= CHAINS[c].rounded_ms * 1e3 * (1 + 1e-9));
        work_end(&work);
    }
}

static void random_work(struct work *work, struct random *random, bool chain) {
    const struct random_shape shape = { .most_ops = 1 + random_below(random, 24), .chain_only = chain };
    *work = (struct work){ .arena = { 0 } };
    random_profile(random, &shape, &work->arena, &work->profile);
    assert_int_equal(limits_compute(&work->profile, &work->limits, NULL), SS_OK);
    const uint64_t spread = work->limits.unlimited_peak_bytes - work->limits.least_bytes;
    work->task = (struct plan_task){ .profile = &work->profile, .host_memory_bytes = BYTES_UNLIMITED,
                                     .unit = random_chance(random, 30) ? UNIT_LAYER : UNIT_TENSOR,
                                     .budget_bytes = work->limits.least_bytes + spread * random_below(random, 101) / 100 };
    const struct link_options options = random_link_options(random, &work->profile);
    assert_int_equal(link_resolve(&work->profile.link, &options, &work->task.link, NULL), SS_OK);
    work_begin(work);
}

static void where_the_own_model_finds_a_schedule_so_does_ours(void **state) {
    struct random random = { 33 };
    uint32_t found = 0, none = 0, alone = 0;
    for (int i = 0; i < 600; i++) {
        struct work work;
        random_work(&work, &random, i % 2);
        const struct planner_result rotor = run(&work, "rotor"), pofo = run(&work, "pofo");
        if (isfinite(rotor.own_model_us)) {
            assert_true(rotor.totals.feasible);
            assert_true(rotor.own_model_us >= work.profile.ideal_us * (1 - 1e-9));
            assert_true(isfinite(pofo.own_model_us));
            found++;
        } else {
            none++;
        }
        assert_true(pofo.totals.feasible); /* offloading everything always does, in whole layers too */
        alone += rotor.totals.feasible && rotor.totals.d2h_bytes == 0;
        work_end(&work);
    }
    assert_true(found > 200 && none > 50 && alone > 200);
}

static void below_the_least_budget_nothing_is_found(void **state) {
    struct random random = { 34 };
    for (int i = 0; i < 200; i++) {
        struct work work;
        random_work(&work, &random, i % 2);
        if (work.limits.least_bytes > 0) {
            work.task.budget_bytes = work.limits.least_bytes - 1;
            assert_false(run(&work, "rotor").totals.feasible);
            assert_false(run(&work, "pofo").totals.feasible);
            work.task.budget_bytes = 0;
            assert_false(run(&work, "rotor").totals.feasible);
            assert_false(run(&work, "pofo").totals.feasible);
        }
        work_end(&work);
    }
}

static void with_all_memory_nothing_is_recomputed(void **state) {
    struct random random = { 35 };
    for (int i = 0; i < 200; i++) {
        struct work work;
        random_work(&work, &random, i % 2);
        work.task.budget_bytes = BYTES_UNLIMITED;
        const struct planner_result rotor = run(&work, "rotor"), pofo = run(&work, "pofo");
        assert_true(fabs(rotor.totals.step_us - work.profile.ideal_us) <= 1e-9 * work.profile.ideal_us + 1e-9);
        assert_true(fabs(rotor.own_model_us - work.profile.ideal_us) <= 1e-9 * work.profile.ideal_us + 1e-9);
        assert_true(fabs(pofo.own_model_us - work.profile.ideal_us) <= 1e-9 * work.profile.ideal_us + 1e-9);
        work_end(&work);
    }
}

static bool after_some(void *context) {
    uint32_t *left = context;
    return *left == 0 || --*left == 0;
}

static void a_chain_planner_that_is_stopped_still_gives_a_plan(void **state) {
    static const char *const NAMES[] = { "rotor", "pofo" };
    for (int i = 0; i < 2; i++) {
        for (uint32_t looks = 1; looks < 4000; looks *= 5) {
            struct work work;
            uniform_chain(&work, 1, 1, 4, 1);
            uint32_t left = looks;
            work.task.should_stop = after_some;
            work.task.context = &left;
            const struct planner_result result = run(&work, NAMES[i]);
            assert_true(result.evaluations >= 1);
            assert_true(result.stopped || left > 0);
            assert_true(i == 0 || result.totals.feasible);
            assert_true(looks > 100 || isnan(result.own_model_us));
            work_end(&work);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotor_finds_what_exhaustive_search_finds),
        cmocka_unit_test(pofo_finds_what_exhaustive_search_finds),
        cmocka_unit_test(a_transformer_is_a_chain_of_its_layers),
        cmocka_unit_test(a_stage_needs_what_its_ops_hold),
        cmocka_unit_test(own_models_give_the_published_figures),
        cmocka_unit_test(where_the_own_model_finds_a_schedule_so_does_ours),
        cmocka_unit_test(below_the_least_budget_nothing_is_found),
        cmocka_unit_test(with_all_memory_nothing_is_recomputed),
        cmocka_unit_test(a_chain_planner_that_is_stopped_still_gives_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
