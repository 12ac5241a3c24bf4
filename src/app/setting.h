/* setting: options again, for one of two things that are compared — "budget=40%,bandwidth=16GB/s". */
#ifndef SLACKSWAP_APP_SETTING_H
#define SLACKSWAP_APP_SETTING_H

#include "core/profile.h"
#include "options.h"

/* OUT becomes BASE with what TEXT says instead; names are those of options about memory, link and planning. It shares
 * BASE's strings and must not be given to options_free. TEXT NULL: nothing. SS_USAGE with a message that names the
 * setting; OPTION is where TEXT was written. */
enum ss_status setting_take(const struct options *base, enum option_id option, const char *text, struct options *out,
                            struct error *error);
/* PROFILE over the link that OPTIONS name, or over its own; shares everything else with PROFILE. */
struct profile setting_profile(const struct options *options, const struct profile *profile);

#endif
