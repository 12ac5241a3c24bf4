/* Prices: what they announce is what applying gives, to the last bit. */
#include "screen.h"

#include <string.h>

#include "keys.h"
#include "view/prices.h"

static const char *const KEY[ACTION_COUNT] = { "K", "O", "R" };

/* Applies each action to the selection of OF, compares with its price, and undoes it. Returns how many changed anything. */
static int check_prices(struct screen *of) {
    int applied = 0;
    screen_draw(of);
    const struct prices *shown = prices_shown(&of->state, &of->scene);
    if (!prices_apply(&of->state, &of->scene)) {
        assert_null(shown);
        return 0;
    }
    assert_non_null(shown);
    const struct prices prices = *shown;
    const struct sim_totals before = of->scene.shown->timeline->totals;
    for (int action = 0; action < ACTION_COUNT; action++) {
        const struct price *price = &prices.action[action];
        bool replans = screen_press(of, KEY[action]) & EFFECT_REPLAN;
        assert_int_equal(replans, price->changed > 0);
        if (!replans)
            continue;
        applied++;
        const struct sim_totals *after = &of->scene.latest->timeline.totals;
        assert_int_equal(price->feasible, outcome_feasible(of->scene.latest));
        assert_int_equal(price->required_bytes, after->required_bytes);
        if (price->feasible) {
            assert_true(!(price->step_us < after->step_us - before.step_us) &&
                        !(price->step_us > after->step_us - before.step_us));
            assert_true((int64_t)price->peak_bytes == (int64_t)after->peak_bytes - (int64_t)before.peak_bytes);
        }
        screen_press(of, "u");
    }
    return applied;
}

static void what_is_announced_is_what_comes(void **state) {
    (void)state;
    struct screen small;
    int applied = 0;
    screen_open_small(&small, 120, 40);
    static const char *const PLACES[] = { "j", "j", ".", "g", "jj", "v j", "Escape 2 Enter j", "j", "SSS v j" };
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        screen_press(&small, PLACES[i]);
        applied += check_prices(&small);
    }
    assert_in_range(applied, 10, 27);
    screen_close(&small);
}

static void it_holds_on_random_profiles(void **state) {
    (void)state;
    struct random random = { 17 };
    int applied = 0;
    for (int i = 0; i < 60; i++) {
        struct screen any;
        memset(&any, 0, sizeof any);
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 25) };
        random_profile(&random, &shape, &any.arena, &any.profile);
        screen_open(&any, 120, 40);
        screen_press(&any, "b 8 0 % Enter");
        for (int key = 0; key < 8; key++) {
            static const char *const MOVES[] = { "l", "j", "k", "2", "1", "v", ".", "G" };
            screen_press(&any, MOVES[random_below(&random, 8)]);
            applied += check_prices(&any);
        }
        screen_close(&any);
    }
    assert_true(applied > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_announced_is_what_comes),
        cmocka_unit_test(it_holds_on_random_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
