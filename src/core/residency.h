/* residency: how much memory the two plans without recomputation need at each step — everything kept, and everything
 * offloaded that may be. Both have 2n steps: F(0)…F(n-1), B(n-1)…B(0). MODEL.md §3. */
#ifndef SLACKSWAP_CORE_RESIDENCY_H
#define SLACKSWAP_CORE_RESIDENCY_H

#include "base.h"
#include "profile.h"

static inline uint32_t backward_step_of(const struct profile *profile, uint32_t op)
{
    return 2 * profile->op_count - 1 - op;
}
/* First and last backward use of a managed tensor in such a schedule. */
uint32_t residency_first_use(const struct profile *profile, const struct tensor *tensor);
uint32_t residency_last_use(const struct profile *profile, const struct tensor *tensor);

/* When, at the ideal pace, the first copy of any tensor that may leave exists, and how much compute follows the first
 * backward use of the one needed back last: no transfer fits outside. Zeros when nothing may leave. */
struct residency_edges { double release_us, tail_us; };
struct residency_edges residency_edges(const struct profile *profile);

/* req(k) of all 2n steps, in ARENA. */
enum ss_status residency_compute(uint64_t **requirement, struct arena *arena, const struct profile *profile,
                                 bool offload_all, struct error *error);

#endif
