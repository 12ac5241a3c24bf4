/* Lessons on the screen: the list, pages, answers, tasks, looking around and coming back, leaving to one's own work as it
 * was, what is pointed at, panels of every size. */
#include "school.h"

#include <string.h>

#include "keys.h"
#include "view/challenge.h"
#include "view/layout.h"
#include "view/narrate.h"

static void begin(struct school *school, struct screen *screen, int width, int height) {
    memset(screen, 0, sizeof *screen);
    screen_profile_small(screen);
    school_open(school, screen, width, height);
}

static bool shows_all(struct screen *screen, const char *const *text) {
    for (; *text != NULL; text++)
        if (!screen_shows(screen, *text)) {
            for (int y = 0; y < screen->grid.height; y++)
                print_message("# %s\n", screen_row(screen, y));
            print_message("# misses: %s\n", *text);
            return false;
        }
    return true;
}
/* The screen as it is: characters and roles. */
static const char *picture(struct screen *screen) {
    size_t length;
    return grid_json_out(&screen->grid, &screen->arena, &length);
}

/* Whether the screen is PICTURE again; if not, shows the first row in which they differ. */
static bool is_again(struct screen *screen, const char *before) {
    const char *now = picture(screen);
    size_t same = 0;
    for (; before[same] != '\0' && before[same] == now[same]; same++)
        continue;
    if (before[same] == now[same])
        return true;
    while (same > 0 && before[same - 1] != '\n')
        same--;
    print_message("# was: %.*s\n# is:  %.*s\n", (int)strcspn(before + same, "\n"), before + same, (int)strcspn(now + same, "\n"), now + same);
    return false;
}

#define assert_shows(screen, ...) assert_true(shows_all(screen, (const char *const[]){ __VA_ARGS__, NULL }))

static uint8_t phase(const struct school *school) { return school->classroom.play.phase; }

/* ---- the list ---- */

static void the_list_shows_titles_minutes_and_what_the_chosen_one_is_about(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L");
    assert_shows(&screen, "All kinds of pages", "3 min", "One page", "4 min", "broken.json", "For tests.");
    screen_press(&screen, "j");
    assert_shows(&screen, "For tests, too.");
    screen_press(&screen, "j");
    assert_shows(&screen, "expected an object");
    screen_press(&screen, "Enter");
    assert_false(screen.state.lesson.open);
    assert_shows(&screen, "line 1, column 1");
    screen_press(&screen, "Escape");
    assert_false(screen.state.lesson.list);
    assert_true(screen_shows(&screen, "compute"));
    school_close(&school, &screen);
}

static void below_the_lessons_stands_the_challenge(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L");
    assert_shows(&screen, CHALLENGE_TITLE);
    screen_press(&screen, "G");
    assert_shows(&screen, "Puzzles of 12 levels");
    screen_press(&screen, "Enter");
    assert_false(screen.state.lesson.list);
    assert_true(challenge_is_open(&screen.state, NULL, NULL));
    screen_press(&screen, "Escape");
    assert_false(challenge_is_open(&screen.state, NULL, NULL));
    school_close(&school, &screen);
}

static void what_is_done_is_told_in_the_list(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    school.entry[0].done = true;
    school.entry[0].best = (struct lesson_score){ 1, 2 };
    screen_press(&screen, "L");
    assert_shows(&screen, "done, 1 of 2 right");
    school_close(&school, &screen);
}

static void without_lessons_L_says_so(void **state) {
    (void)state;
    struct screen screen;
    screen_open_small(&screen, 80, 24);
    screen_press(&screen, "L");
    assert_shows(&screen, "There are no lessons here.");
    screen_close(&screen);
}

/* ---- pages ---- */

