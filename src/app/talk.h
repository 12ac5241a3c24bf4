/* talk: words for people, on standard error. What came from a file or the command line is made harmless first. */
#ifndef SLACKSWAP_APP_TALK_H
#define SLACKSWAP_APP_TALK_H

#include "io/json.h"
#include "options.h"

/* "slackswap: PLACE: TEXT" */
void talk_error(const struct error *error);
/* A note or a warning, unless --quiet: "slackswap: …". */
void talk_note(const struct options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a reader passed over in FILE. */
void talk_warnings(const struct options *options, const char *file, const struct warnings *warnings);
/* Puts FILE before the place of ERROR and returns STATUS. */
enum ss_status error_in_file(struct error *error, const char *file, enum ss_status status);

#endif
