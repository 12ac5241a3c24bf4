#include "measured_json.h"

#define SLACK_US 1e-6 /* rounding may let a slice end behind the start of the next */

static const char *const LANE_KEY[LANE_COUNT] = { "compute", "d2h", "h2d" };

static bool read_slice(struct json *json, const cJSON *node, double after_us, struct measured_slice *out) {
    if (!json_is_object(json, node, "a slice, an object"))
        return false;
    json_get_time(json, node, "start_us", JSON_REQUIRED, &out->start_us);
    json_get_time(json, node, "duration_us", JSON_REQUIRED, &out->duration_us);
    json_get_whole(json, node, "bytes", JSON_OPTIONAL, BYTES_LIMIT, &out->bytes);
    if (json->status == SS_OK && out->start_us < after_us - SLACK_US)
        return json_expected(json, json_find(node, "start_us"), "a slice that starts when the one before has ended");
    return json->status == SS_OK;
}

static bool read_lane(struct json *json, const cJSON *object, enum lane lane, struct profile *profile,
                      struct measured *measured) {
    const cJSON *array = NULL;
    uint32_t count = 0;
    double end_us = 0;
    if (!json_get_array(json, object, LANE_KEY[lane], JSON_OPTIONAL, &array) || !array)
        return json->status == SS_OK;
    for (const cJSON *node = array->child; node; node = node->next)
        count++;
    struct measured_slice *slices = ARENA_ARRAY(profile->arena, struct measured_slice, count);
    if (!slices)
        return json_fault(json, array, NULL, error_no_memory(json->error));
    measured->slices[lane] = slices;
    for (const cJSON *node = array->child; node; node = node->next) {
        struct measured_slice *slice = &slices[measured->count[lane]++];
        if (!read_slice(json, node, end_us, slice))
            return false;
        end_us = slice->start_us + slice->duration_us;
    }
    return true;
}

bool measured_json_read(struct json *json, const cJSON *object, struct profile *profile) {
    const cJSON *node = NULL;
    if (!json_get_object(json, object, "measured", JSON_OPTIONAL, &node) || !node)
        return json->status == SS_OK;
    struct measured *measured = ARENA_ARRAY(profile->arena, struct measured, 1);
    if (!measured)
        return json_fault(json, node, NULL, error_no_memory(json->error));
    if (!json_get_time(json, node, "step_us", JSON_REQUIRED, &measured->step_us))
        return false;
    for (int lane = 0; lane < LANE_COUNT; lane++)
        if (!read_lane(json, node, (enum lane)lane, profile, measured))
            return false;
    profile->measured = measured;
    return true;
}

void measured_json_put(struct json_writer *writer, const struct profile *profile) {
    const struct measured *measured = profile->measured;
    if (!measured)
        return;
    json_open_object(writer, "measured", JSON_LINES);
    json_put_number(writer, "step_us", measured->step_us);
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        json_open_array(writer, LANE_KEY[lane], JSON_LINES);
        for (uint32_t i = 0; i < measured->count[lane]; i++) {
            const struct measured_slice *slice = &measured->slices[lane][i];
            json_open_object(writer, NULL, JSON_INLINE);
            json_put_number(writer, "start_us", slice->start_us);
            json_put_number(writer, "duration_us", slice->duration_us);
            if (lane != LANE_COMPUTE)
                json_put_whole(writer, "bytes", slice->bytes);
            json_end(writer);
        }
        json_end(writer);
    }
    json_end(writer);
}
