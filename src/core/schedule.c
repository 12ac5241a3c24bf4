/* schedule: laying a plan out as compute steps with the bytes each needs (MODEL.md §3). */
#include "schedule_builder.h"

#include <stdlib.h>
#include <string.h>

const char STEP_LETTER[STEP_KIND_COUNT] = { 'F', 'R', 'B' };

/* A plan that needs more steps re-runs a long chain for each of many tensors; refuse it before memory runs out. */
#define STEP_LIMIT ((uint32_t)1 << 26)

/* ---- what no plan changes ------------------------------------------------------------------------------------- */

/* Twice the tensors (a copy and a gradient each) and a workspace can be resident; the simulator adds each tensor once
 * more. All of it has to stay below 2^63 for its sums to be exact. */
static enum ss_status check_sums(const struct profile *profile, struct error *error) {
    uint64_t total = 0, workspace = 0;
    bool fits = true;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        if (op->forward_workspace_bytes > workspace)
            workspace = op->forward_workspace_bytes;
        if (op->backward_workspace_bytes > workspace)
            workspace = op->backward_workspace_bytes;
    }
    for (uint32_t t = 0; t < profile->tensor_count && fits; t++)
        fits = bytes_add(total, 3 * profile->tensors[t].bytes, &total);
    if (!fits || !bytes_add(total, workspace, &total))
        return error_set(error, SS_BAD_INPUT, "the sizes of all tensors, their copies and gradients add up to 2^63 "
                         "bytes or more");
    return SS_OK;
}

static bool allocate_fixed(struct schedule_builder *b) {
    const struct profile *p = b->profile;
    uint32_t uses = 0;
    for (uint32_t t = 0; t < p->tensor_count; t++)
        uses += p->tensors[t].consumers.count + p->tensors[t].savers.count;
    struct schedule *s = &b->schedule;
    return (b->initial_presence = ARENA_ARRAY(&b->arena, uint8_t, p->tensor_count)) &&
           (b->forward_change = ARENA_ARRAY(&b->arena, uint64_t, p->op_count + 1)) &&
           (b->backward_enter = ARENA_ARRAY(&b->arena, uint64_t, p->op_count)) &&
           (b->backward_leave = ARENA_ARRAY(&b->arena, uint64_t, p->op_count)) &&
           (b->reads = ARENA_ARRAY(&b->arena, struct span, p->op_count)) &&
           (b->saves = ARENA_ARRAY(&b->arena, struct span, p->op_count)) &&
           (b->use_index = ARENA_ARRAY(&b->arena, uint32_t, uses)) &&
           (b->production_order = ARENA_ARRAY(&b->arena, uint32_t, p->managed_count)) &&
           (b->presence = ARENA_ARRAY(&b->arena, uint8_t, p->tensor_count)) &&
           (b->chain_slot = ARENA_ARRAY(&b->arena, uint32_t, p->tensor_count)) &&
           (b->stack = ARENA_ARRAY(&b->arena, struct chain_frame, p->op_count)) &&
           (s->backward_step = ARENA_ARRAY(&b->arena, uint32_t, p->op_count)) &&
           (s->first_use = ARENA_ARRAY(&b->arena, uint32_t, p->tensor_count)) &&
           (s->last_use = ARENA_ARRAY(&b->arena, uint32_t, p->tensor_count)) &&
           (s->d2h = ARENA_ARRAY(&b->arena, uint32_t, p->managed_count)) &&
           (s->h2d = ARENA_ARRAY(&b->arena, uint32_t, p->managed_count));
}

/* Counts, for each op, how many produced tensors it reads and saves, and gives each list its place. */
static void place_uses(struct schedule_builder *b) {
    const struct profile *p = b->profile;
    for (uint32_t t = 0; t < p->tensor_count; t++) {
        const struct tensor *tensor = &p->tensors[t];
        if (tensor->producer == NONE)
            continue;
        for (uint32_t i = 0; i < tensor->consumers.count; i++)
            b->reads[p->index[tensor->consumers.at + i]].count++;
        for (uint32_t i = 0; i < tensor->savers.count; i++)
            b->saves[p->index[tensor->savers.at + i]].count++;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->op_count; i++) {
        b->reads[i].at = at;
        b->saves[i].at = at + b->reads[i].count;
        at = b->saves[i].at + b->saves[i].count;
        b->reads[i].count = b->saves[i].count = 0;
    }
}

