/* The knob bar: what can be turned, and how full the budget leaves the GPU. */
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "text.h"

/* Columns of a value, enough for any. */
static const int COLUMNS[KNOB_COUNT] = {
    [KNOB_BUDGET] = 8, [KNOB_BANDWIDTH] = 9, [KNOB_LATENCY] = 6, [KNOB_DUPLEX] = 5, [KNOB_SHARE] = 4, [KNOB_HEADROOM] = 8,
    [KNOB_HOST_MEMORY] = 8, [KNOB_BATCH] = 5, [KNOB_SEQUENCE] = 6, [KNOB_ATTENTION] = 5, [KNOB_GPU] = 10,
};

/* The knobs after budget and bandwidth, in the order in which they get room. */
static const enum knob_id WISHED[] = { KNOB_DUPLEX, KNOB_BATCH, KNOB_SEQUENCE, KNOB_LATENCY, KNOB_HEADROOM, KNOB_GPU,
                                       KNOB_ATTENTION, KNOB_SHARE, KNOB_HOST_MEMORY };
#define WISHED_COUNT (sizeof WISHED / sizeof WISHED[0])

/* What a click on a knob does. */
static enum ui_action focus_action(enum knob_id knob) {
    return knob == KNOB_BUDGET ? DO_knob_budget : knob == KNOB_BANDWIDTH ? DO_knob_bandwidth : DO_knob_other;
}

/* One knob: label, value in a field of fixed width; arrows mark the one that - and + turn. Returns the column after. */
static int draw_knob(const struct canvas *canvas, struct rect rect, int x, enum knob_id knob, int columns) {
    const struct view_state *state = canvas->state;
    char value[UNIT_TEXT], text[64];
    int typed = (int)strlen(state->value);
    bool current = state->knob == knob, typing = current && state->knob_focused;
    int from = x;
    snprintf(text, sizeof text, "%s ", KNOBS[knob].label);
    x = canvas_text(canvas, rect, x, 0, text, plain(typing ? ROLE_TITLE : ROLE_DIM));
    int down = x;
    x = canvas_text(canvas, rect, x, 0, current ? canvas_symbol(canvas, SYMBOL_TURN_DOWN) : " ", plain(ROLE_KNOB));
    int at = x;
    if (typing && state->value[0] != '\0') {
        snprintf(text, sizeof text, "%-*s", typed < columns ? columns : typed + 1, state->value);
        x = canvas_text(canvas, rect, x, 0, text, plain(ROLE_FIELD));
    } else {
        knob_format(knob, canvas->scene->profile, &state->settings, value);
        snprintf(text, sizeof text, "%*s", columns, value);
        x = canvas_text(canvas, rect, x, 0, text, plain(typing ? ROLE_FIELD : ROLE_KNOB));
    }
    if (typing && at + typed < rect.width) {
        canvas->grid->cursor_x = rect.x + at + typed;
        canvas->grid->cursor_y = rect.y;
    }
    canvas_link(canvas, rect, from, x + 1, 0, focus_action(knob), knob);
    if (current) {
        canvas_link(canvas, rect, down, at, 0, DO_knob_down, NONE);
        canvas_link(canvas, rect, x, x + 1, 0, DO_knob_up, NONE);
    }
    return canvas_text(canvas, rect, x, 0, current ? canvas_symbol(canvas, SYMBOL_TURN_UP) : " ", plain(ROLE_KNOB));
}

/* How much of the unlimited peak the budget is; '|' marks the least that any plan can do with. */
static int draw_gauge(const struct canvas *canvas, struct rect rect, int x, int columns, uint64_t budget) {
    const struct limits *limits = &canvas->scene->limits;
    double most = (double)limits->unlimited_peak_bytes;
    double share = most > 0 ? (double)budget / most : 1, least = most > 0 ? (double)limits->least_bytes / most : 0;
    int full = (int)((share > 1 ? 1 : share) * columns + 0.5), mark = (int)(least * columns);
    x = canvas_text(canvas, rect, x, 0, "[", plain(ROLE_DIM));
    for (int i = 0; i < columns; i++) {
        bool filled = i < full;
        const char *glyph = canvas_symbol(canvas, filled ? SYMBOL_GAUGE_FULL : SYMBOL_GAUGE_EMPTY);
        if (i == mark && !filled)
            glyph = "|";
        x = canvas_text(canvas, rect, x, 0, glyph, plain(filled ? ROLE_KNOB : i == mark ? ROLE_BAD : ROLE_DIM));
    }
    return canvas_text(canvas, rect, x, 0, "]", plain(ROLE_DIM));
}

/* Marks KNOB as shown if there is room for it. */
static void give_room(const struct view_state *state, enum knob_id knob, bool shown[KNOB_COUNT], int *room) {
    const int columns = text_width(KNOBS[knob].label) + COLUMNS[knob] + 4; /* arrows, blanks around */
    if (shown[knob] || !knob_applies(knob, &state->settings) || columns > *room)
        return;
    shown[knob] = true;
    *room -= columns;
}

/* The other knobs, as many as there is room for; the one in hand has it first. */
static void draw_others(const struct canvas *canvas, struct rect rect, int x) {
    const struct view_state *state = canvas->state;
    bool shown[KNOB_COUNT] = { false };
    int room = rect.width - x;
    if (state->knob > KNOB_BANDWIDTH)
        give_room(state, state->knob, shown, &room);
    if (state->settings.link.share > 1) /* it tells why the link is so slow */
        give_room(state, KNOB_SHARE, shown, &room);
    for (size_t i = 0; i < WISHED_COUNT; i++)
        give_room(state, WISHED[i], shown, &room);
    for (int knob = KNOB_BANDWIDTH + 1; knob < KNOB_COUNT; knob++)
        if (shown[knob])
            x = draw_knob(canvas, rect, x + 1, (enum knob_id)knob, COLUMNS[knob]);
}

void draw_knobs(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.knobs;
    char text[64], bytes[UNIT_TEXT];
    uint64_t budget;
    if (rect.height < 1)
        return;
    bool share = state->settings.budget.kind == BUDGET_SHARE;
    int x = draw_knob(canvas, rect, 0, KNOB_BUDGET, share ? 5 : COLUMNS[KNOB_BUDGET]);
    if (budget_resolve(&state->settings.budget, canvas->scene->profile, &canvas->scene->limits, &budget, NULL) ==
        SS_OK) {
        if (state->settings.budget.kind != BUDGET_BYTES) {
            snprintf(text, sizeof text, " %8s ", format_bytes(bytes, budget));
            x = canvas_text(canvas, rect, x, 0, text, plain(ROLE_NUMBER));
        }
        int columns = rect.width >= COMFORTABLE ? 24 : rect.width >= 80 ? 12 : 0;
        if (columns > 0)
            x = draw_gauge(canvas, rect, x, columns, budget);
    }
    x = draw_knob(canvas, rect, x + 2, KNOB_BANDWIDTH, COLUMNS[KNOB_BANDWIDTH]);
    draw_others(canvas, rect, x);
}
