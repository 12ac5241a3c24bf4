/* bound_windows: see bound_windows.h. */
#include "bound_windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "residency.h"

#define UNITS_MOST 4096   /* of the greatest common divisor: with more, sums of whole tensors lie too close to matter */
#define SIGHTS_MOST 6000u /* tensors looked at from tight steps, each from each */

/* The start of a step: the longest way there, and what it took last. */
struct moment { double us, again_us; bool hopped; struct hop hop; };

static int by_back(const void *a, const void *b) {
    const struct leaver *const *x = a, *const *y = b;
    if ((*x)->back != (*y)->back)
        return (*x)->back < (*y)->back ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static enum ss_status list_leavers(struct windows *w, struct arena *arena, struct error *error) {
    const struct profile *p = w->profile;
    const struct leaver **order = ARENA_ARRAY(arena, const struct leaver *, p->managed_count);
    w->leaver = ARENA_ARRAY(arena, struct leaver, p->managed_count);
    w->by_back = ARENA_ARRAY(arena, uint32_t, p->managed_count);
    w->place = ARENA_ARRAY(arena, uint32_t, p->managed_count);
    w->first_of = ARENA_ARRAY(arena, uint32_t, (size_t)p->op_count + 1);
    if (!order || !w->leaver || !w->by_back || !w->place || !w->first_of)
        return error_no_memory(error);
    for (uint32_t i = 0; i < p->op_count; i++) {
        w->first_of[i] = w->leaver_count;
        for (uint32_t o = 0; o < p->ops[i].outputs.count; o++) {
            const uint32_t tensor = p->index[p->ops[i].outputs.at + o];
            const struct tensor *t = &p->tensors[tensor];
            if (!t->managed || t->keep || t->bytes == 0)
                continue;
            w->leaver[w->leaver_count++] = (struct leaver){ i, t->last_forward + 1, residency_first_use(p, t), t->bytes,
                                                            closure_allows(w->closure, p, tensor) };
        }
    }
    w->first_of[p->op_count] = w->leaver_count;
    for (uint32_t i = 0; i < w->leaver_count; i++)
        order[i] = &w->leaver[i];
    qsort(order, w->leaver_count, sizeof *order, by_back);
    for (uint32_t i = 0; i < w->leaver_count; i++) {
        w->by_back[i] = (uint32_t)(order[i] - w->leaver);
        w->place[w->by_back[i]] = i;
    }
    return SS_OK;
}

static bool away_at(const struct leaver *leaver, uint32_t step) {
    return leaver->gone <= step && step < leaver->back;
}

/* Which sums some of the tensors seen so far have, in units of DIVISOR: a bit each; no WORDS when they would be too many. */
struct sums { uint64_t divisor; uint32_t words; uint64_t bit[UNITS_MOST / 64]; };

static void sums_begin(struct sums *sums, uint64_t divisor, uint64_t most) {
    const uint64_t units = divisor ? most / divisor : 0;
    sums->divisor = divisor;
    sums->words = units < UNITS_MOST ? (uint32_t)units / 64 + 1 : 0;
    memset(sums->bit, 0, sums->words * sizeof *sums->bit);
    sums->bit[0] = 1;
}

static void sums_add(struct sums *sums, uint64_t bytes) {
    const uint64_t shift = bytes / sums->divisor;
    if (shift / 64 >= sums->words)
        return;
    const uint32_t whole = (uint32_t)shift / 64, part = (uint32_t)shift % 64;
    for (uint32_t i = sums->words; i-- > whole;) {
        uint64_t moved = sums->bit[i - whole] << part;
        if (part && i > whole)
            moved |= sums->bit[i - whole - 1] >> (64 - part);
        sums->bit[i] |= moved;
    }
}

/* The least sum that is LEAST bytes or more; LEAST rounded up to whole units where that is not known. */
static double sums_above(const struct sums *sums, uint64_t least) {
    const uint64_t unit = (least + sums->divisor - 1) / sums->divisor;
    for (uint64_t u = unit; u / 64 < sums->words; u = (u / 64 + 1) * 64) {
        const uint64_t word = sums->bit[u / 64] >> (u % 64);
        if (word)
            return (double)((u + (uint64_t)__builtin_ctzll(word)) * sums->divisor);
    }
    return (double)(unit * sums->divisor);
}

/* Puts one more tensor at the end of LIST, when all but SPARE bytes are missing. */
static void see(struct sight *list, uint32_t count, uint32_t leaver, uint64_t bytes, uint64_t spare, uint64_t *seen,
                struct sums *sums) {
    *seen += bytes;
    sums_add(sums, bytes);
    list[count] = (struct sight){ leaver, *seen > spare ? fmin(sums_above(sums, *seen - spare), (double)*seen) : 0 };
}

/* EXCESS bytes must be away at the step of TIGHT. */
static enum ss_status measure(struct tight *tight, const struct windows *w, const struct link *link, uint64_t excess,
                              struct arena *arena, struct error *error) {
    uint64_t all = 0, divisor = 0, largest = 1, seen = 0;
    uint32_t count = 0;
    struct sums sums;
    for (uint32_t i = 0; i < w->leaver_count; i++) {
        const uint64_t bytes = w->leaver[i].bytes;
        if (!away_at(&w->leaver[i], tight->step))
            continue;
        tight->sights++;
        all += bytes;
        divisor = common_divisor(bytes, divisor);
        largest = bytes > largest ? bytes : largest;
    }
    tight->out = ARENA_ARRAY(arena, struct sight, tight->sights);
    tight->back = ARENA_ARRAY(arena, struct sight, tight->sights);
    if (!tight->out || !tight->back)
        return error_no_memory(error);
    const uint64_t spare = all > excess ? all - excess : 0;
    tight->d2h = 1 / gb_per_s_to_bytes_per_us(link->d2h_gb_per_s) + link->latency_us / (double)largest;
    tight->h2d = 1 / gb_per_s_to_bytes_per_us(link->h2d_gb_per_s) + link->latency_us / (double)largest;
    sums_begin(&sums, divisor, all);
    for (uint32_t i = w->leaver_count; i-- > 0;)
        if (away_at(&w->leaver[i], tight->step))
            see(tight->out, count++, i, w->leaver[i].bytes, spare, &seen, &sums);
    seen = count = 0;
    sums_begin(&sums, divisor, all);
    for (uint32_t i = 0; i < w->leaver_count; i++)
        if (away_at(&w->leaver[w->by_back[i]], tight->step))
            see(tight->back, count++, w->by_back[i], w->leaver[w->by_back[i]].bytes, spare, &seen, &sums);
    return SS_OK;
}

/* Which steps to look at: all that need more than BUDGET, or in a large profile the one of each of many stretches that
 * binds most by itself. */
static enum ss_status choose_steps(struct windows *w, struct arena *arena, const double *single_us,
                                   struct error *error) {
    const uint32_t steps = 2 * w->profile->op_count, most = SIGHTS_MOST / (w->leaver_count + 1) + 8;
    uint32_t all = 0, seen = 0;
    for (uint32_t k = 0; k < steps; k++)
        all += single_us[k] > 0;
    w->tight = ARENA_ARRAY(arena, struct tight, all < most ? all : most);
    if (!w->tight)
        return error_no_memory(error);
    for (uint32_t k = 0; k < steps; k++) {
        if (!(single_us[k] > 0))
            continue;
        const uint32_t stretch = all <= most ? seen : (uint32_t)((uint64_t)seen * most / all);
        seen++;
        if (stretch == w->tight_count)
            w->tight[w->tight_count++].step = k;
        else if (single_us[k] > single_us[w->tight[stretch].step])
            w->tight[stretch].step = k;
    }
    for (uint32_t t = 0; t < w->tight_count; t++)
        w->tight_at[w->tight[t].step] = t + 1;
    return SS_OK;
}

enum ss_status windows_build(struct windows *out, struct arena *arena, const struct profile *profile,
                             const struct link *link, const struct closure *closure, const struct tightness *tightness,
                             struct error *error) {
    const uint32_t n = profile->op_count;
    *out = (struct windows){ .profile = profile, .closure = closure };
    out->duration = ARENA_ARRAY(arena, double, 2 * (size_t)n);
    out->moment = ARENA_ARRAY(arena, struct moment, 2 * (size_t)n);
    out->tight_at = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)n);
    out->again = ARENA_ARRAY(arena, struct odds, profile->managed_count);
    if (!out->duration || !out->moment || !out->tight_at || !out->again)
        return error_no_memory(error);
    for (uint32_t k = 0; k < 2 * n; k++)
        out->duration[k] = k < n ? profile->ops[k].forward_us : profile->ops[2 * n - 1 - k].backward_us;
    enum ss_status status = list_leavers(out, arena, error);
    if (status == SS_OK)
        status = choose_steps(out, arena, tightness->single_us, error);
    for (uint32_t t = 0; t < out->tight_count && status == SS_OK; t++)
        status = measure(&out->tight[t], out, link, tightness->requirement[out->tight[t].step] - tightness->budget, arena,
                         error);
    for (uint32_t t = 0; t < out->tight_count && status == SS_OK; t++)
        out->sights += 2 * (uint64_t)out->tight[t].sights;
    return status;
}

