/* load: the profile a command is about — a file, standard input, or a built-in model. */
#ifndef SLACKSWAP_APP_LOAD_H
#define SLACKSWAP_APP_LOAD_H

#include "options.h"

#define DEFAULT_MODEL "gpt2-xl"

/* Loads what the command's first argument names, DEFAULT_MODEL when there is none; OUT lives in ARENA. A built-in model's
 * name is that model; a file of the same name is reached as ./NAME. --link replaces the profile's own link. Options of
 * models beside a file are SS_USAGE (those in the environment or the configuration file are passed over); a file that
 * can't be read or breaks its contract is SS_BAD_INPUT, with the file in the error's place. */
enum ss_status load_profile(const struct options *options, struct arena *arena, struct profile *out,
                            struct error *error);

#endif
