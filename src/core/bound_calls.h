/* bound_calls: what runs again calls back early what it reads (bound.c, item 7): a leaver that an op's closure reads is on
 * the GPU from the step before which that op runs again, not only from its own first use. */
#ifndef SLACKSWAP_CORE_BOUND_CALLS_H
#define SLACKSWAP_CORE_BOUND_CALLS_H

#include "bound_windows.h"

/* Going down the list of what H2D brings back after one step: calls so far, and how many bytes they add, as likely as they
 * are, less what is recomputed of them. */
struct calls_tally { uint32_t next, step; double bytes; };

/* Lists the calls that ODDS make likely, for plans that PREMISES hold for. O(ops + reads). */
void calls_list(struct windows *windows, const struct premises *premises, const struct odds *odds);
/* For what is away at STEP. */
struct calls_tally calls_begin(struct windows *windows, uint32_t step);
/* Goes on to a window that ends with leaver LAST. */
void calls_reach(struct calls_tally *tally, struct windows *windows, uint32_t last);
/* Adds to PATH the calls of HOP, its latest, by leaver; as many as there is room for. */
void calls_trace(const struct windows *windows, struct path *path, struct hop *hop);
/* Is leaver L among the calls of HOP? */
bool calls_have(const struct path *path, const struct hop *hop, uint32_t l);

#endif