static void a_lesson_is_walked_through_from_its_first_page_to_the_end(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter");
    assert_shows(&screen, "All kinds of pages", "step 1 of 4", "The step takes 120.6 ms", "next");
    screen_press(&screen, "Space");
    assert_shows(&screen, "L2.fc goes to the host.", "Which lane has something to do then?", "The D2H lane", "None: everything is kept", "a/b answer");
    screen_press(&screen, "a");
    assert_shows(&screen, "Right.", "256 MiB go out; before it were 0 B.", "1 of 2 right");
    assert_string_equal(screen.scene.profile->name, "taught");
    screen_press(&screen, "Enter");
    assert_shows(&screen, "Make room.", "Recompute L2.fc.", "solution");
    screen_press(&screen, "/ L 2 . f c Enter R");
    assert_int_equal(phase(&school), LESSON_DONE);
    assert_shows(&screen, "Done: the goal is reached.", "It costs 6.00 ms.", "2 of 2 right");
    screen_press(&screen, "Space");
    assert_int_equal(screen.state.view, VIEW_LAYERS); /* the keys of the page */
    screen_press(&screen, "Space");
    assert_int_equal(phase(&school), LESSON_END);
    assert_shows(&screen, "That was the lesson: 2 of 2 at the first try.");
    screen_press(&screen, "Space");
    assert_shows(&screen, "One page", "step 1 of 1");
    school_close(&school, &screen);
}

static void a_wrong_answer_shows_another_screen_than_the_right_one(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space b");
    assert_shows(&screen, "Not b. Look again. It is a.", "0 of 2 right");
    assert_false(screen_shows(&screen, "Right."));
    screen_press(&screen, "BSpace a");
    assert_shows(&screen, "Right.", "0 of 2 right"); /* not at the first try */
    school_close(&school, &screen);
}

static void an_answer_can_be_clicked(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space");
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 80; x++)
            if (phase(&school) == LESSON_ASK && grid_at(&screen.grid, x, y)->action == DO_answer_b)
                screen_mouse(&screen, (struct mouse){ .kind = MOUSE_PRESS, .button = BUTTON_LEFT, .x = x, .y = y });
    screen_draw(&screen);
    assert_shows(&screen, "It is a.");
    school_close(&school, &screen);
}

static void giving_up_needs_two_presses_in_a_row(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space Space");
    assert_shows(&screen, "Predict first");
    assert_int_equal(phase(&school), LESSON_ASK);
    screen_press(&screen, "w Space");
    assert_int_equal(phase(&school), LESSON_ASK);
    screen_press(&screen, "Space");
    assert_shows(&screen, "It is a.");
    screen_press(&screen, "Space Space");
    assert_int_equal(phase(&school), LESSON_TASK);
    screen_press(&screen, "Space");
    assert_shows(&screen, "This is one way to do it.", "It costs 6.00 ms.");
    assert_int_equal(screen.state.view, VIEW_LAYERS); /* the solution's keys */
    school_close(&school, &screen);
}

static void Enter_opens_a_layer_while_a_task_is_open(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space a Space 2 g Enter");
    assert_int_equal(phase(&school), LESSON_TASK);
    assert_true(state_is_open(&screen.state, 0));
    school_close(&school, &screen);
}

static void who_edits_while_a_task_is_announced_has_begun_with_it(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space a Space");
    assert_shows(&screen, "Make room.");
    screen_press(&screen, "/ L 3 . f c Enter O");
    assert_int_equal(phase(&school), LESSON_TASK);
    assert_shows(&screen, "Recompute L2.fc.", "by hand");
    screen_press(&screen, "/ L 2 . f c Enter R");
    assert_int_equal(phase(&school), LESSON_DONE);
    assert_shows(&screen, "2 of 2 right");
    school_close(&school, &screen);
}

static void going_back_shows_each_page_as_it_was(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space a");
    const char *reveal = picture(&screen);
    screen_press(&screen, "Space BSpace");
    assert_true(is_again(&screen, reveal));
    screen_press(&screen, "BSpace BSpace");
    assert_shows(&screen, "step 1 of 4");
    screen_press(&screen, "BSpace");
    assert_shows(&screen, "This is where the lesson begins.");
    school_close(&school, &screen);
}

static void a_question_has_a_page_of_its_own_where_the_panel_is_too_small_for_its_text(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 6);
    screen_press(&screen, "L Enter Space");
    assert_shows(&screen, "L2.fc goes to the host.");
    assert_int_equal(phase(&school), LESSON_TELL);
    screen_press(&screen, "Space");
    assert_int_equal(phase(&school), LESSON_ASK);
    assert_shows(&screen, "Which lane has something to do then?");
    screen_press(&screen, "BSpace");
    assert_shows(&screen, "L2.fc goes to the host.");
    screen_press(&screen, "BSpace Space Space");
    screen_size(&screen, 80, 24); /* and back: there is room */
    assert_shows(&screen, "L2.fc goes to the host.", "Which lane has something to do then?");
    screen_press(&screen, "BSpace");
    assert_shows(&screen, "step 1 of 4");
    school_close(&school, &screen);
}

