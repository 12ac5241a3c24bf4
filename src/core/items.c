/* items: see items.h. */
#include "items.h"

#include "ranked.h"

static uint32_t reverse_bits(uint32_t value) {
    uint32_t reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (value >> i & 1u) << (31 - i);
    return reversed;
}

/* Among equals, numbered from the latest on, the order of their reversed bits halves the distances again and again. */
static void number_spread(struct ranked *order, uint32_t count) {
    for (uint32_t i = 0, rank = 0; i < count; i++) {
        rank = i > 0 && order[i].key == order[i - 1].key ? rank + 1 : 0;
        order[i].tie = reverse_bits(rank);
    }
}

enum ss_status items_order(struct item_order *out, const struct items *items, struct arena *arena, bool inner,
                           enum item_ties ties, struct error *error) {
    struct ranked *order = ARENA_ARRAY(arena, struct ranked, items->count);
    struct ranked *other = ARENA_ARRAY(arena, struct ranked, items->count);
    out->item = ARENA_ARRAY(arena, uint32_t, items->count);
    if (!order || !other || !out->item)
        return error_no_memory(error);
    out->count = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        const struct item *item = &items->item[i];
        const uint64_t bytes = inner ? item->inner_bytes : item->bytes;
        if (item->recomputable && bytes > 0)
            order[out->count++] = (struct ranked){ item->price_us / (double)bytes, items->count - i, i };
    }
    struct ranked *sorted = ranked_sort(order, other, out->count);
    if (ties == TIES_SPREAD) {
        number_spread(sorted, out->count);
        sorted = ranked_sort(sorted, sorted == order ? other : order, out->count);
    }
    for (uint32_t i = 0; i < out->count; i++)
        out->item[i] = sorted[i].what;
    return SS_OK;
}

static bool read_elsewhere(const struct profile *profile, uint32_t tensor) {
    const struct tensor *t = &profile->tensors[tensor];
    for (uint32_t c = 0; c < t->consumers.count; c++)
        if (profile->ops[profile->index[t->consumers.at + c]].layer != profile->ops[t->producer].layer)
            return true;
    return false;
}

/* Re-running every op of the unit's tensors, each once. */
static double unit_price(const struct trial *trial, const struct unit *unit) {
    double price = 0;
    uint32_t last = NONE;
    for (uint32_t i = 0; i < unit->count; i++) {
        const struct tensor *t = &trial->profile->tensors[trial->units.tensor[unit->at + i]];
        if (t->producer != last)
            price += trial->closure.full_us[t->producer];
        last = t->producer;
    }
    return price;
}

enum ss_status items_build(struct items *items, struct arena *arena, const struct trial *trial, struct error *error) {
    const struct units *units = &trial->units;
    const bool layers = trial->task->unit == UNIT_LAYER;
    items->item = ARENA_ARRAY(arena, struct item, units->count);
    items->crosses = ARENA_ARRAY(arena, bool, units->count);
    items->unit = units->by_producer;
    items->count = 0;
    if (!items->item || !items->crosses)
        return error_no_memory(error);
    for (uint32_t p = 0; p < units->count; p++) {
        const uint32_t u = units->by_producer[p];
        const struct unit *unit = &units->unit[u];
        struct item *last = items->count ? &items->item[items->count - 1] : NULL;
        if (!last || layers || last->producer != unit->producer) {
            last = &items->item[items->count++];
            *last = (struct item){ .at = p, .producer = unit->producer, .recomputable = true,
                                   .price_us = unit_price(trial, unit) };
        }
        for (uint32_t i = 0; i < unit->count && !layers && !items->crosses[u]; i++)
            items->crosses[u] = read_elsewhere(trial->profile, units->tensor[unit->at + i]);
        last->count++;
        last->bytes += unit->bytes;
        last->inner_bytes += items->crosses[u] ? 0 : unit->bytes;
        last->recomputable = last->recomputable && unit->recomputable;
    }
    return SS_OK;
}
