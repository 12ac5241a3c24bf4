/* How a profile is put together: ops and tensors are appended to arrays that double, each op's lists to index[]; then
 * profile_finish checks them in file order, derives who produces, reads and saves what, and appends those lists. */
#include "profile.h"

#include <math.h>
#include <string.h>

struct profile_builder {
    uint32_t tensor_room, op_room, layer_room;
    uint64_t index_count, index_room;
    uint32_t carried; /* short form: the output of the layer before, or NONE */
};

#define COUNT_MOST (UINT32_C(1) << 30) /* of tensors, ops, layers */

enum ss_status profile_begin(struct profile *profile, struct arena *arena, struct error *error) {
    *profile = (struct profile){ .arena = arena, .name = "", .source = "", .device_name = "", .link = LINK_DEFAULT,
                                 .builder = ARENA_ARRAY(arena, struct profile_builder, 1) };
    struct profile_builder *builder = profile->builder;
    if (!builder)
        return error_no_memory(error);
    builder->carried = NONE;
    enum ss_status status = names_init(&profile->tensor_names, arena, 64, error);
    if (status == SS_OK)
        status = names_init(&profile->op_names, arena, 64, error);
    if (status == SS_OK)
        status = names_init(&profile->layer_names, arena, 64, error);
    return status;
}

/* A larger copy of ARRAY when COUNT elements leave no room for one more; the same array when they do; NULL when memory
 * is short or there are too many. */
static void *grow(struct arena *arena, void *array, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room)
        return array;
    if (count >= COUNT_MOST)
        return NULL;
    uint32_t larger_room = *room ? *room * 2 : 64;
    void *larger = arena_alloc(arena, larger_room, size);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, array, count * size);
    *room = larger_room;
    return larger;
}

/* Copies NAME and enters it; the copy stands in OUT. */
static enum ss_status take_name(struct profile *profile, struct names *names, const char *what, const char *name,
                                uint32_t index, const char **out, struct error *error) {
    bool added;
    if (!name || !*name)
        return error_set(error, SS_BAD_INPUT, "%s %u: expected a name, found none", what, (unsigned)index);
    if (names_find(names, name) != NONE)
        return error_set(error, SS_BAD_INPUT, "%s '%.120s' stands twice: names must be unique", what, name);
    *out = arena_strdup(profile->arena, name);
    return *out ? names_insert(names, profile->arena, *out, index, &added, error) : error_no_memory(error);
}

enum ss_status profile_add_tensor(struct profile *profile, const struct tensor_spec *spec, uint32_t *index,
                                  struct error *error) {
    struct profile_builder *builder = profile->builder;
    struct tensor tensor = { .bytes = spec->bytes, .gradient = !spec->no_gradient, .keep = spec->keep,
                             .producer = NONE, .last_forward = NONE };
    struct tensor *tensors = grow(profile->arena, profile->tensors, profile->tensor_count, &builder->tensor_room,
                                  sizeof *tensors);
    if (!tensors)
        return error_no_memory(error);
    profile->tensors = tensors;
    enum ss_status status = take_name(profile, &profile->tensor_names, "tensor", spec->name, profile->tensor_count,
                                      &tensor.name, error);
    if (status != SS_OK)
        return status;
    if (index)
        *index = profile->tensor_count;
    tensors[profile->tensor_count++] = tensor;
    return SS_OK;
}

static enum ss_status take_layer(struct profile *profile, const char *name, uint32_t *out, struct error *error) {
    struct profile_builder *builder = profile->builder;
    *out = names_find(&profile->layer_names, name);
    if (*out != NONE)
        return SS_OK;
    struct layer layer = { .name = NULL };
    struct layer *layers = grow(profile->arena, profile->layers, profile->layer_count, &builder->layer_room,
                                sizeof *layers);
    if (!layers)
        return error_no_memory(error);
    profile->layers = layers;
    enum ss_status status = take_name(profile, &profile->layer_names, "layer", name, profile->layer_count, &layer.name,
                                      error);
    if (status == SS_OK) {
        *out = profile->layer_count;
        layers[profile->layer_count++] = layer;
    }
    return status;
}

