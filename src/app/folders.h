/* folders: where a user's own files stand (XDG base directories). */
#ifndef SLACKSWAP_APP_FOLDERS_H
#define SLACKSWAP_APP_FOLDERS_H

#include "core/base.h"

enum folder {
    FOLDER_CONFIG, /* $XDG_CONFIG_HOME/slackswap, else ~/.config/slackswap */
    FOLDER_STATE,  /* $XDG_STATE_HOME/slackswap, else ~/.local/state/slackswap */
};
/* The path of NAME in FOLDER, in ARENA: "" where the environment names no place (it must be absolute), NULL when memory is
 * short. Nothing is created. */
const char *folder_path(enum folder folder, const char *name, struct arena *arena);
/* Makes the folder PATH and those that it stands in, as far as they are missing, for its owner alone. False when it is not
 * there then. ARENA is for its own use. */
bool folder_make(const char *path, struct arena *arena);

#endif
