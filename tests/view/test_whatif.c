/* The What-if view: where its cursor goes, and what choosing a point does. The answers are made up (screen.c). */
#include "screen.h"

#include <string.h>

#include "view/whatif_words.h"

static void open_screen(struct screen *screen, int width, int height) {
    screen_open_small(screen, width, height);
    screen_press(screen, "3");
}

static uint64_t budget_of(const struct screen *screen) {
    uint64_t bytes = 0;
    assert_int_equal(budget_resolve(&screen->state.settings.budget, &screen->profile, &screen->scene.limits, &bytes, NULL),
                     SS_OK);
    return bytes;
}

static const struct whatif_curve *budgets(const struct screen *screen) {
    return whatif_shown_curve(&screen->state, &screen->scene, WHATIF_BUDGET, NULL);
}

static uint32_t cursor(const struct screen *screen) {
    return whatif_cursor(&screen->state, &screen->scene, WHATIF_BUDGET, budgets(screen));
}

static void the_cursor_stands_where_the_knobs_do_until_it_is_moved(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 120, 40);
    const uint32_t before = cursor(&screen);
    screen_press(&screen, "b 8 0 % Enter");
    assert_true(cursor(&screen) > before);
    screen_press(&screen, "Left");
    const uint32_t moved = cursor(&screen);
    screen_press(&screen, "b 3 0 % Enter");
    assert_int_equal(cursor(&screen), moved);
    screen_press(&screen, "Escape");
    assert_true(cursor(&screen) < moved);
    screen_close(&screen);
}

static void enter_sets_the_knob_of_the_curve_to_the_very_point(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 120, 40);
    const double last = budgets(&screen)->point[budgets(&screen)->count - 1].at;
    screen_press(&screen, "Right Right Right");
    const double at = budgets(&screen)->point[cursor(&screen)].at;
    const double rate = knob_bandwidth(&screen.profile, &screen.state.settings);
    assert_true(screen_press(&screen, "Enter") & EFFECT_REPLAN);
    assert_true((double)budget_of(&screen) == at);
    assert_true(knob_bandwidth(&screen.profile, &screen.state.settings) == rate);
    screen_press(&screen, "G Enter");
    assert_true((double)budget_of(&screen) == last);
    screen_press(&screen, "Tab g Enter");
    assert_true(knob_bandwidth(&screen.profile, &screen.state.settings) == 4);
    assert_true((double)budget_of(&screen) == last);
    assert_false(screen_press(&screen, "Enter") & EFFECT_REPLAN);
    assert_true(screen_shows(&screen, "The knobs stand there already."));
    screen_close(&screen);
}

static void on_the_map_enter_sets_both_knobs(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 120, 40);
    screen_press(&screen, "BTab G PPage PPage PPage PPage Enter");
    assert_true(knob_bandwidth(&screen.profile, &screen.state.settings) == 8 * WHATIF_MAP_RATES);
    assert_int_equal(budget_of(&screen), screen.scene.limits.unlimited_peak_bytes);
    screen_press(&screen, "Up"); /* beyond the upper edge: to the curves */
    assert_int_equal(screen.state.whatif.pane, WHATIF_PANE_BUDGET);
    screen_press(&screen, "Down");
    assert_int_equal(screen.state.whatif.pane, WHATIF_PANE_MAP);
    screen_close(&screen);
}

static void the_words_say_what_the_point_has_and_where_the_curve_bends(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 80, 24);
    assert_true(screen_shows(&screen, "free from"));
    assert_true(screen_shows(&screen, "recompute starts below"));
    assert_true(screen_shows(&screen, "of ideal, gap"));
    screen_press(&screen, "g");
    assert_true(screen_shows(&screen, "does not fit: needs"));
    screen_press(&screen, "BTab G PPage PPage PPage PPage");
    assert_true(screen_shows(&screen, "not known yet"));
    screen_press(&screen, "Left Left Left Left Left Left");
    assert_true(screen_shows(&screen, "wins"));
    screen_close(&screen);
}

/* Turning a knob along a curve leaves that curve as it is; turning the other asks for it anew. */
static void a_curve_does_not_depend_on_its_own_knob(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 120, 40);
    struct whatif_question before[STUDY_COUNT], after[STUDY_COUNT];
    for (int id = STUDY_budget_curve; id <= STUDY_planner_map; id++)
        STUDY_KINDS[id].ask(&screen.state, &screen.scene, &before[id]);
    screen_press(&screen, "b 8 0 % Enter");
    for (int id = STUDY_budget_curve; id <= STUDY_planner_map; id++) {
        STUDY_KINDS[id].ask(&screen.state, &screen.scene, &after[id]);
        assert_int_equal(STUDY_KINDS[id].same(&before[id], &after[id]), id != STUDY_rate_curve);
    }
    screen_press(&screen, "p 1 2 Enter");
    for (int id = STUDY_budget_curve; id <= STUDY_planner_map; id++) {
        STUDY_KINDS[id].ask(&screen.state, &screen.scene, &after[id]);
        assert_int_equal(STUDY_KINDS[id].same(&before[id], &after[id]), id == STUDY_planner_map);
    }
    screen_close(&screen);
}

