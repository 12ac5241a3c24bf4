/* kineto_link: one training step out of a trace, its forward tied to its backward and both to the work on the GPU.
 *
 * The step is a ProfilerStep: what its thread's clock encloses. On its thread, the outermost ops are the forward (scopes
 * that only name others, "enumerate(DataLoader)#…", are looked through); the outermost backward ops of its process
 * carry autograd's sequence number. A number belongs to the last op that carries it before the backward starts, for ops
 * without gradient carry the next op's; the outermost op around it is the row. Where no number ties a backward op, an
 * arrow ("fwdbwd") may. A kernel belongs to the outermost op that runs when its launch does (by correlation).
 *
 * Bytes: [memory] events of the op's thread within the op. What is allocated and freed again inside is workspace, the
 * rest is what the op retains. */
#ifndef SLACKSWAP_IO_KINETO_LINK_H
#define SLACKSWAP_IO_KINETO_LINK_H

#include "core/measured.h"
#include "kineto_trace.h"

struct kineto_row {
    uint32_t op;                    /* in trace.ops */
    int64_t sequence;               /* the last one tied */
    int64_t forward_ns, backward_ns; /* kernels, copies and fills; without a GPU, the ops' own time */
    int64_t retained_bytes;         /* >= 0; 0 too where there are no [memory] events */
    int64_t forward_workspace_bytes, backward_workspace_bytes;
    uint32_t backward_ops;          /* how many are tied to it */
};

struct kineto_links {
    struct kineto_row *rows;        /* in time order, only ops with a backward; in the arena given */
    uint32_t row_count;
    int64_t step_number, step_ns;   /* number -1: the trace has no steps, all of it is taken for one */
    uint32_t thread;                /* of the forward, a word */
    bool on_gpu;                    /* there are kernels */
    bool has_memory;                /* there are [memory] events for the device in this step */
    int64_t device;
    int64_t other_ns;               /* on that device in the step, beside the rows: optimizer, gradients, copies */
    int64_t collective_ns;          /* likewise, nccl kernels: they run beside the rest, and are left out */
    struct measured *measured;      /* what the GPU did in the step; NULL without one */
    uint32_t streams;               /* with kernels of the rows */
    uint32_t untied_backward, tied_by_arrow, collectives, foreign_kernels;
    /* Kernels of the whole file, by thread of the launch. */
    int64_t forward_thread_ns, backward_thread_ns, unlinked_ns;
    uint32_t unlinked_kernels;
};

/* STEP: the number asked for, or NULL for the last step that has a backward. DEVICE: the GPU asked for, whose steps alone
 * count, or NULL for the one that works most in the step. Reorders trace's lists. SS_BAD_INPUT when the trace has no
 * backward, or none that can be tied; SS_USAGE when it has no such step or GPU. */
enum ss_status kineto_link(struct kineto_trace *trace, const int64_t *step, const int64_t *device, struct arena *arena,
                           struct kineto_links *links, struct error *error);

#endif
