/* classroom: the lessons that there are, and the one that is taken. A state borrows it, as it does its history; whoever owns
 * the state owns it, and says where lessons come from. */
#ifndef SLACKSWAP_VIEW_CLASSROOM_H
#define SLACKSWAP_VIEW_CLASSROOM_H

#include "core/lesson_play.h"
#include "state.h"

/* A lesson in the list. */
struct classroom_entry {
    const char *title, *summary;
    uint32_t minutes;
    const char *fault;             /* why it can't be taken; NULL: it can */
    bool done;                     /* by this learner, at any time */
    struct lesson_score best;      /* when done */
};

/* Where lessons come from. */
struct classroom_source {
    /* The list, which stays the same while the viewer runs. */
    enum ss_status (*list)(void *context, const struct classroom_entry **entry, uint32_t *count, struct error *error);
    /* The lesson of NUMBER, which stays until the viewer ends. */
    enum ss_status (*open)(void *context, uint32_t number, const struct lesson **lesson, struct error *error);
    void *context;
};

struct classroom {
    const struct classroom_source *source; /* borrowed; NULL: there are no lessons */
    const struct classroom_entry *entry;   /* of the list, once it was asked for */
    uint32_t count;
    struct lesson_play play;               /* while a lesson is open */
    uint32_t number;                       /* its place in the list */
    struct view_state left;                /* how the learner left the page, to look around */
};
void classroom_free(struct classroom *classroom);

/* For struct work_source (subject.h), with a classroom as its context: the profile of lesson NUMBER - 1. */
enum ss_status classroom_profile(void *classroom, uint32_t number, struct arena *arena, struct profile *out, struct error *error);

#endif
