/* The header: who planned what, and the figures that sum it up. */
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "text.h"
#include "voice.h"

#define SPACIOUS 140 /* columns from which gap and bound are spelled out */

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
    char text[UNIT_TEXT], bound[UNIT_TEXT], words[128];
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
    bool spacious = canvas->panes.header.width >= SPACIOUS;
    snprintf(words, sizeof words, "%.2f%%", 100 * outcome_gap(outcome));
    figure(canvas, out, spacious ? "gap to bound" : "gap", words, 5);
    snprintf(words, sizeof words, spacious ? " (bound by %s)" : ": %s", BINDING_NAME[outcome->bound.binding]);
    piece(out, words, plain(ROLE_DIM));
    figure(canvas, out, "stall", format_time(text, totals->stall_us), 8);
    figure(canvas, out, "recompute", format_time(text, totals->recompute_us), 8);
    if (!roomy)
        return;
    figure(canvas, out, "peak", format_bytes(text, totals->peak_bytes), 8);
    figure(canvas, out, "host", format_bytes(text, totals->host_peak_bytes), 8);
}

/* "refining 0.31% → 0.08%": the gap of this request's first plan, and of its best so far. */
static void refining(const struct canvas *canvas, char *text, size_t size, int room) {
    const double from = 100 * canvas->state->first_gap, to = 100 * outcome_gap(canvas->scene->latest);
    const char *becomes = canvas_symbol(canvas, SYMBOL_BECOMES);
    snprintf(text, size, "refining %.2f%% %s %.2f%%", from, becomes, to);
    if (text_width(text) > room)
        snprintf(text, size, "%.2f%%%s%.2f%%", from, becomes, to);
}

/* One word on what is going on, always in the same place; returns its role. */
static enum role activity(const struct canvas *canvas, char *text, size_t size, int room) {
    text[0] = '\0';
    if (canvas->state->planning && canvas->state->improving && canvas->scene->latest != NULL)
        refining(canvas, text, size, room);
    else if (canvas->state->planning)
        snprintf(text, size, "planning%s", canvas_symbol(canvas, SYMBOL_MORE));
    else if (canvas->scene->latest != NULL && canvas->scene->latest->host_limit_exceeded)
        snprintf(text, size, "too much host memory");
    else if (canvas->state->playing)
        snprintf(text, size, "playing %s%g", canvas_symbol(canvas, SYMBOL_TIMES), SPEEDS[canvas->state->speed]);
    return canvas->state->playing && !canvas->stale ? ROLE_GOOD : ROLE_WARNING;
}

/* Who planned what: "slackswap  gpt2-xl  by slackswap-rule" or "by hand", cut in the names where it is too long. */
static void draw_who(const struct canvas *canvas, struct rect rect, int columns) {
    const struct planner *planner = canvas->state->settings.planner;
    const char *name = canvas->state->plan != NULL ? "hand" : planner != NULL ? planner->name : "";
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
    canvas_link(canvas, rect, x, canvas_text(canvas, rect, x, 0, name, plain(ROLE_KNOB)), 0, DO_planner, NONE);
}

void draw_header(const struct canvas *canvas) {
    struct rect rect = canvas->panes.header;
    struct pieces first = { .count = 0 }, second = { .count = 0 };
    struct words words;
    char text[96];
    enum role role;
    if (rect.height < 1)
        return;
    if (canvas_infeasible(canvas)) {
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
    role = activity(canvas, text, sizeof text, rect.width - width - 1);
    int x = canvas_text(canvas, rect, 0, 1, text, plain(role));
    int room = rect.width - width - 2;
    if (x == 0 && room >= 8 && !canvas_infeasible(canvas)) {
        char fitted[160];
        text_fit(fitted, sizeof fitted, canvas->scene->profile->device_name, room, CUT_END, canvas->state->ascii);
        x = canvas_text(canvas, rect, 0, 1, fitted, plain(ROLE_DIM));
    }
    x += x > 0;
    put_pieces(canvas, rect, rect.width - width > x ? rect.width - width : x, 1, &second);
}
