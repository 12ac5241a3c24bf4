/* Puzzles in the viewer: opened, planned by hand, measured, left; and a storm within them. */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "keys.h"
#include "view/challenge.h"
#include "view/narrate.h"

static struct screen screen;

static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    return 0;
}
static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static void assert_open(uint32_t level, uint32_t seed) {
    uint32_t l, s;
    assert_true(challenge_is_open(&screen.state, &l, &s));
    assert_int_equal(l, level);
    assert_int_equal(s, seed);
}

static void a_key_opens_the_first_puzzle_and_then_the_next(void **state) {
    (void)state;
    assert_true(screen_press(&screen, "M-n") & EFFECT_CHALLENGE);
    assert_open(1, puzzle_first_seed(1));
    assert_true(screen_shows(&screen, "challenge: level 1 of 12, seed 3"));
    assert_true(screen_shows(&screen, "no plan of yours fits yet"));
    screen_press(&screen, "M-n");
    assert_open(2, puzzle_first_seed(2));
    for (uint32_t level = 3; level <= PUZZLE_LEVELS; level++)
        screen_press(&screen, "M-n");
    assert_open(PUZZLE_LEVELS, puzzle_first_seed(PUZZLE_LEVELS));
    screen_press(&screen, "M-n");
    assert_open(PUZZLE_LEVELS, puzzle_first_seed(PUZZLE_LEVELS) + 1);
}

/* What-if has a pane of batches for models alone. */
static void it_opens_over_a_pane_that_only_models_have(void **state) {
    (void)state;
    struct screen model;
    memset(&model, 0, sizeof model);
    screen_profile_model(&model, "gpt2");
    screen_open(&model, 120, 40);
    screen_press(&model, "3 Tab Tab Tab");
    assert_int_equal(model.state.whatif.pane, WHATIF_PANE_BATCH);
    screen_press(&model, "M-n");
    assert_true(challenge_is_open(&model.state, NULL, NULL));
    screen_press(&model, "3");
    assert_int_equal(model.state.whatif.pane, WHATIF_PANE_BUDGET);
    screen_close(&model);
}

static void the_palette_opens_any_level_and_seed(void **state) {
    (void)state;
    screen_press(&screen, ": c h a l l e n g e Space 3 Enter");
    assert_open(3, puzzle_first_seed(3));
    screen_press(&screen, ": c h a l l e n g e Space 3 Space 1 7 Enter");
    assert_open(3, 17);
    screen_press(&screen, ": c h a l l e n g e Space 1 2 Enter");
    assert_open(12, puzzle_first_seed(12));
    screen_press(&screen, ": c h a l l e n g e Space 1 Space 9 9 9 9 9 9 9 9 9 Enter");
    assert_true(screen_shows(&screen, "Expected a seed from 0 to 16777215."));
    screen_press(&screen, "Escape");
    assert_open(12, puzzle_first_seed(12));
}

static void ones_own_work_comes_back_as_it_was(void **state) {
    (void)state;
    screen_press(&screen, "2 g j R b 6 0 % Enter 5");
    const struct plan *plan = screen.state.plan;
    struct settings settings = screen.state.settings;
    assert_non_null(plan);
    screen_press(&screen, "M-n M-n Escape");
    assert_false(challenge_is_open(&screen.state, NULL, NULL));
    assert_ptr_equal(screen.state.plan, plan);
    assert_true(settings_equal(&screen.state.settings, &settings));
    assert_int_equal(screen.state.view, VIEW_PROBLEMS);
    assert_true(screen_shows(&screen, "small"));
    screen_press(&screen, "u");
    assert_false(settings_equal(&screen.state.settings, &settings));
    assert_ptr_equal(screen.state.plan, plan);
}

static void editing_is_measured_and_undoing_takes_no_stars_back(void **state) {
    (void)state;
    screen_press(&screen, "M-n");
    assert_true(isinf(screen.state.challenge.best_gap));
    screen_press(&screen, "2 g v G O");
    const double gap = challenge_gap(&screen.state, &screen.scene);
    assert_true(isfinite(gap));
    assert_true(screen.state.challenge.best_gap <= gap && screen.state.challenge.best_gap >= gap);
    assert_false(screen_shows(&screen, "no plan of yours fits yet"));
    screen_press(&screen, "u");
    assert_true(screen.state.challenge.best_gap <= gap && screen.state.challenge.best_gap >= gap);
    assert_true(isinf(challenge_gap(&screen.state, &screen.scene)));
    screen_press(&screen, "u u u u u");
    assert_open(1, puzzle_first_seed(1)); /* undoing ends where the puzzle began */
}

