/* Reports: every figure of INTERFACE.md §1 under its name, equal outcomes in equal bytes, hostile names made harmless. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/zoo.h"
#include "io/plan_json.h"
#include "io/profile_json.h"
#include "io/report.h"

static struct arena arena;
static struct profile profile;
static struct outcome outcome;
static struct buffer out;
static struct error error;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    buffer_free(&out);
    return 0;
}

static void use_model(void) {
    const struct model_options options = { 0 };
    assert_int_equal(model_build(model_find("bert-base"), &options, &arena, &profile, &error), SS_OK);
}

static void use_profile(const char *text) {
    if (profile_json_read(text, strlen(text), &arena, &profile, NULL, &error) != SS_OK)
        fail_msg("%s: %s", error.place, error.text);
}

static void compute(const char *planner, double share, uint64_t host_memory_bytes) {
    const struct outcome_request request = {
        .profile = &profile, .budget = { .kind = BUDGET_SHARE, .share = share }, .link = LINK_OPTIONS_NONE,
        .planner = planner_find(planner), .host_memory_bytes = host_memory_bytes, .evaluation_limit = 20, .seed = 3,
    };
    if (outcome_compute(&request, &arena, &outcome, &error) != SS_OK)
        fail_msg("%s", error.text);
}

static struct json parsed(void) {
    struct json json;
    if (json_open(&json, out.text, out.length, &error) != SS_OK)
        fail_msg("%s: %s", error.place, error.text);
    return json;
}

static void assert_number(const struct json *json, const char *key, double expected) {
    const cJSON *member = json_find(json->root, key);
    assert_true(cJSON_IsNumber(member));
    if (member->valuedouble != expected)
        fail_msg("%s: %.17g <> %.17g", key, member->valuedouble, expected);
}

static void assert_text(const struct json *json, const char *key, const char *expected) {
    assert_string_equal(cJSON_GetStringValue(json_find(json->root, key)), expected);
}

static void the_room_that_binds_is_named_by_its_step(void **state) {
    (void)state;
    use_model();
    compute("slackswap", 0.5, BYTES_UNLIMITED);
    outcome.bound.binding = BINDING_ROOM;
    outcome.bound.step_op = 3;
    outcome.bound.step_kind = STEP_BACKWARD;
    report_json(&out, &outcome, &(struct report_extras){ 0 });
    struct json json = parsed();
    char expected[200];
    snprintf(expected, sizeof expected, "room at B %s", profile.ops[3].name);
    assert_text(&json, "bound_binding", expected);
    json_close(&json);
}

static void the_result_holds_every_figure(void **state) {
    (void)state;
    use_model();
    compute("slackswap", 0.5, BYTES_UNLIMITED);
    report_json(&out, &outcome, &(struct report_extras){ .timing = true, .plan_us = 12.5, .simulate_us = 0.5 });
    struct json json = parsed();
    const struct sim_totals *totals = &outcome.timeline.totals;
    const struct plan_mix mix = plan_mix(&profile, &outcome.timeline.plan);
    assert_text(&json, "schema", "slackswap-result/1");
    assert_text(&json, "profile", "bert-base");
    assert_text(&json, "planner", "slackswap");
    assert_text(&json, "unit", "tensor");
    assert_text(&json, "bound_binding", BINDING_NAME[outcome.bound.binding]);
    assert_true(cJSON_IsTrue(json_find(json.root, "feasible")));
    const struct { const char *key; double value; } figures[] = {
        { "budget_bytes", (double)(outcome.limits.unlimited_peak_bytes / 2) },
        { "peak_bytes", (double)totals->peak_bytes },
        { "unlimited_peak_bytes", (double)outcome.limits.unlimited_peak_bytes },
        { "required_bytes", (double)totals->required_bytes },
        { "step_us", totals->step_us }, { "ideal_us", profile.ideal_us }, { "bound_us", outcome.bound.bound_us },
        { "throughput", profile.ideal_us / totals->step_us }, { "gap", totals->step_us / outcome.bound.bound_us - 1 },
        { "recompute_us", totals->recompute_us }, { "stall_us", totals->stall_us },
        { "d2h_bytes", (double)totals->d2h_bytes }, { "h2d_bytes", (double)totals->h2d_bytes },
        { "host_peak_bytes", (double)totals->host_peak_bytes },
        { "keep_bytes", (double)mix.bytes[ACTION_KEEP] }, { "offload_bytes", (double)mix.bytes[ACTION_OFFLOAD] },
        { "recompute_bytes", (double)mix.bytes[ACTION_RECOMPUTE] },
        { "h2d_gb_per_s", 25 }, { "d2h_gb_per_s", 25 }, { "h2d_both_gb_per_s", 25 }, { "d2h_both_gb_per_s", 25 },
        { "latency_us", 10 }, { "seed", 3 }, { "evaluations", (double)outcome.evaluations },
        { "plan_us", 12.5 }, { "simulate_us", 0.5 },
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_number(&json, figures[i].key, figures[i].value);
    json_close(&json);
}

static void the_plan_in_the_result_is_the_plan(void **state) {
    (void)state;
    use_model();
    compute("slackswap", 0.5, BYTES_UNLIMITED);
    report_json(&out, &outcome, &(struct report_extras){ .actions = true });
    struct json json = parsed();
    struct plan plan;
    char *text = cJSON_PrintUnformatted(json_find(json.root, "plan"));
    if (plan_json_read(text, strlen(text), &profile, &arena, &plan, NULL, &error) != SS_OK)
        fail_msg("%s: %s", error.place, error.text);
    assert_memory_equal(plan.action, outcome.timeline.plan.action, profile.tensor_count);
    cJSON_free(text);
    json_close(&json);
}

static void equal_outcomes_give_equal_bytes(void **state) {
    (void)state;
    struct buffer again = { 0 };
    const struct report_extras extras = { .actions = true };
    use_model();
    compute("slackswap", 0.4, BYTES_UNLIMITED);
    report_json(&out, &outcome, &extras);
    report_text(&out, &outcome, &extras);
    compute("slackswap", 0.4, BYTES_UNLIMITED);
    report_json(&again, &outcome, &extras);
    report_text(&again, &outcome, &extras);
    assert_string_equal(out.text, again.text);
    buffer_free(&again);
}

static void what_does_not_fit_says_what_it_needs_and_where(void **state) {
    (void)state;
    use_model();
    compute("keep", 0.5, BYTES_UNLIMITED);
    report_json(&out, &outcome, &(struct report_extras){ 0 });
    struct json json = parsed();
    assert_true(cJSON_IsFalse(json_find(json.root, "feasible")));
    assert_number(&json, "required_bytes", (double)outcome.limits.unlimited_peak_bytes);
    assert_text(&json, "step", "B head.loss");
    assert_text(&json, "layer", "head");
    assert_true(cJSON_IsNull(json_find(json.root, "step_us")) && cJSON_IsNull(json_find(json.root, "gap")));
    json_close(&json);
    buffer_free(&out);
    report_text(&out, &outcome, &(struct report_extras){ 0 });
    assert_non_null(strstr(out.text, "feasible      no: needs "));
    assert_non_null(strstr(out.text, " at B head.loss, layer head"));
    assert_null(strstr(out.text, "\nstep "));
}

static void a_host_limit_makes_a_plan_infeasible(void **state) {
    (void)state;
    use_model();
    compute("offload", 0.5, 1);
    report_json(&out, &outcome, &(struct report_extras){ 0 });
    struct json json = parsed();
    assert_true(cJSON_IsFalse(json_find(json.root, "feasible")));
    assert_true(cJSON_IsTrue(json_find(json.root, "host_limit_exceeded")));
    json_close(&json);
}

/* Two layers of 90 kB each into room for one: the first must leave before the second comes. */
static void use_two_layers(const char *rates) {
    char text[512];
    snprintf(text, sizeof text, "{\"name\": \"toy\", \"link\": {%s}, \"layers\": ["
             "{\"name\": \"a\", \"forward_us\": 10, \"backward_us\": 10, \"activation_bytes\": 90000, \"output_bytes\": 0},"
             "{\"name\": \"b\", \"forward_us\": 10, \"backward_us\": 10, \"activation_bytes\": 90000, \"output_bytes\": 0}"
             "]}", rates);
    use_profile(text);
}

