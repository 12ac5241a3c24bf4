/* progress: what a learner has done, in progress.json of the state folder (slackswap-progress/1).
 *
 *     { "schema": "slackswap-progress/1",
 *       "lessons": { "01-memory-hill": { "best": 3, "of": 4 } },      ended at least once
 *       "gaps": { "challenge/2/7": 0.0012 } }                          the least that was reached
 *
 * Nothing depends on it: a file that is not there, or can't be read, is as if nothing had been done. Such a file is moved
 * aside (progress.json.broken) before a new one is written. It is read anew for each note and written whole or not at all;
 * what others have put into it stays. */
#ifndef SLACKSWAP_APP_PROGRESS_H
#define SLACKSWAP_APP_PROGRESS_H

#include "core/base.h"

struct cJSON;
struct progress { struct cJSON *root; }; /* NULL: nothing is known */

/* Reads the file; PROGRESS must be given to progress_free. */
void progress_load(struct progress *progress);
void progress_free(struct progress *progress);

/* The lesson of that name: DONE when it was ended, with the best score. */
struct lesson_progress { bool done; uint32_t best, of; };
struct lesson_progress progress_of_lesson(const struct progress *progress, const char *name);
/* The least gap reached under KEY (any text); false: none yet. */
bool progress_best_gap(const struct progress *progress, const char *key, double *gap);
/* Calls EACH for every key that has a gap, in no order. */
void progress_each_gap(const struct progress *progress, void (*each)(void *context, const char *key), void *context);

/* A lesson was ended with EARNED of OF: the better score stays (of another number of questions: the new one). SS_INTERNAL
 * with the system's reason when the file can't be written; SS_OK, doing nothing, where the environment names no folder. */
enum ss_status progress_note_lesson(const char *name, uint32_t earned, uint32_t of, struct error *error);
/* GAP (0.0012 = 0.12 %) was reached under KEY: kept when it is less than the best. */
enum ss_status progress_note_gap(const char *key, double gap, struct error *error);

#endif
