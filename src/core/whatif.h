/* whatif: what other budgets and other links would give — curves of the step against each, where they bend, and a map of
 * both that says which planner wins.
 *
 * A curve holds one planner's best: as in a sweep, points use each other's plans. Along the budget that is provable, no
 * curve rises; along the link a plan for a slower one is tried on the faster. Points come coarse to fine, then knees: each
 * a value at which something is true and 2 % below which it is not, found by bisection to the three digits that are shown. */
#ifndef SLACKSWAP_CORE_WHATIF_H
#define SLACKSWAP_CORE_WHATIF_H

#include "knobs.h"

#define WHATIF_POINTS 48        /* on a curve, at most */
#define WHATIF_CHECK 0.98       /* this far below a knee it is not true */
#define WHATIF_EVALUATIONS 200  /* for each point, unless the settings say how many; fewer for large profiles */
#define WHATIF_RATE_LEAST 1.0   /* GB/s: where curves over links begin … */
#define WHATIF_RATE_MOST 128.0  /* … and end */

struct whatif_point {
    double at;                   /* bytes of activations, or GB/s of H2D before sharing */
    bool known, fits;            /* the figures below hold when both are true; the bound as soon as it is known */
    double bound_us, step_us, recompute_us, stall_us;
    uint64_t required_bytes;     /* of the planner's plan, fitting or not */
    uint64_t offload_bytes, recompute_bytes;
};

/* What is true from a knee on. */
enum whatif_knee_kind {
    KNEE_FREE,                   /* the step takes no longer than the ideal one */
    KNEE_NO_RECOMPUTE,           /* nothing is run again */
    KNEE_FIT,                    /* a plan of this planner fits */
    KNEE_COUNT
};
enum whatif_knee_place {
    KNEE_UNKNOWN,                /* not looked for yet */
    KNEE_NOWHERE,                /* not even at the curve's end */
    KNEE_EVERYWHERE,             /* from the curve's begin */
    KNEE_AT
};
struct whatif_knee { enum whatif_knee_place place; double at; };

struct whatif_curve {
    double ideal_us;
    uint64_t unlimited_peak_bytes, least_bytes;
    uint32_t count;              /* points, ascending */
    struct whatif_point point[WHATIF_POINTS];
    struct whatif_knee knee[KNEE_COUNT];
};

/* Budgets from a tenth (or the least that fits) of the unlimited peak to all of it; links from WHATIF_RATE_LEAST to _MOST. */
enum whatif_axis { WHATIF_BUDGET, WHATIF_RATE };

#define WHATIF_MAP_BUDGETS 16
#define WHATIF_MAP_RATES 15
#define WHATIF_NOBODY UINT8_MAX
struct whatif_map {
    double ideal_us;
    uint32_t budget_count, rate_count;
    uint64_t budget_bytes[WHATIF_MAP_BUDGETS];   /* ascending */
    double rate[WHATIF_MAP_RATES];
    uint32_t known;                              /* cells that are known: row by row, a row a budget */
    /* Index in PLANNERS of the planner whose plan is fastest, the simplest of those that are alike; WHATIF_NOBODY where
     * none fits. */
    uint8_t winner[WHATIF_MAP_BUDGETS][WHATIF_MAP_RATES];
    double step_us[WHATIF_MAP_BUDGETS][WHATIF_MAP_RATES]; /* meaningful where there is a winner */
};
/* The planners of the map, simplest first. Those that search on top of all others (refine, optimal) would win everywhere
 * and are left out. Returns how many; INDEX has room for PLANNER_COUNT. */
uint32_t whatif_map_planners(uint8_t *index);
/* Whether the fastest plan of a cell loses nothing. */
bool whatif_is_free(double step_us, double ideal_us);

struct whatif_task {
    const struct profile *profile;
    struct settings settings;             /* the value on the axis apart */
    bool (*should_stop)(void *context);   /* NULL: never */
    void *context;
};
/* Each fills *OUT and calls SHOW whenever there is more in it; SS_STOPPED when told to stop. A link that can't have a rate
 * (one given both ways above it) leaves that point unfit. */
enum ss_status whatif_curve(const struct whatif_task *task, enum whatif_axis axis, struct whatif_curve *out,
                            void (*show)(void *context, const struct whatif_curve *curve), struct error *error);
enum ss_status whatif_map(const struct whatif_task *task, struct whatif_map *out,
                          void (*show)(void *context, const struct whatif_map *map), struct error *error);

/* The bound of one cell of the map, *OUT: looked for when somebody wants to see it, for it takes longer than the cell's plans.
 * NAN where there is no such link. */
enum ss_status whatif_cell_bound(const struct profile *profile, const struct settings *settings, uint64_t budget_bytes,
                                 double rate, double *out, struct error *error);

/* SETTINGS with the budget of a point (bytes of activations), in the way in which they say their budget: a share where it
 * gives these very bytes, else bytes. */
void whatif_take_budget(struct settings *settings, uint64_t bytes, const struct limits *limits);
/* SETTINGS with the bandwidth of a point, as the knob would be turned. */
void whatif_take_rate(struct settings *settings, double gb_per_s, const struct profile *profile);

#endif
