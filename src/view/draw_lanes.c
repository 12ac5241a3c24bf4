/* The ruler, the engine lanes and the layers' rows. All rows go one way: the tracks that belong to the row are measured
 * per column, each column takes the role that matters most there, and labels and the selection are written on top. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "move.h"
#include "text.h"

#define LAYER_NOTE_COLUMNS 12 /* of " k3  o4  r1 " */
#define SLIVER 1e-9f        /* cover of something without length: enough to be seen where nothing else is */
#define LABELS_PER_COLUMN 2 /* more events than this a column, and labels are not even tried */

/* How much a share of a column weighs: what a user looks for must not drown in what runs all the time. */
static const float WEIGHT[TRACK_KIND_COUNT] = {
    [TRACK_FORWARD] = 1, [TRACK_BACKWARD] = 1, [TRACK_RECOMPUTE] = 1.5f,
    [TRACK_D2H] = 0.5f,  [TRACK_H2D] = 0.5f,   [TRACK_STALL] = 2,
};
static const enum role TRACK_ROLE[TRACK_KIND_COUNT] = {
    [TRACK_FORWARD] = ROLE_FORWARD, [TRACK_RECOMPUTE] = ROLE_RECOMPUTE, [TRACK_BACKWARD] = ROLE_BACKWARD,
    [TRACK_D2H] = ROLE_D2H,         [TRACK_H2D] = ROLE_H2D,             [TRACK_STALL] = ROLE_STALL,
};
/* Later ones win when each kind gets the column that is its due. */
static const enum track_kind BY_IMPORTANCE[TRACK_KIND_COUNT] = { TRACK_D2H,     TRACK_H2D,       TRACK_BACKWARD,
                                                                 TRACK_FORWARD, TRACK_RECOMPUTE, TRACK_STALL };

/* One row being drawn: of each column the cover by each kind, then the role chosen. */
struct strip {
    float cover[GRID_MAX][TRACK_KIND_COUNT];
    uint8_t role[GRID_MAX]; /* enum role; ROLE_NONE where nothing is */
    bool written[GRID_MAX]; /* a label stands there */
    bool marked[GRID_MAX];  /* the selection, or what belongs to it, is going to be written there */
};

/* ---- measuring ---- */

/* The last interval from FROM on that starts before AT_US: galloping, so that a sparse track costs little and a dense
 * one log n. */
static uint32_t last_before(const struct track *track, uint32_t from, double at_us) {
    uint32_t step = 1, low = from;
    while (low + step < track->count && track->start_us[low + step] < at_us) {
        low += step;
        step *= 2;
    }
    uint32_t high = low + step < track->count ? low + step : track->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (track->start_us[middle] < at_us)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void measure(const struct canvas *canvas, const struct track *track, int kind, struct strip *strip) {
    double from = canvas->state->from_us, to = canvas->state->to_us;
    int width = canvas->panes.plot_width;
    double column_us = (to - from) / width;
    uint32_t i = track_find(track, from);
    int column = 0;
    while (i < track->count && track->start_us[i] < to) {
        int starts = (int)((track->start_us[i] - from) / column_us);
        column = starts > column ? starts : column;
        if (column >= width)
            return;
        double left = from + column * column_us, right = left + column_us;
        uint32_t last = last_before(track, i, right);
        double cover = track->before_us[last + 1] - track->before_us[i] - fmax(0, left - track->start_us[i]) -
                       fmax(0, track->end_us[last] - right);
        strip->cover[column][kind] = fmaxf((float)(cover / column_us), SLIVER);
        if (track->end_us[last] > right) {
            i = last;
            column++;
        } else {
            i = last + 1;
        }
    }
}

/* The kind for one column out of what covers it. CLAIM carries over what each kind was owed in the columns before, so
 * that where several share every column each gets its share of the columns; a claim fades where its kind is absent. */
static int choose_one(const float cover[TRACK_KIND_COUNT], float claim[TRACK_KIND_COUNT]) {
    float total = 0;
    int chosen = -1;
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        if (cover[kind] <= 0) {
            claim[kind] /= 2;
            continue;
        }
        claim[kind] += cover[kind] * WEIGHT[kind];
        total += cover[kind] * WEIGHT[kind];
        if (chosen < 0 || claim[kind] > claim[chosen])
            chosen = kind;
    }
    if (chosen >= 0)
        claim[chosen] -= total;
    return chosen;
}

