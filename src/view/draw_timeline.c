/* The Timeline: ruler, lanes and memory over one time axis, and the inspector below. */
#include "draw.h"
#include "view_kind.h"

void draw_timeline(const struct canvas *canvas) {
    draw_ruler(canvas);
    draw_engines(canvas);
    draw_layer_rows(canvas);
    draw_memory(canvas);
    draw_inspector(canvas);
    draw_totals(canvas);
    draw_legend(canvas);
}
