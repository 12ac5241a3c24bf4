/* refine: starts from slackswap and improves anytime, with the simulator in the loop.
 *
 * The plans of the other planners that build one are tried at once (they cost an evaluation or a few each): where
 * tensors are few and large, the best to start from may be any of them, and refine is never behind one.
 *
 * A move changes the actions of a few units. Most ideas are thrown away by their estimate (estimate.h), those left are
 * laid out and simulated. A plan a little slower than the present one is accepted now and then, ever more rarely within
 * a round; each round starts anew from the best. Where that leads nowhere and there are large tensors, a round holds one
 * of them to another action than the best plan's: too much has to change with it for single changes to get there. It ends
 * when the bound is met, the evaluations are spent or it is told to stop. */
#include "estimate.h"
#include "planner_list.h"

#include <math.h>
#include <string.h>

#define DEFAULT_EVALUATIONS 4000
#define DEFAULT_WORK 2000000  /* tensors times evaluations: fewer evaluations for larger profiles … */
#define LEAST_EVALUATIONS 64  /* … but so many at least */
#define ROUND 300             /* evaluations from a warm start to a cold end */
#define ATTEMPTS (3 * ROUND)  /* plans laid out in a round, evaluated or not */
#define MOST_CHANGED 64       /* units in one move */
#define MOST_CHAINED 4000     /* ops for which the dynamic programs over chains are quick enough to be tried */
#define STRIDES 400           /* single changes tried in a walk */
#define WALKS 20
#define PATIENCES 1024
#define HELD_MOST 6           /* units that may be held … */
#define HELD_PART 0.01        /* … as long as moving them takes at least such a part of the ideal step */
#define MOST_DRY 8            /* times in a row that all walks end badly before a round is given up */

struct move { uint32_t count, unit[MOST_CHANGED]; uint8_t from[MOST_CHANGED]; };

struct refine {
    struct trial trial;
    struct layout layout;
    struct estimate estimate;
    struct move move;
    uint32_t *moved;          /* unit -> its place in the move + 1 */
    uint32_t large[HELD_MOST], large_count; /* units, the largest first */
    uint32_t held;            /* the unit that no move may change; NONE: none */
    uint32_t next_hold;       /* which unit is to be held next, and to which of the two other actions */
    double typical_us;        /* what moving or recomputing a unit takes, about */
    double *patience;         /* exponentially distributed */
    uint64_t random;
    double price;             /* us a byte, see estimate_spare */
    double score_us;          /* of the present plan: its step less the ideal one, and what it has to spare */
    double bound_us;
};

/* splitmix64 */
static uint64_t draw(struct refine *r) {
    uint64_t z = r->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double draw_unit(struct refine *r) {
    return (double)(draw(r) >> 11) * 0x1p-53;
}

/* Remembers where UNIT came from the first time it changes. */
static void note(struct refine *r, uint32_t unit, enum action from) {
    struct move *move = &r->move;
    if (r->moved[unit] == 0) {
        move->unit[move->count] = unit;
        move->from[move->count++] = (uint8_t)from;
        r->moved[unit] = move->count;
    }
}

static void forget(struct refine *r) {
    for (uint32_t i = 0; i < r->move.count; i++)
        r->moved[r->move.unit[i]] = 0;
    r->move.count = 0;
}

static void take_back(struct refine *r) {
    for (uint32_t i = r->move.count; i-- > 0;)
        estimate_change(&r->estimate, r->move.unit[i], (enum action)r->move.from[i]);
}

/* What a walk tries to lower: missing bytes count as long as it would take to move them. */
static double burden(const struct refine *r) {
    const int64_t shortage = estimate_shortage(&r->estimate);
    const double lateness = estimate_least_lateness(&r->estimate);
    return estimate_cost(&r->estimate, lateness) + estimate_spare(&r->estimate, lateness, r->price)
        + (shortage > 0 ? (double)shortage / r->layout.out_rate : 0);
}

/* Fits at the step that needs most, and may score less than LIMIT. */
static bool may_do(const struct refine *r, double limit) {
    if (estimate_shortage(&r->estimate) > 0 || burden(r) >= limit)
        return false;
    const double lateness = estimate_lateness(&r->estimate);
    return estimate_cost(&r->estimate, lateness) + estimate_spare(&r->estimate, lateness, r->price) < limit;
}

static uint32_t differing(const struct refine *r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->move.count; i++)
        count += r->estimate.action[r->move.unit[i]] != r->move.from[i];
    return count;
}

