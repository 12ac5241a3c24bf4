/* demand: which steps still need room while a planner makes up its mind.
 *
 * Before any recompute step is known, a plan's requirement is read off the 2n steps of the schedule that keeps
 * everything (residency.h): taking a tensor away, whatever way, frees its bytes from after its last forward use to
 * before its first backward use. That is exact for offloading; for recomputing the schedule has the last word.
 * A segment tree: add to a range, ask for the maximum of one, both in log n. */
#ifndef SLACKSWAP_CORE_DEMAND_H
#define SLACKSWAP_CORE_DEMAND_H

#include "base.h"
#include "profile.h"

struct demand {
    const struct profile *profile;
    uint32_t size;             /* leaves, a power of two */
    int64_t *highest, *added;  /* bytes */
    int64_t *fresh;            /* highest[] with everything kept */
};

/* All kept; lives in ARENA. */
enum ss_status demand_init(struct demand *demand, struct arena *arena, const struct profile *profile,
                           struct error *error);
void demand_reset(struct demand *demand);
int64_t demand_peak(const struct demand *demand);
/* The first step that needs that much. */
uint32_t demand_peak_step(const struct demand *demand);
/* The most that is needed at a step where TENSOR could be away; INT64_MIN when there is no such step. */
int64_t demand_without(const struct demand *demand, uint32_t tensor);
/* Could TENSOR be away at STEP? */
bool demand_away_at(const struct demand *demand, uint32_t tensor, uint32_t step);
void demand_take_away(struct demand *demand, uint32_t tensor);
void demand_put_back(struct demand *demand, uint32_t tensor);

#endif
