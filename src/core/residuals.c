/* measured: see measured.h. */
#include "residuals.h"

#include <math.h>
#include <stdlib.h>

/* A measurement and, once it is matched, the event's place on its lane. */
struct matched { uint32_t place; double start_us, end_us; };

struct matching {
    const struct timeline *timeline;
    struct arena arena;
    uint32_t *next_run;   /* op -> its first recompute step without a measurement yet, or NONE */
    uint32_t *run_after;  /* recompute step -> the next of the same op, or NONE */
    struct matched *list[LANE_COUNT];
    uint32_t count[LANE_COUNT];
};

static int by_start(const void *a, const void *b) {
    const struct measurement *x = a, *y = b;
    if (x->start_us != y->start_us)
        return x->start_us < y->start_us ? -1 : 1;
    return x->end_us < y->end_us ? -1 : x->end_us > y->end_us;
}

static void list_runs(struct matching *m) {
    const struct schedule *schedule = &m->timeline->schedule;
    for (uint32_t op = 0; op < m->timeline->profile->op_count; op++)
        m->next_run[op] = NONE;
    for (uint32_t k = schedule->step_count; k-- > 0;) {
        if (schedule->kind[k] != STEP_RECOMPUTE)
            continue;
        m->run_after[k] = m->next_run[schedule->op[k]];
        m->next_run[schedule->op[k]] = k;
    }
}

static uint32_t next_recompute(struct matching *m, uint32_t op) {
    const uint32_t step = m->next_run[op];
    if (step != NONE)
        m->next_run[op] = m->run_after[step];
    return step;
}

static uint32_t place_of(struct matching *m, const struct measurement *measurement) {
    const struct timeline *timeline = m->timeline;
    if (measurement->lane == LANE_D2H)
        return timeline->d2h_of[measurement->subject];
    if (measurement->lane == LANE_H2D)
        return timeline->h2d_of[measurement->subject];
    switch (measurement->kind) {
    case STEP_FORWARD: return measurement->subject; /* forward steps are the ops in their order */
    case STEP_BACKWARD: return timeline->schedule.backward_step[measurement->subject];
    default: return next_recompute(m, measurement->subject);
    }
}

static uint32_t lane_length(const struct timeline *timeline, int lane) {
    return lane == LANE_COMPUTE ? timeline->schedule.step_count
         : lane == LANE_D2H     ? timeline->schedule.d2h_count
                                : timeline->schedule.h2d_count;
}

static int by_place(const void *a, const void *b) {
    const struct matched *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_size(const void *a, const void *b) {
    const struct residual *x = a, *y = b;
    const double left = fabs(residual_of(x)), right = fabs(residual_of(y));
    if (left != right)
        return left > right ? -1 : 1;
    return x->event.index < y->event.index ? -1 : x->event.index > y->event.index;
}

static enum ss_status match_all(struct matching *m, struct residuals *out, const struct measurement *measurements,
                                uint32_t count, struct error *error) {
    struct measurement *sorted = ARENA_ARRAY(&m->arena, struct measurement, count);
    m->next_run = ARENA_ARRAY(&m->arena, uint32_t, m->timeline->profile->op_count);
    m->run_after = ARENA_ARRAY(&m->arena, uint32_t, m->timeline->schedule.step_count);
    for (int lane = 0; lane < LANE_COUNT; lane++)
        m->list[lane] = ARENA_ARRAY(&m->arena, struct matched, count);
    if (!sorted || !m->next_run || !m->run_after || !m->list[LANE_COMPUTE] || !m->list[LANE_D2H] || !m->list[LANE_H2D])
        return error_no_memory(error);
    list_runs(m);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = measurements[i];
    qsort(sorted, count, sizeof *sorted, by_start);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t lane = sorted[i].lane;
        const uint32_t place = place_of(m, &sorted[i]);
        if (place == NONE)
            out->lane[lane].unmatched++;
        else
            m->list[lane][m->count[lane]++] = (struct matched){ place, sorted[i].start_us, sorted[i].end_us };
    }
    return SS_OK;
}

/* Of an event that was measured twice the first counts, the others match nothing. */
static void drop_doubles(struct matching *m, struct lane_residuals *out, int lane) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count[lane]; i++) {
        if (kept > 0 && m->list[lane][kept - 1].place == m->list[lane][i].place)
            out->unmatched++;
        else
            m->list[lane][kept++] = m->list[lane][i];
    }
    m->count[lane] = kept;
}

static void measure_lane(struct matching *m, struct lane_residuals *out, int lane) {
    double late_before = 0;
    qsort(m->list[lane], m->count[lane], sizeof *m->list[lane], by_place);
    drop_doubles(m, out, lane);
    out->count = m->count[lane];
    out->unmeasured = lane_length(m->timeline, lane) - out->count;
    for (uint32_t i = 0; i < out->count; i++) {
        const struct matched *matched = &m->list[lane][i];
        const struct event event = { (uint8_t)lane, matched->place };
        const double start = timeline_start(m->timeline, event), end = timeline_end(m->timeline, event);
        struct residual *residual = &out->residuals[i];
        *residual = (struct residual){ .event = event, .start_us = matched->start_us, .end_us = matched->end_us,
                                       .late_us = matched->end_us - end };
        residual->longer_us = (matched->end_us - matched->start_us) - (end - start);
        residual->waited_us = residual->late_us - late_before - residual->longer_us;
        late_before = residual->late_us;
        out->longer_us += residual->longer_us;
        out->mean_us += fabs(residual->late_us) / out->count;
    }
    out->late_us = late_before;
    qsort(out->residuals, out->count, sizeof *out->residuals, by_size);
}

enum ss_status residuals_compute(struct residuals *out, struct arena *arena, const struct timeline *timeline,
                                 const struct measurement *measurements, uint32_t count, struct error *error) {
    struct matching m = { .timeline = timeline };
    *out = (struct residuals){ 0 };
    enum ss_status status = match_all(&m, out, measurements, count, error);
    for (int lane = 0; lane < LANE_COUNT && status == SS_OK; lane++) {
        out->lane[lane].residuals = ARENA_ARRAY(arena, struct residual, m.count[lane]);
        if (out->lane[lane].residuals)
            measure_lane(&m, &out->lane[lane], lane);
        else
            status = error_no_memory(error);
    }
    arena_free(&m.arena);
    return status;
}
