/* Any state of the screen told in sentences: with the figures that the screen shows, and nothing that only a screen has. */
#include "screen.h"

#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "tests/random_profile.h"
#include "view/narrate.h"

static const char *told(struct screen *screen) {
    size_t length = 0;
    char *text = narrate(&screen->state, &screen->scene, &screen->arena, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length - 1], '\n');
    return text;
}

static void says(struct screen *screen, const char *words) {
    const char *text = told(screen);
    if (!strstr(text, words))
        fail_msg("expected '%s' in:\n%s", words, text);
}

static void open_small(struct screen *screen) {
    screen_open_small(screen, 80, 24);
}

static void the_figures_are_those_of_the_outcome(void **state) {
    struct screen screen;
    char text[UNIT_TEXT], line[160];
    (void)state;
    open_small(&screen);
    const struct sim_totals *totals = &screen.scene.shown->timeline->totals;
    snprintf(line, sizeof line, "The step takes %s, ", format_time(text, totals->step_us));
    says(&screen, line);
    snprintf(line, sizeof line, "Memory peaks at %s", format_bytes(text, totals->peak_bytes));
    says(&screen, line);
    says(&screen, "planned by offload");
    says(&screen, "The budget is 50%");
    screen_close(&screen);
}

static void what_is_selected_and_typed_is_told(void **state) {
    struct screen screen;
    (void)state;
    open_small(&screen);
    screen_press(&screen, "e");
    says(&screen, " waits ");
    says(&screen, "  why: ");
    screen_press(&screen, "b 4 2");
    says(&screen, "The knob budget (% or GiB) takes a value; typed so far: 42.");
    screen_press(&screen, "Escape / m l p");
    says(&screen, "A name to find is typed; so far: mlp.");
    screen_close(&screen);
}

static void a_plan_that_does_not_fit_is_told_with_what_it_lacks(void **state) {
    struct screen screen;
    (void)state;
    open_small(&screen);
    screen_press(&screen, "b 1 % Enter");
    says(&screen, "The plan does not fit: it needs ");
    says(&screen, "What follows belongs to the last plan that did.");
    screen_close(&screen);
}

static void help_is_told_alone_the_words_of_the_screen_first(void **state) {
    struct screen screen;
    (void)state;
    open_small(&screen);
    screen_press(&screen, "2 ?");
    says(&screen, "Help.\nWords on this screen:\n");
    says(&screen, "  price: What a choice costs the step");
    says(&screen, "  Up k: row above.");
    assert_null(strstr(told(&screen), "The step takes"));
    screen_press(&screen, "/ p i n n e d Space m");
    says(&screen, "Help. Looking for: pinned m.\nWords that were looked for:\n  pinned memory: Host memory");
    says(&screen, "    See host memory.");
    screen_close(&screen);
}

static void names_are_harmless_and_all_else_is_ascii(void **state) {
    struct random random = { 11 };
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct screen screen;
        memset(&screen, 0, sizeof screen);
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 30) };
        random_profile(&random, &shape, &screen.arena, &screen.profile);
        screen_open(&screen, 40 + (int)random_below(&random, 100), 10 + (int)random_below(&random, 40));
        for (int view = 0; view < VIEW_COUNT; view++) {
            struct key key = { (uint32_t)('1' + view), 0 };
            screen_key(&screen, key);
            for (const char *c = told(&screen); *c; c++)
                assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
        }
        screen_close(&screen);
    }
}

/* Whatever a file calls things: no control character but the ends of lines, nothing that turns the direction of writing. */
static void names_that_drive_a_terminal_are_told_harmlessly(void **state) {
    static const char *const KEYS[] = { "1", "2 Enter", "4", "c b 4 0 % Enter", "5 j", "?" };
    struct screen screen;
    (void)state;
    memset(&screen, 0, sizeof screen);
    screen_profile_small(&screen);
    for (uint32_t i = 0; i < screen.profile.tensor_count; i++)
        screen.profile.tensors[i].name = arena_printf(&screen.arena, "%u\x1b[31m\u202e\a\xff", (unsigned)i);
    screen.profile.name = screen.profile.device_name = "\x1b]0;mine\a";
    screen_open(&screen, 120, 40);
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        screen_press(&screen, KEYS[i]);
        const char *text = told(&screen);
        assert_null(strstr(text, "\u202e"));
        for (const char *c = text; *c; c++)
            assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && *c != 0x7F && (unsigned char)*c != 0xFF));
    }
    screen_close(&screen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figures_are_those_of_the_outcome),
        cmocka_unit_test(what_is_selected_and_typed_is_told),
        cmocka_unit_test(a_plan_that_does_not_fit_is_told_with_what_it_lacks),
        cmocka_unit_test(help_is_told_alone_the_words_of_the_screen_first),
        cmocka_unit_test(names_that_drive_a_terminal_are_told_harmlessly),
        cmocka_unit_test(names_are_harmless_and_all_else_is_ascii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
