/* Another profile in place of the one that is looked at: a built-in model with another batch, sequence, attention or GPU, a
 * profile that somebody keeps, the file that has changed. What belongs to the user goes over by name, and undoing brings
 * everything back. */
#include "screen.h"

#include <string.h>

#include "keys.h"
#include "view/follow.h"
#include "view/reduce.h"
#include "view/view_compare.h"

static struct screen screen;

static int open_model(void **state) {
    (void)state;
    memset(&screen, 0, sizeof screen);
    screen_profile_model(&screen, "gpt2");
    screen_open(&screen, 120, 40);
    return 0;
}
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

/* Shows the first line that is another. */
static void assert_same_screen(const char *now, const char *wanted) {
    size_t at = 0;
    while (now[at] != '\0' && now[at] == wanted[at])
        at++;
    if (now[at] == wanted[at])
        return;
    while (at > 0 && now[at - 1] != '\n')
        at--;
    fail_msg("%.*s\nwanted: %.*s", (int)strcspn(now + at, "\n"), now + at, (int)strcspn(wanted + at, "\n"), wanted + at);
}

static uint64_t bytes_of(const char *tensor) {
    const struct profile *profile = screen.scene.profile;
    return profile->tensors[profile_find_tensor(profile, tensor)].bytes;
}

static enum action action_of(const char *tensor) {
    const uint32_t index = profile_find_tensor(screen.scene.profile, tensor);
    assert_int_not_equal(index, NONE);
    return (enum action)screen.scene.latest->timeline.plan.action[index];
}

static const char *selected(void) {
    const struct selection *selection = &screen.state.selection;
    const struct profile *profile = screen.scene.profile;
    assert_true(selection->exists);
    return selection->event.lane == LANE_COMPUTE ? profile->ops[selection->op].name
                                                 : profile->tensors[selection->tensor].name;
}

/* ---- built-in models: knobs ---- */

static void a_batch_turned_up_makes_every_tensor_larger(void **state) {
    (void)state;
    const uint64_t before = bytes_of("L03.gelu");
    const uint32_t batch = screen.state.settings.work.options.batch;
    screen_press(&screen, ": b a t c h Space 1 6 Enter");
    assert_int_equal(bytes_of("L03.gelu"), before / batch * 16);
    assert_true(screen_shows(&screen, "batch ◂   16▸"));
    screen_press(&screen, "+");
    assert_int_equal(bytes_of("L03.gelu"), before / batch * 20);
    screen_press(&screen, "- -");
    assert_int_equal(bytes_of("L03.gelu"), before / batch * 15);
}

static void the_knobs_of_a_model_come_after_the_others(void **state) {
    (void)state;
    static const enum knob_id ORDER[] = { KNOB_LATENCY, KNOB_DUPLEX, KNOB_SHARE, KNOB_HOST_MEMORY, KNOB_BATCH, KNOB_SEQUENCE,
                                          KNOB_ATTENTION, KNOB_GPU, KNOB_LATENCY };
    for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0]; i++) {
        screen_press(&screen, "o");
        assert_int_equal(screen.state.knob, ORDER[i]);
    }
}

static void words_are_typed_for_gpu_and_attention(void **state) {
    (void)state;
    screen_press(&screen, "o o o o o o o e a g e r Enter"); /* the seventh of the others */
    assert_true(screen_shows(&screen, "eager"));
    assert_int_not_equal(profile_find_tensor(screen.scene.profile, "L00.scores"), NONE);
    screen_press(&screen, "o o o o o o o o h 1 0 0 - s x m Enter");
    assert_string_equal(screen.scene.profile->device_name, "h100-sxm");
    assert_true(screen_shows(&screen, "h100-sxm"));
    assert_int_not_equal(profile_find_tensor(screen.scene.profile, "L00.scores"), NONE);
}

