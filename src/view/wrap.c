/* wrap: see wrap.h. */
#include "wrap.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

size_t wrap_line(const char *text, int columns, size_t bytes) {
    const char *at = text, *blank = NULL;
    struct grapheme grapheme;
    int used = 0;
    while (*at != '\0') {
        const char *before = at;
        text_next(&at, &grapheme);
        used += grapheme.width;
        if (used > columns || (size_t)(at - text) > bytes)
            return (size_t)((blank != NULL ? blank : before > text ? before : at) - text);
        if (*before == ' ')
            blank = at;
    }
    return (size_t)(at - text);
}

void wrap_cut(char *out, size_t size, const char *text, int columns, const char *more) {
    const int room = columns - text_width(more);
    size_t length = room > 0 ? wrap_line(text, room, size - 1 - strlen(more)) : 0;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(out, size, "%.*s%s", (int)length, text, more);
}
