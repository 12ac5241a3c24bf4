/* The reducer: what each key does to the state, and what survives a new outcome. */
#include "screen.h"

#include "view/reduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/move.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 80, 24);
    return 0;
}
static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static const struct timeline *timeline(void) {
    return screen.scene.shown->timeline;
}
static struct event selected(void) {
    assert_true(screen.state.selection.exists);
    return screen.state.selection.event;
}
static double start_of(struct event event) {
    return timeline_start(timeline(), event);
}

/* ---- movement ---- */

static void it_opens_on_the_longest_stall(void **state) {
    (void)state;
    assert_true(timeline()->stall_count > 1);
    double longest = 0;
    uint32_t step = NONE;
    for (uint32_t i = 0; i < timeline()->stall_count; i++) {
        const struct stall *stall = &timeline()->stalls[i];
        if (stall->end_us - stall->start_us > longest) {
            longest = stall->end_us - stall->start_us;
            step = stall->step;
        }
    }
    assert_int_equal(selected().lane, LANE_COMPUTE);
    assert_int_equal(selected().index, step);
    assert_true(screen_shows(&screen, " waits "));
}

static void events_follow_each_other_in_time_across_lanes(void **state) {
    (void)state;
    const struct schedule *schedule = &timeline()->schedule;
    uint32_t total = schedule->step_count + schedule->d2h_count + schedule->h2d_count, count = 1;
    bool seen[LANE_COUNT] = { false };
    while (screen.state.message_kind == MESSAGE_NONE)
        screen_press(&screen, "Left");
    screen_press(&screen, "Right Left");
    for (double before = -1;; count++) {
        assert_true(start_of(selected()) >= before);
        assert_true(screen.state.cursor_us == start_of(selected()));
        before = start_of(selected());
        seen[selected().lane] = true;
        screen_press(&screen, "l");
        if (screen.state.message_kind != MESSAGE_NONE)
            break;
    }
    assert_int_equal(count, total);
    assert_true(seen[LANE_COMPUTE] && seen[LANE_D2H] && seen[LANE_H2D]);
}

static void comma_and_point_stay_on_the_lane(void **state) {
    (void)state;
    screen_press(&screen, "j");
    assert_int_equal(screen.state.row.kind, ROW_D2H);
    struct event first = selected();
    assert_int_equal(first.lane, LANE_D2H);
    screen_press(&screen, first.index > 0 ? "," : ".");
    assert_int_equal(selected().lane, LANE_D2H);
    assert_int_equal(selected().index, first.index > 0 ? first.index - 1 : first.index + 1);
    screen_press(&screen, first.index > 0 ? "." : ",");
    assert_int_equal(selected().index, first.index);
}

static void on_a_layer_they_stay_in_the_layer(void **state) {
    (void)state;
    screen_press(&screen, "g");
    assert_int_equal(screen.state.row.kind, ROW_LAYER);
    for (int i = 0; i < 10; i++) {
        screen_press(&screen, ".");
        assert_int_equal(event_layer(timeline(), selected()), 0);
        assert_int_equal(screen.state.row.layer, 0);
    }
}

static void rows_stop_at_both_ends(void **state) {
    (void)state;
    screen_press(&screen, "kkkkkkkk");
    assert_int_equal(screen.state.row.kind, ROW_COMPUTE);
    screen_press(&screen, "G jjj");
    assert_int_equal(screen.state.row.kind, ROW_LAYER);
    assert_int_equal(screen.state.row.layer, 5);
    screen_press(&screen, "g");
    assert_int_equal(screen.state.row.layer, 0);
}

static void going_down_and_up_comes_back_to_the_same_place(void **state) {
    (void)state;
    struct event event = selected();
    double cursor = screen.state.cursor_us;
    screen_press(&screen, "jjjjjjj kkkkkkk");
    assert_int_equal(selected().lane, event.lane);
    assert_int_equal(selected().index, event.index);
    assert_true(screen.state.cursor_us >= cursor && screen.state.cursor_us <= cursor);
}

