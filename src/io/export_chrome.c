/* Chrome trace events (INTERFACE.md §4; the format's own description is "Trace Event Format", Google, 2016): a process for
 * the GPU, a thread a lane, a counter track each for memory, budget and host. Where the profile comes of a recording that
 * says what the GPU really did, that is a second process.
 *
 * Steps of one layer that follow each other lie in a slice of that layer; gaps of the compute lane are slices of their own;
 * fixed_us is the last slice of the compute lane.
 *
 * Times are whole 1024ths of a microsecond, a nanosecond or so. A viewer adds a slice's length to its start, in doubles
 * (speedscope, chrome://tracing) or in nanoseconds cut off (Perfetto), and where that comes out a trifle behind the start of
 * the next slice, it draws the next inside it, and so on without end, or drops it. Of such times the first sum is exact and
 * the second never late. A layer must not end before its last op either: it begins at a whole eighth of a microsecond, which
 * is a whole nanosecond too, so that nothing of its length is cut off that is not cut off of its op.
 *
 * An arrow goes from the middle of one slice to the middle of the next, since a viewer binds it to the slice around that
 * time. A slice with hardly any length has no inside, and is passed by. */
#include <math.h>
#include <stdlib.h>

#include "core/measured.h"
#include "core/stalls.h"
#include "core/version.h"
#include "export.h"
#include "export_words.h"
#include "report.h"

enum process { SIMULATED = 1, MEASURED = 2 };
enum { THREAD_OF_LANE = 1 }; /* lane 0 is thread 1 */
#define ACTIONS_MOST 8                    /* tensors named beside a step */

struct trace {
    struct json_writer json;
    const struct timeline *timeline;
    enum process process; /* of what is written now */
    double *start, *end;  /* of each step, in ticks */
    struct buffer name, words, action;
};

/* ---- times ------------------------------------------------------------------------------------------------------------ */

#define TICKS 1024.0     /* in a microsecond */
#define INSIDE_TICKS 4.0 /* a slice of so many has an inside */

#define LAYER_TICKS 128.0 /* a layer begins at a multiple of these */

static double ticks(double us) { return us < 1e12 ? floor(us * TICKS + 0.5) : us * TICKS; }

/* ---- events ----------------------------------------------------------------------------------------------------------- */

static void open_event(struct trace *trace, const char *name, const char *category, const char *phase, int thread) {
    struct json_writer *json = &trace->json;
    json_open_object(json, NULL, JSON_INLINE);
    json_put_text(json, "name", name);
    if (category)
        json_put_text(json, "cat", category);
    json_put_text(json, "ph", phase);
    json_put_whole(json, "pid", trace->process);
    json_put_whole(json, "tid", (uint64_t)thread);
}

/* The args are open when it returns: close_slice ends them. */
static void open_slice(struct trace *trace, const char *name, const char *category, enum lane lane, double start_ticks,
                       double end_ticks) {
    open_event(trace, name, category, "X", THREAD_OF_LANE + (int)lane);
    json_put_number(&trace->json, "ts", start_ticks / TICKS);
    json_put_number(&trace->json, "dur", (end_ticks - start_ticks) / TICKS);
    json_open_object(&trace->json, "args", JSON_INLINE);
}

static void close_slice(struct trace *trace) {
    json_end(&trace->json);
    json_end(&trace->json);
}

static void put_metadata(struct trace *trace, const char *what, int thread, const char *name, int order) {
    open_event(trace, what, NULL, "M", thread);
    json_open_object(&trace->json, "args", JSON_INLINE);
    if (name)
        json_put_text(&trace->json, "name", name);
    else
        json_put_whole(&trace->json, "sort_index", (uint64_t)order);
    json_end(&trace->json);
    json_end(&trace->json);
}

/* The process has the name that stands in trace->name. */
static void put_names(struct trace *trace) {
    static const char *const LANE_NAME[LANE_COUNT] = { "compute", "D2H (offload)", "H2D (return)" };
    put_metadata(trace, "process_name", 0, trace->name.text ? trace->name.text : "", 0);
    put_metadata(trace, "process_sort_index", 0, NULL, (int)trace->process);
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        put_metadata(trace, "thread_name", THREAD_OF_LANE + lane, LANE_NAME[lane], 0);
        put_metadata(trace, "thread_sort_index", THREAD_OF_LANE + lane, NULL, THREAD_OF_LANE + lane);
    }
}

/* ---- the compute lane --------------------------------------------------------------------------------------------------- */

static void put_cause(struct trace *trace, struct event event) {
    const char *cause;
    json_put_text(&trace->json, "cause", event_cause(&trace->words, trace->timeline, event, &cause));
    json_put_text(&trace->json, "cause_kind", cause);
}

