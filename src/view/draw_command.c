/* The command palette: what is typed at the foot, and above it what matches, the best nearest. */
#include <stdio.h>

#include "command.h"
#include "draw.h"
#include "text.h"

#define ROWS_MOST 10
#define NAME_COLUMNS 26

static void draw_match(const struct canvas *canvas, struct rect row, const struct command *command, bool chosen) {
    char fitted[256], key_text[KEY_TEXT];
    struct key key;
    grid_fill(canvas->grid, row, " ", plain(ROLE_TEXT));
    if (chosen)
        canvas_text(canvas, row, 0, 0, canvas_symbol(canvas, SYMBOL_MARK), plain(ROLE_KEY));
    text_fit(fitted, sizeof fitted, command->name, NAME_COLUMNS, CUT_END, canvas->state->ascii);
    canvas_text(canvas, row, 2, 0, fitted, plain(chosen ? ROLE_TITLE : ROLE_TEXT));
    bool bound = command->kind == COMMAND_ACTION && action_key((enum ui_action)command->which, 0, &key);
    if (bound)
        canvas_text(canvas, row, 3 + NAME_COLUMNS, 0, key_format(key, key_text), plain(ROLE_KEY));
    text_fit(fitted, sizeof fitted, command->words, row.width - NAME_COLUMNS - 11, CUT_END, canvas->state->ascii);
    canvas_text(canvas, row, 10 + NAME_COLUMNS, 0, fitted, plain(ROLE_DIM));
}

void draw_command(const struct canvas *canvas) {
    struct command matches[COMMANDS_SHOWN];
    uint32_t count = command_matches(canvas->state, matches, COMMANDS_SHOWN);
    uint32_t chosen = canvas->state->command.choice < count ? canvas->state->command.choice : count - (count > 0);
    int bottom = canvas->panes.footer.y - 1, rows = bottom - 1 < ROWS_MOST ? bottom - 1 : ROWS_MOST;
    if (canvas->panes.footer.height < 1 || rows < 1)
        return;
    uint32_t first = chosen >= (uint32_t)rows ? chosen - (uint32_t)rows + 1 : 0;
    int y = bottom;
    for (uint32_t i = first; i < count && y > bottom - rows; i++, y--)
        draw_match(canvas, (struct rect){ 0, y, canvas->grid->width, 1 }, &matches[i], i == chosen);
    struct rect rule = { 0, y, canvas->grid->width, 1 };
    grid_fill(canvas->grid, rule, canvas_symbol(canvas, SYMBOL_RULE), plain(ROLE_RULE));
}
