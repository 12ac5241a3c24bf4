/* What stands around the plot: header, knob bar, inspector, totals, legend, footer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "inspect.h"
#include "text.h"
#include "voice.h"

#define COMFORTABLE 110 /* columns from which more than the essential is shown */
#define SPACIOUS 140

/* ---- header ---- */

/* Pieces of one line of text with styles of their own, laid to the right edge. */
struct pieces {
    struct {
        char text[192];
        struct style style;
    } piece[16];
    int count;
};

static void piece(struct pieces *pieces, const char *text, struct style style) {
    if (pieces->count == (int)(sizeof pieces->piece / sizeof pieces->piece[0]))
        return;
    text_fit(pieces->piece[pieces->count].text, sizeof pieces->piece[0].text, text, GRID_MAX, CUT_END, true);
    pieces->piece[pieces->count++].style = style;
}

static int pieces_width(const struct pieces *pieces) {
    int width = 0;
    for (int i = 0; i < pieces->count; i++)
        width += text_width(pieces->piece[i].text);
    return width;
}

static void put_pieces(const struct canvas *canvas, struct rect rect, int x, int y, const struct pieces *pieces) {
    for (int i = 0; i < pieces->count; i++)
        x = canvas_text(canvas, rect, x, y, pieces->piece[i].text, pieces->piece[i].style);
}

/* A figure with its label: "step  413.0 ms", the value right-aligned so that it may change without moving others. */
static void figure(const struct canvas *canvas, struct pieces *pieces, const char *label, const char *value,
                   int columns) {
    char text[96];
    struct style number = plain(ROLE_NUMBER);
    number.attributes = canvas->stale;
    snprintf(text, sizeof text, "%s%s%s", pieces->count > 0 ? "  " : "", label, label[0] != '\0' ? " " : "");
    piece(pieces, text, plain(ROLE_DIM));
    snprintf(text, sizeof text, "%*s", columns, value);
    piece(pieces, text, number);
}

static void header_first(const struct canvas *canvas, struct pieces *out) {
    const struct outcome *outcome = canvas->model->outcome;
    char text[UNIT_TEXT], bound[UNIT_TEXT], words[96];
    figure(canvas, out, "step", format_time(text, outcome->timeline.totals.step_us), 8);
    figure(canvas, out, "", format_percent(text, outcome_throughput(outcome)), 5);
    double ceiling = outcome->bound.bound_us > 0 ? outcome->ideal_us / outcome->bound.bound_us : 1;
    snprintf(words, sizeof words, " of ideal (bound %s)", format_percent(bound, ceiling));
    piece(out, words, plain(ROLE_DIM));
}

static void header_second(const struct canvas *canvas, struct pieces *out) {
    const struct outcome *outcome = canvas->model->outcome;
    const struct sim_totals *totals = &outcome->timeline.totals;
    bool roomy = canvas->panes.header.width >= COMFORTABLE;
    char text[UNIT_TEXT], words[96];
    snprintf(words, sizeof words, "%.2f%%", 100 * outcome_gap(outcome));
    figure(canvas, out, "gap to bound", words, 6);
    if (canvas->panes.header.width >= SPACIOUS) {
        snprintf(words, sizeof words, " (bound by %s)", BINDING_NAME[outcome->bound.binding]);
        piece(out, words, plain(ROLE_DIM));
    }
    figure(canvas, out, "stall", format_time(text, totals->stall_us), 8);
    figure(canvas, out, "recompute", format_time(text, totals->recompute_us), 8);
    if (!roomy)
        return;
    figure(canvas, out, "peak", format_bytes(text, totals->peak_bytes), 8);
    figure(canvas, out, "host", format_bytes(text, totals->host_peak_bytes), 8);
}

static bool infeasible(const struct canvas *canvas) {
    return canvas->scene->latest != NULL && !outcome_feasible(canvas->scene->latest);
}

/* One word on what is going on, always in the same place; returns its role. */
static enum role activity(const struct canvas *canvas, char *text, size_t size) {
    text[0] = '\0';
    if (canvas->state->planning)
        snprintf(text, size, "planning%s", canvas_symbol(canvas, SYMBOL_MORE));
    else if (canvas->scene->latest != NULL && canvas->scene->latest->host_limit_exceeded)
        snprintf(text, size, "too much host memory");
    else if (canvas->state->playing)
        snprintf(text, size, "playing %s%g", canvas_symbol(canvas, SYMBOL_TIMES), SPEEDS[canvas->state->speed]);
    return canvas->state->playing && !canvas->stale ? ROLE_GOOD : ROLE_WARNING;
}

