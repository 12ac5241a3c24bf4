/* school: a classroom for tests, with two lessons of its own on the small profile: one of all kinds of pages, one of a single
 * page. */
#ifndef SLACKSWAP_TESTS_SCHOOL_H
#define SLACKSWAP_TESTS_SCHOOL_H

#include "screen.h"
#include "view/classroom.h"

struct school {
    struct classroom classroom;
    struct classroom_source source;
    struct work_source profiles;
    struct classroom_entry entry[3]; /* the third is broken */
    struct arena arena;
    struct screen maker[2];          /* owns the lessons' profiles */
    struct lesson lesson[2];
    bool refuses;                    /* to open any */
};

/* Opens SCREEN, on any profile, with the school's classroom. */
void school_open(struct school *school, struct screen *screen, int width, int height);
void school_close(struct school *school, struct screen *screen);

#endif
