/* letters: names and words compared and looked for whatever their case. Only ASCII letters have one here, so that UTF-8 is left
 * as it is and no locale takes part. */
#ifndef SLACKSWAP_CORE_LETTERS_H
#define SLACKSWAP_CORE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

/* An ASCII capital as its small letter; any other byte as it is. */
char letter_lower(char c);
/* Whether TEXT begins with the LENGTH bytes at WORD, or has them anywhere. No bytes at all are in any text but, for the
 * second, in an empty one. */
bool letters_begin(const char *text, const char *word, size_t length);
bool letters_hold(const char *text, const char *word, size_t length);

#endif
