/* bound_answer: see bound_answer.h.
 *
 * What is restored late relieves most. To run again earlier than at latest is better only where fewer paths count the
 * re-run: within a window of theirs. But before its natural step an op runs again only for another that runs again before
 * the same step and reads what it restores. To leave that out is to hide re-runs in windows by the dozen. To heed it would
 * make the best answer hard to find; so who runs again early pays for it, no more than it would win, and whoever reads what
 * it restores has that back when it runs again in the same stretch of steps. An answer that some plan has loses nothing
 * that way, as for each that pays one at least has it back: so what the mixture gains less what was paid, plus what was had
 * back, is below what it gains from any plan, however much is paid (a Lagrange relaxation). */
#include "bound_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void weigh_steps(struct table *t) {
    double all = 0;
    memset(t->again_weight, 0, (t->steps + 1) * sizeof *t->again_weight);
    for (uint32_t j = 0; j < t->path_count; j++) {
        all += t->weight[j];
        for (uint32_t h = 0; h < t->path[j].count; h++) {
            t->again_weight[t->path[j].hop[h].low] -= t->weight[j];
            t->again_weight[t->path[j].hop[h].high + 1] += t->weight[j];
        }
    }
    for (uint32_t b = 0; b < t->steps; b++) {
        all += t->again_weight[b];
        t->again_weight[b] = all;
    }
}

/* How the mixture's length changes when each op runs again just before STEP (0: before its latest), in t->change. */
static void weigh_answers(struct table *t, uint32_t step) {
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        t->change[op] = t->windows->closure->share_us[op] * t->again_weight[step ? step : t->latest[op]];
    }
    for (uint32_t j = 0; j < t->path_count; j++) {
        const struct path *path = &t->path[j];
        const double weight = t->weight[j];
        for (uint32_t h = 0; h < path->count && weight > 0; h++) {
            const struct hop *hop = &path->hop[h];
            const uint32_t tight = t->windows->tight[hop->tight].step;
            for (uint32_t i = t->reliefs[j].at[h]; i < t->reliefs[j].at[h + 1]; i++) {
                const struct relief *relief = &t->reliefs[j].list[i];
                if ((step ? step : t->latest[relief->op]) > tight)
                    t->change[relief->op] -= weight * relief->us;
            }
            for (uint32_t i = hop->calls_at; i < hop->calls_at + hop->calls; i++) {
                const struct call *call = &path->call[i];
                if ((step ? step : t->latest[call->op]) <= hop->high)
                    t->change[call->op] += weight * windows_call_us(t->windows, hop, call);
            }
        }
    }
}

static int by_step(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Stretches of steps before which ops may better run again than before their latest: they end where windows end or begin,
 * within one no step differs from another. In t->begins and t->ends; returns how many. */
static uint32_t list_ends(struct table *t) {
    uint32_t count = 0, kept = 0;
    double most = 0;
    for (uint32_t j = 0; j < t->path_count; j++) {
        for (uint32_t h = 0; h < t->path[j].count && t->weight[j] > 0; h++) {
            const uint32_t ends[2] = { t->path[j].hop[h].high, t->path[j].hop[h].low - 1 };
            for (int e = 0; e < 2; e++) {
                if (ends[e] < t->ops || ends[e] >= t->steps || t->is_end[ends[e]])
                    continue;
                t->is_end[ends[e]] = true;
                t->ends[count++] = ends[e];
            }
        }
    }
    qsort(t->ends, count, sizeof *t->ends, by_step);
    for (uint32_t a = 0; a < t->active_count; a++)
        most = larger(most, t->again_weight[t->latest[t->active[a]]]);
    for (uint32_t i = 0, begin = t->ops; i < count; i++) {
        const uint32_t end = t->ends[i];
        t->is_end[end] = false;
        if (t->again_weight[end] < most) {
            t->begins[kept] = begin;
            t->ends[kept++] = end;
        }
        begin = end + 1;
    }
    return kept;
}

/* What running again before a step from BEGIN to END, where t->change holds, costs on top, in t->extra. Ops stand in the
 * order in which they read one another. */
static void charge_early(struct table *t, const uint8_t *choice, uint32_t begin, uint32_t end) {
    const struct windows *w = t->windows;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        double back = 0;
        for (uint32_t i = w->read_at[op]; i < w->read_at[op + 1]; i++)
            back += t->penalty[w->leaver[w->read[i]].op];
        t->penalty[op] = 0;
        if (w->natural[op] > end && choice[op] != CHOICE_NEVER) {
            const double least = choice[op] == CHOICE_ALWAYS || t->at_latest[op] < 0 ? t->at_latest[op] : 0;
            t->penalty[op] = larger(0, least + back - t->change[op]);
        }
        t->extra[op] = t->latest[op] < begin ? 0 : t->penalty[op] - back;
    }
}

