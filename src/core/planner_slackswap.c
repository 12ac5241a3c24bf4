/* slackswap: offload what the link can hide, recompute what is cheapest to rebuild, keep the rest — with closures
 * priced, and the slack settled by simulating (MODEL.md §5).
 *
 * Several recipes (layout.h) are tried: neighbours recomputed together or spread apart, tensors between layers
 * recomputed or not; that is where closures chain and need memory of their own. The best of them is then followed over
 * the slack: first in coarse steps, for transfers queue and late activations have less slack than the sum says, then in
 * finer ones around the best. */
#include "layout.h"
#include "planner_list.h"

#include <math.h>

#define DEFAULT_EVALUATIONS 32
#define DEFAULT_WORK 400000    /* tensors times evaluations: fewer evaluations for larger profiles … */
#define LEAST_EVALUATIONS 6    /* … but so many at least */
#define RECIPES 4

static const double COARSE[] = { 1.0, 1.06, 0.92, 0.84, 0.75, 0.6, 0.45, 0.3 };
#define COARSE_COUNT (sizeof COARSE / sizeof *COARSE)

struct search {
    struct trial trial;
    struct layout layout;
    struct item_order order[RECIPES];
    struct recipe best;
    double best_step;
};

static bool is_ideal(const struct search *s) {
    return s->best_step <= s->trial.profile->ideal_us * (1 + 1e-12);
}

static enum ss_status try_recipe(struct search *s, struct recipe recipe, double slack, struct error *error) {
    if (trial_over(&s->trial) || is_ideal(s))
        return SS_OK;
    recipe.slack = slack;
    enum ss_status status = layout_build(&s->layout, &recipe, error);
    if (status != SS_OK || (trial_stopping(&s->trial) && s->trial.evaluations > 0))
        return status; /* stopped in the midst of it: there is a plan already */
    status = trial_evaluate(&s->trial, error);
    const double step = totals_fit(&s->trial.totals, s->trial.task) ? s->trial.totals.step_us : INFINITY;
    if (status == SS_OK && (s->best.order == NULL || step < s->best_step)) {
        s->best = recipe;
        s->best_step = step;
    }
    return status;
}

/* The plan tried last, at SLACK, had no stall and yet was slower than the best: less slack means more recomputing. */
static bool hopeless(const struct search *s, double slack) {
    return slack < 1 && totals_fit(&s->trial.totals, s->trial.task) && s->trial.totals.stall_us == 0
        && s->trial.totals.step_us > s->best_step;
}

static enum ss_status follow(struct search *s, struct error *error) {
    enum ss_status status = SS_OK;
    for (uint32_t i = 0; i < RECIPES && status == SS_OK && !is_ideal(s) && !trial_over(&s->trial); i++) {
        const bool inner = i >= TIES_COUNT;
        if (!trial_stopping(&s->trial)) /* sorting thousands takes its time; an order of nothing will do then */
            status = items_order(&s->order[i], &s->layout.items, s->trial.arena, inner,
                                 (enum item_ties)(i % TIES_COUNT), error);
        if (status == SS_OK)
            status = try_recipe(s, (struct recipe){ .order = &s->order[i], .inner = inner }, COARSE[0], error);
    }
    struct recipe large = s->best;
    large.large_first = true;
    if (status == SS_OK && !is_ideal(s) && !trial_over(&s->trial))
        status = layout_sort_by_size(&s->layout, s->trial.arena, error);
    if (status == SS_OK)
        status = try_recipe(s, large, COARSE[0], error);
    for (uint32_t i = 1; i < COARSE_COUNT && status == SS_OK && !hopeless(s, COARSE[i - 1]); i++)
        status = try_recipe(s, s->best, COARSE[i], error);
    for (double width = 0.04; width > 0.002 && !trial_over(&s->trial) && status == SS_OK; width /= 2) {
        const double middle = s->best.slack;
        status = try_recipe(s, s->best, middle - width, error);
        if (status == SS_OK)
            status = try_recipe(s, s->best, middle + width, error);
    }
    return status;
}

enum ss_status planner_slackswap(const struct plan_task *task, struct simulator *simulator, struct arena *arena,
                                 struct planner_result *out, struct error *error) {
    struct search s = { .best_step = INFINITY };
    const uint64_t some = DEFAULT_WORK / (task->profile->managed_count + 1);
    const uint64_t evaluations =
        some > DEFAULT_EVALUATIONS ? DEFAULT_EVALUATIONS : some < LEAST_EVALUATIONS ? LEAST_EVALUATIONS : some;
    enum ss_status status = trial_begin(&s.trial, task, simulator, arena, evaluations, error);
    if (status == SS_OK)
        status = layout_init(&s.layout, &s.trial, arena, error);
    if (status == SS_OK)
        status = follow(&s, error);
    return status == SS_OK ? trial_finish(&s.trial, out, error) : status;
}
