#include "export_words.h"

const char *const STEP_SHORT[STEP_KIND_COUNT] = { "fwd", "rec", "bwd" };

const char *const CAUSE_NAME[CAUSE_KIND_COUNT] = {
    [CAUSE_START] = "start", [CAUSE_ORDER] = "order", [CAUSE_LANDED] = "landed", [CAUSE_ROOM] = "room",
    [CAUSE_STEP_ROOM] = "step-room", [CAUSE_LANE] = "lane", [CAUSE_PRODUCED] = "produced",
    [CAUSE_ON_HOST] = "on-host", [CAUSE_DISTANCE] = "distance", [CAUSE_BACKWARD] = "backward",
};

/* What stands before and after the event whose end let another start. */
static const struct { const char *before, *after; } PHRASE[CAUSE_KIND_COUNT] = {
    [CAUSE_START] = { "with the step", "" },
    [CAUSE_ORDER] = { "after ", "" },
    [CAUSE_LANDED] = { "", " landed" },
    [CAUSE_ROOM] = { "", " freed room" },
    [CAUSE_STEP_ROOM] = { "", " ended and left room" },
    [CAUSE_LANE] = { "behind ", " on its lane" },
    [CAUSE_PRODUCED] = { "made by ", "" },
    [CAUSE_ON_HOST] = { "", " brought it to the host" },
    [CAUSE_DISTANCE] = { "", " ended: within its prefetch distance" },
    [CAUSE_BACKWARD] = { "", " ended: the backward pass begins" },
};

static const char *text_of(const struct buffer *words) { return words->text ? words->text : ""; }

static void add_event(struct buffer *words, const struct timeline *timeline, struct event event) {
    const struct profile *profile = timeline->profile;
    const struct schedule *schedule = &timeline->schedule;
    if (event.lane == LANE_COMPUTE)
        buffer_printf(words, "%s %s", STEP_SHORT[schedule->kind[event.index]],
                      profile->ops[schedule->op[event.index]].name);
    else if (event.lane == LANE_D2H)
        buffer_printf(words, "D2H %s", profile->tensors[timeline->d2h[event.index].tensor].name);
    else
        buffer_printf(words, "H2D %s", profile->tensors[timeline->h2d[event.index].tensor].name);
}

const char *event_name(struct buffer *words, const struct timeline *timeline, struct event event) {
    words->length = 0;
    add_event(words, timeline, event);
    return text_of(words);
}

const char *event_cause(struct buffer *words, const struct timeline *timeline, struct event event, const char **cause) {
    const uint8_t kind = event.lane == LANE_COMPUTE ? timeline->steps[event.index].cause.kind
                       : event.lane == LANE_D2H     ? timeline->d2h[event.index].cause.kind
                                                    : timeline->h2d[event.index].cause.kind;
    struct event by;
    words->length = 0;
    buffer_text(words, PHRASE[kind].before);
    if (timeline_cause(timeline, event, &by))
        add_event(words, timeline, by);
    buffer_text(words, PHRASE[kind].after);
    *cause = CAUSE_NAME[kind];
    return text_of(words);
}

const struct memory_sample *memory_in_use(const struct timeline *timeline, uint32_t index,
                                          const struct memory_sample **latest) {
    const struct memory_sample *sample = &timeline->memory[index];
    if (sample->running)
        *latest = sample;
    return *latest && memory_used(*latest) < memory_used(sample) ? *latest : sample;
}
