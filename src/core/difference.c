/* difference: see difference.h. */
#include "difference.h"

#include <math.h>
#include <stdlib.h>

const struct figure_entry DIFFERENCE_FIGURE[DIFFERENCE_FIGURE_COUNT] = {
#define X(id, name, label, kind) { name, label, FIGURE_##kind },
    DIFFERENCE_FIGURES(X)
#undef X
};

static void take_figures(struct difference *d, int side) {
    const struct outcome *outcome = d->outcome[side];
    const struct sim_totals *totals = &outcome->timeline.totals;
    const struct plan_mix mix = plan_mix(outcome->timeline.profile, &outcome->timeline.plan);
    const bool timed = totals->feasible;
    const double values[DIFFERENCE_FIGURE_COUNT] = {
        [DIFFERENCE_STEP] = timed ? totals->step_us : NAN,
        [DIFFERENCE_THROUGHPUT] = timed ? outcome_throughput(outcome) : NAN,
        [DIFFERENCE_BOUND] = outcome->bound.bound_us,
        [DIFFERENCE_GAP] = timed ? outcome_gap(outcome) : NAN,
        [DIFFERENCE_RECOMPUTE] = timed ? totals->recompute_us : NAN,
        [DIFFERENCE_STALL] = timed ? totals->stall_us : NAN,
        [DIFFERENCE_BUDGET] =
            outcome->timeline.budget_bytes == BYTES_UNLIMITED ? NAN : (double)outcome->timeline.budget_bytes,
        [DIFFERENCE_REQUIRED] = (double)totals->required_bytes,
        [DIFFERENCE_PEAK] = timed ? (double)totals->peak_bytes : NAN,
        [DIFFERENCE_HOST] = timed ? (double)totals->host_peak_bytes : NAN,
        [DIFFERENCE_D2H] = timed ? (double)totals->d2h_bytes : NAN,
        [DIFFERENCE_H2D] = timed ? (double)totals->h2d_bytes : NAN,
        [DIFFERENCE_KEEP] = (double)mix.bytes[ACTION_KEEP],
        [DIFFERENCE_OFFLOAD] = (double)mix.bytes[ACTION_OFFLOAD],
        [DIFFERENCE_RECOMPUTED] = (double)mix.bytes[ACTION_RECOMPUTE],
    };
    for (int i = 0; i < DIFFERENCE_FIGURE_COUNT; i++)
        d->figure[i][side] = values[i];
}

/* ---- actions ---- */

static bool tensor_changed(const struct difference *d, uint32_t tensor, struct changed_tensor *out) {
    const struct plan *a = &d->outcome[0]->timeline.plan, *b = &d->outcome[1]->timeline.plan;
    *out = (struct changed_tensor){ .tensor = tensor, .from = a->action[tensor], .to = b->action[tensor],
                                    .prefetch_from = PREFETCH_ANY, .prefetch_to = PREFETCH_ANY };
    if (out->from == ACTION_OFFLOAD && out->to == ACTION_OFFLOAD) {
        out->prefetch_from = plan_prefetch(a, tensor);
        out->prefetch_to = plan_prefetch(b, tensor);
    }
    return out->from != out->to || out->prefetch_from != out->prefetch_to;
}

/* Layers ascend and so do their ops, so the changes come out grouped and in the order of the profile. */
static enum ss_status find_changes(struct difference *d, struct arena *arena, struct error *error) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    d->changes = ARENA_ARRAY(arena, struct changed_tensor, profile->managed_count);
    d->layers = ARENA_ARRAY(arena, struct changed_layer, profile->layer_count);
    if (!d->changes || !d->layers)
        return error_no_memory(error);
    for (uint32_t l = 0; l < profile->layer_count; l++) {
        const struct span ops = profile->layers[l].ops;
        struct changed_layer layer = { .layer = l, .at = d->change_count };
        for (uint32_t i = 0; i < ops.count; i++) {
            const struct span outputs = profile->ops[profile->index[ops.at + i]].outputs;
            for (uint32_t o = 0; o < outputs.count; o++) {
                const uint32_t tensor = profile->index[outputs.at + o];
                struct changed_tensor change;
                if (!profile->tensors[tensor].managed || !tensor_changed(d, tensor, &change))
                    continue;
                d->changes[d->change_count++] = change;
                layer.bytes += profile->tensors[tensor].bytes;
            }
        }
        layer.count = d->change_count - layer.at;
        if (layer.count > 0)
            d->layers[d->layer_count++] = layer;
    }
    return SS_OK;
}

/* ---- time ---- */

static uint32_t layer_of_step(const struct timeline *timeline, uint32_t step) {
    return timeline->profile->ops[timeline->schedule.op[step]].layer;
}

static void add_times(struct difference *d, int side) {
    const struct timeline *timeline = &d->outcome[side]->timeline;
    const struct schedule *schedule = &timeline->schedule;
    struct stall_sum sums[STALL_REASON_COUNT];
    for (uint32_t k = 0; k < schedule->step_count; k++)
        if (schedule->kind[k] == STEP_RECOMPUTE)
            d->times[layer_of_step(timeline, k)].recompute_us[side] += schedule->duration_us[k];
    for (uint32_t i = 0; i < timeline->stall_count; i++)
        d->times[layer_of_step(timeline, timeline->stalls[i].step)].stall_us[side] += stall_length(&timeline->stalls[i]);
    stalls_sum(timeline, sums);
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
        d->stall_us[reason][side] = sums[reason].us;
}

#define SAME_US 1e-6 /* times that sums in another order may differ by */

