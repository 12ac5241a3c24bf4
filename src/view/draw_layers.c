/* Layers: the table — a line a layer, sorted by any column, open ones with their ops and tensors; beside it, where the screen
 * is wide, what each layer does in time. */
#include <stdio.h>

#include "core/units.h"
#include "draw.h"
#include "layers_lines.h"
#include "text.h"
#include "view_kind.h"

#define NAME_LEAST 10
#define NAME_WIDE 26
#define BAR_COLUMNS 16    /* of the bar that shows the mix */
#define LANE_LEAST 24     /* columns from which the lanes beside the table pay */

static const char *const HEADING[COLUMN_COUNT] = {
#define X(id, heading, columns) [COLUMN_##id] = heading,
    TABLE_COLUMNS(X)
#undef X
};
static const int WIDTH[COLUMN_COUNT] = {
#define X(id, heading, columns) [COLUMN_##id] = columns,
    TABLE_COLUMNS(X)
#undef X
};
/* The first to go where there is no room. */
static const enum layer_column BY_NEED[] = { COLUMN_H2D, COLUMN_D2H, COLUMN_STALL, COLUMN_RECOMPUTE, COLUMN_MIX,
                                             COLUMN_BYTES, COLUMN_PRICE };
static const enum role ACTION_ROLE[ACTION_COUNT] = { ROLE_KEPT, ROLE_D2H, ROLE_RECOMPUTE };

/* Where the columns stand. */
struct columns {
    int name, bar;               /* columns of the name, and of the bar (0: none) */
    int right[COLUMN_COUNT];     /* the column after each; 0: left out */
    int width;                   /* of the table */
};

static struct columns columns_make(int width) {
    struct columns out = { .bar = 0 };
    bool shown[COLUMN_COUNT];
    int used = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        shown[column] = true;
        used += WIDTH[column];
    }
    for (unsigned i = 0; i < sizeof BY_NEED / sizeof BY_NEED[0] && used + NAME_LEAST > width; i++) {
        shown[BY_NEED[i]] = false;
        used -= WIDTH[BY_NEED[i]];
    }
    if (used + NAME_WIDE + BAR_COLUMNS + 1 <= width)
        out.bar = BAR_COLUMNS + 1;
    int room = width - used - out.bar;
    out.name = room > NAME_WIDE && room - NAME_WIDE > LANE_LEAST ? NAME_WIDE : room;
    int x = out.name;
    out.right[COLUMN_NAME] = x;
    for (int column = COLUMN_BYTES; column < COLUMN_COUNT; column++) {
        if (!shown[column])
            continue;
        x += WIDTH[column] + (column == COLUMN_MIX ? out.bar : 0);
        out.right[column] = x;
    }
    out.width = x;
    return out;
}

static void put(const struct canvas *canvas, struct rect line, const struct columns *columns, enum layer_column column,
                const char *text, struct style style) {
    if (columns->right[column] > 0)
        canvas_text_right(canvas, line, columns->right[column], 0, text, style);
}

static void draw_heading(const struct canvas *canvas, struct rect line, const struct columns *columns) {
    char text[64];
    for (int column = 0; column < COLUMN_COUNT; column++) {
        bool sorted = canvas->state->layers.sort == column;
        struct style style = plain(sorted ? ROLE_TITLE : ROLE_DIM);
        if (columns->right[column] == 0)
            continue;
        snprintf(text, sizeof text, "%s%s", sorted ? canvas_symbol(canvas, SYMBOL_OPENED) : "", HEADING[column]);
        int left = column == COLUMN_NAME ? 1 : columns->right[column] - text_width(text);
        int right = canvas_text(canvas, line, left, 0, text, style);
        canvas_link(canvas, line, left, right, 0, DO_sort, (uint32_t)column);
    }
}

/* A time in its column; none is a dot, so that what costs something stands out. */
static void put_time(const struct canvas *canvas, struct rect line, const struct columns *columns,
                     enum layer_column column, double us, enum role role) {
    char text[UNIT_TEXT];
    struct style style = plain(us > 0 ? role : ROLE_DIM);
    style.attributes = canvas->stale;
    put(canvas, line, columns, column, us > 0 ? format_time(text, us) : canvas_symbol(canvas, SYMBOL_DOT), style);
}