static void choose(const struct canvas *canvas, unsigned kinds, struct strip *strip) {
    int width = canvas->panes.plot_width;
    int most[TRACK_KIND_COUNT], seen[TRACK_KIND_COUNT] = { 0 };
    float claim[TRACK_KIND_COUNT] = { 0 };
    memset(most, -1, sizeof most);
    for (int x = 0; x < width; x++) {
        const float *cover = strip->cover[x];
        int chosen = choose_one(cover, claim);
        strip->role[x] = (uint8_t)(chosen < 0 ? ROLE_NONE : TRACK_ROLE[chosen]);
        if (chosen < 0)
            continue;
        seen[chosen]++;
        for (int kind = 0; kind < TRACK_KIND_COUNT; kind++)
            if (cover[kind] > 0 && (most[kind] < 0 || cover[kind] > strip->cover[most[kind]][kind]))
                most[kind] = x;
    }
    /* nothing that happens in the window may vanish: each kind gets at least the column where it is largest */
    for (int i = 0; i < TRACK_KIND_COUNT; i++) {
        int kind = (int)BY_IMPORTANCE[i];
        if ((kinds & TRACK_BIT(kind)) && most[kind] >= 0 && seen[kind] == 0)
            strip->role[most[kind]] = (uint8_t)TRACK_ROLE[kind];
    }
}

/* ---- drawing ---- */

static void put_strip(const struct canvas *canvas, struct rect row, const struct strip *strip) {
    int cursor = canvas_column(canvas, canvas->state->cursor_us);
    for (int x = 0; x < row.width; x++) {
        enum role role = (enum role)strip->role[x];
        if (role == ROLE_NONE && x != cursor)
            continue;
        struct style style = plain(role == ROLE_NONE ? ROLE_CURSOR : role);
        style.attributes = role == ROLE_NONE ? CELL_DIM : canvas->stale;
        grid_glyph(canvas->grid, row, row.x + x, row.y, canvas_glyph(canvas, (enum role)style.role), style);
    }
}

static bool is_compute(enum role role) {
    return role == ROLE_FORWARD || role == ROLE_BACKWARD || role == ROLE_RECOMPUTE;
}

/* The columns of an interval: FIRST … LAST, cut to the plot; false when it is out of sight. */
static bool interval_columns(const struct canvas *canvas, double start_us, double end_us, int *first, int *last) {
    const struct view_state *state = canvas->state;
    int width = canvas->panes.plot_width;
    double column_us = (state->to_us - state->from_us) / width;
    if (end_us < state->from_us || start_us > state->to_us || !(column_us > 0))
        return false;
    double from = floor((start_us - state->from_us) / column_us), to = ceil((end_us - state->from_us) / column_us) - 1;
    *first = from < 0 ? 0 : from >= width ? width - 1 : (int)from;
    *last = to < *first ? *first : to >= width ? width - 1 : (int)to;
    return true;
}

/* Leaves out a column at either end that went to a neighbour; false when not three are left. */
static bool own_columns(const struct strip *strip, enum role role, int *first, int *last) {
    *first += strip->role[*first] != role;
    if (*first < *last)
        *last -= strip->role[*last] != role;
    return *last - *first >= 2 && strip->role[*first] == role && strip->role[*last] == role;
}

const char *name_in_layer(const char *name, const char *layer) {
    size_t length = strlen(layer);
    if (strncmp(name, layer, length) == 0 && (name[length] == '.' || name[length] == '/') && name[length + 1] != '\0')
        return name + length + 1;
    return name;
}

