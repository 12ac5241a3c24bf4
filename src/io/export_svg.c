/* The timeline as a picture: the three lanes, a row a layer (compute above, transfers below), and memory stacked by state
 * under the budget, over one axis of time.
 *
 * A picture has a limited number of pixels: what is wide enough to be seen is drawn as it is, with its name; what is
 * narrower is drawn together with its neighbours, in the area that lasts longest among them. So a picture of a million
 * steps is not larger than it need be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/measured.h"
#include "core/units.h"
#include "export.h"
#include "export_words.h"
#include "svg.h"

#define WIDTH 1200
#define LEFT 92            /* where time 0 is */
#define RIGHT (WIDTH - 20) /* where the step ends */
#define LANES_TOP 70
#define MEASURED_HEIGHT 11
#define MEASURED_PITCH 14
#define LANE_HEIGHT 26
#define LANE_PITCH 32
#define ROWS_MOST 150      /* layers beyond share rows */
#define ROWS_HEIGHT 300    /* of all rows, as far as each has ROW_LEAST … ROW_MOST */
#define ROW_LEAST 2.0
#define ROW_MOST 16.0
#define MEMORY_HEIGHT 170
#define GAP 22
#define OWN_WIDTH 4.0      /* a slice as wide as this is drawn for itself */
#define TOGETHER 0.75      /* narrower ones, until they are as wide as this */
#define LEAST_WIDTH 0.35
#define LABEL_PADDING 6
#define SAMPLES_MOST 3000

/* A band of slices, ascending in time, being drawn. */
struct strip {
    double top, height;
    double from, to;                   /* what is gathered to be drawn together; to < from: nothing */
    double share[AREA_COUNT];     /* of that, the width of each area */
    double left, right;                /* what is decided, and may still grow; right < left: nothing */
    enum area area;
};

struct picture {
    struct buffer *out;
    const struct outcome *outcome;
    const struct timeline *timeline;
    struct buffer words, hover;
    double step_us, scale;             /* pixels a microsecond */
    double reach_us;                   /* where the axis of time ends */
    double measured_top, rows_top, row_height, memory_top, bottom;
    uint32_t rows;
};

static double x_of(const struct picture *picture, double at_us) { return LEFT + at_us * picture->scale; }

/* ---- strips ----------------------------------------------------------------------------------------------------------- */

static struct strip strip_at(double top, double height) {
    return (struct strip){ .top = top, .height = height, .from = 0, .to = -1, .left = 0, .right = -1 };
}

static void put_decided(struct picture *picture, struct strip *strip) {
    if (strip->right >= strip->left)
        svg_rect(picture->out, strip->area, strip->left, strip->top, fmax(strip->right - strip->left, LEAST_WIDTH),
                 strip->height, NULL);
    strip->left = 0;
    strip->right = -1;
}

static void decide(struct picture *picture, struct strip *strip, enum area area, double from, double to) {
    const bool grows = strip->right >= strip->left && strip->area == area && from - strip->right < LEAST_WIDTH;
    if (!grows) {
        put_decided(picture, strip);
        strip->left = from;
        strip->area = area;
    }
    strip->right = to;
}

static void decide_gathered(struct picture *picture, struct strip *strip) {
    int longest = 0;
    if (strip->to < strip->from)
        return;
    for (int area = 1; area < AREA_COUNT; area++)
        if (strip->share[area] > strip->share[longest])
            longest = area;
    decide(picture, strip, (enum area)longest, strip->from, strip->to);
    memset(strip->share, 0, sizeof strip->share);
    strip->from = 0;
    strip->to = -1;
}

static void strip_end(struct picture *picture, struct strip *strip) {
    decide_gathered(picture, strip);
    put_decided(picture, strip);
}

/* Adds a slice that is too narrow to be drawn for itself. */
static void gather(struct picture *picture, struct strip *strip, enum area area, double from, double to) {
    if (strip->to >= strip->from && (from - strip->to > TOGETHER || to - strip->from > TOGETHER))
        decide_gathered(picture, strip);
    if (strip->to < strip->from)
        strip->from = from;
    strip->to = to;
    strip->share[area] += fmax(to - from, 1e-9);
}

