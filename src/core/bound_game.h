/* bound_game: the least that any choice of re-runs leaves of the longest path (bound.c, item 7). */
#ifndef SLACKSWAP_CORE_BOUND_GAME_H
#define SLACKSWAP_CORE_BOUND_GAME_H

#include "bound_windows.h"

struct game_result {
    double us;      /* no plan's compute and waits take less; without fixed_us */
    uint32_t step;  /* the step to or from which the window leads that counts most; NONE: no window counts */
    bool out;       /* D2H's window */
};

/* How hard to look: rounds of a game that another was parted into; matches of a small game when neither side finds anything
 * new; work in the first game and in all. BY_TENSOR: games are also parted by whether a large tensor moves, LARGE_FIRST:
 * before anything else is decided. EXACT: mixtures are the best of what is known, as long as that leads to more
 * (bound_match.h). Games in a row that raise nothing before it is given up; as long as all is below what is known already,
 * so many of them, and so much work, that don't raise it by an eighth of what is missing. */
struct game_effort {
    uint32_t rounds, matches_most;
    uint64_t work_first, work_most;
    bool by_tensor, large_first, exact;
    uint32_t idle_most, idle_below;
    uint64_t idle_work;
};

/* The result may be lower than FLOOR_US, a bound that is known already: what can't exceed that is not looked for. */
enum ss_status bound_game(struct windows *windows, struct arena *arena, double floor_us, const struct game_effort *effort,
                          struct game_result *out, struct error *error);

#endif
