/* What a learner has done is kept: the best of it, and nothing that is in the file gets lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/progress.h"
#include "io/file.h"

static char folder[] = "/tmp/slackswap-progress-XXXXXX", path[64];

static int set_up(void **state) {
    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/slackswap/progress.json", folder);
    return 0;
}

static int tear_down(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static double best_gap(const char *key) {
    struct progress progress;
    double gap = -1;
    progress_load(&progress);
    if (!progress_best_gap(&progress, key, &gap))
        gap = -1;
    progress_free(&progress);
    return gap;
}

static struct lesson_progress lesson(const char *name) {
    struct progress progress;
    progress_load(&progress);
    const struct lesson_progress out = progress_of_lesson(&progress, name);
    progress_free(&progress);
    return out;
}

static void without_a_file_nothing_was_done(void **state) {
    (void)state;
    assert_false(lesson("01-memory-hill").done);
    assert_true(best_gap("challenge/1/1") < 0);
}

static void the_least_gap_is_kept(void **state) {
    (void)state;
    assert_int_equal(progress_note_gap("challenge/2/7", 0.05, NULL), SS_OK);
    assert_int_equal(progress_note_gap("challenge/2/7", 0.0125, NULL), SS_OK);
    assert_int_equal(progress_note_gap("challenge/2/7", 0.5, NULL), SS_OK);
    assert_int_equal(progress_note_gap("challenge/2/7", INFINITY, NULL), SS_OK);
    assert_int_equal(progress_note_gap("challenge/2/8", 0, NULL), SS_OK);
    assert_true(best_gap("challenge/2/7") > 0.012499 && best_gap("challenge/2/7") < 0.012501);
    assert_true(best_gap("challenge/2/8") >= 0 && best_gap("challenge/2/8") <= 0);
    assert_true(best_gap("challenge/2/9") < 0);
}

static void the_best_score_is_kept_beside_it(void **state) {
    (void)state;
    assert_int_equal(progress_note_lesson("a", 1, 3, NULL), SS_OK);
    assert_int_equal(progress_note_lesson("a", 3, 3, NULL), SS_OK);
    assert_int_equal(progress_note_lesson("a", 2, 3, NULL), SS_OK);
    assert_true(lesson("a").done && lesson("a").best == 3 && lesson("a").of == 3);
    assert_false(lesson("b").done);
    assert_true(best_gap("challenge/2/7") > 0);
}

/* The lesson was changed meanwhile: old scores say nothing of it. */
static void a_score_of_another_number_of_questions_is_no_score(void **state) {
    (void)state;
    assert_int_equal(progress_note_lesson("a", 1, 5, NULL), SS_OK);
    assert_true(lesson("a").best == 1 && lesson("a").of == 5);
}

static void a_name_may_be_any_text(void **state) {
    (void)state;
    assert_int_equal(progress_note_gap("\"\\ \x01 {", 0.5, NULL), SS_OK);
    assert_true(best_gap("\"\\ \x01 {") > 0.4);
}

static void what_can_not_be_written_is_said_and_leaves_the_old(void **state) {
    struct error error = { "", "" };
    (void)state;
    setenv("XDG_STATE_HOME", path, 1); /* a file, in which no folder can be */
    assert_int_equal(progress_note_gap("challenge/2/7", 0.001, &error), SS_INTERNAL);
    assert_non_null(strstr(error.place, "progress.json"));
    assert_true(*error.text);
    setenv("XDG_STATE_HOME", folder, 1);
    assert_true(best_gap("challenge/2/7") > 0.01);
}

static void where_there_is_no_place_nothing_is_kept(void **state) {
    (void)state;
    const char *home = getenv("HOME");
    char kept[512];
    snprintf(kept, sizeof kept, "%s", home ? home : "");
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "", 1);
    assert_int_equal(progress_note_gap("challenge/2/7", 0.001, NULL), SS_OK);
    assert_true(best_gap("challenge/2/7") < 0);
    setenv("HOME", kept, 1);
    setenv("XDG_STATE_HOME", folder, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_file_nothing_was_done),
        cmocka_unit_test(the_least_gap_is_kept),
        cmocka_unit_test(the_best_score_is_kept_beside_it),
        cmocka_unit_test(a_score_of_another_number_of_questions_is_no_score),
        cmocka_unit_test(a_name_may_be_any_text),
        cmocka_unit_test(what_can_not_be_written_is_said_and_leaves_the_old),
        cmocka_unit_test(where_there_is_no_place_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
