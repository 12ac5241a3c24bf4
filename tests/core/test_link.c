/* Link options, in the order of MODEL.md §4. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/link.h"

static const struct link BASE = { .name = "measured", .h2d_gb_per_s = 20, .d2h_gb_per_s = 10, .h2d_both_gb_per_s = 15,
                                  .d2h_both_gb_per_s = 8, .latency_us = 7 };
static struct link out;
static struct error error;

static void resolve(struct link_options options) {
    if (link_resolve(&BASE, &options, &out, &error) != SS_OK)
        fail_msg("%s", error.text);
}

static void assert_rates(double h2d, double d2h, double h2d_both, double d2h_both) {
    const double found[] = { out.h2d_gb_per_s, out.d2h_gb_per_s, out.h2d_both_gb_per_s, out.d2h_both_gb_per_s };
    const double wanted[] = { h2d, d2h, h2d_both, d2h_both };
    for (int i = 0; i < 4; i++)
        if (fabs(found[i] - wanted[i]) > 1e-12 * wanted[i])
            fail_msg("rate %d: %.17g <> %.17g", i, found[i], wanted[i]);
}

/* The options that are refused name themselves. */
static void assert_refused(struct link_options options, const char *option) {
    struct link untouched = out;
    assert_int_equal(link_resolve(&BASE, &options, &out, &error), SS_USAGE);
    if (!strstr(error.text, option))
        fail_msg("'%s' does not name %s", error.text, option);
    assert_memory_equal(&out, &untouched, sizeof out);
}

static struct link_options none(void) { return LINK_OPTIONS_NONE; }

static void without_options_the_link_stays(void **state) {
    (void)state;
    resolve(none());
    assert_memory_equal(&out, &BASE, sizeof out);
}

static void bandwidth_scales_all_four_rates(void **state) {
    (void)state;
    struct link_options options = none();
    options.bandwidth_gb_per_s = 40;
    resolve(options);
    assert_rates(40, 20, 30, 16);
    assert_true(out.h2d_gb_per_s == 40);
}

static void one_direction_takes_its_both_way_rate_along(void **state) {
    (void)state;
    struct link_options options = none();
    options.h2d_gb_per_s = 10;
    resolve(options);
    assert_rates(10, 10, 7.5, 8);
    options = none();
    options.d2h_gb_per_s = 20;
    resolve(options);
    assert_rates(20, 20, 15, 16);
}

static void the_order_is_bandwidth_directions_both_duplex_share(void **state) {
    (void)state;
    struct link_options options = { .bandwidth_gb_per_s = 40, .h2d_gb_per_s = 20, .d2h_gb_per_s = NAN,
                                    .h2d_both_gb_per_s = 19, .d2h_both_gb_per_s = NAN, .duplex = DUPLEX_AS_IS,
                                    .latency_us = 1, .share = 2 };
    resolve(options);
    assert_rates(10, 10, 9.5, 8);
    assert_true(out.latency_us == 1);
    options.duplex = DUPLEX_HALF;
    resolve(options);
    assert_rates(10, 10, 5, 5);
    options.duplex = DUPLEX_FULL;
    resolve(options);
    assert_rates(10, 10, 10, 10);
}

static void equal_rates_stay_equal_to_the_last_bit(void **state) {
    (void)state;
    for (int i = 1; i < 2000; i++) {
        struct link_options options = none();
        options.bandwidth_gb_per_s = 0.0137 * i;
        options.share = (uint32_t)(i % 7) + 1;
        assert_int_equal(link_resolve(&LINK_DEFAULT, &options, &out, &error), SS_OK);
        assert_true(out.h2d_both_gb_per_s == out.h2d_gb_per_s && out.d2h_both_gb_per_s == out.d2h_gb_per_s);
    }
}

static void a_both_way_rate_above_its_single_one_is_refused(void **state) {
    (void)state;
    struct link_options options = none();
    options.h2d_both_gb_per_s = 20.5;
    assert_refused(options, "--h2d-both");
    options = none();
    options.d2h_both_gb_per_s = 10.5;
    assert_refused(options, "--d2h-both");
}

static void what_is_no_rate_is_refused_by_name(void **state) {
    (void)state;
    static const double bad[] = { 0, -1, INFINITY, 1e-200 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct link_options options = none();
        options.bandwidth_gb_per_s = bad[i];
        assert_refused(options, "--bandwidth");
        options = none();
        options.h2d_gb_per_s = bad[i];
        assert_refused(options, "--h2d");
        options = none();
        options.d2h_gb_per_s = bad[i];
        assert_refused(options, "--d2h");
        options = none();
        options.h2d_both_gb_per_s = bad[i];
        assert_refused(options, "--h2d-both");
        options = none();
        options.d2h_both_gb_per_s = bad[i];
        assert_refused(options, "--d2h-both");
    }
}

static void latency_and_share_have_their_ranges(void **state) {
    (void)state;
    struct link_options options = none();
    options.latency_us = -1;
    assert_refused(options, "--latency");
    options.latency_us = INFINITY;
    assert_refused(options, "--latency");
    options = none();
    options.share = 0;
    assert_refused(options, "--share");
    options.share = LINK_SHARE_MOST + 1;
    assert_refused(options, "--share");
    options.share = LINK_SHARE_MOST;
    resolve(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_the_link_stays),
        cmocka_unit_test(bandwidth_scales_all_four_rates),
        cmocka_unit_test(one_direction_takes_its_both_way_rate_along),
        cmocka_unit_test(the_order_is_bandwidth_directions_both_duplex_share),
        cmocka_unit_test(equal_rates_stay_equal_to_the_last_bit),
        cmocka_unit_test(a_both_way_rate_above_its_single_one_is_refused),
        cmocka_unit_test(what_is_no_rate_is_refused_by_name),
        cmocka_unit_test(latency_and_share_have_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
