#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "text.h"
#include "wrap.h"

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

int canvas_wrapped(const struct canvas *canvas, struct rect rect, const char *text, struct style style) {
    char line[1024];
    int y = 0;
    for (; y < rect.height && rect.width > 0 && *text != '\0'; y++) {
        const size_t length = wrap_line(text, rect.width, sizeof line - 1);
        if (y + 1 == rect.height && text[length] != '\0')
            wrap_cut(line, sizeof line, text, rect.width, canvas_symbol(canvas, SYMBOL_MORE));
        else
            snprintf(line, sizeof line, "%.*s", (int)length, text);
        canvas_text(canvas, rect, 0, y, line, style);
        text += length;
    }
    return y;
}

void canvas_link(const struct canvas *canvas, struct rect rect, int from, int to, int y, enum ui_action action, uint32_t item) {
    struct rect row = { rect.x + from, rect.y + y, to - from, 1 };
    grid_link(canvas->grid, rect_intersect(rect, row), (uint8_t)action, item);
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

bool canvas_infeasible(const struct canvas *canvas) {
    return canvas->scene->latest != NULL && !outcome_feasible(canvas->scene->latest);
}

void canvas_title(const struct canvas *canvas, struct rect rect, const char *title, const char *right,
                  bool selected, enum role role) {
    char fitted[256], text[260];
    struct rect line = { rect.x, rect.y, rect.width, 1 };
    grid_fill(canvas->grid, line, canvas_symbol(canvas, SYMBOL_RULE), plain(ROLE_RULE));
    if (selected)
        canvas_text(canvas, line, 0, 0, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    int room = rect.width - 6 - (right[0] != '\0' ? text_width(right) + 3 : 0);
    text_fit(fitted, sizeof fitted, title, room, CUT_END, canvas->state->ascii);
    snprintf(text, sizeof text, " %s ", fitted);
    canvas_text(canvas, line, 2, 0, text, plain(role));
    if (right[0] == '\0')
        return;
    snprintf(text, sizeof text, " %s ", right);
    canvas_text_right(canvas, line, line.width - 1, 0, text, plain(ROLE_DIM));
}
