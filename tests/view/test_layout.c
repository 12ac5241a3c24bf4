/* The panes at every size from 1x1 to 220x80: inside the screen, apart from each other; and what each size must show. */
#include "screen.h"

#include "view/layout.h"

#define RECTS 12

static void collect(const struct panes *panes, struct rect out[RECTS]) {
    const struct rect rects[RECTS] = { panes->header, panes->knobs,     panes->ruler,  panes->engines, panes->layers,
                                       panes->memory, panes->inspector, panes->totals, panes->legend,  panes->footer,
                                       panes->table, panes->minimap };
    for (int i = 0; i < RECTS; i++)
        out[i] = rects[i];
}

static void check_layout(const struct view_state *state, uint32_t layers) {
    struct panes panes = panes_make(state, layers);
    struct rect rect[RECTS];
    collect(&panes, rect);
    for (int i = 0; i < RECTS; i++) {
        assert_true(rect[i].x >= 0 && rect[i].y >= 0 && rect[i].width >= 0 && rect[i].height >= 0);
        assert_true(rect[i].x + rect[i].width <= state->width && rect[i].y + rect[i].height <= state->height);
        for (int j = 0; j < i; j++) {
            struct rect both = rect_intersect(rect[i], rect[j]);
            assert_int_equal(both.width * both.height, 0);
        }
    }
    assert_true(panes.plot_x >= 0 && panes.plot_width >= 1 && panes.plot_x + panes.plot_width == state->width);
    assert_true(panes.header.height >= 1);
}

static void panes_never_overlap_nor_leave_the_screen(void **unused) {
    (void)unused;
    static const uint32_t LAYERS[] = { 1, 3, 50, 100000 };
    struct view_state state = { .planning = false };
    for (state.width = 1; state.width <= 220; state.width++)
        for (state.height = 1; state.height <= 80; state.height++)
            for (int maximised = -1; maximised < PANE_COUNT; maximised++) {
                state.maximised = maximised >= 0;
                state.pane = maximised >= 0 ? (enum pane)maximised : PANE_ENGINES;
                check_layout(&state, LAYERS[(state.width + state.height) % 4]);
            }
}

static void every_row_of_the_three_sizes_is_used(void **unused) {
    (void)unused;
    static const int SIZES[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 } };
    for (int i = 0; i < 3; i++) {
        struct view_state state = { .width = SIZES[i][0], .height = SIZES[i][1] };
        struct panes panes = panes_make(&state, 50);
        assert_int_equal(panes.header.height, 2);
        assert_int_equal(panes.engines.height, ENGINE_ROWS);
        assert_true(panes.layers.height >= 5 && panes.memory.height >= 6 && panes.inspector.height >= 4);
        assert_int_equal(panes.header.height + panes.knobs.height + panes.minimap.height + panes.ruler.height + panes.engines.height +
                             panes.layers.height + panes.memory.height + panes.inspector.height + panes.footer.height,
                         state.height);
        assert_int_equal(panes.minimap.height, i > 0);
        assert_int_equal(panes.totals.width > 0, i > 0);
        assert_int_equal(panes.legend.width > 0, i > 1);
    }
}

static void opening_a_layer_moves_no_pane(void **unused) {
    (void)unused;
    struct screen screen;
    screen_open_small(&screen, 120, 40);
    struct panes before = panes_make(&screen.state, screen.profile.layer_count);
    screen_press(&screen, "Tab Enter");
    struct panes after = panes_make(&screen.state, screen.profile.layer_count);
    assert_memory_equal(&before, &after, sizeof before);
    screen_close(&screen);
}

/* Every size draws; screen_draw looks at each cell. */
static void every_size_draws(void **unused) {
    (void)unused;
    struct screen screen;
    screen_open_small(&screen, 1, 1);
    for (int width = 1; width <= 220; width += width < 30 ? 1 : 7)
        for (int height = 1; height <= 80; height += height < 26 ? 1 : 9) {
            screen_size(&screen, width, height);
            screen.state.help = !screen.state.help;
            screen_draw(&screen);
            screen.state.help = !screen.state.help;
        }
    screen_close(&screen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panes_never_overlap_nor_leave_the_screen),
        cmocka_unit_test(every_row_of_the_three_sizes_is_used),
        cmocka_unit_test(opening_a_layer_moves_no_pane),
        cmocka_unit_test(every_size_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
