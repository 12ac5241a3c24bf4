#include "kineto_scan.h"

#include <stdlib.h>
#include <string.h>

#include "stream.h"

#define WINDOW 262144
#define LARGEST_VALUE ((size_t)64 << 20)

struct window {
    const struct import_file *file;
    size_t head_read;       /* of file->text */
    char *text;             /* what is read and not yet done: text[at..end) */
    size_t at, end, room;
    uint64_t offset;        /* of text[0] in the file */
    uint64_t events;
    bool ended;
    enum ss_status status;  /* of the first fault */
    struct error *error;
};

static bool fail(struct window *window, size_t ahead, const char *expected) {
    if (window->status != SS_OK)
        return false;
    window->status = error_set(window->error, SS_BAD_INPUT, "expected %s, found %s", expected,
                               window->at + ahead >= window->end && window->ended ? "the end of the file" : "something else");
    error_place(window->error, "$.traceEvents[%llu], byte %llu", (unsigned long long)window->events,
                (unsigned long long)(window->offset + window->at + ahead));
    return false;
}

static bool make_room(struct window *window) {
    if (window->at > 0) {
        memmove(window->text, window->text + window->at, window->end - window->at);
        window->offset += window->at;
        window->end -= window->at;
        window->at = 0;
    }
    if (window->room - window->end >= WINDOW)
        return true;
    if (window->end >= LARGEST_VALUE)
        return fail(window, window->end, "a value below 64 MiB");
    char *text = realloc(window->text, window->room + (window->room > WINDOW ? window->room : WINDOW));
    if (!text) {
        window->status = error_no_memory(window->error);
        return false;
    }
    window->room += window->room > WINDOW ? window->room : WINDOW;
    window->text = text;
    return true;
}

