/* timeline: what happened in one simulated step — lanes, memory curve, causes, stalls (MODEL.md §4).
 * Times are microseconds from the start of the step; fixed_us comes after the last B and has no slice.
 * Everything lives in the arena given to sim_run and is read-only afterwards. */
#ifndef SLACKSWAP_CORE_TIMELINE_H
#define SLACKSWAP_CORE_TIMELINE_H

#include "base.h"
#include "lane.h"
#include "plan.h"
#include "schedule.h"
#include "sim.h"

/* Why something started when it did: the completion that let it start. */
enum cause_kind {
    CAUSE_START,        /* nothing: it started with the step (time 0) */
    CAUSE_ORDER,        /* compute: the step before it ended;            index = that step */
    CAUSE_LANDED,       /* compute: its tensor landed on the GPU;        index = transfer in h2d[] */
    CAUSE_ROOM,         /* a D2H ended and freed room;                   index = transfer in d2h[] */
    CAUSE_STEP_ROOM,    /* a transfer: a compute step ended and its room could be used; index = step */
    CAUSE_LANE,         /* a transfer: the one before it on its lane ended; index = transfer, same lane */
    CAUSE_PRODUCED,     /* D2H: its producer's F ended;                  index = step */
    CAUSE_ON_HOST,      /* H2D: its own D2H ended;                       index = transfer in d2h[] */
    CAUSE_DISTANCE,     /* H2D: compute came within its prefetch distance; index = step that ended */
    CAUSE_BACKWARD,     /* H2D: the forward pass ended;                  index = step that ended */
    CAUSE_KIND_COUNT
};
struct cause { uint8_t kind; uint32_t index; };

struct timeline_step { double start_us, end_us; struct cause cause; };

struct timeline_transfer {
    uint32_t tensor;
    double start_us, end_us;
    uint32_t use_step;       /* H2D: first backward use; D2H: the producer's F step */
    struct cause cause;
};

/* A gap on the compute lane before STEP. */
enum stall_kind { STALL_TRANSFER, STALL_ROOM };
struct stall {
    uint32_t step;
    double start_us, end_us;
    uint8_t kind;            /* enum stall_kind */
    uint32_t transfer;       /* STALL_TRANSFER: in h2d[]; STALL_ROOM: in d2h[], the one that frees it */
    uint32_t tensor;
    struct cause held;       /* what held that transfer's start */
};

/* Memory is constant between two samples; samples may share their time when steps take none. MEMORY_* stack up to
 * used = req(step) + extra + pending: kept (forward and backward copies), draining (pending), prefetched (extra),
 * gradients, scratch (workspace, chain intermediates). */
enum memory_state { MEMORY_KEPT, MEMORY_DRAINING, MEMORY_PREFETCHED, MEMORY_GRADIENTS, MEMORY_SCRATCH, MEMORY_STATE_COUNT };
struct memory_sample {
    double at_us;            /* ascending; holds until the next sample */
    uint32_t step;           /* the step running or waited for */
    bool running;            /* false: waited for. What it needs is counted, and need not fit the budget yet */
    uint64_t bytes[MEMORY_STATE_COUNT];
    uint64_t host_bytes;
};

struct timeline {
    struct sim_totals totals;
    const struct profile *profile;
    struct plan plan;               /* its own copy */
    struct link link;
    uint64_t budget_bytes;          /* the budget that counted */
    struct schedule schedule;       /* its own copy */
    struct timeline_step *steps;    /* schedule.step_count entries; NULL when infeasible */
    struct timeline_transfer *d2h, *h2d; /* in lane order; schedule.d2h_count / h2d_count */
    const uint32_t *d2h_of, *h2d_of; /* tensor -> index in d2h / h2d, or NONE */
    struct stall *stalls; uint32_t stall_count;   /* ascending in time */
    struct memory_sample *memory; uint32_t memory_count;
    uint32_t peak_sample;           /* first sample at which a step runs and memory is largest */
    double end_us;                  /* end of the last B */
    double lane_busy_us[LANE_COUNT];
};

/* One thing on a lane. */
struct event { uint8_t lane; uint32_t index; };

/* What EVENT waited for: the event whose completion let it start. False at the start of time. */
bool timeline_cause(const struct timeline *timeline, struct event event, struct event *cause);
double timeline_start(const struct timeline *timeline, struct event event);
double timeline_end(const struct timeline *timeline, struct event event);
/* The last step that started at or before AT_US on LANE, or NONE; log n. */
uint32_t timeline_at(const struct timeline *timeline, enum lane lane, double at_us);
/* The memory sample that holds at AT_US (the first before time 0); log n. Only where memory_count > 0: an infeasible
 * plan has no samples. */
uint32_t timeline_memory_at(const struct timeline *timeline, double at_us);
uint64_t memory_used(const struct memory_sample *sample);
/* The critical path, from the last B back to the start: COUNT events, newest first, in ARENA. */
enum ss_status timeline_critical_path(const struct timeline *timeline, struct arena *arena, struct event **path,
                                      uint32_t *count, struct error *error);

#endif
