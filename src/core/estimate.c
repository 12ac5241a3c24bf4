/* estimate: see estimate.h. */
#include "estimate.h"

#include <math.h>

#include "residency.h"

/* Lists what may leave before the peak, op by op, outputs in listed order. */
static void list_outgoing(struct estimate *e, const uint32_t *unit_of, uint32_t peak) {
    const struct profile *p = e->layout->trial->profile;
    double elapsed = 0;
    for (uint32_t i = 0; i < p->op_count; i++) {
        elapsed += p->ops[i].forward_us;
        for (uint32_t o = 0; o < p->ops[i].outputs.count; o++) {
            const uint32_t t = p->index[p->ops[i].outputs.at + o];
            if (!p->tensors[t].managed || p->tensors[t].keep || !demand_away_at(&e->layout->demand, t, peak))
                continue;
            e->outgoing[e->outgoing_count++] = (struct outgoing){
                elapsed, (double)p->tensors[t].bytes / e->layout->out_rate + e->layout->trial->task->link.latency_us,
                unit_of[t] };
        }
    }
}

enum ss_status estimate_init(struct estimate *estimate, struct layout *layout, struct arena *arena,
                             struct error *error) {
    const struct trial *trial = layout->trial;
    const struct units *units = &trial->units;
    const struct items *items = &layout->items;
    *estimate = (struct estimate){ .layout = layout };
    estimate->figures = ARENA_ARRAY(arena, struct unit_figures, units->count);
    estimate->action = ARENA_ARRAY(arena, uint8_t, units->count);
    estimate->rerun = ARENA_ARRAY(arena, uint32_t, items->count);
    estimate->outgoing = ARENA_ARRAY(arena, struct outgoing, trial->profile->managed_count);
    uint32_t *unit_of = ARENA_ARRAY(arena, uint32_t, trial->profile->tensor_count);
    if (!unit_of || !estimate->outgoing || !estimate->figures || !estimate->action || !estimate->rerun)
        return error_no_memory(error);
    demand_reset(&layout->demand);
    const uint32_t peak = demand_peak_step(&layout->demand);
    estimate->needed_bytes = demand_peak(&layout->demand) - layout_budget(layout);
    for (uint32_t i = 0; i < items->count; i++) {
        for (uint32_t k = 0; k < items->item[i].count; k++) {
            const uint32_t u = items->unit[items->item[i].at + k];
            struct unit_figures *f = &estimate->figures[u];
            f->item = i;
            for (uint32_t j = 0; j < units->unit[u].count; j++) {
                const uint32_t t = units->tensor[units->unit[u].at + j];
                unit_of[t] = u;
                const double bytes = (double)trial->profile->tensors[t].bytes;
                f->out_us += bytes / layout->out_rate + trial->task->link.latency_us;
                f->back_us += bytes / layout->back_rate + trial->task->link.latency_us;
                if (demand_away_at(&layout->demand, t, peak))
                    f->away_bytes += (int64_t)trial->profile->tensors[t].bytes;
            }
        }
    }
    list_outgoing(estimate, unit_of, peak);
    return SS_OK;
}

static void count(struct estimate *e, uint32_t unit, enum action action, int sign) {
    const struct unit_figures *f = &e->figures[unit];
    if (action == ACTION_KEEP)
        return;
    e->away_bytes += sign * f->away_bytes;
    if (action == ACTION_OFFLOAD) {
        e->out_us += sign * f->out_us;
        e->back_us += sign * f->back_us;
        return;
    }
    const uint32_t before = e->rerun[f->item], after = before + (uint32_t)sign;
    if (before == 0 || after == 0)
        e->recompute_us += sign * e->layout->items.item[f->item].price_us;
    e->rerun[f->item] = after;
}

void estimate_change(struct estimate *estimate, uint32_t unit, enum action action) {
    count(estimate, unit, (enum action)estimate->action[unit], -1);
    estimate->action[unit] = (uint8_t)action;
    count(estimate, unit, action, 1);
}

double estimate_lateness(const struct estimate *estimate) {
    double end = 0;
    for (uint32_t i = 0; i < estimate->outgoing_count; i++) {
        const struct outgoing *o = &estimate->outgoing[i];
        if (estimate->action[o->unit] == ACTION_OFFLOAD)
            end = fmax(end, o->release_us) + o->copy_us;
    }
    return fmax(end - estimate->layout->out_us, estimate_least_lateness(estimate));
}

double estimate_cost(const struct estimate *estimate, double lateness) {
    return estimate->recompute_us + fmax(0, lateness)
        + fmax(0, estimate->back_us - estimate->layout->back_us - estimate->recompute_us);
}

double estimate_spare(const struct estimate *estimate, double lateness, double price) {
    const int64_t shortage = estimate_shortage(estimate);
    return price * (fmin(0, (double)shortage) + fmin(0, lateness) * estimate->layout->out_rate);
}

double estimate_price(const struct estimate *estimate, const struct item_order *order) {
    const struct items *items = &estimate->layout->items;
    double bytes = 0, most = 0;
    for (uint32_t i = 0; i < order->count; i++)
        most += estimate->rerun[order->item[i]] ? (double)items->item[order->item[i]].bytes : 0;
    for (uint32_t i = 0; i < order->count; i++) {
        const struct item *item = &items->item[order->item[i]];
        bytes += estimate->rerun[order->item[i]] ? (double)item->bytes : 0;
        if (bytes > 0 && bytes >= 0.9 * most)
            return fmin(item->price_us / (double)item->bytes, 1 / estimate->layout->out_rate);
    }
    return 0;
}
