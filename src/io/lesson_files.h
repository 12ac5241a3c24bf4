/* lesson_files: the built-in lessons as they are written, compiled in from samples/lessons. */
#ifndef SLACKSWAP_IO_LESSON_FILES_H
#define SLACKSWAP_IO_LESSON_FILES_H

#include "core/base.h"

struct lesson_file {
    const char *name; /* of the file, without folder and ending */
    const char *text; /* LENGTH bytes and a terminating NUL: slackswap-lesson/1 */
    size_t length;
};
extern const struct lesson_file LESSON_FILES[]; /* in their order */
extern const uint32_t LESSON_FILE_COUNT;

#endif
