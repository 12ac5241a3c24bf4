/* Editing by hand, and undoing it: whatever was done, undoing all of it brings back the first screen, cell by cell. */
#include "screen.h"

#include <string.h>

#include "keys.h"

#ifdef __SANITIZE_ADDRESS__
#define PROFILES 200 /* 100,000 keys where each is watched; elsewhere the first of them */
#else
#define PROFILES 40
#endif
#define KEYS 500

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

static const char *drawn(struct screen *of) {
    size_t length;
    screen_draw(of);
    return grid_json_out(&of->grid, &of->arena, &length);
}

static enum action action_of(const char *tensor) {
    uint32_t index = profile_find_tensor(&screen.profile, tensor);
    assert_int_not_equal(index, NONE);
    return (enum action)screen.scene.latest->timeline.plan.action[index];
}

/* ---- editing ---- */

static void a_transfers_tensor_is_edited(void **state) {
    (void)state;
    screen_press(&screen, "j");
    uint32_t tensor = screen.state.selection.tensor;
    const char *name = screen.profile.tensors[tensor].name;
    assert_int_equal(action_of(name), ACTION_OFFLOAD);
    screen_press(&screen, "R");
    assert_int_equal(action_of(name), ACTION_RECOMPUTE);
    assert_true(screen_shows(&screen, "by hand"));
    screen_press(&screen, "u");
    assert_int_equal(action_of(name), ACTION_OFFLOAD);
    assert_false(screen_shows(&screen, "by hand"));
    screen_press(&screen, "C-r");
    assert_int_equal(action_of(name), ACTION_RECOMPUTE);
}

static void a_layers_row_edits_the_layer(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter g O");
    assert_int_equal(action_of("L0.fc"), ACTION_OFFLOAD);
    assert_int_equal(action_of("L0.out"), ACTION_OFFLOAD);
    assert_int_equal(action_of("L0.mask"), ACTION_OFFLOAD);
    assert_int_equal(action_of("L1.fc"), ACTION_KEEP);
}

static void a_marked_range_is_edited_as_one_change(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter g v jj O");
    for (int layer = 0; layer < 6; layer++) {
        const char *name = arena_printf(&screen.arena, "L%d.fc", layer);
        assert_int_equal(action_of(name), layer <= 2 ? ACTION_OFFLOAD : ACTION_KEEP);
    }
    screen_press(&screen, "Escape K");
    assert_int_equal(action_of("L2.fc"), ACTION_KEEP);
    assert_int_equal(action_of("L1.fc"), ACTION_OFFLOAD);
    screen_press(&screen, "uu");
    assert_int_equal(action_of("L1.fc"), ACTION_KEEP);
}

static void an_edited_plan_stays_while_knobs_turn(void **state) {
    (void)state;
    screen_press(&screen, "g K");
    const struct plan *plan = screen.state.plan;
    assert_non_null(plan);
    screen_press(&screen, "+ + p 1 2 Enter");
    assert_ptr_equal(screen.state.plan, plan);
    assert_int_equal(action_of("L0.fc"), ACTION_KEEP);
    assert_true(screen_shows(&screen, "by hand"));
}

static void the_planner_comes_back_before_the_next_one(void **state) {
    (void)state;
    const struct planner *planner = screen.state.settings.planner;
    screen_press(&screen, "g K P");
    assert_null(screen.state.plan);
    assert_ptr_equal(screen.state.settings.planner, planner);
    screen_press(&screen, "P");
    assert_ptr_not_equal(screen.state.settings.planner, planner);
}

static void what_changes_nothing_is_no_change(void **state) {
    (void)state;
    screen_press(&screen, "g K");
    const struct plan *plan = screen.state.plan;
    assert_false(screen_press(&screen, "K") & EFFECT_REPLAN);
    assert_ptr_equal(screen.state.plan, plan);
    assert_true(screen_shows(&screen, "Nothing changed"));
}

