/* workload: the profiles that a list of arguments names — built-in models, files in any form that the program reads, and
 * folders of such files. */
#ifndef SLACKSWAP_APP_WORKLOAD_H
#define SLACKSWAP_APP_WORKLOAD_H

#include "core/profile.h"
#include "options.h"

struct named_profile { const char *name; struct profile profile; };
struct workload {
    struct arena *arena;                /* owns all of it */
    struct named_profile **item; uint32_t count, room;
};

/* Adds what ARGUMENT names. A file is slackswap-profile/1 or told by its content; of a folder, in the order of names, every
 * file is taken that is one of these, and those that turn out to be unusable are said on standard error and left out.
 * SS_BAD_INPUT when a file is neither, or a folder has nothing to take. */
enum ss_status workload_add(struct workload *workload, const struct options *options, const char *argument,
                            struct error *error);
/* Adds the built-in MODEL with ATTENTION, called "gpt2-xl-flash". */
enum ss_status workload_add_model(struct workload *workload, const struct options *options, const struct model *model,
                                  enum attention attention, struct error *error);

#endif
