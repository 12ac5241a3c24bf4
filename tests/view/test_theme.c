/* Roles told apart: by colour at every depth, and by glyph and letter without any colour. */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "view/text.h"

static struct style style_of(int role) {
    return (struct style){ (uint8_t)role, ROLE_NONE, 0 };
}

static void every_role_has_glyphs_of_one_column(void **state) {
    (void)state;
    for (uint32_t theme = 0; theme < THEME_BUILTIN_COUNT; theme++)
        for (int role = 1; role < ROLE_COUNT; role++) {
            const struct theme_role *look = &THEME_BUILTIN[theme].role[role];
            assert_non_null(look->glyph);
            assert_int_equal(text_width(look->glyph), 1);
            assert_int_equal(strlen(look->ascii), 1);
        }
}

/* What shares a row must differ in sign, or a screen without colour would hide something. */
static void signs_differ_within_lanes_and_within_memory(void **state) {
    (void)state;
    static const int GROUPS[][2] = { { ROLE_FORWARD, ROLE_STALL }, { ROLE_KEPT, ROLE_SCRATCH } };
    for (uint32_t theme = 0; theme < THEME_BUILTIN_COUNT; theme++)
        for (int g = 0; g < 2; g++)
            for (int a = GROUPS[g][0]; a <= GROUPS[g][1]; a++)
                for (int b = a + 1; b <= GROUPS[g][1]; b++) {
                    const struct theme_role *look = THEME_BUILTIN[theme].role;
                    assert_string_not_equal(look[a].glyph, look[b].glyph);
                    assert_string_not_equal(look[a].ascii, look[b].ascii);
                    assert_int_not_equal(ROLE_LETTER[a], ROLE_LETTER[b]);
                }
}

static void lanes_have_colours_of_their_own_at_every_depth(void **state) {
    (void)state;
    for (uint32_t theme = 0; theme < THEME_BUILTIN_COUNT; theme++)
        for (int depth = DEPTH_16; depth <= DEPTH_TRUE && !THEME_BUILTIN[theme].mono; depth++)
            for (int a = ROLE_FORWARD; a <= ROLE_BUDGET; a++)
                for (int b = a + 1; b <= ROLE_BUDGET; b++)
                    assert_int_not_equal(theme_paint(&THEME_BUILTIN[theme], style_of(a), (enum colour_depth)depth).fg,
                                         theme_paint(&THEME_BUILTIN[theme], style_of(b), (enum colour_depth)depth).fg);
}

static double linear(uint32_t part) {
    double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

/* WCAG 2.1: 1 for equal colours, 21 for black on white. */
static double contrast(uint32_t a, uint32_t b) {
    double light[2];
    uint32_t colour[2] = { a, b };
    for (int i = 0; i < 2; i++)
        light[i] = 0.2126 * linear(colour[i] >> 16 & 255) + 0.7152 * linear(colour[i] >> 8 & 255) + 0.0722 * linear(colour[i] & 255);
    return (fmax(light[0], light[1]) + 0.05) / (fmin(light[0], light[1]) + 0.05);
}

static void words_can_be_read_on_the_background(void **state) {
    (void)state;
    for (uint32_t i = 0; i < THEME_BUILTIN_COUNT; i++) {
        const struct theme *theme = &THEME_BUILTIN[i];
        double least = strcmp(theme->name, "contrast") == 0 ? 7 : 4.5;
        for (int role = 1; role < ROLE_COUNT; role++) {
            bool is_word = role == ROLE_TEXT || role == ROLE_DIM || role == ROLE_TITLE || role == ROLE_NUMBER || role == ROLE_KEY ||
                           role == ROLE_LABEL || role == ROLE_KNOB;
            struct paint paint = theme_paint_picture(theme, style_of(role));
            if (is_word && contrast((uint32_t)paint.fg, (uint32_t)paint.bg) < least)
                fail_msg("%s: %s has a contrast of %.1f", theme->name, ROLE_NAME[role],
                         contrast((uint32_t)paint.fg, (uint32_t)paint.bg));
        }
    }
}

static void a_mono_theme_uses_no_colour_at_any_depth(void **state) {
    (void)state;
    const struct theme *mono = theme_builtin("mono");
    for (int role = 1; role < ROLE_COUNT; role++)
        for (int under = 0; under < ROLE_COUNT; under++) {
            struct paint paint = theme_paint(mono, (struct style){ (uint8_t)role, (uint8_t)under, CELL_SELECTED }, DEPTH_TRUE);
            assert_int_equal(paint.fg, PAINT_DEFAULT);
            assert_int_equal(paint.bg, PAINT_DEFAULT);
        }
}

static void nearest_colours_are_the_palettes_own_where_it_has_them(void **state) {
    (void)state;
    assert_int_equal(colour_nearest_256(0x000000), 16);
    assert_int_equal(colour_nearest_256(0xFFFFFF), 231);
    assert_int_equal(colour_nearest_256(0xFF0000), 196);
    assert_int_equal(colour_nearest_256(0x5F87AF), 67);
    assert_int_equal(colour_nearest_256(0x808080), 244);
    assert_int_equal(colour_nearest_16(0x000000), 0);
    assert_int_equal(colour_nearest_16(0xFFFFFF), 15);
    assert_int_equal(colour_nearest_16(0xCD0000), 1);
    assert_int_equal(colour_nearest_16(0x00FFFF), 14);
    assert_int_equal(colour_nearest_16(0x7F7F7F), 8);
}

static void palette_indices_stay_in_range_for_any_style(void **state) {
    (void)state;
    for (int role = 1; role < ROLE_COUNT; role++)
        for (int under = 0; under < ROLE_COUNT; under++)
            for (int attributes = 0; attributes < 64; attributes++)
                for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
                    static const int32_t LAST[] = { -1, 15, 255, 0xFFFFFF };
                    struct style style = { (uint8_t)role, (uint8_t)under, (uint8_t)attributes };
                    struct paint paint = theme_paint(&THEME_DEFAULT, style, (enum colour_depth)depth);
                    assert_true(paint.fg >= -1 && paint.fg <= LAST[depth]);
                    assert_true(paint.bg >= -1 && paint.bg <= LAST[depth]);
                }
}

static void mono_tells_selection_and_staleness_by_attributes(void **state) {
    (void)state;
    struct style label = { ROLE_LABEL, ROLE_FORWARD, 0 }, bar = style_of(ROLE_FORWARD);
    assert_true(theme_paint(&THEME_DEFAULT, label, DEPTH_MONO).attributes & PAINT_REVERSE);
    label.attributes = CELL_SELECTED;
    assert_false(theme_paint(&THEME_DEFAULT, label, DEPTH_MONO).attributes & PAINT_REVERSE);
    bar.attributes = CELL_STALE;
    assert_true(theme_paint(&THEME_DEFAULT, bar, DEPTH_MONO).attributes & PAINT_DIM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_role_has_glyphs_of_one_column),
        cmocka_unit_test(signs_differ_within_lanes_and_within_memory),
        cmocka_unit_test(lanes_have_colours_of_their_own_at_every_depth),
        cmocka_unit_test(words_can_be_read_on_the_background),
        cmocka_unit_test(a_mono_theme_uses_no_colour_at_any_depth),
        cmocka_unit_test(nearest_colours_are_the_palettes_own_where_it_has_them),
        cmocka_unit_test(palette_indices_stay_in_range_for_any_style),
        cmocka_unit_test(mono_tells_selection_and_staleness_by_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