static void put_label(struct picture *picture, const struct strip *strip, enum area area, double from, double to,
                      const char *name) {
    char class[40];
    snprintf(class, sizeof class, "small on-%s", AREA_NAME[area]);
    if (strip->height >= 11 && svg_width_of(name) + LABEL_PADDING <= to - from)
        svg_text(picture->out, (from + to) / 2, strip->top + strip->height / 2 + 3.6, class, SVG_MIDDLE, name);
}

/* Draws the slice from START_US to END_US, called NAME; HOVER tells more of it. */
static void strip_add(struct picture *picture, struct strip *strip, enum area area, double start_us, double end_us,
                      const char *name, const char *hover) {
    const double from = x_of(picture, start_us), to = x_of(picture, end_us);
    if (to - from < OWN_WIDTH) {
        gather(picture, strip, area, from, to);
        return;
    }
    strip_end(picture, strip);
    svg_rect(picture->out, area, from, strip->top, to - from - 0.4, strip->height, hover);
    put_label(picture, strip, area, from, to, name);
}

/* ---- lanes ------------------------------------------------------------------------------------------------------------ */

static const enum area AREA_OF_STEP[STEP_KIND_COUNT] = {
    [STEP_FORWARD] = AREA_FORWARD, [STEP_RECOMPUTE] = AREA_RECOMPUTE, [STEP_BACKWARD] = AREA_BACKWARD,
};

/* What shows when the mouse is over EVENT: its name, time and cause. */
static const char *hover_of(struct picture *picture, struct event event) {
    char text[UNIT_TEXT];
    const char *cause;
    const double start_us = timeline_start(picture->timeline, event), end_us = timeline_end(picture->timeline, event);
    if ((end_us - start_us) * picture->scale < OWN_WIDTH)
        return "";
    picture->hover.length = 0;
    buffer_text(&picture->hover, event_name(&picture->words, picture->timeline, event));
    buffer_printf(&picture->hover, ": %s", format_time(text, end_us - start_us));
    buffer_printf(&picture->hover, " from %s on, ", format_time(text, start_us));
    buffer_text(&picture->hover, event_cause(&picture->words, picture->timeline, event, &cause));
    return picture->hover.text ? picture->hover.text : "";
}

static void add_event(struct picture *picture, struct strip *strip, enum area area, struct event event,
                      const char *name) {
    const char *hover = hover_of(picture, event);
    strip_add(picture, strip, area, timeline_start(picture->timeline, event), timeline_end(picture->timeline, event), name,
              hover);
}

static void put_compute(struct picture *picture) {
    const struct timeline *timeline = picture->timeline;
    const struct profile *profile = timeline->profile;
    struct strip strip = strip_at(LANES_TOP, LANE_HEIGHT);
    uint32_t stall = 0;
    for (uint32_t k = 0; k < timeline->schedule.step_count; k++) {
        if (stall < timeline->stall_count && timeline->stalls[stall].step == k) {
            strip_add(picture, &strip, AREA_STALL, timeline->stalls[stall].start_us, timeline->stalls[stall].end_us, "stall",
                      "stall");
            stall++;
        }
        add_event(picture, &strip, AREA_OF_STEP[timeline->schedule.kind[k]], (struct event){ LANE_COMPUTE, k },
                  profile->ops[timeline->schedule.op[k]].name);
    }
    if (profile->fixed_us > 0)
        strip_add(picture, &strip, AREA_FIXED, timeline->end_us, picture->step_us, "fixed", "fixed");
    strip_end(picture, &strip);
}

