/* The command palette, bookmarks, and what goes to the clipboard. */
#include "screen.h"

#include <string.h>

#include "view/command.h"
#include "view/inspect.h"

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

static const char *best(const char *typed) {
    static struct command found;
    screen_press(&screen, "Escape :");
    strcpy(screen.state.command.text, typed);
    return command_matches(&screen.state, &found, 1) > 0 ? found.name : "";
}

static void the_best_match_comes_first(void **state) {
    (void)state;
    assert_string_equal(best("stall"), "stall next");
    assert_string_equal(best("previous stall"), "stall previous");
    assert_string_equal(best("planner ref"), "planner refine");
    assert_string_equal(best("budget 60%"), "budget");
    assert_string_equal(best("clipboard"), "copy");
    assert_string_equal(best("EXPORT SVG"), "export svg");
    assert_string_equal(best("compare plan a.json"), "compare plan");
    assert_string_equal(best("compare link at"), "compare link at hand");
    assert_string_equal(best("h100-sxm"), "compare device h100-sxm");
    assert_string_equal(best("no such thing"), "");
}

static void actions_of_other_views_are_not_offered(void **state) {
    (void)state;
    assert_string_equal(best("sort the table"), "");
    screen_press(&screen, "Escape 2");
    assert_string_equal(best("sort the table"), "sort");
    assert_string_equal(best("zoom in"), "");
}

static void a_command_is_done(void **state) {
    (void)state;
    screen_press(&screen, ": z o o m Space i n Enter");
    assert_false(screen.state.command.open);
    assert_true(screen.state.to_us - screen.state.from_us < screen.state.end_us * 0.6);
    screen_press(&screen, ": b u d g e t Space 6 0 % Enter");
    assert_true(screen_shows(&screen, " 60%"));
    screen_press(&screen, ": b a n d Tab 1 2 Enter");
    assert_true(screen_shows(&screen, "12.0 GB/s"));
    screen_press(&screen, ": p l a n n e r Space k e e p Enter");
    assert_string_equal(screen.state.settings.planner->name, "keep");
    screen_press(&screen, "u");
    assert_string_equal(screen.state.settings.planner->name, "offload");
}

static void what_is_not_there_stays_typed(void **state) {
    (void)state;
    screen_press(&screen, ": x y z z y Enter");
    assert_true(screen.state.command.open);
    assert_true(screen_shows(&screen, "Nothing is called so"));
    screen_press(&screen, "BSpace BSpace BSpace BSpace BSpace");
    assert_string_equal(screen.state.command.text, "");
    screen_press(&screen, ": b u d g e t Space 1 x Enter");
    assert_true(screen.state.command.open);
    screen_press(&screen, "Escape");
    assert_false(screen.state.command.open);
}

static void the_arrows_choose(void **state) {
    (void)state;
    screen_press(&screen, ": s t a l l Up Enter");
    assert_true(screen_shows(&screen, "No earlier stall.") || screen_shows(&screen, "stall 1 of"));
}

static void export_and_copy_are_left_to_the_loop(void **state) {
    (void)state;
    struct arena arena = { 0 };
    assert_true(screen_press(&screen, "x s v g Enter") & EFFECT_EXPORT);
    assert_true(screen_press(&screen, "y") & EFFECT_COPY);
    const char *text = inspect_copy(&screen.state, &screen.scene, &arena);
    assert_non_null(strstr(text, "\nwhy: "));
    assert_non_null(strstr(text, "\nmemory: "));
    arena_free(&arena);
}

static void a_bookmark_comes_back_to_its_place(void **state) {
    (void)state;
    screen_press(&screen, "g jj ww");
    struct view_state before = screen.state;
    screen_press(&screen, "m a 2 G 0 + ' a");
    assert_int_equal(screen.state.view, VIEW_TIMELINE);
    assert_int_equal(screen.state.row.layer, before.row.layer);
    assert_int_equal(screen.state.selection.op, before.selection.op);
    double share = (before.to_us - before.from_us) / before.end_us;
    double now = (screen.state.to_us - screen.state.from_us) / screen.state.end_us;
    assert_true(now > share * 0.99 && now < share * 1.01);
    screen_press(&screen, "' b");
    assert_true(screen_shows(&screen, "No place is called b"));
}

static void what_is_not_modelled_is_one_key_away(void **state) {
    (void)state;
    screen_size(&screen, 80, 24);
    screen_press(&screen, "M");
    assert_true(screen_shows(&screen, "What is not modelled"));
}

int main(void) {
#define WITH_SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, shut)
    const struct CMUnitTest tests[] = {
        WITH_SMALL(the_best_match_comes_first),
        WITH_SMALL(actions_of_other_views_are_not_offered),
        WITH_SMALL(a_command_is_done),
        WITH_SMALL(what_is_not_there_stays_typed),
        WITH_SMALL(the_arrows_choose),
        WITH_SMALL(export_and_copy_are_left_to_the_loop),
        WITH_SMALL(a_bookmark_comes_back_to_its_place),
        WITH_SMALL(what_is_not_modelled_is_one_key_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
