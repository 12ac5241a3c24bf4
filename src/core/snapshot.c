#include "snapshot.h"

#include <math.h>
#include <string.h>

enum ss_status snapshot_init(struct snapshot *snapshot, struct arena *arena, const struct profile *profile,
                             struct error *error) {
    *snapshot = (struct snapshot){ .action = ARENA_ARRAY(arena, uint8_t, profile->tensor_count) };
    bool fine = snapshot->action != NULL;
    for (int moment = 0; moment < MOMENT_COUNT; moment++) {
        snapshot->time_us[moment] = ARENA_ARRAY(arena, double, profile->tensor_count);
        fine = fine && snapshot->time_us[moment];
    }
    return fine ? SS_OK : error_no_memory(error);
}

/* The first op whose backward reads TENSOR is the last that saved it. */
static uint32_t first_use(const struct timeline *timeline, uint32_t tensor) {
    const struct profile *profile = timeline->profile;
    const struct schedule *schedule = &timeline->schedule;
    const struct span savers = profile->tensors[tensor].savers;
    if (schedule->first_use[tensor] != NONE)
        return schedule->first_use[tensor];
    return savers.count > 0 ? schedule->backward_step[profile->index[savers.at + savers.count - 1]] : NONE;
}

static void take_times(struct snapshot *snapshot, const struct timeline *timeline, uint32_t tensor) {
    const uint32_t producer = timeline->profile->tensors[tensor].producer, use = first_use(timeline, tensor);
    const uint32_t out = timeline->d2h_of[tensor], back = timeline->h2d_of[tensor];
    snapshot->time_us[MOMENT_MADE][tensor] = producer != NONE ? timeline->steps[producer].end_us : NAN;
    snapshot->time_us[MOMENT_LEFT][tensor] = out != NONE ? timeline->d2h[out].end_us : NAN;
    snapshot->time_us[MOMENT_RETURNED][tensor] = back != NONE ? timeline->h2d[back].end_us : NAN;
    snapshot->time_us[MOMENT_NEEDED][tensor] = use != NONE ? timeline->steps[use].start_us : NAN;
}

void snapshot_take(struct snapshot *snapshot, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const uint32_t count = timeline->profile->tensor_count;
    quantities_take(outcome, &snapshot->quantities);
    memcpy(snapshot->action, timeline->plan.action, count);
    for (uint32_t t = 0; t < count; t++) {
        for (int moment = 0; moment < MOMENT_COUNT; moment++)
            snapshot->time_us[moment][t] = NAN;
        if (timeline->totals.feasible)
            take_times(snapshot, timeline, t);
    }
}

void snapshot_copy(struct snapshot *out, const struct snapshot *snapshot, const struct profile *profile) {
    const uint32_t count = profile->tensor_count;
    if (out == snapshot)
        return;
    out->quantities = snapshot->quantities;
    memcpy(out->action, snapshot->action, count);
    for (int moment = 0; moment < MOMENT_COUNT; moment++)
        memcpy(out->time_us[moment], snapshot->time_us[moment], count * sizeof *out->time_us[moment]);
}
