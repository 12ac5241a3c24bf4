/* layout: where the panes stand — a pure function of the screen's size and of the state. Rectangles never overlap and
 * never leave the screen; a pane that finds no room has height 0.
 *
 * From top to bottom: header, knobs, body, footer; in a lesson its panel too, between body and footer or right of the body. In the Timeline the body holds ruler, engine lanes, layer rows, memory,
 * inspector (with totals and legend beside it on wide screens); other views share theirs out themselves. Ruler, lanes and memory share the time axis: their cells from `plot_x` on are
 * `plot_width` columns of the visible window; left of it stand names, then one column with a rule. */
#ifndef SLACKSWAP_VIEW_LAYOUT_H
#define SLACKSWAP_VIEW_LAYOUT_H

#include "grid.h"
#include "state.h"

struct panes {
    struct rect header, knobs, footer;
    struct rect challenge; /* of a puzzle, between knobs and body */
    struct rect body; /* all between the knobs and the footer: what a view draws into */
    struct rect minimap, ruler, engines, layers, memory, inspector, totals, legend; /* the Timeline's, within the body */
    struct rect table; /* of Layers, which has inspector, totals and legend too */
    struct rect lesson;      /* the panel of a lesson: below the body, or beside it */
    struct rect lesson_text; /* its words, without its frame */
    bool lesson_beside;
    int plot_x, plot_width;
};

/* The rows of the memory pane: the values, the budget's line above the curve, and the curve. While the budget is dragged its
 * line, and while the ghost of a curve goes beyond it, its line is drawn through the curve. */
#define MEMORY_CURVE_ROW 2
/* The outcome whose curve is seen as a ghost behind the one that is shown, or NULL. */
const struct view_model *memory_ghost(const struct view_state *state, const struct scene *scene);
/* What the full height of the memory curve stands for; *BUDGET_OFF: the budget is far above it. */
uint64_t memory_top_bytes(const struct view_state *state, const struct scene *scene, bool *budget_off);
/* The budget that is asked for, which the shown outcome may be behind. */
uint64_t memory_budget_bytes(const struct view_state *state, const struct scene *scene);
/* The row of a memory pane with CURVE rows of curve that the budget's line is in. */
int memory_budget_row(const struct view_state *state, const struct scene *scene, int curve);

/* LAYER_COUNT: layers of the profile (a small model leaves room to the other panes). */
struct panes panes_make(const struct view_state *state, uint32_t layer_count);

#endif
