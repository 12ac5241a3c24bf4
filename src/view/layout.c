#include "layout.h"

#include "challenge.h"
#include "lesson_panel.h"

#define GUTTER_NARROW 7
#define GUTTER_PLAIN 9
#define GUTTER_WIDE 24 /* names, then what the plan does with the layer's tensors */
#define GUTTER_VAST 34
#define WIDE 110       /* columns from which the wide gutter pays */
#define VAST 170
#define MINIMAP_HEIGHT 32 /* rows from which one may go to it */
#define TOTALS_WIDTH 42
#define LEGEND_WIDTH 40

static int minimum(int a, int b) { return a < b ? a : b; }
static int maximum(int a, int b) { return a > b ? a : b; }

/* Hands out up to WANTED of *LEFT rows, none when fewer than LEAST are there. */
static int take(int *left, int least, int wanted) {
    int rows = *left < least ? 0 : minimum(*left, wanted);
    *left -= rows;
    return rows;
}

/* Rows of each pane. */
struct heights {
    int header, knobs, minimap, ruler, engines, layers, memory, inspector, footer;
};

/* What is left when every pane has its least is shared in steps: each pane wants more, and is content at last. */
static void share_rest(struct heights *heights, int left, int layers_most) {
    static const struct { int layers, memory, inspector; } ROUND[] = {
        { 5, 6, 4 }, { 8, 8, 5 }, { 14, 10, 6 }, { 18, 12, 8 }, { 26, 16, 10 }, { 40, 20, 12 },
    };
    for (unsigned i = 0; i < sizeof ROUND / sizeof ROUND[0]; i++) {
        heights->memory += take(&left, 0, maximum(0, ROUND[i].memory - heights->memory));
        heights->inspector += take(&left, 0, maximum(0, ROUND[i].inspector - heights->inspector));
        heights->layers += take(&left, 0, maximum(0, minimum(ROUND[i].layers, layers_most) - heights->layers));
    }
    heights->layers += take(&left, 0, maximum(0, layers_most - heights->layers));
    heights->memory += left;
}

static struct heights plain_heights(int height, int layers_most) {
    struct heights heights = { 0 };
    int left = height;
    heights.header = take(&left, 1, 1);
    heights.footer = take(&left, 2, 1);
    heights.engines = take(&left, 1, ENGINE_ROWS);
    heights.knobs = take(&left, 1, 1);
    heights.ruler = take(&left, 1, 1);
    heights.inspector = take(&left, 2, 2);
    heights.header += take(&left, 1, 1);
    heights.memory = take(&left, 3, 3);
    heights.layers = take(&left, 1, minimum(3, layers_most));
    heights.minimap = height >= MINIMAP_HEIGHT ? take(&left, 1, 1) : 0;
    if (heights.memory == 0)
        heights.inspector += take(&left, 0, left);
    share_rest(&heights, left, layers_most);
    return heights;
}

/* What a lesson's panel leaves of a small screen goes to lanes and memory; the inspector has a place when it is asked for. */
static struct heights lesson_heights(int height, int layers_most, bool inspector) {
    struct heights heights = { 0 };
    int left = height;
    heights.header = take(&left, 1, 1);
    heights.footer = take(&left, 2, 1);
    heights.engines = take(&left, 1, ENGINE_ROWS);
    heights.ruler = take(&left, 1, 1);
    heights.memory = take(&left, 3, 4);
    heights.inspector = inspector ? take(&left, 2, 3) : 0;
    heights.knobs = take(&left, 1, 1);
    heights.header += take(&left, 1, 1);
    heights.layers = take(&left, 1, minimum(inspector ? 1 : 2, layers_most));
    heights.memory += left;
    return heights;
}

/* A view other than the Timeline has the whole body. */
static struct heights bare_heights(int height) {
    struct heights heights = { 0 };
    int left = height;
    heights.header = take(&left, 1, 1);
    heights.footer = take(&left, 2, 1);
    heights.header += take(&left, 8, 1);
    heights.knobs = take(&left, 4, 1);
    return heights;
}

static int body_rows(int height, const struct heights *heights) {
    return height - heights->header - heights->knobs - heights->footer;
}