static void put_transfers(struct picture *picture, enum lane lane) {
    const struct timeline *timeline = picture->timeline;
    const uint32_t count = lane == LANE_D2H ? timeline->schedule.d2h_count : timeline->schedule.h2d_count;
    struct strip strip = strip_at(LANES_TOP + LANE_PITCH * (int)lane, LANE_HEIGHT);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t tensor = lane == LANE_D2H ? timeline->d2h[i].tensor : timeline->h2d[i].tensor;
        add_event(picture, &strip, lane == LANE_D2H ? AREA_D2H : AREA_H2D, (struct event){ (uint8_t)lane, i },
                  timeline->profile->tensors[tensor].name);
    }
    strip_end(picture, &strip);
}

/* What was measured, thinner, over the same axis of time. */
static void put_measured(struct picture *picture) {
    static const char *const NAMES[LANE_COUNT] = { "measured", "D2H", "H2D" };
    static const enum area AREA_OF_LANE[LANE_COUNT] = { AREA_FIXED, AREA_D2H, AREA_H2D };
    const struct measured *measured = picture->timeline->profile->measured;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        struct strip strip = strip_at(picture->measured_top + MEASURED_PITCH * lane, MEASURED_HEIGHT);
        svg_text(picture->out, LEFT - 8, strip.top + MEASURED_HEIGHT / 2.0 + 3.6, "small", SVG_END, NAMES[lane]);
        for (uint32_t i = 0; i < measured->count[lane]; i++) {
            const struct measured_slice *slice = &measured->slices[lane][i];
            strip_add(picture, &strip, AREA_OF_LANE[lane], slice->start_us, slice->start_us + slice->duration_us, "",
                      "measured");
        }
        strip_end(picture, &strip);
    }
}

static void put_lanes(struct picture *picture) {
    static const char *const NAMES[LANE_COUNT] = { "compute", "D2H", "H2D" };
    for (int lane = 0; lane < LANE_COUNT; lane++)
        svg_text(picture->out, LEFT - 8, LANES_TOP + LANE_PITCH * lane + LANE_HEIGHT / 2.0 + 4, "text", SVG_END, NAMES[lane]);
    put_compute(picture);
    put_transfers(picture, LANE_D2H);
    put_transfers(picture, LANE_H2D);
}

/* ---- layers ----------------------------------------------------------------------------------------------------------- */

static uint32_t row_of_layer(const struct picture *picture, uint32_t layer) {
    return (uint32_t)((uint64_t)layer * picture->rows / picture->timeline->profile->layer_count);
}

static void put_row_names(struct picture *picture) {
    const struct profile *profile = picture->timeline->profile;
    const uint32_t each = (uint32_t)ceil(11 / picture->row_height);
    uint32_t last = NONE;
    for (uint32_t layer = 0; layer < profile->layer_count; layer++) {
        const uint32_t row = row_of_layer(picture, layer);
        char name[16];
        if (row == last || row % each != 0)
            continue;
        last = row;
        snprintf(name, sizeof name, "%s", profile->layers[layer].name);
        if (strlen(profile->layers[layer].name) >= sizeof name)
            memcpy(name + sizeof name - 3, "..", 3);
        svg_text(picture->out, LEFT - 8, picture->rows_top + picture->row_height * (row + 0.5) + 3.6, "small dim", SVG_END,
                 name);
    }
}

