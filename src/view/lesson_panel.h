/* lesson_panel: what the panel of a lesson says, as plain data, and how it is broken into lines. Private to the view room. */
#ifndef SLACKSWAP_VIEW_LESSON_PANEL_H
#define SLACKSWAP_VIEW_LESSON_PANEL_H

#include "core/lesson_play.h"
#include "state.h"

struct panel_answer {
    const char *text;
    bool picked, right; /* right: known only once it is revealed */
};
struct lesson_panel {
    const char *title;        /* of the lesson */
    uint32_t number;          /* in the list, from 1 */
    uint32_t step, steps;     /* from 1 */
    uint8_t phase;            /* enum lesson_phase */
    const char *text, *ask, *verdict, *why; /* "" where there is nothing to say */
    uint8_t verdict_kind;     /* enum lesson_verdict */
    struct panel_answer answer[LESSON_ANSWERS_MOST];
    uint32_t answers;
    struct lesson_score score;
};

/* What STATE's lesson says on its page; texts live in ARENA. False where there is no lesson, or memory is short. */
bool lesson_panel_make(const struct view_state *state, struct arena *arena, struct lesson_panel *out);

enum panel_line_kind { PANEL_BLANK, PANEL_TEXT, PANEL_ASK, PANEL_ANSWER, PANEL_VERDICT, PANEL_WHY };
struct panel_line {
    uint8_t kind;             /* enum panel_line_kind */
    const char *text;         /* LENGTH bytes of it */
    size_t length;
    uint8_t answer;           /* PANEL_ANSWER: which */
    bool first;               /* … and whether its letter stands here */
    bool pair;                /* … and the answer behind it stands beside it */
};
#define PANEL_LINES 256
struct panel_lines {
    struct panel_line line[PANEL_LINES];
    int count;
};
/* For WIDTH x HEIGHT: all that was said on the step so far, airy if there is room; else only what is new on the page, which may
 * take more lines than HEIGHT. */
void lesson_panel_wrap(const struct lesson_panel *panel, int width, int height, struct panel_lines *out);

#define PANEL_ANSWER_INDENT 4 /* "  a " before an answer's words */
/* How many parts the page has in a panel of ROWS rows of text, at least one. */
uint32_t lesson_panel_parts(const struct panel_lines *lines, int rows);
/* The same for STATE as it is laid out. */
uint32_t lesson_parts(const struct view_state *state, uint32_t layer_count);

/* Whether a page has room, too, for the question or task that belongs to its text. */
bool lesson_page_holds_all(const struct view_state *state, uint32_t layer_count);

/* Whether the page points at PLACE. */
bool lesson_points_at(const struct view_state *state, enum lesson_place_id place);

#endif
