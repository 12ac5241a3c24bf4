/* sweep_run: the points of a grid planned by several threads and taken up in order, each leaning on the one below it in its
 * column (core/sweep.h), so that neither --jobs nor --shard changes a byte. */
#ifndef SLACKSWAP_APP_SWEEP_RUN_H
#define SLACKSWAP_APP_SWEEP_RUN_H

#include "core/sweep.h"
#include "io/report.h"
#include "options.h"

struct sweep_run {
    const struct options *options;
    const struct profile *profile;
    const struct sweep *sweep;
    uint32_t first, end;        /* the points to plan */
    /* Takes up point N of the grid, on the caller's thread; OUTCOME lives as long as the call. */
    enum ss_status (*take)(void *context, uint32_t n, const struct outcome *outcome, const struct report_extras *extras,
                           struct error *error);
    void *context;
    bool any_fits;              /* afterwards: whether any point has a plan that fits */
};

/* Lays out what OPTIONS ask for into SWEEP, which lives in ARENA: what they leave open is SWEEP_BUDGETS_DEFAULT, the link as
 * it is, the default planner. */
enum ss_status sweep_lay_out(struct sweep *sweep, const struct options *options, const struct profile *profile,
                             struct arena *arena, struct error *error);
enum ss_status sweep_run(struct sweep_run *run, struct error *error);

#endif
