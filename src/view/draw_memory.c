/* The memory pane: what is in use at the cursor, the budget as a line, and below it the use in time, stacked by state.
 * Each column shows the moment of its window in which most is in use, so that no peak is lost. A line is left of the curve
 * before the last change. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "draw_chart.h"
#include "text.h"

#define EIGHTHS 8

static const enum role STATE_ROLE[MEMORY_STATE_COUNT] = { ROLE_KEPT, ROLE_DRAINING, ROLE_PREFETCHED, ROLE_GRADIENTS,
                                                          ROLE_SCRATCH };
/* short and in full */
static const char *const STATE_NAME[2][MEMORY_STATE_COUNT] = {
    { "kept", "drain", "fetch", "grad", "scratch" },
    { "kept", "draining", "prefetched", "gradients", "scratch" },
};

struct scale {
    uint64_t top_bytes;   /* what the full height of the curve stands for */
    bool budget_off;      /* the budget is far above it */
    double per_unit;      /* bytes */
    const char *unit;
};

static struct scale scale_make(const struct canvas *canvas) {
    struct scale scale;
    scale.top_bytes = memory_top_bytes(canvas->state, canvas->scene, &scale.budget_off);
    bool gib = scale.top_bytes >= (uint64_t)1 << 30, mib = scale.top_bytes >= (uint64_t)1 << 20;
    scale.per_unit = gib ? 1073741824.0 : mib ? 1048576.0 : 1024.0;
    scale.unit = gib ? "GiB" : mib ? "MiB" : "KiB";
    return scale;
}

/* The uppermost row: "5.31 GiB = kept 3.10 …" at the cursor, legend and reading in one. */
static void draw_values(const struct canvas *canvas, struct rect rect, struct scale scale) {
    const struct timeline *timeline = canvas->model->timeline;
    const struct memory_sample *sample = &timeline->memory[timeline_memory_at(timeline, canvas->state->cursor_us)];
    bool named = rect.width >= 84, roomy = rect.width >= 112;
    char text[96];
    struct style number = plain(ROLE_NUMBER), label = plain(ROLE_TEXT);
    number.attributes = label.attributes = canvas->stale;
    snprintf(text, sizeof text, "%5.2f %s", (double)memory_used(sample) / scale.per_unit, scale.unit);
    int x = canvas_text(canvas, rect, 0, 0, text, number);
    for (int state = 0; state < MEMORY_STATE_COUNT; state++) {
        char name[32], amount[32];
        snprintf(name, sizeof name, "%s%s ", roomy ? " " : "", STATE_NAME[named][state]);
        snprintf(amount, sizeof amount, roomy ? "%5.2f" : "%.2f", (double)sample->bytes[state] / scale.per_unit);
        if (x + (roomy ? 3 : 2) + text_width(name) + text_width(amount) > rect.width) { /* a name without its amount says nothing */
            canvas_text(canvas, rect, x + 1, 0, canvas_symbol(canvas, SYMBOL_MORE), label);
            return;
        }
        struct style mark = { (uint8_t)STATE_ROLE[state], ROLE_NONE, canvas->stale };
        x = canvas_text(canvas, rect, x + (roomy ? 2 : 1), 0, canvas_glyph(canvas, STATE_ROLE[state]), mark);
        x = canvas_text(canvas, rect, x, 0, name, label);
        x = canvas_text(canvas, rect, x, 0, amount, number);
    }
    if (roomy) {
        snprintf(text, sizeof text, "   host %5.2f", (double)sample->host_bytes / scale.per_unit);
        canvas_text(canvas, rect, x, 0, text, label);
    }
}

