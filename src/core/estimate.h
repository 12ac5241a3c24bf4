/* estimate: what a plan will cost, kept up to date change by change in constant time — so that a search can throw away
 * most of its ideas before it lays them out and simulates them.
 *
 * At the step that needs most (with everything kept) enough bytes must be away; each plan that fits has at least
 * `short_of` = 0 there, as bound.c argues. Its step takes at least the compute time, what is recomputed, and what
 * moving the offloaded tensors takes beyond the time before and after that step. */
#ifndef SLACKSWAP_CORE_ESTIMATE_H
#define SLACKSWAP_CORE_ESTIMATE_H

#include "layout.h"

struct unit_figures {
    double out_us, back_us;    /* to move it over the link */
    int64_t away_bytes;        /* what taking it away frees at the step that needs most */
    uint32_t item;
};

/* A tensor on its way out: when it exists, and how long its copy takes. */
struct outgoing { double release_us, copy_us; uint32_t unit; };

struct estimate {
    struct layout *layout;
    struct outgoing *outgoing; uint32_t outgoing_count; /* in D2H order; those that can be away at the peak */
    struct unit_figures *figures; /* by unit */
    uint8_t *action;              /* by unit: enum action */
    uint32_t *rerun;              /* by item: units of it that are recomputed */
    double recompute_us, out_us, back_us;
    int64_t away_bytes, needed_bytes;
};

/* Figures of every unit; the plan starts with everything kept. */
enum ss_status estimate_init(struct estimate *estimate, struct layout *layout, struct arena *arena,
                             struct error *error);
/* Follows a change of UNIT's action; the plan itself is not touched. */
void estimate_change(struct estimate *estimate, uint32_t unit, enum action action);
/* Bytes missing at the step that needs most; <= 0 when there are enough. */
static inline int64_t estimate_shortage(const struct estimate *estimate) {
    return estimate->needed_bytes - estimate->away_bytes;
}
/* Recompute and transfer time that compute can't hide, us. */
double estimate_cost(const struct estimate *estimate);
/* The same with the D2H queue played through: linear, and never less. */
double estimate_queued_cost(const struct estimate *estimate);

#endif
