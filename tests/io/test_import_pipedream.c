/* PipeDream graphs become profiles: what becomes an op, a tensor, data, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import_pipedream.h"
#include "io/lines.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct imported {
    struct arena arena;
    char *text;
    size_t length;
    struct profile profile;
    struct import_remarks remarks;
    struct pipedream_totals totals;
    struct error error;
    enum ss_status status;
};

static void import_text(struct imported *imported, const char *text, size_t length) {
    const struct import_file file = { .text = text, .length = length, .name = "graph" };
    imported->status = import_pipedream_totals(&file, &imported->arena, &imported->profile, &imported->remarks,
                                               &imported->totals, &imported->error);
}

/* Reads the file FOLDER/NAME; false when it is not there. */
static bool read_file(struct imported *imported, const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    imported->length = (size_t)ftell(file);
    rewind(file);
    imported->text = malloc(imported->length + 1);
    assert_non_null(imported->text);
    assert_int_equal(fread(imported->text, 1, imported->length, file), imported->length);
    fclose(file);
    return true;
}

static void release(struct imported *imported) {
    arena_free(&imported->arena);
    free(imported->text);
    *imported = (struct imported){ 0 };
}

static void import_fixture(struct imported *imported, const char *name) {
    char folder[4096];
    const char *source = getenv("SRCDIR");
    snprintf(folder, sizeof folder, "%s/tests/fixtures/pipedream", source ? source : ".");
    *imported = (struct imported){ 0 };
    assert_true(read_file(imported, folder, name));
    import_text(imported, imported->text, imported->length);
    if (imported->status != SS_OK) fail_msg("%s: %s: %s", name, imported->error.place, imported->error.text);
}

static const struct op *op_named(const struct imported *imported, const char *name) {
    for (uint32_t i = 0; i < imported->profile.op_count; i++)
        if (strcmp(imported->profile.ops[i].name, name) == 0) return &imported->profile.ops[i];
    fail_msg("no op %s", name);
    return NULL;
}

