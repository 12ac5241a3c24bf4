/* Profiles and plans as JSON: what is written reads back equal, both forms are read, defaults are those of MODEL.md. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/plan_json.h"
#include "io/profile_json.h"
#include "../random_profile.h"

static struct arena arena;
static struct profile profile;
static struct plan plan;
static struct warnings warnings;
static struct error error;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    memset(&warnings, 0, sizeof warnings);
    memset(&error, 0, sizeof error);
    return 0;
}

static void read_profile(const char *text) {
    if (profile_json_read(text, strlen(text), &arena, &profile, &warnings, &error) != SS_OK)
        fail_msg("%s: %s in %.300s", error.place, error.text, text);
}

static void read_plan(const char *text) {
    if (plan_json_read(text, strlen(text), &profile, &arena, &plan, &warnings, &error) != SS_OK)
        fail_msg("%s: %s in %.300s", error.place, error.text, text);
}

/* ---- what is written reads back equal ---------------------------------------------------------------------------- */

static void assert_same_list(const struct profile *a, struct span x, const struct profile *b, struct span y) {
    assert_int_equal(x.count, y.count);
    for (uint32_t i = 0; i < x.count; i++)
        assert_int_equal(a->index[x.at + i], b->index[y.at + i]);
}

static void assert_same_profile(const struct profile *a, const struct profile *b) {
    assert_int_equal(a->tensor_count, b->tensor_count);
    assert_int_equal(a->op_count, b->op_count);
    assert_int_equal(a->layer_count, b->layer_count);
    assert_int_equal(a->managed_count, b->managed_count);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->static_bytes, b->static_bytes);
    assert_true(a->fixed_us == b->fixed_us && a->ideal_us == b->ideal_us);
    assert_true(a->link.h2d_both_gb_per_s == b->link.h2d_both_gb_per_s && a->link.latency_us == b->link.latency_us);
    assert_true(a->link.h2d_gb_per_s == b->link.h2d_gb_per_s && a->link.d2h_gb_per_s == b->link.d2h_gb_per_s);
    for (uint32_t t = 0; t < a->tensor_count; t++) {
        const struct tensor *x = &a->tensors[t], *y = &b->tensors[t];
        assert_string_equal(x->name, y->name);
        assert_true(x->bytes == y->bytes && x->gradient == y->gradient && x->keep == y->keep);
        assert_int_equal(x->last_forward, y->last_forward);
        assert_same_list(a, x->consumers, b, y->consumers);
        assert_same_list(a, x->savers, b, y->savers);
    }
    for (uint32_t i = 0; i < a->op_count; i++) {
        const struct op *x = &a->ops[i], *y = &b->ops[i];
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->kind, y->kind);
        assert_string_equal(a->layers[x->layer].name, b->layers[y->layer].name);
        assert_true(x->forward_us == y->forward_us && x->backward_us == y->backward_us);
        assert_true(x->recompute_us == y->recompute_us && x->recomputable == y->recomputable);
        assert_int_equal(x->forward_workspace_bytes, y->forward_workspace_bytes);
        assert_int_equal(x->backward_workspace_bytes, y->backward_workspace_bytes);
        assert_same_list(a, x->inputs, b, y->inputs);
        assert_same_list(a, x->outputs, b, y->outputs);
        assert_same_list(a, x->saved, b, y->saved);
    }
}

static void every_random_profile_reads_back_equal(void **state) {
    (void)state;
    struct random random = { 1 };
    for (int i = 0; i < 300; i++) {
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 24), .whole_times = random_chance(&random, 30) };
        struct profile original;
        struct buffer first = { 0 }, second = { 0 };
        random_profile(&random, &shape, &arena, &original);
        profile_json_write(&first, &original);
        read_profile(first.text);
        assert_same_profile(&original, &profile);
        profile_json_write(&second, &profile);
        assert_string_equal(first.text, second.text);
        buffer_free(&first);
        buffer_free(&second);
        arena_reset(&arena);
    }
}

