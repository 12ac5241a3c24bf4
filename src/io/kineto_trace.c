#include "kineto_trace.h"

#include <stdlib.h>
#include <string.h>

#include "kineto_scan.h"

#define YEAR_NS ((int64_t)365 * 24 * 3600 * 1000000000)
#define LONGEST_WORD 4096

/* The next place in a list that grows; NULL when memory is short. */
static void *next_place(void *list, uint32_t *count, uint32_t *room, size_t size) {
    void *array;
    memcpy(&array, list, sizeof array); /* LIST points to a pointer of some type */
    if (*count == *room) {
        const uint32_t larger = *room ? *room + *room / 2 : 256;
        array = larger > *room && larger <= SIZE_MAX / size ? realloc(array, larger * size) : NULL;
        if (!array)
            return NULL;
        memcpy(list, &array, sizeof array);
        *room = larger;
    }
    return (char *)array + size * (*count)++;
}
#define PLACE(trace, list, one) \
    next_place(&(trace)->list, &(trace)->one##_count, &(trace)->one##_room, sizeof *(trace)->list)

static size_t put_utf8(char *out, unsigned long code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12); /* halves of a pair stay what they are: sanitise replaces them */
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

static bool read_hex(const char *at, const char *end, unsigned long *code) {
    *code = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", c = at[i] >= 'A' && at[i] <= 'F' ? (char)(at[i] + 32) : at[i];
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return false;
        *code = *code * 16 + (unsigned long)(digit - digits);
    }
    return true;
}