static const struct tensor *tensor_named(const struct imported *imported, const char *name) {
    for (uint32_t i = 0; i < imported->profile.tensor_count; i++)
        if (strcmp(imported->profile.tensors[i].name, name) == 0) return &imported->profile.tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

/* The tensors of a list, in order, parted by commas. */
static void assert_list(const struct imported *imported, struct span list, const char *expected) {
    char text[256] = "";
    for (uint32_t i = 0; i < list.count; i++) {
        strcat(text, i ? "," : "");
        strcat(text, imported->profile.tensors[imported->profile.index[list.at + i]].name);
    }
    assert_string_equal(text, expected);
}

static void assert_op(const struct imported *imported, const char *name, const char *inputs, const char *outputs,
                      const char *saved) {
    const struct op *op = op_named(imported, name);
    assert_list(imported, op->inputs, inputs);
    assert_list(imported, op->outputs, outputs);
    assert_list(imported, op->saved, saved);
}

static void nodes_run_in_the_order_of_their_numbers_whatever_the_file_order(void **state) {
    (void)state;
    struct imported imported;
    static const char *const expected[] = {
        "node2 Conv2d", "node3 Conv2d", "node4 BatchNorm2d", "node6 Add", "node7 ReLU", "node8 MaxPool2d",
        "node10 Dropout", "node11 Linear",
    };
    import_fixture(&imported, "residual.txt");
    assert_int_equal(imported.profile.op_count, LENGTH(expected));
    for (uint32_t i = 0; i < LENGTH(expected); i++) assert_string_equal(imported.profile.ops[i].name, expected[i]);
    release(&imported);
}

static void an_edge_to_a_lower_number_outranks_the_numbers(void **state) {
    (void)state;
    struct imported imported = { 0 };
    static const char text[] =
        "node1 -- Linear(1) -- forward_compute_time=1, backward_compute_time=1, activation_size=4, parameter_size=0\n"
        "node2 -- Linear(2) -- forward_compute_time=1, backward_compute_time=1, activation_size=4, parameter_size=0\n"
        "node3 -- Linear(3) -- forward_compute_time=1, backward_compute_time=1, activation_size=4, parameter_size=0\n"
        "\tnode3 -- node1\n";
    import_text(&imported, text, sizeof text - 1);
    assert_int_equal(imported.status, SS_OK);
    assert_string_equal(imported.profile.ops[0].name, "node3 Linear");
    assert_string_equal(imported.profile.ops[1].name, "node1 Linear");
    assert_string_equal(imported.profile.ops[2].name, "node2 Linear");
    release(&imported);
}

static void data_loading_is_left_out_of_the_step_and_the_source_says_so(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_true(imported.profile.forward_us > 4199.999 && imported.profile.forward_us < 4200.001);
    assert_true(imported.profile.backward_us > 7109.999 && imported.profile.backward_us < 7110.001);
    assert_int_equal(tensor_named(&imported, "node1")->producer, NONE);
    assert_non_null(strstr(imported.profile.source, "50.000 ms of data loading in 1 input nodes left out"));
    release(&imported);
}

static void static_bytes_are_parameters_their_gradients_and_the_batch(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_int_equal(imported.totals.parameter_bytes, 80 + 160 + 16 + 10040);
    assert_int_equal(imported.profile.static_bytes, 2 * (80 + 160 + 16 + 10040) + 2000);
    release(&imported);
}

static void in_place_ops_lie_in_the_storage_of_the_operand_made_last(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_op(&imported, "node6 Add", "node2,node4", "", "");
    assert_op(&imported, "node7 ReLU", "node4", "", "node4");
    assert_op(&imported, "node8 MaxPool2d", "node4", "node8,node8 indices", "node4,node8 indices");
    assert_int_equal(imported.totals.in_place, 2);
    assert_int_equal(imported.totals.unshared, 0);
    assert_int_equal(imported.remarks.warning_count, 0);
    release(&imported);
}

static void rebuilding_a_storage_takes_its_in_place_ops_and_their_operands_too(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_op(&imported, "node4 BatchNorm2d", "node3,node2", "node4", "node3");
    const struct op *op = op_named(&imported, "node4 BatchNorm2d");
    assert_true(op->forward_us == 400 && op->recompute_us == 400 + 100 + 200);
    release(&imported);
}

static void views_and_sizes_are_neither_ops_nor_tensors(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_op(&imported, "node10 Dropout", "node8", "node10,node10 mask", "node10 mask");
    assert_int_equal(tensor_named(&imported, "node10 mask")->bytes, 250);
    assert_false(tensor_named(&imported, "node10 mask")->gradient);
    assert_int_equal(tensor_named(&imported, "node8 indices")->bytes, 2000);
    assert_int_equal(imported.totals.views, 2);
    release(&imported);
}

static void ops_without_weights_join_the_layer_that_they_read(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "residual.txt");
    assert_int_equal(imported.profile.layer_count, 3);
    assert_string_equal(imported.profile.layers[1].name, "node3 Conv2d");
    assert_int_equal(imported.profile.layers[1].ops.count, 6);
    release(&imported);
}

static void lists_bare_ids_and_elements_are_understood(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "recurrent.txt");
    assert_op(&imported, "2 Embedding", "0", "2", "0");
    assert_op(&imported, "3 LSTM", "2,1", "3[0],3[1],3[2]", "2,1,3[0],3[1],3[2]");
    assert_op(&imported, "6 Add", "3[0],2", "6", "");
    assert_op(&imported, "7 Attend", "6,3[1]", "7", "6,3[1],7");
    assert_int_equal(tensor_named(&imported, "3[2]")->bytes, 16);
    assert_int_equal(imported.totals.inputs, 2);
    assert_int_equal(imported.totals.unknown, 1);
    assert_int_equal(imported.remarks.warning_count, 1);
    assert_non_null(strstr(imported.remarks.warnings[0], "\"Attend\" on line 8"));
    release(&imported);
}

