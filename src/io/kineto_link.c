#include "kineto_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kineto_measured.h"

struct work_at { int64_t at; uint32_t thread; }; /* when a kernel was launched, and by whom */
struct carrier { int64_t sequence, start; uint32_t op; }; /* of a sequence number, in forward */

struct linker {
    struct kineto_trace *trace;
    struct arena *arena, scratch;
    struct kineto_links *links;
    struct error *error;
    uint32_t *top;              /* beside trace.ops: the outermost op around it; NONE for a scope */
    bool *backward;             /* beside trace.ops: outermost, and backward */
    uint32_t *row;              /* beside trace.ops: of an outermost op, forward or backward; NONE */
    uint32_t *tops;             uint32_t top_count; /* ascending */
    bool *backward_thread;      /* beside trace.words */
    struct carrier *carriers;   uint32_t carrier_count;
    uint32_t carried_thread;    /* whose carriers these are */
    int64_t from, to;           /* the step */
    const int64_t *device;      /* asked for; NULL: any */
    struct work_at *works;      uint32_t work_count; /* of that device, by the launch's time */
    uint32_t *in_step;          uint32_t in_step_count; /* in trace.kernels: of the device, launched in the step */
};

static int sign(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_ops(const void *a, const void *b) {
    const struct kineto_op *p = a, *q = b;
    int order = sign(p->thread, q->thread);
    if (order == 0)
        order = sign(p->start, q->start);
    if (order == 0)
        order = sign(q->end, p->end);
    if (order == 0)
        order = sign(p->sequence >= 0, q->sequence >= 0); /* wrappers of one length: the inner one carries the number */
    return order ? order : sign(p->name, q->name);
}

static int compare_launches(const void *a, const void *b) {
    const struct kineto_launch *p = a, *q = b;
    const int order = sign(p->correlation, q->correlation);
    return order ? order : sign(p->at, q->at);
}

static int compare_memory(const void *a, const void *b) {
    const struct kineto_memory *p = a, *q = b;
    int order = sign(p->thread, q->thread);
    if (order == 0)
        order = sign(p->at, q->at);
    return order ? order : sign(q->bytes, p->bytes); /* at one instant, first what comes, then what goes */
}

static int compare_steps(const void *a, const void *b) {
    return sign(((const struct kineto_step *)a)->start, ((const struct kineto_step *)b)->start);
}

static int compare_flows(const void *a, const void *b) {
    const struct kineto_flow *p = a, *q = b;
    const int order = sign(p->id, q->id);
    return order ? order : sign(p->ends, q->ends);
}

static int compare_works(const void *a, const void *b) {
    return sign(((const struct work_at *)a)->at, ((const struct work_at *)b)->at);
}

static int compare_carriers(const void *a, const void *b) {
    const struct carrier *p = a, *q = b;
    int order = sign(p->sequence, q->sequence);
    if (order == 0)
        order = sign(p->start, q->start);
    return order ? order : sign(p->op, q->op);
}

static void sort(void *list, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    if (count > 1)
        qsort(list, count, size, compare);
}

static bool starts(const char *text, const char *head) {
    return strncmp(text, head, strlen(head)) == 0;
}

/* "MulBackward0", "NllLossBackward". */
static bool sounds_backward(const char *name) {
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length > 8 && strncmp(name + length - 8, "Backward", 8) == 0;
}

static bool is_backward(const struct kineto_trace *trace, const struct kineto_op *op) {
    const char *name = trace->words[op->name];
    return starts(name, "autograd::engine::evaluate_function: ") || strcmp(name, "torch::autograd::AccumulateGrad") == 0 ||
           (op->sequence >= 0 && (op->forward_thread > 0 || sounds_backward(name))) ||
           (sounds_backward(name) && !strstr(name, "::"));
}

/* A scope names what runs inside it and does nothing itself. */
static bool is_scope(const struct kineto_trace *trace, const struct kineto_op *op) {
    const char *name = trace->words[op->name];
    return op->sequence < 0 && !strstr(name, "::") && !is_backward(trace, op);
}

static void find_tops(struct linker *linker) {
    struct kineto_trace *trace = linker->trace;
    uint32_t top = NONE;
    for (uint32_t i = 0; i < trace->op_count; i++) {
        const struct kineto_op *op = &trace->ops[i];
        const bool inside = top != NONE && trace->ops[top].thread == op->thread && op->start < trace->ops[top].end;
        linker->row[i] = NONE;
        linker->top[i] = inside ? top : NONE;
        if (inside || is_scope(trace, op))
            continue;
        linker->top[i] = top = i;
        linker->tops[linker->top_count++] = i;
        linker->backward[i] = is_backward(trace, op);
        if (linker->backward[i])
            linker->backward_thread[op->thread] = true;
    }
}

/* The outermost op that runs on THREAD at AT, or NONE. */
static uint32_t top_at(const struct linker *linker, uint32_t thread, int64_t at) {
    const struct kineto_op *ops = linker->trace->ops;
    uint32_t low = 0, high = linker->top_count; /* the first that starts behind AT */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct kineto_op *op = &ops[linker->tops[middle]];
        if (op->thread < thread || (op->thread == thread && op->start <= at))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NONE;
    const struct kineto_op *op = &ops[linker->tops[low - 1]];
    return op->thread == thread && at <= op->end ? linker->tops[low - 1] : NONE;
}

/* Threads of one process: "PID/TID". */
static bool same_process(const struct linker *linker, uint32_t thread) {
    const char *ours = linker->trace->words[linker->links->thread], *theirs = linker->trace->words[thread];
    const size_t length = strcspn(ours, "/") + 1;
    return strncmp(ours, theirs, length) == 0;
}

static void list_carriers(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    if (linker->carried_thread == linker->links->thread)
        return;
    linker->carried_thread = linker->links->thread;
    linker->carrier_count = 0;
    for (uint32_t i = 0; i < trace->op_count; i++) {
        const struct kineto_op *op = &trace->ops[i];
        if (op->thread == linker->links->thread && op->sequence >= 0 && linker->top[i] != NONE &&
            !linker->backward[linker->top[i]])
            linker->carriers[linker->carrier_count++] = (struct carrier){ op->sequence, op->start, i };
    }
    sort(linker->carriers, linker->carrier_count, sizeof *linker->carriers, compare_carriers);
}

static bool in_step(const struct linker *linker, int64_t at) {
    return at >= linker->from && at <= linker->to;
}

/* The outermost forward op that SEQUENCE belongs to, for a backward that starts at BEFORE; NONE. */
static uint32_t forward_of(const struct linker *linker, int64_t sequence, int64_t before) {
    const struct carrier *carriers = linker->carriers;
    uint32_t low = 0, high = linker->carrier_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (carriers[middle].sequence < sequence ||
            (carriers[middle].sequence == sequence && carriers[middle].start < before))
            low = middle + 1;
        else
            high = middle;
    }
    if (sequence < 0 || low == 0 || carriers[low - 1].sequence != sequence || !in_step(linker, carriers[low - 1].start))
        return NONE;
    return linker->top[carriers[low - 1].op];
}