/* Each op's lists in ascending tensor number, each tensor once: so the first backward uses met while walking the
 * steps come in H2D order by themselves (by step, ties by tensor). */
static void list_uses(struct schedule_builder *b) {
    const struct profile *p = b->profile;
    place_uses(b);
    for (uint32_t t = 0; t < p->tensor_count; t++) {
        const struct tensor *tensor = &p->tensors[t];
        if (tensor->producer == NONE)
            continue;
        for (uint32_t i = 0; i < tensor->consumers.count; i++) {
            struct span *reads = &b->reads[p->index[tensor->consumers.at + i]];
            b->use_index[reads->at + reads->count++] = t;
        }
        for (uint32_t i = 0; i < tensor->savers.count; i++) {
            struct span *saves = &b->saves[p->index[tensor->savers.at + i]];
            b->use_index[saves->at + saves->count++] = t;
        }
    }
}

/* Bytes that enter and leave with each op whatever the plan: forward copies, gradients, workspaces. Differences are
 * taken modulo 2^64; the sums they lead to are exact (check_sums). */
static void list_changes(struct schedule_builder *b) {
    const struct profile *p = b->profile;
    for (uint32_t t = 0; t < p->tensor_count; t++) {
        const struct tensor *tensor = &p->tensors[t];
        b->initial_presence[t] = tensor->producer == NONE ? PRESENCE_STATIC : PRESENCE_DROPPED;
        if (tensor->producer == NONE)
            continue;
        b->forward_change[tensor->producer] += tensor->bytes;
        b->forward_change[tensor->last_forward + 1] -= tensor->bytes;
        if (tensor->gradient && tensor->consumers.count) {
            b->backward_enter[tensor->last_forward] += tensor->bytes;
            b->backward_leave[tensor->producer] += tensor->bytes;
        }
    }
    for (uint32_t i = 0; i < p->op_count; i++) {
        b->forward_change[i] += p->ops[i].forward_workspace_bytes;
        b->forward_change[i + 1] -= p->ops[i].forward_workspace_bytes;
        b->backward_enter[i] += p->ops[i].backward_workspace_bytes;
        b->backward_leave[i] += p->ops[i].backward_workspace_bytes;
    }
}

static void list_production_order(struct schedule_builder *b) {
    const struct profile *p = b->profile;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->op_count; i++)
        for (uint32_t o = 0; o < p->ops[i].outputs.count; o++) {
            uint32_t t = p->index[p->ops[i].outputs.at + o];
            if (p->tensors[t].managed)
                b->production_order[count++] = t;
        }
}

/* ---- growing arrays ------------------------------------------------------------------------------------------- */

static bool grow(void **array, size_t count, size_t size) {
    if (count > SIZE_MAX / size)
        return false;
    void *larger = realloc(*array, count * size);
    if (larger)
        *array = larger;
    return larger != NULL;
}

/* Room for CAPACITY steps, and one more requirement: the change after the last step. */
static bool grow_steps(struct schedule_builder *b, uint32_t capacity) {
    struct schedule *s = &b->schedule;
    b->too_many_steps = capacity > STEP_LIMIT;
    if (b->too_many_steps)
        return false;
    if (!grow((void **)&s->op, capacity, sizeof *s->op) || !grow((void **)&s->kind, capacity, sizeof *s->kind) ||
        !grow((void **)&s->duration_us, capacity, sizeof *s->duration_us) ||
        !grow((void **)&s->requirement, (size_t)capacity + 1, sizeof *s->requirement))
        return false;
    b->step_capacity = capacity;
    return true;
}

