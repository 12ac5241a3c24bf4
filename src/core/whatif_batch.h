/* whatif_batch: how many samples of a built-in model fit the memory at hand, and what each number is worth. */
#ifndef SLACKSWAP_CORE_WHATIF_BATCH_H
#define SLACKSWAP_CORE_WHATIF_BATCH_H

#include "whatif.h"
#include "zoo.h"

#define WHATIF_BATCHES 23 /* 1, 2, 4, … 2^20, and two more */

struct whatif_batch {
    uint32_t batch;
    bool fits;              /* the planner found a plan; else the figures below are 0 */
    double step_us, tokens_per_s;
};
struct whatif_batches {
    uint64_t budget_bytes;  /* of activations, for any batch */
    uint32_t sequence;      /* tokens a sample */
    uint32_t largest;       /* the largest batch that any plan fits into the budget; 0: none does */
    uint32_t count;         /* ascending in batch: powers of two, the model's own, and the largest */
    struct whatif_batch batch[WHATIF_BATCHES];
};

/* For MODEL built with OPTIONS, with the budget that TASK's settings leave TASK's profile; fills *OUT and calls SHOW
 * whenever there is more in it. SS_STOPPED when told to stop. */
enum ss_status whatif_batches(const struct whatif_task *task, const struct model *model,
                              const struct model_options *options, struct whatif_batches *out,
                              void (*show)(void *context, const struct whatif_batches *batches), struct error *error);

#endif
