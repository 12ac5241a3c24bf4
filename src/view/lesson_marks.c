/* What a lesson points at: names in the highlight's colours, and its glyph beside them, so that it can be seen without
 * colour too. Drawn over the screen as it is: a place that is not in sight is not marked. */
#include <stdio.h>
#include <string.h>

#include "classroom.h"
#include "draw.h"
#include "lesson_panel.h"
#include "text.h"

static struct style mark_style(void) {
    return (struct style){ ROLE_LABEL, ROLE_HIGHLIGHT, 0 };
}

static bool is_blank(const struct cell *cell) {
    return cell->width == 1 && cell->length == 1 && cell->text[0] == ' ';
}

/* Names hold letters, digits, dots and the like; signs of ours and brackets part them. */
static bool is_of_word(const struct cell *cell) {
    return cell->width == 0 || (cell->length == 1 && !strchr(" (:,|>*", cell->text[0]));
}

static void put_glyph(const struct canvas *canvas, int x, int y) {
    grid_glyph(canvas->grid, grid_rect(canvas->grid), x, y, canvas_glyph(canvas, ROLE_HIGHLIGHT), plain(ROLE_HIGHLIGHT));
}

/* Cells FROM to TO (not included) of row Y of RECT, which hold words. */
static void mark_cells(const struct canvas *canvas, struct rect rect, int from, int to, int y) {
    if (grid_at(canvas->grid, from, y)->style.under == ROLE_HIGHLIGHT)
        return; /* pointed at as part of another place already */
    for (int x = from; x < to; x++)
        grid_at(canvas->grid, x, y)->style = mark_style();
    if (from > rect.x && is_blank(grid_at(canvas->grid, from - 1, y)))
        put_glyph(canvas, from - 1, y);
    else if (to < rect.x + rect.width && is_blank(grid_at(canvas->grid, to, y)))
        put_glyph(canvas, to, y);
}

/* How many columns of row Y the text WORD takes from X on; 0 when something else stands there. */
static int word_at(const struct grid *grid, struct rect rect, int x, int y, const char *word) {
    int from = x;
    while (*word != '\0') {
        if (x >= rect.x + rect.width)
            return 0;
        const struct cell *cell = grid_at(grid, x, y);
        if (cell->width > 0 && strncmp(word, cell->text, cell->length) != 0)
            return 0;
        word += cell->length;
        x += 1;
    }
    return x - from;
}

/* WORD, wherever it stands alone in RECT. */
static void mark_word(const struct canvas *canvas, struct rect rect, const char *word) {
    const struct grid *grid = canvas->grid;
    rect = rect_intersect(rect, grid_rect(grid));
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++) {
            int columns = word_at(grid, rect, x, y, word), after = x + columns;
            bool begins = x == rect.x || !is_of_word(grid_at(grid, x - 1, y));
            bool ends = after >= rect.x + rect.width || is_blank(grid_at(grid, after, y)) ||
                        strchr(":,", grid_at(grid, after, y)->text[0]) != NULL;
            if (columns > 0 && begins && ends)
                mark_cells(canvas, rect, x, after, y);
        }
}

/* ---- rows of the Timeline ---- */

/* The name in the gutter of row Y, and the rule behind it. */
static void mark_row(const struct canvas *canvas, int y) {
    int rule = canvas->panes.plot_x - 1, from = 1, to;
    if (rule < 2 || !grid_has(canvas->grid, rule, y))
        return;
    for (to = from; to < rule; to++)
        if (is_blank(grid_at(canvas->grid, to, y)) && (to + 1 >= rule || is_blank(grid_at(canvas->grid, to + 1, y))))
            break;
    for (int x = from; x < to; x++)
        grid_at(canvas->grid, x, y)->style = mark_style();
    put_glyph(canvas, rule, y);
}

static void mark_rows(const struct canvas *canvas, struct rect rect) {
    for (int y = rect.y; y < rect.y + rect.height; y++)
        put_glyph(canvas, canvas->panes.plot_x - 1, y);
}

