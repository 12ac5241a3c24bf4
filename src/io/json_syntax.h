/* json_syntax: is a text JSON (RFC 8259), and if not, where and why not?
 *
 * cJSON says only that a parse failed, and lets pass what is no JSON (control bytes, 007, a text over two lines). This
 * check stands before it: all that passes here cJSON can parse as it is meant. */
#ifndef SLACKSWAP_IO_JSON_SYNTAX_H
#define SLACKSWAP_IO_JSON_SYNTAX_H

#include "core/base.h"

#define JSON_DEPTH_MOST 100
#define JSON_NUMBER_MOST 63 /* characters of a number: cJSON cuts longer ones */

/* Checks TEXT (LENGTH bytes, TEXT[LENGTH] is NUL). SS_BAD_INPUT with place "line L, column C" (column: bytes from 1) and
 * "expected …, found …". */
enum ss_status json_check_syntax(const char *text, size_t length, struct error *error);

#endif
