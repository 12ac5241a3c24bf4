/* svg: pictures for papers and pages. Lengths are pixels from the top left corner; what things look like is said once, by
 * the classes of the style sheet, so that light and dark are two sheets of one picture. */
#ifndef SLACKSWAP_IO_SVG_H
#define SLACKSWAP_IO_SVG_H

#include "buffer.h"
#include "palette.h"

#define SVG_CURVES 8 /* classes curve0 … curve7: lines that differ in colour and dashes */

/* Opens a picture called TITLE (a name, escaped here). */
void svg_begin(struct buffer *out, int width, int height, const struct look *look, const char *title);
void svg_end(struct buffer *out);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
/* CLASS is "text", "small", "dim", "title", "on-KIND" (on an area of that kind), several parted by blanks. */
void svg_text(struct buffer *out, double x, double y, const char *class, enum svg_anchor anchor, const char *text);
/* HOVER (NULL: none) shows when the mouse is over it. */
void svg_rect(struct buffer *out, enum area area, double x, double y, double width, double height,
              const char *hover);
/* CLASS: "axis", "grid", "budget", "bound". */
void svg_line(struct buffer *out, const char *class, double x1, double y1, double x2, double y2);
/* Text made harmless, and what XML would take for a sign of its own escaped. */
void svg_escape(struct buffer *out, const char *text);
/* The width in pixels that TEXT takes at most in the small size. */
double svg_width_of(const char *text);
/* Squares with words for COUNT paints from FIRST on, in a row from X on. */
void svg_legend(struct buffer *out, enum area first, uint32_t count, double x, double y);

/* A step for ticks on an axis that reaches MOST: 1, 2 or 5 times a power of ten, about COUNT of them. */
double svg_tick(double most, int count);

#endif
