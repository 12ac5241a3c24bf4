/* bound_whole: see bound_whole.h; the argument stands in bound.c.
 *
 * A knapsack over the ops that may be re-run, in units of bytes: cheapest[u] is the least price of ops whose eligible
 * outputs sum to u units or more. The unit is the greatest common divisor of the eligible sizes where that is large
 * enough; otherwise a coarser one, and sizes are rounded up: then ops restore more than they do, and the bound is lower
 * but holds. */
#include "bound_whole.h"

#include <math.h>
#include <stdlib.h>

#include "bound_kind.h"
#include "residency.h"

#define MOST_WORK 1500000u   /* bundles of ops times units */
#define FEWEST_UNITS 64u

#define CUTS 8 /* of the queue of either direction */

/* A moment before which (D2H) or after which (H2D, counted from the end) only tensors of BYTES in all may move. */
struct cut {
    double at_us;
    uint64_t bytes;
    uint64_t covered; uint32_t count; /* the COUNT largest tensors hold COVERED bytes: as many as the rest takes */
};
struct lane { struct cut cut[CUTS]; uint32_t cuts; double us_per_byte, latency_us; };

struct sizes {
    uint64_t *bytes; uint32_t count; /* eligible tensors, largest first */
    uint64_t *op_bytes;              /* op -> eligible bytes that a re-run restores */
    uint32_t ops;                    /* with any */
    uint64_t divisor;                /* of all of them */
};

static int largest_first(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

static bool eligible(const struct tensor *t, const struct profile *profile, uint32_t step) {
    return t->managed && !t->keep && t->bytes > 0 && t->last_forward < step
        && residency_first_use(profile, t) > step;
}

static enum ss_status collect(struct sizes *sizes, struct arena *arena, const struct profile *profile,
                              const struct closure *closure, uint32_t step, struct error *error) {
    *sizes = (struct sizes){ .bytes = ARENA_ARRAY(arena, uint64_t, profile->managed_count),
                             .op_bytes = ARENA_ARRAY(arena, uint64_t, profile->op_count) };
    if (!sizes->bytes || !sizes->op_bytes)
        return error_no_memory(error);
    for (uint32_t m = 0; m < profile->managed_count; m++) {
        const struct tensor *t = &profile->tensors[profile->managed[m]];
        if (!eligible(t, profile, step))
            continue;
        sizes->bytes[sizes->count++] = t->bytes;
        sizes->divisor = common_divisor(t->bytes, sizes->divisor);
        if (!closure_allows(closure, profile, profile->managed[m]))
            continue;
        sizes->ops += sizes->op_bytes[t->producer] == 0;
        sizes->op_bytes[t->producer] += t->bytes;
    }
    qsort(sizes->bytes, sizes->count, sizeof *sizes->bytes, largest_first);
    return SS_OK;
}

/* Ops of one size and price are many in a stack of layers: 1, 2, 4 … of them, and the rest, taken together or not, make
 * up every number of them. The bundles take the place of the ops; returns how many there are. */
static uint32_t bundle(struct kind *kinds, const struct sizes *sizes, const struct profile *profile,
                       const struct closure *closure) {
    uint32_t ops = 0, bundles = 0;
    for (uint32_t i = 0; i < profile->op_count; i++)
        if (sizes->op_bytes[i] > 0)
            kinds[ops++] = (struct kind){ sizes->op_bytes[i], closure->share_us[i] };
    qsort(kinds, ops, sizeof *kinds, kind_compare);
    for (uint32_t i = 0, end; i < ops; i = end) {
        const struct kind kind = kinds[i];
        for (end = i + 1; end < ops && kind_compare(&kinds[end], &kind) == 0; end++)
            ;
        for (uint32_t left = end - i, some = 1; left > 0; left -= some, some *= 2) {
            some = some < left ? some : left;
            kinds[bundles++] = (struct kind){ some * kind.bytes, some * kind.price };
        }
    }
    return bundles;
}

static void fill(double *cheapest, uint32_t units, uint64_t unit, const struct kind *kinds, uint32_t count) {
    cheapest[0] = 0;
    for (uint32_t u = 1; u <= units; u++)
        cheapest[u] = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t size = (kinds[i].bytes + unit - 1) / unit;
        for (uint32_t u = units; u > 0; u--) {
            const double with = cheapest[u > size ? u - (uint32_t)size : 0] + kinds[i].price;
            cheapest[u] = with < cheapest[u] ? with : cheapest[u];
        }
    }
}

/* The next cut: BYTES more have the time before it. Only so many are made, in order of time. */
static void lane_cut(struct lane *lane, double at_us, uint64_t bytes_before) {
    struct cut *last = lane->cuts ? &lane->cut[lane->cuts - 1] : NULL;
    if ((!last || at_us > last->at_us) && lane->cuts < CUTS)
        lane->cut[lane->cuts++] = (struct cut){ at_us, bytes_before, 0, 0 };
}