static void nothing_is_asked_elsewhere_or_while_a_plan_is_under_way(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 80, 24);
    struct whatif_question question;
    screen.state.planning = true;
    assert_false(STUDY_KINDS[STUDY_budget_curve].ask(&screen.state, &screen.scene, &question));
    screen.state.planning = false;
    assert_true(STUDY_KINDS[STUDY_budget_curve].ask(&screen.state, &screen.scene, &question));
    screen_press(&screen, "1");
    assert_false(STUDY_KINDS[STUDY_budget_curve].ask(&screen.state, &screen.scene, &question));
    screen_close(&screen);
}

static void only_the_cell_under_the_cursor_has_its_bound_looked_for(void **state) {
    (void)state;
    struct screen screen;
    struct cell_question here, there;
    const struct study_kind *kind = &STUDY_KINDS[STUDY_cell_bound];
    open_screen(&screen, 120, 40);
    assert_false(kind->ask(&screen.state, &screen.scene, &here)); /* a curve has the keys: its points know theirs */
    screen_press(&screen, "BTab");
    assert_true(kind->ask(&screen.state, &screen.scene, &here));
    const struct whatif_map *map = whatif_shown_map(&screen.state, &screen.scene, NULL);
    assert_int_equal(here.budget_bytes, map->budget_bytes[whatif_map_cursor(&screen.state, &screen.scene, WHATIF_BUDGET, map)]);
    assert_true(here.rate == map->rate[whatif_map_cursor(&screen.state, &screen.scene, WHATIF_RATE, map)]);
    assert_true(screen_shows(&screen, "of ideal, gap"));
    screen_press(&screen, "Right");
    assert_true(kind->ask(&screen.state, &screen.scene, &there));
    assert_false(kind->same(&here, &there));
    assert_true(screen_shows(&screen, "of ideal, gap"));
    study_free(&screen.scene.study[STUDY_cell_bound]);
    screen_draw(&screen);
    assert_true(screen_shows(&screen, "wins"));
    assert_true(screen_shows(&screen, "not known yet"));
    screen_close(&screen);
}

static void click(struct screen *screen, int x, int y) {
    screen_mouse(screen, (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_LEFT, .x = x, .y = y });
    screen_mouse(screen, (struct mouse){ .kind = MOUSE_RELEASE, .button = BUTTON_LEFT, .x = x, .y = y });
    screen_draw(screen);
}

static void a_click_moves_the_cursor_and_one_more_takes_the_point(void **state) {
    (void)state;
    struct screen screen;
    open_screen(&screen, 80, 24);
    const uint64_t before = budget_of(&screen);
    click(&screen, 30, 6);
    assert_int_equal(screen.state.whatif.pane, WHATIF_PANE_BUDGET);
    const uint32_t i = cursor(&screen);
    assert_true(i > 15);
    assert_int_equal(budget_of(&screen), before);
    click(&screen, 30, 6);
    assert_true((double)budget_of(&screen) == budgets(&screen)->point[i].at);
    click(&screen, 14, 14);
    assert_int_equal(screen.state.whatif.pane, WHATIF_PANE_MAP);
    click(&screen, 14, 14);
    assert_true(knob_bandwidth(&screen.profile, &screen.state.settings) == 24);
    screen_close(&screen);
}

static void all_that_is_known_can_be_told_in_sentences(void **state) {
    (void)state;
    struct screen screen;
    char text[2048], all[1 << 14] = "";
    open_screen(&screen, 80, 24);
    uint32_t count = 0;
    for (; whatif_sentence(&screen.state, &screen.scene, count, text, sizeof text); count++) {
        assert_int_equal(text[strlen(text) - 1], '.');
        strncat(strncat(all, text, sizeof all - strlen(all) - 1), "\n", 2);
    }
    assert_int_equal(count, 2 + WHATIF_MAP_BUDGETS);
    assert_non_null(strstr(all, "of ideal) at "));
    assert_non_null(strstr(all, "free from "));
    assert_non_null(strstr(all, "does not fit at "));
    assert_non_null(strstr(all, "wins: nobody from 8 GB/s."));
    assert_non_null(strstr(all, "keep (free) from "));
    screen_close(&screen);
}

static void every_size_is_drawn_with_and_without_answers(void **state) {
    (void)state;
    for (int width = 1; width <= 240; width += 7)
        for (int height = 1; height <= 70; height += 3) {
            struct screen screen;
            open_screen(&screen, width, height);
            screen_press(&screen, "Tab Tab Left Down");
            for (int id = STUDY_budget_curve; id <= STUDY_planner_map; id++)
                study_free(&screen.scene.study[id]);
            screen_draw(&screen);
            screen_close(&screen);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cursor_stands_where_the_knobs_do_until_it_is_moved),
        cmocka_unit_test(enter_sets_the_knob_of_the_curve_to_the_very_point),
        cmocka_unit_test(on_the_map_enter_sets_both_knobs),
        cmocka_unit_test(the_words_say_what_the_point_has_and_where_the_curve_bends),
        cmocka_unit_test(a_curve_does_not_depend_on_its_own_knob),
        cmocka_unit_test(nothing_is_asked_elsewhere_or_while_a_plan_is_under_way),
        cmocka_unit_test(only_the_cell_under_the_cursor_has_its_bound_looked_for),
        cmocka_unit_test(a_click_moves_the_cursor_and_one_more_takes_the_point),
        cmocka_unit_test(all_that_is_known_can_be_told_in_sentences),
        cmocka_unit_test(every_size_is_drawn_with_and_without_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
