#include "plan_json.h"

#include <stdio.h>
#include <string.h>

#include "core/closure.h"
#include "core/glob.h"
#include "link_json.h"
#include "timings_json.h"

#define SUM_LIMIT ((uint64_t)1 << 63) /* a budget is a sum of sizes */

struct reading {
    struct json json;
    const struct profile *profile;
    struct arena *arena;
    struct plan *plan;
    struct plan_faults *faults; /* NULL: the first fault ends the reading */
    struct plan_details *details;
    struct plan_rule *rules;    /* what "layers" and "actions" say, a rule a member … */
    const cJSON **nodes;        /* … and the members themselves */
    uint32_t rule_count;
    uint32_t *rule_of;          /* tensor -> the rule that decides about it, or NONE */
};

/* Notes that NODE breaks MODEL.md §2, or ends the reading with STATUS and the message that stands in the error. */
static bool fault(struct reading *in, const cJSON *node, struct plan_fault what, enum ss_status status) {
    if (!in->faults || status != SS_BAD_INPUT)
        return json_fault(&in->json, node, NULL, status);
    what.name = what.name ? what.name : node->string;
    status = plan_faults_add(in->faults, what, in->json.error);
    return status == SS_OK || json_fault(&in->json, node, NULL, status);
}

/* Records that the value for a WHAT (tensor, layer) is not what was EXPECTED. */
static bool unexpected(struct json *json, const cJSON *node, const char *what, const char *expected) {
    char wanted[400];
    snprintf(wanted, sizeof wanted, "%s for %s '%.120s'", expected, what, node->string);
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

static void add_rule(struct reading *in, const cJSON *node, bool about_layers, enum action action) {
    in->rules[in->rule_count] = (struct plan_rule){ .text = node->string, .about_layers = about_layers,
                                                    .action = action };
    in->nodes[in->rule_count++] = node;
}

static int action_called(const cJSON *node) {
    int action = 0;
    while (action < ACTION_COUNT && !(cJSON_IsString(node) && strcmp(node->valuestring, ACTION_NAME[action]) == 0))
        action++;
    return action;
}

static bool can_be(const struct tensor *tensor, int action) {
    return tensor->managed && (!tensor->keep || action == ACTION_KEEP);
}

#define ACTIONS_EXPECTED "\"keep\", \"offload\" or \"recompute\""

/* Takes one member of "actions": a tensor or a pattern. */
static bool read_action(struct reading *in, const cJSON *node) {
    const uint32_t tensor = profile_find_tensor(in->profile, node->string);
    const bool pattern = tensor == NONE && glob_is_pattern(node->string);
    const int action = action_called(node);
    if (tensor == NONE && !pattern && !in->faults)
        return unknown_tensor(in, node, ACTION_KEEP, false);
    if (action == ACTION_COUNT)
        return unexpected(&in->json, node, "tensor", ACTIONS_EXPECTED);
    if (tensor == NONE && !pattern)
        return unknown_tensor(in, node, (enum action)action, false);
    if (pattern || can_be(&in->profile->tensors[tensor], action)) {
        add_rule(in, node, false, (enum action)action);
        return true;
    }
    return set_action(in, node, tensor, (enum action)action, false); /* which says why not */
}

static bool read_layer(struct reading *in, const cJSON *node) {
    const int action = action_called(node);
    if (action == ACTION_COUNT)
        return unexpected(&in->json, node, "layer", ACTIONS_EXPECTED);
    add_rule(in, node, true, (enum action)action);
    return true;
}

static uint32_t member_count(const cJSON *object) {
    uint32_t count = 0;
    for (const cJSON *node = object ? object->child : NULL; node; node = node->next)
        count++;
    return count;
}

/* Keeps what spoke of more than one tensor, for whoever wants to show it. */
static bool keep_wide_rules(struct reading *in, struct warnings *warnings) {
    struct plan_details *details = in->details;
    details->rules = ARENA_ARRAY(in->arena, struct plan_rule, in->rule_count);
    for (uint32_t i = 0; details->rules && i < in->rule_count; i++) {
        struct plan_rule rule = in->rules[i];
        if (rule.kind == RULE_TENSOR)
            continue;
        if (rule.matched == 0)
            warnings_add(warnings, "layer '%.80s' has no tensor that the plan could %s", rule.text,
                         ACTION_NAME[rule.action]);
        rule.text = arena_strdup(in->arena, rule.text);
        if (!rule.text)
            break;
        details->rules[details->rule_count++] = rule;
    }
    const bool fine = details->rules && (details->rule_count == 0 || details->rules[details->rule_count - 1].text);
    return fine || json_fault(&in->json, in->json.root, NULL, error_no_memory(in->json.error));
}

static bool read_actions(struct reading *in, const cJSON *layers, const cJSON *actions, struct arena *scratch,
                         struct warnings *warnings) {
    const uint32_t most = member_count(layers) + member_count(actions);
    uint32_t fault = 0;
    in->rules = ARENA_ARRAY(scratch, struct plan_rule, most);
    in->nodes = ARENA_ARRAY(scratch, const cJSON *, most);
    in->rule_of = ARENA_ARRAY(scratch, uint32_t, in->profile->tensor_count);
    if (!in->rules || !in->nodes || !in->rule_of)
        return json_fault(&in->json, in->json.root, NULL, error_no_memory(in->json.error));
    for (const cJSON *node = layers ? layers->child : NULL; node; node = node->next)
        if (!read_layer(in, node))
            return false;
    for (const cJSON *node = actions ? actions->child : NULL; node; node = node->next)
        if (!read_action(in, node))
            return false;
    const enum ss_status status = plan_rules_apply(in->plan, in->profile, in->rules, in->rule_count, in->rule_of, &fault,
                                                   in->json.error);
    if (status != SS_OK)
        return json_fault(&in->json, in->rule_count > 0 ? in->nodes[fault] : in->json.root, NULL, status);
    return keep_wide_rules(in, warnings);
}

/* Distances beyond any schedule's length mean the same: as early as room allows. */
static uint32_t distance_of(uint64_t steps) { return steps < PREFETCH_ANY ? (uint32_t)steps : PREFETCH_ANY; }

static bool read_distance(struct reading *in, const cJSON *node) {
    uint64_t steps;
    const uint32_t tensor = profile_find_tensor(in->profile, node->string);
    if (tensor == NONE && !in->faults)
        return unknown_tensor(in, node, ACTION_KEEP, true);
    if (!json_is_whole(node, SUM_LIMIT, &steps))
        return unexpected(&in->json, node, "tensor", "a whole number of steps, 0 or more,");
    if (tensor == NONE)
        return unknown_tensor(in, node, ACTION_KEEP, true);
    if (!set_action(in, node, tensor, (enum action)in->plan->action[tensor], true))
        return false;
    if (in->profile->tensors[tensor].managed)
        in->plan->prefetch[tensor] = distance_of(steps);
    return true;
}

/* A distance for all managed tensors that a pattern describes. */
static bool read_distances(struct reading *in, const cJSON *node) {
    uint64_t steps;
    uint32_t matched = 0;
    if (!json_is_whole(node, SUM_LIMIT, &steps))
        return unexpected(&in->json, node, "tensor", "a whole number of steps, 0 or more,");
    for (uint32_t i = 0; i < in->profile->managed_count; i++) {
        const uint32_t tensor = in->profile->managed[i];
        if (glob_matches(node->string, in->profile->tensors[tensor].name)) {
            in->plan->prefetch[tensor] = distance_of(steps);
            matched++;
        }
    }
    return matched > 0 || json_fault(&in->json, node, NULL,
                                     error_set(in->json.error, SS_BAD_INPUT,
                                               "pattern '%.120s' matches no tensor of profile '%.120s' that a plan "
                                               "decides about", node->string, in->profile->name));
}

static bool is_pattern(const struct reading *in, const cJSON *node) {
    return glob_is_pattern(node->string) && profile_find_tensor(in->profile, node->string) == NONE;
}

/* Patterns first, so that exact names win. */
static bool read_all_distances(struct reading *in, const cJSON *prefetch) {
    uint32_t patterns = 0;
    for (const cJSON *node = prefetch->child; node; node = node->next) {
        if (!is_pattern(in, node))
            continue;
        if (++patterns > RULES_MOST)
            return json_fault(&in->json, node, NULL,
                              error_set(in->json.error, SS_BAD_INPUT, "expected at most %d patterns", RULES_MOST));
        if (!read_distances(in, node))
            return false;
    }
    for (const cJSON *node = prefetch->child; node; node = node->next)
        if (!is_pattern(in, node) && !read_distance(in, node))
            return false;
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
    return !prefetch || read_all_distances(in, prefetch);
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
                 (struct plan_fault){ .kind = FAULT_FORBIDDEN, .action = ACTION_RECOMPUTE, .tensor = tensor, .op = op,
                                      .name = profile->tensors[tensor].name },
                 status);
}

