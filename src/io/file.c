#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536
#define TEMPORARY ".slackswap.XXXXXX" /* not PATH and more: PATH may have the longest name there can be */

static enum ss_status too_large(struct error *error) {
    return error_set(error, SS_BAD_INPUT, "can't be read: it has more than %zu MiB", FILE_BYTES_MOST >> 20);
}

static enum ss_status read_all(int fd, struct file_text *out, struct error *error) {
    size_t room = 0;
    for (;;) {
        if (out->length + CHUNK + 1 > room) {
            room = room ? room * 2 : 4 * CHUNK;
            char *text = realloc(out->text, room);
            if (!text)
                return error_no_memory(error);
            out->text = text;
        }
        ssize_t got = read(fd, out->text + out->length, CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
        if (got == 0)
            break;
        out->length += (size_t)got;
        if (out->length > FILE_BYTES_MOST)
            return too_large(error);
    }
    out->text[out->length] = '\0';
    return SS_OK;
}

enum ss_status file_read(const char *path, struct file_text *out, struct error *error) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    *out = (struct file_text){ 0 };
    if (fd < 0)
        return error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
    struct stat there;
    bool large = fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && (uintmax_t)there.st_size > FILE_BYTES_MOST;
    enum ss_status status = large ? too_large(error) : read_all(fd, out, error);
    if (!standard_input)
        close(fd);
    if (status != SS_OK)
        file_text_free(out);
    return status;
}

enum ss_status file_check_regular(const char *path, struct error *error) {
    struct stat there;
    if (stat(path, &there) != 0)
        return error_set(error, SS_BAD_INPUT, "can't be read: %s", strerror(errno));
    return S_ISREG(there.st_mode) ? SS_OK : error_set(error, SS_BAD_INPUT, "is no regular file");
}

void file_text_free(struct file_text *text) {
    free(text->text);
    *text = (struct file_text){ 0 };
}

static bool write_all(int fd, const char *data, size_t length) {
    while (length > 0) {
        ssize_t put = write(fd, data, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        length -= (size_t)put;
    }
    return true;
}

static enum ss_status unwritable(int reason, struct error *error) {
    return error_set(error, SS_INTERNAL, "can't be written: %s", strerror(reason));
}

static enum ss_status write_in_place(const char *path, const char *data, size_t length, struct error *error) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return unwritable(errno, error);
    bool written = write_all(fd, data, length);
    int reason = errno;
    if (close(fd) < 0 && written) {
        written = false;
        reason = errno;
    }
    return written ? SS_OK : unwritable(reason, error);
}

/* The permissions a new file would get; umask can only be asked by setting it. */
static mode_t new_file_mode(void) {
    mode_t mask = umask(022);
    umask(mask);
    return 0666 & ~mask;
}

static enum ss_status replace(const char *path, mode_t mode, const char *data, size_t length, struct error *error) {
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    size_t size = (size_t)folder + sizeof TEMPORARY;
    char *temporary = malloc(size);
    if (!temporary)
        return error_no_memory(error);
    snprintf(temporary, size, "%.*s" TEMPORARY, folder, path);
    int fd = mkstemp(temporary);
    if (fd < 0) {
        enum ss_status status = unwritable(errno, error);
        free(temporary);
        return status;
    }
    bool good = write_all(fd, data, length) && fchmod(fd, mode) == 0 && fsync(fd) == 0;
    int reason = errno;
    if (close(fd) < 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(temporary, path) < 0) {
        good = false;
        reason = errno;
    }
    if (!good)
        unlink(temporary);
    free(temporary);
    return good ? SS_OK : unwritable(reason, error);
}

enum ss_status file_write(const char *path, const char *data, size_t length, struct error *error) {
    struct stat there;
    if (stat(path, &there) < 0)
        return replace(path, new_file_mode(), data, length, error);
    if (!S_ISREG(there.st_mode))
        return write_in_place(path, data, length, error);
    char *target = realpath(path, NULL);
    if (!target)
        return unwritable(errno, error);
    enum ss_status status = replace(target, there.st_mode & 07777, data, length, error);
    free(target);
    return status;
}
