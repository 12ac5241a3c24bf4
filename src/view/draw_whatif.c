/* What-if: two curves, a map, and words. Where there is no room for all, the pane that has the keys stands alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "draw_batches.h"
#include "draw_chart.h"
#include "text.h"
#include "whatif_words.h"

#define GUTTER 9         /* columns left of a curve: times */
#define MARGIN 9         /* right of it: percent of ideal */
#define MAP_GUTTER 15    /* left of the map: budgets, in percent too where there is room */
#define MAP_GUTTER_NARROW 10
#define TOP_MOST 3.0     /* times the ideal step: what is slower lies on the upper edge */
#define WORDS_WIDTH 40   /* columns that the words want, labels within */
#define LABEL 9

struct whatif_panes { struct rect curve[2], map, words; };

/* The body is quartered: curves above, map and words below. Wide screens give all three a column, high ones the words too. */
static struct whatif_panes lay_out(const struct canvas *canvas) {
    const struct rect body = canvas->panes.body;
    struct whatif_panes panes = { .map = { body.x, body.y, body.width, 0 } };
    if (body.width < 2 * WORDS_WIDTH || body.height < 16) {
        const int words = body.height >= 12 ? 5 : body.height >= 8 ? 2 : 0;
        struct rect all = { body.x, body.y, body.width, body.height - words };
        panes.words = (struct rect){ body.x, body.y + all.height, body.width, words };
        if (canvas->state->whatif.pane == WHATIF_PANE_BATCH) /* which is drawn where the words are */
            panes.words = body;
        else
            *(canvas->state->whatif.pane == WHATIF_PANE_MAP ? &panes.map
              : &panes.curve[canvas->state->whatif.pane == WHATIF_PANE_BUDGET ? WHATIF_BUDGET : WHATIF_RATE]) = all;
        return panes;
    }
    const int left = body.width / 2, upper = body.height <= 2 * (WHATIF_MAP_BUDGETS + 2) ? body.height * 9 / 20
                                                                                       : body.height - WHATIF_MAP_BUDGETS - 3;
    panes.curve[WHATIF_BUDGET] = (struct rect){ body.x, body.y, left, upper };
    panes.curve[WHATIF_RATE] = (struct rect){ body.x + left, body.y, body.width - left, upper };
    panes.map = (struct rect){ body.x, body.y + upper, left, body.height - upper };
    panes.words = (struct rect){ body.x + left, body.y + upper, body.width - left, body.height - upper };
    return panes;
}

/* ---- a curve ---- */

struct scale {
    const struct whatif_curve *curve;
    bool bound;               /* the bound's line rather than the plan's */
    bool logarithmic;
    double from, to;          /* of the axis */
    double low_us, high_us;
};

static double along(const struct scale *scale, double at) {
    return scale->logarithmic ? log(at / scale->from) / log(scale->to / scale->from)
                              : (at - scale->from) / (scale->to - scale->from);
}

/* The line's height at point I; NAN where it has none there. */
static double height(const struct scale *scale, const struct whatif_point *point) {
    if (!point->known || (!scale->bound && !point->fits) || !(point->bound_us > 0))
        return NAN;
    return ((scale->bound ? point->bound_us : point->step_us) - scale->low_us) / (scale->high_us - scale->low_us);
}

/* Straight between the two known points on either side. */
static double value_at(const void *context, double x) {
    const struct scale *scale = context;
    const struct whatif_curve *curve = scale->curve;
    double left = NAN, right = NAN, left_x = 0, right_x = 0;
    for (uint32_t i = 0; i < curve->count; i++) {
        const double at = curve->count > 1 ? along(scale, curve->point[i].at) : 0;
        if (!curve->point[i].known)
            continue;
        if (at <= x + 1e-9) {
            left = height(scale, &curve->point[i]);
            left_x = at;
        }
        if (at >= x - 1e-9) {
            right = height(scale, &curve->point[i]);
            right_x = at;
            break;
        }
    }
    return right_x - left_x > 1e-9 ? left + (right - left) * (x - left_x) / (right_x - left_x) : left;
}

