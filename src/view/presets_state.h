/* presets_state: the part of the state that belongs to the start screen, a list of presets over whatever view is open. */
#ifndef SLACKSWAP_VIEW_PRESETS_STATE_H
#define SLACKSWAP_VIEW_PRESETS_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct presets_state {
    bool open;
    uint8_t choice; /* index into PRESETS */
};

#endif
