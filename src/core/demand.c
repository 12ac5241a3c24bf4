/* demand: see demand.h. */
#include "demand.h"

#include <string.h>

#include "residency.h"

enum ss_status demand_init(struct demand *demand, struct arena *arena, const struct profile *profile,
                           struct error *error) {
    uint64_t *requirement;
    const enum ss_status status = residency_compute(&requirement, arena, profile, false, error);
    if (status != SS_OK)
        return status;
    demand->profile = profile;
    for (demand->size = 1; demand->size < 2 * profile->op_count; demand->size *= 2)
        ;
    const size_t nodes = 2 * (size_t)demand->size;
    demand->highest = ARENA_ARRAY(arena, int64_t, nodes);
    demand->added = ARENA_ARRAY(arena, int64_t, nodes);
    demand->fresh = ARENA_ARRAY(arena, int64_t, nodes);
    if (!demand->highest || !demand->added || !demand->fresh)
        return error_no_memory(error);
    for (uint32_t k = 0; k < demand->size; k++)
        demand->fresh[demand->size + k] = k < 2 * profile->op_count ? (int64_t)requirement[k] : INT64_MIN / 2;
    for (uint32_t i = demand->size; i-- > 1;) {
        const int64_t left = demand->fresh[2 * i], right = demand->fresh[2 * i + 1];
        demand->fresh[i] = left > right ? left : right;
    }
    demand_reset(demand);
    return SS_OK;
}

void demand_reset(struct demand *demand) {
    const size_t nodes = 2 * (size_t)demand->size;
    memcpy(demand->highest, demand->fresh, nodes * sizeof *demand->highest);
    memset(demand->added, 0, nodes * sizeof *demand->added);
}

int64_t demand_peak(const struct demand *demand) {
    return demand->highest[1];
}

uint32_t demand_peak_step(const struct demand *demand) {
    uint32_t node = 1;
    while (node < demand->size)
        node = 2 * node + (demand->highest[2 * node] < demand->highest[2 * node + 1]);
    return node - demand->size;
}

static void pull_up(struct demand *demand, uint32_t node) {
    for (node /= 2; node > 0; node /= 2) {
        const int64_t left = demand->highest[2 * node], right = demand->highest[2 * node + 1];
        demand->highest[node] = (left > right ? left : right) + demand->added[node];
    }
}

static void add(struct demand *demand, uint32_t first, uint32_t end, int64_t bytes) {
    uint32_t low = first + demand->size, high = end + demand->size;
    for (uint32_t l = low, h = high; l < h; l /= 2, h /= 2) {
        if (l & 1) {
            demand->highest[l] += bytes;
            demand->added[l++] += bytes;
        }
        if (h & 1) {
            demand->highest[--h] += bytes;
            demand->added[h] += bytes;
        }
    }
    pull_up(demand, low);
    pull_up(demand, high - 1);
}

/* Everything added above NODE. */
static int64_t above(const struct demand *demand, uint32_t node) {
    int64_t sum = 0;
    for (node /= 2; node > 0; node /= 2)
        sum += demand->added[node];
    return sum;
}

static int64_t range_highest(const struct demand *demand, uint32_t first, uint32_t end) {
    int64_t best = INT64_MIN;
    for (uint32_t l = first + demand->size, h = end + demand->size; l < h; l /= 2, h /= 2) {
        if (l & 1) {
            const int64_t value = demand->highest[l] + above(demand, l);
            best = value > best ? value : best;
            l++;
        }
        if (h & 1) {
            --h;
            const int64_t value = demand->highest[h] + above(demand, h);
            best = value > best ? value : best;
        }
    }
    return best;
}

/* Steps at which the tensor can be away: from *FIRST up to before *END. */
static bool gap(const struct demand *demand, uint32_t tensor, uint32_t *first, uint32_t *end) {
    const struct tensor *t = &demand->profile->tensors[tensor];
    *first = t->last_forward + 1;
    *end = residency_first_use(demand->profile, t);
    return *first < *end;
}

bool demand_away_at(const struct demand *demand, uint32_t tensor, uint32_t step) {
    uint32_t first, end;
    return gap(demand, tensor, &first, &end) && first <= step && step < end;
}

int64_t demand_without(const struct demand *demand, uint32_t tensor) {
    uint32_t first, end;
    return gap(demand, tensor, &first, &end) ? range_highest(demand, first, end) : INT64_MIN;
}

static void change(struct demand *demand, uint32_t tensor, int64_t bytes) {
    uint32_t first, end;
    if (gap(demand, tensor, &first, &end))
        add(demand, first, end, bytes);
}

void demand_take_away(struct demand *demand, uint32_t tensor) {
    change(demand, tensor, -(int64_t)demand->profile->tensors[tensor].bytes);
}

void demand_put_back(struct demand *demand, uint32_t tensor) {
    change(demand, tensor, (int64_t)demand->profile->tensors[tensor].bytes);
}