static struct scale scale_make(const struct whatif_curve *curve, enum whatif_axis axis) {
    struct scale scale = { .curve = curve, .logarithmic = axis == WHATIF_RATE, .low_us = curve->ideal_us,
                           .from = curve->point[0].at, .to = curve->point[curve->count - 1].at };
    scale.high_us = curve->ideal_us * 1.01;
    for (uint32_t i = 0; i < curve->count; i++)
        if (curve->point[i].known && curve->point[i].fits && curve->point[i].step_us > scale.high_us)
            scale.high_us = fmin(curve->point[i].step_us, TOP_MOST * curve->ideal_us);
    if (!(scale.high_us > scale.low_us))
        scale.high_us = scale.low_us + 1;
    if (!(scale.to > scale.from))
        scale.to = scale.from + 1;
    return scale;
}

static void draw_heights(const struct canvas *canvas, struct rect rect, struct rect plot, const struct scale *scale) {
    char text[UNIT_TEXT];
    const int rows[] = { 0, plot.height / 2, plot.height - 1 };
    for (int i = 0; i < 3; i++) {
        const double share = plot.height > 1 ? 1 - (double)rows[i] / (plot.height - 1) : 0;
        const double us = scale->low_us + share * (scale->high_us - scale->low_us);
        if (i == 1 && plot.height < 5)
            continue;
        canvas_text_right(canvas, rect, GUTTER - 1, 1 + rows[i], format_time(text, us), plain(ROLE_DIM));
        canvas_text_right(canvas, rect, rect.width - MARGIN + 7, 1 + rows[i],
                          format_percent(text, us > 0 ? scale->low_us / us : 1), plain(ROLE_DIM));
    }
}

static int column_of(const struct scale *scale, struct rect plot, double at) {
    return (int)lround(along(scale, at) * (plot.width - 1));
}

/* Below the curve: both ends, where the knob stands, and the knees. */
static void draw_axis(const struct canvas *canvas, struct rect rect, struct rect plot, const struct scale *scale,
                      enum whatif_axis axis) {
    char text[UNIT_TEXT];
    const int y = rect.height - 1;
    const struct rect line = { plot.x, rect.y + y, plot.width, 1 };
    if (axis == WHATIF_BUDGET)
        format_bytes(text, (uint64_t)scale->from);
    else
        snprintf(text, sizeof text, "%.3g", scale->from); /* the unit stands at the other end */
    canvas_text_right(canvas, rect, GUTTER - 1, y, text, plain(ROLE_DIM));
    whatif_format_at(text, axis, scale->to);
    canvas_text(canvas, rect, rect.width - MARGIN + (text_width(text) < MARGIN), y, text, plain(ROLE_DIM));
    grid_fill(canvas->grid, line, canvas_symbol(canvas, SYMBOL_DOT), plain(ROLE_DIM));
    for (int kind = 0; kind < KNEE_COUNT; kind++)
        if (scale->curve->knee[kind].place == KNEE_AT)
            canvas_text(canvas, line, column_of(scale, plot, scale->curve->knee[kind].at), 0,
                        canvas_symbol(canvas, SYMBOL_KNEE), plain(kind == KNEE_FREE ? ROLE_GOOD : ROLE_RECOMPUTE));
    const double knob = whatif_knob(canvas->state, canvas->scene, axis);
    if (knob >= scale->from && knob <= scale->to)
        canvas_text(canvas, line, column_of(scale, plot, knob), 0, canvas_symbol(canvas, SYMBOL_KNOB_HERE),
                    plain(ROLE_KNOB));
}