static void cut_out(struct lane *lane, const struct profile *profile, uint32_t step) {
    double elapsed = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < profile->op_count && lane->cuts < CUTS; i++) {
        uint64_t bytes = 0;
        elapsed += profile->ops[i].forward_us;
        for (uint32_t o = 0; o < profile->ops[i].outputs.count; o++) {
            const struct tensor *t = &profile->tensors[profile->index[profile->ops[i].outputs.at + o]];
            bytes += eligible(t, profile, step) ? t->bytes : 0;
        }
        if (bytes > 0)
            lane_cut(lane, elapsed, before);
        before += bytes;
    }
}

static void cut_back(struct lane *lane, const struct profile *profile, uint32_t step) {
    double remaining = 0;
    uint64_t after = 0;
    for (uint32_t i = 0; i < profile->op_count && lane->cuts < CUTS; i++) {
        uint64_t bytes = 0;
        remaining += profile->ops[i].backward_us;
        for (uint32_t k = 0; k < profile->ops[i].saved.count; k++) {
            const struct tensor *t = &profile->tensors[profile->index[profile->ops[i].saved.at + k]];
            if (eligible(t, profile, step) && residency_first_use(profile, t) == backward_step_of(profile, i))
                bytes += t->bytes;
        }
        if (bytes > 0)
            lane_cut(lane, remaining, after);
        after += bytes;
    }
}

/* How long the lane takes at least to move REST bytes; REST only grows from call to call. */
static double lane_time(struct lane *lane, uint64_t rest, const struct sizes *sizes) {
    double longest = 0;
    for (uint32_t i = 0; i < lane->cuts; i++) {
        struct cut *cut = &lane->cut[i];
        if (rest <= cut->bytes)
            break;
        const uint64_t bytes = rest - cut->bytes;
        while (cut->covered < bytes && cut->count < sizes->count)
            cut->covered += sizes->bytes[cut->count++];
        longest = fmax(longest, cut->at_us + (double)bytes * lane->us_per_byte + cut->count * lane->latency_us);
    }
    return longest;
}

/* The least over u of the step time when u units are recomputed and whole tensors make up for the rest. */
static double least(const double *cheapest, uint32_t units, uint64_t unit, const struct sizes *sizes,
                    struct lane *out, struct lane *back, const struct whole_step *at, enum bound_binding *binding) {
    double best = INFINITY;
    for (uint32_t u = units;; u--) {
        const uint64_t restored = (uint64_t)u * unit;
        uint64_t rest = at->excess_bytes > restored ? at->excess_bytes - restored : 0;
        rest = (rest + sizes->divisor - 1) / sizes->divisor * sizes->divisor;
        const double out_us = lane_time(out, rest, sizes), back_us = lane_time(back, rest, sizes);
        const double value = fmax(at->before, out_us) + at->duration + fmax(at->after + cheapest[u], back_us);
        if (value < best) {
            best = value;
            *binding = back_us > at->after + cheapest[u] ? BINDING_H2D_WINDOW
                     : out_us > at->before ? BINDING_D2H_WINDOW : BINDING_RECOMPUTE;
        }
        if (u == 0)
            return best;
    }
}

static struct lane lane_of(double gb_per_s, double latency_us) {
    return (struct lane){ .cuts = 0, .us_per_byte = 1 / gb_per_s_to_bytes_per_us(gb_per_s), .latency_us = latency_us };
}

enum ss_status bound_whole(const struct profile *profile, const struct link *link, const struct closure *closure,
                           const struct whole_step *at, double *out_us, enum bound_binding *binding,
                           struct error *error) {
    struct arena arena = { 0 };
    struct sizes sizes;
    *out_us = 0;
    *binding = BINDING_IDEAL;
    enum ss_status status = collect(&sizes, &arena, profile, closure, at->step, error);
    if (status == SS_OK && sizes.count > 0) {
        struct kind *kinds = ARENA_ARRAY(&arena, struct kind, sizes.ops);
        if (!kinds) {
            arena_free(&arena);
            return error_no_memory(error);
        }
        const uint32_t count = bundle(kinds, &sizes, profile, closure);
        const uint64_t most = MOST_WORK / (count + 1);
        uint64_t unit = sizes.divisor;
        if (at->excess_bytes / unit >= most && most >= FEWEST_UNITS)
            unit = at->excess_bytes / most + 1;
        const uint64_t units = (at->excess_bytes + unit - 1) / unit;
        double *cheapest = units <= most ? ARENA_ARRAY(&arena, double, units + 1) : NULL;
        if (cheapest) {
            fill(cheapest, (uint32_t)units, unit, kinds, count);
            struct lane out = lane_of(link->d2h_gb_per_s, link->latency_us);
            struct lane back = lane_of(link->h2d_gb_per_s, link->latency_us);
            cut_out(&out, profile, at->step);
            cut_back(&back, profile, at->step);
            *out_us = least(cheapest, (uint32_t)units, unit, &sizes, &out, &back, at, binding);
        } else if (units <= most) {
            status = error_no_memory(error);
        }
    }
    arena_free(&arena);
    return status;
}
