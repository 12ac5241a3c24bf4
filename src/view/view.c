#include "view.h"

#include <stdio.h>

#include "draw.h"
#include "help.h"
#include "text.h"

const char *canvas_glyph(const struct canvas *canvas, enum role role) {
    const struct theme_role *look = &canvas->theme->role[role];
    return canvas->state->ascii ? look->ascii : look->glyph;
}

const char *canvas_symbol(const struct canvas *canvas, enum symbol symbol) {
    return symbol_text(symbol, canvas->state->ascii);
}

struct style plain(enum role role) {
    return (struct style){ .role = (uint8_t)role, .under = ROLE_NONE, .attributes = 0 };
}

int canvas_text(const struct canvas *canvas, struct rect rect, int x, int y, const char *text, struct style style) {
    return grid_text(canvas->grid, rect, rect.x + x, rect.y + y, text, style) - rect.x;
}

void canvas_text_right(const struct canvas *canvas, struct rect rect, int right, int y, const char *text,
                       struct style style) {
    canvas_text(canvas, rect, right - text_width(text), y, text, style);
}

int canvas_column(const struct canvas *canvas, double at_us) {
    const struct view_state *state = canvas->state;
    double span = state->to_us - state->from_us;
    int width = canvas->panes.plot_width;
    if (!(span > 0) || width < 1 || at_us < state->from_us || at_us > state->to_us)
        return -1;
    int column = (int)((at_us - state->from_us) / span * width);
    return column < width ? column : width - 1;
}

void view_draw(const struct view_state *state, const struct scene *scene, const struct theme *theme,
               struct grid *grid) {
    struct canvas canvas = {
        .state = state,
        .scene = scene,
        .model = scene->shown,
        .theme = theme,
        .grid = grid,
        .panes = panes_make(state, scene->profile->layer_count),
        .stale = state_stale(state, scene) ? CELL_STALE : 0,
    };
    grid->ascii = state->ascii;
    grid_clear(grid);
    draw_header(&canvas);
    draw_knobs(&canvas);
    if (canvas.model != NULL) {
        draw_ruler(&canvas);
        draw_engines(&canvas);
        draw_layers(&canvas);
        draw_memory(&canvas);
        draw_inspector(&canvas);
        draw_totals(&canvas);
        draw_legend(&canvas);
    } else {
        draw_nothing_yet(&canvas);
    }
    draw_footer(&canvas);
    if (state->help)
        draw_help(&canvas);
}
