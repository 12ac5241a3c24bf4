/* bound_table: what the parts of the game (bound_game.c) share: the paths and answers seen so far. */
#ifndef SLACKSWAP_CORE_BOUND_TABLE_H
#define SLACKSWAP_CORE_BOUND_TABLE_H

#include "bound_game.h"

#define PATHS_MOST 48
#define ANSWERS_MOST 96

/* What one op's running again takes off one window of a path. */
struct relief { uint32_t op; double us; };
/* Of a path: those of its hop h at AT[h] … AT[h + 1] - 1. */
struct reliefs { struct relief *list; uint32_t room, at[PATH_HOPS + 1]; };

struct table {
    struct windows *windows;
    struct arena *arena;
    uint32_t ops, steps;
    uint32_t *latest;              /* op -> the last step before which running it again restores something; 0: none */
    uint32_t *active, active_count;/* ops that may run again */
    struct path path[PATHS_MOST]; uint32_t path_count;
    struct reliefs reliefs[PATHS_MOST]; /* of each path */
    uint32_t *answer[ANSWERS_MOST]; uint32_t answer_count; /* op -> step before which it runs again, or 0 */
    double gain[PATHS_MOST][ANSWERS_MOST];
    double weight[PATHS_MOST], odds_of[ANSWERS_MOST];
    uint32_t *large, large_count;  /* leavers whose copies take long, the largest first */
    double *again_weight;          /* step -> weight of the paths on which a re-run before it counts */
    double *change, *relieved, *best; /* scratch, by op */
    uint32_t *ends, *begins; bool *is_end; /* scratch: see list_ends; by step */
    double *at_latest, *penalty, *extra; bool *called; /* scratch, by op: see bound_answer.c */
    struct odds *odds;
    double least_us;               /* the shortest longest path of any answer in the present game: no bound gets higher there */
    double floor_us;               /* and no bound below this is of use */
    double shortest_us;            /* of all games: see least_us */
    const struct game_effort *effort;
    uint64_t work, raised_at;      /* so far; when the least game was raised last */
};

/* fmax is a call where the compiler must heed what is no number. */
static inline double larger(double a, double b) { return b > a ? b : a; }

#endif