static void draw_budget(const struct canvas *canvas, struct rect rect, struct scale scale) {
    const struct timeline *timeline = canvas->model->timeline;
    const struct memory_sample *peak = &timeline->memory[timeline->peak_sample];
    struct style line = { ROLE_BUDGET, ROLE_NONE, canvas->stale };
    const struct view_model *ghost = memory_ghost(canvas->state, canvas->scene);
    char budget[UNIT_TEXT], most[UNIT_TEXT], before[UNIT_TEXT], text[160];
    grid_fill(canvas->grid, rect, canvas_glyph(canvas, ROLE_BUDGET), line);
    snprintf(text, sizeof text, " budget %s%s, peak %s ", format_bytes(budget, timeline->budget_bytes),
             scale.budget_off ? " (far above)" : "", format_bytes(most, timeline->totals.peak_bytes));
    if (ghost != NULL && rect.width >= 64)
        snprintf(text + strlen(text) - 1, sizeof text - strlen(text), ", %s before: %s ", canvas_glyph(canvas, ROLE_GHOST),
                 format_bytes(before, ghost->timeline->totals.peak_bytes));
    int at = canvas_column(canvas, peak->at_us), width = text_width(text);
    if (canvas->state->drag.kind == DRAG_BUDGET) { /* the peak is that of the last plan */
        snprintf(text, sizeof text, " budget %s ", format_bytes(budget, memory_budget_bytes(canvas->state, canvas->scene)));
        canvas_text(canvas, rect, 2, 0, text, line);
        return;
    }
    /* the label keeps clear of the mark, or tells the peak alone */
    const int left = 2, right = rect.width - width - 2;
    const bool shown = right >= left, at_left = at < left || at >= left + width, at_right = at < right || at >= right + width;
    const int x = at >= 0 && at <= width + 4 && right > left ? right : left;
    if (shown)
        canvas_text(canvas, rect, x, 0, text, line);
    if (at >= 0 && (!shown || (x == left ? at_left : at_right)))
        canvas_text(canvas, rect, at, 0, canvas_glyph(canvas, ROLE_PEAK),
                    (struct style){ ROLE_PEAK, ROLE_NONE, canvas->stale });
}

/* What fills the cell that begins LOW eighths of a cell above the floor: the state with most of it, and how much of the
 * cell is filled. EDGE[s] is where state s ends. */
static int cell_state(const int64_t edge[MEMORY_STATE_COUNT], int64_t low, int *filled) {
    int64_t most = 0, below = 0;
    int state = -1;
    for (int s = 0; s < MEMORY_STATE_COUNT; s++) {
        int64_t from = below > low ? below : low, to = edge[s] < low + EIGHTHS ? edge[s] : low + EIGHTHS;
        if (to - from > most) {
            most = to - from;
            state = s;
        }
        below = edge[s];
    }
    int64_t top = edge[MEMORY_STATE_COUNT - 1] - low;
    *filled = (int)(top < 0 ? 0 : top > EIGHTHS ? EIGHTHS : top);
    return state;
}

static const char *const LOWER_BLOCK[EIGHTHS] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };

static void draw_curve_column(const struct canvas *canvas, struct rect rect, int x, const struct memory_sample *sample,
                              struct scale scale) {
    int64_t edge[MEMORY_STATE_COUNT];
    uint64_t sum = 0;
    for (int s = 0; s < MEMORY_STATE_COUNT; s++) {
        sum += sample->bytes[s];
        edge[s] = (int64_t)((double)sum / (double)scale.top_bytes * rect.height * EIGHTHS + 0.5);
    }
    if (sum > 0 && edge[MEMORY_STATE_COUNT - 1] == 0)
        edge[MEMORY_STATE_COUNT - 1] = 1;
    for (int row = 0; row < rect.height; row++) {
        int filled, state = cell_state(edge, (int64_t)row * EIGHTHS, &filled);
        if (state < 0)
            return;
        bool whole = filled == EIGHTHS || (canvas->state->ascii && filled >= EIGHTHS / 2);
        if (!whole && canvas->state->ascii)
            return;
        struct style style = { (uint8_t)STATE_ROLE[state], ROLE_NONE, canvas->stale };
        if (!whole)
            style.attributes |= CELL_BARE;
        grid_glyph(canvas->grid, rect, rect.x + x, rect.y + rect.height - 1 - row,
                   whole ? canvas_glyph(canvas, STATE_ROLE[state]) : LOWER_BLOCK[filled], style);
    }
}