/* What the plan does with the tensors that step K makes (forward, recompute) or needs (backward). */
static const char *actions_of(struct trace *trace, uint32_t k) {
    const struct timeline *timeline = trace->timeline;
    const struct profile *profile = timeline->profile;
    const struct op *op = &profile->ops[timeline->schedule.op[k]];
    const struct span span = timeline->schedule.kind[k] == STEP_BACKWARD ? op->saved : op->outputs;
    uint32_t named = 0, more = 0;
    trace->action.length = 0;
    buffer_text(&trace->action, "");
    for (uint32_t i = 0; i < span.count; i++) {
        const uint32_t tensor = profile->index[span.at + i];
        if (!profile->tensors[tensor].managed)
            continue;
        if (named == ACTIONS_MOST) {
            more++;
            continue;
        }
        buffer_printf(&trace->action, "%s%s %s", named++ > 0 ? ", " : "", ACTION_NAME[timeline->plan.action[tensor]],
                      profile->tensors[tensor].name);
    }
    if (more > 0)
        buffer_printf(&trace->action, " and %u more", (unsigned)more);
    return trace->action.text ? trace->action.text : "";
}

static void put_step(struct trace *trace, uint32_t k) {
    const struct timeline *timeline = trace->timeline;
    const struct op *op = &timeline->profile->ops[timeline->schedule.op[k]];
    const struct event event = { LANE_COMPUTE, k };
    open_slice(trace, event_name(&trace->name, timeline, event), "op", LANE_COMPUTE, trace->start[k], trace->end[k]);
    json_put_text(&trace->json, "layer", timeline->profile->layers[op->layer].name);
    json_put_text(&trace->json, "kind", op->kind);
    json_put_whole(&trace->json, "bytes", timeline->schedule.requirement[k]);
    json_put_text(&trace->json, "action", actions_of(trace, k));
    put_cause(trace, event);
    close_slice(trace);
}

static void put_stall(struct trace *trace, const struct stall *stall) {
    const struct timeline *timeline = trace->timeline;
    const struct op *op = &timeline->profile->ops[timeline->schedule.op[stall->step]];
    trace->name.length = 0;
    buffer_printf(&trace->name, "stall before %s %s", STEP_SHORT[timeline->schedule.kind[stall->step]], op->name);
    open_slice(trace, trace->name.text ? trace->name.text : "", "stall", LANE_COMPUTE,
               trace->end[stall->step - 1], trace->start[stall->step]);
    json_put_text(&trace->json, "layer", timeline->profile->layers[op->layer].name);
    if (stall->tensor != NONE) {
        json_put_text(&trace->json, "tensor", timeline->profile->tensors[stall->tensor].name);
        json_put_whole(&trace->json, "bytes", timeline->profile->tensors[stall->tensor].bytes);
        json_put_text(&trace->json, "action", ACTION_NAME[timeline->plan.action[stall->tensor]]);
    }
    put_cause(trace, (struct event){ LANE_COMPUTE, stall->step });
    json_put_text(&trace->json, "why", STALL_REASON_WORDS[stall_reason(stall)]);
    close_slice(trace);
}

static uint32_t layer_of(const struct timeline *timeline, uint32_t k) {
    return timeline->profile->ops[timeline->schedule.op[k]].layer;
}

/* The steps from FIRST on that are one layer's and of one kind: where they end. */
static uint32_t end_of_layer(const struct timeline *timeline, uint32_t first) {
    uint32_t k = first + 1;
    while (k < timeline->schedule.step_count && timeline->schedule.kind[k] == timeline->schedule.kind[first] &&
           layer_of(timeline, k) == layer_of(timeline, first))
        k++;
    return k;
}

/* What steps FIRST to END lie in, if they are more than one. */
static void put_layer(struct trace *trace, uint32_t first, uint32_t end) {
    const struct timeline *timeline = trace->timeline;
    const char *layer = timeline->profile->layers[layer_of(timeline, first)].name;
    if (end == first + 1)
        return;
    trace->name.length = 0;
    buffer_printf(&trace->name, "%s %s", STEP_SHORT[timeline->schedule.kind[first]], layer);
    open_slice(trace, trace->name.text ? trace->name.text : "", "layer", LANE_COMPUTE, trace->start[first],
               trace->end[end - 1]);
    json_put_text(&trace->json, "layer", layer);
    json_put_whole(&trace->json, "ops", end - first);
    close_slice(trace);
}