uint32_t profile_find_tensor(const struct profile *profile, const char *name) {
    return names_find(&profile->tensor_names, name);
}

uint32_t profile_find_op(const struct profile *profile, const char *name) {
    return names_find(&profile->op_names, name);
}

uint32_t profile_find_layer(const struct profile *profile, const char *name) {
    return names_find(&profile->layer_names, name);
}

/* Appends a list of tensor numbers to index[]. */
static bool append(struct profile *profile, const uint32_t *numbers, uint32_t count, struct span *out) {
    struct profile_builder *builder = profile->builder;
    uint64_t needed = builder->index_count + count;
    if (needed > UINT32_MAX)
        return false;
    if (needed > builder->index_room) {
        uint64_t room = needed * 2;
        uint32_t *larger = ARENA_ARRAY(profile->arena, uint32_t, room);
        if (!larger)
            return false;
        if (builder->index_count)
            memcpy(larger, profile->index, builder->index_count * sizeof *larger);
        profile->index = larger;
        builder->index_room = room;
    }
    if (count)
        memcpy(profile->index + builder->index_count, numbers, count * sizeof *numbers);
    *out = (struct span){ (uint32_t)builder->index_count, count };
    builder->index_count = needed;
    return true;
}

enum ss_status profile_add_op(struct profile *profile, const struct op_spec *spec, uint32_t *index,
                              struct error *error) {
    struct profile_builder *builder = profile->builder;
    struct op op = { .forward_us = spec->forward_us, .backward_us = spec->backward_us,
                     .recompute_us = isnan(spec->recompute_us) ? spec->forward_us : spec->recompute_us,
                     .recomputable = !spec->not_recomputable,
                     .forward_workspace_bytes = spec->forward_workspace_bytes,
                     .backward_workspace_bytes = spec->backward_workspace_bytes };
    struct op *ops = grow(profile->arena, profile->ops, profile->op_count, &builder->op_room, sizeof *ops);
    if (!ops)
        return error_no_memory(error);
    profile->ops = ops;
    enum ss_status status = take_name(profile, &profile->op_names, "op", spec->name, profile->op_count, &op.name, error);
    if (status == SS_OK)
        status = take_layer(profile, spec->layer ? spec->layer : spec->name, &op.layer, error);
    if (status != SS_OK)
        return status;
    op.kind = spec->kind && *spec->kind ? arena_strdup(profile->arena, spec->kind) : "";
    if (!op.kind || !append(profile, spec->inputs, spec->input_count, &op.inputs) ||
        !append(profile, spec->outputs, spec->output_count, &op.outputs) ||
        !append(profile, spec->saved, spec->saved_count, &op.saved))
        return error_no_memory(error);
    if (index)
        *index = profile->op_count;
    ops[profile->op_count++] = op;
    return SS_OK;
}

/* The tensor LAYER.SUFFIX of the short form. */
static enum ss_status add_layer_tensor(struct profile *profile, const char *layer, const char *suffix,
                                       struct tensor_spec spec, uint32_t *index, struct error *error) {
    spec.name = arena_printf(profile->arena, "%s.%s", layer, suffix);
    return spec.name ? profile_add_tensor(profile, &spec, index, error) : error_no_memory(error);
}

