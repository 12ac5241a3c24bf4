/* output: where results go — standard output, or the file of -o. */
#ifndef SLACKSWAP_APP_OUTPUT_H
#define SLACKSWAP_APP_OUTPUT_H

#include "core/profile.h"
#include "io/buffer.h"
#include "io/report.h"
#include "options.h"

/* Prints LENGTH bytes on standard output, at once. SS_INTERNAL when they can't be written; without a message when it is a
 * reader that went away. */
enum ss_status output_print(const char *data, size_t length, struct error *error);
/* Writes LENGTH bytes to the file of -o, replacing it whole or not at all, else to standard output. */
enum ss_status output_write(const struct options *options, const char *data, size_t length, struct error *error);
/* The same with what BUFFER holds; gives BUFFER back in any case. */
enum ss_status output_buffer(const struct options *options, struct buffer *buffer, struct error *error);
/* The same with PROFILE as slackswap-profile/1. */
enum ss_status output_profile(const struct options *options, const struct profile *profile, struct error *error);
/* OUTCOME as JSON or as text, to standard output whatever -o says. */
enum ss_status output_result(const struct options *options, const struct outcome *outcome,
                             const struct report_extras *extras, struct error *error);

#endif
