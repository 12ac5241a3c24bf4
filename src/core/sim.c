/* sim: playing a schedule out in time on three lanes (MODEL.md §4). */
#include "sim.h"

#include <math.h>
#include <stdlib.h>

#include "sim_machine.h"
#include "sim_record.h"

struct simulator {
    const struct profile *profile;
    struct schedule_builder *builder;
    struct arena arena;            /* what the profile fixes */
    struct outbound *out;
    struct inbound *in;
    uint32_t *leaving_tensor, *leaving_op;
    uint32_t *d2h_of;
    struct window_entry *window;   /* grows with the schedule's steps */
    uint32_t window_capacity;
};

/* ---- making one ----------------------------------------------------------------------------------------------- */

/* Managed tensors by last forward use: a counting sort. */
static bool list_leaving(struct simulator *sim) {
    const struct profile *p = sim->profile;
    uint32_t *at = calloc((size_t)p->op_count + 1, sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < p->managed_count; i++)
        at[p->tensors[p->managed[i]].last_forward + 1]++;
    for (uint32_t i = 0; i < p->op_count; i++)
        at[i + 1] += at[i];
    for (uint32_t i = 0; i < p->managed_count; i++) {
        uint32_t op = p->tensors[p->managed[i]].last_forward;
        sim->leaving_tensor[at[op]] = p->managed[i];
        sim->leaving_op[at[op]++] = op;
    }
    sim->leaving_op[p->managed_count] = NONE;
    free(at);
    return true;
}

struct simulator *simulator_new(const struct profile *profile, struct error *error) {
    struct schedule_builder *builder = schedule_builder_new(profile, error);
    if (!builder)
        return NULL;
    struct simulator *sim = calloc(1, sizeof *sim);
    if (!sim) {
        schedule_builder_free(builder);
        error_no_memory(error);
        return NULL;
    }
    sim->profile = profile;
    sim->builder = builder;
    if ((sim->out = ARENA_ARRAY(&sim->arena, struct outbound, profile->managed_count)) &&
        (sim->in = ARENA_ARRAY(&sim->arena, struct inbound, profile->managed_count)) &&
        (sim->leaving_tensor = ARENA_ARRAY(&sim->arena, uint32_t, profile->managed_count)) &&
        (sim->leaving_op = ARENA_ARRAY(&sim->arena, uint32_t, (size_t)profile->managed_count + 1)) &&
        (sim->d2h_of = ARENA_ARRAY(&sim->arena, uint32_t, profile->tensor_count)) && list_leaving(sim))
        return sim;
    simulator_free(sim);
    error_no_memory(error);
    return NULL;
}

void simulator_free(struct simulator *simulator) {
    if (!simulator)
        return;
    schedule_builder_free(simulator->builder);
    arena_free(&simulator->arena);
    free(simulator->window);
    free(simulator);
}

struct schedule_builder *simulator_builder(struct simulator *simulator) {
    return simulator->builder;
}

/* ---- setting a run up ----------------------------------------------------------------------------------------- */

static void queue_transfers(struct simulator *sim, const struct schedule *s, const struct plan *plan) {
    const struct tensor *tensors = sim->profile->tensors;
    for (uint32_t i = 0; i < s->d2h_count; i++) {
        uint32_t t = s->d2h[i];
        sim->d2h_of[t] = i;
        sim->out[i] = (struct outbound){ tensors[t].bytes, tensors[t].producer, tensors[t].last_forward };
    }
    for (uint32_t i = 0; i < s->h2d_count; i++) {
        uint32_t t = s->h2d[i], first_use = s->first_use[t], distance = plan_prefetch(plan, t);
        uint32_t earliest = distance < first_use ? first_use - distance : 0;
        sim->in[i] = (struct inbound){ tensors[t].bytes, first_use, sim->d2h_of[t],
                                       earliest > s->forward_count ? earliest : s->forward_count };
    }
}

static bool fit_window(struct simulator *sim, uint32_t steps) {
    if (steps <= sim->window_capacity)
        return true;
    uint32_t capacity = steps + steps / 2;
    struct window_entry *larger = realloc(sim->window, capacity * sizeof *larger);
    if (!larger)
        return false;
    sim->window = larger;
    sim->window_capacity = capacity;
    return true;
}

static struct transfer_lane idle_lane(uint32_t count, double gb_per_s, double both_gb_per_s) {
    return (struct transfer_lane){ .count = count, .phase = LANE_IDLE, .event_us = INFINITY,
                                   .rate_alone = gb_per_s_to_bytes_per_us(gb_per_s),
                                   .rate_both = gb_per_s_to_bytes_per_us(both_gb_per_s) };
}

