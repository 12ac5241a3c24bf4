/* Draws one frame of 200x60 for frame_cost.sh to count: gpt2-xl, or 20,000 ops in 200 layers or in a layer each; whole,
 * or zoomed in by the keys given, or another view: planned anew by the same plan whatever is turned. Usage: frame_cost_cases model|deep|flat KEYS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/zoo.h"
#include "canned.h"
#include "tests/counted.h"
#include "view/follow.h"
#include "view/view.h"

#define OPS 20000

static void must(enum ss_status status, const struct error *error) {
    if (status == SS_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static void many_ops(struct profile *profile, struct arena *arena, uint32_t ops_per_layer) {
    struct error error = { "", "" };
    uint32_t before = NONE;
    must(profile_begin(profile, arena, &error), &error);
    profile->name = "many";
    for (uint32_t i = 0; i < OPS; i++) {
        uint32_t out;
        struct tensor_spec tensor = { .name = arena_printf(arena, "t%u", i), .bytes = 1000000 + i % 7 * 300000 };
        must(profile_add_tensor(profile, &tensor, &out, &error), &error);
        struct op_spec op = {
            .name = arena_printf(arena, "op%u", i), .layer = arena_printf(arena, "L%u", i / ops_per_layer),
            .forward_us = 20 + i % 5 * 17, .backward_us = 40 + i % 3 * 31, .recompute_us = 20,
            .inputs = &before, .input_count = before != NONE, .outputs = &out, .output_count = 1,
            .saved = &out, .saved_count = 1,
        };
        must(profile_add_op(profile, &op, NULL, &error), &error);
        before = out;
    }
    must(profile_finish(profile, NULL, &error), &error);
}

/* A third each is kept, offloaded and recomputed. */
static void mixed_plan(struct plan *plan, struct arena *arena, const struct profile *profile) {
    struct error error = { "", "" };
    must(plan_init(plan, arena, profile, &error), &error);
    for (uint32_t i = 0; i < profile->managed_count; i++)
        must(plan_set(plan, profile, profile->managed[i], (enum action)(i % ACTION_COUNT), &error), &error);
}

static void take_outcome(struct scene *scene, struct view_state *state) {
    struct error error = { "", "" };
    struct arena arena = { 0 };
    struct plan plan;
    struct outcome *outcome = arena_alloc(&arena, 1, sizeof *outcome);
    mixed_plan(&plan, &arena, scene->profile);
    struct outcome_request request = {
        .profile = scene->profile, .budget = { .kind = BUDGET_SHARE, .share = 1 }, .link = state->settings.link,
        .planner = state->settings.planner, .plan = &plan, .host_memory_bytes = BYTES_UNLIMITED,
    };
    must(outcome_compute(&request, &arena, outcome, &error), &error);
    must(scene_take(scene, &arena, outcome, &error), &error);
    state_outcome(state, scene, true);
}

int main(int count, char **arguments) {
    struct error error = { "", "" };
    struct arena arena = { 0 };
    struct profile profile;
    struct model_options options = { 0 };
    struct scene scene;
    struct view_state state;
    struct grid grid = { .width = 0 };
    struct history history = { .count = 0 };
    struct settings settings = settings_default();
    struct key *keys;
    size_t key_count;
    if (count != 3)
        return 2;
    if (strcmp(arguments[1], "model") == 0)
        must(model_build(model_find("gpt2-xl"), &options, &arena, &profile, &error), &error);
    else
        many_ops(&profile, &arena, strcmp(arguments[1], "deep") == 0 ? 100 : 1);
    must(scene_init(&scene, &profile, &error), &error);
    state_init(&state, &settings, 200, 60);
    take_outcome(&scene, &state);
    must(keys_parse(arguments[2], &arena, &keys, &key_count, &error), &error);
    state.history = &history;
    for (size_t i = 0; i < key_count; i++) {
        if (i + 1 == key_count)
            COUNT_FROM_HERE(); /* what is drawn for the sake of this key counts too */
        const unsigned effects = state_follow(&state, &scene, state_key(&state, &scene, keys[i]));
        COUNT_TO_HERE();
        if (effects & EFFECT_REPLAN)
            take_outcome(&scene, &state);
        must(study_answer(&state, &scene, STUDY_compare, &error), &error);
        canned_whatif(&state, &scene);
    }
    must(study_answer(&state, &scene, STUDY_problems, &error), &error);
    if (!grid_resize(&grid, 200, 60))
        return 1;
    COUNT_FROM_HERE();
    view_draw(&state, &scene, &THEME_DEFAULT, &grid);
    printf("%u steps, %u transfers, %u stalls", scene.shown->timeline->schedule.step_count,
           2 * scene.shown->timeline->schedule.d2h_count, scene.shown->timeline->stall_count);
    history_free(&history);
    grid_free(&grid);
    scene_free(&scene);
    arena_free(&arena);
    return 0;
}
