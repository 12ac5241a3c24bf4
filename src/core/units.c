#include "units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"

struct unit {
    const char *name;
    double factor;
};

static const struct unit SIZE_UNITS[] = {
    { "", 1 },      { "B", 1 },      { "KiB", 1024 }, { "MiB", 1048576 }, { "GiB", 1073741824 },
    { "kB", 1e3 },  { "MB", 1e6 },   { "GB", 1e9 },   { NULL, 0 },
};
static const struct unit TIME_UNITS[] = {
    { "", 1 }, { "us", 1 }, { "µs", 1 }, { "ms", 1e3 }, { "s", 1e6 }, { NULL, 0 },
};
static const struct unit RATE_UNITS[] = { { "", 1 }, { "GB/s", 1 }, { NULL, 0 } };
static const struct unit SHARE_UNITS[] = { { "%", 1 }, { NULL, 0 } };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_digits(const char *at) {
    while (is_digit(*at))
        at++;
    return at;
}

/* Digits, a point, digits, an exponent: no sign, no hexadecimal, no "inf", which strtod would all take. */
static const char *number_end(const char *text) {
    const char *at = skip_digits(text);
    bool digits = at > text;
    if (*at == '.') {
        const char *fraction = at + 1;
        at = skip_digits(fraction);
        digits = digits || at > fraction;
    }
    if (!digits)
        return NULL;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1;
        if (*exponent == '+' || *exponent == '-')
            exponent++;
        if (is_digit(*exponent))
            at = skip_digits(exponent);
    }
    return at;
}

static bool same_letters(const char *a, const char *b) {
    while (*a && letter_lower(*a) == letter_lower(*b)) {
        a++;
        b++;
    }
    return letter_lower(*a) == letter_lower(*b);
}

static enum ss_status parse_quantity(const char *text, const struct unit *units, double high, const char *expected,
                                     double *out, struct error *error) {
    const char *end = number_end(text);
    const struct unit *unit = units;
    if (end) {
        const char *name = *end == ' ' ? end + 1 : end;
        while (unit->name && !same_letters(name, unit->name))
            unit++;
    }
    if (!end || !unit->name)
        return error_set(error, SS_USAGE, "expected %s, found '%s'", expected, text);
    double value = strtod(text, NULL) * unit->factor;
    if (!(value <= high))
        return error_set(error, SS_USAGE, "'%s' is too large", text);
    *out = value;
    return SS_OK;
}

enum ss_status parse_bytes(const char *text, uint64_t *out, struct error *error) {
    double value;
    enum ss_status status = parse_quantity(text, SIZE_UNITS, (double)BYTES_LIMIT - 1,
                                           "a size such as 24GiB, 512MiB, 8GB or a number of bytes", &value, error);
    if (status != SS_OK)
        return status;
    *out = (uint64_t)round(value); /* decimal fractions of a unit fall between bytes: 0.57 GB */
    return SS_OK;
}

enum ss_status parse_rate(const char *text, double *out_gb_per_s, struct error *error) {
    double value;
    enum ss_status status = parse_quantity(text, RATE_UNITS, 1e6, "a rate such as 25GB/s or 25", &value, error);
    if (status != SS_OK)
        return status;
    if (!(value >= 1e-6))
        return error_set(error, SS_USAGE, "expected a rate above 0, found '%s'", text);
    *out_gb_per_s = value;
    return SS_OK;
}

enum ss_status parse_time(const char *text, double *out_us, struct error *error) {
    return parse_quantity(text, TIME_UNITS, 1e12, "a time such as 10us, 2.5ms or 1s", out_us, error);
}

enum ss_status parse_share(const char *text, double *out, struct error *error) {
    double percent;
    enum ss_status status = parse_quantity(text, SHARE_UNITS, 1000, "a share such as 50%", &percent, error);
    if (status == SS_OK)
        *out = percent / 100; /* a division, for the double nearest to what was written */
    return status;
}

