#include "json_syntax.h"

#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"

/* What may come next. */
enum state { WANT_VALUE, WANT_VALUE_OR_END, WANT_NAME, WANT_NAME_OR_END, WANT_COLON, WANT_COMMA_OR_END, WANT_NOTHING };
static const char *const WANTED[] = {
    "a value", "a value or ']'", "a member's name in double quotes", "a member's name in double quotes or '}'", "':'",
    "',' or a closing bracket", "the end of the file",
};

struct scan {
    const char *at, *end;
    const char *line_start;
    unsigned long line;
    struct error *error;
    uint32_t depth;
    struct { char closing; unsigned long line; } open[JSON_DEPTH_MOST];
};

static enum ss_status place(const struct scan *scan, const char *at) {
    error_place(scan->error, "line %lu, column %lu", scan->line, (unsigned long)(at - scan->line_start) + 1);
    return SS_BAD_INPUT;
}

/* What stands at AT, in words: a byte that can't be shown, or the run of characters up to the next separator. */
static void describe(const struct scan *scan, const char *at, char out[64]) {
    unsigned long code;
    size_t length = 0;
    if (at >= scan->end) {
        strcpy(out, "the end of the file");
        return;
    }
    if ((unsigned char)*at < ' ' || utf8_decode(at, &code) == 0) {
        snprintf(out, 64, "the byte 0x%02X", (unsigned char)*at);
        return;
    }
    while (at + length < scan->end && length < 24 && (unsigned char)at[length] > ' ' &&
           (length == 0 || !strchr(",:[]{}\"", at[length])))
        length++;
    snprintf(out, 64, "'%.*s'", (int)length, at);
}

static enum ss_status unexpected(const struct scan *scan, const char *at, const char *wanted) {
    char found[64];
    describe(scan, at, found);
    error_set(scan->error, SS_BAD_INPUT, "expected %s, found %s", wanted, found);
    return place(scan, at);
}

static void skip_space(struct scan *scan) {
    for (; scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at; scan->at++)
        if (*scan->at == '\n') {
            scan->line++;
            scan->line_start = scan->at + 1;
        }
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *skip_digits(const char *at) {
    while (is_digit(*at))
        at++;
    return at;
}

/* Behind the digits at AT; NULL when there are none. */
static const char *some_digits(const char *at) { return is_digit(*at) ? skip_digits(at) : NULL; }

/* The end of the number at AT, or NULL. The terminating NUL stops every loop. */
static const char *number_end(const char *at) {
    if (*at == '-')
        at++;
    at = *at == '0' ? at + 1 : some_digits(at);
    if (at && *at == '.')
        at = some_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        at++;
        at = some_digits(*at == '+' || *at == '-' ? at + 1 : at);
    }
    return at;
}

/* The four hexadecimal digits of \uXXXX, or -1. */
static long hexadecimal(const char *at) {
    long number = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit)
            return -1;
        number = number * 16 + (digit - digits) % 16;
    }
    return number;
}

/* The bytes of the escape at AT (at its backslash); 0 with a message when it is none. */
static size_t escape_length(struct scan *scan, const char *at) {
    if (at[1] != 'u') {
        if (at[1] && strchr("\"\\/bfnrt", at[1]))
            return 2;
        unexpected(scan, at, "an escape that JSON knows");
        return 0;
    }
    long code = hexadecimal(at + 2);
    if (code < 0 || code == 0) {
        unexpected(scan, at, code < 0 ? "four hexadecimal digits after \\u" : "a character other than the zero one");
        return 0;
    }
    if (code < 0xD800 || code > 0xDFFF)
        return 6;
    long second = code < 0xDC00 && at[6] == '\\' && at[7] == 'u' ? hexadecimal(at + 8) : -1;
    if (second >= 0xDC00 && second <= 0xDFFF)
        return 12;
    unexpected(scan, at, "both halves of a surrogate pair");
    return 0;
}

static enum ss_status scan_text(struct scan *scan) {
    const char *at = scan->at + 1;
    while (*at != '"') {
        unsigned long code;
        size_t length = *at == '\\' ? escape_length(scan, at) : utf8_decode(at, &code);
        if (*at == '\\' && length == 0)
            return SS_BAD_INPUT;
        if (at >= scan->end || *at == '\n' || *at == '\r') {
            error_set(scan->error, SS_BAD_INPUT, "expected '\"' at the end of the text that opens here, found the end of "
                      "the %s", at >= scan->end ? "file" : "line");
            return place(scan, scan->at);
        }
        if (length == 0 || (unsigned char)*at < ' ')
            return unexpected(scan, at, length == 0 ? "UTF-8 text" : "no control byte within a text");
        at += length;
    }
    scan->at = at + 1;
    return SS_OK;
}