static void draw_cursor(const struct canvas *canvas, struct rect plot, const struct scale *scale, enum whatif_axis axis) {
    const uint32_t i = whatif_cursor(canvas->state, canvas->scene, axis, scale->curve);
    const int x = column_of(scale, plot, scale->curve->point[i].at);
    for (int y = 0; y < plot.height; y++) {
        struct cell *cell = grid_at(canvas->grid, plot.x + x, plot.y + y);
        if (cell->style.role == ROLE_KNOB || cell->style.role == ROLE_LABEL)
            cell->style.attributes |= CELL_SELECTED;
        else
            canvas_text(canvas, plot, x, y, canvas_glyph(canvas, ROLE_CURSOR), plain(ROLE_CURSOR));
    }
}

/* A click on a column moves the cursor to its nearest point; one on the cursor takes it, as Enter does. */
static void link_columns(const struct canvas *canvas, struct rect plot, const struct scale *scale,
                         enum whatif_axis axis) {
    const struct whatif_curve *curve = scale->curve;
    const enum whatif_pane pane = axis == WHATIF_BUDGET ? WHATIF_PANE_BUDGET : WHATIF_PANE_RATE;
    const uint32_t cursor = whatif_cursor(canvas->state, canvas->scene, axis, curve);
    uint32_t nearest = 0;
    for (int x = 0; x < plot.width; x++) {
        while (nearest + 1 < curve->count && abs(column_of(scale, plot, curve->point[nearest + 1].at) - x)
                                                 <= abs(column_of(scale, plot, curve->point[nearest].at) - x))
            nearest++;
        const bool take = nearest == cursor && canvas->state->whatif.pane == pane;
        grid_link(canvas->grid, (struct rect){ plot.x + x, plot.y, 1, plot.height }, take ? DO_open : DO_point_next,
                  whatif_item(pane, nearest));
    }
}

static uint32_t points_known(const struct whatif_curve *curve) {
    uint32_t known = 0;
    for (uint32_t i = 0; i < curve->count; i++)
        known += curve->point[i].known;
    return known;
}

static const char *progress(const struct canvas *canvas, char *text, size_t size, uint32_t known, uint32_t count,
                            bool complete) {
    if (complete)
        text[0] = '\0';
    else if (known < count)
        snprintf(text, size, "%u of %u", (unsigned)known, (unsigned)count);
    else
        snprintf(text, size, "knees%s", canvas_symbol(canvas, SYMBOL_MORE));
    return text;
}

static void draw_curve(const struct canvas *canvas, struct rect rect, enum whatif_axis axis) {
    bool complete;
    const struct whatif_curve *curve = whatif_shown_curve(canvas->state, canvas->scene, axis, &complete);
    const bool selected = canvas->state->whatif.pane == (axis == WHATIF_BUDGET ? WHATIF_PANE_BUDGET : WHATIF_PANE_RATE);
    char text[48];
    if (rect.height < 2)
        return;
    progress(canvas, text, sizeof text, curve != NULL ? points_known(curve) : 0, curve != NULL ? curve->count : 1,
             curve != NULL && complete);
    canvas_title(canvas, rect, axis == WHATIF_BUDGET ? "step against budget" : "step against PCIe", text, selected,
                 ROLE_TITLE);
    const struct rect plot = { rect.x + GUTTER, rect.y + 1, rect.width - GUTTER - MARGIN, rect.height - 2 };
    if (curve == NULL || curve->count == 0 || points_known(curve) == 0 || plot.height < 1 || plot.width < 4)
        return;
    const struct scale plan = scale_make(curve, axis);
    struct scale bound = plan;
    bound.bound = true;
    const struct chart_line lines[] = { { value_at, &bound, ROLE_LABEL, "." }, { value_at, &plan, ROLE_KNOB, "*" } };
    draw_heights(canvas, rect, plot, &plan);
    draw_chart(canvas, plot, lines, 2);
    draw_cursor(canvas, plot, &plan, axis);
    draw_axis(canvas, rect, plot, &plan, axis);
    link_columns(canvas, plot, &plan, axis);
}

/* ---- the map ---- */