static void an_open_layer_has_a_row_for_each_engine(void **state) {
    (void)state;
    screen_press(&screen, "g Enter");
    assert_true(state_is_open(&screen.state, 0));
    assert_int_equal(state_layer_rows(&screen.state, &screen.scene), 6 + OPEN_ROWS);
    for (uint32_t n = 0; n < 6 + OPEN_ROWS; n++)
        assert_int_equal(state_layer_row_index(&screen.state, state_layer_row(&screen.state, n)), n);
    screen_press(&screen, "jjj");
    assert_int_equal(screen.state.row.kind, ROW_LAYER_D2H);
    screen_press(&screen, "Enter");
    assert_false(state_is_open(&screen.state, 0));
    assert_int_equal(screen.state.row.kind, ROW_LAYER);
}

static void tab_goes_round_the_panes_and_rows_follow(void **state) {
    (void)state;
    struct event event = selected();
    screen_press(&screen, "Tab");
    assert_int_equal(screen.state.pane, PANE_LAYERS);
    assert_int_equal(screen.state.row.layer, event_layer(timeline(), event));
    screen_press(&screen, "Tab Tab Tab");
    assert_int_equal(screen.state.pane, PANE_ENGINES);
    assert_int_equal(screen.state.row.kind, ROW_COMPUTE);
    screen_press(&screen, "BTab");
    assert_int_equal(screen.state.pane, PANE_INSPECTOR);
}

static void stalls_are_visited_in_order_and_end_with_a_word(void **state) {
    (void)state;
    while (screen.state.message_kind == MESSAGE_NONE)
        screen_press(&screen, "E");
    assert_int_equal(selected().index, timeline()->stalls[0].step);
    for (uint32_t i = 1; i < timeline()->stall_count; i++) {
        screen_press(&screen, "e");
        assert_int_equal(selected().index, timeline()->stalls[i].step);
    }
    screen_press(&screen, "e");
    assert_string_equal(screen.state.message, "No later stall.");
}

static void the_cause_chain_is_walked_there_and_back(void **state) {
    (void)state;
    struct event path[8], cause;
    path[0] = selected();
    for (int i = 1; i < 8; i++) {
        assert_true(timeline_cause(timeline(), path[i - 1], &cause));
        screen_press(&screen, "[");
        path[i] = selected();
        assert_int_equal(path[i].lane, cause.lane);
        assert_int_equal(path[i].index, cause.index);
    }
    for (int i = 6; i >= 0; i--) {
        screen_press(&screen, "]");
        assert_int_equal(selected().lane, path[i].lane);
        assert_int_equal(selected().index, path[i].index);
    }
}

static void without_a_trail_the_consequence_is_something_that_waited(void **state) {
    (void)state;
    screen_press(&screen, "j");
    struct event event = selected(), cause;
    screen_press(&screen, "]");
    if (screen.state.message_kind != MESSAGE_NONE)
        return;
    assert_true(timeline_cause(timeline(), selected(), &cause));
    assert_int_equal(cause.lane, event.lane);
    assert_int_equal(cause.index, event.index);
}

static void the_peak_is_where_most_memory_is_in_use(void **state) {
    (void)state;
    screen_press(&screen, "^");
    const struct memory_sample *sample = &timeline()->memory[timeline_memory_at(timeline(), screen.state.cursor_us)];
    assert_int_equal(memory_used(sample), timeline()->totals.peak_bytes);
}

static void a_name_is_found_by_a_part_of_it_in_any_case(void **state) {
    (void)state;
    screen_press(&screen, "/ l3.GELU");
    assert_true(screen.state.finding);
    assert_true(screen_shows(&screen, "find l3.GELU"));
    screen_press(&screen, "Enter");
    assert_false(screen.state.finding);
    struct event found = selected();
    assert_string_equal(screen.profile.ops[timeline()->schedule.op[found.index]].name, "L3.gelu");
    screen_press(&screen, "n");
    assert_true(selected().index != found.index || selected().lane != found.lane);
    screen_press(&screen, "N");
    assert_int_equal(selected().index, found.index);
    assert_int_equal(selected().lane, found.lane);
}

