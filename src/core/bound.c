/* bound: see bound.h and MODEL.md §6.
 *
 * The argument. Fix a plan that runs within M bytes, and a step k, F(i) or B(i), of the schedule that keeps everything
 * ("unlimited"). The plan has that step too, with R steps somewhere between the B steps.
 *
 * 1. What is absent. In the plan, while k runs, everything that the unlimited schedule holds at k is resident, but for
 *    managed tensors that the plan has moved out or dropped. Such a tensor t is past its last forward use (its forward
 *    copy lasts until then, and offloaded it is `pending` until its D2H ends) and its first backward use lies after k
 *    (from there to its last backward use it is resident whatever the action: MODEL.md §3), and it is not keep:true.
 *    Call these tensors eligible at k. Gradients, workspaces and unmanaged tensors are the same in every plan; chain
 *    intermediates, R workspaces and early returns only add. So at each instant of k the absent eligible tensors sum
 *    to at least D = req(k) - M bytes. Let S be the absent set when k starts and E the one when it ends.
 * 2. Recomputed tensors in S and E are the same, as no R runs during k. Call their bytes rho. Each is restored by an R
 *    of its producer after k, in a chain that also re-runs the producers of unmanaged inputs. One R(p) restores all
 *    outputs of p: p is priced once, at closure.share_us, which may be summed over any set of ops. Taking fractions
 *    of ops in order of price per byte, R(rho) is at most the time of R steps after k. (An op of which only some
 *    outputs are eligible is charged that part of its price: less than it costs.)
 * 3. Offloaded tensors in S, at least D - rho bytes, have all been moved by D2H before k starts, one after another, none
 *    before the first eligible producer has ended. A transfer takes its latency and then its bytes at no more than
 *    the single rate: per byte at least 1/rate + latency/(bytes of the largest tensor) =: 1/d2h.
 * 4. Offloaded tensors in E, at least D - rho bytes, all return after k ends, and the last of them lands before its first
 *    backward use, so at least the time from there to the end follows.
 * 5. Compute runs before(k) before k and after(k) + R(rho) after it, whatever the plan. Hence
 *        step >= max(before, first release + (D - rho)/d2h) + dur(k) + max(after + R(rho), (D - rho)/h2d + least tail).
 *    That is convex in rho, for R is: the least value over rho bounds every plan, and the largest over k is kept.
 *    When D exceeds all eligible bytes the budget is infeasible for every plan, and D is cut to them.
 * 6. At the step where that is largest, tensors and re-runs are taken whole (bound_whole.c). Let P be the ops re-run
 *    after k for tensors in S. They restore at most the sum of their eligible outputs, at no less than the least price
 *    of any ops that restore so much; what is missing to D is offloaded in whole tensors. Their bytes sum to a multiple
 *    of the greatest common divisor of all eligible sizes, and they are at least as many as the largest tensors that
 *    would do, each with its latency. The least over all sums that P can restore bounds every plan.
 *    Items 3 and 4 are sharpened by cuts: of O bytes that leave, all but the B(i) bytes that all eligible tensors made
 *    before op i hold leave after F(i) has ended; of O bytes that return, all but the bytes of the tensors first used
 *    by B(i') with i' < i have landed before B(i) starts.
 * 7. Many steps bind at once (bound_windows.c, bound_game.c). Let a plan run again the ops p, each once, p within the
 *    chain before the B step s(p); its tensors eligible at k are absent there for being recomputed only if k < s(p), and
 *    s(p) is at latest where one of them is first needed by a B. Then, by 1 to 4, for every k:
 *      D2H windows: of the tensors eligible at k that are made by op c or later, all but the spare bytes (those eligible,
 *        less D) are absent when k starts. What is not recomputed among them has been moved between the end of F(c) and
 *        the start of k.
 *      H2D windows: of those first needed by B(i) or earlier steps after k, the same at the end of k; what is not
 *        recomputed among them moves between the end of k (the end of the forward pass, if that is later) and the
 *        start of B(i).
 *    What is absent is whole tensors: their bytes are rounded up to the next sum that some of them have. A chain of
 *    compute steps, of recompute steps and of windows one after the other in time, from the first F to the last B, takes
 *    no longer than the plan's step: windows that don't overlap count no byte twice. So the longest path through them
 *    bounds the plans that run those ops again then, and the least of the longest paths over all choices of ops and
 *    s(p) bounds every plan. (That allows choices that no plan can make. An s(p) before its natural place is counted at
 *    the recompute time on the path there.) A mixture of paths gains at least what is left of it by the other side's
 *    best answer, found op by op: that is a bound whatever the mixture, so it doesn't matter how good ones are found.
 * 8. Where tensors are large, few or of many kinds, what no fraction of one can do matters. All plans are parted again and
 *    again: in some op p runs again for a tensor of its own, in the others it does not; in some tensor t goes over the link,
 *    in the others it never does. Each part has a bound of its own, the least of which bounds all plans. In a part
 *      - that has t stay: where t could be away it is resident unless it is recomputed; so t counts in every window of
 *        item 7 as if it stood first in its list;
 *      - that has t leave: t restores nothing, and D2H takes tensors in the order in which they were made. Once any
 *        tensor of a window that begins with t has been moved, t has, as a whole: as long as what is recomputed doesn't
 *        make up for all that the window needs, k starts no earlier than bytes(t)/d2h after t was made. (That is b for
 *        less than N bytes restored, and nothing from there on: at least b (1 - restored/N), which is what counts; what
 *        surely runs again is off N, as if it always did in time.)
 *      - that has p run again: it does so at latest where the last of its outputs is first needed, and all that its
 *        closure reads is on the GPU from there on, to its own uses: so such a tensor counts in H2D windows that end
 *        from there on and in all windows of steps from there on, unless it is recomputed for that.
 *    What holds in a part holds in the parts that it is parted into, so paths found in one serve in those, too.
 * 9. Of the link all this takes for granted only that no transfer is faster than it, of the budget only that there is no
 *    more. So what bounds every plan on a faster link bounds those on a slower one, whether or not any plan carries over; and
 *    the same of more memory. What is found does not always keep that order, for other mixtures and parts are looked at:
 *    of 2243 steps from one rate to the next (2 to 100 GB/s, 35 to 90 %) 30 lead up, resnet18 at 55 % from 2 to 3 GB/s by
 *    0.72 %, on links of 8 GB/s and more by 0.17 % at most. To look at faster links, too, would take as much time again, and
 *    raises more when it is spent on parts.
 */
