/* help: what --help prints, all of it from the tables of commands and options. */
#ifndef SLACKSWAP_APP_HELP_H
#define SLACKSWAP_APP_HELP_H

#include "io/buffer.h"
#include "options.h"

/* Of one command, or of the program (COMMAND_COUNT). */
void help_put(struct buffer *out, enum command_id command);

#endif
