/* Knobs: typed values, turns by notches, and how they show. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/knobs.h"
#include "core/units.h"

#define GIB (UINT64_C(1) << 30)

static struct profile profile;
static struct limits limits;
static struct settings settings;

static int fresh(void **state) {
    (void)state;
    profile = (struct profile){ .link = { .name = "test", .h2d_gb_per_s = 20, .d2h_gb_per_s = 16,
                                          .h2d_both_gb_per_s = 15, .d2h_both_gb_per_s = 12, .latency_us = 10 },
                                .device_memory_bytes = 80 * GIB };
    limits = (struct limits){ .unlimited_peak_bytes = 16 * GIB };
    settings = settings_default();
    return 0;
}

static void assert_shows(enum knob_id knob, const char *expected) {
    char text[UNIT_TEXT];
    assert_string_equal(knob_format(knob, &profile, &settings, text), expected);
}

static void type(enum knob_id knob, const char *text) {
    struct error error = { 0 };
    if (knob_parse(knob, text, &profile, &settings, &error) != SS_OK)
        fail_msg("'%s' was refused: %s", text, error.text);
}

static void refuses(enum knob_id knob, const char *text, const char *message) {
    struct settings before = settings;
    struct error error = { 0 };
    assert_int_equal(knob_parse(knob, text, &profile, &settings, &error), SS_USAGE);
    assert_string_equal(error.text, message);
    assert_memory_equal(&before, &settings, sizeof before);
}

static bool turn(enum knob_id knob, int steps) { return knob_turn(knob, steps, &profile, &limits, &settings); }

static struct link resolved(void) {
    struct link link;
    assert_int_equal(link_resolve(&profile.link, &settings.link, &link, NULL), SS_OK);
    return link;
}

static void every_knob_has_a_name_a_label_a_unit_and_help(void **state) {
    (void)state;
    for (int i = 0; i < KNOB_COUNT; i++) {
        assert_non_null(KNOBS[i].name);
        assert_true(strlen(KNOBS[i].label) > 0 && strlen(KNOBS[i].unit) > 0 && strlen(KNOBS[i].help) > 0);
        assert_true(KNOBS[i].effects != 0);
    }
}

static void the_settings_start_at_half_the_unlimited_peak_on_the_profiles_link(void **state) {
    (void)state;
    assert_non_null(settings.planner);
    assert_string_equal(settings.planner->name, PLANNER_DEFAULT);
    assert_shows(KNOB_BUDGET, "50%");
    assert_shows(KNOB_BANDWIDTH, "20.0 GB/s");
    assert_shows(KNOB_LATENCY, "10 us");
    assert_shows(KNOB_DUPLEX, "as-is");
    assert_shows(KNOB_SHARE, "1");
    assert_shows(KNOB_HOST_MEMORY, "none");
}

static void a_budget_is_typed_as_a_share_or_as_bytes(void **state) {
    (void)state;
    type(KNOB_BUDGET, "62.5%");
    assert_int_equal(settings.budget.kind, BUDGET_SHARE);
    assert_shows(KNOB_BUDGET, "62.5%");
    type(KNOB_BUDGET, "6GiB");
    assert_int_equal(settings.budget.kind, BUDGET_BYTES);
    assert_shows(KNOB_BUDGET, "6.00 GiB");
    refuses(KNOB_BUDGET, "0%", "expected a budget above 0%, found '0%'");
    refuses(KNOB_BUDGET, "much", "expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, found 'much'");
}

static void bytes_typed_where_a_whole_gpu_was_given_mean_a_whole_gpu(void **state) {
    (void)state;
    settings.budget = (struct budget_choice){ .kind = BUDGET_GPU_MEMORY, .bytes = 80 * GIB, .headroom_share = 0.05 };
    type(KNOB_BUDGET, "40GiB");
    assert_int_equal(settings.budget.kind, BUDGET_GPU_MEMORY);
    assert_true(settings.budget.bytes == 40 * GIB && settings.budget.headroom_share == 0.05);
    type(KNOB_BUDGET, "40%");
    assert_int_equal(settings.budget.kind, BUDGET_SHARE);
}

static void headroom_counts_only_beside_a_whole_gpu(void **state) {
    (void)state;
    assert_false(knob_applies(KNOB_HEADROOM, &settings));
    refuses(KNOB_HEADROOM, "5%", "headroom needs the GPU's memory to be given (--gpu-memory)");
    assert_false(turn(KNOB_HEADROOM, 1));
    settings.budget = (struct budget_choice){ .kind = BUDGET_GPU_MEMORY, .bytes = 80 * GIB };
    type(KNOB_HEADROOM, "5%");
    assert_shows(KNOB_HEADROOM, "5%");
    assert_true(turn(KNOB_HEADROOM, -9));
    assert_shows(KNOB_HEADROOM, "0%");
    type(KNOB_HEADROOM, "2GiB");
    assert_shows(KNOB_HEADROOM, "2.00 GiB");
    refuses(KNOB_HEADROOM, "96%", "expected a headroom of at most 95%, found '96%'");
}

static void the_budget_turns_by_one_percent_and_rests_on_whole_ones(void **state) {
    (void)state;
    assert_true(turn(KNOB_BUDGET, 1));
    assert_shows(KNOB_BUDGET, "51%");
    type(KNOB_BUDGET, "35.5%");
    assert_true(turn(KNOB_BUDGET, -1));
    assert_shows(KNOB_BUDGET, "35%");
    assert_true(settings.budget.share == 0.35);
    for (int i = 0; i < 65; i++)
        assert_true(turn(KNOB_BUDGET, 1));
    assert_true(settings.budget.share == 1);
    assert_false(turn(KNOB_BUDGET, 1));
    assert_true(turn(KNOB_BUDGET, -1000));
    assert_shows(KNOB_BUDGET, "1%");
}

static void a_budget_typed_beyond_the_range_may_only_be_turned_back(void **state) {
    (void)state;
    type(KNOB_BUDGET, "150%");
    assert_false(turn(KNOB_BUDGET, 1));
    assert_shows(KNOB_BUDGET, "150%");
    assert_true(turn(KNOB_BUDGET, -1));
    assert_shows(KNOB_BUDGET, "149%");
}

static void a_budget_in_bytes_turns_by_a_64th_of_the_peak_and_back(void **state) {
    (void)state;
    type(KNOB_BUDGET, "6GiB");
    assert_true(turn(KNOB_BUDGET, 3));
    assert_int_equal(settings.budget.bytes, 6 * GIB + 3 * GIB / 4);
    assert_true(turn(KNOB_BUDGET, -3));
    assert_int_equal(settings.budget.bytes, 6 * GIB);
    assert_true(turn(KNOB_BUDGET, 1000));
    assert_int_equal(settings.budget.bytes, 16 * GIB + GIB / 4);
    assert_true(turn(KNOB_BUDGET, -1000));
    assert_int_equal(settings.budget.bytes, GIB / 4);
}

static void the_bandwidth_turns_by_notches_that_widen(void **state) {
    (void)state;
    assert_true(turn(KNOB_BANDWIDTH, 1));
    assert_shows(KNOB_BANDWIDTH, "21.0 GB/s");
    type(KNOB_BANDWIDTH, "16GB/s");
    assert_true(turn(KNOB_BANDWIDTH, -1));
    assert_shows(KNOB_BANDWIDTH, "15.5 GB/s");
    assert_true(turn(KNOB_BANDWIDTH, 2));
    assert_shows(KNOB_BANDWIDTH, "17.0 GB/s");
    type(KNOB_BANDWIDTH, "64");
    assert_true(turn(KNOB_BANDWIDTH, 1));
    assert_shows(KNOB_BANDWIDTH, "68.0 GB/s");
    assert_true(turn(KNOB_BANDWIDTH, -1000));
    assert_shows(KNOB_BANDWIDTH, "0.50 GB/s");
    assert_false(turn(KNOB_BANDWIDTH, -1));
}

static void all_four_rates_keep_their_ratio_to_the_bandwidth(void **state) {
    (void)state;
    type(KNOB_BANDWIDTH, "10");
    struct link link = resolved();
    assert_true(link.h2d_gb_per_s == 10 && link.d2h_gb_per_s == 8);
    assert_true(link.h2d_both_gb_per_s == 7.5 && link.d2h_both_gb_per_s == 6);
}

static void rates_given_one_by_one_turn_along_with_the_bandwidth(void **state) {
    (void)state;
    settings.link.h2d_gb_per_s = 30;
    settings.link.d2h_gb_per_s = 30;
    settings.link.h2d_both_gb_per_s = 30;
    assert_shows(KNOB_BANDWIDTH, "30.0 GB/s");
    type(KNOB_BANDWIDTH, "11");
    struct link link = resolved();
    assert_true(link.h2d_gb_per_s == 11);
    assert_true(fabs(link.d2h_gb_per_s - 11) < 1e-12 && fabs(link.h2d_both_gb_per_s - 11) < 1e-12);
    assert_true(fabs(link.d2h_both_gb_per_s - 11 * 12.0 / 16) < 1e-12);
    for (int i = 0; i < 500; i++)
        turn(KNOB_BANDWIDTH, i % 7 ? 1 : -5);
    resolved();
}

static void the_bandwidth_shown_is_that_before_sharing(void **state) {
    (void)state;
    type(KNOB_SHARE, "4");
    assert_shows(KNOB_BANDWIDTH, "20.0 GB/s");
    assert_true(turn(KNOB_BANDWIDTH, 1));
    assert_true(fabs(resolved().h2d_gb_per_s - 21.0 / 4) < 1e-12);
    refuses(KNOB_SHARE, "0", "expected a whole number from 1 to 1024, found '0'");
    assert_true(turn(KNOB_SHARE, -3));
    assert_shows(KNOB_SHARE, "1");
    assert_false(turn(KNOB_SHARE, -1));
}

static void a_value_that_contradicts_the_link_is_refused(void **state) {
    (void)state;
    settings.link.h2d_both_gb_per_s = 25; /* above the single rate of 20 */
    struct settings before = settings;
    assert_int_equal(knob_parse(KNOB_LATENCY, "5us", &profile, &settings, NULL), SS_USAGE);
    assert_memory_equal(&before, &settings, sizeof before);
}