static void a_plan_that_does_not_fit_counts_for_nothing(void **state) {
    (void)state;
    screen_press(&screen, "M-n 2 g v G K");
    assert_false(outcome_feasible(screen.scene.latest));
    assert_true(isinf(screen.state.challenge.best_gap));
    assert_true(screen_shows(&screen, "does not fit"));
}

static void under_other_knobs_nothing_counts(void **state) {
    (void)state;
    screen_press(&screen, "M-n p 6 4 Enter 2 g O");
    assert_false(challenge_is_as_set(&screen.state));
    assert_true(isinf(screen.state.challenge.best_gap));
    assert_true(screen_shows(&screen, "a knob was turned: does not count"));
}

static void planners_do_not_solve_it(void **state) {
    (void)state;
    screen_press(&screen, "M-n P");
    assert_string_equal(screen.state.settings.planner->name, "offload");
    assert_true(screen_shows(&screen, "In a challenge you plan"));
    screen_press(&screen, ": p l a n n e r Space r e f Enter");
    assert_string_equal(screen.state.settings.planner->name, "offload");
    screen_press(&screen, "5 Enter");
    assert_null(screen.state.plan);
}

static void three_stars_are_for_the_best_that_is_known(void **state) {
    (void)state;
    screen_press(&screen, "M-n");
    const struct puzzle_marks *marks = challenge_marks(&screen.state, &screen.scene);
    assert_non_null(marks);
    struct plan best = marks->best;
    state_take_plan(&screen.state, &screen.scene, &best);
    screen_plan(&screen);
    screen_draw(&screen);
    uint32_t stars;
    assert_string_equal(challenge_words(&screen.state, &screen.scene, &stars), "the best there is");
    assert_int_equal(stars, 3);
    assert_true(screen_shows(&screen, "★★★ the best there is"));
}

static void the_solution_ends_it_until_it_begins_anew(void **state) {
    (void)state;
    screen_press(&screen, "M-n M-s");
    assert_true(screen.state.challenge.given_away);
    assert_true(isinf(screen.state.challenge.best_gap));
    assert_true(screen_shows(&screen, "the best plan was shown"));
    screen_press(&screen, "2 g O");
    assert_true(isinf(screen.state.challenge.best_gap));
    screen_press(&screen, "u u u u");
    assert_true(screen.state.challenge.given_away);
    screen_press(&screen, "M-r");
    assert_false(screen.state.challenge.given_away);
    assert_null(screen.state.plan);
    screen_press(&screen, "Escape M-s");
    assert_true(screen_shows(&screen, "No challenge is open"));
}

static void it_is_told_in_sentences(void **state) {
    (void)state;
    size_t length;
    screen_press(&screen, "M-n");
    const char *told = narrate(&screen.state, &screen.scene, &screen.arena, &length);
    assert_non_null(strstr(told, "This is a challenge: level 1 of 12, seed 3: your gap - (best -), slackswap "));
    assert_non_null(strstr(told, "0 of 3 stars, no plan of yours fits yet."));
}

static void the_panel_has_room_on_any_screen(void **state) {
    (void)state;
    screen_press(&screen, "M-n 2 g O");
    for (int height = 1; height <= 40; height++)
        for (int width = 1; width <= 130; width += 7)
            screen_size(&screen, width, height);
    screen_size(&screen, 80, 24);
    assert_true(screen_shows(&screen, "best known"));
}

static void a_storm_leaves_a_valid_state(void **state) {
    (void)state;
    struct random random = { 99 };
    for (int round = 0; round < 25; round++) {
        screen_press(&screen, "M-n");
        for (int i = 0; i < 150; i++) {
            if (random_chance(&random, 6))
                screen_press(&screen, random_chance(&random, 50) ? "M-n" : "M-s");
            else if (random_chance(&random, 20))
                screen_mouse(&screen, random_mouse(&random));
            else
                screen_key(&screen, random_key(&random));
            if (random_chance(&random, 20))
                screen_draw(&screen);
        }
        if (random_chance(&random, 50))
            screen_size(&screen, 1 + (int)random_below(&random, 150), 1 + (int)random_below(&random, 50));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_small, shut)
        CASE(a_key_opens_the_first_puzzle_and_then_the_next),
        cmocka_unit_test(it_opens_over_a_pane_that_only_models_have),
        CASE(the_palette_opens_any_level_and_seed),
        CASE(ones_own_work_comes_back_as_it_was),
        CASE(editing_is_measured_and_undoing_takes_no_stars_back),
        CASE(a_plan_that_does_not_fit_counts_for_nothing),
        CASE(under_other_knobs_nothing_counts),
        CASE(planners_do_not_solve_it),
        CASE(three_stars_are_for_the_best_that_is_known),
        CASE(the_solution_ends_it_until_it_begins_anew),
        CASE(it_is_told_in_sentences),
        CASE(the_panel_has_room_on_any_screen),
        CASE(a_storm_leaves_a_valid_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
