/* Base, names and sanitise: memory that is zeroed and aligned, sums that never wrap, messages that harm nobody. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/names.h"
#include "core/sanitise.h"

static struct arena arena;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool is_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void arena_memory_is_zeroed_aligned_and_apart(void **state) {
    (void)state;
    static unsigned char *place[2000];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 2000; i++) {
            place[i] = arena_alloc(&arena, i + 1, 7);
            assert_non_null(place[i]);
            assert_int_equal((uintptr_t)place[i] % alignof(max_align_t), 0);
            assert_true(is_zero(place[i], 7 * (i + 1)));
            memset(place[i], (int)(i % 251) + 1, 7 * (i + 1));
        }
        for (size_t i = 0; i < 2000; i++)
            for (size_t at = 0; at < 7 * (i + 1); at++)
                assert_int_equal(place[i][at], i % 251 + 1);
        arena_reset(&arena); /* what comes next is zeroed again */
    }
}

static void an_arena_takes_one_thing_larger_than_its_chunks(void **state) {
    (void)state;
    unsigned char *large = arena_alloc(&arena, 20000000, 1);
    assert_non_null(large);
    assert_true(is_zero(large, 20000000));
    assert_non_null(arena_alloc(&arena, 0, 8));
}

static void an_arena_refuses_what_overflows(void **state) {
    (void)state;
    assert_null(arena_alloc(&arena, SIZE_MAX, 2));
    assert_null(arena_alloc(&arena, SIZE_MAX / 2 + 1, 2));
    assert_null(arena_alloc(&arena, 1, SIZE_MAX));
    assert_null(arena_alloc(&arena, 1, SIZE_MAX - 40));
    assert_non_null(arena_alloc(&arena, 1, 1));
}

static void an_arena_can_be_used_after_it_was_freed(void **state) {
    (void)state;
    assert_string_equal(arena_strdup(&arena, "one"), "one");
    arena_free(&arena);
    assert_null(arena.chunk);
    assert_string_equal(arena_printf(&arena, "%s-%d", "two", 2), "two-2");
    assert_string_equal(arena_strdup(&arena, ""), "");
}

static void sums_of_bytes_stop_below_2_63(void **state) {
    (void)state;
    const uint64_t limit = (uint64_t)1 << 63;
    uint64_t sum = 7;
    assert_false(bytes_add(limit - 1, 1, &sum));
    assert_false(bytes_add(1, limit - 1, &sum));
    assert_false(bytes_add(limit, 0, &sum));
    assert_false(bytes_add(UINT64_MAX, UINT64_MAX, &sum));
    assert_int_equal(sum, 7);
    assert_true(bytes_add(limit - 2, 1, &sum));
    assert_int_equal(sum, limit - 1);
    assert_true(bytes_add(0, 0, &sum));
    assert_int_equal(sum, 0);
}

static void a_message_is_made_harmless_and_keeps_its_status(void **state) {
    (void)state;
    struct error error;
    assert_int_equal(error_set(&error, SS_USAGE, "no %s", "\x1b[31m"), SS_USAGE);
    assert_string_equal(error.text, "no \xEF\xBF\xBD[31m");
    assert_string_equal(error.place, "");
    error_place(&error, "%s", "a\nb");
    assert_string_equal(error.place, "a\xEF\xBF\xBD" "b");
    assert_int_equal(error_no_memory(&error), SS_INTERNAL);
    assert_string_equal(error.place, ""); /* a new message has no place yet */
    assert_int_equal(error_set(NULL, SS_NO, "x"), SS_NO);
    error_place(NULL, "x");
}

static void a_message_too_long_is_cut_at_a_whole_character(void **state) {
    (void)state;
    char name[2000] = "";
    for (int i = 0; i < 600; i++)
        memcpy(name + 3 * i, "\xE2\x82\xAC", 4);
    struct error error;
    error_set(&error, SS_USAGE, "%s", name);
    assert_true(strlen(error.text) < sizeof error.text);
    const char *at = error.text;
    for (unsigned long code; *at; at += utf8_decode(at, &code))
        assert_int_not_equal(utf8_decode(at, &code), 0);
}