static void duplex_turns_from_half_over_the_profiles_rates_to_full(void **state) {
    (void)state;
    assert_true(turn(KNOB_DUPLEX, 1));
    assert_shows(KNOB_DUPLEX, "full");
    assert_false(turn(KNOB_DUPLEX, 1));
    assert_true(turn(KNOB_DUPLEX, -1));
    assert_shows(KNOB_DUPLEX, "as-is");
    assert_true(turn(KNOB_DUPLEX, -1));
    assert_shows(KNOB_DUPLEX, "half");
    refuses(KNOB_DUPLEX, "double", "expected full, half or as-is, found 'double'");
}

static void duplex_passes_over_a_notch_that_changes_nothing(void **state) {
    (void)state;
    profile.link.h2d_both_gb_per_s = 20;
    profile.link.d2h_both_gb_per_s = 16;
    assert_shows(KNOB_DUPLEX, "full");
    assert_false(turn(KNOB_DUPLEX, 1));
    assert_true(turn(KNOB_DUPLEX, -1));
    assert_shows(KNOB_DUPLEX, "half");
    assert_true(turn(KNOB_DUPLEX, 1));
    assert_shows(KNOB_DUPLEX, "full");
}

static void latency_turns_down_to_nothing(void **state) {
    (void)state;
    assert_true(turn(KNOB_LATENCY, -10));
    assert_shows(KNOB_LATENCY, "0 us");
    assert_false(turn(KNOB_LATENCY, -1));
    type(KNOB_LATENCY, "95us");
    assert_true(turn(KNOB_LATENCY, 2));
    assert_shows(KNOB_LATENCY, "125 us");
}

