#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 40

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Damerau and Levenshtein's distance, adjacent letters swapped at most once (optimal string alignment). */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][WORD_MAX + 1], length = strlen(b);
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= length; j++)
        last[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        now[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[length];
}

void suggest(struct suggestion *suggestion, const char *candidate) {
    size_t typed = strlen(suggestion->word), length = strlen(candidate);
    if (typed > WORD_MAX || length > WORD_MAX)
        return;
    /* What was cut short is nearest of all; half of a short word changed is no longer the same word. */
    bool cut_short = typed >= 3 && strncmp(suggestion->word, candidate, typed) == 0;
    size_t away = cut_short ? 0 : distance(suggestion->word, candidate);
    if (away > (length <= 3 ? 1u : length <= 6 ? 2u : 3u))
        return;
    if (!suggestion->best || away < suggestion->distance) {
        suggestion->best = candidate;
        suggestion->distance = away;
    }
}

char *suggestion_text(const struct suggestion *suggestion, const char *prefix, char text[80]) {
    text[0] = '\0';
    if (suggestion->best)
        snprintf(text, 80, " (did you mean '%s%s'?)", prefix, suggestion->best);
    return text;
}