static void harmful_characters_are_replaced(void **state) {
    (void)state;
    static const struct { const char *text, *shown; } cases[] = {
        { "plain L0.ln1", "plain L0.ln1" },
        { "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80" },
        { "\x1b]0;x\x07", "?]0;x?" }, { "a\r\n\tb", "a???b" }, { "\x7f", "?" },
        { "\xC2\x9B" "1m", "?1m" },                       /* C1: CSI */
        { "\xE2\x80\xAE" "x", "?x" }, { "\xE2\x81\xA6", "?" }, { "\xE2\x80\xA8", "?" }, /* RLO, LRI, line separator */
        { "\xE2\x80\x8B", "?" }, { "\xEF\xBB\xBF", "?" },  /* zero width space, byte order mark */
        { "\xFF", "?" }, { "\x80", "?" }, { "\xC3", "?" }, { "\xC0\xAF", "??" }, { "\xED\xA0\x80", "???" },
        { "\xF4\x90\x80\x80", "????" }, { "\xE2\x82", "??" }, { "\xE2\x82" "a", "??a" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[200], expected[200] = "";
        for (const char *at = cases[i].shown; *at; at++)
            snprintf(expected + strlen(expected), 8, *at == '?' ? "\xEF\xBF\xBD" : "%c", *at);
        assert_string_equal(sanitise(out, sizeof out, cases[i].text), expected);
    }
}

static void sanitised_text_fits_and_stays_whole(void **state) {
    (void)state;
    const char *text = "ab\xE2\x82\xAC" "\x01z";
    for (size_t size = 1; size < 12; size++) {
        char out[12];
        memset(out, '!', sizeof out);
        assert_true(strlen(sanitise(out, size, text)) < size);
        for (size_t i = size; i < sizeof out; i++)
            assert_int_equal(out[i], '!');
    }
}

static void names_are_found_under_their_index(void **state) {
    (void)state;
    struct names names;
    char *name[5000];
    assert_int_equal(names_init(&names, &arena, 5000, NULL), SS_OK);
    for (uint32_t i = 0; i < 5000; i++) {
        name[i] = arena_printf(&arena, "L%u.x", (unsigned)i);
        assert_true(names_add(&names, name[i], i));
        assert_false(names_add(&names, name[i], 1));
    }
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(names_find(&names, name[i]), i);
    assert_int_equal(names_find(&names, "L5000.x"), NONE);
    assert_int_equal(names_find(&names, ""), NONE);
}

static void a_table_grows_when_it_must(void **state) {
    (void)state;
    struct names names;
    bool added;
    assert_int_equal(names_init(&names, &arena, 0, NULL), SS_OK);
    for (uint32_t i = 0; i < 3000; i++) {
        assert_int_equal(names_insert(&names, &arena, arena_printf(&arena, "%u", (unsigned)i), i, &added, NULL), SS_OK);
        assert_true(added);
    }
    assert_int_equal(names_insert(&names, &arena, "17", 9, &added, NULL), SS_OK);
    assert_false(added);
    assert_int_equal(names_find(&names, "17"), 17);
    assert_int_equal(names_find(&names, "2999"), 2999);
    assert_int_equal(names.used, 3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(arena_memory_is_zeroed_aligned_and_apart, forget),
        cmocka_unit_test_teardown(an_arena_takes_one_thing_larger_than_its_chunks, forget),
        cmocka_unit_test_teardown(an_arena_refuses_what_overflows, forget),
        cmocka_unit_test_teardown(an_arena_can_be_used_after_it_was_freed, forget),
        cmocka_unit_test(sums_of_bytes_stop_below_2_63),
        cmocka_unit_test(a_message_is_made_harmless_and_keeps_its_status),
        cmocka_unit_test(a_message_too_long_is_cut_at_a_whole_character),
        cmocka_unit_test(harmful_characters_are_replaced),
        cmocka_unit_test(sanitised_text_fits_and_stays_whole),
        cmocka_unit_test_teardown(names_are_found_under_their_index, forget),
        cmocka_unit_test_teardown(a_table_grows_when_it_must, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
