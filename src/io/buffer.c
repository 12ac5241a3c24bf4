#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for LENGTH more bytes and a NUL behind what is there, or NULL. */
static char *reserve(struct buffer *buffer, size_t length) {
    if (buffer->failed || length > SIZE_MAX / 4 - buffer->length) {
        buffer->failed = true;
        return NULL;
    }
    if (buffer->length + length + 1 > buffer->room) {
        size_t room = (buffer->length + length + 1) * 2;
        char *text = realloc(buffer->text, room);
        if (!text) {
            buffer->failed = true;
            return NULL;
        }
        buffer->text = text;
        buffer->room = room;
    }
    return buffer->text + buffer->length;
}

void buffer_put(struct buffer *buffer, const char *data, size_t length) {
    char *end = reserve(buffer, length);
    if (!end)
        return;
    memcpy(end, data, length);
    end[length] = '\0';
    buffer->length += length;
}

void buffer_text(struct buffer *buffer, const char *text) { buffer_put(buffer, text, strlen(text)); }

void buffer_printf(struct buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *end = length < 0 ? NULL : reserve(buffer, (size_t)length);
    if (!end) {
        buffer->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf(end, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}

enum ss_status buffer_status(const struct buffer *buffer, struct error *error) {
    return buffer->failed ? error_no_memory(error) : SS_OK;
}

void buffer_free(struct buffer *buffer) {
    free(buffer->text);
    *buffer = (struct buffer){ 0 };
}
