/* sim_machine: the state of one simulation, shared by the loop (sim.c) and its recorder (sim_record.c).
 *
 * Time goes in rounds. A round is an instant: the lanes' completions that belong to it, then the starts these allow.
 * Rounds may share their time: what takes no time ends in a round of its own (MODEL.md §4). A start always happens in
 * the round of the completion that let it, so causes are found by looking at that round alone. */
#ifndef SLACKSWAP_CORE_SIM_MACHINE_H
#define SLACKSWAP_CORE_SIM_MACHINE_H

#include "schedule.h"
#include "timeline.h"

enum lane_phase { LANE_IDLE, LANE_IN_LATENCY, LANE_MOVING };

/* One direction of the link: a queue of transfers, at most one of them under way. */
struct transfer_lane {
    uint32_t count, started, done; /* of its queue; started is done or done + 1 */
    enum lane_phase phase;
    double event_us;     /* when its latency or its bytes come to an end; INFINITY when idle */
    double bytes_left;   /* at since_us */
    double since_us;
    double rate;         /* bytes/us since then; 0 when it has yet to be settled */
    double rate_alone, rate_both;
};

struct outbound { uint64_t bytes; uint32_t producer, last_forward; };
struct inbound {
    uint64_t bytes;
    uint32_t first_use, own_d2h;
    uint32_t earliest_step; /* the backward pass has begun and first_use is within the prefetch distance */
};

/* A step of the window in which a return must find room, with req + extra less `window_offset`. */
struct window_entry { int64_t level; uint32_t step; };

struct recorder;

struct machine {
    /* the work */
    const struct schedule *schedule;
    const struct outbound *out;      /* d2h queue */
    const struct inbound *in;        /* h2d queue */
    const uint32_t *leaving_tensor;  /* managed tensors by last forward use */
    const uint32_t *leaving_op;      /* that use; NONE ends the list */
    const uint32_t *d2h_of;          /* tensor -> place in d2h queue, valid for offloaded ones */
    const uint8_t *action;
    uint64_t budget_bytes;
    double latency_us;
    struct recorder *recorder;       /* NULL: totals alone */

    /* compute */
    double now_us;
    uint32_t step;                   /* running, or waited for */
    bool running;
    double step_end_us, idle_since_us;
    double stall_us;

    /* transfers */
    struct transfer_lane d2h, h2d;
    bool lanes_changed;              /* a lane began or ceased to move: rates are to be settled */
    /* Gates: what the heads of the queues wait for at least, so that most rounds ask one question a lane. */
    uint32_t landing_gate;           /* first use of the next return to land: compute stops there; NONE: no more */
    uint32_t d2h_gate;               /* D2H may start after this step; NONE: its lane is busy or its queue empty */
    uint32_t h2d_gate;               /* H2D may start from this step on; NONE likewise */

    /* memory */
    uint64_t extra;                  /* returns under way or landed before their first use: extra(step) */
    uint32_t in_use;                 /* returns whose first use has come: they count in req, no longer in extra */
    uint64_t pending;
    uint32_t leaving;                /* how many of leaving_tensor have left */
    uint64_t host_bytes, host_peak_bytes, peak_bytes;

    /* The room test of the H2D head: max of req + extra over the window [step, first use - 1]. Its ends only move
     * forward, so the candidates for the maximum form a queue of falling levels. A start adds its bytes to the whole
     * window and steps beyond it have no extra yet: one offset serves all entries. */
    struct window_entry *window;
    uint32_t window_head, window_tail, window_end; /* window_end: first step not yet entered */
    uint64_t window_offset;

    /* the round at hand, for causes */
    bool d2h_ended, h2d_ended;
    uint64_t freed;                  /* bytes that a D2H took out of pending */
};

/* Completions less than this after the earliest belong to its instant. */
#define SAME_INSTANT_US 1e-6

/* What the loop tells its recorder. NEEDED is the left side of the room test that the start has just passed. */
void record_step_start(struct machine *machine, uint64_t needed);
void record_d2h_start(struct machine *machine);
void record_h2d_start(struct machine *machine, uint64_t needed);
void record_step_end(struct machine *machine);
void record_d2h_end(struct machine *machine);
void record_h2d_end(struct machine *machine);
void record_round(struct machine *machine);

#endif