static void tie(struct linker *linker, uint32_t backward, uint32_t forward) {
    linker->row[backward] = forward; /* the op, until rows have numbers */
    linker->row[forward] = forward;
}

static void tie_by_number(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    for (uint32_t t = 0; t < linker->top_count; t++) linker->row[linker->tops[t]] = NONE;
    for (uint32_t t = 0; t < linker->top_count; t++) {
        const uint32_t i = linker->tops[t];
        const struct kineto_op *op = &trace->ops[i];
        if (!linker->backward[i] || !in_step(linker, op->start) || !same_process(linker, op->thread))
            continue;
        const uint32_t forward = forward_of(linker, op->sequence, op->start);
        if (forward != NONE)
            tie(linker, i, forward);
    }
}

/* An arrow whose start is missing ties nothing. */
static void tie_by_arrow(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    for (uint32_t i = 0; i + 1 < trace->flow_count; i++) {
        const struct kineto_flow *start = &trace->flows[i], *end = &trace->flows[i + 1];
        if (start->id != end->id || start->ends || !end->ends || start->thread != linker->links->thread ||
            !in_step(linker, start->at) || !in_step(linker, end->at))
            continue;
        const uint32_t forward = top_at(linker, start->thread, start->at), backward = top_at(linker, end->thread, end->at);
        if (forward == NONE || backward == NONE || linker->backward[forward] || !linker->backward[backward] ||
            linker->row[backward] != NONE)
            continue;
        tie(linker, backward, forward);
        linker->links->tied_by_arrow++;
    }
}

