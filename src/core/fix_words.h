/* fix_words: what a fix changes and what that gives, in words. */
#ifndef SLACKSWAP_CORE_FIX_WORDS_H
#define SLACKSWAP_CORE_FIX_WORDS_H

#include "findings.h"
#include "words.h"

/* "L10.gelu recompute -> keep", "L3.fc1 prefetch 2 -> 7 steps"; the arrow is the voice's. */
void words_change(struct words *words, const struct profile *profile, const struct change *change);
/* The changes, at most MOST of them: "L10.gelu recompute -> keep, L11.gelu recompute -> keep and 3 more". */
void words_changes(struct words *words, const struct profile *profile, const struct change *change, uint32_t count,
                   uint32_t most);
/* All of FIX: "L10.gelu recompute -> keep: step 218.3 ms (-1.20 ms), peak 5.37 GiB (+50.0 MiB)". */
void words_fix(struct words *words, const struct profile *profile, const struct fix *fix);
/* What it leads to: "step 218.3 ms (-1.20 ms), peak 5.37 GiB (+50.0 MiB)", "needs 5.90 GiB: too much". */
void words_fix_result(struct words *words, const struct fix *fix);

#endif
