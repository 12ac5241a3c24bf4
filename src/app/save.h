/* save: plans and exports from the viewer into files. */
#ifndef SLACKSWAP_APP_SAVE_H
#define SLACKSWAP_APP_SAVE_H

#include "core/outcome.h"
#include "core/plan.h"
#include "io/buffer.h"
#include "view/export_names.h"
#include "view/theme.h"

#define SAVE_PATH 256
/* Writes TEXT into the current directory, as NAME.ENDING or, where that is taken, NAME-2.ENDING and so on: nothing is ever
 * overwritten. NAME is the profile's. PATH receives the name. SS_INTERNAL with the system's reason. */
enum ss_status save_text(const struct profile *profile, const char *ending, const struct buffer *text,
                         char path[SAVE_PATH], struct error *error);
/* The same with PLAN as slackswap-plan/1, and with OUTCOME as NAME says. */
enum ss_status save_export(const struct export_name *name, const struct outcome *outcome, const struct theme *theme,
                           char path[SAVE_PATH], struct error *error);
enum ss_status save_plan(const struct profile *profile, const struct plan *plan, char path[SAVE_PATH],
                         struct error *error);

#endif
