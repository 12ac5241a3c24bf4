/* move: how selection, cursor and rows move — the part of the reducer that knows the timeline. Called by state.c only.
 *
 * The selection is an event; the cursor is a point in time, which goes to the start of the event that is selected.
 * Going up and down does not lose one's place in time: the anchor remembers it, as an editor remembers the column.
 * The row is where the selection is looked at: its engine's lane, or its layer's row. */
#ifndef SLACKSWAP_VIEW_MOVE_H
#define SLACKSWAP_VIEW_MOVE_H

#include "state.h"

/* The tracks whose events ROW shows: an array indexed by enum track_kind, of which those in *KINDS (bits) belong to the
 * row. Stalls are drawn in rows but are no events. */
const struct track *row_tracks(const struct view_model *model, struct row row, unsigned *kinds);
#define TRACK_BIT(kind) (1u << (kind))

/* The layer whose row shows EVENT: that of its op, or of the op that made its tensor. */
uint32_t event_layer(const struct timeline *timeline, struct event event);
bool move_event_exists(const struct scene *scene, struct event event);

/* Chooses what to look at in the first outcome: the longest stall, or else the memory peak. */
void move_start(struct view_state *state, const struct scene *scene);
/* Finds the selection in a new outcome by what it is; what is gone is replaced by its neighbour in the row. */
void move_find_again(struct view_state *state, const struct scene *scene);
/* Brings row, scroll and the like back into their ranges, and the selection's layer into sight. */
void move_settle(struct view_state *state, const struct scene *scene);

/* Sets cursor and anchor. */
void move_cursor(struct view_state *state, double at_us);
/* Selects EVENT, the row staying as it is. */
void move_select(struct view_state *state, const struct scene *scene, struct event event);
/* The same; the row follows. */
void move_go(struct view_state *state, const struct scene *scene, struct event event);
/* To the previous (DIRECTION < 0) or next event in time, on any lane or in the row alone. */
void move_event(struct view_state *state, const struct scene *scene, int direction, bool same_row);
void move_stall(struct view_state *state, const struct scene *scene, int direction);
void move_cause(struct view_state *state, const struct scene *scene);
void move_consequence(struct view_state *state, const struct scene *scene);
void move_peak(struct view_state *state, const struct scene *scene);
/* To the next or previous event of an op, tensor or layer whose name holds state->query, in whatever case; past the end
 * it goes on at the other end. */
void move_find(struct view_state *state, const struct scene *scene, int direction);
/* Playing: the cursor is at AT_US, the selection what runs then. */
void move_follow(struct view_state *state, const struct scene *scene, double at_us);
void move_row(struct view_state *state, const struct scene *scene, int rows);
void move_row_end(struct view_state *state, const struct scene *scene, bool last);
void move_pane(struct view_state *state, const struct scene *scene, int direction);
/* To ROW, and there to what runs at AT_US, or is nearest to it. */
void move_to(struct view_state *state, const struct scene *scene, struct row row, double at_us);
/* From an engine lane to the row of the selection's layer. */
void move_to_layers(struct view_state *state, const struct scene *scene);

#endif
