#include "export_curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "svg.h"

#define WIDTH 1100
#define LEFT 92
#define RIGHT 800          /* of the plots; the legend stands beside them */
#define TOP 78
#define PLOT_HEIGHT 330
#define PITCH (PLOT_HEIGHT + 70)
#define BUDGETS_MOST 4     /* curves of one planner over the bandwidth */
#define NEAR 1.01          /* of the ideal: as good as free */
#define LINE 16

/* One plot: a unit of the horizontal axis is bytes or GB/s. */
struct plot {
    struct buffer *out;
    const struct curves *curves;
    double top, from, to;          /* pixels; what the horizontal axis reaches */
    double fastest_us, slowest_us; /* what the vertical axis reaches */
};

/* Points along one curve: FIRST, FIRST + STRIDE, …, COUNT of them. */
struct course { uint32_t first, stride, count; };

static const struct curve_point *point_of(const struct curves *curves, struct course course, uint32_t i) {
    return &curves->points[course.first + i * course.stride];
}

static uint32_t budgets_of(const struct curves *curves) { return curves->sweep->budget_count; }

/* The curve of a planner on a link, over the budget. */
static struct course over_budget(const struct curves *curves, uint32_t column) {
    return (struct course){ column * budgets_of(curves), 1, budgets_of(curves) };
}

/* The curve of a planner at a budget, over the bandwidth. */
static struct course over_rate(const struct curves *curves, uint32_t planner, uint32_t budget) {
    const uint32_t rates = curves->sweep->rate_count;
    return (struct course){ planner * rates * budgets_of(curves) + budget, budgets_of(curves), rates };
}

/* ---- axes ------------------------------------------------------------------------------------------------------------- */

static double y_of(const struct plot *plot, double us) {
    return plot->top + PLOT_HEIGHT * (plot->slowest_us - us) / (plot->slowest_us - plot->fastest_us);
}

static double x_of(const struct plot *plot, double at) {
    return plot->to > plot->from ? LEFT + (RIGHT - LEFT) * (at - plot->from) / (plot->to - plot->from) : (LEFT + RIGHT) / 2.0;
}

/* Both plots have one vertical axis, so that they can be compared. */
static void find_range(struct plot *plot) {
    const struct curves *curves = plot->curves;
    const double ideal = curves->profile->ideal_us;
    double slowest = ideal;
    for (uint32_t n = 0; n < sweep_points(curves->sweep); n++) {
        const struct curve_point *point = &curves->points[n];
        slowest = fmax(slowest, point->fits ? point->step_us : ideal);
    }
    const double room = slowest > ideal ? (slowest - ideal) * 0.08 : ideal > 0 ? ideal * 0.05 : 1;
    plot->slowest_us = slowest + room;
    plot->fastest_us = ideal - room;
}

static void put_time_axis(const struct plot *plot) {
    const double unit = plot->slowest_us >= 1e6 ? 1e6 : plot->slowest_us >= 1e3 ? 1e3 : 1;
    const double step = svg_tick((plot->slowest_us - plot->fastest_us) / unit, 6) * unit;
    char text[40];
    for (double at = ceil(plot->fastest_us / step) * step; at <= plot->slowest_us; at += step) {
        svg_line(plot->out, "grid", LEFT, y_of(plot, at), RIGHT, y_of(plot, at));
        snprintf(text, sizeof text, "%.8g", at / unit);
        svg_text(plot->out, LEFT - 8, y_of(plot, at) + 4, "small", SVG_END, text);
    }
    snprintf(text, sizeof text, "step in %s", unit == 1e6 ? "s" : unit == 1e3 ? "ms" : "us");
    svg_text(plot->out, LEFT - 8, plot->top - 9, "small dim", SVG_END, text);
    svg_line(plot->out, "axis", LEFT, plot->top + PLOT_HEIGHT, RIGHT, plot->top + PLOT_HEIGHT);
    svg_line(plot->out, "axis", LEFT, plot->top, LEFT, plot->top + PLOT_HEIGHT);
}

