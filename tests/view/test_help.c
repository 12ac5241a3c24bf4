/* Help: what it says of the words on a screen, the glossary within it, and that no label is left unexplained. */
#include "screen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/glossary.h"
#include "view/help_terms.h"
#include "view/theme.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 80, 24);
    return 0;
}
static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static uint32_t term(const char *name) {
    uint32_t found = glossary_find(name, strlen(name));
    if (found == TERM_NONE)
        fail_msg("no term '%s'", name);
    return found;
}

static bool tells_about(const char *name) {
    for (uint8_t i = 0; i < screen.state.about.count; i++)
        if (screen.state.about.term[i] == term(name))
            return true;
    return false;
}

/* Where TEXT stands on the screen, in columns; fails where it does not. */
static void find_on_screen(const char *text, int *x, int *y) {
    for (*y = 0; *y < screen.grid.height; ++*y) {
        char row[2048];
        size_t length = 0;
        int column[2048];
        for (int i = 0; i < screen.grid.width; i++) {
            const struct cell *cell = grid_at(&screen.grid, i, *y);
            for (int n = 0; n < cell->length; n++)
                column[length + (size_t)n] = i;
            memcpy(row + length, cell->text, cell->length);
            length += cell->length;
        }
        row[length] = '\0';
        const char *found = strstr(row, text);
        if (found != NULL) {
            *x = column[found - row];
            return;
        }
    }
    fail_msg("'%s' is not on the screen", text);
}

static void point_at(const char *text) {
    int x, y;
    find_on_screen(text, &x, &y);
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_RIGHT, .x = x, .y = y });
    screen_draw(&screen);
}

/* ---- what is told first ---- */

static void help_begins_with_what_is_selected(void **state) {
    (void)state;
    screen_press(&screen, "j . ?");
    assert_true(screen_shows(&screen, "Words on this screen"));
    assert_int_equal(screen.state.about.term[0], term("D2H"));
    screen_press(&screen, "? j ?");
    assert_int_equal(screen.state.about.term[0], term("H2D"));
}

static void help_tells_the_words_of_the_view(void **state) {
    (void)state;
    screen_press(&screen, "2 ?");
    assert_true(tells_about("price"));
    screen_press(&screen, "Escape 3 ?");
    assert_true(tells_about("map of winners"));
    assert_false(tells_about("price"));
    screen_press(&screen, "Escape c ?");
    assert_true(tells_about("pinned plan"));
}

static void the_keys_are_in_sight_below_it(void **state) {
    (void)state;
    screen_press(&screen, "?");
    assert_true(screen_shows(&screen, "Moving"));
    assert_true(screen_shows(&screen, "previous event in time"));
}

static void tab_goes_from_part_to_part(void **state) {
    (void)state;
    screen_press(&screen, "? Tab");
    assert_non_null(strstr(screen_row(&screen, 1), "Moving"));
    screen_press(&screen, "Tab");
    assert_non_null(strstr(screen_row(&screen, 1), "Time"));
    screen_press(&screen, "BTab");
    assert_non_null(strstr(screen_row(&screen, 1), "Moving"));
    for (int i = 0; i < 40; i++)
        screen_press(&screen, "Tab");
    assert_true(screen_shows(&screen, "unlimited peak"));
    screen_press(&screen, "Escape M");
    assert_true(screen_shows(&screen, "What is not modelled"));
}

/* ---- looking for a word ---- */

static void a_word_is_found_as_it_is_typed(void **state) {
    (void)state;
    screen_press(&screen, "? / s l a");
    assert_true(screen_shows(&screen, "slackswap-rule"));
    assert_true(screen_shows(&screen, "find sla"));
    assert_false(screen_shows(&screen, "Moving"));
    screen_press(&screen, "c k");
    assert_non_null(strstr(screen_row(&screen, 2), "slack "));
    screen_press(&screen, "q"); /* a letter, while it is typed */
    assert_true(screen_shows(&screen, "No word is called so"));
    screen_press(&screen, "BSpace Enter");
    assert_int_equal(state_context(&screen.state), CONTEXT_HELP);
    assert_non_null(strstr(screen_row(&screen, 2), "slack "));
    screen_press(&screen, "Escape");
    assert_true(screen_shows(&screen, "Moving"));
    screen_press(&screen, "Escape");
    assert_false(screen.state.help);
}

static void what_is_found_scrolls(void **state) {
    (void)state;
    screen_press(&screen, "? / e");
    const char *before = screen_row(&screen, 5);
    screen_press(&screen, "Down Down Down");
    assert_string_not_equal(screen_row(&screen, 5), before);
    assert_string_equal(screen_row(&screen, 2), before);
}

static void the_palette_knows_every_term(void **state) {
    (void)state;
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++) {
        screen_press(&screen, "Escape Escape :");
        snprintf(screen.state.command.text, sizeof screen.state.command.text, "what is %s?", GLOSSARY[i].name);
        screen_press(&screen, "Enter");
        assert_true(screen.state.help);
        assert_int_equal(screen.state.about.term[0], i);
    }
    screen_press(&screen, "Escape : g l o s s a r y Space p e a k Enter");
    assert_int_equal(screen.state.about.term[0], term("peak"));
    assert_true(screen_shows(&screen, "see budget"));
}

