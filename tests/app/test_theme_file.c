/* Themes that users write: read as the built-in ones are compiled in, and refused with the place of the fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/theme_file.h"
#include "io/file.h"

static void same_text(const char *a, const char *b) {
    if (!a || !b)
        fail_msg("a theme lacks a glyph");
    assert_string_equal(a, b);
}

static void compiled_in_themes_are_what_their_files_say(void **state) {
    (void)state;
    const char *sources = getenv("SRCDIR");
    for (uint32_t i = 0; i < THEME_BUILTIN_COUNT; i++) {
        char path[1024];
        struct file_text text;
        struct arena arena = { 0 };
        struct theme theme;
        struct error error;
        snprintf(path, sizeof path, "%s/themes/%s.json", sources ? sources : ".", THEME_BUILTIN[i].name);
        assert_int_equal(file_read(path, &text, &error), SS_OK);
        assert_int_equal(theme_parse(text.text, text.length, THEME_BUILTIN[i].name, &arena, &theme, &error), SS_OK);
        assert_string_equal(theme.name, THEME_BUILTIN[i].name);
        assert_int_equal(theme.foreground, THEME_BUILTIN[i].foreground);
        assert_int_equal(theme.background, THEME_BUILTIN[i].background);
        assert_int_equal(theme.mono, THEME_BUILTIN[i].mono);
        for (int role = 0; role < ROLE_COUNT; role++) {
            const struct theme_role *read = &theme.role[role], *compiled = &THEME_BUILTIN[i].role[role];
            assert_int_equal(read->fg, compiled->fg);
            assert_int_equal(read->bg, compiled->bg);
            assert_int_equal(read->bold, compiled->bold);
            same_text(read->glyph, compiled->glyph);
            same_text(read->ascii, compiled->ascii);
            /* each file has all roles: one that it left out would come from the default theme unnoticed */
            char member[64];
            snprintf(member, sizeof member, "\n  \"%s\": ", ROLE_NAME[role]);
            assert_true(role == ROLE_NONE || strstr(text.text, member));
        }
        file_text_free(&text);
        arena_free(&arena);
    }
}

static void what_a_theme_leaves_out_is_as_in_its_base(void **state) {
    (void)state;
    static const char TEXT[] = "{ \"base\": \"light\", \"forward\": { \"fg\": \"#Ff0080\", \"glyph\": \"\u25a0\" }, \"stall\": { \"bg\": null } }";
    struct arena arena = { 0 };
    struct theme theme;
    const struct theme *light = theme_builtin("light");
    assert_int_equal(theme_parse(TEXT, strlen(TEXT), "mine", &arena, &theme, NULL), SS_OK);
    assert_string_equal(theme.name, "mine");
    assert_int_equal(theme.role[ROLE_FORWARD].fg, 0xFF0080);
    assert_string_equal(theme.role[ROLE_FORWARD].glyph, "\u25a0");
    assert_string_equal(theme.role[ROLE_FORWARD].ascii, light->role[ROLE_FORWARD].ascii);
    assert_int_equal(theme.role[ROLE_STALL].bg, COLOUR_NONE);
    assert_int_equal(theme.role[ROLE_STALL].fg, light->role[ROLE_STALL].fg);
    assert_int_equal(theme.background, light->background);
    arena_free(&arena);
}

static void a_theme_that_cannot_be_shown_is_refused_where_it_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *place, *message;
    } CASES[] = {
        { "[]", "$", "expected an object of roles, found a list" },
        { "{ \"schema\": \"slackswap-plan/1\" }", "$.schema", "expected \"slackswap-theme/1\", found 'slackswap-plan/1'" },
        { "{ \"base\": \"dusk\" }", "$.base", "expected the name of a built-in theme, found 'dusk'" },
        { "{ \"foward\": {} }", "$.foward", "no role is called so (did you mean 'forward'?)" },
        { "{ \"none\": {} }", "$.none", "no role is called so" },
        { "{ \"mono\": 1 }", "$.mono", "expected true or false, found 1" },
        { "{ \"background\": null }", "$.background", "expected a colour such as \"#56B4E9\", found null" },
        { "{ \"forward\": \"#56B4E9\" }", "$.forward", "expected an object of fg, bg, bold, glyph and ascii, found '#56B4E9'" },
        { "{ \"forward\": { \"bolt\": true } }", "$.forward.bolt", "a role has no such member (did you mean 'bold'?)" },
        { "{ \"forward\": { \"fg\": \"blue\" } }", "$.forward.fg", "expected a colour such as \"#56B4E9\", or null, found 'blue'" },
        { "{ \"forward\": { \"fg\": \"#56B4E\" } }", "$.forward.fg", "expected a colour such as \"#56B4E9\", or null, found '#56B4E'" },
        { "{ \"forward\": { \"fg\": \"#56B4EG\" } }", "$.forward.fg", "expected a colour such as \"#56B4E9\", or null, found '#56B4EG'" },
        { "{ \"forward\": { \"glyph\": \"\" } }", "$.forward.glyph", "expected a character of one column, found ''" },
        { "{ \"forward\": { \"glyph\": \"\u6f22\" } }", "$.forward.glyph", "expected a character of one column, found '\u6f22'" },
        { "{ \"forward\": { \"glyph\": \"\\u001b\" } }", "$.forward.glyph", "expected a character of one column, found '\uFFFD'" },
        { "{ \"forward\": { \"ascii\": \"\u2588\" } }", "$.forward.ascii", "expected a printable ASCII character, found '\u2588'" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct arena arena = { 0 };
        struct theme theme;
        struct error error = { 0 };
        assert_int_equal(theme_parse(CASES[i].text, strlen(CASES[i].text), "mine", &arena, &theme, &error), SS_BAD_INPUT);
        assert_string_equal(error.text, CASES[i].message);
        assert_string_equal(error.place, CASES[i].place);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_in_themes_are_what_their_files_say),
        cmocka_unit_test(what_a_theme_leaves_out_is_as_in_its_base),
        cmocka_unit_test(a_theme_that_cannot_be_shown_is_refused_where_it_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
