/* save: plans from the viewer into files. */
#ifndef SLACKSWAP_APP_SAVE_H
#define SLACKSWAP_APP_SAVE_H

#include "core/plan.h"

#define SAVE_PATH 256
/* Writes PLAN as slackswap-plan/1 into the current directory, as NAME.plan.json or, where that is taken, NAME.plan-2.json
 * and so on: no plan is ever overwritten. PATH receives the name. SS_INTERNAL with the system's reason. */
enum ss_status save_plan(const struct profile *profile, const struct plan *plan, char path[SAVE_PATH],
                         struct error *error);

#endif
