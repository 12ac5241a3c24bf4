#include "formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glob.h"

#define DEPTH_MOST 64
#define NAME_MOST 120 /* bytes of a tensor's name or a pattern */
#define MIB 1048576.0

const struct formula_function_entry FORMULA_FUNCTION_TABLE[FUNCTION_COUNT] = {
#define TAKES_ANY true
#define TAKES_ONE false
#define X(name, takes, measure, help) [FUNCTION_##name] = { #name, help, TAKES_##takes, MEASURE_##measure },
    FORMULA_FUNCTIONS(X)
#undef X
};

struct parser {
    const char *text;
    size_t at, length;
    int depth;
    bool bare_zero; /* the value read last is a 0 without a unit: nothing of anything */
    const struct formula_scope *scope;
    struct error *error;
    enum ss_status status;
};

/* A measure is a power of time times a power of bytes, in us and bytes once it is multiplied by FACTOR. */
static const struct {
    const char *name;
    int time, bytes;
    double factor;
} MEASURES[MEASURE_COUNT] = {
    [MEASURE_NUMBER] = { "a number", 0, 0, 1 }, [MEASURE_SHARE] = { "a share", 0, 0, 1 },
    [MEASURE_TIME] = { "a time", 1, 0, 1 },     [MEASURE_BYTES] = { "bytes", 0, 1, 1 },
    [MEASURE_RATE] = { "a rate", -1, 1, 1e3 },  [MEASURE_COST] = { "a cost per byte", 1, -1, 1 },
    [MEASURE_TRUTH] = { "a truth", 0, 0, 1 },
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

static bool failed(const struct parser *parser) { return parser->status != SS_OK; }

/* Ends the reading: WHAT, with the LENGTH bytes at FOUND in it where it has a %. */
static struct formula_value fail(struct parser *parser, const char *what, const char *found, size_t length) {
    if (failed(parser))
        return NOTHING;
    const char *gap = strstr(what, "%s");
    const int before = gap ? (int)(gap - what) : (int)strlen(what), shown = length < 60 ? (int)length : 60;
    parser->status = error_set(parser->error, SS_BAD_INPUT, "%.*s%.*s%s", before, what, shown, found, gap ? gap + 2 : "");
    error_place(parser->error, "character %zu", parser->at + 1);
    return NOTHING;
}

static struct formula_value expected(struct parser *parser, const char *what) { return fail(parser, what, "", 0); }

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

/* ---- numbers ---- */

static const struct {
    const char *text;
    double factor;
    enum measure measure;
} UNITS[] = {
    { "GB/s", 1, MEASURE_RATE },           { "GiB", 1073741824.0, MEASURE_BYTES }, { "MiB", MIB, MEASURE_BYTES },
    { "KiB", 1024.0, MEASURE_BYTES },      { "GB", 1e9, MEASURE_BYTES },           { "MB", 1e6, MEASURE_BYTES },
    { "kB", 1e3, MEASURE_BYTES },          { "ms", 1e3, MEASURE_TIME },            { "us", 1, MEASURE_TIME },
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
    if (!isfinite(value.value))
        return expected(parser, "expected a number that is not too long");
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (take(parser, UNITS[i].text)) {
            value.value *= UNITS[i].factor;
            value.measure = UNITS[i].measure;
            return value;
        }
    parser->bare_zero = !(value.value > 0);
    return value;
}

/* ---- functions of tensors ---- */

/* Adds the time of the ops that must run to make TENSOR again while everything managed is at hand (MODEL.md §3, ensure):
 * its producer, and those of what that one reads and nobody keeps. SEEN and STACK have an entry an op. */
static double closure_us(const struct profile *profile, uint32_t tensor, bool *seen, uint32_t *stack) {
    double us = 0;
    uint32_t waiting = 0;
    stack[waiting++] = profile->tensors[tensor].producer;
    seen[stack[0]] = true;
    while (waiting > 0) {
        const struct op *op = &profile->ops[stack[--waiting]];
        us += op->recomputable ? op->recompute_us : NAN;
        for (uint32_t i = 0; i < op->inputs.count; i++) {
            const struct tensor *input = &profile->tensors[profile->index[op->inputs.at + i]];
            if (input->managed || input->producer == NONE || seen[input->producer])
                continue;
            seen[input->producer] = true;
            stack[waiting++] = input->producer;
        }
    }
    return us;
}

static double rerun_us(struct parser *parser, uint32_t tensor) {
    const struct profile *profile = parser->scope->profile;
    struct arena scratch = { 0 };
    double us = NAN;
    if (profile->tensors[tensor].producer == NONE)
        return us;
    bool *seen = ARENA_ARRAY(&scratch, bool, profile->op_count);
    uint32_t *stack = ARENA_ARRAY(&scratch, uint32_t, profile->op_count);
    if (seen && stack)
        us = closure_us(profile, tensor, seen, stack);
    else
        parser->status = error_no_memory(parser->error);
    arena_free(&scratch);
    return us;
}

static double transfer_us(const struct profile *profile, uint32_t tensor, const struct snapshot *source) {
    if (!source)
        return NAN;
    const double *of = source->quantities.of;
    const double rate = fmin(of[QUANTITY_h2d_gb_per_s], of[QUANTITY_d2h_gb_per_s]);
    return of[QUANTITY_latency_us] + (double)profile->tensors[tensor].bytes / gb_per_s_to_bytes_per_us(rate);
}

static double apply_to_one(struct parser *parser, enum formula_function function, uint32_t tensor,
                           const struct snapshot *source) {
    const struct profile *profile = parser->scope->profile;
    switch (function) {
    case FUNCTION_bytes: return (double)profile->tensors[tensor].bytes;
    case FUNCTION_count: return 1;
    case FUNCTION_transfer_us: return transfer_us(profile, tensor, source);
    case FUNCTION_rerun_us: return rerun_us(parser, tensor);
    case FUNCTION_cost_per_byte: return rerun_us(parser, tensor) / fmax((double)profile->tensors[tensor].bytes, 1);
    case FUNCTION_made_us: return source ? source->time_us[MOMENT_MADE][tensor] : NAN;
    case FUNCTION_left_us: return source ? source->time_us[MOMENT_LEFT][tensor] : NAN;
    case FUNCTION_returned_us: return source ? source->time_us[MOMENT_RETURNED][tensor] : NAN;
    case FUNCTION_needed_us: return source ? source->time_us[MOMENT_NEEDED][tensor] : NAN;
    case FUNCTION_is_kept: return source ? source->action[tensor] == ACTION_KEEP : NAN;
    case FUNCTION_is_offloaded: return source ? source->action[tensor] == ACTION_OFFLOAD : NAN;
    case FUNCTION_is_recomputed: return source ? source->action[tensor] == ACTION_RECOMPUTE : NAN;
    case FUNCTION_COUNT: break;
    }
    return NAN;
}

/* Over all managed tensors that PATTERN describes: sums, or whether each of them is so. */
static double apply_to_all(struct parser *parser, enum formula_function function, const char *pattern,
                           const struct snapshot *source, uint32_t *matched) {
    const struct profile *profile = parser->scope->profile;
    const bool truth = FORMULA_FUNCTION_TABLE[function].measure == MEASURE_TRUTH;
    double sum = 0, all = 1;
    *matched = 0;
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const uint32_t tensor = profile->managed[i];
        if (!glob_matches(pattern, profile->tensors[tensor].name))
            continue;
        const double value = apply_to_one(parser, function, tensor, source);
        sum += value;
        all *= value;
        ++*matched;
    }
    return truth ? all : sum;
}

