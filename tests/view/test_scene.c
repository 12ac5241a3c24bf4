/* An outcome indexed for drawing: tracks, the peak within a stretch of time, and what is kept when a plan does not fit. */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "tests/random_profile.h"

#define PROFILES 60

static struct screen screen;

static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    memset(&screen, 0, sizeof screen);
    return 0;
}
static int open_small(void **state) {
    (void)state;
    screen_open_small(&screen, 80, 24);
    return 0;
}

/* Opens random profiles until the plan for one of them fits. */
static void open_random(struct random *random) {
    for (;;) {
        struct random_shape shape = { .most_ops = 1 + random_below(random, 30) };
        random_profile(random, &shape, &screen.arena, &screen.profile);
        screen_open(&screen, 80, 24);
        if (screen.scene.shown != NULL)
            return;
        shut(NULL);
    }
}

static void check_track(const struct track *track) {
    double covered = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        assert_true(track->start_us[i] <= track->end_us[i]);
        assert_true(i == 0 || track->end_us[i - 1] <= track->start_us[i]);
        assert_true(i == 0 || track->index[i - 1] < track->index[i]);
        assert_true(fabs(track->before_us[i] - covered) <= 1e-9 * (1 + covered));
        covered += track->end_us[i] - track->start_us[i];
        assert_true(track_find(track, track->start_us[i]) <= i || track->end_us[i] <= track->start_us[i]);
    }
    assert_int_equal(track_find(track, INFINITY), track->count);
}

static void tracks_hold_every_event_once_in_order(void **state) {
    (void)state;
    struct random random = { 11 };
    for (int i = 0; i < PROFILES; i++) {
        open_random(&random);
        const struct view_model *model = screen.scene.shown;
        const struct schedule *schedule = &model->timeline->schedule;
        for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
            uint32_t count = 0;
            check_track(&model->all[kind]);
            for (uint32_t layer = 0; layer < screen.profile.layer_count; layer++) {
                check_track(&model->layer[layer][kind]);
                count += model->layer[layer][kind].count;
            }
            assert_int_equal(count, model->all[kind].count);
        }
        assert_int_equal(model->all[TRACK_FORWARD].count + model->all[TRACK_RECOMPUTE].count +
                             model->all[TRACK_BACKWARD].count,
                         schedule->step_count);
        assert_int_equal(model->all[TRACK_D2H].count, schedule->d2h_count);
        assert_int_equal(model->all[TRACK_H2D].count, schedule->h2d_count);
        assert_int_equal(model->all[TRACK_STALL].count, model->timeline->stall_count);
        shut(NULL);
    }
}

/* The most in use by running steps, and asked for by waiting ones, by looking at every sample. */
static void peak_by_hand(const struct timeline *timeline, double from_us, double to_us, uint64_t most[2]) {
    most[false] = most[true] = 0;
    for (uint32_t i = 0; i < timeline->memory_count; i++) {
        const struct memory_sample *sample = &timeline->memory[i];
        double until = i + 1 < timeline->memory_count ? timeline->memory[i + 1].at_us : INFINITY;
        if (sample->at_us < to_us && until > from_us && memory_used(sample) > most[sample->running])
            most[sample->running] = memory_used(sample);
    }
}

static void the_peak_of_a_stretch_is_its_largest_sample(void **state) {
    (void)state;
    struct random random = { 12 };
    for (int i = 0; i < PROFILES; i++) {
        open_random(&random);
        const struct timeline *timeline = screen.scene.shown->timeline;
        for (int j = 0; j < 40 && timeline->end_us > 0; j++) {
            double a = timeline->end_us * random_below(&random, 1000) / 1000;
            double b = a + timeline->end_us * (1 + random_below(&random, 100)) / 1000;
            const struct memory_sample *sample = &timeline->memory[view_model_peak(screen.scene.shown, a, b)];
            uint64_t most[2];
            peak_by_hand(timeline, a, b, most);
            assert_true(sample->at_us < b);
            assert_true(sample->running || most[true] == 0);
            /* one that shares its time with the next holds for no time, and may still be the largest */
            assert_true(memory_used(sample) >= most[sample->running]);
        }
        shut(NULL);
    }
}

static void an_infeasible_outcome_leaves_the_last_feasible_one(void **state) {
    (void)state;
    const struct outcome *first = screen.scene.shown->outcome;
    assert_ptr_equal(screen.scene.latest, first);
    for (int i = 0; i < 3; i++) {
        screen_press(&screen, "b 1 % Enter");
        assert_ptr_equal(screen.scene.shown->outcome, first);
        assert_true(screen.scene.latest != first);
    }
    screen_press(&screen, "b 5 5 % Enter");
    assert_ptr_equal(screen.scene.shown->outcome, screen.scene.latest);
    assert_true(outcome_feasible(screen.scene.latest));
}

static void a_first_outcome_that_does_not_fit_is_told_without_a_plot(void **state) {
    (void)state;
    scene_free(&screen.scene);
    assert_int_equal(scene_init(&screen.scene, &screen.profile, NULL), SS_OK);
    state_init(&screen.state, &screen.state.settings, 80, 24);
    screen_draw(&screen);
    assert_true(screen_shows(&screen, "planning"));
    screen.state.settings.budget.share = 0.01;
    screen_plan(&screen);
    screen_draw(&screen);
    assert_null(screen.scene.shown);
    assert_true(screen_shows(&screen, "This plan does not fit."));
    assert_true(screen_shows(&screen, "The least budget that any plan can do with is 768 MiB: 31%."));
    screen_press(&screen, "h l , . j k g G Tab Tab Tab Tab w s a d 0 Space T e E [ ] ^ z z Enter / x Enter n");
    assert_true(screen_shows(&screen, "does not fit in"));
    screen_press(&screen, "b 5 0 % Enter");
    assert_non_null(screen.scene.shown);
    assert_true(screen_shows(&screen, "of ideal"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_hold_every_event_once_in_order),
        cmocka_unit_test(the_peak_of_a_stretch_is_its_largest_sample),
        cmocka_unit_test_setup_teardown(an_infeasible_outcome_leaves_the_last_feasible_one, open_small, shut),
        cmocka_unit_test_setup_teardown(a_first_outcome_that_does_not_fit_is_told_without_a_plot, open_small, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