static void a_word_under_the_hand_is_told(void **state) {
    (void)state;
    point_at("stall");
    assert_true(screen.state.help);
    assert_int_equal(screen.state.about.term[0], term("stall"));
    assert_true(screen_shows(&screen, "What was asked for"));
    point_at("cause,"); /* in the help itself: see … */
    assert_int_equal(screen.state.about.term[0], term("cause"));
}

/* ---- every label is explained ---- */

/* Plain words, and what a screen itself explains. */
static const char *const ORDINARY[] = {
    "GB/", "GB/s", "GPU", "GiB", "KiB", "MiB", "The", "a", "again", "against", "all", "and", "are", "at", "back", "be", "before", "being",
    "by", "bytes", "can", "capital", "changes", "compared", "current", "each", "errors", "found", "from", "given", "has", "here", "in", "is",
    "it", "leave", "legend", "letters", "limit", "makes", "mends", "ms", "no", "none", "not", "of", "on", "or", "planned", "reads", "same",
    "single", "than", "that", "the", "there", "these", "this", "those", "time", "to", "together", "totals", "two", "up", "us", "use", "warnings", "what", "when", "which", "why", "with", "would", "yet",
    "fc", "gelu", "out", "test" /* names of what is looked at */
};

static bool is_ordinary(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof ORDINARY / sizeof ORDINARY[0]; i++)
        if (strlen(ORDINARY[i]) == length && memcmp(ORDINARY[i], word, length) == 0)
            return true;
    return false;
}

/* Letters alone: no count, no name such as L3.fc, no glyph. */
static bool is_word(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (isdigit((unsigned char)word[i]) || (unsigned char)word[i] >= 0x80 || (word[i] == '.' && i + 1 < length))
            return false;
    return length > 1;
}

#define LABEL_MOST 32 /* longer ones are sentences, which say themselves what they mean */

static void check_label(const char *text, const char *where) {
    char left[1024];
    size_t at = 0, length;
    snprintf(left, sizeof left, "%s", text);
    for (; glossary_next(text, &at, &length) != TERM_NONE; at += length)
        memset(left + at, ' ', length);
    for (const char *word = left; *word != '\0' && strlen(text) <= LABEL_MOST; word += length) {
        word += strspn(word, " .,:;()[]+-/%|<>=&?*'\"");
        length = strcspn(word, " ,:;()[]+<>=|?*'\"");
        size_t own = length > 0 && word[length - 1] == '.' ? length - 1 : length;
        if (is_word(word, own) && !is_ordinary(word, own))
            fail_msg("%s: '%.*s' in '%s' is neither a term (src/core/glossary.c) nor an ordinary word (ORDINARY in this test)", where,
                     (int)own, word, text);
    }
}

static bool is_of_labels(const struct cell *cell) {
    return cell->style.role == ROLE_DIM || cell->style.role == ROLE_TITLE;
}

/* What stands in the roles of labels, run by run, above the hints at the foot, which help explains key by key. */
static void check_screen(const char *where) {
    for (int y = 0; y + 1 < screen.grid.height; y++)
        for (int x = 0; x < screen.grid.width;) {
            char text[1024];
            size_t length = 0;
            for (; x < screen.grid.width && is_of_labels(grid_at(&screen.grid, x, y)); x++) {
                const struct cell *cell = grid_at(&screen.grid, x, y);
                memcpy(text + length, cell->text, cell->length);
                length += cell->length;
            }
            text[length] = '\0';
            if (length > 0)
                check_label(text, where);
            else
                x++;
        }
}

static void every_label_of_every_view_is_a_term(void **state) {
    (void)state;
    static const char *const SCREENS[] = { "", "1 Enter", "1 e", "1 j .", "2", "2 g Enter j", "3", "3 Tab", "3 BTab", "4", "c b 3 5 % Enter", "5", "b 3 0 % Enter 5 j" };
    static const int SIZES[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 } };
    for (size_t i = 0; i < sizeof SCREENS / sizeof SCREENS[0]; i++)
        for (size_t size = 0; size < sizeof SIZES / sizeof SIZES[0]; size++) {
            screen_press(&screen, SCREENS[i]);
            screen_size(&screen, SIZES[size][0], SIZES[size][1]);
            check_screen(SCREENS[i]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(help_begins_with_what_is_selected, open_small, shut),
        cmocka_unit_test_setup_teardown(help_tells_the_words_of_the_view, open_small, shut),
        cmocka_unit_test_setup_teardown(the_keys_are_in_sight_below_it, open_small, shut),
        cmocka_unit_test_setup_teardown(tab_goes_from_part_to_part, open_small, shut),
        cmocka_unit_test_setup_teardown(a_word_is_found_as_it_is_typed, open_small, shut),
        cmocka_unit_test_setup_teardown(what_is_found_scrolls, open_small, shut),
        cmocka_unit_test_setup_teardown(the_palette_knows_every_term, open_small, shut),
        cmocka_unit_test_setup_teardown(a_word_under_the_hand_is_told, open_small, shut),
        cmocka_unit_test_setup_teardown(every_label_of_every_view_is_a_term, open_small, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
