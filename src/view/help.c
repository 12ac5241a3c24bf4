#include "help.h"

#include <stdio.h>
#include <string.h>

#include "core/not_modelled.h"
#include "draw.h"
#include "text.h"
#include "view_kind.h"

#define KEYS_COLUMNS 12
#define COLUMN_LEAST 57 /* of one of two columns */

/* One line of help: a heading, a key with its words, a glyph with its words, the note on the layers' names, or words
 * alone. */
enum line_kind { LINE_BLANK, LINE_HEADING, LINE_ACTION, LINE_ROLE, LINE_NOTE, LINE_WORDS };
struct help_line {
    enum line_kind kind;
    int what; /* action, role, or index into NOT_MODELLED */
    const char *words;
};
#define LINES_MAX (DO_COUNT + ROLE_COUNT + NOT_MODELLED_COUNT + 2 * (GROUP_COUNT + VIEW_COUNT) + 12)

static int add(struct help_line *lines, int count, struct help_line line) {
    lines[count] = line;
    return count + 1;
}

static int add_heading(struct help_line *lines, int count, const char *words) {
    if (count > 0)
        count = add(lines, count, (struct help_line){ LINE_BLANK, 0, "" });
    return add(lines, count, (struct help_line){ LINE_HEADING, 0, words });
}

static bool is_listed(int action, enum context context) {
    return ACTION_TABLE[action].context == context && ACTION_TABLE[action].help[0] != '\0';
}

/* What keys do in most views, group by group; then what is special to each of the other views. */
static int help_lines(struct help_line *lines) {
    int count = 0;
    for (int group = 0; group < GROUP_COUNT; group++) {
        count = add_heading(lines, count, GROUP_TITLE[group]);
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            bool common = is_listed(i, CONTEXT_ANY) || is_listed(i, CONTEXT_VIEW) || is_listed(i, CONTEXT_TIMELINE);
            if ((int)ACTION_TABLE[i].group == group && common)
                count = add(lines, count, (struct help_line){ LINE_ACTION, i, ACTION_TABLE[i].help });
        }
    }
    for (int view = VIEW_TIMELINE + 1; view < VIEW_COUNT; view++) {
        bool any = false;
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            if (!is_listed(i, VIEW_KINDS[view].context))
                continue;
            if (!any)
                count = add_heading(lines, count, VIEW_TAB[view]);
            count = add(lines, count, (struct help_line){ LINE_ACTION, i, ACTION_TABLE[i].help });
            any = true;
        }
    }
    count = add_heading(lines, count, "What the signs mean");
    for (int role = 1; role < ROLE_COUNT; role++)
        if (ROLE_WORDS[role][0] != '\0')
            count = add(lines, count, (struct help_line){ LINE_ROLE, role, ROLE_WORDS[role] });
    count = add(lines, count, (struct help_line){ LINE_NOTE, 0, "tensors kept, offloaded, recomputed" });
    count = add(lines, count, (struct help_line){ LINE_WORDS, 0, "underlined: what belongs to the selection" });
    count = add(lines, count, (struct help_line){ LINE_WORDS, 0, "transfers on the ruler: they are on the critical path" });
    count = add_heading(lines, count, "What is not modelled");
    for (int i = 0; i < NOT_MODELLED_COUNT; i++)
        count = add(lines, count, (struct help_line){ LINE_WORDS, i, NOT_MODELLED[i] });
    return count;
}

struct frame {
    struct rect rect; /* of the lines, inside the border */
    int columns, rows; /* rows: lines in each column, in sight or not */
};

static struct frame frame_make(int width, int height, int lines) {
    bool border = width >= 8 && height >= 4;
    struct frame frame;
    frame.rect = border ? (struct rect){ 2, 1, width - 4, height - 2 } : (struct rect){ 0, 0, width, height };
    frame.columns = frame.rect.width >= 2 * COLUMN_LEAST ? 2 : 1;
    frame.rows = (lines + frame.columns - 1) / frame.columns;
    return frame;
}

int help_scroll_last(int width, int height) {
    struct help_line lines[LINES_MAX];
    struct frame frame = frame_make(width, height, help_lines(lines));
    return frame.rows > frame.rect.height ? frame.rows - frame.rect.height : 0;
}

static void draw_border(const struct canvas *canvas, struct frame frame) {
    struct rect r = frame.rect;
    struct rect all = grid_rect(canvas->grid);
    struct style rule = plain(ROLE_RULE);
    char text[96];
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
    int last = help_scroll_last(all.width, all.height);
    snprintf(text, sizeof text, last > 0 ? " Esc closes, Up and Down scroll: %d of %d " : " Esc closes ",
             canvas->state->help_scroll, last);
    if (text_width(text) + 12 < all.width)
        canvas_text_right(canvas, all, all.width - 2, all.height - 1, text, plain(ROLE_DIM));
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
    struct help_line lines[LINES_MAX];
    int count = help_lines(lines);
    struct frame frame = frame_make(canvas->grid->width, canvas->grid->height, count);
    int width = frame.rect.width / frame.columns;
    grid_clear(canvas->grid);
    draw_border(canvas, frame);
    for (int column = 0; column < frame.columns; column++)
        for (int y = 0; y < frame.rect.height; y++) {
            int row = canvas->state->help_scroll + y, i = column * frame.rows + row;
            if (row >= frame.rows || i >= count)
                break;
            struct rect rect = { frame.rect.x + column * width, frame.rect.y + y, width - (frame.columns > 1), 1 };
            draw_line(canvas, rect, lines[i]);
        }
}
