/* stalls: see stalls.h. */
#include "stalls.h"

const char *const STALL_REASON_NAME[STALL_REASON_COUNT] = {
    [STALL_FOR_LANE] = "lane", [STALL_FOR_ROOM] = "transfer-room", [STALL_FOR_DISTANCE] = "distance",
    [STALL_FOR_OWN_D2H] = "own-d2h", [STALL_FOR_TRANSFER] = "backward", [STALL_FOR_D2H] = "room",
};

const char *const STALL_REASON_WORDS[STALL_REASON_COUNT] = {
    [STALL_FOR_LANE] = "wait-transfer, behind others on its lane",
    [STALL_FOR_ROOM] = "wait-transfer, which had no room sooner",
    [STALL_FOR_DISTANCE] = "wait-transfer, held by its prefetch distance",
    [STALL_FOR_OWN_D2H] = "wait-transfer, which was still on its way out",
    [STALL_FOR_TRANSFER] = "wait-transfer, which started with the backward pass",
    [STALL_FOR_D2H] = "wait-room, until a D2H ends",
};

enum stall_reason stall_reason(const struct stall *stall) {
    if (stall->kind == STALL_ROOM)
        return STALL_FOR_D2H;
    switch (stall->held.kind) {
    case CAUSE_LANE: return STALL_FOR_LANE;
    case CAUSE_ROOM:
    case CAUSE_STEP_ROOM: return STALL_FOR_ROOM;
    case CAUSE_DISTANCE: return STALL_FOR_DISTANCE;
    case CAUSE_ON_HOST: return STALL_FOR_OWN_D2H;
    default: return STALL_FOR_TRANSFER;
    }
}

const struct stall *timeline_stall_of(const struct timeline *timeline, uint32_t step) {
    uint32_t low = 0, high = timeline->stall_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->stalls[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < timeline->stall_count && timeline->stalls[low].step == step ? &timeline->stalls[low] : NULL;
}

void stalls_sum(const struct timeline *timeline, struct stall_sum sums[STALL_REASON_COUNT]) {
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
        sums[reason] = (struct stall_sum){ 0 };
    for (uint32_t i = 0; i < timeline->stall_count; i++) {
        const struct stall *stall = &timeline->stalls[i];
        struct stall_sum *sum = &sums[stall_reason(stall)];
        sum->us += stall_length(stall);
        sum->count++;
        if (!sum->longest || stall_length(stall) > stall_length(sum->longest))
            sum->longest = stall;
    }
}
