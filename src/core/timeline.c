/* timeline: questions to a recorded simulation. */
#include "timeline.h"

bool timeline_cause(const struct timeline *timeline, struct event event, struct event *cause) {
    /* where a cause's index points to; LANE_COUNT: the lane of the event itself */
    static const uint8_t LANE_OF_CAUSE[CAUSE_KIND_COUNT] = {
        [CAUSE_ORDER] = LANE_COMPUTE, [CAUSE_LANDED] = LANE_H2D, [CAUSE_ROOM] = LANE_D2H,
        [CAUSE_STEP_ROOM] = LANE_COMPUTE, [CAUSE_LANE] = LANE_COUNT, [CAUSE_PRODUCED] = LANE_COMPUTE,
        [CAUSE_ON_HOST] = LANE_D2H, [CAUSE_DISTANCE] = LANE_COMPUTE, [CAUSE_BACKWARD] = LANE_COMPUTE,
    };
    struct cause why = event.lane == LANE_COMPUTE ? timeline->steps[event.index].cause
                     : event.lane == LANE_D2H     ? timeline->d2h[event.index].cause
                                                  : timeline->h2d[event.index].cause;
    if (why.kind == CAUSE_START)
        return false;
    uint8_t lane = LANE_OF_CAUSE[why.kind];
    *cause = (struct event){ lane == LANE_COUNT ? event.lane : lane, why.index };
    return true;
}

double timeline_start(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_COMPUTE ? timeline->steps[event.index].start_us
         : event.lane == LANE_D2H     ? timeline->d2h[event.index].start_us
                                      : timeline->h2d[event.index].start_us;
}

double timeline_end(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_COMPUTE ? timeline->steps[event.index].end_us
         : event.lane == LANE_D2H     ? timeline->d2h[event.index].end_us
                                      : timeline->h2d[event.index].end_us;
}

static uint32_t lane_length(const struct timeline *timeline, enum lane lane) {
    if (!timeline->steps)
        return 0; /* infeasible: nothing happened */
    return lane == LANE_COMPUTE ? timeline->schedule.step_count
         : lane == LANE_D2H     ? timeline->schedule.d2h_count
                                : timeline->schedule.h2d_count;
}

uint32_t timeline_at(const struct timeline *timeline, enum lane lane, double at_us) {
    uint32_t low = 0, high = lane_length(timeline, lane); /* the answer is the one before the first later start */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline_start(timeline, (struct event){ (uint8_t)lane, middle }) <= at_us)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : NONE;
}

uint32_t timeline_memory_at(const struct timeline *timeline, double at_us) {
    uint32_t low = 0, high = timeline->memory_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->memory[middle].at_us <= at_us)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

uint64_t memory_used(const struct memory_sample *sample) {
    uint64_t used = 0;
    for (int state = 0; state < MEMORY_STATE_COUNT; state++)
        used += sample->bytes[state];
    return used;
}

enum ss_status timeline_critical_path(const struct timeline *timeline, struct arena *arena, struct event **path,
                                      uint32_t *count, struct error *error) {
    *path = NULL;
    *count = 0;
    if (!timeline->steps)
        return SS_OK;
    const struct event last = { LANE_COMPUTE, timeline->schedule.step_count - 1 };
    struct event event = last;
    uint32_t length = 1;
    while (timeline_cause(timeline, event, &event))
        length++;
    *path = ARENA_ARRAY(arena, struct event, length);
    if (!*path)
        return error_no_memory(error);
    event = last;
    do
        (*path)[(*count)++] = event;
    while (timeline_cause(timeline, event, &event));
    return SS_OK;
}
