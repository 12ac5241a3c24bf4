/* Tables with one row a layer become profiles: columns by name, dialect or map, units, repeats, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/import_csv.h"
#include "io/lines.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MIB (1024.0 * 1024)

static struct arena arena;
static struct profile profile;
static struct import_remarks remarks;
static struct csv_totals totals;
static struct error error;
static struct file_text text;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    file_text_free(&text);
    text = (struct file_text){ 0 };
    error = (struct error){ .place = "", .text = "" };
    return 0;
}

static enum ss_status import_text(const char *csv, size_t length, const char *columns) {
    const struct import_file file = { .text = csv, .length = length, .name = "table", .columns = columns };
    return import_csv_totals(&file, &arena, &profile, &remarks, &totals, &error);
}

static enum ss_status import_fixture(const char *name, const char *columns) {
    char path[4096];
    const char *source = getenv("SRCDIR");
    snprintf(path, sizeof path, "%s/tests/fixtures/csv/%s", source ? source : ".", name);
    assert_int_equal(file_read(path, &text, &error), SS_OK);
    return import_text(text.text, text.length, columns);
}

static void assert_layers(const char *expected) {
    char names[1024] = "";
    for (uint32_t i = 0; i < profile.op_count; i++) {
        strcat(names, i ? " " : "");
        strcat(names, profile.ops[i].name);
    }
    assert_string_equal(names, expected);
}

static const struct tensor *tensor_named(const char *name) {
    for (uint32_t i = 0; i < profile.tensor_count; i++)
        if (strcmp(profile.tensors[i].name, name) == 0) return &profile.tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static void columns_called_like_fields_need_no_map(void **state) {
    (void)state;
    assert_int_equal(import_fixture("plain.csv", NULL), SS_OK);
    assert_true(import_csv_matches(text.text, text.length));
    assert_true(profile.ops[0].forward_us == 1000 && profile.ops[0].backward_us == 500);
    assert_int_equal(tensor_named("embed.out")->bytes, 4096);
    assert_int_equal(tensor_named("attention.02.saved")->bytes, 65536);
}

static void rows_with_one_repeat_count_come_block_by_block(void **state) {
    (void)state;
    assert_int_equal(import_fixture("plain.csv", NULL), SS_OK);
    assert_layers("embed attention.00 mlp \"wide\".00 attention.01 mlp \"wide\".01 attention.02 mlp \"wide\".02 head");
    assert_int_equal(totals.rows, 4);
    assert_int_equal(totals.layers, 8);
    assert_true(totals.forward_us == 7000 && profile.forward_us == 15000);
}

static void an_aceso_table_is_known_by_its_header(void **state) {
    (void)state;
    assert_int_equal(import_fixture("aceso.csv", NULL), SS_OK);
    assert_true(import_csv_matches(text.text, text.length));
    assert_layers("embed norm mlp head");
    assert_int_equal(tensor_named("embed.out")->bytes, 2 * MIB);
    assert_int_equal(tensor_named("embed.saved")->bytes, 1 * MIB);
    assert_int_equal(tensor_named("norm.out")->bytes, 2.5 * MIB); /* a residual connection makes output_size larger */
    assert_int_equal(tensor_named("head.saved")->bytes, 8.25 * MIB);
    assert_int_equal(profile.static_bytes, 2 * 8.5 * MIB);
    assert_true(fabs(totals.saved_bytes - 15.75 * MIB) < 1);
    assert_non_null(strstr(profile.source, "Aceso"));
}

static void a_map_repeats_a_block_of_rows_and_adds_columns(void **state) {
    (void)state;
    assert_int_equal(import_fixture("aceso.csv", "repeat=norm..mlp*2, forward_workspace_kib=fwd_reserved"), SS_OK);
    assert_layers("embed norm.00 mlp.00 norm.01 mlp.01 head");
    assert_int_equal(profile.ops[5].forward_workspace_bytes, 1024);
    assert_int_equal(profile.static_bytes, 2 * (3 + 2 * 1.5 + 4) * MIB);
}