static void what_was_turned_on_a_page_is_set_right_on_the_next(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter");
    struct settings set = screen.state.settings;
    const struct plan *plan = screen.state.plan;
    screen_press(&screen, "- - P 2 Space");
    assert_true(settings_equal(&screen.state.settings, &set));
    assert_ptr_equal(screen.state.plan, plan);
    assert_int_equal(screen.state.view, VIEW_TIMELINE);
    school_close(&school, &screen);
}

static void undoing_stays_within_a_page(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "- - L Enter");
    struct settings set = screen.state.settings;
    screen_press(&screen, "u");
    assert_shows(&screen, "Nothing is left to undo.");
    screen_press(&screen, "- - u u u u");
    assert_true(screen.state.lesson.open);
    assert_true(settings_equal(&screen.state.settings, &set));
    screen_press(&screen, "- Space u");
    assert_shows(&screen, "Nothing is left to undo.");
    school_close(&school, &screen);
}

/* ---- away and back ---- */

static void looking_around_and_coming_back_restores_the_page(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space j w");
    const char *page = picture(&screen);
    screen_press(&screen, "L");
    assert_shows(&screen, "look around; L comes back");
    assert_false(screen_shows(&screen, "Which lane"));
    screen_press(&screen, "b 4 0 % Enter 2 G K Space a");
    assert_int_equal(phase(&school), LESSON_ASK);
    screen_press(&screen, "L");
    assert_true(is_again(&screen, page));
    screen_press(&screen, "L Escape");
    assert_true(is_again(&screen, page));
    school_close(&school, &screen);
}

static void what_was_turned_before_looking_around_is_set_right_on_coming_back(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter");
    const char *page = picture(&screen);
    screen_press(&screen, "- - 2 L K L");
    assert_true(is_again(&screen, page));
    school_close(&school, &screen);
}

static void a_goal_reached_while_looking_around_does_not_count(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space a Space L / L 2 . f c Enter R");
    assert_int_equal(phase(&school), LESSON_TASK);
    screen_press(&screen, "L");
    assert_int_equal(phase(&school), LESSON_TASK);
    school_close(&school, &screen);
}

/* ---- one's own work ---- */

/* What a user has done before: another budget, an edit, another view, a selection, an open layer, a bookmark. */
#define OWN_WORK "b 6 0 % Enter / L 3 . f c Enter O w w m a 2 g Enter j j S C-l"

static void leaving_a_lesson_brings_back_ones_own_work_byte_for_byte(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 120, 40);
    screen_press(&screen, OWN_WORK);
    const char *own = picture(&screen);
    struct view_state before = screen.state;
    const uint32_t changes = history_left(&screen.history);
    screen_press(&screen, "L j Enter");
    assert_shows(&screen, "One page");
    screen_press(&screen, "- - P Space L k Enter Space Space b L 5 - L Escape");
    assert_false(screen.state.lesson.open);
    assert_string_equal(screen.scene.profile->name, "small");
    assert_shows(&screen, "Your own work is back as you left it");
    screen_press(&screen, "C-l"); /* takes the message away */
    assert_true(is_again(&screen, own));
    assert_true(settings_equal(&screen.state.settings, &before.settings));
    assert_ptr_equal(screen.state.plan, before.plan);
    assert_int_equal(history_left(&screen.history), changes);
    struct view_state after = screen.state;
    after.generation = before.generation;
    after.lesson = before.lesson;
    assert_memory_equal(&after, &before, offsetof(struct view_state, message)); /* its buffer comes last */
    assert_string_equal(after.message, before.message);
    screen_press(&screen, "u");
    assert_ptr_equal(screen.state.plan, NULL);
    school_close(&school, &screen);
}

static void a_lesson_that_was_left_goes_on_where_it_was(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space a Escape L Enter");
    assert_int_equal(phase(&school), LESSON_REVEAL);
    assert_shows(&screen, "Right.", "step 2 of 4");
    screen_press(&screen, "Escape L j Enter Escape L k Enter");
    assert_shows(&screen, "step 1 of 4"); /* another one was begun meanwhile */
    school_close(&school, &screen);
}

