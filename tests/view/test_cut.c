/* Nothing is cut in silence: at any size, a word is whole or an ellipsis says that it goes on. */
#include "screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "view/inspect.h"
#include "view/layout.h"
#include "view/view_problems.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define WORD_LEAST 4
#define WORD_MOST 32
#define WORDS_MOST 40000

static struct screen screen;
static const char *const KEYS[] = { "1", "1 Tab Tab Tab z", "2", "3", "4", "4 c b 3 5 % Enter", "5", "?", "b", ": c o m", "b 1 % Enter 4" };

static char known[WORDS_MOST][WORD_MOST];
static uint32_t known_count;

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* Calls EACH for the words on the screen, of letters alone, that no ellipsis touches. */
static void words_on_screen(void (*each)(const char *word, int y)) {
    for (int y = 0; y < screen.grid.height; y++) {
        const char *row = screen_row(&screen, y);
        while (*row != '\0') {
            const char *from = row;
            while (isalpha((unsigned char)*row))
                row++;
            const size_t length = (size_t)(row - from);
            const bool goes_on = strncmp(row, "…", strlen("…")) == 0;
            if (length >= WORD_LEAST && length < WORD_MOST && !goes_on) {
                char word[WORD_MOST] = "";
                memcpy(word, from, length);
                each(word, y);
            }
            if (length == 0)
                row++;
        }
    }
}

static void learn(const char *word, int y) {
    (void)y;
    assert_true(known_count < WORDS_MOST);
    strcpy(known[known_count++], word);
}

static void forget_doubles(void) {
    uint32_t kept = 0;
    qsort(known, known_count, sizeof known[0], compare);
    for (uint32_t i = 0; i < known_count; i++)
        if (kept == 0 || strcmp(known[kept - 1], known[i]) != 0)
            memmove(known[kept++], known[i], WORD_MOST);
    known_count = kept;
}

static bool is_short_form(const char *word) { return strcmp(word, "comp") == 0; }

static void must_be_known(const char *word, int y) {
    if (!is_short_form(word) && bsearch(word, known, known_count, sizeof known[0], compare) == NULL)
        fail_msg("%dx%d: \"%s\" in: %s", screen.state.width, screen.state.height, word, screen_row(&screen, y));
}

static void open_small(const char *keys) {
    screen_open_small(&screen, 400, 100);
    screen_press(&screen, keys);
}

/* All that is written at the sizes that screens are made for. */
static void learn_all(void) {
    static const int WHOLE[][2] = { { 400, 100 }, { 200, 60 }, { 120, 40 }, { 80, 24 } };
    for (size_t i = 0; i < LENGTH(KEYS); i++) {
        open_small(KEYS[i]);
        for (size_t size = 0; size < LENGTH(WHOLE); size++) {
            screen_size(&screen, WHOLE[size][0], WHOLE[size][1]);
            words_on_screen(learn);
        }
        screen_close(&screen);
    }
    forget_doubles();
}

static void no_word_is_cut_in_silence(void **state) {
    (void)state;
    learn_all();
    for (size_t i = 0; i < LENGTH(KEYS); i++) {
        open_small(KEYS[i]);
        for (int width = 24; width < 240; width += width < 130 ? 1 : 7)
            for (int height = 12; height <= 60; height += 24) {
                screen_size(&screen, width, height);
                words_on_screen(must_be_known);
            }
        screen_close(&screen);
    }
}

static bool ends_in_ellipsis(const char *row) {
    size_t length = strlen(row);
    while (length > 0 && row[length - 1] == ' ')
        length--;
    return length >= strlen("…") && memcmp(row + length - strlen("…"), "…", strlen("…")) == 0;
}

static void a_sentence_that_goes_on_below_the_inspector_says_so(void **state) {
    static const char *const PLACES[] = { "1 e", "e e", "l", "2", "Enter j", "j j" };
    uint32_t cut = 0;
    (void)state;
    open_small("");
    for (size_t i = 0; i < LENGTH(PLACES); i++) {
        screen_press(&screen, PLACES[i]);
        for (int width = 60; width < 200; width += 7)
            for (int height = 20; height <= 40; height += 4) {
                struct inspect_text text;
                screen_size(&screen, width, height);
                const struct rect rect = panes_make(&screen.state, screen.profile.layer_count).inspector;
                inspect_lines(&screen.state, &screen.scene, rect.width - 1, &text);
                if (rect.height < 2 || text.count < rect.height || rect.width < width)
                    continue;
                const bool goes_on = text.line[rect.height - 1].label[0] == '\0';
                if (ends_in_ellipsis(screen_row(&screen, rect.y + rect.height - 1)) !=
                    (goes_on || ends_in_ellipsis(text.line[rect.height - 2].text))) /* a chain may end so */
                    fail_msg("%dx%d: %s", width, height, screen_row(&screen, rect.y + rect.height - 1));
                cut += goes_on;
            }
    }
    assert_true(cut > 20);
    screen_close(&screen);
}

static void a_rule_is_explained_whole_or_said_to_go_on(void **state) {
    uint32_t cut = 0;
    (void)state;
    open_small("5 j");
    const struct rule *rule = &RULE_TABLE[problems_shown(&screen.state, &screen.scene, NULL)->check.findings.finding[0].rule];
    const char *end = strrchr(rule->explanation, ' ') + 1; /* its last word */
    for (int height = 12; height <= 40; height++) {
        screen_size(&screen, 80, height);
        int y = 0, last = height - 2;
        while (y < height && strncmp(screen_row(&screen, y), "rule ", 5) != 0)
            y++;
        if (y == height)
            continue;
        while (last > y && strspn(screen_row(&screen, last), " ") == strlen(screen_row(&screen, last)))
            last--;
        const bool whole = strstr(screen_row(&screen, last), end) != NULL;
        assert_int_equal(ends_in_ellipsis(screen_row(&screen, last)), !whole);
        cut += !whole;
    }
    assert_true(cut > 0);
    screen_close(&screen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_word_is_cut_in_silence),
        cmocka_unit_test(a_sentence_that_goes_on_below_the_inspector_says_so),
        cmocka_unit_test(a_rule_is_explained_whole_or_said_to_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
