/* optimal: the best plan there is, by branch and bound, for small profiles.
 *
 * Units are decided one after another, largest first; the undecided are offloaded meanwhile, which is the least that
 * any choice for them can need (MODEL.md §3: a copy stays on the GPU longest when kept, and recomputing adds steps and
 * uses). A branch is cut when
 *  - even so it needs more than the budget at some step, or
 *  - no completion can be faster than the best plan known. Three bounds, each for all completions of the decided part:
 *      compute:  the ideal plus what re-running the decided closures costs (closure.share_us may be summed);
 *      H2D:      returns are issued once the forward pass is over, one after another at no more than the single rate,
 *                and the last lands before its first backward use;
 *      D2H:      none leaves before the first producer has ended, and each is out before it comes back.
 * It starts from the plan of `slackswap`. When every branch has been searched or cut the best plan is proved to be
 * optimal for its unit; the evaluation limit or should_stop can end it before, which `proved` tells. */
#include "planner_list.h"
#include "residency.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_WORK 2000000    /* evaluations times units: a second or so, whatever the size */
#define NODES_PER_EVALUATION 16 /* a node lays a plan out but does not simulate it */

/* What the decided part costs at least, from the root down to a depth. */
struct decided { double recompute_us, out_us, back_us; };

struct search {
    struct trial trial;
    uint32_t *unit;            /* depth -> unit, largest first */
    uint8_t *choice;           /* depth -> how many of its actions have been tried */
    uint8_t *first;            /* depth -> the action tried first: that of the plan to start from */
    struct decided *decided;   /* depth -> of the units above it */
    uint32_t *rerun;           /* op -> decided units that run it again */
    struct residency_edges edges;
    uint64_t nodes;
};

struct sized { uint64_t bytes; uint32_t unit; };

