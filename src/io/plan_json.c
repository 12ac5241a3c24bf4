#include "plan_json.h"

#include <stdio.h>
#include <string.h>

#include "core/schedule.h"

#define SUM_LIMIT ((uint64_t)1 << 63) /* a budget is a sum of sizes */

struct reading {
    struct json json;
    const struct profile *profile;
    struct arena *arena;
    struct plan *plan;
};

/* Records that TENSOR's value is not what was EXPECTED. */
static bool unexpected(struct json *json, const cJSON *node, const char *expected) {
    char wanted[400];
    snprintf(wanted, sizeof wanted, "%s for tensor '%.120s'", expected, node->string);
    return json_expected(json, node, wanted);
}

/* The managed tensor that member NODE is about. */
static bool find_tensor(struct reading *in, const cJSON *node, uint32_t *tensor) {
    struct error *error = in->json.error;
    *tensor = profile_find_tensor(in->profile, node->string);
    if (*tensor != NONE)
        return true;
    return json_fault(&in->json, node, NULL,
                      error_set(error, SS_BAD_INPUT, "expected a tensor of profile '%.120s', found '%.120s'",
                                in->profile->name, node->string));
}

static bool read_action(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    uint32_t tensor;
    if (!find_tensor(in, node, &tensor))
        return false;
    int action = 0;
    while (action < ACTION_COUNT && !(cJSON_IsString(node) && strcmp(node->valuestring, ACTION_NAME[action]) == 0))
        action++;
    if (action == ACTION_COUNT)
        return unexpected(json, node, "\"keep\", \"offload\" or \"recompute\"");
    enum ss_status status = plan_set(in->plan, in->profile, tensor, (enum action)action, json->error);
    return status == SS_OK || json_fault(json, node, NULL, status);
}

/* Distances beyond any schedule's length mean the same: as early as room allows. */
static uint32_t distance_of(uint64_t steps) { return steps < PREFETCH_ANY ? (uint32_t)steps : PREFETCH_ANY; }

static bool read_distance(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    uint32_t tensor;
    uint64_t steps;
    if (!find_tensor(in, node, &tensor))
        return false;
    if (!json_is_whole(node, SUM_LIMIT, &steps))
        return unexpected(json, node, "a whole number of steps, 0 or more,");
    enum ss_status status = plan_set(in->plan, in->profile, tensor, (enum action)in->plan->action[tensor], json->error);
    if (status != SS_OK)
        return json_fault(json, node, NULL, status);
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
    if (profile && strcmp(profile, in->profile->name) != 0)
        warnings_add(warnings, "the plan was made for profile '%.80s', not for '%.80s'", profile, in->profile->name);
    in->plan->planner = arena_strdup(in->arena, planner);
    in->plan->unit = arena_strdup(in->arena, unit);
    if (in->plan->planner && in->plan->unit)
        return true;
    return json_fault(json, json->root, NULL, error_no_memory(json->error));
}

/* Laying the plan out finds what only the whole of it shows: a closure that would run an op again that must not. */
static bool check_closures(struct reading *in, const cJSON *actions) {
    struct error *error = in->json.error;
    const struct schedule *schedule;
    struct schedule_builder *builder = schedule_builder_new(in->profile, error);
    if (!builder)
        return json_fault(&in->json, in->json.root, NULL, SS_INTERNAL);
    enum ss_status status = schedule_build(builder, in->plan, &schedule, error);
    schedule_builder_free(builder);
    return status == SS_OK || json_fault(&in->json, actions, NULL, status);
}

static bool read_plan(struct reading *in, struct warnings *warnings) {
    const cJSON *actions = NULL;
    if (!read_header(in, warnings) ||
        !json_get_object(&in->json, in->json.root, "actions", JSON_REQUIRED, &actions))
        return false;
    for (const cJSON *node = actions->child; node; node = node->next)
        if (!read_action(in, node))
            return false;
    return read_prefetch(in) && check_closures(in, actions);
}

enum ss_status plan_json_read(const char *text, size_t length, const struct profile *profile, struct arena *arena,
                              struct plan *out, struct warnings *warnings, struct error *error) {
    struct reading in = { .profile = profile, .arena = arena, .plan = out };
    enum ss_status status = plan_init(out, arena, profile, error);
    if (status == SS_OK)
        status = json_open(&in.json, text, length, error);
    if (status != SS_OK)
        return status;
    read_plan(&in, warnings);
    json_close(&in.json);
    return in.json.status;
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