/* Writes the role's letter and NAME over the columns FIRST … LAST; false when there is no room or something is written
 * there already, or will be written into the name: it would end as if it were whole. */
static bool put_name(const struct canvas *canvas, struct rect row, struct strip *strip, int first, int last,
                     enum role role, const char *name, uint8_t attributes) {
    struct style style = { ROLE_LABEL, (uint8_t)role, attributes };
    char letter[3] = { ROLE_LETTER[role], ' ', '\0' };
    int width = 2 + text_width(name);
    if (width > last - first)
        return false;
    for (int x = first; x < first + width; x++)
        if (strip->written[x] || (x > first && strip->marked[x]))
            return false;
    memset(&strip->written[first], true, (size_t)width);
    canvas_text(canvas, row, canvas_text(canvas, row, first, 0, letter, style), 0, name, style);
    return true;
}

static void put_letter(const struct canvas *canvas, struct rect row, struct strip *strip, int x, enum role role,
                       uint8_t attributes) {
    char letter[2] = { ROLE_LETTER[role], '\0' };
    if (strip->written[x])
        return;
    canvas_text(canvas, row, x, 0, letter, (struct style){ ROLE_LABEL, (uint8_t)role, attributes });
    strip->written[x] = true;
}

static const char *event_name(const struct timeline *timeline, int kind, uint32_t index, bool in_layer) {
    const struct profile *profile = timeline->profile;
    struct event event = { kind == TRACK_D2H   ? LANE_D2H
                           : kind == TRACK_H2D ? LANE_H2D
                                               : LANE_COMPUTE,
                           index };
    const char *name = event.lane == LANE_COMPUTE
                           ? profile->ops[timeline->schedule.op[index]].name
                           : profile->tensors[(kind == TRACK_D2H ? timeline->d2h : timeline->h2d)[index].tensor].name;
    return in_layer ? name_in_layer(name, profile->layers[event_layer(timeline, event)].name) : name;
}

/* Names on the bars that are wide enough, or (NAMES false) letters on those that are not. */
static void put_event_labels(const struct canvas *canvas, struct rect row, struct strip *strip,
                             const struct track *tracks, unsigned kinds, bool in_layer, bool names) {
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        const struct track *track = &tracks[kind];
        enum role role = TRACK_ROLE[kind];
        if (!(kinds & TRACK_BIT(kind)) || kind == TRACK_STALL || (!names && !is_compute(role)))
            continue;
        uint32_t begin = track_find(track, canvas->state->from_us), end = track_find(track, canvas->state->to_us);
        if (end - begin > (uint32_t)(LABELS_PER_COLUMN * row.width))
            continue;
        for (uint32_t i = begin; i < track->count && i <= end; i++) {
            int first, last;
            if (!interval_columns(canvas, track->start_us[i], track->end_us[i], &first, &last) ||
                !own_columns(strip, role, &first, &last))
                continue;
            if (names)
                put_name(canvas, row, strip, first, last, role,
                         event_name(canvas->model->timeline, kind, track->index[i], in_layer), canvas->stale);
            else
                put_letter(canvas, row, strip, first, role, canvas->stale);
        }
    }
}

/* A letter where a run of bars begins, so that no glyph needs to be known by heart. */
static void put_run_letters(const struct canvas *canvas, struct rect row, struct strip *strip) {
    for (int x = 0; x + 2 < row.width; x++) {
        enum role role = (enum role)strip->role[x];
        bool begins = x == 0 || strip->role[x - 1] != role;
        if (is_compute(role) && begins && strip->role[x + 1] == role && strip->role[x + 2] == role)
            put_letter(canvas, row, strip, x, role, canvas->stale);
    }
}

