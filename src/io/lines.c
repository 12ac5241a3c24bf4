#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT 64 /* longer ones are no numbers that a profiler writes */

bool lines_next(struct lines *lines, struct piece *line) {
    if (lines->rest.length == 0) return false;
    const char *end = memchr(lines->rest.at, '\n', lines->rest.length);
    line->at = lines->rest.at;
    line->length = end ? (size_t)(end - line->at) : lines->rest.length;
    const size_t taken = line->length + (end != NULL);
    lines->rest.at += taken;
    lines->rest.length -= taken;
    lines->number++;
    if (line->length && line->at[line->length - 1] == '\r') line->length--;
    return true;
}

size_t lines_count(struct piece text) {
    size_t count = 1;
    for (size_t i = 0; i < text.length; i++) count += text.at[i] == '\n';
    return count;
}

struct piece piece_of(const char *text) { return (struct piece){ text, strlen(text) }; }

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct piece piece_trim(struct piece piece) {
    while (piece.length && is_blank(piece.at[0])) piece.at++, piece.length--;
    while (piece.length && is_blank(piece.at[piece.length - 1])) piece.length--;
    return piece;
}

bool piece_equal(struct piece piece, const char *text) {
    return piece.length == strlen(text) && memcmp(piece.at, text, piece.length) == 0;
}

bool piece_starts(struct piece piece, const char *text) {
    const size_t length = strlen(text);
    return piece.length >= length && memcmp(piece.at, text, length) == 0;
}

bool piece_split(struct piece piece, const char *mark, struct piece *head, struct piece *tail) {
    const size_t length = strlen(mark);
    for (size_t i = 0; i + length <= piece.length; i++) {
        if (memcmp(piece.at + i, mark, length) != 0) continue;
        *head = (struct piece){ piece.at, i };
        *tail = (struct piece){ piece.at + i + length, piece.length - i - length };
        return true;
    }
    *head = piece;
    *tail = (struct piece){ piece.at + piece.length, 0 };
    return false;
}

char *piece_copy(struct piece piece, struct arena *arena) {
    char *copy = ARENA_ARRAY(arena, char, piece.length + 1); /* zeroed: terminated */
    if (copy && piece.length) memcpy(copy, piece.at, piece.length);
    return copy;
}

bool piece_number(struct piece piece, double *out) {
    char text[NUMBER_TEXT], *end;
    if (piece.length == 0 || piece.length >= sizeof text) return false;
    for (size_t i = 0; i < piece.length; i++)
        if (!piece.at[i] || !strchr("0123456789.eE+-", piece.at[i])) return false;
    if (piece.at[0] == '+' || piece.at[0] == '-') return false;
    memcpy(text, piece.at, piece.length);
    text[piece.length] = '\0';
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

bool piece_bytes(struct piece piece, uint64_t *out) {
    double number;
    if (!piece_number(piece, &number) || number >= (double)BYTES_LIMIT || number != floor(number)) return false;
    *out = (uint64_t)number;
    return true;
}

char *piece_quote(struct piece piece, char text[QUOTE_TEXT]) {
    static const char cut[] = "...";
    const size_t room = QUOTE_TEXT - 3 - (sizeof cut - 1); /* quotes and terminator */
    const bool whole = piece.length <= room;
    const size_t length = whole ? piece.length : room;
    char *to = text;
    *to++ = '"';
    for (size_t i = 0; i < length; i++) *to++ = piece.at[i] >= ' ' && piece.at[i] <= '~' ? piece.at[i] : '?';
    if (!whole) memcpy(to, cut, sizeof cut - 1), to += sizeof cut - 1;
    *to++ = '"';
    *to = '\0';
    return text;
}
