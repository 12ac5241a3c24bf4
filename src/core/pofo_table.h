/* pofo_table: the fastest combination of offloading and recomputing on a chain (Beaumont, Eyraud-Dubois, Shilova,
 * "Efficient Combination of Rematerialization and Offloading for Training DNNs", NeurIPS 2021).
 *
 * The first forward pass is decided stage by stage, and with it its mirror image, the backward pass. Stage i meets a
 * state: `kept` slots of what stays, `out` slots that are still to leave, `back` slots that, seen from the other end of
 * time, still have to come back before its backward ends. It either saves all, or runs together with the stages up to
 * some j saving nothing, to be run again as rotor_table says. What stands in front of it (the checkpoint, or all that
 * the stage before saved) is kept or moved. Transfers go on at the link's single rates meanwhile; compute waits where
 * what is still to move leaves too little room. The backward of stages that are run again, with transfers under way, is
 * priced as the paper's own code does it: half-way between the larger and the sum of both times. Latency is not in this
 * model.
 *
 * States are told apart in 50 slots, rounded up, as published. The published code also goes on from the rounded sizes:
 * where a stage moves less than a slot, what waits to leave then never gets less. Here each state remembers what it
 * really holds, which is never more; of states that round to the same the fastest counts. The published code computes
 * all states from the end of the chain on; here they are met from its start, which takes a small part of them: one that
 * is behind another in time and in all three counts can't lead to anything better, nor can one that is too late to beat
 * rotor alone.
 *
 * In this model what leaves frees its memory bit by bit; MODEL.md frees a tensor when all of it has left. Where tensors
 * are few and large the plan made of the decisions may take longer than they promise. */
#ifndef SLACKSWAP_CORE_POFO_TABLE_H
#define SLACKSWAP_CORE_POFO_TABLE_H

#include "chain_plan.h"
#include "link.h"
#include "rotor_table.h"

#define POFO_SLOTS 50        /* as published */
#define POFO_MOST_STAGES 64

enum pofo_counting { POFO_AS_PUBLISHED, POFO_EXACT };

struct pofo_table {
    const struct chain *chain;
    enum pofo_counting counting;
    const struct rotor_table *rotor;  /* same slots */
    double out_rate, back_rate;       /* slots per us */
    struct stage_sizes *size;         /* in slots, not rounded */
    struct arena *arena;
    double *rest_us;                  /* compute time of each stage and those behind it, nothing run again */
    uint32_t **page;                  /* [stage, bar, kept] -> number of the state for each out, back; 0 = none */
    struct pofo_state **block; uint32_t state_count;
    double *ahead, *ahead_before;     /* the best times so far of states ahead, see meet */
    double limit_us;                  /* what takes longer is of no interest */
    uint32_t best; double best_us;    /* the last state of the fastest schedule; INFINITY: none fits */
    bool failed;                      /* no memory for a state */
};

/* Fills the table: best_us above all. ROTOR is of the same chain and memory. SS_STOPPED when PATIENCE was over first. */
enum ss_status pofo_table_build(struct pofo_table *table, struct arena *arena, const struct rotor_table *rotor,
                                const struct link *link, enum pofo_counting counting, const struct patience *patience,
                                struct error *error);
/* Writes the decisions down; only when the time is finite. */
void pofo_decide(const struct pofo_table *table, struct chain_plan *plan);

#endif