enum ss_status profile_add_layer(struct profile *profile, const struct layer_spec *spec, struct error *error) {
    struct profile_builder *builder = profile->builder;
    uint32_t outputs[2], saved[2], output_count = 0, saved_count = 0;
    const uint32_t input = builder->carried;
    const char *name = spec->name ? spec->name : "";
    if (!*name)
        return error_set(error, SS_BAD_INPUT, "layer %u: expected a name, found none", (unsigned)profile->op_count);
    if (names_find(&profile->op_names, name) != NONE)
        return error_set(error, SS_BAD_INPUT, "layer '%.120s' stands twice: names must be unique", name);
    if (input != NONE)
        saved[saved_count++] = input;
    if (spec->activation_bytes > 0) {
        const struct tensor_spec activation = { .bytes = spec->activation_bytes, .no_gradient = true };
        enum ss_status status = add_layer_tensor(profile, name, "saved", activation, &outputs[0], error);
        if (status != SS_OK)
            return status;
        saved[saved_count++] = outputs[output_count++];
    }
    enum ss_status status = add_layer_tensor(profile, name, "out", (struct tensor_spec){ .bytes = spec->output_bytes },
                                             &outputs[output_count], error);
    if (status != SS_OK)
        return status;
    builder->carried = outputs[output_count++];
    return profile_add_op(profile, &(struct op_spec){
        .name = name, .forward_us = spec->forward_us, .backward_us = spec->backward_us, .recompute_us = NAN,
        .forward_workspace_bytes = spec->forward_workspace_bytes,
        .backward_workspace_bytes = spec->backward_workspace_bytes,
        .inputs = &input, .input_count = input != NONE, .outputs = outputs, .output_count = output_count,
        .saved = saved, .saved_count = saved_count }, NULL, error);
}

static void point(struct profile_fault *fault, const char *part, uint32_t index, const char *field, uint32_t element) {
    if (fault)
        *fault = (struct profile_fault){ .part = part, .index = index, .field = field, .element = element };
}

static bool is_time(double us) { return us >= 0 && isfinite(us); }

static enum ss_status check_link(const struct profile *profile, struct profile_fault *fault, struct error *error) {
    static const char rate[] = "a rate above 0 GB/s", both[] = "a rate above 0 GB/s and at most that direction's single one";
    const struct link *link = &profile->link;
    const struct { const char *path, *wanted; double found; } fields[] = {
        { "link.h2d_gb_per_s", rate, link->h2d_gb_per_s },
        { "link.d2h_gb_per_s", rate, link->d2h_gb_per_s },
        { "link.h2d_both_gb_per_s", both, link->h2d_both_gb_per_s },
        { "link.d2h_both_gb_per_s", both, link->d2h_both_gb_per_s },
        { "link.latency_us", "a finite time of 0 us or more", link->latency_us },
    };
    const char *field = link_fault(link);
    for (size_t i = 0; field && i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(field, fields[i].path + strlen("link.")) != 0)
            continue;
        point(fault, "", 0, fields[i].path, NONE);
        return error_set(error, SS_BAD_INPUT, "expected %s, found %g", fields[i].wanted, fields[i].found);
    }
    return SS_OK;
}

static enum ss_status check_header(const struct profile *profile, struct profile_fault *fault, struct error *error) {
    if (profile->op_count == 0) {
        point(fault, "", 0, "ops", NONE);
        return error_set(error, SS_BAD_INPUT, "expected at least one op, found none");
    }
    if (!is_time(profile->fixed_us)) {
        point(fault, "", 0, "fixed_us", NONE);
        return error_set(error, SS_BAD_INPUT, "fixed_us: expected a finite time of 0 us or more, found %g",
                         profile->fixed_us);
    }
    const struct { const char *field; uint64_t bytes; } sizes[] = {
        { "static_bytes", profile->static_bytes }, { "device.memory_bytes", profile->device_memory_bytes },
    };
    for (int i = 0; i < 2; i++) {
        if (sizes[i].bytes < BYTES_LIMIT)
            continue;
        point(fault, "", 0, sizes[i].field, NONE);
        return error_set(error, SS_BAD_INPUT, "%s: expected bytes below 2^53, found %llu", sizes[i].field,
                         (unsigned long long)sizes[i].bytes);
    }
    return check_link(profile, fault, error);
}

static enum ss_status check_tensors(const struct profile *profile, struct profile_fault *fault, struct error *error) {
    for (uint32_t t = 0; t < profile->tensor_count; t++) {
        const struct tensor *tensor = &profile->tensors[t];
        if (tensor->bytes < BYTES_LIMIT)
            continue;
        point(fault, "tensors", t, "bytes", NONE);
        return error_set(error, SS_BAD_INPUT, "tensor '%.120s': bytes: expected below 2^53, found %llu", tensor->name,
                         (unsigned long long)tensor->bytes);
    }
    return SS_OK;
}

