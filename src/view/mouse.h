/* mouse: what a pointing hand does, in cells of the screen. */
#ifndef SLACKSWAP_VIEW_MOUSE_H
#define SLACKSWAP_VIEW_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

enum mouse_kind {
    MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, /* of BUTTON */
    MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN,       /* one notch */
};
enum mouse_button { BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT };

struct mouse {
    uint8_t kind;       /* enum mouse_kind */
    uint8_t button;     /* enum mouse_button; of no meaning for the wheel */
    uint8_t modifiers;  /* enum key_modifier bits (key.h) */
    bool again;         /* a second press soon after the first, at the same place */
    int x, y;           /* from the top left cell, which is 0, 0; may lie outside the screen */
};

#endif
