/* Files that change while the loop turns: the theme's and the profile's. */
#include <stdio.h>
#include <string.h>

#include "io/file.h"
#include "loop_parts.h"
#include "view/follow.h"

/* The foot has one line: the folder is left out. */
static void tell_broken(struct loop *loop, const char *path, const struct error *error) {
    char text[sizeof error->place + sizeof error->text + 2];
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    bool named = strncmp(error->place, path, folder) == 0;
    snprintf(text, sizeof text, "%s: %s", error->place + (named ? folder : 0), error->text);
    state_message(&loop->state, MESSAGE_BAD, text);
    loop->dirty = true;
}

/* The profile, read anew, takes the place of the old one; what can't be read changes nothing but the foot line. */
static void on_profile_changed(void *context) {
    struct loop *loop = context;
    const struct work_choice work = { .profile = WORK_OPENED };
    struct profile profile;
    struct arena arena = { 0 };
    struct subject *fresh = NULL;
    struct error error = { "", "" };
    enum ss_status status = loop->options->reload(loop->options->context, &arena, &profile, &error);
    if (status == SS_OK)
        status = subject_adopt(&fresh, &work, &profile, &arena, &error);
    arena_free(&arena);
    if (status == SS_OK)
        loop_perform(loop, state_reload(&loop->state, &loop->scene, fresh));
    else
        tell_broken(loop, loop->options->path, &error);
    subject_release(fresh);
}

static void on_theme_changed(void *context) {
    struct loop *loop = context;
    struct theme_file fresh;
    struct error error;
    if (theme_file_load(loop->theme->theme.name, &fresh, &error) != SS_OK) {
        tell_broken(loop, loop->theme->path, &error);
    } else if (!fresh.path) { /* taken away: what is shown stays until it comes back */
        theme_file_free(&fresh);
        return;
    } else {
        theme_file_free(&loop->read);
        loop->read = fresh;
        loop->theme = &loop->read;
        term_theme(loop->term, &loop->read.theme);
        state_message(&loop->state, MESSAGE_INFO, "theme read anew");
    }
    loop->dirty = true;
}

enum ss_status loop_watch_files(struct loop *loop, struct error *error) {
    enum ss_status status = SS_OK;
    if (loop->theme->path)
        status = watch_new(&loop->theme_watch, &loop->uv, loop->theme->path, on_theme_changed, loop, error);
    if (status == SS_OK && loop->options->path && file_check_regular(loop->options->path, NULL) == SS_OK)
        status = watch_new(&loop->profile_watch, &loop->uv, loop->options->path, on_profile_changed, loop, error);
    return status;
}
