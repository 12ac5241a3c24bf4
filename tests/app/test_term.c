/* What comes from a terminal, as keys; and which of terminfo's entries describes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <curses.h>

#include "app/term_colours.h"
#include "app/term_keys.h"
#include "app/term_mouse.h"
#include "app/term_paste.h"

static void character_is(uint32_t character, const char *name) {
    struct key key;
    char text[KEY_TEXT];
    assert_true(term_key_of_character(character, &key));
    assert_string_equal(key_format(key, text), name);
}

static void code_is(int code, const char *name) {
    struct key key;
    char text[KEY_TEXT];
    assert_true(term_key_of_code(code, &key));
    assert_string_equal(key_format(key, text), name);
}

static void characters_are_named_as_tmux_names_them(void **state) {
    (void)state;
    character_is('q', "q");
    character_is('Q', "Q");
    character_is(' ', "Space");
    character_is('\r', "Enter");
    character_is('\n', "Enter");
    character_is('\t', "Tab");
    character_is('\b', "BSpace");
    character_is(0x7F, "BSpace");
    character_is(0x1B, "Escape");
    character_is(0, "C-Space");
    character_is('R' - '@', "C-r");
    character_is('\\' - '@', "C-\\");
    character_is(0xE9, "é");
}

static void control_characters_beyond_ascii_are_no_keys(void **state) {
    struct key key;
    (void)state;
    for (uint32_t character = 0x80; character < 0xA0; character++)
        assert_false(term_key_of_character(character, &key));
}

static void codes_are_named_as_tmux_names_them(void **state) {
    (void)state;
    code_is(KEY_LEFT, "Left");
    code_is(KEY_SRIGHT, "S-Right");
    code_is(KEY_NPAGE, "NPage");
    code_is(KEY_BTAB, "BTab");
    code_is(KEY_DC, "DC");
    code_is(KEY_BACKSPACE, "BSpace");
    code_is(KEY_F(1), "F1");
    code_is(KEY_F(12), "F12");
    code_is(KEY_F(13), "S-F1");
    code_is(KEY_F(25), "C-F1");
}

static void what_is_no_key_is_passed_over(void **state) {
    struct key key;
    (void)state;
    assert_false(term_key_of_code(KEY_RESIZE, &key));
    assert_false(term_key_of_code(KEY_MOUSE, &key));
    assert_false(term_key_of_code(KEY_MAX, &key));
}

static bool knows_xterm_direct(const char *name, int fd) {
    (void)fd;
    return strcmp(name, "xterm-direct") == 0;
}

static const char *direct_name(const char *term, const char *colorterm) {
    static char name[64];
    return term_direct_name(term, colorterm, knows_xterm_direct, 1, name, sizeof name);
}

static void a_terminal_with_24_bit_colours_is_known_by_its_direct_entry(void **state) {
    (void)state;
    assert_string_equal(direct_name("xterm-256color", "truecolor"), "xterm-direct");
    assert_string_equal(direct_name("xterm", "24bit"), "xterm-direct");
}

static void other_terminals_stay_what_they_are(void **state) {
    (void)state;
    assert_null(direct_name("xterm-256color", NULL));
    assert_null(direct_name("xterm-256color", ""));
    assert_null(direct_name("xterm-256color", "16color"));
    assert_null(direct_name("xterm-direct", "truecolor"));
    assert_null(direct_name("screen-256color", "truecolor")); /* no such entry */
    assert_null(direct_name(NULL, "truecolor"));
}

/* What TEXT, read after "ESC [ <" or "ESC [ M", comes to; the report ends with it. */
static bool reads(enum mouse_form form, const char *text, struct mouse *out) {
    struct mouse_reader reader;
    bool means_something = false;
    mouse_begin(&reader, form);
    for (; *text; text++) {
        assert_int_not_equal(reader.form, MOUSE_NO_REPORT);
        means_something = mouse_take(&reader, (unsigned char)*text, out);
    }
    assert_int_equal(reader.form, MOUSE_NO_REPORT);
    return means_something;
}

static void mouse_is(struct mouse mouse, int kind, int button, int modifiers, int x, int y) {
    assert_int_equal(mouse.kind, kind);
    if (kind < MOUSE_WHEEL_UP)
        assert_int_equal(mouse.button, button);
    assert_int_equal(mouse.modifiers, modifiers);
    assert_int_equal(mouse.x, x);
    assert_int_equal(mouse.y, y);
}