static struct formula_value apply(struct parser *parser, enum formula_function function, const char *name,
                                  const struct snapshot *source) {
    const struct formula_function_entry *entry = &FORMULA_FUNCTION_TABLE[function];
    const uint32_t tensor = profile_find_tensor(parser->scope->profile, name);
    const bool truth = entry->measure == MEASURE_TRUTH;
    uint32_t matched = 1;
    struct formula_value value = { NAN, entry->measure };
    if (tensor == NONE && !entry->takes_pattern)
        return fail(parser, "there is no tensor '%s' to take alone", name, strlen(name));
    if (tensor != NONE && truth && !parser->scope->profile->tensors[tensor].managed)
        return fail(parser, "no plan decides about tensor '%s'", name, strlen(name));
    if (tensor != NONE)
        value.value = apply_to_one(parser, function, tensor, source);
    else
        value.value = apply_to_all(parser, function, name, source, &matched);
    return matched > 0 ? value : fail(parser, "no tensor that a plan decides about is called '%s'", name, strlen(name));
}

/* A text between quotes of either kind. */
static bool parse_text(struct parser *parser, char name[NAME_MOST + 1]) {
    const char quote = take(parser, "\"") ? '"' : take(parser, "'") ? '\'' : '\0';
    if (!quote) {
        expected(parser, "expected the name of a tensor in quotes");
        return false;
    }
    const char *from = parser->text + parser->at, *end = memchr(from, quote, parser->length - parser->at);
    const size_t length = end ? (size_t)(end - from) : 0;
    if (!end || length > NAME_MOST) {
        expected(parser, "expected a name with a quote at its end");
        return false;
    }
    memcpy(name, from, length);
    name[length] = '\0';
    return true;
}