static void what_is_not_there_moves_nothing(void **state) {
    (void)state;
    struct event before = selected();
    screen_press(&screen, "/ nosuchname Enter");
    assert_int_equal(screen.state.message_kind, MESSAGE_INFO);
    assert_int_equal(selected().index, before.index);
    screen_press(&screen, "/ q BSpace BSpace Escape");
    assert_false(screen.state.finding);
}

/* ---- the window ---- */

static void zoom_keeps_the_cursor_where_it_is(void **state) {
    (void)state;
    double span = screen.state.to_us - screen.state.from_us;
    double share = (screen.state.cursor_us - screen.state.from_us) / span;
    screen_press(&screen, "w");
    assert_true(fabs((screen.state.to_us - screen.state.from_us) - span / 2) < 1e-6);
    assert_true(fabs((screen.state.cursor_us - screen.state.from_us) / (span / 2) - share) < 1e-6);
    screen_press(&screen, "s");
    assert_true(fabs(screen.state.to_us - screen.state.from_us - span) < 1e-6);
}

static void the_window_stays_inside_the_step(void **state) {
    (void)state;
    screen_press(&screen, "ss aaaa dddd");
    assert_true(screen.state.from_us <= 0 && screen.state.to_us >= timeline()->end_us);
    screen_press(&screen, "www dddddddddddddddddddddddddddddddddddddddddddddddddddd");
    assert_true(screen.state.to_us <= timeline()->end_us && screen.state.from_us > 0);
    screen_press(&screen, "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww");
    assert_true(screen.state.to_us > screen.state.from_us);
    screen_press(&screen, "0");
    assert_true(screen.state.from_us <= 0 && screen.state.to_us >= timeline()->end_us);
}

static void moving_out_of_sight_takes_the_window_along(void **state) {
    (void)state;
    screen_press(&screen, "wwwww");
    for (int i = 0; i < 100; i++) {
        screen_press(&screen, "l");
        assert_true(screen.state.cursor_us >= screen.state.from_us && screen.state.cursor_us <= screen.state.to_us);
    }
}

static void playing_goes_on_with_the_clock_and_stops_at_the_end(void **state) {
    (void)state;
    assert_int_equal(state_tick(&screen.state, &screen.scene, 1e6), 0);
    double from = screen.state.cursor_us;
    assert_true(screen_press(&screen, "Space") & EFFECT_PLAY);
    state_tick(&screen.state, &screen.scene, 1000);
    assert_true(fabs(screen.state.cursor_us - from - 1000 * SPEEDS[screen.state.speed]) < 1e-6);
    assert_int_equal(selected().index, timeline_at(timeline(), LANE_COMPUTE, screen.state.cursor_us));
    assert_true(state_tick(&screen.state, &screen.scene, 1e12) & EFFECT_PLAY);
    assert_false(screen.state.playing);
    assert_true(screen.state.cursor_us >= timeline()->end_us);
    screen_press(&screen, "Space");
    assert_true(screen.state.playing && screen.state.cursor_us <= 0);
}

/* ---- knobs ---- */

static void a_typed_budget_is_taken_with_enter(void **state) {
    (void)state;
    uint64_t generation = screen.state.generation;
    screen_press(&screen, "b 6 0 %");
    assert_string_equal(screen.state.value, "60%");
    assert_int_equal(screen.state.generation, generation);
    assert_true(screen_press(&screen, "Enter") & EFFECT_REPLAN);
    assert_int_equal(screen.state.generation, generation + 1);
    assert_true(fabs(screen.state.settings.budget.share - 0.6) < 1e-12);
    assert_false(screen.state.knob_focused);
    assert_string_equal(screen.state.value, "");
}

static void a_value_can_be_corrected_and_left(void **state) {
    (void)state;
    screen_press(&screen, "p22 BSpace BSpace BSpace 16 Enter");
    assert_true(fabs(screen.scene.shown->outcome->link.h2d_gb_per_s - 16) < 1e-9);
    screen_press(&screen, "p9 Escape");
    assert_false(screen.state.knob_focused);
    assert_string_equal(screen.state.value, "");
    assert_true(fabs(screen.scene.shown->outcome->link.h2d_gb_per_s - 16) < 1e-9);
}

