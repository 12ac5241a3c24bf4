/* import_kineto: profiles out of torch.profiler traces (Chrome JSON, plain or gzip), one op a forward op that has a
 * backward. kineto_link.h says how ops, kernels and bytes are found.
 *
 * Times are the kernels' (without a GPU, the ops'). What else the GPU did in the step is fixed_us, nccl kernels left out:
 * they run beside the rest.
 *
 * Sizes. Where [memory] was recorded, what an op retains is its output and what it makes for its backward; the output's
 * size is that of the first input behind it that may be it, the rest is a tensor NAME.saved. Otherwise sizes are those of
 * the inputs' shapes and types, and masks and indices are taken from the kind of op (kineto_kinds.c). With neither, all
 * sizes are 0 and a warning says so.
 *
 * Who reads whose output is not in a trace. An input is taken to be the newest tensor of its shape that nobody has read,
 * else the newest of its shape; where it could have been another, it is counted and said. Arguments that the kind of op
 * names as parameters, and inputs that nothing made, are static_bytes; parameters count twice, for their gradients.
 * Backward reads what PyTorch's derivatives.yaml keeps for that op; ops that are not known keep inputs and outputs. */
#ifndef SLACKSWAP_IO_IMPORT_KINETO_H
#define SLACKSWAP_IO_IMPORT_KINETO_H

#include "import.h"
#include "kineto_link.h"

/* True when TEXT begins as a Chrome trace does. */
bool import_kineto_matches(const char *text, size_t length);

/* Error places are "$.traceEvents[N], byte B". SS_USAGE, too: when the trace has no step of that number. */
enum ss_status import_kineto(const struct import_file *file, struct arena *arena, struct profile *profile,
                             struct import_remarks *remarks, struct error *error);

/* The same, and what the trace was found to hold: rows beside the profile's ops. LINKS lives in ARENA. */
enum ss_status import_kineto_links(const struct import_file *file, struct arena *arena, struct profile *profile,
                                   struct import_remarks *remarks, struct kineto_links *links, struct error *error);

#endif