/* All rows are drawn at once, each event on its own. */
static void put_rows(struct picture *picture) {
    const struct timeline *timeline = picture->timeline;
    const struct profile *profile = timeline->profile;
    struct strip *strips = calloc(picture->rows, 2 * sizeof *strips);
    if (!strips) {
        picture->out->failed = true;
        return;
    }
    for (uint32_t row = 0; row < picture->rows; row++) {
        const double top = picture->rows_top + picture->row_height * row, height = picture->row_height;
        strips[2 * row] = strip_at(top, height * 0.55);
        strips[2 * row + 1] = strip_at(top + height * 0.55, height * 0.3);
    }
    for (uint32_t k = 0; k < timeline->schedule.step_count; k++) {
        const uint32_t row = row_of_layer(picture, profile->ops[timeline->schedule.op[k]].layer);
        add_event(picture, &strips[2 * row], AREA_OF_STEP[timeline->schedule.kind[k]], (struct event){ LANE_COMPUTE, k },
                  profile->ops[timeline->schedule.op[k]].name);
    }
    for (int lane = LANE_D2H; lane <= LANE_H2D; lane++) {
        const uint32_t count = lane == LANE_D2H ? timeline->schedule.d2h_count : timeline->schedule.h2d_count;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t tensor = lane == LANE_D2H ? timeline->d2h[i].tensor : timeline->h2d[i].tensor;
            const uint32_t row = row_of_layer(picture, profile->ops[profile->tensors[tensor].producer].layer);
            add_event(picture, &strips[2 * row + 1], lane == LANE_D2H ? AREA_D2H : AREA_H2D,
                      (struct event){ (uint8_t)lane, i }, profile->tensors[tensor].name);
        }
        for (uint32_t row = 0; row < picture->rows; row++)
            strip_end(picture, &strips[2 * row + 1]);
    }
    for (uint32_t row = 0; row < picture->rows; row++)
        strip_end(picture, &strips[2 * row]);
    free(strips);
    put_row_names(picture);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static const enum area AREA_OF_STATE[MEMORY_STATE_COUNT] = {
    [MEMORY_KEPT] = AREA_KEPT, [MEMORY_DRAINING] = AREA_DRAINING, [MEMORY_PREFETCHED] = AREA_PREFETCHED,
    [MEMORY_GRADIENTS] = AREA_GRADIENTS, [MEMORY_SCRATCH] = AREA_SCRATCH,
};
/* What is in use from X on. */
struct level { double x, top[MEMORY_STATE_COUNT + 1]; }; /* tops: bytes, one state on the other */

/* Samples as levels, not more than SAMPLES_MOST: of those that share a place, the one with most in use. */
static uint32_t find_levels(const struct picture *picture, struct level *levels) {
    const struct timeline *timeline = picture->timeline;
    const double width = (RIGHT - LEFT) / (double)SAMPLES_MOST;
    const struct memory_sample *latest = NULL;
    const bool thin = timeline->memory_count > SAMPLES_MOST;
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeline->memory_count; i++) {
        const struct memory_sample *sample = memory_in_use(timeline, i, &latest);
        struct level level = { .x = x_of(picture, timeline->memory[i].at_us) };
        for (int state = 0; state < MEMORY_STATE_COUNT; state++)
            level.top[state + 1] = level.top[state] + (double)sample->bytes[state];
        if (!thin || count == 0 || level.x - levels[count - 1].x >= width)
            levels[count++] = level;
        else if (level.top[MEMORY_STATE_COUNT] > levels[count - 1].top[MEMORY_STATE_COUNT])
            memcpy(levels[count - 1].top, level.top, sizeof level.top);
    }
    return count;
}

static void put_state(struct picture *picture, const struct level *levels, uint32_t count, int state, double bytes_height) {
    struct buffer *out = picture->out;
    const double bottom = picture->bottom, end = x_of(picture, picture->timeline->end_us);
    bool shows = false;
    for (uint32_t i = 0; i < count && !shows; i++)
        shows = levels[i].top[state + 1] > levels[i].top[state];
    if (!shows)
        return;
    buffer_printf(out, "<path class=\"%s\" d=\"M%.2f %.2f", AREA_NAME[AREA_OF_STATE[state]], levels[0].x,
                  bottom - levels[0].top[state + 1] * bytes_height);
    for (uint32_t i = 1; i < count; i++)
        buffer_printf(out, "H%.2fV%.2f", levels[i].x, bottom - levels[i].top[state + 1] * bytes_height);
    buffer_printf(out, "H%.2f", end);
    for (uint32_t i = count; i-- > 0;)
        buffer_printf(out, "V%.2fH%.2f", bottom - levels[i].top[state] * bytes_height, levels[i].x);
    buffer_text(out, "Z\"/>\n");
}