static void a_map_names_the_columns_of_any_table(void **state) {
    (void)state;
    static const char csv[] = "what;ignored,module,fwd,bwd\nx,a,1,2\nx,b,3,4";
    assert_false(import_csv_matches(csv, sizeof csv - 1));
    assert_int_equal(import_text(csv, sizeof csv - 1, "name=module,forward_s=fwd,backward_us=bwd"), SS_OK);
    assert_layers("a b");
    assert_true(profile.ops[1].forward_us == 3e6 && profile.ops[1].backward_us == 4);
    assert_int_equal(remarks.warning_count, 1); /* nothing tells what is saved */
}

static void a_map_that_does_not_fit_is_a_usage_error(void **state) {
    (void)state;
    static const struct { const char *map, *words; } cases[] = {
        { "forwards_us=fwd", "found \"forwards_us\"" },
        { "forward_mib=fwd", "found \"forward_mib\"" },
        { "forward=fwd", "found \"forward\"" },
        { "forward_us=fw", "expected a column of the table, found \"fw\"" },
        { "forward_us", "expected a column of the table, found \"\"" },
        { "repeat=a..b", "expected a column of the table, or FIRST..LAST*TIMES" },
        { "repeat=a..b*0", "expected a column of the table, or FIRST..LAST*TIMES" },
        { "repeat=a..z*2", "expected FIRST..LAST to name two rows in order, found \"z\"" },
        { "repeat=b..a*2", "expected FIRST..LAST to name two rows in order" },
        { "repeat=a..b*2,repeat=b..b*3", "expected blocks apart from each other, found row \"b\" in two" },
        { "activation_mb=fwd,activation_and_output_mb=fwd", "found both" },
    };
    static const char csv[] = "name,fwd,forward_us,backward_us\na,1,1,2\nb,1,3,4\n";
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(import_text(csv, sizeof csv - 1, cases[i].map), SS_USAGE);
        if (!strstr(error.text, cases[i].words)) fail_msg("%s <> %s", error.text, cases[i].words);
    }
}

static void what_is_no_table_of_layers_is_refused_with_its_line(void **state) {
    (void)state;
#define HEADER "name,forward_us,backward_us,output_bytes,repeat\n"
    static const struct { const char *csv, *place, *words; } cases[] = {
        { "", "line 1", "expected the names of columns, name among them" },
        { "1,2,4,8\n17.2,24.8,31.2,35.9\n", "line 1", "found \"1,2,4,8\"" },
        { "data_size(MB),time(ms)\r\n246,20.3\r\n", "line 1", "expected the names of columns, name among them" },
        { "name,forward_us\na,1\n", "line 1", "backward_us among them" },
        { HEADER, "line 2", "expected a row" },
        { HEADER "a,1,2,3,1\nb,1,2\n", "line 3", "expected 5 cells, found \"b,1,2\"" },
        { HEADER "a,1,2,3,1,\n", "line 2", "expected 5 cells" },
        { HEADER ",1,2,3,1\n", "line 2", "expected a name" },
        { HEADER "a,-1,2,3,1\n", "line 2", "expected forward to be a number >= 0, found \"-1\"" },
        { HEADER "a,1,nan,3,1\n", "line 2", "expected backward to be a number >= 0, found \"nan\"" },
        { HEADER "a,1,,3,1\n", "line 2", "expected backward to be a number >= 0, found \"\"" },
        { HEADER "a,1,2,9007199254740992,1\n", "line 2", "expected output below 2^53 bytes" },
        { HEADER "a,1,2,3,0\n", "line 2", "expected repeat to be a whole number from 1 to 100000, found \"0\"" },
        { HEADER "a,1,2,3,1.5\n", "line 2", "found \"1.5\"" },
        { HEADER "\"a,1,2,3,1\n", "line 2", "expected a quote to close" },
        { HEADER "\"a\"b,1,2,3,1\n", "line 2", "expected a quote to close" },
        { HEADER "a,1,2,3,1\nb,1,2,3,1\na,1,2,3,1\n", "line 4", "stands twice" },
        { HEADER "a,0,0,3,1\n", "", "expected measured times, found 0 in every row" },
        { HEADER "a,1,1,3,100000\nb,1,1,3,100000\nc,1,1,3,100000\nd,1,1,3,100000\ne,1,1,3,100000\nf,1,1,3,100000\n"
                 "g,1,1,3,100000\nh,1,1,3,100000\ni,1,1,3,100000\nj,1,1,3,100000\nk,1,1,3,100000\n",
          "line 2", "expected at most 1000000 layers" },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        forget(NULL);
        assert_int_equal(import_text(cases[i].csv, strlen(cases[i].csv), NULL), SS_BAD_INPUT);
        if (!strstr(error.text, cases[i].words)) fail_msg("%s <> %s", error.text, cases[i].words);
        if (i + 1 < LENGTH(cases)) assert_string_equal(error.place, cases[i].place);
    }
}

