#include "import_kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "kineto_kinds.h"
#include "kineto_scan.h"
#include "kineto_values.h"

struct import {
    struct kineto_trace trace;
    struct kineto_links *links;
    struct kineto_values values;
    const char **layers;      /* beside links->rows; NULL: a layer of its own */
    struct arena *arena;      /* of the profile */
    struct arena scratch;
    struct profile *profile;
    struct import_remarks *remarks;
    struct error *error;
};

static const char *clean(struct arena *arena, const char *text) {
    const size_t size = SANITISED_BYTES(strlen(text));
    char *out = ARENA_ARRAY(arena, char, size);
    return out ? sanitise(out, size, text) : NULL;
}

/* "aten::relu_" -> "relu_" */
static const char *short_name(const char *name) {
    return strncmp(name, "aten::", 6) == 0 ? name + 6 : name;
}

static const char *name_of(struct import *import, uint32_t row) {
    const struct kineto_op *op = &import->trace.ops[import->links->rows[row].op];
    const char *kind = clean(&import->scratch, short_name(import->trace.words[op->name]));
    return kind ? arena_printf(&import->scratch, "%s.%u", kind, (unsigned)row) : NULL;
}

static int64_t open_modules(const struct kineto_trace *trace, uint32_t *stack, uint32_t depth, int64_t at) {
    while (depth > 0 && trace->modules[stack[depth - 1]].end <= at)
        depth--;
    return depth;
}

static int compare_modules(const void *a, const void *b) {
    const struct kineto_module *p = a, *q = b;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return p->end > q->end ? -1 : p->end < q->end;
}

#define DEEPEST 128

/* The innermost module around a row that holds more rows than that one and is not the whole model. */
static enum ss_status find_layers(struct import *import) {
    struct kineto_trace *trace = &import->trace;
    struct kineto_links *links = import->links;
    uint32_t count = 0, depth = 0, next = 0, stack[DEEPEST];
    for (uint32_t m = 0; m < trace->module_count; m++)
        if (trace->modules[m].thread == links->thread)
            trace->modules[count++] = trace->modules[m];
    trace->module_count = count;
    if (count > 1)
        qsort(trace->modules, count, sizeof *trace->modules, compare_modules);
    uint32_t *rows = ARENA_ARRAY(&import->scratch, uint32_t, count), *outer = ARENA_ARRAY(&import->scratch, uint32_t, count);
    uint32_t *inner = ARENA_ARRAY(&import->scratch, uint32_t, links->row_count);
    import->layers = ARENA_ARRAY(&import->scratch, const char *, links->row_count);
    if (!rows || !outer || !inner || !import->layers)
        return error_no_memory(import->error);
    for (uint32_t r = 0; r < links->row_count; r++) {
        const struct kineto_op *op = &trace->ops[links->rows[r].op];
        for (; next < count && trace->modules[next].start <= op->start; next++) {
            depth = (uint32_t)open_modules(trace, stack, depth, trace->modules[next].start);
            outer[next] = depth > 0 ? stack[depth - 1] : NONE;
            if (depth < DEEPEST)
                stack[depth++] = next;
        }
        depth = (uint32_t)open_modules(trace, stack, depth, op->start);
        inner[r] = depth > 0 ? stack[depth - 1] : NONE;
        for (uint32_t d = 0; d < depth; d++)
            rows[stack[d]]++;
        if (op->hierarchy != NONE && !(import->layers[r] = clean(&import->scratch, trace->words[op->hierarchy])))
            return error_no_memory(import->error);
    }
    for (uint32_t r = 0; r < links->row_count; r++) {
        uint32_t m = inner[r];
        while (m != NONE && rows[m] == 1 && outer[m] != NONE && outer[outer[m]] != NONE)
            m = outer[m];
        if (m != NONE && outer[m] != NONE &&
            !(import->layers[r] = clean(&import->scratch, trace->words[trace->modules[m].name])))
            return error_no_memory(import->error);
    }
    return SS_OK;
}

static enum ss_status add_tensors(struct import *import) {
    enum ss_status status = SS_OK;
    for (uint32_t s = 0; s < 2 * import->links->row_count && status == SS_OK; s++) {
        struct kineto_storage *storage = &import->values.storages[s];
        const bool extra = s % 2 == 1;
        if (!storage->used)
            continue;
        const char *name = name_of(import, s / 2);
        struct tensor_spec spec = { .bytes = storage->bytes, .no_gradient = extra };
        spec.name = name ? arena_printf(&import->scratch, "%s.%s", name, extra ? "saved" : "out") : NULL;
        if (!spec.name)
            return error_no_memory(import->error);
        status = profile_add_tensor(import->profile, &spec, &storage->tensor, import->error);
    }
    return status;
}

/* Turns storages into tensors, in place. */
static void name_tensors(const struct import *import, uint32_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        list[i] = import->values.storages[list[i]].tensor;
}