static struct machine set_up(const struct simulator *sim, const struct schedule *s, const struct plan *plan,
                             const struct link *link, uint64_t budget_bytes, struct recorder *recorder) {
    return (struct machine){
        .schedule = s, .out = sim->out, .in = sim->in, .leaving_tensor = sim->leaving_tensor,
        .leaving_op = sim->leaving_op, .d2h_of = sim->d2h_of, .action = plan->action, .budget_bytes = budget_bytes,
        .latency_us = link->latency_us, .recorder = recorder, .window = sim->window,
        .d2h = idle_lane(s->d2h_count, link->d2h_gb_per_s, link->d2h_both_gb_per_s),
        .h2d = idle_lane(s->h2d_count, link->h2d_gb_per_s, link->h2d_both_gb_per_s),
    };
}

/* ---- starts --------------------------------------------------------------------------------------------------- */

static inline uint64_t resident(const struct machine *m) {
    return m->schedule->requirement[m->step] + m->extra + m->pending;
}

static inline void start_step(struct machine *m) {
    if (m->running || m->landing_gate <= m->step)
        return;
    uint64_t needed = resident(m);
    if (needed > m->budget_bytes)
        return;
    m->running = true;
    m->step_end_us = m->now_us + m->schedule->duration_us[m->step];
    m->stall_us += m->now_us - m->idle_since_us;
    if (needed > m->peak_bytes)
        m->peak_bytes = needed;
    if (m->recorder)
        record_step_start(m, needed);
}

/* A transfer starts beside LANE, which was expected to move its bytes alone: while in its latency it can't know any
 * more, and has to look again when that ends. */
static void reconsider(struct transfer_lane *lane, double now_us) {
    if (lane->phase != LANE_MOVING || lane->since_us <= now_us)
        return;
    lane->phase = LANE_IN_LATENCY;
    lane->event_us = lane->since_us;
    lane->rate = 0;
}

/* Starts a transfer of BYTES. While the other lane is idle its latency and its bytes are one event; otherwise the rate
 * is settled when the latency ends. */
static void start_transfer(struct machine *m, struct transfer_lane *lane, struct transfer_lane *other,
                           uint64_t bytes) {
    bool latent = m->latency_us > SAME_INSTANT_US;
    lane->started++;
    lane->bytes_left = (double)bytes;
    lane->since_us = latent ? m->now_us + m->latency_us : m->now_us;
    lane->phase = LANE_MOVING;
    if (other->phase == LANE_IDLE) {
        lane->rate = lane->rate_alone;
        lane->event_us = lane->since_us + lane->bytes_left / lane->rate;
        return;
    }
    reconsider(other, m->now_us);
    lane->rate = 0;
    lane->event_us = lane->since_us;
    if (latent)
        lane->phase = LANE_IN_LATENCY;
    else
        m->lanes_changed = true;
}

static void start_d2h(struct machine *m) {
    uint64_t bytes = m->out[m->d2h.started].bytes;
    m->host_bytes += bytes;
    if (m->host_bytes > m->host_peak_bytes)
        m->host_peak_bytes = m->host_bytes;
    if (m->recorder)
        record_d2h_start(m);
    start_transfer(m, &m->d2h, &m->h2d, bytes);
    m->d2h_gate = NONE;
}

/* The largest req + extra over [step, FIRST_USE - 1]. */
static uint64_t window_maximum(struct machine *m, uint32_t first_use) {
    struct window_entry *window = m->window;
    const uint64_t *requirement = m->schedule->requirement;
    uint32_t head = m->window_head, tail = m->window_tail, end = m->window_end;
    for (end = end < m->step ? m->step : end; end < first_use; end++) {
        int64_t level = (int64_t)(requirement[end] - m->window_offset);
        while (tail > head && window[tail - 1].level <= level)
            tail--;
        window[tail++] = (struct window_entry){ level, end };
    }
    while (window[head].step < m->step)
        head++;
    m->window_head = head;
    m->window_tail = tail;
    m->window_end = end;
    return (uint64_t)window[head].level + m->window_offset;
}

/* Returns whose first use has come count in req(step) from here on. */
static inline void hand_over_to_requirement(struct machine *m) {
    while (m->in_use < m->h2d.started && m->in[m->in_use].first_use <= m->step)
        m->extra -= m->in[m->in_use++].bytes;
}

