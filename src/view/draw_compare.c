/* Compare: two plans over one time axis, the difference of their memory, totals, and the actions that differ. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "core/words.h"
#include "compare_words.h"
#include "draw.h"
#include "draw_chart.h"
#include "text.h"
#include "view_compare.h"
#include "voice.h"

/* ---- the two plans in time ---- */

/* A canvas with the window of both plans, and MODEL's lanes. */
struct time_canvas { struct canvas canvas; struct view_state state; };

static void time_canvas_make(struct time_canvas *out, const struct canvas *canvas, const struct compare_answer *answer,
                             const struct view_model *model) {
    out->canvas = *canvas;
    compare_in_time(&out->state, canvas->state, answer);
    out->canvas.state = &out->state;
    out->canvas.related.count = 0; /* what belongs to the selection is in another timeline */
    out->canvas.model = model;
}

/* "A  planner refine", with what it is played at the other end, as far as there is room beside it. */
static void draw_side_title(const struct canvas *canvas, struct rect rect, const struct compare_answer *answer, int side) {
    char words[100], title[104], note[120] = "";
    compare_side_words(canvas->state, canvas->scene, answer, side, words, sizeof words);
    snprintf(title, sizeof title, "%c  %s", 'A' + side, words);
    if (answer != NULL)
        compare_side_note(canvas->state, answer, side, rect.width - 9 - text_width(title), note, sizeof note);
    canvas_title(canvas, rect, title, note, canvas->state->compare.focus == side, ROLE_TITLE);
    canvas_link(canvas, rect, 0, rect.width, 0, DO_compare_side, NONE);
}

/* Why the plan does not fit, in the place of its lanes. */
static void draw_lack(const struct canvas *canvas, struct rect rect, const struct timeline *timeline) {
    const int indent = canvas_text(canvas, rect, 1, 1, "does not fit:", plain(ROLE_BAD)) + 1;
    struct words words;
    words_start(&words, screen_voice(canvas->state->ascii));
    words_lack(&words, timeline);
    const struct rect room = { rect.x + indent, rect.y + 1, rect.width - indent, rect.height - 1 };
    canvas_wrapped(canvas, room, words.text, plain(ROLE_TEXT));
}

