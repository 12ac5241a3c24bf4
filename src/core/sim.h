/* sim: the dynamic part (MODEL.md §4) — three lanes (compute, D2H, H2D) played out in time.
 *
 * sim_evaluate gives the totals alone and allocates nothing after the first runs: planners live on it.
 * sim_run records everything that happened in a timeline (timeline.h) for people. Both are the same machine:
 * one simulation loop with an optional recorder, so they can't disagree.
 *
 * Cost: linear in steps + transfers. H2D order and first uses ascend, so the range test "req(m)+extra(m)+pending+bytes
 * <= M for m in [k, j-1]" is a sliding-window maximum: the window [k, j-1] only moves forward, and a start adds its
 * bytes to the whole window, that is, to one running offset. */
#ifndef SLACKSWAP_CORE_SIM_H
#define SLACKSWAP_CORE_SIM_H

#include "base.h"
#include "link.h"
#include "plan.h"
#include "schedule.h"

/* Result figures (INTERFACE.md §1 "slackswap-result/1" has them under the same names). */
struct sim_totals {
    bool feasible;
    uint64_t required_bytes;   /* max req(k); what the plan needs at least */
    uint32_t required_step;    /* first step where it is needed */
    double step_us;            /* end of the last B + fixed_us; meaningful when feasible, as all below */
    double recompute_us, stall_us; /* stall: sum of the gaps on the compute lane */
    uint64_t peak_bytes, host_peak_bytes;
    uint64_t d2h_bytes, h2d_bytes;
};

struct simulator;
struct simulator *simulator_new(const struct profile *profile, struct error *error);
void simulator_free(struct simulator *simulator);
/* The builder inside, for callers that want the schedule of the plan evaluated last. */
struct schedule_builder *simulator_builder(struct simulator *simulator);

/* Plays PLAN under LINK with BUDGET bytes of activations (the smaller of BUDGET and plan->budget_bytes counts).
 * SS_OK with totals->feasible false when some step can't fit: not an error. SS_BAD_INPUT as schedule_build. */
enum ss_status sim_evaluate(struct simulator *simulator, const struct plan *plan, const struct link *link,
                            uint64_t budget_bytes, struct sim_totals *totals, struct error *error);

struct timeline;
/* The same, recorded in full into OUT, which lives in ARENA. For an infeasible plan the timeline holds the schedule and
 * totals only (no steps have times). */
enum ss_status sim_run(struct simulator *simulator, const struct plan *plan, const struct link *link,
                       uint64_t budget_bytes, struct arena *arena, struct timeline *out, struct error *error);

#endif
