/* planning: from options to an outcome, and the clock that planners don't have. */
#ifndef SLACKSWAP_APP_PLANNING_H
#define SLACKSWAP_APP_PLANNING_H

#include "core/outcome.h"
#include "io/report.h"
#include "options.h"

/* A moment on the monotonic clock after which planning should stop. */
struct deadline { double at_us; }; /* INFINITY: never */
double clock_us(void);             /* microseconds since some moment, only ever growing */
/* For struct outcome_request: should_stop, with a struct deadline as its context. */
bool deadline_passed(void *deadline);

/* How long a planner may search when neither --plan-time nor --evals says so: a limit that only very large profiles meet. */
#define PLAN_TIME_DEFAULT_US 20e6

/* Plans and simulates with PLANNER as OPTIONS say, or replays PLAN when it is not NULL. BOUNDS: as in outcome_request. EXTRAS (NULL is allowed) gets what
 * a report should add; with --timing, how long planning took in all and how long one simulation of the plan takes. */
enum ss_status planning_run(const struct options *options, const struct profile *profile, const struct planner *planner,
                            const struct plan *plan, struct bounds *bounds, struct arena *arena, struct outcome *out,
                            struct report_extras *extras, struct error *error);

#endif
