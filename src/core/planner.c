/* planner: the table, and what holds for every planner. */
#include "planner.h"

#include <math.h>
#include <string.h>

#include "planner_list.h"

const char *const UNIT_NAME[2] = { "tensor", "layer" };

const struct planner PLANNERS[] = {
    { "keep", "keep everything, whatever the budget", planner_keep },
    { "offload", "move what must go over the link, earliest first", planner_offload },
    { "recompute", "run the cheapest closures again, as far as memory demands", planner_recompute },
    { "checkpoint", "keep what crosses layers, recompute the rest (Chen et al. 2016)", planner_checkpoint },
    { "slackswap-rule", "the published rule: offload the costliest within the slack, recompute the cheapest",
      planner_rule },
    { "slackswap", "hide transfers in the slack, recompute the cheapest closures, settled by simulating",
      planner_slackswap },
    { "refine", "slackswap, then improved by search with the simulator until the bound or the allowance",
      planner_refine },
    { "optimal", "branch and bound, for small profiles; says whether it proved its plan the best", planner_optimal },
    { "sqrt", "checkpoint about the square root of the layers (Chen et al. 2016)", planner_sqrt },
    { "offload-first-n", "offload the first layers, keep the last (Megatron-LM, Transformer Engine)",
      planner_first_layers },
    { "selective", "recompute the inside of attention alone (Korthikanti et al. 2022)", planner_selective },
    { "capuchin", "swap what hides, then the cheaper of swap and recompute (Peng et al. 2020)", planner_capuchin },
    { "rotor", "optimal checkpointing of the chain of layers (Beaumont et al. 2019)", planner_rotor },
    { "pofo", "offload and checkpoint the chain of layers optimally (Beaumont et al. 2021)", planner_pofo },
};
const uint32_t PLANNER_COUNT = sizeof PLANNERS / sizeof *PLANNERS;

const struct planner *planner_find(const char *name) {
    for (uint32_t i = 0; i < PLANNER_COUNT; i++)
        if (strcmp(PLANNERS[i].name, name) == 0)
            return &PLANNERS[i];
    return NULL;
}

enum ss_status planner_run(const struct planner *planner, const struct plan_task *task, struct simulator *simulator,
                           struct arena *arena, struct planner_result *out, struct error *error) {
    *out = (struct planner_result){ .own_model_us = NAN };
    const enum ss_status status = planner->run(task, simulator, arena, out, error);
    if (status == SS_OK) {
        out->plan.planner = planner->name;
        out->plan.made_for = task->profile->name;
        out->plan.link = task->link;
    }
    return status;
}
