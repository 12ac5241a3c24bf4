#include "help.h"

#include <stdio.h>
#include <string.h>

#include "core/glossary.h"
#include "draw.h"
#include "help_lines.h"
#include "text.h"

#define KEYS_COLUMNS 12
#define COLUMN_LEAST 57 /* of one of two columns */

struct frame {
    struct rect rect; /* of the lines, inside the border */
    int columns, width; /* how many columns, and how wide each is */
};

static struct frame frame_make(int width, int height, const struct help_state *about) {
    bool border = width >= 8 && height >= 4;
    struct frame frame;
    frame.rect = border ? (struct rect){ 2, 1, width - 4, height - 2 } : (struct rect){ 0, 0, width, height };
    frame.columns = frame.rect.width >= 2 * COLUMN_LEAST && about->query[0] == '\0' ? 2 : 1;
    frame.width = frame.rect.width / frame.columns - (frame.columns > 1);
    return frame;
}

static struct frame page_make(struct help_page *page, int width, int height, const struct help_state *about) {
    struct frame frame = frame_make(width, height, about);
    help_page_make(page, about, frame.columns, frame.width, frame.rect.height);
    return frame;
}

static int scroll_last(const struct help_page *page, struct frame frame) {
    int longest = page->count - page->second > page->second ? page->count - page->second : page->second;
    return longest > frame.rect.height ? longest - frame.rect.height : 0;
}

static int scroll_within(int to, int last) {
    return to < 0 ? 0 : to > last ? last : to;
}

void help_scroll_to(struct view_state *state, int to) {
    struct help_page page;
    struct frame frame = page_make(&page, state->width, state->height, &state->about);
    state->help_scroll = scroll_within(to, scroll_last(&page, frame));
}

void help_scroll_to_not_modelled(struct view_state *state) {
    struct help_page page;
    page_make(&page, state->width, state->height, &state->about);
    help_scroll_to(state, page.part[PART_NOT_MODELLED]);
}

/* The row in its column of line I. */
static int row_of(const struct help_page *page, int i) {
    return i < page->second ? i : i - page->second;
}

void help_scroll_by_part(struct view_state *state, int direction) {
    struct help_page page;
    struct frame frame = page_make(&page, state->width, state->height, &state->about);
    int from = state->help_scroll, to = direction > 0 ? scroll_last(&page, frame) : 0;
    for (int i = 0; i < page.count; i++) {
        int row = row_of(&page, i);
        if (page.line[i].kind == LINE_HEADING && (direction > 0 ? row > from && row < to : row < from && row > to))
            to = row;
    }
    state->help_scroll = to;
}

static void draw_border(const struct canvas *canvas, struct frame frame) {
    struct rect r = frame.rect;
    struct rect all = grid_rect(canvas->grid);
    struct style rule = plain(ROLE_RULE);
    if (r.x < 2)
        return;
    for (int x = 1; x < all.width - 1; x++) {
        canvas_text(canvas, all, x, 0, canvas_symbol(canvas, SYMBOL_RULE), rule);
        canvas_text(canvas, all, x, all.height - 1, canvas_symbol(canvas, SYMBOL_RULE), rule);
    }
    for (int y = 1; y < all.height - 1; y++) {
        canvas_text(canvas, all, 0, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), rule);
        canvas_text(canvas, all, all.width - 1, y, canvas_symbol(canvas, SYMBOL_SEPARATOR), rule);
    }
    canvas_text(canvas, all, 0, 0, canvas_symbol(canvas, SYMBOL_CORNER_TL), rule);
    canvas_text(canvas, all, all.width - 1, 0, canvas_symbol(canvas, SYMBOL_CORNER_TR), rule);
    canvas_text(canvas, all, 0, all.height - 1, canvas_symbol(canvas, SYMBOL_CORNER_BL), rule);
    canvas_text(canvas, all, all.width - 1, all.height - 1, canvas_symbol(canvas, SYMBOL_CORNER_BR), rule);
    canvas_text(canvas, all, 2, 0, " help ", plain(ROLE_TITLE));
}

