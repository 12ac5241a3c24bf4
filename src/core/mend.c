/* mend: see mend.h and check.h.
 *
 * To fit: of all single changes the one that leaves the least too much, summed over the steps, again and again; of those
 * that make the plan fit, the one with the shortest step. Then each change is taken back if the plan fits without it,
 * and exchanged for a better one if there is one: the number of changes stays or falls. Where the way is long, or no
 * single change brings the plan nearer, another plan that fits is taken (slackswap's, or to offload everything, which
 * needs the least memory of all, MODEL.md §5), and all that need not be is taken back from it.
 *
 * To shorten the step: the fixes of the findings, those that gain most first, each simulated again on top of the ones
 * before it; then the findings of what has become of the plan. */
#include "mend.h"

#include <stdlib.h>
#include <string.h>

#include "planner.h"

#define CANDIDATES_MOST 384     /* groups tried for one change, largest first */
#define EXCHANGES_MOST 8        /* changes for which a better one is looked for */
#define ROUNDS_MOST 8
#define PRUNING 200             /* evaluations to take back what another plan need not have */
#define STEPS_MOST 12           /* single changes; a longer way is not gone */

/* How far a plan is from fitting, and how long its step is. */
struct distance { double over_bytes, host_over_bytes, step_us; };

static bool nearer(const struct distance *a, const struct distance *b) {
    if (a->over_bytes != b->over_bytes)
        return a->over_bytes < b->over_bytes;
    if (a->host_over_bytes != b->host_over_bytes)
        return a->host_over_bytes < b->host_over_bytes;
    return a->step_us < b->step_us;
}

static bool there(const struct distance *d) { return d->over_bytes == 0 && d->host_over_bytes == 0; }

/* Bytes above the budget, summed over the steps. */
static double sum_over(const struct schedule *s, uint64_t budget_bytes) {
    double over = 0;
    for (uint32_t k = 0; k < s->step_count; k++)
        if (s->requirement[k] > budget_bytes)
            over += (double)(s->requirement[k] - budget_bytes);
    return over;
}

/* False when it can't be told. */
static bool measure(struct checker *c, const struct plan *plan, struct distance *out, struct sim_totals *totals) {
    if (!checker_simulate(c, plan, totals))
        return false;
    *out = (struct distance){ 0, 0, totals->step_us };
    if (!totals->feasible) {
        const struct schedule *s; /* of the plan that was simulated just now */
        if (schedule_build(simulator_builder(c->simulator), plan, &s, c->error) != SS_OK)
            return false;
        out->over_bytes = sum_over(s, c->timeline.budget_bytes);
        out->step_us = 0;
    } else if (totals->host_peak_bytes > c->task->host_memory_bytes) {
        out->host_over_bytes = (double)(totals->host_peak_bytes - c->task->host_memory_bytes);
    }
    return true;
}

static bool has_action(const struct checker *c, const struct plan *plan, uint32_t group, enum action action) {
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++)
        if (plan->action[c->tensor[g->at + i]] != action)
            return false;
    return true;
}

static void copy_group(const struct checker *c, struct plan *to, const struct plan *from, uint32_t group) {
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++)
        to->action[c->tensor[g->at + i]] = from->action[c->tensor[g->at + i]];
}

static bool is_changed(const struct checker *c, const struct plan *plan, uint32_t group) {
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++)
        if (plan->action[c->tensor[g->at + i]] != c->plan.action[c->tensor[g->at + i]])
            return true;
    return false;
}

/* ---- one change ----------------------------------------------------------------------------------------------- */

struct candidates { uint32_t *group; uint32_t count; };
struct ranked { uint64_t bytes; uint32_t group; };

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return a->group < b->group ? -1 : 1;
}

/* Groups, the largest first: there is most to be had from them. */
static bool rank_groups(struct checker *c, struct candidates *out) {
    struct ranked *ranked = ARENA_ARRAY(c->arena, struct ranked, c->group_count);
    out->group = ARENA_ARRAY(c->arena, uint32_t, c->group_count);
    out->count = c->group_count;
    if (!ranked || !out->group) {
        c->findings->failed = true;
        return false;
    }
    for (uint32_t g = 0; g < c->group_count; g++)
        ranked[g] = (struct ranked){ c->group[g].bytes, g };
    qsort(ranked, c->group_count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < c->group_count; i++)
        out->group[i] = ranked[i].group;
    return true;
}

/* Whether changing GROUP may change what the step that needs most needs: it is kept and not in use there, or anything
 * else (its R, what that reads, its return). */
