/* trial: one run of a planner — trying plans in the simulator and remembering the best.
 *
 * A planner changes trial.plan and calls trial_evaluate; what is best is judged in one place: a plan that fits the
 * budget and the host limit is better than one that does not, then the faster one is. */
#ifndef SLACKSWAP_CORE_TRIAL_H
#define SLACKSWAP_CORE_TRIAL_H

#include "closure.h"
#include "planner.h"

/* What gets one action: a tensor, or all tensors of a module (--unit). Tensors that must stay belong to none. */
struct unit {
    uint32_t at, count;        /* units.tensor[] */
    uint64_t bytes;
    uint32_t producer;         /* op that makes the first of them */
    bool recomputable;         /* every tensor in it may be recomputed */
};
struct units {
    struct unit *unit; uint32_t count;
    uint32_t *tensor;
    uint32_t *by_producer;     /* units in the order of their first tensor's producer */
};

struct trial {
    const struct plan_task *task;
    const struct profile *profile;
    struct simulator *simulator;
    struct arena *arena;
    struct closure closure;
    struct units units;
    struct plan plan;          /* the one being worked on */
    struct sim_totals totals;  /* of the plan evaluated last */
    struct plan best;
    struct sim_totals best_totals;
    uint64_t evaluations, limit;
    bool stopped;
};

/* DEFAULT_LIMIT: evaluations when the task leaves their number to the planner. PLAN starts with everything kept. */
enum ss_status trial_begin(struct trial *trial, const struct plan_task *task, struct simulator *simulator,
                           struct arena *arena, uint64_t default_limit, struct error *error);
/* The task was told to stop: asked in the midst of building a plan, too. */
bool trial_stopping(struct trial *trial);
/* No evaluation is left, or the task was told to stop. At least one evaluation is always granted. */
bool trial_over(struct trial *trial);
/* Simulates trial.plan and remembers it when it is the best so far. */
enum ss_status trial_evaluate(struct trial *trial, struct error *error);
/* Hands the best plan so far over, when it fits and the task wants to know. */
void trial_tell(const struct trial *trial);
/* Counts the evaluations of a plan that another planner made of the same task, and remembers it when it is the best so
 * far; returns whether it is. Nobody is told. */
bool trial_adopt(struct trial *trial, const struct planner_result *result);
/* Lays trial.plan out without simulating it: what it needs at most. */
enum ss_status trial_requirement(struct trial *trial, const struct schedule **schedule, struct error *error);
void trial_set(struct trial *trial, uint32_t unit, enum action action);
void trial_keep_all(struct trial *trial);
enum ss_status trial_finish(struct trial *trial, struct planner_result *out, struct error *error);

/* What no plan of TASK can be faster than. Looking for it may take longer than a first plan: that comes first. */
enum ss_status task_bound(const struct plan_task *task, double *bound_us, struct error *error);

/* Fits the budget (that of the task) and the host limit. */
bool totals_fit(const struct sim_totals *totals, const struct plan_task *task);
bool totals_better(const struct sim_totals *a, const struct sim_totals *b, const struct plan_task *task);

#endif