static void arrive(struct moment *moment, double us, struct hop hop) {
    if (us > moment->us) {
        moment->us = us;
        moment->hop = hop;
        moment->hopped = true;
    }
}

static double end_of(const struct windows *w, uint32_t step) {
    return w->moment[step].us + w->duration[step];
}

/* Over the windows in which D2H moves what is away when the step of tight T starts. */
static void hop_out(struct windows *w, uint32_t t) {
    const struct tight *tight = &w->tight[t];
    double again = 0;
    for (uint32_t i = 0; i < tight->sights; i++) {
        const struct sight *sight = &tight->out[i];
        const struct odds *odds = &w->again[sight->leaver];
        again += odds->step > tight->step ? odds->chance : 0;
        if (sight->need <= again)
            continue;
        const uint32_t op = w->leaver[sight->leaver].op;
        arrive(&w->moment[tight->step], end_of(w, op) + (sight->need - again) * tight->d2h,
               (struct hop){ true, t, i, op + 1, tight->step });
    }
}

/* Over those in which H2D brings back what is away when the step of tight T has ended; none is before the turn. */
static void hop_back(struct windows *w, uint32_t t) {
    const struct tight *tight = &w->tight[t];
    const uint32_t n = w->profile->op_count, last = tight->step < n ? n - 1 : tight->step;
    const double from_us = end_of(w, last);
    double again = 0;
    for (uint32_t i = 0; i < tight->sights; i++) {
        const struct sight *sight = &tight->back[i];
        const struct odds *odds = &w->again[sight->leaver];
        again += odds->step > tight->step ? odds->chance : 0;
        if (sight->need <= again)
            continue;
        const uint32_t back = w->leaver[sight->leaver].back;
        arrive(&w->moment[back], from_us + (sight->need - again) * tight->h2d,
               (struct hop){ false, t, i, last + 1, back });
    }
}

