/* Compare: what is pinned stays, what is asked is answered for that alone, and the screen says what the difference is. */
#include "screen.h"

#include <string.h>

#include "core/units.h"
#include "view/layout.h"
#include "view/view_compare.h"

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
    assert_int_equal(screen.state.compare.side[1].which, 0);
    assert_null(answer()); /* another question, which nobody has answered */
    assert_true(screen_shows(&screen, "B  planner keep"));
    screen_press(&screen, "Left");
    assert_non_null(answer()); /* … and back to the one before */
    screen_press(&screen, "Tab Left");
    assert_int_equal(screen.state.compare.side[0].what, COMPARE_PLANNER);
    assert_int_equal(screen.state.compare.side[0].which, PLANNER_COUNT - 1);
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
    screen_press(&screen, "1 j G . . . e 4");
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

/* ---- another link, another device, a plan file ---- */

static void another_link_is_played_as_it_stands_in_the_table(void **state) {
    (void)state;
    screen_press(&screen, "p 6 Enter c . .");
    const struct link *link = &LINKS[1].link;
    assert_int_equal(screen.state.compare.side[1].link, 2);
    assert_non_null(answer());
    assert_true(answer()->outcome[0].link.h2d_gb_per_s == 6); /* A is over the link of the knobs still */
    assert_true(answer()->outcome[1].link.h2d_gb_per_s == link->h2d_gb_per_s);
    assert_true(answer()->outcome[1].link.d2h_both_gb_per_s == link->d2h_both_gb_per_s);
    assert_false(difference_found(&answer()->difference)); /* the same plan */
    assert_true(screen_shows(&screen, "B: pcie3-x16: nominal")); /* where the figures come from */
    assert_true(screen_shows(&screen, "pcie3-x16 12.5 GB/s"));
    screen_press(&screen, "p 8 Enter");
    assert_true(answer()->outcome[1].link.h2d_gb_per_s == link->h2d_gb_per_s);
    screen_press(&screen, ", ,");
    assert_int_equal(screen.state.compare.side[1].link, 0);
    assert_true(answer()->outcome[1].link.h2d_gb_per_s == 8);
    screen_press(&screen, ",");
    assert_int_equal(screen.state.compare.side[1].link, LINK_COUNT);
}

static void a_given_profile_is_not_priced_for_another_device(void **state) {
    (void)state;
    screen_press(&screen, "c >");
    assert_int_equal(screen.state.compare.side[1].device, 0);
    assert_true(screen_shows(&screen, "Only a built-in model can be priced for another device"));
}

static void a_model_is_priced_for_another_device(void **state) {
    (void)state;
    struct screen model;
    memset(&model, 0, sizeof model);
    screen_profile_model(&model, "gpt2");
    screen_open(&model, 120, 40);
    model.state.settings.work = work_of_model(model_find("gpt2"), &(struct model_options){ .batch = 0 });
    screen_press(&model, "c Tab");
    for (const struct gpu *gpu = GPUS; strcmp(gpu->name, "h100-sxm") != 0; gpu++)
        screen_press(&model, ">");
    screen_press(&model, ">");
    const struct compare_answer *both = compare_shown(&model.state, &model.scene);
    assert_non_null(both);
    assert_string_equal(both->outcome[0].timeline.profile->device_name, "h100-sxm");
    assert_true(both->outcome[0].ideal_us < both->outcome[1].ideal_us / 1.5);
    assert_false(difference_found(&both->difference)); /* the plan goes over by the tensors' names */
    assert_true(both->difference.figure[DIFFERENCE_OFFLOAD][0] == both->difference.figure[DIFFERENCE_OFFLOAD][1]);
    assert_true(screen_shows(&model, "h100-sxm"));
    screen_press(&model, "<");
    assert_string_not_equal(compare_shown(&model.state, &model.scene)->outcome[0].timeline.profile->device_name, "h100-sxm");
    screen_close(&model);
}

/* What the loop does once it has read the file. */
static void take_file(const char *path, enum action action) {
    struct arena arena = { 0 };
    struct plan plan;
    assert_int_equal(plan_init(&plan, &arena, &screen.profile, NULL), SS_OK);
    for (uint32_t i = 0; i < screen.profile.managed_count; i++)
        plan_set(&plan, &screen.profile, screen.profile.managed[i], action, NULL);
    assert_true(compare_choose_file(&screen.state, path) & EFFECT_READ_PLAN);
    assert_string_equal(screen.state.compare.path, path);
    state_compare_file(&screen.state, &screen.scene, &plan);
    arena_free(&arena);
    screen_press(&screen, "k");
}