/* What is typed, and what keys do here: a line at the foot. */
static void draw_foot(const struct canvas *canvas, int last) {
    const struct help_state *about = &canvas->state->about;
    struct rect all = grid_rect(canvas->grid);
    char text[96], typed[HELP_QUERY_MAX + 16];
    if (all.width < 8 || all.height < 4)
        return;
    snprintf(text, sizeof text, last > 0 ? " Esc closes, Tab next part, Up and Down scroll: %d of %d " : " Esc closes ",
             canvas->state->help_scroll, last);
    if (about->finding || about->query[0] != '\0') {
        snprintf(typed, sizeof typed, " find %s ", about->query);
        int x = canvas_text(canvas, all, 2, all.height - 1, typed, plain(about->finding ? ROLE_FIELD : ROLE_DIM));
        if (about->finding && x - 1 < all.width) {
            canvas->grid->cursor_x = x - 1;
            canvas->grid->cursor_y = all.height - 1;
        }
        if (x + text_width(text) + 2 >= all.width)
            return;
    } else if (text_width(text) + 26 < all.width) {
        canvas_text(canvas, all, 2, all.height - 1, " / finds a word ", plain(ROLE_DIM));
    }
    if (text_width(text) + 12 < all.width)
        canvas_text_right(canvas, all, all.width - 2, all.height - 1, text, plain(ROLE_DIM));
}

/* "gap, ideal, budget" of "gap|ideal|budget". */
static void draw_related(const struct canvas *canvas, struct rect rect, int x, const char *see) {
    x = canvas_text(canvas, rect, x, 0, "see ", plain(ROLE_DIM));
    while (*see != '\0') {
        char name[64];
        size_t length = strcspn(see, "|");
        bool more = see[length] != '\0';
        snprintf(name, sizeof name, "%.*s%s", (int)length, see, more ? ", " : "");
        x = canvas_text(canvas, rect, x, 0, name, plain(ROLE_DIM));
        see += length + more;
    }
}

static void draw_term(const struct canvas *canvas, struct rect rect, struct help_line line) {
    char words[GRID_MAX * 4];
    int indent = help_term_indent(rect.width);
    if (line.first)
        canvas_text(canvas, rect, 2, 0, GLOSSARY[line.what].name, plain(ROLE_KEY));
    if (line.kind == LINE_SEE) {
        draw_related(canvas, rect, indent, line.words);
        return;
    }
    snprintf(words, sizeof words, "%.*s", (int)line.length, line.words);
    canvas_text(canvas, rect, indent, 0, words, plain(ROLE_TEXT));
}

static void draw_line(const struct canvas *canvas, struct rect rect, struct help_line line) {
    char keys[64];
    switch (line.kind) {
    case LINE_BLANK: return;
    case LINE_HEADING: canvas_text(canvas, rect, 0, 0, line.words, plain(ROLE_TITLE)); return;
    case LINE_WORDS: canvas_text(canvas, rect, 2, 0, line.words, plain(ROLE_TEXT)); return;
    case LINE_ACTION:
        snprintf(keys, sizeof keys, "%s", ACTION_TABLE[line.what].keys);
        canvas_text(canvas, rect, 2, 0, keys, plain(ROLE_KEY));
        break;
    case LINE_TERM:
    case LINE_SEE: draw_term(canvas, rect, line); return;
    case LINE_NOTE: canvas_text(canvas, rect, 2, 0, "k7 o2 r3", plain(ROLE_DIM)); break;
    case LINE_ROLE:
        for (int x = 0; x < 4; x++)
            canvas_text(canvas, rect, 2 + x, 0, canvas_glyph(canvas, (enum role)line.what),
                        plain((enum role)line.what));
        if (ROLE_LETTER[line.what] != ' ') {
            snprintf(keys, sizeof keys, "%c", ROLE_LETTER[line.what]);
            canvas_text(canvas, rect, 8, 0, keys, plain(ROLE_TEXT));
        }
        break;
    }
    canvas_text(canvas, rect, 2 + KEYS_COLUMNS, 0, line.words, plain(ROLE_TEXT));
}

void draw_help(const struct canvas *canvas) {
    struct help_page page;
    struct frame frame = page_make(&page, canvas->grid->width, canvas->grid->height, &canvas->state->about);
    draw_border(canvas, frame);
    draw_foot(canvas, scroll_last(&page, frame));
    for (int column = 0; column < frame.columns; column++) {
        int first = column == 0 ? 0 : page.second, end = column == 0 ? page.second : page.count;
        for (int y = 0; y < frame.rect.height && first + canvas->state->help_scroll + y < end; y++) {
            struct rect rect = { frame.rect.x + column * (frame.width + 1), frame.rect.y + y, frame.width, 1 };
            draw_line(canvas, rect, page.line[first + canvas->state->help_scroll + y]);
        }
    }
}
