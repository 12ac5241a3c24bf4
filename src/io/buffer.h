/* buffer: text that grows. Zero-initialise; buffer_free gives the memory back. A buffer that runs out of memory drops what
 * follows and remembers it in `failed`, so that only the end of a long text asks. */
#ifndef SLACKSWAP_IO_BUFFER_H
#define SLACKSWAP_IO_BUFFER_H

#include "core/base.h"

struct buffer {
    char *text;     /* LENGTH bytes and a terminating NUL; NULL while nothing was put */
    size_t length, room;
    bool failed;
};

void buffer_put(struct buffer *buffer, const char *data, size_t length);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* SS_OK, or SS_INTERNAL when something was dropped. */
enum ss_status buffer_status(const struct buffer *buffer, struct error *error);
void buffer_free(struct buffer *buffer);

#endif