/* One pane has the whole body; what is beside the body stays. */
static struct heights maximised_heights(int height, enum pane pane) {
    struct heights heights = bare_heights(height);
    int left = body_rows(height, &heights);
    if (pane != PANE_INSPECTOR)
        heights.ruler = take(&left, 2, 1);
    *(pane == PANE_ENGINES  ? &heights.engines
      : pane == PANE_LAYERS ? &heights.layers
      : pane == PANE_MEMORY ? &heights.memory
                            : &heights.inspector) = left;
    return heights;
}

static struct rect stack(int *y, int width, int height) {
    struct rect rect = { 0, *y, width, height };
    *y += height;
    return rect;
}

/* Wide screens show totals and legend to the right of the inspector. */
static void split_inspector(struct panes *panes, bool maximised) {
    struct rect *inspector = &panes->inspector;
    panes->totals = panes->legend = (struct rect){ inspector->x + inspector->width, inspector->y, 0, 0 };
    if (maximised || inspector->height < 5 || inspector->width < WIDE)
        return;
    if (inspector->width >= WIDE + TOTALS_WIDTH) {
        inspector->width -= LEGEND_WIDTH;
        panes->legend = (struct rect){ inspector->width, inspector->y, LEGEND_WIDTH, inspector->height };
    }
    inspector->width -= TOTALS_WIDTH;
    panes->totals = (struct rect){ inspector->width, inspector->y, TOTALS_WIDTH, inspector->height };
}

/* The table has what the inspector, a third of the body, leaves. */
static struct heights table_heights(int height) {
    struct heights heights = bare_heights(height);
    int body = body_rows(height, &heights);
    heights.inspector = body >= 9 ? minimum(maximum(body / 3, 4), 12) : 0;
    return heights;
}

#define OFF_SCALE 1.5 /* a budget this many times the unlimited peak would flatten the curve */

uint64_t memory_top_bytes(const struct view_state *state, const struct scene *scene, bool *budget_off) {
    const struct timeline *timeline = scene->shown->timeline;
    uint64_t budget = timeline->budget_bytes, most = scene->limits.unlimited_peak_bytes;
    const struct view_model *ghost = memory_ghost(state, scene);
    *budget_off = (double)budget > OFF_SCALE * (double)most;
    if (state->drag.kind == DRAG_BUDGET)
        return state->drag.top_bytes;
    uint64_t top = *budget_off ? most : budget;
    top = top < timeline->totals.peak_bytes ? timeline->totals.peak_bytes : top;
    if (ghost != NULL && top < ghost->timeline->totals.peak_bytes)
        top = ghost->timeline->totals.peak_bytes;
    return top > 0 ? top : 1;
}

const struct view_model *memory_ghost(const struct view_state *state, const struct scene *scene) {
    return state->ghost && !scene->changing && scene->ghost.outcome != NULL ? &scene->ghost.model : NULL;
}

uint64_t memory_budget_bytes(const struct view_state *state, const struct scene *scene) {
    uint64_t bytes = scene->shown->timeline->budget_bytes;
    budget_resolve(&state->settings.budget, scene->profile, &scene->limits, &bytes, NULL);
    return bytes;
}

int memory_budget_row(const struct view_state *state, const struct scene *scene, int curve) {
    bool off;
    const uint64_t top = memory_top_bytes(state, scene, &off), budget = memory_budget_bytes(state, scene);
    if (curve < 1 || (state->drag.kind != DRAG_BUDGET && (memory_ghost(state, scene) == NULL || budget >= top)))
        return MEMORY_CURVE_ROW - 1;
    int row = (int)((1 - (double)budget / (double)top) * curve + 0.5);
    row = row < 0 ? 0 : row > curve ? curve : row;
    return MEMORY_CURVE_ROW - 1 + row;
}

/* ---- the panel of a lesson ---- */

#define BESIDE 116       /* columns from which it stands beside the body */
#define BESIDE_LEAST 38  /* columns of it */
#define BESIDE_MOST 56
#define BELOW_ROWS 8     /* its title, and seven lines: the longest text at 80 columns */
#define BELOW_BODY 12    /* rows that are left to the rest before the panel has all of its own */
#define SMALL 23         /* rows below which a panel below leaves too few for all panes */