static void draw_side(const struct canvas *canvas, struct rect rect, const struct compare_answer *answer, int side) {
    static const char *const NAME[ENGINE_ROWS] = { "compute", "D2H", "H2D" };
    static const enum role ROLE[ENGINE_ROWS] = { ROLE_FORWARD, ROLE_D2H, ROLE_H2D };
    char title[40];
    struct time_canvas time;
    if (rect.height < 1)
        return;
    draw_side_title(canvas, rect, answer, side);
    if (answer == NULL)
        return;
    if (!answer->outcome[side].timeline.totals.feasible) {
        draw_lack(canvas, rect, &answer->outcome[side].timeline);
        return;
    }
    time_canvas_make(&time, canvas, answer, &answer->model[side]);
    for (int i = 0; i < ENGINE_ROWS && i + 1 < rect.height; i++) {
        const struct rect row = { rect.x, rect.y + 1 + i, canvas->panes.plot_x, 1 };
        snprintf(title, sizeof title, i == 0 ? "%s" : "%s %s", i == 0 && row.width < 9 ? "comp" : NAME[i],
                 canvas_glyph(canvas, ROLE[i]));
        canvas_text(canvas, row, 1, 0, title, plain(ROLE_TEXT));
        canvas_text(canvas, row, row.width - 1, 0, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
        draw_lane(&time.canvas, row.y, (uint8_t)(ROW_COMPUTE + i));
    }
}

static void draw_axis(const struct canvas *canvas, struct rect rect, const struct compare_answer *answer) {
    struct time_canvas time;
    struct view_model none = { .critical = { { 0 } } }; /* the ruler is for both: no critical path on it */
    time_canvas_make(&time, canvas, answer, &none);
    time.canvas.panes.ruler = rect;
    draw_ruler(&time.canvas);
}

/* ---- memory ---- */

struct memory_line { const struct difference *difference; double from_us, span_us, columns, scale; };

/* The height of the largest difference in the slice of the window at X; the middle is none. */
static double change_at(const void *context, double x) {
    const struct memory_line *line = context;
    const double slice = line->span_us / line->columns;
    const double from = line->from_us + x * (line->span_us - slice);
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

static void draw_memory_change(const struct canvas *canvas, struct rect rect, const struct compare_answer *answer) {
    const struct difference *difference = &answer->difference;
    char text[UNIT_TEXT], title[200];
    struct view_state in_time;
    if (rect.height < 3)
        return;
    const struct memory_pair *most = &difference->memory[difference->most], *least = &difference->memory[difference->least];
    const double scale = fmax((double)memory_change(most), -(double)memory_change(least));
    compare_memory_words(difference, title, sizeof title);
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
    compare_in_time(&in_time, canvas->state, answer);
    const struct memory_line line = { difference, in_time.from_us, in_time.to_us - in_time.from_us, plot.width, scale };
    const struct chart_line lines[] = { { middle_at, NULL, ROLE_DIM, "-" }, { change_at, &line, ROLE_KEPT, "*" } };
    draw_chart(canvas, plot, lines, 2);
}

/* ---- totals ---- */

static void draw_totals_of(const struct canvas *canvas, struct rect rect, const struct difference *d) {
    struct compare_row row;
    int y = 1;
    if (rect.height < 2)
        return;
    canvas_title(canvas, (struct rect){ rect.x, rect.y, rect.width < COMPARE_TOTALS_WIDTH ? rect.width : COMPARE_TOTALS_WIDTH, 1 }, "totals", "",
                 false, ROLE_TITLE);
    canvas_text_right(canvas, rect, 21, 0, " A ", plain(ROLE_DIM));
    canvas_text_right(canvas, rect, 31, 0, " B ", plain(ROLE_DIM));
    canvas_text_right(canvas, rect, 41, 0, " B - A ", plain(ROLE_DIM));
    for (uint32_t n = 0; y < rect.height && compare_row_at(d, n, &row); n++, y++) {
        canvas_text(canvas, rect, 1, y, row.label, plain(ROLE_DIM));
        canvas_text_right(canvas, rect, 21, y, row.text[0], plain(ROLE_NUMBER));
        canvas_text_right(canvas, rect, 31, y, row.text[1], plain(ROLE_NUMBER));
        canvas_text_right(canvas, rect, 41, y, row.text[2], plain(strcmp(row.text[2], "0") == 0 ? ROLE_DIM : ROLE_TITLE));
    }
}

/* ---- changes ---- */

#define CHANGED_COLUMNS 10

static void draw_change(const struct canvas *canvas, struct rect rect, int y, const struct difference *d,
                        const struct changed_layer *layer) {
    char text[700], fitted[700];
    const char *name = canvas->scene->profile->layers[layer->layer].name;
    if (text_width(name) > CHANGED_COLUMNS - 1)
        name += canvas->scene->layer_prefix;
    compare_change_words(canvas->scene, d, layer, canvas->state->ascii, text, sizeof text);
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
    const struct compare_panes panes = compare_lay_out(canvas->panes.body);
    const struct compare_answer *answer = compare_shown(canvas->state, canvas->scene);
    if (compare_axis_us(answer) > 0 && panes.ruler.height > 0)
        draw_axis(canvas, panes.ruler, answer);
    for (int side = 0; side < 2; side++)
        draw_side(canvas, panes.side[side], answer, side);
    if (answer == NULL) {
        const char *message = canvas->scene->study[STUDY_compare].message;
        canvas_text(canvas, panes.totals, 1, 1, message[0] != '\0' ? message : "The two are being compared.",
                    plain(message[0] != '\0' ? ROLE_BAD : ROLE_DIM));
        return;
    }
    if (answer->difference.timed)
        draw_memory_change(canvas, panes.memory, answer);
    draw_totals_of(canvas, panes.totals, &answer->difference);
    draw_changes(canvas, panes.changes, &answer->difference);
}
