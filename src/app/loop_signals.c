/* The loop's clock, and signals: sleeping while others use the terminal, waking, ending. */
#include <signal.h>
#include <unistd.h>

#include "loop_parts.h"

#define TICK_MS 40 /* between two pictures while playing */

/* Signals that end the viewer, then those that only interrupt it. */
static const int SIGNALS[LOOP_SIGNALS] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT };
#define ENDING_COUNT 4

static void on_signal(uv_signal_t *handle, int number);

/* ---- the clock, which only ticks: the state says how far the step has moved ---- */

static void on_tick(uv_timer_t *timer) {
    struct loop *loop = timer->data;
    uint64_t now_ns = uv_hrtime(), elapsed_ns = now_ns - loop->ticked_ns;
    loop->ticked_ns = now_ns;
    loop_perform(loop, state_tick(&loop->state, &loop->scene, (double)elapsed_ns / 1e3));
}

void loop_run_clock(struct loop *loop) {
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
    loop_perform(loop, EFFECT_REDRAW | state_resize(&loop->state, &loop->scene, width, height));
}

static void fall_asleep(struct loop *loop) {
    loop->asleep = true;
    uv_poll_stop(&loop->keys);
    loop_run_clock(loop);
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
    loop_watch_keys(loop);
    loop_run_clock(loop);
    take_size(loop, width, height);
}

/* Stops this process, or its whole job, as the terminal would have done for C-z. */
void loop_suspend(struct loop *loop, pid_t who) {
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

/* Of sizes that follow each other quickly only the last is seen, which may be the one before: what was drawn in between has gone
 * astray all the same, so everything is sent anew whatever the size is. */
static void resize(struct loop *loop) {
    int width, height;
    if (loop->asleep)
        return;
    term_take_size(loop->term);
    term_size(loop->term, &width, &height);
    take_size(loop, width, height);
    loop_perform(loop, EFFECT_REPAINT);
}

static void on_signal(uv_signal_t *handle, int number) {
    struct loop *loop = handle->data;
    if (loop->ending)
        return;
    if (number == SIGWINCH) {
        resize(loop);
    } else if (number == SIGTSTP) {
        loop_suspend(loop, getpid());
    } else if (number == SIGCONT) {
        wake_up(loop);
    } else {
        loop->signal = number;
        loop_finish(loop, LOOP_SIGNAL);
    }
}

/* What whoever started us had set to be ignored (nohup) stays so. */
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int loop_watch_signals(struct loop *loop) {
    int failed = 0;
    for (size_t i = 0; i < LOOP_SIGNALS && !failed; i++) {
        failed = uv_signal_init(&loop->uv, &loop->signals[i]);
        loop->signals[i].data = loop;
        if (!failed && !(i < ENDING_COUNT && is_ignored(SIGNALS[i])))
            failed = uv_signal_start(&loop->signals[i], on_signal, SIGNALS[i]);
    }
    return failed;
}

void loop_close_signals(struct loop *loop) {
    for (size_t i = 0; i < LOOP_SIGNALS; i++)
        uv_close((uv_handle_t *)&loop->signals[i], NULL);
}
