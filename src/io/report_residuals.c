/* report_residuals: see report_residuals.h. */
#include "report_residuals.h"

#include <stdio.h>

#include "report_parts.h"

#define SHOWN_MOST 10
#define COLUMNS 12

static const char *const LANE_NAME[LANE_COUNT] = { "compute", "d2h", "h2d" };
static const char *const LANE_TITLE[LANE_COUNT] = { "compute", "D2H", "H2D" };

static void put_residual(struct buffer *out, const struct timeline *timeline, const struct residual *residual) {
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    words_event(&words, timeline, residual->event);
    buffer_printf(out, "%*s%*s%*s%*s   %s, %.3f - %.3f ms\n", COLUMNS + 2, show_time_change(residual_of(residual)).text,
                  COLUMNS, show_time_change(residual->longer_us).text, COLUMNS,
                  show_time_change(residual->waited_us).text, COLUMNS, show_time_change(residual->late_us).text, words.text,
                  residual->start_us / 1e3, residual->end_us / 1e3);
}

static void put_lane(struct buffer *out, const struct timeline *timeline, int lane, const struct lane_residuals *residuals) {
    buffer_printf(out, "\nmeasured %s: %u event%s, ends %s against the simulation, %s on average; took %s in all\n",
                  LANE_TITLE[lane], (unsigned)residuals->count, plural(residuals->count),
                  show_time_change(residuals->late_us).text, show_time(residuals->mean_us).text,
                  show_time_change(residuals->longer_us).text);
    if (residuals->unmeasured > 0)
        buffer_printf(out, "  %u simulated event%s not measured\n", (unsigned)residuals->unmeasured,
                      residuals->unmeasured == 1 ? " was" : "s were");
    if (residuals->unmatched > 0)
        buffer_printf(out, "  %u measured event%s not in the simulation\n", (unsigned)residuals->unmatched,
                      residuals->unmatched == 1 ? " is" : "s are");
    if (residuals->count > 0)
        buffer_printf(out, "%*s%*s%*s%*s   event, as measured\n", COLUMNS + 2, "residual", COLUMNS, "took", COLUMNS, "waited",
                      COLUMNS, "late by");
    for (uint32_t i = 0; i < residuals->count && i < SHOWN_MOST; i++)
        put_residual(out, timeline, &residuals->residuals[i]);
    if (residuals->count > SHOWN_MOST)
        buffer_printf(out, "%*s   and %u more with smaller residuals\n", COLUMNS + 2 + 3 * COLUMNS, "",
                      (unsigned)(residuals->count - SHOWN_MOST));
}

void residuals_text(struct buffer *out, const struct timeline *timeline, const struct measurement *measurements,
                   uint32_t count) {
    struct arena arena = { 0 };
    struct residuals residuals;
    if (residuals_compute(&residuals, &arena, timeline, measurements, count, NULL) != SS_OK)
        out->failed = true;
    for (int lane = 0; lane < LANE_COUNT && !out->failed; lane++)
        if (residuals.lane[lane].count > 0 || residuals.lane[lane].unmatched > 0)
            put_lane(out, timeline, lane, &residuals.lane[lane]);
    arena_free(&arena);
}

static void put_json_residual(struct json_writer *writer, const struct timeline *timeline, const struct residual *residual) {
    static const char *const KIND[STEP_KIND_COUNT] = { "forward", "recompute", "backward" };
    const struct event event = residual->event;
    json_open_object(writer, NULL, JSON_INLINE);
    if (event.lane == LANE_COMPUTE) {
        json_put_text(writer, "op", timeline->profile->ops[timeline->schedule.op[event.index]].name);
        json_put_text(writer, "kind", KIND[timeline->schedule.kind[event.index]]);
    } else {
        const struct timeline_transfer *transfers = event.lane == LANE_D2H ? timeline->d2h : timeline->h2d;
        json_put_text(writer, "tensor", timeline->profile->tensors[transfers[event.index].tensor].name);
    }
    json_put_number(writer, "residual_us", residual_of(residual));
    json_put_number(writer, "longer_us", residual->longer_us);
    json_put_number(writer, "waited_us", residual->waited_us);
    json_put_number(writer, "late_us", residual->late_us);
    json_put_number(writer, "start_us", residual->start_us);
    json_put_number(writer, "end_us", residual->end_us);
    json_put_number(writer, "simulated_start_us", timeline_start(timeline, event));
    json_put_number(writer, "simulated_end_us", timeline_end(timeline, event));
    json_end(writer);
}

static void put_json_lane(struct json_writer *writer, const struct timeline *timeline, int lane,
                          const struct lane_residuals *residuals) {
    json_open_object(writer, LANE_NAME[lane], JSON_LINES);
    json_put_whole(writer, "events", residuals->count);
    json_put_whole(writer, "unmeasured", residuals->unmeasured);
    json_put_whole(writer, "unmatched", residuals->unmatched);
    json_put_number(writer, "late_us", residuals->late_us);
    json_put_number(writer, "longer_us", residuals->longer_us);
    json_put_number(writer, "mean_us", residuals->mean_us);
    json_open_array(writer, "residuals", JSON_LINES);
    for (uint32_t i = 0; i < residuals->count; i++)
        put_json_residual(writer, timeline, &residuals->residuals[i]);
    json_end(writer);
    json_end(writer);
}

void residuals_json_put(struct json_writer *writer, const struct timeline *timeline,
                       const struct measurement *measurements, uint32_t count) {
    struct arena arena = { 0 };
    struct residuals residuals;
    if (residuals_compute(&residuals, &arena, timeline, measurements, count, NULL) != SS_OK) {
        writer->out->failed = true;
    } else {
        json_open_object(writer, "residuals", JSON_LINES);
        for (int lane = 0; lane < LANE_COUNT; lane++)
            put_json_lane(writer, timeline, lane, &residuals.lane[lane]);
        json_end(writer);
    }
    arena_free(&arena);
}
