/* Compare: two plans over one time axis, the difference of their memory, totals, and the actions that differ. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "core/words.h"
#include "draw.h"
#include "draw_chart.h"
#include "text.h"
#include "view_compare.h"

#define SIDE_ROWS 4        /* a title and three lanes */
#define TOTALS_WIDTH 42

struct compare_panes { struct rect ruler, side[2], memory, totals, changes; };

/* Lanes and ruler have their rows first; what is left is shared by the memory strip and the words below it. */
static struct compare_panes lay_out(struct rect body) {
    struct compare_panes panes = { .ruler = { body.x, body.y, body.width, body.height > 0 ? 1 : 0 } };
    int y = body.y + panes.ruler.height, left = body.height - panes.ruler.height;
    for (int side = 0; side < 2; side++) {
        const int rows = left < SIDE_ROWS ? left : SIDE_ROWS;
        panes.side[side] = (struct rect){ body.x, y, body.width, rows };
        y += rows;
        left -= rows;
    }
    const int memory = left < 3 ? 0 : left < 9 ? 3 : left * 2 / 5;
    panes.memory = (struct rect){ body.x, y, body.width, memory };
    y += memory;
    const int split = body.width >= 2 * TOTALS_WIDTH - 8 ? TOTALS_WIDTH : body.width;
    panes.totals = (struct rect){ body.x, y, split, left - memory };
    panes.changes = (struct rect){ body.x + split, y, body.width - split, left - memory };
    return panes;
}

/* ---- the two plans in time ---- */

static void side_words(const struct canvas *canvas, const struct compare_answer *answer, int side, char *text, size_t size) {
    const struct compare_choice *choice = &canvas->state->compare.side[side];
    const char *letter = side == 0 ? "A" : "B";
    if (choice->what == COMPARE_PLANNER)
        snprintf(text, size, "%s  planner %s", letter, PLANNERS[choice->planner].name);
    else if (answer == NULL)
        snprintf(text, size, "%s  the %s plan", letter, choice->what == COMPARE_PINNED ? "pinned" : "current");
    else
        snprintf(text, size, "%s  the %s plan, by %.40s", letter, choice->what == COMPARE_PINNED ? "pinned" : "current",
                 choice->what == COMPARE_CURRENT ? canvas->scene->latest->planner_name : answer->outcome[side].planner_name);
}

static void side_note(const struct compare_answer *answer, int side, char *text, size_t size) {
    char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];
    const struct outcome *outcome = &answer->outcome[side];
    if (outcome->timeline.totals.feasible)
        snprintf(text, size, "%s  %s  %s", format_bytes(a, outcome->timeline.budget_bytes),
                 format_rate(b, outcome->link.h2d_gb_per_s), format_time(c, outcome->timeline.totals.step_us));
    else
        snprintf(text, size, "%s  %s", format_bytes(a, outcome->timeline.budget_bytes),
                 format_rate(b, outcome->link.h2d_gb_per_s));
}

/* A canvas on which the whole of the longer step is seen, with MODEL's lanes. */
struct time_canvas { struct canvas canvas; struct view_state state; };

static void time_canvas_make(struct time_canvas *out, const struct canvas *canvas, const struct view_model *model,
                             double end_us) {
    out->canvas = *canvas;
    out->state = *canvas->state;
    out->state.from_us = 0;
    out->state.to_us = out->state.end_us = end_us;
    out->state.cursor_us = -1; /* out of sight */
    out->state.selection.exists = false;
    out->canvas.state = &out->state;
    out->canvas.related.count = 0; /* what belongs to the selection is in another timeline */
    out->canvas.model = model;
}