/* What a tensor's recompute runs again does not depend on the rest of the plan (closure.h). */
static bool check_closures(struct reading *in) {
    struct closure closure;
    struct arena arena = { 0 };
    enum ss_status status = closure_compute(&closure, &arena, in->profile, in->json.error);
    bool fine = status == SS_OK || json_fault(&in->json, in->json.root, NULL, status);
    for (uint32_t t = 0; fine && t < in->profile->tensor_count; t++)
        if (in->plan->action[t] == ACTION_RECOMPUTE)
            fine = check_closure(in, &closure, t, in->nodes[in->rule_of[t]]);
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

static bool read_measured(struct reading *in) {
    const cJSON *list = NULL;
    if (!json_get_array(&in->json, in->json.root, "measured", JSON_OPTIONAL, &list))
        return false;
    return !list || timings_json_take(&in->json, list, in->profile, in->arena, &in->details->measurements,
                                       &in->details->measurement_count);
}

static bool read_plan(struct reading *in, struct arena *scratch, struct warnings *warnings) {
    const cJSON *actions = NULL, *layers = NULL;
    struct json *json = &in->json;
    if (!read_header(in, warnings) || !read_link(in) ||
        !json_get_object(json, json->root, "layers", JSON_OPTIONAL, &layers) ||
        !json_get_object(json, json->root, "actions", layers ? JSON_OPTIONAL : JSON_REQUIRED, &actions))
        return false;
    return read_actions(in, layers, actions, scratch, warnings) && read_prefetch(in) && check_closures(in) &&
           read_measured(in);
}

static enum ss_status read_document(struct reading *in, const char *text, size_t length, struct warnings *warnings,
                                    struct error *error) {
    struct plan_details details;
    struct arena scratch = { 0 };
    in->details = in->details ? in->details : &details;
    *in->details = (struct plan_details){ 0 };
    enum ss_status status = plan_init(in->plan, in->arena, in->profile, error);
    if (status == SS_OK)
        status = json_open(&in->json, text, length, error);
    if (status != SS_OK)
        return status;
    read_plan(in, &scratch, warnings);
    json_close(&in->json);
    arena_free(&scratch);
    return in->json.status;
}

enum ss_status plan_json_read_faulty(const char *text, size_t length, const struct profile *profile,
                                     struct arena *arena, struct plan *out, struct plan_faults *faults,
                                     struct warnings *warnings, struct error *error) {
    struct reading in = { .profile = profile, .arena = arena, .plan = out, .faults = faults };
    return read_document(&in, text, length, warnings, error);
}

enum ss_status plan_json_read_details(const char *text, size_t length, const struct profile *profile,
                                      struct arena *arena, struct plan *out, struct plan_details *details,
                                      struct warnings *warnings, struct error *error) {
    struct reading in = { .profile = profile, .arena = arena, .plan = out, .details = details };
    return read_document(&in, text, length, warnings, error);
}

enum ss_status plan_json_read(const char *text, size_t length, const struct profile *profile, struct arena *arena,
                              struct plan *out, struct warnings *warnings, struct error *error) {
    return plan_json_read_details(text, length, profile, arena, out, NULL, warnings, error);
}

/* Whether OBJECT is a whole plan, and not its actions alone: those are texts. */
static bool is_whole_plan(const cJSON *object) {
    return cJSON_IsObject(json_find(object, "actions")) || cJSON_IsObject(json_find(object, "layers"));
}

bool plan_json_take(struct json *json, const cJSON *node, const struct profile *profile, struct arena *arena,
                    struct plan *out) {
    struct plan_details details = { 0 };
    struct arena scratch = { 0 };
    struct reading in = { .profile = profile, .arena = arena, .plan = out, .details = &details };
    const enum ss_status status = plan_init(out, arena, profile, json->error);
    if (status != SS_OK)
        return json_fault(json, node, NULL, status);
    in.json = json_nested(json, node, arena);
    if (!json_is_object(&in.json, node, "an object of actions, or a plan"))
        return json_leave(json, &in.json);
    if (is_whole_plan(node))
        read_plan(&in, &scratch, NULL);
    else if (read_actions(&in, NULL, node, &scratch, NULL))
        check_closures(&in);
    arena_free(&scratch);
    return json_leave(json, &in.json);
}

/* The distance that all managed tensors share, or PREFETCH_ANY. */
static uint32_t common_distance(const struct profile *profile, const struct plan *plan) {
    uint32_t common = profile->managed_count ? plan_prefetch(plan, profile->managed[0]) : PREFETCH_ANY;
    for (uint32_t i = 1; i < profile->managed_count; i++)
        if (plan_prefetch(plan, profile->managed[i]) != common)
            return PREFETCH_ANY;
    return common;
}

static bool has_distance(const struct profile *profile, const struct plan *plan) {
    for (uint32_t i = 0; i < profile->managed_count; i++)
        if (plan_prefetch(plan, profile->managed[i]) != PREFETCH_ANY)
            return true;
    return false;
}

static void write_prefetch(struct json_writer *writer, const struct profile *profile, const struct plan *plan) {
    uint32_t common = common_distance(profile, plan);
    if (common != PREFETCH_ANY)
        json_put_whole(writer, "prefetch_steps", common);
    if (common != PREFETCH_ANY || !has_distance(profile, plan))
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
