/* wrap: lines that fit. */
#ifndef SLACKSWAP_VIEW_WRAP_H
#define SLACKSWAP_VIEW_WRAP_H

#include <stddef.h>

/* Bytes of TEXT that fit in COLUMNS, BYTES at most, cut after a blank where there is one; at least one character. */
size_t wrap_line(const char *text, int columns, size_t bytes);
/* As many of TEXT's words as fit in COLUMNS with MORE, which says that it goes on, behind them; OUT has SIZE bytes. */
void wrap_cut(char *out, size_t size, const char *text, int columns, const char *more);

#endif
