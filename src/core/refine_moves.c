/* refine_moves: moves that are simulated one by one, before they are taken (refine.h).
 *
 * Walks from the plan at hand look, on forecasts alone, for plans that may be better, or hardly worse. Those found are
 * simulated; one that is a little slower is accepted now and then, ever more rarely within a round. Forecasts and
 * rehearsals miss what happens within a chain of re-runs: here, nothing is. Where that leads nowhere and there are large
 * tensors, a round holds one of them to another action than the best plan's: too much has to change with it for single
 * changes to get there. */
#include "refine.h"

#include <math.h>

#define ROUND 300             /* evaluations from a warm start to a cold end */
#define ATTEMPTS (3 * ROUND)  /* plans laid out in a round, evaluated or not */
#define STRIDES 400           /* single changes tried in a walk */
#define WALKS 20
#define MOST_DRY 8            /* times in a row that all walks end badly before a round is given up */
#define HELD_PART 0.01        /* a unit may be held if moving it takes such a part of the ideal step */

static uint32_t differing(const struct refine *r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->move.count; i++)
        count += r->action[r->move.unit[i]] != r->move.from[i];
    return count;
}

/* Walks from the present plan by single changes, on forecasts, until it meets a plan that may cost less than LIMIT us;
 * false when it met none. */
static bool walk(struct refine *r, double limit) {
    const double heat = r->typical_us * exp(-8 * refine_draw_share(r));
    double present = refine_forecast(r);
    for (int i = 0; i < STRIDES && r->move.count < MOST_CHANGED; i++) {
        const uint32_t u = refine_draw_unit(r), before = r->move.count;
        const enum action from = (enum action)r->action[u];
        r->work++;
        if (!refine_try(r, u, (enum action)((from + 1 + (refine_draw(r) & 1)) % ACTION_COUNT)))
            continue;
        const double next = refine_forecast(r);
        if (next > present + heat * refine_draw_patience(r)) {
            refine_change(r, u, from);
            if (r->move.count > before)
                refine_retract(r, u);
            continue;
        }
        present = next;
        if (next < limit && rehearsal_missing(&r->rehearsal) <= 0 && differing(r) > 0)
            return true;
    }
    return false;
}

/* Walks until one ends well. */
static bool promising(struct refine *r, double limit) {
    for (int i = 0; i < WALKS; i++) {
        refine_forget(r);
        if (walk(r, limit))
            return true;
        refine_take_back(r);
    }
    return false;
}

void refine_list_large(struct refine *r) {
    const struct units *units = &r->trial.units;
    for (uint32_t u = 0; u < units->count; u++) {
        if (refine_out_us(r, u) < HELD_PART * r->trial.profile->ideal_us)
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
static bool hold_next(struct refine *r) {
    for (uint32_t tries = 0; tries < 2 * r->large_count; tries++) {
        const uint32_t u = r->large[r->next_hold / 2 % r->large_count];
        const enum action to = (enum action)((r->action[u] + 1 + r->next_hold++ % 2) % ACTION_COUNT);
        if (to == ACTION_RECOMPUTE && !r->trial.units.unit[u].recomputable)
            continue;
        r->held = u;
        refine_change(r, u, to);
        return true;
    }
    return false;
}

/* What the plan at hand costs, less what it has to spare; INFINITY when it doesn't fit. It is simulated only if it does. */
static enum ss_status simulate(struct refine *r, double *cost_us, struct error *error) {
    *cost_us = INFINITY;
    const enum ss_status status = refine_evaluate(r, error);
    if (status == SS_OK && totals_fit(&r->trial.totals, r->trial.task))
        *cost_us = refine_cost(r, &r->trial.totals) + refine_forecast(r) - rehearsal_forecast(&r->rehearsal, 0);
    return status;
}

enum ss_status refine_moves(struct refine *r, double warm_us, double spare_price, bool hold, bool *dry, struct error *error) {
    enum ss_status status = SS_OK;
    uint64_t spent = 0;
    uint32_t vain = 0;
    *dry = true;
    refine_load_best(r);
    r->price = spare_price;
    double present = refine_cost(r, &r->trial.best_totals);
    if (hold && hold_next(r))
        present = INFINITY; /* the first plan that fits will do */
    const uint64_t start = r->trial.evaluations;
    for (uint32_t i = 0; i < ATTEMPTS && vain < MOST_DRY && status == SS_OK && refine_go_on(r, &spent); i++) {
        const double cool = 1 - (double)(r->trial.evaluations - start) / ROUND;
        if (cool <= 0)
            break;
        const double accept = present - warm_us * cool * log(1 - refine_draw_share(r));
        vain++;
        if (!promising(r, accept) || trial_over(&r->trial))
            continue;
        double cost_us;
        vain = 0;
        *dry = false;
        status = simulate(r, &cost_us, error);
        if (cost_us <= accept && cost_us < INFINITY)
            present = cost_us;
        else
            refine_take_back(r);
    }
    return status;
}
