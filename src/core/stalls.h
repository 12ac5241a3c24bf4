/* stalls: where the compute lane stood still, by what it waited for (MODEL.md §4 "Blame"). */
#ifndef SLACKSWAP_CORE_STALLS_H
#define SLACKSWAP_CORE_STALLS_H

#include "timeline.h"

/* What compute waited for: a return and what held that, or room. */
enum stall_reason {
    STALL_FOR_LANE, STALL_FOR_ROOM, STALL_FOR_DISTANCE, STALL_FOR_OWN_D2H, STALL_FOR_TRANSFER, STALL_FOR_D2H,
    STALL_REASON_COUNT
};
extern const char *const STALL_REASON_NAME[STALL_REASON_COUNT];  /* one word each, for programs: "lane" */
extern const char *const STALL_REASON_WORDS[STALL_REASON_COUNT]; /* "wait-transfer, behind others on its lane" */
enum stall_reason stall_reason(const struct stall *stall);

static inline double stall_length(const struct stall *stall) { return stall->end_us - stall->start_us; }

/* The stall before STEP, or NULL; log n. */
const struct stall *timeline_stall_of(const struct timeline *timeline, uint32_t step);

/* The stalls of one reason; LONGEST is NULL when there is none. */
struct stall_sum { double us; uint32_t count; const struct stall *longest; };
void stalls_sum(const struct timeline *timeline, struct stall_sum sums[STALL_REASON_COUNT]);

#endif
