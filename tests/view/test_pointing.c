/* The mouse: what is under the hand is what is meant. */
#include "screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/layout.h"

static int open_screen(void **state) {
    struct screen *screen = calloc(1, sizeof *screen);
    screen_open_small(screen, 120, 40);
    *state = screen;
    return 0;
}

static int close_screen(void **state) {
    screen_close(*state);
    free(*state);
    return 0;
}

static struct panes panes(const struct screen *screen) {
    return panes_make(&screen->state, screen->profile.layer_count);
}

static unsigned at(struct screen *screen, enum mouse_kind kind, int x, int y) {
    unsigned effects = screen_mouse(screen, (struct mouse){ .kind = (uint8_t)kind, .x = x, .y = y });
    screen_draw(screen);
    return effects;
}

static void click(struct screen *screen, int x, int y) {
    at(screen, MOUSE_PRESS, x, y);
    at(screen, MOUSE_RELEASE, x, y);
}

/* Clicks on the first place where TEXT stands on row Y. */
static void click_text(struct screen *screen, int y, const char *text) {
    const char *row = screen_row(screen, y), *found = strstr(row, text);
    if (!found)
        fail_msg("'%s' is not in '%s'", text, row);
    int x = 0;
    for (const char *c = row; c < found; c++)
        x += ((unsigned char)*c & 0xC0) != 0x80;
    click(screen, x, y);
}

/* The middle of the column in which the compute step K lies. */
static int step_column(const struct screen *screen, uint32_t k) {
    const struct timeline *timeline = screen->scene.shown->timeline;
    struct event step = { LANE_COMPUTE, k };
    double middle = (timeline_start(timeline, step) + timeline_end(timeline, step)) / 2;
    struct panes now = panes(screen);
    return now.plot_x + (int)((middle - screen->state.from_us) / (screen->state.to_us - screen->state.from_us) * now.plot_width);
}

static void a_click_on_a_lane_selects_what_runs_there(void **state) {
    struct screen *screen = *state;
    const struct timeline *timeline = screen->scene.shown->timeline;
    uint32_t k = timeline->schedule.step_count - 2;
    click(screen, step_column(screen, k), panes(screen).engines.y);
    assert_int_equal(screen->state.row.kind, ROW_COMPUTE);
    assert_int_equal(screen->state.selection.event.lane, LANE_COMPUTE);
    assert_int_equal(screen->state.selection.event.index, k);
    click(screen, step_column(screen, 0), panes(screen).engines.y + 1);
    assert_int_equal(screen->state.selection.event.lane, LANE_D2H);
    assert_int_equal(screen->state.selection.event.index, 0);
}

static void a_click_on_a_layers_row_selects_in_that_layer(void **state) {
    struct screen *screen = *state;
    int y = panes(screen).layers.y + 2;
    click(screen, panes(screen).plot_x + 1, y);
    assert_int_equal(screen->state.row.kind, ROW_LAYER);
    assert_int_equal(screen->state.row.layer, screen->state.top_row + 2);
    assert_int_equal(screen->state.pane, PANE_LAYERS);
    double cursor = screen->state.cursor_us;
    click(screen, 1, y); /* on its name: the time stays */
    assert_true(screen->state.cursor_us <= cursor && screen->state.cursor_us >= cursor);
}

static void a_click_in_memory_or_on_the_ruler_puts_the_cursor_there(void **state) {
    struct screen *screen = *state;
    struct panes now = panes(screen);
    double column = screen->state.end_us / now.plot_width;
    click(screen, now.plot_x + 30, now.memory.y + MEMORY_CURVE_ROW + 1);
    assert_true(screen->state.cursor_us > 30 * column && screen->state.cursor_us < 31 * column);
    assert_int_equal(screen->state.pane, PANE_MEMORY);
    click(screen, now.plot_x + 50, now.ruler.y);
    assert_true(screen->state.cursor_us > 50 * column && screen->state.cursor_us < 51 * column);
}