static int panel_columns(const struct view_state *state) {
    if (!state->lesson.open || state->lesson.away || state->width < BESIDE)
        return 0;
    return minimum(maximum(state->width / 3, BESIDE_LEAST), BESIDE_MOST);
}

static int panel_rows(const struct view_state *state) {
    if (!state->lesson.open || panel_columns(state) > 0 || state->height < 3)
        return 0;
    if (state->lesson.away)
        return 1;
    return minimum(maximum(state->height - BELOW_BODY, state->height / 2), BELOW_ROWS);
}

/* Cuts it off the BODY. */
static void split_lesson(struct panes *panes, int columns, int rows) {
    struct rect *body = &panes->body;
    panes->lesson_beside = columns > 0;
    if (columns > 0) {
        body->width -= columns;
        panes->lesson = (struct rect){ body->x + body->width, body->y, columns, body->height };
        panes->lesson_text = (struct rect){ panes->lesson.x + 2, body->y + 3, columns - 3, maximum(body->height - 3, 0) };
        return;
    }
    rows = minimum(rows, body->height);
    body->height -= rows;
    panes->lesson = (struct rect){ body->x, body->y + body->height, body->width, rows };
    panes->lesson_text = (struct rect){ body->x + 1, panes->lesson.y + 1, maximum(body->width - 2, 0), maximum(rows - 1, 0) };
}

static bool shows_inspector(const struct view_state *state) {
    return state->pane == PANE_INSPECTOR || lesson_points_at(state, LESSON_PLACE_inspector);
}

/* ---- the panel of a puzzle ---- */

/* Two rows where there is room: the second has the figures. */
static int challenge_rows(const struct view_state *state) {
    return !challenge_is_open(state, NULL, NULL) || state->height < 6 ? 0 : state->height < 16 ? 1 : 2;
}

struct panes panes_make(const struct view_state *state, uint32_t layer_count) {
    /* room for one open layer is kept, so that opening it moves nothing */
    int layers_most = layer_count > GRID_MAX ? GRID_MAX : (int)layer_count + OPEN_ROWS;
    int puzzle = challenge_rows(state), columns = panel_columns(state), rows = panel_rows(state);
    int height = state->height - rows - puzzle;
    bool small = rows > 1 && height < SMALL;
    struct heights heights = state->view == VIEW_LAYERS     ? table_heights(height)
                             : state->view != VIEW_TIMELINE ? bare_heights(height)
                             : state->maximised           ? maximised_heights(height, state->pane)
                             : small ? lesson_heights(height, layers_most, shows_inspector(state))
                                     : plain_heights(height, layers_most);
    struct panes panes;
    int y = 0, width = state->width;
    panes.header = stack(&y, width, heights.header);
    panes.knobs = stack(&y, width, heights.knobs);
    panes.challenge = stack(&y, width, puzzle);
    panes.body = (struct rect){ 0, y, width, state->height - heights.footer - y };
    split_lesson(&panes, columns, rows);
    width = panes.body.width;
    panes.minimap = stack(&y, width, heights.minimap);
    panes.ruler = stack(&y, width, heights.ruler);
    panes.engines = stack(&y, width, heights.engines);
    panes.layers = stack(&y, width, heights.layers);
    panes.memory = stack(&y, width, heights.memory);
    panes.table = panes.body;
    panes.table.height -= heights.inspector;
    if (state->view == VIEW_LAYERS)
        y += panes.table.height;
    else
        panes.table.height = 0;
    panes.inspector = stack(&y, width, heights.inspector);
    panes.footer = (struct rect){ 0, state->height - heights.footer, state->width, heights.footer };
    split_inspector(&panes, state->maximised);
    int gutter = width >= VAST   ? GUTTER_VAST
                 : width >= WIDE ? GUTTER_WIDE
                 : width >= 60   ? GUTTER_PLAIN
                 : width >= 24   ? GUTTER_NARROW
                                 : 0;
    panes.plot_x = gutter;
    panes.plot_width = width - gutter;
    return panes;
}
