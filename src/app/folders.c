#include "folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

bool folder_make(const char *path, struct arena *arena) {
    char *copy = arena_strdup(arena, path);
    if (copy == NULL)
        return false;
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0700);
        *slash = '/';
    }
    return mkdir(copy, 0700) == 0 || errno == EEXIST;
}