static void nonsense_is_refused_with_a_message_and_nothing_changes(void **state) {
    (void)state;
    double share = screen.state.settings.budget.share;
    assert_false(screen_press(&screen, "b 5 . . 5 Enter") & EFFECT_REPLAN);
    assert_int_equal(screen.state.message_kind, MESSAGE_BAD);
    assert_true(screen.state.knob_focused);
    assert_true(screen.state.settings.budget.share >= share && screen.state.settings.budget.share <= share);
}

static void while_a_value_is_typed_letters_are_its_own(void **state) {
    (void)state;
    assert_false(screen_press(&screen, "b 5 q") & EFFECT_QUIT);
    assert_string_equal(screen.state.value, "5q");
    assert_true(screen_press(&screen, "Escape q") & EFFECT_QUIT);
}

static void without_a_value_keys_keep_their_meaning(void **state) {
    (void)state;
    struct event before = selected();
    screen_press(&screen, "b l");
    assert_true(screen.state.knob_focused);
    assert_true(before.index != selected().index || before.lane != selected().lane);
    assert_true(screen_press(&screen, "b 0") & EFFECT_REDRAW);
}

static void minus_and_plus_turn_the_knob_used_last(void **state) {
    (void)state;
    double share = screen.state.settings.budget.share;
    assert_true(screen_press(&screen, "-") & EFFECT_REPLAN);
    assert_true(screen.state.settings.budget.share < share);
    screen_press(&screen, "p Escape");
    double rate = screen.scene.shown->outcome->link.h2d_gb_per_s;
    screen_press(&screen, "+");
    assert_true(screen.scene.shown->outcome->link.h2d_gb_per_s > rate);
}

static void o_goes_round_the_other_knobs(void **state) {
    (void)state;
    screen_press(&screen, "o");
    assert_int_equal(screen.state.knob, KNOB_LATENCY);
    screen_press(&screen, "o h a l f Enter");
    assert_int_equal(screen.state.settings.link.duplex, DUPLEX_HALF);
    screen_press(&screen, "o");
    assert_int_equal(screen.state.knob, KNOB_LATENCY);
}

static void the_next_planner_comes_round_again(void **state) {
    (void)state;
    const struct planner *first = screen.state.settings.planner;
    for (uint32_t i = 0; i < PLANNER_COUNT; i++) {
        assert_true(i == 0 || screen.state.settings.planner != first);
        assert_true(screen_press(&screen, "P") & EFFECT_REPLAN);
    }
    assert_ptr_equal(screen.state.settings.planner, first);
}

/* ---- new outcomes ---- */

static void a_new_outcome_keeps_the_selection_by_what_it_is(void **state) {
    (void)state;
    while (selected().lane != LANE_COMPUTE || screen.state.selection.kind != STEP_BACKWARD)
        screen_press(&screen, ".");
    uint32_t op = screen.state.selection.op;
    screen_press(&screen, "b 7 0 % Enter");
    assert_int_equal(screen.state.selection.op, op);
    assert_int_equal(screen.state.selection.kind, STEP_BACKWARD);
    assert_int_equal(selected().index, timeline()->schedule.backward_step[op]);
    assert_true(screen.state.cursor_us == start_of(selected()));
}

static void a_new_outcome_keeps_the_window_by_its_fraction(void **state) {
    (void)state;
    screen_press(&screen, "ww");
    double end = timeline()->end_us, span = (screen.state.to_us - screen.state.from_us) / end;
    screen_press(&screen, "p 8 Enter");
    assert_true(timeline()->end_us > end);
    assert_true(fabs((screen.state.to_us - screen.state.from_us) / timeline()->end_us - span) < 1e-9);
}

static void what_is_gone_is_replaced_by_its_neighbour(void **state) {
    (void)state;
    screen_press(&screen, "j");
    assert_int_equal(selected().lane, LANE_D2H);
    screen_press(&screen, "b 1 0 0 % Enter");
    assert_int_equal(timeline()->schedule.d2h_count, 0);
    assert_false(screen.state.selection.exists);
    assert_int_equal(screen.state.row.kind, ROW_D2H);
    screen_press(&screen, "b 5 0 % Enter");
    assert_int_equal(selected().lane, LANE_D2H);
}

