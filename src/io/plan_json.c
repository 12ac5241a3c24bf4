#include "plan_json.h"

#include <stdio.h>
#include <string.h>

#include "core/closure.h"
#include "link_json.h"

#define SUM_LIMIT ((uint64_t)1 << 63) /* a budget is a sum of sizes */

struct reading {
    struct json json;
    const struct profile *profile;
    struct arena *arena;
    struct plan *plan;
    struct plan_faults *faults; /* NULL: the first fault ends the reading */
};

/* Notes that NODE breaks MODEL.md §2, or ends the reading with STATUS and the message that stands in the error. */
static bool fault(struct reading *in, const cJSON *node, struct plan_fault what, enum ss_status status) {
    if (!in->faults || status != SS_BAD_INPUT)
        return json_fault(&in->json, node, NULL, status);
    what.name = node->string;
    status = plan_faults_add(in->faults, what, in->json.error);
    return status == SS_OK || json_fault(&in->json, node, NULL, status);
}

/* Records that TENSOR's value is not what was EXPECTED. */
static bool unexpected(struct json *json, const cJSON *node, const char *expected) {
    char wanted[400];
    snprintf(wanted, sizeof wanted, "%s for tensor '%.120s'", expected, node->string);
    return json_expected(json, node, wanted);
}

/* Sets one action; one that can't be is a fault. */
static bool set_action(struct reading *in, const cJSON *node, uint32_t tensor, enum action action, bool distance) {
    enum ss_status status = plan_set(in->plan, in->profile, tensor, action, in->json.error);
    if (status == SS_OK)
        return true;
    const enum plan_fault_kind kind = in->profile->tensors[tensor].managed ? FAULT_MUST_STAY : FAULT_UNMANAGED;
    return fault(in, node,
                 (struct plan_fault){ .kind = kind, .action = (uint8_t)action, .distance = distance, .tensor = tensor,
                                      .op = NONE }, status);
}

/* NODE is about a tensor that the profile does not have. */
static bool unknown_tensor(struct reading *in, const cJSON *node, enum action action, bool distance) {
    const enum ss_status status = error_set(in->json.error, SS_BAD_INPUT,
                                            "expected a tensor of profile '%.120s', found '%.120s'", in->profile->name,
                                            node->string);
    return fault(in, node,
                 (struct plan_fault){ .kind = FAULT_UNKNOWN_TENSOR, .action = (uint8_t)action, .distance = distance,
                                      .tensor = NONE, .op = NONE }, status);
}

static bool read_action(struct reading *in, const cJSON *node) {
    const uint32_t tensor = profile_find_tensor(in->profile, node->string);
    int action = 0;
    if (tensor == NONE && !in->faults)
        return unknown_tensor(in, node, ACTION_KEEP, false);
    while (action < ACTION_COUNT && !(cJSON_IsString(node) && strcmp(node->valuestring, ACTION_NAME[action]) == 0))
        action++;
    if (action == ACTION_COUNT)
        return unexpected(&in->json, node, "\"keep\", \"offload\" or \"recompute\"");
    if (tensor == NONE)
        return unknown_tensor(in, node, (enum action)action, false);
    return set_action(in, node, tensor, (enum action)action, false);
}

/* Distances beyond any schedule's length mean the same: as early as room allows. */
static uint32_t distance_of(uint64_t steps) { return steps < PREFETCH_ANY ? (uint32_t)steps : PREFETCH_ANY; }

static bool read_distance(struct reading *in, const cJSON *node) {
    uint64_t steps;
    const uint32_t tensor = profile_find_tensor(in->profile, node->string);
    if (tensor == NONE && !in->faults)
        return unknown_tensor(in, node, ACTION_KEEP, true);
    if (!json_is_whole(node, SUM_LIMIT, &steps))
        return unexpected(&in->json, node, "a whole number of steps, 0 or more,");
    if (tensor == NONE)
        return unknown_tensor(in, node, ACTION_KEEP, true);
    if (!set_action(in, node, tensor, (enum action)in->plan->action[tensor], true))
        return false;
    if (in->profile->tensors[tensor].managed)
        in->plan->prefetch[tensor] = distance_of(steps);
    return true;
}