static void every_random_plan_reads_back_equal(void **state) {
    (void)state;
    struct random random = { 2 };
    for (int i = 0; i < 300; i++) {
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 24), .free_choice = true };
        struct plan original;
        struct buffer text = { 0 };
        random_profile(&random, &shape, &arena, &profile);
        random_plan(&random, &profile, &arena, &original);
        original.budget_bytes = random_chance(&random, 50) ? BYTES_UNLIMITED : random_below(&random, 1u << 30);
        plan_json_write(&text, &profile, &original);
        read_plan(text.text);
        assert_int_equal(plan.budget_bytes, original.budget_bytes);
        assert_string_equal(plan.planner, original.planner);
        for (uint32_t t = 0; t < profile.tensor_count; t++) {
            assert_int_equal(plan.action[t], original.action[t]);
            if (profile.tensors[t].managed)
                assert_int_equal(plan_prefetch(&plan, t), plan_prefetch(&original, t));
        }
        buffer_free(&text);
        arena_reset(&arena);
    }
}

static void names_of_any_kind_read_back_equal(void **state) {
    (void)state;
    read_profile("{\"schema\": \"slackswap-profile/1\", \"name\": \"\\\"\\\\\\n\\u001b[31m\\u0085 \\ud83d\\ude00 \xC3\xA4 /\","
                 "\"tensors\": [], \"ops\": [{\"name\": \"\\u007f\", \"forward_us\": 1, \"backward_us\": 1}]}");
    const char *name = profile.name;
    struct buffer text = { 0 };
    profile_json_write(&text, &profile);
    for (size_t i = 0; i < text.length; i++)
        assert_true((unsigned char)text.text[i] >= ' ' || text.text[i] == '\n');
    read_profile(text.text);
    assert_string_equal(profile.name, name);
    assert_string_equal(profile.name, "\"\\\n\x1b[31m\xC2\x85 \xF0\x9F\x98\x80 \xC3\xA4 /");
    assert_string_equal(profile.ops[0].name, "\x7f");
    buffer_free(&text);
}

static void numbers_are_the_shortest_that_read_back_equal(void **state) {
    (void)state;
    static const struct { double number; const char *text; } cases[] = {
        { 0, "0" }, { -0.0, "0" }, { 1, "1" }, { 0.1, "0.1" }, { 20.1, "20.1" }, { 1e14, "100000000000000" },
        { 123456789012345.0, "123456789012345" }, { 0.1 + 0.2, "0.30000000000000004" }, { 1e300, "1e+300" },
        { 1.0 / 3, "0.3333333333333333" }, { -2.5, "-2.5" },
    };
    char text[JSON_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(json_format_number(text, cases[i].number), cases[i].text);
    struct random random = { 3 };
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_next(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number) && strtod(json_format_number(text, number), NULL) != number)
            fail_msg("%s <> %.17g", text, number);
    }
}

/* ---- forms and defaults ------------------------------------------------------------------------------------------- */

static void what_a_full_profile_leaves_out_has_its_default(void **state) {
    (void)state;
    read_profile("{\"tensors\": [{\"name\": \"t\", \"bytes\": 5}],"
                 " \"ops\": [{\"name\": \"a\", \"forward_us\": 1.5, \"backward_us\": 2, \"outputs\": [\"t\"]}]}");
    assert_int_equal(warnings.count, 1);
    assert_string_equal(warnings.text[0], "no \"schema\": read as slackswap-profile/1");
    assert_string_equal(profile.link.name, "pcie4-x16");
    assert_true(profile.link.h2d_gb_per_s == 25 && profile.link.d2h_both_gb_per_s == 25 && profile.link.latency_us == 10);
    assert_true(profile.tensors[0].gradient && !profile.tensors[0].keep && !profile.tensors[0].managed);
    assert_true(profile.ops[0].recompute_us == 1.5 && profile.ops[0].recomputable);
    assert_string_equal(profile.layers[profile.ops[0].layer].name, "a");
    assert_true(profile.static_bytes == 0 && profile.fixed_us == 0);
}

static void a_link_needs_its_single_rates_alone(void **state) {
    (void)state;
    read_profile("{\"link\": {\"h2d_gb_per_s\": 12, \"d2h_gb_per_s\": 8, \"d2h_both_gb_per_s\": 6}, \"tensors\": [],"
                 "\"ops\": [{\"name\": \"a\", \"forward_us\": 1, \"backward_us\": 1}]}");
    assert_true(profile.link.h2d_both_gb_per_s == 12 && profile.link.d2h_both_gb_per_s == 6);
    assert_true(profile.link.latency_us == 0);
}