static void an_op_that_the_profiler_marked_as_failed_is_refused(void **state) {
    (void)state;
    static const char csv[] = "op_name,forward-compute,backward-compute,output_size,weights,activations\n"
                              "a,1,2,3,4,5\nb,10000000,10000000.000,0,0,0\n";
    assert_int_equal(import_text(csv, sizeof csv - 1, NULL), SS_BAD_INPUT);
    assert_string_equal(error.place, "line 3");
    assert_non_null(strstr(error.text, "for an op that failed), found \"10000000\""));
}

/* The sums over real files, computed by someone else, where the shared data lies beside the checkout. */
static void real_tables_have_the_golden_sums(void **state) {
    (void)state;
    char path[4096], line[1024], name[128];
    const char *shared = getenv("SLACKSWAP_SHARED");
    struct file_text golden;
    uint32_t read = 0, refused = 0;
    snprintf(path, sizeof path, "%s/data/aceso_csv/GOLDEN.txt", shared ? shared : "../shared");
    if (file_read(path, &golden, &error) != SS_OK) skip();
    struct lines lines = { { golden.text, golden.length }, 0 };
    for (struct piece piece; lines_next(&lines, &piece);) {
        unsigned rows;
        double forward_us, backward_us, saved_mib, weight_mib;
        snprintf(line, sizeof line, "%.*s", (int)piece.length, piece.at);
        const int found = sscanf(line, "%127[^:]: ops=%u fwd_us=%lf bwd_us=%lf act_MiB=%lf weights_MiB=%lf", name, &rows,
                                 &forward_us, &backward_us, &saved_mib, &weight_mib);
        if (!strstr(name, ".csv") || !strchr(line, ':')) continue;
        forget(NULL);
        snprintf(path, sizeof path, "%s/data/aceso_csv/%s", shared ? shared : "../shared", name);
        assert_int_equal(file_read(path, &text, &error), SS_OK);
        assert_int_equal(import_csv_matches(text.text, text.length), found == 6);
        const enum ss_status status = import_text(text.text, text.length, NULL);
        if (found != 6) {
            assert_int_equal(status, SS_BAD_INPUT);
            refused++;
            continue;
        }
        if (status != SS_OK) fail_msg("%s: %s: %s", name, error.place, error.text);
        assert_int_equal(totals.rows, rows);
        assert_true(fabs(profile.forward_us - forward_us) < 1e-3 && fabs(profile.backward_us - backward_us) < 1e-3);
        assert_true(fabs(totals.saved_bytes / MIB - saved_mib) < 1e-3);
        assert_true(fabs(totals.weight_bytes / MIB - weight_mib) < 1e-3);
        read++;
    }
    file_text_free(&golden);
    assert_int_equal(read, 5);
    assert_int_equal(refused, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(columns_called_like_fields_need_no_map, forget),
        cmocka_unit_test_teardown(rows_with_one_repeat_count_come_block_by_block, forget),
        cmocka_unit_test_teardown(an_aceso_table_is_known_by_its_header, forget),
        cmocka_unit_test_teardown(a_map_repeats_a_block_of_rows_and_adds_columns, forget),
        cmocka_unit_test_teardown(a_map_names_the_columns_of_any_table, forget),
        cmocka_unit_test_teardown(a_map_that_does_not_fit_is_a_usage_error, forget),
        cmocka_unit_test_teardown(what_is_no_table_of_layers_is_refused_with_its_line, forget),
        cmocka_unit_test_teardown(an_op_that_the_profiler_marked_as_failed_is_refused, forget),
        cmocka_unit_test_teardown(real_tables_have_the_golden_sums, forget),
    };
    return cmocka_run_group_tests_name("import_csv", tests, NULL, NULL);
}