static void draw_side(const struct canvas *canvas, struct rect rect, const struct compare_answer *answer, int side,
                      double end_us) {
    static const char *const NAME[ENGINE_ROWS] = { "compute", "D2H", "H2D" };
    static const enum role ROLE[ENGINE_ROWS] = { ROLE_FORWARD, ROLE_D2H, ROLE_H2D };
    char title[120], note[3 * UNIT_TEXT + 8] = "";
    struct time_canvas time;
    if (rect.height < 1)
        return;
    side_words(canvas, answer, side, title, sizeof title);
    if (answer != NULL)
        side_note(answer, side, note, sizeof note);
    canvas_title(canvas, rect, title, note, canvas->state->compare.focus == side, ROLE_TITLE);
    canvas_link(canvas, rect, 0, rect.width, 0, DO_compare_side, NONE);
    if (answer == NULL)
        return;
    if (!answer->outcome[side].timeline.totals.feasible) {
        struct words words;
        words_start(&words, &VOICE_PLAIN);
        words_lack(&words, &answer->outcome[side].timeline);
        canvas_text(canvas, rect, 1, 1, "does not fit:", plain(ROLE_BAD));
        canvas_text(canvas, rect, 15, 1, words.text, plain(ROLE_TEXT));
        return;
    }
    time_canvas_make(&time, canvas, &answer->model[side], end_us);
    for (int i = 0; i < ENGINE_ROWS && i + 1 < rect.height; i++) {
        const struct rect row = { rect.x, rect.y + 1 + i, canvas->panes.plot_x, 1 };
        snprintf(title, sizeof title, i == 0 ? "%s" : "%s %s", NAME[i], canvas_glyph(canvas, ROLE[i]));
        canvas_text(canvas, row, 1, 0, title, plain(ROLE_TEXT));
        canvas_text(canvas, row, row.width - 1, 0, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
        draw_lane(&time.canvas, row.y, (uint8_t)(ROW_COMPUTE + i));
    }
}

static void draw_axis(const struct canvas *canvas, struct rect rect, double end_us) {
    struct time_canvas time;
    struct view_model none = { .critical = { { 0 } } }; /* the ruler is for both: no critical path on it */
    time_canvas_make(&time, canvas, &none, end_us);
    time.canvas.panes.ruler = rect;
    draw_ruler(&time.canvas);
}

/* ---- memory ---- */

struct memory_line { const struct difference *difference; double end_us, columns, scale; };

/* The height of the largest difference in the slice of the step at X; the middle is none. */
static double change_at(const void *context, double x) {
    const struct memory_line *line = context;
    const double slice = line->end_us / line->columns;
    const double from = fmin(x * (line->end_us - slice), line->end_us);
    uint32_t low = 0, high = line->difference->memory_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(line->difference->memory[middle].at_us <= from ? &low : &high) = middle;
    }
    const struct memory_pair *pair = difference_memory(line->difference, from, from + slice, &low);
    return 0.5 + (double)memory_change(pair) / line->scale / 2;
}

static double middle_at(const void *context, double x) {
    (void)context, (void)x;
    return 0.5;
}

/* The change at an end of the scale; without decimals where there is no room for them. */
static char *scale_words(char text[UNIT_TEXT], double change, int columns) {
    format_bytes_change(text, change);
    char *point = strchr(text, '.'), *blank = strchr(text, ' ');
    if (text_width(text) > columns && point != NULL && blank != NULL && point < blank)
        memmove(point, blank, strlen(blank) + 1);
    return text;
}