/* Who planned what: "slackswap  gpt2-xl  by slackswap-rule", cut in the names where it is too long. */
static void draw_who(const struct canvas *canvas, struct rect rect, int columns) {
    const struct planner *planner = canvas->state->settings.planner;
    const char *name = planner != NULL ? planner->name : "";
    char fitted[160];
    int room = columns - (name[0] != '\0' ? text_width(name) + 5 : 0);
    int x = 0;
    /* the program's own name is what matters least */
    if (room >= 11 + text_width(canvas->scene->profile->name)) {
        x = canvas_text(canvas, rect, 0, 0, "slackswap  ", plain(ROLE_TITLE));
        room -= x;
    }
    text_fit(fitted, sizeof fitted, canvas->scene->profile->name, room < 1 ? columns : room, CUT_MIDDLE,
             canvas->state->ascii);
    x = canvas_text(canvas, rect, x, 0, fitted, plain(ROLE_TEXT));
    if (name[0] == '\0' || room < 1)
        return;
    x = canvas_text(canvas, rect, x, 0, "  by ", plain(ROLE_DIM));
    canvas_text(canvas, rect, x, 0, name, plain(ROLE_KNOB));
}

void draw_header(const struct canvas *canvas) {
    struct rect rect = canvas->panes.header;
    struct pieces first = { .count = 0 }, second = { .count = 0 };
    struct words words;
    char text[96];
    enum role role;
    if (rect.height < 1)
        return;
    if (infeasible(canvas)) {
        char budget[UNIT_TEXT];
        snprintf(text, sizeof text, "does not fit in %s", format_bytes(budget, canvas->scene->latest->budget_bytes));
        piece(&first, text, plain(ROLE_BAD));
        words_start(&words, screen_voice(canvas->state->ascii));
        words_lack(&words, &canvas->scene->latest->timeline);
        piece(&second, words.text, plain(ROLE_BAD));
    } else if (canvas->model != NULL) {
        header_first(canvas, &first);
        header_second(canvas, &second);
    }
    int width = pieces_width(&first);
    struct rect left = { rect.x, rect.y, rect.width - width - (width > 0), 1 };
    draw_who(canvas, left, left.width);
    put_pieces(canvas, rect, rect.width > width ? rect.width - width : 0, 0, &first);
    if (rect.height < 2)
        return;
    width = pieces_width(&second);
    role = activity(canvas, text, sizeof text);
    int x = canvas_text(canvas, rect, 0, 1, text, plain(role));
    int room = rect.width - width - 2;
    if (x == 0 && room >= 8 && !infeasible(canvas)) {
        char fitted[160];
        text_fit(fitted, sizeof fitted, canvas->scene->profile->device_name, room, CUT_END, canvas->state->ascii);
        x = canvas_text(canvas, rect, 0, 1, fitted, plain(ROLE_DIM));
    }
    x += x > 0;
    put_pieces(canvas, rect, rect.width - width > x ? rect.width - width : x, 1, &second);
}

/* ---- knobs ---- */

