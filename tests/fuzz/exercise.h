/* exercise: what a fuzz target does with a profile that a reader took for good. */
#ifndef SLACKSWAP_TESTS_FUZZ_EXERCISE_H
#define SLACKSWAP_TESTS_FUZZ_EXERCISE_H

#include "core/outcome.h"

/* Aborts unless STATUS is SS_OK, or SS_BAD_INPUT with a message. */
void exercise_reading(enum ss_status status, const struct error *error);
/* Replays PLAN at half of PROFILE's memory and takes the result away in every form. */
void exercise_plan(const struct profile *profile, const struct plan *plan);
/* Plans PROFILE at half its memory with every planner, and replays PLAN (NULL: none). Aborts when a planner fails, or when
 * a bound lies above a step. Profiles of many ops are passed over: speed is another test's. */
void exercise_profile(const struct profile *profile, const struct plan *plan);

#endif
