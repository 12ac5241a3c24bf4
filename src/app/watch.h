/* watch: tells when a file has another content — one more user of libuv, for the loop's thread alone.
 *
 * Editors replace files rather than write into them, so the folder is watched and the name looked for; what they do in
 * several steps is told once, WATCH_QUIET_MS after the last of them. */
#ifndef SLACKSWAP_APP_WATCH_H
#define SLACKSWAP_APP_WATCH_H

#include <uv.h>

#include "core/base.h"

#define WATCH_QUIET_MS 100

struct watch;
/* Watches PATH, which need not exist, in a folder that does; CHANGED is called with CONTEXT. *OUT is NULL, and nothing is
 * watched, where the system can't do it or there is no such folder. */
enum ss_status watch_new(struct watch **out, uv_loop_t *loop, const char *path, void (*changed)(void *context), void *context,
                         struct error *error);
/* Ends it: CHANGED is called no more, and the loop frees the rest. NULL is allowed. */
void watch_close(struct watch *watch);

#endif
