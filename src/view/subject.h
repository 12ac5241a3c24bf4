/* subject: a profile that is looked at, with what is known of it before anything is planned. A scene looks at one at a time;
 * outcomes and studies of the one before may still be about while the next is there already, so each holds its own. All
 * functions are for one thread. */
#ifndef SLACKSWAP_VIEW_SUBJECT_H
#define SLACKSWAP_VIEW_SUBJECT_H

#include "core/closure.h"
#include "core/outcome.h"
#include "core/work.h"

struct subject {
    struct arena arena;             /* owns all of it, but for a borrowed profile */
    uint32_t holders;
    struct work_choice work;
    struct profile built;           /* PROFILE, unless that is borrowed */
    const struct profile *profile;
    struct limits limits;           /* unlimited peak and least budget */
    struct closure closure;         /* what may be recomputed */
    uint32_t layer_prefix;          /* bytes that all layers' names begin with: left out where room is short */
};

/* Where profiles come from that are no built-in models: OPEN builds the one of NUMBER (work.h) in ARENA. */
struct work_source {
    enum ss_status (*open)(void *context, uint32_t number, struct arena *arena, struct profile *out, struct error *error);
    void *context;
};

/* What WORK names: a PROFILE that is borrowed and outlives the subject, else (NULL) one built or taken from SOURCE. The caller
 * holds it. */
enum ss_status subject_new(struct subject **out, const struct work_choice *work, const struct profile *profile,
                           const struct work_source *source, struct error *error);
/* The same for a profile that is at hand in ARENA, which is emptied. */
enum ss_status subject_adopt(struct subject **out, const struct work_choice *work, const struct profile *profile,
                             struct arena *arena, struct error *error);
struct subject *subject_hold(struct subject *subject); /* one holder more; NULL is nobody */
void subject_release(struct subject *subject);         /* and one less: the last frees it */

/* Whether A and B have the same layers, ops and tensors under the same numbers: what is drawn of one can be pointed at in the
 * other. Times, sizes and what is saved may differ. */
bool subject_alike(const struct subject *a, const struct subject *b);

#endif