/* A letter for each planner; a capital where its plan is free. */
static char letter_of(const char *planner, bool is_free) {
    static const struct { const char *name; char letter; } LETTERS[] = {
        { "keep", 'k' }, { "offload", 'o' }, { "offload-first-n", 'n' }, { "checkpoint", 'c' }, { "sqrt", 'q' },
        { "selective", 'e' }, { "recompute", 'r' }, { "slackswap-rule", 'u' }, { "capuchin", 'a' }, { "slackswap", 's' },
    };
    for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++)
        if (strcmp(LETTERS[i].name, planner) == 0)
            return (char)(is_free ? LETTERS[i].letter - 'a' + 'A' : LETTERS[i].letter);
    return '?';
}

/* Of STRIDE rows of the map one is shown where there is no room for all: the cursor's, or the first. */
static uint32_t shown_row(uint32_t y, uint32_t stride, uint32_t cursor) {
    return cursor / stride == y ? cursor : y * stride;
}

static void draw_cell(const struct canvas *canvas, struct rect rect, int x, int y, const struct whatif_map *map,
                      uint32_t row, uint32_t column, bool selected) {
    const uint8_t winner = map->winner[row][column];
    char text[4] = "  ";
    struct style style = plain(ROLE_DIM);
    if (row * map->rate_count + column >= map->known) {
        snprintf(text, sizeof text, "%s", canvas->state->ascii ? "." : "·");
    } else if (winner == WHATIF_NOBODY) {
        snprintf(text, sizeof text, "-");
        style = plain(ROLE_BAD);
    } else {
        const bool is_free = whatif_is_free(map->step_us[row][column], map->ideal_us);
        snprintf(text, sizeof text, "%c", letter_of(PLANNERS[winner].name, is_free));
        style = plain(is_free ? ROLE_GOOD : ROLE_TEXT);
    }
    style.attributes |= canvas->stale | (selected ? CELL_SELECTED : 0);
    canvas_text(canvas, rect, x, y, text, style);
    canvas_link(canvas, rect, x, x + 1, y,
                selected && canvas->state->whatif.pane == WHATIF_PANE_MAP ? DO_open : DO_point_next,
                whatif_item(WHATIF_PANE_MAP, row * map->rate_count + column));
    if (selected && x > 0) {
        canvas_text(canvas, rect, x - 1, y, "[", plain(ROLE_CURSOR));
        canvas_text(canvas, rect, x + 1, y, "]", plain(ROLE_CURSOR));
    }
}

static void draw_map_axis(const struct canvas *canvas, struct rect rect, int y, const struct whatif_map *map,
                          int gutter, int pitch) {
    char text[16];
    int free_from = 0;
    for (uint32_t i = 0; i < map->rate_count; i++) {
        const int x = gutter + (int)i * pitch;
        snprintf(text, sizeof text, "%.3g", map->rate[i]);
        if (x < free_from || x + (int)strlen(text) > rect.width)
            continue;
        canvas_text(canvas, rect, x, y, text, plain(ROLE_DIM));
        free_from = x + (int)strlen(text) + 1;
    }
    canvas_text_right(canvas, rect, gutter - 2, y, "GB/s", plain(ROLE_DIM));
}

