#include "save.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/export.h"
#include "io/file.h"
#include "io/plan_json.h"
#include "palette_of.h"

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

/* NAME.ENDING, or NAME-2.ENDING and so on: the first that is not taken. */
static bool free_path(const char *name, const char *ending, char path[SAVE_PATH]) {
    snprintf(path, SAVE_PATH, "%s%s", name, ending);
    for (int n = 2; access(path, F_OK) == 0; n++) {
        if (n > NAMES_TRIED)
            return false;
        snprintf(path, SAVE_PATH, "%s-%d%s", name, n, ending);
    }
    return true;
}

enum ss_status save_text(const struct profile *profile, const char *ending, const struct buffer *text,
                         char path[SAVE_PATH], struct error *error) {
    char name[NAME_KEPT + 1];
    file_name(profile->name, name);
    if (!free_path(name[0] != '\0' ? name : "profile", ending, path))
        return error_set(error, SS_INTERNAL, "every name up to %s is taken", path);
    enum ss_status status = buffer_status(text, error);
    return status == SS_OK ? file_write(path, text->text, text->length, error) : status;
}

enum ss_status save_plan(const struct profile *profile, const struct plan *plan, char path[SAVE_PATH],
                         struct error *error) {
    struct buffer out = { 0 };
    plan_json_write(&out, profile, plan);
    enum ss_status status = save_text(profile, ".plan.json", &out, path, error);
    buffer_free(&out);
    return status;
}

enum ss_status save_export(const struct export_name *name, const struct outcome *outcome, const struct theme *theme,
                           char path[SAVE_PATH], struct error *error) {
    struct buffer out = { 0 };
    struct palette colours;
    const struct export_format *format = export_find(name->name);
    palette_of(theme, &colours);
    const struct look look = { &colours, NULL };
    format->put(&out, outcome, &look);
    enum ss_status status = save_text(outcome->timeline.profile, name->ending, &out, path, error);
    buffer_free(&out);
    return status;
}