static void put_tick(const struct plot *plot, double at, const char *text) {
    const double x = x_of(plot, at);
    svg_line(plot->out, "grid", x, plot->top, x, plot->top + PLOT_HEIGHT);
    svg_text(plot->out, x, plot->top + PLOT_HEIGHT + 15, "small", SVG_MIDDLE, text);
}

static void put_budget_axis(const struct plot *plot) {
    const double unit = plot->to >= 0x1p30 ? 0x1p30 : plot->to >= 0x1p20 ? 0x1p20 : plot->to >= 0x1p10 ? 0x1p10 : 1;
    const double step = svg_tick((plot->to - plot->from) / unit, 7) * unit;
    const double peak = (double)plot->curves->limits.unlimited_peak_bytes;
    char text[UNIT_TEXT], words[80];
    for (double at = ceil(plot->from / step) * step; at <= plot->to; at += step)
        put_tick(plot, at, format_bytes(text, (uint64_t)at));
    if (plot->to <= plot->from)
        put_tick(plot, plot->from, format_bytes(text, (uint64_t)plot->from));
    snprintf(words, sizeof words, "budget for activations; the unlimited peak is %s", format_bytes(text, (uint64_t)peak));
    svg_text(plot->out, RIGHT, plot->top + PLOT_HEIGHT + 31, "small dim", SVG_END, words);
}

static void put_rate_axis(const struct plot *plot) {
    const double step = svg_tick(plot->to - plot->from, 7);
    char text[40];
    for (double at = ceil(plot->from / step) * step; at <= plot->to; at += step) {
        snprintf(text, sizeof text, "%.6g", at);
        put_tick(plot, at, text);
    }
    svg_text(plot->out, RIGHT, plot->top + PLOT_HEIGHT + 31, "small dim", SVG_END, "host-to-device bandwidth in GB/s");
}

/* ---- curves ----------------------------------------------------------------------------------------------------------- */

static void put_marker(const struct plot *plot, uint32_t curve, double x, double y) {
    static const char *const SHAPES[] = { "m-2.6-2.6h5.2v5.2h-5.2z", "m0-3.4 3.4 3.4-3.4 3.4-3.4-3.4z", "m-3 2.6 3-5.2 3 5.2z",
                                          "m-3-2.6 3 5.2 3-5.2z" };
    buffer_printf(plot->out, "<path class=\"curve%u marker\" d=\"M%.2f %.2f%s\"/>\n", (unsigned)(curve % SVG_CURVES), x, y,
                  SHAPES[(curve + curve / SVG_CURVES) % 4]);
}

static double place_of(const struct plot *plot, struct course course, uint32_t i) {
    const struct curves *curves = plot->curves;
    return course.stride == 1 ? (double)curves->sweep->budgets[(course.first + i) % budgets_of(curves)].bytes
                              : point_of(curves, course, i)->bandwidth;
}

static void put_curve(const struct plot *plot, struct course course, uint32_t curve) {
    bool goes_on = false;
    buffer_printf(plot->out, "<path class=\"curve curve%u\" d=\"", (unsigned)(curve % SVG_CURVES));
    for (uint32_t i = 0; i < course.count; i++) {
        const struct curve_point *point = point_of(plot->curves, course, i);
        if (point->fits)
            buffer_printf(plot->out, "%s%.2f %.2f", goes_on ? "L" : "M", x_of(plot, place_of(plot, course, i)),
                          y_of(plot, point->step_us));
        goes_on = point->fits;
    }
    buffer_text(plot->out, "\"/>\n");
    for (uint32_t i = 0; i < course.count; i++) {
        const struct curve_point *point = point_of(plot->curves, course, i);
        if (point->fits)
            put_marker(plot, curve, x_of(plot, place_of(plot, course, i)), y_of(plot, point->step_us));
    }
}

/* What no plan can beat; above the plot where nothing fits. */
static void put_bound(const struct plot *plot, struct course course) {
    const char *command = "M";
    buffer_text(plot->out, "<path class=\"bound\" d=\"");
    for (uint32_t i = 0; i < course.count; i++) {
        const double bound = point_of(plot->curves, course, i)->bound_us;
        if (bound > plot->slowest_us)
            continue;
        buffer_printf(plot->out, "%s%.2f %.2f", command, x_of(plot, place_of(plot, course, i)), y_of(plot, bound));
        command = "L";
    }
    buffer_text(plot->out, "\"/>\n");
}