static void start_h2d(struct machine *m) {
    const struct inbound *head = &m->in[m->h2d.started];
    if (head->own_d2h >= m->d2h.done)
        return;
    bool early = head->first_use > m->step;
    uint64_t needed = early ? window_maximum(m, head->first_use) + m->pending + head->bytes : resident(m);
    if (needed > m->budget_bytes)
        return;
    if (m->recorder)
        record_h2d_start(m, needed);
    start_transfer(m, &m->h2d, &m->d2h, head->bytes);
    m->h2d_gate = NONE;
    m->extra += head->bytes;
    if (early)
        m->window_offset += head->bytes;
    hand_over_to_requirement(m);
    if (m->running && resident(m) > m->peak_bytes)
        m->peak_bytes = resident(m);
}

/* One pass is enough: a start takes room and lanes, it never makes any. */
static inline void start_all(struct machine *m) {
    start_step(m);
    if (m->d2h_gate < m->step)
        start_d2h(m);
    if (m->h2d_gate <= m->step)
        start_h2d(m);
    if (m->recorder)
        record_round(m);
}

/* ---- rates ---------------------------------------------------------------------------------------------------- */

static void settle_rate(struct transfer_lane *lane, double rate, double now_us) {
    if (lane->phase != LANE_MOVING || lane->rate == rate)
        return;
    lane->bytes_left -= (now_us - lane->since_us) * lane->rate;
    if (lane->bytes_left < 0)
        lane->bytes_left = 0;
    lane->since_us = now_us;
    lane->rate = rate;
    lane->event_us = now_us + lane->bytes_left / rate;
}

static void settle_rates(struct machine *m) {
    bool both = m->d2h.phase == LANE_MOVING && m->h2d.phase == LANE_MOVING;
    settle_rate(&m->d2h, both ? m->d2h.rate_both : m->d2h.rate_alone, m->now_us);
    settle_rate(&m->h2d, both ? m->h2d.rate_both : m->h2d.rate_alone, m->now_us);
    m->lanes_changed = false;
}

/* ---- completions ---------------------------------------------------------------------------------------------- */

static inline void end_step(struct machine *m) {
    uint32_t step = m->step;
    m->running = false;
    m->idle_since_us = m->now_us;
    if (m->recorder)
        record_step_end(m);
    /* forward copies whose last forward use this was wait for their D2H */
    for (; m->leaving_op[m->leaving] <= step; m->leaving++) {
        uint32_t t = m->leaving_tensor[m->leaving];
        if (m->action[t] == ACTION_OFFLOAD && m->d2h_of[t] >= m->d2h.done)
            m->pending += m->out[m->d2h_of[t]].bytes;
    }
    m->step = step + 1;
    hand_over_to_requirement(m);
}

/* LANE's latency or its bytes have come to an end. True when that ends its transfer. */
static bool advance_lane(struct machine *m, struct transfer_lane *lane) {
    m->lanes_changed = true;
    if (lane->phase == LANE_IN_LATENCY && lane->bytes_left > SAME_INSTANT_US * lane->rate_alone) {
        lane->phase = LANE_MOVING;
        lane->since_us = m->now_us;
        return false;
    }
    lane->phase = LANE_IDLE;
    lane->event_us = INFINITY;
    lane->done++;
    return true;
}

static void open_d2h_gate(struct machine *m) {
    m->d2h_gate = m->d2h.done < m->d2h.count ? m->out[m->d2h.done].producer : NONE;
}

static void open_h2d_gate(struct machine *m) {
    m->h2d_gate = m->h2d.done < m->h2d.count ? m->in[m->h2d.done].earliest_step : NONE;
    m->landing_gate = m->h2d.done < m->h2d.count ? m->in[m->h2d.done].first_use : NONE;
}

static void end_d2h(struct machine *m) {
    const struct outbound *transfer = &m->out[m->d2h.done - 1];
    if (m->recorder)
        record_d2h_end(m);
    if (transfer->last_forward < m->step) {
        m->pending -= transfer->bytes;
        m->freed = transfer->bytes;
    }
    open_d2h_gate(m);
}

static void end_h2d(struct machine *m) {
    if (m->recorder)
        record_h2d_end(m);
    m->host_bytes -= m->in[m->h2d.done - 1].bytes;
    open_h2d_gate(m);
}

