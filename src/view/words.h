/* words: what happened, said in English — for the inspector, and for whoever else needs sentences. */
#ifndef SLACKSWAP_VIEW_WORDS_H
#define SLACKSWAP_VIEW_WORDS_H

#include "core/timeline.h"

#define WORDS_BYTES 1024
/* A text that is put together piece by piece; what does not fit is left out at a piece's edge. */
struct words {
    char text[WORDS_BYTES];
    size_t length;
    bool ascii; /* only ASCII beside the profile's own names */
};

void words_start(struct words *words, bool ascii);
void words_add(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const char *const STEP_WORD[STEP_KIND_COUNT]; /* "forward", "recompute", "backward" */

/* "B L3.fc1", "D2H(L3.gelu)", "H2D(L3.gelu)". */
void words_event(struct words *words, const struct timeline *timeline, struct event event);
/* "backward L3.fc1", "H2D of L3.gelu" and, when it stalled, "waits 2.31 ms". */
void words_title(struct words *words, const struct timeline *timeline, struct event event);
/* Why EVENT started when it did, as one clause or a chain of them. */
void words_why(struct words *words, const struct timeline *timeline, struct event event);
/* "B L3.fc1 ◀ H2D(L3.gelu) ◀ …": at most COUNT links, ending where the chain is nothing but the order of steps. */
void words_chain(struct words *words, const struct timeline *timeline, struct event event, int count);
/* "5.31 GiB in use: kept 3.10 GiB, draining …" at the sample. */
void words_memory(struct words *words, const struct timeline *timeline, uint32_t sample);
/* The tensors that a step reads or makes, with bytes and action. */
void words_tensors(struct words *words, const struct timeline *timeline, uint32_t step);
/* Where an infeasible plan lacks room: "needs 5.9 GiB at B head.linear (layer head), 0.4 GiB more than the budget". */
void words_lack(struct words *words, const struct timeline *timeline);

/* The stall before STEP, or NULL. */
const struct stall *timeline_stall_of(const struct timeline *timeline, uint32_t step);

#endif
