/* bound_game: the least that any choice of re-runs leaves of the longest path (bound.c, item 7). */
#ifndef SLACKSWAP_CORE_BOUND_GAME_H
#define SLACKSWAP_CORE_BOUND_GAME_H

#include "bound_windows.h"

struct game_result {
    double us;      /* no plan's compute and waits take less; without fixed_us */
    uint32_t step;  /* the step to or from which the window leads that counts most; NONE: no window counts */
    bool out;       /* D2H's window */
};

/* The result may be lower than FLOOR_US, a bound that is known already: what can't exceed that is not looked for. */
enum ss_status bound_game(struct windows *windows, struct arena *arena, double floor_us, struct game_result *out,
                          struct error *error);

#endif
