#include "formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MOST 64

struct parser {
    const char *text;
    size_t at, length;
    int depth;
    const struct formula_scope *scope;
    struct error *error;
    bool failed;
};

static const char *const MEASURE_NAME[] = {
    [MEASURE_NUMBER] = "a number", [MEASURE_TIME] = "a time", [MEASURE_BYTES] = "bytes",
    [MEASURE_SHARE] = "a share",   [MEASURE_RATE] = "a rate", [MEASURE_TRUTH] = "a truth",
};
static const struct formula_value NOTHING = { 0, MEASURE_NUMBER };

static struct formula_value parse_or(struct parser *parser);

/* ---- characters and words ---- */

static void skip_blanks(struct parser *parser) {
    while (parser->at < parser->length && strchr(" \t\n", parser->text[parser->at]))
        parser->at++;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static struct formula_value fail(struct parser *parser, const char *what, const char *found) {
    if (!parser->failed) {
        error_set(parser->error, SS_BAD_INPUT, "%s%s", what, found);
        if (parser->error)
            error_place(parser->error, "character %zu", parser->at + 1);
    }
    parser->failed = true;
    return NOTHING;
}

/* Takes SIGN, or the word that it is, when it comes next. */
static bool take(struct parser *parser, const char *sign) {
    size_t length = strlen(sign);
    skip_blanks(parser);
    if (parser->length - parser->at < length || memcmp(parser->text + parser->at, sign, length) != 0)
        return false;
    bool word = is_word(sign[0]);
    if (word && parser->at + length < parser->length && is_word(parser->text[parser->at + length]))
        return false;
    parser->at += length;
    return true;
}

/* ---- values ---- */

static const struct {
    const char *text;
    double factor;
    enum measure measure;
} UNITS[] = {
    { "GB/s", 1, MEASURE_RATE },           { "GiB", 1073741824.0, MEASURE_BYTES }, { "MiB", 1048576.0, MEASURE_BYTES },
    { "KiB", 1024.0, MEASURE_BYTES },      { "ms", 1e3, MEASURE_TIME },            { "us", 1, MEASURE_TIME },
    { "s", 1e6, MEASURE_TIME },            { "%", 0.01, MEASURE_SHARE },           { "B", 1, MEASURE_BYTES },
};

static struct formula_value parse_number(struct parser *parser) {
    struct formula_value value = NOTHING;
    double scale = 1;
    bool point = false;
    for (; parser->at < parser->length; parser->at++) {
        char c = parser->text[parser->at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            value.value = value.value * 10 + (c - '0');
            scale *= point ? 10 : 1;
        } else {
            break;
        }
    }
    value.value /= scale;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (take(parser, UNITS[i].text)) {
            value.value *= UNITS[i].factor;
            value.measure = UNITS[i].measure;
            break;
        }
    return value;
}

static struct formula_value parse_name(struct parser *parser) {
    size_t from = parser->at;
    const struct quantities *source = parser->scope->now;
    while (parser->at < parser->length && is_word(parser->text[parser->at]))
        parser->at++;
    const char *name = parser->text + from;
    size_t length = parser->at - from;
    if (length > 7 && memcmp(name, "before.", 7) == 0) {
        source = parser->scope->before;
        name += 7;
        length -= 7;
    }
    enum quantity_id id = quantity_find(name, length);
    if (id < QUANTITY_COUNT && source)
        return (struct formula_value){ source->of[id], QUANTITY_MEASURE[id] };
    char found[80];
    parser->at = from;
    snprintf(found, sizeof found, "'%.*s'", length < 60 ? (int)length : 60, name);
    return fail(parser, source ? "there is no quantity " : "there is nothing before to take this from: ", found);
}

static struct formula_value parse_value(struct parser *parser) {
    skip_blanks(parser);
    char c = parser->at < parser->length ? parser->text[parser->at] : '\0';
    if (parser->depth > DEPTH_MOST)
        return fail(parser, "too many levels", "");
    if (c >= '0' && c <= '9')
        return parse_number(parser);
    if (take(parser, "(")) {
        parser->depth++;
        struct formula_value value = parse_or(parser);
        parser->depth--;
        return take(parser, ")") || parser->failed ? value : fail(parser, "expected a closing parenthesis", "");
    }
    if (take(parser, "-")) {
        parser->depth++;
        struct formula_value value = parse_value(parser);
        parser->depth--;
        value.value = -value.value;
        return value.measure == MEASURE_TRUTH ? fail(parser, "a truth has no sign", "") : value;
    }
    if (is_word(c))
        return parse_name(parser);
    return fail(parser, "expected a quantity or a number", "");
}

/* ---- operators ---- */

static struct formula_value mismatch(struct parser *parser, struct formula_value a, struct formula_value b) {
    char what[96];
    snprintf(what, sizeof what, "%s and %s don't go together here", MEASURE_NAME[a.measure], MEASURE_NAME[b.measure]);
    return fail(parser, what, "");
}

static bool is_pure(struct formula_value value) {
    return value.measure == MEASURE_NUMBER || value.measure == MEASURE_SHARE;
}

static struct formula_value parse_product(struct parser *parser) {
    struct formula_value a = parse_value(parser);
    for (;;) {
        bool times = take(parser, "*");
        if (parser->failed || (!times && !take(parser, "/")))
            return a;
        struct formula_value b = parse_value(parser);
        if (parser->failed)
            return a;
        if (a.measure == MEASURE_TRUTH || b.measure == MEASURE_TRUTH || (times ? !is_pure(a) && !is_pure(b) : !is_pure(b) && a.measure != b.measure))
            return mismatch(parser, a, b);
        if (times)
            a = (struct formula_value){ a.value * b.value, is_pure(a) && (a.measure == MEASURE_NUMBER || !is_pure(b)) ? b.measure : a.measure };
        else
            a = (struct formula_value){ fabs(b.value) > 0 ? a.value / b.value : 0,
                                        a.measure == b.measure && a.measure != MEASURE_NUMBER ? MEASURE_SHARE : a.measure };
    }
}

static struct formula_value parse_sum(struct parser *parser) {
    struct formula_value a = parse_product(parser);
    for (;;) {
        bool plus = take(parser, "+");
        if (parser->failed || (!plus && !take(parser, "-")))
            return a;
        struct formula_value b = parse_product(parser);
        if (parser->failed)
            return a;
        if (a.measure != b.measure || a.measure == MEASURE_TRUTH)
            return mismatch(parser, a, b);
        a.value += plus ? b.value : -b.value;
    }
}

static struct formula_value truth(bool holds) {
    return (struct formula_value){ holds ? 1 : 0, MEASURE_TRUTH };
}

static struct formula_value parse_comparison(struct parser *parser) {
    static const char *const SIGNS[] = { "<=", ">=", "!=", "<", ">", "=" };
    struct formula_value a = parse_sum(parser);
    int sign = 0;
    while (sign < 6 && !take(parser, SIGNS[sign]))
        sign++;
    if (sign == 6 || parser->failed)
        return a;
    struct formula_value b = parse_sum(parser);
    if (parser->failed)
        return a;
    /* a bare 0 is nothing of anything */
    bool zero = (b.measure == MEASURE_NUMBER && !(fabs(b.value) > 0)) || (a.measure == MEASURE_NUMBER && !(fabs(a.value) > 0));
    if (a.measure != b.measure && !zero)
        return mismatch(parser, a, b);
    bool less = a.value < b.value, more = a.value > b.value;
    switch (sign) {
    case 0: return truth(!more);
    case 1: return truth(!less);
    case 2: return truth(less || more);
    case 3: return truth(less);
    case 4: return truth(more);
    default: return truth(!less && !more);
    }
}

static struct formula_value parse_not(struct parser *parser) {
    if (!take(parser, "not"))
        return parse_comparison(parser);
    if (++parser->depth > DEPTH_MOST)
        return fail(parser, "too many levels", "");
    struct formula_value value = parse_not(parser);
    parser->depth--;
    if (!parser->failed && value.measure != MEASURE_TRUTH)
        return fail(parser, "only a truth can be denied", "");
    return truth(!(value.value > 0));
}

static struct formula_value parse_and(struct parser *parser) {
    struct formula_value a = parse_not(parser);
    while (!parser->failed && take(parser, "and")) {
        struct formula_value b = parse_not(parser);
        if (!parser->failed && (a.measure != MEASURE_TRUTH || b.measure != MEASURE_TRUTH))
            return mismatch(parser, a, b);
        a = truth(a.value > 0 && b.value > 0);
    }
    return a;
}

static struct formula_value parse_or(struct parser *parser) {
    struct formula_value a = parse_and(parser);
    while (!parser->failed && take(parser, "or")) {
        struct formula_value b = parse_and(parser);
        if (!parser->failed && (a.measure != MEASURE_TRUTH || b.measure != MEASURE_TRUTH))
            return mismatch(parser, a, b);
        a = truth(a.value > 0 || b.value > 0);
    }
    return a;
}

enum ss_status formula_evaluate(const char *text, size_t length, const struct formula_scope *scope, struct formula_value *out,
                                struct error *error) {
    struct parser parser = { .text = text, .length = length, .scope = scope, .error = error };
    struct formula_value value = parse_or(&parser);
    skip_blanks(&parser);
    if (!parser.failed && parser.at < length)
        fail(&parser, "expected an operator or the end", "");
    if (parser.failed)
        return SS_BAD_INPUT;
    *out = value;
    return SS_OK;
}

enum ss_status formula_holds(const char *text, size_t length, const struct formula_scope *scope, bool *out, struct error *error) {
    struct formula_value value;
    enum ss_status status = formula_evaluate(text, length, scope, &value, error);
    if (status == SS_OK && value.measure != MEASURE_TRUTH)
        status = error_set(error, SS_BAD_INPUT, "expected a claim, which is true or not, found %s", MEASURE_NAME[value.measure]);
    if (status == SS_OK)
        *out = value.value > 0;
    return status;
}

char *formula_format(char text[UNIT_TEXT], struct formula_value value) {
    bool negative = value.value < 0;
    switch (value.measure) {
    case MEASURE_TIME: return negative ? format_time_change(text, value.value) : format_time(text, value.value);
    case MEASURE_BYTES: return negative ? format_bytes_change(text, value.value) : format_bytes(text, (uint64_t)value.value);
    case MEASURE_SHARE: return format_percent(text, value.value);
    case MEASURE_RATE: return format_rate(text, value.value);
    case MEASURE_TRUTH: snprintf(text, UNIT_TEXT, "%s", value.value > 0 ? "yes" : "no"); return text;
    default: snprintf(text, UNIT_TEXT, fabs(value.value - round(value.value)) < 1e-9 ? "%.0f" : "%.1f", value.value); return text;
    }
}
