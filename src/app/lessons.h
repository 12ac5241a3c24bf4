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

/* Reads the lesson in the file PATH ("-": standard input) into ARENA: as lesson_json_read does, and the keys of each step
 * are ones that there are. SS_BAD_INPUT with PATH in the place. */
enum ss_status lesson_load(const char *path, struct arena *arena, struct lesson *out, struct error *error);

/* What a text asks for. */
struct lesson_choice {
    const struct lesson *lesson;
    uint32_t number; /* in the list, from 0; LESSONS' count where it comes from a file */
    uint32_t step;   /* from 0; NONE: none was named */
};
/* The lesson that TEXT names: its number in the list (from 1), its name, its name without the number that it begins with
 * ("offload" for "03-offload"), or a file, which is then read into OWN in ARENA; ".STEP" (from 1) may stand behind. SS_USAGE
 * when there is none, SS_BAD_INPUT when it can't be used. */
enum ss_status lessons_choose(const struct lessons *lessons, const char *text, struct arena *arena, struct lesson *own,
                              struct lesson_choice *out, struct error *error);

#endif