static enum ss_status number_rows(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    struct kineto_links *links = linker->links;
    uint32_t count = 0;
    for (uint32_t t = 0; t < linker->top_count; t++)
        count += linker->row[linker->tops[t]] != NONE && !linker->backward[linker->tops[t]];
    links->rows = ARENA_ARRAY(linker->arena, struct kineto_row, count);
    if (!links->rows)
        return error_no_memory(linker->error);
    for (uint32_t t = 0; t < linker->top_count; t++) {
        const uint32_t i = linker->tops[t];
        if (linker->row[i] == NONE || linker->backward[i])
            continue;
        linker->row[i] = links->row_count;
        links->rows[links->row_count++] = (struct kineto_row){ .op = i, .sequence = -1 };
    }
    for (uint32_t t = 0; t < linker->top_count; t++) {
        const uint32_t i = linker->tops[t];
        const struct kineto_op *op = &trace->ops[i];
        if (!linker->backward[i])
            continue;
        if (linker->row[i] == NONE) {
            links->untied_backward += op->sequence >= 0 && in_step(linker, op->start) && same_process(linker, op->thread);
            continue;
        }
        struct kineto_row *row = &links->rows[linker->row[linker->row[i]]];
        linker->row[i] = linker->row[linker->row[i]];
        row->backward_ops++;
        if (op->sequence > row->sequence)
            row->sequence = op->sequence;
    }
    return SS_OK;
}

/* Ties the ops of one step; whether there were any. */
static bool try_step(struct linker *linker, int64_t number, int64_t from, int64_t to, uint32_t thread) {
    struct kineto_links *links = linker->links;
    links->step_number = number;
    links->step_ns = to - from;
    links->thread = thread;
    links->tied_by_arrow = 0;
    linker->from = from;
    linker->to = to;
    list_carriers(linker);
    tie_by_number(linker);
    tie_by_arrow(linker);
    for (uint32_t t = 0; t < linker->top_count; t++)
        if (linker->row[linker->tops[t]] != NONE)
            return true;
    return false;
}

static const struct kineto_launch *launch_of(const struct kineto_trace *trace, const struct kineto_kernel *kernel) {
    uint32_t low = 0, high = trace->launch_count; /* the first behind: the last with that correlation is before it */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (trace->launches[middle].correlation <= kernel->correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return kernel->correlation >= 0 && low > 0 && trace->launches[low - 1].correlation == kernel->correlation
               ? &trace->launches[low - 1] : NULL;
}

static enum ss_status no_such_device(const struct linker *linker, const bool *there) {
    char list[8 * KINETO_DEVICES] = "";
    for (int d = 0; d < KINETO_DEVICES; d++)
        if (there[d])
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list ? ", " : "", d);
    if (!*list)
        return error_set(linker->error, SS_USAGE, "--device: no GPU works in the trace, found %lld asked for",
                         (long long)*linker->device);
    return error_set(linker->error, SS_USAGE, "--device: expected a GPU that works in the trace (%s), found %lld", list,
                     (long long)*linker->device);
}

/* Lists when and by whom the kernels of the GPU that was asked for were launched. */
static enum ss_status list_works(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    bool there[KINETO_DEVICES] = { false };
    if (!linker->device)
        return SS_OK;
    linker->works = ARENA_ARRAY(&linker->scratch, struct work_at, trace->kernel_count);
    if (!linker->works)
        return error_no_memory(linker->error);
    for (uint32_t k = 0; k < trace->kernel_count; k++) {
        const struct kineto_kernel *kernel = &trace->kernels[k];
        const struct kineto_launch *launch = kernel->work == KERNEL ? launch_of(trace, kernel) : NULL;
        if (!launch || kernel->device < 0 || kernel->device >= KINETO_DEVICES)
            continue;
        there[kernel->device] = true;
        if (kernel->device == *linker->device)
            linker->works[linker->work_count++] = (struct work_at){ launch->at, launch->thread };
    }
    sort(linker->works, linker->work_count, sizeof *linker->works, compare_works);
    return linker->work_count > 0 ? SS_OK : no_such_device(linker, there);
}

