/* measured: what a recording saw a GPU do in the step that a profile was made of. Nothing is computed from it: it stands
 * beside a simulation, for people to compare. A profile carries it as a member more, "measured", that readers may pass over.
 *
 * Times are microseconds from the first thing that the GPU did in the step. */
#ifndef SLACKSWAP_CORE_MEASURED_H
#define SLACKSWAP_CORE_MEASURED_H

#include "base.h"
#include "lane.h"

/* Kernels that all but touch are one slice. BYTES: what a copy moved, 0 where the recording does not say; kernels have none. */
struct measured_slice { double start_us, duration_us; uint64_t bytes; };

struct measured {
    double step_us; /* of the whole step, as the thread that drove it saw it */
    const struct measured_slice *slices[LANE_COUNT]; /* ascending, none within another */
    uint32_t count[LANE_COUNT];
};

struct measured_sum { double busy_us; uint64_t bytes; };
struct measured_sum measured_sum(const struct measured *measured, enum lane lane);

#endif
