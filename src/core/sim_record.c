/* sim_record: writing down what happens, and why (MODEL.md §4 "Blame").
 *
 * Binding causes. A start happens in the round in which the last of its conditions became true. The completions of a
 * round count in the order compute, D2H, H2D; the binding one is the last without which the start could not have
 * happened. So each function below asks, from the last completion to the first: did it happen in this round, and was
 * it needed? What remains needs no question. */
#include "sim_record.h"

#include "sim_machine.h"

/* ---- causes --------------------------------------------------------------------------------------------------- */

static struct cause cause(enum cause_kind kind, uint32_t index) {
    return (struct cause){ (uint8_t)kind, index };
}

/* True when the room test, whose left side was NEEDED, would have failed without this round's D2H. */
static bool needed_room(const struct machine *m, uint64_t needed) {
    return m->d2h_ended && needed + m->freed > m->budget_bytes;
}

static struct cause cause_of_step(const struct machine *m, uint64_t needed) {
    if (m->h2d_ended && m->in[m->h2d.done - 1].first_use == m->step)
        return cause(CAUSE_LANDED, m->h2d.done - 1);
    if (needed_room(m, needed))
        return cause(CAUSE_ROOM, m->d2h.done - 1);
    return m->step ? cause(CAUSE_ORDER, m->step - 1) : cause(CAUSE_START, 0);
}

static struct cause cause_of_d2h(const struct machine *m) {
    if (m->d2h_ended)
        return cause(CAUSE_LANE, m->d2h.started - 1);
    return cause(CAUSE_PRODUCED, m->step - 1);
}

static struct cause cause_of_h2d(const struct machine *m, uint64_t needed) {
    const struct inbound *transfer = &m->in[m->h2d.started];
    if (m->h2d_ended)
        return cause(CAUSE_LANE, m->h2d.started - 1);
    if (m->d2h_ended && transfer->own_d2h == m->d2h.done - 1)
        return cause(CAUSE_ON_HOST, transfer->own_d2h);
    if (needed_room(m, needed))
        return cause(CAUSE_ROOM, m->d2h.done - 1);
    /* what is left is the end of step - 1: at the turn, into its prefetch distance, or out of a tight step */
    if (m->step == m->schedule->forward_count)
        return cause(CAUSE_BACKWARD, m->step - 1);
    return cause(m->step == transfer->earliest_step ? CAUSE_DISTANCE : CAUSE_STEP_ROOM, m->step - 1);
}

/* ---- starts and ends ------------------------------------------------------------------------------------------ */

void record_step_start(struct machine *m, uint64_t needed) {
    struct timeline_step *step = &m->recorder->timeline->steps[m->step];
    step->start_us = m->now_us;
    step->cause = cause_of_step(m, needed);
}

void record_step_end(struct machine *m) {
    m->recorder->timeline->steps[m->step].end_us = m->now_us;
}

void record_d2h_start(struct machine *m) {
    uint32_t i = m->d2h.started;
    m->recorder->timeline->d2h[i] = (struct timeline_transfer){
        .tensor = m->schedule->d2h[i], .start_us = m->now_us, .use_step = m->out[i].producer, .cause = cause_of_d2h(m)
    };
}

void record_d2h_end(struct machine *m) {
    m->recorder->timeline->d2h[m->d2h.done - 1].end_us = m->now_us;
}

void record_h2d_start(struct machine *m, uint64_t needed) {
    uint32_t i = m->h2d.started;
    m->recorder->timeline->h2d[i] = (struct timeline_transfer){
        .tensor = m->schedule->h2d[i], .start_us = m->now_us, .use_step = m->in[i].first_use,
        .cause = cause_of_h2d(m, needed)
    };
}

