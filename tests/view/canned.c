#include "canned.h"

#include <math.h>

#include "view/view_whatif.h"

static void canned_curve(const struct scene *scene, enum whatif_axis axis, struct whatif_curve *curve) {
    const struct limits *limits = &scene->limits;
    const double ideal_us = scene->profile->ideal_us, peak = (double)limits->unlimited_peak_bytes;
    *curve = (struct whatif_curve){ .ideal_us = ideal_us, .unlimited_peak_bytes = limits->unlimited_peak_bytes,
                                    .least_bytes = limits->least_bytes, .count = 21 };
    for (uint32_t i = 0; i < curve->count; i++) {
        const double loss = i < 16 ? (16.0 - i) / 16 : 0;
        struct whatif_point *point = &curve->point[i];
        *point = (struct whatif_point){
            .at = axis == WHATIF_BUDGET ? floor(peak * (i + 2) / 22) : 4.0 * (i + 1), .known = true, .fits = i > 2,
            .bound_us = ideal_us * (1 + 0.15 * loss * loss), .step_us = ideal_us * (1 + 0.2 * loss * loss),
            .recompute_us = ideal_us * 0.2 * loss * loss, .required_bytes = limits->least_bytes,
            .offload_bytes = (uint64_t)(peak * loss / 4), .recompute_bytes = (uint64_t)(peak * loss / 2),
        };
    }
    curve->knee[KNEE_FREE] = (struct whatif_knee){ KNEE_AT, curve->point[15].at };
    curve->knee[KNEE_NO_RECOMPUTE] = (struct whatif_knee){ axis == WHATIF_BUDGET ? KNEE_AT : KNEE_NOWHERE,
                                                           curve->point[14].at };
    curve->knee[KNEE_FIT] = (struct whatif_knee){ axis == WHATIF_BUDGET ? KNEE_AT : KNEE_EVERYWHERE,
                                                  curve->point[3].at };
}

static void canned_map(const struct scene *scene, struct whatif_map *map) {
    static const char *const WINNER[] = { "recompute", "slackswap", "offload", "keep" };
    *map = (struct whatif_map){ .ideal_us = scene->profile->ideal_us, .budget_count = WHATIF_MAP_BUDGETS,
                                .rate_count = WHATIF_MAP_RATES, .known = WHATIF_MAP_BUDGETS * WHATIF_MAP_RATES - 4 };
    for (uint32_t row = 0; row < map->budget_count; row++)
        for (uint32_t column = 0; column < map->rate_count; column++) {
            const uint32_t level = (row + column) / 9;
            map->budget_bytes[row] = (uint64_t)((double)scene->limits.unlimited_peak_bytes * (row + 5) / 20);
            map->rate[column] = 8.0 * (column + 1);
            map->winner[row][column] =
                row == 0 ? WHATIF_NOBODY : (uint8_t)(planner_find(WINNER[level > 3 ? 3 : level]) - PLANNERS);
            map->step_us[row][column] = map->ideal_us * (level > 1 ? 1 : 1.1);
        }
}

/* 5 % above the ideal where no planner is free. */
static double canned_cell_bound(const struct view_state *state, const struct scene *scene) {
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    const uint32_t row = whatif_map_cursor(state, scene, WHATIF_BUDGET, map);
    const uint32_t column = whatif_map_cursor(state, scene, WHATIF_RATE, map);
    return map->ideal_us * ((row + column) / 9 > 1 ? 1 : 1.05);
}

void canned_whatif(const struct view_state *state, struct scene *scene) {
    for (int id = 0; id < STUDY_COUNT; id++) {
        struct arena arena = { 0 };
        _Alignas(16) unsigned char question[STUDY_QUESTION_MOST] = { 0 };
        void *answer = NULL;
        if (id != STUDY_budget_curve && id != STUDY_rate_curve && id != STUDY_planner_map && id != STUDY_cell_bound)
            continue;
        if (!STUDY_KINDS[id].ask(state, scene, question))
            continue;
        if (id == STUDY_planner_map)
            canned_map(scene, answer = arena_alloc(&arena, 1, sizeof(struct whatif_map)));
        else if (id == STUDY_cell_bound)
            *(double *)(answer = arena_alloc(&arena, 1, sizeof(double))) = canned_cell_bound(state, scene);
        else
            canned_curve(scene, id == STUDY_budget_curve ? WHATIF_BUDGET : WHATIF_RATE,
                         answer = arena_alloc(&arena, 1, sizeof(struct whatif_curve)));
        study_take(&scene->study[id], &STUDY_KINDS[id], question, &arena, answer, id != STUDY_planner_map);
    }
}
