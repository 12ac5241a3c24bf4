/* bounds: bounds that were found, so that each is looked for once. One belongs to whoever asks for several outcomes of the
 * same work: a table of planners, fixes tried one by one, the viewer's worker. For one thread at a time. */
#ifndef SLACKSWAP_CORE_BOUNDS_H
#define SLACKSWAP_CORE_BOUNDS_H

#include "bound.h"

#define BOUNDS_MOST 16 /* remembered: of more, those looked for last */

struct bounds {
    uint32_t count, next;
    struct known_bound {
        const struct profile *profile; /* the same object: it outlives what is remembered of it */
        struct link link;
        uint64_t budget_bytes;
        bool quick;                    /* bound_quick's: a lower one */
        struct bound bound;
    } known[BOUNDS_MOST];              /* the first COUNT; all zero at first */
};

/* bound_compute's, remembered; BOUNDS NULL: nothing is. */
enum ss_status bounds_find(struct bounds *bounds, const struct profile *profile, const struct link *link,
                           uint64_t budget_bytes, struct bound *out, struct error *error);
/* That where it is known, bound_quick's otherwise. */
enum ss_status bounds_quick(struct bounds *bounds, const struct profile *profile, const struct link *link,
                            uint64_t budget_bytes, struct bound *out, struct error *error);
/* BOUND is bound_compute's. */
void bounds_note(struct bounds *bounds, const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                 const struct bound *bound);

#endif
