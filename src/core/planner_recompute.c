/* recompute: the cheapest closures are run again, as far as memory demands; nothing uses the link.
 *
 * Recompute steps need memory of their own, chains of neighbours most: the recipes of layout.h are tried and the best
 * is kept. It may not reach a budget that offloading reaches; then the totals say what it needs. */
#include "layout.h"
#include "planner_list.h"

enum ss_status planner_recompute(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                 struct planner_result *out, struct error *error) {
    struct trial trial;
    struct layout layout;
    enum ss_status status = trial_begin(&trial, task, simulator, arena, 2 * TIES_COUNT, error);
    if (status == SS_OK)
        status = layout_init(&layout, &trial, arena, error);
    for (int i = 0; i < 2 * TIES_COUNT && status == SS_OK && !trial_over(&trial); i++) {
        const bool inner = i >= TIES_COUNT;
        struct item_order order;
        status = items_order(&order, &layout.items, arena, inner, (enum item_ties)(i % TIES_COUNT), error);
        if (status != SS_OK)
            break;
        const struct recipe recipe = { .order = &order, .recompute_only = true, .inner = inner };
        status = layout_build(&layout, &recipe, error);
        if (status == SS_OK)
            status = trial_evaluate(&trial, error);
    }
    return status == SS_OK ? trial_finish(&trial, out, error) : status;
}
