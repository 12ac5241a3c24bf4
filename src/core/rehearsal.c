/* rehearsal: see rehearsal.h. */
#include "rehearsal.h"

#include <math.h>

#include "residency.h"

#define READS_AN_OP 16 /* on average, of closures; what is beyond goes unseen */

/* ---- what no plan changes ---- */

static uint32_t find_peak(const struct rehearsal *r) {
    const struct profile *p = r->trial->profile;
    uint32_t peak = 0;
    for (uint32_t k = 0; k < 2 * p->op_count; k++)
        peak = r->kept_bytes[k] > r->kept_bytes[peak] ? k : peak;
    return peak;
}

static void number_tensors(struct rehearsal *r, uint32_t peak) {
    const struct profile *p = r->trial->profile;
    uint32_t count = 0;
    double elapsed = 0;
    for (uint32_t i = 0; i < p->op_count; i++) {
        elapsed += p->ops[i].forward_us;
        r->forward_end_us[i] = elapsed;
        r->forward_us[i] = p->ops[i].forward_us;
        r->backward_us[i] = p->ops[i].backward_us;
        r->run_due[i] = r->due_first[i] = NONE;
        r->made[i].at = count;
        for (uint32_t o = 0; o < p->ops[i].outputs.count; o++) {
            const uint32_t t = p->index[p->ops[i].outputs.at + o];
            const struct tensor *tensor = &p->tensors[t];
            if (!tensor->managed)
                continue;
            const uint32_t natural = p->index[tensor->savers.at + tensor->savers.count - 1];
            r->number[t] = count;
            r->tensor[count++] = (struct rehearsal_tensor){
                .tensor = t, .producer = i, .last_forward = tensor->last_forward, .natural = natural, .due = natural, .next = NONE,
                .previous = NONE, .bytes = (int64_t)tensor->bytes, .release_us = elapsed,
                .in_time = i <= peak && tensor->last_forward < peak && peak < backward_step_of(p, natural),
                .out_us = (double)tensor->bytes / r->out_rate + r->latency_us,
                .back_us = (double)tensor->bytes / r->back_rate + r->latency_us };
        }
        r->made[i].count = count - r->made[i].at;
    }
    while (r->first_full < p->op_count && r->kept_bytes[r->first_full] <= r->budget_bytes)
        r->first_full++;
}

/* The managed tensors that re-running OP reads: its own inputs, and those of the producers of unmanaged ones. */
static void list_reads(struct rehearsal *r, uint32_t op, uint32_t *stack, uint32_t *seen, uint32_t *count, uint32_t most) {
    const struct profile *p = r->trial->profile;
    uint32_t depth = 0;
    stack[depth++] = op;
    r->reads[op].at = *count;
    while (depth > 0) {
        const struct op *o = &p->ops[stack[--depth]];
        for (uint32_t i = 0; i < o->inputs.count && *count < most; i++) {
            const uint32_t t = p->index[o->inputs.at + i];
            const struct tensor *tensor = &p->tensors[t];
            if (tensor->producer == NONE || seen[t] == op + 1)
                continue;
            seen[t] = op + 1;
            if (tensor->managed)
                r->read[(*count)++] = r->number[t];
            else if (depth < p->op_count)
                stack[depth++] = tensor->producer;
        }
    }
    r->reads[op].count = *count - r->reads[op].at;
}

static enum ss_status list_closures(struct rehearsal *r, struct arena *arena, struct error *error) {
    const struct profile *p = r->trial->profile;
    const uint32_t most = p->op_count < UINT32_MAX / READS_AN_OP ? READS_AN_OP * p->op_count : UINT32_MAX;
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, p->op_count), *seen = ARENA_ARRAY(arena, uint32_t, p->tensor_count);
    uint32_t count = 0;
    r->reads = ARENA_ARRAY(arena, struct span, p->op_count);
    r->read = ARENA_ARRAY(arena, uint32_t, most);
    r->readers = ARENA_ARRAY(arena, struct span, p->managed_count);
    if (!stack || !seen || !r->reads || !r->read || !r->readers)
        return error_no_memory(error);
    for (uint32_t i = 0; i < p->op_count; i++)
        if (r->made[i].count > 0)
            list_reads(r, i, stack, seen, &count, most);
    r->reader = ARENA_ARRAY(arena, uint32_t, count);
    if (!r->reader)
        return error_no_memory(error);
    for (uint32_t i = 0; i < count; i++)
        r->readers[r->read[i]].count++;
    for (uint32_t t = 0, at = 0; t < p->managed_count; t++) {
        r->readers[t].at = at;
        at += r->readers[t].count;
        r->readers[t].count = 0;
    }
    for (uint32_t i = 0; i < p->op_count; i++)
        for (uint32_t k = 0; k < r->reads[i].count; k++) {
            struct span *readers = &r->readers[r->read[r->reads[i].at + k]];
            r->reader[readers->at + readers->count++] = i;
        }
    return SS_OK;
}

