/* Roles told apart: by colour at every depth, and by glyph and letter without any colour. */
#include "screen.h"

#include <string.h>

#include "view/text.h"

static struct style style_of(int role) {
    return (struct style){ (uint8_t)role, ROLE_NONE, 0 };
}

static void every_role_has_glyphs_of_one_column(void **state) {
    (void)state;
    for (int role = 1; role < ROLE_COUNT; role++) {
        const struct theme_role *look = &THEME_DEFAULT.role[role];
        assert_int_equal(text_width(look->glyph), 1);
        assert_int_equal(strlen(look->ascii), 1);
    }
}

/* What shares a row must differ in sign, or a screen without colour would hide something. */
static void signs_differ_within_lanes_and_within_memory(void **state) {
    (void)state;
    static const int GROUPS[][2] = { { ROLE_FORWARD, ROLE_STALL }, { ROLE_KEPT, ROLE_SCRATCH } };
    for (int g = 0; g < 2; g++)
        for (int a = GROUPS[g][0]; a <= GROUPS[g][1]; a++)
            for (int b = a + 1; b <= GROUPS[g][1]; b++) {
                assert_string_not_equal(THEME_DEFAULT.role[a].glyph, THEME_DEFAULT.role[b].glyph);
                assert_string_not_equal(THEME_DEFAULT.role[a].ascii, THEME_DEFAULT.role[b].ascii);
                assert_int_not_equal(ROLE_LETTER[a], ROLE_LETTER[b]);
            }
}

static void lanes_have_colours_of_their_own_at_every_depth(void **state) {
    (void)state;
    for (int depth = DEPTH_16; depth <= DEPTH_TRUE; depth++)
        for (int a = ROLE_FORWARD; a <= ROLE_BUDGET; a++)
            for (int b = a + 1; b <= ROLE_BUDGET; b++)
                assert_int_not_equal(theme_paint(&THEME_DEFAULT, style_of(a), (enum colour_depth)depth).fg,
                                     theme_paint(&THEME_DEFAULT, style_of(b), (enum colour_depth)depth).fg);
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
        cmocka_unit_test(nearest_colours_are_the_palettes_own_where_it_has_them),
        cmocka_unit_test(palette_indices_stay_in_range_for_any_style),
        cmocka_unit_test(mono_tells_selection_and_staleness_by_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
