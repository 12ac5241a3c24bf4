/* import_pipedream: profiles out of PipeDream graphs (github.com/msr-fiddle/pipedream, profiler/): one forward and one
 * backward time, output sizes and parameters for each node of the forward graph, measured on a real GPU.
 *
 * What the format does not say is decided here, and written into the profile's source:
 * - Order: pipedream_graph.c.
 * - An input node (no edge leads to it, no backward, no parameters; named Input… or without forward time) is data: its
 *   forward time is data loading and left out of the step, its tensor has no producer, its bytes belong to static_bytes.
 * - Views (View, __getitem__, Identity …) and in-place ops share their operand's storage and make no tensor. An in-place
 *   op is an op all the same; its time is added to what rebuilding its storage costs. Which operand of an in-place Add
 *   lies in that storage is not recorded: the one made last is taken, which frees the same bytes and can be rebuilt from
 *   what exists by then. Where the old value is still needed, the op gets a tensor of its own, with a warning.
 * - What each kind's backward reads: the table KINDS in import_pipedream.c.
 * - static_bytes: parameters, as many bytes again for their gradients, and the batch. Optimizer state is not recorded.
 * - Layers: an op with a weight matrix leads a layer, those without one join the layer of what they read. */
#ifndef SLACKSWAP_IO_IMPORT_PIPEDREAM_H
#define SLACKSWAP_IO_IMPORT_PIPEDREAM_H

#include "import.h"

/* True when the first line that is not empty looks like a node of a PipeDream graph. */
bool import_pipedream_matches(const char *text, size_t length);

enum ss_status import_pipedream(const struct import_file *file, struct arena *arena, struct profile *profile,
                                struct import_remarks *remarks, struct error *error);

/* Sums over a file, as it stands there. */
struct pipedream_totals {
    uint32_t nodes, edges;
    uint32_t inputs, views, in_place; /* nodes of these kinds */
    uint32_t unshared;                /* in-place nodes that got a tensor of their own */
    uint32_t unknown;                 /* nodes of a kind that KINDS does not list */
    double forward_ms, backward_ms;   /* over all nodes */
    double input_forward_ms;          /* of them, over input nodes */
    uint64_t activation_bytes, parameter_bytes;
};
/* import_pipedream, with the totals. */
enum ss_status import_pipedream_totals(const struct import_file *file, struct arena *arena, struct profile *profile,
                                       struct import_remarks *remarks, struct pipedream_totals *totals,
                                       struct error *error);

#endif
