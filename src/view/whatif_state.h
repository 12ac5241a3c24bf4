/* whatif_state: the part of the state that belongs to the What-if view. */
#ifndef SLACKSWAP_VIEW_WHATIF_STATE_H
#define SLACKSWAP_VIEW_WHATIF_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum whatif_pane { WHATIF_PANE_BUDGET, WHATIF_PANE_RATE, WHATIF_PANE_MAP, WHATIF_PANE_BATCH, WHATIF_PANE_COUNT };

/* One cursor for all panes: a budget and a rate, and a batch of samples. Each stands where the knob does until it is moved. */
struct whatif_state {
    uint8_t pane;          /* enum whatif_pane: the one that has the keys */
    bool moved[2];         /* WHATIF_BUDGET, WHATIF_RATE */
    double at[2];          /* bytes, GB/s; meaningful where moved */
    uint32_t batch;        /* of a built-in model; 0: where the knob stands */
};

#endif
