/* Compare: what is pinned stays, what is asked is answered for that alone, and the screen says what the difference is. */
#include "screen.h"

#include <string.h>

#include "core/units.h"
#include "view/view_compare.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    memset(&screen, 0, sizeof screen);
    screen_profile_small(&screen);
    screen_open(&screen, 120, 40);
    return 0;
}

static int close_it(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static const struct compare_answer *answer(void) { return compare_shown(&screen.state, &screen.scene); }

static void a_plan_compared_with_itself_differs_in_nothing(void **state) {
    (void)state;
    screen_press(&screen, "c");
    assert_int_equal(screen.state.view, VIEW_COMPARE);
    assert_non_null(answer());
    assert_false(difference_found(&answer()->difference));
    for (int i = 0; i < DIFFERENCE_FIGURE_COUNT; i++)
        assert_true(answer()->difference.figure[i][0] == answer()->difference.figure[i][1]);
    assert_true(screen_shows(&screen, "actions: the two plans are the same"));
    assert_true(screen_shows(&screen, "memory: the same all the time"));
}

static void what_is_pinned_stays_when_knobs_are_turned(void **state) {
    (void)state;
    const double step_us = screen.scene.shown->timeline->totals.step_us;
    screen_press(&screen, "c b 3 5 % Enter p 6 Enter");
    assert_true(answer()->outcome[0].timeline.totals.step_us == step_us);
    assert_true(answer()->outcome[0].link.h2d_gb_per_s != answer()->outcome[1].link.h2d_gb_per_s);
    assert_true(answer()->outcome[1].timeline.totals.step_us == screen.scene.shown->timeline->totals.step_us);
    assert_true(answer()->outcome[1].link.h2d_gb_per_s == 6);
    assert_true(difference_found(&answer()->difference));
}

static void the_screen_says_the_change_of_the_step(void **state) {
    (void)state;
    char text[UNIT_TEXT];
    screen_press(&screen, "c b 3 5 % Enter");
    const struct difference *d = &answer()->difference;
    format_time_change(text, d->figure[DIFFERENCE_STEP][1] - d->figure[DIFFERENCE_STEP][0]);
    assert_true(screen_shows(&screen, text));
    format_bytes_change(text, (double)memory_change(&d->memory[d->least]));
    assert_true(screen_shows(&screen, text));
    assert_true(screen_shows(&screen, "A  the pinned plan, by"));
    assert_true(screen_shows(&screen, "B  the current plan, by"));
}

static void arrows_choose_for_the_side_that_tab_gives_them_to(void **state) {
    (void)state;
    screen_press(&screen, "c");
    assert_int_equal(screen.state.compare.focus, 1);
    screen_press(&screen, "Right");
    assert_int_equal(screen.state.compare.side[1].what, COMPARE_PLANNER);
    assert_int_equal(screen.state.compare.side[1].planner, 0);
    assert_null(answer()); /* another question, which nobody has answered */
    assert_true(screen_shows(&screen, "B  planner keep"));
    screen_press(&screen, "Left");
    assert_non_null(answer()); /* … and back to the one before */
    screen_press(&screen, "Tab Left");
    assert_int_equal(screen.state.compare.side[0].what, COMPARE_PLANNER);
    assert_int_equal(screen.state.compare.side[0].planner, PLANNER_COUNT - 1);
    assert_int_equal(screen.state.compare.side[1].what, COMPARE_CURRENT);
}

static void nothing_pinned_can_not_be_chosen(void **state) {
    (void)state;
    screen_press(&screen, "4 Tab");
    for (uint32_t i = 0; i < 2 * PLANNER_COUNT + 6; i++) {
        screen_press(&screen, i % 2 ? "Right" : "Left Left");
        assert_int_not_equal(screen.state.compare.side[screen.state.compare.focus].what, COMPARE_PINNED);
    }
}

static void a_question_is_the_same_until_something_in_it_changes(void **state) {
    (void)state;
    const struct study_kind *kind = &STUDY_KINDS[STUDY_compare];
    _Alignas(16) unsigned char before[STUDY_QUESTION_MOST] = { 0 }, after[STUDY_QUESTION_MOST] = { 0 };
    screen_press(&screen, "c");
    assert_true(kind->ask(&screen.state, &screen.scene, before));
    screen_press(&screen, "j k Tab ? ?");
    assert_true(kind->ask(&screen.state, &screen.scene, after));
    assert_true(kind->same(before, after));
    screen_press(&screen, "p 2 0 Enter"); /* the same plan perhaps, but over another link */
    assert_true(kind->ask(&screen.state, &screen.scene, after));
    assert_false(kind->same(before, after));
    screen_press(&screen, "1");
    assert_false(kind->ask(&screen.state, &screen.scene, after));
}

static void an_edit_by_hand_is_compared_with_what_was_pinned(void **state) {
    (void)state;
    screen_press(&screen, "1 j j j O c"); /* layer L0 is offloaded by hand, and pinned */
    screen_press(&screen, "1 R 4");       /* … then recomputed */
    const struct difference *d = &answer()->difference;
    assert_true(difference_found(d));
    for (uint32_t i = 0; i < d->change_count; i++)
        assert_int_equal(d->changes[i].to, ACTION_RECOMPUTE);
}

static void a_plan_that_does_not_fit_is_compared_as_far_as_it_goes(void **state) {
    (void)state;
    screen_press(&screen, "c b 1 % Enter");
    assert_false(answer()->difference.timed);
    assert_true(screen_shows(&screen, "does not fit: needs"));
    assert_true(screen_shows(&screen, "A  the pinned plan"));
    assert_false(screen_shows(&screen, "nan"));
}

/* The selection is an event of the shown timeline; each side has a timeline of its own, perhaps a shorter one. */
static void the_timelines_selection_marks_nothing_here(void **state) {
    (void)state;
    size_t length;
    screen_press(&screen, "c b 3 5 % Enter");
    const char *before = grid_json_out(&screen.grid, &screen.arena, &length);
    screen_press(&screen, "1 j G . . . e ww 4");
    assert_true(screen.state.selection.exists);
    assert_string_equal(before, grid_json_out(&screen.grid, &screen.arena, &length));
}

static void rows_end_with_the_last_changed_layer(void **state) {
    (void)state;
    screen_size(&screen, 80, 24);
    screen_press(&screen, "c b 3 5 % Enter G");
    assert_true(screen.state.compare.row < answer()->difference.layer_count);
    screen_press(&screen, "NPage NPage j j");
    assert_int_equal(screen.state.compare.row, answer()->difference.layer_count - 1);
    screen_press(&screen, "g k");
    assert_int_equal(screen.state.compare.row, 0);
}

static void undoing_takes_the_pin_back_too(void **state) {
    (void)state;
    screen_press(&screen, "b 4 0 % Enter c b 3 5 % Enter");
    assert_int_equal(screen.state.compare.side[0].what, COMPARE_PINNED);
    screen_press(&screen, "u u u");
    assert_int_equal(screen.state.compare.side[0].what, COMPARE_PLANNER);
    assert_null(screen.state.compare.pinned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plan_compared_with_itself_differs_in_nothing, open_small, close_it),
        cmocka_unit_test_setup_teardown(what_is_pinned_stays_when_knobs_are_turned, open_small, close_it),
        cmocka_unit_test_setup_teardown(the_screen_says_the_change_of_the_step, open_small, close_it),
        cmocka_unit_test_setup_teardown(arrows_choose_for_the_side_that_tab_gives_them_to, open_small, close_it),
        cmocka_unit_test_setup_teardown(nothing_pinned_can_not_be_chosen, open_small, close_it),
        cmocka_unit_test_setup_teardown(a_question_is_the_same_until_something_in_it_changes, open_small, close_it),
        cmocka_unit_test_setup_teardown(an_edit_by_hand_is_compared_with_what_was_pinned, open_small, close_it),
        cmocka_unit_test_setup_teardown(a_plan_that_does_not_fit_is_compared_as_far_as_it_goes, open_small, close_it),
        cmocka_unit_test_setup_teardown(the_timelines_selection_marks_nothing_here, open_small, close_it),
        cmocka_unit_test_setup_teardown(rows_end_with_the_last_changed_layer, open_small, close_it),
        cmocka_unit_test_setup_teardown(undoing_takes_the_pin_back_too, open_small, close_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
