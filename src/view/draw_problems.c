/* Problems: a row for all changes together, a row a finding, and beside or below them all about the selected one. */
#include <stdio.h>

#include "core/fix_words.h"
#include "core/units.h"
#include "draw.h"
#include "text.h"
#include "view_problems.h"
#include "voice.h"

#define SIDE_BY_SIDE 150    /* columns from which the detail stands beside the list */
#define DETAIL_ROWS 9       /* below it otherwise, title included */
#define LIST_LEAST 4
#define WORDS_LEAST 24      /* columns from which the beginning of a sentence is worth showing */
#define LABEL 8             /* columns of a label in the detail */
#define COLUMNS_MOST 150    /* longer lines are hard to read */

struct problems_panes { struct rect list, detail; };

static struct problems_panes lay_out(struct rect body) {
    struct problems_panes panes = { body, body };
    if (body.width >= SIDE_BY_SIDE) {
        panes.list.width = body.width * 11 / 20;
        panes.detail.x += panes.list.width + 1;
        panes.detail.width -= panes.list.width + 1;
        return panes;
    }
    panes.detail.height = body.height > DETAIL_ROWS + LIST_LEAST + 12 ? DETAIL_ROWS + 3
                        : body.height >= DETAIL_ROWS + LIST_LEAST     ? DETAIL_ROWS
                        : body.height > LIST_LEAST                    ? body.height - LIST_LEAST
                                                                      : 0;
    panes.list.height -= panes.detail.height;
    panes.detail.y += panes.list.height;
    return panes;
}

uint32_t problems_list_rows(const struct view_state *state, uint32_t layer_count) {
    const int rows = lay_out(panes_make(state, layer_count).body).list.height - 1; /* its title */
    return rows > 0 ? (uint32_t)rows : 0;
}

/* ---- the list ------------------------------------------------------------------------------------------------- */

/* Columns of a row. */
enum { COLUMN_FIX = 2, COLUMN_SEVERITY = 6, COLUMN_RULE = 8, COLUMN_PLACE = 29, COLUMN_GAIN_END = 66, COLUMN_WORDS = 68 };

static void say_place(struct words *words, const struct canvas *canvas, const struct check *check,
                      const struct finding *finding) {
    const struct place *place = &finding->place;
    (void)canvas;
    if (place->step != NONE)
        words_event(words, &check->timeline, (struct event){ LANE_COMPUTE, place->step });
    else if (place->entry != NULL || place->tensor != NONE)
        words_name(words, "", place->entry != NULL ? place->entry : check->timeline.profile->tensors[place->tensor].name, "");
    else if (place->op != NONE)
        words_name(words, "layer ", check->timeline.profile->layers[place->layer].name, "");
    else
        words_add(words, "the plan");
}

/* What the fix does to the step: "-1.20 ms", "fits". */
static void say_gain(struct words *words, const struct check *check, const struct fix *fix) {
    if (fix == NULL)
        words_add(words, "no fix");
    else if (!check->timeline.totals.feasible || check->findings.of[SEVERITY_ERROR] > 0)
        words_add(words, fix->fits ? "fits" : "mends this");
    else
        words_gain(words, fix, fix->step_change_us < 0);
}

static void draw_row_text(const struct canvas *canvas, struct rect rect, int x, int y, int columns, const char *text,
                          enum text_cut cut, struct style style) {
    char fitted[512];
    if (columns < 1)
        return;
    canvas_text(canvas, rect, x, y, text_fit(fitted, sizeof fitted, text, columns, cut, canvas->state->ascii), style);
}

static struct style style_of(const struct canvas *canvas, enum role role, bool selected) {
    struct style style = plain(role);
    style.attributes |= canvas->stale | (selected ? CELL_SELECTED : 0);
    return style;
}

