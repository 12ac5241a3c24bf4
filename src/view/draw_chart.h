/* draw_chart: lines in a rectangle, of Braille dots (two by four in a cell) or, where only ASCII may be shown, of one
 * character a cell. Private to the view room. */
#ifndef SLACKSWAP_VIEW_DRAW_CHART_H
#define SLACKSWAP_VIEW_DRAW_CHART_H

#include "draw.h"

/* One line: VALUE gives its height at X, both 0 … 1 of the rectangle, or NAN where there is none. Of two lines in one cell
 * both have their dots, and the later one its role. */
struct chart_line {
    double (*value)(const void *context, double x);
    const void *context;
    enum role role;
    const char *ascii;
};
void draw_chart(const struct canvas *canvas, struct rect rect, const struct chart_line *lines, int count);

#endif
