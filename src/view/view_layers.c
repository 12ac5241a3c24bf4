/* Layers: what the keys do in the table of layers. */
#include <stdio.h>

#include "layers_lines.h"
#include "move.h"
#include "reduce.h"
#include "view_kind.h"

static bool same_line(struct layers_line a, struct layers_line b) {
    return a.layer == b.layer && a.op == b.op && a.tensor == b.tensor;
}

/* The line that shows what is selected on the timeline. */
static struct layers_line line_of_selection(const struct view_state *state, const struct scene *scene) {
    const struct profile *profile = scene->profile;
    const struct selection *selection = &state->selection;
    struct layers_line line = { state->row.kind >= ROW_LAYER ? state->row.layer : 0, NONE, NONE };
    if (state->row.kind == ROW_LAYER || !selection->exists)
        return line;
    line.layer = event_layer(scene->shown->timeline, selection->event);
    if (!state_is_open(state, line.layer))
        return line;
    bool step = selection->event.lane == LANE_COMPUTE;
    line.op = step ? selection->op : profile->tensors[selection->tensor].producer;
    line.tensor = step ? NONE : selection->tensor;
    return line;
}

/* Whether the timeline's selection is what LINE selected there. */
static bool line_is_selected(const struct view_state *state, const struct scene *scene, struct layers_line line) {
    struct layers_line there = line_of_selection(state, scene);
    if (line.tensor != NONE && there.tensor == NONE) /* a tensor that is not moved is shown by the op that makes it */
        return there.op == line.op && state->selection.kind == STEP_FORWARD;
    return same_line(line, there);
}

/* Selects on the timeline what LINE shows. */
static void select_line(struct view_state *state, const struct scene *scene, struct layers_line line) {
    const struct timeline *timeline = scene->shown->timeline;
    state->layers.line = line;
    state->row = (struct row){ ROW_LAYER, line.layer };
    if (line.op == NONE) {
        move_to(state, scene, state->row, state->anchor_us);
        return;
    }
    uint32_t transfer = line.tensor != NONE ? timeline->d2h_of[line.tensor] : NONE;
    state->row.kind = transfer != NONE ? ROW_LAYER_D2H : ROW_LAYER_COMPUTE;
    move_select(state, scene, transfer != NONE ? (struct event){ LANE_D2H, transfer }
                                               : (struct event){ LANE_COMPUTE, line.op });
}

static void go(struct view_state *state, const struct scene *scene, int64_t by) {
    int64_t last = (int64_t)layers_line_count(state, scene) - 1;
    int64_t to = (int64_t)layers_line_number(state, scene, state->layers.line) + by;
    to = to < 0 ? 0 : to > last ? last : to;
    select_line(state, scene, layers_line_at(state, scene, (uint32_t)to));
}

/* Opens the layer of the line, or closes it. */
static void toggle(struct view_state *state, const struct scene *scene) {
    struct layers_line line = { state->layers.line.layer, NONE, NONE };
    rows_toggle(state, line.layer);
    select_line(state, scene, line);
}

static unsigned sort_next(struct view_state *state) {
    static const char *const WORDS[COLUMN_COUNT] = {
        [COLUMN_NAME] = "in the order in which they run",  [COLUMN_BYTES] = "by bytes",
        [COLUMN_MIX] = "by bytes that are kept",           [COLUMN_D2H] = "by time on the D2H lane",
        [COLUMN_H2D] = "by time on the H2D lane",          [COLUMN_RECOMPUTE] = "by time spent on running again",
        [COLUMN_STALL] = "by time waited in them",         [COLUMN_PRICE] = "by price: recompute and stalls they cause",
    };
    char text[MESSAGE_MAX];
    /* a column that was clicked on is named by the cell */
    state->layers.sort = (uint8_t)(state->pointed < COLUMN_COUNT ? state->pointed : (state->layers.sort + 1u) % COLUMN_COUNT);
    snprintf(text, sizeof text, "Layers %s.", WORDS[state->layers.sort]);
    return state_message(state, MESSAGE_INFO, text);
}

/* A line that was clicked on: selected, or opened when it is already. */
static void point(struct view_state *state, const struct scene *scene) {
    if (state->pointed >= layers_line_count(state, scene))
        return;
    struct layers_line line = layers_line_at(state, scene, state->pointed);
    if (same_line(line, state->layers.line))
        toggle(state, scene);
    else
        select_line(state, scene, line);
}

/* Finds as the Timeline does; in an open layer the op's or tensor's own line, not the layer's. */
static unsigned find(struct view_state *state, const struct scene *scene, enum ui_action action) {
    struct row row = state->row;
    struct event before = state->selection.event;
    unsigned effects = 0;
    if (row.kind == ROW_LAYER)
        state->row.kind = ROW_LAYER_COMPUTE;
    typing_act(state, scene, action, &effects);
    if (state->selection.event.lane == before.lane && state->selection.event.index == before.index)
        state->row = row; /* nothing else was found */
    return effects;
}

bool layers_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    if (scene->shown == NULL)
        return false;
    int64_t page = (int64_t)layers_visible(state, scene) - 1;
    *effects = EFFECT_REDRAW;
    switch (action) {
    case DO_row_up: go(state, scene, -1); return true;
    case DO_row_down: go(state, scene, 1); return true;
    case DO_page_up: go(state, scene, page > 0 ? -page : -1); return true;
    case DO_page_down: go(state, scene, page > 0 ? page : 1); return true;
    case DO_row_first: go(state, scene, -(int64_t)NONE); return true;
    case DO_row_last: go(state, scene, NONE); return true;
    case DO_open:
        if (state->pointed != NONE)
            point(state, scene);
        else
            toggle(state, scene);
        return true;
    case DO_find_take:
    case DO_find_next:
    case DO_find_previous: *effects = find(state, scene, action); return true;
    case DO_sort: *effects = sort_next(state); return true;
    default: return false;
    }
}

void layers_settle(struct view_state *state, const struct scene *scene) {
    struct layers_state *layers = &state->layers;
    if (scene->shown == NULL)
        return;
    move_to_layers(state, scene);
    uint32_t rows = state_layer_rows(state, scene); /* of the Timeline, which fewer may be left of */
    state->top_row = state->top_row < rows ? state->top_row : rows - 1;
    if (!line_is_selected(state, scene, layers->line))
        layers->line = line_of_selection(state, scene);
    uint32_t height = layers_visible(state, scene), lines = layers_line_count(state, scene);
    uint32_t at = layers_line_number(state, scene, layers->line);
    /* of a layer that has been opened as much as possible comes into sight */
    uint32_t below = at, margin = height >= 8 ? 1 : 0;
    if (layers->line.op == NONE && state_is_open(state, layers->line.layer)) {
        const uint32_t all = scene->shown->figures.lines[layers->line.layer], room = height > 2 ? height - 2 : 0;
        below += all < room ? all : room;
    }
    if (below + margin >= layers->top + height)
        layers->top = below + margin + 1 - height;
    if (at < layers->top + margin)
        layers->top = at > margin ? at - margin : 0;
    if (layers->top + height > lines)
        layers->top = lines > height ? lines - height : 0;
}

bool layers_is_valid(const struct view_state *state, const struct scene *scene) {
    const struct layers_line *line = &state->layers.line;
    return state->layers.sort < COLUMN_COUNT && line->layer < scene->profile->layer_count &&
           (line->op == NONE || line->op < scene->profile->op_count) &&
           (line->tensor == NONE || line->tensor < scene->profile->tensor_count);
}
