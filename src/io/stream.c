#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_BUFFER 65536

enum ss_status stream_open(struct stream *stream, const char *path, struct error *error) {
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    stream->packed = NULL;
    if (fd < 0)
        return error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
    gzFile packed = gzdopen(fd, "rb");
    if (!packed) {
        close(fd);
        return error_no_memory(error);
    }
    gzbuffer(packed, PACKED_BUFFER);
    stream->packed = packed;
    return SS_OK;
}

enum ss_status stream_read(struct stream *stream, char *data, size_t size, size_t *got, struct error *error) {
    int fault = Z_OK;
    const int count = gzread(stream->packed, data, (unsigned)size);
    *got = count > 0 ? (size_t)count : 0;
    if (*got == size)
        return SS_OK;
    const char *words = gzerror(stream->packed, &fault); /* data that ends early shows only here */
    if (fault == Z_OK || fault == Z_STREAM_END)
        return SS_OK;
    if (fault == Z_MEM_ERROR)
        return error_no_memory(error);
    if (fault == Z_ERRNO)
        return error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
    return error_set(error, SS_BAD_INPUT, "expected whole gzip data, found a fault: %s",
                     fault == Z_BUF_ERROR ? "it ends early" : words);
}

void stream_close(struct stream *stream) {
    if (stream->packed)
        gzclose(stream->packed);
    stream->packed = NULL;
}
