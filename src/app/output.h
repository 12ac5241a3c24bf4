/* output: where results go — standard output, or the file of -o. */
#ifndef SLACKSWAP_APP_OUTPUT_H
#define SLACKSWAP_APP_OUTPUT_H

#include "options.h"

/* Writes LENGTH bytes to the file of -o (to a temporary name first, so that what was there before is replaced whole or
 * not at all), else to standard output. SS_INTERNAL when they can't be written. */
enum ss_status output_write(const struct options *options, const char *data, size_t length, struct error *error);
/* Sends what is still buffered for standard output; SS_INTERNAL when not all of it could be written. A reader that went
 * away is no news: the status without a message. */
enum ss_status output_finish(struct error *error);

#endif
