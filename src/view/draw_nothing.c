/* What is drawn before the first plan, and when none fits. */
#include <math.h>
#include <stdio.h>

#include "core/units.h"
#include "draw.h"
#include "text.h"
#include "voice.h"

#define NOTHING_LINES 4

/* Before the first plan, or when none fits: words in the middle instead of a plot. */
void draw_nothing_yet(const struct canvas *canvas) {
    struct rect body = canvas->panes.body;
    struct words line[NOTHING_LINES];
    char least[UNIT_TEXT];
    for (int i = 0; i < NOTHING_LINES; i++)
        words_start(&line[i], screen_voice(canvas->state->ascii));
    if (canvas->state->planning) {
        words_add(&line[1], "planning%s", canvas_symbol(canvas, SYMBOL_MORE));
    } else if (canvas_infeasible(canvas)) {
        words_add(&line[0], "This plan does not fit.");
        words_add(&line[1], "It ");
        words_lack(&line[1], &canvas->scene->latest->timeline);
        words_add(&line[1], ".");
        const struct limits *limits = &canvas->scene->limits;
        words_add(&line[2], "The least budget that any plan can do with is %s: %.0f%%.",
                  format_bytes(least, limits->least_bytes),
                  ceil(100 * (double)limits->least_bytes / (double)limits->unlimited_peak_bytes));
        words_add(&line[3], "b sets the budget, + turns it up, P tries the next planner; 5 says what to do.");
    }
    for (int i = 0; i < NOTHING_LINES; i++) {
        int width = text_width(line[i].text);
        int x = body.width > width ? (body.width - width) / 2 : 0;
        canvas_text(canvas, body, x, body.height / 2 - NOTHING_LINES / 2 + i, line[i].text,
                    plain(i == 0 ? ROLE_BAD : ROLE_TEXT));
    }
}
