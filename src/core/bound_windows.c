/* bound_windows: see bound_windows.h. */
#include "bound_windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bound_calls.h"
#include "bound_reads.h"
#include "residency.h"

#define UNITS_MOST 4096   /* of the greatest common divisor: with more, sums of whole tensors lie too close to matter */

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
    list[count] = (struct sight){ leaver, *seen > spare ? fmin(sums_above(sums, *seen - spare), (double)*seen) : 0,
                                  (double)*seen - (double)spare };
}

/* EXCESS bytes must be away at the step of TIGHT. */
static enum ss_status measure(struct tight *tight, const struct windows *w, const struct link *link, uint64_t excess,
                              struct arena *arena, struct error *error) {
    uint64_t all = 0, divisor = 0, largest = 1, seen = 0;
    uint32_t count = 0;
    struct sums sums;
    for (uint32_t i = 0; i < w->leaver_count; i++) {
        const uint64_t bytes = w->leaver[i].bytes;
        if (!leaver_away_at(&w->leaver[i], tight->step))
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
        if (leaver_away_at(&w->leaver[i], tight->step))
            see(tight->out, count++, i, w->leaver[i].bytes, spare, &seen, &sums);
    seen = count = 0;
    sums_begin(&sums, divisor, all);
    for (uint32_t i = 0; i < w->leaver_count; i++)
        if (leaver_away_at(&w->leaver[w->by_back[i]], tight->step))
            see(tight->back, count++, w->by_back[i], w->leaver[w->by_back[i]].bytes, spare, &seen, &sums);
    return SS_OK;
}

/* Which steps to look at: all that need more than BUDGET, or in a large profile the one of each of many stretches that
 * binds most by itself. */
static enum ss_status choose_steps(struct windows *w, struct arena *arena, const double *single_us, uint32_t sights,
                                   struct error *error) {
    const uint32_t steps = 2 * w->profile->op_count, most = sights / (w->leaver_count + 1) + 8;
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
                             uint32_t sights, struct error *error) {
    const uint32_t n = profile->op_count;
    *out = (struct windows){ .profile = profile, .closure = closure };
    out->duration = ARENA_ARRAY(arena, double, 2 * (size_t)n);
    out->moment = ARENA_ARRAY(arena, struct moment, 2 * (size_t)n);
    out->tight_at = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)n);
    out->spared = ARENA_ARRAY(arena, struct spared, profile->managed_count);
    out->staying = ARENA_ARRAY(arena, uint32_t, profile->managed_count);
    out->calls_at = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)n + 1);
    out->likely = ARENA_ARRAY(arena, struct likely_call, ODDS_STEPS * READS_AN_OP * (size_t)n);
    out->likeliest = ARENA_ARRAY(arena, uint32_t, profile->managed_count);
    out->called = ARENA_ARRAY(arena, double, profile->managed_count);
    if (!out->duration || !out->moment || !out->tight_at || !out->spared || !out->staying || !out->calls_at ||
        !out->likely || !out->likeliest || !out->called)
        return error_no_memory(error);
    for (uint32_t k = 0; k < 2 * n; k++)
        out->duration[k] = k < n ? profile->ops[k].forward_us : profile->ops[2 * n - 1 - k].backward_us;
    enum ss_status status = list_leavers(out, arena, error);
    if (status == SS_OK)
        status = reads_list(out, arena, error);
    if (status == SS_OK)
        status = choose_steps(out, arena, tightness->single_us, sights, error);
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

/* Going down a list: bytes that are sure to be on the GPU and come later in it, and what running again takes off, in the
 * list up to here and among those. */
struct tally { double extra, again, always; uint32_t early; };

static inline void tally_relief(struct tally *tally, const struct windows *w, uint32_t l, uint32_t step) {
    const struct spared *spared = &w->spared[l];
    tally->again += spared_again(spared, step);
    tally->always += spared->always;
}

static bool is_early(const struct windows *w, const struct premises *premises, uint32_t l) {
    return premises->back[l] < w->leaver[l].back && premises->fate[l] != FATE_STAYS;
}

static struct tally tally_begin(const struct windows *w, uint32_t step, const struct premises *premises) {
    struct tally tally = { 0, 0, 0, 0 };
    for (uint32_t i = 0; i < w->staying_count; i++) {
        const uint32_t l = w->staying[i];
        if (!leaver_away_at(&w->leaver[l], step))
            continue;
        tally.extra += (double)w->leaver[l].bytes;
        tally_relief(&tally, w, l, step);
    }
    for (; tally.early < premises->early_count && premises->back[premises->early[tally.early]] <= step; tally.early++)
        if (leaver_away_at(&w->leaver[premises->early[tally.early]], step))
            tally.extra += (double)w->leaver[premises->early[tally.early]].bytes;
    return tally;
}

