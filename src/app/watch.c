#include "watch.h"

#include <stdlib.h>
#include <string.h>

struct watch {
    uv_fs_event_t events;
    uv_timer_t quiet;
    int open;             /* handles that the loop still has */
    char *folder, *name;
    void (*changed)(void *context);
    void *context;
};

static void release(struct watch *watch) {
    free(watch->folder);
    free(watch->name);
    free(watch);
}

static void on_closed(uv_handle_t *handle) {
    struct watch *watch = handle->data;
    if (--watch->open == 0)
        release(watch);
}

static void on_quiet(uv_timer_t *timer) {
    struct watch *watch = timer->data;
    watch->changed(watch->context);
}

/* Without a name the system could not say which file it was: it may have been ours. */
static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
    struct watch *watch = handle->data;
    (void)events;
    if (status == 0 && (!name || strcmp(name, watch->name) == 0))
        uv_timer_start(&watch->quiet, on_quiet, WATCH_QUIET_MS, 0);
}

/* "a/b" is b in a, "/b" is b in /, "b" is b in the folder at hand. */
static bool split(struct watch *watch, const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    watch->folder = length ? strndup(path, length) : strdup(".");
    watch->name = strdup(slash ? slash + 1 : path);
    return watch->folder && watch->name;
}

void watch_close(struct watch *watch) {
    if (!watch)
        return;
    uv_close((uv_handle_t *)&watch->events, on_closed);
    uv_close((uv_handle_t *)&watch->quiet, on_closed);
}

enum ss_status watch_new(struct watch **out, uv_loop_t *loop, const char *path, void (*changed)(void *context), void *context,
                         struct error *error) {
    struct watch *watch = calloc(1, sizeof *watch);
    *out = NULL;
    if (!watch || !split(watch, path)) {
        if (watch)
            release(watch);
        return error_no_memory(error);
    }
    watch->changed = changed;
    watch->context = context;
    uv_fs_event_init(loop, &watch->events);
    uv_timer_init(loop, &watch->quiet);
    watch->events.data = watch->quiet.data = watch;
    watch->open = 2;
    if (uv_fs_event_start(&watch->events, on_event, watch->folder, 0) != 0)
        watch_close(watch);
    else
        *out = watch;
    return SS_OK;
}