static void an_infeasible_budget_keeps_the_last_plan_as_stale(void **state) {
    (void)state;
    const struct outcome *before = screen.scene.shown->outcome;
    screen_press(&screen, "b 1 % Enter");
    assert_ptr_equal(screen.scene.shown->outcome, before);
    assert_false(outcome_feasible(screen.scene.latest));
    assert_true(state_stale(&screen.state, &screen.scene));
    assert_true(screen_shows(&screen, "does not fit in"));
    assert_true(screen_shows(&screen, "more than the budget"));
    assert_true(screen_shows(&screen, "stale"));
    screen_press(&screen, "b 2 % Enter b 5 0 % Enter");
    assert_false(state_stale(&screen.state, &screen.scene));
    assert_false(screen_shows(&screen, "stale"));
}

static void an_early_outcome_leaves_the_mark_of_planning(void **state) {
    (void)state;
    screen_size(&screen, 200, 60);
    state_outcome(&screen.state, &screen.scene, false);
    assert_true(screen.state.planning);
    screen_draw(&screen);
    assert_true(screen_shows(&screen, "refining"));
    state_outcome(&screen.state, &screen.scene, true);
    assert_false(screen.state.planning);
    screen_draw(&screen);
    assert_false(screen_shows(&screen, "refining"));
}

/* "refining A% → B%": A of the request's first plan, whatever came before; B of the one that is shown. */
static void while_refining_the_first_gap_and_the_present_one_are_shown(void **state) {
    (void)state;
    static const double GAP[] = { 0.0731, 0.0402, 0.0155 };
    char first[64], last[64];
    for (int i = 0; i < 3; i++) {
        struct outcome *outcome = (struct outcome *)screen.scene.latest;
        outcome->bound.bound_us = outcome->timeline.totals.step_us / (1 + GAP[i]);
        if (i == 0) /* of an older request */
            state_outcome(&screen.state, &screen.scene, true);
        else
            state_outcome(&screen.state, &screen.scene, false);
    }
    screen_draw(&screen);
    snprintf(first, sizeof first, "refining %.2f%% → %.2f%%", 100 * GAP[1], 100 * GAP[2]);
    assert_true(screen_shows(&screen, first));
    state_outcome(&screen.state, &screen.scene, true);
    state_replan(&screen.state);
    screen_draw(&screen);
    assert_true(screen_shows(&screen, "planning…"));
    state_outcome(&screen.state, &screen.scene, false);
    screen_draw(&screen);
    snprintf(last, sizeof last, "refining %.2f%% → %.2f%%", 100 * GAP[2], 100 * GAP[2]);
    assert_true(screen_shows(&screen, last));
}

static void bound_gap_and_what_binds_stand_in_the_smallest_header(void **state) {
    (void)state;
    screen_size(&screen, 80, 24);
    assert_true(strstr(screen_row(&screen, 0), "(bound ") != NULL);
    assert_true(strstr(screen_row(&screen, 1), "gap ") != NULL);
    assert_true(strstr(screen_row(&screen, 1), BINDING_NAME[BINDING_D2H_WINDOW]) != NULL);
}

static void a_failed_request_says_why(void **state) {
    (void)state;
    screen.state.planning = true;
    state_failed(&screen.state, "the plan asks for too much\x1b[31m");
    screen_draw(&screen);
    assert_true(screen_shows(&screen, "the plan asks for too much\xEF\xBF\xBD[31m"));
    screen_press(&screen, "l");
    assert_int_equal(screen.state.message_kind, MESSAGE_NONE);
}

/* ---- overlays ---- */

static void help_takes_the_keys_until_it_is_closed(void **state) {
    (void)state;
    screen_press(&screen, "?");
    assert_true(screen.state.help);
    screen_press(&screen, "jjj");
    assert_int_equal(screen.state.help_scroll, 3);
    assert_false(screen_press(&screen, "q") & EFFECT_QUIT);
    assert_false(screen.state.help);
    screen_press(&screen, "F1 Escape");
    assert_false(screen.state.help);
}

