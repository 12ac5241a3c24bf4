#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "theme.h"

static const struct cell BLANK = { .text = " ", .length = 1, .width = 1, .style = { ROLE_TEXT, ROLE_NONE, 0 } };

static int clamp_size(int size) {
    return size < 1 ? 1 : size > GRID_MAX ? GRID_MAX : size;
}

bool grid_resize(struct grid *grid, int width, int height) {
    width = clamp_size(width);
    height = clamp_size(height);
    struct cell *cells = realloc(grid->cells, (size_t)width * (size_t)height * sizeof *cells);
    if (cells == NULL)
        return false;
    grid->cells = cells;
    grid->width = width;
    grid->height = height;
    grid_clear(grid);
    return true;
}

void grid_free(struct grid *grid) {
    free(grid->cells);
    *grid = (struct grid){ .cursor_x = -1, .cursor_y = -1 };
}

void grid_clear(struct grid *grid) {
    size_t count = (size_t)grid->width * (size_t)grid->height;
    for (size_t i = 0; i < count; i++)
        grid->cells[i] = BLANK;
    grid->cursor_x = grid->cursor_y = -1;
}

struct rect rect_intersect(struct rect a, struct rect b) {
    int left = a.x > b.x ? a.x : b.x;
    int top = a.y > b.y ? a.y : b.y;
    int right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct rect){ left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0 };
}

bool style_equal(struct style a, struct style b) {
    return a.role == b.role && a.under == b.under && a.attributes == b.attributes;
}

/* Before the cell at X, Y is overwritten: the other half of a wide glyph there becomes a blank. */
static void part_wide(struct grid *grid, int x, int y) {
    struct cell *cell = grid_at(grid, x, y);
    struct cell *half = cell->width == 0 && x > 0                 ? cell - 1
                        : cell->width == 2 && x + 1 < grid->width ? cell + 1
                                                                  : NULL;
    if (half != NULL) {
        struct style style = half->style;
        *half = BLANK;
        half->style = style;
    }
}

/* Puts one grapheme of the given width at X, Y; all its columns lie inside the grid. */
static void put(struct grid *grid, int x, int y, const struct grapheme *grapheme, struct style style) {
    struct cell *cell = grid_at(grid, x, y);
    if (cell->width != 1)
        part_wide(grid, x, y);
    if (grid->ascii) { /* marks on a letter are left out */
        cell->text[0] = (unsigned char)grapheme->text[0] < 0x80 ? grapheme->text[0] : '?';
        cell->length = 1;
    } else {
        if (grapheme->length == 1) /* by far the most */
            cell->text[0] = grapheme->text[0];
        else
            memcpy(cell->text, grapheme->text, grapheme->length);
        cell->length = (uint8_t)grapheme->length;
    }
    cell->width = 1;
    cell->style = style;
    if (grapheme->width != 2)
        return;
    struct cell *behind = cell + 1;
    if (behind->width != 1)
        part_wide(grid, x + 1, y);
    *behind = BLANK;
    behind->style = style;
    if (!grid->ascii) {
        cell->width = 2;
        behind->width = behind->length = 0;
    }
}

int grid_text(struct grid *grid, struct rect clip, int x, int y, const char *text, struct style style) {
    static const struct grapheme ELLIPSIS[2] = { { "…", 3, 1 }, { ".", 1, 1 } };
    struct grapheme grapheme;
    clip = rect_intersect(clip, grid_rect(grid));
    bool row_inside = y >= clip.y && y < clip.y + clip.height;
    const int right = clip.x + clip.width, from = x;
    bool cut_before = false, cut_after = false;
    while (text_next(&text, &grapheme)) {
        const bool blank = grapheme.text[0] == ' ';
        cut_before = cut_before || (x < clip.x && !blank);
        cut_after = cut_after || (x + grapheme.width > right && !blank);
        if (row_inside && x >= clip.x && x + grapheme.width <= right)
            put(grid, x, y, &grapheme, style);
        x += grapheme.width;
    }
    if (row_inside && clip.width > 0 && cut_before && x > clip.x)
        put(grid, clip.x, y, &ELLIPSIS[grid->ascii], style);
    if (row_inside && clip.width > 0 && cut_after && from < right)
        put(grid, right - 1, y, &ELLIPSIS[grid->ascii], style);
    return x;
}

void grid_glyph(struct grid *grid, struct rect clip, int x, int y, const char *glyph, struct style style) {
    struct grapheme grapheme = { glyph, strnlen(glyph, 4), 1 };
    if (x >= clip.x && y >= clip.y && x < clip.x + clip.width && y < clip.y + clip.height && grid_has(grid, x, y) &&
        grapheme.length > 0)
        put(grid, x, y, &grapheme, style);
}

void grid_fill(struct grid *grid, struct rect rect, const char *glyph, struct style style) {
    struct grapheme grapheme;
    rect = rect_intersect(rect, grid_rect(grid));
    if (!text_next(&glyph, &grapheme) || grapheme.width != 1)
        return;
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++)
            put(grid, x, y, &grapheme, style);
}

void grid_link(struct grid *grid, struct rect rect, uint8_t action, uint32_t item) {
    rect = rect_intersect(rect, grid_rect(grid));
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++) {
            grid_at(grid, x, y)->action = action;
            grid_at(grid, x, y)->item = item;
        }
}