static void put_memory_axis(struct picture *picture, double most, double bytes_height) {
    const double unit = most >= 0x1p30 ? 0x1p30 : most >= 0x1p20 ? 0x1p20 : most >= 0x1p10 ? 0x1p10 : 1;
    const double step = svg_tick(most / unit, 4) * unit;
    char text[UNIT_TEXT];
    for (double at = 0; at <= most; at += step) {
        const double y = picture->bottom - at * bytes_height;
        svg_line(picture->out, "grid", LEFT, y, RIGHT, y);
        svg_text(picture->out, LEFT - 8, y + 4, "small", SVG_END, format_bytes(text, (uint64_t)at));
    }
}

static void put_limits(struct picture *picture, double most, double bytes_height) {
    const struct timeline *timeline = picture->timeline;
    const double peak = (double)timeline->totals.peak_bytes;
    const double x = x_of(picture, timeline->memory[timeline->peak_sample].at_us), y = picture->bottom - peak * bytes_height;
    char text[UNIT_TEXT], words[2 * UNIT_TEXT + 32];
    if ((double)timeline->budget_bytes <= most) {
        const double budget = picture->bottom - (double)timeline->budget_bytes * bytes_height;
        svg_line(picture->out, "budget", LEFT, budget, RIGHT, budget);
        snprintf(words, sizeof words, "budget %s", format_bytes(text, timeline->budget_bytes));
        svg_text(picture->out, RIGHT, budget - 5, "small", SVG_END, words);
    }
    buffer_printf(picture->out, "<path class=\"peak\" d=\"M%.2f %.2fl-4-7h8Z\"/>\n", x, y);
    snprintf(words, sizeof words, "peak %s", format_bytes(text, timeline->totals.peak_bytes));
    svg_text(picture->out, x < (LEFT + RIGHT) / 2 ? x + 7 : x - 7, y - 9, "small", x < (LEFT + RIGHT) / 2 ? SVG_START : SVG_END,
             words);
}