static void what_no_model_can_have_is_refused_and_changes_nothing(void **state) {
    (void)state;
    const struct profile *profile = screen.scene.profile;
    screen_press(&screen, ": b a t c h Space 9 9 9 9 9 9 9 9 Enter");
    assert_true(screen_shows(&screen, "expected a whole number from 1 to 1048576, found '99999999'"));
    screen_press(&screen, "Escape : g p u Space 8 0 8 7 Enter");
    assert_true(screen_shows(&screen, "expected a GPU such as a100-80gb, found '8087'"));
    assert_ptr_equal(screen.scene.profile, profile);
}

static void a_profile_from_a_file_has_no_such_knobs(void **state) {
    (void)state;
    for (int i = 0; i < 9; i++) {
        screen_press(&screen, "o");
        assert_true(screen.state.knob < KNOB_BATCH);
    }
    screen_press(&screen, "Escape : b a t c h");
    assert_false(screen_shows(&screen, "samples in a step"));
}

/* ---- what goes over ---- */

static void a_plan_by_hand_goes_over_by_name(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter / L 0 2 . g e l u Enter R");
    assert_int_equal(action_of("L02.gelu"), ACTION_RECOMPUTE);
    const enum action next = action_of("L03.gelu");
    screen_press(&screen, ": b a t c h Space 3 2 Enter");
    assert_true(screen_shows(&screen, "by hand"));
    assert_int_equal(action_of("L02.gelu"), ACTION_RECOMPUTE);
    assert_int_equal(action_of("L03.gelu"), next);
    /* eager attention has more tensors, and others under these numbers */
    screen_press(&screen, ": a t t e n t i o n Space e a g e r Enter");
    assert_int_equal(action_of("L02.gelu"), ACTION_RECOMPUTE);
    assert_int_equal(action_of("L02.scores"), ACTION_KEEP);
}

static void what_the_new_profile_lacks_is_counted(void **state) {
    (void)state;
    screen_press(&screen, ": a t t e n t i o n Space e a g e r Enter b 1 0 0 % Enter / L 0 2 . s o f t m a x Enter O");
    assert_int_equal(action_of("L02.probs"), ACTION_OFFLOAD);
    const struct profile *eager = screen.scene.profile;
    struct model_options flash = { 0 };
    struct profile other;
    unsigned lost = 0;
    assert_int_equal(model_build(model_find("gpt2"), &flash, &screen.arena, &other, NULL), SS_OK);
    for (uint32_t i = 0; i < eager->managed_count; i++)
        lost += screen.state.plan->action[eager->managed[i]] != ACTION_KEEP &&
                profile_find_tensor(&other, eager->tensors[eager->managed[i]].name) == NONE;
    assert_true(lost > 1);
    screen_press(&screen, ": a t t e n t i o n Space f l a s h Enter");
    assert_true(screen_shows(&screen, arena_printf(&screen.arena, "Your plan goes on, but for %u tensors that are not there",
                                                   lost)));
}

static void the_selection_stays_on_what_it_is(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter / L 0 4 . f c 1 Enter");
    assert_string_equal(selected(), "L04.fc1");
    screen_press(&screen, ": b a t c h Space 3 2 Enter");
    assert_string_equal(selected(), "L04.fc1");
    screen_press(&screen, ": a t t e n t i o n Space e a g e r Enter");
    assert_string_equal(selected(), "L04.fc1");
}

static void open_layers_and_bookmarks_go_over(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter / L 0 4 . f c 1 Enter m a g : a t t e n t i o n Space e a g e r Enter");
    screen_press(&screen, "' a");
    assert_string_equal(selected(), "L04.fc1");
    screen_press(&screen, "g Enter");
    assert_int_equal(screen.state.open_count, 1);
    const char *name = arena_strdup(&screen.arena, screen.scene.profile->layers[screen.state.open[0]].name);
    screen_press(&screen, ": a t t e n t i o n Space f l a s h Enter");
    assert_int_equal(screen.state.open_count, 1);
    assert_string_equal(screen.scene.profile->layers[screen.state.open[0]].name, name);
}

static void what_is_pinned_is_played_on_the_new_profile(void **state) {
    (void)state;
    screen_press(&screen, "c : b a t c h Space 1 6 Enter");
    assert_non_null(screen.state.compare.pinned);
    assert_int_equal(screen.state.compare.pinned_budget_bytes, screen.scene.latest->budget_bytes);
    screen_press(&screen, ": a t t e n t i o n Space e a g e r Enter");
    assert_true(screen_shows(&screen, "pinned"));
}

