/* refine_anneal: annealing on forecasts and rehearsals (refine.h).
 *
 * A move is forecast first, which takes the time of some hundred operations; what is forecast well is rehearsed, which
 * takes a third of a simulation's time or less; only what may be the best plan of all is simulated. So a second is enough
 * for moves by the hundred thousand, and room, both directions of the link and what has to run again are weighed against
 * each other in many small exchanges. */
#include "refine.h"

#include <math.h>

#define COLD 0.01             /* of the temperature at the start: that at the end */
#define PLAY_OPS 4            /* a change takes as long as playing so many ops of a rehearsal */
#define PLAYS 3               /* rehearsals take as long as a simulation */
#define ASIDE 100             /* changes in the time that a simulation takes whatever its size */
#define FORGIVEN 0.02         /* of what a promise was off, an evaluation */
#define TRIES 30              /* to make up for a change … */
#define LOOKS 240             /* … of units with a suitable action among so many */
#define MADE_UP_MOST 6        /* units in such a move */

bool refine_go_on(struct refine *r, uint64_t *spent) {
    const uint64_t share = (uint64_t)r->trial.profile->op_count * PLAYS / PLAY_OPS + ASIDE;
    for (; r->work >= share && !trial_over(&r->trial); r->work -= share) {
        r->trial.evaluations++;
        ++*spent;
    }
    return !trial_over(&r->trial);
}

/* The action that some unit should give up, for what the plan at hand lacks most plainly. */
static enum action burdensome(const struct refine *r) {
    if (rehearsal_missing(&r->rehearsal) > 0)
        return ACTION_KEEP;
    return rehearsal_is_late(&r->rehearsal) ? ACTION_OFFLOAD : ACTION_RECOMPUTE;
}

/* Other changes, to make up for what the first one did: any that lower the forecast, until it is below LIMIT. */
static void make_up(struct refine *r, double limit) {
    double present = refine_forecast(r);
    enum action from = burdensome(r);
    for (int i = 0, tries = 0; i < LOOKS && tries < TRIES && present > limit && r->move.count < MADE_UP_MOST; i++) {
        const uint32_t u = refine_draw_unit(r);
        const enum action to = (enum action)((from + 1 + (refine_draw(r) & 1)) % ACTION_COUNT);
        if (r->action[u] != from || r->moved[u] || !refine_try(r, u, to))
            continue;
        tries++;
        r->work++;
        const double next = refine_forecast(r);
        if (next < present) {
            present = next;
            from = burdensome(r);
            continue;
        }
        refine_change(r, u, from);
        refine_retract(r, u);
    }
}

/* A move: one change, two units that exchange their actions, or a change and what makes up for it. */
static bool propose(struct refine *r, double limit) {
    refine_forget(r);
    const uint64_t kind = refine_draw(r);
    const uint32_t u = refine_draw_unit(r);
    const enum action from = (enum action)r->action[u];
    if (kind % 4 == 0) {
        const uint32_t v = refine_draw_unit(r);
        const enum action other = (enum action)r->action[v];
        return refine_try(r, u, other) && refine_try(r, v, from);
    }
    if (!refine_try(r, u, (enum action)((from + 1 + (kind >> 8 & 1)) % ACTION_COUNT)))
        return false;
    if (kind % 4 > 1)
        make_up(r, limit - r->bias_us);
    return true;
}

/* What the plan at hand costs, if that is at most LIMIT; INFINITY otherwise. One that lacks bytes can't be rehearsed: it
 * is taken to cost as much more than forecast as the one before did. */
static double weigh(struct refine *r, double limit, bool *rehearsed) {
    const double forecast_us = refine_forecast(r);
    *rehearsed = false;
    if (rehearsal_missing(&r->rehearsal) > 0)
        return forecast_us + r->bias_us <= limit ? forecast_us + r->bias_us : INFINITY;
    if (forecast_us > limit || r->rehearsal.offloaded_bytes > r->host_bytes)
        return INFINITY;
    r->work += r->trial.profile->op_count / PLAY_OPS;
    const double cost_us = rehearsal_play(&r->rehearsal, limit);
    *rehearsed = cost_us < INFINITY;
    if (*rehearsed)
        r->bias_us = cost_us - forecast_us;
    return cost_us;
}

/* Simulates the plan at hand, which may be the best; AIM_US receives what the next one has to be rehearsed at. */
static enum ss_status verify(struct refine *r, double cost_us, double *aim_us, struct error *error) {
    const enum ss_status status = refine_evaluate(r, error);
    const bool fits = status == SS_OK && totals_fit(&r->trial.totals, r->trial.task);
    const double true_us = fits ? refine_cost(r, &r->trial.totals) : 1.01 * cost_us;
    *aim_us = refine_cost(r, &r->trial.best_totals) - fmax(0, true_us - cost_us);
    return status;
}

enum ss_status refine_anneal(struct refine *r, uint64_t evaluations, double hot_us, struct error *error) {
    enum ss_status status = SS_OK;
    uint64_t spent = 0, before = 0;
    double heat = hot_us;
    bool rehearsed;
    refine_load_best(r);
    r->price = r->bias_us = 0;
    double aim_us = refine_cost(r, &r->trial.best_totals), cost_us = weigh(r, INFINITY, &rehearsed);
    while (status == SS_OK && spent < evaluations && refine_go_on(r, &spent)) {
        if (spent > before) {
            before = spent;
            heat = hot_us * pow(COLD, (double)spent / (double)evaluations);
            aim_us += FORGIVEN * (refine_cost(r, &r->trial.best_totals) - aim_us);
        }
        r->work++;
        const double limit = cost_us + heat * refine_draw_patience(r);
        const double next = propose(r, limit) ? weigh(r, limit, &rehearsed) : INFINITY;
        if (!(next < INFINITY)) {
            refine_take_back(r);
            continue;
        }
        cost_us = next;
        if (rehearsed && cost_us < aim_us * (1 - 1e-9) && !trial_over(&r->trial))
            status = verify(r, cost_us, &aim_us, error);
    }
    return status;
}
