#include "challenges.h"
#include "loop_parts.h"

/* ---- the end ---- */

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* Closes all that keeps the loop turning; uv_run returns when it is closed. The terminal is given back at once: a planner
 * in the midst of a large plan may take a moment to stop. */
void loop_finish(struct loop *loop, enum loop_end end) {
    if (loop->ending)
        return;
    loop->ending = true;
    loop->end = end;
    term_leave(loop->term);
    uv_close((uv_handle_t *)&loop->keys, NULL);
    uv_close((uv_handle_t *)&loop->before_sleep, NULL);
    uv_close((uv_handle_t *)&loop->clock, NULL);
    loop_close_signals(loop);
    watch_close(loop->theme_watch);
    watch_close(loop->profile_watch);
    worker_close(loop->worker);
    studies_close(loop->studies);
}

static void fail(struct loop *loop, enum ss_status status) {
    loop->status = status;
    loop_finish(loop, LOOP_QUIT);
}

/* ---- drawing ---- */

static void on_studied(void *context) {
    ((struct loop *)context)->dirty = true;
}

/* Once a turn, when all that was ready has been dealt with. */
static void draw(uv_prepare_t *handle) {
    struct loop *loop = handle->data;
    if (!loop->dirty || loop->asleep)
        return;
    loop->dirty = false;
    studies_update(loop->studies, &loop->state);
    if ((loop->grid.width != loop->state.width || loop->grid.height != loop->state.height) &&
        !grid_resize(&loop->grid, loop->state.width, loop->state.height)) {
        fail(loop, error_no_memory(loop->error));
        return;
    }
    view_draw(&loop->state, &loop->scene, &loop->theme->theme, &loop->grid);
    term_draw(loop->term, &loop->grid);
}

/* ---- the beginning ---- */

/* 0, or libuv's reason. */
static int open_handles(struct loop *loop) {
    int failed = uv_poll_init(&loop->uv, &loop->keys, term_fd(loop->term));
    loop->keys.data = loop->before_sleep.data = loop->clock.data = loop;
    if (!failed)
        failed = uv_prepare_init(&loop->uv, &loop->before_sleep);
    if (!failed)
        failed = uv_timer_init(&loop->uv, &loop->clock);
    if (!failed)
        failed = loop_watch_signals(loop);
    if (!failed)
        failed = uv_prepare_start(&loop->before_sleep, draw);
    if (!failed)
        loop_watch_keys(loop);
    return failed;
}

static enum ss_status begin(struct loop *loop, const struct loop_options *options, struct error *error) {
    int width, height, failed = open_handles(loop);
    struct worker_listener listener = LOOP_LISTENER;
    listener.context = loop;
    if (failed)
        return error_set(error, SS_INTERNAL, "no event loop on this terminal: %s", uv_strerror(failed));
    enum ss_status status = worker_new(&loop->worker, &loop->uv, options->plan_time_us, options->compute, &listener, error);
    if (status == SS_OK)
        status = loop_watch_files(loop, error);
    if (status != SS_OK)
        return status;
    status = studies_new(&loop->studies, &loop->uv, STUDY_KINDS, STUDY_COUNT, &loop->scene, loop->scene.study,
                         on_studied, loop, error);
    if (status != SS_OK) {
        worker_close(loop->worker);
        return status;
    }
    term_size(loop->term, &width, &height);
    state_init(&loop->state, options->settings, width, height);
    loop->state.ascii = term_ascii(loop->term);
    loop->state.history = &loop->history;
    if (options->plan)
        state_open_plan(&loop->state, &loop->scene, options->plan);
    loop->dirty = true;
    session_size(loop->session, width, height);
    if (options->school)
        school_attend(options->school, &loop->state, &loop->scene);
    if (options->school && options->lesson != NONE)
        loop_perform(loop, lesson_open_at(&loop->state, &loop->scene, options->lesson, options->step));
    else if (options->challenge)
        loop_perform(loop, challenge_begin(&loop->state, &loop->scene, options->challenge));
    else
        loop_request(loop);
    loop_replay_on(loop);
    if (options->first_words)
        loop_perform(loop, state_message(&loop->state, MESSAGE_INFO, options->first_words));
    if (options->first_keys)
        loop_press(loop, options->first_keys);
    return SS_OK;
}

/* Whatever begin() left behind is closed with the rest. */
static enum ss_status run(struct loop *loop, const struct loop_options *options, struct error *error) {
    int failed = uv_loop_init(&loop->uv);
    if (failed)
        return error_set(error, SS_INTERNAL, "no event loop: %s", uv_strerror(failed));
    enum ss_status status = begin(loop, options, error);
    if (status != SS_OK)
        uv_walk(&loop->uv, close_handle, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop->uv) != 0 && status == SS_OK && loop->status == SS_OK)
        return error_set(error, SS_INTERNAL, "a bug: the event loop was left with open handles");
    return status == SS_OK ? loop->status : status;
}

enum ss_status loop_run(const struct loop_options *options, enum loop_end *end, int *signal, struct error *error) {
    struct loop loop = { .term = options->term, .theme = options->theme, .options = options, .error = error,
                         .session = options->session, .replay = options->replay, .replay_words = options->replay_words };
    struct subject *subject;
    enum ss_status status = subject_new(&subject, &options->settings->work, options->profile, NULL, error);
    if (status != SS_OK)
        return status;
    scene_begin(&loop.scene, subject);
    subject_release(subject);
    status = run(&loop, options, error);
    *end = loop.end;
    *signal = loop.signal;
    scene_free(&loop.scene);
    grid_free(&loop.grid);
    theme_file_free(&loop.read);
    history_free(&loop.history);
    return status;
}
