/* demand: which steps still need room while a planner makes up its mind.
 *
 * Before any recompute step is known, a plan's requirement is read off the 2n steps of the schedule that keeps
 * everything (residency.h): taking a tensor away, whatever way, frees its bytes from after its last forward use to
 * before its first backward use. That is exact for offloading; for recomputing the schedule has the last word.
 *
 * A tree of maxima, in which each node holds how far it lies above or below its parent: adding to a range and asking
 * for the maximum of one take one walk from the leaves to the root, log n. Most tensors cross the step that needs most
 * and most are taken away while it still needs more than is there. So one such step is watched, its bytes known at any
 * time, and the tree waits: what was taken away meanwhile is added when it is asked, one by one or, cheaper when there
 * is much of it, all at once. */
#ifndef SLACKSWAP_CORE_DEMAND_H
#define SLACKSWAP_CORE_DEMAND_H

#include "base.h"
#include "profile.h"

struct demand {
    const struct profile *profile;
    uint32_t size;             /* leaves, a power of two */
    uint32_t watched;          /* a step that needed most when the tree was asked last */
    int64_t watched_bytes;     /* what it needs now */
    int64_t *rise;             /* node -> its maximum less its parent's: one of two siblings has 0; root: the maximum */
    int64_t *fresh;            /* rise[] with everything kept */
    int64_t *kept;             /* step -> bytes with everything kept */
    int64_t *taken;            /* step -> bytes taken away from it on, less those from the step before on */
    uint32_t *waiting; uint32_t waiting_count; /* tensors taken away that the tree does not know yet */
};

/* All kept; lives in ARENA. */
enum ss_status demand_init(struct demand *demand, struct arena *arena, const struct profile *profile,
                           struct error *error);
void demand_reset(struct demand *demand);
int64_t demand_peak(struct demand *demand);
/* The first step that needs that much. */
uint32_t demand_peak_step(struct demand *demand);
/* Does any step need more than TARGET? The step watched does if so. */
bool demand_exceeds(struct demand *demand, int64_t target);
/* The most that is needed at a step where TENSOR could be away; INT64_MIN when there is no such step. */
int64_t demand_without(struct demand *demand, uint32_t tensor);
/* Could TENSOR be away at STEP? */
bool demand_away_at(const struct demand *demand, uint32_t tensor, uint32_t step);
/* Each tensor at most once between two resets. */
void demand_take_away(struct demand *demand, uint32_t tensor);

#endif
