/* residuals: a step that really ran beside its simulation — what took longer, what came later, lane by lane.
 *
 * A measurement is one event with its times, in microseconds from the start of the step. It is matched with the event of
 * the same op and kind (the runs of a recompute in their order), or of the same tensor on the same lane. An event is late
 * by its measured end less its simulated end. Its residual is by how much it is later than the event before it on its
 * lane was: what it added to the delay itself, by taking longer or by waiting longer. The residuals of a lane add up to the
 * lateness of its last event. */
#ifndef SLACKSWAP_CORE_RESIDUALS_H
#define SLACKSWAP_CORE_RESIDUALS_H

#include "timeline.h"

struct measurement {
    uint8_t lane;             /* enum lane */
    uint8_t kind;             /* on LANE_COMPUTE: enum step_kind */
    uint32_t subject;         /* op on LANE_COMPUTE, tensor on the others */
    double start_us, end_us;  /* 0 <= start <= end, finite */
};

struct residual {
    struct event event;       /* in the simulation */
    double start_us, end_us;  /* as measured */
    double late_us;           /* measured end - simulated end */
    double longer_us;         /* of the residual: it took longer */
    double waited_us;         /* of the residual: it started later after the one before */
};
static inline double residual_of(const struct residual *residual) { return residual->longer_us + residual->waited_us; }

struct lane_residuals {
    struct residual *residuals; uint32_t count; /* largest first, whichever its sign */
    uint32_t unmeasured;      /* events of the simulation without a measurement */
    uint32_t unmatched;       /* measurements of what the simulation does not do */
    double late_us;           /* of the last event measured */
    double longer_us;         /* all events together took longer by */
    double mean_us;           /* mean distance of measured from simulated ends */
};
struct residuals { struct lane_residuals lane[LANE_COUNT]; };

/* OUT lives in ARENA. TIMELINE is of a feasible plan. */
enum ss_status residuals_compute(struct residuals *out, struct arena *arena, const struct timeline *timeline,
                                 const struct measurement *measurements, uint32_t count, struct error *error);

#endif