/* Goes past leaver L; returns whether a window may end with it. */
static inline bool tally_pass(struct tally *tally, const struct windows *w, uint32_t l, uint32_t step,
                       const struct premises *premises, uint32_t until) {
    if (premises->early_count == 0 && premises->fate[l] != FATE_STAYS) {
        tally_relief(tally, w, l, step);
        return true;
    }
    for (; tally->early < premises->early_count && premises->back[premises->early[tally->early]] <= until; tally->early++) {
        const uint32_t e = premises->early[tally->early];
        if (!leaver_away_at(&w->leaver[e], step))
            continue;
        tally->extra += (double)w->leaver[e].bytes;
        tally_relief(tally, w, e, step);
    }
    if (premises->fate[l] == FATE_STAYS || (is_early(w, premises, l) && premises->back[l] <= (until > step ? until : step))) {
        tally->extra -= (double)w->leaver[l].bytes;
        return premises->fate[l] != FATE_STAYS;
    }
    tally_relief(tally, w, l, step);
    return true;
}

/* Over the windows in which D2H moves what is away when the step of tight T starts. */
static void hop_out(struct windows *w, uint32_t t, const struct premises *premises) {
    const struct tight *tight = &w->tight[t];
    struct moment *moment = &w->moment[tight->step];
    struct tally tally = tally_begin(w, tight->step, premises);
    for (uint32_t i = 0; i < tight->sights; i++) {
        const struct sight *sight = &tight->out[i];
        if (!tally_pass(&tally, w, sight->leaver, tight->step, premises, 0))
            continue;
        const double need = tally.extra > 0 ? fmax(sight->need, sight->raw + tally.extra) : sight->need;
        const struct leaver *leaver = &w->leaver[sight->leaver];
        const uint32_t op = leaver->op;
        if (need > tally.again)
            arrive(moment, end_of(w, op) + (need - tally.again) * tight->d2h,
                   (struct hop){ true, false, t, i, op + 1, tight->step, need, 1, 0, 0 });
        const double rest = need - tally.always, bytes = (double)leaver->bytes;
        const double restored = tally.again - tally.always; /* less than it is where some are restored too early: no harm */
        if (premises->fate[sight->leaver] == FATE_LEAVES && rest > 0 && bytes > rest && rest > restored)
            arrive(moment, end_of(w, op) + (w->exact ? bytes : bytes * (1 - fmax(0, restored) / rest)) * tight->d2h,
                   (struct hop){ true, true, t, i, op + 1, tight->step, bytes, bytes / rest, 0, 0 });
    }
}

/* Over those in which H2D brings back what is away when the step of tight T has ended; none is before the turn. */
static void hop_back(struct windows *w, uint32_t t, const struct premises *premises) {
    const struct tight *tight = &w->tight[t];
    const uint32_t n = w->profile->op_count, last = tight->step < n ? n - 1 : tight->step;
    const double from_us = end_of(w, last);
    struct tally tally = tally_begin(w, tight->step, premises);
    struct calls_tally calls = calls_begin(w, tight->step);
    for (uint32_t i = 0; i < tight->sights; i++) {
        const struct sight *sight = &tight->back[i];
        calls_reach(&calls, w, sight->leaver);
        if (!tally_pass(&tally, w, sight->leaver, tight->step, premises, w->leaver[sight->leaver].back))
            continue;
        const double raw = sight->raw + tally.extra, need = tally.extra > 0 ? fmax(sight->need, raw) : sight->need;
        const bool called = raw + calls.bytes > need;
        const double moved = (called ? raw + calls.bytes : need) - tally.again;
        if (moved <= 0)
            continue;
        const uint32_t back = w->leaver[sight->leaver].back;
        arrive(&w->moment[back], from_us + moved * tight->h2d,
               (struct hop){ false, false, t, i, last + 1, back, called ? raw : need, 1, 0, called });
    }
}

double windows_length(const struct windows *windows, const struct hop *hop) {
    const struct tight *tight = &windows->tight[hop->tight];
    return hop->bytes * (hop->out ? tight->d2h : tight->h2d);
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
        struct hop *hop = &out->hop[out->count++];
        *hop = moment->hop;
        if (hop->calls)
            calls_trace(w, out, hop);
        out->constant_us += windows_length(w, &moment->hop);
        b = moment->hop.low;
    }
    return true;
}

