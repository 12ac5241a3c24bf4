/* workload: see workload.h. */
#include "workload.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "importing.h"
#include "io/file.h"
#include "load.h"
#include "talk.h"

static struct named_profile *append(struct workload *workload, const char *name) {
    if (workload->count == workload->room) {
        const uint32_t room = workload->room ? 2 * workload->room : 16;
        struct named_profile **item = ARENA_ARRAY(workload->arena, struct named_profile *, room);
        if (!item)
            return NULL;
        for (uint32_t i = 0; i < workload->count; i++)
            item[i] = workload->item[i];
        workload->item = item;
        workload->room = room;
    }
    struct named_profile *added = ARENA_ARRAY(workload->arena, struct named_profile, 1);
    if (!added || !(added->name = arena_strdup(workload->arena, name)))
        return NULL;
    return workload->item[workload->count] = added; /* counts once it is filled */
}

enum ss_status workload_add_model(struct workload *workload, const struct options *options, const struct model *model,
                                  enum attention attention, struct error *error) {
    struct model_options how = options->model;
    const char *name = arena_printf(workload->arena, "%s-%s", model->name, ATTENTION_NAME[attention]);
    struct named_profile *added = name ? append(workload, name) : NULL;
    if (!added)
        return error_no_memory(error);
    how.attention = attention;
    const enum ss_status status = model_build(model, &how, workload->arena, &added->profile, error);
    workload->count += status == SS_OK;
    return status;
}

/* "folder/vgg16.graph.txt" is called "vgg16". */
static const char *name_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t length = strcspn(base, ".");
    return arena_printf(arena, "%.*s", (int)(length ? length : strlen(base)), base);
}

/* Whether PATH reads like JSON that says it is a profile. */
static bool is_profile(const char *path, bool *readable, struct error *error) {
    struct file_text text;
    *readable = file_read(path, &text, error) == SS_OK;
    if (!*readable)
        return false;
    const size_t blank = strspn(text.text, " \t\r\n");
    const bool profile = text.text[blank] == '{' && (strstr(text.text, "\"ops\"") || strstr(text.text, "\"layers\""));
    file_text_free(&text);
    return profile;
}

/* KNOWN receives whether the file is in any form that is read. */
static enum ss_status add_file(struct workload *workload, const struct options *options, const char *path, bool *known,
                               struct error *error) {
    const char *name = name_of(path, workload->arena);
    struct named_profile *added = name ? append(workload, name) : NULL;
    bool readable = true;
    *known = true;
    if (!added)
        return error_no_memory(error);
    enum ss_status status;
    if (import_knows(path)) {
        status = import_file(options, path, workload->arena, &added->profile, error);
    } else if (is_profile(path, &readable, error)) {
        status = load_profile_file(options, path, workload->arena, &added->profile, error);
    } else {
        *known = !readable;
        if (readable)
            error_set(error, SS_BAD_INPUT, "expected a profile or a recording, found neither");
        status = error_in_file(error, path, SS_BAD_INPUT);
    }
    workload->count += status == SS_OK;
    return status;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The files of FOLDER by name; PATHS is the caller's to free, its texts live in ARENA. */
static enum ss_status list_folder(const char *folder, struct arena *arena, const char ***paths, uint32_t *count,
                                  struct error *error) {
    uint32_t room = 0;
    DIR *directory = opendir(folder);
    *paths = NULL;
    *count = 0;
    if (!directory) {
        error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
        return error_in_file(error, folder, SS_BAD_INPUT);
    }
    enum ss_status status = SS_OK;
    for (struct dirent *entry; status == SS_OK && (entry = readdir(directory));) {
        struct stat about;
        const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
        if (path && (entry->d_name[0] == '.' || stat(path, &about) != 0 || !S_ISREG(about.st_mode)))
            continue;
        if (*count == room) {
            room = room ? 2 * room : 64;
            const char **more = realloc(*paths, room * sizeof *more);
            path = more ? path : NULL;
            *paths = more ? more : *paths;
        }
        if (path)
            (*paths)[(*count)++] = path;
        else
            status = error_no_memory(error);
    }
    closedir(directory);
    if (*count > 0)
        qsort(*paths, *count, sizeof **paths, by_name);
    return status;
}

static enum ss_status add_folder(struct workload *workload, const struct options *options, const char *folder,
                                 struct error *error) {
    const char **paths;
    uint32_t count;
    const uint32_t before = workload->count;
    enum ss_status status = list_folder(folder, workload->arena, &paths, &count, error);
    for (uint32_t i = 0; i < count && status == SS_OK; i++) {
        bool known;
        status = add_file(workload, options, paths[i], &known, error);
        if (status != SS_BAD_INPUT)
            continue;
        if (known)
            talk_note(options, "left out: %s: %s", error->place, error->text);
        status = SS_OK;
    }
    free(paths);
    if (status == SS_OK && workload->count == before) {
        error_set(error, SS_BAD_INPUT, "has no profile or recording in it");
        status = error_in_file(error, folder, SS_BAD_INPUT);
    }
    return status;
}

enum ss_status workload_add(struct workload *workload, const struct options *options, const char *argument,
                            struct error *error) {
    struct stat about;
    bool known;
    const struct model *model = model_find(argument);
    if (model)
        return workload_add_model(workload, options, model, options->model.attention, error);
    if (stat(argument, &about) == 0 && S_ISDIR(about.st_mode))
        return add_folder(workload, options, argument, error);
    return add_file(workload, options, argument, &known, error);
}