static enum ss_status allocate(struct rehearsal *r, struct arena *arena, struct error *error) {
    const struct profile *p = r->trial->profile;
    const uint32_t ops = p->op_count, managed = p->managed_count;
    r->forward_us = ARENA_ARRAY(arena, double, ops);
    r->backward_us = ARENA_ARRAY(arena, double, ops);
    r->forward_end_us = ARENA_ARRAY(arena, double, ops);
    r->number = ARENA_ARRAY(arena, uint32_t, p->tensor_count);
    r->made = ARENA_ARRAY(arena, struct span, ops);
    r->tensor = ARENA_ARRAY(arena, struct rehearsal_tensor, managed);
    r->action = ARENA_ARRAY(arena, uint8_t, managed);
    r->run_due = ARENA_ARRAY(arena, uint32_t, ops);
    r->rerun_us = ARENA_ARRAY(arena, double, ops);
    r->due_bytes = ARENA_ARRAY(arena, int64_t, ops);
    r->due_us = ARENA_ARRAY(arena, double, ops);
    r->rerun_due_us = ARENA_ARRAY(arena, double, ops);
    r->due_first = ARENA_ARRAY(arena, uint32_t, ops);
    r->dropped_bytes = ARENA_ARRAY(arena, int64_t, ops);
    r->changed = (struct op_set){ ARENA_ARRAY(arena, uint32_t, ops), 0, ARENA_ARRAY(arena, bool, ops) };
    r->stale = (struct op_set){ ARENA_ARRAY(arena, uint32_t, ops), 0, ARENA_ARRAY(arena, bool, ops) };
    r->needed = ARENA_ARRAY(arena, int64_t, ops);
    r->later = ARENA_ARRAY(arena, int64_t, ops);
    r->out = ARENA_ARRAY(arena, uint32_t, (size_t)managed + 1);
    r->back = ARENA_ARRAY(arena, uint32_t, managed);
    r->out_end_us = ARENA_ARRAY(arena, double, managed);
    r->landing_us = ARENA_ARRAY(arena, double, managed);
    r->window = ARENA_ARRAY(arena, struct rehearsal_level, ops);
    return r->forward_us && r->backward_us && r->forward_end_us && r->number && r->made && r->tensor && r->action &&
        r->run_due && r->rerun_us && r->due_bytes && r->due_us && r->rerun_due_us && r->due_first && r->dropped_bytes &&
        r->changed.op && r->changed.has && r->stale.op && r->stale.has && r->needed && r->later && r->out && r->back &&
        r->out_end_us && r->landing_us && r->window ? SS_OK : error_no_memory(error);
}

/* The trees, everything kept. */
static enum ss_status plant(struct rehearsal *r, struct arena *arena, struct error *error) {
    const uint32_t ops = r->trial->profile->op_count;
    enum ss_status status = level_tree_init(&r->demand, r->kept_bytes, 2 * ops, arena, error);
    if (status == SS_OK)
        status = queue_tree_init(&r->departures, r->trial->profile->managed_count, arena, error);
    if (status == SS_OK)
        status = queue_tree_init(&r->returns, ops, arena, error);
    for (uint32_t i = 0; i < ops && status == SS_OK; i++)
        r->returns.node[r->returns.size + i] = (struct queue_node){ -r->backward_us[i], 0 };
    if (status == SS_OK)
        queue_tree_build(&r->returns);
    return status;
}

