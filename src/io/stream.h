/* stream: a file read piece by piece, unpacked on the way when it is gzip. */
#ifndef SLACKSWAP_IO_STREAM_H
#define SLACKSWAP_IO_STREAM_H

#include "core/base.h"

struct stream {
    void *packed; /* zlib's handle; NULL when closed */
};

/* Opens PATH, or standard input for "-". SS_BAD_INPUT with the system's reason; the caller adds the name. */
enum ss_status stream_open(struct stream *stream, const char *path, struct error *error);
/* Reads up to SIZE bytes (below 2^31) into DATA; GOT is less only at the end. SS_BAD_INPUT when the file can't be read or
 * its gzip data is damaged or ends early. */
enum ss_status stream_read(struct stream *stream, char *data, size_t size, size_t *got, struct error *error);
void stream_close(struct stream *stream);

#endif
