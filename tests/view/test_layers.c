/* The view Layers: lines, sorting, figures, and that it looks at what the Timeline looks at. */
#include "screen.h"

#include <string.h>

#include "keys.h"
#include "view/layers_lines.h"
#include "view/move.h"

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

static void check_lines(struct screen *of) {
    uint32_t count = layers_line_count(&of->state, &of->scene);
    for (uint32_t n = 0; n < count; n++) {
        struct layers_line line = layers_line_at(&of->state, &of->scene, n);
        assert_int_equal(layers_line_number(&of->state, &of->scene, line), n);
    }
}

static void every_line_has_one_place(void **state) {
    (void)state;
    screen_press(&screen, "2 g Enter jjj");
    assert_int_equal(layers_line_count(&screen.state, &screen.scene), 6 + 3 + 4);
    check_lines(&screen);
    screen_press(&screen, "G Enter");
    for (int sort = 0; sort < COLUMN_COUNT; sort++) {
        screen_press(&screen, "S");
        check_lines(&screen);
    }
}

static void lines_are_found_again_at_random(void **state) {
    (void)state;
    struct random random = { 5 };
    for (int i = 0; i < 20; i++) {
        struct screen any;
        memset(&any, 0, sizeof any);
        struct random_shape shape = { .most_ops = 1 + random_below(&random, 40) };
        random_profile(&random, &shape, &any.arena, &any.profile);
        screen_open(&any, 100, 30);
        screen_press(&any, "b 1 0 0 % Enter 2");
        for (int key = 0; key < 60; key++) {
            static const char *const KEYS[] = { "j", "k", "Enter", "S", "G", "g" };
            screen_press(&any, KEYS[random_below(&random, 6)]);
            check_lines(&any);
        }
        screen_close(&any);
    }
}

static double value(enum layer_column column, uint32_t place) {
    const struct layer_figures *figures = &screen.scene.shown->figures;
    const struct figures *layer = &figures->layer[figures->order[column][place]];
    return column == COLUMN_RECOMPUTE ? layer->recompute_us
           : column == COLUMN_STALL   ? layer->stall_us
           : column == COLUMN_PRICE   ? layer->price_us
                                      : (double)layer->bytes[ACTION_KEEP];
}

static void a_column_puts_the_largest_first(void **state) {
    (void)state;
    static const enum layer_column COLUMNS[] = { COLUMN_MIX, COLUMN_RECOMPUTE, COLUMN_STALL, COLUMN_PRICE };
    for (int i = 0; i < 4; i++) {
        for (uint32_t place = 1; place < 6; place++)
            assert_true(value(COLUMNS[i], place) <= value(COLUMNS[i], place - 1));
        assert_true(value(COLUMNS[i], 5) < value(COLUMNS[i], 0));
    }
}

static void the_figures_sum_up_to_the_totals(void **state) {
    (void)state;
    const struct timeline *timeline = screen.scene.shown->timeline;
    struct plan_mix mix = plan_mix(&screen.profile, &timeline->plan);
    struct figures sum = { .price_us = 0 };
    for (uint32_t layer = 0; layer < 6; layer++) {
        const struct figures *figures = &screen.scene.shown->figures.layer[layer];
        for (int action = 0; action < ACTION_COUNT; action++) {
            sum.bytes[action] += figures->bytes[action];
            sum.count[action] += figures->count[action];
        }
        sum.recompute_us += figures->recompute_us;
        sum.stall_us += figures->stall_us;
        sum.price_us += figures->price_us;
        sum.d2h_us += figures->d2h_us;
    }
    assert_memory_equal(sum.bytes, mix.bytes, sizeof sum.bytes);
    assert_memory_equal(sum.count, mix.count, sizeof sum.count);
    assert_true(timeline->totals.stall_us > 0 && timeline->totals.recompute_us > 0);
    assert_true(sum.recompute_us > timeline->totals.recompute_us - 1e-6 &&
                sum.recompute_us < timeline->totals.recompute_us + 1e-6);
    assert_true(sum.stall_us > timeline->totals.stall_us - 1e-6 && sum.stall_us < timeline->totals.stall_us + 1e-6);
    /* the price shares the same time out by who causes it */
    double lost = sum.recompute_us + sum.stall_us;
    assert_true(sum.price_us > lost - 1e-6 && sum.price_us < lost + 1e-6);
    assert_true(sum.d2h_us > timeline->lane_busy_us[LANE_D2H] - 1e-6);
}