static void crlf_a_fourth_field_and_no_final_newline_are_understood(void **state) {
    (void)state;
    struct imported imported;
    import_fixture(&imported, "crlf.txt");
    assert_op(&imported, "node2 Linear", "node1", "node2", "node1");
    assert_op(&imported, "node3 ReLU", "node2", "", "node2");
    assert_op(&imported, "node4 Linear", "node2", "node4", "node2");
    assert_int_equal(imported.totals.edges, 3);
    assert_true(import_pipedream_matches(imported.text, imported.length));
    release(&imported);
}

#define NODE(id, what, bytes)                                                                                          \
    id " -- " what " -- forward_compute_time=1, backward_compute_time=1, activation_size=" bytes ", parameter_size=0\n"

static void an_in_place_op_that_overwrites_what_is_needed_gets_a_tensor_of_its_own(void **state) {
    (void)state;
    static const char *const texts[] = {
        /* the linear's backward reads what the ReLU would overwrite */
        NODE("1", "Linear(1)", "8") NODE("2", "ReLU(inplace)", "8") NODE("3", "Linear(3)", "8") "\t1 -- 2\n\t1 -- 3\n",
        /* the sigmoid's own backward reads its output */
        NODE("1", "Sigmoid()", "8") NODE("2", "ReLU(inplace)", "8") NODE("3", "Linear(3)", "8") "\t1 -- 2\n\t2 -- 3\n",
        /* the sizes differ: no such storage */
        NODE("1", "Linear(1)", "4") NODE("2", "ReLU(inplace)", "8") NODE("3", "Linear(3)", "8") "\t1 -- 2\n\t2 -- 3\n",
    };
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct imported imported = { 0 };
        import_text(&imported, texts[i], strlen(texts[i]));
        assert_int_equal(imported.status, SS_OK);
        assert_op(&imported, "2 ReLU", "1", "2", "2");
        assert_int_equal(imported.totals.unshared, 1);
        assert_int_equal(imported.remarks.warning_count, 1);
        release(&imported);
    }
}

static void inplace_false_is_no_in_place_op(void **state) {
    (void)state;
    struct imported imported = { 0 };
    static const char text[] = NODE("1", "Linear(1)", "8") NODE("2", "ReLU(inplace=False)", "8") "\t1 -- 2\n";
    import_text(&imported, text, sizeof text - 1);
    assert_op(&imported, "2 ReLU", "1", "2", "2");
    assert_int_equal(imported.totals.in_place, 0);
    release(&imported);
}

