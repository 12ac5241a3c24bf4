/* Keys as tmux writes them, and the table that gives them their meaning. */
#include "screen.h"

#include <string.h>

static struct arena arena;

static int done(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* The keys of SCRIPT written back, parted by blanks. */
static const char *parsed(const char *script) {
    struct key *keys;
    size_t count;
    char text[KEY_TEXT];
    const char *out = "";
    assert_int_equal(keys_parse(script, &arena, &keys, &count, NULL), SS_OK);
    for (size_t i = 0; i < count; i++)
        out = arena_printf(&arena, "%s%s%s", out, i > 0 ? " " : "", key_format(keys[i], text));
    return out;
}

static void words_are_keys(void **state) {
    (void)state;
    assert_string_equal(parsed(""), "");
    assert_string_equal(parsed("b 5 0 % Enter"), "b 5 0 % Enter");
    assert_string_equal(parsed("Left C-r M-1 F12 Space Tab BTab S-Up"), "Left C-r M-1 F12 Space Tab BTab S-Up");
    assert_string_equal(parsed("  C-R\tEsc\nPgUp "), "C-r Escape PPage");
    assert_string_equal(parsed("^ [ ] - + ="), "^ [ ] - + =");
    assert_string_equal(parsed("C-M-x é"), "C-M-x é");
}

static void single_characters_may_run_together(void **state) {
    (void)state;
    assert_string_equal(parsed("jjG"), "j j G");
    assert_string_equal(parsed("b50% Enter"), "b 5 0 % Enter");
    assert_string_equal(parsed("b24GiB Enter"), "b 2 4 G i B Enter");
    assert_string_equal(parsed("p22GB/s"), "p 2 2 G B / s");
    assert_string_equal(parsed("oohalf"), "o o h a l f");
    assert_string_equal(parsed("/ L12.xyz Enter"), "/ L 1 2 . x y z Enter");
}

static void an_unknown_word_is_named(void **state) {
    (void)state;
    static const char *const WORDS[] = { "Lfet", "Entr", "C-Foo", "M-", "HoXe", "F13", "Rigth", "jjX" };
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        struct error error = { "", "" };
        struct key *keys;
        size_t count;
        const char *script = arena_printf(&arena, "j %s k", WORDS[i]);
        assert_int_equal(keys_parse(script, &arena, &keys, &count, &error), SS_USAGE);
        assert_non_null(strstr(error.text, WORDS[i]));
    }
}

static void every_action_has_a_key_and_no_two_share_one(void **state) {
    (void)state;
    for (int a = 1; a < DO_COUNT; a++) {
        struct key key;
        assert_true(action_key((enum ui_action)a, 0, &key));
        for (int n = 0; action_key((enum ui_action)a, n, &key); n++)
            assert_int_equal(action_for_key(key, ACTION_TABLE[a].context, ACTION_TABLE[a].context), a);
    }
}

static void a_pair_is_followed_by_its_counterpart(void **state) {
    (void)state;
    for (int a = 1; a < DO_COUNT; a++) {
        const struct action_entry *entry = &ACTION_TABLE[a];
        assert_int_equal(entry->rank > 0, entry->hint[0] != '\0');
        if (entry->pair) {
            assert_true(a + 1 < DO_COUNT);
            assert_int_equal(entry[1].context, entry->context);
            assert_int_equal(entry[1].rank, 0);
        }
    }
}

static void a_context_goes_before_what_holds_everywhere(void **state) {
    (void)state;
    struct key q = { 'q', 0 }, enter = { K_ENTER, 0 }, j = { 'j', 0 };
    assert_int_equal(action_for_key(q, CONTEXT_TIMELINE, CONTEXT_TIMELINE), DO_quit);
    assert_int_equal(action_for_key(q, CONTEXT_HELP, CONTEXT_HELP), DO_help_close);
    assert_int_equal(action_for_key(enter, CONTEXT_TIMELINE, CONTEXT_TIMELINE), DO_open);
    assert_int_equal(action_for_key(enter, CONTEXT_VALUE, CONTEXT_TIMELINE), DO_value_take);
    assert_int_equal(action_for_key(j, CONTEXT_VALUE, CONTEXT_TIMELINE), DO_row_down);
    assert_int_equal(action_for_key((struct key){ 'X', 0 }, CONTEXT_TIMELINE, CONTEXT_TIMELINE), DO_nothing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_keys),
        cmocka_unit_test(single_characters_may_run_together),
        cmocka_unit_test(an_unknown_word_is_named),
        cmocka_unit_test(every_action_has_a_key_and_no_two_share_one),
        cmocka_unit_test(a_pair_is_followed_by_its_counterpart),
        cmocka_unit_test(a_context_goes_before_what_holds_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, done);
}
