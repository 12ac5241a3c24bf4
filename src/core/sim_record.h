/* sim_record: the recorder that turns a simulation into a timeline. */
#ifndef SLACKSWAP_CORE_SIM_RECORD_H
#define SLACKSWAP_CORE_SIM_RECORD_H

#include "timeline.h"

struct recorder {
    struct timeline *timeline;
    struct arena *arena;
    uint64_t *parts[PART_COUNT];  /* step -> what req consists of */
    uint64_t peak_bytes;          /* of timeline->peak_sample */
};

/* Lays PLAN out with BUILDER and makes room in ARENA for all that can happen. */
enum ss_status recorder_begin(struct recorder *recorder, struct schedule_builder *builder, const struct plan *plan,
                              const struct link *link, uint64_t budget_bytes, struct arena *arena,
                              struct timeline *timeline, struct error *error);
/* After the last step: gathers the stalls and the lanes' busy times. */
enum ss_status recorder_finish(struct recorder *recorder, struct error *error);

#endif
