/* Formulas over the figures of an outcome, and the figures themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/formula.h"
#include "core/zoo.h"
#include "hand_made.h"

/* gemm (40 us) makes "a", which nobody saves; act (10 us) makes of it "x.out" and "x.mask"; last (10 us) makes "y" of
 * x.out. Saved, and so managed: x.out, x.mask and y. "in" has no producer. */
static struct hand hand;
static struct snapshot now, before, first;
static const struct formula_named NAMED[] = { { "first", &first } };
static struct formula_scope both, alone, unknown;

static void save_all(void) {
    hand_begin(&hand);
    hand_tensor(&hand, "in", 1000);
    hand_tensor(&hand, "a", 4000);
    hand_tensor(&hand, "x.out", 2000);
    hand_tensor(&hand, "x.mask", 1000);
    hand_tensor(&hand, "y", 8000);
    hand_op(&hand, "gemm", 40, 80, "in", "a", "in");
    hand_op(&hand, "act", 10, 20, "a", "x.out x.mask", "x.mask");
    hand_op(&hand, "last", 10, 20, "x.out", "y", "x.out y");
    hand_finish(&hand);
}

static int set_up(void **state) {
    (void)state;
    save_all();
    struct snapshot *all[] = { &now, &before, &first };
    for (int i = 0; i < 3; i++)
        assert_int_equal(snapshot_init(all[i], &hand.arena, &hand.profile, NULL), SS_OK);
    both = (struct formula_scope){ .profile = &hand.profile, .now = &now, .before = &before, .named = NAMED, .named_count = 1 };
    alone = (struct formula_scope){ .profile = &hand.profile, .now = &now, .nothing_before = true };
    unknown = (struct formula_scope){ .profile = &hand.profile, .named = NAMED, .named_count = 1 };
    double *of = now.quantities.of;
    of[QUANTITY_step_us] = 300;
    of[QUANTITY_ideal_us] = 240;
    of[QUANTITY_peak_bytes] = 3 * 1024;
    of[QUANTITY_stall_count] = 3;
    of[QUANTITY_throughput] = 0.8;
    of[QUANTITY_h2d_gb_per_s] = 25;
    of[QUANTITY_d2h_gb_per_s] = 1;
    of[QUANTITY_latency_us] = 5;
    of[QUANTITY_feasible] = 1;
    of[QUANTITY_gap] = NAN; /* as if it were not there */
    before.quantities.of[QUANTITY_step_us] = 250;
    first.quantities.of[QUANTITY_step_us] = 100;
    now.action[hand_find(&hand, "x.mask")] = ACTION_RECOMPUTE;
    now.action[hand_find(&hand, "x.out")] = ACTION_OFFLOAD;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hand_end(&hand);
    return 0;
}

static void comes_to(const char *text, double value, enum measure measure) {
    struct formula_value out;
    struct error error = { "", "" };
    if (formula_evaluate(text, strlen(text), &both, &out, &error) != SS_OK)
        fail_msg("'%s': %s: %s", text, error.place, error.text);
    const double size = fmax(1, fabs(value));
    if (out.measure != measure || !(fabs(out.value - value) < 1e-9 * size))
        fail_msg("'%s' comes to %g (measure %d)", text, out.value, out.measure);
}

static void holds(const char *text, bool expected) {
    comes_to(text, expected ? 1 : 0, MEASURE_TRUTH);
}

