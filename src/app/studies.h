/* studies: runs what views want to know (view/study.h) in libuv's thread pool, beside planning.
 *
 * Each study is run by one thread at a time. studies_update looks at what the screen asks for: what nobody wants to know
 * any more is told to stop, and what is new begins once the old one has stopped; only the newest question waits. Answers
 * go into the scene on the loop's thread, as they grow. While nothing is asked, nothing runs.
 *
 * All functions are for the loop's thread. */
#ifndef SLACKSWAP_APP_STUDIES_H
#define SLACKSWAP_APP_STUDIES_H

#include <uv.h>

#include "view/scene.h"
#include "view/state.h"

struct studies;
/* Studies of KINDS (COUNT of them, each with its slot in SLOTS) about SCENE's profile. CHANGED is called with CONTEXT after
 * an answer was taken. */
enum ss_status studies_new(struct studies **out, uv_loop_t *loop, const struct study_kind *kinds, uint32_t count,
                           struct scene *scene, struct study_slot *slots, void (*changed)(void *context), void *context,
                           struct error *error);
/* To be called whenever the screen may ask for something else. */
void studies_update(struct studies *studies, const struct view_state *state);
/* Stops what runs and tells nobody; the loop frees the rest once it has stopped. */
void studies_close(struct studies *studies);

#endif
