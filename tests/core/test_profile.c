/* Profiles and plans as the core builds them: what is derived, what is refused and where the fault is said to lie. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/plan.h"
#include "core/profile.h"

static struct arena arena;
static struct profile profile;
static struct profile_fault fault;
static struct error error;

static int begin(void **state) {
    (void)state;
    return profile_begin(&profile, &arena, &error) == SS_OK ? 0 : -1;
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static uint32_t tensor(const char *name, uint64_t bytes) {
    uint32_t index = NONE;
    if (profile_add_tensor(&profile, &(struct tensor_spec){ .name = name, .bytes = bytes }, &index, &error) != SS_OK)
        fail_msg("%s", error.text);
    return index;
}

#define LIST(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof (const uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t)
#define NOTHING NULL, 0

static void op(const char *name, const uint32_t *inputs, size_t input_count, const uint32_t *outputs,
               size_t output_count, const uint32_t *saved, size_t saved_count) {
    const struct op_spec spec = {
        .name = name, .forward_us = 1, .backward_us = 2, .recompute_us = NAN, .inputs = inputs,
        .input_count = (uint32_t)input_count, .outputs = outputs, .output_count = (uint32_t)output_count,
        .saved = saved, .saved_count = (uint32_t)saved_count,
    };
    if (profile_add_op(&profile, &spec, NULL, &error) != SS_OK)
        fail_msg("%s", error.text);
}

static void finish(void) {
    if (profile_finish(&profile, &fault, &error) != SS_OK)
        fail_msg("%s", error.text);
}

static void refuse(const char *part, uint32_t index, const char *field, uint32_t element, const char *names) {
    assert_int_equal(profile_finish(&profile, &fault, &error), SS_BAD_INPUT);
    assert_string_equal(fault.part, part);
    assert_int_equal(fault.index, index);
    if (field)
        assert_string_equal(fault.field, field);
    else
        assert_null(fault.field);
    assert_int_equal(fault.element, element);
    if (!strstr(error.text, names))
        fail_msg("'%s' does not name %s", error.text, names);
}

static void assert_span(struct span span, const uint32_t *expected, size_t count) {
    assert_int_equal(span.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(profile.index[span.at + i], expected[i]);
}

static void who_reads_and_saves_a_tensor_is_derived(void **state) {
    (void)state;
    uint32_t x = tensor("x", 1), a = tensor("a", 2), b = tensor("b", 3), c = tensor("c", 4);
    op("A", LIST(x), LIST(a), LIST(x));
    op("B", LIST(a, a), LIST(b, c), LIST(a, a, x));
    op("C", LIST(c, a), NOTHING, LIST(c));
    finish();
    const struct tensor *t = profile.tensors;
    assert_span(t[a].consumers, LIST(1, 2));
    assert_span(t[a].savers, LIST(1));
    assert_span(t[x].savers, LIST(0, 1));
    assert_span(profile.ops[1].inputs, LIST(a, a));
    assert_true(t[x].producer == NONE && t[a].producer == 0 && t[c].producer == 1);
    assert_true(t[b].output_index == 0 && t[c].output_index == 1);
    assert_true(t[x].last_forward == 0 && t[a].last_forward == 2 && t[b].last_forward == 1 && t[c].last_forward == 2);
    assert_true(!t[x].managed && t[a].managed && !t[b].managed && t[c].managed);
    assert_int_equal(profile.managed_count, 2);
    assert_memory_equal(profile.managed, ((uint32_t[]){ a, c }), 2 * sizeof(uint32_t));
    assert_true(profile.forward_us == 3 && profile.backward_us == 6 && profile.ideal_us == 9);
    assert_int_equal(profile_find_tensor(&profile, "c"), c);
    assert_int_equal(profile_find_op(&profile, "C"), 2);
    assert_int_equal(profile_find_op(&profile, "c"), NONE);
}

static void a_tensor_that_nobody_touches_has_no_place(void **state) {
    (void)state;
    uint32_t lone = tensor("lone", 1);
    op("A", NOTHING, NOTHING, NOTHING);
    finish();
    assert_int_equal(profile.tensors[lone].last_forward, NONE);
    assert_int_equal(profile.tensors[lone].producer, NONE);
}

static void layers_are_numbered_by_first_op_and_need_not_be_adjacent(void **state) {
    (void)state;
    static const char *const layer[] = { "one", "two", "one", NULL };
    static const char *const name[] = { "A", "B", "C", "D" };
    for (int i = 0; i < 4; i++)
        assert_int_equal(profile_add_op(&profile, &(struct op_spec){ .name = name[i], .layer = layer[i] }, NULL, &error),
                         SS_OK);
    finish();
    assert_int_equal(profile.layer_count, 3);
    assert_string_equal(profile.layers[2].name, "D");
    assert_span(profile.layers[0].ops, LIST(0, 2));
    assert_span(profile.layers[1].ops, LIST(1));
    assert_int_equal(profile_find_layer(&profile, "two"), 1);
}

static void a_row_a_layer_expands_as_the_model_says(void **state) {
    (void)state;
    const struct layer_spec rows[] = {
        { .name = "l0", .forward_us = 1, .backward_us = 2, .activation_bytes = 5, .output_bytes = 7 },
        { .name = "l1", .forward_us = 1, .backward_us = 2, .output_bytes = 9, .backward_workspace_bytes = 3 },
    };
    for (int i = 0; i < 2; i++)
        assert_int_equal(profile_add_layer(&profile, &rows[i], &error), SS_OK);
    finish();
    assert_int_equal(profile.tensor_count, 3);
    assert_true(!profile.tensors[0].gradient && profile.tensors[1].gradient);
    assert_span(profile.ops[0].saved, LIST(0));
    assert_span(profile.ops[0].outputs, LIST(0, 1));
    assert_span(profile.ops[1].inputs, LIST(1));
    assert_span(profile.ops[1].saved, LIST(1));
    assert_int_equal(profile.ops[1].backward_workspace_bytes, 3);
    assert_true(profile.ops[1].recompute_us == 1 && profile.ops[1].recomputable);
}

static void names_must_be_there_and_unique_among_their_kind(void **state) {
    (void)state;
    tensor("same", 1);
    op("same", NOTHING, NOTHING, NOTHING);
    assert_int_equal(profile_add_tensor(&profile, &(struct tensor_spec){ .name = "same" }, NULL, &error), SS_BAD_INPUT);
    assert_non_null(strstr(error.text, "tensor 'same'"));
    assert_int_equal(profile_add_op(&profile, &(struct op_spec){ .name = "same" }, NULL, &error), SS_BAD_INPUT);
    assert_non_null(strstr(error.text, "op 'same'"));
    assert_int_equal(profile_add_tensor(&profile, &(struct tensor_spec){ .name = "" }, NULL, &error), SS_BAD_INPUT);
    assert_int_equal(profile_add_op(&profile, &(struct op_spec){ .name = NULL }, NULL, &error), SS_BAD_INPUT);
    assert_int_equal(profile_add_layer(&profile, &(struct layer_spec){ .name = "same" }, &error), SS_BAD_INPUT);
    finish();
    assert_true(profile.tensor_count == 1 && profile.op_count == 1);
}

static void a_profile_without_ops_is_refused(void **state) {
    (void)state;
    tensor("a", 1);
    refuse("", 0, "ops", NONE, "at least one op");
}

static void an_input_from_a_later_op_is_refused(void **state) {
    (void)state;
    uint32_t a = tensor("a", 1), b = tensor("b", 1);
    op("A", LIST(a, b), NOTHING, NOTHING);
    op("B", NOTHING, LIST(b), NOTHING);
    refuse("ops", 0, "inputs", 1, "'b' is produced later, by op 'B'");
}

static void an_input_that_is_its_own_output_is_refused(void **state) {
    (void)state;
    uint32_t a = tensor("a", 1);
    op("A", LIST(a), LIST(a), NOTHING);
    refuse("ops", 0, "inputs", 0, "op 'A': input 'a'");
}

static void a_second_producer_is_refused(void **state) {
    (void)state;
    uint32_t a = tensor("a", 1), b = tensor("b", 1);
    op("A", NOTHING, LIST(a), NOTHING);
    op("B", NOTHING, LIST(b, a), NOTHING);
    refuse("ops", 1, "outputs", 1, "op 'A'");
}

static void an_output_listed_twice_is_refused(void **state) {
    (void)state;
    uint32_t a = tensor("a", 1);
    op("A", NOTHING, LIST(a, a), NOTHING);
    refuse("ops", 0, "outputs", 1, "'a' stands twice");
}

static void saving_a_tensor_of_another_op_is_refused(void **state) {
    (void)state;
    uint32_t a = tensor("a", 1), later = tensor("later", 1);
    op("A", NOTHING, LIST(a), NOTHING);
    op("B", NOTHING, NOTHING, LIST(a));
    op("C", NOTHING, LIST(later), NOTHING);
    refuse("ops", 1, "saved", 0, "saved 'a'");
}

static void saving_what_is_produced_later_is_refused(void **state) {
    (void)state;
    uint32_t later = tensor("later", 1);
    op("A", NOTHING, NOTHING, LIST(later));
    op("B", NOTHING, LIST(later), NOTHING);
    refuse("ops", 0, "saved", 0, "saved 'later'");
}

static void a_tensor_number_out_of_range_is_refused(void **state) {
    (void)state;
    op("A", LIST(4), NOTHING, NOTHING);
    refuse("ops", 0, "inputs", 0, "op 'A'");
}

static void times_that_are_no_times_are_refused(void **state) {
    static const double bad[] = { -1, INFINITY, NAN };
    static const char *const fields[] = { "forward_us", "backward_us", "recompute_us" };
    for (int field = 0; field < 3; field++)
        for (int i = 0; i < 3 - (field == 2); i++) {
            struct op_spec spec = { .name = "A" };
            *(field == 0 ? &spec.forward_us : field == 1 ? &spec.backward_us : &spec.recompute_us) = bad[i];
            begin(state);
            assert_int_equal(profile_add_op(&profile, &spec, NULL, &error), SS_OK);
            refuse("ops", 0, fields[field], NONE, fields[field]);
        }
    begin(state);
    op("A", NOTHING, NOTHING, NOTHING);
    profile.fixed_us = NAN;
    refuse("", 0, "fixed_us", NONE, "fixed_us");
}

static void sizes_from_2_53_on_are_refused(void **state) {
    tensor("a", BYTES_LIMIT - 1);
    tensor("b", BYTES_LIMIT);
    op("A", NOTHING, NOTHING, NOTHING);
    refuse("tensors", 1, "bytes", NONE, "tensor 'b'");
    begin(state);
    profile_add_op(&profile, &(struct op_spec){ .name = "A", .backward_workspace_bytes = BYTES_LIMIT }, NULL, &error);
    refuse("ops", 0, "backward_workspace_bytes", NONE, "op 'A'");
    begin(state);
    op("A", NOTHING, NOTHING, NOTHING);
    profile.static_bytes = BYTES_LIMIT;
    refuse("", 0, "static_bytes", NONE, "static_bytes");
}

static void sums_are_checked_and_never_wrapped(void **state) {
    char name[16];
    for (int i = 0; i < 511; i++) {
        snprintf(name, sizeof name, "t%d", i);
        tensor(name, BYTES_LIMIT - 1);
    }
    op("A", NOTHING, NOTHING, NOTHING);
    finish(); /* 511 tensors and gradients of 2^53 - 1 stay below 2^63 */
    begin(state);
    for (int i = 0; i < 513; i++) {
        snprintf(name, sizeof name, "t%d", i);
        tensor(name, BYTES_LIMIT - 1);
    }
    op("A", NOTHING, NOTHING, NOTHING);
    refuse("tensors", 512, "bytes", NONE, "2^63");
    begin(state);
    for (int i = 0; i < 2; i++)
        profile_add_op(&profile, &(struct op_spec){ .name = i ? "B" : "A", .forward_us = 1e308 }, NULL, &error);
    refuse("ops", 1, NULL, NONE, "'B'");
}

