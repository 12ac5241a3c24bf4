/* school: lessons for the viewer (view/classroom.h) — the built-in ones and the user's own, read when they are asked for — and
 * what the learner has done of them. */
#ifndef SLACKSWAP_APP_SCHOOL_H
#define SLACKSWAP_APP_SCHOOL_H

#include "lessons.h"
#include "view/classroom.h"
#include "view/state.h"
#include "view/subject.h"

struct school {
    struct classroom classroom;      /* for a state */
    struct work_source profiles;     /* for its scene */
    struct classroom_source source;
    struct lessons lessons;          /* once they are read */
    struct classroom_entry *entry;
    struct lesson own;               /* of a file that was named */
    struct arena arena;              /* owns it */
    bool read, keeps;
};

/* KEEPS: what the learner has done is shown, and kept in the state folder; a screen that is only drawn depends on nothing that
 * was done before. SCHOOL may not be moved, and must be given to school_free. */
void school_init(struct school *school, bool keeps);
void school_free(struct school *school);

/* STATE and SCENE are given what the school has. */
void school_attend(struct school *school, struct view_state *state, struct scene *scene);
/* The number in the list (from 0) of the lesson that TEXT names: as lessons_choose has it; a file's is the last of the list
 * then; ".STEP" (from 1) may stand behind, LESSON_FROM_START where it does not. SS_USAGE when there is none, SS_BAD_INPUT when
 * it can't be used. */
enum ss_status school_find(struct school *school, const char *text, uint32_t *number, uint32_t *step, struct error *error);
/* EFFECT_LESSON_END: the score is kept. What can't be written is lost, but for a line at the foot. */
void school_note(struct school *school, struct view_state *state);

#endif
