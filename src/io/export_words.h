/* export_words: what exports call steps, transfers and causes. Kind first ("bwd L07.fc1"), because viewers of traces colour
 * by name. Names stand as they are in the profile; whoever writes them escapes them. */
#ifndef SLACKSWAP_IO_EXPORT_WORDS_H
#define SLACKSWAP_IO_EXPORT_WORDS_H

#include "buffer.h"
#include "core/timeline.h"

extern const char *const STEP_SHORT[STEP_KIND_COUNT];  /* "fwd", "rec", "bwd" */
extern const char *const CAUSE_NAME[CAUSE_KIND_COUNT]; /* "order", "landed", …: one word each */

/* "fwd L07.fc1", "D2H L07.out": in WORDS, which is emptied first and which the caller frees; never NULL. */
const char *event_name(struct buffer *words, const struct timeline *timeline, struct event event);
/* Why EVENT started when it did, in a few words and without going back further: "after fwd L07.fc1", "H2D L07.out landed".
 * CAUSE is the same as one of CAUSE_NAME. WORDS as above. */
const char *event_cause(struct buffer *words, const struct timeline *timeline, struct event event, const char **cause);

/* The sample that tells the memory in use from sample INDEX on: INDEX, or, while a step waits, an earlier one, for what the
 * step needs is not yet taken. So no more than peak_bytes is ever in use. Start with LATEST (the last sample with a running
 * step) NULL, and go through the samples in order. */
const struct memory_sample *memory_in_use(const struct timeline *timeline, uint32_t index,
                                          const struct memory_sample **latest);

#endif
