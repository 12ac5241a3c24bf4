#include "draw_chart.h"

#include <math.h>
#include <string.h>

#define DOTS_ACROSS 2
#define DOTS_DOWN 4

/* The dots of a column of cells, and which line was last in each. */
struct column {
    unsigned char dots[GRID_MAX];
    signed char line[GRID_MAX];
};

/* Dot at ACROSS, DOWN of a cell, as U+2800 counts them. */
static unsigned char dot(int across, int down) {
    static const unsigned char DOT[DOTS_ACROSS][DOTS_DOWN] = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } };
    return DOT[across][down];
}

static bool is_area(const struct cell *cell) {
    return cell->style.role >= ROLE_KEPT && cell->style.role <= ROLE_SCRATCH;
}

/* The upper edge of an area, which fills a part of its cell: a line behind it would hide it. */
static bool is_edge(const struct cell *cell) { return is_area(cell) && (cell->style.attributes & CELL_BARE); }

static void braille(unsigned char dots, char text[5]) {
    text[0] = (char)0xE2;
    text[1] = (char)(0xA0 | dots >> 6);
    text[2] = (char)(0x80 | (dots & 0x3F));
    text[3] = '\0';
}

/* The row of dots, from the top, of a height of 0 … 1 in ROWS of them. */
static int row_of(double height, int rows) {
    const double low = height < 0 ? 0 : height > 1 ? 1 : height;
    return rows - 1 - (int)lround(low * (rows - 1));
}

/* Dots of LINE at X and, so that a steep line has no holes, between there and the dot before. Returns the row, or -1. */
static int plot(struct column *column, const struct chart_line *lines, int line, double x, int across, int before,
                int rows, int dots_down) {
    const double height = lines[line].value(lines[line].context, x);
    if (isnan(height))
        return -1;
    const int row = row_of(height, rows);
    int from = row, to = row;
    if (before >= 0 && before < row)
        from = before + 1;
    else if (before > row)
        to = before - 1;
    for (int y = from; y <= to; y++) {
        column->dots[y / dots_down] |= dot(across, y % dots_down);
        column->line[y / dots_down] = (signed char)line;
    }
    return row;
}

void draw_chart(const struct canvas *canvas, struct rect rect, const struct chart_line *lines, int count) {
    const bool ascii = canvas->state->ascii;
    const int across = ascii ? 1 : DOTS_ACROSS, down = ascii ? 1 : DOTS_DOWN;
    const int columns = rect.width * across, rows = rect.height * down;
    int before[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    for (int x = 0; x < rect.width && rect.height > 0 && rect.height <= GRID_MAX; x++) {
        struct column column; /* of which as many rows count as there are */
        memset(column.dots, 0, (size_t)rect.height);
        for (int line = 0; line < count; line++)
            for (int i = 0; i < across; i++)
                before[line] = plot(&column, lines, line, columns > 1 ? (double)(x * across + i) / (columns - 1) : 0, i,
                                    before[line], rows, down);
        for (int y = 0; y < rect.height; y++) {
            char text[5];
            if (column.dots[y] == 0 || !grid_has(canvas->grid, rect.x + x, rect.y + y))
                continue;
            const struct cell *cell = grid_at(canvas->grid, rect.x + x, rect.y + y);
            if (is_edge(cell))
                continue;
            const struct chart_line *line = &lines[(int)column.line[y]];
            braille(column.dots[y], text);
            grid_glyph(canvas->grid, rect, rect.x + x, rect.y + y, ascii ? line->ascii : text,
                       (struct style){ (uint8_t)line->role, is_area(cell) ? cell->style.role : ROLE_NONE, canvas->stale });
        }
    }
}