static void what_breaks_the_format_is_refused_with_its_line(void **state) {
    (void)state;
#define FIELDS(f, b, a, p) "forward_compute_time=" f ", backward_compute_time=" b ", activation_size=" a ", parameter_size=" p
    static const struct { const char *text, *place, *words; } cases[] = {
        { "", "line 1", "expected at least one node" },
        { "\n\n", "line 1", "expected at least one node" },
        { "garbage\n", "line 1", "expected a node line" },
        { "\x7f" "ELF\x02\x01\n", "line 1", "found \"?ELF??\"" },
        { NODE("1", "A", "8") "garbage\n", "line 2", "found \"garbage\"" },
        { "1 -- A\n", "line 1", "expected a node line" },
        { "1 -- A -- forward_compute_time=1\n", "line 1", "expected backward_compute_time" },
        { "1 -- A -- " FIELDS("-1", "1", "1", "1"), "line 1", "expected forward_compute_time to be milliseconds >= 0, found \"-1\"" },
        { "1 -- A -- " FIELDS("nan", "1", "1", "1"), "line 1", "found \"nan\"" },
        { "1 -- A -- " FIELDS("1", "inf", "1", "1"), "line 1", "expected backward_compute_time" },
        { "1 -- A -- " FIELDS("1", "1e999", "1", "1"), "line 1", "found \"1e999\"" },
        { "1 -- A -- " FIELDS("0x10", "1", "1", "1"), "line 1", "found \"0x10\"" },
        { "1 -- A -- " FIELDS("1", "1", "1.5", "1"), "line 1", "expected activation_size to be whole bytes" },
        { "1 -- A -- " FIELDS("1", "1", "9007199254740992", "1"), "line 1", "expected activation_size" },
        { "1 -- A -- " FIELDS("1", "1", "[1; ]", "1"), "line 1", "found \"[1; ]\"" },
        { "1 -- A -- " FIELDS("1", "1", "[]", "1"), "line 1", "found \"[]\"" },
        { "1 -- A -- " FIELDS("1", "1", "1", "-4"), "line 1", "expected parameter_size" },
        { "1 -- A -- " FIELDS("1", "1", "1", "4, size=3"), "line 1", "found \" size=3\"" },
        { "1 -- A -- " FIELDS("1", "1", "1", "4, parameter_size=3"), "line 1", "each once" },
        { "1 -- A -- " FIELDS("1", "1", "1", "4 -- stage"), "line 1", "expected a fourth field" },
        { NODE("1", "A", "8") "\n" NODE("1", "B", "8"), "line 3", "expected an id other than that of line 1, found \"1\"" },
        { NODE("1", "A", "8") "\t1 -- 2\n", "line 2", "expected a node that the file defines, found \"2\"" },
        { NODE("1", "A", "8") "\t1\n", "line 2", "expected an edge line" },
        { NODE("1", "A", "8") "\t1 -- 1\n", "line 2", "expected an edge between two nodes" },
        { NODE("1", "A", "8") NODE("2", "B", "8") "\t1 -- 2\n\t2 -- 1\n", "line 3", "expected edges without a cycle" },
        { "1 -- A -- " FIELDS("0", "0", "0", "0"), "", "this graph was written without profiling" },
        { "1 -- A -- " FIELDS("0", "0.0", "8", "8"), "", "this graph was written without profiling" },
        { "1 -- Input -- " FIELDS("5", "0", "8", "0"), "", "this graph was written without profiling" },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct imported imported = { 0 };
        import_text(&imported, cases[i].text, strlen(cases[i].text));
        assert_int_equal(imported.status, SS_BAD_INPUT);
        if (!strstr(imported.error.text, cases[i].words)) fail_msg("%s <> %s", imported.error.text, cases[i].words);
        if (strcmp(imported.error.place, cases[i].place) != 0)
            fail_msg("%s: %s <> %s", cases[i].words, imported.error.place, cases[i].place);
        release(&imported);
    }
}

static void other_texts_are_not_taken_for_a_graph(void **state) {
    (void)state;
    static const char *const texts[] = { "", "{\"schema\":1}", "a,b,c\n1,2,3\n", "node1 -- Input\n", "\n\n" };
    for (size_t i = 0; i < LENGTH(texts); i++) assert_false(import_pipedream_matches(texts[i], strlen(texts[i])));
}

static void a_chain_of_100000_nodes_is_read_without_recursion(void **state) {
    (void)state;
    enum { NODES = 100000 };
    struct imported imported = { 0 };
    char *text = malloc(NODES * (size_t)160), *at = text;
    assert_non_null(text);
    for (int i = 0; i < NODES; i++)
        at += sprintf(at, NODE("node%d", "ReLU(inplace)", "8"), i);
    for (int i = 1; i < NODES; i++) at += sprintf(at, "\tnode%d -- node%d\n", i - 1, i);
    import_text(&imported, text, (size_t)(at - text));
    assert_int_equal(imported.status, SS_OK);
    assert_int_equal(imported.profile.op_count, NODES);
    assert_true(imported.profile.ideal_us == 2e3 * NODES);
    free(text);
    release(&imported);
}