enum ss_status parse_count(const char *text, uint64_t low, uint64_t high, uint64_t *out, struct error *error) {
    uint64_t value = 0;
    bool fits = true;
    const char *at = text;
    for (; is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (at == text || *at || !fits || value < low || value > high) {
        if (high == UINT64_MAX)
            return error_set(error, SS_USAGE, "expected a whole number from %llu on, found '%s'",
                             (unsigned long long)low, text);
        return error_set(error, SS_USAGE, "expected a whole number from %llu to %llu, found '%s'",
                         (unsigned long long)low, (unsigned long long)high, text);
    }
    *out = value;
    return SS_OK;
}

/* Decimals that leave DIGITS significant digits, 0 to 2 of them. Judged after rounding: 9.996 is 10.0. */
static int decimals(double value, int digits) {
    double limit = pow(10, digits - 2);
    if (value < limit - 0.005)
        return 2;
    return value < limit * 10 - 0.05 ? 1 : 0;
}

static char *format_number(char text[UNIT_TEXT], double value, int digits, const char *unit) {
    snprintf(text, UNIT_TEXT, "%.*f%s", decimals(fabs(value), digits), value, unit);
    return text;
}

static char *format_unknown(char text[UNIT_TEXT]) {
    memcpy(text, "-", 2);
    return text;
}

char *format_bytes(char text[UNIT_TEXT], uint64_t bytes) {
    static const char *const names[] = { " KiB", " MiB", " GiB" };
    if (bytes < 1024) {
        snprintf(text, UNIT_TEXT, "%u B", (unsigned)bytes);
        return text;
    }
    double value = (double)bytes / 1024;
    int unit = 0;
    while (value >= 1023.5 && unit < 2) {
        value /= 1024;
        unit++;
    }
    return format_number(text, value, 3, names[unit]);
}

char *format_time(char text[UNIT_TEXT], double us) {
    if (!isfinite(us))
        return format_unknown(text);
    if (us == 0)
        return memcpy(text, "0 us", 5);
    if (fabs(us) < 999.95)
        return format_number(text, us, 4, " us");
    if (fabs(us) < 999.95e3)
        return format_number(text, us / 1e3, 4, " ms");
    return format_number(text, us / 1e6, 4, " s");
}

/* What FORMATTED says of a change's size, behind its sign. */
static char *format_change(char text[UNIT_TEXT], double change, const char *formatted) {
    snprintf(text, UNIT_TEXT, "%s%.*s", change > 0 ? "+" : "-", UNIT_TEXT - 2, formatted);
    return text;
}

char *format_bytes_change(char text[UNIT_TEXT], double bytes) {
    char size[UNIT_TEXT];
    if (!isfinite(bytes))
        return format_unknown(text);
    if (bytes == 0)
        return memcpy(text, "0", 2);
    return format_change(text, bytes, format_bytes(size, (uint64_t)fabs(bytes)));
}

char *format_time_change(char text[UNIT_TEXT], double us) {
    char size[UNIT_TEXT];
    if (!isfinite(us))
        return format_unknown(text);
    if (fabs(us) < 0.005) /* less than is shown of a microsecond: rounding of sums */
        return memcpy(text, "0", 2);
    return format_change(text, us, format_time(size, fabs(us)));
}

char *format_rate(char text[UNIT_TEXT], double gb_per_s) {
    if (!isfinite(gb_per_s))
        return format_unknown(text);
    if (gb_per_s < 0.01) {
        snprintf(text, UNIT_TEXT, "%.3g GB/s", gb_per_s);
        return text;
    }
    return format_number(text, gb_per_s, 3, " GB/s");
}

char *format_percent(char text[UNIT_TEXT], double share) {
    if (!isfinite(share))
        return format_unknown(text);
    double percent = share * 100;
    snprintf(text, UNIT_TEXT, "%.*f%%", fabs(percent) < 9.995 ? 2 : 1, percent);
    return text;
}

struct unit_text show_bytes(uint64_t bytes) {
    struct unit_text text;
    if (bytes == BYTES_UNLIMITED)
        strcpy(text.text, "no limit");
    else
        format_bytes(text.text, bytes);
    return text;
}

struct unit_text show_time(double us) {
    struct unit_text text;
    format_time(text.text, us);
    return text;
}

struct unit_text show_time_change(double us) {
    struct unit_text text;
    format_time_change(text.text, us);
    return text;
}

struct unit_text show_bytes_change(double bytes) {
    struct unit_text text;
    format_bytes_change(text.text, bytes);
    return text;
}

struct unit_text show_percent(double share) {
    struct unit_text text;
    format_percent(text.text, share);
    return text;
}

struct unit_text show_rate(double gb_per_s) {
    struct unit_text text;
    format_rate(text.text, gb_per_s);
    return text;
}
