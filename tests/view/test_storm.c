/* Storms of random keys and a restless mouse on random profiles at random sizes: never an invalid state, never a cell that may not be
 * (screen_key and screen_draw check both), under any sanitizer. The seed is fixed: a failure comes again. */
#include "screen.h"

#include <string.h>

#include "keys.h"

#define PROFILES 60
#define KEYS 600

static void storm(struct screen *screen, struct random *random, int keys) {
    for (int i = 0; i < keys; i++) {
        if (random_chance(random, 4))
            screen_size(screen, 1 + (int)random_below(random, 220), 1 + (int)random_below(random, 80));
        if (random_chance(random, 5))
            state_tick(&screen->state, &screen->scene, random_below(random, 100000));
        if (random_chance(random, 2))
            screen->state.ascii = !screen->state.ascii;
        if (random_chance(random, 25))
            screen_mouse(screen, random_mouse(random));
        else
            screen_key(screen, random_key(random));
        if (random_chance(random, 30))
            screen_draw(screen);
    }
}

static void random_keys_never_break_a_random_profile(void **state) {
    (void)state;
    struct random random = { 2024 };
    for (int i = 0; i < PROFILES; i++) {
        struct screen screen;
        memset(&screen, 0, sizeof screen);
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 40), .whole_times = i % 2 == 0 };
        random_profile(&random, &shape, &screen.arena, &screen.profile);
        screen_open(&screen, 1 + (int)random_below(&random, 220), 1 + (int)random_below(&random, 80));
        storm(&screen, &random, KEYS);
        screen_close(&screen);
    }
}

static void random_keys_never_break_a_real_model(void **state) {
    (void)state;
    struct random random = { 7 };
    struct screen screen;
    memset(&screen, 0, sizeof screen);
    screen_profile_model(&screen, "bert-large");
    screen_open(&screen, 80, 24);
    storm(&screen, &random, 3 * KEYS);
    screen_close(&screen);
}

static void a_step_without_time_can_be_looked_at(void **state) {
    (void)state;
    struct random random = { 3 };
    struct screen screen;
    memset(&screen, 0, sizeof screen);
    struct op_spec spec = { .name = "nothing" };
    assert_int_equal(profile_begin(&screen.profile, &screen.arena, NULL), SS_OK);
    assert_int_equal(profile_add_op(&screen.profile, &spec, NULL, NULL), SS_OK);
    assert_int_equal(profile_finish(&screen.profile, NULL, NULL), SS_OK);
    screen_open(&screen, 80, 24);
    storm(&screen, &random, KEYS);
    screen_close(&screen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys_never_break_a_random_profile),
        cmocka_unit_test(random_keys_never_break_a_real_model),
        cmocka_unit_test(a_step_without_time_can_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