void record_h2d_end(struct machine *m) {
    m->recorder->timeline->h2d[m->h2d.done - 1].end_us = m->now_us;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static bool same_memory(const struct memory_sample *a, const struct memory_sample *b) {
    for (int state = 0; state < MEMORY_STATE_COUNT; state++)
        if (a->bytes[state] != b->bytes[state])
            return false;
    return a->step == b->step && a->running == b->running && a->host_bytes == b->host_bytes;
}

/* Nothing that happens later in the round changes memory: one sample tells the round. */
void record_round(struct machine *m) {
    struct recorder *r = m->recorder;
    struct timeline *timeline = r->timeline;
    struct memory_sample sample = {
        .at_us = m->now_us, .step = m->step, .running = m->running, .host_bytes = m->host_bytes,
        .bytes = { [MEMORY_KEPT] = r->parts[PART_KEPT][m->step], [MEMORY_DRAINING] = m->pending,
                   [MEMORY_PREFETCHED] = m->extra, [MEMORY_GRADIENTS] = r->parts[PART_GRADIENT][m->step],
                   [MEMORY_SCRATCH] = r->parts[PART_SCRATCH][m->step] }
    };
    if (timeline->memory_count && same_memory(&timeline->memory[timeline->memory_count - 1], &sample))
        return;
    if (m->running && memory_used(&sample) > r->peak_bytes) {
        r->peak_bytes = memory_used(&sample);
        timeline->peak_sample = timeline->memory_count;
    }
    timeline->memory[timeline->memory_count++] = sample;
}

/* ---- before and after ----------------------------------------------------------------------------------------- */

static const uint32_t *index_transfers(struct arena *arena, const struct profile *profile, const uint32_t *tensors,
                                       uint32_t count) {
    uint32_t *index = ARENA_ARRAY(arena, uint32_t, profile->tensor_count);
    if (!index)
        return NULL;
    for (uint32_t t = 0; t < profile->tensor_count; t++)
        index[t] = NONE;
    for (uint32_t i = 0; i < count; i++)
        index[tensors[i]] = i;
    return index;
}

/* Room for everything that can happen. A round that changes memory ends a step or a transfer; so do starts. */
static bool make_room(struct timeline *t, struct arena *arena) {
    const struct schedule *s = &t->schedule;
    size_t rounds = (size_t)s->step_count + s->d2h_count + s->h2d_count + 1;
    return (t->steps = ARENA_ARRAY(arena, struct timeline_step, s->step_count)) &&
           (t->d2h = ARENA_ARRAY(arena, struct timeline_transfer, s->d2h_count)) &&
           (t->h2d = ARENA_ARRAY(arena, struct timeline_transfer, s->h2d_count)) &&
           (t->memory = ARENA_ARRAY(arena, struct memory_sample, rounds));
}

enum ss_status recorder_begin(struct recorder *recorder, struct schedule_builder *builder, const struct plan *plan,
                              const struct link *link, uint64_t budget_bytes, struct arena *arena,
                              struct timeline *timeline, struct error *error) {
    const struct profile *profile = schedule_builder_profile(builder);
    *timeline = (struct timeline){ .profile = profile, .link = *link, .budget_bytes = budget_bytes };
    *recorder = (struct recorder){ .timeline = timeline, .arena = arena };
    timeline->link.name = arena_strdup(arena, link->name ? link->name : "");
    if (!timeline->link.name)
        return error_no_memory(error);
    enum ss_status status = plan_copy(&timeline->plan, arena, profile, plan, error);
    if (status != SS_OK)
        return status;
    const struct schedule *schedule;
    status = schedule_build(builder, plan, &schedule, error);
    if (status != SS_OK)
        return status;
    status = schedule_copy(&timeline->schedule, arena, profile, schedule, error);
    if (status != SS_OK)
        return status;
    timeline->d2h_of = index_transfers(arena, profile, schedule->d2h, schedule->d2h_count);
    timeline->h2d_of = index_transfers(arena, profile, schedule->h2d, schedule->h2d_count);
    if (!timeline->d2h_of || !timeline->h2d_of)
        return error_no_memory(error);
    if (schedule->peak_bytes > budget_bytes)
        return SS_OK; /* nothing will happen */
    if (!make_room(timeline, arena))
        return error_no_memory(error);
    return schedule_parts(builder, plan, arena, recorder->parts, error);
}

/* What kept the compute lane idle before STEP is what let STEP start at last. */
static struct stall describe_stall(const struct timeline *t, uint32_t step) {
    const struct timeline_step *slice = &t->steps[step];
    bool transfer = slice->cause.kind == CAUSE_LANDED;
    const struct timeline_transfer *awaited = &(transfer ? t->h2d : t->d2h)[slice->cause.index];
    return (struct stall){ .step = step, .start_us = t->steps[step - 1].end_us, .end_us = slice->start_us,
                           .kind = transfer ? STALL_TRANSFER : STALL_ROOM, .transfer = slice->cause.index,
                           .tensor = awaited->tensor, .held = awaited->cause };
}

static bool starts_late(const struct timeline *t, uint32_t step) {
    return t->steps[step].start_us > t->steps[step - 1].end_us;
}

static bool gather_stalls(struct timeline *t, struct arena *arena) {
    uint32_t count = 0;
    for (uint32_t k = 1; k < t->schedule.step_count; k++)
        count += starts_late(t, k);
    t->stalls = ARENA_ARRAY(arena, struct stall, count);
    if (!t->stalls)
        return false;
    for (uint32_t k = 1; k < t->schedule.step_count; k++)
        if (starts_late(t, k))
            t->stalls[t->stall_count++] = describe_stall(t, k);
    return true;
}

static double busy_us(const struct timeline_transfer *transfers, uint32_t count) {
    double busy = 0;
    for (uint32_t i = 0; i < count; i++)
        busy += transfers[i].end_us - transfers[i].start_us;
    return busy;
}

enum ss_status recorder_finish(struct recorder *recorder, struct error *error) {
    struct timeline *t = recorder->timeline;
    if (!t->totals.feasible)
        return SS_OK;
    for (uint32_t k = 0; k < t->schedule.step_count; k++)
        t->lane_busy_us[LANE_COMPUTE] += t->steps[k].end_us - t->steps[k].start_us;
    t->lane_busy_us[LANE_D2H] = busy_us(t->d2h, t->schedule.d2h_count);
    t->lane_busy_us[LANE_H2D] = busy_us(t->h2d, t->schedule.h2d_count);
    t->end_us = t->steps[t->schedule.step_count - 1].end_us;
    return gather_stalls(t, recorder->arena) ? SS_OK : error_no_memory(error);
}
