#include "sanitise.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

size_t utf8_decode(const char *text, unsigned long *code) {
    const unsigned char *at = (const unsigned char *)text;
    static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC0 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF8 ? 4 : 0;
    if (length == 0 || at[0] == 0)
        return 0;
    unsigned long number = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0; /* the terminator, too */
        number = number << 6 | (at[i] & 0x3Fu);
    }
    if (number < least[length] || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF))
        return 0;
    *code = number;
    return length;
}

/* Ranges of characters that control a terminal, turn the writing direction, break a line or show nothing. */
static const struct { unsigned long first, last; } HARMFUL[] = {
    { 0x00, 0x1F },     { 0x7F, 0x9F },     { 0xAD, 0xAD },     { 0x61C, 0x61C },     { 0x180E, 0x180E },
    { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xFEFF, 0xFEFF },   { 0xFFF0, 0xFFFB },
    { 0xFFFE, 0xFFFF }, { 0xE0000, 0xE0FFF },
};

static bool is_harmful(unsigned long code) {
    for (size_t i = 0; i < sizeof HARMFUL / sizeof *HARMFUL; i++)
        if (code >= HARMFUL[i].first && code <= HARMFUL[i].last)
            return true;
    return false;
}

char *sanitise(char *out, size_t size, const char *text) {
    size_t used = 0;
    while (*text) {
        unsigned long code = 0;
        size_t length = utf8_decode(text, &code);
        bool harmful = length == 0 || is_harmful(code);
        const char *shown = harmful ? REPLACEMENT : text;
        size_t bytes = harmful ? sizeof REPLACEMENT - 1 : length;
        if (used + bytes + 1 > size)
            break;
        memcpy(out + used, shown, bytes);
        used += bytes;
        text += length ? length : 1;
    }
    out[used] = '\0';
    return out;
}