enum ss_status rehearsal_init(struct rehearsal *r, const struct trial *trial, struct arena *arena, struct error *error) {
    const struct plan_task *task = trial->task;
    *r = (struct rehearsal){ .trial = trial, .latency_us = task->link.latency_us };
    r->budget_bytes = task->budget_bytes < INT64_MAX ? (int64_t)task->budget_bytes : INT64_MAX;
    r->out_rate = gb_per_s_to_bytes_per_us(task->link.d2h_gb_per_s);
    r->back_rate = gb_per_s_to_bytes_per_us(task->link.h2d_gb_per_s);
    uint64_t *kept_bytes;
    enum ss_status status = residency_compute(&kept_bytes, arena, trial->profile, false, error);
    if (status == SS_OK)
        status = allocate(r, arena, error);
    if (status != SS_OK)
        return status;
    r->kept_bytes = (int64_t *)kept_bytes; /* sums stay below 2^63 */
    const uint32_t peak = find_peak(r);
    number_tensors(r, peak);
    for (uint32_t k = 0; k < peak; k++)
        r->peak_us += k < trial->profile->op_count ? r->forward_us[k] : r->backward_us[2 * trial->profile->op_count - 1 - k];
    status = list_closures(r, arena, error);
    return status == SS_OK ? plant(r, arena, error) : status;
}

/* ---- following changes ---- */

static void add(struct op_set *set, uint32_t op) {
    if (set->has[op])
        return;
    set->has[op] = true;
    set->op[set->count++] = op;
}

/* The op that was added last; there is one. */
static uint32_t take(struct op_set *set) {
    const uint32_t op = set->op[--set->count];
    set->has[op] = false;
    return op;
}

/* Seen backwards in time, compute queues for the returns: what runs before an op's B, then what has to be there for it. */
static void follow_returns(struct rehearsal *r, uint32_t op) {
    const double rerun_done_us = r->rerun_due_us[op], done_us = rerun_done_us - r->rerun_us[op] + r->due_us[op];
    queue_tree_set(&r->returns, op,
                   (struct queue_node){ done_us - r->backward_us[op], done_us > rerun_done_us ? done_us : rerun_done_us });
}

/* Whether T returns before OTHER, due at the same op: for what runs again before its B first; then in the profile's order. */
static bool returns_before(const struct rehearsal_tensor *t, const struct rehearsal_tensor *other) {
    return t->for_rerun != other->for_rerun ? t->for_rerun : t->tensor < other->tensor;
}

static void queue_return(struct rehearsal *r, uint32_t t) {
    struct rehearsal_tensor *tensor = &r->tensor[t];
    uint32_t before = NONE, after = r->due_first[tensor->due];
    while (after != NONE && returns_before(&r->tensor[after], tensor)) {
        before = after;
        after = r->tensor[after].next;
    }
    tensor->previous = before;
    tensor->next = after;
    if (after != NONE)
        r->tensor[after].previous = t;
    if (before != NONE)
        r->tensor[before].next = t;
    else
        r->due_first[tensor->due] = t;
}

static void leave_queue(struct rehearsal *r, uint32_t t) {
    const struct rehearsal_tensor *tensor = &r->tensor[t];
    if (tensor->next != NONE)
        r->tensor[tensor->next].previous = tensor->previous;
    if (tensor->previous != NONE)
        r->tensor[tensor->previous].next = tensor->next;
    else
        r->due_first[tensor->due] = tensor->next;
}

/* Counts T among what is away until the B of its op, or no more. */
static void count_away(struct rehearsal *r, const struct rehearsal_tensor *tensor, bool in) {
    const int64_t bytes = in ? tensor->bytes : -tensor->bytes;
    const uint32_t back = backward_step_of(r->trial->profile, tensor->due);
    if (back > tensor->last_forward + 1)
        level_tree_raise(&r->demand, tensor->last_forward + 1, back - 1, -bytes);
    r->due_bytes[tensor->due] += bytes;
    r->away_bytes += bytes;
}

/* T, which is away, comes back for the B of DUE. */
static void move_back(struct rehearsal *r, const struct rehearsal_tensor *tensor, uint32_t due) {
    const uint32_t before = backward_step_of(r->trial->profile, tensor->due), back = backward_step_of(r->trial->profile, due);
    if (back > before)
        level_tree_raise(&r->demand, before, back - 1, -tensor->bytes);
    else if (back < before)
        level_tree_raise(&r->demand, back, before - 1, tensor->bytes);
    r->due_bytes[tensor->due] -= tensor->bytes;
    r->due_bytes[due] += tensor->bytes;
}

/* Counts the return of T, which is offloaded, in or out. */
static void count_return(struct rehearsal *r, uint32_t t, bool in) {
    const struct rehearsal_tensor *tensor = &r->tensor[t];
    (tensor->for_rerun ? r->rerun_due_us : r->due_us)[tensor->due] += in ? tensor->back_us : -tensor->back_us;
    add(&r->stale, tensor->due);
    if (in)
        queue_return(r, t);
    else
        leave_queue(r, t);
}

