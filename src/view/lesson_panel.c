/* lesson_panel: see lesson_panel.h. */
#include "lesson_panel.h"

#include <string.h>

#include "classroom.h"
#include "layout.h"
#include "text.h"
#include "wrap.h"

/* ---- what is said ---- */

static const char *say(const struct lesson_play *play, enum lesson_part part, uint32_t index, struct arena *arena, bool *ok) {
    const char *text = lesson_play_say(play, part, index, arena);
    *ok = *ok && text != NULL;
    return text != NULL ? text : "";
}

/* What became of the learner's answer, OWN being what is said to it; or of the task. */
static const char *verdict_words(const struct lesson_panel *panel, uint32_t picked, uint32_t right, const char *own,
                                 struct arena *arena, bool *ok) {
    const bool task = panel->phase == LESSON_DONE, known = right < panel->answers;
    const char letter = (char)('a' + right), mine = (char)('a' + picked), *text = "";
    switch (panel->verdict_kind) {
    case VERDICT_WAITING: text = "Let's see."; break;
    case VERDICT_RIGHT: text = task ? "Done: the goal is reached." : arena_printf(arena, "Right.%s%s", own[0] ? " " : "", own); break;
    case VERDICT_WRONG:
        text = !known   ? "Not quite."
               : own[0] ? arena_printf(arena, "Not %c. %s It is %c.", mine, own, letter)
                        : arena_printf(arena, "Not %c: it is %c.", mine, letter);
        break;
    case VERDICT_SHOWN: text = task ? "This is one way to do it." : known ? arena_printf(arena, "It is %c.", letter) : ""; break;
    default: break;
    }
    *ok = *ok && text != NULL;
    return text != NULL ? text : "";
}

static const char *end_words(struct lesson_score score, struct arena *arena, bool *ok) {
    const char *text = score.of == 0 ? "That was the lesson."
                                     : arena_printf(arena, "That was the lesson: %u of %u at the first try.",
                                                    (unsigned)score.earned, (unsigned)score.of);
    *ok = *ok && text != NULL;
    return text != NULL ? text : "";
}

static void say_question(struct lesson_panel *panel, const struct lesson_play *play, struct arena *arena, bool *ok) {
    const struct lesson_step *step = &play->lesson->step[play->step];
    panel->ask = say(play, LESSON_PART_ASK, 0, arena, ok);
    panel->answers = step->kind == LESSON_ASKS ? step->question.answer_count : 0;
    for (uint32_t i = 0; i < panel->answers; i++)
        panel->answer[i] = (struct panel_answer){ .text = say(play, LESSON_PART_ANSWER, i, arena, ok) };
}

bool lesson_panel_make(const struct view_state *state, struct arena *arena, struct lesson_panel *out) {
    bool ok = true;
    if (!state->lesson.open)
        return false;
    const struct lesson_play *play = &state->classroom->play;
    const struct lesson_record *record = &play->record[play->step];
    *out = (struct lesson_panel){
        .title = play->lesson->title,
        .number = state->classroom->number + 1,
        .step = play->step + 1,
        .steps = play->lesson->step_count,
        .phase = play->phase,
        .text = "", .ask = "", .verdict = "", .why = "",
        .score = lesson_play_score(play),
    };
    if (play->phase == LESSON_END) {
        out->text = end_words(out->score, arena, &ok);
        out->why = "Space goes on to the next lesson, L shows them all, Escape leads back to your own work.";
        return ok;
    }
    bool over = play->phase == LESSON_REVEAL || play->phase == LESSON_DONE;
    uint32_t right = over ? lesson_play_right(play) : LESSON_ANSWERS_MOST;
    out->text = say(play, LESSON_PART_TEXT, 0, arena, &ok);
    if (play->phase == LESSON_TELL)
        return ok;
    say_question(out, play, arena, &ok);
    for (uint32_t i = 0; i < out->answers; i++) {
        out->answer[i].picked = over && record->answer == i;
        out->answer[i].right = right == i;
    }
    if (!over)
        return ok;
    out->verdict_kind = (uint8_t)lesson_play_verdict(play);
    const char *own = record->answer < out->answers ? say(play, LESSON_PART_ANSWER_WHY, record->answer, arena, &ok) : "";
    out->verdict = verdict_words(out, record->answer, right, own, arena, &ok);
    out->why = say(play, LESSON_PART_WHY, 0, arena, &ok);
    return ok;
}

/* ---- in lines ---- */

static struct panel_line *add(struct panel_lines *out, struct panel_line line) {
    if (out->count == PANEL_LINES)
        return NULL;
    out->line[out->count] = line;
    return &out->line[out->count++];
}

