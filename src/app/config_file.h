/* config_file: $XDG_CONFIG_HOME/slackswap/config.json, an object whose members are named as the options are written:
 *
 *     { "budget": "40%", "bandwidth": 16, "planner": "slackswap", "ascii": true }
 *
 * A value is a text, a number or a boolean. No file is no settings; a file that can't be read, is no such object, or names
 * what is no setting is an error with the place in it. */
#ifndef SLACKSWAP_APP_CONFIG_FILE_H
#define SLACKSWAP_APP_CONFIG_FILE_H

#include "options.h"

struct config_file {
    const char *path;                 /* "" when there is nowhere to look */
    const char *value[OPTION_COUNT];  /* as an option's value is written; NULL: not set */
};

/* Takes what LENGTH bytes at TEXT (TEXT[LENGTH] is NUL) set into OUT. */
enum ss_status config_file_parse(const char *text, size_t length, struct arena *arena, struct config_file *out,
                                 struct error *error);
/* Everything in OUT lives in ARENA. SS_BAD_INPUT. */
enum ss_status config_file_read(struct arena *arena, struct config_file *out, struct error *error);

#endif
