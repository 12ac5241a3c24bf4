/* planner: the table of planners (MODEL.md §5). One entry here, one planner_NAME.c each.
 *
 * A planner gets an immutable task and returns a plan. It has no clock and no globals: it asks should_stop and counts
 * evaluations (one simulation = one evaluation; refine also counts what it forecasts and rehearses, by the time that
 * takes). The same task with the same evaluation limit and seed gives the same plan. */
#ifndef SLACKSWAP_CORE_PLANNER_H
#define SLACKSWAP_CORE_PLANNER_H

#include "base.h"
#include "bounds.h"
#include "link.h"
#include "plan.h"
#include "profile.h"
#include "sim.h"

enum plan_unit { UNIT_TENSOR, UNIT_LAYER }; /* one action a tensor, or one a module (all its managed tensors alike) */
extern const char *const UNIT_NAME[2];

#define EVALS_DEFAULT 0 /* let the planner use its own default number of evaluations */

struct plan_task {
    const struct profile *profile;
    struct link link;
    uint64_t budget_bytes;
    uint64_t host_memory_bytes;   /* limit on pinned bytes; BYTES_UNLIMITED = none */
    struct bounds *bounds;        /* where a planner that needs the bound has it from; NULL: it looks for it itself */
    enum plan_unit unit;
    uint64_t evaluation_limit;    /* EVALS_DEFAULT or an exact limit */
    uint64_t seed;
    bool (*should_stop)(void *context);   /* NULL: never; polled between evaluations */
    /* An anytime planner hands over each better plan as it finds it; NULL: not wanted. */
    void (*improved)(void *context, const struct plan *plan, const struct sim_totals *totals);
    void *context;
};

struct planner_result {
    struct plan plan;             /* in the arena given to planner_run; the best found, feasible or not */
    struct sim_totals totals;
    uint64_t evaluations;
    bool proved;                  /* no plan of this unit is faster, and the planner has shown it */
    double own_model_us;          /* the step in the planner's own model, where that allows more than MODEL.md (a tensor
                                     restored more than once) and finds anything; NAN otherwise */
    bool stopped;                 /* should_stop ended it early; the plan is still the best found so far */
};

struct planner {
    const char *name;             /* as typed */
    const char *title;            /* one line: what it does, and the paper it stems from */
    enum ss_status (*run)(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                          struct planner_result *out, struct error *error);
};

extern const struct planner PLANNERS[];
extern const uint32_t PLANNER_COUNT;
#define PLANNER_DEFAULT "refine"

const struct planner *planner_find(const char *name); /* NULL when there is none */
enum ss_status planner_run(const struct planner *planner, const struct plan_task *task, struct simulator *simulator,
                           struct arena *arena, struct planner_result *out, struct error *error);

#endif
