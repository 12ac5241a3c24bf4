/* refine: what the parts of the planner `refine` share (planner_refine.c, refine_moves.c, refine_anneal.c).
 *
 * The plan at hand stands in action[], and the rehearsal follows each of its changes. A move is a few changes that are
 * taken together or taken back. Costs are us beyond the ideal step. */
#ifndef SLACKSWAP_CORE_REFINE_H
#define SLACKSWAP_CORE_REFINE_H

#include "items.h"
#include "rehearsal.h"
#include "splitmix.h"

#define MOST_CHANGED 64       /* units in one move */
#define HELD_MOST 6           /* units that may be held */
#define PATIENCES 1024

struct move { uint32_t count, unit[MOST_CHANGED]; uint8_t from[MOST_CHANGED]; };

struct refine {
    struct trial trial;
    struct items items;
    struct rehearsal rehearsal;
    uint8_t *action;          /* unit -> enum action */
    struct move move;
    uint32_t *moved;          /* unit -> its place in the move + 1 */
    uint32_t large[HELD_MOST], large_count; /* units, the largest first */
    uint32_t held;            /* the unit that no move may change; NONE: none */
    uint32_t next_hold;       /* which unit is to be held next, and to which of the two other actions */
    double typical_us;        /* what moving or recomputing a unit takes, about */
    double *patience;         /* exponentially distributed */
    uint64_t random;
    uint64_t work;            /* changes tried, and what takes as long; not yet counted as evaluations */
    uint64_t host_bytes;      /* what may be offloaded: the limit, or more where the best plan does */
    double price;             /* of a byte that is left over, us: see rehearsal_forecast */
    double bias_us;           /* by how much the last forecast that was rehearsed had been too low */
    double bound_us;
    uint32_t rounds, vain;    /* of moves; of these, since the best plan was found */
};

static inline uint64_t refine_draw(struct refine *r) { return splitmix64(&r->random); }
static inline uint32_t refine_draw_unit(struct refine *r) {
    return (uint32_t)((refine_draw(r) >> 32) * r->trial.units.count >> 32);
}
static inline double refine_draw_share(struct refine *r) { return (double)(refine_draw(r) >> 11) * 0x1p-53; }
static inline double refine_draw_patience(struct refine *r) { return r->patience[refine_draw(r) & (PATIENCES - 1)]; }

static inline void refine_change(struct refine *r, uint32_t unit, enum action action) {
    r->action[unit] = (uint8_t)action;
    rehearsal_change(&r->rehearsal, unit, action);
}
static inline double refine_forecast(const struct refine *r) { return rehearsal_forecast(&r->rehearsal, r->price); }
/* What a plan of these TOTALS costs. */
static inline double refine_cost(const struct refine *r, const struct sim_totals *totals) {
    return totals->step_us - r->trial.profile->ideal_us;
}

/* Changes UNIT as a part of the move; false where it can't be, or where nothing changes. */
bool refine_try(struct refine *r, uint32_t unit, enum action to);
/* The last change of the move is none, if it was UNIT's first one. */
void refine_retract(struct refine *r, uint32_t unit);
/* A new move begins. */
void refine_forget(struct refine *r);
void refine_take_back(struct refine *r);
/* The best plan is at hand, and no unit is held. */
void refine_load_best(struct refine *r);
/* Simulates the plan at hand. */
enum ss_status refine_evaluate(struct refine *r, struct error *error);
/* Counts what was tried as evaluations, SPENT included; false once no more may be tried. */
bool refine_go_on(struct refine *r, uint64_t *spent);
/* To move UNIT over the link. */
double refine_out_us(const struct refine *r, uint32_t unit);

/* From the best plan on, ever colder from HOT_US on, on forecasts and rehearsals; whatever may be the best is simulated. */
enum ss_status refine_anneal(struct refine *r, uint64_t evaluations, double hot_us, struct error *error);
/* Moves that are each simulated before they are taken; HOLD: while a large unit is held to another action. SPARE_PRICE of
 * what is left over. DRY receives whether no move was worth it. */
enum ss_status refine_moves(struct refine *r, double warm_us, double spare_price, bool hold, bool *dry, struct error *error);
/* Lists the units that are worth being held. */
void refine_list_large(struct refine *r);

#endif
