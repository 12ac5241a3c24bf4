/* layers_lines: which line of the table of layers is what. Lines are numbered from 0; log n or the number of open layers. */
#ifndef SLACKSWAP_VIEW_LAYERS_LINES_H
#define SLACKSWAP_VIEW_LAYERS_LINES_H

#include "state.h"

uint32_t layers_line_count(const struct view_state *state, const struct scene *scene);
/* The N-th line, which exists. */
struct layers_line layers_line_at(const struct view_state *state, const struct scene *scene, uint32_t n);
/* And back; a line of a layer that is closed is that layer's. */
uint32_t layers_line_number(const struct view_state *state, const struct scene *scene, struct layers_line line);
/* How many of the table's lines fit on the screen. */
uint32_t layers_visible(const struct view_state *state, const struct scene *scene);
/* Whether LINE belongs to the marked range that ends at the selected line. */
bool layers_line_marked(const struct view_state *state, const struct scene *scene, struct layers_line line);

#endif