static void while_it_is_planned_the_old_outcome_is_shown_as_stale(void **state) {
    (void)state;
    static const struct key PLUS = { '+', 0 };
    screen_press(&screen, ": b a t c h Space 1 6 Enter");
    const struct outcome *before = screen.scene.latest;
    const unsigned effects = state_follow(&screen.state, &screen.scene, state_key(&screen.state, &screen.scene, PLUS));
    assert_true(effects & EFFECT_REPLAN);
    assert_false(effects & EFFECT_WORK);
    assert_ptr_equal(screen.scene.latest, before);
    assert_true(state_stale(&screen.state, &screen.scene));
    assert_true(state_is_valid(&screen.state, &screen.scene));
    screen_draw(&screen);
    screen_plan(&screen);
    assert_ptr_not_equal(screen.scene.latest, before);
}

/* ---- undoing ---- */

static void a_turn_of_the_batch_is_undone_like_any_other(void **state) {
    (void)state;
    const char *first = drawn(&screen);
    screen_press(&screen, ": b a t c h Space 2 4 Enter / L 0 2 . g e l u Enter R : a t t e n t i o n Space e a g e r Enter");
    const char *last = drawn(&screen);
    screen_press(&screen, "u");
    assert_true(screen_shows(&screen, "Undone: attention flash (was eager)."));
    assert_int_equal(action_of("L02.gelu"), ACTION_RECOMPUTE);
    screen_press(&screen, "u u");
    assert_true(screen_shows(&screen, "Undone: batch 16 (was 24)."));
    screen_press(&screen, "u Escape");
    assert_same_screen(drawn(&screen), first);
    screen_press(&screen, "C-r C-r C-r C-r Escape");
    assert_same_screen(drawn(&screen), last);
}

static void undo_all(struct screen *of) {
    static const struct key ESCAPE = { K_ESCAPE, 0 }, UNDO = { 'u', 0 };
    for (int i = 0; i < 5; i++)
        screen_key(of, ESCAPE);
    for (uint32_t left = of->history.at + 1; left > 0; left--)
        screen_key(of, UNDO);
    screen_key(of, ESCAPE);
}

/* One key in ten turns what the model is built with, or takes such a knob in hand. */
static struct key restless_key(struct random *random, struct screen *of) {
    static const enum knob_id KNOBS_OF_MODELS[] = { KNOB_BATCH, KNOB_SEQUENCE, KNOB_ATTENTION, KNOB_GPU };
    if (!random_chance(random, 10))
        return random_key(random);
    for (int i = 0; i < 4; i++)
        screen_key(of, (struct key){ K_ESCAPE, 0 }); /* out of whatever is typed or opened */
    of->state.knob = KNOBS_OF_MODELS[random_below(random, 4)];
    return (struct key){ random_chance(random, 50) ? '+' : '-', 0 };
}

static void undoing_everything_returns_the_first_screen(void **state) {
    (void)state;
    struct random random = { 77 };
    uint32_t turned = 0;
    for (int i = 0; i < 4; i++) {
        struct screen any;
        memset(&any, 0, sizeof any);
        screen_profile_model(&any, i % 2 == 0 ? "gpt2" : "bert-base");
        const int width = 60 + (int)random_below(&random, 120), height = 10 + (int)random_below(&random, 50);
        screen_open(&any, width, height);
        screen_press(&any, "Escape"); /* what comes is after the first key */
        const char *first = drawn(&any);
        for (int key = 0; key < 200; key++) {
            const struct work_choice before = any.state.settings.work;
            if (random_chance(&random, 10))
                screen_mouse(&any, random_mouse(&random));
            else
                screen_key(&any, restless_key(&random, &any));
            turned += !work_equal(&any.state.settings.work, &before);
            if (random_chance(&random, 10))
                screen_draw(&any);
        }
        screen_size(&any, width, height);
        undo_all(&any);
        assert_same_screen(drawn(&any), first);
        screen_close(&any);
    }
    assert_true(turned > 20);
}

