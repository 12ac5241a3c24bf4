/* layout: see layout.h. */
#include "layout.h"

#include "ranked.h"

#define ATTEMPTS 6
#define LOOKS 8192   /* units settled between two looks at whether to stop */
#define FINEST 2048  /* items more or less that many times fewer than all don't matter */

int64_t layout_budget(const struct layout *layout) {
    const uint64_t bytes = layout->trial->task->budget_bytes;
    return bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

bool layout_needs(struct layout *layout, uint32_t u, int64_t target) {
    const struct units *units = &layout->trial->units;
    if (!demand_exceeds(&layout->demand, target))
        return false;
    const uint32_t high = layout->demand.watched; /* most tensors can be away there: no need to search */
    for (uint32_t i = 0; i < units->unit[u].count; i++)
        if (demand_away_at(&layout->demand, units->tensor[units->unit[u].at + i], high) ||
            demand_without(&layout->demand, units->tensor[units->unit[u].at + i]) > target)
            return true;
    return false;
}

void layout_take_away(struct layout *layout, uint32_t u, enum action action) {
    const struct units *units = &layout->trial->units;
    trial_set(layout->trial, u, action);
    for (uint32_t i = 0; i < units->unit[u].count; i++)
        demand_take_away(&layout->demand, units->tensor[units->unit[u].at + i]);
}

static bool item_helps(struct layout *layout, const struct recipe *recipe, const struct item *item, int64_t target) {
    for (uint32_t k = 0; k < item->count; k++) {
        const uint32_t u = layout->items.unit[item->at + k];
        if (!(recipe->inner && layout->items.crosses[u]) && layout_needs(layout, u, target))
            return true;
    }
    return false;
}

bool layout_given_up(struct layout *layout, uint32_t i) {
    return i % LOOKS == LOOKS - 1 && !layout->trial->stopped && trial_stopping(layout->trial);
}

struct moved layout_settle(struct layout *layout, const struct recipe *recipe, uint32_t cheapest, int64_t target) {
    const struct items *items = &layout->items;
    const struct units *units = &layout->trial->units;
    struct moved moved = { 0, 0, 0 };
    trial_keep_all(layout->trial);
    demand_reset(&layout->demand);
    for (uint32_t i = 0; i < cheapest && demand_exceeds(&layout->demand, target); i++) {
        const struct item *item = &items->item[recipe->order->item[i]];
        if (layout_given_up(layout, i))
            return moved;
        if (!item_helps(layout, recipe, item, target))
            continue;
        for (uint32_t k = 0; k < item->count; k++)
            if (!(recipe->inner && items->crosses[items->unit[item->at + k]]))
                layout_take_away(layout, items->unit[item->at + k], ACTION_RECOMPUTE);
        moved.recompute_us += item->price_us;
    }
    for (uint32_t p = 0; p < units->count && !recipe->recompute_only && demand_exceeds(&layout->demand, target); p++) {
        const uint32_t u = recipe->large_first ? layout->by_size[p] : items->unit[p];
        const struct unit *unit = &units->unit[u];
        if (layout_given_up(layout, p))
            return moved;
        if (layout->trial->plan.action[units->tensor[unit->at]] != ACTION_KEEP || !layout_needs(layout, u, target))
            continue;
        layout_take_away(layout, u, ACTION_OFFLOAD);
        moved.bytes += (double)unit->bytes;
        moved.transfers += unit->count;
    }
    return moved;
}

/* Can compute hide what has MOVED, and does the host hold it? (Just after the peak it holds nearly all of it.) */
static bool hidden(const struct layout *layout, const struct moved *moved, double slack) {
    const struct plan_task *task = layout->trial->task;
    const double latency = moved->transfers * task->link.latency_us;
    return moved->bytes <= (double)task->host_memory_bytes
        && moved->bytes / layout->out_rate + latency <= slack * layout->out_us
        && moved->bytes / layout->back_rate + latency <= slack * (layout->back_us + moved->recompute_us);
}

static bool enough(struct layout *layout, const struct recipe *recipe, uint32_t cheapest, int64_t target) {
    const struct moved moved = layout_settle(layout, recipe, cheapest, target);
    return recipe->recompute_only ? !demand_exceeds(&layout->demand, target) : hidden(layout, &moved, recipe->slack);
}

static int64_t item_away_bytes(const struct layout *layout, const struct recipe *recipe, const struct item *item) {
    int64_t bytes = 0;
    for (uint32_t k = 0; k < item->count; k++) {
        const uint32_t u = layout->items.unit[item->at + k];
        bytes += recipe->inner && layout->items.crosses[u] ? 0 : layout->away_bytes[u];
    }
    return bytes;
}

/* How many items will be enough if only the step that needs most counts, by their bytes alone. */
static uint32_t forecast(const struct layout *layout, const struct recipe *recipe, int64_t target) {
    const struct item_order *order = recipe->order;
    int64_t missing = layout->peak_bytes - target;
    struct moved moved = { 0, 0, 0 };
    uint32_t count = 0;
    for (; count < order->count && missing > 0; count++) {
        moved.bytes = (double)missing;
        moved.transfers = moved.bytes / layout->unit_bytes;
        if (!recipe->recompute_only && hidden(layout, &moved, recipe->slack))
            break;
        const struct item *item = &layout->items.item[order->item[count]];
        const int64_t bytes = item_away_bytes(layout, recipe, item);
        missing -= bytes;
        moved.recompute_us += bytes > 0 ? item->price_us : 0;
    }
    return count;
}

/* The fewest items that are enough, or hardly more where there are thousands: strides that double go out from just
 * below the forecast until the answer lies between two of them, then halve. */
static void settle_slack(struct layout *layout, const struct recipe *recipe, int64_t target) {
    uint32_t low = 0, high = recipe->order->count, settled = NONE;
    const uint32_t near_enough = high / FINEST;
    const int64_t forecasted = forecast(layout, recipe, target), guess = forecasted + layout->off - near_enough - 1;
    uint32_t stride = near_enough + 1, probe = guess > 0 ? (uint32_t)guess : 0;
    bool above = false, below = false;
    while (low + near_enough < high && !trial_stopping(layout->trial)) {
        if (above && below)
            probe = low + (high - low) / 2;
        else if (probe >= high)
            probe = high - 1;
        else if (probe < low)
            probe = low;
        settled = probe;
        if (enough(layout, recipe, probe, target)) {
            above = true;
            high = probe;
            probe = probe > stride ? probe - stride : 0;
        } else {
            below = true;
            low = probe + 1;
            probe = probe + stride;
        }
        stride = stride < 1u << 30 ? 2 * stride : stride;
    }
    layout->off = (int64_t)high - forecasted;
    if (settled != high && !layout->trial->stopped)
        layout_settle(layout, recipe, high, target);
}

enum ss_status layout_build(struct layout *layout, const struct recipe *recipe, struct error *error) {
    const int64_t budget = layout_budget(layout);
    int64_t target = budget;
    for (int i = 0; i < ATTEMPTS && !trial_stopping(layout->trial); i++) {
        const struct schedule *schedule;
        settle_slack(layout, recipe, target);
        if (layout->trial->stopped)
            break;
        const enum ss_status status = trial_requirement(layout->trial, &schedule, error);
        if (status != SS_OK || schedule->peak_bytes <= layout->trial->task->budget_bytes)
            return status;
        target -= (int64_t)schedule->peak_bytes - budget;
    }
    layout_settle(layout, recipe, recipe->recompute_only ? recipe->order->count : 0, budget);
    return SS_OK;
}

void layout_settle_at_once(struct layout *layout) {
    layout_settle(layout, &(struct recipe){ .order = NULL }, 0, layout_budget(layout));
}

static enum ss_status weigh_units(struct layout *layout, struct arena *arena, struct error *error) {
    const struct units *units = &layout->trial->units;
    const uint32_t peak = demand_peak_step(&layout->demand);
    uint32_t count = 0;
    int64_t sum = 0;
    layout->peak_bytes = demand_peak(&layout->demand);
    layout->away_bytes = ARENA_ARRAY(arena, int64_t, units->count);
    if (!layout->away_bytes)
        return error_no_memory(error);
    for (uint32_t u = 0; u < units->count; u++) {
        for (uint32_t i = 0; i < units->unit[u].count; i++) {
            const uint32_t tensor = units->tensor[units->unit[u].at + i];
            if (demand_away_at(&layout->demand, tensor, peak))
                layout->away_bytes[u] += (int64_t)layout->trial->profile->tensors[tensor].bytes;
        }
        count += layout->away_bytes[u] > 0;
        sum += layout->away_bytes[u];
    }
    layout->unit_bytes = count > 0 ? (double)sum / count : 1;
    return SS_OK;
}

static void find_window(struct layout *layout, const struct plan_task *task) {
    const struct profile *p = task->profile;
    const uint32_t k = demand_peak_step(&layout->demand);
    double elapsed = 0;
    for (uint32_t i = 0; i < p->op_count && i < k; i++)
        elapsed += p->ops[i].forward_us;
    for (uint32_t i = p->op_count; i < k; i++)
        elapsed += p->ops[2 * p->op_count - 1 - i].backward_us;
    layout->out_us = elapsed;
    layout->back_us = p->forward_us + p->backward_us - elapsed;
    layout->out_rate = gb_per_s_to_bytes_per_us(task->link.d2h_gb_per_s);
    layout->back_rate = gb_per_s_to_bytes_per_us(task->link.h2d_gb_per_s);
}

enum ss_status layout_sort_by_size(struct layout *layout, struct arena *arena, struct error *error) {
    const struct units *units = &layout->trial->units;
    if (layout->by_size)
        return SS_OK;
    struct ranked *order = ARENA_ARRAY(arena, struct ranked, units->count);
    struct ranked *other = ARENA_ARRAY(arena, struct ranked, units->count);
    layout->by_size = ARENA_ARRAY(arena, uint32_t, units->count);
    if (!order || !other || !layout->by_size)
        return error_no_memory(error);
    for (uint32_t p = 0; p < units->count; p++) {
        const uint32_t u = units->by_producer[p];
        order[p] = (struct ranked){ -(double)(units->unit[u].bytes / units->unit[u].count), p, u };
    }
    const struct ranked *sorted = ranked_sort(order, other, units->count);
    for (uint32_t p = 0; p < units->count; p++)
        layout->by_size[p] = sorted[p].what;
    return SS_OK;
}

enum ss_status layout_init(struct layout *layout, struct trial *trial, struct arena *arena, struct error *error) {
    *layout = (struct layout){ .trial = trial };
    enum ss_status status = items_build(&layout->items, arena, trial, error);
    if (status == SS_OK)
        status = demand_init(&layout->demand, arena, trial->profile, error);
    if (status == SS_OK)
        status = weigh_units(layout, arena, error);
    if (status == SS_OK)
        find_window(layout, trial->task);
    return status;
}