static struct formula_value parse_call(struct parser *parser, enum formula_function function,
                                       const struct snapshot *source) {
    char name[NAME_MOST + 1];
    if (!take(parser, "("))
        return expected(parser, "expected the name of a tensor in parentheses");
    if (!parse_text(parser, name))
        return NOTHING;
    struct formula_value value = apply(parser, function, name, source);
    if (failed(parser))
        return NOTHING;
    parser->at += strlen(name) + 1; /* and the quote */
    return take(parser, ")") ? value : expected(parser, "expected a closing parenthesis");
}

/* ---- names ---- */

static bool is_called(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

static enum formula_function function_find(const char *name, size_t length) {
    int id = 0;
    while (id < FUNCTION_COUNT && !is_called(name, length, FORMULA_FUNCTION_TABLE[id].name))
        id++;
    return (enum formula_function)id;
}

/* The snapshot that the LENGTH bytes at NAME mean. */
static bool find_source(struct parser *parser, const char *name, size_t length, const struct snapshot **out) {
    const struct formula_scope *scope = parser->scope;
    if (is_called(name, length, "before")) {
        *out = scope->before;
        if (scope->nothing_before)
            expected(parser, "there is nothing before to take this from");
        return !scope->nothing_before;
    }
    for (uint32_t i = 0; i < scope->named_count; i++)
        if (is_called(name, length, scope->named[i].name)) {
            *out = scope->named[i].snapshot;
            return true;
        }
    fail(parser, "nothing earlier is called '%s'", name, length);
    return false;
}

/* Adds the LENGTH bytes at NAME and their VALUE to what was looked at. */
static struct formula_value note(struct parser *parser, const char *name, size_t length, struct formula_value value) {
    const struct formula_scope *scope = parser->scope;
    char shown[UNIT_TEXT];
    const size_t used = scope->trace ? strlen(scope->trace) : 0;
    if (scope->trace && !failed(parser) && used + length + UNIT_TEXT + 4 < scope->trace_size)
        snprintf(scope->trace + used, scope->trace_size - used, "%s%.*s %s", used ? ", " : "", (int)length, name,
                 formula_format(shown, value));
    return value;
}

static struct formula_value parse_name(struct parser *parser) {
    const char *name = parser->text + parser->at;
    size_t length = 0;
    const struct snapshot *source = parser->scope->now;
    while (parser->at + length < parser->length && is_word(name[length]))
        length++;
    const char *dot = memchr(name, '.', length);
    if (dot && !find_source(parser, name, (size_t)(dot - name), &source))
        return NOTHING;
    const char *last = dot ? dot + 1 : name;
    const size_t rest = length - (size_t)(last - name);
    const enum quantity_id id = quantity_find(last, rest);
    const enum formula_function function = function_find(last, rest);
    if (id == QUANTITY_COUNT && function == FUNCTION_COUNT)
        return fail(parser, "there is no quantity '%s'", last, rest);
    parser->at += length;
    struct formula_value value;
    if (function != FUNCTION_COUNT)
        value = parse_call(parser, function, source);
    else
        value = (struct formula_value){ source ? source->quantities.of[id] : NAN, QUANTITY_TABLE[id].measure };
    return note(parser, name, (size_t)(parser->text + parser->at - name), value);
}

static struct formula_value parse_value(struct parser *parser) {
    skip_blanks(parser);
    parser->bare_zero = false;
    char c = parser->at < parser->length ? parser->text[parser->at] : '\0';
    if (parser->depth > DEPTH_MOST)
        return expected(parser, "too many levels");
    if (c >= '0' && c <= '9')
        return parse_number(parser);
    if (take(parser, "(")) {
        parser->depth++;
        struct formula_value value = parse_or(parser);
        parser->depth--;
        return failed(parser) || take(parser, ")") ? value : expected(parser, "expected a closing parenthesis");
    }
    if (take(parser, "-")) {
        parser->depth++;
        struct formula_value value = parse_value(parser);
        parser->depth--;
        value.value = -value.value;
        return value.measure == MEASURE_TRUTH ? expected(parser, "a truth has no sign") : value;
    }
    if (is_word(c))
        return parse_name(parser);
    return expected(parser, "expected a quantity or a number");
}

/* ---- operators ---- */

static struct formula_value mismatch(struct parser *parser, struct formula_value a, struct formula_value b) {
    char what[96];
    snprintf(what, sizeof what, "%s and %s don't go together here", MEASURES[a.measure].name, MEASURES[b.measure].name);
    return expected(parser, what);
}

static bool is_pure(enum measure measure) { return measure == MEASURE_NUMBER || measure == MEASURE_SHARE; }

/* The measure of that power of time and bytes, none of which is pure; MEASURE_COUNT: there is none. */
static enum measure measure_of(int time, int bytes) {
    int measure = 0;
    while (measure < MEASURE_COUNT && (is_pure((enum measure)measure) || measure == MEASURE_TRUTH ||
                                       MEASURES[measure].time != time || MEASURES[measure].bytes != bytes))
        measure++;
    return (enum measure)measure;
}

/* SIGN 1: the measure of products of A and B; -1: of ratios. */
static enum measure combine(enum measure a, enum measure b, int sign) {
    if (a == MEASURE_TRUTH || b == MEASURE_TRUTH)
        return MEASURE_COUNT;
    if (is_pure(a) && is_pure(b))
        return sign > 0 ? (a == MEASURE_SHARE || b == MEASURE_SHARE ? MEASURE_SHARE : MEASURE_NUMBER) : a;
    if (is_pure(b))
        return a;
    if (is_pure(a) && sign > 0)
        return b;
    if (a == b && sign < 0)
        return MEASURE_SHARE;
    return measure_of(MEASURES[a].time + sign * MEASURES[b].time, MEASURES[a].bytes + sign * MEASURES[b].bytes);
}

static double in_base(struct formula_value value) { return value.value * MEASURES[value.measure].factor; }

static struct formula_value parse_product(struct parser *parser) {
    struct formula_value a = parse_value(parser);
    for (;;) {
        bool times = take(parser, "*");
        if (failed(parser) || (!times && !take(parser, "/")))
            return a;
        struct formula_value b = parse_value(parser);
        parser->bare_zero = false;
        if (failed(parser))
            return a;
        const enum measure measure = combine(a.measure, b.measure, times ? 1 : -1);
        if (measure == MEASURE_COUNT)
            return mismatch(parser, a, b);
        const double x = in_base(a), y = in_base(b);
        const double value = times ? x * y : y > 0 || y < 0 || isnan(y) ? x / y : 0;
        a = (struct formula_value){ value / MEASURES[measure].factor, measure };
    }
}

static struct formula_value parse_sum(struct parser *parser) {
    struct formula_value a = parse_product(parser);
    for (;;) {
        bool plus = take(parser, "+");
        if (failed(parser) || (!plus && !take(parser, "-")))
            return a;
        struct formula_value b = parse_product(parser);
        parser->bare_zero = false;
        if (failed(parser))
            return a;
        if (a.measure != b.measure || a.measure == MEASURE_TRUTH)
            return mismatch(parser, a, b);
        a.value += plus ? b.value : -b.value;
    }
}

static struct formula_value truth(bool holds) {
    return (struct formula_value){ holds ? 1 : 0, MEASURE_TRUTH };
}

/* Times, shares, rates and costs are sums that were rounded: what differs by less than that is the same. */
static bool is_same(struct formula_value a, struct formula_value b) {
    const enum measure measure = a.measure;
    const double difference = fabs(a.value - b.value), size = fmax(fabs(a.value), fabs(b.value));
    if (measure == MEASURE_NUMBER || measure == MEASURE_BYTES || measure == MEASURE_TRUTH)
        return a.value <= b.value && a.value >= b.value;
    return difference <= 1e-9 * size || (measure == MEASURE_TIME && difference <= 1e-6) ||
           (measure == MEASURE_SHARE && difference <= 1e-9);
}

static struct formula_value parse_comparison(struct parser *parser) {
    static const char *const SIGNS[] = { "<=", ">=", "!=", "<", ">", "=" };
    struct formula_value a = parse_sum(parser);
    bool zero = parser->bare_zero;
    int sign = 0;
    while (sign < 6 && !take(parser, SIGNS[sign]))
        sign++;
    if (sign == 6 || failed(parser))
        return a;
    struct formula_value b = parse_sum(parser);
    zero = (zero || parser->bare_zero) && a.measure != MEASURE_TRUTH && b.measure != MEASURE_TRUTH;
    parser->bare_zero = false;
    if (failed(parser))
        return a;
    if (a.measure != b.measure && !zero)
        return mismatch(parser, a, b);
    if (zero) /* of what the other is */
        a.measure = b.measure = a.measure == MEASURE_NUMBER ? b.measure : a.measure;
    const bool same = is_same(a, b), less = a.value < b.value && !same, more = a.value > b.value && !same;
    switch (sign) {
    case 0: return truth(less || same);
    case 1: return truth(more || same);
    case 2: return truth(!same);
    case 3: return truth(less);
    case 4: return truth(more);
    default: return truth(same);
    }
}

static struct formula_value parse_not(struct parser *parser) {
    if (!take(parser, "not"))
        return parse_comparison(parser);
    if (++parser->depth > DEPTH_MOST)
        return expected(parser, "too many levels");
    struct formula_value value = parse_not(parser);
    parser->depth--;
    if (!failed(parser) && value.measure != MEASURE_TRUTH)
        return expected(parser, "only a truth can be denied");
    return truth(!(value.value > 0));
}

static struct formula_value parse_and(struct parser *parser) {
    struct formula_value a = parse_not(parser);
    while (!failed(parser) && take(parser, "and")) {
        struct formula_value b = parse_not(parser);
        if (!failed(parser) && (a.measure != MEASURE_TRUTH || b.measure != MEASURE_TRUTH))
            return mismatch(parser, a, b);
        a = truth(a.value > 0 && b.value > 0);
    }
    return a;
}

static struct formula_value parse_or(struct parser *parser) {
    struct formula_value a = parse_and(parser);
    while (!failed(parser) && take(parser, "or")) {
        struct formula_value b = parse_and(parser);
        if (!failed(parser) && (a.measure != MEASURE_TRUTH || b.measure != MEASURE_TRUTH))
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
    if (!failed(&parser) && parser.at < length)
        expected(&parser, "expected an operator or the end");
    if (!failed(&parser))
        *out = value;
    return parser.status;
}

enum ss_status formula_holds(const char *text, size_t length, const struct formula_scope *scope, bool *out, struct error *error) {
    struct formula_value value;
    enum ss_status status = formula_evaluate(text, length, scope, &value, error);
    if (status == SS_OK && value.measure != MEASURE_TRUTH)
        status = error_set(error, SS_BAD_INPUT, "expected a claim, which is true or not, found %s",
                           MEASURES[value.measure].name);
    if (status == SS_OK)
        *out = value.value > 0;
    return status;
}

/* ---- writing ---- */

/* Sizes below 0 are changes; sizes that no integer holds are no sizes. */
static char *format_size(char text[UNIT_TEXT], double bytes) {
    if (!isfinite(bytes) || fabs(bytes) >= 9e18)
        return format_time(text, NAN);
    return bytes < 0 ? format_bytes_change(text, bytes) : format_bytes(text, (uint64_t)(bytes + 0.5));
}

char *formula_format(char text[UNIT_TEXT], struct formula_value value) {
    const double number = value.value;
    if (!isfinite(number))
        return format_time(text, NAN);
    switch (value.measure) {
    case MEASURE_TIME: return number < 0 ? format_time_change(text, number) : format_time(text, number);
    case MEASURE_BYTES: return format_size(text, number);
    case MEASURE_SHARE: return format_percent(text, number);
    case MEASURE_RATE: return format_rate(text, number);
    case MEASURE_COST: snprintf(text, UNIT_TEXT, "%.3g us/MiB", number * MIB); return text;
    case MEASURE_TRUTH: snprintf(text, UNIT_TEXT, "%s", number > 0 ? "yes" : "no"); return text;
    default:
        snprintf(text, UNIT_TEXT, fabs(number) >= 1e9 ? "%.3g" : fabs(number - round(number)) < 1e-9 ? "%.0f" : "%.1f",
                 number);
        return text;
    }
}

/* The brace that closes the formula at TEXT, quotes skipped; NULL: none. */
static const char *closing_brace(const char *text) {
    char quote = '\0';
    for (; *text; text++) {
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
        else if (!quote && *text == '}')
            return text;
    }
    return NULL;
}

/* Puts what the formula of LENGTH bytes at FORMULA comes to; it stands at character AT (from 0) of a text. */
static enum ss_status fill_one(const char *formula, size_t length, size_t at, const struct formula_scope *scope,
                               const char *unknown, char **out, struct error *error) {
    struct formula_value value;
    char shown[UNIT_TEXT];
    unsigned long inside = 1;
    const enum ss_status status = formula_evaluate(formula, length, scope, &value, error);
    if (status != SS_OK) {
        if (error && sscanf(error->place, "character %lu", &inside) == 1)
            error_place(error, "character %lu", (unsigned long)at + inside);
        return status;
    }
    const char *said = isfinite(value.value) ? formula_format(shown, value) : unknown;
    memcpy(*out, said, strlen(said));
    *out += strlen(said);
    return SS_OK;
}

enum ss_status formula_fill(const char *text, const struct formula_scope *scope, const char *unknown, struct arena *arena,
                            char **out, struct error *error) {
    const size_t longest = strlen(unknown) > UNIT_TEXT ? strlen(unknown) : UNIT_TEXT;
    size_t braces = 0;
    for (const char *at = text; *at; at++)
        braces += *at == '{';
    char *filled = ARENA_ARRAY(arena, char, strlen(text) + braces * longest + 1), *end = filled;
    if (!filled)
        return error_no_memory(error);
    for (const char *at = text; *at; at++) {
        if (*at != '{' || at[1] == '{') {
            at += *at == '{';
            *end++ = *at;
            continue;
        }
        const char *close = closing_brace(at + 1);
        if (!close) {
            error_set(error, SS_BAD_INPUT, "expected a closing brace ('{{' is a brace alone)");
            error_place(error, "character %zu", (size_t)(at - text) + 1);
            return SS_BAD_INPUT;
        }
        enum ss_status status = fill_one(at + 1, (size_t)(close - at) - 1, (size_t)(at - text) + 1, scope, unknown, &end, error);
        if (status != SS_OK)
            return status;
        at = close;
    }
    *end = '\0';
    *out = filled;
    return SS_OK;
}
