/* schedule_builder: what schedule.c and schedule_parts.c share about a schedule under construction.
 *
 * Everything that no plan changes (the F steps, the bytes that enter and leave with each op, who reads what) is laid
 * out once a profile; a build then costs the recompute and backward steps and the managed tensors, nothing else. */
#ifndef SLACKSWAP_CORE_SCHEDULE_BUILDER_H
#define SLACKSWAP_CORE_SCHEDULE_BUILDER_H

#include "schedule.h"

/* Where a tensor is while the backward pass is laid out. */
enum presence {
    PRESENCE_DROPPED, /* nowhere, except within the chain that restored it as an intermediate */
    PRESENCE_GPU,     /* managed: kept, or restored by an R */
    PRESENCE_HOST,    /* managed: offloaded, it will be fetched */
    PRESENCE_STATIC,  /* no producer: it never left */
};

/* An unmanaged tensor that lives within one recompute chain, from its R to its last use there. */
struct intermediate { uint32_t tensor, birth_step, last_step; };

/* One op of a chain whose inputs are still being restored. */
struct chain_frame { uint32_t op, next_input, input_end, root; };

struct schedule_builder {
    const struct profile *profile;
    struct arena arena;          /* holds the arrays whose size the profile fixes */
    struct schedule schedule;    /* what is handed out; its step arrays grow by realloc */
    uint32_t step_capacity;

    /* fixed by the profile */
    uint8_t *initial_presence;   /* tensor -> PRESENCE_DROPPED or PRESENCE_STATIC */
    uint64_t *forward_change;    /* step k <= ops -> change of req from k-1 to k in forward, nothing kept (mod 2^64) */
    uint64_t *backward_enter;    /* op -> bytes that come with B(op): gradients that begin, workspace */
    uint64_t *backward_leave;    /* op -> bytes that go after B(op) */
    struct span *reads, *saves;  /* op -> produced tensors that its R reads / its B saves: use_index[], ascending */
    uint32_t *use_index;
    uint32_t *production_order;  /* managed tensors by producer, then place among its outputs: the D2H order */

    /* of the build at hand */
    uint8_t *presence;           /* tensor -> enum presence */
    uint32_t *chain_slot;        /* tensor -> 1 + its place in intermediates[], 0 = never restored as one */
    uint32_t chain_first;        /* intermediates of the chain at hand start here */
    struct intermediate *intermediates;
    uint32_t intermediate_count, intermediate_capacity;
    struct chain_frame *stack;   /* one frame an op at most */
    bool too_many_steps;         /* the build failed for that, not for lack of memory */
};

#endif
