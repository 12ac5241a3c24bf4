/* The start screen: presets are opened by number, by Enter, by the mouse and by name; any other key leads on. */
#include "screen.h"

#include <string.h>

#include "core/preset.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 100, 34);
    return 0;
}
static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static const char *drawn(void) {
    size_t length;
    screen_draw(&screen);
    return grid_json_out(&screen.grid, &screen.arena, &length);
}

/* Where TEXT stands; the test fails where it does not. */
static struct mouse press_on(const char *text) {
    for (int y = 0; y < screen.grid.height; y++) {
        const char *row = screen_row(&screen, y), *at = strstr(row, text);
        if (at != NULL)
            return (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_LEFT, .x = 20, .y = y };
    }
    fail_msg("'%s' is not on the screen", text);
    return (struct mouse){ .kind = MOUSE_PRESS };
}

static void all_eight_are_listed_the_chosen_one_with_its_sentence(void **state) {
    (void)state;
    screen_press(&screen, "H");
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        assert_true(screen_shows(&screen, PRESETS[i].name));
    assert_true(screen_shows(&screen, PRESETS[0].words));
    screen_press(&screen, "j j");
    assert_true(screen_shows(&screen, PRESETS[2].words));
    screen_press(&screen, "k");
    assert_true(screen_shows(&screen, PRESETS[1].words));
}

static void a_number_opens_its_preset(void **state) {
    (void)state;
    for (uint32_t i = 0; i < PRESET_COUNT; i++) {
        const struct key number = { '1' + i, 0 };
        screen_press(&screen, "H");
        screen_key(&screen, number);
        screen_draw(&screen);
        assert_string_equal(screen.scene.profile->name, PRESETS[i].model);
        assert_string_equal(screen.scene.profile->device_name, PRESETS[i].gpu);
        assert_true(screen_shows(&screen, PRESETS[i].words));
        assert_false(screen.state.presets.open);
    }
}

static void enter_opens_the_chosen_one_and_undoing_leads_back(void **state) {
    (void)state;
    screen_press(&screen, "Escape");
    const char *first = drawn();
    screen_press(&screen, "H j j j Enter");
    assert_string_equal(screen.scene.profile->name, "llama-7b");
    screen_press(&screen, "u u Escape");
    assert_string_equal(drawn(), first);
}

static void any_other_key_leads_on_and_does_what_it_does(void **state) {
    (void)state;
    screen_press(&screen, "H b");
    assert_false(screen.state.presets.open);
    assert_true(screen.state.knob_focused);
    screen_press(&screen, "Escape H Tab");
    assert_false(screen.state.presets.open);
    screen_press(&screen, "H +");
    assert_false(screen.state.presets.open);
    assert_true(screen_shows(&screen, "51%"));
    screen_press(&screen, "H H");
    assert_false(screen.state.presets.open);
    screen_press(&screen, "H Escape");
    assert_false(screen.state.presets.open);
    assert_int_equal(screen.state.view, VIEW_TIMELINE);
}

static void help_opens_over_it_and_leads_back(void **state) {
    (void)state;
    screen_press(&screen, "H ?");
    assert_true(screen.state.help);
    screen_press(&screen, "q");
    assert_true(screen.state.presets.open);
}

static void a_click_on_one_opens_it_and_one_beside_leads_on(void **state) {
    (void)state;
    screen_press(&screen, "H");
    screen_mouse(&screen, press_on("slow-link"));
    screen_draw(&screen);
    assert_string_equal(screen.scene.profile->device_name, "h100-sxm");
    screen_press(&screen, "H");
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_LEFT, .x = 1, .y = 5 });
    assert_false(screen.state.presets.open);
}

static void the_palette_opens_one_by_name(void **state) {
    (void)state;
    screen_press(&screen, ": p r e s e t Space s u p e r Enter");
    assert_string_equal(screen.scene.profile->device_name, "gh200");
    assert_true(screen_shows(&screen, "the step is ideal"));
}

static void it_fits_any_screen(void **state) {
    (void)state;
    screen_press(&screen, "H");
    for (int width = 1; width < 130; width += 7)
        for (int height = 1; height < 44; height += 3) {
            screen_size(&screen, width, height);
            if (width >= 30 && height >= 8)
                assert_true(screen_shows(&screen, "balance"));
        }
}

int main(void) {
#define WITH_SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, shut)
    const struct CMUnitTest tests[] = {
        WITH_SMALL(all_eight_are_listed_the_chosen_one_with_its_sentence),
        WITH_SMALL(a_number_opens_its_preset),
        WITH_SMALL(enter_opens_the_chosen_one_and_undoing_leads_back),
        WITH_SMALL(any_other_key_leads_on_and_does_what_it_does),
        WITH_SMALL(help_opens_over_it_and_leads_back),
        WITH_SMALL(a_click_on_one_opens_it_and_one_beside_leads_on),
        WITH_SMALL(the_palette_opens_one_by_name),
        WITH_SMALL(it_fits_any_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
