/* outcome: everything the program knows about one choice of profile, knobs and planner. The one function through which
 * commands, screens and the viewer's worker all go, so that they can't show different figures. */
#ifndef SLACKSWAP_CORE_OUTCOME_H
#define SLACKSWAP_CORE_OUTCOME_H

#include "base.h"
#include "bounds.h"
#include "link.h"
#include "planner.h"
#include "timeline.h"

/* A budget as a user says it: a share of the unlimited peak, bytes of activations, or GPU memory less static_bytes and
 * headroom. */
enum budget_kind { BUDGET_SHARE, BUDGET_BYTES, BUDGET_GPU_MEMORY };
struct budget_choice {
    enum budget_kind kind;
    double share;              /* 0.5 = 50 %: floor(share * unlimited peak) */
    uint64_t bytes;            /* BUDGET_BYTES: activations; BUDGET_GPU_MEMORY: the whole GPU */
    double headroom_share;     /* of the GPU memory, when headroom_bytes is 0; default 0 */
    uint64_t headroom_bytes;
};
#define BUDGET_CHOICE_DEFAULT ((struct budget_choice){ .kind = BUDGET_SHARE, .share = 0.5 })

/* Bytes of activations that CHOICE leaves. SS_USAGE when static_bytes and headroom alone exceed the GPU. */
enum ss_status budget_resolve(const struct budget_choice *choice, const struct profile *profile,
                              const struct limits *limits, uint64_t *out, struct error *error);

struct outcome_request {
    const struct profile *profile;   /* outlives the outcome */
    struct budget_choice budget;
    struct link_options link;
    const struct planner *planner;   /* ignored when plan is given */
    const struct plan *plan;         /* replay this plan instead of planning; NULL = plan */
    enum plan_unit unit;
    uint64_t host_memory_bytes, evaluation_limit, seed;
    bool (*should_stop)(void *context);
    void (*improved)(void *context, const struct plan *plan, const struct sim_totals *totals);
    void *context;
    struct bounds *bounds;           /* where bounds of such work are remembered; NULL: nowhere */
    bool in_passing;                 /* shown for a moment only: the quick bound does, where the other is not known */
};

struct outcome {
    struct limits limits;
    uint64_t budget_bytes;
    struct link link;
    struct bound bound;              /* bound_compute's, unless it was asked for in passing */
    const char *planner_name;        /* of the planner, or of the plan that was replayed */
    enum plan_unit unit;
    uint64_t seed, evaluations;
    double own_model_us;             /* the step in the planner's own model; NAN when it has none (planner.h) */
    bool proved;                     /* the planner has shown that no plan of this unit is faster */
    struct timeline timeline;        /* plan, schedule, totals within */
    bool host_limit_exceeded;        /* the plan needs more pinned memory than host_memory_bytes */
    double ideal_us;
};

/* Plans (or replays) and simulates. OUT lives in ARENA. SS_STOPPED when should_stop ended it before any plan was found.
 * An infeasible plan is SS_OK with outcome_feasible() false. */
enum ss_status outcome_compute(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                               struct error *error);
bool outcome_feasible(const struct outcome *outcome);
double outcome_throughput(const struct outcome *outcome); /* ideal / step; 0 when infeasible */
double outcome_gap(const struct outcome *outcome);        /* step / bound - 1; INFINITY when infeasible */

#endif
