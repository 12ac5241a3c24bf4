/* layout: a whole plan from a few numbers — the constructive half of the planners.
 *
 * The cheapest items of an order are recomputed; how many is found by bisection: as few as leave no more to offload
 * than the slack holds. Among what is dearer any byte offloaded saves as much as any other, so the earliest go: they
 * have the longest time to leave and are needed back last. Nothing is moved or dropped that frees no room where room
 * is short. */
#ifndef SLACKSWAP_CORE_LAYOUT_H
#define SLACKSWAP_CORE_LAYOUT_H

#include "demand.h"
#include "items.h"

struct layout {
    struct trial *trial;
    struct items items;
    struct demand demand;
    double out_us, back_us;     /* compute time before and after the step that needs most */
    double out_rate, back_rate; /* bytes per us */
    uint32_t *by_size;          /* units, largest first, the earliest of equals first; NULL until layout_sort_by_size */
    int64_t *away_bytes;        /* unit -> what taking it away frees at the step that needs most */
    double unit_bytes;          /* of a unit that frees anything there, on average */
    int64_t peak_bytes;         /* needed there with everything kept */
    int64_t off;                /* by how many items the last forecast was off: the next is likely to be, too */
};

struct recipe {
    const struct item_order *order;
    bool recompute_only;        /* nothing is offloaded: slack counts for nothing, and the plan may not fit */
    bool large_first;           /* the largest are offloaded first, not the earliest: fewer copies, less latency */
    bool inner;                 /* tensors that cross layers are never recomputed */
    double slack;               /* share of the time before and after the peak in which transfers may hide */
};

enum ss_status layout_init(struct layout *layout, struct trial *trial, struct arena *arena, struct error *error);

/* To be called before a recipe that offloads the largest first. */
enum ss_status layout_sort_by_size(struct layout *layout, struct arena *arena, struct error *error);

/* Leaves in trial.plan what RECIPE makes of the budget; when recompute steps need more than that, the aim is lowered,
 * and when that does not help, or the task is told to stop, everything that must go is offloaded: but for recompute_only,
 * the plan fits whenever any plan of this unit can. */
enum ss_status layout_build(struct layout *layout, const struct recipe *recipe, struct error *error);

/* Parts of the above. Bytes and copies that left, and the price of what is recomputed. */
struct moved { double bytes, transfers, recompute_us; };
struct moved layout_settle(struct layout *layout, const struct recipe *recipe, uint32_t cheapest, int64_t target);
/* Does the step need room anywhere where unit U could be away? */
bool layout_needs(struct layout *layout, uint32_t u, int64_t target);
void layout_take_away(struct layout *layout, uint32_t u, enum action action);
int64_t layout_budget(const struct layout *layout);
/* The task was told to stop while a plan was being settled, of which I units are: asked now and then. (One that is settled
 * because it was told so is settled to its end.) */
bool layout_given_up(struct layout *layout, uint32_t i);
/* The plan of a planner that was told to stop before it had one: everything that must go is offloaded, earliest first. */
void layout_settle_at_once(struct layout *layout);

#endif
