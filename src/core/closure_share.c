/* closure_share: what a re-run of each op costs at least, whatever else runs again (closure.h, share_us).
 *
 * An op whose outputs are unmanaged runs again with every chain that needs it, and one run may serve several ops of that
 * chain: its cost is parted evenly among all that it could ever serve. That is too cautious where those have little to
 * do with each other. Let v be one of them, read by w1 alone, that by w2 alone and so on, up to the first op that the
 * others lead to as well. A chain that holds v and one of the others restores something for the backward of an op at or
 * beyond that one, for which (a backward reads only what its own op reads or writes) w1, w2, … run again in the same
 * chain. So v is charged the whole cost, and one of them, the guard, has what sharing saves v taken off its own. A guard
 * restores managed tensors: it runs again once, so that v can share once. No share falls below zero, so the sum over any
 * part of what runs again stays below what that costs. An op that restores much itself (the indices of a pooling) may pay
 * all of its cost, and those that it serves none: it restores once, and runs then. */
#include "closure.h"

#include <math.h>
#include <stdlib.h>

#define HORIZON 128u  /* ops behind a shared one that are looked at */
#define GUARDS_MOST 32
#define HALVINGS 10
#define MANY (NONE - 1)

struct sharing {
    const struct profile *profile;
    const bool *rerunnable;
    bool *useful;          /* its re-run can be of use: it restores something managed, or feeds an op that does */
    uint32_t *split;       /* how many it may serve */
    uint32_t *only_reader; /* the one op that reads its outputs; NONE: none or several */
    bool *restores;        /* has outputs that may be recomputed */
    uint32_t *from;        /* scratch: which of the ops served leads here; NONE, one, or MANY */
    double *extra, *credit;/* us, see above */
};

/* What a guard may give: left_us for its bytes. */
struct guard { uint32_t op; double price, left_us, bytes; };

static uint32_t lead_of(uint32_t a, uint32_t b) {
    return a == NONE || a == b ? b : b == NONE ? a : MANY;
}

static void mark_useful(struct sharing *s) {
    const struct profile *profile = s->profile;
    for (uint32_t i = profile->op_count; i-- > 0;) {
        const struct op *op = &profile->ops[i];
        s->only_reader[i] = NONE;
        uint32_t reader = NONE;
        for (uint32_t o = 0; o < op->outputs.count; o++) {
            const struct tensor *t = &profile->tensors[profile->index[op->outputs.at + o]];
            s->restores[i] = s->restores[i] || (t->managed && !t->keep);
            for (uint32_t c = 0; c < t->consumers.count; c++) {
                const uint32_t consumer = profile->index[t->consumers.at + c];
                s->useful[i] = s->useful[i] || (!t->managed && s->useful[consumer]);
                reader = lead_of(reader, consumer);
            }
        }
        s->restores[i] = s->restores[i] && s->rerunnable[i];
        s->useful[i] = s->rerunnable[i] && (s->useful[i] || s->restores[i]);
        s->only_reader[i] = reader == MANY ? NONE : reader;
    }
}

/* How many ops or groups of outputs may be the reason for re-running op I: its own managed outputs count as one, each
 * useful consumer of an unmanaged output as one (an op that reads two of them may count twice: shares get smaller). */
static uint32_t beneficiaries(const struct sharing *s, uint32_t i) {
    const struct profile *profile = s->profile;
    const struct op *op = &profile->ops[i];
    uint32_t count = s->restores[i];
    for (uint32_t o = 0; o < op->outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[op->outputs.at + o]];
        for (uint32_t c = 0; c < t->consumers.count && !t->managed; c++)
            count += s->useful[profile->index[t->consumers.at + c]];
    }
    return count;
}