static bool may_matter(const struct checker *c, const struct plan *work, const struct sim_totals *totals,
                       const struct schedule *s, uint32_t group) {
    const struct group *g = &c->group[group];
    const uint32_t step = totals->required_step;
    if (totals->feasible || !has_action(c, work, group, ACTION_KEEP))
        return true;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct tensor *t = &c->profile->tensors[c->tensor[g->at + i]];
        const uint32_t first_saver = c->profile->index[t->savers.at + t->savers.count - 1];
        if (t->last_forward < step && s->backward_step[first_saver] > step)
            return true;
    }
    return false;
}

/* The best single change of WORK, made; false when none is better than NOW. */
static bool best_change(struct checker *c, const struct candidates *candidates, struct plan *work, struct distance *now,
                        struct sim_totals *totals) {
    const struct schedule *built;
    struct schedule s;
    struct distance best = *now;
    struct sim_totals best_totals = *totals;
    uint32_t group = NONE, tried = 0;
    enum action to = ACTION_KEEP;
    struct arena arena = { 0 };
    if (schedule_build(simulator_builder(c->simulator), work, &built, c->error) != SS_OK ||
        schedule_copy(&s, &arena, c->profile, built, c->error) != SS_OK) {
        arena_free(&arena);
        return false;
    }
    for (uint32_t i = 0; i < candidates->count && tried < CANDIDATES_MOST; i++) {
        const uint32_t g = candidates->group[i];
        if (c->group[g].bytes == 0 || !may_matter(c, work, totals, &s, g))
            continue;
        tried++;
        memcpy(c->scratch.action, work->action, c->profile->tensor_count);
        for (int action = 0; action < ACTION_COUNT; action++) {
            struct distance there_to;
            struct sim_totals there_totals;
            if (!checker_may(c, g, (enum action)action) || has_action(c, work, g, (enum action)action))
                continue;
            checker_set(c, &c->scratch, g, (enum action)action);
            if (!measure(c, &c->scratch, &there_to, &there_totals) || !nearer(&there_to, &best))
                continue;
            best = there_to;
            best_totals = there_totals;
            group = g;
            to = (enum action)action;
        }
    }
    memcpy(c->scratch.action, c->plan.action, c->profile->tensor_count);
    arena_free(&arena);
    if (group == NONE)
        return false;
    checker_set(c, work, group, to);
    *now = best;
    *totals = best_totals;
    return true;
}

/* ---- as few as can be ----------------------------------------------------------------------------------------- */

/* Takes back the changes of the groups in LIST[FIRST … FIRST + COUNT - 1], if WORK fits without them. */
static bool take_back(struct checker *c, struct plan *work, const uint32_t *list, uint32_t first, uint32_t count,
                      struct sim_totals *totals) {
    struct sim_totals without;
    memcpy(c->scratch.action, work->action, c->profile->tensor_count);
    for (uint32_t i = first; i < first + count; i++)
        copy_group(c, &c->scratch, &c->plan, list[i]);
    const bool fits = checker_simulate(c, &c->scratch, &without) && checker_fits(c, &without);
    if (fits) {
        memcpy(work->action, c->scratch.action, c->profile->tensor_count);
        *totals = without;
    }
    memcpy(c->scratch.action, c->plan.action, c->profile->tensor_count);
    return fits;
}

/* Takes back what is not needed: many at once first, then fewer and fewer (delta debugging: Zeller, Hildebrandt 2002). */
static void prune(struct checker *c, struct plan *work, uint32_t *list, struct sim_totals *totals) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < c->group_count; g++)
        if (is_changed(c, work, g))
            list[count++] = g;
    for (uint32_t size = count > 1 ? count / 2 : 0; size > 0; size /= 2)
        for (uint32_t at = 0; at < count;) {
            const uint32_t some = size < count - at ? size : count - at;
            if (!take_back(c, work, list, at, some, totals)) {
                at += some;
                continue;
            }
            memmove(&list[at], &list[at + some], (count - at - some) * sizeof *list);
            count -= some;
        }
}

/* Looks for a better change in the place of each. */
static void exchange(struct checker *c, const struct candidates *candidates, struct plan *work, uint32_t *list,
                     struct sim_totals *totals) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < c->group_count; g++)
        if (is_changed(c, work, g) && count <= EXCHANGES_MOST)
            list[count++] = g;
    if (count > EXCHANGES_MOST)
        return;
    struct plan other;
    if (plan_copy(&other, c->arena, c->profile, work, c->error) != SS_OK)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct distance without;
        struct sim_totals other_totals;
        memcpy(other.action, work->action, c->profile->tensor_count);
        copy_group(c, &other, &c->plan, list[i]);
        if (measure(c, &other, &without, &other_totals) && best_change(c, candidates, &other, &without, &other_totals) &&
            there(&without) && other_totals.step_us < totals->step_us) {
            memcpy(work->action, other.action, c->profile->tensor_count);
            *totals = other_totals;
        }
    }
}

