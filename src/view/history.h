/* history: what was done, so that it can be undone — without limit.
 *
 * Changes (a knob turned, a planner chosen, a tensor's action edited: whatever asks for a new outcome) are steps of
 * undoing; moves are not, but when all changes are undone, one more step undoes the moves before the first of them.
 *
 * moment[0] is the state before the first key, moment[i] the state before the i-th change; all are copies. AT says where
 * the user stands: at the tip (AT == count), or back at moment[AT]. Undoing goes to moment[AT - 1]; on the way back the
 * same moments are passed, and the state that was left at the tip is the last. A change made at moment[i] replaces it and
 * drops what came after.
 *
 * A history owns its moments and the plans made by hand, which stay unchanged until history_free: they may be read by
 * other threads until then. A state borrows its history. */
#ifndef SLACKSWAP_VIEW_HISTORY_H
#define SLACKSWAP_VIEW_HISTORY_H

#include "core/plan.h"

struct view_state;

struct history {
    struct arena arena;           /* plans made by hand */
    struct view_state *moment;    /* count + 1 entries once there is one: the last is the tip that was left */
    uint32_t count, capacity, at;
    bool waiting;                 /* moment[at] is to be restored when its outcome comes */
    bool stepped;                 /* the key at hand was a step itself: not to be remembered */
};

/* A zeroed history is an empty one. */
void history_free(struct history *history);
/* A copy of PLAN that lives as long as HISTORY; NULL when memory is short. */
struct plan *history_plan(struct history *history, const struct profile *profile, const struct plan *plan);
/* BEFORE is how things stood before a key: kept if it is the first one, or if the key made a change (CHANGED). False when
 * memory is short: this change can't be undone. */
bool history_note(struct history *history, const struct view_state *before, bool changed);
/* The moment to go to, STATE being the one that is left; NULL when there is none in this DIRECTION (< 0: undo). Undoing at
 * the first moment undoes the moves made since. */
const struct view_state *history_step(struct history *history, const struct view_state *state, int direction);
/* Changes that could still be undone. */
uint32_t history_left(const struct history *history);

#endif
