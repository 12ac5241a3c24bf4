/* file: whole files in and out. */
#ifndef SLACKSWAP_IO_FILE_H
#define SLACKSWAP_IO_FILE_H

#include "core/base.h"

struct file_text {
    char *text; /* LENGTH bytes and a terminating NUL; owned, given back by file_text_free */
    size_t length;
};

#define FILE_BYTES_MOST ((size_t)1 << 30) /* a profile of a million ops takes a quarter of it */

/* Reads all of PATH, or of standard input for "-", up to FILE_BYTES_MOST bytes. SS_BAD_INPUT with the system's reason; the caller adds the name. */
enum ss_status file_read(const char *path, struct file_text *out, struct error *error);
void file_text_free(struct file_text *text);

/* SS_BAD_INPUT unless PATH is a regular file: who must not wait, or reads it a second time, asks first, as a pipe may have
 * nobody at its other end. */
enum ss_status file_check_regular(const char *path, struct error *error);

/* Makes LENGTH bytes at DATA the content of PATH: written under a temporary name beside it, synced, then renamed, so that
 * after a crash the old or the new content stands there whole. What is no regular file (a device, a pipe) is written to
 * as it is; a symbolic link keeps pointing where it did. SS_INTERNAL with the system's reason. */
enum ss_status file_write(const char *path, const char *data, size_t length, struct error *error);

#endif
