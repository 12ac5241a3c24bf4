/* chain_plan: see chain_plan.h. */
#include "chain_plan.h"

#include <math.h>
#include <string.h>

/* Stages first…last still to be decided, in m slots. */
struct part { uint32_t first, last, m; uint8_t level; };

enum ss_status chain_plan_init(struct chain_plan *plan, struct trial *trial, const struct chain *chain,
                               struct arena *arena, struct error *error) {
    const size_t count = chain->count;
    *plan = (struct chain_plan){ .trial = trial, .chain = chain };
    plan->decisions.saved = ARENA_ARRAY(arena, uint8_t, count);
    plan->decisions.checkpoint = ARENA_ARRAY(arena, uint8_t, count);
    plan->decisions.level = ARENA_ARRAY(arena, uint8_t, count);
    plan->kept = ARENA_ARRAY(arena, uint32_t, count + 1);
    plan->moved = ARENA_ARRAY(arena, uint32_t, count + 1);
    plan->stack = ARENA_ARRAY(arena, struct part, count + 1);
    const bool all = plan->decisions.saved && plan->decisions.checkpoint && plan->decisions.level && plan->kept
        && plan->moved && plan->stack;
    return all ? SS_OK : error_no_memory(error);
}

void chain_plan_start(struct chain_plan *plan, enum action action) {
    for (uint32_t s = 0; s < plan->chain->count; s++) {
        plan->decisions.saved[s] = ACTION_RECOMPUTE;
        plan->decisions.checkpoint[s] = (uint8_t)action;
        plan->decisions.level[s] = action == ACTION_RECOMPUTE ? NOT_A_CHECKPOINT : 0;
    }
}

void rotor_decide(struct chain_plan *plan, const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m,
                  uint8_t level) {
    uint32_t depth = 0;
    plan->stack[depth++] = (struct part){ first, last, m, level };
    while (depth > 0) {
        const struct part part = plan->stack[--depth];
        const uint32_t choice = rotor_table_choice(table, part.first, part.last, part.m);
        if (choice == part.first) {
            if (part.level == 0)
                plan->decisions.saved[part.first] = ACTION_KEEP;
            if (part.first < part.last)
                plan->stack[depth++] = (struct part){ part.first + 1, part.last,
                                                      part.m - table->stage[part.first].saved, part.level };
            continue;
        }
        plan->decisions.checkpoint[choice] = ACTION_KEEP;
        plan->decisions.level[choice] = part.level;
        const uint8_t deeper = part.level + 1 < NOT_A_CHECKPOINT ? part.level + 1 : part.level;
        plan->stack[depth++] = (struct part){ part.first, choice - 1, part.m, deeper };
        plan->stack[depth++] = (struct part){ choice, part.last, part.m - table->stage[choice - 1].output, part.level };
    }
}

static void count_checkpoints(struct chain_plan *plan, uint8_t deepest) {
    for (uint32_t s = 0; s < plan->chain->count; s++) {
        const bool counts = plan->decisions.level[s] != NOT_A_CHECKPOINT && plan->decisions.level[s] <= deepest;
        plan->kept[s + 1] = plan->kept[s] + (counts && plan->decisions.checkpoint[s] == ACTION_KEEP);
        plan->moved[s + 1] = plan->moved[s] + (counts && plan->decisions.checkpoint[s] == ACTION_OFFLOAD);
    }
}

/* What the decisions say of TENSOR: saved with its stage, or part of a checkpoint, or neither. */
static enum action decided(const struct chain_plan *plan, uint32_t tensor) {
    const struct tensor *t = &plan->trial->profile->tensors[tensor];
    const uint32_t made = plan->chain->stage_of[t->producer], read = plan->chain->stage_of[t->last_forward];
    if (plan->decisions.saved[made] != ACTION_RECOMPUTE)
        return (enum action)plan->decisions.saved[made];
    if (plan->kept[read + 1] > plan->kept[made + 1])
        return ACTION_KEEP;
    return plan->moved[read + 1] > plan->moved[made + 1] ? ACTION_OFFLOAD : ACTION_RECOMPUTE;
}