/* ---- other profiles ---- */

static enum ss_status keeper(void *context, uint32_t number, struct arena *arena, struct profile *out, struct error *error) {
    struct model_options options = { .batch = 2 };
    (void)context;
    if (number != 7)
        return error_set(error, SS_BAD_INPUT, "there is no profile %u", (unsigned)number);
    return model_build(model_find("bert-base"), &options, arena, out, error);
}
static const struct work_source SOURCE = { keeper, NULL };

static void go_on_with(struct work_choice work) {
    struct view_state before = screen.state;
    screen.state.settings.work = work;
    const unsigned effects = state_note(&screen.state, &before, state_replan(&screen.state));
    assert_true(effects & EFFECT_WORK);
    state_follow(&screen.state, &screen.scene, effects);
    screen_plan(&screen);
    screen_draw(&screen);
    assert_true(state_is_valid(&screen.state, &screen.scene));
}

static void a_profile_of_a_keeper_is_looked_at_and_left_again(void **state) {
    (void)state;
    screen.scene.source = &SOURCE;
    screen_press(&screen, "b 8 0 % Enter jj l R Escape");
    const char *mine = drawn(&screen);
    go_on_with((struct work_choice){ .profile = 7 });
    assert_string_equal(screen.scene.profile->name, "bert-base");
    screen_press(&screen, "2 j Enter 3 u");
    assert_string_equal(screen.scene.profile->name, "small");
    screen_press(&screen, "Escape");
    assert_same_screen(drawn(&screen), mine);
}

static void one_that_cannot_be_had_leaves_everything_as_it_is(void **state) {
    (void)state;
    screen.scene.source = &SOURCE;
    screen_press(&screen, "g O");
    const struct plan *plan = screen.state.plan;
    go_on_with((struct work_choice){ .profile = 8 });
    assert_true(screen_shows(&screen, "there is no profile 8"));
    assert_string_equal(screen.scene.profile->name, "small");
    assert_ptr_equal(screen.state.plan, plan);
    assert_int_equal(screen.state.settings.work.profile, WORK_OPENED);
}

static void what_is_set_aside_comes_back_exactly(void **state) {
    (void)state;
    screen.scene.source = &SOURCE;
    const char *first = drawn(&screen);
    screen_press(&screen, "b 8 0 % Enter jj l R w w 2 jj Escape");
    const char *mine = drawn(&screen);
    assert_true(state_set_aside(&screen.state));
    assert_false(state_set_aside(&screen.state));
    go_on_with((struct work_choice){ .profile = 7 });
    screen_press(&screen, "1 + + g O u u u u u u");
    assert_string_equal(screen.scene.profile->name, "small"); /* the first change was to go there */
    screen_press(&screen, "C-r C-r 3");
    assert_string_equal(screen.scene.profile->name, "bert-base");
    struct view_state before = screen.state;
    const unsigned effects = state_note(&screen.state, &before, state_take_back(&screen.state, &screen.scene));
    state_follow(&screen.state, &screen.scene, effects);
    screen_plan(&screen);
    screen_press(&screen, "Escape");
    assert_same_screen(drawn(&screen), mine);
    assert_int_equal(state_take_back(&screen.state, &screen.scene), 0);
    undo_all(&screen);
    assert_same_screen(drawn(&screen), first);
}

/* ---- the file has changed ---- */

static void reload_fresh(struct screen *fresh) {
    const struct work_choice work = { .profile = WORK_OPENED };
    struct subject *subject;
    assert_int_equal(subject_adopt(&subject, &work, &fresh->profile, &fresh->arena, NULL), SS_OK);
    state_reload(&screen.state, &screen.scene, subject);
    subject_release(subject);
    screen_plan(&screen);
    screen_draw(&screen);
}

static void reload(double factor) {
    struct screen fresh = { .grid = { .width = 0 } };
    screen_profile_small(&fresh);
    for (uint32_t i = 0; i < fresh.profile.tensor_count; i++)
        fresh.profile.tensors[i].bytes = (uint64_t)((double)fresh.profile.tensors[i].bytes * factor);
    reload_fresh(&fresh);
}