/* Whether the process of THREAD makes the GPU that was asked for work between FROM and TO. */
static bool device_works(struct linker *linker, int64_t from, int64_t to, uint32_t thread) {
    uint32_t low = 0, high = linker->work_count;
    if (!linker->device)
        return true;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (linker->works[middle].at < from)
            low = middle + 1;
        else
            high = middle;
    }
    linker->links->thread = thread;
    for (; low < linker->work_count && linker->works[low].at <= to; low++)
        if (same_process(linker, linker->works[low].thread))
            return true;
    return false;
}

static enum ss_status no_such_step(struct linker *linker, int64_t asked) {
    const struct kineto_trace *trace = linker->trace;
    if (trace->step_count == 0)
        return error_set(linker->error, SS_USAGE, "--step: the trace has no steps, found %lld asked for", (long long)asked);
    return error_set(linker->error, SS_USAGE, "--step: expected a step of the trace, %lld to %lld, found %lld",
                     (long long)trace->steps[0].number, (long long)trace->steps[trace->step_count - 1].number,
                     (long long)asked);
}

static enum ss_status no_tie(struct linker *linker, const int64_t *asked) {
    if (asked)
        return error_set(linker->error, SS_BAD_INPUT, "expected backward ops that belong to step %lld, found none that a "
                         "sequence number or an arrow ties to it", (long long)*asked);
    return error_set(linker->error, SS_BAD_INPUT, "expected sequence numbers or fwdbwd arrows that tie backward ops to "
                     "forward ones, found none that do within a step");
}

/* Without steps: the thread with the most ops that autograd numbered, and all of its time. */
static bool try_whole(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    uint32_t best = NONE, best_count = 0, count = 0;
    int64_t from = INT64_MAX, to = INT64_MIN;
    for (uint32_t i = 0; i < trace->op_count; i++) {
        const struct kineto_op *op = &trace->ops[i];
        if (i > 0 && op->thread != op[-1].thread)
            count = 0;
        count += op->sequence >= 0 && linker->top[i] != NONE && !linker->backward[linker->top[i]];
        if (count > best_count) {
            best_count = count;
            best = op->thread;
        }
        from = op->start < from ? op->start : from;
        to = op->end > to ? op->end : to;
    }
    if (best == NONE && trace->op_count > 0)
        best = trace->ops[0].thread;
    return best != NONE && try_step(linker, -1, from, to, best);
}

static enum ss_status choose_step(struct linker *linker, const int64_t *asked) {
    const struct kineto_trace *trace = linker->trace;
    bool known = false, backward = false;
    for (uint32_t t = 0; t < linker->top_count && !backward; t++)
        backward = linker->backward[linker->tops[t]];
    for (uint32_t s = 0; s < trace->step_count; s++)
        known = known || (asked && trace->steps[s].number == *asked);
    if (asked && !known)
        return no_such_step(linker, *asked);
    if (!backward)
        return error_set(linker->error, SS_BAD_INPUT, "expected a training step, no backward found");
    for (uint32_t s = trace->step_count; s-- > 0;) {
        const struct kineto_step *step = &trace->steps[s];
        if ((!asked || step->number == *asked) && device_works(linker, step->start, step->end, step->thread) &&
            try_step(linker, step->number, step->start, step->end, step->thread))
            return SS_OK;
    }
    if (trace->step_count == 0 && try_whole(linker))
        return SS_OK;
    return no_tie(linker, asked);
}

/* Of a process with several GPUs, the one asked for, or the one that works most in the step. */
static void choose_device(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    int64_t busy[KINETO_DEVICES] = { 0 };
    for (uint32_t k = 0; k < trace->kernel_count; k++) {
        const struct kineto_kernel *kernel = &trace->kernels[k];
        const struct kineto_launch *launch = launch_of(trace, kernel);
        if (kernel->work == KERNEL && kernel->device >= 0 && kernel->device < KINETO_DEVICES && launch &&
            in_step(linker, launch->at) && same_process(linker, launch->thread))
            busy[kernel->device] += kernel->duration;
        linker->links->on_gpu = linker->links->on_gpu || kernel->work == KERNEL;
    }
    for (int64_t d = 1; d < KINETO_DEVICES; d++)
        if (busy[d] > busy[linker->links->device])
            linker->links->device = d;
    if (linker->device)
        linker->links->device = *linker->device;
}