static void a_lesson_that_cannot_be_opened_changes_nothing(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    school.refuses = true;
    screen_press(&screen, "L Enter");
    assert_shows(&screen, "the school is closed");
    screen_press(&screen, "Escape");
    assert_false(screen.state.lesson.open);
    assert_string_equal(screen.scene.profile->name, "small");
    assert_true(state_is_valid(&screen.state, &screen.scene));
    school_close(&school, &screen);
}

/* ---- what it points at ---- */

static void places_are_marked_by_glyph_and_role(void **state) {
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++) {
        struct screen screen;
        struct school school;
        begin(&school, &screen, 80, 24);
        screen.state.ascii = ascii;
        screen_press(&screen, "L Enter");
        struct panes panes = panes_make(&screen.state, screen.scene.profile->layer_count);
        for (int lane = 0; lane < ENGINE_ROWS; lane++) {
            const struct cell *rule = grid_at(&screen.grid, panes.plot_x - 1, panes.engines.y + lane);
            assert_int_equal(rule->style.role == ROLE_HIGHLIGHT, lane == ROW_D2H);
            assert_int_equal(strncmp(rule->text, ascii ? ">" : "►", rule->length) == 0, lane == ROW_D2H);
        }
        assert_int_equal(grid_at(&screen.grid, panes.plot_x - 1, panes.memory.y + 2)->style.role, ROLE_HIGHLIGHT);
        screen_press(&screen, "L"); /* who looks around is not pointed at anything */
        panes = panes_make(&screen.state, screen.scene.profile->layer_count);
        assert_int_equal(grid_at(&screen.grid, panes.plot_x - 1, panes.engines.y + ROW_D2H)->style.role, ROLE_RULE);
        school_close(&school, &screen);
    }
}

/* ---- every size ---- */

static void the_panel_stays_inside_and_clear_of_the_rest_at_every_size(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter Space");
    for (int height = 1; height <= 70; height += height < 30 ? 1 : 7)
        for (int width = 1; width <= 220; width += width < 130 ? 3 : 13)
            for (int away = 0; away < 2; away++) {
                screen.state.lesson.away = away;
                screen_size(&screen, width, height);
                struct panes panes = panes_make(&screen.state, screen.scene.profile->layer_count);
                const struct rect rects[] = { panes.header, panes.knobs, panes.minimap, panes.ruler, panes.engines, panes.layers,
                                              panes.memory, panes.inspector, panes.totals, panes.legend, panes.lesson, panes.footer };
                for (size_t i = 0; i < sizeof rects / sizeof rects[0]; i++) {
                    struct rect in = rect_intersect(rects[i], (struct rect){ 0, 0, width, height });
                    assert_memory_equal(&in, &rects[i], sizeof in);
                    for (size_t j = 0; j < i; j++) {
                        struct rect both = rect_intersect(rects[i], rects[j]);
                        assert_true(both.width == 0 || both.height == 0);
                    }
                }
            }
    school_close(&school, &screen);
}

static void at_80x24_lanes_and_memory_can_be_read_beside_the_longest_text(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L Enter");
    struct panes panes = panes_make(&screen.state, screen.scene.profile->layer_count);
    assert_int_equal(panes.engines.height, ENGINE_ROWS);
    assert_true(panes.memory.height >= 6);
    assert_true(panes.lesson_text.height >= 7 && panes.lesson_text.width >= 78);
    school_close(&school, &screen);
}

static void what_does_not_fit_is_turned_over_page_by_page(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    begin(&school, &screen, 16, 6);
    screen_press(&screen, "L Enter");
    int presses = 0;
    while (school.classroom.play.step == 0 && presses++ < 20)
        screen_press(&screen, "Space");
    assert_true(presses > 1 && presses < 20);
    school_close(&school, &screen);
}

/* ---- narration ---- */

