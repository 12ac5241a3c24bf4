/* Text as it is seen: widths, replacement of what must not reach a terminal, cutting. */
#include "screen.h"

#include <string.h>

#include "view/text.h"

#define REPLACED "\xEF\xBF\xBD"

static void graphemes_are_base_and_marks(void **state) {
    (void)state;
    const char *text = "e\u0301x\u4E2D";
    struct grapheme grapheme;
    assert_true(text_next(&text, &grapheme));
    assert_int_equal(grapheme.length, 3);
    assert_int_equal(grapheme.width, 1);
    assert_true(text_next(&text, &grapheme));
    assert_int_equal(grapheme.length, 1);
    assert_true(text_next(&text, &grapheme));
    assert_int_equal(grapheme.width, 2);
    assert_false(text_next(&text, &grapheme));
}

static void only_three_marks_are_kept_on_one_character(void **state) {
    (void)state;
    const char *text = "a\u0301\u0302\u0303\u0304\u0305z";
    struct grapheme grapheme;
    assert_true(text_next(&text, &grapheme));
    assert_int_equal(grapheme.length, 1 + 3 * 2);
    assert_true(text_next(&text, &grapheme));
    assert_memory_equal(grapheme.text, "z", 1);
}

static void harmful_characters_are_replaced(void **state) {
    (void)state;
    static const char *const CASES[] = {
        "\x1b", "\x07", "\n", "\x7f", "\xc2\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\xff", "\xc3",
        "\xed\xa0\x80",
        "\xc0\xaf", "\u0301", "\U000E0001",
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const char *text = CASES[i];
        struct grapheme grapheme;
        assert_true(text_next(&text, &grapheme));
        assert_int_equal(grapheme.length, 3);
        assert_memory_equal(grapheme.text, REPLACED, 3);
        assert_int_equal(grapheme.width, 1);
    }
}

static void broken_bytes_cost_one_byte_each(void **state) {
    (void)state;
    assert_int_equal(text_width("a\xe2\x82z"), 4);
    assert_int_equal(text_width("\xf0\x9f\x98"), 3);
}

static void widths_count_columns(void **state) {
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("L0.fc1"), 6);
    assert_int_equal(text_width("▼▲█▒┄"), 5);
    assert_int_equal(text_width("中文x"), 5);
}

static void fitting(const char *text, int columns, enum text_cut cut, bool ascii, const char *expected) {
    char out[64];
    assert_string_equal(text_fit(out, sizeof out, text, columns, cut, ascii), expected);
}

static void long_text_is_cut_at_the_end_or_in_the_middle(void **state) {
    (void)state;
    fitting("transformer", 11, CUT_END, false, "transformer");
    fitting("transformer", 6, CUT_END, false, "trans…");
    fitting("transformer", 6, CUT_MIDDLE, false, "tra…er");
    fitting("transformer", 6, CUT_MIDDLE, true, "tra.er");
    fitting("transformer", 1, CUT_MIDDLE, false, "…");
    fitting("transformer", 0, CUT_END, false, "");
    fitting("transformer", -3, CUT_END, false, "");
    fitting("中文中文", 5, CUT_END, false, "中文…");
    fitting("中文中文", 4, CUT_END, false, "中…");
}

static void a_small_buffer_is_never_overrun(void **state) {
    (void)state;
    char out[9];
    memset(out, '!', sizeof out);
    text_fit(out, 8, "中文中文中文", 12, CUT_END, false);
    assert_int_equal(out[8], '!');
    assert_true(strlen(out) < 8);
    assert_string_equal(out, "中文");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphemes_are_base_and_marks),
        cmocka_unit_test(only_three_marks_are_kept_on_one_character),
        cmocka_unit_test(harmful_characters_are_replaced),
        cmocka_unit_test(broken_bytes_cost_one_byte_each),
        cmocka_unit_test(widths_count_columns),
        cmocka_unit_test(long_text_is_cut_at_the_end_or_in_the_middle),
        cmocka_unit_test(a_small_buffer_is_never_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