/* Reads on; false at the end and on a fault. Moves the text. */
static bool read_on(struct window *window) {
    const struct import_file *file = window->file;
    size_t got = file->length - window->head_read;
    if (window->ended || window->status != SS_OK || !make_room(window))
        return false;
    if (got > WINDOW)
        got = WINDOW;
    if (got > 0) {
        memcpy(window->text + window->end, file->text + window->head_read, got);
        window->head_read += got;
    } else if (file->stream) {
        window->status = stream_read(file->stream, window->text + window->end, WINDOW, &got, window->error);
        if (window->status == SS_BAD_INPUT)
            error_place(window->error, "byte %llu", (unsigned long long)(window->offset + window->end + got));
    }
    window->end += got;
    window->ended = got == 0;
    if (got > 0 && file->progress)
        file->progress(file->progress_context, window->offset + window->end);
    return got > 0 && window->status == SS_OK;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next byte that is no blank, not consumed; -1 at the end. */
static int next_mark(struct window *window) {
    for (;; window->at++) {
        if (window->at == window->end && !read_on(window))
            return -1;
        if (!is_blank(window->text[window->at]))
            return (unsigned char)window->text[window->at];
    }
}

static bool take_mark(struct window *window, char mark, const char *expected) {
    if (next_mark(window) != (unsigned char)mark)
        return fail(window, 0, expected);
    window->at++;
    return true;
}

/* Whether the quote at QUOTE, in a text that begins at BEGIN, ends it. */
static bool ends_text(const char *begin, const char *quote) {
    const char *p = quote;
    while (p > begin && p[-1] == '\\')
        p--;
    return (quote - p) % 2 == 0;
}

enum { PLAIN, OPENS, CLOSES, PARTS, QUOTES };
static const unsigned char CLASS[256] = { ['{'] = OPENS, ['['] = OPENS, ['}'] = CLOSES, [']'] = CLOSES, [','] = PARTS,
                                          [' '] = PARTS, ['\n'] = PARTS, ['\r'] = PARTS, ['\t'] = PARTS, ['"'] = QUOTES };

struct cut { size_t length, text_at; uint32_t depth; bool in_text, done; };

/* Follows the value from VALUE + cut->length on, to its end or to END. */
static void follow_value(struct cut *cut, const char *value, const char *end) {
    const char *p = value + cut->length;
    while (p < end && !cut->done) {
        if (cut->in_text) {
            const char *quote = memchr(p, '"', (size_t)(end - p));
            p = quote ? quote + 1 : end;
            if (quote && ends_text(value + cut->text_at, quote)) {
                cut->in_text = false;
                cut->done = cut->depth == 0;
            }
            continue;
        }
        const unsigned char class = CLASS[(unsigned char)*p];
        if (class == PLAIN || (class == PARTS && cut->depth > 0)) {
            p++;
        } else if (class == QUOTES) {
            p++;
            cut->text_at = (size_t)(p - value);
            cut->in_text = true;
        } else if (class == OPENS) {
            cut->depth++;
            p++;
        } else if (class == CLOSES && cut->depth > 0) {
            cut->done = --cut->depth == 0;
            p++;
        } else {
            cut->done = true; /* behind a number or a word */
        }
    }
    cut->length = (size_t)(p - value);
}

/* Cuts the value at window->at and consumes it. VALUE is good until the window reads on. */
static bool take_value(struct window *window, struct piece *value) {
    struct cut cut = { 0 };
    if (next_mark(window) < 0)
        return fail(window, 0, "a value");
    for (;;) {
        follow_value(&cut, window->text + window->at, window->text + window->end);
        if (cut.done)
            break;
        if (!read_on(window))
            return fail(window, window->end - window->at, "the end of a value");
    }
    if (cut.length == 0)
        return fail(window, 0, "a value");
    *value = (struct piece){ window->text + window->at, cut.length };
    window->at += cut.length;
    return true;
}

static struct piece *field_of(struct kineto_event *event, struct piece key) {
    static const struct { const char *key; size_t at; } FIELDS[] = {
        { "ph", offsetof(struct kineto_event, ph) },     { "cat", offsetof(struct kineto_event, cat) },
        { "name", offsetof(struct kineto_event, name) }, { "pid", offsetof(struct kineto_event, pid) },
        { "tid", offsetof(struct kineto_event, tid) },   { "ts", offsetof(struct kineto_event, ts) },
        { "dur", offsetof(struct kineto_event, dur) },   { "id", offsetof(struct kineto_event, id) },
        { "args", offsetof(struct kineto_event, args) },
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (FIELDS[i].key[0] == key.at[0] && piece_equal(key, FIELDS[i].key))
            return (struct piece *)(void *)((char *)event + FIELDS[i].at);
    return NULL;
}

static bool take_event(struct window *window, const struct kineto_handler *handler) {
    const struct piece empty = { "", 0 };
    struct kineto_event event = { empty, empty, empty, empty, empty, empty, empty, empty, empty };
    struct kineto_cursor cursor = { 0 };
    struct piece value, key, member;
    if (!take_value(window, &value))
        return false;
    while (kineto_member(value, &cursor, &key, &member)) {
        struct piece *field = key.length > 0 ? field_of(&event, key) : NULL;
        if (field)
            *field = member;
    }
    window->at -= value.length; /* where a fault is to be reported */
    if (cursor.faulty)
        return fail(window, cursor.at ? (size_t)(cursor.at - value.at) : 0, "an event, a JSON object");
    window->status = handler->event(handler->context, &event, window->error);
    if (window->status == SS_BAD_INPUT)
        error_place(window->error, "$.traceEvents[%llu], byte %llu", (unsigned long long)window->events,
                    (unsigned long long)(window->offset + window->at));
    window->at += value.length;
    window->events++;
    return window->status == SS_OK;
}

static bool take_events(struct window *window, const struct kineto_handler *handler) {
    if (!take_mark(window, '[', "the array of events"))
        return false;
    if (next_mark(window) == ']') {
        window->at++;
        return true;
    }
    for (;;) {
        if (!take_event(window, handler))
            return false;
        const int mark = next_mark(window);
        if (mark != ',' && mark != ']')
            return fail(window, 0, "a comma or the end of the events");
        window->at++;
        if (mark == ']')
            return true;
    }
}

static bool take_member(struct window *window, const struct kineto_handler *handler, bool *found) {
    struct piece key, value;
    char kept[64];
    if (next_mark(window) != '"')
        return fail(window, 0, "a member's name in quotes");
    if (!take_value(window, &key))
        return false;
    key = kineto_bare(key);
    if (key.length > sizeof kept)
        key.length = sizeof kept;
    memcpy(kept, key.at, key.length);
    key.at = kept;
    if (!take_mark(window, ':', "a colon"))
        return false;
    if (piece_equal(key, "traceEvents")) {
        if (*found)
            return fail(window, 0, "one traceEvents");
        *found = true;
        return take_events(window, handler);
    }
    if (!take_value(window, &value))
        return false;
    window->status = handler->member(handler->context, key, value, window->error);
    return window->status == SS_OK;
}

static bool take_file(struct window *window, const struct kineto_handler *handler) {
    bool found = false;
    int mark = next_mark(window);
    if (mark == '[')
        return take_events(window, handler) && (next_mark(window) < 0 || fail(window, 0, "the end of the file"));
    if (!take_mark(window, '{', "a trace, a JSON object or array"))
        return false;
    mark = next_mark(window);
    while (mark != '}') {
        if (!take_member(window, handler, &found))
            return false;
        mark = next_mark(window);
        if (mark != ',' && mark != '}')
            return fail(window, 0, "a comma or the end of the trace");
        if (mark == ',')
            window->at++;
    }
    window->at++;
    if (!found)
        return fail(window, 0, "traceEvents in the trace");
    return next_mark(window) < 0 || fail(window, 0, "the end of the file");
}

enum ss_status kineto_scan(const struct import_file *file, const struct kineto_handler *handler, struct error *error) {
    struct window window = { .file = file, .error = error };
    static const char MARK[] = "\xEF\xBB\xBF"; /* a byte order mark may stand first */
    if (file->length >= 3 && memcmp(file->text, MARK, 3) == 0)
        window.head_read = window.offset = 3;
    take_file(&window, handler);
    free(window.text);
    return window.status;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Steps into the brackets, or over the comma behind the value before. False at the end or on a fault. */
static bool step(struct piece outer, struct kineto_cursor *cursor, char opens, char closes) {
    const char *end = outer.at + outer.length;
    const bool first = !cursor->at;
    const char *p = skip_blanks(first ? outer.at : cursor->at, end);
    if (first && (p == end || *p != opens)) {
        cursor->faulty = true;
        return false;
    }
    if (first)
        p = skip_blanks(p + 1, end);
    cursor->at = p;
    if (p < end && *p == closes)
        return false;
    if (!first) {
        cursor->faulty = p == end || *p != ',';
        cursor->at = p == end ? p : skip_blanks(p + 1, end);
    }
    return !cursor->faulty;
}

static bool step_over(struct piece outer, struct kineto_cursor *cursor, struct piece *value) {
    const char *end = outer.at + outer.length;
    struct cut cut = { 0 };
    follow_value(&cut, cursor->at, end);
    cursor->faulty = cut.length == 0 || !cut.done;
    *value = (struct piece){ cursor->at, cut.length };
    cursor->at += cut.length;
    return !cursor->faulty;
}

bool kineto_member(struct piece object, struct kineto_cursor *cursor, struct piece *key, struct piece *value) {
    const char *end = object.at + object.length;
    if (!step(object, cursor, '{', '}'))
        return false;
    if (cursor->at == end || *cursor->at != '"') {
        cursor->faulty = true;
        return false;
    }
    if (!step_over(object, cursor, key))
        return false;
    *key = kineto_bare(*key);
    cursor->at = skip_blanks(cursor->at, end);
    if (cursor->at == end || *cursor->at != ':') {
        cursor->faulty = true;
        return false;
    }
    cursor->at = skip_blanks(cursor->at + 1, end);
    return step_over(object, cursor, value);
}

bool kineto_element(struct piece array, struct kineto_cursor *cursor, struct piece *value) {
    return step(array, cursor, '[', ']') && step_over(array, cursor, value);
}

struct piece kineto_bare(struct piece value) {
    if (value.length >= 2 && value.at[0] == '"')
        return (struct piece){ value.at + 1, value.length - 2 };
    return value;
}

/* DIGITS with SCALE digits behind the point; what is finer is cut off. */
static bool read_decimal(struct piece digits, int scale, int64_t *number) {
    const bool negative = digits.length > 0 && digits.at[0] == '-';
    uint64_t sum = 0;
    size_t i = negative, whole = 0;
    int fraction = -1; /* digits behind the point so far */
    for (; i < digits.length; i++) {
        const char c = digits.at[i];
        if (c == '.' && fraction < 0) {
            fraction = 0;
        } else if (c >= '0' && c <= '9') {
            whole++;
            if (fraction >= scale)
                continue;
            if (sum > (uint64_t)(INT64_MAX - 9) / 10)
                return false;
            sum = sum * 10 + (uint64_t)(c - '0');
            fraction += fraction >= 0;
        } else {
            return false;
        }
    }
    for (int k = fraction < 0 ? 0 : fraction; k < scale; k++) {
        if (sum > (uint64_t)(INT64_MAX - 9) / 10)
            return false;
        sum *= 10;
    }
    *number = negative ? -(int64_t)sum : (int64_t)sum;
    return whole > 0;
}

/* "1.5e3" as read_decimal would have 1500. */
static bool read_exponent(struct piece digits, int scale, int64_t *number) {
    struct piece mantissa, power;
    int64_t exponent;
    if (!piece_split(digits, "e", &mantissa, &power) && !piece_split(digits, "E", &mantissa, &power))
        return false;
    if (power.length > 0 && power.at[0] == '+')
        power = (struct piece){ power.at + 1, power.length - 1 };
    if (!read_decimal(power, 0, &exponent) || exponent < -40 || exponent > 40)
        return false;
    const int digits_behind = scale + (int)exponent;
    if (!read_decimal(mantissa, digits_behind > 0 ? digits_behind : 0, number))
        return false;
    for (int k = digits_behind; k < 0; k++)
        *number /= 10;
    return true;
}

bool kineto_nanoseconds(struct piece value, int64_t *ns) {
    const struct piece digits = kineto_bare(value);
    return read_decimal(digits, 3, ns) || read_exponent(digits, 3, ns);
}

bool kineto_whole(struct piece value, int64_t *number) {
    const struct piece digits = kineto_bare(value);
    return read_decimal(digits, 0, number) || read_exponent(digits, 0, number);
}