static void mark_lane(const struct canvas *canvas, enum row_kind kind) {
    struct rect engines = canvas->panes.engines;
    int thickness = engines.height > ENGINE_ROWS ? engines.height / ENGINE_ROWS : 1;
    if ((int)kind < engines.height)
        mark_row(canvas, engines.y + (int)kind * thickness);
}

/* What of ROLE stands in the plot of RECT. */
static void mark_role(const struct canvas *canvas, struct rect rect, enum role role) {
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = canvas->panes.plot_x; x < rect.x + rect.width && grid_has(canvas->grid, x, y); x++) {
            struct style *style = &grid_at(canvas->grid, x, y)->style;
            if (style->role == role || style->under == role)
                style->attributes |= CELL_UNDERLINE;
        }
}

/* The row of LAYER among those in sight, or -1. */
static int layer_y(const struct canvas *canvas, uint32_t layer) {
    struct rect rect = canvas->panes.layers;
    uint32_t row = state_layer_row_index(canvas->state, (struct row){ ROW_LAYER, layer }), top = canvas->state->top_row;
    return row >= top && row - top < (uint32_t)rect.height ? rect.y + (int)(row - top) : -1;
}

static void mark_event(const struct canvas *canvas, enum row_kind kind, struct event event) {
    const struct timeline *timeline = canvas->model->timeline;
    struct rect engines = canvas->panes.engines;
    int thickness = engines.height > ENGINE_ROWS ? engines.height / ENGINE_ROWS : 1, y = engines.y + (int)kind * thickness;
    int from = canvas_column(canvas, timeline_start(timeline, event)), to = canvas_column(canvas, timeline_end(timeline, event));
    if (from < 0 || (int)kind >= engines.height)
        return;
    for (int x = from; x <= to; x++)
        grid_at(canvas->grid, canvas->panes.plot_x + x, y)->style.attributes |= CELL_UNDERLINE;
    put_glyph(canvas, canvas->panes.plot_x + from, y);
}

static void mark_tensor(const struct canvas *canvas, uint32_t tensor) {
    const struct timeline *timeline = canvas->model->timeline;
    const struct profile *profile = canvas->scene->profile;
    uint32_t producer = profile->tensors[tensor].producer, d2h = timeline->d2h_of[tensor], h2d = timeline->h2d_of[tensor];
    if (producer != NONE) {
        int y = layer_y(canvas, profile->ops[producer].layer);
        if (y >= 0)
            mark_row(canvas, y);
        mark_event(canvas, ROW_COMPUTE, (struct event){ LANE_COMPUTE, producer }); /* its forward step has the op's number */
    }
    if (d2h != NONE)
        mark_event(canvas, ROW_D2H, (struct event){ LANE_D2H, d2h });
    if (h2d != NONE)
        mark_event(canvas, ROW_H2D, (struct event){ LANE_H2D, h2d });
}

/* ---- places ---- */

/* Figures of the header, by the words that stand before them. */
static void mark_figures(const struct canvas *canvas, const char *const *word, size_t count) {
    for (size_t i = 0; i < count; i++)
        mark_word(canvas, canvas->panes.header, word[i]);
}

static void mark_in_header(const struct canvas *canvas, const char *word) {
    mark_figures(canvas, &word, 1);
}

/* Where there are no lanes: names in a table, or in a view's own words. */
static void mark_named(const struct canvas *canvas, struct lesson_place place) {
    const struct profile *profile = canvas->scene->profile;
    struct rect rect = canvas->state->view == VIEW_LAYERS ? canvas->panes.table : canvas->panes.body;
    if (place.id == LESSON_PLACE_LAYER)
        mark_word(canvas, rect, profile->layers[place.index].name);
    else if (place.id == LESSON_PLACE_TENSOR)
        mark_word(canvas, rect, profile->tensors[place.index].name);
}

