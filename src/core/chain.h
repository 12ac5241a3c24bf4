/* chain: a profile seen as a chain of stages, for planners whose papers plan chains (rotor, pofo).
 *
 * Stages are runs of ops in forward order, cut between layers where all that later ops read can be kept: each tensor
 * that crosses is managed. A profile is a chain where a single tensor crosses; what branches lies within a stage. Where
 * that leaves a stage with more than a quarter of all that is saved, the work is no chain at that grain, and places
 * that two tensors cross are cut, too, or three and so on up to eight, or any number: as few as leave no such stage, or
 * else as make the largest as small as it gets. A checkpoint then holds all that crosses; a tensor that crosses several
 * places counts at each, so the papers' models, which know no shared tensors, overrate memory there. A chain longer
 * than asked for is cut into stages of about equal time.
 *
 * In the papers' words, with a stage's number in brackets: output_bytes is ω_a (the checkpoint behind it), saved_bytes
 * is ω_ā (all of it that its backward reads, its output included), gradient_bytes is ω_δ. Their overheads o_f and o_b
 * are not guessed but read off the ops: the three …_need_bytes are the most that the stage's own ops hold at once
 * beside the checkpoint in front of it — running forward and saving nothing, forward and saving all, backward (the
 * gradients of its output and its input included).
 *
 * Tensors that no planner may drop (keep: true, or made by what must not run twice) belong to no stage: they are
 * counted once, as pinned_bytes. */
#ifndef SLACKSWAP_CORE_CHAIN_H
#define SLACKSWAP_CORE_CHAIN_H

#include "base.h"
#include "closure.h"
#include "profile.h"

struct stage {
    uint32_t first, end;          /* ops: first … end-1 */
    double forward_us, backward_us;
    double rerun_us;              /* its ops that may run twice, once more */
    uint64_t output_bytes, saved_bytes, gradient_bytes;
    uint64_t none_need_bytes, all_need_bytes, backward_need_bytes;
};

struct chain {
    struct stage *stage; uint32_t count;
    uint32_t *stage_of;           /* op -> stage */
    uint64_t pinned_bytes;
    double first_us;              /* what the forward pass takes beyond running every stage again */
};

/* At most MOST stages (> 0), in ARENA. */
enum ss_status chain_build(struct chain *out, struct arena *arena, const struct profile *profile,
                           const struct closure *closure, uint32_t most, struct error *error);

#endif