/* The sums over real files, computed by someone else, where the shared data lies beside the checkout. */
static void real_graphs_have_the_golden_sums(void **state) {
    (void)state;
    char folder[4096], line[1024], name[128];
    const char *shared = getenv("SLACKSWAP_SHARED");
    struct imported golden = { 0 };
    snprintf(folder, sizeof folder, "%s/data/pipedream_graph_txt", shared ? shared : "../shared");
    if (!read_file(&golden, folder, "GOLDEN.txt")) skip();
    struct lines lines = { { golden.text, golden.length }, 0 };
    struct piece piece;
    uint32_t files = 0;
    while (lines_next(&lines, &piece)) {
        struct imported imported = { 0 };
        unsigned nodes, edges, in_place;
        double forward_ms, backward_ms;
        unsigned long long activation_bytes, parameter_bytes;
        snprintf(line, sizeof line, "%.*s", (int)piece.length, piece.at);
        if (sscanf(line, "%127[^:]: nodes=%u edges=%u fwd_ms=%lf bwd_ms=%lf act_bytes=%llu param_bytes=%llu inplace=%u",
                   name, &nodes, &edges, &forward_ms, &backward_ms, &activation_bytes, &parameter_bytes, &in_place) != 8)
            continue;
        assert_true(read_file(&imported, folder, name));
        import_text(&imported, imported.text, imported.length);
        files++;
        if (forward_ms + backward_ms == 0) {
            assert_int_equal(imported.status, SS_BAD_INPUT);
            release(&imported);
            continue;
        }
        assert_int_equal(imported.status, SS_OK);
        assert_int_equal(imported.totals.nodes, nodes);
        assert_int_equal(imported.totals.edges, edges);
        assert_int_equal(imported.totals.activation_bytes, activation_bytes);
        assert_int_equal(imported.totals.parameter_bytes, parameter_bytes);
        assert_int_equal(imported.totals.in_place, in_place);
        assert_int_equal(imported.totals.unshared, 0);
        assert_true(fabs(imported.totals.forward_ms - forward_ms) < 1e-6);
        assert_true(fabs(imported.totals.backward_ms - backward_ms) < 1e-6);
        assert_true(fabs(imported.profile.ideal_us - 1e3 * (forward_ms - imported.totals.input_forward_ms + backward_ms)) <
                    1e-3);
        release(&imported);
    }
    assert_int_equal(files, 10);
    release(&golden);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_run_in_the_order_of_their_numbers_whatever_the_file_order),
        cmocka_unit_test(an_edge_to_a_lower_number_outranks_the_numbers),
        cmocka_unit_test(data_loading_is_left_out_of_the_step_and_the_source_says_so),
        cmocka_unit_test(static_bytes_are_parameters_their_gradients_and_the_batch),
        cmocka_unit_test(in_place_ops_lie_in_the_storage_of_the_operand_made_last),
        cmocka_unit_test(rebuilding_a_storage_takes_its_in_place_ops_and_their_operands_too),
        cmocka_unit_test(views_and_sizes_are_neither_ops_nor_tensors),
        cmocka_unit_test(ops_without_weights_join_the_layer_that_they_read),
        cmocka_unit_test(lists_bare_ids_and_elements_are_understood),
        cmocka_unit_test(crlf_a_fourth_field_and_no_final_newline_are_understood),
        cmocka_unit_test(an_in_place_op_that_overwrites_what_is_needed_gets_a_tensor_of_its_own),
        cmocka_unit_test(inplace_false_is_no_in_place_op),
        cmocka_unit_test(what_breaks_the_format_is_refused_with_its_line),
        cmocka_unit_test(other_texts_are_not_taken_for_a_graph),
        cmocka_unit_test(a_chain_of_100000_nodes_is_read_without_recursion),
        cmocka_unit_test(real_graphs_have_the_golden_sums),
    };
    return cmocka_run_group_tests_name("import_pipedream", tests, NULL, NULL);
}
