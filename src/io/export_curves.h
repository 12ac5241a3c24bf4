/* export_curves: what a grid of budgets, links and planners comes to, as a picture: the step's time over the budget, and,
 * where there are several rates, over the bandwidth, beside the bound and the ideal. */
#ifndef SLACKSWAP_IO_EXPORT_CURVES_H
#define SLACKSWAP_IO_EXPORT_CURVES_H

#include "buffer.h"
#include "core/sweep.h"
#include "palette.h"

struct curve_point {
    bool fits;
    double step_us, recompute_us; /* where it fits */
    double bound_us;
    double bandwidth;             /* the link's host-to-device rate, GB/s */
};

struct curves {
    const struct profile *profile;
    const struct sweep *sweep;
    struct limits limits;
    struct curve_point *points;   /* as sweep numbers them */
};

void export_curves(struct buffer *out, const struct curves *curves, const struct look *look);

#endif