static enum ss_status add_op(struct import *import, uint32_t r) {
    const struct kineto_row *row = &import->links->rows[r];
    struct kineto_reading *reading = &import->values.readings[r];
    struct kineto_values *values = &import->values;
    uint32_t outputs[2], output_count = 0;
    for (uint32_t s = 2 * r; s < 2 * r + 2; s++)
        if (values->storages[s].used)
            outputs[output_count++] = values->storages[s].tensor;
    name_tensors(import, &values->index[reading->inputs.at], reading->inputs.count);
    name_tensors(import, &values->index[reading->saved.at], reading->saved.count);
    const char *kind = short_name(import->trace.words[import->trace.ops[row->op].name]);
    struct op_spec spec = {
        .name = name_of(import, r), .layer = import->layers[r], .kind = clean(&import->scratch, kind),
        .forward_us = (double)row->forward_ns / 1e3, .backward_us = (double)row->backward_ns / 1e3,
        .recompute_us = (double)(row->forward_ns + reading->in_place_ns) / 1e3,
        .forward_workspace_bytes = (uint64_t)row->forward_workspace_bytes,
        .backward_workspace_bytes = (uint64_t)row->backward_workspace_bytes,
        .inputs = &values->index[reading->inputs.at], .input_count = reading->inputs.count,
        .outputs = outputs, .output_count = output_count,
        .saved = &values->index[reading->saved.at], .saved_count = reading->saved.count };
    if (!spec.name || !spec.kind)
        return error_no_memory(import->error);
    return profile_add_op(import->profile, &spec, NULL, import->error);
}

static enum ss_status warn(struct import *import, const char *text) {
    if (!text)
        return error_no_memory(import->error);
    if (import->remarks->warning_count < IMPORT_WARNINGS)
        import->remarks->warnings[import->remarks->warning_count++] = text;
    return SS_OK;
}

static enum ss_status warn_about_sizes(struct import *import) {
    const struct kineto_values *values = &import->values;
    const uint32_t rows = import->links->row_count;
    enum ss_status status = SS_OK;
    if (!import->links->has_memory && values->shaped == 0)
        status = warn(import, arena_printf(import->arena, "the trace has neither [memory] events nor shapes: all %u ops have "
                      "tensors of 0 bytes and read the op before; record with profile_memory and record_shapes",
                      (unsigned)rows));
    else if (values->unsized > 0)
        status = warn(import, arena_printf(import->arena, "%u of %u ops have outputs of unknown size, taken for 0 bytes",
                      (unsigned)values->unsized, (unsigned)rows));
    if (status == SS_OK && values->by_order > 0)
        status = warn(import, arena_printf(import->arena, "without [memory] events, %u of %u outputs have the size of the next "
                      "input that may be them", (unsigned)values->by_order, (unsigned)rows));
    if (status == SS_OK && values->untyped > 0)
        status = warn(import, arena_printf(import->arena, "%u inputs have no known type and are taken for 4 bytes an element",
                      (unsigned)values->untyped));
    if (status == SS_OK && values->ambiguous > 0)
        status = warn(import, arena_printf(import->arena, "%u inputs could be one of several tensors of their shape; the "
                      "newest that nobody had read was taken, else the newest", (unsigned)values->ambiguous));
    if (status == SS_OK && values->unknown > 0)
        status = warn(import, arena_printf(import->arena, "%u ops of unknown kind are taken to save their inputs and "
                      "outputs", (unsigned)values->unknown));
    return status;
}

static enum ss_status warn_about_trace(struct import *import) {
    const struct kineto_links *links = import->links;
    const struct kineto_trace *trace = &import->trace;
    enum ss_status status = SS_OK;
    if (trace->unfinished + trace->timeless > 0)
        status = warn(import, arena_printf(import->arena, "%llu events with a negative or endless duration count as 0 long, "
                      "%llu without a readable time are left out", (unsigned long long)trace->unfinished,
                      (unsigned long long)trace->timeless));
    if (status == SS_OK && links->unlinked_kernels > 0)
        status = warn(import, arena_printf(import->arena, "%u kernels (%.3f ms in the whole file) have no launch in the "
                      "trace and belong to no op", (unsigned)links->unlinked_kernels, (double)links->unlinked_ns / 1e6));
    if (status == SS_OK && (links->foreign_kernels > 0 || links->streams > 1))
        status = warn(import, arena_printf(import->arena, "kernels of the step on %u streams are added up as if one ran after "
                      "the other; %u kernels of other GPUs or processes are left out", (unsigned)links->streams,
                      (unsigned)links->foreign_kernels));
    if (status == SS_OK && links->untied_backward > 0)
        status = warn(import, arena_printf(import->arena, "%u backward ops of the step belong to no forward op in it; their "
                      "kernels are in fixed_us", (unsigned)links->untied_backward));
    return status;
}

static const char *words_sizes(const struct import *import) {
    if (import->links->has_memory)
        return import->values.shaped ? "[memory] events, parted by the shapes of inputs" : "[memory] events";
    return import->values.shaped ? "the shapes and types of inputs; masks and indices by the kind of op"
                                 : "not in the trace: 0";
}