static bool read_prefetch(struct reading *in) {
    struct json *json = &in->json;
    const struct profile *profile = in->profile;
    const cJSON *prefetch = NULL;
    uint64_t steps = PREFETCH_ANY;
    json_get_whole(json, json->root, "prefetch_steps", JSON_OPTIONAL, SUM_LIMIT, &steps);
    if (!json_get_object(json, json->root, "prefetch", JSON_OPTIONAL, &prefetch))
        return false;
    if (steps >= PREFETCH_ANY && !prefetch)
        return true;
    in->plan->prefetch = ARENA_ARRAY(in->arena, uint32_t, profile->tensor_count);
    if (!in->plan->prefetch)
        return json_fault(json, json->root, NULL, error_no_memory(json->error));
    for (uint32_t t = 0; t < profile->tensor_count; t++)
        in->plan->prefetch[t] = profile->tensors[t].managed ? distance_of(steps) : PREFETCH_ANY;
    for (const cJSON *node = prefetch ? prefetch->child : NULL; node; node = node->next)
        if (!read_distance(in, node))
            return false;
    return true;
}

static bool read_header(struct reading *in, struct warnings *warnings) {
    struct json *json = &in->json;
    const char *profile = NULL, *planner = "", *unit = "tensor";
    if (!json_is_object(json, json->root, "a plan, an object with \"actions\"") ||
        !json_check_schema(json, PLAN_SCHEMA, warnings))
        return false;
    json_get_text(json, json->root, "profile", JSON_OPTIONAL, &profile);
    json_get_text(json, json->root, "planner", JSON_OPTIONAL, &planner);
    json_get_text(json, json->root, "unit", JSON_OPTIONAL, &unit);
    json_get_whole(json, json->root, "budget_bytes", JSON_OPTIONAL, SUM_LIMIT, &in->plan->budget_bytes);
    if (json->status != SS_OK)
        return false;
    if (profile && !in->faults && strcmp(profile, in->profile->name) != 0)
        warnings_add(warnings, "the plan was made for profile '%.80s', not for '%.80s'", profile, in->profile->name);
    in->plan->planner = arena_strdup(in->arena, planner);
    in->plan->unit = arena_strdup(in->arena, unit);
    in->plan->made_for = arena_strdup(in->arena, profile ? profile : "");
    if (in->plan->planner && in->plan->unit && in->plan->made_for)
        return true;
    return json_fault(json, json->root, NULL, error_no_memory(json->error));
}

/* The first op in the closure of OP that must not run again: itself, or behind an input that is not managed. */
static uint32_t barred_op(const struct profile *profile, const struct closure *closure, uint32_t op) {
    while (profile->ops[op].recomputable) {
        const struct span inputs = profile->ops[op].inputs;
        uint32_t next = NONE;
        for (uint32_t i = 0; i < inputs.count && next == NONE; i++) {
            const struct tensor *input = &profile->tensors[profile->index[inputs.at + i]];
            if (!input->managed && input->producer != NONE && !closure->rerunnable[input->producer])
                next = input->producer;
        }
        op = next; /* there is one: that is why OP may not be run again */
    }
    return op;
}

/* Whether what TENSOR's recompute would run again may run twice. */
static bool check_closure(struct reading *in, const struct closure *closure, uint32_t tensor, const cJSON *node) {
    const struct profile *profile = in->profile;
    if (closure->rerunnable[profile->tensors[tensor].producer])
        return true;
    const uint32_t op = barred_op(profile, closure, profile->tensors[tensor].producer);
    const enum ss_status status = error_set(in->json.error, SS_BAD_INPUT,
                                            "tensor '%.120s': to recompute it, op '%.120s' would run again, which it "
                                            "must not (\"recomputable\": false)", profile->tensors[tensor].name,
                                            profile->ops[op].name);
    in->plan->action[tensor] = ACTION_KEEP;
    return fault(in, node,
                 (struct plan_fault){ .kind = FAULT_FORBIDDEN, .action = ACTION_RECOMPUTE, .tensor = tensor, .op = op },
                 status);
}

/* What a tensor's recompute runs again does not depend on the rest of the plan (closure.h). */
static bool check_closures(struct reading *in, const cJSON *actions) {
    struct closure closure;
    struct arena arena = { 0 };
    enum ss_status status = closure_compute(&closure, &arena, in->profile, in->json.error);
    bool fine = status == SS_OK || json_fault(&in->json, actions, NULL, status);
    for (const cJSON *node = actions->child; fine && node; node = node->next) {
        const uint32_t tensor = profile_find_tensor(in->profile, node->string);
        if (tensor != NONE && in->plan->action[tensor] == ACTION_RECOMPUTE)
            fine = check_closure(in, &closure, tensor, node);
    }
    arena_free(&arena);
    return fine;
}