static void a_reloaded_profile_goes_on_with_plan_and_selection(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter / L 3 . f c Enter O");
    assert_int_equal(action_of("L3.fc"), ACTION_OFFLOAD);
    const uint64_t before = bytes_of("L3.fc");
    reload(0.5);
    assert_int_equal(bytes_of("L3.fc"), before / 2);
    assert_int_equal(action_of("L3.fc"), ACTION_OFFLOAD);
    assert_string_equal(selected(), "L3.fc");
    assert_true(screen_shows(&screen, "The profile has changed on disk; your plan goes on."));
    screen_press(&screen, "u");
    assert_true(screen_shows(&screen, "Nothing is left to undo.") || screen_shows(&screen, "Everything is undone"));
    assert_int_equal(bytes_of("L3.fc"), before / 2);
}

static void a_file_that_changes_behind_another_profile_waits(void **state) {
    (void)state;
    screen.scene.source = &SOURCE;
    screen_press(&screen, "g O");
    assert_true(state_set_aside(&screen.state));
    go_on_with((struct work_choice){ .profile = 7 });
    reload(0.5);
    assert_string_equal(screen.scene.profile->name, "bert-base");
    struct view_state before = screen.state;
    state_follow(&screen.state, &screen.scene,
                 state_note(&screen.state, &before, state_take_back(&screen.state, &screen.scene)));
    screen_plan(&screen);
    screen_draw(&screen);
    assert_string_equal(screen.scene.profile->name, "small");
    assert_int_equal(action_of("L0.fc"), ACTION_OFFLOAD);
}

/* ---- what is compared ---- */

/* Keeps a plan in FILE for Compare that offloads the tensors called *.fc* and makes those called *.mask* again. */
static void take_file(const char *file) {
    const struct profile *profile = screen.scene.profile;
    struct arena arena = { 0 };
    struct plan plan;
    assert_int_equal(plan_init(&plan, &arena, profile, NULL), SS_OK);
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const char *name = profile->tensors[profile->managed[i]].name;
        plan.action[profile->managed[i]] = strstr(name, ".fc") != NULL   ? ACTION_OFFLOAD
                                           : strstr(name, ".mask") != NULL ? ACTION_RECOMPUTE
                                                                           : ACTION_KEEP;
    }
    compare_choose_file(&screen.state, file);
    state_compare_file(&screen.state, &screen.scene, &plan);
    arena_free(&arena);
}

/* PLAN, which is one for the profile that is looked at, does what take_file said. */
static void assert_goes_on(const struct plan *plan) {
    const struct profile *profile = screen.scene.profile;
    uint32_t moved = 0, dropped = 0;
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const char *name = profile->tensors[profile->managed[i]].name;
        const enum action action = (enum action)plan->action[profile->managed[i]];
        assert_int_equal(action == ACTION_OFFLOAD, strstr(name, ".fc") != NULL);
        assert_int_equal(action == ACTION_RECOMPUTE, strstr(name, ".mask") != NULL);
        moved += action == ACTION_OFFLOAD;
        dropped += action == ACTION_RECOMPUTE;
    }
    assert_true(moved > 3 && dropped > 3);
}

static void a_compared_file_goes_over_by_name(void **state) {
    static const char *const TURNS[] = { ": a t t e n t i o n Space e a g e r Enter", ": b a t c h Space 2 Enter",
                                         ": a t t e n t i o n Space f l a s h Enter" };
    (void)state;
    take_file("mine.json");
    assert_goes_on(screen.state.compare.file[0].plan);
    for (size_t i = 0; i < sizeof TURNS / sizeof TURNS[0]; i++) {
        screen_press(&screen, TURNS[i]);
        assert_goes_on(screen.state.compare.file[0].plan);
        screen_press(&screen, "4");
        assert_true(screen_shows(&screen, "A  the plan of mine.json"));
    }
    screen_press(&screen, "u u");
    assert_goes_on(screen.state.compare.file[0].plan);
}