static void a_link_out_of_range_is_refused(void **state) {
    (void)state;
    op("A", NOTHING, NOTHING, NOTHING);
    profile.link.d2h_both_gb_per_s = 26;
    refuse("", 0, "link.d2h_both_gb_per_s", NONE, "found 26");
}

/* ---- plans ---------------------------------------------------------------------------------------------------------- */

static struct plan plan;

static void begin_plan(uint32_t *managed, uint32_t *pinned, uint32_t *unsaved) {
    *managed = tensor("managed", 10);
    *unsaved = tensor("unsaved", 20);
    profile_add_tensor(&profile, &(struct tensor_spec){ .name = "pinned", .bytes = 40, .keep = true }, pinned, &error);
    op("A", NOTHING, LIST(*managed, *unsaved, *pinned), LIST(*managed, *pinned));
    finish();
    assert_int_equal(plan_init(&plan, &arena, &profile, &error), SS_OK);
}

static void a_plan_keeps_all_until_told_otherwise(void **state) {
    (void)state;
    uint32_t managed, pinned, unsaved;
    begin_plan(&managed, &pinned, &unsaved);
    assert_int_equal(plan.action[managed], ACTION_KEEP);
    assert_int_equal(plan_prefetch(&plan, managed), PREFETCH_ANY);
    assert_true(plan.budget_bytes == BYTES_UNLIMITED);
    assert_int_equal(plan_set(&plan, &profile, managed, ACTION_OFFLOAD, &error), SS_OK);
    const struct plan_mix mix = plan_mix(&profile, &plan);
    assert_true(mix.bytes[ACTION_OFFLOAD] == 10 && mix.count[ACTION_OFFLOAD] == 1);
    assert_true(mix.bytes[ACTION_KEEP] == 40 && mix.count[ACTION_KEEP] == 1 && mix.count[ACTION_RECOMPUTE] == 0);
}