static void wrap(struct panel_lines *out, struct panel_line line, const char *text, int width) {
    line.first = true;
    for (const char *at = text; *at != '\0'; at += line.length, line.first = false) {
        line.text = at;
        line.length = wrap_line(at, width < 1 ? 1 : width, strlen(at));
        if (add(out, line) == NULL)
            return;
    }
}

/* How much stands in the panel: what is new; all of the step; all, parted by blank lines. */
enum manner { ONLY_NEW, ALL, ALL_AIRY };

static void part_from(struct panel_lines *out, enum manner manner) {
    if (manner == ALL_AIRY && out->count > 0)
        add(out, (struct panel_line){ .kind = PANEL_BLANK, .text = "" });
}

/* Whether answers fit two and two beside each other. */
static bool answers_pair(const struct lesson_panel *panel, int width) {
    for (uint32_t i = 0; i < panel->answers; i++)
        if (text_width(panel->answer[i].text) + PANEL_ANSWER_INDENT + 1 > width / 2)
            return false;
    return true;
}

static void wrap_answers(struct panel_lines *out, const struct lesson_panel *panel, int width, enum manner manner) {
    bool pair = manner != ALL_AIRY && answers_pair(panel, width);
    for (uint32_t i = 0; i < panel->answers; i += pair ? 2 : 1) {
        struct panel_line line = { .kind = PANEL_ANSWER, .answer = (uint8_t)i, .pair = pair && i + 1 < panel->answers };
        wrap(out, line, panel->answer[i].text, width - PANEL_ANSWER_INDENT);
    }
}

static void wrap_page(const struct lesson_panel *panel, int width, enum manner manner, struct panel_lines *out) {
    bool told = panel->phase == LESSON_TELL || panel->phase == LESSON_END, all = manner != ONLY_NEW;
    bool over = panel->phase == LESSON_REVEAL || panel->phase == LESSON_DONE;
    out->count = 0;
    if (all || told)
        wrap(out, (struct panel_line){ .kind = PANEL_TEXT }, panel->text, width);
    if (panel->ask[0] != '\0' && (all || !over)) {
        part_from(out, manner);
        wrap(out, (struct panel_line){ .kind = PANEL_ASK }, panel->ask, width);
        part_from(out, panel->answers > 0 ? manner : ONLY_NEW);
        wrap_answers(out, panel, width, manner);
    }
    if (panel->verdict[0] != '\0') {
        part_from(out, manner);
        wrap(out, (struct panel_line){ .kind = PANEL_VERDICT }, panel->verdict, width);
    }
    if (panel->why[0] != '\0') {
        part_from(out, manner);
        wrap(out, (struct panel_line){ .kind = PANEL_WHY }, panel->why, width);
    }
}

void lesson_panel_wrap(const struct lesson_panel *panel, int width, int height, struct panel_lines *out) {
    for (int manner = ALL_AIRY; manner >= ONLY_NEW; manner--) {
        wrap_page(panel, width, (enum manner)manner, out);
        if (out->count <= height)
            return;
    }
}

uint32_t lesson_panel_parts(const struct panel_lines *lines, int rows) {
    return rows < 1 || lines->count <= rows ? 1 : (uint32_t)((lines->count + rows - 1) / rows);
}

bool lesson_page_holds_all(const struct view_state *state, uint32_t layer_count) {
    const struct lesson_play *play = &state->classroom->play;
    const struct lesson_step *step = &play->lesson->step[play->step];
    const struct panes panes = panes_make(state, layer_count);
    struct arena arena = { 0 };
    struct lesson_panel panel;
    struct panel_lines lines = { .count = 0 };
    bool ok = step->kind != LESSON_TELLS && lesson_panel_make(state, &arena, &panel);
    if (ok) {
        panel.phase = LESSON_ASK;
        panel.verdict = panel.why = "";
        say_question(&panel, play, &arena, &ok);
        wrap_page(&panel, panes.lesson_text.width, ALL, &lines);
    }
    arena_free(&arena);
    return ok && lines.count <= panes.lesson_text.height;
}

uint32_t lesson_parts(const struct view_state *state, uint32_t layer_count) {
    struct arena arena = { 0 };
    struct lesson_panel panel;
    struct panel_lines lines;
    struct panes panes = panes_make(state, layer_count);
    uint32_t parts = 1;
    if (!state->lesson.away && lesson_panel_make(state, &arena, &panel)) {
        lesson_panel_wrap(&panel, panes.lesson_text.width, panes.lesson_text.height, &lines);
        parts = lesson_panel_parts(&lines, panes.lesson_text.height);
    }
    arena_free(&arena);
    return parts;
}
