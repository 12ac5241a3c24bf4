/* What a puzzle is measured by: see puzzle.h. */
#include "puzzle.h"

#include <math.h>

#include "knobs.h"

#define ALIKE 1e-9 /* gaps that differ by less are the same: rounding */

/* Whether OUTCOME, of PLANNER, is better than the best so far; then it is that. */
static enum ss_status take(struct puzzle_marks *marks, struct arena *arena, const struct profile *profile,
                           const struct outcome *outcome, struct error *error) {
    const double gap = outcome_feasible(outcome) ? outcome_gap(outcome) : INFINITY;
    marks->proved |= outcome->proved || gap <= ALIKE;
    if (!(gap < marks->best_gap - ALIKE))
        return SS_OK;
    marks->best_gap = gap;
    marks->best_planner = outcome->planner_name;
    return plan_copy(&marks->best, arena, profile, &outcome->timeline.plan, error);
}

enum ss_status puzzle_marks_find(struct puzzle_marks *out, struct arena *arena, const struct profile *profile, uint64_t budget_bytes,
                                 bool (*should_stop)(void *context), void *context, struct error *error) {
    static const char *const PLANNER[] = { "slackswap", "refine", "optimal" };
    struct settings settings = settings_default();
    struct bounds bounds = { .count = 0 };
    enum ss_status status = SS_OK;
    *out = (struct puzzle_marks){ .slackswap_gap = INFINITY, .best_gap = INFINITY, .best_planner = "" };
    settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = budget_bytes };
    for (size_t i = 0; i < sizeof PLANNER / sizeof PLANNER[0] && status == SS_OK; i++) {
        struct arena scratch = { 0 };
        struct outcome outcome;
        settings.planner = planner_find(PLANNER[i]);
        struct outcome_request request = settings_request(profile, &settings);
        request.should_stop = should_stop;
        request.context = context;
        request.bounds = &bounds;
        status = outcome_compute(&request, &scratch, &outcome, error);
        if (status == SS_OK && i == 0)
            out->slackswap_gap = outcome_feasible(&outcome) ? outcome_gap(&outcome) : INFINITY;
        if (status == SS_OK)
            status = take(out, arena, profile, &outcome, error);
        arena_free(&scratch);
    }
    return status;
}

static bool reaches(double gap, double mark) {
    return gap <= mark + ALIKE;
}

uint32_t puzzle_stars(double gap, const struct puzzle_marks *marks) {
    if (!isfinite(gap))
        return 0;
    if (reaches(gap, marks->best_gap))
        return 3;
    return gap < marks->slackswap_gap - ALIKE ? 2 : 1;
}

const char *puzzle_verdict(double gap, const struct puzzle_marks *marks) {
    if (!isfinite(gap))
        return "no plan of yours fits yet";
    if (gap < marks->best_gap - ALIKE)
        return "better than any planner's plan";
    if (reaches(gap, marks->best_gap))
        return marks->proved ? "the best there is" : "the best that is known";
    if (gap < marks->slackswap_gap - ALIKE)
        return "beats slackswap";
    return reaches(gap, marks->slackswap_gap) ? "as good as slackswap" : "fits";
}