static void is_refused(const char *text, const struct formula_scope *scope, const char *place, const char *message) {
    struct formula_value out;
    struct error error = { "", "" };
    assert_int_equal(formula_evaluate(text, strlen(text), scope, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, message);
    assert_string_equal(error.place, place);
}

static void arithmetic_keeps_measures(void **state) {
    (void)state;
    comes_to("step_us - before.step_us", 50, MEASURE_TIME);
    comes_to("step_us / ideal_us", 1.25, MEASURE_SHARE);
    comes_to("2 * step_us + 1ms / 2", 1100, MEASURE_TIME);
    comes_to("step_us * 50%", 150, MEASURE_TIME);
    comes_to("-(step_us - 400us)", 100, MEASURE_TIME);
    comes_to("peak_bytes + 1KiB", 4096, MEASURE_BYTES);
    comes_to("1 + 2 * 3 - 4 / 2", 5, MEASURE_NUMBER);
    comes_to("2.50", 2.5, MEASURE_NUMBER);
    comes_to("step_us / (ideal_us - ideal_us)", 0, MEASURE_SHARE); /* of nothing */
    comes_to("first.step_us + before.step_us", 350, MEASURE_TIME);
}

static void products_have_the_measure_they_should(void **state) {
    (void)state;
    comes_to("h2d_gb_per_s * step_us", 25 * 1e3 * 300, MEASURE_BYTES);
    comes_to("step_us * h2d_gb_per_s", 25 * 1e3 * 300, MEASURE_BYTES);
    comes_to("2 GB / step_us", 2e9 / 300 / 1e3, MEASURE_RATE);
    comes_to("25MB / h2d_gb_per_s", 1000, MEASURE_TIME);
    comes_to("step_us / peak_bytes", 300.0 / 3072, MEASURE_COST);
    comes_to("step_us / peak_bytes * 1KiB", 100, MEASURE_TIME);
    is_refused("step_us * step_us", &both, "character 18", "a time and a time don't go together here");
    is_refused("1 / step_us", &both, "character 12", "a number and a time don't go together here");
}

static void claims_compare_and_combine(void **state) {
    (void)state;
    holds("step_us > before.step_us", true);
    holds("step_us <= 300us and ideal_us < step_us", true);
    holds("stall_count = 3", true);
    holds("stall_count != 3", false);
    holds("peak_bytes = 0", false);
    holds("0 < peak_bytes", true);
    holds("not feasible or throughput > 79%", true);
    holds("not (feasible and throughput > 79%)", false);
    holds("h2d_gb_per_s >= 25GB/s", true);
    holds("step_us < 1s and step_us > 0.1ms", true);
}

static void rounding_makes_no_difference(void **state) {
    (void)state;
    holds("step_us = 300.0000005us and step_us <= 299.9999995us", true);
    holds("step_us > 299.9999995us or step_us != 300.0000005us", false);
    holds("step_us > 299.99us and step_us != 300.01us", true);
    holds("throughput = 80.00000001%", true);
    holds("step_us - 299.9999995us = 0", true);
    holds("peak_bytes = 3073 B", false); /* bytes are exact */
}

static void a_figure_that_is_not_there_compares_as_false(void **state) {
    (void)state;
    holds("gap > 0", false);
    holds("gap <= 0", false);
    holds("gap = gap", false);
    holds("gap + 1% < 5%", false);
    holds("gap != 0", true);
}

static void functions_tell_of_tensors_and_patterns(void **state) {
    (void)state;
    comes_to("bytes('a')", 4000, MEASURE_BYTES);
    comes_to("bytes(\"x.*\")", 3000, MEASURE_BYTES);
    comes_to("count('*')", 3, MEASURE_NUMBER);
    comes_to("transfer_us('x.out')", 5 + 2000 / 1e3, MEASURE_TIME); /* at the slower way */
    holds("is_recomputed('x.mask') and is_kept('y') and is_offloaded('x.out')", true);
    holds("is_recomputed('x.*')", false); /* not all of them */
    holds("is_kept('?')", true);
    is_refused("bytes('b')", &both, "character 8", "no tensor that a plan decides about is called 'b'");
    is_refused("transfer_us('x.*')", &both, "character 14", "there is no tensor 'x.*' to take alone");
    is_refused("is_kept('a')", &both, "character 10", "no plan decides about tensor 'a'");
    is_refused("bytes(a)", &both, "character 7", "expected the name of a tensor in quotes");
    is_refused("bytes('a)", &both, "character 8", "expected a name with a quote at its end");
    is_refused("bytes 'a'", &both, "character 7", "expected the name of a tensor in parentheses");
    is_refused("bytes('a'", &both, "character 10", "expected a closing parenthesis");
}

static void a_rerun_is_the_closure_and_what_the_schedule_says(void **state) {
    static const char *const NAME[] = { "x.mask", "y" };
    (void)state;
    comes_to("rerun_us('x.mask')", 50, MEASURE_TIME); /* act, and gemm for a */
    comes_to("rerun_us('y')", 10, MEASURE_TIME);      /* x.out is kept */
    comes_to("cost_per_byte('x.mask')", 0.05, MEASURE_COST);
    for (int i = 0; i < 2; i++) {
        char formula[64];
        hand_plan(&hand, NAME[i], ACTION_RECOMPUTE);
        snprintf(formula, sizeof formula, "rerun_us('%s')", NAME[i]);
        comes_to(formula, hand_schedule(&hand)->recompute_us, MEASURE_TIME);
        hand_plan(&hand, NAME[i], ACTION_KEEP);
    }
}

static void what_makes_no_sense_is_refused_where_it_stands(void **state) {
    (void)state;
    is_refused("", &both, "character 1", "expected a quantity or a number");
    is_refused("step_us +", &both, "character 10", "expected a quantity or a number");
    is_refused("step_us ideal_us", &both, "character 9", "expected an operator or the end");
    is_refused("(step_us", &both, "character 9", "expected a closing parenthesis");
    is_refused("stepp_us", &both, "character 1", "there is no quantity 'stepp_us'");
    is_refused("before.step_us", &alone, "character 1", "there is nothing before to take this from");
    is_refused("second.step_us", &both, "character 1", "nothing earlier is called 'second'");
    is_refused("step_us + peak_bytes", &both, "character 21", "a time and bytes don't go together here");
    is_refused("step_us > 5", &both, "character 12", "a time and a number don't go together here");
    is_refused("stall_count > 5us", &both, "character 18", "a number and a time don't go together here");
    is_refused("feasible + feasible", &both, "character 20", "a truth and a truth don't go together here");
    is_refused("not step_us", &both, "character 12", "only a truth can be denied");
    is_refused("feasible = 0", &both, "character 13", "a truth and a number don't go together here");
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    is_refused(deep, &both, "character 66", "too many levels");
}

/* Formulas are checked before there are figures: measures must not depend on them. */
static void without_figures_the_same_is_refused(void **state) {
    struct formula_value out;
    (void)state;
    is_refused("step_us > stall_count", &unknown, "character 22", "a time and a number don't go together here");
    now.quantities.of[QUANTITY_stall_count] = 0;
    is_refused("step_us > stall_count", &both, "character 22", "a time and a number don't go together here");
    assert_int_equal(formula_evaluate("step_us - first.step_us > 0 and is_kept('y')", 44, &unknown, &out, NULL), SS_OK);
    assert_int_equal(out.measure, MEASURE_TRUTH);
    now.quantities.of[QUANTITY_stall_count] = 3;
}

/* Whatever is written, it makes sense or not before there are figures, and then as well: with the same measure. */
static void what_makes_sense_does_not_depend_on_figures(void **state) {
    static const char *const TOKENS[] = { "step_us", "peak_bytes", "gap", "feasible", "stall_count", "h2d_gb_per_s", "before.", "first.",
                                          "bytes('x.*')", "rerun_us('y')", "is_kept('*')", "0", "2", "40%", "1ms", "1KiB", "(", ")",
                                          "+", "-", "*", "/", "<", ">=", "=", "!=", "and", "or", "not", " ", "'", "." };
    uint32_t random = 7, sensible = 0;
    (void)state;
    for (int round = 0; round < 200000; round++) {
        char text[160] = "";
        struct formula_value with, without;
        struct error error = { "", "" };
        for (uint32_t count = 1 + round % 7; count > 0; count--) {
            random = random * 1664525u + 1013904223u;
            strcat(text, TOKENS[(random >> 16) % (sizeof TOKENS / sizeof TOKENS[0])]);
            strcat(text, random >> 31 ? " " : "");
        }
        const enum ss_status status = formula_evaluate(text, strlen(text), &both, &with, &error);
        if (status != formula_evaluate(text, strlen(text), &unknown, &without, NULL) ||
            (status == SS_OK && with.measure != without.measure) || (status != SS_OK && !(*error.text && *error.place)))
            fail_msg("'%s': %s", text, error.text);
        sensible += status == SS_OK;
    }
    assert_in_range(sensible, 10000, 190000);
}

static void only_truths_are_claims(void **state) {
    bool out;
    struct error error;
    (void)state;
    assert_int_equal(formula_holds("step_us", 7, &both, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, "expected a claim, which is true or not, found a time");
    assert_int_equal(formula_holds("feasible", 8, &both, &out, &error), SS_OK);
    assert_true(out);
}

static void is_written(double value, enum measure measure, const char *expected) {
    char text[UNIT_TEXT];
    assert_string_equal(formula_format(text, (struct formula_value){ value, measure }), expected);
}

static void values_are_written_with_their_units(void **state) {
    (void)state;
    is_written(412900, MEASURE_TIME, "412.9 ms");
    is_written(1024, MEASURE_BYTES, "1.00 KiB");
    is_written(0.976, MEASURE_SHARE, "97.6%");
    is_written(25, MEASURE_RATE, "25.0 GB/s");
    is_written(3, MEASURE_NUMBER, "3");
    is_written(2.25, MEASURE_NUMBER, "2.2");
    is_written(1, MEASURE_TRUTH, "yes");
    is_written(12 / 1048576.0, MEASURE_COST, "12 us/MiB");
    is_written(-50, MEASURE_TIME, "-50.00 us");
    is_written(-2048, MEASURE_BYTES, "-2.00 KiB");
    is_written(NAN, MEASURE_BYTES, "-");
    is_written(INFINITY, MEASURE_NUMBER, "-");
}

static void is_filled(const char *text, const char *expected) {
    struct arena scratch = { 0 };
    struct error error = { "", "" };
    char *out;
    if (formula_fill(text, &both, "?", &scratch, &out, &error) != SS_OK)
        fail_msg("'%s': %s: %s", text, error.place, error.text);
    assert_string_equal(out, expected);
    arena_free(&scratch);
}

static void texts_are_filled_in(void **state) {
    struct arena scratch = { 0 };
    struct error error;
    char *out;
    (void)state;
    is_filled("", "");
    is_filled("no figure } at all", "no figure } at all");
    is_filled("{step_us}, {throughput} of ideal.", "300.0 us, 80.0% of ideal.");
    is_filled("{{braces} and {{{stall_count}}", "{braces} and {3}");
    is_filled("it is {gap}", "it is ?");
    is_filled("{bytes('x.*') + 72B}", "3.00 KiB");
    assert_int_equal(formula_fill("ab {step_us", &both, "?", &scratch, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.place, "character 4");
    assert_int_equal(formula_fill("ab {step_us + 1}", &both, "?", &scratch, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.place, "character 16");
    assert_int_equal(formula_fill("ab {stepp}", &both, "?", &scratch, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.place, "character 5");
    arena_free(&scratch);
}

static void the_figures_are_those_of_the_outcome(void **state) {
    struct arena arena = { 0 };
    struct profile profile;
    struct outcome outcome;
    struct snapshot snapshot;
    struct model_options options = { 0 };
    (void)state;
    assert_int_equal(model_build(model_find("gpt2"), &options, &arena, &profile, NULL), SS_OK);
    struct outcome_request request = { .profile = &profile, .budget = BUDGET_CHOICE_DEFAULT, .link = LINK_OPTIONS_NONE,
                                       .planner = planner_find("slackswap"), .host_memory_bytes = BYTES_UNLIMITED,
                                       .evaluation_limit = EVALS_DEFAULT };
    assert_int_equal(outcome_compute(&request, &arena, &outcome, NULL), SS_OK);
    assert_int_equal(snapshot_init(&snapshot, &arena, &profile, NULL), SS_OK);
    snapshot_take(&snapshot, &outcome);
    const double *of = snapshot.quantities.of;
    const struct sim_totals *totals = &outcome.timeline.totals;
    assert_true(of[QUANTITY_step_us] >= totals->step_us && of[QUANTITY_step_us] <= totals->step_us);
    assert_true(of[QUANTITY_forward_us] > 0 && of[QUANTITY_forward_us] < of[QUANTITY_step_us]);
    assert_true(of[QUANTITY_peak_us] > 0 && of[QUANTITY_peak_us] < of[QUANTITY_step_us]);
    assert_true(of[QUANTITY_longest_stall_us] <= of[QUANTITY_stall_us]);
    const double parts = of[QUANTITY_peak_kept_bytes] + of[QUANTITY_peak_draining_bytes] + of[QUANTITY_peak_prefetched_bytes] +
                         of[QUANTITY_peak_gradient_bytes] + of[QUANTITY_peak_scratch_bytes];
    assert_true(fabs(parts - of[QUANTITY_peak_bytes]) < 1);
    for (int id = 0; id < QUANTITY_COUNT; id++)
        assert_int_equal(quantity_find(QUANTITY_TABLE[id].name, strlen(QUANTITY_TABLE[id].name)), id);
    assert_int_equal(quantity_find("step", 4), QUANTITY_COUNT);
    for (uint32_t i = 0; i < profile.managed_count; i++) {
        const uint32_t t = profile.managed[i];
        assert_true(snapshot.time_us[MOMENT_MADE][t] < snapshot.time_us[MOMENT_NEEDED][t]);
        const bool away = snapshot.action[t] == ACTION_OFFLOAD;
        assert_int_equal(away, snapshot.time_us[MOMENT_MADE][t] < snapshot.time_us[MOMENT_LEFT][t]);
        assert_int_equal(away, snapshot.time_us[MOMENT_LEFT][t] < snapshot.time_us[MOMENT_RETURNED][t]);
        assert_true(!away || snapshot.time_us[MOMENT_RETURNED][t] <= snapshot.time_us[MOMENT_NEEDED][t]);
    }
    arena_free(&arena);
}

static void of_what_does_not_fit_only_plain_facts_are_there(void **state) {
    (void)state;
    struct outcome outcome;
    struct outcome_request request = { .profile = &hand.profile, .link = LINK_OPTIONS_NONE, .planner = planner_find("keep"),
                                       .budget = { .kind = BUDGET_BYTES, .bytes = 10 }, .host_memory_bytes = BYTES_UNLIMITED };
    struct quantities figures;
    assert_int_equal(outcome_compute(&request, &hand.arena, &outcome, NULL), SS_OK);
    quantities_take(&outcome, &figures);
    assert_true(isnan(figures.of[QUANTITY_step_us]) && isnan(figures.of[QUANTITY_gap]) && isnan(figures.of[QUANTITY_peak_bytes]));
    assert_true(figures.of[QUANTITY_feasible] < 0.5 && figures.of[QUANTITY_required_bytes] > 10 && figures.of[QUANTITY_ideal_us] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_keeps_measures),
        cmocka_unit_test(products_have_the_measure_they_should),
        cmocka_unit_test(claims_compare_and_combine),
        cmocka_unit_test(rounding_makes_no_difference),
        cmocka_unit_test(a_figure_that_is_not_there_compares_as_false),
        cmocka_unit_test(functions_tell_of_tensors_and_patterns),
        cmocka_unit_test(a_rerun_is_the_closure_and_what_the_schedule_says),
        cmocka_unit_test(what_makes_no_sense_is_refused_where_it_stands),
        cmocka_unit_test(without_figures_the_same_is_refused),
        cmocka_unit_test(what_makes_sense_does_not_depend_on_figures),
        cmocka_unit_test(only_truths_are_claims),
        cmocka_unit_test(values_are_written_with_their_units),
        cmocka_unit_test(texts_are_filled_in),
        cmocka_unit_test(the_figures_are_those_of_the_outcome),
        cmocka_unit_test(of_what_does_not_fit_only_plain_facts_are_there),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
