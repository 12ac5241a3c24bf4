#include "grid_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"

/* Text that grows in an arena. Once memory is short DATA is NULL and stays so. */
struct buffer {
    struct arena *arena;
    char *data;
    size_t length, size;
};

static bool buffer_start(struct buffer *buffer, struct arena *arena, size_t size) {
    *buffer = (struct buffer){ arena, ARENA_ARRAY(arena, char, size), 0, size };
    return buffer->data != NULL;
}

static void put(struct buffer *buffer, const char *text, size_t length) {
    if (buffer->data == NULL)
        return;
    if (buffer->length + length + 1 > buffer->size) {
        size_t size = 2 * buffer->size + length + 1;
        char *data = ARENA_ARRAY(buffer->arena, char, size);
        if (data != NULL)
            memcpy(data, buffer->data, buffer->length);
        buffer->data = data;
        buffer->size = size;
        if (data == NULL)
            return;
    }
    memcpy(buffer->data + buffer->length, text, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

static void puts_(struct buffer *buffer, const char *text) { put(buffer, text, strlen(text)); }

__attribute__((format(printf, 2, 3))) static void putf(struct buffer *buffer, const char *format, ...) {
    char text[160];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    puts_(buffer, text);
}

static char *buffer_end(struct buffer *buffer, size_t *length) {
    *length = buffer->length;
    return buffer->data;
}

static const struct cell *row_of(const struct grid *grid, int y) {
    return &grid->cells[(size_t)y * (size_t)grid->width];
}

/* Columns of the row up to its last cell that is not a plain blank. */
static int row_end(const struct cell *row, int width, bool styled) {
    while (width > 0 && row[width - 1].length == 1 && row[width - 1].text[0] == ' ' &&
           !(styled && row[width - 1].style.under != ROLE_NONE))
        width--;
    return width;
}

char *grid_text_out(const struct grid *grid, struct arena *arena, size_t *length) {
    struct buffer out;
    if (!buffer_start(&out, arena, (size_t)grid->height * ((size_t)grid->width * 3 + 1) + 1))
        return NULL;
    for (int y = 0; y < grid->height; y++) {
        const struct cell *row = row_of(grid, y);
        int end = row_end(row, grid->width, false);
        for (int x = 0; x < end; x++)
            put(&out, row[x].text, row[x].length);
        puts_(&out, "\n");
    }
    return buffer_end(&out, length);
}

static void put_colour(struct buffer *out, int32_t colour, bool back, enum colour_depth depth) {
    if (colour == PAINT_DEFAULT)
        return;
    if (depth == DEPTH_16)
        putf(out, ";%d", (colour < 8 ? 30 + colour : 82 + colour) + (back ? 10 : 0));
    else if (depth == DEPTH_256)
        putf(out, ";%d;5;%d", back ? 48 : 38, (int)colour);
    else
        putf(out, ";%d;2;%d;%d;%d", back ? 48 : 38, (int)(colour >> 16 & 0xFF), (int)(colour >> 8 & 0xFF),
             (int)(colour & 0xFF));
}

static void put_paint(struct buffer *out, struct paint paint, enum colour_depth depth) {
    puts_(out, "\033[0");
    if (paint.attributes & PAINT_BOLD)
        puts_(out, ";1");
    if (paint.attributes & PAINT_DIM)
        puts_(out, ";2");
    if (paint.attributes & PAINT_UNDERLINE)
        puts_(out, ";4");
    if (paint.attributes & PAINT_REVERSE)
        puts_(out, ";7");
    put_colour(out, paint.fg, false, depth);
    put_colour(out, paint.bg, true, depth);
    puts_(out, "m");
}

char *grid_ansi_out(const struct grid *grid, const struct theme *theme, enum colour_depth depth, struct arena *arena,
                    size_t *length) {
    struct buffer out;
    if (!buffer_start(&out, arena, (size_t)grid->height * ((size_t)grid->width * 8 + 8) + 1))
        return NULL;
    for (int y = 0; y < grid->height; y++) {
        const struct cell *row = row_of(grid, y);
        int end = row_end(row, grid->width, true);
        for (int x = 0; x < end; x++) {
            if (x == 0 || !style_equal(row[x].style, row[x - 1].style))
                put_paint(&out, theme_paint(theme, row[x].style, depth), depth);
            put(&out, row[x].text, row[x].length);
        }
        puts_(&out, end > 0 ? "\033[0m\n" : "\n");
    }
    return buffer_end(&out, length);
}

/* ---- SVG ----
 * Block elements become rectangles, so that bars join without seams whatever the font; other characters are text, each
 * with its own x, so that a font of another width can't shift them. */

#define CELL_W 9
#define CELL_H 19
#define MARGIN 8

/* The part of a cell that a block element fills, in eighths, and how densely; false when CODE is none. */
static bool block_element(unsigned long code, int *left, int *top, int *right, int *bottom, int *percent) {
    *left = *top = 0;
    *right = *bottom = 8;
    *percent = 100;
    if (code == 0x2588)
        return true;
    if (code >= 0x2581 && code <= 0x2587)
        *top = 8 - (int)(code - 0x2580);
    else if (code >= 0x2589 && code <= 0x258F)
        *right = 8 - (int)(code - 0x2588);
    else if (code >= 0x2591 && code <= 0x2593)
        *percent = 25 * (int)(code - 0x2590);
    else
        return false;
    return true;
}

static int lattice_x(int x, int eighth) { return MARGIN + x * CELL_W + (CELL_W * eighth + 4) / 8; }
static int lattice_y(int y, int eighth) { return MARGIN + y * CELL_H + (CELL_H * eighth + 4) / 8; }

static void put_rect(struct buffer *out, int left, int top, int right, int bottom, int32_t colour, int percent) {
    putf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"", left, top, right - left,
         bottom - top, (unsigned)colour);
    if (percent < 100)
        putf(out, " fill-opacity=\"0.%02d\"", percent);
    puts_(out, "/>\n");
}

static unsigned long cell_code(const struct cell *cell) {
    unsigned long code = ' ';
    char text[CELL_BYTES + 1] = "";
    memcpy(text, cell->text, cell->length);
    utf8_decode(text, &code);
    return code;
}

static void svg_backgrounds(struct buffer *out, const struct theme *theme, const struct cell *row, int width, int y) {
    for (int x = 0, from = 0; x < width; x++) {
        int32_t here = theme_paint_picture(theme, row[x].style).bg;
        if (x + 1 < width && theme_paint_picture(theme, row[x + 1].style).bg == here)
            continue;
        if (here != (int32_t)theme->background)
            put_rect(out, lattice_x(from, 0), lattice_y(y, 0), lattice_x(x, 8), lattice_y(y, 8), here, 100);
        from = x + 1;
    }
}

static bool same_cell(const struct cell *a, const struct cell *b) {
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0 && style_equal(a->style, b->style);
}

static void svg_blocks(struct buffer *out, const struct theme *theme, const struct cell *row, int width, int y) {
    for (int x = 0; x < width; x++) {
        int left, top, right, bottom, percent, from = x;
        if (!block_element(cell_code(&row[x]), &left, &top, &right, &bottom, &percent))
            continue;
        while (right == 8 && x + 1 < width && same_cell(&row[x], &row[x + 1]))
            x++;
        put_rect(out, lattice_x(from, left), lattice_y(y, top), lattice_x(x, right), lattice_y(y, bottom),
                 theme_paint_picture(theme, row[x].style).fg, percent);
    }
}

static void put_escaped(struct buffer *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '<': puts_(out, "&lt;"); break;
        case '>': puts_(out, "&gt;"); break;
        case '&': puts_(out, "&amp;"); break;
        case '"': puts_(out, "&quot;"); break;
        default: put(out, &text[i], 1);
        }
    }
}