static void a_page_is_told_in_sentences(void **state) {
    (void)state;
    struct screen screen;
    struct school school;
    size_t length;
    begin(&school, &screen, 80, 24);
    screen_press(&screen, "L");
    char *text = narrate(&screen.state, &screen.scene, &screen.arena, &length);
    assert_non_null(strstr(text, "chosen: 1: All kinds of pages, 3 minutes. For tests."));
    screen_press(&screen, "Enter");
    text = narrate(&screen.state, &screen.scene, &screen.arena, &length);
    assert_non_null(strstr(text, "Lesson 1, All kinds of pages: step 1 of 4; 0 of 2 right so far."));
    assert_non_null(strstr(text, "Look at: the lane to the host, the memory curve."));
    screen_press(&screen, "Space Space b");
    text = narrate(&screen.state, &screen.scene, &screen.arena, &length);
    assert_non_null(strstr(text, "  a: The D2H lane (right)\n  b: None: everything is kept (your answer)\n"));
    assert_non_null(strstr(text, "Not b. Look again. It is a.\n256 MiB go out"));
    school_close(&school, &screen);
}

/* ---- storms ---- */

static void random_keys_never_break_a_lesson(void **state) {
    (void)state;
    struct random random = { 11 };
    for (int round = 0; round < 30; round++) {
        struct screen screen;
        struct school school;
        memset(&screen, 0, sizeof screen);
        if (round % 3 == 0)
            screen_profile_model(&screen, "bert-large");
        else
            screen_profile_small(&screen);
        school_open(&school, &screen, 1 + (int)random_below(&random, 220), 1 + (int)random_below(&random, 70));
        screen_press(&screen, "L Enter");
        for (int i = 0; i < 500; i++) {
            static const char *const ON_THE_WAY[] = { "Space", "Enter", "a", "b", "BSpace", "L", "u", "L Enter" };
            school.refuses = random_chance(&random, 2);
            if (random_chance(&random, 3))
                screen_size(&screen, 1 + (int)random_below(&random, 220), 1 + (int)random_below(&random, 70));
            if (random_chance(&random, 15))
                screen_mouse(&screen, random_mouse(&random));
            else if (random_chance(&random, 50))
                screen_press(&screen, ON_THE_WAY[random_below(&random, 8)]);
            else
                screen_key(&screen, random_key(&random));
            if (random_chance(&random, 20))
                screen_draw(&screen);
        }
        school_close(&school, &screen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_shows_titles_minutes_and_what_the_chosen_one_is_about),
        cmocka_unit_test(below_the_lessons_stands_the_challenge),
        cmocka_unit_test(what_is_done_is_told_in_the_list),
        cmocka_unit_test(without_lessons_L_says_so),
        cmocka_unit_test(a_lesson_is_walked_through_from_its_first_page_to_the_end),
        cmocka_unit_test(a_wrong_answer_shows_another_screen_than_the_right_one),
        cmocka_unit_test(an_answer_can_be_clicked),
        cmocka_unit_test(giving_up_needs_two_presses_in_a_row),
        cmocka_unit_test(Enter_opens_a_layer_while_a_task_is_open),
        cmocka_unit_test(who_edits_while_a_task_is_announced_has_begun_with_it),
        cmocka_unit_test(going_back_shows_each_page_as_it_was),
        cmocka_unit_test(a_question_has_a_page_of_its_own_where_the_panel_is_too_small_for_its_text),
        cmocka_unit_test(what_was_turned_on_a_page_is_set_right_on_the_next),
        cmocka_unit_test(undoing_stays_within_a_page),
        cmocka_unit_test(looking_around_and_coming_back_restores_the_page),
        cmocka_unit_test(what_was_turned_before_looking_around_is_set_right_on_coming_back),
        cmocka_unit_test(a_goal_reached_while_looking_around_does_not_count),
        cmocka_unit_test(leaving_a_lesson_brings_back_ones_own_work_byte_for_byte),
        cmocka_unit_test(a_lesson_that_was_left_goes_on_where_it_was),
        cmocka_unit_test(a_lesson_that_cannot_be_opened_changes_nothing),
        cmocka_unit_test(places_are_marked_by_glyph_and_role),
        cmocka_unit_test(the_panel_stays_inside_and_clear_of_the_rest_at_every_size),
        cmocka_unit_test(at_80x24_lanes_and_memory_can_be_read_beside_the_longest_text),
        cmocka_unit_test(what_does_not_fit_is_turned_over_page_by_page),
        cmocka_unit_test(a_page_is_told_in_sentences),
        cmocka_unit_test(random_keys_never_break_a_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
