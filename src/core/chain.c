/* chain: see chain.h. */
#include "chain.h"

#define WIDEST 8 /* tensors across a place, when some are to be few */

/* What crosses the place in front of each op in the forward pass. */
struct crossing { uint32_t count, unmanaged; };

static struct crossing *count_crossings(struct arena *arena, const struct profile *profile) {
    struct crossing *crossing = ARENA_ARRAY(arena, struct crossing, (size_t)profile->op_count + 1);
    for (uint32_t i = 0; crossing && i < profile->tensor_count; i++) {
        const struct tensor *t = &profile->tensors[i];
        if (t->producer == NONE)
            continue;
        crossing[t->producer + 1].count++;
        crossing[t->last_forward + 1].count--; /* differences; sums of them don't wrap */
        crossing[t->producer + 1].unmanaged += !t->managed;
        crossing[t->last_forward + 1].unmanaged -= !t->managed;
    }
    for (uint32_t i = 0; crossing && i < profile->op_count; i++) {
        crossing[i + 1].count += crossing[i].count;
        crossing[i + 1].unmanaged += crossing[i].unmanaged;
    }
    return crossing;
}

static bool is_place(const struct profile *profile, const struct crossing *crossing, uint32_t op, uint32_t width) {
    return profile->ops[op].layer != profile->ops[op - 1].layer && crossing[op].unmanaged == 0
        && crossing[op].count <= width;
}

static uint64_t managed_bytes(const struct profile *profile, uint32_t op) {
    uint64_t bytes = 0;
    for (uint32_t o = 0; o < profile->ops[op].outputs.count; o++) {
        const struct tensor *t = &profile->tensors[profile->index[profile->ops[op].outputs.at + o]];
        bytes += t->managed ? t->bytes : 0;
    }
    return bytes;
}

/* What cutting at all places that at most WIDTH tensors cross comes to. */
struct grain { uint32_t places; uint64_t largest_bytes, bytes; };

static struct grain grain_of(const struct profile *profile, const struct crossing *crossing, uint32_t width) {
    struct grain grain = { 0, 0, 0 };
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        if (i > 0 && is_place(profile, crossing, i, width)) {
            grain.places++;
            bytes = 0;
        }
        bytes += managed_bytes(profile, i);
        grain.bytes += managed_bytes(profile, i);
        grain.largest_bytes = bytes > grain.largest_bytes ? bytes : grain.largest_bytes;
    }
    return grain;
}

static uint32_t choose_width(const struct profile *profile, const struct crossing *crossing, uint32_t *places) {
    uint32_t best = NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t width = 1; width != 0; width = width < WIDEST ? width + 1 : width == WIDEST ? NONE : 0) {
        const struct grain grain = grain_of(profile, crossing, width);
        if (grain.largest_bytes < least) {
            least = grain.largest_bytes;
            best = width;
            *places = grain.places;
        }
        if (least <= grain.bytes / 4)
            break;
    }
    return best;
}

/* Cuts at every place, or where there are too many at the first after each MOSTth part of the time. */
static void cut(struct chain *chain, const struct profile *profile, const struct crossing *crossing, uint32_t most) {
    uint32_t places = 0;
    const uint32_t width = choose_width(profile, crossing, &places);
    const double whole = profile->forward_us + profile->backward_us;
    double elapsed = 0;
    chain->count = 1;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const bool due = places < most || elapsed * most >= whole * chain->count;
        if (i > 0 && chain->count < most && due && is_place(profile, crossing, i, width)) {
            chain->stage[chain->count - 1].end = i;
            chain->stage[chain->count++].first = i;
        }
        elapsed += profile->ops[i].forward_us + profile->ops[i].backward_us;
        chain->stage_of[i] = chain->count - 1;
    }
    chain->stage[chain->count - 1].end = profile->op_count;
}

static void sum_times(struct chain *chain, const struct profile *profile, const struct closure *closure) {
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        struct stage *stage = &chain->stage[chain->stage_of[i]];
        stage->forward_us += op->forward_us;
        stage->backward_us += op->backward_us;
        stage->rerun_us += closure->rerunnable[i] ? op->recompute_us : 0;
    }
    for (uint32_t s = 0; s < chain->count; s++)
        chain->first_us += chain->stage[s].forward_us - chain->stage[s].rerun_us;
}

