/* lesson_tell: a lesson told in sentences, for those who hear rather than see it, and for wherever there is no terminal.
 *
 * Answers are lines: a letter, or nothing to be shown. In a task a line says what to do ("offload L*.gelu", "budget 45%"). A q leaves.
 * Where the input ends, the lesson goes on and shows everything itself. */
#ifndef SLACKSWAP_APP_LESSON_TELL_H
#define SLACKSWAP_APP_LESSON_TELL_H

#include "core/lesson_play.h"

/* Tells LESSON from STEP on (from 0) on standard output, answers from standard input. ENDED is set when the learner heard it
 * from its beginning to its end; then SCORE counts. */
enum ss_status lesson_tell(const struct lesson *lesson, uint32_t step, bool *ended, struct lesson_score *score, struct error *error);

#endif
