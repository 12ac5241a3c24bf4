/* sweep: the same work on a grid of planners, links and budgets.
 *
 * A column of the grid is one planner on one link; its points ascend in budget. Columns stand in order of planner, then
 * of bandwidth. Within a column a plan made for less memory is a plan for more (MODEL.md §2), so each point may take
 * over the one below it: no curve rises with the budget. Points of different columns have nothing to do with each other,
 * so that columns can be computed anywhere, in any order.
 *
 * A point is planned on its own first, whatever else is planned at the same time; sweep_reuse then goes up the column. */
#ifndef SLACKSWAP_CORE_SWEEP_H
#define SLACKSWAP_CORE_SWEEP_H

#include "axis.h"
#include "knobs.h"

struct sweep_budget { struct budget_choice choice; uint64_t bytes; };
struct sweep {
    struct settings base;                                   /* what all points share */
    const struct planner *const *planners; uint32_t planner_count;
    double *rates; uint32_t rate_count;                     /* ascending; NAN: the link as BASE has it */
    struct sweep_budget *budgets; uint32_t budget_count;    /* ascending in bytes, none twice */
};

/* Lays the grid out in ARENA: RATES may be NULL or empty (the link as it is); headroom and all else come from BASE.
 * Values that mean the same are one. SS_USAGE when BASE's link can't have one of the rates, or a GPU's memory is taken
 * up before any activation. PLANNERS is borrowed. */
enum ss_status sweep_init(struct sweep *sweep, const struct settings *base, const struct planner *const *planners,
                          uint32_t planner_count, const struct rate_axis *rates, const struct budget_axis *budgets,
                          const struct profile *profile, struct arena *arena, struct error *error);
uint32_t sweep_columns(const struct sweep *sweep);
uint32_t sweep_points(const struct sweep *sweep);
/* What the N-th point asks for: columns one after the other, each from the least budget up. */
struct settings sweep_settings(const struct sweep *sweep, uint32_t n);
bool sweep_begins_column(const struct sweep *sweep, uint32_t n);
/* Points FIRST … END-1 are shard INDEX (1 … COUNT) of the grid: whole columns, about as many as any other shard's; those
 * of all shards in turn are the whole grid. */
void sweep_shard(const struct sweep *sweep, uint32_t index, uint32_t count, uint32_t *first, uint32_t *end);

/* POINT takes over the plan of LESS, the point below it in its column after the same was done to that one, where POINT's
 * own plan is slower: with all of the memory where that is fastest, else as if there were no more than LESS had, which
 * takes exactly as long as LESS. What is taken over lives in ARENA. SETTINGS are POINT's. */
enum ss_status sweep_reuse(const struct outcome *less, const struct settings *settings, struct arena *arena,
                           struct outcome *point, struct error *error);

#endif
