/* wrap: lines that fit. */
#ifndef SLACKSWAP_VIEW_WRAP_H
#define SLACKSWAP_VIEW_WRAP_H

#include <stddef.h>

/* Bytes of TEXT that fit in COLUMNS, BYTES at most, cut after a blank where there is one; at least one character. */
size_t wrap_line(const char *text, int columns, size_t bytes);

#endif