static void a_plan_decides_about_managed_tensors_alone(void **state) {
    (void)state;
    uint32_t managed, pinned, unsaved;
    begin_plan(&managed, &pinned, &unsaved);
    assert_int_equal(plan_set(&plan, &profile, unsaved, ACTION_KEEP, &error), SS_BAD_INPUT);
    assert_non_null(strstr(error.text, "'unsaved'"));
    assert_int_equal(plan_set(&plan, &profile, pinned, ACTION_RECOMPUTE, &error), SS_BAD_INPUT);
    assert_non_null(strstr(error.text, "'pinned'"));
    assert_int_equal(plan_set(&plan, &profile, pinned, ACTION_KEEP, &error), SS_OK);
}

static void a_copy_of_a_plan_is_its_own(void **state) {
    (void)state;
    uint32_t managed, pinned, unsaved;
    struct plan copy;
    begin_plan(&managed, &pinned, &unsaved);
    plan.prefetch = (uint32_t[]){ 1, 2, 3 };
    assert_int_equal(plan_copy(&copy, &arena, &profile, &plan, &error), SS_OK);
    plan.action[managed] = ACTION_RECOMPUTE;
    plan.prefetch[managed] = 9;
    assert_int_equal(copy.action[managed], ACTION_KEEP);
    assert_int_equal(plan_prefetch(&copy, managed), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, forget)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(who_reads_and_saves_a_tensor_is_derived),
        TEST(a_tensor_that_nobody_touches_has_no_place),
        TEST(layers_are_numbered_by_first_op_and_need_not_be_adjacent),
        TEST(a_row_a_layer_expands_as_the_model_says),
        TEST(names_must_be_there_and_unique_among_their_kind),
        TEST(a_profile_without_ops_is_refused),
        TEST(an_input_from_a_later_op_is_refused),
        TEST(an_input_that_is_its_own_output_is_refused),
        TEST(a_second_producer_is_refused),
        TEST(an_output_listed_twice_is_refused),
        TEST(saving_a_tensor_of_another_op_is_refused),
        TEST(saving_what_is_produced_later_is_refused),
        TEST(a_tensor_number_out_of_range_is_refused),
        TEST(times_that_are_no_times_are_refused),
        TEST(sizes_from_2_53_on_are_refused),
        TEST(sums_are_checked_and_never_wrapped),
        TEST(a_link_out_of_range_is_refused),
        TEST(a_plan_keeps_all_until_told_otherwise),
        TEST(a_plan_decides_about_managed_tensors_alone),
        TEST(a_copy_of_a_plan_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
