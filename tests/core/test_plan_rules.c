/* Plans by module and by pattern: what each rule names, which of several counts, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/glob.h"
#include "core/plan_rules.h"

static struct arena arena;
static struct profile profile;
static struct plan plan;
static struct error error;

static const char *const LAYERS[] = { "encoder.1", "encoder.2.mlp", "encoder.2.attn", "encoders", "head", "plain" };
#define LAYER_COUNT 6

/* Each layer makes LAYER.a and LAYER.b[0]; of "head" the first must stay, and nothing of "plain" is managed. */
static int set_up(void **state) {
    (void)state;
    assert_int_equal(profile_begin(&profile, &arena, &error), SS_OK);
    profile.name = "six";
    for (int i = 0; i < LAYER_COUNT; i++) {
        uint32_t outputs[2];
        for (int o = 0; o < 2; o++) {
            struct tensor_spec spec = { .name = arena_printf(&arena, "%s.%s", LAYERS[i], o ? "b[0]" : "a"), .bytes = 8,
                                        .keep = i == 4 && o == 0 };
            assert_int_equal(profile_add_tensor(&profile, &spec, &outputs[o], &error), SS_OK);
        }
        struct op_spec op = { .name = LAYERS[i], .outputs = outputs, .output_count = 2, .saved = outputs,
                              .saved_count = i == 5 ? 0 : 2, .recompute_us = 1 };
        assert_int_equal(profile_add_op(&profile, &op, NULL, &error), SS_OK);
    }
    assert_int_equal(profile_finish(&profile, NULL, &error), SS_OK);
    return plan_init(&plan, &arena, &profile, &error);
}