/* Walks from the present plan by single changes, on estimates alone, until it meets a plan that may cost less than
 * LIMIT us; false when it met none. */
static bool walk(struct refine *r, double limit) {
    const struct units *units = &r->trial.units;
    const double heat = r->typical_us * exp(-8 * draw_unit(r));
    double present = burden(r);
    for (int i = 0; i < STRIDES && r->move.count < MOST_CHANGED; i++) {
        const uint64_t chance = draw(r);
        const uint32_t u = (uint32_t)((chance >> 32) * units->count >> 32);
        const enum action from = (enum action)r->estimate.action[u];
        const enum action to = (enum action)((from + 1 + (chance & 1)) % ACTION_COUNT);
        if (u == r->held || (to == ACTION_RECOMPUTE && !units->unit[u].recomputable))
            continue;
        estimate_change(&r->estimate, u, to);
        const double next = burden(r);
        if (next > present + heat * r->patience[chance >> 1 & (PATIENCES - 1)]) {
            estimate_change(&r->estimate, u, from);
            continue;
        }
        note(r, u, from);
        present = next;
        if (may_do(r, limit) && differing(r) > 0)
            return true;
    }
    return false;
}

/* Walks until one ends well. */
static bool promising(struct refine *r, double limit) {
    for (int i = 0; i < WALKS; i++) {
        forget(r);
        if (walk(r, limit))
            return true;
        take_back(r);
    }
    return false;
}

static void apply(struct refine *r, bool forward) {
    for (uint32_t i = 0; i < r->move.count; i++) {
        const uint32_t u = r->move.unit[i];
        trial_set(&r->trial, u, (enum action)(forward ? r->estimate.action[u] : r->move.from[i]));
    }
}

static double score(const struct refine *r, const struct sim_totals *totals) {
    return totals->step_us - r->trial.profile->ideal_us
        + estimate_spare(&r->estimate, estimate_lateness(&r->estimate), r->price);
}

static void load_best(struct refine *r) {
    memcpy(r->trial.plan.action, r->trial.best.action, r->trial.profile->tensor_count);
    for (uint32_t u = 0; u < r->trial.units.count; u++) {
        const uint8_t action = r->trial.best.action[r->trial.units.tensor[r->trial.units.unit[u].at]];
        if (r->estimate.action[u] != action)
            estimate_change(&r->estimate, u, (enum action)action);
    }
    r->score_us = score(r, &r->trial.best_totals);
}

static void list_large(struct refine *r) {
    const struct units *units = &r->trial.units;
    for (uint32_t u = 0; u < units->count; u++) {
        if (r->estimate.figures[u].out_us < HELD_PART * r->trial.profile->ideal_us)
            continue;
        uint32_t at = r->large_count < HELD_MOST ? r->large_count++ : HELD_MOST;
        for (; at > 0 && units->unit[u].bytes > units->unit[r->large[at - 1]].bytes; at--)
            if (at < HELD_MOST)
                r->large[at] = r->large[at - 1];
        if (at < HELD_MOST)
            r->large[at] = u;
    }
}

/* Holds the next unit, from the best plan on, to the next action that is not the best plan's. */
static void hold_next(struct refine *r) {
    for (uint32_t tries = 0; tries < 2 * r->large_count; tries++) {
        const uint32_t u = r->large[r->next_hold / 2 % r->large_count];
        const enum action to = (enum action)((r->estimate.action[u] + 1 + r->next_hold++ % 2) % ACTION_COUNT);
        if (to == ACTION_RECOMPUTE && !r->trial.units.unit[u].recomputable)
            continue;
        r->held = u;
        estimate_change(&r->estimate, u, to);
        trial_set(&r->trial, u, to);
        r->score_us = INFINITY; /* the first plan that fits will do */
        return;
    }
}