static void files_of_one_name_in_two_folders_are_two(void **state) {
    (void)state;
    take_file("fast/plan.json");
    screen.state.compare.focus = 1;
    take_file("slow/plan.json");
    screen_press(&screen, "4");
    assert_int_equal(screen.state.compare.file_count, 2);
    assert_true(screen_shows(&screen, "A  the plan of plan.json"));
    assert_true(screen_shows(&screen, "B  the plan of slow/plan.json"));
    take_file("slow/plan.json");
    assert_int_equal(screen.state.compare.file_count, 2);
}

static void what_is_compared_waits_with_ones_own_work(void **state) {
    (void)state;
    screen.scene.source = &SOURCE;
    screen_press(&screen, "c");
    take_file("mine.json");
    assert_true(state_set_aside(&screen.state));
    go_on_with((struct work_choice){ .profile = 7 });
    struct screen fresh = { .grid = { .width = 0 } };
    screen_profile_shifted(&fresh, "first"); /* the step is as long: the screen comes back as it was */
    reload_fresh(&fresh);
    struct view_state before = screen.state;
    state_follow(&screen.state, &screen.scene,
                 state_note(&screen.state, &before, state_take_back(&screen.state, &screen.scene)));
    screen_plan(&screen);
    screen_press(&screen, "4 k");
    assert_int_equal(screen.state.compare.side[1].what, COMPARE_FILE);
    assert_int_equal(profile_find_tensor(screen.scene.profile, "first"), 0);
    assert_goes_on(screen.state.compare.file[0].plan);
    for (uint32_t i = 0; i < screen.scene.profile->tensor_count; i++)
        assert_int_equal(screen.state.compare.pinned->action[i], screen.scene.latest->timeline.plan.action[i]);
}

/* ---- who holds what ---- */

static void a_subject_lives_as_long_as_somebody_holds_it(void **state) {
    (void)state;
    struct subject *held = subject_hold(screen.scene.subject);
    assert_int_equal(held->holders, 3); /* the scene, what it shows, and this test */
    screen_press(&screen, ": b a t c h Space 1 6 Enter + + + -");
    assert_int_equal(held->holders, 1);
    subject_release(held);
    assert_int_equal(screen.scene.subject->holders, 2);
}

int main(void) {
#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, open_model, shut)
#define WITH_SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, shut)
    const struct CMUnitTest tests[] = {
        WITH_MODEL(a_batch_turned_up_makes_every_tensor_larger),
        WITH_MODEL(the_knobs_of_a_model_come_after_the_others),
        WITH_MODEL(words_are_typed_for_gpu_and_attention),
        WITH_MODEL(what_no_model_can_have_is_refused_and_changes_nothing),
        WITH_SMALL(a_profile_from_a_file_has_no_such_knobs),
        WITH_MODEL(a_plan_by_hand_goes_over_by_name),
        WITH_MODEL(what_the_new_profile_lacks_is_counted),
        WITH_MODEL(the_selection_stays_on_what_it_is),
        WITH_MODEL(open_layers_and_bookmarks_go_over),
        WITH_MODEL(what_is_pinned_is_played_on_the_new_profile),
        WITH_MODEL(while_it_is_planned_the_old_outcome_is_shown_as_stale),
        WITH_MODEL(a_turn_of_the_batch_is_undone_like_any_other),
        cmocka_unit_test(undoing_everything_returns_the_first_screen),
        WITH_SMALL(a_profile_of_a_keeper_is_looked_at_and_left_again),
        WITH_SMALL(one_that_cannot_be_had_leaves_everything_as_it_is),
        WITH_SMALL(what_is_set_aside_comes_back_exactly),
        WITH_SMALL(a_reloaded_profile_goes_on_with_plan_and_selection),
        WITH_SMALL(a_file_that_changes_behind_another_profile_waits),
        WITH_MODEL(a_compared_file_goes_over_by_name),
        WITH_SMALL(files_of_one_name_in_two_folders_are_two),
        WITH_SMALL(what_is_compared_waits_with_ones_own_work),
        WITH_MODEL(a_subject_lives_as_long_as_somebody_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
