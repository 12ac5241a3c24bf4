#include "layer_figures.h"

#include <stdlib.h>

static double transfer_us(const struct timeline_transfer *transfers, uint32_t index) {
    return index == NONE ? 0 : transfers[index].end_us - transfers[index].start_us;
}

struct figures figures_of_tensor(const struct layer_figures *figures, const struct timeline *timeline, uint32_t tensor) {
    const struct tensor *t = &timeline->profile->tensors[tensor];
    struct figures out = { .price_us = 0 };
    if (!t->managed)
        return out;
    enum action action = (enum action)timeline->plan.action[tensor];
    out.bytes[action] = t->bytes;
    out.count[action] = 1;
    out.d2h_us = transfer_us(timeline->d2h, timeline->d2h_of[tensor]);
    out.h2d_us = transfer_us(timeline->h2d, timeline->h2d_of[tensor]);
    out.price_us = figures->tensor_stall_us[tensor];
    return out;
}

static void add(struct figures *sum, const struct figures *part) {
    for (int action = 0; action < ACTION_COUNT; action++) {
        sum->bytes[action] += part->bytes[action];
        sum->count[action] += part->count[action];
    }
    sum->d2h_us += part->d2h_us;
    sum->h2d_us += part->h2d_us;
    sum->recompute_us += part->recompute_us;
    sum->stall_us += part->stall_us;
    sum->price_us += part->price_us;
}

struct figures figures_of_op(const struct layer_figures *figures, const struct timeline *timeline, uint32_t op) {
    const struct profile *profile = timeline->profile;
    struct span outputs = profile->ops[op].outputs;
    double recompute_us = figures->op_recompute_us[op];
    struct figures sum = { .recompute_us = recompute_us, .stall_us = figures->op_stall_us[op], .price_us = recompute_us };
    for (uint32_t i = 0; i < outputs.count; i++) {
        struct figures part = figures_of_tensor(figures, timeline, profile->index[outputs.at + i]);
        add(&sum, &part);
    }
    return sum;
}

/* What happened in time, summed up by op and by tensor. */
static bool sum_events(struct layer_figures *out, struct arena *arena, const struct timeline *timeline) {
    const struct schedule *schedule = &timeline->schedule;
    double *recompute_us = ARENA_ARRAY(arena, double, timeline->profile->op_count);
    double *stall_us = ARENA_ARRAY(arena, double, timeline->profile->op_count);
    double *blamed_us = ARENA_ARRAY(arena, double, timeline->profile->tensor_count);
    if (!recompute_us || !stall_us || !blamed_us)
        return false;
    for (uint32_t k = schedule->forward_count; k < schedule->step_count; k++)
        if (schedule->kind[k] == STEP_RECOMPUTE)
            recompute_us[schedule->op[k]] += timeline->steps[k].end_us - timeline->steps[k].start_us;
    for (uint32_t i = 0; i < timeline->stall_count; i++) {
        const struct stall *stall = &timeline->stalls[i];
        stall_us[schedule->op[stall->step]] += stall->end_us - stall->start_us;
        blamed_us[stall->tensor] += stall->end_us - stall->start_us;
    }
    out->op_recompute_us = recompute_us;
    out->op_stall_us = stall_us;
    out->tensor_stall_us = blamed_us;
    return true;
}

/* ---- sorting ---- */

struct sorted {
    double value;
    uint32_t layer;
};

static double value_of(const struct figures *figures, enum layer_column column) {
    switch (column) {
    case COLUMN_BYTES: return (double)(figures->bytes[ACTION_KEEP] + figures->bytes[ACTION_OFFLOAD] +
                                       figures->bytes[ACTION_RECOMPUTE]);
    case COLUMN_MIX: return (double)figures->bytes[ACTION_KEEP];
    case COLUMN_D2H: return figures->d2h_us;
    case COLUMN_H2D: return figures->h2d_us;
    case COLUMN_RECOMPUTE: return figures->recompute_us;
    case COLUMN_STALL: return figures->stall_us;
    case COLUMN_PRICE: return figures->price_us;
    default: return 0;
    }
}

/* The largest first; what is alike stays in the order of execution. */
static int compare(const void *left, const void *right) {
    const struct sorted *a = left, *b = right;
    if (a->value < b->value || a->value > b->value)
        return a->value > b->value ? -1 : 1;
    return a->layer < b->layer ? -1 : 1;
}

static bool sort(struct layer_figures *out, struct arena *arena, uint32_t layers, struct sorted *sorted) {
    for (int column = 0; column < COLUMN_COUNT; column++) {
        uint32_t *order = ARENA_ARRAY(arena, uint32_t, layers), *place = ARENA_ARRAY(arena, uint32_t, layers);
        if (!order || !place)
            return false;
        for (uint32_t layer = 0; layer < layers; layer++)
            sorted[layer] = (struct sorted){ value_of(&out->layer[layer], (enum layer_column)column), layer };
        if (column != COLUMN_NAME)
            qsort(sorted, layers, sizeof *sorted, compare);
        for (uint32_t i = 0; i < layers; i++) {
            order[i] = sorted[i].layer;
            place[sorted[i].layer] = i;
        }
        out->order[column] = order;
        out->place[column] = place;
    }
    return true;
}

/* A line for each op of a layer, and behind it one for each tensor that it makes. */
static bool number_lines(struct layer_figures *out, struct arena *arena, const struct profile *profile) {
    uint32_t *op_line = ARENA_ARRAY(arena, uint32_t, profile->op_count);
    uint32_t *lines = ARENA_ARRAY(arena, uint32_t, profile->layer_count);
    if (!op_line || !lines)
        return false;
    for (uint32_t op = 0; op < profile->op_count; op++) {
        uint32_t *of_layer = &lines[profile->ops[op].layer];
        op_line[op] = *of_layer + 1;
        *of_layer += 1 + profile->ops[op].outputs.count;
    }
    out->op_line = op_line;
    out->lines = lines;
    return true;
}

enum ss_status layer_figures_build(struct layer_figures *out, struct arena *arena, const struct timeline *timeline,
                                   struct error *error) {
    const struct profile *profile = timeline->profile;
    struct sorted *sorted = ARENA_ARRAY(arena, struct sorted, profile->layer_count);
    out->layer = ARENA_ARRAY(arena, struct figures, profile->layer_count);
    if (!sorted || !out->layer || !sum_events(out, arena, timeline) || !number_lines(out, arena, profile))
        return error_no_memory(error);
    for (uint32_t op = 0; op < profile->op_count; op++) {
        struct figures part = figures_of_op(out, timeline, op);
        add(&out->layer[profile->ops[op].layer], &part);
    }
    return sort(out, arena, profile->layer_count, sorted) ? SS_OK : error_no_memory(error);
}
