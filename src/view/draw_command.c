/* The command palette: what is typed at the foot, and above it what matches, the best nearest. */
#include <stdio.h>

#include "command.h"
#include "draw.h"
#include "text.h"

#define ROWS_MOST 10
#define NAME_COLUMNS_LEAST 26

static void draw_match(const struct canvas *canvas, struct rect row, const struct command *command, int name_columns,
                       bool chosen) {
    char fitted[256], key_text[KEY_TEXT];
    struct key key;
    grid_fill(canvas->grid, row, " ", plain(ROLE_TEXT));
    if (chosen)
        canvas_text(canvas, row, 0, 0, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    text_fit(fitted, sizeof fitted, command->name, name_columns, CUT_END, canvas->state->ascii);
    canvas_text(canvas, row, 2, 0, fitted, plain(chosen ? ROLE_TITLE : ROLE_TEXT));
    bool bound = command->kind == COMMAND_ACTION && action_key((enum ui_action)command->which, 0, &key);
    if (bound)
        canvas_text(canvas, row, 3 + name_columns, 0, key_format(key, key_text), plain(ROLE_KEY));
    text_fit(fitted, sizeof fitted, command->words, row.width - name_columns - 11, CUT_END, canvas->state->ascii);
    canvas_text(canvas, row, 10 + name_columns, 0, fitted, plain(ROLE_DIM));
}

/* As many columns as the longest of COUNT names takes, or half of the screen and a little. */
static int name_columns(const struct command *matches, uint32_t count, int width) {
    int columns = NAME_COLUMNS_LEAST;
    for (uint32_t i = 0; i < count; i++)
        if (text_width(matches[i].name) > columns)
            columns = text_width(matches[i].name);
    return columns < width / 2 + 5 ? columns : width / 2 + 5;
}

void draw_command(const struct canvas *canvas) {
    struct command matches[COMMANDS_SHOWN];
    uint32_t count = command_matches(canvas->state, matches, COMMANDS_SHOWN);
    uint32_t chosen = canvas->state->command.choice < count ? canvas->state->command.choice : count - (count > 0);
    int bottom = canvas->panes.footer.y - 1, rows = bottom - 1 < ROWS_MOST ? bottom - 1 : ROWS_MOST;
    if (canvas->panes.footer.height < 1 || rows < 1)
        return;
    uint32_t first = chosen >= (uint32_t)rows ? chosen - (uint32_t)rows + 1 : 0;
    int y = bottom, columns = name_columns(matches, count, canvas->grid->width);
    for (uint32_t i = first; i < count && y > bottom - rows; i++, y--)
        draw_match(canvas, (struct rect){ 0, y, canvas->grid->width, 1 }, &matches[i], columns, i == chosen);
    struct rect rule = { 0, y, canvas->grid->width, 1 };
    grid_fill(canvas->grid, rule, canvas_symbol(canvas, SYMBOL_RULE), plain(ROLE_RULE));
}
