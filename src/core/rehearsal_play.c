/* rehearsal_play: a plan played through on three lanes, backward step by backward step; see rehearsal.h. */
#include "rehearsal.h"

#include <math.h>
#include <string.h>

/* Where the play stands. Places: in r->out[], the offloaded tensors in D2H order, and in r->back[], in H2D order. */
struct scene {
    double now_us;
    uint32_t out_count, released, gone;
    double out_free_us, gone_us;     /* the end of what was released last; of what goes next, INFINITY: nothing */
    uint32_t back_count, started, landed;
    double back_free_us;
    int64_t pending, extra;
    uint32_t window_head, window_tail, entered; /* entered: the last op in the window */
    int64_t offset;
};

static inline double later_of(double a, double b) { return a > b ? a : b; }

static void list_out(struct rehearsal *r, struct scene *s) {
    const uint32_t managed = r->trial->profile->managed_count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < managed; i++) {
        r->out[count] = i;
        count += r->action[i] == ACTION_OFFLOAD;
    }
    s->out_count = count;
    s->gone_us = INFINITY;
}

/* Lays out the D2H of all that OP and those before it made; it ended at END_US. */
static inline void release(struct rehearsal *r, struct scene *s, uint32_t op, double end_us) {
    while (s->released < s->out_count && r->tensor[r->out[s->released]].producer <= op) {
        const struct rehearsal_tensor *t = &r->tensor[r->out[s->released]];
        s->out_free_us = later_of(s->out_free_us, end_us) + t->out_us;
        r->out_end_us[r->out[s->released]] = s->out_free_us;
        if (s->released++ == s->gone)
            s->gone_us = s->out_free_us;
    }
}

/* What goes next has gone: whose bytes these were. */
static inline const struct rehearsal_tensor *let_go(const struct rehearsal *r, struct scene *s) {
    const struct rehearsal_tensor *t = &r->tensor[r->out[s->gone++]];
    s->gone_us = s->gone < s->released ? r->out_end_us[r->out[s->gone]] : INFINITY;
    return t;
}

/* The forward pass, up to the first step that doesn't fit by itself at one go. False when a step finds no room. */
static bool play_forward(struct rehearsal *r, struct scene *s) {
    const struct profile *p = r->trial->profile;
    const uint32_t from = r->first_full;
    int64_t away = 0;
    for (uint32_t i = 0; i < from; i++)
        away += r->dropped_bytes[i];
    while (s->released < s->out_count && r->tensor[r->out[s->released]].producer < from) {
        const uint32_t op = r->tensor[r->out[s->released]].producer;
        release(r, s, op, r->forward_end_us[op]);
    }
    s->now_us = from > 0 ? r->forward_end_us[from - 1] : 0;
    for (uint32_t k = from; k < p->op_count; k++) {
        while (s->gone_us <= s->now_us || r->kept_bytes[k] - away > r->budget_bytes) {
            if (s->gone_us == INFINITY) {
                memset(r->later + k, 0, (p->op_count - k) * sizeof *r->later);
                return false;
            }
            s->now_us = later_of(s->now_us, s->gone_us);
            const struct rehearsal_tensor *t = let_go(r, s);
            if (t->last_forward < k)
                away += t->bytes;
            else
                r->later[t->last_forward] += t->bytes;
        }
        s->now_us += r->forward_us[k];
        away += r->dropped_bytes[k] + r->later[k];
        r->later[k] = 0;
        if (s->released < s->out_count)
            release(r, s, k, s->now_us);
    }
    return true;
}

/* What has left by then takes no room any more. */
static inline void drain(const struct rehearsal *r, struct scene *s, double until_us) {
    while (s->gone_us <= until_us)
        s->pending -= let_go(r, s)->bytes;
}

/* What each backward step needs, and the order in which what was offloaded returns. */
static void turn_round(struct rehearsal *r, struct scene *s) {
    const uint32_t n = r->trial->profile->op_count;
    int64_t level = -r->away_bytes;
    for (uint32_t i = n; i-- > 0;) {
        level += r->due_bytes[i];
        r->needed[i] = r->kept_bytes[2 * n - 1 - i] + level;
        for (uint32_t t = r->due_first[i]; t != NONE; t = r->tensor[t].next)
            r->back[s->back_count++] = t;
    }
    for (uint32_t i = s->gone; i < s->released; i++)
        s->pending += r->tensor[r->out[i]].bytes;
    s->back_free_us = s->now_us;
    s->entered = n;
}