#include "bound.h"

#include <math.h>
#include <stdlib.h>

#include "bound_game.h"
#include "bound_kind.h"
#include "bound_whole.h"
#include "closure.h"
#include "residency.h"
#include "schedule.h"

#define SIGHTS_WIDE 6000u /* see windows_build: the more, the higher the bound … */
#define SIGHTS_DEEP 200u  /* … but when each of many games looks at them, time is better spent on games */
#define SIGHTS_SOME 2000u
#define FEW_TENSORS 64     /* that may leave: each game takes little time */
#define MANY_TENSORS 1000
#define LARGE_ENOUGH 16

const char *const BINDING_NAME[BINDING_COUNT] = { "ideal", "D2H window", "H2D window", "recompute", "room" };

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

struct split { double bound; enum bound_binding binding; };

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
    struct split split = { best + w->duration, BINDING_RECOMPUTE };
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

/* What the window that counts most tells the user: where much less is missing than at the peak, that step's own room. */
static void name_binding(struct bound *out, const struct profile *profile, const struct tightness *tightness,
                         const struct game_result *game) {
    const uint32_t n = profile->op_count, step = game->step;
    uint64_t most = 0;
    if (step == NONE)
        return;
    for (uint32_t k = 0; k < 2 * n; k++)
        most = tightness->requirement[k] > most ? tightness->requirement[k] : most;
    const bool minor = tightness->requirement[step] - tightness->budget < (most - tightness->budget) / 2;
    out->binding = minor ? BINDING_ROOM : game->out ? BINDING_D2H_WINDOW : BINDING_H2D_WINDOW;
    out->step_op = step < n ? step : 2 * n - 1 - step;
    out->step_kind = step < n ? STEP_FORWARD : STEP_BACKWARD;
}