static void draw_memory_change(const struct canvas *canvas, struct rect rect, const struct difference *difference,
                               double end_us) {
    char text[UNIT_TEXT], title[200], a[UNIT_TEXT], b[UNIT_TEXT];
    if (rect.height < 3)
        return;
    const struct memory_pair *most = &difference->memory[difference->most], *least = &difference->memory[difference->least];
    const double scale = fmax((double)memory_change(most), -(double)memory_change(least));
    if (scale > 0)
        snprintf(title, sizeof title, "memory, B - A: at most %s at %.1f ms, at least %s at %.1f ms",
                 format_bytes_change(a, (double)memory_change(most)), most->at_us / 1e3,
                 format_bytes_change(b, (double)memory_change(least)), least->at_us / 1e3);
    else
        snprintf(title, sizeof title, "memory: the same all the time");
    canvas_title(canvas, rect, title, "", false, ROLE_TITLE);
    const struct rect plot = { canvas->panes.plot_x, rect.y + 1, canvas->panes.plot_width, rect.height - 1 };
    const struct rect gutter = { rect.x, rect.y + 1, canvas->panes.plot_x, rect.height - 1 };
    for (int y = 0; y < gutter.height; y++)
        canvas_text(canvas, gutter, gutter.width - 1, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
    if (!(scale > 0) || plot.width < 1)
        return;
    canvas_text_right(canvas, gutter, gutter.width - 1, 0, scale_words(text, scale, gutter.width - 1), plain(ROLE_DIM));
    canvas_text_right(canvas, gutter, gutter.width - 1, gutter.height - 1, scale_words(text, -scale, gutter.width - 1),
                      plain(ROLE_DIM));
    if (gutter.height > 2)
        canvas_text_right(canvas, gutter, gutter.width - 1, gutter.height / 2, "0", plain(ROLE_DIM));
    const struct memory_line line = { difference, end_us, plot.width, scale };
    const struct chart_line lines[] = { { middle_at, NULL, ROLE_DIM, "-" }, { change_at, &line, ROLE_KEPT, "*" } };
    draw_chart(canvas, plot, lines, 2);
}

/* ---- totals ---- */

static void figure_words(char text[UNIT_TEXT], enum figure_kind kind, double value) {
    if (isnan(value))
        snprintf(text, UNIT_TEXT, "-");
    else if (kind == FIGURE_TIME)
        format_time(text, value);
    else if (kind == FIGURE_SHARE)
        format_percent(text, value);
    else
        format_bytes(text, value < 0x1p63 ? (uint64_t)value : BYTES_UNLIMITED);
}

static void change_words(char text[UNIT_TEXT], enum figure_kind kind, double change) {
    if (isnan(change))
        snprintf(text, UNIT_TEXT, "-");
    else if (kind == FIGURE_TIME)
        format_time_change(text, change);
    else if (kind == FIGURE_SHARE)
        snprintf(text, UNIT_TEXT, fabs(change) < 5e-5 ? "0" : "%+.2f%%", change * 100);
    else
        format_bytes_change(text, change);
}

static void draw_figure(const struct canvas *canvas, struct rect rect, int y, const char *label, enum figure_kind kind,
                        double a, double b) {
    char text[UNIT_TEXT];
    const double change = b - a;
    canvas_text(canvas, rect, 1, y, label, plain(ROLE_DIM));
    figure_words(text, kind, a);
    canvas_text_right(canvas, rect, 21, y, text, plain(ROLE_NUMBER));
    figure_words(text, kind, b);
    canvas_text_right(canvas, rect, 31, y, text, plain(ROLE_NUMBER));
    change_words(text, kind, change);
    canvas_text_right(canvas, rect, 41, y, text, plain(strcmp(text, "0") == 0 ? ROLE_DIM : ROLE_TITLE));
}

/* The most telling first: little screens show no more. */
static const enum difference_figure FIGURES[] = {
    DIFFERENCE_STEP, DIFFERENCE_STALL, DIFFERENCE_RECOMPUTE, DIFFERENCE_PEAK, DIFFERENCE_HOST, DIFFERENCE_GAP,
    DIFFERENCE_THROUGHPUT, DIFFERENCE_OFFLOAD, DIFFERENCE_RECOMPUTED, DIFFERENCE_KEEP, DIFFERENCE_D2H, DIFFERENCE_H2D,
    DIFFERENCE_REQUIRED, DIFFERENCE_BUDGET, DIFFERENCE_BOUND,
};
#define FIGURE_ROWS (int)(sizeof FIGURES / sizeof *FIGURES)

/* What compute waited for, in eleven columns at most. */
static const char *const STALL_LABEL[STALL_REASON_COUNT] = {
    [STALL_FOR_LANE] = "wait: lane",      [STALL_FOR_ROOM] = "wait: room", [STALL_FOR_DISTANCE] = "wait: dist.",
    [STALL_FOR_OWN_D2H] = "wait: D2H",    [STALL_FOR_TRANSFER] = "wait: H2D", [STALL_FOR_D2H] = "room: D2H",
};

static void draw_totals_of(const struct canvas *canvas, struct rect rect, const struct difference *d) {
    int y = 1;
    if (rect.height < 2)
        return;
    canvas_title(canvas, (struct rect){ rect.x, rect.y, rect.width < TOTALS_WIDTH ? rect.width : TOTALS_WIDTH, 1 }, "totals", "",
                 false, ROLE_TITLE);
    canvas_text_right(canvas, rect, 21, 0, " A ", plain(ROLE_DIM));
    canvas_text_right(canvas, rect, 31, 0, " B ", plain(ROLE_DIM));
    canvas_text_right(canvas, rect, 41, 0, " B - A ", plain(ROLE_DIM));
    for (int i = 0; i < FIGURE_ROWS && y < rect.height; i++, y++)
        draw_figure(canvas, rect, y, DIFFERENCE_FIGURE[FIGURES[i]].label, DIFFERENCE_FIGURE[FIGURES[i]].kind,
                    d->figure[FIGURES[i]][0], d->figure[FIGURES[i]][1]);
    for (int reason = 0; reason < STALL_REASON_COUNT && d->timed && y < rect.height; reason++)
        if (d->stall_us[reason][0] > 0 || d->stall_us[reason][1] > 0)
            draw_figure(canvas, rect, y++, STALL_LABEL[reason], FIGURE_TIME, d->stall_us[reason][0],
                        d->stall_us[reason][1]);
}

/* ---- changes ---- */

#define CHANGED_COLUMNS 10

/* The tensors of LAYER that went FROM one action TO another: "keep→offload 2 62.5 MiB (fc1, gelu)". */
static void add_transition(const struct canvas *canvas, const struct difference *d, const struct changed_layer *layer,
                           int from, int to, char *text, size_t size) {
    const struct profile *profile = canvas->scene->profile;
    const char *prefix = profile->layers[layer->layer].name;
    uint64_t bytes = 0;
    char names[160] = "", unit[UNIT_TEXT];
    unsigned count = 0;
    for (uint32_t i = layer->at; i < layer->at + layer->count; i++) {
        const struct changed_tensor *change = &d->changes[i];
        const char *name = profile->tensors[change->tensor].name;
        const size_t length = strlen(prefix);
        if (change->from != from || change->to != to)
            continue;
        if (strncmp(name, prefix, length) == 0 && name[length] == '.')
            name += length + 1;
        bytes += profile->tensors[change->tensor].bytes;
        if (strlen(names) + strlen(name) + 3 < sizeof names)
            strcat(strcat(names, count > 0 ? ", " : ""), name);
        count++;
    }
    if (count > 0)
        snprintf(text + strlen(text), size - strlen(text), "%s%s%s%s %s (%s)", text[0] != '\0' ? "; " : "", ACTION_NAME[from],
                 from == to ? " sooner or later," : canvas_symbol(canvas, SYMBOL_BECOMES), from == to ? "" : ACTION_NAME[to],
                 format_bytes(unit, bytes), names);
}

static void draw_change(const struct canvas *canvas, struct rect rect, int y, const struct difference *d,
                        const struct changed_layer *layer) {
    char text[700] = "", fitted[700];
    const char *name = canvas->scene->profile->layers[layer->layer].name;
    if (text_width(name) > CHANGED_COLUMNS - 1)
        name += canvas->scene->layer_prefix;
    for (int from = 0; from < ACTION_COUNT; from++)
        for (int to = 0; to < ACTION_COUNT; to++)
            add_transition(canvas, d, layer, from, to, text, sizeof text);
    text_fit(fitted, sizeof fitted, name, CHANGED_COLUMNS - 1, CUT_MIDDLE, canvas->state->ascii);
    canvas_text(canvas, rect, 1, y, fitted, plain(ROLE_TITLE));
    text_fit(fitted, sizeof fitted, text, rect.width - CHANGED_COLUMNS - 2, CUT_END, canvas->state->ascii);
    canvas_text(canvas, rect, 1 + CHANGED_COLUMNS, y, fitted, plain(ROLE_TEXT));
}

static void draw_changes(const struct canvas *canvas, struct rect rect, const struct difference *d) {
    char title[80], note[40] = "";
    const int rows = rect.height - 1;
    if (rect.height < 2 || rect.width < 20)
        return;
    uint32_t first = canvas->state->compare.row;
    const uint32_t most = d->layer_count > (uint32_t)rows ? d->layer_count - (uint32_t)rows : 0;
    first = first < most ? first : most;
    if (d->change_count == 0)
        snprintf(title, sizeof title, "actions: the two plans are the same");
    else
        snprintf(title, sizeof title, "actions: %u tensors in %u layers changed", (unsigned)d->change_count,
                 (unsigned)d->layer_count);
    if (most > 0)
        snprintf(note, sizeof note, "%u-%u", (unsigned)first + 1, (unsigned)first + (unsigned)rows);
    canvas_title(canvas, rect, title, note, false, ROLE_TITLE);
    for (int y = 0; y < rows && first + (uint32_t)y < d->layer_count; y++)
        draw_change(canvas, rect, y + 1, d, &d->layers[first + (uint32_t)y]);
}

void draw_compare(const struct canvas *canvas) {
    const struct compare_panes panes = lay_out(canvas->panes.body);
    const struct compare_answer *answer = compare_shown(canvas->state, canvas->scene);
    double end_us = 0;
    for (int side = 0; side < 2 && answer != NULL; side++)
        if (answer->outcome[side].timeline.totals.feasible)
            end_us = fmax(end_us, answer->outcome[side].timeline.end_us);
    if (end_us > 0 && panes.ruler.height > 0)
        draw_axis(canvas, panes.ruler, end_us);
    for (int side = 0; side < 2; side++)
        draw_side(canvas, panes.side[side], answer, side, end_us);
    if (answer == NULL) {
        const char *message = canvas->scene->study[STUDY_compare].message;
        canvas_text(canvas, panes.totals, 1, 1, message[0] != '\0' ? message : "The two are being compared.",
                    plain(message[0] != '\0' ? ROLE_BAD : ROLE_DIM));
        return;
    }
    if (answer->difference.timed)
        draw_memory_change(canvas, panes.memory, &answer->difference, end_us);
    draw_totals_of(canvas, panes.totals, &answer->difference);
    draw_changes(canvas, panes.changes, &answer->difference);
}