/* Moves the border before step FIRST to AT, and what would cross it up to it. */
static void move_border(struct trace *trace, uint32_t first, double at) {
    const bool touches = first > 0 && trace->end[first - 1] == trace->start[first];
    trace->start[first] = at;
    if (touches)
        trace->end[first - 1] = at;
    for (uint32_t k = first; k-- > 0 && (trace->end[k] > at || trace->start[k] > at);) {
        trace->end[k] = fmin(trace->end[k], at);
        trace->start[k] = fmin(trace->start[k], at);
    }
    trace->end[first] = fmax(trace->end[first], at);
    for (uint32_t k = first + 1; k < trace->timeline->schedule.step_count && trace->start[k] < at; k++) {
        trace->start[k] = at;
        trace->end[k] = fmax(trace->end[k], at);
    }
}

/* The times of all steps; false when memory is short. */
static bool lay_out(struct trace *trace) {
    const struct timeline *timeline = trace->timeline;
    const uint32_t count = timeline->schedule.step_count;
    trace->start = calloc(count, sizeof *trace->start);
    trace->end = calloc(count, sizeof *trace->end);
    if (!trace->start || !trace->end)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        trace->start[k] = ticks(timeline->steps[k].start_us);
        trace->end[k] = ticks(timeline->steps[k].end_us);
    }
    for (uint32_t k = 0, end; k < count; k = end) {
        end = end_of_layer(timeline, k);
        if (end > k + 1)
            move_border(trace, k, floor(trace->start[k] / LAYER_TICKS + 0.5) * LAYER_TICKS);
    }
    return true;
}

static void put_compute(struct trace *trace) {
    const struct timeline *timeline = trace->timeline;
    const double fixed_us = timeline->profile->fixed_us;
    uint32_t end = 0, stall = 0;
    for (uint32_t k = 0; k < timeline->schedule.step_count; k++) {
        const bool waits = stall < timeline->stall_count && timeline->stalls[stall].step == k;
        if (waits && k == end) /* a gap between two layers lies in neither */
            put_stall(trace, &timeline->stalls[stall]);
        if (k == end) {
            end = end_of_layer(timeline, k);
            put_layer(trace, k, end);
        } else if (waits) {
            put_stall(trace, &timeline->stalls[stall]);
        }
        stall += waits;
        put_step(trace, k);
    }
    if (fixed_us > 0) {
        open_slice(trace, "fixed", "fixed", LANE_COMPUTE, ticks(timeline->end_us),
                   ticks(timeline->end_us + fixed_us));
        close_slice(trace);
    }
}

/* ---- transfers ------------------------------------------------------------------------------------------------------------ */

static void put_transfers(struct trace *trace, enum lane lane) {
    const struct timeline *timeline = trace->timeline;
    const struct profile *profile = timeline->profile;
    const struct timeline_transfer *list = lane == LANE_D2H ? timeline->d2h : timeline->h2d;
    const uint32_t count = lane == LANE_D2H ? timeline->schedule.d2h_count : timeline->schedule.h2d_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct event event = { (uint8_t)lane, i }, use = { LANE_COMPUTE, list[i].use_step };
        const struct tensor *tensor = &profile->tensors[list[i].tensor];
        open_slice(trace, event_name(&trace->name, timeline, event), "transfer", lane,
                   ticks(list[i].start_us), ticks(list[i].end_us));
        json_put_text(&trace->json, "layer", profile->layers[profile->ops[tensor->producer].layer].name);
        json_put_text(&trace->json, "tensor", tensor->name);
        json_put_whole(&trace->json, "bytes", tensor->bytes);
        json_put_text(&trace->json, "action", ACTION_NAME[timeline->plan.action[list[i].tensor]]);
        put_cause(trace, event);
        json_put_text(&trace->json, lane == LANE_D2H ? "from" : "for", event_name(&trace->name, timeline, use));
        close_slice(trace);
    }
}

/* ---- arrows ------------------------------------------------------------------------------------------------------------------ */

struct anchor { enum lane lane; double at_us; };

static void add_anchor(struct anchor *anchors, uint32_t *count, enum lane lane, double start_ticks, double end_ticks) {
    const double length = end_ticks - start_ticks;
    if (length >= INSIDE_TICKS)
        anchors[(*count)++] = (struct anchor){ lane, (start_ticks + floor(length / 2)) / TICKS };
}

/* The way of an offloaded tensor: the step that makes it, out, back, the step that needs it. */
static void put_flow(struct trace *trace, uint32_t d2h) {
    const struct timeline *timeline = trace->timeline;
    const struct timeline_transfer *out = &timeline->d2h[d2h];
    const uint32_t h2d = timeline->h2d_of[out->tensor];
    struct anchor anchors[4];
    uint32_t count = 0;
    add_anchor(anchors, &count, LANE_COMPUTE, trace->start[out->use_step], trace->end[out->use_step]);
    add_anchor(anchors, &count, LANE_D2H, ticks(out->start_us), ticks(out->end_us));
    if (h2d != NONE) {
        const struct timeline_transfer *back = &timeline->h2d[h2d];
        add_anchor(anchors, &count, LANE_H2D, ticks(back->start_us), ticks(back->end_us));
        add_anchor(anchors, &count, LANE_COMPUTE, trace->start[back->use_step], trace->end[back->use_step]);
    }
    for (uint32_t i = 0; i < count && count > 1; i++) {
        open_event(trace, timeline->profile->tensors[out->tensor].name, "tensor", i == 0 ? "s" : i + 1 < count ? "t" : "f",
                   THREAD_OF_LANE + (int)anchors[i].lane);
        json_put_number(&trace->json, "ts", anchors[i].at_us);
        json_put_whole(&trace->json, "id", (uint64_t)d2h + 1);
        json_put_text(&trace->json, "bp", "e");
        json_end(&trace->json);
    }
}