static void put_ideal(const struct plot *plot) {
    const double y = y_of(plot, plot->curves->profile->ideal_us);
    char time[UNIT_TEXT], words[UNIT_TEXT + 16];
    svg_line(plot->out, "axis", LEFT, y, RIGHT, y);
    snprintf(words, sizeof words, "ideal %s", format_time(time, plot->curves->profile->ideal_us));
    svg_text(plot->out, LEFT + 6, y + 13, "small dim", SVG_START, words);
}

/* Budgets below which nothing fits. */
static void put_least(const struct plot *plot) {
    const double least = (double)plot->curves->limits.least_bytes;
    char text[UNIT_TEXT], words[UNIT_TEXT + 32];
    if (least <= plot->from || plot->to <= plot->from)
        return;
    const double x = x_of(plot, fmin(least, plot->to));
    svg_rect(plot->out, AREA_SCRATCH, LEFT, plot->top, x - LEFT, PLOT_HEIGHT, NULL);
    snprintf(words, sizeof words, "nothing fits below %s", format_bytes(text, plot->curves->limits.least_bytes));
    svg_text(plot->out, x + 6, plot->top + 12, "small", SVG_START, words);
}

/* ---- words ------------------------------------------------------------------------------------------------------------ */

struct caption { char text[4 * UNIT_TEXT + 96]; };

static struct caption name_curve(const struct curves *curves, struct course course) {
    const struct sweep *sweep = curves->sweep;
    const uint32_t column = course.first / budgets_of(curves);
    const char *planner = sweep->planners[column / sweep->rate_count]->name;
    char text[UNIT_TEXT];
    struct caption caption;
    if (course.stride > 1 || (course.count == 1 && budgets_of(curves) > 1))
        format_bytes(text, sweep->budgets[course.first % budgets_of(curves)].bytes);
    else
        format_rate(text, point_of(curves, course, 0)->bandwidth);
    snprintf(caption.text, sizeof caption.text, "%s, %s", planner, text);
    return caption;
}

static double put_key(const struct plot *plot, struct course course, uint32_t curve, double y) {
    buffer_printf(plot->out, "<path class=\"curve curve%u\" d=\"M%d %.2fh30\"/>\n", (unsigned)(curve % SVG_CURVES), RIGHT + 24,
                  y - 4);
    put_marker(plot, curve, RIGHT + 39, y - 4);
    svg_text(plot->out, RIGHT + 62, y, "small", SVG_START, name_curve(plot->curves, course).text);
    return y + LINE;
}

/* Where the curve turns, at the points there are: where it begins, recomputes no more, is as good as the ideal. */
static double put_turns(const struct plot *plot, struct course course, double y) {
    const struct curves *curves = plot->curves;
    uint32_t fits = NONE, free_from = NONE, near = NONE;
    for (uint32_t i = course.count; i-- > 0 && point_of(curves, course, i)->fits;) {
        const struct curve_point *point = point_of(curves, course, i);
        fits = i;
        if (point->recompute_us <= 0 && (free_from == i + 1 || i + 1 == course.count))
            free_from = i;
        if (point->step_us <= curves->profile->ideal_us * NEAR)
            near = i;
    }
    const uint32_t turn[] = { fits, free_from, near };
    static const char *const WORDS[] = { "fits", "recomputes nothing", "within 1% of ideal" };
    struct caption caption;
    size_t length = 0;
    for (int i = 0; i < 3; i++) {
        char text[UNIT_TEXT];
        if (turn[i] == NONE || (i == 0 && (fits == 0 || course.stride > 1)))
            continue;
        if (course.stride == 1)
            format_bytes(text, (uint64_t)place_of(plot, course, turn[i]));
        else
            format_rate(text, place_of(plot, course, turn[i]));
        length += (size_t)snprintf(caption.text + length, sizeof caption.text - length, "%s%s %s%s", length ? "; " : "",
                                   WORDS[i], turn[i] > 0 ? "from " : "all along", turn[i] > 0 ? text : "");
    }
    if (length == 0)
        return y;
    /* the legend's width holds one clause a line */
    for (char *at = caption.text; at;) {
        char *end = strstr(at, "; ");
        if (end)
            *end = '\0';
        svg_text(plot->out, RIGHT + 62, y, "small dim", SVG_START, at);
        y += LINE - 2;
        at = end ? end + 2 : NULL;
    }
    return y + 3;
}

