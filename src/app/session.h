/* session: what a user did, written down as it happens, so that it can be done again (replay.h) — also when the program, or
 * the machine, did not come to a good end.
 *
 * A session is a text file. Line by line:
 *
 *     slackswap-session/1
 *     profile PATH|MODEL        what was looked at
 *     option NAME VALUE         a flag, as it was given
 *     size WxH                  of the screen, at first and whenever it changed
 *     keys b 4 0 % Enter        keys as tmux writes them; at the end of the line planning had settled
 *     mouse KIND BUTTON MODIFIERS AGAIN X Y    as numbers (view/mouse.h)
 *     set KNOB VALUE            a knob after what was done before, where that chose among things found out in the background
 *     plan k12o3r4              the plan made by hand after the keys before: actions of the managed tensors, each how often
 *
 * While the viewer runs the file is live-PID.session in the folder of FOLDER_STATE, and locked; at a good end it becomes
 * last.session. A live file that nobody has locked belongs to a viewer that crashed. */
#ifndef SLACKSWAP_APP_SESSION_H
#define SLACKSWAP_APP_SESSION_H

#include "options.h"
#include "view/key.h"
#include "view/mouse.h"

#define SESSION_SCHEMA "slackswap-session/1"

struct session;
/* Begins to write down a session of what OPTIONS ask for; NULL where nothing can be written, which is no error. All
 * functions take NULL. What can't be written later on is lost without a word: the work goes before its record. */
struct session *session_begin(const struct options *options);
void session_key(struct session *session, struct key key);
void session_mouse(struct session *session, struct mouse mouse);
void session_size(struct session *session, int width, int height);
void session_settled(struct session *session);
void session_plan(struct session *session, const struct profile *profile, const struct plan *plan);
/* The knobs that SETTINGS have otherwise than BEFORE, of those that can be chosen on the screen: budget, bandwidth, batch and
 * sequence. */
void session_settings(struct session *session, const struct profile *profile, const struct settings *before,
                      const struct settings *settings);
/* A good end. */
void session_end(struct session *session);

/* The session of a viewer that crashed while it looked at what OPTIONS ask for: moved to crashed.session, so that it is
 * found but once. Its path in ARENA, or NULL. */
const char *session_crashed(const struct options *options, struct arena *arena);

#endif
