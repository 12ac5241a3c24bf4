/* bound_whole: the bound at one step with whole tensors and whole re-runs instead of fractions (bound.c, item 6). */
#ifndef SLACKSWAP_CORE_BOUND_WHOLE_H
#define SLACKSWAP_CORE_BOUND_WHOLE_H

#include "bound.h"
#include "closure.h"

/* What is known of the step, see bound.c. */
struct whole_step {
    uint32_t step;                  /* in the schedule that keeps everything */
    uint64_t excess_bytes;          /* D */
    double before, duration, after; /* us */
};

/* The least step time that whole tensors allow, without fixed_us, and what binds it; 0 when the profile is too large for
 * it to be worth the time. */
enum ss_status bound_whole(const struct profile *profile, const struct link *link, const struct closure *closure,
                           const struct whole_step *at, double *out_us, enum bound_binding *binding,
                           struct error *error);

#endif
