/* The Timeline: ruler, lanes and memory over one time axis, and the inspector below. */
#include "draw.h"
#include "view_kind.h"

/* The compute lane of the whole step, and brackets around the part of it that is in sight below. */
static void draw_minimap(const struct canvas *canvas) {
    struct rect rect = canvas->panes.minimap;
    struct rect plot = { canvas->panes.plot_x, rect.y, canvas->panes.plot_width, 1 };
    struct view_state whole = *canvas->state;
    struct canvas map = *canvas;
    if (rect.height < 1 || plot.width < 1)
        return;
    whole.from_us = 0;
    whole.to_us = whole.end_us;
    map.state = &whole;
    canvas_text(canvas, rect, 1, 0, canvas->panes.plot_x >= 14 ? "whole step" : "whole", plain(ROLE_DIM));
    canvas_text(canvas, rect, canvas->panes.plot_x - 1, 0, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
    draw_row(&map, rect.y, (struct row){ ROW_COMPUTE, 0 }, 1);
    int from = canvas_column(&map, canvas->state->from_us), to = canvas_column(&map, canvas->state->to_us);
    if (from <= 0 && to >= plot.width - 1)
        return; /* all is in sight */
    for (int x = 0; x < plot.width; x++)
        if (x < from || x > to)
            grid_at(canvas->grid, plot.x + x, plot.y)->style.attributes |= CELL_DIM;
    canvas_text(canvas, plot, from, 0, "[", plain(ROLE_KEY));
    canvas_text(canvas, plot, to > from ? to : from, 0, "]", plain(ROLE_KEY));
}

void draw_timeline(const struct canvas *canvas) {
    draw_minimap(canvas);
    draw_ruler(canvas);
    draw_engines(canvas);
    draw_layer_rows(canvas);
    draw_memory(canvas);
    draw_inspector(canvas);
    draw_totals(canvas);
    draw_legend(canvas);
}
