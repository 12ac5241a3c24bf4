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
#include "session.h"

/* What goes on when another profile takes the place of the one that is shown. */
struct resume {
    enum view_id view;
    struct settings settings;
    const struct plan *plan;    /* made by hand, for the new profile; NULL: planned */
    char message[MESSAGE_MAX];  /* to be shown first; "" for none */
};

struct loop_options {
    struct terminal *term;
    const struct theme_file *theme;  /* read anew when its file changes; a broken file changes nothing but the foot line */
    const struct profile *profile;
    const struct model *model;       /* that PROFILE was built from, with MODEL_OPTIONS; NULL: it is a file */
    const struct model_options *model_options;
    const struct settings *settings; /* in which the viewer opens */
    const struct plan *plan;         /* with which it opens; NULL: with what the settings' planner makes */
    double plan_time_us;             /* for each request; INFINITY: no limit */
    compute_function *compute;
    struct session *session;         /* to write down what is done; may be NULL */
    struct replay *replay;           /* to be done again first; may be NULL */
    const char *replay_words;        /* said when that is done */
    struct resume *resume;           /* in place of SETTINGS; filled anew at LOOP_OTHER_WORK, its plan in RELOAD's arena */
    /* The profile's file, when it is one that may change: on a change RELOAD reads it, and gives the new profile and the
     * arena it lives in. What can't be read changes nothing but the foot line. NULL: nothing is watched. */
    const char *path;
    enum ss_status (*reload)(void *context, const struct profile **profile, struct arena **arena, struct error *error);
    void *context;
};

enum loop_end { LOOP_QUIT, LOOP_SIGNAL, LOOP_TERMINAL_GONE, LOOP_OTHER_WORK };

/* Runs the viewer until its end, which END names; SIGNAL is the signal of LOOP_SIGNAL. At LOOP_OTHER_WORK the caller runs it
 * again for the profile that was reloaded, with the same RESUME. The terminal stays open: closing it is the caller's. */
enum ss_status loop_run(const struct loop_options *options, enum loop_end *end, int *signal, struct error *error);

#endif