/* One look at all steps at once; raises OUT where it can. */
static enum ss_status look(struct bound *out, struct arena *arena, struct windows *windows,
                           const struct tightness *tightness, const struct game_effort *effort, struct error *error) {
    const double fixed_us = windows->profile->fixed_us;
    struct game_result game = { 0, NONE, false };
    const enum ss_status status = bound_game(windows, arena, out->bound_us - fixed_us, effort, &game, error);
    if (status == SS_OK && game.us + fixed_us > out->bound_us * (1 + 1e-12)) {
        out->bound_us = game.us + fixed_us;
        name_binding(out, windows->profile, tightness, &game);
    }
    return status;
}

/* Does it matter which tensors leave and which ops run again? In a stack of layers that are all alike it does not: what one
 * does, another could. And what takes hardly any time matters little. */
static enum ss_status has_variety(const struct windows *windows, struct arena *arena, bool *out, struct error *error) {
    struct kind *kinds = ARENA_ARRAY(arena, struct kind, windows->leaver_count);
    uint32_t large = 0, distinct = 0;
    if (!kinds)
        return error_no_memory(error);
    for (uint32_t l = 0; l < windows->leaver_count; l++) {
        const struct leaver *leaver = &windows->leaver[l];
        kinds[l] = (struct kind){ leaver->bytes, windows->closure->share_us[leaver->op] };
        large += leaver_is_large(windows, leaver);
    }
    qsort(kinds, windows->leaver_count, sizeof *kinds, kind_compare);
    for (uint32_t l = 0; l < windows->leaver_count; l++)
        distinct += l == 0 || kind_compare(&kinds[l - 1], &kinds[l]) != 0;
    *out = large >= LARGE_ENOUGH && distinct > windows->leaver_count / 2;
    return SS_OK;
}

/* Items 7 and 8: all steps at once; where tensors are few, or of many kinds, tensor by tensor. */
static enum ss_status bound_over_steps(struct bound *out, struct arena *arena, const struct profile *profile,
                                       const struct link *link, const struct closure *closure,
                                       const struct tightness *tightness, bool quick, struct error *error) {
    static const struct game_effort wide = { 14, 60, 400000, 900000, false, false, 64, 16, 800000 };
    static const struct game_effort deep[] = { { 6, 300, 400000, 9000000, true, false, 64, 16, 800000 },
                                               { 6, 300, 400000, 6000000, true, true, 64, 16, 800000 } };
    static const struct game_effort some = { 8, 60, 400000, 10000000, true, false, 8, 3, 0 };
    struct windows windows;
    enum ss_status status = windows_build(&windows, arena, profile, link, closure, tightness, SIGHTS_WIDE, error);
    if (status == SS_OK)
        status = look(out, arena, &windows, tightness, &wide, error);
    if (status != SS_OK || quick || windows.tight_count == 0)
        return status;
    if (windows.leaver_count > FEW_TENSORS) {
        bool variety = false;
        status = windows.leaver_count > MANY_TENSORS ? SS_OK : has_variety(&windows, arena, &variety, error);
        if (status != SS_OK || !variety)
            return status;
        status = windows_build(&windows, arena, profile, link, closure, tightness, SIGHTS_SOME, error);
        return status == SS_OK ? look(out, arena, &windows, tightness, &some, error) : status;
    }
    status = windows_build(&windows, arena, profile, link, closure, tightness, SIGHTS_DEEP, error);
    for (size_t i = 0; i < sizeof deep / sizeof *deep && status == SS_OK; i++)
        status = look(out, arena, &windows, tightness, &deep[i], error);
    return status;
}

