/* pipedream_graph: a PipeDream graph.txt as it stands in the file, checked and ordered, not yet interpreted.
 *
 *   ID -- DESCRIPTION -- forward_compute_time=MS, backward_compute_time=MS, activation_size=BYTES, parameter_size=BYTES
 *   <tab>ID -- ID
 *
 * A node line may carry a fourth field (stage_id=0, vlayer_id=3), which is of no use here; activation_size is one number
 * or a list [a; b; c]; ids are "node12" or "12". Edges lead from a node to one that reads it. */
#ifndef SLACKSWAP_IO_PIPEDREAM_GRAPH_H
#define SLACKSWAP_IO_PIPEDREAM_GRAPH_H

#include "core/base.h"
#include "core/profile.h"
#include "lines.h"

#define GRAPH_LARGEST_LIST 64 /* outputs of one node */

struct graph_node {
    const char *id;
    struct piece description;
    uint32_t line;
    double forward_ms, backward_ms;
    uint64_t parameter_bytes;
    struct span outputs; /* graph.output_bytes[] */
    struct span inputs;  /* graph.inputs[]: nodes that this one reads, in file order, each once */
};

struct graph {
    struct graph_node *nodes;
    uint32_t node_count, edge_count;
    uint64_t *output_bytes;
    uint32_t *inputs;
    uint32_t *order; /* all nodes, each after those that it reads: execution order */
};

/* Reads TEXT into GRAPH, which lives in ARENA and borrows TEXT. SS_BAD_INPUT with place "line N". */
enum ss_status graph_read(struct graph *graph, struct piece text, struct arena *arena, struct error *error);

#endif
