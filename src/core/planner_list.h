/* planner_list: the entry points that the table in planner.c names; each stands in planner_NAME.c. */
#ifndef SLACKSWAP_CORE_PLANNER_LIST_H
#define SLACKSWAP_CORE_PLANNER_LIST_H

#include "planner.h"

typedef enum ss_status planner_run_fn(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                      struct planner_result *out, struct error *error);

planner_run_fn planner_keep;
planner_run_fn planner_offload;
planner_run_fn planner_recompute;
planner_run_fn planner_checkpoint;
planner_run_fn planner_rule; /* slackswap-rule */
planner_run_fn planner_slackswap;
planner_run_fn planner_refine;
planner_run_fn planner_optimal;
/* peers, from the literature */
planner_run_fn planner_sqrt;
planner_run_fn planner_first_layers; /* offload-first-n */
planner_run_fn planner_selective;
planner_run_fn planner_capuchin;
planner_run_fn planner_rotor;
planner_run_fn planner_pofo;

#endif
