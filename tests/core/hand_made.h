/* hand_made: small profiles spelled out in a test, and what becomes of them.
 *
 * Lists of tensors are names with blanks between. The link moves 1000 bytes a microsecond (1 GB/s) each way without
 * latency, and the budget is unlimited, unless a test says otherwise before hand_run. Everything is kept at first. */
#ifndef SLACKSWAP_TESTS_HAND_MADE_H
#define SLACKSWAP_TESTS_HAND_MADE_H

#include "core/sim.h"
#include "core/timeline.h"

struct hand {
    struct arena arena;
    struct profile profile;
    struct plan plan;
    struct link link;
    uint64_t budget_bytes;
    struct simulator *simulator;
    struct timeline timeline;
    struct error error;
};

void hand_begin(struct hand *hand);
void hand_end(struct hand *hand);

/* A tensor without gradient; its number. */
uint32_t hand_tensor(struct hand *hand, const char *name, uint64_t bytes);
uint32_t hand_tensor_with(struct hand *hand, struct tensor_spec spec);
void hand_op(struct hand *hand, const char *name, double forward_us, double backward_us, const char *inputs,
             const char *outputs, const char *saved);
/* The same with more to say: SPEC's lists and times are set from the other arguments. */
void hand_op_with(struct hand *hand, struct op_spec spec, const char *inputs, const char *outputs, const char *saved);
/* After the last op: the profile is complete, and a plan that keeps everything is there. */
void hand_finish(struct hand *hand);

uint32_t hand_find(const struct hand *hand, const char *tensor);
void hand_plan(struct hand *hand, const char *tensor, enum action action);
void hand_prefetch(struct hand *hand, const char *tensor, uint32_t distance);

/* The schedule of the plan; fails the test when there is none. */
const struct schedule *hand_schedule(struct hand *hand);
/* "Fa Fb Bb Ra Ba": kind and op of each step, in the arena. */
const char *hand_steps(struct hand *hand);
/* Simulates; the timeline is in hand->timeline. Fails the test on any error. */
void hand_run(struct hand *hand);

/* Four ops a, b, c, d of 10 us forward and 10 us backward in a chain; the tensors x, y, z between them have 10,000
 * bytes (10 us on the link) and are saved by the op that reads them. Steps: Fa Fb Fc Fd Bd Bc Bb Ba, from 0 to 80. */
void hand_chain(struct hand *hand);

#endif