static void the_text_report_says_it_line_by_line(void **state) {
    (void)state;
    use_two_layers("\"h2d_gb_per_s\": 1, \"d2h_gb_per_s\": 0.5");
    compute("offload", 0.5, BYTES_UNLIMITED);
    report_text(&out, &outcome, &(struct report_extras){ .timing = true, .plan_us = 1500, .simulate_us = 2 });
    const char *expected =
        "profile       toy: 2 ops in 2 layers, 3 of 4 tensors managed\n"
        "link          H2D 1.00 GB/s, D2H 0.50 GB/s, latency 0 us\n"
        "planner       offload, an action a tensor, 1 evaluation\n"
        "\n"
        "budget        87.9 KiB, 50.0% of the unlimited peak 176 KiB\n"
        "feasible      yes: needs 87.9 KiB\n"
        "step          310.0 us, 12.9% of ideal\n"
        "ideal         40.00 us\n";
    assert_memory_equal(out.text, expected, strlen(expected));
    expected =
        "recompute     0 us in 0 ops run again\n"
        "stall         270.0 us in 2 gaps\n"
        "   180.0 us  wait-room, until a D2H ends: 1 gap, the longest 180.0 us before F b for a.saved\n"
        "   90.00 us  wait-transfer, which had no room sooner: 1 gap, the longest 90.00 us before B a for a.saved\n"
        "memory        peak 87.9 KiB of 87.9 KiB\n"
        "transfers     D2H 87.9 KiB in 1, H2D 87.9 KiB in 1\n"
        "host          87.9 KiB pinned at most\n"
        "mix           keep 87.9 KiB in 2, offload 87.9 KiB in 1, recompute 0 B in 0\n"
        "took          planning 1.50 ms, one simulation 2.00 us\n"
        "\n"
        "not modelled\n";
    assert_non_null(strstr(out.text, expected));
}

