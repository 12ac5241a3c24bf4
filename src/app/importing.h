/* importing: a profile out of another program's recording, for the commands that take one. */
#ifndef SLACKSWAP_APP_IMPORTING_H
#define SLACKSWAP_APP_IMPORTING_H

#include "core/profile.h"
#include "options.h"

/* Reads PATH ("-": standard input) in the format that OPTIONS name or its content tells; OUT lives in ARENA. What had to
 * be decided is said on standard error. SS_BAD_INPUT with the file in the error's place; SS_USAGE for options that the
 * format doesn't take. */
enum ss_status import_file(const struct options *options, const char *path, struct arena *arena,
                           struct profile *profile, struct error *error);
/* Whether the content of PATH is in a format that can be imported; of what can't be read twice it is not known. */
bool import_knows(const char *path);

#endif
