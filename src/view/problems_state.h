/* problems_state: the part of the state that belongs to the Problems view. */
#ifndef SLACKSWAP_VIEW_PROBLEMS_STATE_H
#define SLACKSWAP_VIEW_PROBLEMS_STATE_H

#include <stdint.h>

struct problems_state {
    uint32_t row;   /* 0: all together; then a row a finding */
    uint32_t top;   /* first visible row */
    uint32_t rows;  /* known when it was last settled */
};

#endif