/* "k7 o2 r3", and before it a bar of the bytes. */
static void put_mix(const struct canvas *canvas, struct rect line, const struct columns *columns,
                    const struct figures *figures) {
    static const char LETTER[ACTION_COUNT] = { 'k', 'o', 'r' };
    int right = columns->right[COLUMN_MIX], x = right - WIDTH[COLUMN_MIX] + 1;
    uint64_t sum = 0, all = 0;
    char text[16];
    if (right == 0)
        return;
    for (int action = 0; action < ACTION_COUNT; action++) {
        snprintf(text, sizeof text, "%c%u", LETTER[action], (unsigned)figures->count[action]);
        if (figures->count[action] > 0)
            canvas_text(canvas, line, x + 4 * action, 0, text,
                        (struct style){ (uint8_t)ACTION_ROLE[action], ROLE_NONE, (uint8_t)(canvas->stale | CELL_BARE) });
        all += figures->bytes[action];
    }
    int from = x - columns->bar;
    for (int action = 0; action < ACTION_COUNT && columns->bar > 0 && all > 0; action++) {
        int first = (int)((double)sum / (double)all * BAR_COLUMNS + 0.5);
        sum += figures->bytes[action];
        int last = (int)((double)sum / (double)all * BAR_COLUMNS + 0.5);
        for (int i = first; i < last; i++)
            grid_glyph(canvas->grid, line, line.x + from + i, line.y, canvas_glyph(canvas, ACTION_ROLE[action]),
                       (struct style){ (uint8_t)ACTION_ROLE[action], ROLE_NONE, canvas->stale });
    }
}

static void put_figures(const struct canvas *canvas, struct rect line, const struct columns *columns,
                        const struct figures *figures) {
    char text[UNIT_TEXT];
    uint64_t bytes = figures->bytes[ACTION_KEEP] + figures->bytes[ACTION_OFFLOAD] + figures->bytes[ACTION_RECOMPUTE];
    put(canvas, line, columns, COLUMN_BYTES, bytes > 0 ? format_bytes(text, bytes) : canvas_symbol(canvas, SYMBOL_DOT),
        plain(bytes > 0 ? ROLE_NUMBER : ROLE_DIM));
    put_mix(canvas, line, columns, figures);
    put_time(canvas, line, columns, COLUMN_D2H, figures->d2h_us, ROLE_TEXT);
    put_time(canvas, line, columns, COLUMN_H2D, figures->h2d_us, ROLE_TEXT);
    put_time(canvas, line, columns, COLUMN_RECOMPUTE, figures->recompute_us, ROLE_TEXT);
    put_time(canvas, line, columns, COLUMN_STALL, figures->stall_us, ROLE_BAD);
    put_time(canvas, line, columns, COLUMN_PRICE, figures->price_us, ROLE_NUMBER);
}

static const char *name_of(const struct profile *profile, struct layers_line line) {
    return line.tensor != NONE ? profile->tensors[line.tensor].name
           : line.op != NONE   ? profile->ops[line.op].name
                               : profile->layers[line.layer].name;
}

