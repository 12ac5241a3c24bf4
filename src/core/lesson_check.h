/* lesson_check: whether what a lesson says is true. It is played from end to end, without anybody looking on, and each
 * stated relation is put to the simulator: of each question's answers exactly one is right, each task's goal is missed at
 * first and by the attempt and reached by the solution, claims hold, and texts are filled in and fit. */
#ifndef SLACKSWAP_CORE_LESSON_CHECK_H
#define SLACKSWAP_CORE_LESSON_CHECK_H

#include "lesson.h"

#define LESSON_FAULTS_MOST 200

struct lesson_fault {
    const char *place;  /* a JSON path: "$.steps[2].claims[0]" */
    const char *text;   /* what was expected and found */
};
/* Zero-initialise but for the arena, which owns the list. What is beyond LESSON_FAULTS_MOST is left out. */
struct lesson_faults {
    struct arena *arena;
    struct lesson_fault fault[LESSON_FAULTS_MOST];
    uint32_t count;
};
enum ss_status lesson_faults_add(struct lesson_faults *faults, const char *place, const char *text, struct error *error);

/* Adds what is wrong with LESSON. Plans each of its stands once. Fails only where memory is short. */
enum ss_status lesson_check(const struct lesson *lesson, struct lesson_faults *faults, struct error *error);

#endif
