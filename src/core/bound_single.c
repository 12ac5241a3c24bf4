/* bound_single: see bound_single.h. */
#include "bound_single.h"

#include <math.h>
#include <stdlib.h>

#include "residency.h"
#include "schedule.h"

/* Ops in order of price per byte, and a Fenwick tree over that order holding the eligible bytes at the present step. */
struct knapsack {
    uint32_t count, top;     /* entries; largest power of two <= count */
    uint32_t *rank;          /* op -> place + 1; 0 = its outputs are never recomputed */
    double *price;           /* place + 1 -> us a byte */
    double *bytes, *cost;    /* Fenwick sums */
    double all;              /* bytes in the tree */
};

struct priced { double price; uint32_t op; };

static int by_price(const void *a, const void *b) {
    const struct priced *x = a, *y = b;
    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static enum ss_status knapsack_init(struct knapsack *sack, struct arena *arena, const struct profile *profile,
                                    const struct closure *closure, struct error *error) {
    struct priced *order = ARENA_ARRAY(arena, struct priced, profile->op_count);
    sack->rank = ARENA_ARRAY(arena, uint32_t, profile->op_count);
    sack->price = ARENA_ARRAY(arena, double, profile->op_count + 1);
    sack->bytes = ARENA_ARRAY(arena, double, profile->op_count + 1);
    sack->cost = ARENA_ARRAY(arena, double, profile->op_count + 1);
    if (!order || !sack->rank || !sack->price || !sack->bytes || !sack->cost)
        return error_no_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        double bytes = 0;
        for (uint32_t o = 0; o < profile->ops[i].outputs.count; o++) {
            const uint32_t t = profile->index[profile->ops[i].outputs.at + o];
            if (closure_allows(closure, profile, t))
                bytes += (double)profile->tensors[t].bytes;
        }
        if (bytes > 0)
            order[count++] = (struct priced){ closure->share_us[i] / bytes, i };
    }
    qsort(order, count, sizeof *order, by_price);
    for (uint32_t i = 0; i < count; i++) {
        sack->rank[order[i].op] = i + 1;
        sack->price[i + 1] = order[i].price;
    }
    sack->count = count;
    for (sack->top = 1; sack->top * 2 <= count; sack->top *= 2)
        ;
    return SS_OK;
}

static void knapsack_add(struct knapsack *sack, uint32_t op, double bytes) {
    const uint32_t place = sack->rank[op];
    if (place == 0)
        return;
    const double cost = bytes * sack->price[place];
    sack->all += bytes;
    for (uint32_t i = place; i <= sack->count; i += i & -i) {
        sack->bytes[i] += bytes;
        sack->cost[i] += cost;
    }
}

/* One step k as the argument above sees it. */
struct window {
    double excess;            /* D, bytes */
    double before, duration, after;
    double release, tail;     /* us: when the first eligible tensor exists; what follows the last return */
    double d2h, h2d;          /* us a byte */
};

/* DEAR: the price of the last op that runs again, or does in part. */
struct split { double bound; enum bound_binding binding; double dear; };

static double out_side(const struct window *w, double rho) {
    return fmax(w->before, w->excess > rho ? w->release + (w->excess - rho) * w->d2h : 0);
}

static double back_side(const struct window *w, double rho, double recompute) {
    return fmax(w->after + recompute, w->excess > rho ? (w->excess - rho) * w->h2d + w->tail : 0);
}

/* Does dropping more than RHO bytes, at RECOMPUTE us so far, save less than PRICE a byte? */
static bool enough(const struct window *w, double rho, double recompute, double price) {
    if (rho >= w->excess)
        return true;
    const bool out_waits = w->release + (w->excess - rho) * w->d2h > w->before;
    const bool back_waits = (w->excess - rho) * w->h2d + w->tail > w->after + recompute;
    const double slope = (out_waits ? -w->d2h : 0) + (back_waits ? -w->h2d : price);
    return slope >= 0;
}

/* The least value over rho: whole ops down the tree as long as they pay, then the part of the next one that does.
 * Within one op the value is convex and piecewise linear: its kinks are where a max changes sides. */
static struct split window_bound(const struct window *w, const struct knapsack *sack) {
    uint32_t place = 0;
    double rho = 0, recompute = 0;
    for (uint32_t half = sack->count ? sack->top : 0; half > 0; half /= 2) {
        const uint32_t next = place + half;
        if (next > sack->count)
            continue;
        const double bytes = rho + sack->bytes[next], cost = recompute + sack->cost[next];
        if (!enough(w, bytes, cost, sack->price[next])) {
            place = next;
            rho = bytes;
            recompute = cost;
        }
    }
    double best_rho = rho, best_cost = recompute;
    double best = out_side(w, rho) + back_side(w, rho, recompute);
    if (place < sack->count && rho < w->excess) {
        const double price = sack->price[place + 1];
        const double kinks[3] = {
            w->excess - (w->before - w->release) / w->d2h,
            rho + ((w->excess - rho) * w->h2d + w->tail - w->after - recompute) / (w->h2d + price),
            w->excess,
        };
        for (int i = 0; i < 3; i++) {
            const double at = kinks[i];
            if (!(at > rho) || at > w->excess)
                continue;
            const double cost = recompute + (at - rho) * price;
            const double value = out_side(w, at) + back_side(w, at, cost);
            if (value < best) {
                best = value;
                best_rho = at;
                best_cost = cost;
            }
        }
    }
    const double moved = (w->excess - best_rho) * (1 - 1e-9);
    const uint32_t last = place < sack->count && best_rho > rho ? place + 1 : place;
    struct split split = { best + w->duration, BINDING_RECOMPUTE, last > 0 ? sack->price[last] : 0 };
    if (moved > 0 && w->release + (w->excess - best_rho) * w->d2h >= w->before * (1 - 1e-9))
        split.binding = BINDING_D2H_WINDOW;
    else if (moved > 0 && (w->excess - best_rho) * w->h2d + w->tail >= (w->after + best_cost) * (1 - 1e-9))
        split.binding = BINDING_H2D_WINDOW;
    return split;
}

