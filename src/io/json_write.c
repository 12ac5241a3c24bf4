#include "json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD: JSON is UTF-8, whatever a name was */

static void put_escaped(struct buffer *out, const char *text) {
    buffer_put(out, "\"", 1);
    while (*text) {
        const char *plain = text;
        while ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\' && (unsigned char)*text < 0x7F)
            text++;
        buffer_put(out, plain, (size_t)(text - plain));
        if (!*text)
            break;
        unsigned long code = 0;
        size_t length = utf8_decode(text, &code);
        if (*text == '"' || *text == '\\')
            buffer_printf(out, "\\%c", *text);
        else if (*text == '\n')
            buffer_text(out, "\\n");
        else if (length && (code < ' ' || (code >= 0x7F && code <= 0x9F)))
            buffer_printf(out, "\\u%04lx", code);
        else if (length)
            buffer_put(out, text, length);
        else
            buffer_text(out, REPLACEMENT);
        text += length ? length : 1;
    }
    buffer_put(out, "\"", 1);
}

static void indent(struct json_writer *writer) {
    buffer_text(writer->out, "\n");
    for (uint32_t i = 0; i < writer->depth; i++)
        buffer_text(writer->out, "  ");
}

/* What stands before a value: a comma, a new line, its key. */
static void lead(struct json_writer *writer, const char *key) {
    if (writer->depth > 0) {
        bool lines = writer->level[writer->depth - 1].style == JSON_LINES;
        if (writer->level[writer->depth - 1].used)
            buffer_text(writer->out, lines ? "," : ", ");
        if (lines)
            indent(writer);
        writer->level[writer->depth - 1].used = true;
    }
    if (key) {
        put_escaped(writer->out, key);
        buffer_text(writer->out, ": ");
    }
}

static void open_level(struct json_writer *writer, const char *key, enum json_style style, char opening, char closing) {
    const bool within_line = writer->depth > 0 && writer->level[writer->depth - 1].style == JSON_INLINE;
    lead(writer, key);
    buffer_put(writer->out, &opening, 1);
    writer->level[writer->depth].style = within_line ? JSON_INLINE : style;
    writer->level[writer->depth].used = false;
    writer->level[writer->depth].closing = closing;
    writer->depth++;
}

void json_open_object(struct json_writer *writer, const char *key, enum json_style style) {
    open_level(writer, key, style, '{', '}');
}

void json_open_array(struct json_writer *writer, const char *key, enum json_style style) {
    open_level(writer, key, style, '[', ']');
}

void json_end(struct json_writer *writer) {
    writer->depth--;
    if (writer->level[writer->depth].style == JSON_LINES && writer->level[writer->depth].used)
        indent(writer);
    buffer_put(writer->out, &writer->level[writer->depth].closing, 1);
    if (writer->depth == 0)
        buffer_text(writer->out, "\n");
}

void json_put_text(struct json_writer *writer, const char *key, const char *text) {
    lead(writer, key);
    put_escaped(writer->out, text);
}

char *json_format_number(char text[JSON_NUMBER_TEXT], double number) {
    if (number == 0)
        return strcpy(text, "0"); /* a negative zero, too */
    if (fabs(number) < 1e15 && number == floor(number)) {
        snprintf(text, JSON_NUMBER_TEXT, "%.0f", number);
        return text;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, JSON_NUMBER_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

void json_put_number(struct json_writer *writer, const char *key, double number) {
    char text[JSON_NUMBER_TEXT];
    lead(writer, key);
    buffer_text(writer->out, isfinite(number) ? json_format_number(text, number) : "null");
}

void json_put_whole(struct json_writer *writer, const char *key, uint64_t number) {
    lead(writer, key);
    buffer_printf(writer->out, "%llu", (unsigned long long)number);
}

void json_put_bool(struct json_writer *writer, const char *key, bool value) {
    lead(writer, key);
    buffer_text(writer->out, value ? "true" : "false");
}

void json_put_null(struct json_writer *writer, const char *key) {
    lead(writer, key);
    buffer_text(writer->out, "null");
}
