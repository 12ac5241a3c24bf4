/* bound_single: the bound that one step sets by itself, of all steps the highest (bound.c, items 1 to 5). */
#ifndef SLACKSWAP_CORE_BOUND_SINGLE_H
#define SLACKSWAP_CORE_BOUND_SINGLE_H

#include "bound.h"
#include "bound_whole.h"
#include "closure.h"

/* REQUIREMENT: step of the unlimited schedule -> bytes. */
struct single_terms {
    const struct profile *profile;
    const struct link *link;
    const struct closure *closure;
    const uint64_t *requirement;
    uint64_t budget;
};

/* The step that binds most, step NONE when all fit; and DEAR, us a byte: what costs more to run again is moved there, or
 * kept. */
struct tightest { struct whole_step at; double dear; };

/* Raises OUT where it can. SINGLE_US: step -> how long the plan's step takes at least because of it alone; 0 where it
 * fits. O(n log n). */
enum ss_status bound_single(const struct single_terms *terms, struct arena *arena, double *single_us, struct bound *out,
                            struct tightest *tightest, struct error *error);

#endif
