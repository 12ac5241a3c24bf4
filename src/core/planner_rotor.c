/* rotor: optimal persistent checkpointing of the chain of stages by dynamic programming (Beaumont et al. 2019; see
 * rotor_table.h), mapped to the best plan of ours (chain_plan.h).
 *
 * The table holds the decisions for every memory up to the budget. Those for the whole budget come first; where they
 * would have to restore a tensor twice, the plan made of them may need more: then those for less memory are tried, slot
 * by slot, until one fits. */
#include "chain_plan.h"
#include "planner_list.h"

#include <math.h>
#include <string.h>

struct rotor {
    struct trial trial;
    struct chain chain;
    struct rotor_table table;
    struct chain_plan plan;
};

/* Decisions as the bytes that tell them apart. */
static bool decide(struct rotor *r, uint32_t m, uint8_t *last) {
    const size_t count = r->chain.count;
    struct chain_decisions *d = &r->plan.decisions;
    chain_plan_start(&r->plan, ACTION_RECOMPUTE);
    rotor_decide(&r->plan, &r->table, 0, r->chain.count - 1, m, 0);
    const bool known = memcmp(last, d->saved, count) == 0 && memcmp(last + count, d->level, count) == 0;
    memcpy(last, d->saved, count);
    memcpy(last + count, d->level, count);
    return !known;
}

static enum ss_status follow(struct rotor *r, struct arena *arena, struct error *error) {
    const uint32_t last = r->chain.count - 1;
    uint8_t *known = ARENA_ARRAY(arena, uint8_t, 2 * (size_t)r->chain.count);
    enum ss_status status = known ? SS_OK : error_no_memory(error);
    bool fits = false;
    for (uint32_t m = r->table.slots + 1; m-- > 0 && !fits && status == SS_OK && !trial_over(&r->trial);)
        if (rotor_table_time(&r->table, 0, last, m) < INFINITY && decide(r, m, known))
            status = chain_plan_try(&r->plan, &fits, error);
    if (status == SS_OK && !fits && !trial_over(&r->trial)) {
        decide(r, r->table.slots, known);
        status = chain_plan_repair(&r->plan, error);
    }
    return status;
}

enum ss_status planner_rotor(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                             struct planner_result *out, struct error *error) {
    struct rotor r;
    struct arena scratch = { 0 }; /* the table is large and of no further use */
    const struct patience patience = { task->should_stop, task->context };
    uint64_t memory = 0;
    enum ss_status status = trial_begin(&r.trial, task, simulator, arena, UINT64_MAX, error);
    if (status == SS_OK)
        status = chain_build(&r.chain, &scratch, task->profile, &r.trial.closure, ROTOR_MOST_STAGES, error);
    if (status == SS_OK)
        status = chain_plan_init(&r.plan, &r.trial, &r.chain, &scratch, error);
    double time = INFINITY;
    if (status == SS_OK && chain_memory(&r.chain, task->budget_bytes, &memory)) {
        status = rotor_table_build(&r.table, &scratch, &r.chain, memory, ROTOR_SLOTS, &patience, error);
        if (status == SS_OK)
            time = r.chain.first_us + rotor_table_time(&r.table, 0, r.chain.count - 1, r.table.slots);
    }
    r.trial.stopped = status == SS_STOPPED;
    if (status == SS_OK && time < INFINITY) {
        status = follow(&r, &scratch, error);
    } else if (status == SS_OK || status == SS_STOPPED) { /* nothing was decided: a checkpoint in front of each stage */
        chain_plan_start(&r.plan, ACTION_KEEP);
        status = chain_plan_take(&r.plan, error);
    }
    out->own_model_us = chain_model_us(task->profile, time);
    if (status == SS_OK)
        status = trial_finish(&r.trial, out, error);
    arena_free(&scratch);
    return status;
}
