/* refine: starts from slackswap and improves anytime, with the simulator in the loop.
 *
 * The plans of the other planners that build one are tried at once (they cost an evaluation or a few each): where
 * tensors are few and large, the best to start from may be any of them, and refine is never behind one.
 *
 * Then it goes several ways in turn, each from the best plan on: annealing (refine_anneal.c) that begins with hardly more
 * than that plan's neighbours, wide of it, or where all is tried anew, and moves that are each simulated (refine_moves.c). Which
 * of them leads further depends on the work: with many small tensors it is the first, with few large ones the last. So
 * a way that has led to a better plan is gone on, and one that has not is left out for a while, the longer the more often
 * that happens; but never the first, for its chances are the best in most work. It ends when the bound is met, the
 * evaluations are spent, nothing is left to be tried or it is told to stop.
 *
 * An evaluation is a simulation, or as many forecasts and rehearsals as take about as long: a limit to evaluations is a
 * limit to time, too. */
#include "planner_list.h"
#include "refine.h"

#include <math.h>

#define DEFAULT_EVALUATIONS 4000
#define DEFAULT_WORK 2000000  /* tensors times evaluations: fewer evaluations for larger profiles … */
#define LEAST_EVALUATIONS 64  /* … but so many at least */
#define MOST_CHAINED 4000     /* ops for which the dynamic programs over chains are quick enough to be tried */
#define SHORT_GO 100          /* evaluations: the first time that a way is gone, each of the next … */
#define DOUBLINGS 2           /* … takes twice as long */
#define REST_MOST 7           /* turns that a way is left out */
#define MOVE_WARM 0.1         /* of the gap: how much slower a plan may be for a move to be taken */
#define GAP_PART 2            /* of the gap: more than that annealing begins with only where all is tried anew */

enum way { WAY_COOL, WAY_WARM, WAY_HOT, WAY_MOVES, WAY_COUNT };
static const double HEAT[] = { [WAY_COOL] = 0.005, [WAY_WARM] = 0.05, [WAY_HOT] = 1 }; /* of what moving a unit takes */
struct turn { uint32_t runs, rest, skip; }; /* times gone; turns that it is left out, and how many of them are to come */

bool refine_try(struct refine *r, uint32_t unit, enum action to) {
    struct move *move = &r->move;
    const enum action from = (enum action)r->action[unit];
    if (unit == r->held || to == from || (to == ACTION_RECOMPUTE && !r->trial.units.unit[unit].recomputable))
        return false;
    refine_change(r, unit, to);
    if (r->moved[unit] == 0) { /* remembers where it came from the first time it changes */
        move->unit[move->count] = unit;
        move->from[move->count++] = (uint8_t)from;
        r->moved[unit] = move->count;
    }
    return true;
}

void refine_retract(struct refine *r, uint32_t unit) {
    r->moved[unit] = 0;
    r->move.count--;
}

void refine_forget(struct refine *r) {
    for (uint32_t i = 0; i < r->move.count; i++)
        r->moved[r->move.unit[i]] = 0;
    r->move.count = 0;
}

void refine_take_back(struct refine *r) {
    for (uint32_t i = r->move.count; i-- > 0;)
        refine_change(r, r->move.unit[i], (enum action)r->move.from[i]);
}

void refine_load_best(struct refine *r) {
    const struct units *units = &r->trial.units;
    for (uint32_t u = 0; u < units->count; u++) {
        const uint8_t action = r->trial.best.action[units->tensor[units->unit[u].at]];
        if (r->action[u] != action)
            refine_change(r, u, (enum action)action);
    }
    r->held = NONE;
    r->host_bytes = r->trial.task->host_memory_bytes;
    if (r->host_bytes < r->rehearsal.offloaded_bytes)
        r->host_bytes = r->rehearsal.offloaded_bytes;
}

enum ss_status refine_evaluate(struct refine *r, struct error *error) {
    for (uint32_t u = 0; u < r->trial.units.count; u++)
        trial_set(&r->trial, u, (enum action)r->action[u]);
    return trial_evaluate(&r->trial, error);
}

