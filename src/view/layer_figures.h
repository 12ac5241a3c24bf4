/* layer_figures: what each layer, op and tensor costs in an outcome, and the layers in the order of each figure. Built once
 * an outcome, with the rest of its index, so that a table of any length is drawn at once. */
#ifndef SLACKSWAP_VIEW_LAYER_FIGURES_H
#define SLACKSWAP_VIEW_LAYER_FIGURES_H

#include "core/timeline.h"

/* Columns of the table of layers. PRICE is what the layer's tensors cost the step as planned: running its ops again, and
 * the stalls that waited for a transfer of theirs. STALL is the time its own steps waited, for whosever transfer.
 *
 *    id         heading      columns */
#define TABLE_COLUMNS(X)      \
    X(NAME,      "layer",     0) \
    X(BYTES,     "bytes",     9) \
    X(MIX,       "plan",      12) \
    X(D2H,       "D2H",       9) \
    X(H2D,       "H2D",       9) \
    X(RECOMPUTE, "recompute", 10) \
    X(STALL,     "stall",     9) \
    X(PRICE,     "price",     9)

enum layer_column {
#define X(id, heading, columns) COLUMN_##id,
    TABLE_COLUMNS(X)
#undef X
    COLUMN_COUNT
};

/* Of a layer, an op or a tensor. */
struct figures {
    uint64_t bytes[ACTION_COUNT]; /* of managed tensors, by what the plan does with them */
    uint32_t count[ACTION_COUNT];
    double d2h_us, h2d_us;        /* time on the lanes */
    double recompute_us;          /* its ops run again */
    double stall_us;              /* its steps waited */
    double price_us;
};

struct layer_figures {
    struct figures *layer;                       /* profile.layer_count entries */
    const double *op_recompute_us, *op_stall_us; /* profile.op_count entries */
    const double *tensor_stall_us;               /* stalls that waited for a transfer of it; profile.tensor_count entries */
    const uint32_t *order[COLUMN_COUNT];         /* place -> layer: the largest figure first, NAME as executed */
    const uint32_t *place[COLUMN_COUNT];         /* layer -> place */
    const uint32_t *op_line;                     /* an op's line below its open layer's own, from 1; profile.op_count entries */
    const uint32_t *lines;                       /* a layer's lines below its own: ops and what they make; layer_count entries */
};

enum ss_status layer_figures_build(struct layer_figures *out, struct arena *arena, const struct timeline *timeline,
                                   struct error *error);
/* Of one op and of one tensor; of a tensor that is not managed only zeros. */
struct figures figures_of_op(const struct layer_figures *figures, const struct timeline *timeline, uint32_t op);
struct figures figures_of_tensor(const struct layer_figures *figures, const struct timeline *timeline, uint32_t tensor);

#endif
