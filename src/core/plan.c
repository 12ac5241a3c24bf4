#include "plan.h"

#include <string.h>

const char *const ACTION_NAME[ACTION_COUNT] = { "keep", "offload", "recompute" };

enum ss_status plan_init(struct plan *plan, struct arena *arena, const struct profile *profile, struct error *error) {
    *plan = (struct plan){ .planner = "", .unit = "tensor", .made_for = "", .link = { .name = "" },
                           .budget_bytes = BYTES_UNLIMITED,
                           .action = ARENA_ARRAY(arena, uint8_t, profile->tensor_count) };
    return plan->action ? SS_OK : error_no_memory(error);
}

enum ss_status plan_copy(struct plan *out, struct arena *arena, const struct profile *profile, const struct plan *plan,
                         struct error *error) {
    const size_t count = profile->tensor_count;
    struct plan copy = { .planner = arena_strdup(arena, plan->planner), .unit = arena_strdup(arena, plan->unit),
                         .action = ARENA_ARRAY(arena, uint8_t, count), .budget_bytes = plan->budget_bytes,
                         .made_for = arena_strdup(arena, plan->made_for ? plan->made_for : ""), .link = plan->link };
    copy.link.name = arena_strdup(arena, plan->link.name ? plan->link.name : "");
    if (plan->prefetch)
        copy.prefetch = ARENA_ARRAY(arena, uint32_t, count);
    if (!copy.planner || !copy.unit || !copy.made_for || !copy.link.name || !copy.action ||
        (plan->prefetch && !copy.prefetch))
        return error_no_memory(error);
    memcpy(copy.action, plan->action, count * sizeof *copy.action);
    if (plan->prefetch)
        memcpy(copy.prefetch, plan->prefetch, count * sizeof *copy.prefetch);
    *out = copy;
    return SS_OK;
}

enum ss_status plan_set(struct plan *plan, const struct profile *profile, uint32_t tensor, enum action action,
                        struct error *error) {
    const struct tensor *t = &profile->tensors[tensor];
    if (!t->managed)
        return error_set(error, SS_BAD_INPUT, "tensor '%.120s' is not managed: %s, so no plan decides about it", t->name,
                         t->producer == NONE ? "no op produces it" : "no backward op reads it");
    if (t->keep && action != ACTION_KEEP)
        return error_set(error, SS_BAD_INPUT, "tensor '%.120s' must stay on the GPU (\"keep\": true): cannot %s it",
                         t->name, ACTION_NAME[action]);
    plan->action[tensor] = (uint8_t)action;
    return SS_OK;
}

enum ss_status plan_add_distances(struct plan *plan, struct arena *arena, const struct profile *profile,
                                  struct error *error) {
    if (plan->prefetch)
        return SS_OK;
    plan->prefetch = ARENA_ARRAY(arena, uint32_t, profile->tensor_count);
    if (!plan->prefetch)
        return error_no_memory(error);
    memset(plan->prefetch, 0xff, profile->tensor_count * sizeof *plan->prefetch); /* PREFETCH_ANY */
    return SS_OK;
}

uint32_t plan_prefetch(const struct plan *plan, uint32_t tensor) {
    return plan->prefetch ? plan->prefetch[tensor] : PREFETCH_ANY;
}

struct plan_mix plan_mix(const struct profile *profile, const struct plan *plan) {
    struct plan_mix mix = { { 0 }, { 0 } };
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        uint32_t tensor = profile->managed[i];
        mix.bytes[plan->action[tensor]] += profile->tensors[tensor].bytes;
        mix.count[plan->action[tensor]]++;
    }
    return mix;
}

enum ss_status plan_faults_add(struct plan_faults *faults, struct plan_fault fault, struct error *error) {
    if (faults->count == faults->room) {
        const uint32_t room = faults->room ? 2 * faults->room : 16;
        struct plan_fault *larger = ARENA_ARRAY(faults->arena, struct plan_fault, room);
        if (!larger)
            return error_no_memory(error);
        if (faults->count > 0)
            memcpy(larger, faults->fault, faults->count * sizeof *larger);
        faults->fault = larger;
        faults->room = room;
    }
    fault.name = arena_strdup(faults->arena, fault.name);
    faults->fault[faults->count++] = fault;
    return fault.name ? SS_OK : error_no_memory(error);
}

enum ss_status plan_carry(struct plan *out, struct arena *arena, const struct profile *from, const struct plan *plan,
                          const struct profile *to, uint32_t *lost, struct error *error) {
    enum ss_status status = plan_init(out, arena, to, error);
    *lost = 0;
    if (status == SS_OK && plan->prefetch && !(out->prefetch = ARENA_ARRAY(arena, uint32_t, to->tensor_count)))
        status = error_no_memory(error);
    if (status != SS_OK)
        return status;
    for (uint32_t t = 0; out->prefetch && t < to->tensor_count; t++)
        out->prefetch[t] = PREFETCH_ANY;
    for (uint32_t t = 0; t < from->tensor_count; t++) {
        enum action action = (enum action)plan->action[t];
        uint32_t there = profile_find_tensor(to, from->tensors[t].name);
        if (action == ACTION_KEEP)
            continue;
        if (there == NONE || plan_set(out, to, there, action, NULL) != SS_OK)
            (*lost)++;
        else if (out->prefetch)
            out->prefetch[there] = plan->prefetch[t];
    }
    out->planner = plan->planner;
    out->unit = plan->unit;
    return SS_OK;
}
