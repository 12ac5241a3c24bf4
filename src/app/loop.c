#include "loop.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "save.h"
#include "view/export_names.h"
#include "view/inspect.h"
#include "view/pointing.h"
#include "watch.h"

#define TICK_MS 40 /* between two pictures while playing */
#define DOUBLE_CLICK_MS 400

/* Signals that end the viewer, then those that only interrupt it. */
static const int SIGNALS[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT };
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof SIGNALS[0])
#define ENDING_COUNT 4

struct loop {
    uv_loop_t uv;
    uv_poll_t keys;
    uv_prepare_t before_sleep;
    uv_timer_t clock;
    uv_signal_t signals[SIGNAL_COUNT];
    struct worker *worker;
    struct studies *studies;

    struct terminal *term;
    const struct theme_file *theme; /* the caller's, or READ once its file has changed */
    struct theme_file read;
    struct watch *theme_watch, *profile_watch;
    const struct loop_options *options;
    struct scene scene;
    struct view_state state;
    struct history history;
    struct session *session;
    struct replay *replay;     /* still being done; else NULL */
    const char *replay_words;
    struct grid grid;

    struct mouse pressed; /* last */
    uint64_t pressed_ms;

    bool dirty;
    bool asleep;       /* the terminal belongs to somebody else: stopped, or in the background */
    bool ending;
    uint64_t ticked_ns; /* when the clock last ticked */

    enum loop_end end;
    int signal;
    enum ss_status status;
    struct error *error;
};

static void watch_keys(struct loop *loop);
static void on_signal(uv_signal_t *handle, int number);

/* ---- the end ---- */

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* Closes all that keeps the loop turning; uv_run returns when it is closed. The terminal is given back at once: a planner
 * in the midst of a large plan may take a moment to stop. */
static void finish(struct loop *loop, enum loop_end end) {
    if (loop->ending)
        return;
    loop->ending = true;
    loop->end = end;
    if (end != LOOP_OTHER_WORK)
        term_leave(loop->term);
    uv_close((uv_handle_t *)&loop->keys, NULL);
    uv_close((uv_handle_t *)&loop->before_sleep, NULL);
    uv_close((uv_handle_t *)&loop->clock, NULL);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        uv_close((uv_handle_t *)&loop->signals[i], NULL);
    watch_close(loop->theme_watch);
    watch_close(loop->profile_watch);
    worker_close(loop->worker);
    studies_close(loop->studies);
}

static void fail(struct loop *loop, enum ss_status status) {
    loop->status = status;
    finish(loop, LOOP_QUIT);
}

/* ---- planning ---- */

static void perform(struct loop *loop, unsigned effects);

/* Goes on with a session that is being done again, until planning has to settle. */
static void replay_on(struct loop *loop) {
    unsigned effects;
    int width, height;
    while (loop->replay && !loop->ending &&
           replay_next(loop->replay, &loop->state, &loop->scene, &loop->theme->theme, &loop->grid, &effects))
        perform(loop, effects);
    if (!loop->replay || !replay_ended(loop->replay))
        return;
    loop->replay = NULL;
    term_size(loop->term, &width, &height);
    perform(loop, state_resize(&loop->state, &loop->scene, width, height));
    perform(loop, state_message(&loop->state, MESSAGE_INFO, loop->replay_words));
}

/* Planning has settled: what is done from here on is done upon what it found. */
static void settled(struct loop *loop) {
    session_settled(loop->session);
    replay_on(loop);
}

static void on_planned(void *context, uint64_t generation, struct arena *arena, const struct view_model *model,
                       bool final) {
    struct loop *loop = context;
    (void)generation;
    scene_take_model(&loop->scene, arena, model);
    perform(loop, state_outcome(&loop->state, &loop->scene, final));
    if (final)
        settled(loop);
}

static void on_failed(void *context, uint64_t generation, const struct error *error) {
    struct loop *loop = context;
    (void)generation;
    state_failed(&loop->state, error->text);
    loop->dirty = true;
    settled(loop);
}

static void on_studied(void *context) {
    ((struct loop *)context)->dirty = true;
}

/* ---- files that change: the theme's and the profile's ---- */

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