static double put_bound_key(const struct plot *plot, double y) {
    svg_line(plot->out, "bound", RIGHT + 24, y - 4, RIGHT + 54, y - 4);
    svg_text(plot->out, RIGHT + 62, y, "small", SVG_START, "bound: no plan is faster");
    return y + LINE;
}

/* ---- plots ------------------------------------------------------------------------------------------------------------ */

static double put_plot_of_budgets(struct plot *plot) {
    const struct sweep *sweep = plot->curves->sweep;
    double y = plot->top + 12;
    plot->from = (double)sweep->budgets[0].bytes;
    plot->to = (double)sweep->budgets[sweep->budget_count - 1].bytes;
    put_least(plot);
    put_time_axis(plot);
    put_budget_axis(plot);
    put_ideal(plot);
    for (uint32_t rate = 0; rate < sweep->rate_count; rate++) /* the same for every planner */
        put_bound(plot, over_budget(plot->curves, rate));
    y = put_bound_key(plot, y);
    for (uint32_t column = 0; column < sweep_columns(sweep); column++) {
        const struct course course = over_budget(plot->curves, column);
        put_curve(plot, course, column);
        y = put_turns(plot, course, put_key(plot, course, column, y));
    }
    return fmax(y, plot->top + PITCH);
}

static double put_plot_of_rates(struct plot *plot) {
    const struct sweep *sweep = plot->curves->sweep;
    const uint32_t shown = sweep->budget_count < BUDGETS_MOST ? sweep->budget_count : BUDGETS_MOST;
    double y = plot->top + 12;
    plot->from = plot->curves->points[0].bandwidth;
    plot->to = plot->curves->points[(sweep->rate_count - 1) * sweep->budget_count].bandwidth;
    put_time_axis(plot);
    put_rate_axis(plot);
    put_ideal(plot);
    y = put_bound_key(plot, y);
    for (uint32_t i = 0; i < shown; i++) { /* spread over all budgets, the least and the most among them */
        const uint32_t budget = shown > 1 ? i * (sweep->budget_count - 1) / (shown - 1) : 0;
        put_bound(plot, over_rate(plot->curves, 0, budget));
        for (uint32_t planner = 0; planner < sweep->planner_count; planner++) {
            const struct course course = over_rate(plot->curves, planner, budget);
            const uint32_t curve = planner * shown + i;
            put_curve(plot, course, curve);
            y = put_turns(plot, course, put_key(plot, course, curve, y));
        }
    }
    return fmax(y, plot->top + PITCH);
}

static void put_title(struct buffer *out, const struct curves *curves) {
    struct buffer title = { 0 };
    buffer_printf(&title, "%s: the step over budget%s", curves->profile->name,
                  curves->sweep->rate_count > 1 ? " and bandwidth" : "");
    svg_text(out, 16, 26, "title", SVG_START, title.text ? title.text : "");
    out->failed = out->failed || title.failed;
    buffer_free(&title);
}

/* The height of a picture is known when it is drawn: what is in it goes into BODY first. */
void export_curves(struct buffer *out, const struct curves *curves, const struct look *look) {
    struct buffer body = { 0 };
    struct plot plot = { .out = &body, .curves = curves, .top = TOP };
    double bottom;
    find_range(&plot);
    put_title(&body, curves);
    bottom = put_plot_of_budgets(&plot);
    if (curves->sweep->rate_count > 1) {
        plot.top = bottom;
        bottom = put_plot_of_rates(&plot);
    }
    svg_begin(out, WIDTH, (int)bottom, look, curves->profile->name);
    buffer_put(out, body.text ? body.text : "", body.length);
    svg_end(out);
    out->failed = out->failed || body.failed;
    buffer_free(&body);
}