static bool is_text(const struct cell *cell) {
    int unused[5];
    unsigned long code = cell_code(cell);
    return cell->width > 0 && code != ' ' &&
           !block_element(code, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4]);
}

/* One character, so that the x list of a <text> has one number for each. */
static bool is_single(const struct cell *cell) {
    unsigned long code;
    char text[CELL_BYTES + 1] = "";
    memcpy(text, cell->text, cell->length);
    return utf8_decode(text, &code) == cell->length;
}

static void svg_text(struct buffer *out, const struct theme *theme, const struct cell *row, int width, int y) {
    for (int x = 0; x < width;) {
        if (!is_text(&row[x])) {
            x++;
            continue;
        }
        int end = x + 1;
        while (end < width && is_single(&row[x]) && is_text(&row[end]) && is_single(&row[end]) &&
               style_equal(row[end].style, row[x].style))
            end++;
        struct paint paint = theme_paint_picture(theme, row[x].style);
        puts_(out, "<text x=\"");
        for (int i = x; i < end; i++)
            putf(out, i > x ? " %d" : "%d", lattice_x(i, 0));
        putf(out, "\" y=\"%d\" fill=\"#%06x\"%s%s>", lattice_y(y, 6), (unsigned)paint.fg,
             paint.attributes & PAINT_BOLD ? " font-weight=\"bold\"" : "",
             paint.attributes & PAINT_UNDERLINE ? " text-decoration=\"underline\"" : "");
        for (; x < end; x++)
            put_escaped(out, row[x].text, row[x].length);
        puts_(out, "</text>\n");
    }
}

