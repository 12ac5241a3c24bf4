/* kineto_measured: what the GPU of a traced step did, lane by lane (core/measured.h). */
#ifndef SLACKSWAP_IO_KINETO_MEASURED_H
#define SLACKSWAP_IO_KINETO_MEASURED_H

#include "core/measured.h"
#include "kineto_trace.h"

/* WORK: COUNT numbers of trace.kernels, those of the step, which took STEP_NS. OUT lives in ARENA. Kernels on several
 * streams are one lane; copies within the GPU, and fills, are kernels. */
enum ss_status kineto_measure(const struct kineto_trace *trace, const uint32_t *work, uint32_t count, int64_t step_ns,
                              struct arena *arena, struct measured **out, struct error *error);

#endif