static enum ss_status scan_open(struct scan *scan, enum state *state) {
    if (scan->depth == JSON_DEPTH_MOST) {
        error_set(scan->error, SS_BAD_INPUT, "expected at most %d levels of lists and objects, found more",
                  JSON_DEPTH_MOST);
        return place(scan, scan->at);
    }
    bool list = *scan->at == '[';
    scan->open[scan->depth].closing = list ? ']' : '}';
    scan->open[scan->depth++].line = scan->line;
    scan->at++;
    *state = list ? WANT_VALUE_OR_END : WANT_NAME_OR_END;
    return SS_OK;
}

static void after_value(const struct scan *scan, enum state *state) {
    *state = scan->depth ? WANT_COMMA_OR_END : WANT_NOTHING;
}

static enum ss_status scan_scalar(struct scan *scan, enum state *state) {
    static const char *const words[] = { "true", "false", "null" };
    const char *end = NULL;
    for (int i = 0; i < 3; i++)
        if (strncmp(scan->at, words[i], strlen(words[i])) == 0)
            end = scan->at + strlen(words[i]);
    if (!end)
        end = number_end(scan->at);
    if (!end || (*end && !strchr(" \t\r\n,:[]{}\"", *end)))
        return unexpected(scan, scan->at, WANTED[*state]);
    if (end - scan->at > JSON_NUMBER_MOST)
        return unexpected(scan, scan->at, "a number of at most 63 characters");
    scan->at = end;
    after_value(scan, state);
    return SS_OK;
}

static enum ss_status scan_value(struct scan *scan, enum state *state) {
    if (*scan->at == '[' || *scan->at == '{')
        return scan_open(scan, state);
    if (*scan->at != '"')
        return scan_scalar(scan, state);
    enum ss_status status = scan_text(scan);
    after_value(scan, state);
    return status;
}

static enum ss_status scan_close(struct scan *scan, enum state *state) {
    char closing = scan->open[scan->depth - 1].closing;
    if (*scan->at != closing) {
        error_set(scan->error, SS_BAD_INPUT, "expected '%c' to close what line %lu opens, found '%c'", closing,
                  scan->open[scan->depth - 1].line, *scan->at);
        return place(scan, scan->at);
    }
    scan->depth--;
    scan->at++;
    after_value(scan, state);
    return SS_OK;
}

static enum ss_status end_too_early(const struct scan *scan, enum state state) {
    if (scan->depth == 0)
        return unexpected(scan, scan->at, WANTED[state]);
    error_set(scan->error, SS_BAD_INPUT, "expected '%c' to close what line %lu opens, found the end of the file",
              scan->open[scan->depth - 1].closing, scan->open[scan->depth - 1].line);
    return place(scan, scan->at);
}

/* One token: what may stand here, and what may follow it. */
static enum ss_status scan_token(struct scan *scan, enum state *state) {
    const char c = *scan->at;
    bool closes = (c == ']' || c == '}') && scan->depth > 0;
    switch (*state) {
    case WANT_VALUE_OR_END:
    case WANT_VALUE:
        return closes && *state == WANT_VALUE_OR_END ? scan_close(scan, state) : scan_value(scan, state);
    case WANT_NAME_OR_END:
    case WANT_NAME:
        if (closes && *state == WANT_NAME_OR_END)
            return scan_close(scan, state);
        if (c != '"')
            return unexpected(scan, scan->at, WANTED[*state]);
        *state = WANT_COLON;
        return scan_text(scan);
    case WANT_COLON:
        if (c != ':')
            return unexpected(scan, scan->at, WANTED[*state]);
        *state = WANT_VALUE;
        scan->at++;
        return SS_OK;
    case WANT_COMMA_OR_END:
        if (closes)
            return scan_close(scan, state);
        if (c != ',')
            return unexpected(scan, scan->at, WANTED[*state]);
        *state = scan->open[scan->depth - 1].closing == ']' ? WANT_VALUE : WANT_NAME;
        scan->at++;
        return SS_OK;
    case WANT_NOTHING:
        break;
    }
    return unexpected(scan, scan->at, WANTED[*state]);
}

enum ss_status json_check_syntax(const char *text, size_t length, struct error *error) {
    struct scan scan = { .at = text, .end = text + length, .line_start = text, .line = 1, .error = error };
    enum state state = WANT_VALUE;
    skip_space(&scan);
    if (scan.at == scan.end)
        return error_set(error, SS_BAD_INPUT, "expected a JSON document, found %s",
                         length == 0 ? "an empty file" : "white space alone");
    while (scan.at < scan.end) {
        enum ss_status status = scan_token(&scan, &state);
        if (status != SS_OK)
            return status;
        skip_space(&scan);
    }
    return state == WANT_NOTHING ? SS_OK : end_too_early(&scan, state);
}