static enum ss_status describe(struct import *import, const char *name) {
    const struct kineto_links *links = import->links;
    const struct kineto_trace *trace = &import->trace;
    char step[48] = "the whole trace, which has no steps,", rank[48] = "";
    if (links->step_number >= 0)
        snprintf(step, sizeof step, "ProfilerStep#%lld", (long long)links->step_number);
    if (trace->rank >= 0)
        snprintf(rank, sizeof rank, ", rank %lld", (long long)trace->rank);
    int64_t forward_ns = 0, backward_ns = 0;
    for (uint32_t r = 0; r < links->row_count; r++) {
        forward_ns += links->rows[r].forward_ns;
        backward_ns += links->rows[r].backward_ns;
    }
    import->remarks->summary = arena_printf(import->arena, "%llu events; %s of %u steps%s, %.3f ms long: %u ops with a "
        "backward; %s forward %.3f ms, backward %.3f ms, beside them %.3f ms, collectives left out %.3f ms",
        (unsigned long long)trace->events, step, (unsigned)trace->step_count, rank, (double)links->step_ns / 1e6,
        (unsigned)links->row_count, links->on_gpu ? "kernels" : "ops on the CPU", (double)forward_ns / 1e6,
        (double)backward_ns / 1e6, (double)links->other_ns / 1e6, (double)links->collective_ns / 1e6);
    import->profile->name = arena_strdup(import->arena, name);
    if (import->remarks->summary)
        import->profile->source = arena_printf(import->arena, "torch.profiler trace: %s. Sizes: %s. Who reads what: by shape, "
            "%u inputs could be another tensor. static_bytes: parameters and their gradients (a shared one counts each time "
            "it is read) and inputs that nothing made; optimizer state is not recorded. Saved for backward: by the kind of "
            "op, %u unknown", import->remarks->summary, words_sizes(import), (unsigned)import->values.ambiguous,
            (unsigned)import->values.unknown);
    return import->profile->name && import->profile->source ? SS_OK : error_no_memory(import->error);
}

static enum ss_status describe_device(struct import *import) {
    const int64_t device = import->links->device;
    const struct kineto_trace *trace = &import->trace;
    if (!import->links->on_gpu || !trace->device_names[device])
        return SS_OK;
    import->profile->device_name = clean(import->arena, trace->device_names[device]);
    import->profile->device_memory_bytes = trace->device_bytes[device];
    return import->profile->device_name ? SS_OK : error_no_memory(import->error);
}

static enum ss_status build(struct import *import, const struct import_file *file) {
    enum ss_status status;
    if ((status = kineto_trace_read(&import->trace, file, import->error)) != SS_OK ||
        (status = kineto_link(&import->trace, file->step, file->device, import->arena, import->links, import->error)) != SS_OK ||
        (status = kineto_values_find(&import->values, &import->trace, import->links, &import->scratch, import->error)) !=
            SS_OK ||
        (status = profile_begin(import->profile, import->arena, import->error)) != SS_OK ||
        (status = find_layers(import)) != SS_OK || (status = describe(import, file->name)) != SS_OK ||
        (status = describe_device(import)) != SS_OK || (status = warn_about_sizes(import)) != SS_OK ||
        (status = warn_about_trace(import)) != SS_OK || (status = add_tensors(import)) != SS_OK)
        return status;
    import->profile->fixed_us = (double)import->links->other_ns / 1e3;
    import->profile->static_bytes = import->values.static_bytes;
    import->profile->measured = import->links->measured;
    for (uint32_t r = 0; r < import->links->row_count && status == SS_OK; r++)
        status = add_op(import, r);
    return status == SS_OK ? profile_finish(import->profile, NULL, import->error) : status;
}

enum ss_status import_kineto_links(const struct import_file *file, struct arena *arena, struct profile *profile,
                                   struct import_remarks *remarks, struct kineto_links *links, struct error *error) {
    struct import import = { .links = links, .arena = arena, .profile = profile, .remarks = remarks, .error = error };
    *remarks = (struct import_remarks){ 0 };
    enum ss_status status = build(&import, file);
    kineto_trace_free(&import.trace);
    arena_free(&import.scratch);
    return status;
}

enum ss_status import_kineto(const struct import_file *file, struct arena *arena, struct profile *profile,
                             struct import_remarks *remarks, struct error *error) {
    struct kineto_links links;
    return import_kineto_links(file, arena, profile, remarks, &links, error);
}

static bool holds(const char *text, size_t length, const char *word) {
    const size_t size = strlen(word);
    for (const char *at = text; length >= size;) {
        const char *found = memchr(at, word[0], length - size + 1);
        if (!found)
            return false;
        if (memcmp(found, word, size) == 0)
            return true;
        length -= (size_t)(found + 1 - at);
        at = found + 1;
    }
    return false;
}

bool import_kineto_matches(const char *text, size_t length) {
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    if (at == length || (text[at] != '{' && text[at] != '['))
        return false;
    return holds(text, length, "\"traceEvents\"") || holds(text, length, "\"deviceProperties\"") ||
           (text[at] == '[' && holds(text, length, "\"ph\""));
}