/* ---- counters ---------------------------------------------------------------------------------------------------------------- */

static void put_counter(struct trace *trace, const char *name, double at_us, uint64_t bytes) {
    open_event(trace, name, NULL, "C", 0);
    json_put_number(&trace->json, "ts", ticks(at_us) / TICKS);
    json_open_object(&trace->json, "args", JSON_INLINE);
    json_put_whole(&trace->json, "bytes", bytes);
    json_end(&trace->json);
    json_end(&trace->json);
}

static void put_counters(struct trace *trace) {
    const struct timeline *timeline = trace->timeline;
    const struct memory_sample *latest = NULL;
    uint64_t used = UINT64_MAX, host = UINT64_MAX;
    for (uint32_t i = 0; i < timeline->memory_count; i++) {
        const struct memory_sample *sample = &timeline->memory[i];
        const uint64_t now = memory_used(memory_in_use(timeline, i, &latest));
        if (now != used)
            put_counter(trace, "memory used", sample->at_us, now);
        if (sample->host_bytes != host)
            put_counter(trace, "host", sample->at_us, sample->host_bytes);
        used = now;
        host = sample->host_bytes;
    }
    put_counter(trace, "memory used", timeline->end_us, 0);
    put_counter(trace, "host", timeline->end_us, 0);
    if (timeline->budget_bytes == BYTES_UNLIMITED)
        return;
    put_counter(trace, "budget", 0, timeline->budget_bytes);
    put_counter(trace, "budget", timeline->end_us, timeline->budget_bytes);
}

/* ---- measured --------------------------------------------------------------------------------------------------------------- */

static void put_measured(struct trace *trace, const struct profile *profile) {
    static const char *const SLICE_NAME[LANE_COUNT] = { "kernels", "D2H copy", "H2D copy" };
    const struct measured *measured = profile->measured;
    trace->process = MEASURED;
    trace->name.length = 0;
    buffer_printf(&trace->name, "GPU %s: %s as measured", profile->device_name, profile->name);
    put_names(trace);
    for (int lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < measured->count[lane]; i++) {
            const struct measured_slice *slice = &measured->slices[lane][i];
            open_slice(trace, SLICE_NAME[lane], "measured", (enum lane)lane, ticks(slice->start_us),
                       ticks(slice->start_us + slice->duration_us));
            if (lane != LANE_COMPUTE)
                json_put_whole(&trace->json, "bytes", slice->bytes);
            close_slice(trace);
        }
}

static void put_events(struct trace *trace, const struct outcome *outcome) {
    const struct profile *profile = trace->timeline->profile;
    buffer_printf(&trace->name, "GPU %s: %s by %s", profile->device_name, profile->name, outcome->planner_name);
    put_names(trace);
    put_compute(trace);
    put_transfers(trace, LANE_D2H);
    put_transfers(trace, LANE_H2D);
    for (uint32_t i = 0; i < trace->timeline->schedule.d2h_count; i++)
        put_flow(trace, i);
    put_counters(trace);
    if (profile->measured)
        put_measured(trace, profile);
}

void export_chrome(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    struct trace trace = { .json = { .out = out }, .timeline = &outcome->timeline, .process = SIMULATED };
    struct json_writer *json = &trace.json;
    (void)look;
    json_open_object(json, NULL, JSON_LINES);
    json_put_text(json, "displayTimeUnit", "ms");
    json_open_object(json, "otherData", JSON_LINES);
    json_put_text(json, "program", version_text());
    report_json_put(json, "result", outcome, &(struct report_extras){ 0 });
    json_end(json);
    json_open_array(json, "traceEvents", JSON_LINES);
    if (lay_out(&trace))
        put_events(&trace, outcome);
    else
        out->failed = true;
    json_end(json);
    json_end(json);
    out->failed = out->failed || trace.name.failed || trace.words.failed || trace.action.failed;
    buffer_free(&trace.name);
    buffer_free(&trace.words);
    buffer_free(&trace.action);
    free(trace.start);
    free(trace.end);
}