static void draw_curve(const struct canvas *canvas, struct rect rect, struct scale scale) {
    const struct view_state *state = canvas->state;
    double column_us = (state->to_us - state->from_us) / rect.width;
    int cursor = canvas_column(canvas, state->cursor_us);
    if (!(column_us > 0))
        return;
    if (cursor >= 0)
        for (int y = 0; y < rect.height; y++)
            canvas_text(canvas, rect, cursor, y, canvas_glyph(canvas, ROLE_CURSOR),
                        (struct style){ ROLE_CURSOR, ROLE_NONE, CELL_DIM });
    for (int x = 0; x < rect.width; x++) {
        double from = state->from_us + x * column_us;
        uint32_t sample = view_model_peak(canvas->model, from, from + column_us);
        draw_curve_column(canvas, rect, x, &canvas->model->timeline->memory[sample], scale);
    }
}

/* ---- what was before the last change ---- */

struct ghost_line { const struct view_model *model; double from_us, span_us, slice_us, top_bytes; };

static double ghost_at(const void *context, double x) {
    const struct ghost_line *line = context;
    const double from = line->from_us + x * (line->span_us - line->slice_us);
    if (from >= line->model->timeline->end_us)
        return NAN;
    const uint32_t sample = view_model_peak(line->model, from, from + line->slice_us);
    return (double)memory_used(&line->model->timeline->memory[sample]) / line->top_bytes;
}

static void draw_ghost(const struct canvas *canvas, struct rect rect, struct scale scale) {
    const struct view_state *state = canvas->state;
    const struct view_model *ghost = memory_ghost(state, canvas->scene);
    if (ghost == NULL)
        return;
    const double span_us = state->to_us - state->from_us;
    const struct ghost_line context = { ghost, state->from_us, span_us, span_us / (2 * rect.width), (double)scale.top_bytes };
    const struct chart_line line = { ghost_at, &context, ROLE_GHOST, canvas_glyph(canvas, ROLE_GHOST) };
    draw_chart(canvas, rect, &line, 1);
}

static void draw_axis(const struct canvas *canvas, struct rect rect, struct scale scale, bool selected) {
    char text[64];
    int right = canvas->panes.plot_x - 1;
    if (right < 5)
        return;
    if (selected)
        canvas_text(canvas, rect, 0, 0, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    /* a waiting step has no memory yet: the figures say what it asks for */
    const struct timeline *timeline = canvas->model->timeline;
    bool running = timeline->memory[timeline_memory_at(timeline, canvas->state->cursor_us)].running;
    text_fit(text, sizeof text, running ? "memory" : "needed", right - 1, CUT_END, canvas->state->ascii);
    canvas_text(canvas, rect, 1, 0, text, plain(selected ? ROLE_TITLE : ROLE_TEXT));
    for (int y = 0; y < rect.height; y++)
        canvas_text(canvas, rect, right, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
    for (int y = 1; y < rect.height; y++) {
        int curve = rect.height - 2, from_floor = rect.height - 1 - y;
        bool labelled = y == 1 || y == rect.height - 1 || (curve >= 4 && from_floor == curve / 2);
        if (!labelled)
            continue;
        double value = (double)scale.top_bytes * (curve > 0 ? (double)from_floor / curve : 0) / scale.per_unit;
        const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0; /* as sizes are written elsewhere */
        if (right >= 8)
            snprintf(text, sizeof text, "%.*f %s", digits, value, scale.unit);
        else
            snprintf(text, sizeof text, "%.*f", digits > 1 ? 1 : digits, value);
        canvas_text_right(canvas, rect, right, y, from_floor == 0 ? "0" : text, plain(ROLE_DIM));
    }
}

void draw_memory(const struct canvas *canvas) {
    struct rect rect = canvas->panes.memory;
    struct rect plot = { canvas->panes.plot_x, rect.y, canvas->panes.plot_width, 1 };
    if (rect.height < 1 || plot.width < 1)
        return;
    struct scale scale = scale_make(canvas);
    draw_axis(canvas, rect, scale, canvas->state->pane == PANE_MEMORY);
    draw_values(canvas, plot, scale);
    const struct rect curve = { plot.x, rect.y + MEMORY_CURVE_ROW, plot.width, rect.height - MEMORY_CURVE_ROW };
    if (curve.height > 0) {
        draw_curve(canvas, curve, scale);
        draw_ghost(canvas, curve, scale);
    }
    if (rect.height >= 2) {
        plot.y = rect.y + memory_budget_row(canvas->state, canvas->scene, curve.height);
        draw_budget(canvas, plot, scale);
    }
}
