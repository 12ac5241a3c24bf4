/* grid_out: a grid as text, ANSI, SVG or JSON. Rows end in '\n'. The result is a terminated string in ARENA of *LENGTH
 * bytes; NULL when memory is short. */
#ifndef SLACKSWAP_VIEW_GRID_OUT_H
#define SLACKSWAP_VIEW_GRID_OUT_H

#include "core/base.h"
#include "grid.h"
#include "theme.h"

/* Characters alone; blanks at the end of a row are left out. */
char *grid_text_out(const struct grid *grid, struct arena *arena, size_t *length);
/* With colour escapes for DEPTH; every row ends with the attributes reset. */
char *grid_ansi_out(const struct grid *grid, const struct theme *theme, enum colour_depth depth, struct arena *arena,
                    size_t *length);
/* A picture, each cell at its place. */
char *grid_svg_out(const struct grid *grid, const struct theme *theme, struct arena *arena, size_t *length);
/* {"schema":"slackswap-screen/1","width":W,"height":H,"rows":[{"text":"…","cells":[[columns,"role"],…]},…]}: runs of
 * equal style per row; a third element lists attributes and "on:ROLE" where the style has them. */
char *grid_json_out(const struct grid *grid, struct arena *arena, size_t *length);

#endif