static void the_ruler_pans_as_far_as_the_hand_goes(void **state) {
    struct screen *screen = *state;
    screen_press(screen, "w w");
    struct panes now = panes(screen);
    double from = screen->state.from_us, column = (screen->state.to_us - from) / now.plot_width, cursor = screen->state.cursor_us;
    int x = now.plot_x + 40, y = now.ruler.y, by = from > 0 ? 7 : -7; /* to where there is room */
    at(screen, MOUSE_PRESS, x, y);
    at(screen, MOUSE_DRAG, x + by, y);
    assert_float_equal(screen->state.from_us, from - by * column, 1e-6 * screen->state.end_us);
    at(screen, MOUSE_RELEASE, x + by, y);
    assert_float_equal(screen->state.cursor_us, cursor, 0); /* a drag is no click */
    at(screen, MOUSE_DRAG, x, y);
    assert_float_equal(screen->state.from_us, from - by * column, 1e-6 * screen->state.end_us);
}

static void the_budgets_line_follows_the_hand(void **state) {
    struct screen *screen = *state;
    struct rect memory = panes(screen).memory;
    int line = memory.y + MEMORY_CURVE_ROW - 1, curve = memory.height - MEMORY_CURVE_ROW;
    uint64_t top = screen->scene.shown->timeline->budget_bytes;
    uint64_t peak = screen->scene.limits.unlimited_peak_bytes;
    at(screen, MOUSE_PRESS, 40, line);
    assert_int_equal(screen->state.drag.top_bytes, top);
    assert_true(at(screen, MOUSE_DRAG, 40, line + 2) & EFFECT_REPLAN);
    double share = (double)top * (curve - 2) / curve / (double)peak;
    assert_float_equal(screen->state.settings.budget.share, share, 0.005);
    assert_non_null(strstr(screen_row(screen, line + 2), "budget"));
    assert_null(strstr(screen_row(screen, line), "budget"));
    at(screen, MOUSE_DRAG, 40, line - 2); /* above the curve the scale goes on */
    assert_float_equal(screen->state.settings.budget.share, fmin(1, (double)top * (curve + 2) / curve / (double)peak), 0.005);
    at(screen, MOUSE_DRAG, 40, screen->state.height + 50);
    assert_float_equal(screen->state.settings.budget.share, 0.01, 1e-9);
    at(screen, MOUSE_DRAG, 40, line);
    at(screen, MOUSE_RELEASE, 40, line);
    assert_float_equal(screen->state.settings.budget.share, 0.5, 1e-9);
    assert_int_equal(screen->state.drag.kind, DRAG_NOTHING);
}

static void a_budget_in_bytes_is_dragged_in_bytes(void **state) {
    struct screen *screen = *state;
    screen_press(screen, "b 3 0 0 k B Enter");
    struct rect memory = panes(screen).memory;
    int line = memory.y + MEMORY_CURVE_ROW - 1, curve = memory.height - MEMORY_CURVE_ROW;
    uint64_t top = screen->scene.shown->timeline->budget_bytes;
    at(screen, MOUSE_PRESS, 40, line);
    at(screen, MOUSE_DRAG, 40, line + 1);
    assert_int_equal(screen->state.settings.budget.kind, BUDGET_BYTES);
    double wanted = (double)top * (curve - 1) / curve;
    assert_float_equal((double)screen->state.settings.budget.bytes, wanted, (double)screen->scene.limits.unlimited_peak_bytes / 32);
}

