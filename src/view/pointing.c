#include "pointing.h"

#include "help_terms.h"
#include "key.h"

#include "layout.h"
#include "move.h"
#include "reduce.h"
#include "view_compare.h"
#include "view_kind.h"

#define WHEEL_ROWS 3
#define WHEEL_PAN 0.1 /* of the window */
#define WHEEL_ZOOM 1.25

static bool inside(struct rect rect, int x, int y) {
    return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

static struct panes panes_of(const struct view_state *state, const struct scene *scene) {
    return panes_make(state, scene->profile->layer_count);
}

/* ---- time ---- */

static double column_us(const struct view_state *state, const struct panes *panes) {
    return panes->plot_width > 0 ? (state->to_us - state->from_us) / panes->plot_width : 0;
}

/* The middle of column X; left of the plot, where the names stand, the cursor stays. */
static double time_at(const struct view_state *state, const struct panes *panes, int x) {
    if (x < panes->plot_x)
        return state->cursor_us;
    return state->from_us + (x - panes->plot_x + 0.5) * column_us(state, panes);
}

/* ---- the budget's line ---- */

static void take_budget_line(struct view_state *state, const struct scene *scene) {
    bool off;
    uint64_t top = memory_top_bytes(state, scene, &off);
    if (!off)
        state->drag = (struct drag){ .kind = DRAG_BUDGET, .top_bytes = top };
}

/* The line follows the hand; above the curve the scale goes on. */
static unsigned drag_budget(struct view_state *state, const struct scene *scene, int y) {
    struct rect memory = panes_of(state, scene).memory;
    int curve = memory.height - MEMORY_CURVE_ROW, above = memory.y + MEMORY_CURVE_ROW - 1;
    double share = curve > 0 ? (double)(curve - (y - above)) / curve : 1;
    state->drag.moved = true;
    if (share < 0.01)
        share = 0.01;
    return EFFECT_REDRAW | budget_turn_to(state, scene, (uint64_t)(share * (double)state->drag.top_bytes));
}

/* ---- pressing ---- */

static unsigned press_row(struct view_state *state, const struct scene *scene, const struct panes *panes, struct mouse mouse) {
    state->ghost = state->ghost && state->planning;
    double at_us = time_at(state, panes, mouse.x);
    if (inside(panes->engines, mouse.x, mouse.y)) {
        int lane = mouse.y - panes->engines.y;
        if (lane >= ENGINE_ROWS) /* a maximised pane has blank rows */
            return 0;
        move_to(state, scene, (struct row){ (uint8_t)lane, 0 }, at_us);
    } else {
        uint32_t row = state->top_row + (uint32_t)(mouse.y - panes->layers.y);
        if (row >= state_layer_rows(state, scene))
            return 0;
        move_to(state, scene, state_layer_row(state, row), at_us);
    }
    return EFFECT_REDRAW;
}

static unsigned press_memory(struct view_state *state, const struct scene *scene, const struct panes *panes, struct mouse mouse) {
    if (!state->maximised)
        state->pane = PANE_MEMORY;
    if (mouse.y == panes->memory.y + memory_budget_row(state, scene, panes->memory.height - MEMORY_CURVE_ROW))
        take_budget_line(state, scene);
    else
        move_follow(state, scene, time_at(state, panes, mouse.x));
    return EFFECT_REDRAW;
}

static unsigned press_timeline(struct view_state *state, const struct scene *scene, struct mouse mouse) {
    struct panes panes = panes_of(state, scene);
    if (mouse.again && !inside(panes.inspector, mouse.x, mouse.y)) {
        window_set(state, 0, state->end_us);
        return EFFECT_REDRAW;
    }
    if (inside(panes.minimap, mouse.x, mouse.y) && mouse.x >= panes.plot_x) {
        double span = state->to_us - state->from_us;
        double middle = (mouse.x - panes.plot_x + 0.5) / panes.plot_width * state->end_us;
        window_set(state, middle - span / 2, middle + span / 2);
        return EFFECT_REDRAW;
    }
    if (inside(panes.ruler, mouse.x, mouse.y))
        state->drag = (struct drag){ .kind = DRAG_PAN, .x = mouse.x };
    if (inside(panes.engines, mouse.x, mouse.y) || inside(panes.layers, mouse.x, mouse.y))
        return press_row(state, scene, &panes, mouse);
    if (inside(panes.memory, mouse.x, mouse.y))
        return press_memory(state, scene, &panes, mouse);
    if (inside(panes.inspector, mouse.x, mouse.y) && !state->maximised)
        state->pane = PANE_INSPECTOR;
    return EFFECT_REDRAW | EFFECT_RELAYOUT;
}

/* Whether both plans' times, or their memory's, lie there. */
static bool in_compared_time(const struct compare_panes *panes, int x, int y) {
    return inside(panes->ruler, x, y) || inside(panes->side[0], x, y) || inside(panes->side[1], x, y) ||
           inside(panes->memory, x, y);
}

static unsigned press_compare(struct view_state *state, const struct scene *scene, struct mouse mouse) {
    const struct compare_panes panes = compare_lay_out(panes_of(state, scene).body);
    if (!in_compared_time(&panes, mouse.x, mouse.y))
        return 0;
    if (mouse.again)
        window_set(state, 0, state->axis_us);
    else
        state->drag = (struct drag){ .kind = DRAG_PAN, .x = mouse.x };
    return EFFECT_REDRAW;
}

/* What the word under the hand means; where there is none, what help says of the screen. */
static unsigned press_word(struct view_state *state, const struct scene *scene, const struct grid *grid, struct mouse mouse) {
    struct help_state about;
    if (!help_terms_at(grid, mouse.x, mouse.y, &about))
        return state->help ? 0 : state_apply(state, scene, DO_help);
    state->help = true;
    state->help_scroll = 0;
    state->about = about;
    return EFFECT_REDRAW;
}

static unsigned press(struct view_state *state, const struct scene *scene, const struct grid *grid, struct mouse mouse) {
    const struct cell *cell = grid_has(grid, mouse.x, mouse.y) ? grid_at(grid, mouse.x, mouse.y) : NULL;
    state->drag = (struct drag){ .kind = DRAG_NOTHING };
    if (mouse.button == BUTTON_RIGHT && cell)
        return press_word(state, scene, grid, mouse);
    if (mouse.button != BUTTON_LEFT || !cell)
        return 0;
    if (cell->action != DO_nothing && !state->help) {
        state->pointed = cell->item;
        unsigned effects = state_apply(state, scene, (enum ui_action)cell->action);
        state->pointed = NONE;
        return effects;
    }
    if (state->help)
        return 0;
    unsigned effects = state_context(state) == VIEW_KINDS[state->view].context ? 0 : state_apply(state, scene, DO_close);
    if (scene->shown == NULL)
        return effects;
    return effects | (state->view == VIEW_TIMELINE  ? press_timeline(state, scene, mouse)
                      : state->view == VIEW_COMPARE ? press_compare(state, scene, mouse)
                                                    : 0);
}

/* ---- dragging and letting go ---- */

static unsigned drag(struct view_state *state, const struct scene *scene, struct mouse mouse) {
    struct panes panes = panes_of(state, scene);
    if (scene->shown == NULL || state->drag.kind == DRAG_NOTHING)
        return 0;
    if (state->drag.kind == DRAG_BUDGET) {
        struct view_state before = *state;
        unsigned effects = drag_budget(state, scene, mouse.y);
        if (!(effects & EFFECT_REPLAN) || before.drag.noted)
            return effects;
        state->drag.noted = true; /* the whole drag is one change */
        before.drag = (struct drag){ .kind = DRAG_NOTHING };
        return state_note(state, &before, effects);
    }
    double by = (state->drag.x - mouse.x) * column_us(state, &panes);
    window_set(state, state->from_us + by, state->to_us + by);
    state->drag.moved |= mouse.x != state->drag.x;
    state->drag.x = mouse.x;
    return EFFECT_REDRAW;
}

/* A ruler that was pressed and not dragged puts the cursor there. */
static unsigned release(struct view_state *state, const struct scene *scene, struct mouse mouse) {
    struct panes panes = panes_of(state, scene);
    struct drag held = state->drag;
    state->drag = (struct drag){ .kind = DRAG_NOTHING };
    if (scene->shown != NULL && held.kind == DRAG_PAN && !held.moved && state->view == VIEW_TIMELINE)
        move_follow(state, scene, time_at(state, &panes, mouse.x));
    return held.kind != DRAG_NOTHING ? EFFECT_REDRAW : 0;
}

/* ---- the wheel ---- */

static unsigned repeat(struct view_state *state, const struct scene *scene, enum ui_action action, int times) {
    unsigned effects = 0;
    for (int i = 0; i < times; i++)
        effects |= state_apply(state, scene, action);
    return effects;
}

static void zoom_under(struct view_state *state, const struct panes *panes, struct mouse mouse) {
    double at_us = mouse.x < panes->plot_x ? (state->from_us + state->to_us) / 2 : time_at(state, panes, mouse.x);
    window_zoom_at(state, mouse.kind == MOUSE_WHEEL_UP ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, at_us);
}

/* Over both plans the wheel moves in time, as in the Timeline; below it scrolls. */
static bool wheel_compare(struct view_state *state, const struct panes *panes, struct mouse mouse) {
    const struct compare_panes compare = compare_lay_out(panes->body);
    if (!in_compared_time(&compare, mouse.x, mouse.y))
        return false;
    if (mouse.modifiers & MODIFIER_CONTROL)
        zoom_under(state, panes, mouse);
    else
        window_pan(state, mouse.kind == MOUSE_WHEEL_UP ? -WHEEL_PAN : WHEEL_PAN);
    return true;
}

static unsigned wheel(struct view_state *state, const struct scene *scene, struct mouse mouse) {
    struct panes panes = panes_of(state, scene);
    bool up = mouse.kind == MOUSE_WHEEL_UP;
    if (state->help)
        return repeat(state, scene, up ? DO_help_up : DO_help_down, WHEEL_ROWS);
    if (state->lesson.list)
        return repeat(state, scene, up ? DO_lessons_up : DO_lessons_down, 1);
    if (state->view == VIEW_COMPARE && scene->shown != NULL && wheel_compare(state, &panes, mouse))
        return EFFECT_REDRAW;
    if (state->view != VIEW_TIMELINE)
        return repeat(state, scene, up ? DO_row_up : DO_row_down, WHEEL_ROWS);
    if (scene->shown == NULL)
        return 0;
    if (mouse.modifiers & MODIFIER_CONTROL) {
        zoom_under(state, &panes, mouse);
    } else if (inside(panes.inspector, mouse.x, mouse.y)) {
        state->inspector_scroll += up ? -1 : 1;
    } else if (inside(panes.layers, mouse.x, mouse.y)) {
        if (state->pane == PANE_INSPECTOR && !state->maximised)
            state->pane = PANE_LAYERS;
        move_to_layers(state, scene);
        move_row(state, scene, up ? -WHEEL_ROWS : WHEEL_ROWS);
    } else {
        window_pan(state, up ? -WHEEL_PAN : WHEEL_PAN);
    }
    return EFFECT_REDRAW;
}

unsigned state_mouse(struct view_state *state, const struct scene *scene, const struct grid *grid, struct mouse mouse) {
    unsigned effects = 0;
    if (state->view == VIEW_COMPARE)
        compare_settle(state, scene); /* the answer, and with it the axis, may have come since */
    struct view_state before = *state;
    if (state->lesson.setting)
        return 0;
    switch (mouse.kind) {
    case MOUSE_PRESS: effects = press(state, scene, grid, mouse); break;
    case MOUSE_DRAG: effects = drag(state, scene, mouse); break;
    case MOUSE_RELEASE: effects = release(state, scene, mouse); break;
    default: effects = wheel(state, scene, mouse); break;
    }
    if (effects == 0)
        return 0;
    VIEW_KINDS[state->view].settle(state, scene);
    return effects & EFFECT_REPLAN ? effects : state_note(state, &before, effects); /* changes are noted by now */
}