/* Why an append failed. */
static enum ss_status explain_failure(const struct schedule_builder *b, struct error *error) {
    if (b->too_many_steps)
        return error_set(error, SS_BAD_INPUT, "the plan needs more than %u compute steps: it re-runs long chains for "
                         "many tensors", STEP_LIMIT);
    return error_no_memory(error);
}

static bool grow_intermediates(struct schedule_builder *b) {
    uint32_t capacity = b->intermediate_capacity ? 2 * b->intermediate_capacity : 256;
    if (capacity < b->intermediate_capacity ||
        !grow((void **)&b->intermediates, capacity, sizeof *b->intermediates))
        return false;
    b->intermediate_capacity = capacity;
    return true;
}

/* ---- the builder ---------------------------------------------------------------------------------------------- */

struct schedule_builder *schedule_builder_new(const struct profile *profile, struct error *error) {
    if (check_sums(profile, error) != SS_OK)
        return NULL;
    if (profile->op_count > STEP_LIMIT / 4) {
        error_set(error, SS_BAD_INPUT, "%u ops; at most %u can be scheduled", profile->op_count, STEP_LIMIT / 4);
        return NULL;
    }
    struct schedule_builder *b = calloc(1, sizeof *b);
    if (b)
        b->profile = profile;
    if (!b || !allocate_fixed(b) || !grow_steps(b, 3 * profile->op_count + 1)) {
        schedule_builder_free(b);
        error_no_memory(error);
        return NULL;
    }
    list_uses(b);
    list_changes(b);
    list_production_order(b);
    struct schedule *s = &b->schedule;
    s->forward_count = profile->op_count;
    for (uint32_t i = 0; i < profile->op_count; i++) {
        s->op[i] = i;
        s->kind[i] = STEP_FORWARD;
        s->duration_us[i] = profile->ops[i].forward_us;
    }
    return b;
}

void schedule_builder_free(struct schedule_builder *builder) {
    if (!builder)
        return;
    free(builder->schedule.op);
    free(builder->schedule.kind);
    free(builder->schedule.duration_us);
    free(builder->schedule.requirement);
    free(builder->intermediates);
    arena_free(&builder->arena);
    free(builder);
}

const struct profile *schedule_builder_profile(const struct schedule_builder *builder) {
    return builder->profile;
}

/* ---- one build ------------------------------------------------------------------------------------------------ */

/* Puts each managed tensor where the plan leaves it after forward. */
static enum ss_status place_tensors(struct schedule_builder *b, const struct plan *plan, struct error *error) {
    static const uint8_t AFTER_FORWARD[ACTION_COUNT] = {
        [ACTION_KEEP] = PRESENCE_GPU, [ACTION_OFFLOAD] = PRESENCE_HOST, [ACTION_RECOMPUTE] = PRESENCE_DROPPED
    };
    const struct profile *p = b->profile;
    memcpy(b->presence, b->initial_presence, p->tensor_count);
    for (uint32_t i = 0; i < p->managed_count; i++) {
        uint32_t t = p->managed[i];
        uint8_t action = plan->action[t];
        if (action != ACTION_KEEP && p->tensors[t].keep)
            return error_set(error, SS_BAD_INPUT, "tensor '%.120s' must stay on the GPU (\"keep\": true): cannot "
                             "%s it", p->tensors[t].name, ACTION_NAME[action]);
        b->presence[t] = AFTER_FORWARD[action];
    }
    return SS_OK;
}

/* Appends a step whose bytes ENTER come with it and LEAVE go after it. */
static inline bool append_step(struct schedule_builder *b, enum step_kind kind, uint32_t op, double duration_us,
                        uint64_t enter, uint64_t leave) {
    struct schedule *s = &b->schedule;
    if (s->step_count == b->step_capacity && !grow_steps(b, 2 * b->step_capacity))
        return false;
    uint32_t k = s->step_count++;
    s->op[k] = op;
    s->kind[k] = (uint8_t)kind;
    s->duration_us[k] = duration_us;
    s->requirement[k] += enter;
    s->requirement[k + 1] = 0 - leave;
    return true;
}

