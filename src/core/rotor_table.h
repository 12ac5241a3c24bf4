/* rotor_table: the fastest way to run part of a chain forward and backward in given memory, recomputing as often as it
 * pays (Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova, "Optimal checkpointing for heterogeneous chains: how to train
 * deep neural networks with limited memory", 2019).
 *
 * Memory is counted in slots of equal size; every size is rounded up to whole slots, so a schedule that fits in slots
 * fits in bytes. Schedules are persistent: a checkpoint stays until the backward pass has come back to it. Beside the
 * memory given, the checkpoint in front of the part is stored and not counted. To run stages s…t (C_BP in the paper):
 * - stage s alone: forward saving all, then backward;
 * - s saving all, then s+1…t with what it saved on top, then the backward of s (the paper's chain checkpoint);
 * - s…c-1 saving nothing, then c…t with the checkpoint in front of c on top, then s…c-1 anew (a leaf checkpoint).
 * Every forward is priced as a re-run: chain.first_us makes up for the first one of each stage. */
#ifndef SLACKSWAP_CORE_ROTOR_TABLE_H
#define SLACKSWAP_CORE_ROTOR_TABLE_H

#include "chain.h"

#define ROTOR_SLOTS 500        /* as published */
#define ROTOR_MOST_STAGES 128  /* time grows with their cube: 0.2 s or so, in 41 MB */

/* Sizes of a stage in slots, rounded up; see struct stage. */
struct stage_slots { uint32_t output, saved, gradient, none_need, all_need, backward_need; };

struct rotor_table {
    const struct chain *chain;
    uint32_t slots;
    double slot_bytes;
    struct stage_slots *stage;
    double *time;      /* of stages s…t in m slots: [pair(s, t)][m]; INFINITY = does not fit */
    uint16_t *choice;  /* the same: s = stage s saves all, c > s = checkpoint in front of c */
};

/* Asked now and then during a long computation: true = give up. */
struct patience { bool (*should_stop)(void *context); void *context; };
static inline bool patience_over(const struct patience *patience) {
    return patience->should_stop && patience->should_stop(patience->context);
}

/* Fills the table for MEMORY_BYTES cut into at most SLOTS slots. SS_STOPPED when PATIENCE was over first. */
enum ss_status rotor_table_build(struct rotor_table *table, struct arena *arena, const struct chain *chain,
                                 uint64_t memory_bytes, uint32_t slots, const struct patience *patience,
                                 struct error *error);
/* Time of stages FIRST…LAST in M <= table->slots slots. */
double rotor_table_time(const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m);
uint32_t rotor_table_choice(const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m);

/* The more memory there is, the fewer bytes matter: MEMORY_BYTES, or all that CHAIN can ever fill when that is less. */
uint64_t chain_memory_of_use(const struct chain *chain, uint64_t memory_bytes);

#endif