static void the_wheel_scrolls_layers_and_zooms_with_control(void **state) {
    struct screen *screen = *state;
    screen_size(screen, 80, 24);
    screen_press(screen, "g");
    struct panes now = panes(screen);
    uint32_t layer = screen->state.row.layer;
    at(screen, MOUSE_WHEEL_DOWN, now.plot_x, now.layers.y);
    assert_int_equal(screen->state.row.layer, layer + 3);
    double under = screen->state.from_us + 20.5 * (screen->state.to_us - screen->state.from_us) / now.plot_width;
    screen_mouse(screen, (struct mouse){ .kind = MOUSE_WHEEL_UP, .modifiers = MODIFIER_CONTROL, .x = now.plot_x + 20, .y = now.engines.y });
    double span = screen->state.to_us - screen->state.from_us;
    assert_float_equal(span, screen->state.end_us / 1.25, 1e-6 * span);
    assert_float_equal(screen->state.from_us + 20.5 * span / now.plot_width, under, 1e-6 * span);
    at(screen, MOUSE_WHEEL_DOWN, now.plot_x, now.engines.y);
    screen_mouse(screen, (struct mouse){ .kind = MOUSE_PRESS, .again = true, .x = now.plot_x + 20, .y = now.engines.y });
    assert_float_equal(screen->state.to_us - screen->state.from_us, screen->state.end_us, 0); /* a double click fits */
}

static void hints_tabs_and_knobs_do_what_they_say(void **state) {
    struct screen *screen = *state;
    int footer = screen->state.height - 1, knobs = panes(screen).knobs.y;
    click_text(screen, footer, "? help");
    assert_true(screen->state.help);
    screen_press(screen, "Escape");
    double span = screen->state.to_us - screen->state.from_us;
    click_text(screen, footer, "w/s");
    assert_float_equal(screen->state.to_us - screen->state.from_us, span / 2, 1e-6 * span);
    click_text(screen, footer, "s zoom"); /* the second key of the pair */
    assert_float_equal(screen->state.to_us - screen->state.from_us, span, 1e-6 * span);
    click_text(screen, knobs, "PCIe");
    assert_true(screen->state.knob_focused && screen->state.knob == KNOB_BANDWIDTH);
    click_text(screen, panes(screen).engines.y, "compute"); /* anywhere else leaves it */
    assert_false(screen->state.knob_focused);
    click_text(screen, knobs, "duplex");
    assert_int_equal(screen->state.knob, KNOB_DUPLEX);
    click_text(screen, knobs, "budget");
    screen_press(screen, "Escape");
    click_text(screen, knobs, "\u25b8"); /* ▸ turns it up */
    assert_float_equal(screen->state.settings.budget.share, 0.51, 1e-9);
    const struct planner *planner = screen->state.settings.planner;
    click_text(screen, 0, planner->name);
    assert_ptr_not_equal(screen->state.settings.planner, planner);
}

static void other_buttons_and_places_do_nothing(void **state) {
    struct screen *screen = *state;
    struct view_state before = screen->state;
    assert_int_equal(screen_mouse(screen, (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_MIDDLE, .x = 30, .y = 5 }), 0);
    assert_int_equal(at(screen, MOUSE_PRESS, -1, 5), 0);
    assert_int_equal(at(screen, MOUSE_PRESS, 5, 4000), 0);
    assert_int_equal(at(screen, MOUSE_DRAG, 30, 5), 0);
    assert_int_equal(at(screen, MOUSE_RELEASE, 30, 5), 0);
    assert_memory_equal(&before.selection, &screen->state.selection, sizeof before.selection);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_click_on_a_lane_selects_what_runs_there, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(a_click_on_a_layers_row_selects_in_that_layer, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(a_click_in_memory_or_on_the_ruler_puts_the_cursor_there, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(the_ruler_pans_as_far_as_the_hand_goes, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(the_budgets_line_follows_the_hand, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(a_budget_in_bytes_is_dragged_in_bytes, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(the_wheel_scrolls_layers_and_zooms_with_control, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(hints_tabs_and_knobs_do_what_they_say, open_screen, close_screen),
        cmocka_unit_test_setup_teardown(other_buttons_and_places_do_nothing, open_screen, close_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
