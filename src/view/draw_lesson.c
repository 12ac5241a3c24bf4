/* The panel of a lesson, below the body or beside it; one line while the learner looks around. */
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "lesson_panel.h"
#include "text.h"

/* ---- away ---- */

static void draw_away(const struct canvas *canvas, struct rect rect, const struct lesson_panel *panel) {
    char text[160], fitted[160];
    struct style style = { ROLE_LABEL, ROLE_HIGHLIGHT, 0 };
    snprintf(text, sizeof text, " lesson %u, step %u of %u: look around; ", (unsigned)panel->number, (unsigned)panel->step,
             (unsigned)panel->steps);
    int from = canvas_text(canvas, rect, 0, 0, text_fit(fitted, sizeof fitted, text, rect.width, CUT_END, canvas->state->ascii), style);
    int x = canvas_text(canvas, rect, from, 0, "L", style);
    x = canvas_text(canvas, rect, x, 0, " comes back ", style);
    canvas_link(canvas, rect, 0, x, 0, DO_lessons, NONE);
}

/* ---- the page ---- */

static const char *ordinal(const struct canvas *canvas, const struct panel_answer *answer, bool over) {
    if (!over)
        return " ";
    return answer->right    ? canvas_symbol(canvas, SYMBOL_RIGHT)
           : answer->picked ? canvas_symbol(canvas, SYMBOL_WRONG)
                            : " ";
}

static void draw_answer(const struct canvas *canvas, struct rect rect, int y, const struct lesson_panel *panel, uint32_t i,
                        const char *text, bool first) {
    const struct panel_answer *answer = &panel->answer[i];
    bool over = panel->phase == LESSON_REVEAL;
    enum role role = over ? (answer->right ? ROLE_GOOD : answer->picked ? ROLE_BAD : ROLE_DIM) : ROLE_TEXT;
    char letter[2] = { (char)('a' + i), '\0' };
    if (first) {
        canvas_text(canvas, rect, 0, y, ordinal(canvas, answer, over), plain(role));
        canvas_text(canvas, rect, 2, y, letter, plain(over ? role : ROLE_KEY));
    }
    int end = canvas_text(canvas, rect, PANEL_ANSWER_INDENT, y, text, plain(role));
    if (!over)
        canvas_link(canvas, rect, 0, end, y, (enum ui_action)(DO_answer_a + i), NONE);
}

static enum role line_role(const struct lesson_panel *panel, uint8_t kind) {
    if (kind == PANEL_ASK)
        return panel->phase == LESSON_ASK || panel->phase == LESSON_TASK ? ROLE_TITLE : ROLE_TEXT;
    if (kind != PANEL_VERDICT)
        return ROLE_TEXT;
    return panel->verdict_kind == VERDICT_RIGHT   ? ROLE_GOOD
           : panel->verdict_kind == VERDICT_WRONG ? ROLE_BAD
                                                  : ROLE_WARNING;
}

static void draw_line(const struct canvas *canvas, struct rect rect, int y, const struct lesson_panel *panel,
                      const struct panel_line *line) {
    char text[1024];
    snprintf(text, sizeof text, "%.*s", (int)line->length, line->text);
    if (line->kind != PANEL_ANSWER) {
        canvas_text(canvas, rect, 0, y, text, plain(line_role(panel, line->kind)));
        return;
    }
    draw_answer(canvas, rect, y, panel, line->answer, text, line->first);
    if (line->pair) {
        struct rect right = { rect.x + rect.width / 2, rect.y, rect.width - rect.width / 2, rect.height };
        draw_answer(canvas, right, y, panel, line->answer + 1u, panel->answer[line->answer + 1].text, true);
    }
}

/* "step 2 of 7 · 1 of 3 right": what the panel's rule has at its end. */
static void note(const struct canvas *canvas, const struct lesson_panel *panel, uint32_t part, uint32_t parts, char *text,
                 size_t size) {
    const char *dot = canvas_symbol(canvas, SYMBOL_DOT);
    size_t length = 0;
    if (panel->phase == LESSON_END)
        length += (size_t)snprintf(text, size, "the end");
    else
        length += (size_t)snprintf(text, size, "step %u of %u", (unsigned)panel->step, (unsigned)panel->steps);
    if (panel->score.of > 0 && length < size)
        length += (size_t)snprintf(text + length, size - length, " %s %u of %u right", dot, (unsigned)panel->score.earned,
                                   (unsigned)panel->score.of);
    if (parts > 1 && length < size)
        snprintf(text + length, size - length, " %s page %u/%u", dot, (unsigned)part + 1, (unsigned)parts);
}

/* Below the body one row; beside it a second one, for the note. */
static void draw_title(const struct canvas *canvas, struct rect rect, const struct lesson_panel *panel, uint32_t part,
                       uint32_t parts) {
    char title[160], right[96];
    bool beside = canvas->panes.lesson_beside;
    note(canvas, panel, part, parts, right, sizeof right);
    bool named = beside || text_width(right) + text_width(panel->title) + 20 <= rect.width;
    snprintf(title, sizeof title, named ? "lesson %u: %s" : "lesson %u", (unsigned)panel->number, panel->title);
    if (beside && text_width(title) + 6 > rect.width)
        snprintf(title, sizeof title, "%s", panel->title);
    canvas_title(canvas, rect, title, !beside && text_width(right) + 16 <= rect.width ? right : "", false, ROLE_HIGHLIGHT);
    if (!beside)
        return;
    for (int y = 1; y < rect.height; y++)
        canvas_text(canvas, rect, 0, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), plain(ROLE_RULE));
    canvas_text(canvas, rect, 2, 1, right, plain(ROLE_DIM));
}

void draw_lesson(const struct canvas *canvas) {
    struct rect rect = canvas->panes.lesson, text = canvas->panes.lesson_text;
    struct arena arena = { 0 };
    struct lesson_panel panel;
    struct panel_lines lines;
    if (rect.height < 1 || rect.width < 1 || !lesson_panel_make(canvas->state, &arena, &panel)) {
        arena_free(&arena);
        return;
    }
    if (canvas->state->lesson.away) {
        draw_away(canvas, rect, &panel);
        arena_free(&arena);
        return;
    }
    lesson_panel_wrap(&panel, text.width, text.height, &lines);
    uint32_t parts = lesson_panel_parts(&lines, text.height), part = canvas->state->lesson.part;
    part = part < parts ? part : parts - 1;
    draw_title(canvas, rect, &panel, part, parts);
    int first = (int)part * text.height;
    for (int y = 0; y < text.height && first + y < lines.count; y++)
        draw_line(canvas, text, y, &panel, &lines.line[first + y]);
    arena_free(&arena);
}