/* The name of a layer on the compute lane, where its forward or backward as a whole is wide enough. */
static void put_layer_labels(const struct canvas *canvas, struct rect row, struct strip *strip) {
    const struct timeline *timeline = canvas->model->timeline;
    const struct schedule *schedule = &timeline->schedule;
    const struct profile *profile = timeline->profile;
    uint32_t k = timeline_at(timeline, LANE_COMPUTE, canvas->state->from_us);
    uint32_t end = timeline_at(timeline, LANE_COMPUTE, canvas->state->to_us);
    if (k == NONE || end == NONE || end - k > (uint32_t)(16 * row.width))
        return;
    for (uint32_t next; k <= end; k = next) {
        int first, last;
        uint32_t layer = profile->ops[schedule->op[k]].layer;
        double stop_us = timeline->steps[k].end_us;
        for (next = k + 1; next < schedule->step_count && schedule->kind[next] == schedule->kind[k] &&
                           profile->ops[schedule->op[next]].layer == layer &&
                           timeline->steps[next].start_us <= timeline->steps[next - 1].end_us;
             next++)
            stop_us = timeline->steps[next].end_us;
        enum role role = schedule->kind[k] == STEP_FORWARD     ? ROLE_FORWARD
                         : schedule->kind[k] == STEP_RECOMPUTE ? ROLE_RECOMPUTE
                                                               : ROLE_BACKWARD;
        if (!interval_columns(canvas, timeline->steps[k].start_us, stop_us, &first, &last) ||
            !own_columns(strip, role, &first, &last))
            continue;
        put_name(canvas, row, strip, first, last, role, profile->layers[layer].name, canvas->stale);
    }
}

static int event_kind(const struct timeline *timeline, struct event event) {
    if (event.lane != LANE_COMPUTE)
        return event.lane == LANE_D2H ? TRACK_D2H : TRACK_H2D;
    uint8_t step = timeline->schedule.kind[event.index];
    return step == STEP_FORWARD ? TRACK_FORWARD : step == STEP_RECOMPUTE ? TRACK_RECOMPUTE : TRACK_BACKWARD;
}

/* The columns of EVENT, when it is one of the row's kinds and in sight. */
static bool event_columns(const struct canvas *canvas, const struct track *tracks, unsigned kinds, bool in_layer,
                          struct event event, int kind, int *first, int *last) {
    const struct timeline *timeline = canvas->model->timeline;
    return (kinds & TRACK_BIT(kind)) && !(in_layer && tracks != canvas->model->layer[event_layer(timeline, event)]) &&
           interval_columns(canvas, timeline_start(timeline, event), timeline_end(timeline, event), first, last);
}

static int selection_kind(const struct selection *selection) {
    return selection->event.lane == LANE_D2H         ? TRACK_D2H
           : selection->event.lane == LANE_H2D       ? TRACK_H2D
           : selection->kind == STEP_FORWARD         ? TRACK_FORWARD
           : selection->kind == STEP_RECOMPUTE       ? TRACK_RECOMPUTE
                                                     : TRACK_BACKWARD;
}

/* Where put_related and put_selection will write. */
static void mark(const struct canvas *canvas, struct strip *strip, const struct track *tracks, unsigned kinds, bool in_layer) {
    const struct selection *selection = &canvas->state->selection;
    int first, last;
    for (int i = 0; i < canvas->related.count; i++) {
        const struct event event = canvas->related.event[i];
        if (event_columns(canvas, tracks, kinds, in_layer, event, event_kind(canvas->model->timeline, event), &first, &last))
            strip->marked[first] = true;
    }
    if (selection->exists &&
        event_columns(canvas, tracks, kinds, in_layer, selection->event, selection_kind(selection), &first, &last))
        memset(&strip->marked[first], true, (size_t)(last - first + 1));
}