/* Each stage's share of a tensor that may be dropped, as differences over the stages: closed by sum_sizes. */
static void add_sizes(struct chain *chain, const struct tensor *t, bool droppable) {
    const uint32_t made = chain->stage_of[t->producer], read = chain->stage_of[t->last_forward];
    struct stage *stage = chain->stage;
    if (t->gradient && t->consumers.count > 0 && made < read) {
        stage[made].gradient_bytes += t->bytes;
        stage[read].gradient_bytes -= t->bytes;
    }
    if (!droppable)
        return;
    if (made < read) {
        stage[made].output_bytes += t->bytes;
        stage[read].output_bytes -= t->bytes;
    }
    stage[made].saved_bytes += t->bytes; /* in the stages that it crosses whole it is part of what they save, too */
    stage[read > made ? read : made + 1].saved_bytes -= t->bytes;
}

static void sum_sizes(struct chain *chain) {
    for (uint32_t s = 1; s < chain->count; s++) {
        chain->stage[s].output_bytes += chain->stage[s - 1].output_bytes;
        chain->stage[s].saved_bytes += chain->stage[s - 1].saved_bytes;
        chain->stage[s].gradient_bytes += chain->stage[s - 1].gradient_bytes;
    }
}

/* Bytes that ops hold, by op: differences that wrap and cancel out. */
struct held { uint64_t none, all, backward; };

static void hold(struct held *held, const struct chain *chain, const struct profile *profile, const struct tensor *t,
                 bool pinned) {
    const uint32_t end = chain->stage[chain->stage_of[t->producer]].end; /* of the producer's stage */
    const uint32_t read = t->last_forward < end ? t->last_forward + 1 : end;
    if (t->gradient && t->consumers.count > 0) { /* from B(last consumer) to B(producer), whatever the stage */
        held[t->producer].backward += t->bytes;
        held[t->last_forward + 1].backward -= t->bytes;
    }
    if (pinned)
        return;
    held[t->producer].none += t->bytes;
    held[read].none -= t->bytes;
    held[t->producer].all += t->bytes;
    held[t->managed ? end : read].all -= t->bytes;
    const uint32_t used = t->managed ? profile->index[t->savers.at] : end; /* until then, in the backward pass */
    if (used < end) {
        held[used].backward += t->bytes;
        held[end].backward -= t->bytes;
    }
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void find_needs(struct chain *chain, const struct profile *profile, const struct held *held) {
    struct held level = { 0, 0, 0 };
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        struct stage *stage = &chain->stage[chain->stage_of[i]];
        level.none += held[i].none;
        level.all += held[i].all;
        level.backward += held[i].backward;
        stage->none_need_bytes = larger(stage->none_need_bytes, level.none + op->forward_workspace_bytes);
        stage->all_need_bytes = larger(stage->all_need_bytes, level.all + op->forward_workspace_bytes);
        stage->backward_need_bytes = larger(stage->backward_need_bytes, level.backward + op->backward_workspace_bytes);
    }
}

enum ss_status chain_build(struct chain *out, struct arena *arena, const struct profile *profile,
                           const struct closure *closure, uint32_t most, struct error *error) {
    const size_t n = profile->op_count;
    const struct crossing *crossing = count_crossings(arena, profile);
    struct held *held = ARENA_ARRAY(arena, struct held, n + 1);
    *out = (struct chain){ .stage = ARENA_ARRAY(arena, struct stage, (size_t)(most < n ? most : n) + 1),
                           .stage_of = ARENA_ARRAY(arena, uint32_t, n) };
    if (!crossing || !held || !out->stage || !out->stage_of)
        return error_no_memory(error);
    cut(out, profile, crossing, most);
    sum_times(out, profile, closure);
    for (uint32_t i = 0; i < profile->tensor_count; i++) {
        const struct tensor *t = &profile->tensors[i];
        if (t->producer == NONE)
            continue;
        const bool droppable = closure_allows(closure, profile, i), pinned = t->managed && !droppable;
        out->pinned_bytes += pinned ? t->bytes : 0;
        add_sizes(out, t, droppable);
        hold(held, out, profile, t, pinned);
    }
    sum_sizes(out);
    find_needs(out, profile, held);
    return SS_OK;
}