/* Whether STEPS_MOST of the largest groups hold what the step that needs most lacks. */
static bool is_near(const struct checker *c, const struct candidates *candidates, const struct sim_totals *totals) {
    const uint64_t budget = c->timeline.budget_bytes;
    uint64_t most = 0;
    for (uint32_t i = 0; i < candidates->count && i < STEPS_MOST; i++)
        most += c->group[candidates->group[i]].bytes;
    return totals->feasible || totals->required_bytes - budget <= most;
}

/* Single changes, as long as the end is in sight. */
static void go_nearer(struct checker *c, const struct candidates *candidates, struct plan *work, struct distance *now,
                      struct sim_totals *totals) {
    for (int left = STEPS_MOST; left > 0 && !there(now); left--) {
        const double before = now->over_bytes;
        if (!best_change(c, candidates, work, now, totals) || now->over_bytes > left * (before - now->over_bytes))
            return;
    }
}

/* Takes the actions of a plan that slackswap finds; the distances stay. */
static bool take_planned(struct checker *c, struct plan *work, struct distance *now, struct sim_totals *totals) {
    const struct check_task *task = c->task;
    const struct plan_task planning = {
        .profile = c->profile, .link = task->link, .budget_bytes = c->timeline.budget_bytes,
        .host_memory_bytes = task->host_memory_bytes, .evaluation_limit = EVALS_DEFAULT,
        .unit = strcmp(c->plan.unit, UNIT_NAME[UNIT_LAYER]) == 0 ? UNIT_LAYER : UNIT_TENSOR,
        .should_stop = task->should_stop, .context = task->context,
    };
    struct planner_result result;
    const enum ss_status status = planner_run(planner_find("slackswap"), &planning, c->simulator, c->arena, &result,
                                              c->error);
    if (status == SS_INTERNAL)
        c->status = status;
    if (status != SS_OK)
        return false;
    c->evaluations += result.evaluations;
    c->limit += result.evaluations + PRUNING; /* the planner has a limit of its own */
    memcpy(work->action, result.plan.action, c->profile->tensor_count);
    return measure(c, work, now, totals) && there(now);
}

static bool offload_all(struct checker *c, struct plan *work, struct distance *now, struct sim_totals *totals) {
    for (uint32_t g = 0; g < c->group_count; g++)
        checker_set(c, work, g, ACTION_OFFLOAD);
    return measure(c, work, now, totals) && there(now);
}

bool mend_fit(struct checker *c, struct plan *work, struct sim_totals *totals) {
    struct candidates candidates;
    struct distance now;
    uint32_t *list = ARENA_ARRAY(c->arena, uint32_t, (size_t)c->group_count + 1);
    if (!list || !rank_groups(c, &candidates) || !measure(c, work, &now, totals))
        return false;
    if (there(&now))
        return true;
    if (is_near(c, &candidates, totals))
        go_nearer(c, &candidates, work, &now, totals);
    if (!there(&now) && !take_planned(c, work, &now, totals) && !offload_all(c, work, &now, totals))
        return false;
    prune(c, work, list, totals);
    exchange(c, &candidates, work, list, totals);
    return true;
}

struct fix *mend_fix(struct checker *c) {
    struct plan work;
    struct sim_totals totals;
    if (c->fits || plan_copy(&work, c->arena, c->profile, &c->plan, c->error) != SS_OK || !mend_fit(c, &work, &totals))
        return NULL;
    return checker_fix(c, &work, &totals);
}

/* ---- removing findings ---------------------------------------------------------------------------------------- */

struct mender { struct check_task task; struct checker checker; struct plan work; struct sim_totals totals; };

static int compare_gains(const void *left, const void *right) {
    const struct fix *a = *(const struct fix *const *)left, *b = *(const struct fix *const *)right;
    if (a->step_change_us != b->step_change_us)
        return a->step_change_us < b->step_change_us ? -1 : 1;
    return (a->change[0].tensor > b->change[0].tensor) - (a->change[0].tensor < b->change[0].tensor);
}

