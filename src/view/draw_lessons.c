/* The list of lessons, over the whole screen: titles, minutes, how far the learner has come; what the chosen one is about
 * stands below. */
#include <stdio.h>

#include "challenge.h"
#include "classroom.h"
#include "draw.h"
#include "text.h"

#define ABOUT_ROWS 4 /* a rule, and what the chosen lesson is about */

static const char *progress(const struct classroom_entry *entry, char *text, size_t size) {
    text[0] = '\0';
    if (entry->fault != NULL)
        snprintf(text, size, "broken");
    else if (entry->done && entry->best.of > 0)
        snprintf(text, size, "done, %u of %u right", (unsigned)entry->best.earned, (unsigned)entry->best.of);
    else if (entry->done)
        snprintf(text, size, "done");
    return text;
}

static void draw_entry(const struct canvas *canvas, struct rect rect, int y, uint32_t i, bool chosen) {
    const struct classroom_entry *entry = &canvas->state->classroom->entry[i];
    char text[64], fitted[256], state[48];
    enum role role = entry->fault != NULL ? ROLE_DIM : chosen ? ROLE_TITLE : ROLE_TEXT;
    progress(entry, state, sizeof state);
    int right = rect.width - 1, state_x = right - 20, minutes_x = state_x - 8;
    if (rect.width < 60)
        state_x = minutes_x = right;
    if (chosen)
        canvas_text(canvas, rect, 0, y, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    snprintf(text, sizeof text, "%2u", (unsigned)i + 1);
    canvas_text(canvas, rect, 2, y, text, plain(chosen ? ROLE_KEY : ROLE_DIM));
    text_fit(fitted, sizeof fitted, entry->title, minutes_x - 7, CUT_END, canvas->state->ascii);
    canvas_text(canvas, rect, 6, y, fitted, plain(role));
    if (minutes_x < right) {
        snprintf(text, sizeof text, "%u min", (unsigned)entry->minutes);
        if (entry->fault == NULL)
            canvas_text(canvas, rect, minutes_x, y, text, plain(ROLE_DIM));
        bool all = entry->done && entry->best.earned == entry->best.of;
        canvas_text(canvas, rect, state_x, y, state, plain(entry->fault != NULL ? ROLE_BAD : all ? ROLE_GOOD : ROLE_NUMBER));
    }
    canvas_link(canvas, rect, 0, rect.width, y, DO_lessons_take, i);
}

static void draw_challenge_row(const struct canvas *canvas, struct rect rect, int y, uint32_t i, bool chosen) {
    if (chosen)
        canvas_text(canvas, rect, 0, y, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    canvas_text(canvas, rect, 6, y, CHALLENGE_TITLE, plain(chosen ? ROLE_TITLE : ROLE_TEXT));
    canvas_link(canvas, rect, 0, rect.width, y, DO_lessons_take, i);
}

/* ENTRY is NULL for the challenge. */
static void draw_about(const struct canvas *canvas, struct rect rect, const struct classroom_entry *entry) {
    bool broken = entry != NULL && entry->fault != NULL;
    const char *words = entry == NULL ? CHALLENGE_SUMMARY : broken ? entry->fault : entry->summary;
    canvas_title(canvas, rect, broken ? "can't be taken" : "about it", "", false, ROLE_TITLE);
    const struct rect room = { rect.x + 2, rect.y + 1, rect.width - 2, rect.height - 1 };
    canvas_wrapped(canvas, room, words, plain(broken ? ROLE_BAD : ROLE_TEXT));
}

void draw_lessons(const struct canvas *canvas) {
    const struct classroom *classroom = canvas->state->classroom;
    struct rect rect = { 0, 0, canvas->grid->width, canvas->panes.footer.height > 0 ? canvas->panes.footer.y : canvas->grid->height };
    uint32_t chosen = canvas->state->lesson.choice;
    char text[64];
    grid_fill(canvas->grid, rect, " ", plain(ROLE_TEXT));
    for (int y = 0; y < rect.height; y++)
        canvas_link(canvas, rect, 0, rect.width, y, DO_nothing, NONE);
    snprintf(text, sizeof text, "%u", (unsigned)classroom->count);
    canvas_title(canvas, rect, "lessons", text, false, ROLE_TITLE);
    int about = rect.height >= 4 + ABOUT_ROWS ? ABOUT_ROWS : 0;
    int rows = rect.height - 1 - about;
    uint32_t first = rows > 0 && chosen >= (uint32_t)rows ? chosen - (uint32_t)rows + 1 : 0;
    for (int y = 0; y < rows && first + (uint32_t)y <= classroom->count; y++) {
        uint32_t i = first + (uint32_t)y;
        (i < classroom->count ? draw_entry : draw_challenge_row)(canvas, rect, y + 1, i, i == chosen);
    }
    if (about > 0)
        draw_about(canvas, (struct rect){ rect.x, rect.y + rect.height - about, rect.width, about },
                   chosen < classroom->count ? &classroom->entry[chosen] : NULL);
}
