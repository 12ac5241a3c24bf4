/* words: what happened, said in English — for reports, explanations and the viewer's inspector. */
#ifndef SLACKSWAP_CORE_WORDS_H
#define SLACKSWAP_CORE_WORDS_H

#include "stalls.h"
#include "timeline.h"

/* How sentences show names and signs: a screen cuts names to its columns and may have more than ASCII. */
struct voice {
    const char *back, *more, *dash; /* "waited for", "and so on", between two times */
    const char *becomes, *at_least; /* between what was and what will be; before the least that does */
    char *(*fit)(char *out, size_t size, const char *name); /* NAME made harmless, in SIZE bytes; returns OUT */
};
/* ASCII signs; names made harmless, the end of very long ones left out. */
extern const struct voice VOICE_PLAIN;

#define NAME_BYTES 160 /* room enough for what fit makes of a name */
/* NAME as VOICE_PLAIN shows it, in OUT. */
char *name_fit(char out[NAME_BYTES], const char *name);

#define WORDS_BYTES 1024
/* A text that is put together piece by piece; what does not fit is left out at a piece's edge. */
struct words {
    char text[WORDS_BYTES];
    size_t length;
    const struct voice *voice;
};

void words_start(struct words *words, const struct voice *voice);
/* BEFORE, NAME as the voice shows it, AFTER: one piece. */
void words_name(struct words *words, const char *before, const char *name, const char *after);
void words_add(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const char *const STEP_WORD[STEP_KIND_COUNT]; /* "forward", "recompute", "backward" */

/* "B L3.fc1", "D2H(L3.gelu)", "H2D(L3.gelu)". */
void words_event(struct words *words, const struct timeline *timeline, struct event event);
/* "backward L3.fc1", "H2D of L3.gelu" and, when it stalled, "waits 2.31 ms". */
void words_title(struct words *words, const struct timeline *timeline, struct event event);
/* Why EVENT started when it did, as one clause or a chain of them. */
void words_why(struct words *words, const struct timeline *timeline, struct event event);
/* Why EVENT did not start sooner, in one clause in which it is called WHAT: "it waits 2.31 ms for H2D(L3.gelu) to
 * land". */
void words_cause(struct words *words, const char *what, const struct timeline *timeline, struct event event);
/* "B L3.fc1 ◀ H2D(L3.gelu) ◀ …": at most COUNT links, ending where the chain is nothing but the order of steps. */
void words_chain(struct words *words, const struct timeline *timeline, struct event event, int count);
/* "287.130 – 293.402 ms, takes 6.27 ms". */
void words_when(struct words *words, const struct timeline *timeline, struct event event);
/* What a transfer is for, and whether it was in time: "comes back for B L3.fc1, 2.1 ms before it starts". */
void words_use(struct words *words, const struct timeline *timeline, struct event event);
/* "5.31 GiB in use: kept 3.10 GiB, draining …" at the sample. */
void words_memory(struct words *words, const struct timeline *timeline, uint32_t sample);
/* The tensors that a step reads or makes, with bytes and action. */
void words_tensors(struct words *words, const struct timeline *timeline, uint32_t step);
/* Where an infeasible plan lacks room: "needs 5.9 GiB at B head.linear (layer head), 0.4 GiB more than the budget". */
void words_lack(struct words *words, const struct timeline *timeline);

#endif