static enum ss_status check_op(const struct profile *profile, uint32_t i, struct profile_fault *fault,
                               struct error *error) {
    const struct op *op = &profile->ops[i];
    const struct { const char *field; double us; } times[] = {
        { "forward_us", op->forward_us }, { "backward_us", op->backward_us }, { "recompute_us", op->recompute_us },
    };
    const struct { const char *field; uint64_t bytes; } sizes[] = {
        { "forward_workspace_bytes", op->forward_workspace_bytes },
        { "backward_workspace_bytes", op->backward_workspace_bytes },
    };
    const struct { const char *field; struct span span; } lists[] = {
        { "inputs", op->inputs }, { "outputs", op->outputs }, { "saved", op->saved },
    };
    for (int f = 0; f < 3; f++) {
        if (is_time(times[f].us))
            continue;
        point(fault, "ops", i, times[f].field, NONE);
        return error_set(error, SS_BAD_INPUT, "op '%.120s': %s: expected a finite time of 0 us or more, found %g",
                         op->name, times[f].field, times[f].us);
    }
    for (int f = 0; f < 2; f++) {
        if (sizes[f].bytes < BYTES_LIMIT)
            continue;
        point(fault, "ops", i, sizes[f].field, NONE);
        return error_set(error, SS_BAD_INPUT, "op '%.120s': %s: expected below 2^53, found %llu", op->name,
                         sizes[f].field, (unsigned long long)sizes[f].bytes);
    }
    for (int f = 0; f < 3; f++)
        for (uint32_t e = 0; e < lists[f].span.count; e++)
            if (profile->index[lists[f].span.at + e] >= profile->tensor_count) {
                point(fault, "ops", i, lists[f].field, e);
                return error_set(error, SS_BAD_INPUT, "op '%.120s': %s: no tensor of that number", op->name,
                                 lists[f].field);
            }
    return SS_OK;
}

/* Sums that later code builds upon: all tensors and their gradients at once are more than any step can need. */
static enum ss_status check_sums(struct profile *profile, struct profile_fault *fault, struct error *error) {
    uint64_t bytes = profile->static_bytes;
    double recompute_us = 0;
    for (uint32_t t = 0; t < profile->tensor_count; t++) {
        const struct tensor *tensor = &profile->tensors[t];
        if (bytes_add(bytes, tensor->bytes, &bytes) && bytes_add(bytes, tensor->gradient ? tensor->bytes : 0, &bytes))
            continue;
        point(fault, "tensors", t, "bytes", NONE);
        return error_set(error, SS_BAD_INPUT, "the tensors up to '%.120s' and their gradients reach 2^63 bytes together",
                         tensor->name);
    }
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        profile->forward_us += op->forward_us;
        profile->backward_us += op->backward_us;
        recompute_us += op->recompute_us;
        if (!isfinite(profile->forward_us + profile->backward_us + recompute_us + profile->fixed_us)) {
            point(fault, "ops", i, NULL, NONE);
            return error_set(error, SS_BAD_INPUT, "the times of the ops up to '%.120s' have no finite sum", op->name);
        }
        if (!bytes_add(bytes, op->forward_workspace_bytes, &bytes) ||
            !bytes_add(bytes, op->backward_workspace_bytes, &bytes)) {
            point(fault, "ops", i, NULL, NONE);
            return error_set(error, SS_BAD_INPUT, "tensors, gradients and the workspaces up to op '%.120s' reach 2^63 "
                             "bytes together", op->name);
        }
    }
    profile->ideal_us = profile->forward_us + profile->backward_us + profile->fixed_us;
    return SS_OK;
}