/* The best answer to the present weights, of which ENDS stretches are listed, with charges for running again early or without;
 * returns what it leaves. */
static double best_answer(struct table *t, const uint8_t *choice, uint32_t *answer, uint32_t ends, bool charged) {
    double us = 0;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        t->relieved[op] = t->at_latest[op];
        t->best[op] = choice[op] == CHOICE_ALWAYS ? INFINITY : 0;
        answer[op] = 0;
    }
    for (uint32_t i = 0; i < ends; i++) {
        const uint32_t begin = t->begins[i], end = t->ends[i];
        weigh_answers(t, end);
        if (charged)
            charge_early(t, choice, begin, end);
        for (uint32_t a = 0; a < t->active_count; a++) {
            const uint32_t op = t->active[a];
            const double extra = charged ? t->extra[op] : 0;
            if (begin <= t->latest[op] && t->latest[op] <= end)
                t->relieved[op] += extra;
            if (choice[op] == CHOICE_NEVER || end >= t->latest[op] || !(t->change[op] + extra < t->best[op]))
                continue;
            t->best[op] = t->change[op] + extra;
            answer[op] = end;
        }
    }
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        const double latest_us = t->relieved[op];
        t->relieved[op] = 0;
        if (choice[op] == CHOICE_NEVER)
            continue;
        if (latest_us <= t->best[op] && (latest_us < 0 || choice[op] == CHOICE_ALWAYS)) {
            t->best[op] = latest_us;
            answer[op] = t->latest[op];
        }
        us += t->best[op];
    }
    for (uint32_t j = 0; j < t->path_count; j++) {
        us += t->weight[j] * t->path[j].constant_us;
        t->work += t->weight[j] > 0 ? (uint64_t)t->active_count * (1 + t->path[j].count) : 0;
    }
    return us;
}

/* Makes ANSWER one that a plan might have: who runs again early for nobody does so at latest, or not at all, and who could
 * run again early for another does where that pays. */
static void make_feasible(struct table *t, const uint8_t *choice, uint32_t *answer, uint32_t ends) {
    const struct windows *w = t->windows;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        if (answer[op] && answer[op] < t->latest[op] && answer[op] < w->natural[op])
            answer[op] = choice[op] == CHOICE_ALWAYS || t->at_latest[op] < 0 ? t->latest[op] : 0;
        t->best[op] = !answer[op] ? 0 : answer[op] < t->latest[op] ? -INFINITY : t->at_latest[op];
    }
    for (uint32_t i = 0; i < ends; i++) {
        weigh_answers(t, t->ends[i]);
        for (uint32_t a = t->active_count; a-- > 0;) {
            const uint32_t op = t->active[a];
            const bool called = t->called[op];
            t->called[op] = false;
            if (called && t->ends[i] < w->natural[op] && choice[op] != CHOICE_NEVER && t->change[op] < t->best[op]) {
                t->best[op] = t->change[op];
                answer[op] = t->ends[i];
            }
            if (answer[op] < t->begins[i] || answer[op] > t->ends[i])
                continue;
            for (uint32_t r = w->read_at[op]; r < w->read_at[op + 1]; r++)
                t->called[w->leaver[w->read[r]].op] = true;
        }
    }
}

double answer_paths(struct table *t, const uint8_t *choice, uint32_t *answer) {
    bool early = false;
    weigh_steps(t);
    weigh_answers(t, 0);
    memcpy(t->at_latest, t->change, t->ops * sizeof *t->change);
    const uint32_t ends = list_ends(t);
    const double us = best_answer(t, choice, answer, ends, false);
    for (uint32_t a = 0; a < t->active_count && !early; a++)
        early = answer[t->active[a]] && answer[t->active[a]] < t->latest[t->active[a]];
    if (!early || t->windows->reads_cut)
        return us;
    const double charged_us = best_answer(t, choice, answer, ends, true);
    make_feasible(t, choice, answer, ends);
    return larger(us, charged_us);
}