double refine_out_us(const struct refine *r, uint32_t unit) {
    const struct unit *u = &r->trial.units.unit[unit];
    return (double)u->bytes / r->rehearsal.out_rate + u->count * r->rehearsal.latency_us;
}

/* Us a byte of the dearest tenth of the bytes that are recomputed. */
static double dearest_price(const struct refine *r, const struct item_order *order) {
    double bytes = 0, most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < order->count; i++) {
            const struct item *item = &r->items.item[order->item[i]];
            const double again = r->rehearsal.run_due[item->producer] == NONE ? 0 : (double)item->bytes;
            most += pass == 0 ? again : 0;
            bytes += pass == 1 ? again : 0;
            if (bytes > 0 && bytes >= 0.9 * most)
                return fmin(item->price_us / (double)item->bytes, 1 / r->rehearsal.out_rate);
        }
    return 0;
}

static uint64_t default_evaluations(const struct profile *profile) {
    const uint64_t some = DEFAULT_WORK / (profile->managed_count + 1);
    return some > DEFAULT_EVALUATIONS ? DEFAULT_EVALUATIONS : some < LEAST_EVALUATIONS ? LEAST_EVALUATIONS : some;
}

/* Takes the other planners' plans where they are better than the best so far, as long as evaluations last. */
static enum ss_status try_others(struct trial *trial, struct arena *arena, struct error *error) {
    static planner_run_fn *const others[] = { planner_recompute, planner_capuchin, planner_rule, planner_offload,
                                              planner_first_layers, planner_checkpoint, planner_sqrt, planner_selective,
                                              planner_rotor, planner_pofo };
    const size_t count = sizeof others / sizeof *others - (trial->profile->op_count > MOST_CHAINED ? 2 : 0);
    for (size_t i = 0; i < count && !trial_over(trial); i++) {
        struct plan_task task = *trial->task;
        struct planner_result other;
        task.improved = NULL; /* better than its own tries is not yet better than ours */
        task.evaluation_limit = trial->limit - trial->evaluations;
        const enum ss_status status = others[i](&task, trial->simulator, arena, &other, error);
        if (status != SS_OK)
            return status;
        if (trial_adopt(trial, &other))
            trial_tell(trial);
    }
    return SS_OK;
}

static enum ss_status begin(struct refine *r, const struct plan_task *task, struct simulator *simulator,
                            struct arena *arena, struct error *error) {
    enum ss_status status = trial_begin(&r->trial, task, simulator, arena, default_evaluations(task->profile), error);
    if (status == SS_OK)
        status = items_build(&r->items, arena, &r->trial, error);
    if (status == SS_OK)
        status = rehearsal_init(&r->rehearsal, &r->trial, arena, error);
    if (status != SS_OK)
        return status;
    r->moved = ARENA_ARRAY(arena, uint32_t, r->trial.units.count);
    r->patience = ARENA_ARRAY(arena, double, PATIENCES);
    r->action = ARENA_ARRAY(arena, uint8_t, r->trial.units.count);
    if (!r->moved || !r->patience || !r->action)
        return error_no_memory(error);
    for (uint32_t i = 0; i < PATIENCES; i++)
        r->patience[i] = -log((i + 0.5) / PATIENCES);
    for (uint32_t u = 0; u < r->trial.units.count; u++)
        r->typical_us += refine_out_us(r, u) / r->trial.units.count;
    refine_list_large(r);
    return SS_OK;
}

static bool may_improve(struct refine *r) {
    return !trial_over(&r->trial) && totals_fit(&r->trial.best_totals, r->trial.task) && r->trial.units.count > 0
        && r->trial.best_totals.step_us > r->bound_us * (1 + 1e-9);
}