/* A click on the row selects it. */
static void draw_mark(const struct canvas *canvas, struct rect rect, int y, uint32_t row, bool selected) {
    canvas_link(canvas, rect, 0, rect.width, y, DO_open, row);
    if (selected)
        canvas_text(canvas, rect, 0, y, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
}

static void draw_number(const struct canvas *canvas, struct rect rect, int y, uint32_t n) {
    char text[8];
    if (n >= FIXES_BY_KEY)
        return;
    snprintf(text, sizeof text, "M-%u", (unsigned)n + 1);
    canvas_text(canvas, rect, COLUMN_FIX, y, text, plain(ROLE_KEY));
    canvas_link(canvas, rect, COLUMN_FIX, COLUMN_FIX + 3, y, (enum ui_action)(DO_fix_1 + n), NONE);
}

static void draw_finding(const struct canvas *canvas, struct rect rect, int y, const struct problems *problems,
                         uint32_t row, bool selected) {
    const struct finding *finding = &problems->check.findings.finding[row - 1];
    const struct rule *rule = &RULE_TABLE[finding->rule];
    const bool error = rule->severity == SEVERITY_ERROR;
    const uint32_t n = problems_fix_number(problems, finding);
    struct words place, gain;
    words_start(&place, screen_voice(canvas->state->ascii));
    say_place(&place, canvas, &problems->check, finding);
    words_start(&gain, screen_voice(canvas->state->ascii));
    say_gain(&gain, &problems->check, finding->fix);
    draw_mark(canvas, rect, y, row, selected);
    draw_number(canvas, rect, y, n);
    const int gain_end = rect.width < COLUMN_GAIN_END ? rect.width : COLUMN_GAIN_END;
    canvas_text(canvas, rect, COLUMN_SEVERITY, y, error ? "E" : "W", style_of(canvas, error ? ROLE_BAD : ROLE_WARNING, selected));
    const int gain_begin = gain_end - text_width(gain.text);
    const int rule_end = gain_begin < COLUMN_PLACE ? gain_begin : COLUMN_PLACE;
    draw_row_text(canvas, rect, COLUMN_RULE, y, rule_end - 1 - COLUMN_RULE, rule->id, CUT_END, style_of(canvas, ROLE_TEXT, selected));
    draw_row_text(canvas, rect, COLUMN_PLACE, y, gain_end - 13 - COLUMN_PLACE, place.text, CUT_MIDDLE, style_of(canvas, ROLE_LABEL, selected));
    canvas_text_right(canvas, rect, gain_end, y, gain.text,
                      style_of(canvas, n != NONE ? ROLE_GOOD : ROLE_DIM, selected));
    if (rect.width >= COLUMN_WORDS + WORDS_LEAST)
        draw_row_text(canvas, rect, COLUMN_WORDS, y, rect.width - COLUMN_WORDS - 1, finding->words, CUT_END,
                      style_of(canvas, ROLE_DIM, selected));
}

/* The first row: all changes together. */
static void say_all(struct words *words, const struct canvas *canvas, const struct problems *problems) {
    struct budget_choice least;
    char text[UNIT_TEXT];
    if (problems == NULL || !problems->all_known) {
        words_add(words, "the smallest set of changes is being looked for");
        return;
    }
    const struct mended *mended = &problems->mended;
    if (!mended->fits && fix_budget(canvas->state, canvas->scene, &least))
        words_add(words, "no plan fits: Enter turns the budget up to the least, %s",
                  format_bytes(text, canvas->scene->limits.least_bytes));
    else if (!mended->fits)
        words_add(words, "no change was found that makes the plan fit");
    else if (mended->count == 0)
        words_add(words, "nothing to change");
    else
        words_add(words, "all together: %u change%s, step %s", (unsigned)mended->count, plural(mended->count),
                  format_time(text, mended->after.step_us));
    if (mended->fits && mended->count > 0 && mended->before.feasible)
        words_add(words, " (%s)", format_time_change(text, mended->after.step_us - mended->before.step_us));
}

static void draw_all_row(const struct canvas *canvas, struct rect rect, int y, const struct problems *problems,
                         bool selected) {
    struct budget_choice least;
    const bool lacks = problems != NULL && problems->all_known && !problems->mended.fits &&
                       fix_budget(canvas->state, canvas->scene, &least);
    const bool helps = lacks || (problems != NULL && problems->all_known && problems->mended.fits && problems->mended.count > 0);
    struct words words;
    words_start(&words, screen_voice(canvas->state->ascii));
    say_all(&words, canvas, problems);
    draw_mark(canvas, rect, y, 0, selected);
    draw_row_text(canvas, rect, COLUMN_RULE, y, rect.width - COLUMN_RULE - 1, words.text, CUT_END,
                  style_of(canvas, helps ? ROLE_GOOD : ROLE_TEXT, selected));
}

static void title_of_list(const struct problems *problems, const char *message, char *text, size_t size) {
    if (problems == NULL) {
        snprintf(text, size, "%s", message[0] != '\0' ? message : "looking at the plan");
        return;
    }
    const uint32_t *of = problems->check.findings.of;
    if (problems->check.findings.count == 0)
        snprintf(text, size, "no problems: no single change shortens the step");
    else
        snprintf(text, size, "%u error%s, %u warning%s", (unsigned)of[SEVERITY_ERROR], plural(of[SEVERITY_ERROR]),
                 (unsigned)of[SEVERITY_WARNING], plural(of[SEVERITY_WARNING]));
}

static void draw_list(const struct canvas *canvas, struct rect rect, const struct problems *problems) {
    const struct problems_state *state = &canvas->state->problems;
    const uint32_t rows = problems != NULL ? problems->check.findings.count + 1 : 1;
    char title[256], right[40] = "";
    if (rect.height < 1)
        return;
    title_of_list(problems, canvas->scene->study[STUDY_problems].message, title, sizeof title);
    if (rows > (uint32_t)rect.height)
        snprintf(right, sizeof right, "%u of %u", (unsigned)state->row + 1, (unsigned)rows);
    canvas_title(canvas, rect, title, right, true,
                 problems != NULL && problems->check.findings.of[SEVERITY_ERROR] > 0 ? ROLE_BAD : ROLE_TITLE);
    for (int y = 1; y < rect.height; y++) {
        const uint32_t row = state->top + (uint32_t)y - 1;
        if (row >= rows)
            break;
        if (row == 0)
            draw_all_row(canvas, rect, y, problems, state->row == 0);
        else
            draw_finding(canvas, rect, y, problems, row, state->row == row);
    }
}

/* ---- the detail ----------------------------------------------------------------------------------------------- */

/* Writes TEXT on lines from *Y on, wrapped, behind LABEL. */
static void draw_paragraph(const struct canvas *canvas, struct rect rect, int *y, const char *label, const char *text,
                           enum role role) {
    const int columns = rect.width - LABEL - 1;
    const struct rect room = { rect.x + LABEL, rect.y + *y, columns < COLUMNS_MOST ? columns : COLUMNS_MOST, rect.height - *y };
    if (columns < 8)
        return;
    canvas_text(canvas, rect, 0, *y, label, plain(ROLE_DIM));
    *y += canvas_wrapped(canvas, room, text, plain(role));
}

static void draw_finding_detail(const struct canvas *canvas, struct rect rect, const struct problems *problems,
                                const struct finding *finding) {
    const struct rule *rule = &RULE_TABLE[finding->rule];
    struct words words;
    char title[256];
    int y = 1;
    snprintf(title, sizeof title, "%s: the plan %s", rule->id, rule->title);
    canvas_title(canvas, rect, title, "", false, rule->severity == SEVERITY_ERROR ? ROLE_BAD : ROLE_TITLE);
    draw_paragraph(canvas, rect, &y, "what", finding->words, ROLE_TEXT);
    if (finding->fix != NULL && finding->fix->count > 0) {
        words_start(&words, screen_voice(canvas->state->ascii));
        words_fix(&words, problems->check.timeline.profile, finding->fix);
        draw_paragraph(canvas, rect, &y, "fix", words.text, problems_fix_number(problems, finding) != NONE ? ROLE_GOOD : ROLE_TEXT);
    } else {
        draw_paragraph(canvas, rect, &y, "fix", "no single change was found that mends this", ROLE_DIM);
    }
    draw_paragraph(canvas, rect, &y, "rule", rule->explanation, ROLE_DIM);
}

#define CHANGE_COLUMNS 50   /* the longest name that the voice leaves, and what becomes of it */

/* The diff: a change a line, in columns where there is room. */
static void draw_changes(const struct canvas *canvas, struct rect rect, int y, const struct problems *problems) {
    const struct mended *mended = &problems->mended;
    const int rows = rect.height - y, columns = rect.width >= 2 * CHANGE_COLUMNS ? rect.width / CHANGE_COLUMNS : 1;
    const uint32_t room = rows > 0 ? (uint32_t)(rows * columns) : 0;
    for (uint32_t i = 0; i < mended->count && i < room; i++) {
        struct words words;
        const int column = (int)(i / (uint32_t)rows), row = (int)(i % (uint32_t)rows);
        words_start(&words, screen_voice(canvas->state->ascii));
        if (i + 1 == room && mended->count > room)
            words_add(&words, "and %u more", (unsigned)(mended->count - i));
        else
            words_change(&words, problems->check.timeline.profile, &mended->change[i]);
        draw_row_text(canvas, rect, 2 + column * CHANGE_COLUMNS, y + row, CHANGE_COLUMNS - 2, words.text, CUT_END, plain(ROLE_TEXT));
    }
}

static void draw_all_detail(const struct canvas *canvas, struct rect rect, const struct problems *problems) {
    struct words words;
    int y = 1;
    words_start(&words, screen_voice(canvas->state->ascii));
    say_all(&words, canvas, problems);
    canvas_title(canvas, rect, "the changes together", "", false, ROLE_TITLE);
    if (problems == NULL || !problems->all_known || !problems->mended.fits || problems->mended.count == 0) {
        draw_paragraph(canvas, rect, &y, "", words.text, ROLE_DIM);
        return;
    }
    draw_paragraph(canvas, rect, &y, "", "Enter applies them all; each has been simulated with the ones before it.", ROLE_DIM);
    draw_changes(canvas, rect, y, problems);
}

void draw_problems(const struct canvas *canvas) {
    const struct problems_panes panes = lay_out(canvas->panes.body);
    const struct problems *problems = problems_shown(canvas->state, canvas->scene, NULL);
    const uint32_t row = canvas->state->problems.row;
    draw_list(canvas, panes.list, problems);
    if (panes.detail.height < 2)
        return;
    if (problems == NULL || row == 0 || row > problems->check.findings.count)
        draw_all_detail(canvas, panes.detail, problems);
    else
        draw_finding_detail(canvas, panes.detail, problems, &problems->check.findings.finding[row - 1]);
}