static void help_scrolls_no_further_than_its_end(void **state) {
    (void)state;
    screen_press(&screen, "?");
    for (int i = 0; i < 200; i++)
        screen_press(&screen, "NPage");
    int last = screen.state.help_scroll;
    assert_true(screen_shows(&screen, "see budget, peak")); /* of the last word */
    screen_press(&screen, "j");
    assert_int_equal(screen.state.help_scroll, last);
    screen_size(&screen, 200, 60);
    assert_true(screen.state.help_scroll < last);
    assert_true(screen_shows(&screen, "see budget, peak"));
}

static void a_maximised_pane_has_the_whole_body(void **state) {
    (void)state;
    assert_true(screen_press(&screen, "z") & EFFECT_RELAYOUT);
    assert_false(screen_shows(&screen, "memory"));
    screen_press(&screen, "Escape");
    assert_false(screen.state.maximised);
    assert_true(screen_shows(&screen, "memory"));
}

static void quit_and_suspend_are_left_to_the_loop(void **state) {
    (void)state;
    assert_int_equal(screen_press(&screen, "q"), EFFECT_QUIT);
    assert_int_equal(screen_press(&screen, "C-z"), EFFECT_SUSPEND);
    assert_true(screen_press(&screen, "C-l") & EFFECT_REPAINT);
    assert_int_equal(screen_press(&screen, "C-c"), EFFECT_QUIT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_small, shut)
int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(it_opens_on_the_longest_stall),
        CASE(events_follow_each_other_in_time_across_lanes),
        CASE(comma_and_point_stay_on_the_lane),
        CASE(on_a_layer_they_stay_in_the_layer),
        CASE(rows_stop_at_both_ends),
        CASE(going_down_and_up_comes_back_to_the_same_place),
        CASE(an_open_layer_has_a_row_for_each_engine),
        CASE(tab_goes_round_the_panes_and_rows_follow),
        CASE(stalls_are_visited_in_order_and_end_with_a_word),
        CASE(the_cause_chain_is_walked_there_and_back),
        CASE(without_a_trail_the_consequence_is_something_that_waited),
        CASE(the_peak_is_where_most_memory_is_in_use),
        CASE(a_name_is_found_by_a_part_of_it_in_any_case),
        CASE(what_is_not_there_moves_nothing),
        CASE(zoom_keeps_the_cursor_where_it_is),
        CASE(the_window_stays_inside_the_step),
        CASE(moving_out_of_sight_takes_the_window_along),
        CASE(playing_goes_on_with_the_clock_and_stops_at_the_end),
        CASE(a_typed_budget_is_taken_with_enter),
        CASE(a_value_can_be_corrected_and_left),
        CASE(nonsense_is_refused_with_a_message_and_nothing_changes),
        CASE(while_a_value_is_typed_letters_are_its_own),
        CASE(without_a_value_keys_keep_their_meaning),
        CASE(minus_and_plus_turn_the_knob_used_last),
        CASE(o_goes_round_the_other_knobs),
        CASE(the_next_planner_comes_round_again),
        CASE(a_new_outcome_keeps_the_selection_by_what_it_is),
        CASE(a_new_outcome_keeps_the_window_by_its_fraction),
        CASE(what_is_gone_is_replaced_by_its_neighbour),
        CASE(an_infeasible_budget_keeps_the_last_plan_as_stale),
        CASE(an_early_outcome_leaves_the_mark_of_planning),
        CASE(while_refining_the_first_gap_and_the_present_one_are_shown),
        CASE(bound_gap_and_what_binds_stand_in_the_smallest_header),
        CASE(a_failed_request_says_why),
        CASE(help_takes_the_keys_until_it_is_closed),
        CASE(help_scrolls_no_further_than_its_end),
        CASE(a_maximised_pane_has_the_whole_body),
        CASE(quit_and_suspend_are_left_to_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
