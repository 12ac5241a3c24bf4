#include "text.h"

#include <string.h>
#include <utf8proc.h>

#include "core/sanitise.h"
#include "grid.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */
#define MARKS_MAX 3                /* combining marks kept: curses takes few, and a name needs no more */

size_t text_encode(uint32_t code, char out[4]) {
    utf8proc_ssize_t length = utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)out);
    return length > 0 ? (size_t)length : 0;
}

/* Characters that show nothing by themselves or steer the terminal: controls, format characters (bidirectional
 * overrides and isolates among them), line separators, surrogates, unassigned ones. */
static bool is_harmful(unsigned long code) {
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return false;
    }
}

/* A mark that is drawn onto the character before it. */
static bool is_mark(unsigned long code) {
    return utf8proc_charwidth((utf8proc_int32_t)code) == 0 && !is_harmful(code);
}

static void replace(struct grapheme *out) {
    *out = (struct grapheme){ REPLACEMENT, sizeof REPLACEMENT - 1, 1 };
}

bool text_next(const char **cursor, struct grapheme *out) {
    const char *at = *cursor;
    unsigned char first = (unsigned char)at[0];
    if (first == 0)
        return false;
    if (first >= ' ' && first < 0x7F && (unsigned char)at[1] < 0x80) {
        *out = (struct grapheme){ at, 1, 1 };
        *cursor = at + 1;
        return true;
    }
    unsigned long code;
    size_t length = utf8_decode(at, &code);
    if (length == 0 || is_harmful(code) || is_mark(code)) {
        *cursor = at + (length ? length : 1);
        replace(out);
        return true;
    }
    *out = (struct grapheme){ at, length, utf8proc_charwidth((utf8proc_int32_t)code) == 2 ? 2 : 1 };
    at += length;
    for (int marks = 0; (length = utf8_decode(at, &code)) > 0 && is_mark(code); at += length)
        if (marks++ < MARKS_MAX && out->length + length <= CELL_BYTES)
            out->length += length;
    *cursor = at;
    return true;
}

int text_width(const char *text) {
    int width = 0;
    struct grapheme grapheme;
    while (text_next(&text, &grapheme))
        width += grapheme.width;
    return width;
}

/* Appends as many graphemes of TEXT, from the column FROM on, as fit in COLUMNS; returns the bytes in OUT. */
static size_t copy_columns(char *out, size_t size, size_t used, const char *text, int from, int columns) {
    struct grapheme grapheme;
    int at = 0;
    while (text_next(&text, &grapheme)) {
        if (at >= from) {
            if (grapheme.width > columns || used + grapheme.length + 1 > size)
                break;
            memcpy(out + used, grapheme.text, grapheme.length);
            used += grapheme.length;
            columns -= grapheme.width;
        }
        at += grapheme.width;
    }
    out[used] = '\0';
    return used;
}

char *text_fit(char *out, size_t size, const char *text, int columns, enum text_cut cut, bool ascii) {
    const char *ellipsis = ascii ? "." : "…";
    size_t mark = strlen(ellipsis);
    int width = text_width(text);
    out[0] = '\0';
    if (width <= columns) {
        copy_columns(out, size, 0, text, 0, columns);
        return out;
    }
    if (columns <= 0 || size <= mark)
        return out;
    int tail = cut == CUT_MIDDLE ? (columns - 1) / 2 : cut == CUT_START ? columns - 1 : 0;
    size_t used = copy_columns(out, size - mark, 0, text, 0, columns - 1 - tail);
    memcpy(out + used, ellipsis, mark + 1);
    if (tail > 0)
        copy_columns(out, size, used + mark, text, width - tail, tail);
    return out;
}
