/* The footer: a message, a value being typed, or the views and as many hints as fit. */
#include <stdio.h>
#include <string.h>

#include "classroom.h"
#include "draw.h"
#include "reduce.h"
#include "text.h"
#include "view_kind.h"

#define TABS_NAMED 64 /* columns from which all tabs have their names */

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
    int first_end = x + text_width(keys), from = x;
    if (ACTION_TABLE[action].pair) {
        const char *second = key_picture(canvas, (enum ui_action)(action + 1), text);
        bool run_together = (unsigned char)keys[0] >= 0x80;
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", run_together ? "" : "/", second);
    }
    if (x + text_width(keys) + 1 + text_width(words) > right)
        return x;
    x = canvas_text(canvas, rect, x, 0, keys, plain(ROLE_KEY));
    int keys_end = x;
    x = canvas_text(canvas, rect, x + 1, 0, words, plain(ROLE_DIM));
    canvas_link(canvas, rect, from, x, 0, action, NONE);
    if (ACTION_TABLE[action].pair)
        canvas_link(canvas, rect, first_end, keys_end, 0, (enum ui_action)(action + 1), NONE);
    return x + 2;
}

/* Whether WORD is one of KEYS, which blanks part. */
static bool is_among(const char *keys, const char *word, size_t length) {
    for (; *keys != '\0'; keys += strspn(keys, " ")) {
        size_t own = strcspn(keys, " ");
        if (own == length && memcmp(keys, word, length) == 0)
            return true;
        keys += own;
    }
    return false;
}

/* Whether the first key of ACTION, which holds in every view, means something else in the view at hand. */
static bool is_hidden(enum ui_action action, enum context context) {
    const char *word = ACTION_TABLE[action].keys;
    size_t length = strcspn(word, " ");
    for (int i = DO_nothing + 1; i < DO_COUNT; i++)
        if (ACTION_TABLE[i].context == context && is_among(ACTION_TABLE[i].keys, word, length))
            return true;
    return false;
}

/* "a-d answer", each letter a link of its own. */
static int draw_answers_hint(const struct canvas *canvas, struct rect rect, int x) {
    const struct lesson_play *play = &canvas->state->classroom->play;
    uint32_t answers = play->lesson->step[play->step].question.answer_count;
    for (uint32_t i = 0; i < answers; i++) {
        char letter[3] = { (char)('a' + i), i + 1 < answers ? '/' : '\0', '\0' };
        int from = x;
        x = canvas_text(canvas, rect, x, 0, letter, plain(ROLE_KEY));
        canvas_link(canvas, rect, from, from + 1, 0, (enum ui_action)(DO_answer_a + i), NONE);
    }
    return canvas_text(canvas, rect, x + 1, 0, "answer", plain(ROLE_DIM)) + 2;
}

static int last_rank(void) {
    int last = 0;
    for (int i = DO_nothing + 1; i < DO_COUNT; i++)
        last = ACTION_TABLE[i].rank > last ? ACTION_TABLE[i].rank : last;
    return last;
}

/* The hints of CONTEXT by rank, as many as fit; those that hold in all views and everywhere come along in a view. */
static int draw_hints(const struct canvas *canvas, struct rect rect, int x, int right, enum context context) {
    bool view = context_is_view(context);
    const int last = last_rank();
    for (int rank = 1; rank <= last; rank++)
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            const struct action_entry *entry = &ACTION_TABLE[i];
            bool shared = view && (entry->context == CONTEXT_ANY || entry->context == CONTEXT_VIEW);
            if (entry->rank != rank || !(entry->context == context || shared))
                continue;
            if (!shared || !is_hidden((enum ui_action)i, context))
                x = draw_hint(canvas, rect, x, right, (enum ui_action)i, entry->hint);
        }
    return x;
}

