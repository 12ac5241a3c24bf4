/* lessons: those there are — the built-in ones in their order, then a user's own, *.json of lessons/ in the configuration
 * folder, by name. One that can't be used is in the list, too, with its fault. */
#ifndef SLACKSWAP_APP_LESSONS_H
#define SLACKSWAP_APP_LESSONS_H

#include "core/lesson.h"

struct lesson_entry {
    const char *name;            /* of its file, without folder and ending */
    const char *path;            /* of the file; NULL: built in */
    const struct lesson *lesson; /* NULL: it can't be used … */
    struct error fault;          /* … and this is why, PATH in its place */
};
struct lessons {
    struct arena arena;          /* owns all of it */
    struct lesson_entry *entry; uint32_t count;
};
/* Reads them all: SS_INTERNAL when memory is short. LESSONS must be given to lessons_free in any case. */
enum ss_status lessons_read(struct lessons *lessons, struct error *error);
void lessons_free(struct lessons *lessons);

/* The lesson that WORD means: its number in the list (from 1), its name, or its name without the number that it begins with
 * ("offload" for "03-offload"). NULL: none. */
const struct lesson_entry *lessons_find(const struct lessons *lessons, const char *word);

/* NAME without the number that it begins with: "offload" of "03-offload". */
const char *lessons_short_name(const char *name);

/* Reads the lesson in the file PATH ("-": standard input) into ARENA: as lesson_json_read does, and the keys of each step
 * are ones that there are. SS_BAD_INPUT with PATH in the place. */
enum ss_status lesson_load(const char *path, struct arena *arena, struct lesson *out, struct error *error);

#endif