/* Step K reads the tensors of USES. */
static inline void use_tensors(struct schedule_builder *b, struct span uses, uint32_t k) {
    struct schedule *s = &b->schedule;
    for (uint32_t i = uses.at; i < uses.at + uses.count; i++) {
        uint32_t t = b->use_index[i];
        if (b->presence[t] == PRESENCE_DROPPED) {
            b->intermediates[b->chain_slot[t] - 1].last_step = k;
            continue;
        }
        if (b->presence[t] == PRESENCE_HOST && s->first_use[t] == NONE) {
            s->first_use[t] = k;
            s->h2d[s->h2d_count++] = t;
        }
        s->last_use[t] = k;
    }
}

static bool missing(const struct schedule_builder *b, uint32_t tensor) {
    return b->presence[tensor] == PRESENCE_DROPPED && b->chain_slot[tensor] <= b->chain_first;
}

/* Appends R(OP) and takes in what it restores. */
static bool run_again(struct schedule_builder *b, uint32_t op) {
    const struct profile *p = b->profile;
    struct schedule *s = &b->schedule;
    uint32_t k = s->step_count;
    uint64_t workspace = p->ops[op].forward_workspace_bytes;
    if (!append_step(b, STEP_RECOMPUTE, op, p->ops[op].recompute_us, workspace, workspace))
        return false;
    s->recompute_us += p->ops[op].recompute_us;
    use_tensors(b, b->reads[op], k);
    for (uint32_t o = 0; o < p->ops[op].outputs.count; o++) {
        uint32_t t = p->index[p->ops[op].outputs.at + o];
        if (!missing(b, t))
            continue;
        if (p->tensors[t].managed) {
            b->presence[t] = PRESENCE_GPU;
            s->first_use[t] = s->last_use[t] = k;
            continue;
        }
        if (b->intermediate_count == b->intermediate_capacity && !grow_intermediates(b))
            return false;
        b->intermediates[b->intermediate_count++] = (struct intermediate){ t, k, k };
        b->chain_slot[t] = b->intermediate_count;
    }
    return true;
}

/* Starts to restore TENSOR for the sake of ROOT, the managed tensor nearest above it in the closure. */
static enum ss_status enter_chain(struct schedule_builder *b, struct chain_frame *frame, uint32_t tensor,
                                  uint32_t root, struct error *error) {
    const struct profile *p = b->profile;
    const struct op *op = &p->ops[p->tensors[tensor].producer];
    if (p->tensors[tensor].managed)
        root = tensor;
    if (!op->recomputable)
        return error_set(error, SS_BAD_INPUT, "tensor '%.120s': to recompute it, op '%.120s' would run again, which it "
                         "must not (\"recomputable\": false)", p->tensors[root].name, op->name);
    *frame = (struct chain_frame){ p->tensors[tensor].producer, op->inputs.at, op->inputs.at + op->inputs.count, root };
    return SS_OK;
}

/* ensure(TENSOR) of MODEL.md §3 for a missing tensor: depth first, inputs in listed order. An op is on the stack at
 * most once, since its inputs come from earlier ops. */
static enum ss_status restore(struct schedule_builder *b, uint32_t tensor, struct error *error) {
    uint32_t depth = 1;
    enum ss_status status = enter_chain(b, &b->stack[0], tensor, tensor, error);
    while (status == SS_OK && depth) {
        struct chain_frame *frame = &b->stack[depth - 1];
        if (frame->next_input == frame->input_end) {
            if (!run_again(b, frame->op))
                return explain_failure(b, error);
            depth--;
            continue;
        }
        uint32_t input = b->profile->index[frame->next_input++];
        if (missing(b, input))
            status = enter_chain(b, &b->stack[depth++], input, frame->root, error);
    }
    return status;
}

