/* loop: the viewer alive — keys, signals, the clock and results come in; effects are performed; the screen is drawn once a
 * turn, when something changed. While nothing moves it sleeps: no timer runs unless the timeline plays. */
#ifndef SLACKSWAP_APP_LOOP_H
#define SLACKSWAP_APP_LOOP_H

#include "term.h"
#include "theme_file.h"
#include "view/view.h"
#include "studies.h"
#include "worker.h"
#include "replay.h"
#include "school.h"
#include "session.h"

struct loop_options {
    struct terminal *term;
    const struct theme_file *theme;  /* read anew when its file changes; a broken file changes nothing but the foot line */
    const struct profile *profile;
    struct school *school;            /* lessons; NULL: there are none */
    uint32_t lesson, step;            /* the lesson that is opened at first, as lesson_open_at takes it; NONE: none */
    const struct settings *settings; /* in which the viewer opens; their work is what PROFILE is */
    const struct plan *plan;         /* with which it opens; NULL: with what the settings' planner makes */
    double plan_time_us;             /* for each request; INFINITY: no limit */
    compute_function *compute;
    const char *challenge;           /* the puzzle that is opened at first, as challenge_parse takes it; NULL: none */
    struct session *session;         /* to write down what is done; may be NULL */
    struct replay *replay;           /* to be done again first; may be NULL */
    const char *replay_words;        /* said when that is done */
    const char *first_words;         /* said at first, NULL: nothing */
    const char *first_keys;          /* pressed at first, as if by the user; NULL: none */
    /* The profile's file, when it is one that may change: on a change RELOAD reads it into ARENA. What can't be read changes
     * nothing but the foot line. NULL: nothing is watched. */
    const char *path;
    enum ss_status (*reload)(void *context, struct arena *arena, struct profile *out, struct error *error);
    void *context;
};

enum loop_end { LOOP_QUIT, LOOP_SIGNAL, LOOP_TERMINAL_GONE };

/* Runs the viewer until its end, which END names; SIGNAL is the signal of LOOP_SIGNAL. The terminal stays open: closing it is
 * the caller's. */
enum ss_status loop_run(const struct loop_options *options, enum loop_end *end, int *signal, struct error *error);

#endif