static void rows_of_layers_expand_to_ops(void **state) {
    (void)state;
    read_profile("{\"layers\": [{\"name\": \"l0\", \"forward_us\": 1, \"backward_us\": 2, \"activation_bytes\": 7,"
                 " \"output_bytes\": 3, \"forward_workspace_bytes\": 4},"
                 "{\"name\": \"l1\", \"forward_us\": 1, \"backward_us\": 2, \"output_bytes\": 5}]}");
    assert_int_equal(profile.tensor_count, 3);
    assert_string_equal(profile.tensors[0].name, "l0.saved");
    assert_string_equal(profile.tensors[1].name, "l0.out");
    assert_string_equal(profile.tensors[2].name, "l1.out");
    assert_true(!profile.tensors[0].gradient && profile.tensors[1].gradient);
    assert_int_equal(profile.ops[0].saved.count, 1);
    assert_int_equal(profile.ops[0].forward_workspace_bytes, 4);
    assert_int_equal(profile.ops[1].saved.count, 1);
    assert_int_equal(profile.index[profile.ops[1].saved.at], 1);
    assert_int_equal(profile.managed_count, 2);
}

static void unknown_members_are_passed_over(void **state) {
    (void)state;
    read_profile("\xEF\xBB\xBF{\"schema\": \"slackswap-profile/1\", \"note\": {\"deep\": [1, null]},"
                 " \"tensors\": [], \"ops\": [{\"name\": \"a\", \"forward_us\": 1, \"backward_us\": 1, \"x\": null}]}");
    assert_int_equal(warnings.count, 0);
}

/* ---- cost --------------------------------------------------------------------------------------------------------- */

/* A chain of OPS ops in which each saves its input, and the plan that moves all of it. */
static void write_chain(uint32_t ops, struct buffer *chain, struct buffer *moves) {
    buffer_text(chain, "{\"tensors\": [");
    for (uint32_t i = 0; i < ops; i++)
        buffer_printf(chain, "%s{\"name\": \"t%u\", \"bytes\": %u}", i ? ", " : "", (unsigned)i, (unsigned)i);
    buffer_text(chain, "], \"ops\": [{\"name\": \"0\", \"forward_us\": 1, \"backward_us\": 1, \"outputs\": [\"t0\"]}");
    buffer_text(moves, "{\"actions\": {\"t0\": \"offload\"");
    for (uint32_t i = 1; i < ops; i++) {
        buffer_printf(chain, ", {\"name\": \"%u\", \"layer\": \"L%u\", \"forward_us\": 1.5, \"backward_us\": 3,"
                      " \"inputs\": [\"t%u\"], \"saved\": [\"t%u\"], \"outputs\": [\"t%u\"]}", (unsigned)i,
                      (unsigned)i / 10, (unsigned)i - 1, (unsigned)i - 1, (unsigned)i);
        if (i < ops - 1)
            buffer_printf(moves, ", \"t%u\": \"offload\"", (unsigned)i);
    }
    buffer_text(chain, "]}");
    buffer_text(moves, "}}");
}

/* Processor time to read both and to write both, the least of three tries. */
static double cost_of(uint32_t ops) {
    struct buffer chain = { 0 }, moves = { 0 };
    double least = INFINITY;
    write_chain(ops, &chain, &moves);
    for (int i = 0; i < 3; i++) {
        struct buffer written = { 0 };
        clock_t start = clock();
        read_profile(chain.text);
        read_plan(moves.text);
        profile_json_write(&written, &profile);
        plan_json_write(&written, &profile, &plan);
        least = fmin(least, (double)(clock() - start));
        buffer_free(&written);
        arena_free(&arena);
    }
    buffer_free(&chain);
    buffer_free(&moves);
    return least;
}

static void reading_and_writing_take_time_in_proportion(void **state) {
    (void)state;
    double small = cost_of(3000), large = cost_of(30000);
    if (large > 30 * small) /* ten times when linear, a hundred when quadratic */
        fail_msg("%g <> %g ticks", small, large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_random_profile_reads_back_equal, forget),
        cmocka_unit_test_teardown(every_random_plan_reads_back_equal, forget),
        cmocka_unit_test_teardown(names_of_any_kind_read_back_equal, forget),
        cmocka_unit_test_teardown(numbers_are_the_shortest_that_read_back_equal, forget),
        cmocka_unit_test_teardown(what_a_full_profile_leaves_out_has_its_default, forget),
        cmocka_unit_test_teardown(a_link_needs_its_single_rates_alone, forget),
        cmocka_unit_test_teardown(rows_of_layers_expand_to_ops, forget),
        cmocka_unit_test_teardown(unknown_members_are_passed_over, forget),
        cmocka_unit_test_teardown(reading_and_writing_take_time_in_proportion, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
