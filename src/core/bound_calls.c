/* bound_calls: see bound_calls.h. */
#include "bound_calls.h"

#include <stdlib.h>
#include <string.h>

void calls_list(struct windows *w, const struct premises *premises, const struct odds *odds) {
    const uint32_t n = w->profile->op_count;
    uint32_t *at = w->calls_at;
    memset(at, 0, (2 * (size_t)n + 1) * sizeof *at);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < n; p++) {
            double chance = 0;
            for (int o = 0; o < ODDS_STEPS; o++) {
                const uint32_t step = odds[p].step[o];
                if (!(odds[p].chance[o] > 0))
                    continue;
                chance += odds[p].chance[o];
                for (uint32_t r = w->read_at[p]; r < w->read_at[p + 1]; r++) {
                    const uint32_t l = w->read[r];
                    if (step >= w->leaver[l].back || premises->fate[l] == FATE_STAYS ||
                        premises->back[l] < w->leaver[l].back) /* counts as much for another reason */
                        continue;
                    if (pass == 0)
                        at[step + 1]++;
                    else
                        w->likely[at[step]++] = (struct likely_call){ step, { l, p }, chance };
                }
            }
        }
        for (uint32_t k = 0; pass == 0 && k < 2 * n; k++)
            at[k + 1] += at[k];
    }
    w->likely_count = at[2 * n];
}

/* How likely leaver L is restored, seen from STEP. */
static double again(const struct windows *w, uint32_t l, uint32_t step) {
    return spared_again(&w->spared[l], step);
}

struct calls_tally calls_begin(struct windows *w, uint32_t step) {
    memset(w->called, 0, w->leaver_count * sizeof *w->called);
    return (struct calls_tally){ 0, step, 0 };
}

void calls_reach(struct calls_tally *tally, struct windows *w, uint32_t last) {
    const uint32_t until = w->leaver[last].back;
    for (; tally->next < w->likely_count && w->likely[tally->next].step <= until; tally->next++) {
        const struct likely_call *likely = &w->likely[tally->next];
        const uint32_t l = likely->call.leaver;
        if (!leaver_away_at(&w->leaver[l], tally->step) || w->place[l] <= w->place[last])
            continue;
        const double bytes = likely->chance * (double)w->leaver[l].bytes - again(w, l, tally->step);
        if (bytes <= w->called[l])
            continue;
        tally->bytes += bytes - w->called[l];
        w->called[l] = bytes;
    }
    tally->bytes -= w->called[last];
    w->called[last] = 0;
}

static int by_leaver(const void *a, const void *b) {
    const struct call *x = a, *y = b;
    return x->leaver < y->leaver ? -1 : x->leaver > y->leaver;
}

/* Of several calls for a leaver the likeliest, the first of them: what calls_reach has reckoned with. */
void calls_trace(const struct windows *w, struct path *path, struct hop *hop) {
    const struct tight *tight = &w->tight[hop->tight];
    const uint32_t last = tight->back[hop->place].leaver;
    uint32_t end = 0;
    for (; end < w->likely_count && w->likely[end].step <= hop->high; end++) {
        const struct likely_call *likely = &w->likely[end];
        const uint32_t l = likely->call.leaver;
        if (!leaver_away_at(&w->leaver[l], tight->step) || w->place[l] <= w->place[last] ||
            likely->chance * (double)w->leaver[l].bytes <= again(w, l, tight->step))
            continue;
        if (!w->likeliest[l] || w->likely[w->likeliest[l] - 1].chance < likely->chance)
            w->likeliest[l] = end + 1;
    }
    hop->calls_at = path->call_count;
    for (uint32_t c = 0; c < end; c++) {
        const uint32_t l = w->likely[c].call.leaver;
        if (w->likeliest[l] != c + 1)
            continue;
        w->likeliest[l] = 0;
        if (path->call_count < PATH_CALLS)
            path->call[path->call_count++] = w->likely[c].call;
    }
    hop->calls = path->call_count - hop->calls_at;
    qsort(path->call + hop->calls_at, hop->calls, sizeof *path->call, by_leaver);
}

bool calls_have(const struct path *path, const struct hop *hop, uint32_t l) {
    const struct call key = { l, 0 };
    return hop->calls > 0 && bsearch(&key, path->call + hop->calls_at, hop->calls, sizeof key, by_leaver);
}