static enum ss_status find_producers(struct profile *profile, struct profile_fault *fault, struct error *error) {
    for (uint32_t i = 0; i < profile->op_count; i++) {
        const struct op *op = &profile->ops[i];
        for (uint32_t e = 0; e < op->outputs.count; e++) {
            struct tensor *tensor = &profile->tensors[profile->index[op->outputs.at + e]];
            if (tensor->producer == NONE) {
                tensor->producer = i;
                tensor->output_index = e;
                continue;
            }
            point(fault, "ops", i, "outputs", e);
            if (tensor->producer == i)
                return error_set(error, SS_BAD_INPUT, "op '%.120s': output '%.120s' stands twice", op->name,
                                 tensor->name);
            return error_set(error, SS_BAD_INPUT, "op '%.120s': output '%.120s' has a producer already, op '%.120s'",
                             op->name, tensor->name, profile->ops[tensor->producer].name);
        }
    }
    return SS_OK;
}

static enum ss_status check_inputs(const struct profile *profile, uint32_t i, struct profile_fault *fault,
                                   struct error *error) {
    const struct op *op = &profile->ops[i];
    for (uint32_t e = 0; e < op->inputs.count; e++) {
        const struct tensor *tensor = &profile->tensors[profile->index[op->inputs.at + e]];
        if (tensor->producer == NONE || tensor->producer < i)
            continue;
        point(fault, "ops", i, "inputs", e);
        if (tensor->producer == i)
            return error_set(error, SS_BAD_INPUT, "op '%.120s': input '%.120s' is its own output", op->name,
                             tensor->name);
        return error_set(error, SS_BAD_INPUT, "op '%.120s': input '%.120s' is produced later, by op '%.120s': ops must "
                         "stand in execution order", op->name, tensor->name, profile->ops[tensor->producer].name);
    }
    return SS_OK;
}

/* MARK[t] = i + 1 when op I reads or makes tensor t: one array serves all ops. */
static enum ss_status check_saved(const struct profile *profile, uint32_t i, uint32_t *mark,
                                  struct profile_fault *fault, struct error *error) {
    const struct op *op = &profile->ops[i];
    for (uint32_t e = 0; e < op->inputs.count; e++)
        mark[profile->index[op->inputs.at + e]] = i + 1;
    for (uint32_t e = 0; e < op->outputs.count; e++)
        mark[profile->index[op->outputs.at + e]] = i + 1;
    for (uint32_t e = 0; e < op->saved.count; e++) {
        uint32_t t = profile->index[op->saved.at + e];
        const struct tensor *tensor = &profile->tensors[t];
        if (mark[t] == i + 1 || tensor->producer == NONE)
            continue;
        point(fault, "ops", i, "saved", e);
        return error_set(error, SS_BAD_INPUT, "op '%.120s': saved '%.120s' is neither its input nor its output, and has "
                         "a producer, op '%.120s'", op->name, tensor->name, profile->ops[tensor->producer].name);
    }
    return SS_OK;
}

/* The two lists that a tensor has of ops. */
enum reader { CONSUMERS, SAVERS };

static struct span list_of(const struct op *op, enum reader reader) {
    return reader == CONSUMERS ? op->inputs : op->saved;
}

static struct span *readers_of(struct tensor *tensor, enum reader reader) {
    return reader == CONSUMERS ? &tensor->consumers : &tensor->savers;
}

/* Calls for each pair (op, tensor that it reads), each once: counts when INDEX is NULL, fills INDEX otherwise. */
static void visit_readers(struct profile *profile, enum reader reader, uint32_t *seen, uint32_t *index) {
    memset(seen, 0, profile->tensor_count * sizeof *seen);
    for (uint32_t i = 0; i < profile->op_count; i++) {
        struct span list = list_of(&profile->ops[i], reader);
        for (uint32_t e = 0; e < list.count; e++) {
            uint32_t t = profile->index[list.at + e];
            struct span *readers = readers_of(&profile->tensors[t], reader);
            if (seen[t] == i + 1)
                continue;
            seen[t] = i + 1;
            if (index)
                index[readers->at + readers->count] = i;
            readers->count++;
        }
    }
}