static void what_must_stay_stays_and_is_counted(void **state) {
    (void)state;
    screen.profile.tensors[profile_find_tensor(&screen.profile, "L0.mask")].keep = true;
    screen_press(&screen, "b 1 0 0 % Enter g");
    screen_press(&screen, "O");
    assert_int_equal(action_of("L0.fc"), ACTION_OFFLOAD);
    assert_int_equal(action_of("L0.mask"), ACTION_KEEP);
    assert_true(screen_shows(&screen, "1 must stay on the GPU"));
}

static void what_may_not_run_twice_is_not_recomputed(void **state) {
    (void)state;
    struct screen barred;
    uint32_t in, out;
    memset(&barred, 0, sizeof barred);
    struct tensor_spec first = { .name = "in", .bytes = 1000 }, second = { .name = "out", .bytes = 1000 };
    assert_int_equal(profile_begin(&barred.profile, &barred.arena, NULL), SS_OK);
    profile_add_tensor(&barred.profile, &first, &in, NULL);
    profile_add_tensor(&barred.profile, &second, &out, NULL);
    struct op_spec op = { .name = "collective", .forward_us = 10, .backward_us = 10, .not_recomputable = true,
                          .inputs = &in, .input_count = 1, .outputs = &out, .output_count = 1,
                          .saved = &out, .saved_count = 1 };
    assert_int_equal(profile_add_op(&barred.profile, &op, NULL, NULL), SS_OK);
    assert_int_equal(profile_finish(&barred.profile, NULL, NULL), SS_OK);
    screen_open(&barred, 80, 24);
    assert_false(screen_press(&barred, "b 1 0 0 % Enter g R") & EFFECT_REPLAN);
    assert_true(screen_shows(&barred, "an op may not run twice"));
    screen_close(&barred);
}

/* ---- undoing ---- */

static void changes_come_off_one_by_one(void **state) {
    (void)state;
    screen_press(&screen, "+ Escape"); /* … and the ghost of the curve before it is gone */
    const char *one = drawn(&screen);
    screen_press(&screen, "p 1 2 Enter P");
    screen_press(&screen, "u");
    assert_true(screen_shows(&screen, "Undone: planned by offload."));
    assert_true(screen_shows(&screen, "12.0 GB/s"));
    screen_press(&screen, "u");
    assert_true(screen_shows(&screen, "Undone: bandwidth 25.0 GB/s (was 12.0 GB/s)."));
    /* the knob that was taken in hand for the change is still in hand */
    assert_int_equal(screen.state.knob, KNOB_BANDWIDTH);
    screen.state.knob = KNOB_BUDGET;
    screen_press(&screen, "Escape");
    assert_string_equal(drawn(&screen), one);
}

static void redoing_all_ends_where_undoing_began(void **state) {
    (void)state;
    screen_press(&screen, "jj + g O l l - Enter R w w");
    screen_press(&screen, "Escape");
    const char *end = drawn(&screen);
    screen_press(&screen, "uuuuuuuu");
    screen_press(&screen, "C-r C-r C-r C-r C-r C-r C-r C-r Escape");
    assert_string_equal(drawn(&screen), end);
}

static void a_change_after_undoing_drops_what_was_undone(void **state) {
    (void)state;
    screen_press(&screen, "+ + u -");
    screen_press(&screen, "C-r");
    assert_true(screen_shows(&screen, "Nothing is left to redo."));
    screen_press(&screen, "u u Escape");
    assert_true(screen_shows(&screen, " 50%"));
}

static void undoing_a_budget_that_did_not_fit_shows_what_did(void **state) {
    (void)state;
    const char *first = drawn(&screen);
    screen_press(&screen, "b 1 % Enter");
    assert_true(screen_shows(&screen, "does not fit"));
    screen_press(&screen, "uu Escape");
    assert_string_equal(drawn(&screen), first);
}

static void a_first_screen_without_a_plan_comes_back_too(void **state) {
    (void)state;
    struct screen tight;
    screen_open_small(&tight, 120, 40);
    scene_forget(&tight.scene);
    struct settings settings = tight.state.settings;
    settings.budget.share = 0.01;
    state_init(&tight.state, &settings, 120, 40);
    tight.state.history = &tight.history;
    screen_plan(&tight);
    const char *first = drawn(&tight);
    screen_press(&tight, "b 5 0 % Enter e");
    assert_non_null(tight.scene.shown);
    screen_press(&tight, "uu Escape");
    assert_string_equal(drawn(&tight), first);
    screen_close(&tight);
}

