/* Cells, clipping, wide glyphs; and a grid as text, ANSI, SVG and JSON. */
#include "screen.h"

#include <string.h>

static const struct style TEXT = { ROLE_TEXT, ROLE_NONE, 0 };
static struct grid grid = { .cursor_x = -1 };
static struct arena arena;

static int fresh(void **state) {
    (void)state;
    return grid_resize(&grid, 8, 2) ? 0 : -1;
}
static int done(void **state) {
    (void)state;
    grid_free(&grid);
    arena_free(&arena);
    return 0;
}

static void rows_are(const char *expected) {
    size_t length;
    assert_string_equal(grid_text_out(&grid, &arena, &length), expected);
    assert_int_equal(length, strlen(expected));
}

static void text_is_clipped_to_its_rectangle(void **state) {
    (void)state;
    struct rect clip = { 2, 0, 3, 1 };
    assert_int_equal(grid_text(&grid, clip, 0, 0, "abcdefgh", TEXT), 8);
    grid_text(&grid, clip, 0, 1, "below", TEXT);
    rows_are("  …d…\n\n");
}

static void what_is_cut_off_says_so(void **state) {
    (void)state;
    grid_text(&grid, grid_rect(&grid), 0, 0, "12345678", TEXT);
    grid_text(&grid, grid_rect(&grid), 0, 1, "1234567   ", TEXT); /* blanks are nothing to miss */
    rows_are("12345678\n1234567\n");
    grid.ascii = true;
    grid_text(&grid, grid_rect(&grid), 0, 0, "123456789", TEXT);
    grid_text(&grid, grid_rect(&grid), 8, 1, "beyond", TEXT); /* there is no place to say so */
    grid_text(&grid, (struct rect){ 3, 1, 1, 1 }, 3, 1, "abc", TEXT);
    rows_are("1234567.\n123.567\n");
    grid.ascii = false;
}

static void a_clip_beyond_the_grid_is_harmless(void **state) {
    (void)state;
    struct rect clip = { -5, -5, 100, 100 };
    grid_text(&grid, clip, -2, 1, "ab…defghi…klmnop", TEXT);
    grid_text(&grid, clip, 0, 7, "x", TEXT);
    grid_fill(&grid, (struct rect){ 6, -3, 50, 4 }, "#", TEXT);
    rows_are("      ##\n…defghi…\n");
    grid_glyph(&grid, clip, 8, 0, "▼", TEXT);
    grid_glyph(&grid, clip, -1, -1, "▼", TEXT);
    grid_glyph(&grid, clip, 0, 0, "▼", TEXT);
    rows_are("▼     ##\n…defghi…\n");
}

static void a_wide_glyph_has_padding_behind_it(void **state) {
    (void)state;
    grid_text(&grid, grid_rect(&grid), 1, 0, "中x", TEXT);
    assert_int_equal(grid_at(&grid, 1, 0)->width, 2);
    assert_int_equal(grid_at(&grid, 2, 0)->width, 0);
    assert_int_equal(grid_at(&grid, 2, 0)->length, 0);
    rows_are(" 中x\n\n");
}

static void overwriting_half_a_wide_glyph_blanks_the_other_half(void **state) {
    (void)state;
    grid_text(&grid, grid_rect(&grid), 0, 0, "中中", TEXT);
    grid_text(&grid, grid_rect(&grid), 1, 0, "a", TEXT);
    rows_are(" a中\n\n");
    grid_text(&grid, grid_rect(&grid), 2, 0, "b", TEXT);
    rows_are(" ab\n\n");
    grid_text(&grid, grid_rect(&grid), 0, 1, "中中", TEXT);
    grid_text(&grid, grid_rect(&grid), 1, 1, "中", TEXT);
    rows_are(" ab\n 中\n");
}

static void a_wide_glyph_at_the_edge_is_cut_as_a_whole(void **state) {
    (void)state;
    grid_text(&grid, grid_rect(&grid), 7, 0, "中", TEXT);
    assert_int_equal(grid_at(&grid, 7, 0)->width, 1);
    grid_text(&grid, (struct rect){ 3, 1, 5, 1 }, 2, 1, "中", TEXT);
    assert_int_equal(grid_at(&grid, 2, 1)->width, 1);
    rows_are("       …\n   …\n");
}

