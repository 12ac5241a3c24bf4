/* Formulas over the figures of an outcome, and the figures themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/formula.h"
#include "core/zoo.h"

static struct quantities now, before;
static const struct formula_scope BOTH = { &now, &before }, ALONE = { &now, NULL };

static void comes_to(const char *text, double value, enum measure measure) {
    struct formula_value out;
    struct error error = { "", "" };
    if (formula_evaluate(text, strlen(text), &BOTH, &out, &error) != SS_OK)
        fail_msg("'%s': %s: %s", text, error.place, error.text);
    if (out.measure != measure || out.value < value - 1e-9 || out.value > value + 1e-9)
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

static void set_figures(void) {
    now.of[QUANTITY_step_us] = 300;
    now.of[QUANTITY_ideal_us] = 240;
    now.of[QUANTITY_peak_bytes] = 3 * 1024;
    now.of[QUANTITY_stall_count] = 3;
    now.of[QUANTITY_throughput] = 0.8;
    now.of[QUANTITY_h2d_gb_per_s] = 25;
    now.of[QUANTITY_feasible] = 1;
    before.of[QUANTITY_step_us] = 250;
}

static void arithmetic_keeps_measures(void **state) {
    (void)state;
    set_figures();
    comes_to("step_us - before.step_us", 50, MEASURE_TIME);
    comes_to("step_us / ideal_us", 1.25, MEASURE_SHARE);
    comes_to("2 * step_us + 1ms / 2", 1100, MEASURE_TIME);
    comes_to("step_us * 50%", 150, MEASURE_TIME);
    comes_to("-(step_us - 400us)", 100, MEASURE_TIME);
    comes_to("peak_bytes + 1KiB", 4096, MEASURE_BYTES);
    comes_to("1 + 2 * 3 - 4 / 2", 5, MEASURE_NUMBER);
    comes_to("2.50", 2.5, MEASURE_NUMBER);
    comes_to("step_us / (ideal_us - ideal_us)", 0, MEASURE_SHARE); /* of nothing */
}

static void claims_compare_and_combine(void **state) {
    (void)state;
    set_figures();
    holds("step_us > before.step_us", true);
    holds("step_us <= 300us and ideal_us < step_us", true);
    holds("stall_count = 3", true);
    holds("stall_count != 3", false);
    holds("peak_bytes = 0", false);
    holds("not feasible or throughput > 79%", true);
    holds("not (feasible and throughput > 79%)", false);
    holds("h2d_gb_per_s >= 25GB/s", true);
    holds("step_us < 1s and step_us > 0.1ms", true);
}

static void what_makes_no_sense_is_refused_where_it_stands(void **state) {
    (void)state;
    set_figures();
    is_refused("", &BOTH, "character 1", "expected a quantity or a number");
    is_refused("step_us +", &BOTH, "character 10", "expected a quantity or a number");
    is_refused("step_us ideal_us", &BOTH, "character 9", "expected an operator or the end");
    is_refused("(step_us", &BOTH, "character 9", "expected a closing parenthesis");
    is_refused("stepp_us", &BOTH, "character 1", "there is no quantity 'stepp_us'");
    is_refused("before.step_us", &ALONE, "character 1", "there is nothing before to take this from: 'step_us'");
    is_refused("step_us + peak_bytes", &BOTH, "character 21", "a time and bytes don't go together here");
    is_refused("step_us > 5", &BOTH, "character 12", "a time and a number don't go together here");
    is_refused("step_us * step_us", &BOTH, "character 18", "a time and a time don't go together here");
    is_refused("feasible + feasible", &BOTH, "character 20", "a truth and a truth don't go together here");
    is_refused("not step_us", &BOTH, "character 12", "only a truth can be denied");
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    is_refused(deep, &BOTH, "character 66", "too many levels");
}

static void only_truths_are_claims(void **state) {
    bool out;
    struct error error;
    (void)state;
    set_figures();
    assert_int_equal(formula_holds("step_us", 7, &BOTH, &out, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, "expected a claim, which is true or not, found a time");
    assert_int_equal(formula_holds("feasible", 8, &BOTH, &out, &error), SS_OK);
    assert_true(out);
}

static void values_are_written_with_their_units(void **state) {
    char text[UNIT_TEXT];
    (void)state;
    assert_string_equal(formula_format(text, (struct formula_value){ 412900, MEASURE_TIME }), "412.9 ms");
    assert_string_equal(formula_format(text, (struct formula_value){ 1024, MEASURE_BYTES }), "1.00 KiB");
    assert_string_equal(formula_format(text, (struct formula_value){ 0.976, MEASURE_SHARE }), "97.6%");
    assert_string_equal(formula_format(text, (struct formula_value){ 25, MEASURE_RATE }), "25.0 GB/s");
    assert_string_equal(formula_format(text, (struct formula_value){ 3, MEASURE_NUMBER }), "3");
    assert_string_equal(formula_format(text, (struct formula_value){ 2.25, MEASURE_NUMBER }), "2.2");
    assert_string_equal(formula_format(text, (struct formula_value){ 1, MEASURE_TRUTH }), "yes");
    assert_true(formula_format(text, (struct formula_value){ -50, MEASURE_TIME })[0] == '-');
}

static void the_figures_are_those_of_the_outcome(void **state) {
    struct arena arena = { 0 };
    struct profile profile;
    struct outcome outcome;
    struct quantities figures;
    struct model_options options = { 0 };
    (void)state;
    assert_int_equal(model_build(model_find("gpt2"), &options, &arena, &profile, NULL), SS_OK);
    struct outcome_request request = { .profile = &profile, .budget = BUDGET_CHOICE_DEFAULT, .link = LINK_OPTIONS_NONE,
                                       .planner = planner_find("slackswap"), .host_memory_bytes = BYTES_UNLIMITED,
                                       .evaluation_limit = EVALS_DEFAULT };
    assert_int_equal(outcome_compute(&request, &arena, &outcome, NULL), SS_OK);
    quantities_take(&outcome, &figures);
    assert_true(figures.of[QUANTITY_step_us] >= outcome.timeline.totals.step_us && figures.of[QUANTITY_step_us] <= outcome.timeline.totals.step_us);
    assert_true(figures.of[QUANTITY_forward_us] > 0 && figures.of[QUANTITY_forward_us] < figures.of[QUANTITY_step_us]);
    assert_true(figures.of[QUANTITY_peak_us] > 0 && figures.of[QUANTITY_peak_us] < figures.of[QUANTITY_step_us]);
    for (int id = 0; id < QUANTITY_COUNT; id++)
        assert_int_equal(quantity_find(QUANTITY_NAME[id], strlen(QUANTITY_NAME[id])), id);
    assert_int_equal(quantity_find("step", 4), QUANTITY_COUNT);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_keeps_measures),
        cmocka_unit_test(claims_compare_and_combine),
        cmocka_unit_test(what_makes_no_sense_is_refused_where_it_stands),
        cmocka_unit_test(only_truths_are_claims),
        cmocka_unit_test(values_are_written_with_their_units),
        cmocka_unit_test(the_figures_are_those_of_the_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
