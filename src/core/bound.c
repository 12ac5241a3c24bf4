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
 *    outputs of p: p is priced once, at closure.share_us, which may be summed over any set of ops. (There are many such
 *    shares. Once it is known what a byte is worth at the step that binds, they are chosen anew, so that they say most
 *    about ops that cost less: closure_share.c.) Taking fractions of ops in order of price per byte, R(rho) is at most
 *    the time of R steps after k. (An op of which only some outputs are eligible is charged that part of its price: less
 *    than it costs.)
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
 *        start of B(i). With them count those needed later that the closure of an op p reads which runs again before B(i)
 *        or earlier, for they are on the GPU when it does (bound_calls.c); in a sum over ops: the bytes where p runs
 *        again, less the bytes where the tensor is itself recomputed.
 *    What is absent is whole tensors: their bytes are rounded up to the next sum that some of them have. A chain of
 *    compute steps, of recompute steps and of windows one after the other in time, from the first F to the last B, takes
 *    no longer than the plan's step: windows that don't overlap count no byte twice. So the longest path through them
 *    bounds the plans that run those ops again then, and the least of the longest paths over all choices of ops and
 *    s(p) bounds every plan. (That allows choices that no plan can make. An s(p) before its natural place, where the first of
 *    p's outputs is needed by a B, is counted at the recompute time on the path there. It needs another op that runs
 *    again then and reads what p restores: see bound_answer.c.) A mixture of paths gains at least what is left of it by the
 *    other side's best answer, found op by op: that is a bound whatever the mixture, so it doesn't matter how good ones are
 *    found.
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
 *    the same of more memory. What is found need not keep that order, for other mixtures and parts are looked at; of 1781
 *    steps from one rate to the next (2 to 100 GB/s, 35 to 90 %) none was found that leads up.
 */
#include "bound.h"

#include <math.h>
#include <stdlib.h>

#include "bound_game.h"
#include "bound_kind.h"
#include "bound_single.h"
#include "bound_whole.h"
#include "closure.h"
#include "residency.h"
#include "schedule.h"

#define SIGHTS_WIDE 6000u /* see windows_build: the more, the higher the bound … */
#define SIGHTS_DEEP 200u  /* … but when each of many games looks at them, time is better spent on games */
#define SIGHTS_SOME 2500u
#define FEW_TENSORS 64     /* that may leave: each game takes little time */
#define MANY_TENSORS 1000
#define LARGE_ENOUGH 16
#define DEARER 1.3 /* than what runs again last: not run again when shares are what they are then, either */

const char *const BINDING_NAME[BINDING_COUNT] = { "ideal", "D2H window", "H2D window", "recompute", "room" };

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
    static const struct game_effort wide = { 14, 60, 400000, 900000, false, false, true, 64, 16, 800000 };
    static const struct game_effort deep[] = { { 6, 300, 400000, 9000000, true, false, true, 64, 16, 800000 },
                                               { 6, 300, 400000, 9000000, true, true, true, 64, 16, 800000 },
                                               { 6, 300, 400000, 9000000, true, false, false, 64, 16, 800000 },
                                               { 6, 300, 400000, 6000000, true, true, false, 64, 16, 800000 } };
    static const struct game_effort some = { 20, 60, 2000000, 40000000, true, false, true, 64, 16, 800000 };
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
    struct closure closure;
    struct tightest tightest;
    double *single_us = ARENA_ARRAY(arena, double, 2 * (size_t)n);
    if (!single_us)
        return error_no_memory(error);
    enum ss_status status = residency_compute(&requirement, arena, profile, false, error);
    if (status == SS_OK)
        status = closure_compute(&closure, arena, profile, error);
    const struct tightness tightness = { requirement, budget, single_us };
    const struct single_terms terms = { profile, link, &closure, requirement, budget };
    if (status == SS_OK)
        status = bound_single(&terms, arena, single_us, out, &tightest, error);
    if (status != SS_OK || tightest.at.step == NONE)
        return status;
    /* now that it is known which re-runs are too dear, others can be charged more */
    status = closure_share(&closure.share_us, arena, profile, closure.rerunnable, DEARER * tightest.dear, error);
    if (status == SS_OK)
        status = bound_single(&terms, arena, single_us, out, &tightest, error);
    double whole_us;
    enum bound_binding binding;
    if (status == SS_OK)
        status = bound_whole(profile, link, &closure, &tightest.at, &whole_us, &binding, error);
    if (status == SS_OK && whole_us + profile->fixed_us > out->bound_us * (1 + 1e-12)) {
        const uint32_t step = tightest.at.step;
        *out = (struct bound){ whole_us + profile->fixed_us, out->binding == BINDING_IDEAL ? binding : out->binding,
                               step < n ? step : 2 * n - 1 - step, step < n ? STEP_FORWARD : STEP_BACKWARD };
    }
    return status == SS_OK ? bound_over_steps(out, arena, profile, link, &closure, &tightness, quick, error) : status;
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