/* A module is kept when any of it is (to be a checkpoint its output must stay), else moved when any of it is. */
static enum action unit_action(const struct chain_plan *plan, const struct unit *unit) {
    bool keep = false, move = false;
    for (uint32_t i = 0; i < unit->count; i++) {
        const uint32_t tensor = plan->trial->units.tensor[unit->at + i];
        if (!closure_allows(&plan->trial->closure, plan->trial->profile, tensor))
            continue; /* not the chain's */
        const enum action action = decided(plan, tensor);
        keep = keep || action == ACTION_KEEP;
        move = move || action == ACTION_OFFLOAD;
    }
    return keep ? ACTION_KEEP : move ? ACTION_OFFLOAD : unit->recomputable ? ACTION_RECOMPUTE : ACTION_KEEP;
}

/* Lays out the decisions, checkpoints down to level DEEPEST made from the start, with the first LEAVING stages over the
 * link: all of their tensors, or only what is not kept. PEAK: bytes that this needs. */
struct way { uint8_t deepest; uint32_t leaving; bool all; };

static enum ss_status lay_out(struct chain_plan *plan, struct way way, uint64_t *peak, struct error *error) {
    struct trial *trial = plan->trial;
    const struct schedule *schedule;
    count_checkpoints(plan, way.deepest);
    for (uint32_t u = 0; u < trial->units.count; u++) {
        const struct unit *unit = &trial->units.unit[u];
        const enum action action = unit_action(plan, unit);
        const bool leaves = plan->chain->stage_of[unit->producer] < way.leaving;
        trial_set(trial, u, leaves && (way.all || action != ACTION_KEEP) ? ACTION_OFFLOAD : action);
    }
    const enum ss_status status = trial_requirement(trial, &schedule, error);
    *peak = status == SS_OK ? schedule->peak_bytes : 0;
    return status;
}

static uint8_t deepest_level(const struct chain_plan *plan) {
    uint8_t deepest = 0;
    for (uint32_t s = 0; s < plan->chain->count; s++) {
        const uint8_t level = plan->decisions.level[s];
        deepest = level != NOT_A_CHECKPOINT && level > deepest ? level : deepest;
    }
    return deepest;
}

enum ss_status chain_plan_try(struct chain_plan *plan, bool *fits, struct error *error) {
    const uint8_t deepest = deepest_level(plan);
    enum ss_status status = SS_OK;
    for (uint32_t level = 0; level <= deepest && status == SS_OK && !trial_over(plan->trial); level++) {
        uint64_t peak;
        status = lay_out(plan, (struct way){ .deepest = (uint8_t)level }, &peak, error);
        if (status != SS_OK || peak > plan->trial->task->budget_bytes)
            continue;
        status = trial_evaluate(plan->trial, error);
        *fits = *fits || totals_fit(&plan->trial->totals, plan->trial->task);
    }
    return status;
}

enum ss_status chain_plan_take(struct chain_plan *plan, struct error *error) {
    uint64_t peak;
    const enum ss_status status = lay_out(plan, (struct way){ 0 }, &peak, error);
    return status == SS_OK ? trial_evaluate(plan->trial, error) : status;
}

/* The fewest stages that must leave for the plan to fit, by bisection: more that leave may need more in between, but
 * with all of them gone it is the least there is. */
static enum ss_status leave(struct chain_plan *plan, bool all, struct error *error) {
    struct way way = { .all = all };
    uint32_t low = 1, high = plan->chain->count;
    uint64_t peak;
    enum ss_status status = SS_OK;
    while (low < high && status == SS_OK) {
        way.leaving = low + (high - low) / 2;
        status = lay_out(plan, way, &peak, error);
        if (peak <= plan->trial->task->budget_bytes)
            high = way.leaving;
        else
            low = way.leaving + 1;
    }
    way.leaving = high;
    if (status == SS_OK)
        status = lay_out(plan, way, &peak, error);
    const bool worth = all || peak <= plan->trial->task->budget_bytes;
    return status == SS_OK && worth ? trial_evaluate(plan->trial, error) : status;
}

enum ss_status chain_plan_repair(struct chain_plan *plan, struct error *error) {
    enum ss_status status = leave(plan, true, error);
    if (status == SS_OK && !trial_over(plan->trial))
        status = leave(plan, false, error);
    return status;
}

double chain_model_us(const struct profile *profile, double time_us) {
    return time_us < INFINITY ? time_us + profile->fixed_us : NAN;
}

bool chain_memory(const struct chain *chain, uint64_t budget_bytes, uint64_t *memory_bytes) {
    if (budget_bytes < chain->pinned_bytes)
        return false;
    *memory_bytes = budget_bytes - chain->pinned_bytes;
    return true;
}
