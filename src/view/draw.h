/* draw: what the files that draw share — the canvas, writing on it, and their entries. Private to the view. */
#ifndef SLACKSWAP_VIEW_DRAW_H
#define SLACKSWAP_VIEW_DRAW_H

#include "layout.h"
#include "related.h"
#include "symbol.h"
#include "view.h"

/* All that drawing reads, and the grid that it writes. */
struct canvas {
    const struct view_state *state;
    const struct scene *scene;
    const struct view_model *model; /* the shown outcome, or NULL */
    const struct theme *theme;
    struct grid *grid;
    struct panes panes;
    struct related related;         /* to the selection */
    uint8_t stale;                  /* CELL_STALE when what is shown is out of date, or 0 */
};

const char *canvas_glyph(const struct canvas *canvas, enum role role);
const char *canvas_symbol(const struct canvas *canvas, enum symbol symbol);
struct style plain(enum role role);
/* Writes inside RECT, X and Y counted from its corner; returns the column (counted alike) after the text. */
int canvas_text(const struct canvas *canvas, struct rect rect, int x, int y, const char *text, struct style style);
/* The same, so that the text ends before column RIGHT. */
void canvas_text_right(const struct canvas *canvas, struct rect rect, int right, int y, const char *text,
                       struct style style);
/* Writes TEXT into RECT from its first row on, wrapped; what has no row is told by an ellipsis. Returns the rows taken. */
int canvas_wrapped(const struct canvas *canvas, struct rect rect, const char *text, struct style style);
/* A click on columns FROM to TO (not included) of RECT's row Y performs ACTION on ITEM (state->pointed). */
void canvas_link(const struct canvas *canvas, struct rect rect, int from, int to, int y, enum ui_action action, uint32_t item);
/* The column of the plot (0 … plot_width-1) in which AT_US lies, or -1 when it is outside the window. */
int canvas_column(const struct canvas *canvas, double at_us);
/* A pane's first row: a rule with TITLE in it and RIGHT at its end ("" for none); SELECTED marks the pane that has the
 * keys. */
void canvas_title(const struct canvas *canvas, struct rect rect, const char *title, const char *right, bool selected,
                  enum role role);
/* Whether the newest outcome does not fit. */
bool canvas_infeasible(const struct canvas *canvas);
#define COMFORTABLE 110 /* columns from which more than the essential is shown */

void draw_header(const struct canvas *canvas);
void draw_knobs(const struct canvas *canvas);
void draw_footer(const struct canvas *canvas);
void draw_command(const struct canvas *canvas);
void draw_presets(const struct canvas *canvas);
void draw_lesson(const struct canvas *canvas);        /* its panel */
void draw_lesson_marks(const struct canvas *canvas);  /* what it points at, over what is drawn */
void draw_lessons(const struct canvas *canvas);       /* the list */
void draw_challenge(const struct canvas *canvas);
void draw_ruler(const struct canvas *canvas);
/* One engine lane (enum row_kind) at Y, over panes.plot_x and plot_width. */
void draw_lane(const struct canvas *canvas, int y, uint8_t kind);
void draw_engines(const struct canvas *canvas);
/* Only the part of the ruler above the plot. */
void draw_ruler_plot(const struct canvas *canvas);
void draw_layer_rows(const struct canvas *canvas);
/* Draws ROW at Y over the plot's columns; THICKNESS lines of it, the first one with labels. */
void draw_row(const struct canvas *canvas, int y, struct row row, int thickness);
/* NAME without the layer it begins with: in the layer's own row that is known. */
const char *name_in_layer(const char *name, const char *layer);
void draw_memory(const struct canvas *canvas);
void draw_inspector(const struct canvas *canvas);
void draw_totals(const struct canvas *canvas);
void draw_legend(const struct canvas *canvas);
void draw_nothing_yet(const struct canvas *canvas);

#endif
