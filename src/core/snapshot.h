/* snapshot: what is remembered of an outcome when it is gone — its figures, its plan, and when each tensor came and went.
 * A lesson compares what is with what was. */
#ifndef SLACKSWAP_CORE_SNAPSHOT_H
#define SLACKSWAP_CORE_SNAPSHOT_H

#include "quantity.h"

/* Moments in a tensor's life that a timeline knows. */
enum moment {
    MOMENT_MADE,     /* its forward op has ended */
    MOMENT_LEFT,     /* offloaded: its copy to the host has ended */
    MOMENT_RETURNED, /* offloaded: it has landed on the GPU again */
    MOMENT_NEEDED,   /* the first op that wants it back begins; kept: the backward of the last op that saved it */
    MOMENT_COUNT
};

/* Arrays have profile.tensor_count entries; times are NAN where a tensor has none. */
struct snapshot {
    struct quantities quantities;
    uint8_t *action;                 /* enum action */
    double *time_us[MOMENT_COUNT];
};

/* An empty one in ARENA, for outcomes of PROFILE. */
enum ss_status snapshot_init(struct snapshot *snapshot, struct arena *arena, const struct profile *profile,
                             struct error *error);
/* Forgets what it held. OUTCOME is one of the same profile. */
void snapshot_take(struct snapshot *snapshot, const struct outcome *outcome);
void snapshot_copy(struct snapshot *out, const struct snapshot *snapshot, const struct profile *profile);

#endif