/* Which of the ops that OP serves lead to each op up to END, and whether several do. */
static void follow(struct sharing *s, uint32_t op, uint32_t end) {
    const struct profile *profile = s->profile;
    for (uint32_t x = op + 1; x < end; x++) {
        s->from[x] = NONE;
        bool served = false;
        for (uint32_t k = 0; k < profile->ops[x].inputs.count; k++) {
            const struct tensor *t = &profile->tensors[profile->index[profile->ops[x].inputs.at + k]];
            if (t->producer == op)
                served = served || !t->managed;
            else if (t->producer != NONE && t->producer > op)
                s->from[x] = lead_of(s->from[x], s->from[t->producer]);
        }
        if (served && s->useful[x])
            s->from[x] = lead_of(s->from[x], x);
    }
}

static double bytes_of(const struct sharing *s, uint32_t op) {
    const struct profile *profile = s->profile;
    double bytes = 1;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++)
        bytes += (double)profile->tensors[profile->index[profile->ops[op].outputs.at + o]].bytes;
    return bytes;
}

static int dearest_first(const void *a, const void *b) {
    const struct guard *x = a, *y = b;
    if (x->price != y->price)
        return x->price > y->price ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The ops that run again whenever V shares, up to END, dearest a byte first; ROOM receives what they cost together. */
static uint32_t find_guards(const struct sharing *s, uint32_t v, uint32_t end, struct guard *guard, double *room) {
    uint32_t count = 0;
    *room = 0;
    if (s->from[v] != v)
        return 0;
    for (uint32_t w = s->only_reader[v]; w < end && s->from[w] == v && count < GUARDS_MOST; w = s->only_reader[w]) {
        const double left_us = s->profile->ops[w].recompute_us - s->credit[w];
        if (!s->restores[w] || s->split[w] != 1 || !(left_us > 0))
            continue;
        const double bytes = bytes_of(s, w);
        guard[count++] = (struct guard){ w, left_us / bytes, left_us, bytes };
        *room += left_us;
    }
    qsort(guard, count, sizeof *guard, dearest_first);
    return count;
}

/* The price a byte that is left to the dearest guards when US are taken off them so that none gets cheaper a byte than need
 * be; DEAREST receives how many of them pay. */
static double level_without(const struct guard *guard, uint32_t count, double us, uint32_t *dearest) {
    double left_us = 0, bytes = 0, level = 0;
    *dearest = 0;
    while (*dearest < count) {
        left_us += guard[*dearest].left_us;
        bytes += guard[*dearest].bytes;
        ++*dearest;
        level = fmax(0, (left_us - us) / bytes);
        if (*dearest == count || level >= guard[*dearest].price)
            break;
    }
    return level;
}

static void take_off(struct sharing *s, const struct guard *guard, uint32_t count, double us) {
    uint32_t dearest;
    const double level = level_without(guard, count, us, &dearest);
    for (uint32_t g = 0; g < dearest; g++)
        s->credit[guard[g].op] += fmax(0, guard[g].left_us - level * guard[g].bytes);
}

/* How much of SAVED us the guards had better take over from V, which pays BASE us without: as long as that doesn't make
 * them cheaper a byte than V. What is cheapest is what a plan would run again, and what the bound reckons with. */
static double worth_taking(const struct sharing *s, uint32_t v, double base, const struct guard *guard, uint32_t count,
                           double saved) {
    const double bytes = bytes_of(s, v);
    double low = 0, high = saved;
    uint32_t dearest;
    if (level_without(guard, count, saved, &dearest) >= (base + saved) / bytes)
        return saved;
    for (int i = 0; i < HALVINGS; i++) {
        const double us = (low + high) / 2;
        if (level_without(guard, count, us, &dearest) >= (base + us) / bytes)
            low = us;
        else
            high = us;
    }
    return low;
}

/* How many parts of OP's cost V pays: one for each unmanaged output that it reads. */
static uint32_t parts_of(const struct sharing *s, uint32_t op, uint32_t v) {
    const struct profile *profile = s->profile;
    uint32_t parts = 0;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[profile->ops[op].outputs.at + o]];
        for (uint32_t c = 0; c < t->consumers.count && !t->managed; c++)
            parts += profile->index[t->consumers.at + c] == v;
    }
    return parts;
}

/* Parts COST among those that OP serves: whoever has guards pays all of it and they have back what sharing saves; the
 * others pay a part each. Returns that part. */
