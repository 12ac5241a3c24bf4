#include "profile_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_write.h"
#include "measured_json.h"
#include "link_json.h"

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* One profile being read. LIST is where an op's three lists of tensor numbers are gathered, one behind the other. */
struct reading {
    struct json json;
    struct profile *profile;
    const cJSON *tensors, *ops, *layers;
    uint32_t *list;
    size_t list_count, list_room;
};

static bool read_device(struct reading *in) {
    struct json *json = &in->json;
    const cJSON *device = NULL;
    const char *name = "";
    if (!json_get_object(json, json->root, "device", JSON_OPTIONAL, &device) || !device)
        return json->status == SS_OK;
    json_get_text(json, device, "name", JSON_OPTIONAL, &name);
    json_get_whole(json, device, "memory_bytes", JSON_OPTIONAL, BYTES_LIMIT, &in->profile->device_memory_bytes);
    in->profile->device_name = arena_strdup(in->profile->arena, name);
    return json->status == SS_OK;
}

static bool read_link(struct reading *in) {
    struct json *json = &in->json;
    const cJSON *object = NULL;
    struct link link = { .name = "" };
    if (!json_get_object(json, json->root, "link", JSON_OPTIONAL, &object) || !object)
        return json->status == SS_OK;
    if (!link_json_take(json, object, &link))
        return false;
    link.name = arena_strdup(in->profile->arena, link.name);
    in->profile->link = link;
    in->profile->link_given = true;
    return json->status == SS_OK;
}

static bool read_header(struct reading *in, struct warnings *warnings) {
    struct json *json = &in->json;
    struct profile *profile = in->profile;
    const char *name = "", *source = "";
    if (!json_is_object(json, json->root, "a profile, an object with \"tensors\" and \"ops\" or with \"layers\"") ||
        !json_check_schema(json, PROFILE_SCHEMA, warnings))
        return false;
    json_get_text(json, json->root, "name", JSON_OPTIONAL, &name);
    json_get_text(json, json->root, "source", JSON_OPTIONAL, &source);
    json_get_whole(json, json->root, "static_bytes", JSON_OPTIONAL, BYTES_LIMIT, &profile->static_bytes);
    json_get_time(json, json->root, "fixed_us", JSON_OPTIONAL, &profile->fixed_us);
    if (!read_device(in) || !read_link(in) || !measured_json_read(json, json->root, profile))
        return false;
    profile->name = arena_strdup(profile->arena, name);
    profile->source = arena_strdup(profile->arena, source);
    if (profile->name && profile->source && profile->device_name && profile->link.name)
        return true;
    return json_fault(json, json->root, NULL, error_no_memory(json->error));
}

/* Which of the two forms it is. */
static bool read_form(struct reading *in, struct warnings *warnings) {
    struct json *json = &in->json;
    json_get_array(json, json->root, "ops", JSON_OPTIONAL, &in->ops);
    json_get_array(json, json->root, "layers", JSON_OPTIONAL, &in->layers);
    if (!in->ops && !in->layers)
        return json_missing(json, json->root, "ops", "\"tensors\" and \"ops\", or \"layers\"");
    if (in->ops && !json_get_array(json, json->root, "tensors", JSON_REQUIRED, &in->tensors))
        return false;
    if (in->ops && in->layers)
        warnings_add(warnings, "\"layers\" beside \"ops\" are passed over");
    return json->status == SS_OK;
}

static bool read_tensor(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    struct tensor_spec spec = { 0 };
    bool gradient = true;
    json_is_object(json, node, "a tensor, an object");
    json_get_name(json, node, "name", JSON_REQUIRED, &spec.name);
    json_get_whole(json, node, "bytes", JSON_REQUIRED, BYTES_LIMIT, &spec.bytes);
    json_get_bool(json, node, "gradient", &gradient);
    json_get_bool(json, node, "keep", &spec.keep);
    if (json->status != SS_OK)
        return false;
    spec.no_gradient = !gradient;
    enum ss_status status = profile_add_tensor(in->profile, &spec, NULL, json->error);
    return status == SS_OK || json_fault(json, node, "name", status);
}

static bool list_add(struct reading *in, uint32_t tensor) {
    if (in->list_count == in->list_room) {
        size_t room = in->list_room ? in->list_room * 2 : 64;
        uint32_t *list = realloc(in->list, room * sizeof *list);
        if (!list)
            return json_fault(&in->json, in->json.root, NULL, error_no_memory(in->json.error));
        in->list = list;
        in->list_room = room;
    }
    in->list[in->list_count++] = tensor;
    return true;
}