/* The link that the plan was made for. */
static bool read_link(struct reading *in) {
    struct json *json = &in->json;
    const cJSON *object = NULL;
    struct link link;
    if (!json_get_object(json, json->root, "link", JSON_OPTIONAL, &object) || !object)
        return json->status == SS_OK;
    if (!link_json_take(json, object, &link))
        return false;
    link.name = arena_strdup(in->arena, link.name);
    in->plan->link = link;
    return link.name || json_fault(json, object, NULL, error_no_memory(json->error));
}

static bool read_plan(struct reading *in, struct warnings *warnings) {
    const cJSON *actions = NULL;
    if (!read_header(in, warnings) || !read_link(in) ||
        !json_get_object(&in->json, in->json.root, "actions", JSON_REQUIRED, &actions))
        return false;
    for (const cJSON *node = actions->child; node; node = node->next)
        if (!read_action(in, node))
            return false;
    return read_prefetch(in) && check_closures(in, actions);
}

enum ss_status plan_json_read_faulty(const char *text, size_t length, const struct profile *profile,
                                     struct arena *arena, struct plan *out, struct plan_faults *faults,
                                     struct warnings *warnings, struct error *error) {
    struct reading in = { .profile = profile, .arena = arena, .plan = out, .faults = faults };
    enum ss_status status = plan_init(out, arena, profile, error);
    if (status == SS_OK)
        status = json_open(&in.json, text, length, error);
    if (status != SS_OK)
        return status;
    read_plan(&in, warnings);
    json_close(&in.json);
    return in.json.status;
}

enum ss_status plan_json_read(const char *text, size_t length, const struct profile *profile, struct arena *arena,
                              struct plan *out, struct warnings *warnings, struct error *error) {
    return plan_json_read_faulty(text, length, profile, arena, out, NULL, warnings, error);
}

/* The distance that all managed tensors share, or PREFETCH_ANY. */
static uint32_t common_distance(const struct profile *profile, const struct plan *plan) {
    uint32_t common = profile->managed_count ? plan_prefetch(plan, profile->managed[0]) : PREFETCH_ANY;
    for (uint32_t i = 1; i < profile->managed_count; i++)
        if (plan_prefetch(plan, profile->managed[i]) != common)
            return PREFETCH_ANY;
    return common;
}

static void write_prefetch(struct json_writer *writer, const struct profile *profile, const struct plan *plan) {
    uint32_t common = common_distance(profile, plan);
    if (common != PREFETCH_ANY)
        json_put_whole(writer, "prefetch_steps", common);
    if (!plan->prefetch || common != PREFETCH_ANY)
        return;
    json_open_object(writer, "prefetch", JSON_LINES);
    for (uint32_t i = 0; i < profile->managed_count; i++)
        if (plan->prefetch[profile->managed[i]] != PREFETCH_ANY)
            json_put_whole(writer, profile->tensors[profile->managed[i]].name, plan->prefetch[profile->managed[i]]);
    json_end(writer);
}

void plan_json_put(struct json_writer *writer, const char *key, const struct profile *profile, const struct plan *plan) {
    json_open_object(writer, key, JSON_LINES);
    json_put_text(writer, "schema", PLAN_SCHEMA);
    json_put_text(writer, "profile", profile->name);
    json_put_text(writer, "planner", plan->planner);
    json_put_text(writer, "unit", plan->unit);
    if (plan->budget_bytes != BYTES_UNLIMITED)
        json_put_whole(writer, "budget_bytes", plan->budget_bytes);
    if (plan->link.h2d_gb_per_s > 0)
        link_json_put(writer, &plan->link);
    json_open_object(writer, "actions", JSON_LINES);
    for (uint32_t i = 0; i < profile->managed_count; i++)
        json_put_text(writer, profile->tensors[profile->managed[i]].name,
                      ACTION_NAME[plan->action[profile->managed[i]]]);
    json_end(writer);
    write_prefetch(writer, profile, plan);
    json_end(writer);
}

void plan_json_write(struct buffer *out, const struct profile *profile, const struct plan *plan) {
    struct json_writer writer = { .out = out };
    plan_json_put(&writer, NULL, profile, plan);
}