static void put_name(const struct canvas *canvas, struct rect rect, const struct columns *columns,
                     struct layers_line line, bool selected) {
    const struct profile *profile = canvas->scene->profile;
    const char *name = name_of(profile, line);
    char fitted[256];
    int x = line.tensor != NONE ? 4 : line.op != NONE ? 2 : 1;
    int room = columns->name - x - 1;
    if (line.op == NONE && text_width(name) > room)
        name += canvas->scene->layer_prefix;
    else if (line.op != NONE)
        name = name_in_layer(name, profile->layers[line.layer].name);
    if (selected)
        canvas_text(canvas, rect, 0, 0, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    else if (layers_line_marked(canvas->state, canvas->scene, line))
        canvas_text(canvas, rect, 0, 0, canvas_symbol(canvas, SYMBOL_MARKED), plain(ROLE_KEY));
    text_fit(fitted, sizeof fitted, name, room, CUT_MIDDLE, canvas->state->ascii);
    enum role role = selected ? ROLE_TITLE : line.tensor != NONE ? ROLE_DIM : ROLE_TEXT;
    if (line.tensor != NONE)
        canvas_text(canvas, rect, x - 1, 0, canvas_symbol(canvas, SYMBOL_BRANCH_LAST), plain(ROLE_RULE));
    int end = canvas_text(canvas, rect, x, 0, fitted, plain(role));
    if (line.op == NONE && state_is_open(canvas->state, line.layer) && end + 2 <= columns->name)
        canvas_text(canvas, rect, end + 1, 0, canvas_symbol(canvas, SYMBOL_OPENED), plain(role));
}

/* What the plan does with one tensor, in words. */
static void put_action(const struct canvas *canvas, struct rect rect, const struct columns *columns, uint32_t tensor) {
    const struct plan *plan = &canvas->model->timeline->plan;
    bool managed = canvas->scene->profile->tensors[tensor].managed;
    enum action action = (enum action)plan->action[tensor];
    if (columns->right[COLUMN_MIX] == 0)
        return;
    struct style style = managed ? (struct style){ (uint8_t)ACTION_ROLE[action], ROLE_NONE, CELL_BARE } : plain(ROLE_DIM);
    style.attributes |= canvas->stale;
    int x = columns->right[COLUMN_MIX] - WIDTH[COLUMN_MIX] + 1;
    canvas_text(canvas, rect, x, 0, managed ? ACTION_NAME[action] : "not saved", style);
}

static void draw_line(const struct canvas *canvas, struct rect rect, const struct columns *columns, uint32_t number) {
    struct layers_line line = layers_line_at(canvas->state, canvas->scene, number);
    const struct timeline *timeline = canvas->model->timeline;
    const struct layer_figures *all = &canvas->model->figures;
    const struct layers_line *chosen = &canvas->state->layers.line;
    bool selected = line.layer == chosen->layer && line.op == chosen->op && line.tensor == chosen->tensor;
    put_name(canvas, rect, columns, line, selected);
    if (line.tensor != NONE) {
        struct figures figures = figures_of_tensor(all, timeline, line.tensor);
        figures.count[ACTION_KEEP] = figures.count[ACTION_OFFLOAD] = figures.count[ACTION_RECOMPUTE] = 0;
        put_figures(canvas, rect, columns, &figures);
        put_action(canvas, rect, columns, line.tensor);
    } else if (line.op != NONE) {
        struct figures figures = figures_of_op(all, timeline, line.op);
        put_figures(canvas, rect, columns, &figures);
    } else {
        put_figures(canvas, rect, columns, &all->layer[line.layer]);
    }
    canvas_link(canvas, rect, 0, columns->width, 0, DO_open, number);
}

/* What the line's layer does in time, on the columns right of the table. */
static void draw_lane_of(const struct canvas *canvas, int y, uint32_t number) {
    struct layers_line line = layers_line_at(canvas->state, canvas->scene, number);
    if (line.op == NONE)
        draw_row(canvas, y, (struct row){ ROW_LAYER, line.layer }, 1);
}

void draw_layers(const struct canvas *canvas) {
    struct rect table = canvas->panes.table;
    struct columns columns = columns_make(table.width);
    struct rect heading = { table.x, table.y, table.width, 1 };
    uint32_t lines = layers_line_count(canvas->state, canvas->scene), top = canvas->state->layers.top;
    struct canvas beside = *canvas;
    beside.panes.plot_x = columns.width + 2;
    beside.panes.plot_width = table.width - beside.panes.plot_x;
    bool lanes = beside.panes.plot_width >= LANE_LEAST;
    beside.panes.ruler = (struct rect){ 0, table.y, table.width, lanes ? 1 : 0 };
    if (table.height < 1)
        return;
    if (lanes)
        draw_ruler_plot(&beside);
    draw_heading(canvas, heading, &columns);
    for (int y = 1; y < table.height && top + (uint32_t)y - 1 < lines; y++) {
        uint32_t number = top + (uint32_t)y - 1;
        draw_line(canvas, (struct rect){ table.x, table.y + y, columns.width, 1 }, &columns, number);
        if (lanes)
            draw_lane_of(&beside, table.y + y, number);
    }
    draw_inspector(canvas);
    draw_totals(canvas);
    draw_legend(canvas);
}
