/* sanitise: text that came from a file, made harmless to look at (INTERFACE.md §4).
 *
 * Control bytes (C0, C1, DEL), broken UTF-8, bidirectional overrides, line separators and characters that show nothing
 * become U+FFFD each, so that a name can neither drive a terminal nor reorder or break the line it stands in. */
#ifndef SLACKSWAP_CORE_SANITISE_H
#define SLACKSWAP_CORE_SANITISE_H

#include <stddef.h>

#define SANITISED_BYTES(length) (3 * (size_t)(length) + 1) /* room enough for any text of LENGTH bytes */

/* Copies TEXT into OUT (SIZE bytes, at least 1, terminated), replaced as above; what does not fit is left out from a
 * whole character on. OUT may not overlap TEXT. Returns OUT. */
char *sanitise(char *out, size_t size, const char *text);

/* The bytes of the valid UTF-8 character at the start of TEXT (NUL-terminated), its number in CODE; 0 when there is
 * none: at the end, a stray or overlong byte, a surrogate, a number above U+10FFFF. */
size_t utf8_decode(const char *text, unsigned long *code);

#endif