/* What belongs to the selection is underlined, and begins with its letter. */
static void put_related(const struct canvas *canvas, struct rect row, struct strip *strip, const struct track *tracks,
                        unsigned kinds, bool in_layer) {
    const struct timeline *timeline = canvas->model->timeline;
    for (int i = 0; i < canvas->related.count; i++) {
        struct event event = canvas->related.event[i];
        int kind = event_kind(timeline, event), first, last;
        if (!event_columns(canvas, tracks, kinds, in_layer, event, kind, &first, &last))
            continue;
        uint8_t attributes = (uint8_t)(CELL_UNDERLINE | canvas->stale);
        strip->written[first] = false;
        put_letter(canvas, row, strip, first, TRACK_ROLE[kind], attributes);
        for (int x = first; x <= last; x++)
            grid_at(canvas->grid, row.x + x, row.y)->style.attributes |= CELL_UNDERLINE;
    }
}

/* The selected event in letters instead of glyphs, so that it stands out without colour too. */
static void put_selection(const struct canvas *canvas, struct rect row, struct strip *strip, const struct track *tracks,
                          unsigned kinds, bool in_layer) {
    const struct selection *selection = &canvas->state->selection;
    const struct timeline *timeline = canvas->model->timeline;
    int first, last;
    const struct event event = selection->event;
    const int kind = selection_kind(selection);
    if (!selection->exists || !event_columns(canvas, tracks, kinds, in_layer, event, kind, &first, &last))
        return;
    enum role role = TRACK_ROLE[kind];
    uint8_t attributes = (uint8_t)(CELL_SELECTED | canvas->stale);
    char letter[2] = { ROLE_LETTER[role], '\0' };
    for (int x = first; x <= last; x++)
        canvas_text(canvas, row, x, 0, letter, (struct style){ ROLE_LABEL, (uint8_t)role, attributes });
    memset(&strip->written[first], false, (size_t)(last - first + 1));
    memset(&strip->marked[first], false, (size_t)(last - first + 1));
    put_name(canvas, row, strip, first, last, role, event_name(timeline, kind, event.index, in_layer), attributes);
}

void draw_row(const struct canvas *canvas, int y, struct row row, int thickness) {
    static const struct strip EMPTY;
    struct rect rect = { canvas->panes.plot_x, y, canvas->panes.plot_width, 1 };
    struct strip strip;
    unsigned kinds;
    bool in_layer = row.kind >= ROW_LAYER;
    const struct track *tracks = row_tracks(canvas->model, row, &kinds);
    if (rect.width < 1 || !(canvas->state->to_us > canvas->state->from_us))
        return;
    memcpy(strip.cover, EMPTY.cover, (size_t)rect.width * sizeof strip.cover[0]);
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++)
        if (kinds & TRACK_BIT(kind))
            measure(canvas, &tracks[kind], kind, &strip);
    choose(canvas, kinds, &strip);
    for (int line = 1; line < thickness; line++)
        put_strip(canvas, (struct rect){ rect.x, y + line, rect.width, 1 }, &strip);
    memset(strip.written, 0, (size_t)rect.width * sizeof strip.written[0]);
    memset(strip.marked, 0, (size_t)rect.width * sizeof strip.marked[0]);
    mark(canvas, &strip, tracks, kinds, in_layer);
    put_strip(canvas, rect, &strip);
    put_event_labels(canvas, rect, &strip, tracks, kinds, in_layer, true);
    if (row.kind == ROW_COMPUTE)
        put_layer_labels(canvas, rect, &strip);
    put_event_labels(canvas, rect, &strip, tracks, kinds, in_layer, false);
    put_run_letters(canvas, rect, &strip);
    put_related(canvas, rect, &strip, tracks, kinds, in_layer);
    put_selection(canvas, rect, &strip, tracks, kinds, in_layer);
}

void draw_lane(const struct canvas *canvas, int y, uint8_t kind) {
    draw_row(canvas, y, (struct row){ kind, 0 }, 1);
}

/* ---- names left of the plot ---- */

