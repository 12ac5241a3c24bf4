/* view_whatif: what the What-if view's keys and its drawing share. Private to the view room. */
#ifndef SLACKSWAP_VIEW_VIEW_WHATIF_H
#define SLACKSWAP_VIEW_VIEW_WHATIF_H

#include "core/whatif_batch.h"
#include "state.h"

/* What its studies are asked: settings in which whatever the answer does not depend on stands at its default. */
struct whatif_question { struct settings settings; };
/* The bound of the map's cell under the cursor, the settings being those of the map. */
struct cell_question { struct settings settings; uint64_t budget_bytes; double rate; };
/* Of a built-in model, how much of it fits: the budget stands there in bytes, and the batch at 1, so that the answer is the same
 * whatever the batch at hand is. */
struct batches_question { struct settings settings; };

/* The answers as far as they go; NULL where there is none to the settings at hand. COMPLETE (NULL is allowed) says whether
 * more will come. */
const struct whatif_curve *whatif_shown_curve(const struct view_state *state, const struct scene *scene,
                                              enum whatif_axis axis, bool *complete);
const struct whatif_map *whatif_shown_map(const struct view_state *state, const struct scene *scene, bool *complete);

/* The bound of the cell under the map's cursor; NULL as long as it is not known, NAN where there is none. */
const double *whatif_shown_cell_bound(const struct view_state *state, const struct scene *scene);

/* The same of a built-in model's batches. */
const struct whatif_batches *whatif_shown_batches(const struct view_state *state, const struct scene *scene);

/* The entry at which the cursor stands: the one nearest to it. BATCHES has one at least. */
uint32_t whatif_batch_cursor(const struct view_state *state, const struct whatif_batches *batches);
/* The batch that the knob stands at. */
uint32_t whatif_knob_batch(const struct view_state *state);

/* What a click on a point or cell is linked to: point I of a curve, cell I of the map counted row by row, or batch I. */
uint32_t whatif_item(enum whatif_pane pane, uint32_t i);

/* Where the knob stands on AXIS: bytes, or GB/s. */
double whatif_knob(const struct view_state *state, const struct scene *scene, enum whatif_axis axis);
/* The point of CURVE, or the row or column of MAP, at which the cursor stands: the nearest. */
uint32_t whatif_cursor(const struct view_state *state, const struct scene *scene, enum whatif_axis axis,
                       const struct whatif_curve *curve);
uint32_t whatif_map_cursor(const struct view_state *state, const struct scene *scene, enum whatif_axis axis,
                           const struct whatif_map *map);

#endif
