/* loop_parts: what the files of the loop (loop.h) share. Each has a part of its own: loop.c the beginning, the end and
 * drawing; loop_effects.c what is performed; loop_hands.c keys and mouse; loop_signals.c signals, sleeping and waking;
 * loop_files.c files that change. */
#ifndef SLACKSWAP_APP_LOOP_PARTS_H
#define SLACKSWAP_APP_LOOP_PARTS_H

#include "loop.h"
#include "watch.h"

#include <uv.h>

#define LOOP_SIGNALS 7

struct loop {
    uv_loop_t uv;
    uv_poll_t keys;
    uv_prepare_t before_sleep;
    uv_timer_t clock;
    uv_signal_t signals[LOOP_SIGNALS];
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

/* loop.c: closes all that keeps the loop turning, once; STATUS is what loop_run returns. */
void loop_finish(struct loop *loop, enum loop_end end);

/* loop_effects.c: does what the reducer asks for (enum effect). */
void loop_perform(struct loop *loop, unsigned effects);
/* Goes on with a session that is being done again, until planning has to settle. */
void loop_replay_on(struct loop *loop);
/* Asks for the outcome of what the state wants. */
void loop_request(struct loop *loop);
extern const struct worker_listener LOOP_LISTENER; /* but for its context, the loop */

/* loop_hands.c */
void loop_watch_keys(struct loop *loop);
void loop_press(struct loop *loop, const char *keys); /* KEYS as tmux writes them */

/* loop_signals.c: 0, or libuv's reason. */
int loop_watch_signals(struct loop *loop);
void loop_close_signals(struct loop *loop);
void loop_suspend(struct loop *loop, pid_t who); /* stops WHO, as the terminal would have done for C-z */
void loop_run_clock(struct loop *loop);          /* which ticks while the timeline plays */

/* loop_files.c */
enum ss_status loop_watch_files(struct loop *loop, struct error *error);

#endif
