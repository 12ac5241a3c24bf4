/* bound: no plan can be faster than this (MODEL.md §6). A function of profile, budget and link only: the same for
 * every planner, also when a plan is infeasible. The argument for each term stands in bound.c. */
#ifndef SLACKSWAP_CORE_BOUND_H
#define SLACKSWAP_CORE_BOUND_H

#include "base.h"
#include "link.h"
#include "profile.h"

/* The room at a step binds where that step needs much less than the peak, yet what is needed again right behind it can't
 * come back in time. */
enum bound_binding { BINDING_IDEAL, BINDING_D2H_WINDOW, BINDING_H2D_WINDOW, BINDING_RECOMPUTE, BINDING_ROOM, BINDING_COUNT };
extern const char *const BINDING_NAME[BINDING_COUNT]; /* "ideal", "D2H window", "H2D window", "recompute", "room" */

struct bound {
    double bound_us;             /* >= ideal_us, fixed_us included */
    enum bound_binding binding;  /* what binds: tells the user which knob to turn */
    uint32_t step_op;            /* the op at whose step it binds, or NONE */
    uint8_t step_kind;           /* enum step_kind of that step in the unlimited schedule */
};

/* What every budget shares: the unlimited schedule and the least budget. */
struct limits {
    uint64_t unlimited_peak_bytes; /* max req(k) with everything kept */
    uint64_t least_bytes;          /* max req of the plan that offloads all it may: below it nothing is feasible */
    uint32_t least_op; uint8_t least_kind; /* the step that needs it */
};
enum ss_status limits_compute(const struct profile *profile, struct limits *out, struct error *error);
enum ss_status bound_compute(const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                             struct bound *out, struct error *error);
/* A bound as well, lower or the same: what is found in a few milliseconds, to be shown beside a plan while the other is
 * looked for. */
enum ss_status bound_quick(const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                           struct bound *out, struct error *error);

#endif
