/* closure_guard: see closure_guard.h. On every way from the member to where others lead each op runs again, or the way is not
 * taken: so what counts is the way on which guards pay least, a shortest path. */
#include "closure_guard.h"

#include <math.h>

double guard_bytes(const struct profile *profile, uint32_t op) {
    double bytes = 1;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++)
        bytes += (double)profile->tensors[profile->index[profile->ops[op].outputs.at + o]].bytes;
    return bytes;
}

static bool exits(const struct guard_terms *terms, uint32_t op, uint32_t end) {
    const struct profile *profile = terms->profile;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[profile->ops[op].outputs.at + o]];
        for (uint32_t c = 0; c < t->consumers.count; c++) {
            const uint32_t reader = profile->index[t->consumers.at + c];
            if (reader >= end || terms->from[reader] == FROM_MANY)
                return true;
        }
    }
    return false;
}

/* The guards so far that lead to OP; false when there is no room for all. */
static bool add_edges(struct guards *g, const struct guard_terms *terms, const uint16_t *place, uint32_t base, uint32_t op) {
    const struct profile *profile = terms->profile;
    for (uint32_t k = 0; k < profile->ops[op].inputs.count; k++) {
        const uint32_t producer = profile->tensors[profile->index[profile->ops[op].inputs.at + k]].producer;
        if (producer == NONE || producer < base || terms->from[producer] != terms->from[op])
            continue;
        if (g->edges == GUARD_EDGES)
            return false;
        g->edge[g->edges++] = place[producer - base];
    }
    return true;
}

/* Drops those from which no way leads out, and marks those past which none does. */
static void keep_ways_out(struct guards *g) {
    bool leads_out[GUARD_HORIZON + 1] = { false };
    uint16_t new_place[GUARD_HORIZON + 1];
    uint32_t count = 0, edges = 0, farthest = 0;
    for (uint32_t i = g->count; i-- > 0;) {
        const uint32_t end = i + 1 < g->count ? g->guard[i + 1].first_edge : g->edges;
        leads_out[i] = leads_out[i] || g->guard[i].exits;
        for (uint32_t e = g->guard[i].first_edge; e < end && leads_out[i]; e++)
            leads_out[g->edge[e]] = true;
    }
    g->never = !leads_out[0];
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t first = g->guard[i].first_edge, end = i + 1 < g->count ? g->guard[i + 1].first_edge : g->edges;
        if (!leads_out[i])
            continue;
        new_place[i] = (uint16_t)count;
        g->guard[count] = g->guard[i];
        g->guard[count].first_edge = edges;
        for (uint32_t e = first; e < end; e++)
            g->edge[edges++] = new_place[g->edge[e]];
        count++;
    }
    g->count = count;
    g->edges = edges;
    /* the last place that a way leads to from before: past who comes earlier, a way leads */
    uint32_t reached[GUARD_HORIZON + 1] = { 0 };
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t e = g->guard[i].first_edge; e < (i + 1 < count ? g->guard[i + 1].first_edge : edges); e++)
            reached[g->edge[e]] = i;
    for (uint32_t i = 0; i < count; i++) {
        g->guard[i].only = i > 0 && farthest <= i;
        farthest = reached[i] > farthest ? reached[i] : farthest;
        farthest = g->guard[i].exits ? count : farthest;
    }
}

void guards_find(struct guards *out, const struct guard_terms *terms, uint32_t member, uint32_t end) {
    uint16_t place[GUARD_HORIZON + 1];
    out->count = out->edges = 0; /* not all of it: most members have none */
    out->never = false;
    if (member >= end || terms->from[member] != member)
        return;
    for (uint32_t x = member; x < end; x++) {
        if (terms->from[x] != member)
            continue;
        struct guard *guard = &out->guard[out->count];
        *guard = (struct guard){ .op = x, .first_edge = out->edges, .exits = exits(terms, x, end),
                                 .pays = x > member && terms->may_pay[x] && terms->left_us[x] > 0,
                                 .left_us = terms->left_us[x], .bytes = guard_bytes(terms->profile, x) };
        place[x - member] = (uint16_t)out->count++;
        if (x > member && !add_edges(out, terms, place, member, x)) {
            out->count = out->edges = 0;
            return;
        }
    }
    keep_ways_out(out);
}

/* What is paid at least on any way up to guard I, itself excluded. */
static double paid_before(const struct guards *g, uint32_t i) {
    double least = i > 0 ? INFINITY : 0;
    for (uint32_t e = g->guard[i].first_edge; e < (i + 1 < g->count ? g->guard[i + 1].first_edge : g->edges); e++)
        least = g->paid_us[g->edge[e]] < least ? g->paid_us[g->edge[e]] : least;
    return least;
}

double guards_reach(struct guards *g, double level, double dear) {
    double least = g->count > 0 || g->never ? INFINITY : 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct guard *guard = &g->guard[i];
        const double kept_us = guard->bytes * (guard->only || level > dear ? level : dear);
        g->paid_us[i] = paid_before(g, i) + (guard->pays && guard->left_us > kept_us ? guard->left_us - kept_us : 0);
        least = guard->exits && g->paid_us[i] < least ? g->paid_us[i] : least;
    }
    return least;
}

void guards_take(struct guards *g, double level, double dear, double us, double *credit) {
    (void)guards_reach(g, level, dear);
    for (uint32_t i = 1; i < g->count; i++)
        credit[g->guard[i].op] += fmin(g->paid_us[i], us) - fmin(paid_before(g, i), us);
}