char *grid_svg_out(const struct grid *grid, const struct theme *theme, struct arena *arena, size_t *length) {
    struct buffer out;
    if (!buffer_start(&out, arena, (size_t)grid->height * (size_t)grid->width * 16 + 1024))
        return NULL;
    int width = grid->width * CELL_W + 2 * MARGIN, height = grid->height * CELL_H + 2 * MARGIN;
    putf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n", width,
         height, width, height);
    puts_(&out, " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n");
    put_rect(&out, 0, 0, width, height, (int32_t)theme->background, 100);
    for (int y = 0; y < grid->height; y++) {
        svg_backgrounds(&out, theme, row_of(grid, y), grid->width, y);
        svg_blocks(&out, theme, row_of(grid, y), grid->width, y);
        svg_text(&out, theme, row_of(grid, y), grid->width, y);
    }
    puts_(&out, "</svg>\n");
    return buffer_end(&out, length);
}

/* ---- JSON ---- */

static void json_text(struct buffer *out, const struct cell *row, int width) {
    int end = row_end(row, width, false);
    puts_(out, "\"");
    for (int x = 0; x < end; x++) {
        if (row[x].length == 1 && (row[x].text[0] == '"' || row[x].text[0] == '\\'))
            puts_(out, "\\");
        put(out, row[x].text, row[x].length);
    }
    puts_(out, "\"");
}

static void json_attributes(struct buffer *out, struct style style) {
    static const char *const NAME[] = { "bold", "dim", "stale", "selected", "underline", "bare" };
    const char *separator = "";
    if (style.attributes == 0 && style.under == ROLE_NONE)
        return;
    puts_(out, ",[");
    if (style.under != ROLE_NONE) {
        putf(out, "\"on:%s\"", ROLE_NAME[style.under]);
        separator = ",";
    }
    for (int bit = 0; bit < 6; bit++)
        if (style.attributes & 1 << bit) {
            putf(out, "%s\"%s\"", separator, NAME[bit]);
            separator = ",";
        }
    puts_(out, "]");
}

static void json_runs(struct buffer *out, const struct cell *row, int width) {
    puts_(out, "[");
    for (int x = 0, from = 0; x < width; x++) {
        if (x + 1 < width && style_equal(row[x].style, row[x + 1].style))
            continue;
        putf(out, "%s[%d,\"%s\"", from > 0 ? "," : "", x + 1 - from, ROLE_NAME[row[x].style.role]);
        json_attributes(out, row[x].style);
        puts_(out, "]");
        from = x + 1;
    }
    puts_(out, "]");
}

char *grid_json_out(const struct grid *grid, struct arena *arena, size_t *length) {
    struct buffer out;
    if (!buffer_start(&out, arena, (size_t)grid->height * ((size_t)grid->width * 4 + 64) + 256))
        return NULL;
    putf(&out, "{\"schema\":\"slackswap-screen/1\",\"width\":%d,\"height\":%d,\"rows\":[", grid->width, grid->height);
    for (int y = 0; y < grid->height; y++) {
        puts_(&out, y > 0 ? ",\n{\"text\":" : "\n{\"text\":");
        json_text(&out, row_of(grid, y), grid->width);
        puts_(&out, ",\"cells\":");
        json_runs(&out, row_of(grid, y), grid->width);
        puts_(&out, "}");
    }
    puts_(&out, "\n]}\n");
    return buffer_end(&out, length);
}