static void host_memory_turned_above_the_unlimited_peak_is_no_limit(void **state) {
    (void)state;
    assert_false(turn(KNOB_HOST_MEMORY, 1));
    assert_true(turn(KNOB_HOST_MEMORY, -1));
    assert_shows(KNOB_HOST_MEMORY, "16.0 GiB");
    assert_true(turn(KNOB_HOST_MEMORY, 1));
    assert_shows(KNOB_HOST_MEMORY, "none");
    type(KNOB_HOST_MEMORY, "2GiB");
    assert_shows(KNOB_HOST_MEMORY, "2.00 GiB");
    type(KNOB_HOST_MEMORY, "none");
    assert_true(settings.host_memory_bytes == BYTES_UNLIMITED);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    const struct CMUnitTest tests[] = {
        TEST(every_knob_has_a_name_a_label_a_unit_and_help),
        TEST(the_settings_start_at_half_the_unlimited_peak_on_the_profiles_link),
        TEST(a_budget_is_typed_as_a_share_or_as_bytes),
        TEST(bytes_typed_where_a_whole_gpu_was_given_mean_a_whole_gpu),
        TEST(headroom_counts_only_beside_a_whole_gpu),
        TEST(the_budget_turns_by_one_percent_and_rests_on_whole_ones),
        TEST(a_budget_typed_beyond_the_range_may_only_be_turned_back),
        TEST(a_budget_in_bytes_turns_by_a_64th_of_the_peak_and_back),
        TEST(the_bandwidth_turns_by_notches_that_widen),
        TEST(all_four_rates_keep_their_ratio_to_the_bandwidth),
        TEST(rates_given_one_by_one_turn_along_with_the_bandwidth),
        TEST(the_bandwidth_shown_is_that_before_sharing),
        TEST(a_value_that_contradicts_the_link_is_refused),
        TEST(duplex_turns_from_half_over_the_profiles_rates_to_full),
        TEST(duplex_passes_over_a_notch_that_changes_nothing),
        TEST(latency_turns_down_to_nothing),
        TEST(host_memory_turned_above_the_unlimited_peak_is_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
