#include "related.h"

static void add(struct related *related, enum lane lane, uint32_t index) {
    if (index == NONE || related->count == RELATED_MOST)
        return;
    related->event[related->count++] = (struct event){ (uint8_t)lane, index };
}

/* The transfers of TENSOR, and the steps at their ends. */
static void add_tensor(struct related *related, const struct timeline *timeline, uint32_t tensor, bool steps) {
    uint32_t d2h = timeline->d2h_of[tensor], h2d = timeline->h2d_of[tensor];
    add(related, LANE_D2H, d2h);
    add(related, LANE_H2D, h2d);
    if (!steps)
        return;
    add(related, LANE_COMPUTE, timeline->profile->tensors[tensor].producer); /* its forward step has the op's number */
    if (h2d != NONE)
        add(related, LANE_COMPUTE, timeline->h2d[h2d].use_step);
}

struct related related_to(const struct timeline *timeline, const struct selection *selection) {
    const struct profile *profile = timeline->profile;
    struct related out = { .count = 0 };
    struct event cause;
    if (!selection->exists)
        return out;
    if (timeline_cause(timeline, selection->event, &cause))
        add(&out, (enum lane)cause.lane, cause.index);
    if (selection->event.lane != LANE_COMPUTE) {
        add_tensor(&out, timeline, selection->tensor, true);
        return out;
    }
    const struct op *op = &profile->ops[selection->op];
    struct span span = selection->kind == STEP_BACKWARD ? op->saved : op->outputs;
    for (uint32_t i = 0; i < span.count; i++) {
        uint32_t tensor = profile->index[span.at + i];
        if (profile->tensors[tensor].managed)
            add_tensor(&out, timeline, tensor, false);
    }
    return out;
}
