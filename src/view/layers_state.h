/* layers_state: the part of the state that belongs to the view Layers, a table. Its lines are the layers, in the order of
 * the column that they are sorted by, each open one followed by its ops, each op by the tensors that it makes. Which
 * layers are open, and what is selected, is shared with the Timeline. */
#ifndef SLACKSWAP_VIEW_LAYERS_STATE_H
#define SLACKSWAP_VIEW_LAYERS_STATE_H

#include <stdint.h>

/* A line: a layer (op and tensor NONE), one of its ops (tensor NONE), or a tensor of that op. */
struct layers_line {
    uint32_t layer, op, tensor;
};

struct layers_state {
    uint8_t sort;             /* enum layer_column (layer_figures.h) */
    uint32_t top;             /* first visible line */
    struct layers_line line;  /* the selected one */
};

#endif