/* The most that is needed from the B of op I to the step before the B of op DUE, early returns included. */
static inline int64_t window_most(struct rehearsal *r, struct scene *s, uint32_t i, uint32_t due) {
    uint32_t tail = s->window_tail, entered = s->entered <= i ? s->entered : i + 1;
    while (entered > due + 1) {
        const int64_t level = r->needed[--entered] - s->offset;
        while (tail > s->window_head && r->window[tail - 1].level <= level)
            tail--;
        r->window[tail++] = (struct rehearsal_level){ level, entered };
    }
    while (r->window[s->window_head].op > i)
        s->window_head++;
    s->window_tail = tail;
    s->entered = entered;
    return r->window[s->window_head].level + s->offset;
}

/* Starts the returns that can start before END_US, while the B of op I and what runs again before it are played. */
static inline void start_returns(struct rehearsal *r, struct scene *s, uint32_t i, double end_us) {
    while (s->back_free_us < end_us && s->started < s->back_count) {
        const struct rehearsal_tensor *t = &r->tensor[r->back[s->started]];
        double start_us = later_of(s->back_free_us, s->now_us);
        if (start_us < s->out_free_us)
            start_us = later_of(start_us, r->out_end_us[r->back[s->started]]);
        if (start_us >= end_us)
            return;
        drain(r, s, start_us);
        if (window_most(r, s, i, t->due) + s->pending + t->bytes > r->budget_bytes)
            return;
        s->extra += t->bytes;
        s->offset += t->bytes;
        r->landing_us[s->started++] = s->back_free_us = start_us + t->back_us;
    }
}

/* Waits for what is due for the B of op I, or, FOR_RERUN, for what runs again before that. */
static inline void land(struct rehearsal *r, struct scene *s, uint32_t i, bool for_rerun) {
    for (; s->landed < s->back_count && r->tensor[r->back[s->landed]].due == i; s->landed++) {
        const struct rehearsal_tensor *t = &r->tensor[r->back[s->landed]];
        if (for_rerun && !t->for_rerun)
            return;
        if (s->landed < s->started) {
            s->extra -= t->bytes;
        } else {
            const double start_us = later_of(later_of(s->back_free_us, s->now_us), r->out_end_us[r->back[s->landed]]);
            r->landing_us[s->started++] = s->back_free_us = start_us + t->back_us;
        }
        s->now_us = later_of(s->now_us, r->landing_us[s->landed]);
    }
}

double rehearsal_play(struct rehearsal *r, double limit) {
    const uint32_t n = r->trial->profile->op_count;
    const double ideal_us = r->trial->profile->forward_us + r->trial->profile->backward_us;
    struct scene s = { 0 };
    list_out(r, &s);
    if (!play_forward(r, &s))
        return INFINITY;
    turn_round(r, &s);
    limit += ideal_us;
    double rest_us = r->recompute_us + r->trial->profile->backward_us; /* of compute to come */
    for (uint32_t i = n; i-- > 0;) {
        const bool due = r->due_first[i] != NONE;
        if (r->rerun_us[i] > 0) {
            if (due)
                land(r, &s, i, true);
            start_returns(r, &s, i, s.now_us + r->rerun_us[i]);
            s.now_us += r->rerun_us[i];
            rest_us -= r->rerun_us[i];
        }
        if (due)
            land(r, &s, i, false);
        drain(r, &s, s.now_us);
        while (r->needed[i] + s.extra + s.pending > r->budget_bytes) {
            if (s.gone_us == INFINITY)
                return INFINITY;
            s.now_us = s.gone_us;
            drain(r, &s, s.now_us);
        }
        if (s.now_us + rest_us > limit)
            return INFINITY;
        start_returns(r, &s, i, s.now_us + r->backward_us[i]);
        s.now_us += r->backward_us[i];
        rest_us -= r->backward_us[i];
    }
    return s.now_us - ideal_us;
}
