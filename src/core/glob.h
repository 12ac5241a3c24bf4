/* glob: patterns as a shell writes them, for names of tensors and layers.
 *
 * "*" stands for any characters (dots too) or none, "?" for one character, "[a-z0]" for one of those, "[!a-z]" for one
 * that is none of those. A "[" without its "]" stands for itself. Names are UTF-8. */
#ifndef SLACKSWAP_CORE_GLOB_H
#define SLACKSWAP_CORE_GLOB_H

#include <stdbool.h>

/* Whether TEXT has characters that a pattern gives a meaning. */
bool glob_is_pattern(const char *text);
/* Whether PATTERN describes all of NAME. Never worse than length of PATTERN times length of NAME. */
bool glob_matches(const char *pattern, const char *name);

#endif