/* Adds the tensors that member KEY of OP names to in->list. */
static uint32_t read_list(struct reading *in, const cJSON *op, const char *key) {
    struct json *json = &in->json;
    const cJSON *array = NULL;
    const size_t before = in->list_count;
    if (!json_get_array(json, op, key, JSON_OPTIONAL, &array) || !array)
        return 0;
    for (const cJSON *node = array->child; node; node = node->next) {
        const char *name = "";
        if (!json_take_text(json, node, "the name of a tensor", &name))
            return 0;
        uint32_t tensor = profile_find_tensor(in->profile, name);
        if (tensor == NONE)
            json_expected(json, node, "the name of a tensor");
        if (tensor == NONE || !list_add(in, tensor))
            return 0;
    }
    return (uint32_t)(in->list_count - before);
}

static bool read_op(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    struct op_spec spec = { .recompute_us = NAN };
    bool recomputable = true;
    json_is_object(json, node, "an op, an object");
    json_get_name(json, node, "name", JSON_REQUIRED, &spec.name);
    json_get_name(json, node, "layer", JSON_OPTIONAL, &spec.layer);
    json_get_text(json, node, "kind", JSON_OPTIONAL, &spec.kind);
    json_get_time(json, node, "forward_us", JSON_REQUIRED, &spec.forward_us);
    json_get_time(json, node, "backward_us", JSON_REQUIRED, &spec.backward_us);
    json_get_time(json, node, "recompute_us", JSON_OPTIONAL, &spec.recompute_us);
    json_get_bool(json, node, "recomputable", &recomputable);
    json_get_whole(json, node, "forward_workspace_bytes", JSON_OPTIONAL, BYTES_LIMIT, &spec.forward_workspace_bytes);
    json_get_whole(json, node, "backward_workspace_bytes", JSON_OPTIONAL, BYTES_LIMIT, &spec.backward_workspace_bytes);
    in->list_count = 0;
    spec.input_count = read_list(in, node, "inputs");
    spec.output_count = read_list(in, node, "outputs");
    spec.saved_count = read_list(in, node, "saved");
    if (json->status != SS_OK)
        return false;
    spec.not_recomputable = !recomputable;
    if (in->list) {
        spec.inputs = in->list;
        spec.outputs = in->list + spec.input_count;
        spec.saved = spec.outputs + spec.output_count;
    }
    enum ss_status status = profile_add_op(in->profile, &spec, NULL, json->error);
    return status == SS_OK || json_fault(json, node, "name", status);
}

static bool read_layer(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    struct layer_spec spec = { 0 };
    json_is_object(json, node, "a layer, an object");
    json_get_name(json, node, "name", JSON_REQUIRED, &spec.name);
    json_get_time(json, node, "forward_us", JSON_REQUIRED, &spec.forward_us);
    json_get_time(json, node, "backward_us", JSON_REQUIRED, &spec.backward_us);
    json_get_whole(json, node, "activation_bytes", JSON_OPTIONAL, BYTES_LIMIT, &spec.activation_bytes);
    json_get_whole(json, node, "output_bytes", JSON_REQUIRED, BYTES_LIMIT, &spec.output_bytes);
    json_get_whole(json, node, "forward_workspace_bytes", JSON_OPTIONAL, BYTES_LIMIT, &spec.forward_workspace_bytes);
    json_get_whole(json, node, "backward_workspace_bytes", JSON_OPTIONAL, BYTES_LIMIT, &spec.backward_workspace_bytes);
    if (json->status != SS_OK)
        return false;
    enum ss_status status = profile_add_layer(in->profile, &spec, json->error);
    return status == SS_OK || json_fault(json, node, "name", status);
}

static bool read_each(struct reading *in, const cJSON *array, bool (*read)(struct reading *, const cJSON *)) {
    for (const cJSON *node = array ? array->child : NULL; node; node = node->next)
        if (!read(in, node))
            return false;
    return true;
}

static const cJSON *element(const cJSON *array, uint32_t index) {
    const cJSON *node = array ? array->child : NULL;
    for (; node && index > 0; index--)
        node = node->next;
    return node;
}

/* The place of a fault that profile_finish found. In the short form a tensor's fault is that of the layer whose op
 * makes it. */
static bool place_fault(struct reading *in, const struct profile_fault *fault, enum ss_status status) {
    struct json *json = &in->json;
    const cJSON *node = json->root;
    const char *field = fault->field && *fault->field ? fault->field : NULL;
    if (in->ops && *fault->part) {
        node = element(strcmp(fault->part, "ops") == 0 ? in->ops : in->tensors, fault->index);
    } else if (*fault->part) {
        const bool is_op = strcmp(fault->part, "ops") == 0;
        node = in->layers;
        if (is_op)
            node = element(in->layers, fault->index);
        field = is_op ? field : NULL;
    } else if (field && strchr(field, '.')) { /* "link.…", "device.…" */
        const bool link = field[0] == 'l';
        node = json_find(json->root, link ? "link" : "device");
        field = strchr(field, '.') + 1;
    } else if (field && strcmp(field, "ops") == 0 && !in->ops) {
        field = "layers";
    }
    if (field && fault->element != NONE) {
        const cJSON *item = element(json_find(node, field), fault->element);
        if (item)
            return json_fault(json, item, NULL, status);
    }
    return json_fault(json, node ? node : json->root, field, status);
}