static void draw_map(const struct canvas *canvas, struct rect rect) {
    bool complete;
    const struct whatif_map *map = whatif_shown_map(canvas->state, canvas->scene, &complete);
    char text[64], bytes[UNIT_TEXT];
    if (rect.height < 3)
        return;
    progress(canvas, text, sizeof text, map != NULL ? map->known : 0, map != NULL ? map->budget_count * map->rate_count : 1,
             map != NULL && complete);
    canvas_title(canvas, rect, "who wins", text, canvas->state->whatif.pane == WHATIF_PANE_MAP, ROLE_TITLE);
    if (map == NULL || map->budget_count == 0)
        return;
    const uint32_t rows = (uint32_t)(rect.height - 2);
    const uint32_t cursor_row = whatif_map_cursor(canvas->state, canvas->scene, WHATIF_BUDGET, map);
    const uint32_t cursor_column = whatif_map_cursor(canvas->state, canvas->scene, WHATIF_RATE, map);
    const bool roomy = rect.width >= MAP_GUTTER + 2 * WHATIF_MAP_RATES;
    const int gutter = roomy ? MAP_GUTTER : MAP_GUTTER_NARROW;
    int pitch = (rect.width - gutter) / (int)map->rate_count;
    pitch = pitch > 5 ? 5 : pitch < 1 ? 1 : pitch;
    const uint32_t stride = (map->budget_count + rows - 1) / rows;
    const int used = (int)((map->budget_count + stride - 1) / stride);
    for (int y = 0; y < used; y++) {
        const uint32_t row = shown_row((uint32_t)y, stride, cursor_row);
        const int at = used - y; /* more memory is further up */
        const struct style style = plain(row == cursor_row ? ROLE_TEXT : ROLE_DIM);
        canvas_text_right(canvas, rect, gutter - 2, at, format_bytes(bytes, map->budget_bytes[row]), style);
        snprintf(text, sizeof text, "%3.0f%%", 100 * (double)map->budget_bytes[row]
                                                   / (double)canvas->scene->limits.unlimited_peak_bytes);
        if (roomy)
            canvas_text(canvas, rect, 0, at, text, style);
        for (uint32_t column = 0; column < map->rate_count; column++)
            draw_cell(canvas, rect, gutter + (int)column * pitch, at, map, row, column,
                      row == cursor_row && column == cursor_column);
    }
    draw_map_axis(canvas, rect, used + 1, map, gutter, pitch);
}

/* ---- words ---- */

/* Lines of words, as many as fit. */
struct page { const struct canvas *canvas; struct rect rect; int y; };

static void say(struct page *page, const char *label, const char *text, enum role role) {
    char fitted[256];
    if (page->y >= page->rect.height)
        return;
    canvas_text(page->canvas, page->rect, 1, page->y, label, plain(ROLE_DIM));
    text_fit(fitted, sizeof fitted, text, page->rect.width - LABEL, CUT_END, page->canvas->state->ascii);
    canvas_text(page->canvas, page->rect, LABEL, page->y++, fitted, plain(role));
}

static double percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : 100; }

static void say_step(struct page *page, double step_us, double ideal_us) {
    char step[UNIT_TEXT], text[128];
    snprintf(text, sizeof text, "%s, %.2f%% of ideal", format_time(step, step_us), percent_of(ideal_us, step_us));
    say(page, "step", text, ROLE_NUMBER);
}

static void say_bound(struct page *page, bool fits, double step_us, double bound_us, double ideal_us) {
    char text[128];
    if (fits)
        snprintf(text, sizeof text, "%.2f%% of ideal, gap %.2f%%", percent_of(ideal_us, bound_us),
                 100 * fmax(0, step_us / bound_us - 1)); /* not "-0.00%" */
    else
        snprintf(text, sizeof text, "%.2f%% of ideal", percent_of(ideal_us, bound_us));
    say(page, "bound", text, ROLE_TEXT);
}

static void say_point(struct page *page, const struct whatif_point *point, double ideal_us) {
    char a[UNIT_TEXT], b[UNIT_TEXT], text[128];
    if (!point->known) {
        say(page, "", "not known yet", ROLE_DIM);
        return;
    }
    if (!point->fits) {
        snprintf(text, sizeof text, "does not fit: needs %s", format_bytes(a, point->required_bytes));
        say(page, "step", text, ROLE_BAD);
    } else {
        say_step(page, point->step_us, ideal_us);
    }
    say_bound(page, point->fits, point->step_us, point->bound_us, ideal_us);
    if (!point->fits)
        return;
    snprintf(text, sizeof text, "%s, recompute %s", format_time(a, point->stall_us),
             format_time(b, point->recompute_us));
    say(page, "stall", text, ROLE_TEXT);
    snprintf(text, sizeof text, "%s, rebuilt %s", format_bytes(a, point->offload_bytes),
             format_bytes(b, point->recompute_bytes));
    say(page, "offload", text, ROLE_TEXT);
}