static int by_change(const void *a, const void *b) {
    const struct layer_time *x = a, *y = b;
    const double left = fabs(layer_time_change(x)), right = fabs(layer_time_change(y));
    if (left != right)
        return left > right ? -1 : 1;
    return x->layer < y->layer ? -1 : x->layer > y->layer;
}

static enum ss_status find_times(struct difference *d, struct arena *arena, struct error *error) {
    const uint32_t count = d->outcome[0]->timeline.profile->layer_count;
    d->times = ARENA_ARRAY(arena, struct layer_time, count);
    if (!d->times)
        return error_no_memory(error);
    for (uint32_t l = 0; l < count; l++)
        d->times[l].layer = l;
    add_times(d, 0);
    add_times(d, 1);
    for (uint32_t l = 0; l < count; l++)
        if (fabs(d->times[l].recompute_us[1] - d->times[l].recompute_us[0]) > SAME_US ||
            fabs(d->times[l].stall_us[1] - d->times[l].stall_us[0]) > SAME_US)
            d->times[d->time_count++] = d->times[l];
    qsort(d->times, d->time_count, sizeof *d->times, by_change);
    return SS_OK;
}

/* ---- memory ---- */

/* Where one side's curve stands while the two are merged. */
struct curve { const struct timeline *timeline; uint32_t next; uint64_t used; bool ended; };

/* When the curve changes next; INFINITY when it does not. */
static double curve_next(const struct curve *curve) {
    if (curve->next < curve->timeline->memory_count)
        return curve->timeline->memory[curve->next].at_us;
    return curve->ended ? INFINITY : curve->timeline->end_us;
}

/* Takes all that happens at AT_US: of samples that share their time the last one holds. */
static void curve_take(struct curve *curve, double at_us) {
    const struct timeline *timeline = curve->timeline;
    while (curve->next < timeline->memory_count && timeline->memory[curve->next].at_us <= at_us)
        curve->used = memory_used(&timeline->memory[curve->next++]);
    if (curve->next == timeline->memory_count && timeline->end_us <= at_us) {
        curve->used = 0;
        curve->ended = true;
    }
}

static int64_t size_of(int64_t change) { return change < 0 ? -change : change; }

/* Of FOUND (NULL: none yet) and PAIR the one of the larger difference. */
static const struct memory_pair *larger(const struct memory_pair *found, const struct memory_pair *pair) {
    return found == NULL || size_of(memory_change(pair)) > size_of(memory_change(found)) ? pair : found;
}

static enum ss_status find_blocks(struct difference *d, struct arena *arena, struct error *error) {
    d->memory_block = ARENA_ARRAY(arena, uint32_t, d->memory_count / MEMORY_BLOCK + 1);
    if (!d->memory_block)
        return error_no_memory(error);
    for (uint32_t block = 0; block < d->memory_count / MEMORY_BLOCK; block++) {
        const struct memory_pair *found = NULL;
        for (uint32_t i = block * MEMORY_BLOCK; i < (block + 1) * MEMORY_BLOCK; i++)
            found = larger(found, &d->memory[i]);
        d->memory_block[block] = (uint32_t)(found - d->memory);
    }
    return SS_OK;
}

static enum ss_status find_memory(struct difference *d, struct arena *arena, struct error *error) {
    struct curve a = { .timeline = &d->outcome[0]->timeline }, b = { .timeline = &d->outcome[1]->timeline };
    const size_t most = (size_t)a.timeline->memory_count + b.timeline->memory_count + 2;
    d->memory = ARENA_ARRAY(arena, struct memory_pair, most);
    if (!d->memory)
        return error_no_memory(error);
    for (;;) {
        const double at = fmin(curve_next(&a), curve_next(&b));
        if (!isfinite(at))
            break;
        curve_take(&a, at);
        curve_take(&b, at);
        d->memory[d->memory_count] = (struct memory_pair){ at, { a.used, b.used } };
        const int64_t change = memory_change(&d->memory[d->memory_count]);
        if (change > memory_change(&d->memory[d->most]))
            d->most = d->memory_count;
        if (change < memory_change(&d->memory[d->least]))
            d->least = d->memory_count;
        d->memory_count++;
    }
    return find_blocks(d, arena, error);
}

const struct memory_pair *difference_memory(const struct difference *difference, double from_us, double to_us,
                                            uint32_t *spot) {
    const struct memory_pair *memory = difference->memory, *found = NULL;
    while (*spot + 1 < difference->memory_count && memory[*spot + 1].at_us <= from_us)
        ++*spot;
    uint32_t i = *spot;
    while (i < difference->memory_count && (i == *spot || memory[i].at_us < to_us)) {
        const bool whole = i % MEMORY_BLOCK == 0 && i + MEMORY_BLOCK <= difference->memory_count &&
                           memory[i + MEMORY_BLOCK - 1].at_us < to_us;
        found = larger(found, &memory[whole ? difference->memory_block[i / MEMORY_BLOCK] : i]);
        i += whole ? MEMORY_BLOCK : 1;
    }
    return found;
}

enum ss_status difference_compute(struct difference *out, struct arena *arena, const struct outcome *a,
                                  const struct outcome *b, struct error *error) {
    *out = (struct difference){ .outcome = { a, b },
                                .timed = a->timeline.totals.feasible && b->timeline.totals.feasible };
    take_figures(out, 0);
    take_figures(out, 1);
    enum ss_status status = find_changes(out, arena, error);
    if (status == SS_OK && out->timed)
        status = find_times(out, arena, error);
    if (status == SS_OK && out->timed)
        status = find_memory(out, arena, error);
    return status;
}
