/* Nothing is cut in silence: at any size, a word is whole or an ellipsis says that it goes on. */
#include "screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    memset(&screen, 0, sizeof screen);
    screen_profile_small(&screen);
    screen_open(&screen, 400, 100);
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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_word_is_cut_in_silence) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