static void say_knees(struct page *page, const struct whatif_curve *curve, enum whatif_axis axis) {
    char text[96];
    const char *label = axis == WHATIF_BUDGET ? "budget" : "PCIe";
    for (int kind = 0; kind < KNEE_COUNT; kind++) {
        if (kind == KNEE_FIT && axis == WHATIF_RATE)
            continue; /* whether a plan fits is no matter of the link */
        if (!whatif_knee_words(curve, axis, (enum whatif_knee_kind)kind, text, sizeof text))
            continue;
        say(page, label, text, kind == KNEE_FREE ? ROLE_GOOD : ROLE_TEXT);
        label = "";
    }
}

/* The planners that win anywhere, with their letters: "s slackswap  o offload". */
static void say_letters(struct page *page, const struct whatif_map *map) {
    uint8_t planner[64];
    const uint32_t count = whatif_map_planners(planner);
    char text[256] = "";
    const char *label = "letters";
    for (uint32_t i = 0; i < count; i++) {
        bool wins = false;
        char name[48];
        for (uint32_t cell = 0; cell < map->known && !wins; cell++)
            wins = map->winner[cell / map->rate_count][cell % map->rate_count] == planner[i];
        if (!wins)
            continue;
        snprintf(name, sizeof name, "%c %s", letter_of(PLANNERS[planner[i]].name, false), PLANNERS[planner[i]].name);
        if (text[0] != '\0' && text_width(text) + 2 + text_width(name) > page->rect.width - LABEL) {
            say(page, label, text, ROLE_TEXT);
            text[0] = '\0';
            label = "";
        }
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] != '\0' ? "  " : "", name);
    }
    if (text[0] != '\0')
        say(page, label, text, ROLE_TEXT);
    say(page, "", "capital: free; -: none fits", ROLE_DIM);
}

static void say_map(struct page *page, const struct whatif_map *map) {
    const struct canvas *canvas = page->canvas;
    const uint32_t row = whatif_map_cursor(canvas->state, canvas->scene, WHATIF_BUDGET, map);
    const uint32_t column = whatif_map_cursor(canvas->state, canvas->scene, WHATIF_RATE, map);
    if (row * map->rate_count + column >= map->known) {
        say(page, "", "not known yet", ROLE_DIM);
    } else {
        const uint8_t winner = map->winner[row][column];
        const bool fits = winner != WHATIF_NOBODY;
        const double *bound_us = whatif_shown_cell_bound(canvas->state, canvas->scene);
        say(page, "wins", fits ? PLANNERS[winner].name : "nobody: no plan fits", ROLE_NUMBER);
        if (fits)
            say_step(page, map->step_us[row][column], map->ideal_us);
        if (bound_us == NULL)
            say(page, "bound", "not known yet", ROLE_DIM);
        else if (!isnan(*bound_us))
            say_bound(page, fits, map->step_us[row][column], *bound_us, map->ideal_us);
    }
}

/* "up to 13; 18.8k tokens/s at 8": the most, and the fastest; where there is room, each batch on a line. */
static void say_batches(struct page *page, const struct whatif_batches *batches) {
    char text[96];
    say(page, "batch", batches_summary(batches, text, sizeof text), ROLE_TEXT);
    if (page->rect.height - page->y >= (int)batches->count)
        page->y += draw_batches(page->canvas, page->rect, page->y, batches);
}