static void mark_in_timeline(const struct canvas *canvas, struct lesson_place place) {
    const struct panes *panes = &canvas->panes;
    int y;
    switch (place.id) {
    case LESSON_PLACE_compute: mark_lane(canvas, ROW_COMPUTE); break;
    case LESSON_PLACE_d2h: mark_lane(canvas, ROW_D2H); break;
    case LESSON_PLACE_h2d: mark_lane(canvas, ROW_H2D); break;
    case LESSON_PLACE_recompute:
    case LESSON_PLACE_stall:
        mark_lane(canvas, ROW_COMPUTE);
        mark_role(canvas, panes->engines, place.id == LESSON_PLACE_stall ? ROLE_STALL : ROLE_RECOMPUTE);
        mark_role(canvas, panes->layers, place.id == LESSON_PLACE_stall ? ROLE_STALL : ROLE_RECOMPUTE);
        break;
    case LESSON_PLACE_memory:
        mark_rows(canvas, panes->memory);
        if (panes->memory.height > 0)
            mark_row(canvas, panes->memory.y);
        break;
    case LESSON_PLACE_budget:
        if (panes->memory.height >= 2)
            mark_row(canvas, panes->memory.y + MEMORY_CURVE_ROW - 1);
        mark_word(canvas, panes->memory, "budget");
        break;
    case LESSON_PLACE_peak: mark_word(canvas, panes->memory, "peak"); break;
    case LESSON_PLACE_LAYER:
        if ((y = layer_y(canvas, place.index)) >= 0)
            mark_row(canvas, y);
        break;
    case LESSON_PLACE_TENSOR: mark_tensor(canvas, place.index); break;
    default: break;
    }
}

/* The first row of the inspector: all that stands in its rule. */
static void mark_title(const struct canvas *canvas, struct rect rect) {
    if (rect.height > 0 && rect.width > 0)
        put_glyph(canvas, rect.x, rect.y);
    for (int x = rect.x + 2; rect.height > 0 && x < rect.x + rect.width; x++) {
        struct cell *cell = grid_at(canvas->grid, x, rect.y);
        if (cell->style.role == ROLE_TITLE || cell->style.role == ROLE_BAD)
            cell->style = mark_style();
    }
}

/* What stands in every view: the figures at the top, and the knobs. */
static void mark_place(const struct canvas *canvas, struct lesson_place place) {
    static const char *const FIGURES[] = { "step", "gap", "stall", "recompute", "peak", "host" };
    static const char *const BOUND[] = { "bound", "gap" };
    switch (place.id) {
    case LESSON_PLACE_header: mark_figures(canvas, FIGURES, sizeof FIGURES / sizeof FIGURES[0]); break;
    case LESSON_PLACE_bound: mark_figures(canvas, BOUND, sizeof BOUND / sizeof BOUND[0]); break;
    case LESSON_PLACE_recompute: mark_in_header(canvas, "recompute"); break;
    case LESSON_PLACE_stall: mark_in_header(canvas, "stall"); break;
    case LESSON_PLACE_peak: mark_in_header(canvas, "peak"); break;
    case LESSON_PLACE_budget: mark_word(canvas, canvas->panes.knobs, KNOBS[KNOB_BUDGET].label); break;
    case LESSON_PLACE_knobs:
        for (int knob = 0; knob < KNOB_COUNT; knob++)
            mark_word(canvas, canvas->panes.knobs, KNOBS[knob].label);
        break;
    case LESSON_PLACE_inspector: mark_title(canvas, canvas->panes.inspector); break;
    default: break;
    }
}

void draw_lesson_marks(const struct canvas *canvas) {
    const struct lesson_state *lesson = &canvas->state->lesson;
    if (!lesson->open || lesson->away || lesson->setting)
        return;
    const struct lesson_stand *stand = lesson_play_stand(&canvas->state->classroom->play);
    for (uint32_t i = 0; i < stand->highlight_count; i++) {
        mark_place(canvas, stand->highlight[i]);
        if (canvas->model == NULL)
            continue;
        if (canvas->state->view == VIEW_TIMELINE)
            mark_in_timeline(canvas, stand->highlight[i]);
        else
            mark_named(canvas, stand->highlight[i]);
    }
}

bool lesson_points_at(const struct view_state *state, enum lesson_place_id place) {
    if (!state->lesson.open || state->lesson.away)
        return false;
    const struct lesson_stand *stand = lesson_play_stand(&state->classroom->play);
    for (uint32_t i = 0; i < stand->highlight_count; i++)
        if (stand->highlight[i].id == place)
            return true;
    return false;
}
