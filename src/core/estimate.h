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
/* When the last tensor that leaves before the step that needs most has left, less when that step could start: the
 * D2H queue played through, linear. */
double estimate_lateness(const struct estimate *estimate);
/* Recompute and transfer time that compute can't hide, us, with D2H late by LATENESS. */
double estimate_cost(const struct estimate *estimate, double lateness);
/* What bytes and time to spare are worth: negative when there are any. PRICE in us a byte is what the dearest
 * recomputed bytes cost; without this a search sees no difference until a whole item has found room. */
double estimate_spare(const struct estimate *estimate, double lateness, double price);
/* The lateness if D2H never idles: in constant time, and never more. */
static inline double estimate_least_lateness(const struct estimate *estimate) {
    return estimate->out_us - estimate->layout->out_us;
}
/* Price of the dearest tenth of the bytes that are recomputed. */
double estimate_price(const struct estimate *estimate, const struct item_order *order);

#endif
