/* whatif_words: what the What-if view found, in words. */
#ifndef SLACKSWAP_VIEW_WHATIF_WORDS_H
#define SLACKSWAP_VIEW_WHATIF_WORDS_H

#include "core/units.h"
#include "view_whatif.h"

/* "5.38 GiB", "25.0 GB/s". */
char *whatif_format_at(char text[UNIT_TEXT], enum whatif_axis axis, double at);
/* "free from 31.0 GB/s"; false when there is nothing to say yet. */
bool whatif_knee_words(const struct whatif_curve *curve, enum whatif_axis axis, enum whatif_knee_kind kind, char *text,
                       size_t size);
/* The N-th sentence (from 0) about all that is known; false when there is none more. */
bool whatif_sentence(const struct view_state *state, const struct scene *scene, uint32_t n, char *text, size_t size);

#endif
