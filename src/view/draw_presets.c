/* The start screen: what this is, presets to explore, and what to press; a box over the view. */
#include <stdio.h>

#include "core/preset.h"
#include "draw.h"
#include "text.h"

#define WIDTH_MOST 84
#define NAME_COLUMNS 18
#define WORDS_ROWS 2

static const char *const INTRODUCTION[] = {
    "Training keeps every activation until its gradient needs it. Where they",
    "do not fit, each is kept, offloaded over the link, or computed again: that",
    "is a plan. Below is one. Turn its knobs, or begin with one of these:",
};
#define INTRODUCTION_ROWS ((int)(sizeof INTRODUCTION / sizeof INTRODUCTION[0]))

static void draw_box(const struct canvas *canvas, struct rect box) {
    const struct style rule = plain(ROLE_RULE);
    const int right = box.width - 1, bottom = box.height - 1;
    grid_fill(canvas->grid, box, " ", plain(ROLE_TEXT));
    grid_link(canvas->grid, box, DO_nothing, NONE);
    for (int x = 1; x < right; x++) {
        canvas_text(canvas, box, x, 0, canvas_symbol(canvas, SYMBOL_RULE), rule);
        canvas_text(canvas, box, x, bottom, canvas_symbol(canvas, SYMBOL_RULE), rule);
    }
    for (int y = 1; y < bottom; y++) {
        canvas_text(canvas, box, 0, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), rule);
        canvas_text(canvas, box, right, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), rule);
    }
    canvas_text(canvas, box, 0, 0, canvas_symbol(canvas, SYMBOL_CORNER_TL), rule);
    canvas_text(canvas, box, right, 0, canvas_symbol(canvas, SYMBOL_CORNER_TR), rule);
    canvas_text(canvas, box, 0, bottom, canvas_symbol(canvas, SYMBOL_CORNER_BL), rule);
    canvas_text(canvas, box, right, bottom, canvas_symbol(canvas, SYMBOL_CORNER_BR), rule);
    canvas_text(canvas, box, 2, 0, " slackswap ", plain(ROLE_TITLE));
}

static void draw_preset(const struct canvas *canvas, struct rect inside, int y, uint32_t i) {
    const bool chosen = canvas->state->presets.choice == i;
    char number[16], text[PRESET_TEXT], fitted[PRESET_TEXT + 8];
    snprintf(number, sizeof number, "%u", (unsigned)i + 1);
    canvas_text(canvas, inside, 0, y, chosen ? canvas_symbol(canvas, SYMBOL_MARK) : " ", plain(ROLE_KEY));
    canvas_text(canvas, inside, 2, y, number, plain(ROLE_KEY));
    canvas_text(canvas, inside, 4, y, PRESETS[i].name, plain(chosen ? ROLE_TITLE : ROLE_TEXT));
    text_fit(fitted, sizeof fitted, preset_format(&PRESETS[i], text), inside.width - 4 - NAME_COLUMNS, CUT_END,
             canvas->state->ascii);
    canvas_text(canvas, inside, 4 + NAME_COLUMNS, y, fitted, plain(ROLE_DIM));
    canvas_link(canvas, inside, 0, inside.width, y, DO_presets_take, i);
}

static void draw_words(const struct canvas *canvas, struct rect inside, int y, const char *words) {
    const struct rect room = { inside.x, inside.y + y, inside.width, WORDS_ROWS };
    canvas_wrapped(canvas, rect_intersect(inside, room), words, plain(ROLE_NUMBER));
}

/* "Enter opens it  ? help  q quit  any other key leads on", as much as fits. */
static void draw_keys(const struct canvas *canvas, struct rect inside, int y) {
    static const struct { const char *key, *words; } KEYS[] = {
        { "1-8 Enter", "open" }, { "L", "lessons" }, { "?", "help" }, { "q", "quit" }, { "any other key", "leads on" },
    };
    int x = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (x + text_width(KEYS[i].key) + 1 + text_width(KEYS[i].words) > inside.width)
            return;
        x = canvas_text(canvas, inside, x, y, KEYS[i].key, plain(ROLE_KEY));
        x = canvas_text(canvas, inside, x + 1, y, KEYS[i].words, plain(ROLE_TEXT)) + 2;
    }
}

/* Where there is no room for all, the introduction goes first, then the words, then the keys; the list scrolls last. */
void draw_presets(const struct canvas *canvas) {
    const int width = canvas->grid->width < WIDTH_MOST + 2 ? canvas->grid->width - 2 : WIDTH_MOST;
    const int presets = (int)PRESET_COUNT, room = canvas->grid->height - 4;
    const bool introduced = room >= INTRODUCTION_ROWS + 1 + presets + 1 + WORDS_ROWS + 2;
    const bool keyed = room >= presets + 2, told = room >= presets + 2 + WORDS_ROWS + 1;
    const int height = (introduced ? INTRODUCTION_ROWS + 1 : 0) + (presets < room ? presets : room) +
                       (told ? WORDS_ROWS + 1 : 0) + (keyed ? 2 : 0) + 2;
    if (width < 12 || room < 1)
        return;
    const struct rect box = { (canvas->grid->width - width) / 2, (canvas->grid->height - height) / 2, width, height };
    const struct rect inside = { box.x + 2, box.y + 1, width - 4, height - 2 };
    int y = 0;
    draw_box(canvas, box);
    for (; introduced && y < INTRODUCTION_ROWS; y++)
        canvas_text(canvas, inside, 0, y, INTRODUCTION[y], plain(ROLE_TEXT));
    y += introduced;
    const int first = canvas->state->presets.choice < room ? 0 : canvas->state->presets.choice - room + 1;
    for (int i = first; i < presets && i - first < room; i++, y++)
        draw_preset(canvas, inside, y, (uint32_t)i);
    if (told)
        draw_words(canvas, inside, y + 1, PRESETS[canvas->state->presets.choice].words);
    if (keyed)
        draw_keys(canvas, inside, inside.height - 1);
}