/* One knob: label, value in a field of fixed width; arrows mark the one that - and + turn. Returns the column after. */
static int draw_knob(const struct canvas *canvas, struct rect rect, int x, enum knob_id knob, int columns) {
    const struct view_state *state = canvas->state;
    char value[UNIT_TEXT], text[64];
    int typed = (int)strlen(state->value);
    bool current = state->knob == knob, typing = current && state->knob_focused;
    snprintf(text, sizeof text, "%s ", KNOBS[knob].label);
    x = canvas_text(canvas, rect, x, 0, text, plain(typing ? ROLE_TITLE : ROLE_DIM));
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

void draw_knobs(const struct canvas *canvas) {
    static const int COLUMNS[KNOB_COUNT] = { 8, 9, 6, 5, 4, 8, 8 }; /* enough for any value */
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
    bool all = rect.width >= SPACIOUS;
    for (int i = KNOB_BANDWIDTH + 1; i < KNOB_COUNT; i++) {
        enum knob_id knob = (enum knob_id)i;
        /* where there is room for one only: the one in hand, else the duplex mode */
        bool chosen = state->knob > KNOB_BANDWIDTH ? state->knob == knob : knob == KNOB_DUPLEX;
        if (knob_applies(knob, &state->settings) && (all || chosen))
            x = draw_knob(canvas, rect, x + 1, knob, COLUMNS[knob]);
    }
}

/* ---- inspector, totals, legend ---- */

static void draw_title(const struct canvas *canvas, struct rect rect, const char *title, const char *right,
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

/* "stall 3 of 17" when the selected step is one that waited. */
static const char *stall_number(const struct timeline *timeline, const struct selection *selection, char *text,
                                size_t size) {
    const struct stall *stall = selection->exists && selection->event.lane == LANE_COMPUTE
                                    ? timeline_stall_of(timeline, selection->event.index)
                                    : NULL;
    text[0] = '\0';
    if (stall != NULL)
        snprintf(text, size, "stall %u of %u", (unsigned)(stall - timeline->stalls) + 1,
                 (unsigned)timeline->stall_count);
    return text;
}

void draw_inspector(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.inspector;
    const struct timeline *timeline = canvas->model->timeline;
    struct inspect_text text;
    struct words title;
    char number[48];
    if (rect.height < 1)
        return;
    words_start(&title, screen_voice(state->ascii));
    if (state->selection.exists)
        words_title(&title, timeline, state->selection.event);
    else
        words_add(&title, "nothing selected");
    stall_number(timeline, &state->selection, number, sizeof number);
    draw_title(canvas, rect, title.text, number, state->pane == PANE_INSPECTOR,
               number[0] != '\0' ? ROLE_BAD : ROLE_TITLE);
    if (rect.height < 2)
        return;
    inspect_lines(state, canvas->scene, rect.width - 1, &text);
    for (int y = 1; y < rect.height; y++) {
        int i = state->inspector_scroll + y - 1;
        if (i >= text.count)
            break;
        canvas_text(canvas, rect, 0, y, text.line[i].label, plain(ROLE_DIM));
        canvas_text(canvas, rect, INSPECT_LABEL, y, text.line[i].text, plain(ROLE_TEXT));
    }
}

/* "label ……… 5.37 GiB" on line Y of RECT. */
static void total(const struct canvas *canvas, struct rect rect, int y, const char *label, uint64_t bytes) {
    char text[UNIT_TEXT];
    canvas_text(canvas, rect, 4, y, label, plain(ROLE_TEXT));
    canvas_text_right(canvas, rect, rect.width - 2, y, format_bytes(text, bytes), plain(ROLE_NUMBER));
}

void draw_totals(const struct canvas *canvas) {
    static const enum role ROLE[ACTION_COUNT] = { ROLE_KEPT, ROLE_D2H, ROLE_RECOMPUTE };
    struct rect rect = canvas->panes.totals;
    const struct limits *limits = &canvas->scene->limits;
    const struct sim_totals *totals = &canvas->model->timeline->totals;
    struct plan_mix mix = plan_mix(canvas->scene->profile, &canvas->model->timeline->plan);
    char text[96];
    int y = 1;
    if (rect.height < 2)
        return;
    draw_title(canvas, rect, "the plan", "", false, ROLE_TITLE);
    for (int action = 0; action < ACTION_COUNT; action++, y++) {
        canvas_text(canvas, rect, 2, y, canvas_glyph(canvas, ROLE[action]), plain(ROLE[action]));
        snprintf(text, sizeof text, "%-9s %5u tensors", ACTION_NAME[action], (unsigned)mix.count[action]);
        total(canvas, rect, y, text, mix.bytes[action]);
    }
    total(canvas, rect, y++, "peak on the GPU", totals->peak_bytes);
    total(canvas, rect, y++, "peak on the host", totals->host_peak_bytes);
    total(canvas, rect, y++, "peak if all is kept", limits->unlimited_peak_bytes);
    total(canvas, rect, y++, "least budget of any plan", limits->least_bytes);
}

void draw_legend(const struct canvas *canvas) {
    struct rect rect = canvas->panes.legend;
    int y = 1;
    if (rect.height < 2)
        return;
    draw_title(canvas, rect, "legend", "", false, ROLE_TITLE);
    for (int role = ROLE_FORWARD; role <= ROLE_STALL; role++) {
        if (y >= rect.height)
            return;
        canvas_text(canvas, rect, 2, y, canvas_glyph(canvas, (enum role)role), plain((enum role)role));
        canvas_text(canvas, rect, 4, y++, ROLE_WORDS[role], plain(ROLE_TEXT));
    }
}

#define NOTHING_LINES 4

/* Before the first plan, or when none fits: words in the middle instead of a plot. */
void draw_nothing_yet(const struct canvas *canvas) {
    const struct panes *panes = &canvas->panes;
    struct rect body = { 0, panes->header.height + panes->knobs.height, canvas->grid->width,
                         canvas->grid->height - panes->header.height - panes->knobs.height - panes->footer.height };
    struct words line[NOTHING_LINES];
    char least[UNIT_TEXT];
    for (int i = 0; i < NOTHING_LINES; i++)
        words_start(&line[i], screen_voice(canvas->state->ascii));
    if (canvas->state->planning) {
        words_add(&line[1], "planning%s", canvas_symbol(canvas, SYMBOL_MORE));
    } else if (infeasible(canvas)) {
        words_add(&line[0], "This plan does not fit.");
        words_add(&line[1], "It ");
        words_lack(&line[1], &canvas->scene->latest->timeline);
        words_add(&line[1], ".");
        const struct limits *limits = &canvas->scene->limits;
        words_add(&line[2], "The least budget that any plan can do with is %s: %.0f%%.",
                  format_bytes(least, limits->least_bytes),
                  ceil(100 * (double)limits->least_bytes / (double)limits->unlimited_peak_bytes));
        words_add(&line[3], "b sets the budget, + turns it up, P tries the next planner.");
    }
    for (int i = 0; i < NOTHING_LINES; i++) {
        int width = text_width(line[i].text);
        int x = body.width > width ? (body.width - width) / 2 : 0;
        canvas_text(canvas, body, x, body.height / 2 - NOTHING_LINES / 2 + i, line[i].text,
                    plain(i == 0 ? ROLE_BAD : ROLE_TEXT));
    }
}

/* ---- footer ---- */

/* The key as a picture where there is one. */
static const char *key_picture(const struct canvas *canvas, enum ui_action action, char text[KEY_TEXT]) {
    struct key key;
    text[0] = '\0';
    if (!action_key(action, 0, &key))
        return text;
    switch (key.code) {
    case K_LEFT: return canvas_symbol(canvas, SYMBOL_ARROW_LEFT);
    case K_RIGHT: return canvas_symbol(canvas, SYMBOL_ARROW_RIGHT);
    case K_UP: return canvas_symbol(canvas, SYMBOL_ARROW_UP);
    case K_DOWN: return canvas_symbol(canvas, SYMBOL_ARROW_DOWN);
    case K_ESCAPE: return "Esc";
    default: return key_format(key, text);
    }
}

/* Puts the hint of ACTION at X when it fits before RIGHT; returns the column after, or X when it does not fit. */
static int draw_hint(const struct canvas *canvas, struct rect rect, int x, int right, enum ui_action action,
                     const char *words) {
    char text[KEY_TEXT], keys[64], first[KEY_TEXT];
    snprintf(keys, sizeof keys, "%s", key_picture(canvas, action, first));
    if (ACTION_TABLE[action].pair) {
        const char *second = key_picture(canvas, (enum ui_action)(action + 1), text);
        bool run_together = (unsigned char)keys[0] >= 0x80;
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", run_together ? "" : "/", second);
    }
    if (x + text_width(keys) + 1 + text_width(words) > right)
        return x;
    x = canvas_text(canvas, rect, x, 0, keys, plain(ROLE_KEY));
    x = canvas_text(canvas, rect, x + 1, 0, words, plain(ROLE_DIM));
    return x + 2;
}

/* The hints of CONTEXT by rank, as many as fit; those that hold everywhere come along on the timeline. */
static int draw_hints(const struct canvas *canvas, struct rect rect, int x, int right, enum context context) {
    for (int rank = 1; rank < DO_COUNT; rank++)
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            const struct action_entry *entry = &ACTION_TABLE[i];
            bool here = entry->context == context || (entry->context == CONTEXT_ANY && context == CONTEXT_TIMELINE);
            if (here && entry->rank == rank)
                x = draw_hint(canvas, rect, x, right, (enum ui_action)i, entry->hint);
        }
    return x;
}

void draw_footer(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.footer;
    enum context context = state_context(state);
    char text[160], fitted[MESSAGE_MAX + 8];
    int x = 0;
    if (rect.height < 1)
        return;
    if (state->message_kind != MESSAGE_NONE) {
        text_fit(fitted, sizeof fitted, state->message, rect.width, CUT_END, state->ascii);
        canvas_text(canvas, rect, 0, 0, fitted, plain(state->message_kind == MESSAGE_BAD ? ROLE_BAD : ROLE_WARNING));
        return;
    }
    if (context == CONTEXT_FIND) {
        x = canvas_text(canvas, rect, 0, 0, "find ", plain(ROLE_TEXT));
        x = canvas_text(canvas, rect, x, 0, state->query, plain(ROLE_FIELD));
        if (x < rect.width) {
            canvas->grid->cursor_x = rect.x + x;
            canvas->grid->cursor_y = rect.y;
        }
        x = canvas_text(canvas, rect, x, 0, " ", plain(ROLE_FIELD));
        x = draw_hints(canvas, rect, x + 2, rect.width, context);
        draw_hint(canvas, rect, x, rect.width, DO_close, "leave");
        return;
    }
    if (context == CONTEXT_VALUE) {
        snprintf(text, sizeof text, "%s in %s   ", KNOBS[state->knob].name, KNOBS[state->knob].unit);
        x = canvas_text(canvas, rect, 0, 0, text, plain(ROLE_TEXT));
        x = draw_hints(canvas, rect, x, rect.width, context);
        x = draw_hint(canvas, rect, x, rect.width, DO_knob_down, ACTION_TABLE[DO_knob_down].hint);
        draw_hint(canvas, rect, x, rect.width, DO_close, "leave");
        return;
    }
    draw_hints(canvas, rect, x, rect.width, context);
}
