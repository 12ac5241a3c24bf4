/* draw_batches: the batches of a built-in model in the What-if view. Private to the view room. */
#ifndef SLACKSWAP_VIEW_DRAW_BATCHES_H
#define SLACKSWAP_VIEW_DRAW_BATCHES_H

#include "draw.h"
#include "view_whatif.h"

/* "up to 13; 18.8k tokens/s at 8": the most, and the fastest. Returns TEXT. */
const char *batches_summary(const struct whatif_batches *batches, char *text, size_t size);
/* A line each from RECT's row Y on, as many as there is room for, the cursor's among them; returns how many. */
int draw_batches(const struct canvas *canvas, struct rect rect, int y, const struct whatif_batches *batches);

#endif
