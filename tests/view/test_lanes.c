/* What the lanes show when many events share a column: nothing that matters vanishes, and shares stay true. */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "view/layout.h"

static struct screen screen;

static int shut(void **state) {
    (void)state;
    screen_close(&screen);
    memset(&screen, 0, sizeof screen);
    return 0;
}

/* Columns of the plot on row Y that hold ROLE, as a bar or as a label on one. */
static int columns_of(int y, enum role role) {
    struct panes panes = panes_make(&screen.state, screen.profile.layer_count);
    int count = 0;
    for (int x = panes.plot_x; x < panes.plot_x + panes.plot_width; x++) {
        struct style style = grid_at(&screen.grid, x, y)->style;
        count += style.role == role || style.under == role;
    }
    return count;
}

static int engine_row(enum row_kind row) {
    return panes_make(&screen.state, screen.profile.layer_count).engines.y + (int)row;
}

static void stalls_recompute_and_transfers_are_seen_at_every_width(void **state) {
    (void)state;
    screen_profile_model(&screen, "gpt2-xl");
    screen_open(&screen, 80, 24);
    assert_true(screen.scene.shown->timeline->stall_count > 0);
    for (int width = 24; width <= 220; width += 7) {
        screen_size(&screen, width, 24);
        assert_true(columns_of(engine_row(ROW_COMPUTE), ROLE_STALL) > 0);
        assert_true(columns_of(engine_row(ROW_COMPUTE), ROLE_RECOMPUTE) > 0);
        assert_true(columns_of(engine_row(ROW_D2H), ROLE_D2H) > 0);
        assert_true(columns_of(engine_row(ROW_H2D), ROLE_H2D) > 0);
    }
}

static void a_lone_short_stall_has_a_column(void **state) {
    (void)state;
    screen_profile_model(&screen, "gpt2-xl");
    screen_open(&screen, 80, 24);
    /* nearly everything fits: one tensor leaves, and its return may wait a moment */
    for (int percent = 99; percent > 90; percent--) {
        screen.state.settings.budget.share = percent / 100.0;
        screen_plan(&screen);
        screen_draw(&screen);
        assert_int_equal(columns_of(engine_row(ROW_COMPUTE), ROLE_STALL) > 0,
                         screen.scene.shown->timeline->stall_count > 0);
    }
}

static void columns_are_shared_in_proportion_to_time(void **state) {
    (void)state;
    screen_profile_model(&screen, "bert-large");
    screen_open(&screen, 200, 60);
    screen_press(&screen, "p 9999 Enter b 60% Enter");
    const struct timeline *timeline = screen.scene.shown->timeline;
    int y = engine_row(ROW_COMPUTE);
    int forward = columns_of(y, ROLE_FORWARD), backward = columns_of(y, ROLE_BACKWARD);
    double share = screen.profile.forward_us / (screen.profile.forward_us + screen.profile.backward_us);
    assert_true(timeline->schedule.recompute_us > 0);
    assert_true(fabs((double)forward / (forward + backward) - share) < 0.05);
}

static void busy_lanes_leave_no_hole_and_idle_ones_are_empty(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    screen_press(&screen, "b 100% Enter");
    struct panes panes = panes_make(&screen.state, screen.profile.layer_count);
    assert_int_equal(columns_of(engine_row(ROW_COMPUTE), ROLE_FORWARD) +
                         columns_of(engine_row(ROW_COMPUTE), ROLE_RECOMPUTE) +
                         columns_of(engine_row(ROW_COMPUTE), ROLE_BACKWARD),
                     panes.plot_width);
    assert_int_equal(columns_of(engine_row(ROW_D2H), ROLE_D2H), 0);
}

static void an_open_layer_parts_its_engines(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    screen_press(&screen, "g Enter");
    int y = panes_make(&screen.state, screen.profile.layer_count).layers.y;
    assert_true(columns_of(y, ROLE_FORWARD) > 0 && columns_of(y, ROLE_D2H) > 0 && columns_of(y, ROLE_H2D) > 0);
    assert_true(columns_of(y + 1, ROLE_FORWARD) > 0 && columns_of(y + 1, ROLE_BACKWARD) > 0);
    assert_int_equal(columns_of(y + 1, ROLE_D2H), 0);
    assert_true(columns_of(y + 3, ROLE_D2H) > 0);
    assert_int_equal(columns_of(y + 3, ROLE_FORWARD), 0);
    assert_true(columns_of(y + 4, ROLE_H2D) > 0);
}