double windows_length(const struct windows *windows, const struct hop *hop) {
    const struct tight *tight = &windows->tight[hop->tight];
    return hop->out ? tight->out[hop->place].need * tight->d2h : tight->back[hop->place].need * tight->h2d;
}

/* Walks back from the end. */
static bool trace(const struct windows *w, struct path *out) {
    *out = (struct path){ .count = 0 };
    for (uint32_t b = 2 * w->profile->op_count; b > 0;) {
        const struct moment *moment = &w->moment[--b];
        out->constant_us += w->duration[b];
        if (!moment->hopped)
            continue;
        if (out->count == PATH_HOPS)
            return false;
        out->hop[out->count++] = moment->hop;
        out->constant_us += windows_length(w, &moment->hop);
        b = moment->hop.low;
    }
    return true;
}

bool windows_longest(struct windows *windows, const struct odds *odds, struct path *out, double *out_us) {
    struct windows *w = windows;
    const uint32_t n = w->profile->op_count;
    for (uint32_t b = 0; b < 2 * n; b++)
        w->moment[b] = (struct moment){ .us = -INFINITY };
    for (uint32_t i = 0; i < n; i++)
        w->moment[odds[i].step].again_us += odds[i].chance * w->closure->share_us[i];
    for (uint32_t i = 0; i < w->leaver_count; i++) {
        const struct leaver *leaver = &w->leaver[i];
        w->again[i] = (struct odds){ odds[leaver->op].step, leaver->again ? odds[leaver->op].chance * (double)leaver->bytes : 0 };
    }
    for (uint32_t b = 0; b < 2 * n; b++) {
        struct moment *moment = &w->moment[b];
        const double us = (b ? end_of(w, b - 1) : 0) + moment->again_us;
        if (us >= moment->us) {
            moment->us = us;
            moment->hopped = false;
        }
        if (w->tight_at[b])
            hop_out(w, w->tight_at[b] - 1);
        if (b >= n && w->tight_at[b])
            hop_back(w, w->tight_at[b] - 1);
        for (uint32_t t = 0; b == n - 1 && t < w->tight_count && w->tight[t].step < n; t++)
            hop_back(w, t);
    }
    *out_us = end_of(w, 2 * n - 1);
    return trace(w, out);
}

/* Bytes of OP that the hop need not move when OP runs again before STEP. */
static double relief(const struct windows *w, const struct hop *hop, uint32_t op, uint32_t step) {
    const struct tight *tight = &w->tight[hop->tight];
    const uint32_t last = (hop->out ? tight->out : tight->back)[hop->place].leaver;
    double bytes = 0;
    if (step <= tight->step)
        return 0;
    for (uint32_t i = w->first_of[op]; i < w->first_of[op + 1]; i++) {
        const struct leaver *leaver = &w->leaver[i];
        const bool counted = hop->out ? i >= last : w->place[i] <= w->place[last];
        if (counted && leaver->again && away_at(leaver, tight->step))
            bytes += (double)leaver->bytes;
    }
    return bytes * (hop->out ? tight->d2h : tight->h2d);
}

double windows_relief(const struct windows *windows, const struct path *path, uint32_t op, uint32_t step) {
    double us = 0;
    for (uint32_t h = 0; h < path->count; h++)
        us += relief(windows, &path->hop[h], op, step);
    return us;
}

double windows_effect(const struct windows *windows, const struct path *path, uint32_t op, uint32_t step) {
    if (step == 0)
        return 0;
    double us = windows->closure->share_us[op];
    for (uint32_t h = 0; h < path->count; h++)
        if (path->hop[h].low <= step && step <= path->hop[h].high)
            us = 0;
    return us - windows_relief(windows, path, op, step);
}
