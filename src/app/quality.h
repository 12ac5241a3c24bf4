/* quality: how good plans are, cell by cell of a grid — what each planner finds for a profile, a budget and a link, beside
 * the bound; and what that comes to over all cells. Planners are given processor time, not time on the wall: what else
 * the machine does matters less then. */
#ifndef SLACKSWAP_APP_QUALITY_H
#define SLACKSWAP_APP_QUALITY_H

#include "core/outcome.h"

#define QUALITY_PLANNERS_MOST 32
#define QUALITY_PLAN_US 1e6        /* what a search may take when nothing else is asked for … */
#define QUALITY_LONG_US 60e6       /* … and where that leaves too much */
#define QUALITY_GAP_MOST 0.005     /* a gap above this has to be explained */
#define QUALITY_ABOVE_IDEAL 1.001  /* cells whose bound is higher than so many times the ideal count */

/* What to find out. */
struct quality_task {
    const struct profile *profile;
    const char *name;              /* of the profile */
    struct budget_choice budget;
    struct link_options link;
    double gb_per_s;               /* as asked for; NAN: as the profile has it */
    const struct planner *const *planners; uint32_t planner_count; /* refine and slackswap among them */
    uint64_t evaluation_limit, seed; /* EVALS_DEFAULT: by time */
    double plan_us;                /* of processor time; INFINITY: no limit */
    bool search_long;              /* where the gap is above QUALITY_GAP_MOST */
};

/* Whose fault a large gap is, by what a long search found. */
enum quality_fault { FAULT_NONE, FAULT_PLAN, FAULT_BOUND, FAULT_UNKNOWN, QUALITY_FAULT_COUNT };
extern const char *const QUALITY_FAULT_NAME[QUALITY_FAULT_COUNT]; /* "none", "plan", "bound", "unknown" */

struct quality_cell {
    bool feasible;                 /* refine's plan fits */
    uint64_t budget_bytes;
    double ideal_us;
    struct bound bound;
    double step_us[QUALITY_PLANNERS_MOST]; /* INFINITY: does not fit */
    double gap, first_gap;         /* refine's, and that of the plan shown first; INFINITY: does not fit */
    uint32_t best_other;           /* the fastest planner but refine; NONE: none fits */
    bool beaten;                   /* that one is faster than refine */
    bool proved;                   /* some planner has shown that no plan is faster than the best found */
    double long_gap;               /* NAN: not searched for longer */
    enum quality_fault fault;
};

enum ss_status quality_measure(const struct quality_task *task, struct quality_cell *out, struct error *error);

/* Over the cells that count: feasible, with a bound above the ideal. */
struct quality_summary {
    uint32_t cells, feasible, counted;
    double median_gap, worst_gap, median_first_gap, worst_first_gap; /* NAN when no cell counts */
    uint32_t above;                /* of the counted: gap above QUALITY_GAP_MOST */
    uint32_t beaten;               /* of the feasible */
    double worst_other_gap;        /* of the feasible that don't count */
    uint32_t other_above;
};
/* ORDER (COUNT entries) receives the cells, the worst gap first, those that count before those that don't. */
enum ss_status quality_summarise(const struct quality_cell *cells, uint32_t count, uint32_t *order,
                                 struct quality_summary *out, struct error *error);

#endif