/* The gutter of a row: mark, name, an optional note on the right, separator. */
static void draw_gutter(const struct canvas *canvas, int y, bool selected, bool marked, enum pane pane, const char *name,
                        const char *note, enum symbol separator) {
    struct rect rect = { 0, y, canvas->panes.plot_x, 1 };
    char fitted[96];
    if (rect.width < 3)
        return;
    bool keys = canvas->state->pane == pane;
    if (selected)
        canvas_text(canvas, rect, 0, 0, canvas_symbol(canvas, keys ? SYMBOL_MARK : SYMBOL_MARK_WEAK),
                    plain(keys ? ROLE_KEY : ROLE_DIM));
    if (marked && !selected)
        canvas_text(canvas, rect, 0, 0, canvas_symbol(canvas, SYMBOL_MARKED), plain(ROLE_KEY));
    int room = rect.width - 2 - (note[0] != '\0' ? text_width(note) + 1 : 0);
    text_fit(fitted, sizeof fitted, name, room, CUT_MIDDLE, canvas->state->ascii);
    canvas_text(canvas, rect, 1, 0, fitted, plain(selected ? ROLE_TITLE : ROLE_TEXT));
    canvas_text_right(canvas, rect, rect.width - 1, 0, note, plain(ROLE_DIM));
    canvas_text(canvas, rect, rect.width - 1, 0, canvas_symbol(canvas, separator), plain(ROLE_RULE));
}

static bool wide_gutter(const struct canvas *canvas) {
    return canvas->panes.plot_x >= 20;
}

void draw_engines(const struct canvas *canvas) {
    static const char *const NAME[ENGINE_ROWS] = { "compute", "D2H", "H2D" };
    static const enum role ROLE[ENGINE_ROWS] = { ROLE_FORWARD, ROLE_D2H, ROLE_H2D };
    const struct timeline *timeline = canvas->model->timeline;
    struct rect rect = canvas->panes.engines;
    int thickness = rect.height > ENGINE_ROWS ? rect.height / ENGINE_ROWS : 1;
    char name[32], note[UNIT_TEXT] = "", percent[UNIT_TEXT];
    for (int i = 0; i < ENGINE_ROWS && i < rect.height; i++) {
        int y = rect.y + i * thickness;
        if (wide_gutter(canvas) && timeline->end_us > 0)
            snprintf(note, sizeof note, "%s busy",
                     format_percent(percent, timeline->lane_busy_us[i] / timeline->end_us));
        if (i == ROW_COMPUTE)
            snprintf(name, sizeof name, "%s", canvas->panes.plot_x < 9 ? "comp" : NAME[i]);
        else
            snprintf(name, sizeof name, "%s %s", NAME[i], canvas_glyph(canvas, ROLE[i]));
        draw_gutter(canvas, y, canvas->state->row.kind == i, false, PANE_ENGINES, name, note, SYMBOL_SEPARATOR);
        draw_row(canvas, y, (struct row){ (uint8_t)i, 0 }, thickness > 1 ? thickness - 1 : 1);
    }
}

/* What the plan does with the layer's tensors: "k3 o4 r1". */
static void layer_note(const struct canvas *canvas, uint32_t layer, char *note, size_t size) {
    const struct profile *profile = canvas->scene->profile;
    const struct plan *plan = &canvas->model->timeline->plan;
    unsigned count[ACTION_COUNT] = { 0 };
    struct span ops = profile->layers[layer].ops;
    for (uint32_t i = 0; i < ops.count; i++) {
        struct span outputs = profile->ops[profile->index[ops.at + i]].outputs;
        for (uint32_t j = 0; j < outputs.count; j++) {
            uint32_t tensor = profile->index[outputs.at + j];
            if (profile->tensors[tensor].managed)
                count[plan->action[tensor]]++;
        }
    }
    snprintf(note, size, "k%-2u o%-2u r%-2u", count[ACTION_KEEP], count[ACTION_OFFLOAD], count[ACTION_RECOMPUTE]);
}

static bool same_row(struct row a, struct row b) {
    return a.kind == b.kind && (a.kind < ROW_LAYER || a.layer == b.layer);
}

