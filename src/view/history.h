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

/* What was done so far, set aside while one does something else that has a history of its own: a lesson. */
struct history_aside {
    bool exists;
    struct view_state *state;     /* how things stood then; NULL before the first time */
    struct view_state *moment;
    uint32_t count, capacity, at;
};

struct history {
    struct arena arena;           /* plans made by hand */
    struct view_state *moment;    /* count + 1 entries once there is one: the last is the tip that was left */
    uint32_t count, capacity, at;
    const struct view_state *awaited; /* is to be restored when its outcome comes; NULL: nothing is */
    bool stepped;                 /* the key at hand was a step itself: not to be remembered */
    struct history_aside aside;
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
/* What was done so far can't be undone any more; what was set aside, and plans, stay. */
void history_restart(struct history *history);
/* The same, by a key that is not remembered either: what it opens is where undoing ends. HISTORY may be NULL. */
void history_begin(struct history *history);
/* Nothing can be undone any more, of what was set aside neither; plans stay. */
void history_forget(struct history *history);
/* Sets aside all that was done until STATE, and begins anew; false, nothing done, when memory is short or something is set
 * aside already. */
bool history_set_aside(struct history *history, const struct view_state *state);
/* Forgets what was done since and takes back what was set aside: returns how things stood then, or NULL. */
const struct view_state *history_take_back(struct history *history);
/* Changes that could still be undone. */
uint32_t history_left(const struct history *history);

#endif
