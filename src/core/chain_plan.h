/* chain_plan: from what a chain planner decided to the best plan of ours.
 *
 * The papers' schedules may run a forward more than once again; MODEL.md restores each dropped tensor once, and then it
 * stays until its last backward use. So what counts is the first forward pass: what a schedule saves there stays (or is
 * moved), the rest is recomputed once. Checkpoints that a schedule makes only when it runs stages again can't be made
 * then; kept from the start they break a long re-run into shorter ones, which hold less at a time. How many of those
 * levels to keep is tried out.
 *
 * Where no such plan fits, because it would take another re-run, tensors leave over the link instead: those of the
 * first stages, as few stages as fit. That fits whenever any plan does. */
#ifndef SLACKSWAP_CORE_CHAIN_PLAN_H
#define SLACKSWAP_CORE_CHAIN_PLAN_H

#include "rotor_table.h"
#include "trial.h"

#define NOT_A_CHECKPOINT UINT8_MAX

/* Decisions, by stage. */
struct chain_decisions {
    uint8_t *saved;       /* enum action for all that the stage saves: ACTION_RECOMPUTE = it saves nothing at first */
    uint8_t *checkpoint;  /* enum action for the checkpoint in front of the stage, when it is one */
    uint8_t *level;       /* of that checkpoint: 0 = made in the first forward pass, 1 = in a re-run, 2 = in a re-run of
                             that, …; NOT_A_CHECKPOINT = none */
};

struct chain_plan {
    struct trial *trial;
    const struct chain *chain;
    struct chain_decisions decisions;
    uint32_t *kept, *moved;   /* checkpoints of that action in front of stages before this one; count + 1 entries */
    struct part *stack;       /* for rotor_decide */
};

enum ss_status chain_plan_init(struct chain_plan *plan, struct trial *trial, const struct chain *chain,
                               struct arena *arena, struct error *error);
/* No stage saves anything, and the checkpoint in front of each stage gets ACTION. */
void chain_plan_start(struct chain_plan *plan, enum action action);
/* Writes down what TABLE decides for stages FIRST…LAST in M slots; LEVEL 0: in the first forward pass. */
void rotor_decide(struct chain_plan *plan, const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m,
                  uint8_t level);
/* Lays the decisions out with each number of levels and simulates those plans that fit the budget; FITS: any did. */
enum ss_status chain_plan_try(struct chain_plan *plan, bool *fits, struct error *error);
/* Lays the decisions out as they are and simulates that plan, whether it fits or not. */
enum ss_status chain_plan_take(struct chain_plan *plan, struct error *error);
/* Lets as few of the first stages as fit leave over the link, and simulates that. */
enum ss_status chain_plan_repair(struct chain_plan *plan, struct error *error);

/* TIME_US of a paper's model in our terms: with all that its chain leaves out; NAN for INFINITY, found nothing. */
double chain_model_us(const struct profile *profile, double time_us);
/* Budget that is left for the chain; false when pinned tensors alone take more. */
bool chain_memory(const struct chain *chain, uint64_t budget_bytes, uint64_t *memory_bytes);

#endif