static void both_views_look_at_the_same(void **state) {
    (void)state;
    screen_press(&screen, "g jj 2");
    assert_int_equal(screen.state.layers.line.layer, 2);
    screen_press(&screen, "j 1");
    assert_int_equal(screen.state.row.layer, 3);
    screen_press(&screen, "2 Enter jj");
    uint32_t tensor = screen.state.layers.line.tensor;
    assert_string_equal(screen.profile.tensors[tensor].name, "L3.fc");
    screen_press(&screen, "1");
    assert_int_equal(event_layer(screen.scene.shown->timeline, screen.state.selection.event), 3);
    screen_press(&screen, "2");
    assert_int_equal(screen.state.layers.line.tensor, tensor);
}

static void find_goes_to_the_line(void **state) {
    (void)state;
    screen_press(&screen, "2 / L 4 Enter");
    assert_int_equal(screen.state.layers.line.layer, 4);
    screen_press(&screen, "Enter / L 4 . g e l u Enter");
    assert_int_equal(screen.state.layers.line.layer, 4);
    assert_string_equal(screen.profile.ops[screen.state.layers.line.op].name, "L4.gelu");
}

static void the_tensor_of_a_line_is_edited(void **state) {
    (void)state;
    screen_press(&screen, "b 1 0 0 % Enter 2 g Enter jj O");
    uint32_t fc = profile_find_tensor(&screen.profile, "L0.fc");
    const struct plan *plan = screen.state.plan;
    assert_non_null(plan);
    for (uint32_t tensor = 0; tensor < screen.profile.tensor_count; tensor++)
        assert_int_equal(plan->action[tensor] == ACTION_OFFLOAD, tensor == fc);
}

static void a_range_follows_the_order_on_the_screen(void **state) {
    (void)state;
    screen_press(&screen, "2 SSSSSSS");
    assert_int_equal(screen.state.layers.sort, COLUMN_PRICE);
    uint32_t dearest = screen.scene.shown->figures.order[COLUMN_PRICE][0];
    uint32_t second = screen.scene.shown->figures.order[COLUMN_PRICE][1];
    screen_press(&screen, "g v j");
    struct target range = state_target(&screen.state, &screen.scene);
    for (uint32_t i = 0; i < screen.profile.managed_count; i++) {
        uint32_t tensor = screen.profile.managed[i];
        uint32_t layer = screen.profile.ops[screen.profile.tensors[tensor].producer].layer;
        assert_int_equal(target_has(&screen.profile, range, tensor), layer == dearest || layer == second);
    }
}

static void a_click_selects_a_line_and_sorts_by_a_heading(void **state) {
    (void)state;
    screen_press(&screen, "2 g");
    struct mouse press = { .kind = MOUSE_PRESS, .button = BUTTON_LEFT, .x = 5, .y = 3 + 1 + 2 };
    screen_mouse(&screen, press);
    assert_int_equal(screen.state.layers.line.layer, 2);
    screen_draw(&screen);
    for (press.y = 3, press.x = 0; press.x < 120 && screen.state.layers.sort != COLUMN_STALL; press.x++) {
        screen_mouse(&screen, press);
        screen_draw(&screen);
    }
    assert_int_equal(screen.state.layers.sort, COLUMN_STALL);
}

int main(void) {
#define WITH_SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, shut)
    const struct CMUnitTest tests[] = {
        WITH_SMALL(every_line_has_one_place),
        cmocka_unit_test(lines_are_found_again_at_random),
        WITH_SMALL(a_column_puts_the_largest_first),
        WITH_SMALL(the_figures_sum_up_to_the_totals),
        WITH_SMALL(both_views_look_at_the_same),
        WITH_SMALL(find_goes_to_the_line),
        WITH_SMALL(the_tensor_of_a_line_is_edited),
        WITH_SMALL(a_range_follows_the_order_on_the_screen),
        WITH_SMALL(a_click_selects_a_line_and_sorts_by_a_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
