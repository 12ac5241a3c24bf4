/* Bad input is refused with the place of the fault, what was expected there and what was found: a test for each file in
 * tests/bad, which EXPECTED lists with its place and message. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/plan_json.h"
#include "io/profile_json.h"

#define CASES_MOST 400
struct bad_case { char *file, *place, *message; };
static struct bad_case cases[CASES_MOST];
static size_t case_count;
static struct file_text expected_text;

static const char *path_of(const char *file) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/bad/%s", getenv("SRCDIR") ? getenv("SRCDIR") : ".", file);
    return path;
}

static struct file_text read_file(const char *file) {
    struct file_text text;
    struct error error;
    if (file_read(path_of(file), &text, &error) == SS_OK)
        return text;
    fprintf(stderr, "%s %s\n", path_of(file), error.text);
    exit(1);
}

/* Cuts LINE at its next tab; the part before it. */
static char *cut(char **line) {
    char *part = *line, *tab = part ? strchr(part, '\t') : NULL;
    if (tab)
        *tab = '\0';
    *line = tab ? tab + 1 : NULL;
    return part;
}

static void read_cases(void) {
    expected_text = read_file("EXPECTED");
    for (char *line = strtok(expected_text.text, "\n"); line && case_count < CASES_MOST; line = strtok(NULL, "\n")) {
        if (*line == '#')
            continue;
        struct bad_case *bad = &cases[case_count++];
        bad->file = cut(&line);
        bad->place = cut(&line);
        bad->message = cut(&line);
        if (!bad->message || line) {
            fprintf(stderr, "EXPECTED: %s: file, place and message are wanted\n", bad->file);
            exit(1);
        }
    }
}

/* Reads FILE as what its name says, in ARENA. */
static enum ss_status read_any(const char *file, struct arena *arena, struct error *error) {
    struct profile profile;
    struct plan plan;
    const bool is_plan = strncmp(file, "plan-", 5) == 0;
    struct file_text text = read_file(is_plan ? "good.json" : file);
    enum ss_status status = profile_json_read(text.text, text.length, arena, &profile, NULL, error);
    file_text_free(&text);
    if (!is_plan || status != SS_OK)
        return status;
    text = read_file(file);
    status = plan_json_read(text.text, text.length, &profile, arena, &plan, NULL, error);
    file_text_free(&text);
    return status;
}

static void is_refused_with_its_message(void **state) {
    const struct bad_case *bad = *state;
    struct arena arena = { 0 };
    struct error error = { .text = "" };
    enum ss_status status = read_any(bad->file, &arena, &error);
    arena_free(&arena);
    assert_int_equal(status, SS_BAD_INPUT);
    assert_string_equal(error.place, bad->place);
    assert_string_equal(error.text, bad->message);
    arena = (struct arena){ 0 };
    assert_int_equal(read_any(bad->file, &arena, NULL), SS_BAD_INPUT); /* also where nobody wants the message */
    arena_free(&arena);
}

static void good_files_are_read(void **state) {
    (void)state;
    struct arena arena = { 0 };
    struct error error;
    assert_int_equal(read_any("good.json", &arena, &error), SS_OK);
    assert_int_equal(read_any("plan-good.json", &arena, &error), SS_OK);
    arena_free(&arena);
}

static bool is_listed(const char *file) {
    for (size_t i = 0; i < case_count; i++)
        if (strcmp(cases[i].file, file) == 0)
            return true;
    return strcmp(file, "good.json") == 0 || strcmp(file, "plan-good.json") == 0;
}

static void every_file_is_listed(void **state) {
    (void)state;
    DIR *folder = opendir(path_of(""));
    assert_non_null(folder);
    size_t count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        count++;
        if (!is_listed(entry->d_name))
            fail_msg("%s is not in EXPECTED", entry->d_name);
    }
    closedir(folder);
    assert_int_equal(count, case_count + 2);
}

int main(void) {
    static struct CMUnitTest tests[CASES_MOST + 2] = {
        cmocka_unit_test(good_files_are_read),
        cmocka_unit_test(every_file_is_listed),
    };
    read_cases();
    for (size_t i = 0; i < case_count; i++)
        tests[i + 2] = (struct CMUnitTest){ .name = cases[i].file, .test_func = is_refused_with_its_message,
                                            .initial_state = &cases[i] };
    int failed = _cmocka_run_group_tests("bad input", tests, case_count + 2, NULL, NULL);
    file_text_free(&expected_text);
    return failed;
}