/* What is to go on with the new profile; a plan made by hand goes over by the tensors' names. */
static enum ss_status prepare_resume(struct loop *loop, const struct profile *profile, struct arena *arena, struct error *error) {
    struct resume *resume = loop->options->resume;
    uint32_t lost = 0;
    *resume = (struct resume){ .view = loop->state.view, .settings = loop->state.settings };
    snprintf(resume->message, sizeof resume->message, "The profile has changed on disk and was read anew.");
    if (!loop->state.plan)
        return SS_OK;
    struct plan *plan = ARENA_ARRAY(arena, struct plan, 1);
    if (!plan)
        return error_no_memory(error);
    enum ss_status status = plan_carry(plan, arena, loop->scene.profile, loop->state.plan, profile, &lost, error);
    resume->plan = plan;
    snprintf(resume->message, sizeof resume->message, "The profile has changed on disk; your plan goes on.");
    if (lost > 0)
        snprintf(resume->message, sizeof resume->message,
                 "The profile has changed on disk; your plan goes on, but for %u tensor%s that it no longer has.", (unsigned)lost,
                 lost == 1 ? "" : "s");
    return status;
}

static void on_profile_changed(void *context) {
    struct loop *loop = context;
    const struct profile *profile;
    struct arena *arena;
    struct error error = { "", "" };
    enum ss_status status = loop->options->reload(loop->options->context, &profile, &arena, &error);
    if (status == SS_OK)
        status = prepare_resume(loop, profile, arena, &error);
    if (status == SS_OK)
        finish(loop, LOOP_OTHER_WORK);
    else
        tell_broken(loop, loop->options->path, &error);
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

/* ---- the clock, which only ticks: the state says how far the step has moved ---- */

static void on_tick(uv_timer_t *timer) {
    struct loop *loop = timer->data;
    uint64_t now_ns = uv_hrtime(), elapsed_ns = now_ns - loop->ticked_ns;
    loop->ticked_ns = now_ns;
    perform(loop, state_tick(&loop->state, &loop->scene, (double)elapsed_ns / 1e3));
}

static void run_clock(struct loop *loop) {
    bool runs = loop->state.playing && !loop->asleep;
    if (runs && !uv_is_active((uv_handle_t *)&loop->clock)) {
        loop->ticked_ns = uv_hrtime();
        uv_timer_start(&loop->clock, on_tick, TICK_MS, TICK_MS);
    } else if (!runs) {
        uv_timer_stop(&loop->clock);
    }
}

/* ---- sleeping while others use the terminal ---- */

static uv_signal_t *signal_handle(struct loop *loop, int number) {
    size_t i = 0;
    while (SIGNALS[i] != number)
        i++;
    return &loop->signals[i];
}

static void take_size(struct loop *loop, int width, int height) {
    if (loop->replay) /* a session that is done again has its own sizes; at its end the terminal's is taken */
        return;
    session_size(loop->session, width, height);
    perform(loop, EFFECT_REDRAW | state_resize(&loop->state, &loop->scene, width, height));
}

static void fall_asleep(struct loop *loop) {
    loop->asleep = true;
    uv_poll_stop(&loop->keys);
    run_clock(loop);
    term_leave(loop->term);
}

/* Somebody continued this process. In the background the terminal is not ours: fg will continue it once more. */
static void wake_up(struct loop *loop) {
    int width, height;
    if (!term_is_ours(loop->term)) {
        if (!loop->asleep)
            fall_asleep(loop);
        return;
    }
    loop->asleep = false;
    term_return(loop->term);
    term_size(loop->term, &width, &height);
    watch_keys(loop);
    run_clock(loop);
    take_size(loop, width, height);
}

/* Stops this process, or its whole job, as the terminal would have done for C-z. */
static void suspend(struct loop *loop, pid_t who) {
    uv_signal_t *handle = signal_handle(loop, SIGTSTP);
    if (!loop->asleep)
        fall_asleep(loop);
    uv_signal_stop(handle);
    kill(who, SIGTSTP);
    /* … here it stands still, unless nobody could ever continue it … */
    uv_signal_start(handle, on_signal, SIGTSTP);
    wake_up(loop);
}

/* ---- signals ---- */

static void resize(struct loop *loop) {
    int width, height;
    if (loop->asleep || !term_resized(loop->term))
        return;
    term_size(loop->term, &width, &height);
    take_size(loop, width, height);
}

static void on_signal(uv_signal_t *handle, int number) {
    struct loop *loop = handle->data;
    if (loop->ending)
        return;
    if (number == SIGWINCH) {
        resize(loop);
    } else if (number == SIGTSTP) {
        suspend(loop, getpid());
    } else if (number == SIGCONT) {
        wake_up(loop);
    } else {
        loop->signal = number;
        finish(loop, LOOP_SIGNAL);
    }
}

/* What whoever started us had set to be ignored (nohup) stays so. */
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* ---- keys and mouse ---- */

/* What lies under the hand is told by the screen that it saw. */
static void on_mouse(struct loop *loop, struct mouse mouse) {
    uint64_t now_ms = uv_now(&loop->uv);
    if (mouse.kind == MOUSE_PRESS) {
        mouse.again = now_ms - loop->pressed_ms < DOUBLE_CLICK_MS && mouse.button == loop->pressed.button &&
                      mouse.x == loop->pressed.x && mouse.y == loop->pressed.y;
        loop->pressed_ms = mouse.again ? 0 : now_ms;
        loop->pressed = mouse;
    }
    if (loop->replay)
        return;
    session_mouse(loop->session, mouse);
    perform(loop, state_mouse(&loop->state, &loop->scene, &loop->grid, mouse));
}

/* What was edited is written down as such: a session must not depend on what a planner finds the next time. */
static void note_plan(struct loop *loop, const struct plan *before) {
    if (loop->state.plan && loop->state.plan != before && loop->history.at == loop->history.count)
        session_plan(loop->session, loop->scene.profile, loop->state.plan);
}

static void on_key(struct loop *loop, struct key key) {
    const struct plan *before = loop->state.plan;
    /* while a session is done again only leaving is possible */
    if (loop->replay && action_for_key(key, CONTEXT_ANY, CONTEXT_ANY) != DO_quit)
        return;
    if (loop->replay)
        loop->state.help = loop->state.finding = loop->state.knob_focused = false;
    session_key(loop->session, key);
    unsigned effects = state_key(&loop->state, &loop->scene, key);
    note_plan(loop, before);
    perform(loop, effects);
    if (!loop->state.planning)
        session_settled(loop->session);
}

static void on_readable(uv_poll_t *handle, int status, int events) {
    struct loop *loop = handle->data;
    struct input input;
    bool any = false;
    (void)events;
    while (status == 0 && !loop->ending && !loop->asleep && term_input(loop->term, &input)) {
        any = true;
        if (input.is_mouse)
            on_mouse(loop, input.mouse);
        else
            on_key(loop, input.key);
    }
    if (!loop->ending && !loop->asleep && (status < 0 || (!any && term_is_gone(loop->term))))
        finish(loop, LOOP_TERMINAL_GONE);
}

static void watch_keys(struct loop *loop) {
    uv_poll_start(&loop->keys, UV_READABLE, on_readable);
}

/* ---- effects, and drawing ---- */

/* Saves the plan that is edited, or else the one that is shown, and says where. */
static void save(struct loop *loop) {
    char path[SAVE_PATH], text[1024];
    struct error error = { "", "" };
    const struct plan *plan = loop->state.plan ? loop->state.plan : &loop->scene.shown->timeline->plan;
    enum message_kind kind = MESSAGE_INFO;
    if (save_plan(loop->scene.profile, plan, path, &error) == SS_OK) {
        snprintf(text, sizeof text, "Saved as %s, which slackswap simulate --plan plays.", path);
    } else {
        snprintf(text, sizeof text, "Not saved as %s: %s.", path, error.text);
        kind = MESSAGE_BAD;
    }
    perform(loop, state_message(&loop->state, kind, text));
}

/* Takes away what is shown in the form that was chosen, and says where. */
static void export(struct loop *loop) {
    char path[SAVE_PATH], text[1024];
    struct error error = { "", "" };
    const struct export_name *name = &EXPORT_TABLE[loop->state.export];
    enum ss_status status = save_export(name, loop->scene.shown->outcome, &loop->theme->theme, path, &error);
    if (status == SS_OK)
        snprintf(text, sizeof text, "Exported as %s: %s.", path, name->words);
    else
        snprintf(text, sizeof text, "Not exported as %s: %s.", path, error.text);
    perform(loop, state_message(&loop->state, status == SS_OK ? MESSAGE_INFO : MESSAGE_BAD, text));
}

/* What the inspector says goes to the terminal's clipboard. */
static void copy(struct loop *loop) {
    struct arena arena = { 0 };
    char *text = inspect_copy(&loop->state, &loop->scene, &arena);
    if (text) {
        term_copy(loop->term, text);
        perform(loop, state_message(&loop->state, MESSAGE_INFO, "Copied, if the terminal lets programs do so (OSC 52)."));
    }
    arena_free(&arena);
}

static void perform(struct loop *loop, unsigned effects) {
    if (loop->ending)
        return;
    if (effects & (EFFECT_REDRAW | EFFECT_RELAYOUT | EFFECT_REPAINT))
        loop->dirty = true;
    if (effects & EFFECT_FORGET)
        scene_forget(&loop->scene);
    if (effects & EFFECT_SAVE)
        save(loop);
    if ((effects & EFFECT_EXPORT) && loop->scene.shown)
        export(loop);
    if ((effects & EFFECT_COPY) && loop->scene.shown)
        copy(loop);
    if (effects & EFFECT_REPAINT)
        term_repaint(loop->term);
    if (effects & EFFECT_REPLAN)
        worker_request(loop->worker, &loop->state.settings, loop->state.plan, loop->state.generation);
    if (effects & EFFECT_PLAY)
        run_clock(loop);
    if (effects & EFFECT_SUSPEND)
        suspend(loop, 0);
    if (effects & EFFECT_QUIT)
        finish(loop, LOOP_QUIT);
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
    for (size_t i = 0; i < SIGNAL_COUNT && !failed; i++) {
        failed = uv_signal_init(&loop->uv, &loop->signals[i]);
        loop->signals[i].data = loop;
        if (!failed && !(i < ENDING_COUNT && is_ignored(SIGNALS[i])))
            failed = uv_signal_start(&loop->signals[i], on_signal, SIGNALS[i]);
    }
    if (!failed)
        failed = uv_prepare_start(&loop->before_sleep, draw);
    if (!failed)
        failed = uv_poll_start(&loop->keys, UV_READABLE, on_readable);
    return failed;
}

static enum ss_status begin(struct loop *loop, const struct loop_options *options, struct error *error) {
    int width, height, failed = open_handles(loop);
    const struct worker_listener listener = { on_planned, on_failed, loop };
    if (failed)
        return error_set(error, SS_INTERNAL, "no event loop on this terminal: %s", uv_strerror(failed));
    enum ss_status status = worker_new(&loop->worker, &loop->uv, options->profile, options->plan_time_us,
                                       options->compute, &listener, error);
    if (status == SS_OK && loop->theme->path)
        status = watch_new(&loop->theme_watch, &loop->uv, loop->theme->path, on_theme_changed, loop, error);
    if (status == SS_OK && options->path)
        status = watch_new(&loop->profile_watch, &loop->uv, options->path, on_profile_changed, loop, error);
    if (status != SS_OK)
        return status;
    status = studies_new(&loop->studies, &loop->uv, STUDY_KINDS, STUDY_COUNT, &loop->scene, loop->scene.study,
                         on_studied, loop, error);
    if (status != SS_OK) {
        worker_close(loop->worker);
        return status;
    }
    term_size(loop->term, &width, &height);
    const struct resume *resume = options->resume && options->resume->message[0] ? options->resume : NULL;
    state_init(&loop->state, resume ? &resume->settings : options->settings, width, height);
    loop->state.ascii = term_ascii(loop->term);
    loop->state.history = &loop->history;
    if (options->plan)
        state_open_plan(&loop->state, &loop->scene, options->plan);
    if (resume) {
        loop->state.view = resume->view;
        loop->state.plan = resume->plan;
        state_message(&loop->state, MESSAGE_INFO, resume->message);
    }
    loop->dirty = true;
    session_size(loop->session, width, height);
    worker_request(loop->worker, &loop->state.settings, loop->state.plan, loop->state.generation);
    replay_on(loop);
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
    enum ss_status status = scene_init(&loop.scene, options->profile, error);
    if (status != SS_OK)
        return status;
    loop.scene.model = options->model;
    if (options->model)
        loop.scene.model_options = *options->model_options;
    status = run(&loop, options, error);
    *end = loop.end;
    *signal = loop.signal;
    scene_free(&loop.scene);
    grid_free(&loop.grid);
    theme_file_free(&loop.read);
    history_free(&loop.history);
    return status;
}