static enum ss_status bound_scan(struct bound *out, struct arena *arena, const struct profile *profile,
                                 const struct link *link, uint64_t budget, bool quick, struct error *error) {
    const uint32_t n = profile->op_count;
    uint64_t *requirement;
    uint32_t *enter_at, *enter, *leave_at, *leave;
    struct eligible eligible = { .bytes = 0 };
    struct closure closure;
    struct whole_step worst = { .step = NONE };
    double *single_us = ARENA_ARRAY(arena, double, 2 * (size_t)n);
    if (!single_us)
        return error_no_memory(error);
    enum ss_status status = residency_compute(&requirement, arena, profile, false, error);
    if (status == SS_OK)
        status = by_step(&enter_at, &enter, arena, profile, false, error);
    if (status == SS_OK)
        status = by_step(&leave_at, &leave, arena, profile, true, error);
    if (status == SS_OK)
        status = closure_compute(&closure, arena, profile, error);
    if (status == SS_OK)
        status = knapsack_init(&eligible.sack, arena, profile, &closure, error);
    if (status != SS_OK)
        return status;
    const double compute = profile->forward_us + profile->backward_us;
    struct window window = window_of(profile, link);
    double elapsed = 0, worst_us = 0;
    for (uint32_t k = 0; k < 2 * n; k++) {
        const uint32_t op = k < n ? k : 2 * n - 1 - k;
        const double duration = k < n ? profile->ops[op].forward_us : profile->ops[op].backward_us;
        eligible_move(&eligible, profile, enter + enter_at[k], enter_at[k + 1] - enter_at[k], 1);
        eligible_move(&eligible, profile, leave + leave_at[k], leave_at[k + 1] - leave_at[k], -1);
        if (requirement[k] > budget) {
            const uint64_t excess = requirement[k] - budget;
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
            if (worst.step == NONE || split.bound > worst_us * (1 + 1e-12) ||
                (split.bound >= worst_us * (1 - 1e-12) && away > worst.excess_bytes)) {
                worst = (struct whole_step){ k, away, elapsed, duration, window.after };
                worst_us = split.bound;
            }
        }
        elapsed += duration;
    }
    if (worst.step == NONE)
        return SS_OK;
    struct split whole;
    status = bound_whole(profile, link, &closure, &worst, &whole.bound, &whole.binding, error);
    if (status == SS_OK && whole.bound + profile->fixed_us > out->bound_us * (1 + 1e-12)) {
        const uint32_t op = worst.step < n ? worst.step : 2 * n - 1 - worst.step;
        if (out->binding == BINDING_IDEAL)
            out->binding = whole.binding;
        out->step_op = op;
        out->step_kind = worst.step < n ? STEP_FORWARD : STEP_BACKWARD;
        out->bound_us = whole.bound + profile->fixed_us;
    }
    if (status == SS_OK)
        status = bound_over_steps(out, arena, profile, link, &closure,
                                  &(struct tightness){ requirement, budget, single_us }, quick, error);
    return status;
}

static enum ss_status find(const struct profile *profile, const struct link *link, uint64_t budget_bytes, bool quick,
                           struct bound *out, struct error *error) {
    struct arena arena = { 0 };
    *out = (struct bound){ profile->ideal_us, BINDING_IDEAL, NONE, STEP_FORWARD };
    const enum ss_status status = bound_scan(out, &arena, profile, link, budget_bytes, quick, error);
    arena_free(&arena);
    return status;
}

enum ss_status bound_compute(const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                             struct bound *out, struct error *error) {
    return find(profile, link, budget_bytes, false, out, error);
}

enum ss_status bound_quick(const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                           struct bound *out, struct error *error) {
    return find(profile, link, budget_bytes, true, out, error);
}
