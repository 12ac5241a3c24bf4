/* A cmocka group whose second test does what the first argument says: the harness is tested on it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *what;

static bool asked_to(const char *word) {
    return strcmp(what, word) == 0;
}

static void fine(void **state) {
    (void)state;
}

static void as_asked(void **state) {
    (void)state;
    if (asked_to("fails")) assert_int_equal(1, 2);
    if (asked_to("skips")) skip();
    if (asked_to("segfaults")) raise(SIGSEGV);
    if (asked_to("aborts")) abort();
    if (asked_to("exits")) exit(0);
    if (asked_to("hangs")) sleep(60);
}

static int group_setup(void **state) {
    (void)state;
    return asked_to("setup") ? -1 : 0;
}

int main(int argc, char **argv) {
    what = argc > 1 ? argv[1] : "passes";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fine),
        cmocka_unit_test(as_asked),
        cmocka_unit_test_prestate(fine, NULL),
    };
    return cmocka_run_group_tests_name("sample", tests, group_setup, NULL);
}