void windows_conclude(const struct windows *windows, struct premises *premises) {
    const struct windows *w = windows;
    premises->early_count = 0;
    for (uint32_t l = 0; l < w->leaver_count; l++)
        premises->back[l] = w->leaver[l].back;
    for (uint32_t p = w->profile->op_count; p-- > 0;) {
        uint32_t restored = 0; /* the step before which it has run again at latest */
        if (premises->choice[p] != CHOICE_ALWAYS)
            continue;
        for (uint32_t l = w->first_of[p]; l < w->first_of[p + 1]; l++)
            restored = w->leaver[l].again && premises->back[l] > restored ? premises->back[l] : restored;
        for (uint32_t i = w->read_at[p]; i < w->read_at[p + 1]; i++)
            premises->back[w->read[i]] = restored < premises->back[w->read[i]] ? restored : premises->back[w->read[i]];
    }
    for (uint32_t l = 0; l < w->leaver_count; l++) {
        if (!is_early(w, premises, l))
            continue;
        uint32_t at = premises->early_count++;
        for (; at > 0 && premises->back[premises->early[at - 1]] > premises->back[l]; at--)
            premises->early[at] = premises->early[at - 1];
        premises->early[at] = l;
    }
}

static double sweep(struct windows *w, const struct premises *premises, const struct odds *odds) {
    const uint32_t n = w->profile->op_count;
    w->staying_count = 0;
    for (uint32_t b = 0; b < 2 * n; b++)
        w->moment[b] = (struct moment){ .us = -INFINITY };
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < ODDS_STEPS; k++)
            w->moment[odds[i].step[k]].again_us += odds[i].chance[k] * w->closure->share_us[i];
    for (uint32_t i = 0; i < w->leaver_count; i++) {
        const struct leaver *leaver = &w->leaver[i];
        const double bytes = leaver->again && premises->fate[i] != FATE_LEAVES ? (double)leaver->bytes : 0;
        struct spared *spared = &w->spared[i];
        spared->always = premises->choice[leaver->op] == CHOICE_ALWAYS ? bytes : 0;
        for (int k = 0; k < ODDS_STEPS; k++) {
            spared->step[k] = odds[leaver->op].step[k];
            spared->again[k] = odds[leaver->op].chance[k] * bytes;
        }
        if (premises->fate[i] == FATE_STAYS)
            w->staying[w->staying_count++] = i;
    }
    calls_list(w, premises, odds);
    for (uint32_t b = 0; b < 2 * n; b++) {
        struct moment *moment = &w->moment[b];
        const double us = (b ? end_of(w, b - 1) : 0) + moment->again_us;
        if (us >= moment->us) {
            moment->us = us;
            moment->hopped = false;
        }
        if (w->tight_at[b])
            hop_out(w, w->tight_at[b] - 1, premises);
        if (b >= n && w->tight_at[b])
            hop_back(w, w->tight_at[b] - 1, premises);
        for (uint32_t t = 0; b == n - 1 && t < w->tight_count && w->tight[t].step < n; t++)
            hop_back(w, t, premises);
    }
    return end_of(w, 2 * n - 1);
}

bool windows_longest(struct windows *windows, const struct premises *premises, const struct odds *odds, struct path *out,
                     double *out_us) {
    windows->exact = false;
    *out_us = sweep(windows, premises, odds);
    const bool traced = trace(windows, out);
    out->premises = premises;
    return traced;
}

double windows_exactly(struct windows *windows, const struct premises *premises, const struct odds *odds) {
    windows->exact = true;
    return sweep(windows, premises, odds);
}

double windows_relief(const struct windows *windows, const struct path *path, const struct hop *hop, uint32_t op) {
    const struct windows *w = windows;
    const struct premises *premises = path->premises;
    const struct tight *tight = &w->tight[hop->tight];
    const uint32_t last = (hop->out ? tight->out : tight->back)[hop->place].leaver;
    double bytes = 0;
    if (hop->whole && premises->choice[op] == CHOICE_ALWAYS)
        return 0;
    for (uint32_t i = w->first_of[op]; i < w->first_of[op + 1]; i++) {
        const struct leaver *leaver = &w->leaver[i];
        const enum fate fate = (enum fate)premises->fate[i];
        const bool early = is_early(w, premises, i) && premises->back[i] <= hop->high;
        const bool counted = fate == FATE_STAYS || (hop->out ? i >= last : w->place[i] <= w->place[last] || early) ||
                             calls_have(path, hop, i);
        if (counted && leaver->again && fate != FATE_LEAVES && leaver_away_at(leaver, tight->step))
            bytes += (double)leaver->bytes;
    }
    return bytes * hop->scale * (hop->out ? tight->d2h : tight->h2d);
}

double windows_effect(const struct windows *windows, const struct path *path, uint32_t op, uint32_t step) {
    if (step == 0)
        return 0;
    double us = windows->closure->share_us[op], relief = 0;
    for (uint32_t h = 0; h < path->count; h++) {
        const struct hop *hop = &path->hop[h];
        if (hop->low <= step && step <= hop->high)
            us = 0;
        relief += step > windows->tight[hop->tight].step ? windows_relief(windows, path, hop, op) : 0;
    }
    return us - relief;
}