static void reports_of_the_mouse_are_read_in_both_forms(void **state) {
    struct mouse mouse;
    (void)state;
    assert_true(reads(MOUSE_DECIMAL, "0;1;1M", &mouse));
    mouse_is(mouse, MOUSE_PRESS, BUTTON_LEFT, 0, 0, 0);
    assert_true(reads(MOUSE_DECIMAL, "2;300;90m", &mouse));
    mouse_is(mouse, MOUSE_RELEASE, BUTTON_RIGHT, 0, 299, 89);
    assert_true(reads(MOUSE_DECIMAL, "48;7;9M", &mouse));
    mouse_is(mouse, MOUSE_DRAG, BUTTON_LEFT, MODIFIER_CONTROL, 6, 8);
    assert_true(reads(MOUSE_DECIMAL, "64;7;9M", &mouse));
    mouse_is(mouse, MOUSE_WHEEL_UP, 0, 0, 6, 8);
    assert_true(reads(MOUSE_DECIMAL, "81;7;9M", &mouse));
    mouse_is(mouse, MOUSE_WHEEL_DOWN, 0, MODIFIER_CONTROL, 6, 8);
    assert_true(reads(MOUSE_BYTES, " !!", &mouse));
    mouse_is(mouse, MOUSE_PRESS, BUTTON_LEFT, 0, 0, 0);
    assert_true(reads(MOUSE_BYTES, "#*+", &mouse));
    mouse_is(mouse, MOUSE_RELEASE, BUTTON_LEFT, 0, 9, 10);
    assert_true(reads(MOUSE_BYTES, "`*+", &mouse));
    mouse_is(mouse, MOUSE_WHEEL_UP, 0, 0, 9, 10);
}

static void reports_that_nobody_asked_for_mean_nothing(void **state) {
    static const char *const OTHERS[] = { "35;4;4M", "66;4;4M", "64;4;4m", "128;4;4M", "0;4M", "x", "0;4;4;4M", "0;4;4q" };
    struct mouse mouse;
    (void)state;
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        struct mouse_reader reader;
        mouse_begin(&reader, MOUSE_DECIMAL);
        for (const char *c = OTHERS[i]; *c && reader.form != MOUSE_NO_REPORT; c++)
            assert_false(mouse_take(&reader, (unsigned char)*c, &mouse));
        assert_int_equal(reader.form, MOUSE_NO_REPORT);
    }
    assert_true(reads(MOUSE_DECIMAL, "0;99999999999999999999;1M", &mouse)); /* no number is too long */
    assert_int_equal(mouse.x, 99998);
}

/* The text among CHARACTERS, which end the paste at the last of them and no earlier. */
static void paste_is(const char *characters, const char *text) {
    struct paste_reader reader = { .on = true };
    char taken[64] = "";
    size_t length = 0;
    for (const char *c = characters; *c; c++) {
        assert_true(reader.on);
        if (paste_take(&reader, (unsigned char)*c))
            taken[length++] = *c;
    }
    assert_false(reader.on);
    assert_string_equal(taken, text);
}

static void a_paste_is_its_text_up_to_the_mark_of_its_end(void **state) {
    (void)state;
    paste_is("q 60%\033[201~", "q 60%");
    paste_is("\033[201~", "");
    paste_is("a\r\n\t\003\177b\033[201~", "ab");
    paste_is("\033[200~\033[20\033\033[201~", "0~");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_named_as_tmux_names_them),
        cmocka_unit_test(control_characters_beyond_ascii_are_no_keys),
        cmocka_unit_test(codes_are_named_as_tmux_names_them),
        cmocka_unit_test(what_is_no_key_is_passed_over),
        cmocka_unit_test(reports_of_the_mouse_are_read_in_both_forms),
        cmocka_unit_test(reports_that_nobody_asked_for_mean_nothing),
        cmocka_unit_test(a_paste_is_its_text_up_to_the_mark_of_its_end),
        cmocka_unit_test(a_terminal_with_24_bit_colours_is_known_by_its_direct_entry),
        cmocka_unit_test(other_terminals_stay_what_they_are),
    };
    return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
