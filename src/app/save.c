#include "save.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/plan_json.h"

#define NAMES_TRIED 10000
#define NAME_KEPT 200 /* bytes of the profile's name */

/* The profile's name as part of a file's: what parts paths, hides files or looks like an option is replaced. */
static void file_name(const char *name, char out[NAME_KEPT + 1]) {
    size_t length = strlen(name) < NAME_KEPT ? strlen(name) : NAME_KEPT;
    while (length > 0 && length < strlen(name) && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--; /* whole characters */
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool first = i == 0 && (c == '.' || c == '-');
        out[i] = (char)(c <= ' ' || c == 0x7F || c == '/' || c == '\\' || first ? '_' : c);
    }
    out[length] = '\0';
}

static bool free_path(const char *name, char path[SAVE_PATH]) {
    snprintf(path, SAVE_PATH, "%s.plan.json", name);
    for (int n = 2; access(path, F_OK) == 0; n++) {
        if (n > NAMES_TRIED)
            return false;
        snprintf(path, SAVE_PATH, "%s.plan-%d.json", name, n);
    }
    return true;
}

enum ss_status save_plan(const struct profile *profile, const struct plan *plan, char path[SAVE_PATH],
                         struct error *error) {
    char name[NAME_KEPT + 1];
    struct buffer out = { 0 };
    file_name(profile->name, name);
    if (!free_path(name[0] != '\0' ? name : "profile", path))
        return error_set(error, SS_INTERNAL, "every name up to %s is taken", path);
    plan_json_write(&out, profile, plan);
    enum ss_status status = buffer_status(&out, error);
    if (status == SS_OK)
        status = file_write(path, out.text, out.length, error);
    buffer_free(&out);
    return status;
}