/* Tensors by the step at which they become eligible (or stop being so): a counting sort, linear. */
static enum ss_status by_step(uint32_t **first, uint32_t **list, struct arena *arena, const struct profile *profile,
                              bool leaving, struct error *error) {
    const uint32_t steps = 2 * profile->op_count;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)steps + 2);
    uint32_t *tensors = ARENA_ARRAY(arena, uint32_t, profile->managed_count);
    if (!at || !tensors)
        return error_no_memory(error);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t m = profile->managed_count; m-- > 0;) {
            const struct tensor *t = &profile->tensors[profile->managed[m]];
            if (t->keep)
                continue;
            const uint32_t step = leaving ? residency_first_use(profile, t) : t->last_forward + 1;
            if (pass == 0)
                at[step + 1]++;
            else
                tensors[--at[step + 1]] = profile->managed[m];
        }
        for (uint32_t k = 0; pass == 0 && k <= steps; k++)
            at[k + 1] += at[k];
    }
    *first = at + 1; /* tensors[first[k] … first[k + 1] - 1] belong to step k */
    *list = tensors;
    return SS_OK;
}

/* What every step shares: rates with the latency spread over the largest tensor, the earliest release, the least tail. */
static struct window window_of(const struct profile *profile, const struct link *link) {
    const struct residency_edges edges = residency_edges(profile);
    double largest = 0;
    for (uint32_t m = 0; m < profile->managed_count; m++) {
        const struct tensor *t = &profile->tensors[profile->managed[m]];
        largest = t->keep ? largest : fmax(largest, (double)t->bytes);
    }
    const double latency = largest > 0 ? link->latency_us / largest : 0;
    return (struct window){ .release = edges.release_us, .tail = edges.tail_us,
                            .d2h = 1 / gb_per_s_to_bytes_per_us(link->d2h_gb_per_s) + latency,
                            .h2d = 1 / gb_per_s_to_bytes_per_us(link->h2d_gb_per_s) + latency };
}

/* Everything eligible at the present step, in bytes; those that may be recomputed stand in the tree as well. */
struct eligible { struct knapsack sack; uint64_t bytes; };

static void eligible_move(struct eligible *eligible, const struct profile *profile, const uint32_t *list,
                          uint32_t count, int sign) {
    for (uint32_t i = 0; i < count; i++) {
        const struct tensor *t = &profile->tensors[list[i]];
        eligible->bytes += sign > 0 ? t->bytes : -t->bytes;
        knapsack_add(&eligible->sack, t->producer, sign * (double)t->bytes);
    }
}

enum ss_status bound_single(const struct single_terms *terms, struct arena *arena, double *single_us, struct bound *out,
                            struct tightest *tightest, struct error *error) {
    const struct profile *profile = terms->profile;
    const uint32_t n = profile->op_count;
    uint32_t *enter_at, *enter, *leave_at, *leave;
    struct eligible eligible = { .bytes = 0 };
    *tightest = (struct tightest){ .at = { .step = NONE } };
    enum ss_status status = by_step(&enter_at, &enter, arena, profile, false, error);
    if (status == SS_OK)
        status = by_step(&leave_at, &leave, arena, profile, true, error);
    if (status == SS_OK)
        status = knapsack_init(&eligible.sack, arena, profile, terms->closure, error);
    if (status != SS_OK)
        return status;
    const double compute = profile->forward_us + profile->backward_us;
    struct window window = window_of(profile, terms->link);
    double elapsed = 0, worst_us = 0;
    for (uint32_t k = 0; k < 2 * n; k++) {
        const uint32_t op = k < n ? k : 2 * n - 1 - k;
        const double duration = k < n ? profile->ops[op].forward_us : profile->ops[op].backward_us;
        eligible_move(&eligible, profile, enter + enter_at[k], enter_at[k + 1] - enter_at[k], 1);
        eligible_move(&eligible, profile, leave + leave_at[k], leave_at[k + 1] - leave_at[k], -1);
        single_us[k] = 0;
        if (terms->requirement[k] > terms->budget) {
            const uint64_t excess = terms->requirement[k] - terms->budget;
            const uint64_t away = excess < eligible.bytes ? excess : eligible.bytes;
            window.excess = (double)away;
            window.before = elapsed;
            window.duration = duration;
            window.after = fmax(0, compute - elapsed - duration);
            const struct split split = window_bound(&window, &eligible.sack);
            single_us[k] = fmax(split.bound, 1e-300);
            /* rounding must not name a step where the ideal time binds */
            if (split.bound + profile->fixed_us > out->bound_us * (1 + 1e-12)) {
                *out = (struct bound){ split.bound + profile->fixed_us, split.binding, op,
                                       k < n ? STEP_FORWARD : STEP_BACKWARD };
            }
            if (tightest->at.step == NONE || split.bound > worst_us * (1 + 1e-12) ||
                (split.bound >= worst_us * (1 - 1e-12) && away > tightest->at.excess_bytes)) {
                *tightest = (struct tightest){ { k, away, elapsed, duration, window.after }, split.dear };
                worst_us = split.bound;
            }
        }
        elapsed += duration;
    }
    return SS_OK;
}
