/* The panel of a puzzle: its name and how well it is planned, the figures to beat. */
#include <stdio.h>
#include <string.h>

#include "challenge.h"
#include "draw.h"
#include "text.h"

static const char *stars_text(const struct canvas *canvas, uint32_t stars, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < PUZZLE_STARS_MOST; i++)
        length += (size_t)snprintf(text + length, size - length, "%s",
                                   canvas_symbol(canvas, i < stars ? SYMBOL_STAR : SYMBOL_STAR_EMPTY));
    return text;
}

void draw_challenge(const struct canvas *canvas) {
    struct rect rect = canvas->panes.challenge;
    char name[CHALLENGE_WORDS], figures[CHALLENGE_WORDS], right[CHALLENGE_WORDS + 32], stars_shown[32];
    uint32_t stars;
    if (rect.height < 1)
        return;
    const char *words = challenge_words(canvas->state, canvas->scene, &stars);
    snprintf(right, sizeof right, "%s %s", stars_text(canvas, stars, stars_shown, sizeof stars_shown), words);
    if (text_width(right) + text_width(challenge_name(canvas->state, name)) + 10 > rect.width)
        snprintf(name, sizeof name, "challenge");
    canvas_title(canvas, rect, name, right, false, stars >= 2 ? ROLE_GOOD : ROLE_TITLE);
    if (rect.height > 1) {
        char fitted[CHALLENGE_WORDS];
        text_fit(fitted, sizeof fitted, challenge_figures(canvas->state, canvas->scene, figures), rect.width - 2, CUT_END,
                 canvas->state->ascii);
        canvas_text(canvas, rect, 1, 1, fitted, plain(ROLE_NUMBER));
    }
}