/* Counts in or out what its action makes of T, beside being away. */
static void count(struct rehearsal *r, uint32_t t, bool in) {
    const struct rehearsal_tensor *tensor = &r->tensor[t];
    const int64_t bytes = in ? tensor->bytes : -tensor->bytes;
    if (r->action[t] == ACTION_RECOMPUTE)
        r->dropped_bytes[tensor->last_forward] += bytes;
    if (r->action[t] != ACTION_OFFLOAD)
        return;
    r->offloaded_bytes += (uint64_t)bytes;
    if (tensor->in_time)
        queue_tree_set(&r->departures, t, in ? (struct queue_node){ tensor->out_us, tensor->release_us + tensor->out_us }
                                             : (struct queue_node){ 0, -INFINITY });
    count_return(r, t, in);
}

/* T is due before the first B that reads it, or before what runs again and reads it, if that comes first. */
static void find_due(struct rehearsal *r, uint32_t t) {
    struct rehearsal_tensor *tensor = &r->tensor[t];
    const uint32_t before = tensor->due;
    uint32_t due = tensor->natural;
    bool for_rerun = false;
    for (uint32_t i = 0; i < r->readers[t].count; i++) {
        const uint32_t run_due = r->run_due[r->reader[r->readers[t].at + i]];
        if (run_due != NONE && run_due >= due) {
            due = run_due;
            for_rerun = true;
        }
    }
    if (due == before && for_rerun == tensor->for_rerun)
        return;
    if (due != before && r->action[t] != ACTION_KEEP)
        move_back(r, tensor, due);
    if (r->action[t] == ACTION_OFFLOAD)
        count_return(r, t, false);
    tensor->due = due;
    tensor->for_rerun = for_rerun;
    if (r->action[t] == ACTION_OFFLOAD)
        count_return(r, t, true);
    if (due != before && r->action[t] == ACTION_RECOMPUTE)
        add(&r->changed, tensor->producer);
}

/* When OP runs again, as its outputs say. */
static void find_run(struct rehearsal *r, uint32_t op) {
    const double price_us = r->trial->closure.full_us[op];
    const uint32_t before = r->run_due[op];
    uint32_t due = NONE;
    for (uint32_t t = r->made[op].at; t < r->made[op].at + r->made[op].count; t++)
        if (r->action[t] == ACTION_RECOMPUTE && (due == NONE || r->tensor[t].due > due))
            due = r->tensor[t].due;
    if (due == before)
        return;
    r->run_due[op] = due;
    if (before != NONE) {
        r->rerun_us[before] -= price_us;
        add(&r->stale, before);
    }
    if (due != NONE) {
        r->rerun_us[due] += price_us;
        add(&r->stale, due);
    }
    r->recompute_us += (due != NONE ? price_us : 0) - (before != NONE ? price_us : 0);
    for (uint32_t i = 0; i < r->reads[op].count; i++)
        find_due(r, r->read[r->reads[op].at + i]);
}

void rehearsal_change(struct rehearsal *r, uint32_t unit, enum action action) {
    const struct units *units = &r->trial->units;
    for (uint32_t i = 0; i < units->unit[unit].count; i++) {
        const uint32_t t = r->number[units->tensor[units->unit[unit].at + i]];
        if (r->action[t] == action)
            continue;
        if (r->action[t] == ACTION_RECOMPUTE || action == ACTION_RECOMPUTE)
            add(&r->changed, r->tensor[t].producer);
        count(r, t, false);
        if (r->action[t] == ACTION_KEEP || action == ACTION_KEEP)
            count_away(r, &r->tensor[t], action != ACTION_KEEP);
        r->action[t] = (uint8_t)action;
        count(r, t, true);
    }
    while (r->changed.count > 0)
        find_run(r, take(&r->changed));
    while (r->stale.count > 0) /* only now: a change concerns an op several times */
        follow_returns(r, take(&r->stale));
}

double rehearsal_forecast(const struct rehearsal *r, double spare_price) {
    const double late_us = queue_tree_done(&r->departures) - r->peak_us;
    const double back_late_us = queue_tree_done(&r->returns);
    const double missing = (double)rehearsal_missing(r);
    return r->recompute_us + fmax(0, late_us) + fmax(0, back_late_us) + fmax(0, missing) / r->out_rate
        + spare_price * (fmin(0, missing) + fmin(0, fmax(late_us, -r->peak_us)) * r->out_rate);
}