/* Completions at this instant, in the order compute, D2H, H2D. False when there is none (a latency ended). */
static inline bool end_all(struct machine *m) {
    double instant_end_us = m->now_us + SAME_INSTANT_US;
    bool step_ended = m->running && m->step_end_us <= instant_end_us;
    m->d2h_ended = m->h2d_ended = false;
    m->freed = 0;
    if (step_ended)
        end_step(m);
    if (m->d2h.event_us <= instant_end_us && (m->d2h_ended = advance_lane(m, &m->d2h)))
        end_d2h(m);
    if (m->h2d.event_us <= instant_end_us && (m->h2d_ended = advance_lane(m, &m->h2d)))
        end_h2d(m);
    return step_ended || m->d2h_ended || m->h2d_ended;
}

/* ---- the loop ------------------------------------------------------------------------------------------------- */

static enum ss_status explain_end_of_time(const struct machine *m, struct error *error) {
    if (m->running || m->d2h.phase != LANE_IDLE || m->h2d.phase != LANE_IDLE)
        return error_set(error, SS_BAD_INPUT, "the step takes longer than a number can tell");
    return error_set(error, SS_INTERNAL, "the simulation is stuck before step %u of %u", m->step,
                     m->schedule->step_count);
}

/* Plays the machine to the end of the last B. A feasible plan never gets stuck (MODEL.md §3): a step that waits for
 * room waits for pending bytes, which D2H drains, and one that waits for a return is the first use of the H2D head,
 * for which there is room as soon as nothing is pending. */
static enum ss_status play(struct machine *m, struct error *error) {
    open_d2h_gate(m);
    open_h2d_gate(m);
    for (bool changed = true; m->step < m->schedule->step_count; changed = end_all(m)) {
        if (changed)
            start_all(m);
        if (m->lanes_changed)
            settle_rates(m);
        double next_us = m->running ? m->step_end_us : INFINITY;
        if (m->d2h.event_us < next_us)
            next_us = m->d2h.event_us;
        if (m->h2d.event_us < next_us)
            next_us = m->h2d.event_us;
        if (isinf(next_us))
            return explain_end_of_time(m, error);
        m->now_us = next_us;
    }
    return SS_OK;
}

static uint64_t moved_bytes(const struct machine *m) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m->d2h.count; i++)
        bytes += m->out[i].bytes;
    return bytes;
}

/* Lays PLAN out and, when it fits, plays it. */
static enum ss_status simulate(struct simulator *sim, const struct plan *plan, const struct link *link,
                               uint64_t budget_bytes, struct recorder *recorder, struct sim_totals *totals,
                               struct error *error) {
    const struct schedule *s;
    enum ss_status status = schedule_build(sim->builder, plan, &s, error);
    if (status != SS_OK)
        return status;
    *totals = (struct sim_totals){ .feasible = s->peak_bytes <= budget_bytes, .required_bytes = s->peak_bytes,
                                   .required_step = s->peak_step, .recompute_us = s->recompute_us };
    if (!totals->feasible)
        return SS_OK;
    if (!fit_window(sim, s->step_count))
        return error_no_memory(error);
    queue_transfers(sim, s, plan);
    struct machine machine = set_up(sim, s, plan, link, budget_bytes, recorder);
    status = play(&machine, error);
    if (status != SS_OK)
        return status;
    totals->step_us = machine.now_us + sim->profile->fixed_us;
    totals->stall_us = machine.stall_us;
    totals->peak_bytes = machine.peak_bytes;
    totals->host_peak_bytes = machine.host_peak_bytes;
    totals->d2h_bytes = totals->h2d_bytes = moved_bytes(&machine);
    return SS_OK;
}

static uint64_t budget_that_counts(const struct plan *plan, uint64_t budget_bytes) {
    return plan->budget_bytes < budget_bytes ? plan->budget_bytes : budget_bytes;
}

enum ss_status sim_evaluate(struct simulator *simulator, const struct plan *plan, const struct link *link,
                            uint64_t budget_bytes, struct sim_totals *totals, struct error *error) {
    return simulate(simulator, plan, link, budget_that_counts(plan, budget_bytes), NULL, totals, error);
}

enum ss_status sim_run(struct simulator *simulator, const struct plan *plan, const struct link *link,
                       uint64_t budget_bytes, struct arena *arena, struct timeline *out, struct error *error) {
    struct recorder recorder;
    uint64_t budget = budget_that_counts(plan, budget_bytes);
    enum ss_status status = recorder_begin(&recorder, simulator->builder, plan, link, budget, arena, out, error);
    if (status == SS_OK)
        status = simulate(simulator, plan, link, budget, &recorder, &out->totals, error);
    return status == SS_OK ? recorder_finish(&recorder, error) : status;
}