static void a_plans_file_is_played_under_the_knobs_at_hand(void **state) {
    (void)state;
    take_file("some/where/all-out.json", ACTION_OFFLOAD);
    assert_int_equal(screen.state.view, VIEW_COMPARE);
    assert_int_equal(screen.state.compare.side[0].what, COMPARE_FILE);
    screen_press(&screen, "p 9 Enter Tab");
    take_file("all-in.json", ACTION_KEEP);
    assert_true(screen_shows(&screen, "A  the plan of all-out.json, by file"));
    assert_true(screen_shows(&screen, "B  the plan of all-in.json, by file"));
    assert_true(answer()->outcome[0].link.h2d_gb_per_s == 9);
    assert_true(answer()->difference.figure[DIFFERENCE_OFFLOAD][0] > 0);
    assert_true(answer()->difference.figure[DIFFERENCE_OFFLOAD][1] == 0);
    assert_false(answer()->difference.timed); /* keeping all does not fit */
    screen_press(&screen, "Left");
    assert_true(screen_shows(&screen, "B  the plan of all-out.json")); /* files stand behind the planners */
    screen_press(&screen, "Left Right Right Right");
    assert_int_equal(screen.state.compare.side[1].what, COMPARE_CURRENT);
    take_file("some/where/all-out.json", ACTION_OFFLOAD); /* read again: it takes its own place */
    assert_int_equal(screen.state.compare.file_count, 2);
    for (char name[] = "a"; name[0] < 'm'; name[0]++)
        take_file(name, ACTION_OFFLOAD);
    assert_int_equal(screen.state.compare.file_count, COMPARE_FILES);
}

/* ---- time ---- */

static double seen_us(const struct screen *screen) { return screen->state.to_us - screen->state.from_us; }

static void both_steps_are_seen_whole_and_zoomed_together(void **state) {
    (void)state;
    const double first_us = screen.state.end_us;
    screen_press(&screen, "c p 1 Enter w s"); /* B takes longer now */
    const double longer_us = answer()->outcome[1].timeline.end_us;
    assert_true(longer_us > 1.2 * first_us);
    assert_true(screen.state.axis_us == longer_us && screen.state.from_us <= 0 && screen.state.to_us >= longer_us);
    screen_press(&screen, "Tab Right Left w w");
    assert_float_equal(seen_us(&screen), longer_us / 4, 1e-6 * longer_us);
    screen_press(&screen, "dddddddddddddddddddddddd");
    assert_float_equal(screen.state.to_us, longer_us, 1e-6 * longer_us); /* also where A is over by then */
    size_t length;
    const char *late = grid_json_out(&screen.grid, &screen.arena, &length);
    screen_press(&screen, "a");
    assert_string_not_equal(late, grid_json_out(&screen.grid, &screen.arena, &length));
    assert_float_equal(seen_us(&screen), longer_us / 4, 1e-6 * longer_us);
    screen_press(&screen, "1");
    assert_true(screen.state.to_us <= screen.state.end_us); /* the Timeline looks at the same part, as far as it goes */
    assert_float_equal(seen_us(&screen), longer_us / 4, 1e-6 * longer_us);
    screen_press(&screen, "4 0");
    assert_float_equal(seen_us(&screen), longer_us, 0);
}

static void the_wheel_and_the_hand_move_in_time_over_the_plans(void **state) {
    (void)state;
    screen_press(&screen, "c");
    const struct compare_panes panes = compare_lay_out(panes_make(&screen.state, screen.profile.layer_count).body);
    const double whole_us = seen_us(&screen);
    const int x = 60, y = panes.side[1].y + 1;
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_WHEEL_UP, .modifiers = MODIFIER_CONTROL, .x = x, .y = y });
    assert_float_equal(seen_us(&screen), whole_us / 1.25, 1e-6 * whole_us);
    const double from_us = screen.state.from_us;
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .x = x, .y = panes.ruler.y });
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_DRAG, .x = x + 3, .y = panes.ruler.y });
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_RELEASE, .x = x + 3, .y = panes.ruler.y });
    assert_true(screen.state.from_us < from_us);
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .again = true, .x = x, .y = y });
    assert_float_equal(seen_us(&screen), whole_us, 0);
    screen_mouse(&screen, (struct mouse){ .kind = MOUSE_WHEEL_DOWN, .x = x, .y = panes.totals.y + 1 });
    assert_float_equal(seen_us(&screen), whole_us, 0); /* there it scrolls */
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
        cmocka_unit_test_setup_teardown(another_link_is_played_as_it_stands_in_the_table, open_small, close_it),
        cmocka_unit_test_setup_teardown(a_given_profile_is_not_priced_for_another_device, open_small, close_it),
        cmocka_unit_test_setup_teardown(a_model_is_priced_for_another_device, open_small, close_it),
        cmocka_unit_test_setup_teardown(a_plans_file_is_played_under_the_knobs_at_hand, open_small, close_it),
        cmocka_unit_test_setup_teardown(both_steps_are_seen_whole_and_zoomed_together, open_small, close_it),
        cmocka_unit_test_setup_teardown(the_wheel_and_the_hand_move_in_time_over_the_plans, open_small, close_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
