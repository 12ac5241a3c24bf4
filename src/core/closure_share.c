/* closure_share: what a re-run of each op costs at least, whatever else runs again (closure.h, share_us).
 *
 * An op whose outputs are unmanaged runs again with every chain that needs it, and one run may serve several ops of that
 * chain, its members: so what it costs is parted among all that it could ever serve. That alone is too cautious where those
 * have little to do with each other. Let v be a member, and look at the ops to which of all members v alone leads. A chain
 * that holds v and another member restores something for the backward of an op at or beyond one to which others lead, too,
 * for a backward reads only what its own op reads or writes. So all ops on some way from v to there run again in that chain.
 * Hence v may pay more than its part, up to the whole cost, if on every such way guards have as much taken off their own:
 * of members that share a run each but for its part has it back. A guard restores managed tensors, and is for that alone:
 * it pays in every chain that it runs again in. No share falls below zero, so the sum over any part of what runs again
 * stays below what that costs. Who pays what is free, as long as the parts sum to the cost: those without guards get most.
 * What is cheapest a byte is what a plan would run again, and what the bound reckons with: so guards stay dearer than v,
 * and where only some of several guards runs again, so dear that they would not run again anyway. An op that restores much
 * itself (the indices of a pooling) may pay all of its cost, and those that it serves none: it restores once, and runs
 * then. */
#include "closure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closure_guard.h"

#define HALVINGS 12
#define LEVELS 40

struct sharing {
    const struct profile *profile;
    const bool *rerunnable;
    double dear;           /* us a byte: what costs more isn't run again, most likely */
    bool *useful;          /* its re-run can be of use: it restores something managed, or feeds an op that does */
    uint32_t *split;       /* how many it may serve */
    bool *restores;        /* has outputs that may be recomputed */
    bool *may_pay;         /* it restores, and is for that alone */
    double *left_us;       /* scratch: see guard_terms */
    double *own_us;        /* it, and what serves it alone */
    uint32_t *from;        /* scratch: see guard_terms */
    double *extra, *credit;/* us, see above */
    struct member *member; /* scratch: of the op whose cost is parted */
    uint32_t *stamp;       /* scratch: op -> the last op that it was a member of, + 1 */
    struct guards guards;  /* scratch */
};

/* A member pays PART_US, and EXTRA_US that its guards have back. NEED_US: what it could pay beside that. BASE_US: without
 * both. */
struct member { uint32_t op; double base_us, bytes, extra_us, need_us, part_us; };

static uint32_t lead_of(uint32_t a, uint32_t b) {
    return a == NONE || a == b ? b : b == NONE ? a : FROM_MANY;
}

static void mark_useful(struct sharing *s) {
    const struct profile *profile = s->profile;
    for (uint32_t i = profile->op_count; i-- > 0;) {
        const struct op *op = &profile->ops[i];
        for (uint32_t o = 0; o < op->outputs.count; o++) {
            const struct tensor *t = &profile->tensors[profile->index[op->outputs.at + o]];
            s->restores[i] = s->restores[i] || (t->managed && !t->keep);
            for (uint32_t c = 0; c < t->consumers.count && !t->managed; c++)
                s->useful[i] = s->useful[i] || s->useful[profile->index[t->consumers.at + c]];
        }
        s->restores[i] = s->restores[i] && s->rerunnable[i];
        s->useful[i] = s->rerunnable[i] && (s->useful[i] || s->restores[i]);
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

/* What each op costs with those that serve it alone: all of it is charged to who runs it again. */
static void sum_own(struct sharing *s) {
    const struct profile *profile = s->profile;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        s->own_us[i] = op->recompute_us;
        for (uint32_t k = 0; k < op->inputs.count; k++) {
            const struct tensor *t = &profile->tensors[profile->index[op->inputs.at + k]];
            const uint32_t p = t->producer;
            if (t->managed || p == NONE || s->split[p] != 1 || s->restores[p] || s->stamp[p] == i + 1)
                continue;
            s->stamp[p] = i + 1; /* an op may read a tensor twice */
            s->own_us[i] += s->own_us[p];
        }
    }
    memset(s->stamp, 0, profile->op_count * sizeof *s->stamp);
}

static void find_guards(struct sharing *s, uint32_t member, uint32_t end) {
    for (uint32_t x = member; x < end; x++)
        s->left_us[x] = s->own_us[x] - s->credit[x];
    guards_find(&s->guards, &(struct guard_terms){ s->profile, s->from, s->may_pay, s->left_us }, member, end);
}

/* How much more MEMBER had better pay, MOST at most, with its part of PART_US. */
static double worth_paying(struct sharing *s, const struct member *member, double part_us, double most) {
    const double base_us = member->base_us + part_us;
    double low = 0, high = most;
    if (guards_reach(&s->guards, (base_us + most) / member->bytes, s->dear) >= most)
        return most;
    for (int i = 0; i < HALVINGS; i++) {
        const double us = (low + high) / 2;
        if (guards_reach(&s->guards, (base_us + us) / member->bytes, s->dear) >= us)
            low = us;
        else
            high = us;
    }
    return low;
}

/* Takes US off the guards, the dearest a byte first. They reach it at LEVEL. */
static void take_off(struct sharing *s, double level, double us) {
    double high = level;
    for (uint32_t i = 0; i < s->guards.count; i++)
        high = fmax(high, s->guards.guard[i].left_us / s->guards.guard[i].bytes);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (level + high) / 2;
        if (guards_reach(&s->guards, middle, s->dear) >= us)
            level = middle;
        else
            high = middle;
    }
    guards_take(&s->guards, level, s->dear, us, s->credit);
}

