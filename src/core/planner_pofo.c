/* pofo: the fastest combination of offloading and recomputing on the chain of stages, by dynamic programming (Beaumont
 * et al. 2021; see pofo_table.h), mapped to the best plan of ours (chain_plan.h). */
#include "chain_plan.h"
#include "planner_list.h"
#include "pofo_table.h"

#include <math.h>

struct pofo {
    struct trial trial;
    struct chain chain;
    struct rotor_table rotor;
    struct pofo_table table;
    struct chain_plan plan;
};

/* The tables for the task's budget; TIME stays INFINITY when nothing fits. */
static enum ss_status solve(struct pofo *p, struct arena *arena, double *time, struct error *error) {
    const struct plan_task *task = p->trial.task;
    const struct patience patience = { task->should_stop, task->context };
    uint64_t memory;
    if (!chain_memory(&p->chain, task->budget_bytes, &memory))
        return SS_OK;
    enum ss_status status = rotor_table_build(&p->rotor, arena, &p->chain, memory, POFO_SLOTS, &patience, error);
    if (status == SS_OK)
        status = pofo_table_build(&p->table, arena, &p->rotor, &task->link, POFO_EXACT, &patience, error);
    if (status == SS_OK)
        *time = p->table.best_us;
    return status;
}

enum ss_status planner_pofo(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                            struct planner_result *out, struct error *error) {
    struct pofo p;
    struct arena scratch = { 0 }; /* the tables are large and of no further use */
    double time = INFINITY;
    enum ss_status status = trial_begin(&p.trial, task, simulator, arena, UINT64_MAX, error);
    if (status == SS_OK)
        status = chain_build(&p.chain, &scratch, task->profile, &p.trial.closure, POFO_MOST_STAGES, error);
    if (status == SS_OK)
        status = chain_plan_init(&p.plan, &p.trial, &p.chain, &scratch, error);
    if (status == SS_OK)
        status = solve(&p, &scratch, &time, error);
    p.trial.stopped = status == SS_STOPPED;
    bool fits = false;
    if (status == SS_OK && time < INFINITY) {
        pofo_decide(&p.table, &p.plan);
        status = chain_plan_try(&p.plan, &fits, error);
    } else if (status == SS_OK || status == SS_STOPPED) { /* nothing was decided: all that is not needed moves */
        chain_plan_start(&p.plan, ACTION_OFFLOAD);
        status = chain_plan_try(&p.plan, &fits, error);
    }
    if (status == SS_OK && !fits && !trial_over(&p.trial))
        status = chain_plan_repair(&p.plan, error);
    out->own_model_us = chain_model_us(task->profile, time);
    if (status == SS_OK)
        status = trial_finish(&p.trial, out, error);
    arena_free(&scratch);
    return status;
}
