/* Sizes, rates, times and shares as people write them, and as the program writes them back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/units.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void sizes_take_binary_and_decimal_units(void **state) {
    (void)state;
    static const struct { const char *text; uint64_t bytes; } cases[] = {
        { "0", 0 }, { "123", 123 }, { "1B", 1 }, { "1KiB", 1024 }, { "512MiB", 536870912 }, { "24GiB", 25769803776 },
        { "1kB", 1000 }, { "8MB", 8000000 }, { "8GB", 8000000000 }, { "24 GiB", 25769803776 }, { "24gib", 25769803776 },
        { "1.5GiB", 1610612736 }, { ".5KiB", 512 }, { "0.57GB", 570000000 }, { "1e9", 1000000000 },
        { "9007199254740991", 9007199254740991 },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        uint64_t bytes = 0;
        assert_int_equal(parse_bytes(cases[i].text, &bytes, NULL), SS_OK);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void what_is_no_size_is_refused_and_leaves_the_value_alone(void **state) {
    (void)state;
    static const char *const cases[] = {
        "", "GiB", "-1", "+1", "0x10", "inf", "nan", "1GiBs", "24 GiB ", "24  GiB", " 24", "24G", "1e", "1.2.3",
        "50%", "9007199254740992", "9e99GiB",
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        uint64_t bytes = 42;
        assert_int_equal(parse_bytes(cases[i], &bytes, NULL), SS_USAGE);
        assert_int_equal(bytes, 42);
    }
}

static void a_refusal_says_what_was_expected_and_what_was_found(void **state) {
    (void)state;
    struct error error = { 0 };
    uint64_t bytes;
    parse_bytes("24G", &bytes, &error);
    assert_string_equal(error.text, "expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, found '24G'");
    parse_count("0", 1, 1024, &bytes, &error);
    assert_string_equal(error.text, "expected a whole number from 1 to 1024, found '0'");
    parse_bytes("9e15GiB", &bytes, &error);
    assert_string_equal(error.text, "'9e15GiB' is too large");
}

static void rates_take_gb_per_s_and_are_above_zero(void **state) {
    (void)state;
    double rate = 0;
    assert_int_equal(parse_rate("22GB/s", &rate, NULL), SS_OK);
    assert_true(rate == 22);
    assert_int_equal(parse_rate("12.5 GB/s", &rate, NULL), SS_OK);
    assert_true(rate == 12.5);
    assert_int_equal(parse_rate("8", &rate, NULL), SS_OK);
    assert_true(rate == 8);
    static const char *const cases[] = { "0", "0GB/s", "-3", "1e-7", "2e6", "22GiB/s", "22 MB/s", "" };
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_int_equal(parse_rate(cases[i], &rate, NULL), SS_USAGE);
    assert_true(rate == 8);
}

static void times_take_us_ms_and_s(void **state) {
    (void)state;
    static const struct { const char *text; double us; } cases[] = {
        { "10", 10 }, { "10us", 10 }, { "10µs", 10 }, { "2.5ms", 2500 }, { "1s", 1e6 }, { "0", 0 }, { "0.5 s", 5e5 },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        double us = -1;
        assert_int_equal(parse_time(cases[i].text, &us, NULL), SS_OK);
        assert_true(us == cases[i].us);
    }
    double us = 7;
    assert_int_equal(parse_time("1min", &us, NULL), SS_USAGE);
    assert_int_equal(parse_time("1e13", &us, NULL), SS_USAGE);
    assert_true(us == 7);
}

static void shares_need_a_percent_sign_and_are_the_nearest_double(void **state) {
    (void)state;
    double share = 0;
    assert_int_equal(parse_share("50%", &share, NULL), SS_OK);
    assert_true(share == 0.5);
    assert_int_equal(parse_share("35%", &share, NULL), SS_OK);
    assert_true(share == 0.35);
    assert_int_equal(parse_share("0 %", &share, NULL), SS_OK);
    assert_true(share == 0);
    assert_int_equal(parse_share("0.5", &share, NULL), SS_USAGE);
    assert_int_equal(parse_share("1001%", &share, NULL), SS_USAGE);
}

static void counts_stay_in_their_range(void **state) {
    (void)state;
    uint64_t count = 0;
    assert_int_equal(parse_count("18446744073709551615", 0, UINT64_MAX, &count, NULL), SS_OK);
    assert_true(count == UINT64_MAX);
    static const char *const cases[] = { "18446744073709551616", "99999999999999999999999", "", "1.0", "-1", "7x" };
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_int_equal(parse_count(cases[i], 0, UINT64_MAX, &count, NULL), SS_USAGE);
    assert_int_equal(parse_count("1025", 1, 1024, &count, NULL), SS_USAGE);
    assert_int_equal(parse_count("1024", 1, 1024, &count, NULL), SS_OK);
    assert_int_equal(count, 1024);
}

static void values_are_written_with_three_to_four_digits(void **state) {
    (void)state;
    char text[UNIT_TEXT];
    static const struct { uint64_t bytes; const char *text; } sizes[] = {
        { 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.00 KiB" }, { 5787467776, "5.39 GiB" }, { 25769803776, "24.0 GiB" },
        { 1048575, "1.00 MiB" }, { 10485759, "10.0 MiB" }, { 536870912, "512 MiB" }, { UINT64_C(1) << 42, "4096 GiB" },
    };
    for (size_t i = 0; i < LENGTH(sizes); i++)
        assert_string_equal(format_bytes(text, sizes[i].bytes), sizes[i].text);
    static const struct { double us; const char *text; } times[] = {
        { 0, "0 us" }, { 0.5, "0.50 us" }, { 10, "10.00 us" }, { 999.96, "1.00 ms" }, { 412900, "412.9 ms" },
        { 57020, "57.02 ms" }, { 1234567, "1.23 s" }, { 1e12, "1000000 s" }, { INFINITY, "-" },
    };
    for (size_t i = 0; i < LENGTH(times); i++)
        assert_string_equal(format_time(text, times[i].us), times[i].text);
    static const struct { double rate; const char *text; } rates[] = {
        { 25, "25.0 GB/s" }, { 3.78, "3.78 GB/s" }, { 450, "450 GB/s" }, { 0.001, "0.001 GB/s" }, { NAN, "-" },
    };
    for (size_t i = 0; i < LENGTH(rates); i++)
        assert_string_equal(format_rate(text, rates[i].rate), rates[i].text);
    static const struct { double share; const char *text; } shares[] = {
        { 0.976, "97.6%" }, { 1, "100.0%" }, { 0.0003, "0.03%" }, { 0.09999, "10.0%" }, { INFINITY, "-" },
    };
    for (size_t i = 0; i < LENGTH(shares); i++)
        assert_string_equal(format_percent(text, shares[i].share), shares[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_take_binary_and_decimal_units),
        cmocka_unit_test(what_is_no_size_is_refused_and_leaves_the_value_alone),
        cmocka_unit_test(a_refusal_says_what_was_expected_and_what_was_found),
        cmocka_unit_test(rates_take_gb_per_s_and_are_above_zero),
        cmocka_unit_test(times_take_us_ms_and_s),
        cmocka_unit_test(shares_need_a_percent_sign_and_are_the_nearest_double),
        cmocka_unit_test(counts_stay_in_their_range),
        cmocka_unit_test(values_are_written_with_three_to_four_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