/* The R steps that B(OP) needs, then B(OP). */
static enum ss_status lay_backward(struct schedule_builder *b, uint32_t op, struct error *error) {
    const struct profile *p = b->profile;
    struct schedule *s = &b->schedule;
    struct span saved = p->ops[op].saved;
    b->chain_first = b->intermediate_count;
    for (uint32_t i = saved.at; i < saved.at + saved.count; i++)
        if (missing(b, p->index[i])) {
            enum ss_status status = restore(b, p->index[i], error);
            if (status != SS_OK)
                return status;
        }
    uint32_t k = s->step_count;
    if (!append_step(b, STEP_BACKWARD, op, p->ops[op].backward_us, b->backward_enter[op], b->backward_leave[op]))
        return explain_failure(b, error);
    s->backward_step[op] = k;
    use_tensors(b, b->saves[op], k);
    return SS_OK;
}

/* Adds what the plan decides to the changes of req: kept and backward copies, chain intermediates. */
static void add_copies(struct schedule_builder *b, const struct plan *plan) {
    const struct profile *p = b->profile;
    struct schedule *s = &b->schedule;
    for (uint32_t i = 0; i < p->managed_count; i++) {
        uint32_t t = p->managed[i];
        const struct tensor *tensor = &p->tensors[t];
        /* a kept copy simply doesn't end with the forward one */
        uint32_t begin = plan->action[t] == ACTION_KEEP ? tensor->last_forward + 1 : s->first_use[t];
        s->requirement[begin] += tensor->bytes;
        s->requirement[s->last_use[t] + 1] -= tensor->bytes;
    }
    for (uint32_t i = 0; i < b->intermediate_count; i++) {
        const struct intermediate *intermediate = &b->intermediates[i];
        s->requirement[intermediate->birth_step] += p->tensors[intermediate->tensor].bytes;
        s->requirement[intermediate->last_step + 1] -= p->tensors[intermediate->tensor].bytes;
    }
}

/* Turns the changes into req(k) and finds its peak. */
static void sum_requirement(struct schedule *s) {
    uint64_t level = 0, peak = 0;
    uint32_t peak_step = 0;
    for (uint32_t k = 0; k < s->step_count; k++) {
        level += s->requirement[k];
        s->requirement[k] = level;
        if (level > peak) {
            peak = level;
            peak_step = k;
        }
    }
    s->peak_bytes = peak;
    s->peak_step = peak_step;
}

static void list_offloads(struct schedule_builder *b, const struct plan *plan) {
    struct schedule *s = &b->schedule;
    for (uint32_t i = 0; i < b->profile->managed_count; i++)
        if (plan->action[b->production_order[i]] == ACTION_OFFLOAD)
            s->d2h[s->d2h_count++] = b->production_order[i];
}

enum ss_status schedule_build(struct schedule_builder *builder, const struct plan *plan, const struct schedule **out,
                              struct error *error) {
    const struct profile *p = builder->profile;
    struct schedule *s = &builder->schedule;
    enum ss_status status = place_tensors(builder, plan, error);
    if (status != SS_OK)
        return status;
    memset(builder->chain_slot, 0, p->tensor_count * sizeof *builder->chain_slot);
    memset(s->first_use, 0xff, p->tensor_count * sizeof *s->first_use); /* NONE */
    memset(s->last_use, 0xff, p->tensor_count * sizeof *s->last_use);
    memcpy(s->requirement, builder->forward_change, ((size_t)p->op_count + 1) * sizeof *s->requirement);
    s->step_count = p->op_count;
    s->d2h_count = s->h2d_count = 0;
    s->recompute_us = 0;
    builder->intermediate_count = 0;
    builder->too_many_steps = false;
    for (uint32_t i = p->op_count; i-- > 0;) {
        status = lay_backward(builder, i, error);
        if (status != SS_OK)
            return status;
    }
    s->compute_us = p->forward_us + p->backward_us + s->recompute_us;
    list_offloads(builder, plan);
    add_copies(builder, plan);
    sum_requirement(s);
    *out = s;
    return SS_OK;
}
