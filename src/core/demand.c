/* demand: see demand.h. In the tree step k stands at leaf k + 1, so that every range has a leaf on either side. */
#include "demand.h"

#include <string.h>

#include "residency.h"

#define LEAST (INT64_MIN / 16) /* less than any step needs, and far from where sums wrap */

/* Takes the larger of two siblings, NODE and the next, off both; returns it. */
static int64_t raise_pair(int64_t *rise, uint32_t node) {
    const int64_t larger = rise[node] > rise[node + 1] ? rise[node] : rise[node + 1];
    rise[node] -= larger;
    rise[node + 1] -= larger;
    return larger;
}

/* The whole tree, from what the steps need. */
static void build(struct demand *demand) {
    const uint32_t steps = 2 * demand->profile->op_count;
    int64_t *leaf = demand->rise + demand->size, taken = 0;
    leaf[0] = LEAST;
    for (uint32_t k = 0; k < steps; k++) {
        taken += demand->taken[k];
        leaf[k + 1] = demand->kept[k] - taken;
    }
    for (uint32_t k = steps + 1; k < demand->size; k++)
        leaf[k] = LEAST;
    for (uint32_t i = demand->size; i-- > 1;)
        demand->rise[i] = raise_pair(demand->rise, 2 * i);
    demand->waiting_count = 0;
}

enum ss_status demand_init(struct demand *demand, struct arena *arena, const struct profile *profile,
                           struct error *error) {
    const uint32_t steps = 2 * profile->op_count;
    uint64_t *requirement;
    const enum ss_status status = residency_compute(&requirement, arena, profile, false, error);
    if (status != SS_OK)
        return status;
    *demand = (struct demand){ .profile = profile };
    for (demand->size = 2; demand->size < steps + 2; demand->size *= 2)
        ;
    demand->rise = ARENA_ARRAY(arena, int64_t, 2 * (size_t)demand->size);
    demand->fresh = ARENA_ARRAY(arena, int64_t, 2 * (size_t)demand->size);
    demand->kept = ARENA_ARRAY(arena, int64_t, steps);
    demand->taken = ARENA_ARRAY(arena, int64_t, (size_t)steps + 1);
    demand->waiting = ARENA_ARRAY(arena, uint32_t, profile->managed_count);
    if (!demand->rise || !demand->fresh || !demand->kept || !demand->taken || !demand->waiting)
        return error_no_memory(error);
    for (uint32_t k = 0; k < steps; k++)
        demand->kept[k] = (int64_t)requirement[k];
    build(demand);
    memcpy(demand->fresh, demand->rise, 2 * (size_t)demand->size * sizeof *demand->rise);
    demand_reset(demand);
    return SS_OK;
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

/* Adds BYTES to the steps from FIRST up to before END. Two paths lead up from the leaves on either side of them; what
 * lies between is raised as a whole, what is on the paths follows. */
static void add(struct demand *demand, uint32_t first, uint32_t end, int64_t bytes) {
    int64_t *rise = demand->rise;
    uint32_t low = first + demand->size, high = end + 1 + demand->size;
    for (; (low ^ high) != 1; low /= 2, high /= 2) {
        if (!(low & 1))
            rise[low + 1] += bytes;
        if (high & 1)
            rise[high - 1] += bytes;
        rise[low / 2] += raise_pair(rise, low & ~1u);
        rise[high / 2] += raise_pair(rise, high & ~1u);
    }
    for (; low > 1; low /= 2)
        rise[low / 2] += raise_pair(rise, low & ~1u);
}

/* Tells the tree what it does not know yet; a walk costs some eight times the nodes it visits. */
static void catch_up(struct demand *demand) {
    uint32_t levels = 0;
    while (demand->size >> levels > 1)
        levels++;
    if (8 * (uint64_t)demand->waiting_count * levels > 2 * (uint64_t)demand->size) {
        build(demand);
        return;
    }
    for (uint32_t i = 0; i < demand->waiting_count; i++) {
        uint32_t first, end;
        if (gap(demand, demand->waiting[i], &first, &end))
            add(demand, first, end, -(int64_t)demand->profile->tensors[demand->waiting[i]].bytes);
    }
    demand->waiting_count = 0;
}

/* The first step that needs most. */
static void watch_peak(struct demand *demand) {
    uint32_t node = 1;
    catch_up(demand);
    while (node < demand->size)
        node = 2 * node + (demand->rise[2 * node] < 0);
    demand->watched = node - demand->size - 1;
    demand->watched_bytes = demand->rise[1];
}

void demand_reset(struct demand *demand) {
    memcpy(demand->rise, demand->fresh, 2 * (size_t)demand->size * sizeof *demand->rise);
    memset(demand->taken, 0, (2 * (size_t)demand->profile->op_count + 1) * sizeof *demand->taken);
    demand->waiting_count = 0;
    watch_peak(demand);
}

int64_t demand_peak(struct demand *demand) {
    catch_up(demand);
    return demand->rise[1];
}

uint32_t demand_peak_step(struct demand *demand) {
    watch_peak(demand);
    return demand->watched;
}

bool demand_exceeds(struct demand *demand, int64_t target) {
    if (demand->watched_bytes <= target)
        watch_peak(demand);
    return demand->watched_bytes > target;
}

static int64_t range_highest(const struct demand *demand, uint32_t first, uint32_t end) {
    const int64_t *rise = demand->rise;
    uint32_t low = first + demand->size, high = end + 1 + demand->size;
    int64_t left = LEAST, right = LEAST; /* of what lies between the paths, less what the paths' parents have */
    for (; (low ^ high) != 1; low /= 2, high /= 2) {
        left = !(low & 1) && rise[low + 1] > left ? rise[low + 1] : left;
        right = (high & 1) && rise[high - 1] > right ? rise[high - 1] : right;
        left += rise[low / 2];
        right += rise[high / 2];
    }
    int64_t best = left > right ? left : right;
    for (low /= 2; low > 0; low /= 2)
        best += rise[low];
    return best;
}

int64_t demand_without(struct demand *demand, uint32_t tensor) {
    uint32_t first, end;
    if (!gap(demand, tensor, &first, &end))
        return INT64_MIN;
    catch_up(demand);
    return range_highest(demand, first, end);
}

void demand_take_away(struct demand *demand, uint32_t tensor) {
    const int64_t bytes = (int64_t)demand->profile->tensors[tensor].bytes;
    uint32_t first, end;
    if (!gap(demand, tensor, &first, &end))
        return;
    demand->taken[first] += bytes;
    demand->taken[end] -= bytes;
    demand->waiting[demand->waiting_count++] = tensor;
    if (first <= demand->watched && demand->watched < end)
        demand->watched_bytes -= bytes;
}
