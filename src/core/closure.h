/* closure: what it takes to run an op again (MODEL.md §3, ensure).
 *
 * Re-running op p needs its inputs. A managed input is kept, on the host, or recomputed for itself: whoever decided
 * that has paid for it. An input that is unmanaged but has a producer is gone after the forward pass and must be made
 * anew each time: its producer belongs to p's closure, and so on. The closure of an op therefore depends on the
 * profile alone, not on the plan. Arrays have profile.op_count entries and live in the arena. */
#ifndef SLACKSWAP_CORE_CLOSURE_H
#define SLACKSWAP_CORE_CLOSURE_H

#include "base.h"
#include "profile.h"

struct closure {
    bool *rerunnable;  /* nothing in the closure is barred from running twice: outputs may be recomputed */
    double *full_us;   /* the whole closure, run for this op alone; an op reached on two ways counts twice */
    double *share_us;  /* shares that may be summed over any of the ops that restore tensors in one chain, or in all of
                        * them, without exceeding what that takes; see closure_share.c */
};

enum ss_status closure_compute(struct closure *out, struct arena *arena, const struct profile *profile,
                               struct error *error);

/* share_us alone (closure_share.c); RERUNNABLE as above. Other shares for another DEAR, as valid: us a byte from which on a
 * re-run is most likely not worth while; INFINITY where that isn't known. */
enum ss_status closure_share(double **share_us, struct arena *arena, const struct profile *profile,
                             const bool *rerunnable, double dear, struct error *error);

/* May TENSOR be recomputed under a suitable plan: managed, not keep:true, producer rerunnable. */
static inline bool closure_allows(const struct closure *closure, const struct profile *profile, uint32_t tensor)
{
    const struct tensor *t = &profile->tensors[tensor];
    return t->managed && !t->keep && closure->rerunnable[t->producer];
}

#endif