static int tear_down(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* One letter a tensor: k, o, r. */
static const char *actions(void) {
    static char letters[2 * LAYER_COUNT + 1];
    for (uint32_t t = 0; t < profile.tensor_count; t++)
        letters[t] = ACTION_NAME[plan.action[t]][0];
    return letters;
}

static enum ss_status apply(struct plan_rule *rules, uint32_t count) {
    uint32_t fault, rule_of[2 * LAYER_COUNT];
    const enum ss_status status = plan_rules_apply(&plan, &profile, rules, count, rule_of, &fault, &error);
    assert_true(status == SS_OK || fault < count);
    return status;
}

#define LAYER(text_, action_) { .text = text_, .about_layers = true, .action = action_ }
#define TENSOR(text_, action_) { .text = text_, .action = action_ }

static void a_pattern_describes_whole_names(void **state) {
    (void)state;
    static const struct { const char *pattern, *name; bool matches; } CASES[] = {
        { "*", "", true },          { "*.gelu", "L0.gelu", true },  { "*.gelu", "L0.gelu2", false },
        { "L?.a", "L0.a", true },   { "L?.a", "L10.a", false },     { "L[0-9].a", "L7.a", true },
        { "L[!0-9].a", "L7.a", false }, { "L[!0-9].a", "Lx.a", true }, { "a*b*c", "aXbYbZc", true },
        { "a*b*c", "aXcYb", false }, { "a[", "a[", true },          { "a[]]b", "a]b", true },
        { "a[x-]b", "a-b", true },  { "?", "\xC3\xA9", true },      { "[\xC3\xA0-\xC3\xBF]", "\xC3\xA9", true },
        { "", "", true },           { "", "a", false },             { "**a", "bca", true },
        { "a[!]", "a[!]", true },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (glob_matches(CASES[i].pattern, CASES[i].name) != CASES[i].matches)
            fail_msg("%s and %s", CASES[i].pattern, CASES[i].name);
}

static void many_stars_take_no_more_than_length_times_length(void **state) {
    (void)state;
    char name[4001], pattern[] = "*a*a*a*a*a*a*a*a*a*a*a*b";
    memset(name, 'a', 4000);
    name[4000] = '\0';
    assert_false(glob_matches(pattern, name)); /* would not come back in this century if it tried all ways */
}

static void a_layer_decides_about_what_its_ops_make(void **state) {
    (void)state;
    struct plan_rule rules[] = { LAYER("encoder.1", ACTION_OFFLOAD) };
    assert_int_equal(apply(rules, 1), SS_OK);
    assert_string_equal(actions(), "ookkkkkkkkkk");
    assert_int_equal(rules[0].kind, RULE_LAYER);
    assert_int_equal(rules[0].matched, 2);
    assert_int_equal(rules[0].decided, 2);
}

static void a_module_is_every_layer_below_it(void **state) {
    (void)state;
    struct plan_rule rules[] = { LAYER("encoder", ACTION_OFFLOAD) };
    assert_int_equal(apply(rules, 1), SS_OK);
    assert_string_equal(actions(), "ooooookkkkkk"); /* not "encoders" */
    assert_int_equal(rules[0].kind, RULE_MODULE);
}

static void the_most_specific_rule_counts_wherever_it_stands(void **state) {
    (void)state;
    struct plan_rule rules[] = {
        TENSOR("encoder.2.mlp.a", ACTION_KEEP),  TENSOR("*.b[[]0]", ACTION_KEEP), LAYER("encoder.1", ACTION_RECOMPUTE),
        LAYER("encoder.2", ACTION_RECOMPUTE),    LAYER("encoder", ACTION_OFFLOAD), LAYER("e*", ACTION_OFFLOAD),
    };
    assert_int_equal(apply(rules, 6), SS_OK);
    assert_string_equal(actions(), "rkkkrkokkkkk");
    static const uint32_t MATCHED[] = { 1, 5, 2, 4, 6, 8 }, DECIDED[] = { 1, 5, 1, 1, 0, 1 };
    for (int i = 0; i < 6; i++) {
        assert_int_equal(rules[i].matched, MATCHED[i]);
        assert_int_equal(rules[i].decided, DECIDED[i]);
    }
}

static void of_two_patterns_the_later_counts(void **state) {
    (void)state;
    struct plan_rule rules[] = { TENSOR("*.a", ACTION_OFFLOAD), TENSOR("encoder*", ACTION_RECOMPUTE) };
    assert_int_equal(apply(rules, 2), SS_OK);
    assert_string_equal(actions(), "rrrrrrrrkkkk");
}

static void what_must_stay_is_passed_over_by_patterns_and_layers(void **state) {
    (void)state;
    struct plan_rule rules[] = { LAYER("head", ACTION_OFFLOAD) };
    assert_int_equal(apply(rules, 1), SS_OK);
    assert_string_equal(actions(), "kkkkkkkkkokk");
    struct plan_rule exact[] = { TENSOR("head.a", ACTION_OFFLOAD) };
    assert_int_equal(apply(exact, 1), SS_BAD_INPUT);
    assert_string_equal(error.text, "tensor 'head.a' must stay on the GPU (\"keep\": true): cannot offload it");
}

static void a_name_with_brackets_is_that_name(void **state) {
    (void)state;
    struct plan_rule rules[] = { TENSOR("head.b[0]", ACTION_OFFLOAD) };
    assert_int_equal(apply(rules, 1), SS_OK);
    assert_int_equal(rules[0].kind, RULE_TENSOR);
    assert_string_equal(actions(), "kkkkkkkkkokk");
}

static void a_layer_without_managed_tensors_names_none(void **state) {
    (void)state;
    struct plan_rule rules[] = { LAYER("plain", ACTION_OFFLOAD) };
    assert_int_equal(apply(rules, 1), SS_OK);
    assert_int_equal(rules[0].matched, 0);
}

static void what_matches_nothing_is_refused_by_name(void **state) {
    (void)state;
    static const struct { struct plan_rule rule; const char *message; } CASES[] = {
        { TENSOR("*.c", ACTION_KEEP), "pattern '*.c' matches no tensor of profile 'six' that a plan could keep" },
        { TENSOR("plain*", ACTION_KEEP), "pattern 'plain*' matches no tensor of profile 'six' that a plan could keep" },
        { TENSOR("head.a*", ACTION_OFFLOAD),
          "pattern 'head.a*' matches no tensor of profile 'six' that a plan could offload" },
        { TENSOR("ghost", ACTION_KEEP), "expected a tensor of profile 'six', found 'ghost'" },
        { LAYER("decoder", ACTION_KEEP), "expected a layer of profile 'six', found 'decoder'" },
        { LAYER("encod", ACTION_KEEP), "expected a layer of profile 'six', found 'encod'" },
        { LAYER("d*", ACTION_KEEP), "pattern 'd*' matches no tensor of profile 'six' that a plan could keep" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct plan_rule rule = CASES[i].rule;
        assert_int_equal(apply(&rule, 1), SS_BAD_INPUT);
        assert_string_equal(error.text, CASES[i].message);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_describes_whole_names),
        cmocka_unit_test(many_stars_take_no_more_than_length_times_length),
        cmocka_unit_test_setup_teardown(a_layer_decides_about_what_its_ops_make, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_module_is_every_layer_below_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_most_specific_rule_counts_wherever_it_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_two_patterns_the_later_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_must_stay_is_passed_over_by_patterns_and_layers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_with_brackets_is_that_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_layer_without_managed_tensors_names_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_matches_nothing_is_refused_by_name, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