static uint32_t list_members(struct sharing *s, uint32_t op) {
    const struct profile *profile = s->profile;
    uint32_t count = 0;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[profile->ops[op].outputs.at + o]];
        for (uint32_t c = 0; c < t->consumers.count && !t->managed; c++) {
            const uint32_t v = profile->index[t->consumers.at + c];
            if (!s->useful[v] || s->stamp[v] == op + 1)
                continue;
            s->stamp[v] = op + 1;
            s->member[count++] = (struct member){ .op = v, .base_us = profile->ops[v].recompute_us + s->extra[v],
                                                  .bytes = guard_bytes(profile, v) };
        }
    }
    return count;
}

static double parts_at(const struct member *member, uint32_t count, double level) {
    double sum = 0;
    for (uint32_t m = 0; m < count; m++)
        sum += fmin(fmax(level * member[m].bytes - member[m].base_us - member[m].extra_us, 0), member[m].need_us);
    return sum;
}

/* Parts COST: all that they need where it is enough; else so that what is cheapest a byte gets dearer first. */
static void part(struct member *member, uint32_t count, double cost) {
    double needs = 0, extras = 0, low = 0, high = 0;
    for (uint32_t m = 0; m < count; m++) {
        needs += member[m].need_us;
        extras += member[m].extra_us;
        high = fmax(high, (member[m].base_us + member[m].extra_us + member[m].need_us) / member[m].bytes);
    }
    for (int i = 0; i < LEVELS && needs > cost; i++) {
        const double level = (low + high) / 2;
        if (parts_at(member, count, level) <= cost)
            low = level;
        else
            high = level;
    }
    for (uint32_t m = 0; m < count; m++)
        member[m].part_us = needs > cost ? parts_at(&member[m], 1, low)
                          : member[m].need_us + (extras > 0 ? (cost - needs) * member[m].extra_us / extras : 0);
}

/* Charges COST of OP to its members. */
static void charge(struct sharing *s, uint32_t op, double cost) {
    const uint32_t left = s->profile->op_count - op, end = op + (left < GUARD_HORIZON ? left : GUARD_HORIZON);
    const uint32_t count = list_members(s, op);
    follow(s, op, end);
    for (uint32_t m = 0; m < count; m++) {
        struct member *member = &s->member[m];
        find_guards(s, member->op, end);
        member->extra_us = worth_paying(s, member, 0, cost);
        member->need_us = cost - member->extra_us;
    }
    part(s->member, count, cost);
    for (uint32_t m = 0; m < count; m++) {
        struct member *member = &s->member[m];
        find_guards(s, member->op, end);
        const double us = worth_paying(s, member, member->part_us, fmax(0, cost - member->part_us));
        s->extra[member->op] += member->part_us + us;
        if (us > 0)
            take_off(s, (member->base_us + member->part_us + us) / member->bytes, us);
    }
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
                                   const bool *rerunnable, double dear, struct error *error) {
    const uint32_t n = profile->op_count;
    *s = (struct sharing){ .profile = profile, .rerunnable = rerunnable, .dear = dear };
    s->useful = ARENA_ARRAY(arena, bool, n);
    s->restores = ARENA_ARRAY(arena, bool, n);
    s->split = ARENA_ARRAY(arena, uint32_t, n);
    s->from = ARENA_ARRAY(arena, uint32_t, n);
    s->may_pay = ARENA_ARRAY(arena, bool, n);
    s->left_us = ARENA_ARRAY(arena, double, n);
    s->own_us = ARENA_ARRAY(arena, double, n);
    s->extra = ARENA_ARRAY(arena, double, n);
    s->credit = ARENA_ARRAY(arena, double, n);
    s->member = ARENA_ARRAY(arena, struct member, n);
    s->stamp = ARENA_ARRAY(arena, uint32_t, n);
    if (!s->useful || !s->restores || !s->split || !s->from || !s->may_pay || !s->left_us || !s->own_us || !s->extra ||
        !s->credit || !s->member || !s->stamp)
        return error_no_memory(error);
    mark_useful(s);
    for (uint32_t i = 0; i < n; i++) {
        s->split[i] = beneficiaries(s, i);
        s->may_pay[i] = s->restores[i] && s->split[i] == 1;
    }
    sum_own(s);
    return SS_OK;
}

enum ss_status closure_share(double **share_us, struct arena *arena, const struct profile *profile,
                             const bool *rerunnable, double dear, struct error *error) {
    struct sharing s;
    uint32_t *seen = ARENA_ARRAY(arena, uint32_t, profile->tensor_count); /* tensor -> last op that read it, + 1 */
    double *part_of = ARENA_ARRAY(arena, double, profile->op_count); /* op -> what each of those that it serves pays of it */
    double *share = *share_us = ARENA_ARRAY(arena, double, profile->op_count);
    if (!seen || !part_of || !share)
        return error_no_memory(error);
    const enum ss_status status = sharing_init(&s, arena, profile, rerunnable, dear, error);
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
        const bool serves = s.split[i] > 1, alone = serves && pays_alone(&s, i);
        if (serves && !s.restores[i])
            charge(&s, i, cost);
        else
            part_of[i] = alone || s.split[i] == 0 ? 0 : cost / s.split[i];
        share[i] = alone ? cost : part_of[i];
    }
    return status;
}
