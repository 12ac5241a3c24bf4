/* capuchin: swap what hides, then the cheaper of swap and recompute (Peng et al., "Capuchin: Tensor-based GPU Memory
 * Management for Deep Learning", ASPLOS 2020).
 *
 * A tensor's free time is what lies between its last forward and its first backward use, less its way out and back. In
 * order of free time, tensors are swapped while that costs nothing: the free time is not negative, and the link has
 * room for them before the step that needs most. What memory still demands goes in order of the bytes that a second of
 * recomputing saves (MSPS in the paper), each swapped or recomputed, whichever costs less: a swap now costs its whole
 * way on a full link. Recompute steps need memory of their own: the target is lowered by what is missing until the
 * plan fits. */
#include "layout.h"
#include "planner_list.h"
#include "residency.h"

#include <math.h>
#include <stdlib.h>

#define ATTEMPTS 16

struct candidate { double key; uint32_t unit; };

struct capuchin {
    struct trial trial;
    struct layout layout;
    struct candidate *by_free_time, *by_saving;
    double *out_us, *back_us, *price_us;   /* unit -> its ways over the link; to run it again, INFINITY = never */
};

static int by_key(const void *a, const void *b) { /* descending, ties by number */
    const struct candidate *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* Ends of the 2n steps that keep everything. */
static double *step_ends(struct arena *arena, const struct profile *profile) {
    const uint32_t n = profile->op_count;
    double *end = ARENA_ARRAY(arena, double, 2 * (size_t)n), now = 0;
    for (uint32_t k = 0; end && k < 2 * n; k++)
        end[k] = now += k < n ? profile->ops[k].forward_us : profile->ops[2 * n - 1 - k].backward_us;
    return end;
}

static double free_time(const struct capuchin *c, const double *end, const struct unit *unit) {
    const struct profile *profile = c->trial.profile;
    double least = INFINITY;
    for (uint32_t i = 0; i < unit->count; i++) {
        const struct tensor *t = &profile->tensors[c->trial.units.tensor[unit->at + i]];
        least = fmin(least, end[residency_first_use(profile, t) - 1] - end[t->last_forward]);
    }
    return least;
}

static enum ss_status weigh(struct capuchin *c, struct arena *arena, struct error *error) {
    const struct units *units = &c->trial.units;
    const double latency = c->trial.task->link.latency_us;
    const double *end = step_ends(arena, c->trial.profile);
    c->by_free_time = ARENA_ARRAY(arena, struct candidate, units->count);
    c->by_saving = ARENA_ARRAY(arena, struct candidate, units->count);
    c->out_us = ARENA_ARRAY(arena, double, units->count);
    c->back_us = ARENA_ARRAY(arena, double, units->count);
    c->price_us = ARENA_ARRAY(arena, double, units->count);
    if (!end || !c->by_free_time || !c->by_saving || !c->out_us || !c->back_us || !c->price_us)
        return error_no_memory(error);
    for (uint32_t i = 0; i < c->layout.items.count; i++) {
        const struct item *item = &c->layout.items.item[i];
        for (uint32_t k = 0; k < item->count; k++) {
            const uint32_t u = c->layout.items.unit[item->at + k];
            const struct unit *unit = &units->unit[u];
            const double bytes = (double)unit->bytes;
            c->out_us[u] = latency * unit->count + bytes / c->layout.out_rate;
            c->back_us[u] = latency * unit->count + bytes / c->layout.back_rate;
            c->price_us[u] = item->recomputable ? item->price_us : INFINITY;
            c->by_free_time[u] = (struct candidate){ free_time(c, end, unit) - c->out_us[u] - c->back_us[u], u };
            c->by_saving[u] = (struct candidate){ bytes / (c->price_us[u] + 1e-9), u };
        }
    }
    if (!trial_stopping(&c->trial)) /* sorting thousands takes its time */
        qsort(c->by_free_time, units->count, sizeof *c->by_free_time, by_key);
    if (!trial_stopping(&c->trial))
        qsort(c->by_saving, units->count, sizeof *c->by_saving, by_key);
    return SS_OK;
}

static bool is_kept(const struct capuchin *c, uint32_t u) {
    return c->trial.plan.action[c->trial.units.tensor[c->trial.units.unit[u].at]] == ACTION_KEEP;
}

static void swap_out(struct capuchin *c, uint32_t u, uint64_t *host_left) {
    layout_take_away(&c->layout, u, ACTION_OFFLOAD);
    *host_left -= c->trial.units.unit[u].bytes;
}

static void choose(struct capuchin *c, int64_t target) {
    trial_keep_all(&c->trial);
    demand_reset(&c->layout.demand);
    double out_left = c->layout.out_us, back_left = c->layout.back_us;
    uint64_t host_left = c->trial.task->host_memory_bytes;
    for (uint32_t i = 0; i < c->trial.units.count && demand_exceeds(&c->layout.demand, target); i++) {
        const uint32_t u = c->by_free_time[i].unit;
        if (layout_given_up(&c->layout, i))
            return;
        if (c->by_free_time[i].key < 0 || c->out_us[u] > out_left || c->back_us[u] > back_left ||
            c->trial.units.unit[u].bytes > host_left || !layout_needs(&c->layout, u, target))
            continue;
        swap_out(c, u, &host_left);
        out_left -= c->out_us[u];
        back_left -= c->back_us[u];
    }
    for (uint32_t i = 0; i < c->trial.units.count && demand_exceeds(&c->layout.demand, target); i++) {
        const uint32_t u = c->by_saving[i].unit;
        if (layout_given_up(&c->layout, i))
            return;
        if (!is_kept(c, u) || !layout_needs(&c->layout, u, target))
            continue;
        const bool fits_host = c->trial.units.unit[u].bytes <= host_left;
        if (fits_host && c->price_us[u] > fmax(c->out_us[u], c->back_us[u]))
            swap_out(c, u, &host_left);
        else if (c->price_us[u] < INFINITY)
            layout_take_away(&c->layout, u, ACTION_RECOMPUTE);
    }
}

enum ss_status planner_capuchin(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                struct planner_result *out, struct error *error) {
    struct capuchin c;
    enum ss_status status = trial_begin(&c.trial, task, simulator, arena, 1, error);
    if (status == SS_OK)
        status = layout_init(&c.layout, &c.trial, arena, error);
    if (status == SS_OK && !trial_stopping(&c.trial))
        status = weigh(&c, arena, error);
    int64_t target = status == SS_OK ? layout_budget(&c.layout) : 0;
    for (int i = 0; i < ATTEMPTS && status == SS_OK && !trial_stopping(&c.trial); i++) {
        const struct schedule *schedule;
        choose(&c, target);
        if (c.trial.stopped)
            break;
        status = trial_requirement(&c.trial, &schedule, error);
        if (status != SS_OK || schedule->peak_bytes <= task->budget_bytes)
            break;
        target -= (int64_t)(schedule->peak_bytes - task->budget_bytes);
    }
    if (status == SS_OK && c.trial.stopped)
        layout_settle_at_once(&c.layout);
    return status == SS_OK ? trial_finish(&c.trial, out, error) : status;
}
