/* lesson_state: the part of the state that belongs to lessons: plain data. What is taught, and how far the learner has
 * come in it, the classroom keeps (classroom.h). */
#ifndef SLACKSWAP_VIEW_LESSON_STATE_H
#define SLACKSWAP_VIEW_LESSON_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct lesson_state {
    bool list;        /* the list of lessons lies over the screen */
    uint32_t choice;  /* the one chosen there */
    bool open;        /* what is shown is a lesson */
    bool away;        /* the learner looks around; its panel is one line */
    bool asked;       /* Space was pressed where it would give up: once more does */
    bool setting;     /* what the page sets is being planned: until it is there, keys would go astray */
    bool fresh;       /* … and the screen begins anew with it */
    bool ahead;       /* … and then the step's question or task is opened */
    uint32_t part;    /* of the panel's text, where it is too long to stand there at once */
};

#endif