static int by_size(const void *a, const void *b) {
    const struct sized *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static enum ss_status search_begin(struct search *s, const struct plan_task *task, struct simulator *simulator,
                                   struct arena *arena, struct error *error) {
    *s = (struct search){ .nodes = 0 };
    const uint64_t evaluations = 1 + DEFAULT_WORK / (1 + (uint64_t)task->profile->managed_count);
    enum ss_status status = trial_begin(&s->trial, task, simulator, arena, evaluations, error);
    if (status != SS_OK)
        return status;
    const uint32_t count = s->trial.units.count;
    struct sized *order = ARENA_ARRAY(arena, struct sized, count);
    s->unit = ARENA_ARRAY(arena, uint32_t, count);
    s->choice = ARENA_ARRAY(arena, uint8_t, (size_t)count + 1);
    s->first = ARENA_ARRAY(arena, uint8_t, (size_t)count + 1);
    s->decided = ARENA_ARRAY(arena, struct decided, (size_t)count + 1);
    s->rerun = ARENA_ARRAY(arena, uint32_t, task->profile->op_count);
    if (!order || !s->unit || !s->choice || !s->first || !s->decided || !s->rerun)
        return error_no_memory(error);
    for (uint32_t u = 0; u < count; u++)
        order[u] = (struct sized){ s->trial.units.unit[u].bytes, u };
    qsort(order, count, sizeof *order, by_size);
    for (uint32_t u = 0; u < count; u++)
        s->unit[u] = order[u].unit;
    s->edges = residency_edges(task->profile);
    return SS_OK;
}

/* Adds (SIGN 1) or takes back (-1) unit U's ops to those run again; returns the change of the bound, in us. */
static double count_reruns(struct search *s, uint32_t u, int sign) {
    const struct unit *unit = &s->trial.units.unit[u];
    double change = 0;
    for (uint32_t i = 0; i < unit->count; i++) {
        const uint32_t op = s->trial.profile->tensors[s->trial.units.tensor[unit->at + i]].producer;
        if (sign > 0 ? s->rerun[op]++ == 0 : --s->rerun[op] == 0)
            change += s->trial.closure.share_us[op];
    }
    return change;
}

static struct decided decide(struct search *s, const struct decided *above, uint32_t u, enum action action) {
    const struct unit *unit = &s->trial.units.unit[u];
    const struct link *link = &s->trial.task->link;
    struct decided now = *above;
    if (action == ACTION_RECOMPUTE) {
        now.recompute_us += count_reruns(s, u, 1);
    } else if (action == ACTION_OFFLOAD) {
        const double latency = link->latency_us * unit->count;
        now.out_us += latency + (double)unit->bytes / gb_per_s_to_bytes_per_us(link->d2h_gb_per_s);
        now.back_us += latency + (double)unit->bytes / gb_per_s_to_bytes_per_us(link->h2d_gb_per_s);
    }
    return now;
}

static double fastest(const struct search *s, const struct decided *decided) {
    const struct profile *p = s->trial.profile;
    double end = p->forward_us + p->backward_us + decided->recompute_us;
    if (decided->out_us > 0) {
        end = fmax(end, p->forward_us + decided->back_us + s->edges.tail_us);
        end = fmax(end, s->edges.release_us + decided->out_us + s->edges.tail_us);
    }
    return end + p->fixed_us;
}

static bool can_win(const struct search *s, const struct decided *decided) {
    return !totals_fit(&s->trial.best_totals, s->trial.task) ||
        fastest(s, decided) < s->trial.best_totals.step_us * (1 - 1e-12);
}

static bool search_over(struct search *s) {
    return ++s->nodes > NODES_PER_EVALUATION * s->trial.limit || trial_over(&s->trial);
}

/* The next action to try at DEPTH, or ACTION_COUNT. */
static enum action next_action(struct search *s, uint32_t depth) {
    const struct unit *unit = &s->trial.units.unit[s->unit[depth]];
    while (s->choice[depth] < ACTION_COUNT) {
        const enum action action = (enum action)((s->first[depth] + s->choice[depth]++) % ACTION_COUNT);
        if (action != ACTION_RECOMPUTE || unit->recomputable)
            return action;
    }
    return ACTION_COUNT;
}

static enum action action_of(const struct search *s, const struct plan *plan, uint32_t u) {
    return (enum action)plan->action[s->trial.units.tensor[s->trial.units.unit[u].at]];
}

/* The unit at DEPTH becomes undecided again. */
static void undo(struct search *s, uint32_t depth) {
    const uint32_t u = s->unit[depth];
    if (action_of(s, &s->trial.plan, u) == ACTION_RECOMPUTE)
        count_reruns(s, u, -1);
    trial_set(&s->trial, u, ACTION_OFFLOAD);
}

/* Depth first. Returns true when everything was searched or cut. */
static enum ss_status search_all(struct search *s, bool *proved, struct error *error) {
    const uint32_t count = s->trial.units.count;
    uint32_t depth = 0;
    *proved = false;
    for (;;) {
        if (search_over(s))
            return SS_OK;
        const enum action action = depth < count ? next_action(s, depth) : ACTION_COUNT;
        if (action == ACTION_COUNT) {
            if (depth < count)
                s->choice[depth] = 0;
            if (depth == 0) {
                *proved = true;
                return SS_OK;
            }
            undo(s, --depth);
            continue;
        }
        const uint32_t u = s->unit[depth];
        trial_set(&s->trial, u, action);
        s->decided[depth + 1] = decide(s, &s->decided[depth], u, action);
        bool open = can_win(s, &s->decided[depth + 1]);
        if (open) {
            const struct schedule *schedule;
            const enum ss_status status = trial_requirement(&s->trial, &schedule, error);
            if (status != SS_OK)
                return status;
            open = schedule->peak_bytes <= s->trial.task->budget_bytes;
        }
        if (open && depth + 1 == count) {
            const enum ss_status status = trial_evaluate(&s->trial, error);
            if (status != SS_OK)
                return status;
        }
        if (open && depth + 1 < count)
            depth++;
        else
            undo(s, depth);
    }
}

enum ss_status planner_optimal(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                               struct planner_result *out, struct error *error) {
    struct search s;
    struct planner_result start;
    double bound_us;
    enum ss_status status = planner_slackswap(task, simulator, arena, &start, error);
    if (status == SS_OK)
        status = search_begin(&s, task, simulator, arena, error);
    if (status == SS_OK)
        status = task_bound(task, &bound_us, error);
    if (status != SS_OK)
        return status;
    trial_adopt(&s.trial, &start);
    bool proved = totals_fit(&start.totals, task) && start.totals.step_us <= bound_us * (1 + 1e-12);
    if (!proved) {
        for (uint32_t d = 0; d < s.trial.units.count; d++) {
            s.first[d] = (uint8_t)action_of(&s, &start.plan, s.unit[d]);
            trial_set(&s.trial, s.unit[d], ACTION_OFFLOAD);
        }
        status = search_all(&s, &proved, error);
    }
    if (status != SS_OK)
        return status;
    status = trial_finish(&s.trial, out, error);
    out->proved = proved;
    return status;
}
