/* kineto_trace: what of a torch.profiler trace a profile is made from.
 *
 * One small record an event that matters, nothing else is kept: stack frames, arrows and metadata pass by. Times are
 * nanoseconds of the trace's own clock. Old names of categories ("Operator", "Runtime", "Kernel") mean what the new ones
 * ("cpu_op", "cuda_runtime", "kernel") do. A thread is a pid and tid, as texts: 7, "7" are one. An event whose duration is
 * negative, or is over a year (the profiler writes so for what never ended), gets none and is counted. */
#ifndef SLACKSWAP_IO_KINETO_TRACE_H
#define SLACKSWAP_IO_KINETO_TRACE_H

#include "core/names.h"
#include "import.h"

struct kineto_op {
    int64_t start, end;
    int64_t sequence;           /* autograd's number, -1: none. An op without gradient carries the next op's */
    int64_t forward_thread;     /* "Fwd thread id"; > 0 only in backward; -1: not given */
    uint32_t name, thread;      /* words */
    uint32_t dims, types, hierarchy; /* words: raw JSON of the inputs' shapes and types; or NONE */
};
struct kineto_launch { int64_t correlation, at; uint32_t thread; };
enum kineto_work { KERNEL, COLLECTIVE, MEMCPY, MEMSET };
enum kineto_copy { COPY_WITHIN, COPY_OUT, COPY_IN }; /* of a MEMCPY: on the GPU, to the host, from the host */
struct kineto_kernel {
    int64_t correlation;        /* of its launch, -1: none */
    int64_t start, duration;
    int64_t device, stream;
    enum kineto_work work;
    enum kineto_copy copy;
    uint64_t bytes;             /* of a copy; 0: not told */
};
struct kineto_memory { int64_t at, bytes; uint32_t thread; bool gpu, transient; }; /* transient: of the linker */
struct kineto_step { int64_t number, start, end; uint32_t thread; };
struct kineto_flow { int64_t id, at; uint32_t thread; bool ends; }; /* forward to backward */
struct kineto_module { int64_t start, end; uint32_t name, thread; };

struct kineto_trace {
    struct kineto_op *ops;          uint32_t op_count, op_room;
    struct kineto_launch *launches; uint32_t launch_count, launch_room;
    struct kineto_kernel *kernels;  uint32_t kernel_count, kernel_room;
    struct kineto_memory *memory;   uint32_t memory_count, memory_room; /* in the order of the file */
    struct kineto_step *steps;      uint32_t step_count, step_room;
    struct kineto_flow *flows;      uint32_t flow_count, flow_room;
    struct kineto_module *modules;  uint32_t module_count, module_room;
    const char **words;             uint32_t word_count, word_room;     /* texts, each once; unescaped, not sanitised */
    struct names numbers;           /* of the words */
    struct arena arena;             /* of the words */
    uint64_t events;
    uint64_t unfinished;            /* events whose duration was dropped */
    uint64_t timeless;              /* events left out for want of a readable time */
    const char *device_names[16];   /* by device id, words; NULL: not given */
    uint64_t device_bytes[16];
    int64_t rank, world_size;       /* -1: not given */
};
#define KINETO_DEVICES 16

/* Reads the whole trace. kineto_trace_free in any case. */
enum ss_status kineto_trace_read(struct kineto_trace *trace, const struct import_file *file, struct error *error);
void kineto_trace_free(struct kineto_trace *trace);

#endif