/* "1 Timeline 2 Layers …", the open one standing out; nothing while there is but one. Returns the column after. */
static int draw_tabs(const struct canvas *canvas, struct rect rect) {
    char text[KEY_TEXT];
    int x = 0;
    for (int view = 0; view < VIEW_COUNT && VIEW_COUNT > 1; view++) {
        bool open = canvas->state->view == (enum view_id)view;
        int from = x;
        bool named = open || rect.width >= TABS_NAMED;
        x = canvas_text(canvas, rect, x, 0, key_picture(canvas, VIEW_KINDS[view].open, text), plain(ROLE_KEY));
        if (named)
            x = canvas_text(canvas, rect, x + 1, 0, VIEW_TAB[view], plain(open ? ROLE_TITLE : ROLE_DIM));
        canvas_link(canvas, rect, from, x, 0, VIEW_KINDS[view].open, NONE);
        x++;
    }
    return x > 0 ? x + 1 : 0;
}

/* What the page of a lesson takes, before the keys of the view: the tabs stand back. */
static int draw_lesson_hints(const struct canvas *canvas, struct rect rect) {
    enum context page = lesson_context(canvas->state);
    uint8_t phase = canvas->state->classroom->play.phase;
    int x = 0;
    if (page == CONTEXT_QUESTION)
        x = draw_answers_hint(canvas, rect, x);
    else
        x = draw_hint(canvas, rect, x, rect.width, page == CONTEXT_TASK ? DO_lesson_solve : DO_lesson_next,
                      ACTION_TABLE[page == CONTEXT_TASK ? DO_lesson_solve : DO_lesson_next].hint);
    x = draw_hint(canvas, rect, x, rect.width, page == CONTEXT_TASK ? DO_lesson_retell : DO_lesson_back, "back");
    x = draw_hint(canvas, rect, x, rect.width, DO_lessons, phase == LESSON_END ? "lessons" : "look around");
    return draw_hint(canvas, rect, x, rect.width, DO_close, "leave");
}

void draw_footer(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.footer;
    enum context context = state_context(state);
    char text[160], fitted[MESSAGE_MAX];
    int x = 0;
    if (rect.height < 1)
        return;
    if (state->message_kind != MESSAGE_NONE) {
        text_fit(fitted, sizeof fitted, state->message, rect.width, CUT_END, state->ascii);
        canvas_text(canvas, rect, 0, 0, fitted, plain(state->message_kind == MESSAGE_BAD ? ROLE_BAD : ROLE_WARNING));
        return;
    }
    if (context == CONTEXT_LETTER) {
        x = canvas_text(canvas, rect, 0, 0, state->bookmarks.awaiting == BOOKMARK_SET ? "bookmark: a letter  "
                                                                                       : "go to bookmark: ", plain(ROLE_TEXT));
        for (int i = 0; i < BOOKMARKS; i++) {
            char letter[3] = { (char)('a' + i), ' ', '\0' };
            if (state->bookmarks.at[i].set)
                x = canvas_text(canvas, rect, x, 0, letter, plain(ROLE_KEY));
        }
        draw_hint(canvas, rect, x + 1, rect.width, DO_close, "leave");
        return;
    }
    if (context == CONTEXT_FIND || context == CONTEXT_COMMAND) {
        bool find = context == CONTEXT_FIND;
        x = canvas_text(canvas, rect, 0, 0, find ? "find " : ":", plain(ROLE_TEXT));
        text_fit(fitted, sizeof fitted, find ? state->query : state->command.text, rect.width - x - 1, CUT_START, state->ascii);
        x = canvas_text(canvas, rect, x, 0, fitted, plain(ROLE_FIELD));
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
    if (context == CONTEXT_LESSONS) {
        x = draw_hints(canvas, rect, 0, rect.width, context);
        draw_hint(canvas, rect, x, rect.width, DO_close, "leave");
        return;
    }
    if (context_is_view(context) && lesson_has_keys(state))
        x = draw_lesson_hints(canvas, rect);
    else if (context_is_view(context))
        x = draw_tabs(canvas, rect);
    draw_hints(canvas, rect, x, rect.width, context);
}