static enum ss_status round_of_moves(struct refine *r, double warmth, bool hold, struct error *error) {
    const uint64_t start = r->trial.evaluations;
    enum ss_status status = SS_OK;
    uint32_t dry = 0;
    load_best(r);
    r->held = NONE;
    if (hold)
        hold_next(r);
    for (uint32_t i = 0; i < ATTEMPTS && dry < MOST_DRY && r->trial.evaluations < start + ROUND && !trial_over(&r->trial); i++) {
        const double cool = 1 - (double)(r->trial.evaluations - start) / ROUND;
        const double accept = r->score_us - warmth * cool * log(1 - draw_unit(r));
        if (!promising(r, accept)) {
            dry++;
            continue;
        }
        dry = 0;
        const struct schedule *schedule;
        apply(r, true);
        status = trial_requirement(&r->trial, &schedule, error);
        if (status != SS_OK)
            break;
        bool taken = false;
        if (schedule->peak_bytes <= r->trial.task->budget_bytes) {
            status = trial_evaluate(&r->trial, error);
            taken = totals_fit(&r->trial.totals, r->trial.task) && score(r, &r->trial.totals) <= accept;
        }
        if (taken) {
            r->score_us = score(r, &r->trial.totals);
        } else {
            apply(r, false);
            take_back(r);
        }
    }
    return status;
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

enum ss_status planner_refine(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                              struct planner_result *out, struct error *error) {
    struct refine r = { .random = task->seed };
    struct planner_result first;
    enum ss_status status = planner_slackswap(task, simulator, arena, &first, error);
    if (status == SS_OK)
        status = task_bound(task, &r.bound_us, error);
    if (status == SS_OK)
        status = trial_begin(&r.trial, task, simulator, arena, default_evaluations(task->profile), error);
    if (status == SS_OK)
        status = layout_init(&r.layout, &r.trial, arena, error);
    if (status == SS_OK)
        status = estimate_init(&r.estimate, &r.layout, arena, error);
    struct item_order order;
    if (status == SS_OK)
        status = items_order(&order, &r.layout.items, arena, false, TIES_LATEST, error);
    if (status != SS_OK)
        return status;
    r.moved = ARENA_ARRAY(arena, uint32_t, r.trial.units.count);
    r.patience = ARENA_ARRAY(arena, double, PATIENCES);
    if (!r.moved || !r.patience)
        return error_no_memory(error);
    for (uint32_t i = 0; i < PATIENCES; i++)
        r.patience[i] = -log((i + 0.5) / PATIENCES);
    for (uint32_t u = 0; u < r.trial.units.count; u++)
        r.typical_us += r.estimate.figures[u].out_us / r.trial.units.count;
    trial_adopt(&r.trial, &first);
    if (first.totals.step_us > r.bound_us * (1 + 1e-9) || !first.totals.feasible)
        status = try_others(&r.trial, arena, error);
    load_best(&r);
    const double price = estimate_price(&r.estimate, &order);
    uint32_t rounds = 0, idle = 0, vain = 0; /* vain: rounds since the best plan was found */
    list_large(&r);
    while (status == SS_OK && idle < 2 && !trial_over(&r.trial) && totals_fit(&r.trial.best_totals, task) && r.trial.units.count > 0 &&
           r.trial.best_totals.step_us > r.bound_us * (1 + 1e-9)) {
        const uint64_t before = r.trial.evaluations;
        const double best_us = r.trial.best_totals.step_us;
        const bool hold = vain % 3 == 2 && r.large_count > 0;
        r.price = rounds++ % 2 ? price : 0;
        status = round_of_moves(&r, (best_us - r.bound_us) * 0.1, hold, error);
        idle = r.trial.evaluations == before ? idle + 1 : 0;
        vain = r.trial.best_totals.step_us < best_us ? 0 : vain + 1;
    }
    return status == SS_OK ? trial_finish(&r.trial, out, error) : status;
}