/* Unescapes RAW into OUT (room for its length and a NUL). A backslash that escapes nothing stays. */
static void unescape(struct piece raw, char *out) {
    static const char ESCAPES[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
    const char *end = raw.at + raw.length;
    for (const char *p = raw.at; p < end; p++) {
        unsigned long code;
        const char *escape = *p == '\\' && p + 1 < end && p[1] ? strchr(ESCAPES, p[1]) : NULL;
        if (escape) {
            *out++ = MEANT[escape - ESCAPES];
            p++;
        } else if (*p == '\\' && p + 1 < end && p[1] == 'u' && read_hex(p + 2, end, &code) && code > 0) {
            out += put_utf8(out, code);
            p += 5;
        } else {
            *out++ = *p ? *p : ' ';
        }
    }
    *out = '\0';
}

static enum ss_status find_word(struct kineto_trace *trace, const char *text, uint32_t *word, struct error *error) {
    bool added;
    *word = names_find(&trace->numbers, text);
    if (*word != NONE)
        return SS_OK;
    const char *kept = arena_strdup(&trace->arena, text);
    const char **place = kept ? PLACE(trace, words, word) : NULL;
    if (!place)
        return error_no_memory(error);
    *place = kept;
    *word = trace->word_count - 1;
    return names_insert(&trace->numbers, &trace->arena, kept, *word, &added, error);
}

/* The number of a text's word; a text too long is cut. */
static enum ss_status word_of(struct kineto_trace *trace, struct piece value, uint32_t *word, struct error *error) {
    char text[LONGEST_WORD + 1];
    struct piece raw = kineto_bare(value);
    if (raw.length > LONGEST_WORD)
        raw.length = LONGEST_WORD;
    unescape(raw, text);
    return find_word(trace, text, word, error);
}

/* The same of raw JSON; NONE for one that is too long. */
static enum ss_status raw_word(struct kineto_trace *trace, struct piece value, uint32_t *word, struct error *error) {
    char text[LONGEST_WORD + 1];
    *word = NONE;
    if (value.length == 0 || value.length > LONGEST_WORD || memchr(value.at, '\0', value.length))
        return SS_OK;
    memcpy(text, value.at, value.length);
    text[value.length] = '\0';
    return find_word(trace, text, word, error);
}

static enum ss_status thread_of(struct kineto_trace *trace, const struct kineto_event *event, uint32_t *word,
                                struct error *error) {
    char text[128];
    struct piece pid = kineto_bare(event->pid), tid = kineto_bare(event->tid);
    if (pid.length > 60)
        pid.length = 60;
    if (tid.length > 60)
        tid.length = 60;
    unescape(pid, text);
    const size_t length = strlen(text);
    text[length] = '/';
    unescape(tid, text + length + 1);
    return find_word(trace, text, word, error);
}

/* When EVENT was; false, and counted, where nobody can tell. */
static bool times_of(struct kineto_trace *trace, const struct kineto_event *event, int64_t *start, int64_t *end) {
    int64_t duration = 0;
    if (!kineto_nanoseconds(event->ts, start) || *start < -INT64_MAX / 4 * 3) {
        trace->timeless++;
        return false;
    }
    if (event->dur.length > 0 && (!kineto_nanoseconds(event->dur, &duration) || duration < 0 || duration > YEAR_NS ||
                                  *start > INT64_MAX - duration)) {
        duration = 0;
        trace->unfinished++;
    }
    *end = *start + duration;
    return true;
}

static bool is_one_of(struct piece text, const char *const *names) {
    for (; *names; names++)
        if (piece_equal(text, *names))
            return true;
    return false;
}

static enum ss_status add_step(struct kineto_trace *trace, const struct kineto_event *event, struct error *error) {
    struct kineto_step step = { 0 };
    struct piece name = kineto_bare(event->name);
    name.at += strlen("ProfilerStep#");
    name.length -= strlen("ProfilerStep#");
    if (!kineto_whole(name, &step.number) || !times_of(trace, event, &step.start, &step.end))
        return SS_OK;
    enum ss_status status = thread_of(trace, event, &step.thread, error);
    struct kineto_step *place = status == SS_OK ? PLACE(trace, steps, step) : NULL;
    if (status == SS_OK && !place)
        return error_no_memory(error);
    if (place)
        *place = step;
    return status;
}

static enum ss_status take_op_args(struct kineto_trace *trace, struct piece args, struct kineto_op *op,
                                   struct error *error) {
    struct kineto_cursor cursor = { 0 };
    struct piece key, value;
    enum ss_status status = SS_OK;
    while (args.length > 0 && status == SS_OK && kineto_member(args, &cursor, &key, &value)) {
        if (piece_equal(key, "Sequence number")) {
            if (!kineto_whole(value, &op->sequence) || op->sequence < 0)
                op->sequence = -1;
        } else if (piece_equal(key, "Fwd thread id")) {
            if (!kineto_whole(value, &op->forward_thread))
                op->forward_thread = -1;
        } else if (piece_equal(key, "Input Dims") || piece_equal(key, "Input dims")) {
            status = raw_word(trace, value, &op->dims, error);
        } else if (piece_equal(key, "Input type") || piece_equal(key, "Input Type")) {
            status = raw_word(trace, value, &op->types, error);
        } else if (piece_equal(key, "Module Hierarchy") && value.length > 2) {
            status = word_of(trace, value, &op->hierarchy, error);
        }
    }
    return status;
}

static enum ss_status add_op(struct kineto_trace *trace, const struct kineto_event *event, struct error *error) {
    struct kineto_op op = { .sequence = -1, .forward_thread = -1, .dims = NONE, .types = NONE, .hierarchy = NONE };
    enum ss_status status;
    if (piece_starts(kineto_bare(event->name), "ProfilerStep#"))
        return add_step(trace, event, error);
    if (!times_of(trace, event, &op.start, &op.end))
        return SS_OK;
    if ((status = word_of(trace, event->name, &op.name, error)) != SS_OK ||
        (status = thread_of(trace, event, &op.thread, error)) != SS_OK ||
        (status = take_op_args(trace, event->args, &op, error)) != SS_OK)
        return status;
    struct kineto_op *place = PLACE(trace, ops, op);
    if (!place)
        return error_no_memory(error);
    *place = op;
    return SS_OK;
}

static enum ss_status add_launch(struct kineto_trace *trace, const struct kineto_event *event, struct error *error) {
    struct kineto_launch launch = { .correlation = -1 };
    struct kineto_cursor cursor = { 0 };
    struct piece key, value;
    int64_t end;
    while (event->args.length > 0 && kineto_member(event->args, &cursor, &key, &value))
        if (piece_equal(key, "correlation") && !kineto_whole(value, &launch.correlation))
            launch.correlation = -1;
    if (launch.correlation < 0 || !times_of(trace, event, &launch.at, &end))
        return SS_OK;
    enum ss_status status = thread_of(trace, event, &launch.thread, error);
    struct kineto_launch *place = status == SS_OK ? PLACE(trace, launches, launch) : NULL;
    if (status == SS_OK && !place)
        return error_no_memory(error);
    if (place)
        *place = launch;
    return status;
}

static bool names_collective(struct piece name) {
    for (size_t i = 0; i + 4 < name.length && i < 64; i++)
        if ((name.at[i] | 32) == 'n' && (name.at[i + 1] | 32) == 'c' && (name.at[i + 2] | 32) == 'c' &&
            (name.at[i + 3] | 32) == 'l')
            return true;
    return false;
}

/* "Memcpy DtoH (Device -> Pinned)", "CopyDeviceToHost", "Memcpy HtoD (Host -> Device)". */
static enum kineto_copy direction_of(struct piece name) {
    static const struct { const char *words; enum kineto_copy copy; } WORDS[] = {
        { "DtoH", COPY_OUT }, { "DeviceToHost", COPY_OUT }, { "HtoD", COPY_IN }, { "HostToDevice", COPY_IN },
    };
    for (size_t w = 0; w < sizeof WORDS / sizeof *WORDS; w++) {
        const size_t length = strlen(WORDS[w].words);
        for (size_t i = 0; i + length <= name.length && i < 64; i++)
            if (memcmp(name.at + i, WORDS[w].words, length) == 0)
                return WORDS[w].copy;
    }
    return COPY_WITHIN;
}

static enum ss_status add_kernel(struct kineto_trace *trace, const struct kineto_event *event, enum kineto_work work,
                                 struct error *error) {
    struct kineto_kernel kernel = { .correlation = -1, .work = work };
    struct kineto_cursor cursor = { 0 };
    struct piece key, value;
    int64_t end, bytes;
    if (!times_of(trace, event, &kernel.start, &end))
        return SS_OK;
    kernel.duration = end - kernel.start;
    if (work == KERNEL && names_collective(event->name))
        kernel.work = COLLECTIVE;
    if (work == MEMCPY)
        kernel.copy = direction_of(event->name);
    while (event->args.length > 0 && kineto_member(event->args, &cursor, &key, &value)) {
        if (piece_equal(key, "correlation") && (!kineto_whole(value, &kernel.correlation) || kernel.correlation < 0))
            kernel.correlation = -1;
        else if (piece_equal(key, "device") && !kineto_whole(value, &kernel.device))
            kernel.device = 0;
        else if (piece_equal(key, "stream") && !kineto_whole(value, &kernel.stream))
            kernel.stream = 0;
        else if (piece_equal(key, "bytes") && kineto_whole(value, &bytes) && bytes > 0 && bytes < (int64_t)BYTES_LIMIT)
            kernel.bytes = (uint64_t)bytes;
    }
    struct kineto_kernel *place = PLACE(trace, kernels, kernel);
    if (!place)
        return error_no_memory(error);
    *place = kernel;
    return SS_OK;
}

static enum ss_status add_memory(struct kineto_trace *trace, const struct kineto_event *event, struct error *error) {
    struct kineto_memory memory = { 0 };
    struct kineto_cursor cursor = { 0 };
    struct piece key, value;
    int64_t end, type = -1;
    bool sized = false;
    while (event->args.length > 0 && kineto_member(event->args, &cursor, &key, &value)) {
        if (piece_equal(key, "Bytes"))
            sized = kineto_whole(value, &memory.bytes) && memory.bytes > -(int64_t)BYTES_LIMIT &&
                    memory.bytes < (int64_t)BYTES_LIMIT;
        else if (piece_equal(key, "Device Type") && !kineto_whole(value, &type))
            type = -1;
    }
    memory.gpu = type > 0;
    if (!sized || type < 0 || !times_of(trace, event, &memory.at, &end))
        return SS_OK;
    enum ss_status status = thread_of(trace, event, &memory.thread, error);
    struct kineto_memory *place = status == SS_OK ? PLACE(trace, memory, memory) : NULL;
    if (status == SS_OK && !place)
        return error_no_memory(error);
    if (place)
        *place = memory;
    return status;
}

static enum ss_status add_flow(struct kineto_trace *trace, const struct kineto_event *event, bool ends,
                               struct error *error) {
    struct kineto_flow flow = { .ends = ends };
    int64_t end;
    if (!kineto_whole(event->id, &flow.id) || !times_of(trace, event, &flow.at, &end))
        return SS_OK;
    enum ss_status status = thread_of(trace, event, &flow.thread, error);
    struct kineto_flow *place = status == SS_OK ? PLACE(trace, flows, flow) : NULL;
    if (status == SS_OK && !place)
        return error_no_memory(error);
    if (place)
        *place = flow;
    return status;
}

static enum ss_status add_module(struct kineto_trace *trace, const struct kineto_event *event, struct error *error) {
    struct kineto_module module = { 0 };
    struct piece name = kineto_bare(event->name);
    if (!times_of(trace, event, &module.start, &module.end))
        return SS_OK;
    name.at += strlen("nn.Module: ");
    name.length -= strlen("nn.Module: ");
    enum ss_status status = word_of(trace, name, &module.name, error);
    if (status == SS_OK)
        status = thread_of(trace, event, &module.thread, error);
    struct kineto_module *place = status == SS_OK ? PLACE(trace, modules, module) : NULL;
    if (status == SS_OK && !place)
        return error_no_memory(error);
    if (place)
        *place = module;
    return status;
}

static const char *const OPS[] = { "cpu_op", "Operator", NULL };
static const char *const NOTES[] = { "user_annotation", "User Annotation", NULL };
static const char *const LAUNCHES[] = { "cuda_runtime", "Runtime", "cuda_driver", "hip_runtime", "privateuse1_runtime",
                                        "privateuse1_driver", "runtime", NULL };
static const char *const KERNELS[] = { "kernel", "Kernel", NULL };
static const char *const COPIES[] = { "gpu_memcpy", "Memcpy", NULL };
static const char *const SETS[] = { "gpu_memset", "Memset", NULL };
static const char *const ARROWS[] = { "fwdbwd", "forward_backward", NULL };

static enum ss_status take_event(void *context, const struct kineto_event *event, struct error *error) {
    struct kineto_trace *trace = context;
    const struct piece ph = kineto_bare(event->ph), cat = kineto_bare(event->cat), name = kineto_bare(event->name);
    const char phase = ph.length == 1 ? ph.at[0] : 0;
    trace->events++;
    if (phase == 'i' || phase == 'I')
        return piece_equal(name, "[memory]") ? add_memory(trace, event, error) : SS_OK;
    if (phase == 's' || phase == 'f')
        return is_one_of(cat, ARROWS) ? add_flow(trace, event, phase == 'f', error) : SS_OK;
    if (phase != 'X')
        return SS_OK;
    if (is_one_of(cat, OPS))
        return add_op(trace, event, error);
    if (is_one_of(cat, LAUNCHES))
        return add_launch(trace, event, error);
    if (is_one_of(cat, KERNELS))
        return add_kernel(trace, event, KERNEL, error);
    if (is_one_of(cat, COPIES))
        return add_kernel(trace, event, MEMCPY, error);
    if (is_one_of(cat, SETS))
        return add_kernel(trace, event, MEMSET, error);
    if (is_one_of(cat, NOTES) && piece_starts(name, "ProfilerStep#"))
        return add_step(trace, event, error);
    if (piece_equal(cat, "python_function") && piece_starts(name, "nn.Module: "))
        return add_module(trace, event, error);
    return SS_OK;
}

static enum ss_status take_device(struct kineto_trace *trace, struct piece value, struct error *error) {
    struct kineto_cursor cursor = { 0 };
    struct piece key, member, name = { NULL, 0 };
    int64_t id = -1, bytes = 0;
    uint32_t word;
    while (kineto_member(value, &cursor, &key, &member)) {
        if (piece_equal(key, "id") && !kineto_whole(member, &id))
            id = -1;
        else if (piece_equal(key, "name"))
            name = member;
        else if (piece_equal(key, "totalGlobalMem") && (!kineto_whole(member, &bytes) || bytes < 0))
            bytes = 0;
    }
    if (id < 0 || id >= KINETO_DEVICES || name.length == 0)
        return SS_OK;
    enum ss_status status = word_of(trace, name, &word, error);
    if (status != SS_OK)
        return status;
    trace->device_names[id] = trace->words[word];
    trace->device_bytes[id] = bytes < (int64_t)BYTES_LIMIT ? (uint64_t)bytes : 0;
    return SS_OK;
}

static enum ss_status take_member(void *context, struct piece key, struct piece value, struct error *error) {
    struct kineto_trace *trace = context;
    struct kineto_cursor cursor = { 0 };
    struct piece one, name;
    enum ss_status status = SS_OK;
    if (piece_equal(key, "deviceProperties")) {
        while (status == SS_OK && kineto_element(value, &cursor, &one))
            status = take_device(trace, one, error);
    } else if (piece_equal(key, "distributedInfo")) {
        while (kineto_member(value, &cursor, &name, &one)) {
            if (piece_equal(name, "rank") && !kineto_whole(one, &trace->rank))
                trace->rank = -1;
            else if (piece_equal(name, "world_size") && !kineto_whole(one, &trace->world_size))
                trace->world_size = -1;
        }
    }
    return status;
}

enum ss_status kineto_trace_read(struct kineto_trace *trace, const struct import_file *file, struct error *error) {
    *trace = (struct kineto_trace){ .rank = -1, .world_size = -1 };
    const struct kineto_handler handler = { trace, take_event, take_member };
    enum ss_status status = names_init(&trace->numbers, &trace->arena, 1024, error);
    return status == SS_OK ? kineto_scan(file, &handler, error) : status;
}

void kineto_trace_free(struct kineto_trace *trace) {
    free(trace->ops);
    free(trace->launches);
    free(trace->kernels);
    free(trace->memory);
    free(trace->steps);
    free(trace->flows);
    free(trace->modules);
    free(trace->words);
    arena_free(&trace->arena);
    *trace = (struct kineto_trace){ 0 };
}