static int underlined(int y) {
    struct panes panes = panes_make(&screen.state, screen.profile.layer_count);
    int count = 0;
    for (int x = panes.plot_x; x < panes.plot_x + panes.plot_width; x++)
        count += (grid_at(&screen.grid, x, y)->style.attributes & CELL_UNDERLINE) != 0;
    return count;
}

/* A transfer's tensor goes out, comes back, and is needed: all three are underlined, and nothing where nothing belongs. */
static void what_belongs_to_the_selection_is_underlined(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    screen_press(&screen, "j . .");
    assert_int_equal(screen.state.selection.event.lane, LANE_D2H);
    assert_true(underlined(engine_row(ROW_H2D)) > 0);
    assert_true(underlined(engine_row(ROW_COMPUTE)) > 0);
    uint32_t layer = screen.profile.ops[screen.profile.tensors[screen.state.selection.tensor].producer].layer;
    int layers = panes_make(&screen.state, screen.profile.layer_count).layers.y;
    for (uint32_t i = 0; i < screen.profile.layer_count; i++) {
        bool around = i == layer || i + 1 == layer || i == layer + 1; /* who reads it, and what it waited for */
        assert_true(i == layer ? underlined(layers + (int)i) > 0 : around || underlined(layers + (int)i) == 0);
    }
}

/* Where the step's length is owed to a transfer the ruler says so, and nowhere else. */
static void transfers_on_the_critical_path_stand_on_the_ruler(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    int y = panes_make(&screen.state, screen.profile.layer_count).ruler.y;
    assert_true(screen.scene.shown->timeline->stall_count > 0);
    assert_true(columns_of(y, ROLE_D2H) + columns_of(y, ROLE_H2D) > 0);
    screen_press(&screen, "b 1 0 0 % Enter");
    assert_int_equal(screen.scene.shown->timeline->stall_count, 0);
    assert_int_equal(columns_of(y, ROLE_D2H) + columns_of(y, ROLE_H2D), 0);
}

/* The whole step stays in sight above the part that is looked at. */
static void the_minimap_shows_where_the_window_is(void **state) {
    (void)state;
    screen_open_small(&screen, 120, 40);
    int y = panes_make(&screen.state, screen.profile.layer_count).minimap.y;
    assert_null(strchr(screen_row(&screen, y), '['));
    assert_true(columns_of(y, ROLE_FORWARD) > 0 && columns_of(y, ROLE_BACKWARD) > 0);
    screen_press(&screen, "g www");
    const char *row = screen_row(&screen, y);
    assert_non_null(strchr(row, '['));
    assert_true(strchr(row, ']') > strchr(row, '['));
    assert_true(columns_of(y, ROLE_BACKWARD) > 0);
}

static bool is_whole_name(const char *at, size_t length) {
    static const char *const NAMES[] = { "compute", "comp", "busy", "head", "linear", "loss", "norm", "embed" };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strlen(NAMES[i]) == length && memcmp(NAMES[i], at, length) == 0)
            return true;
    return false;
}

static void a_name_on_a_lane_is_whole_wherever_the_selection_is(void **state) {
    uint32_t names = 0;
    (void)state;
    screen_profile_model(&screen, "gpt2");
    screen_open(&screen, 80, 24);
    screen_press(&screen, "b 100% Enter ^");
    for (int width = 60; width < 180; width++) {
        screen_size(&screen, width, 24);
        const char *at = screen_row(&screen, engine_row(ROW_COMPUTE));
        while (*at != '\0') {
            const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
            if (length > 0 && !is_whole_name(at, length))
                fail_msg("'%.*s' in %s", (int)length, at, screen_row(&screen, engine_row(ROW_COMPUTE)));
            names += length > 0;
            at += length > 0 ? length : 1;
        }
    }
    assert_true(names > 150); /* the lane's own each time, and some of layers */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(stalls_recompute_and_transfers_are_seen_at_every_width, shut),
        cmocka_unit_test_teardown(a_lone_short_stall_has_a_column, shut),
        cmocka_unit_test_teardown(columns_are_shared_in_proportion_to_time, shut),
        cmocka_unit_test_teardown(busy_lanes_leave_no_hole_and_idle_ones_are_empty, shut),
        cmocka_unit_test_teardown(an_open_layer_parts_its_engines, shut),
        cmocka_unit_test_teardown(what_belongs_to_the_selection_is_underlined, shut),
        cmocka_unit_test_teardown(a_name_on_a_lane_is_whole_wherever_the_selection_is, shut),
        cmocka_unit_test_teardown(the_minimap_shows_where_the_window_is, shut),
        cmocka_unit_test_teardown(transfers_on_the_critical_path_stand_on_the_ruler, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