/* A layer's name, without what all names begin with when it would be cut in the gutter. */
static const char *layer_name(const struct canvas *canvas, uint32_t layer) {
    const char *name = canvas->scene->profile->layers[layer].name;
    int room = canvas->panes.plot_x - 2 - (wide_gutter(canvas) ? LAYER_NOTE_COLUMNS : 0);
    return text_width(name) > room ? name + canvas->scene->layer_prefix : name;
}

/* Whether the row's layer belongs to the marked range. */
static bool in_range(const struct canvas *canvas, struct row row) {
    struct target range = state_target(canvas->state, canvas->scene);
    if (canvas->state->mark.kind == TARGET_NONE || row.kind != ROW_LAYER || range.kind == TARGET_NONE)
        return false;
    struct span ops = canvas->scene->profile->layers[row.layer].ops;
    for (uint32_t i = 0; range.kind == TARGET_OPS && i < ops.count; i++) {
        uint32_t op = canvas->scene->profile->index[ops.at + i];
        if (op >= range.first && op <= range.last)
            return true;
    }
    return range.kind == TARGET_LAYERS && row.layer >= range.first && row.layer <= range.last;
}

static void draw_layer_row(const struct canvas *canvas, int y, struct row row, enum symbol separator) {
    static const char *const LANE[2][OPEN_ROWS] = { { "F, B", "recomp", "D2H", "H2D" },
                                                    { " compute", " recompute", " D2H", " H2D" } };
    const struct view_state *state = canvas->state;
    const char *layer = layer_name(canvas, row.layer);
    char name[160], note[UNIT_TEXT] = "";
    if (row.kind == ROW_LAYER) {
        if (wide_gutter(canvas))
            layer_note(canvas, row.layer, note, sizeof note);
        snprintf(name, sizeof name, "%.140s%s%s", layer, state_is_open(state, row.layer) ? " " : "",
                 state_is_open(state, row.layer) ? canvas_symbol(canvas, SYMBOL_OPENED) : "");
    } else {
        snprintf(name, sizeof name, "%s%s",
                 canvas_symbol(canvas, row.kind == ROW_LAYER_H2D ? SYMBOL_BRANCH_LAST : SYMBOL_BRANCH),
                 LANE[wide_gutter(canvas)][row.kind - ROW_LAYER_COMPUTE]);
    }
    draw_gutter(canvas, y, same_row(row, state->row), in_range(canvas, row), PANE_LAYERS, name, note, separator);
    draw_row(canvas, y, row, 1);
}

void draw_layer_rows(const struct canvas *canvas) {
    struct rect rect = canvas->panes.layers;
    uint32_t rows = state_layer_rows(canvas->state, canvas->scene), top = canvas->state->top_row;
    uint32_t height = (uint32_t)rect.height;
    for (uint32_t i = 0; i < height && top + i < rows; i++) {
        /* the separator doubles as a scroll bar: heavy where the rows in sight stand among all rows */
        bool thumb = rows > height && i >= (uint64_t)top * height / rows &&
                     i <= ((uint64_t)top + height - 1) * height / rows;
        draw_layer_row(canvas, rect.y + (int)i, state_layer_row(canvas->state, top + i),
                       thumb ? SYMBOL_THUMB : SYMBOL_SEPARATOR);
    }
}

/* ---- ruler ---- */

/* The unit of times on the screen, the same for the whole of an outcome, so that nothing jumps. */
static const char *time_unit(double end_us, double *per_unit) {
    *per_unit = end_us < 1e3 ? 1 : end_us < 1e7 ? 1e3 : 1e6;
    return end_us < 1e3 ? "us" : end_us < 1e7 ? "ms" : "s";
}

