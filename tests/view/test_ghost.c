/* The ghost: after a change the curve before it stays as a line behind the new one, until one goes on to something else. */
#include "screen.h"

#include <string.h>

#include "view/follow.h"
#include "view/layout.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    return 0;
}

static int close_it(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static const struct view_model *ghost(void) { return memory_ghost(&screen.state, &screen.scene); }

/* Cells of the ghost in the memory pane. */
static int drawn(void) {
    const struct rect pane = panes_make(&screen.state, screen.profile.layer_count).memory;
    int count = 0;
    for (int y = pane.y + MEMORY_CURVE_ROW; y < pane.y + pane.height; y++)
        for (int x = 0; x < screen.grid.width; x++)
            count += grid_at(&screen.grid, x, y)->style.role == ROLE_GHOST;
    return count;
}

static void a_change_leaves_the_curve_before_it(void **state) {
    (void)state;
    const uint64_t peak = screen.scene.shown->timeline->totals.peak_bytes;
    assert_null(ghost());
    assert_int_equal(drawn(), 0);
    screen_press(&screen, "b 3 5 % Enter");
    assert_non_null(ghost());
    assert_true(ghost()->timeline->totals.peak_bytes == peak && ghost() != screen.scene.shown);
    assert_true(drawn() > screen.grid.width / 2);
    assert_true(screen_shows(&screen, "⠒ before: "));
}

static void it_stays_while_one_looks_around_in_time_and_goes_with_anything_else(void **state) {
    (void)state;
    screen_press(&screen, "b 3 5 % Enter w w d s z z C-l C-z");
    assert_true(drawn() > 0);
    screen_press(&screen, "l");
    assert_null(ghost());
    assert_int_equal(drawn(), 0);
    screen_press(&screen, "- Escape");
    assert_null(ghost());
}

static void taking_what_is_there_already_changes_nothing(void **state) {
    static const char *const KEYS[] = { "b 5 0 % Enter", ": b u d g e t Space 5 0 % Enter", ": p l a n n e r Space o f f l o a d Enter" };
    (void)state;
    const struct outcome *before = screen.scene.latest;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        assert_int_equal(screen_press(&screen, KEYS[i]) & EFFECT_REPLAN, 0);
        assert_ptr_equal(screen.scene.latest, before);
        assert_false(screen.state.planning);
        assert_null(ghost());
        assert_int_equal(history_left(&screen.history), 0);
    }
    screen_press(&screen, "b 1 % Enter"); /* nothing fits: asking again is no change either, and going back is one */
    assert_int_equal(screen_press(&screen, "b 1 % Enter") & EFFECT_REPLAN, 0);
    assert_int_equal(history_left(&screen.history), 1);
    assert_true(screen_press(&screen, "b 5 0 % Enter") & EFFECT_REPLAN);
}

static void turning_on_shows_what_the_last_turn_did(void **state) {
    (void)state;
    screen_press(&screen, "- -");
    const uint64_t peak = screen.scene.shown->timeline->totals.peak_bytes;
    screen_press(&screen, "-");
    assert_true(ghost()->timeline->totals.peak_bytes == peak);
}

/* Of several early plans the ghost is what was there before the request. */
static void early_plans_grow_against_the_same_ghost(void **state) {
    (void)state;
    const struct outcome *before = screen.scene.shown->outcome;
    const struct key keys[] = { { .code = '-' } };
    unsigned effects = state_key(&screen.state, &screen.scene, keys[0]);
    assert_true(effects & EFFECT_REPLAN);
    state_follow(&screen.state, &screen.scene, effects);
    screen_draw(&screen);
    assert_null(ghost()); /* what is shown is stale itself */
    for (int early = 0; early < 3; early++) {
        screen_plan(&screen);
        screen.state.planning = early < 2;
        assert_ptr_equal(ghost()->outcome, before);
    }
}

static void the_budgets_line_goes_down_from_the_old_curve(void **state) {
    (void)state;
    const struct rect pane = panes_make(&screen.state, screen.profile.layer_count).memory;
    const int curve = pane.height - MEMORY_CURVE_ROW;
    assert_int_equal(memory_budget_row(&screen.state, &screen.scene, curve), MEMORY_CURVE_ROW - 1);
    screen_press(&screen, "b 3 5 % Enter");
    const int row = memory_budget_row(&screen.state, &screen.scene, curve);
    assert_in_range(row, MEMORY_CURVE_ROW, MEMORY_CURVE_ROW + curve - 1);
    assert_non_null(strstr(screen_row(&screen, pane.y + row), "budget"));
    /* it can be taken hold of where it is */
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .x = 40, .y = pane.y + row });
    assert_int_equal(screen.state.drag.kind, DRAG_BUDGET);
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_DRAG, .x = 40, .y = pane.y + MEMORY_CURVE_ROW - 1 });
    assert_true(screen.state.settings.budget.share > 0.45);
}

static void undoing_leaves_none(void **state) {
    (void)state;
    size_t length;
    const char *first = grid_json_out(&screen.grid, &screen.arena, &length);
    screen_press(&screen, "b 3 5 % Enter - - u u u");
    assert_null(ghost());
    screen_press(&screen, "u Escape");
    assert_string_equal(grid_json_out(&screen.grid, &screen.arena, &length), first);
}

static void in_ascii_it_is_a_sign_of_its_own(void **state) {
    (void)state;
    screen.state.ascii = screen.grid.ascii = true;
    screen_press(&screen, "b 3 5 % Enter");
    assert_true(drawn() > 0);
    assert_true(screen_shows(&screen, "~ before: ") && screen_shows(&screen, "~~~"));
}

static void a_plan_that_does_not_fit_leaves_the_ghost_to_the_next_that_does(void **state) {
    (void)state;
    const struct outcome *fitting = screen.scene.shown->outcome;
    screen_press(&screen, "b 1 % Enter");
    assert_null(ghost());
    screen_press(&screen, "b 4 5 % Enter");
    assert_ptr_equal(ghost()->outcome, fitting);
}

int main(void) {
#define CASE(test) cmocka_unit_test_setup_teardown(test, open_small, close_it)
    const struct CMUnitTest tests[] = {
        CASE(a_change_leaves_the_curve_before_it),
        CASE(it_stays_while_one_looks_around_in_time_and_goes_with_anything_else),
        CASE(taking_what_is_there_already_changes_nothing),
        CASE(turning_on_shows_what_the_last_turn_did),
        CASE(early_plans_grow_against_the_same_ghost),
        CASE(the_budgets_line_goes_down_from_the_old_curve),
        CASE(undoing_leaves_none),
        CASE(in_ascii_it_is_a_sign_of_its_own),
        CASE(a_plan_that_does_not_fit_leaves_the_ghost_to_the_next_that_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