static double part(struct sharing *s, uint32_t op, double cost) {
    const uint32_t left = s->profile->op_count - op, end = op + (left < HORIZON ? left : HORIZON);
    const uint32_t served = s->split[op];
    struct guard guard[GUARDS_MOST];
    double room;
    if (served < 2 || s->restores[op])
        return served ? cost / served : 0;
    const double each = cost / served;
    follow(s, op, end);
    for (uint32_t v = op + 1; v < end; v++) {
        const uint32_t count = find_guards(s, v, end, guard, &room);
        const double paid = each * parts_of(s, op, v), saved = count ? fmin(cost - paid, room) : 0;
        if (!(saved > 0))
            continue;
        const double taken = worth_taking(s, v, s->profile->ops[v].recompute_us + paid + s->extra[v], guard, count, saved);
        s->extra[v] += taken;
        take_off(s, guard, count, taken);
    }
    return each;
}

/* Restores OP so much itself that it had better pay all: what it pays raises the price of those bytes, and the ops that it
 * serves with its unmanaged outputs need others to run again as well, so that their price is high without it. */
static bool pays_alone(const struct sharing *s, uint32_t op) {
    const struct profile *profile = s->profile;
    uint64_t restored = 0, passed = 0;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[profile->ops[op].outputs.at + o]];
        if (t->managed)
            restored += t->keep ? 0 : t->bytes;
        else
            passed += t->bytes;
    }
    return s->restores[op] && restored >= passed;
}

static enum ss_status sharing_init(struct sharing *s, struct arena *arena, const struct profile *profile,
                                   const bool *rerunnable, struct error *error) {
    const uint32_t n = profile->op_count;
    *s = (struct sharing){ .profile = profile, .rerunnable = rerunnable };
    s->useful = ARENA_ARRAY(arena, bool, n);
    s->restores = ARENA_ARRAY(arena, bool, n);
    s->split = ARENA_ARRAY(arena, uint32_t, n);
    s->only_reader = ARENA_ARRAY(arena, uint32_t, n);
    s->from = ARENA_ARRAY(arena, uint32_t, n);
    s->extra = ARENA_ARRAY(arena, double, n);
    s->credit = ARENA_ARRAY(arena, double, n);
    if (!s->useful || !s->restores || !s->split || !s->only_reader || !s->from || !s->extra || !s->credit)
        return error_no_memory(error);
    mark_useful(s);
    for (uint32_t i = 0; i < n; i++)
        s->split[i] = beneficiaries(s, i);
    return SS_OK;
}

enum ss_status closure_share(double **share_us, struct arena *arena, const struct profile *profile,
                             const bool *rerunnable, struct error *error) {
    struct sharing s;
    uint32_t *seen = ARENA_ARRAY(arena, uint32_t, profile->tensor_count); /* tensor -> last op that read it, + 1 */
    double *part_of = ARENA_ARRAY(arena, double, profile->op_count); /* op -> what each of those that it serves pays of it */
    double *share = *share_us = ARENA_ARRAY(arena, double, profile->op_count);
    if (!seen || !part_of || !share)
        return error_no_memory(error);
    const enum ss_status status = sharing_init(&s, arena, profile, rerunnable, error);
    for (uint32_t i = 0; i < profile->op_count && status == SS_OK; i++) {
        const struct op *op = &profile->ops[i];
        double cost = op->recompute_us + s.extra[i] - s.credit[i];
        for (uint32_t k = 0; k < op->inputs.count; k++) {
            const uint32_t input = profile->index[op->inputs.at + k];
            const struct tensor *t = &profile->tensors[input];
            if (t->managed || t->producer == NONE || seen[input] == i + 1)
                continue;
            seen[input] = i + 1;
            cost += part_of[t->producer];
        }
        const bool alone = s.split[i] > 1 && pays_alone(&s, i);
        part_of[i] = alone ? 0 : part(&s, i, cost);
        share[i] = alone ? cost : part_of[i];
    }
    return status;
}
