/* slackswap-rule: the published rule, literally (MODEL.md §5). The slack is what D2H can move during forward and H2D
 * during backward. Within it the activations that are costliest to rebuild per byte are offloaded, as far as memory
 * demands; then the cheapest of the others are recomputed, as far as it still does; what fits is kept.
 *
 * The rule says nothing of a budget that even so does not fit, nor of the memory that recomputing takes: then the
 * slack is exceeded, costliest first, as little as makes the plan fit. */
#include "layout.h"
#include "planner_list.h"

#include <math.h>

struct rule {
    struct trial trial;
    struct layout layout;
    struct item_order order;
};

static double slack_bytes(const struct rule *rule) {
    const struct profile *p = rule->trial.profile;
    const double out = p->forward_us * rule->layout.out_rate, back = p->backward_us * rule->layout.back_rate;
    const double slack = out < back ? out : back, host = (double)rule->trial.task->host_memory_bytes;
    return slack < host ? slack : host;
}

/* Offloads units of one item while SLACK lasts; returns what is left of it. */
static double offload_item(struct rule *rule, const struct item *item, double slack, int64_t target) {
    for (uint32_t k = 0; k < item->count; k++) {
        const uint32_t u = rule->layout.items.unit[item->at + k];
        const double bytes = (double)rule->trial.units.unit[u].bytes;
        if (bytes > slack || !layout_needs(&rule->layout, u, target))
            continue;
        layout_take_away(&rule->layout, u, ACTION_OFFLOAD);
        slack -= bytes;
    }
    return slack;
}

static void recompute_item(struct rule *rule, const struct item *item, int64_t target) {
    bool helps = false;
    for (uint32_t k = 0; k < item->count; k++) {
        const uint32_t u = rule->layout.items.unit[item->at + k];
        const bool kept = rule->trial.plan.action[rule->trial.units.tensor[rule->trial.units.unit[u].at]] == ACTION_KEEP;
        helps = helps || (kept && layout_needs(&rule->layout, u, target));
    }
    for (uint32_t k = 0; k < item->count && helps; k++) {
        const uint32_t u = rule->layout.items.unit[item->at + k];
        if (rule->trial.plan.action[rule->trial.units.tensor[rule->trial.units.unit[u].at]] == ACTION_KEEP)
            layout_take_away(&rule->layout, u, ACTION_RECOMPUTE);
    }
}

static void apply(struct rule *rule, double slack, int64_t target) {
    const struct items *items = &rule->layout.items;
    trial_keep_all(&rule->trial);
    demand_reset(&rule->layout.demand);
    for (uint32_t i = 0; i < items->count; i++) /* what can't be rebuilt is the costliest of all */
        if (!items->item[i].recomputable && demand_exceeds(&rule->layout.demand, target))
            slack = offload_item(rule, &items->item[i], slack, target);
    for (uint32_t i = rule->order.count; i-- > 0 && demand_exceeds(&rule->layout.demand, target) &&
                                        !layout_given_up(&rule->layout, i);)
        slack = offload_item(rule, &items->item[rule->order.item[i]], slack, target);
    for (uint32_t i = 0; i < rule->order.count && demand_exceeds(&rule->layout.demand, target) &&
                         !rule->trial.stopped && !layout_given_up(&rule->layout, i); i++)
        recompute_item(rule, &items->item[rule->order.item[i]], target);
}

enum ss_status planner_rule(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                            struct planner_result *out, struct error *error) {
    struct rule rule;
    enum ss_status status = trial_begin(&rule.trial, task, simulator, arena, 1, error);
    if (status == SS_OK)
        status = layout_init(&rule.layout, &rule.trial, arena, error);
    if (status == SS_OK && !trial_stopping(&rule.trial))
        status = items_order(&rule.order, &rule.layout.items, arena, false, TIES_LATEST, error);
    if (status != SS_OK)
        return status;
    const int64_t budget = layout_budget(&rule.layout);
    const double slack = slack_bytes(&rule);
    double factor = 1;
    for (int i = 0; i < 24 && !trial_stopping(&rule.trial); i++, factor *= 1.25) {
        const struct schedule *schedule;
        apply(&rule, factor * slack, budget);
        if (rule.trial.stopped)
            break;
        status = trial_requirement(&rule.trial, &schedule, error);
        if (status != SS_OK)
            return status;
        if (schedule->peak_bytes <= task->budget_bytes)
            return trial_finish(&rule.trial, out, error);
    }
    if (rule.trial.stopped)
        layout_settle_at_once(&rule.layout);
    else
        apply(&rule, INFINITY, budget);
    return trial_finish(&rule.trial, out, error);
}
