/* compare_words: what the Compare view says, for its drawing and for its narration alike. */
#ifndef SLACKSWAP_VIEW_COMPARE_WORDS_H
#define SLACKSWAP_VIEW_COMPARE_WORDS_H

#include "core/units.h"
#include "view_compare.h"

/* "planner refine", "the current plan, by refine", "the plan of old.json, by refine". ANSWER may be NULL. */
char *compare_side_words(const struct view_state *state, const struct scene *scene, const struct compare_answer *answer,
                         int side, char *text, size_t size);
/* With what a side is played, and what comes of it: "5.38 GiB  pcie3-x16 12.5 GB/s  h100-sxm  219.7 ms", the budget and
 * rates that all know left out where only COLUMNS are there. */
char *compare_side_note(const struct view_state *state, const struct compare_answer *answer, int side, int columns,
                        char *text, size_t size);

/* A row of the totals: a label, the figure of A, that of B, and B - A. */
struct compare_row { const char *label; char text[3][UNIT_TEXT]; };
/* The N-th row, the most telling first; false after the last. */
bool compare_row_at(const struct difference *difference, uint32_t n, struct compare_row *out);

/* "memory, B - A: at most +106 MiB at 123.7 ms, at least -399 MiB at 72.5 ms". Both plans fit. */
char *compare_memory_words(const struct difference *difference, char *text, size_t size);
/* What became of LAYER's tensors: "keep→offload 62.5 MiB (fc1, gelu); …". */
char *compare_change_words(const struct scene *scene, const struct difference *difference, const struct changed_layer *layer,
                           bool ascii, char *text, size_t size);

#endif