static bool read_profile(struct reading *in, struct warnings *warnings) {
    struct profile_fault fault;
    if (!read_header(in, warnings) || !read_form(in, warnings))
        return false;
    if (in->ops ? !read_each(in, in->tensors, read_tensor) || !read_each(in, in->ops, read_op)
                : !read_each(in, in->layers, read_layer))
        return false;
    enum ss_status status = profile_finish(in->profile, &fault, in->json.error);
    return status == SS_OK || place_fault(in, &fault, status);
}

enum ss_status profile_json_read(const char *text, size_t length, struct arena *arena, struct profile *out,
                                 struct warnings *warnings, struct error *error) {
    struct reading in = { .profile = out };
    enum ss_status status = profile_begin(out, arena, error);
    if (status == SS_OK)
        status = json_open(&in.json, text, length, error);
    if (status != SS_OK)
        return status;
    read_profile(&in, warnings);
    free(in.list);
    json_close(&in.json);
    return in.json.status;
}

bool profile_json_take(struct json *json, const cJSON *node, struct arena *arena, struct profile *out) {
    struct reading in = { .profile = out };
    const enum ss_status status = profile_begin(out, arena, json->error);
    if (status != SS_OK)
        return json_fault(json, node, NULL, status);
    in.json = json_nested(json, node, arena);
    if (in.json.status == SS_OK)
        read_profile(&in, NULL);
    free(in.list);
    return json_leave(json, &in.json);
}

/* ---- writing -------------------------------------------------------------------------------------------------------- */

static void write_text(struct json_writer *writer, const char *key, const char *text) {
    if (*text)
        json_put_text(writer, key, text);
}

static void write_bytes(struct json_writer *writer, const char *key, uint64_t bytes) {
    if (bytes > 0)
        json_put_whole(writer, key, bytes);
}

static void write_header(struct json_writer *writer, const struct profile *profile) {
    json_put_text(writer, "schema", PROFILE_SCHEMA);
    json_put_text(writer, "name", profile->name);
    write_text(writer, "source", profile->source);
    if (*profile->device_name || profile->device_memory_bytes > 0) {
        json_open_object(writer, "device", JSON_INLINE);
        write_text(writer, "name", profile->device_name);
        write_bytes(writer, "memory_bytes", profile->device_memory_bytes);
        json_end(writer);
    }
    if (profile->link_given)
        link_json_put(writer, &profile->link);
    write_bytes(writer, "static_bytes", profile->static_bytes);
    if (profile->fixed_us > 0)
        json_put_number(writer, "fixed_us", profile->fixed_us);
    measured_json_put(writer, profile);
}

static void write_tensor(struct json_writer *writer, const struct tensor *tensor) {
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "name", tensor->name);
    json_put_whole(writer, "bytes", tensor->bytes);
    if (!tensor->gradient)
        json_put_bool(writer, "gradient", false);
    if (tensor->keep)
        json_put_bool(writer, "keep", true);
    json_end(writer);
}

static void write_list(struct json_writer *writer, const char *key, const struct profile *profile, struct span list) {
    json_open_array(writer, key, JSON_INLINE);
    for (uint32_t i = 0; i < list.count; i++)
        json_put_text(writer, NULL, profile->tensors[profile->index[list.at + i]].name);
    json_end(writer);
}

static void write_op(struct json_writer *writer, const struct profile *profile, const struct op *op) {
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "name", op->name);
    json_put_text(writer, "layer", profile->layers[op->layer].name);
    write_text(writer, "kind", op->kind);
    json_put_number(writer, "forward_us", op->forward_us);
    json_put_number(writer, "backward_us", op->backward_us);
    write_list(writer, "inputs", profile, op->inputs);
    write_list(writer, "outputs", profile, op->outputs);
    write_list(writer, "saved", profile, op->saved);
    if (op->recompute_us != op->forward_us)
        json_put_number(writer, "recompute_us", op->recompute_us);
    if (!op->recomputable)
        json_put_bool(writer, "recomputable", false);
    write_bytes(writer, "forward_workspace_bytes", op->forward_workspace_bytes);
    write_bytes(writer, "backward_workspace_bytes", op->backward_workspace_bytes);
    json_end(writer);
}

void profile_json_write(struct buffer *out, const struct profile *profile) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_LINES);
    write_header(&writer, profile);
    json_open_array(&writer, "tensors", JSON_LINES);
    for (uint32_t t = 0; t < profile->tensor_count; t++)
        write_tensor(&writer, &profile->tensors[t]);
    json_end(&writer);
    json_open_array(&writer, "ops", JSON_LINES);
    for (uint32_t i = 0; i < profile->op_count; i++)
        write_op(&writer, profile, &profile->ops[i]);
    json_end(&writer);
    json_end(&writer);
}
