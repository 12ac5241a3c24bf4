/* schedule_parts: what a schedule's requirement consists of, and copies of it — for people, not for planners. */
#include "schedule_builder.h"

#include <stdlib.h>
#include <string.h>

static void *copy_array(struct arena *arena, const void *from, size_t count, size_t size) {
    void *to = arena_alloc(arena, count, size);
    if (to && count)
        memcpy(to, from, count * size);
    return to;
}

#define COPY(field, count) \
    ((out->field = copy_array(arena, schedule->field, (count), sizeof *schedule->field)) != NULL)

enum ss_status schedule_copy(struct schedule *out, struct arena *arena, const struct profile *profile,
                             const struct schedule *schedule, struct error *error) {
    *out = *schedule;
    if (COPY(op, schedule->step_count) && COPY(kind, schedule->step_count) &&
        COPY(duration_us, schedule->step_count) && COPY(requirement, schedule->step_count) &&
        COPY(backward_step, profile->op_count) && COPY(first_use, profile->tensor_count) &&
        COPY(last_use, profile->tensor_count) && COPY(d2h, schedule->d2h_count) && COPY(h2d, schedule->h2d_count))
        return SS_OK;
    return error_no_memory(error);
}

/* BYTES are resident from step FIRST to step LAST. CHANGE has one entry more than there are steps. */
static void add_interval(uint64_t *change, uint32_t first, uint32_t last, uint64_t bytes) {
    change[first] += bytes;
    change[last + 1] -= bytes;
}

/* The steps in which a tensor's forward copy is there. */
static uint32_t forward_copy_end(const struct schedule *s, const struct plan *plan, const struct profile *p,
                                 uint32_t tensor) {
    bool kept = p->tensors[tensor].managed && plan->action[tensor] == ACTION_KEEP;
    return kept ? s->last_use[tensor] : p->tensors[tensor].last_forward;
}

static bool has_backward_copy(const struct plan *plan, const struct profile *p, uint32_t tensor) {
    return p->tensors[tensor].managed && plan->action[tensor] != ACTION_KEEP;
}

static bool has_gradient(const struct tensor *tensor) {
    return tensor->producer != NONE && tensor->gradient && tensor->consumers.count > 0;
}

enum ss_status schedule_parts(struct schedule_builder *builder, const struct plan *plan, struct arena *arena,
                              uint64_t *parts[PART_COUNT], struct error *error) {
    const struct profile *p = builder->profile;
    const struct schedule *s;
    enum ss_status status = schedule_build(builder, plan, &s, error);
    if (status != SS_OK)
        return status;
    for (int part = 0; part < PART_COUNT; part++)
        if (!(parts[part] = ARENA_ARRAY(arena, uint64_t, (size_t)s->step_count + 1)))
            return error_no_memory(error);
    for (uint32_t t = 0; t < p->tensor_count; t++) {
        const struct tensor *tensor = &p->tensors[t];
        if (tensor->producer == NONE)
            continue;
        add_interval(parts[PART_KEPT], tensor->producer, forward_copy_end(s, plan, p, t), tensor->bytes);
        if (has_backward_copy(plan, p, t))
            add_interval(parts[PART_KEPT], s->first_use[t], s->last_use[t], tensor->bytes);
        if (has_gradient(tensor))
            add_interval(parts[PART_GRADIENT], s->backward_step[tensor->last_forward],
                         s->backward_step[tensor->producer], tensor->bytes);
    }
    for (uint32_t i = 0; i < builder->intermediate_count; i++) {
        const struct intermediate *it = &builder->intermediates[i];
        add_interval(parts[PART_SCRATCH], it->birth_step, it->last_step, p->tensors[it->tensor].bytes);
    }
    for (uint32_t k = 0; k < s->step_count; k++) {
        const struct op *op = &p->ops[s->op[k]];
        add_interval(parts[PART_SCRATCH], k, k, s->kind[k] == STEP_BACKWARD ? op->backward_workspace_bytes
                                                                           : op->forward_workspace_bytes);
    }
    for (int part = 0; part < PART_COUNT; part++)
        for (uint32_t k = 1; k < s->step_count; k++)
            parts[part][k] += parts[part][k - 1];
    return SS_OK;
}

/* ---- the live set --------------------------------------------------------------------------------------------- */

/* Residents of step K; the first pass counts (LIST is NULL), the second fills. */
struct collection { struct resident *list; uint32_t count, k; };

static void collect(struct collection *c, uint32_t tensor, enum requirement_part part, uint32_t first, uint32_t last,
                    uint64_t bytes) {
    if (c->k < first || c->k > last)
        return;
    if (c->list)
        c->list[c->count] = (struct resident){ tensor, part, bytes };
    c->count++;
}

static void collect_all(const struct schedule_builder *b, const struct plan *plan, struct collection *c) {
    const struct profile *p = b->profile;
    const struct schedule *s = &b->schedule;
    c->count = 0;
    for (uint32_t t = 0; t < p->tensor_count; t++) {
        const struct tensor *tensor = &p->tensors[t];
        if (tensor->producer == NONE)
            continue;
        collect(c, t, PART_KEPT, tensor->producer, forward_copy_end(s, plan, p, t), tensor->bytes);
        if (has_backward_copy(plan, p, t))
            collect(c, t, PART_KEPT, s->first_use[t], s->last_use[t], tensor->bytes);
        if (has_gradient(tensor))
            collect(c, t, PART_GRADIENT, s->backward_step[tensor->last_forward], s->backward_step[tensor->producer],
                    tensor->bytes);
    }
    for (uint32_t i = 0; i < b->intermediate_count; i++) {
        const struct intermediate *it = &b->intermediates[i];
        collect(c, it->tensor, PART_SCRATCH, it->birth_step, it->last_step, p->tensors[it->tensor].bytes);
    }
    const struct op *op = &p->ops[s->op[c->k]];
    uint64_t workspace = s->kind[c->k] == STEP_BACKWARD ? op->backward_workspace_bytes : op->forward_workspace_bytes;
    if (workspace)
        collect(c, NONE, PART_SCRATCH, c->k, c->k, workspace);
}

/* Largest first; equal ones by tensor and part, so that the order is the same everywhere. */
static int compare_residents(const void *left, const void *right) {
    const struct resident *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    if (a->tensor != b->tensor)
        return a->tensor < b->tensor ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

enum ss_status schedule_live_set(struct schedule_builder *builder, const struct plan *plan, uint32_t k,
                                 struct arena *arena, struct resident **out, uint32_t *count, struct error *error) {
    const struct schedule *s;
    enum ss_status status = schedule_build(builder, plan, &s, error);
    if (status != SS_OK)
        return status;
    if (k >= s->step_count)
        return error_set(error, SS_USAGE, "step %u of %u: there is no such step", k, s->step_count);
    struct collection c = { .list = NULL, .k = k };
    collect_all(builder, plan, &c);
    struct resident *list = ARENA_ARRAY(arena, struct resident, c.count);
    if (!list)
        return error_no_memory(error);
    c.list = list;
    collect_all(builder, plan, &c);
    qsort(list, c.count, sizeof *list, compare_residents);
    *out = list;
    *count = c.count;
    return SS_OK;
}
