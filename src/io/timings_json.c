/* timings_json: see timings_json.h. */
#include "timings_json.h"

#include <string.h>

/* The place of TEXT among the COUNT words, or COUNT. */
static int word_index(const char *const *words, int count, const char *text) {
    int i = 0;
    while (i < count && strcmp(words[i], text) != 0)
        i++;
    return i;
}

static bool unknown(struct json *json, const cJSON *node, const char *key, const char *what, const char *profile,
                    const char *name) {
    return json_fault(json, node, key, error_set(json->error, SS_BAD_INPUT, "expected %s of profile '%.120s', found "
                                                 "'%.120s'", what, profile, name));
}

static bool take_step(struct json *json, const cJSON *node, const struct profile *profile, const char *op,
                      struct measurement *out) {
    static const char *const KINDS[STEP_KIND_COUNT] = { "forward", "recompute", "backward" };
    const char *kind = NULL;
    out->lane = LANE_COMPUTE;
    out->subject = profile_find_op(profile, op);
    if (out->subject == NONE)
        return unknown(json, node, "op", "an op", profile->name, op);
    if (!json_get_text(json, node, "kind", JSON_REQUIRED, &kind))
        return false;
    out->kind = (uint8_t)word_index(KINDS, STEP_KIND_COUNT, kind);
    return out->kind < STEP_KIND_COUNT ||
           json_expected(json, json_find(node, "kind"), "\"forward\", \"recompute\" or \"backward\"");
}

static bool take_transfer(struct json *json, const cJSON *node, const struct profile *profile, const char *tensor,
                          struct measurement *out) {
    static const char *const LANES[] = { "d2h", "h2d" };
    const char *lane = NULL;
    out->subject = profile_find_tensor(profile, tensor);
    if (out->subject == NONE)
        return unknown(json, node, "tensor", "a tensor", profile->name, tensor);
    if (!json_get_text(json, node, "lane", JSON_REQUIRED, &lane))
        return false;
    const int index = word_index(LANES, 2, lane);
    out->lane = (uint8_t)(LANE_D2H + index);
    return index < 2 || json_expected(json, json_find(node, "lane"), "\"d2h\" or \"h2d\"");
}

static bool take_one(struct json *json, const cJSON *node, const struct profile *profile, struct measurement *out) {
    const char *op = NULL, *tensor = NULL;
    if (!json_is_object(json, node, "an event, an object with \"op\" or \"tensor\"") ||
        !json_get_text(json, node, "op", JSON_OPTIONAL, &op) || !json_get_text(json, node, "tensor", JSON_OPTIONAL, &tensor))
        return false;
    if (!op == !tensor)
        return json_expected(json, node, "an event with either \"op\" or \"tensor\"");
    if (!(op ? take_step(json, node, profile, op, out) : take_transfer(json, node, profile, tensor, out)) ||
        !json_get_time(json, node, "start_us", JSON_REQUIRED, &out->start_us) ||
        !json_get_time(json, node, "end_us", JSON_REQUIRED, &out->end_us))
        return false;
    return out->end_us >= out->start_us || json_expected(json, json_find(node, "end_us"), "a time not before start_us");
}

bool timings_json_take(struct json *json, const cJSON *list, const struct profile *profile, struct arena *arena,
                        struct measurement **out, uint32_t *count) {
    const int size = cJSON_GetArraySize(list);
    *out = ARENA_ARRAY(arena, struct measurement, (size_t)size);
    *count = 0;
    if (!*out)
        return json_fault(json, list, NULL, error_no_memory(json->error));
    for (const cJSON *node = list->child; node; node = node->next)
        if (!take_one(json, node, profile, &(*out)[(*count)++]))
            return false;
    return true;
}