static void stalls_are_told_by_cause_the_largest_first(void **state) {
    (void)state;
    use_two_layers("\"h2d_gb_per_s\": 0.5, \"d2h_gb_per_s\": 1");
    compute("offload", 0.5, BYTES_UNLIMITED);
    report_text(&out, &outcome, &(struct report_extras){ 0 });
    assert_non_null(strstr(out.text,
        "stall         270.0 us in 2 gaps\n"
        "   180.0 us  wait-transfer, which had no room sooner: 1 gap, the longest 180.0 us before B a for a.saved\n"
        "   90.00 us  wait-room, until a D2H ends: 1 gap, the longest 90.00 us before F b for a.saved\n"));
}

static void names_cannot_drive_the_terminal(void **state) {
    (void)state;
    use_profile("{\"name\": \"\\u001b[2J\\u202eevil\", \"layers\": ["
                "{\"name\": \"a\\u009b1m\\n\", \"forward_us\": 1, \"backward_us\": 1, \"activation_bytes\": 9, \"output_bytes\": 9},"
                "{\"name\": \"b\", \"forward_us\": 1, \"backward_us\": 1, \"output_bytes\": 9}]}");
    compute("keep", 0.5, BYTES_UNLIMITED);
    report_text(&out, &outcome, &(struct report_extras){ 0 });
    const struct outcome *outcomes[] = { &outcome };
    compare_text(&out, outcomes, 1);
    for (size_t i = 0; i < out.length; i++)
        assert_true((unsigned char)out.text[i] >= ' ' || out.text[i] == '\n');
    assert_null(strstr(out.text, "\xC2\x9B"));
    assert_null(strstr(out.text, "\xE2\x80\xAE"));
    buffer_free(&out);
    report_json(&out, &outcome, &(struct report_extras){ .actions = true });
    for (size_t i = 0; i < out.length; i++)
        assert_true((unsigned char)out.text[i] >= ' ' || out.text[i] == '\n');
}

static void comparing_gives_a_line_a_planner(void **state) {
    (void)state;
    static struct outcome several[2];
    const struct outcome *outcomes[] = { &several[0], &several[1] };
    use_model();
    compute("keep", 0.5, BYTES_UNLIMITED);
    several[0] = outcome;
    compute("offload", 0.5, BYTES_UNLIMITED);
    several[1] = outcome;
    compare_text(&out, outcomes, 2);
    assert_non_null(strstr(out.text, "\nkeep              does not fit: needs "));
    assert_non_null(strstr(out.text, "\noffload "));
    buffer_free(&out);
    compare_json(&out, outcomes, (struct report_extras[2]){ { 0 } }, 2);
    struct json json = parsed();
    assert_int_equal(cJSON_GetArraySize(json.root), 2);
    json_close(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_room_that_binds_is_named_by_its_step, forget),
        cmocka_unit_test_teardown(the_result_holds_every_figure, forget),
        cmocka_unit_test_teardown(the_plan_in_the_result_is_the_plan, forget),
        cmocka_unit_test_teardown(equal_outcomes_give_equal_bytes, forget),
        cmocka_unit_test_teardown(what_does_not_fit_says_what_it_needs_and_where, forget),
        cmocka_unit_test_teardown(a_host_limit_makes_a_plan_infeasible, forget),
        cmocka_unit_test_teardown(the_text_report_says_it_line_by_line, forget),
        cmocka_unit_test_teardown(stalls_are_told_by_cause_the_largest_first, forget),
        cmocka_unit_test_teardown(names_cannot_drive_the_terminal, forget),
        cmocka_unit_test_teardown(comparing_gives_a_line_a_planner, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
