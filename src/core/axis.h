/* axis: lists and ranges of budgets and rates as people write them: "50%", "8,16,25", "30%:95%:5%", "4GiB:8GiB:512MiB,90%".
 *
 * A range FROM:TO:STEP holds FROM, FROM + STEP, … up to TO, and TO itself when it falls on a step. A value of a range is
 * the very number that it would be if it were written alone: "30%:95%:5%" ends in the same budget as "95%". */
#ifndef SLACKSWAP_CORE_AXIS_H
#define SLACKSWAP_CORE_AXIS_H

#include "base.h"
#include "outcome.h"

#define AXIS_MOST 10000 /* values on one axis */

struct budget_axis { struct budget_choice *choice; uint32_t count; };
struct rate_axis { double *gb_per_s; uint32_t count; };

/* Each parses the whole of TEXT into ARENA, values in the order in which they stand. SS_USAGE with what was expected and
 * found. KIND says what a size is: BUDGET_BYTES, beside which shares may stand too, or BUDGET_GPU_MEMORY. */
enum ss_status axis_parse_budgets(const char *text, enum budget_kind kind, struct arena *arena,
                                  struct budget_axis *out, struct error *error);
enum ss_status axis_parse_rates(const char *text, struct arena *arena, struct rate_axis *out, struct error *error);

#endif
