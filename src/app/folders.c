#include "folders.h"

#include <stdlib.h>

static const struct {
    const char *variable, *in_home;
} PLACE[] = {
    [FOLDER_CONFIG] = { "XDG_CONFIG_HOME", ".config" },
    [FOLDER_STATE] = { "XDG_STATE_HOME", ".local/state" },
};

const char *folder_path(enum folder folder, const char *name, struct arena *arena) {
    const char *base = getenv(PLACE[folder].variable), *home = getenv("HOME");
    if (base && base[0] == '/')
        return arena_printf(arena, "%s/slackswap/%s", base, name);
    return home && home[0] == '/' ? arena_printf(arena, "%s/%s/slackswap/%s", home, PLACE[folder].in_home, name) : "";
}