/* Rounds of moves until SPENT evaluations are: every third that follows the last better plan holds a large unit. */
static enum ss_status move_about(struct refine *r, double price, uint64_t spend, bool *dry, struct error *error) {
    const uint64_t end = r->trial.evaluations + spend;
    enum ss_status status = SS_OK;
    *dry = true;
    for (bool nothing = false; status == SS_OK && !nothing && r->trial.evaluations < end && may_improve(r);) {
        const double best_us = r->trial.best_totals.step_us;
        const bool hold = r->vain % 3 == 2 && r->large_count > 0;
        status = refine_moves(r, MOVE_WARM * (best_us - r->bound_us), r->rounds++ % 2 ? price : 0, hold, &nothing, error);
        *dry = *dry && nothing;
        r->vain = r->trial.best_totals.step_us < best_us ? 0 : r->vain + 1;
    }
    return status;
}

static enum ss_status go(struct refine *r, enum way way, uint32_t run, double price, bool *dry, struct error *error) {
    const uint64_t left = r->trial.limit - r->trial.evaluations;
    uint64_t evaluations = (uint64_t)SHORT_GO << (run < DOUBLINGS ? run : DOUBLINGS);
    evaluations = evaluations < left / 2 + 1 ? evaluations : left / 2 + 1;
    if (way == WAY_MOVES)
        return move_about(r, price, evaluations, dry, error);
    const double hot_us = r->typical_us * HEAT[way], gap_us = r->trial.best_totals.step_us - r->bound_us;
    return refine_anneal(r, evaluations, way == WAY_HOT ? hot_us : fmin(GAP_PART * gap_us, hot_us), error);
}

/* Goes WAY as long as that finds better plans. */
static enum ss_status take_turn(struct refine *r, enum way way, struct turn *turn, double price, bool *dry, struct error *error) {
    enum ss_status status = SS_OK;
    bool found = true;
    if (turn->skip > 0) {
        turn->skip--;
        return SS_OK;
    }
    while (found && status == SS_OK && may_improve(r)) {
        const double best_us = r->trial.best_totals.step_us;
        status = go(r, way, turn->runs++, price, dry, error);
        found = r->trial.best_totals.step_us < best_us;
        turn->rest = found ? 0 : 2 * turn->rest + 1 < REST_MOST ? 2 * turn->rest + 1 : REST_MOST;
    }
    turn->skip = way == WAY_COOL ? 0 : turn->rest;
    return status;
}

static enum ss_status improve(struct refine *r, double price, struct error *error) {
    struct turn turn[WAY_COUNT] = { { 0, 0, 0 } };
    enum ss_status status = SS_OK;
    for (uint32_t idle = 0; status == SS_OK && idle < 2 && may_improve(r);) {
        const double best_us = r->trial.best_totals.step_us;
        bool dry = false;
        for (int way = 0; way < WAY_COUNT && status == SS_OK && may_improve(r); way++)
            status = take_turn(r, (enum way)way, &turn[way], price, &dry, error);
        idle = r->trial.best_totals.step_us < best_us ? 0 : idle + dry;
    }
    return status;
}

enum ss_status planner_refine(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                              struct planner_result *out, struct error *error) {
    struct refine r = { .random = task->seed };
    struct planner_result first;
    struct item_order order;
    enum ss_status status = planner_slackswap(task, simulator, arena, &first, error);
    if (status == SS_OK)
        status = task_bound(task, &r.bound_us, error);
    if (status == SS_OK)
        status = begin(&r, task, simulator, arena, error);
    if (status == SS_OK)
        status = items_order(&order, &r.items, arena, false, TIES_LATEST, error);
    if (status != SS_OK)
        return status;
    trial_adopt(&r.trial, &first);
    if (first.totals.step_us > r.bound_us * (1 + 1e-9) || !first.totals.feasible)
        status = try_others(&r.trial, arena, error);
    if (status == SS_OK) {
        refine_load_best(&r);
        status = improve(&r, dearest_price(&r, &order), error);
    }
    return status == SS_OK ? trial_finish(&r.trial, out, error) : status;
}