/* ---- at random ---- */

static void undo_all(struct screen *of) {
    static const struct key ESCAPE = { K_ESCAPE, 0 }, UNDO = { 'u', 0 };
    for (int i = 0; i < 5; i++)
        screen_key(of, ESCAPE); /* out of help, of a name and of a value being typed */
    for (uint32_t left = of->history.at + 1; left > 0; left--)
        screen_key(of, UNDO);
    assert_int_equal(of->history.at, 0);
    screen_key(of, ESCAPE);
}

/* The first line of AFTER that is not as in BEFORE. */
static const char *first_difference(const char *before, const char *after) {
    size_t at = 0;
    while (before[at] != '\0' && before[at] == after[at])
        at++;
    while (at > 0 && after[at - 1] != '\n')
        at--;
    return after + at;
}

/* KEYS random keys, mouse events and sizes on ANY, just opened; then all is undone. */
static void storm_and_undo(struct screen *any, struct random *random, int keys, int number) {
    const int width = any->state.width, height = any->state.height;
    const char *first = drawn(any);
    for (int key = 0; key < keys; key++) {
        if (random_chance(random, 2))
            screen_size(any, 1 + (int)random_below(random, 220), 1 + (int)random_below(random, 80));
        if (random_chance(random, 20))
            screen_mouse(any, random_mouse(random));
        else
            screen_key(any, random_key(random));
    }
    screen_size(any, width, height);
    undo_all(any);
    if (strcmp(drawn(any), first) != 0)
        fail_msg("profile %d: %s", number, first_difference(first, drawn(any)));
}

static void undoing_everything_returns_the_first_screen(void **state) {
    (void)state;
    struct random random = { 41 };
    for (int i = 0; i < PROFILES; i++) {
        struct screen any;
        memset(&any, 0, sizeof any);
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 40), .whole_times = i % 2 == 0 };
        random_profile(&random, &shape, &any.arena, &any.profile);
        screen_open(&any, 1 + (int)random_below(&random, 220), 1 + (int)random_below(&random, 80));
        storm_and_undo(&any, &random, KEYS, i);
        screen_close(&any);
    }
}

/* Batch, sequence and GPU are knobs here: undoing brings other work back, too. */
static void undoing_everything_returns_the_first_model(void **state) {
    (void)state;
    struct random random = { 43 };
    struct screen any;
    memset(&any, 0, sizeof any);
    screen_profile_model(&any, "gpt2");
    screen_open(&any, 120, 40);
    storm_and_undo(&any, &random, 150, 0);
    screen_close(&any);
}

int main(void) {
#define WITH_SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, shut)
    const struct CMUnitTest tests[] = {
        WITH_SMALL(a_transfers_tensor_is_edited),
        WITH_SMALL(a_layers_row_edits_the_layer),
        WITH_SMALL(a_marked_range_is_edited_as_one_change),
        WITH_SMALL(an_edited_plan_stays_while_knobs_turn),
        WITH_SMALL(the_planner_comes_back_before_the_next_one),
        WITH_SMALL(what_changes_nothing_is_no_change),
        WITH_SMALL(what_must_stay_stays_and_is_counted),
        cmocka_unit_test(what_may_not_run_twice_is_not_recomputed),
        WITH_SMALL(changes_come_off_one_by_one),
        WITH_SMALL(redoing_all_ends_where_undoing_began),
        WITH_SMALL(a_change_after_undoing_drops_what_was_undone),
        WITH_SMALL(undoing_a_budget_that_did_not_fit_shows_what_did),
        cmocka_unit_test(a_first_screen_without_a_plan_comes_back_too),
        cmocka_unit_test(undoing_everything_returns_the_first_screen),
        cmocka_unit_test(undoing_everything_returns_the_first_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
