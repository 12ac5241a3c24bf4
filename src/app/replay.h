/* replay: does again what a session (session.h) has written down, entry by entry. */
#ifndef SLACKSWAP_APP_REPLAY_H
#define SLACKSWAP_APP_REPLAY_H

#include "core/base.h"
#include "options.h"
#include "view/grid.h"
#include "view/state.h"
#include "view/theme.h"

struct replay_entry;
struct session;
struct replay {
    struct arena arena;              /* owns all below */
    const char *profile;             /* NULL: the default one */
    const char *option[OPTION_COUNT]; /* flags as written; NULL: not given */
    struct replay_entry *entry;
    size_t count, at;
    uint32_t noted;                  /* where the history stood before the last key, or what the mouse did */
    struct session *session;         /* written down anew here, for a session goes on; NULL: not */
};

/* Reads PATH; SS_BAD_INPUT with the line when it is no session. OUT is to be given to replay_free in any case. */
enum ss_status replay_read(const char *path, struct replay *out, struct error *error);
void replay_free(struct replay *replay);

/* The options that ask for what the session looked at, where OPTIONS, which name REPLAY's file, leave that open. OUT lives
 * as long as OPTIONS and REPLAY; give it to options_free. */
enum ss_status replay_options(const struct replay *replay, const struct options *options, struct options *out,
                              struct error *error);

/* Performs the next entry on STATE and returns true, EFFECTS set; false at the end, or while planning has to settle first
 * (STATE is told of outcomes by the caller). GRID serves for what a hand points at. */
bool replay_next(struct replay *replay, struct view_state *state, const struct scene *scene, const struct theme *theme,
                 struct grid *grid, unsigned *effects);
static inline bool replay_ended(const struct replay *replay) { return replay->at == replay->count; }

#endif