/* "at 5.38 GiB (50%)", "at 25.0 GB/s", both for the map, "batches in 5.38 GiB". */
static void place_words(const struct canvas *canvas, char *text, size_t size) {
    const struct view_state *state = canvas->state;
    const enum whatif_pane pane = state->whatif.pane;
    const struct whatif_batches *batches = whatif_shown_batches(state, canvas->scene);
    const struct whatif_map *map = whatif_shown_map(state, canvas->scene, NULL);
    double at[2] = { NAN, NAN };
    char one[UNIT_TEXT];
    for (enum whatif_axis axis = WHATIF_BUDGET; axis <= WHATIF_RATE; axis++) {
        const struct whatif_curve *curve = whatif_shown_curve(state, canvas->scene, axis, NULL);
        if (pane == WHATIF_PANE_MAP && map != NULL && map->budget_count > 0)
            at[axis] = axis == WHATIF_BUDGET
                           ? (double)map->budget_bytes[whatif_map_cursor(state, canvas->scene, axis, map)]
                           : map->rate[whatif_map_cursor(state, canvas->scene, axis, map)];
        else if (pane == (axis == WHATIF_BUDGET ? WHATIF_PANE_BUDGET : WHATIF_PANE_RATE) && curve != NULL)
            at[axis] = curve->point[whatif_cursor(state, canvas->scene, axis, curve)].at;
    }
    text[0] = '\0';
    if (pane == WHATIF_PANE_BATCH && batches != NULL)
        snprintf(text, size, "batches in %s", format_bytes(one, batches->budget_bytes));
    if (!isnan(at[WHATIF_BUDGET]))
        snprintf(text, size, "at %s (%.3g%%)", format_bytes(one, (uint64_t)at[WHATIF_BUDGET]),
                 percent_of(at[WHATIF_BUDGET], (double)canvas->scene->limits.unlimited_peak_bytes));
    if (!isnan(at[WHATIF_RATE]))
        snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] != '\0' ? ", " : "at ",
                 format_rate(one, at[WHATIF_RATE]));
}

static void draw_words(const struct canvas *canvas, struct rect rect) {
    const struct view_state *state = canvas->state;
    const struct whatif_curve *curve[] = { whatif_shown_curve(state, canvas->scene, WHATIF_BUDGET, NULL),
                                           whatif_shown_curve(state, canvas->scene, WHATIF_RATE, NULL) };
    const struct whatif_map *map = whatif_shown_map(state, canvas->scene, NULL);
    const struct whatif_batches *batches = whatif_shown_batches(state, canvas->scene);
    struct page page = { canvas, rect, 1 };
    char text[96];
    if (rect.height < 2)
        return;
    place_words(canvas, text, sizeof text);
    canvas_title(canvas, rect, text[0] != '\0' ? text : "planning", "", state->whatif.pane == WHATIF_PANE_BATCH, ROLE_TITLE);
    if (state->whatif.pane == WHATIF_PANE_BATCH) {
        if (batches != NULL)
            page.y += draw_batches(canvas, rect, page.y, batches);
    } else if (state->whatif.pane == WHATIF_PANE_MAP && map != NULL) {
        say_map(&page, map);
    } else if (state->whatif.pane < WHATIF_PANE_MAP) {
        const enum whatif_axis axis = state->whatif.pane == WHATIF_PANE_BUDGET ? WHATIF_BUDGET : WHATIF_RATE;
        if (curve[axis] != NULL)
            say_point(&page, &curve[axis]->point[whatif_cursor(state, canvas->scene, axis, curve[axis])],
                      curve[axis]->ideal_us);
    }
    for (enum whatif_axis axis = WHATIF_BUDGET; axis <= WHATIF_RATE; axis++)
        if (curve[axis] != NULL)
            say_knees(&page, curve[axis], axis);
    if (map != NULL && state->whatif.pane == WHATIF_PANE_MAP)
        say_letters(&page, map);
    if (batches != NULL && state->whatif.pane != WHATIF_PANE_BATCH)
        say_batches(&page, batches);
    if (map != NULL && state->whatif.pane != WHATIF_PANE_MAP && rect.height - page.y >= 4)
        say_letters(&page, map);
}

void draw_whatif(const struct canvas *canvas) {
    const struct whatif_panes panes = lay_out(canvas);
    draw_curve(canvas, panes.curve[WHATIF_BUDGET], WHATIF_BUDGET);
    draw_curve(canvas, panes.curve[WHATIF_RATE], WHATIF_RATE);
    draw_map(canvas, panes.map);
    draw_words(canvas, panes.words);
}
