/* puzzle: small profiles to be planned by hand — the challenge (glossary.h).
 *
 * A puzzle follows from its level and seed alone, and from whole numbers only, so that it is the same on every machine and in
 * every version. Keeping everything does not fit, some plan does. Levels grow: more tensors, then links that are slower both
 * ways. */
#ifndef SLACKSWAP_CORE_PUZZLE_H
#define SLACKSWAP_CORE_PUZZLE_H

#include "outcome.h"
#include "profile.h"

#define PUZZLE_LEVELS 12           /* from 1 on */
#define PUZZLE_SEEDS (1u << 24)    /* seeds are below that */

/* Builds it in ARENA, and says in *BUDGET_BYTES what activations may take; the link is the profile's. SS_USAGE when there is no
 * such level or seed. */
enum ss_status puzzle_build(uint32_t level, uint32_t seed, struct arena *arena, struct profile *out, uint64_t *budget_bytes,
                            struct error *error);

/* A puzzle as a number of work that is no model (work.h), and back: false for other numbers. */
uint32_t puzzle_work(uint32_t level, uint32_t seed);
bool puzzle_of_work(uint32_t profile, uint32_t *level, uint32_t *seed);

/* The seed with which a level begins. */
uint32_t puzzle_first_seed(uint32_t level);

/* What a plan of one's own is measured by. Gaps are those of outcome_gap; INFINITY where a planner's plan does not fit. */
struct puzzle_marks {
    double slackswap_gap, best_gap;
    const char *best_planner;  /* whose plan is the best that is known … */
    bool proved;               /* … and nobody's is better */
    struct plan best;
};
/* Asks slackswap, refine and optimal about PROFILE; OUT lives in ARENA. SHOULD_STOP (NULL: never) as in struct plan_task. */
enum ss_status puzzle_marks_find(struct puzzle_marks *out, struct arena *arena, const struct profile *profile, uint64_t budget_bytes,
                                 bool (*should_stop)(void *context), void *context, struct error *error);

#define PUZZLE_STARS_MOST 3
/* 0: no plan of one's own fits (GAP is INFINITY). 1: one does. 2: it beats slackswap, or equals it where nothing better is known.
 * 3: nothing better is known. */
uint32_t puzzle_stars(double gap, const struct puzzle_marks *marks);
/* The same in words: "beats slackswap". */
const char *puzzle_verdict(double gap, const struct puzzle_marks *marks);

#endif
