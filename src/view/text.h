/* text: UTF-8 as it is seen — decoding, width in columns, making names harmless, cutting to fit.
 *
 * Text that came from a file is data: control characters, bidirectional overrides and broken UTF-8 are shown as
 * U+FFFD and never reach a terminal. */
#ifndef SLACKSWAP_VIEW_TEXT_H
#define SLACKSWAP_VIEW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One grapheme: a base character with the combining marks that follow it. */
struct grapheme {
    const char *text;  /* as it may be shown: points into the input, or at a replacement */
    size_t length;     /* bytes of text */
    int width;         /* columns: 1 or 2 */
};

/* Takes the next grapheme from *CURSOR (NUL-terminated) and moves *CURSOR past it; false at the end. */
bool text_next(const char **cursor, struct grapheme *out);
/* Columns that TEXT takes. */
int text_width(const char *text);

enum text_cut { CUT_END, CUT_MIDDLE, CUT_START };
/* Copies TEXT into OUT (SIZE bytes, terminated), cut to at most COLUMNS columns with "…" (ASCII: ".") where something
 * is left out. Returns OUT. */
char *text_fit(char *out, size_t size, const char *text, int columns, enum text_cut cut, bool ascii);
/* Encodes CODE (a valid character) into OUT; returns its bytes. */
size_t text_encode(uint32_t code, char out[4]);

#endif