static void put_memory(struct picture *picture) {
    const struct timeline *timeline = picture->timeline;
    const double peak = fmax((double)timeline->totals.peak_bytes, 1), budget = (double)timeline->budget_bytes;
    const double most = (budget > peak && budget < peak * 1.6 ? budget : peak) * 1.15;
    const double bytes_height = MEMORY_HEIGHT / most;
    struct level *levels = calloc((timeline->memory_count < SAMPLES_MOST ? timeline->memory_count : SAMPLES_MOST) + 2,
                                  sizeof *levels);
    if (!levels) {
        picture->out->failed = true;
        return;
    }
    const uint32_t count = find_levels(picture, levels);
    put_memory_axis(picture, most, bytes_height);
    svg_text(picture->out, 4, picture->memory_top - 8, "text", SVG_START, "memory");
    for (int state = 0; state < MEMORY_STATE_COUNT && count > 0; state++)
        put_state(picture, levels, count, state, bytes_height);
    free(levels);
    if (timeline->memory_count > 0)
        put_limits(picture, most, bytes_height);
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

static void put_time_axis(struct picture *picture) {
    const double unit = picture->reach_us >= 1e6 ? 1e6 : picture->reach_us >= 1e3 ? 1e3 : 1;
    const double step = svg_tick(picture->reach_us / unit, 10) * unit;
    char text[48];
    for (double at = 0; at <= picture->reach_us && step > 0; at += step) {
        svg_line(picture->out, "grid", x_of(picture, at), LANES_TOP - 6, x_of(picture, at), picture->bottom);
        snprintf(text, sizeof text, "%.10g", at / unit);
        svg_text(picture->out, x_of(picture, at), picture->bottom + 14, "small", SVG_MIDDLE, text);
    }
    snprintf(text, sizeof text, "time in %s", unit == 1e6 ? "s" : unit == 1e3 ? "ms" : "us");
    svg_text(picture->out, RIGHT, picture->bottom + 28, "small dim", SVG_END, text);
    svg_line(picture->out, "axis", LEFT, picture->bottom, RIGHT, picture->bottom);
    svg_line(picture->out, "axis", LEFT, LANES_TOP - 6, LEFT, picture->bottom);
}

static void put_title(struct picture *picture) {
    const struct outcome *outcome = picture->outcome;
    const struct timeline *timeline = picture->timeline;
    char step[UNIT_TEXT], share[UNIT_TEXT], bound[UNIT_TEXT], gap[UNIT_TEXT], stall[UNIT_TEXT], again[UNIT_TEXT];
    char budget[UNIT_TEXT], h2d[UNIT_TEXT], d2h[UNIT_TEXT], words[16 * UNIT_TEXT];
    picture->hover.length = 0;
    buffer_printf(&picture->hover, "%s by %s", timeline->profile->name, outcome->planner_name);
    svg_text(picture->out, 16, 26, "title", SVG_START, picture->hover.text ? picture->hover.text : "");
    snprintf(words, sizeof words, "step %s, %s of ideal; bound %s, gap %s; stall %s, recompute %s; budget %s; H2D %s, D2H %s",
             format_time(step, timeline->totals.step_us), format_percent(share, outcome_throughput(outcome)),
             format_time(bound, outcome->bound.bound_us), format_percent(gap, outcome_gap(outcome)),
             format_time(stall, timeline->totals.stall_us), format_time(again, timeline->totals.recompute_us),
             timeline->budget_bytes == BYTES_UNLIMITED ? "not limited" : format_bytes(budget, timeline->budget_bytes),
             format_rate(h2d, outcome->link.h2d_gb_per_s), format_rate(d2h, outcome->link.d2h_gb_per_s));
    svg_text(picture->out, 16, 46, "text", SVG_START, words);
}

static void lay_out(struct picture *picture) {
    const struct measured *measured = picture->timeline->profile->measured;
    const uint32_t layers = picture->timeline->profile->layer_count;
    picture->rows = layers < ROWS_MOST ? layers : ROWS_MOST;
    picture->row_height = fmin(fmax((double)ROWS_HEIGHT / picture->rows, ROW_LEAST), ROW_MOST);
    picture->measured_top = LANES_TOP + LANE_PITCH * LANE_COUNT + 4;
    picture->rows_top = picture->measured_top + (measured ? MEASURED_PITCH * LANE_COUNT : 0) + 4;
    picture->memory_top = picture->rows_top + picture->rows * picture->row_height + GAP;
    picture->bottom = picture->memory_top + MEMORY_HEIGHT;
    picture->step_us = picture->timeline->totals.step_us;
    picture->reach_us = picture->step_us;
    for (int lane = 0; measured && lane < LANE_COUNT; lane++) {
        const uint32_t count = measured->count[lane];
        const struct measured_slice *last = count > 0 ? &measured->slices[lane][count - 1] : NULL;
        if (last && last->start_us + last->duration_us > picture->reach_us)
            picture->reach_us = last->start_us + last->duration_us;
    }
    picture->scale = picture->reach_us > 0 ? (RIGHT - LEFT) / picture->reach_us : 0;
}

void export_svg(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    struct picture picture = { .out = out, .outcome = outcome, .timeline = &outcome->timeline };
    lay_out(&picture);
    svg_begin(out, WIDTH, (int)picture.bottom + 74, look, picture.timeline->profile->name);
    put_title(&picture);
    put_time_axis(&picture);
    put_lanes(&picture);
    if (picture.timeline->profile->measured)
        put_measured(&picture);
    put_rows(&picture);
    put_memory(&picture);
    svg_legend(out, AREA_FORWARD, AREA_KEPT, LEFT, picture.bottom + 46);
    svg_legend(out, AREA_KEPT, AREA_COUNT - AREA_KEPT, LEFT, picture.bottom + 64);
    svg_end(out);
    out->failed = out->failed || picture.words.failed || picture.hover.failed;
    buffer_free(&picture.words);
    buffer_free(&picture.hover);
}