/* 1, 2 or 5 times a power of ten: the least step of at least LEAST. */
static double nice_step(double least) {
    double power = pow(10, floor(log10(least)));
    double ratio = least / power;
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

static int decimals_for(double step) {
    int decimals = (int)ceil(-log10(step) - 1e-9);
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

/* Where the step waits for a transfer, or one of those that it waited for: the critical path, as far as it is not compute. */
static void draw_critical(const struct canvas *canvas, struct rect plot) {
    static const struct strip EMPTY;
    struct strip strip;
    memcpy(strip.cover, EMPTY.cover, (size_t)plot.width * sizeof strip.cover[0]);
    measure(canvas, &canvas->model->critical[0], TRACK_D2H, &strip);
    measure(canvas, &canvas->model->critical[1], TRACK_H2D, &strip);
    for (int x = 0; x < plot.width; x++) {
        float d2h = strip.cover[x][TRACK_D2H], h2d = strip.cover[x][TRACK_H2D];
        enum role role = d2h >= h2d ? ROLE_D2H : ROLE_H2D;
        if (d2h > 0 || h2d > 0)
            grid_glyph(canvas->grid, plot, plot.x + x, plot.y, canvas_glyph(canvas, role), plain(role));
    }
}

/* The cursor's mark and time: columns *FIRST … *LAST of the ruler, which no tick may touch. */
static void draw_cursor_mark(const struct canvas *canvas, struct rect plot, double per_unit, int decimals, int *first,
                             int *last) {
    char text[64];
    int x = canvas_column(canvas, canvas->state->cursor_us);
    const char *mark = canvas_symbol(canvas, SYMBOL_CURSOR_MARK);
    *first = *last = -2;
    if (x < 0)
        return;
    snprintf(text, sizeof text, "%s%.*f", mark, decimals, canvas->state->cursor_us / per_unit);
    if (x + text_width(text) > plot.width) {
        snprintf(text, sizeof text, "%.*f%s", decimals, canvas->state->cursor_us / per_unit, mark);
        x -= text_width(text) - 1;
    }
    *first = x;
    *last = canvas_text(canvas, plot, x, 0, text, plain(ROLE_NUMBER)) - 1;
}

void draw_ruler(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.ruler;
    double per_unit;
    char text[64];
    const char *unit = time_unit(state->end_us, &per_unit);
    if (rect.height < 1)
        return;
    if (canvas->panes.plot_x >= 3) {
        const char *word = canvas->panes.plot_x < 9 ? "" : canvas->stale ? "stale " : "time ";
        snprintf(text, sizeof text, "%s%s", word, unit);
        canvas_text(canvas, rect, canvas->stale ? 0 : 1, 0, text, plain(canvas->stale ? ROLE_WARNING : ROLE_DIM));
        canvas_text(canvas, rect, canvas->panes.plot_x - 1, 0, canvas_symbol(canvas, SYMBOL_SEPARATOR),
                    plain(ROLE_RULE));
    }
    draw_ruler_plot(canvas);
}

void draw_ruler_plot(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect plot = { canvas->panes.plot_x, canvas->panes.ruler.y, canvas->panes.plot_width, canvas->panes.ruler.height };
    double per_unit, span = state->to_us - state->from_us;
    char text[64];
    time_unit(state->end_us, &per_unit);
    grid_fill(canvas->grid, plot, canvas_symbol(canvas, SYMBOL_RULE), plain(ROLE_RULE));
    if (!(span > 0) || plot.width < 4)
        return;
    if (plot.height > 0)
        draw_critical(canvas, plot);
    double step = nice_step(span / per_unit / fmax(1, plot.width / 9.0));
    int decimals = decimals_for(step);
    int first, last;
    draw_cursor_mark(canvas, plot, per_unit, decimals + 1 > 6 ? 6 : decimals + 1, &first, &last);
    for (double tick = ceil(state->from_us / per_unit / step); tick * step * per_unit <= state->to_us; tick++) {
        int x = canvas_column(canvas, tick * step * per_unit);
        snprintf(text, sizeof text, "%.*f", decimals, tick * step);
        bool clear = x + text_width(text) < first || x > last + 1;
        if (x >= 0 && clear && x + text_width(text) <= plot.width)
            canvas_text(canvas, plot, x, 0, text, plain(ROLE_TEXT));
    }
}
