/* grid: a screen as data — WIDTH x HEIGHT cells, row by row, (0,0) at the top left.
 *
 * A cell is the UTF-8 bytes of one grapheme, its width in columns, and what it means (a role), never a colour: only a
 * back end (grid_out, curses) turns roles into colours. A wide glyph takes two cells: the first has width 2, the one
 * behind it is padding (width 0, no bytes). Writing is clipped: nothing is ever written outside the grid, and
 * overwriting one half of a wide glyph blanks the other half. */
#ifndef SLACKSWAP_VIEW_GRID_H
#define SLACKSWAP_VIEW_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CELL_BYTES 19 /* bytes of the longest grapheme kept; longer ones lose their last combining marks */
#define GRID_MAX 2000 /* columns or rows; more is cut off */

/* Bits beside a role. */
enum cell_attribute {
    CELL_BOLD = 1,
    CELL_DIM = 2,       /* of secondary weight */
    CELL_STALE = 4,     /* belongs to a result that is out of date */
    CELL_SELECTED = 8,  /* part of what is selected */
    CELL_UNDERLINE = 16,
    CELL_BARE = 32,     /* the ink alone: without the background that the theme gives the role */
};

/* How something is written. ROLE says what it is; UNDER, when not ROLE_NONE, is the role whose colour fills the cell
 * behind the glyph (a label on a bar, the upper part of a split cell). Both are enum role (theme.h). */
struct style {
    uint8_t role, under, attributes;
};

struct cell {
    char text[CELL_BYTES];
    uint8_t length;         /* bytes of text in use; 0 only for padding */
    uint8_t width;          /* 1 or 2; 0 for the padding behind a wide glyph */
    struct style style;
    uint8_t action;         /* what a click here does: enum ui_action (action.h), 0 = nothing by itself */
    uint32_t item;          /* … and to which of several: a row, a knob; of no meaning to the grid */
};

struct rect {
    int x, y, width, height;
};

struct grid {
    int width, height;
    struct cell *cells;      /* width * height, owned */
    bool ascii;              /* replace every glyph outside ASCII by '?': the last guard of the ASCII mode */
    int cursor_x, cursor_y;  /* where text is being typed; -1 when nowhere */
};

/* Makes GRID WIDTH x HEIGHT blank cells (both brought into 1..GRID_MAX). False when memory is short: GRID keeps its
 * former size. Zero-initialise GRID before the first call. */
bool grid_resize(struct grid *grid, int width, int height);
void grid_free(struct grid *grid);
/* Fills all with blanks and forgets the cursor. */
void grid_clear(struct grid *grid);

static inline struct rect grid_rect(const struct grid *grid) {
    return (struct rect){ 0, 0, grid->width, grid->height };
}
/* The cell at X, Y, which must lie inside. */
static inline struct cell *grid_at(const struct grid *grid, int x, int y) {
    return &grid->cells[(size_t)y * (size_t)grid->width + (size_t)x];
}
static inline bool grid_has(const struct grid *grid, int x, int y) {
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height;
}

/* Writes TEXT (UTF-8, made harmless on the way, see text.h) from X, Y rightwards, inside CLIP only. Where anything but blanks
 * is cut off, "…" (ASCII: ".") stands at the clip's edge: nothing is cut in silence. Wide glyphs are cut as a whole. Returns the column after the text, as if nothing were clipped. */
int grid_text(struct grid *grid, struct rect clip, int x, int y, const char *text, struct style style);
/* Writes one glyph of the program's own (one character, one column, at most 4 bytes) at X, Y inside CLIP; cheaper than
 * grid_text, which looks at every character. */
void grid_glyph(struct grid *grid, struct rect clip, int x, int y, const char *glyph, struct style style);
/* From now on a click in RECT performs ACTION on ITEM; what is written there later changes nothing about it. */
void grid_link(struct grid *grid, struct rect rect, uint8_t action, uint32_t item);
/* Fills RECT with one glyph of width 1. */
void grid_fill(struct grid *grid, struct rect rect, const char *glyph, struct style style);

struct rect rect_intersect(struct rect a, struct rect b);
bool style_equal(struct style a, struct style b);

#endif