static void count_stream(struct linker *linker, int64_t stream, int64_t *seen, uint32_t room) {
    for (uint32_t s = 0; s < linker->links->streams; s++)
        if (seen[s] == stream)
            return;
    if (linker->links->streams < room)
        seen[linker->links->streams++] = stream;
}

static void place_kernels(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    struct kineto_links *links = linker->links;
    int64_t streams[16];
    for (uint32_t k = 0; k < trace->kernel_count; k++) {
        const struct kineto_kernel *kernel = &trace->kernels[k];
        const struct kineto_launch *launch = launch_of(trace, kernel);
        const bool computes = kernel->work == KERNEL || kernel->work == COLLECTIVE;
        if (!launch) {
            links->unlinked_kernels += computes;
            links->unlinked_ns += computes ? kernel->duration : 0;
            continue;
        }
        if (computes)
            *(linker->backward_thread[launch->thread] ? &links->backward_thread_ns : &links->forward_thread_ns) +=
                kernel->duration;
        if (!in_step(linker, launch->at))
            continue;
        if (kernel->device != links->device || !same_process(linker, launch->thread)) {
            links->foreign_kernels += computes;
            continue;
        }
        linker->in_step[linker->in_step_count++] = k;
        const uint32_t top = kernel->work == COLLECTIVE ? NONE : top_at(linker, launch->thread, launch->at);
        const uint32_t row = top == NONE ? NONE : linker->row[top];
        if (kernel->work == COLLECTIVE) {
            links->collective_ns += kernel->duration;
            links->collectives++;
        } else if (row == NONE) {
            links->other_ns += kernel->duration;
        } else {
            *(linker->backward[top] ? &links->rows[row].backward_ns : &links->rows[row].forward_ns) += kernel->duration;
            count_stream(linker, kernel->stream, streams, 16);
        }
    }
}

/* Without a GPU, an op lasts as long as it lasts. */
static void place_times(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    for (uint32_t t = 0; t < linker->top_count; t++) {
        const uint32_t i = linker->tops[t], row = linker->row[i];
        if (row != NONE)
            *(linker->backward[i] ? &linker->links->rows[row].backward_ns : &linker->links->rows[row].forward_ns) +=
                trace->ops[i].end - trace->ops[i].start;
    }
}

#define LIVE_MOST 64 /* allocations of one op that are looked through for the one that a free ends */

/* Marks what is allocated and freed again within memory[from..to). */
static void mark_transient(struct linker *linker, uint32_t from, uint32_t to) {
    struct kineto_memory *memory = linker->trace->memory;
    uint32_t live[LIVE_MOST], count = 0;
    for (uint32_t m = from; m < to; m++) {
        memory[m].transient = false;
        if (memory[m].gpu != linker->links->on_gpu)
            continue;
        if (memory[m].bytes > 0 && count < LIVE_MOST)
            live[count++] = m;
        for (uint32_t k = memory[m].bytes < 0 ? count : 0; k-- > 0;) {
            if (memory[live[k]].bytes != -memory[m].bytes)
                continue;
            memory[live[k]].transient = memory[m].transient = true;
            count--;
            memmove(&live[k], &live[k + 1], (count - k) * sizeof *live);
            break;
        }
    }
}

/* What OP allocates: RETAINED, net; WORKSPACE, the most that it holds for itself. */
static void weigh(struct linker *linker, const struct kineto_op *op, int64_t *retained, int64_t *workspace) {
    const struct kineto_memory *memory = linker->trace->memory;
    const uint32_t count = linker->trace->memory_count;
    uint32_t low = 0, high = count, last;
    int64_t held = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (memory[middle].thread < op->thread || (memory[middle].thread == op->thread && memory[middle].at < op->start))
            low = middle + 1;
        else
            high = middle;
    }
    for (last = low; last < count && memory[last].thread == op->thread && memory[last].at <= op->end; last++)
        continue;
    mark_transient(linker, low, last);
    *retained = *workspace = 0;
    for (uint32_t m = low; m < last; m++) {
        if (memory[m].gpu != linker->links->on_gpu)
            continue;
        *retained += memory[m].bytes;
        held += memory[m].transient ? memory[m].bytes : 0;
        *workspace = held > *workspace ? held : *workspace;
    }
}