static void ascii_grids_hold_ascii_only(void **state) {
    (void)state;
    grid.ascii = true;
    grid_text(&grid, grid_rect(&grid), 0, 0, "a▼中ée\xCC\x81", TEXT);
    grid.ascii = false;
    rows_are("a?? ?e\n\n");
}

static void sizes_are_brought_into_range(void **state) {
    (void)state;
    assert_true(grid_resize(&grid, -4, 0));
    assert_int_equal(grid.width, 1);
    assert_int_equal(grid.height, 1);
}

static void ansi_resets_at_the_end_of_each_row(void **state) {
    (void)state;
    size_t length;
    grid_text(&grid, grid_rect(&grid), 0, 0, "F", (struct style){ ROLE_FORWARD, ROLE_NONE, 0 });
    assert_string_equal(grid_ansi_out(&grid, &THEME_DEFAULT, DEPTH_TRUE, &arena, &length),
                        "\033[0;38;2;86;180;233mF\033[0m\n\n");
    assert_string_equal(grid_ansi_out(&grid, &THEME_DEFAULT, DEPTH_256, &arena, &length), "\033[0;38;5;74mF\033[0m\n\n");
    assert_string_equal(grid_ansi_out(&grid, &THEME_DEFAULT, DEPTH_16, &arena, &length), "\033[0;36mF\033[0m\n\n");
    assert_string_equal(grid_ansi_out(&grid, &THEME_DEFAULT, DEPTH_MONO, &arena, &length), "\033[0mF\033[0m\n\n");
}

static void json_tells_text_and_runs_of_roles(void **state) {
    (void)state;
    size_t length;
    grid_text(&grid, grid_rect(&grid), 0, 0, "\"\\", TEXT);
    grid_text(&grid, grid_rect(&grid), 2, 0, "B", (struct style){ ROLE_LABEL, ROLE_BACKWARD, CELL_SELECTED });
    assert_string_equal(grid_json_out(&grid, &arena, &length),
                        "{\"schema\":\"slackswap-screen/1\",\"width\":8,\"height\":2,\"rows\":[\n"
                        "{\"text\":\"\\\"\\\\B\",\"cells\":[[2,\"text\"],[1,\"label\",[\"on:backward\",\"selected\"]],"
                        "[5,\"text\"]]},\n"
                        "{\"text\":\"\",\"cells\":[[8,\"text\"]]}\n]}\n");
}

/* Enough of XML to find a broken picture: every tag closes, nothing is left unescaped. */
static void check_xml(const char *xml) {
    int depth = 0;
    for (const char *at = xml; *at != '\0'; at++) {
        assert_int_not_equal(*at, '\x1b');
        if (*at == '&')
            assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&amp;", 5) == 0 ||
                        strncmp(at, "&quot;", 6) == 0);
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        assert_null(memchr(at + 1, '<', (size_t)(end - at - 1)));
        depth += at[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        assert_true(depth >= 0);
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void svg_is_well_formed_and_escaped(void **state) {
    (void)state;
    size_t length;
    grid_text(&grid, grid_rect(&grid), 0, 0, "<&\">█▃e\u0301中", TEXT);
    char *svg = grid_svg_out(&grid, &THEME_DEFAULT, &arena, &length);
    check_xml(svg);
    assert_non_null(strstr(svg, "&lt;&amp;&quot;&gt;"));
    assert_null(strstr(svg, "█"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(text_is_clipped_to_its_rectangle, fresh),
        cmocka_unit_test_setup(what_is_cut_off_says_so, fresh),
        cmocka_unit_test_setup(a_clip_beyond_the_grid_is_harmless, fresh),
        cmocka_unit_test_setup(a_wide_glyph_has_padding_behind_it, fresh),
        cmocka_unit_test_setup(overwriting_half_a_wide_glyph_blanks_the_other_half, fresh),
        cmocka_unit_test_setup(a_wide_glyph_at_the_edge_is_cut_as_a_whole, fresh),
        cmocka_unit_test_setup(ascii_grids_hold_ascii_only, fresh),
        cmocka_unit_test_setup(sizes_are_brought_into_range, fresh),
        cmocka_unit_test_setup(ansi_resets_at_the_end_of_each_row, fresh),
        cmocka_unit_test_setup(json_tells_text_and_runs_of_roles, fresh),
        cmocka_unit_test_setup(svg_is_well_formed_and_escaped, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, done);
}
