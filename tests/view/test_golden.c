/* Golden screens: characters and roles of whole screens, three sizes, compared with tests/golden/NAME-WxH.json.
 *
 * A normal run reads them from $SRCDIR and writes what it drew to $BUILDDIR/tests/golden-drawn, and on a difference
 * shows both rows. `make update-goldens` writes them anew: look at the change with git diff before you commit it. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct golden {
    const char *name, *model, *keys; /* MODEL "" = the small profile */
    bool ascii;
} GOLDENS[] = {
    { "small-start", "", "", false },
    { "small-ascii", "", "", true },
    { "small-open", "", "g Enter www", false },
    { "small-transfer", "", "j . ww", false },
    { "small-typing", "", "b60", false },
    { "small-infeasible", "", "b 1 % Enter", false },
    { "small-help", "", "?", false },
    { "small-help-find", "", "? / s l a c k", false },
    { "small-help-word", "", ": w h a t Space i s Space p e a k Enter", true },
    { "small-why", "", "Tab Tab Tab z", false },
    { "small-whatif", "", "3", false },
    { "small-whatif-map", "", "3 BTab h h j", false },
    { "small-whatif-ascii", "", "3 Tab g", true },
    { "small-compare", "", "c", false },
    { "small-compare-budget", "", "c b 3 5 % Enter", false },
    { "small-compare-infeasible", "", "b 3 5 % Enter c j b 1 % Enter", false },
    { "small-compare-ascii", "", "c b 3 5 % Enter j", true },
    { "gpt2-xl-compare", "gpt2-xl", "c p 1 2 Enter jj", false },
    { "small-problems", "", "5 j", false },
    { "small-problems-none", "", "b 1 0 0 % Enter 5", false },
    { "small-problems-ascii", "", "b 3 0 % Enter 5 j j", true },
    { "small-problems-infeasible", "", "K b 3 0 % Enter 5 j", false },
    { "gpt2-xl-start", "gpt2-xl", "", false },
    { "gpt2-xl-layer", "gpt2-xl", "Tab kkk Enter j wwww", false },
    { "small-presets", "", "H j", false },
    { "small-command", "", ": s t a l l", false },
    { "challenge-start", "", "M-n", false },
    { "challenge-layers", "", "M-n 2 g Enter j R", false },
    { "challenge-ascii", "", "M-n M-n p 9 Enter", true },
    { "small-layers", "", "2 g Enter jj", false },
    { "gpt2-xl-layers", "gpt2-xl", "2 SSS g v jj", false },
    { "small-ghost", "", "b 3 5 % Enter", false },
    { "small-ghost-ascii", "", "+ + +", true },
    { "gpt2-xl-memory", "gpt2-xl", "^ Tab Tab z", false },
};
static const int SIZES[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 } };
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? value : ".";
}

static char *read_file(struct arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = arena_alloc(arena, 1 << 20, 1);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("can't write %s", path);
}

/* Shows the first line in which the two differ. */
static void show_difference(const char *name, const char *expected, const char *drawn) {
    size_t same = 0;
    int line = 1;
    for (; expected[same] != '\0' && expected[same] == drawn[same]; same++)
        line += expected[same] == '\n';
    while (same > 0 && expected[same - 1] != '\n')
        same--;
    print_message("# %s, line %d\n# golden: %.*s\n# drawn:  %.*s\n", name, line, (int)strcspn(expected + same, "\n"),
                  expected + same, (int)strcspn(drawn + same, "\n"), drawn + same);
}

/* True when the screen is as it was, or has been written. */
static bool same_as_golden(struct screen *screen, const struct golden *golden) {
    size_t length;
    const char *file = arena_printf(&screen->arena, "%s-%dx%d.json", golden->name, screen->grid.width,
                                    screen->grid.height);
    const char *drawn = grid_json_out(&screen->grid, &screen->arena, &length);
    const char *path = arena_printf(&screen->arena, "%s/tests/golden/%s", environment("SRCDIR"), file);
    if (getenv("UPDATE_GOLDENS") != NULL) {
        write_file(path, drawn);
        return true;
    }
    write_file(arena_printf(&screen->arena, "%s/tests/golden-drawn/%s", environment("BUILDDIR"), file), drawn);
    const char *expected = read_file(&screen->arena, path);
    if (expected != NULL && strcmp(expected, drawn) == 0)
        return true;
    show_difference(file, expected != NULL ? expected : "(missing)", drawn);
    return false;
}

static void screens_are_as_they_were(void **state) {
    (void)state;
    struct arena arena = { 0 };
    int different = 0;
    mkdir(arena_printf(&arena, "%s/tests/golden-drawn", environment("BUILDDIR")), 0777);
    arena_free(&arena);
    for (size_t i = 0; i < LENGTH(GOLDENS); i++)
        for (size_t size = 0; size < LENGTH(SIZES); size++) {
            struct screen screen;
            memset(&screen, 0, sizeof screen);
            if (GOLDENS[i].model[0] != '\0')
                screen_profile_model(&screen, GOLDENS[i].model);
            else
                screen_profile_small(&screen);
            screen_open(&screen, SIZES[size][0], SIZES[size][1]);
            screen.state.ascii = GOLDENS[i].ascii;
            screen_press(&screen, GOLDENS[i].keys);
            different += !same_as_golden(&screen, &GOLDENS[i]);
            screen_close(&screen);
        }
    if (different > 0)
        fail_msg("%d screens differ; if they should, run `make update-goldens` and look at git diff", different);
}

/* The same state drawn twice gives the same cells, whatever was drawn in between. */
static void drawing_is_pure(void **state) {
    (void)state;
    struct screen screen;
    size_t length;
    screen_open_small(&screen, 120, 40);
    char *first = grid_json_out(&screen.grid, &screen.arena, &length);
    screen_press(&screen, "? ? j k Tab Tab Tab Tab");
    char *second = grid_json_out(&screen.grid, &screen.arena, &length);
    assert_string_equal(first, second);
    screen_close(&screen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screens_are_as_they_were),
        cmocka_unit_test(drawing_is_pure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