static void place_memory(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    struct kineto_links *links = linker->links;
    int64_t retained, workspace;
    for (uint32_t m = 0; m < trace->memory_count && !links->has_memory; m++)
        links->has_memory = trace->memory[m].gpu == links->on_gpu && in_step(linker, trace->memory[m].at);
    for (uint32_t t = 0; t < linker->top_count && links->has_memory; t++) {
        const uint32_t i = linker->tops[t];
        struct kineto_row *row = linker->row[i] == NONE ? NULL : &links->rows[linker->row[i]];
        if (!row)
            continue;
        weigh(linker, &trace->ops[i], &retained, &workspace);
        if (!linker->backward[i]) {
            row->retained_bytes = retained > 0 ? retained : 0;
            row->forward_workspace_bytes = workspace;
        } else if (workspace > row->backward_workspace_bytes) {
            row->backward_workspace_bytes = workspace;
        }
    }
}

static enum ss_status allocate(struct linker *linker) {
    const struct kineto_trace *trace = linker->trace;
    linker->top = ARENA_ARRAY(&linker->scratch, uint32_t, trace->op_count);
    linker->row = ARENA_ARRAY(&linker->scratch, uint32_t, trace->op_count);
    linker->tops = ARENA_ARRAY(&linker->scratch, uint32_t, trace->op_count);
    linker->backward = ARENA_ARRAY(&linker->scratch, bool, trace->op_count);
    linker->backward_thread = ARENA_ARRAY(&linker->scratch, bool, trace->word_count);
    linker->carriers = ARENA_ARRAY(&linker->scratch, struct carrier, trace->op_count);
    linker->in_step = ARENA_ARRAY(&linker->scratch, uint32_t, trace->kernel_count);
    linker->carried_thread = NONE;
    return linker->in_step && linker->top && linker->row && linker->tops && linker->backward &&
                   linker->backward_thread && linker->carriers
               ? SS_OK : error_no_memory(linker->error);
}

static enum ss_status link_step(struct linker *linker, const int64_t *step) {
    struct kineto_trace *trace = linker->trace;
    enum ss_status status = allocate(linker);
    if (status != SS_OK)
        return status;
    sort(trace->ops, trace->op_count, sizeof *trace->ops, compare_ops);
    sort(trace->launches, trace->launch_count, sizeof *trace->launches, compare_launches);
    sort(trace->memory, trace->memory_count, sizeof *trace->memory, compare_memory);
    sort(trace->steps, trace->step_count, sizeof *trace->steps, compare_steps);
    sort(trace->flows, trace->flow_count, sizeof *trace->flows, compare_flows);
    find_tops(linker);
    if ((status = list_works(linker)) != SS_OK || (status = choose_step(linker, step)) != SS_OK ||
        (status = number_rows(linker)) != SS_OK)
        return status;
    choose_device(linker);
    place_kernels(linker);
    if (linker->links->on_gpu)
        status = kineto_measure(trace, linker->in_step, linker->in_step_count, linker->links->step_ns, linker->arena,
                                &linker->links->measured, linker->error);
    if (status != SS_OK)
        return status;
    if (!linker->links->on_gpu)
        place_times(linker);
    place_memory(linker);
    return SS_OK;
}

enum ss_status kineto_link(struct kineto_trace *trace, const int64_t *step, const int64_t *device, struct arena *arena,
                           struct kineto_links *links, struct error *error) {
    *links = (struct kineto_links){ .step_number = -1, .thread = NONE };
    struct linker linker = { .trace = trace, .device = device, .arena = arena, .links = links, .error = error };
    enum ss_status status = link_step(&linker, step);
    arena_free(&linker.scratch);
    return status;
}