/* Gives each tensor's readers their place from AT on; their counts start again at 0, to be filled. */
static uint64_t place_readers(struct profile *profile, enum reader reader, uint64_t at) {
    for (uint32_t t = 0; t < profile->tensor_count; t++) {
        struct span *readers = readers_of(&profile->tensors[t], reader);
        readers->at = (uint32_t)at;
        at += readers->count;
        readers->count = 0;
    }
    return at;
}

static uint64_t place_layers(struct profile *profile, uint64_t at) {
    for (uint32_t i = 0; i < profile->op_count; i++)
        profile->layers[profile->ops[i].layer].ops.count++;
    for (uint32_t l = 0; l < profile->layer_count; l++) {
        struct layer *layer = &profile->layers[l];
        layer->ops.at = (uint32_t)at;
        at += layer->ops.count;
        layer->ops.count = 0;
    }
    return at;
}

/* Who reads and saves each tensor, and the ops of each layer, behind the ops' lists in index[]. SEEN has an entry a
 * tensor. */
static enum ss_status list_readers(struct profile *profile, uint32_t *seen, struct error *error) {
    visit_readers(profile, CONSUMERS, seen, NULL);
    visit_readers(profile, SAVERS, seen, NULL);
    uint64_t count = place_readers(profile, CONSUMERS, profile->builder->index_count);
    count = place_readers(profile, SAVERS, count);
    count = place_layers(profile, count);
    if (count > UINT32_MAX)
        return error_set(error, SS_BAD_INPUT, "expected fewer than 2^32 uses of tensors by ops");
    uint32_t *index = ARENA_ARRAY(profile->arena, uint32_t, count);
    if (!index)
        return error_no_memory(error);
    if (profile->builder->index_count)
        memcpy(index, profile->index, profile->builder->index_count * sizeof *index);
    visit_readers(profile, CONSUMERS, seen, index);
    visit_readers(profile, SAVERS, seen, index);
    for (uint32_t i = 0; i < profile->op_count; i++) {
        struct span *ops = &profile->layers[profile->ops[i].layer].ops;
        index[ops->at + ops->count++] = i;
    }
    profile->index = index;
    return SS_OK;
}

static enum ss_status derive(struct profile *profile, struct error *error) {
    profile->managed = ARENA_ARRAY(profile->arena, uint32_t, profile->tensor_count);
    if (!profile->managed)
        return error_no_memory(error);
    for (uint32_t t = 0; t < profile->tensor_count; t++) {
        struct tensor *tensor = &profile->tensors[t];
        struct span readers = tensor->consumers;
        tensor->last_forward = readers.count ? profile->index[readers.at + readers.count - 1] : tensor->producer;
        tensor->managed = tensor->producer != NONE && tensor->savers.count > 0;
        if (tensor->managed)
            profile->managed[profile->managed_count++] = t;
    }
    return SS_OK;
}

enum ss_status profile_finish(struct profile *profile, struct profile_fault *fault, struct error *error) {
    enum ss_status status;
    point(fault, "", 0, "", NONE);
    if ((status = check_header(profile, fault, error)) != SS_OK ||
        (status = check_tensors(profile, fault, error)) != SS_OK)
        return status;
    for (uint32_t i = 0; i < profile->op_count; i++)
        if ((status = check_op(profile, i, fault, error)) != SS_OK)
            return status;
    if ((status = find_producers(profile, fault, error)) != SS_OK)
        return status;
    uint32_t *mark = ARENA_ARRAY(profile->arena, uint32_t, profile->tensor_count);
    if (!mark)
        return error_no_memory(error);
    for (uint32_t i = 0; i < profile->op_count; i++)
        if ((status = check_inputs(profile, i, fault, error)) != SS_OK ||
            (status = check_saved(profile, i, mark, fault, error)) != SS_OK)
            return status;
    if ((status = check_sums(profile, fault, error)) != SS_OK || (status = list_readers(profile, mark, error)) != SS_OK ||
        (status = derive(profile, error)) != SS_OK)
        return status;
    profile->builder = NULL;
    return SS_OK;
}