/* Fixes that can be applied and do not make the step longer, best first. */
static uint32_t gather_fixes(const struct check *check, double notable_us, const struct fix **out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < check->findings.count; i++) {
        const struct fix *fix = check->findings.finding[i].fix;
        if (fix && fix->fits && fix->count > 0 && fix->step_change_us <= notable_us)
            out[count++] = fix;
    }
    qsort(out, count, sizeof *out, compare_gains);
    return count;
}

/* Applies FIX on top of what was applied before, unless half of its gain has gone by now. */
static bool apply(struct mender *m, const struct fix *fix) {
    struct checker *c = &m->checker;
    struct sim_totals totals;
    const size_t count = c->profile->tensor_count;
    memcpy(c->scratch.action, m->work.action, count);
    memcpy(c->scratch.prefetch, m->work.prefetch, count * sizeof *m->work.prefetch);
    changes_apply(&c->scratch, fix->change, fix->count);
    if (!checker_simulate(c, &c->scratch, &totals) || !checker_fits(c, &totals) ||
        totals.step_us > m->totals.step_us + fix->step_change_us / 2 + c->notable_us / 2)
        return false;
    memcpy(m->work.action, c->scratch.action, count);
    memcpy(m->work.prefetch, c->scratch.prefetch, count * sizeof *m->work.prefetch);
    m->totals = totals;
    return true;
}

/* One round: the findings of the plan at hand, and the fixes of those. *APPLIED tells how many were. */
static enum ss_status remove_findings(struct mender *m, uint32_t *applied, struct error *error) {
    struct arena arena = { 0 };
    struct check check;
    struct check_task task = m->task;
    *applied = 0;
    task.plan = &m->work;
    task.faults = NULL;
    task.evaluation_limit = m->checker.limit - m->checker.evaluations;
    enum ss_status status = check_plan(&task, &arena, &check, error);
    const struct fix **fixes = ARENA_ARRAY(&arena, const struct fix *, status == SS_OK ? check.findings.count : 0);
    if (status == SS_OK && !fixes)
        status = error_no_memory(error);
    if (status == SS_OK) {
        m->checker.evaluations += check.evaluations;
        m->checker.limited = m->checker.limited || check.limited;
        const uint32_t count = gather_fixes(&check, m->checker.notable_us, fixes);
        for (uint32_t i = 0; i < count; i++)
            *applied += apply(m, fixes[i]);
    }
    arena_free(&arena);
    return status;
}

/* The plan as it was written, faults and all: what the changes count from. */
static void as_written(const struct check_task *task, struct plan *plan) {
    for (uint32_t i = 0; task->faults && i < task->faults->count; i++) {
        const struct plan_fault *fault = &task->faults->fault[i];
        if (fault->tensor != NONE && !fault->distance && fault->kind != FAULT_UNMANAGED)
            plan->action[fault->tensor] = fault->action;
    }
}

static enum ss_status mend(struct mender *m, enum mend_goal goal, struct arena *arena, struct mended *out,
                           struct error *error) {
    struct checker *c = &m->checker;
    struct plan written;
    uint32_t applied = goal == MEND_ALL;
    enum ss_status status = plan_copy(&m->work, arena, c->profile, &c->plan, error);
    if (status == SS_OK)
        status = plan_copy(&written, arena, c->profile, &c->plan, error);
    if (status != SS_OK)
        return status;
    as_written(&m->task, &written);
    out->before = m->totals = c->timeline.totals;
    out->fits = mend_fit(c, &m->work, &m->totals);
    for (int round = 0; round < ROUNDS_MOST && out->fits && applied > 0 && status == SS_OK; round++) {
        if (c->evaluations >= c->limit)
            break;
        status = remove_findings(m, &applied, error);
    }
    out->plan = m->work;
    out->after = m->totals;
    out->evaluations = c->evaluations;
    out->limited = c->limited;
    if (status == SS_OK)
        status = c->status;
    return status == SS_OK ? changes_between(c->profile, &written, &m->work, arena, &out->change, &out->count, error)
                           : status;
}

enum ss_status check_mend(const struct check_task *task, enum mend_goal goal, struct arena *arena, struct mended *out,
                          struct error *error) {
    struct findings none;
    struct mender mender = { .task = *task };
    *out = (struct mended){ .fits = false };
    enum ss_status status = findings_begin(&none, arena, error);
    if (status == SS_OK)
        status = checker_begin(&mender.checker, task, arena, &none, error);
    if (status != SS_OK)
        return status;
    status = mend(&mender, goal, arena, out, error);
    checker_end(&mender.checker);
    return status;
}
