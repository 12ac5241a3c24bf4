/* Whole files in and out: what is written is there whole, under its name and with its permissions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

static char folder[64], path[128], other[128];

static int enter_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/test_file.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/plan.json", folder);
    snprintf(other, sizeof other, "%s/link.json", folder);
    return 0;
}

static int leave_folder(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder); /* fails when a temporary file was left behind */
}

static void write_text(const char *to, const char *text) {
    struct error error = { 0 };
    if (file_write(to, text, strlen(text), &error) != SS_OK)
        fail_msg("%s", error.text);
}

static void assert_content(const char *of, const char *expected) {
    struct file_text text;
    assert_int_equal(file_read(of, &text, NULL), SS_OK);
    assert_int_equal(text.length, strlen(expected));
    assert_string_equal(text.text, expected);
    file_text_free(&text);
}

static void what_is_written_is_read_back(void **state) {
    (void)state;
    write_text(path, "one");
    assert_content(path, "one");
    write_text(path, "");
    assert_content(path, "");
}

static void a_large_file_with_zero_bytes_comes_back_whole(void **state) {
    (void)state;
    size_t length = 3000001;
    char *data = malloc(length);
    for (size_t i = 0; i < length; i++)
        data[i] = (char)(i * 2654435761u >> 7);
    assert_int_equal(file_write(path, data, length, NULL), SS_OK);
    struct file_text text;
    assert_int_equal(file_read(path, &text, NULL), SS_OK);
    assert_int_equal(text.length, length);
    assert_memory_equal(text.text, data, length);
    file_text_free(&text);
    free(data);
}

static void permissions_of_a_replaced_file_stay(void **state) {
    (void)state;
    struct stat there;
    write_text(path, "secret");
    chmod(path, 0600);
    write_text(path, "still secret");
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 07777, 0600);
}

static void a_new_file_has_the_permissions_of_the_umask(void **state) {
    (void)state;
    struct stat there;
    mode_t before = umask(027);
    write_text(path, "x");
    umask(before);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 07777, 0640);
}

static void a_link_keeps_pointing_where_it_did(void **state) {
    (void)state;
    struct stat there;
    write_text(path, "old");
    assert_int_equal(symlink(path, other), 0);
    write_text(other, "new");
    assert_int_equal(lstat(other, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_content(path, "new");
}

static void a_device_is_written_to_as_it_is(void **state) {
    (void)state;
    struct stat there;
    write_text("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
}

static void the_longest_name_can_be_written(void **state) {
    (void)state;
    char longest[400];
    int at = snprintf(longest, sizeof longest, "%s/", folder);
    memset(longest + at, 'n', 255);
    longest[at + 255] = '\0';
    write_text(longest, "x");
    assert_content(longest, "x");
    unlink(longest);
}

static void a_file_that_is_too_large_is_refused_unread(void **state) {
    (void)state;
    struct error error;
    struct file_text text;
    write_text(path, "x");
    assert_int_equal(truncate(path, (off_t)FILE_BYTES_MOST + 1), 0);
    assert_int_equal(file_read(path, &text, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, "can't be read: it has more than 1024 MiB");
    assert_null(text.text);
}

static void what_can_not_be_read_or_written_says_why(void **state) {
    (void)state;
    struct error error = { 0 };
    struct file_text text;
    assert_int_equal(file_read(path, &text, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, "can't be read: No such file or directory");
    assert_int_equal(file_read(folder, &text, &error), SS_BAD_INPUT);
    assert_string_equal(error.text, "can't be read: Is a directory");
    assert_int_equal(file_write(folder, "x", 1, &error), SS_INTERNAL);
    assert_string_equal(error.text, "can't be written: Is a directory");
    assert_int_equal(file_write("/nowhere/plan.json", "x", 1, &error), SS_INTERNAL);
    assert_string_equal(error.text, "can't be written: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(file_write("/dev/full", "x", 1, &error), SS_INTERNAL);
        assert_string_equal(error.text, "can't be written: No space left on device");
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read_back),
        TEST(a_large_file_with_zero_bytes_comes_back_whole),
        TEST(permissions_of_a_replaced_file_stay),
        TEST(a_new_file_has_the_permissions_of_the_umask),
        TEST(a_link_keeps_pointing_where_it_did),
        TEST(a_device_is_written_to_as_it_is),
        TEST(the_longest_name_can_be_written),
        TEST(a_file_that_is_too_large_is_refused_unread),
        TEST(what_can_not_be_read_or_written_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
