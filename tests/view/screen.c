#include "screen.h"

#include <stdio.h>
#include <string.h>

#include "canned.h"
#include "core/sanitise.h"
#include "view/follow.h"
#include "view/challenge.h"
#include "view/layout.h"

static uint32_t add_tensor(struct profile *profile, const char *name, uint64_t mib, bool gradient) {
    uint32_t index;
    struct tensor_spec spec = { .name = name, .bytes = mib << 20, .no_gradient = !gradient };
    assert_int_equal(profile_add_tensor(profile, &spec, &index, NULL), SS_OK);
    return index;
}

static void add_op(struct profile *profile, const char *layer, const char *name, double forward_us, uint32_t input,
                   const uint32_t *outputs, uint32_t output_count, uint32_t saved) {
    struct op_spec spec = {
        .name = name, .layer = layer, .kind = output_count > 1 ? "dropout" : forward_us > 1e3 ? "gemm" : "gelu",
        .forward_us = forward_us, .backward_us = 2 * forward_us, .recompute_us = forward_us,
        .inputs = &input, .input_count = 1, .outputs = outputs, .output_count = output_count,
        .saved = &saved, .saved_count = 1, .backward_workspace_bytes = forward_us > 1e3 ? 16 << 20 : 0,
    };
    assert_int_equal(profile_add_op(profile, &spec, NULL, NULL), SS_OK);
}

void screen_profile_shifted(struct screen *screen, const char *first) {
    struct profile *profile = &screen->profile;
    struct arena *arena = &screen->arena;
    assert_int_equal(profile_begin(profile, arena, NULL), SS_OK);
    profile->name = "small";
    profile->device_name = "test GPU";
    if (first != NULL)
        add_tensor(profile, first, 1, false);
    uint32_t in = add_tensor(profile, "batch", 64, false);
    for (int i = 0; i < 6; i++) {
        const char *layer = arena_printf(arena, "L%d", i);
        uint32_t fc = add_tensor(profile, arena_printf(arena, "L%d.fc", i), 256, true);
        uint32_t gelu = add_tensor(profile, arena_printf(arena, "L%d.gelu", i), 256, true);
        uint32_t drop[2] = { add_tensor(profile, arena_printf(arena, "L%d.out", i), 64, true),
                             add_tensor(profile, arena_printf(arena, "L%d.mask", i), 32, false) };
        add_op(profile, layer, arena_printf(arena, "L%d.fc", i), 6000, in, &fc, 1, in);
        add_op(profile, layer, arena_printf(arena, "L%d.gelu", i), 400, fc, &gelu, 1, fc);
        add_op(profile, layer, arena_printf(arena, "L%d.drop", i), 300, gelu, drop, 2, drop[1]);
        in = drop[0];
    }
    assert_int_equal(profile_finish(profile, NULL, NULL), SS_OK);
}

void screen_profile_small(struct screen *screen) { screen_profile_shifted(screen, NULL); }

void screen_profile_model(struct screen *screen, const char *model) {
    struct model_options options = { 0 };
    struct error error = { "", "" };
    if (model_build(model_find(model), &options, &screen->arena, &screen->profile, &error) != SS_OK)
        fail_msg("%s", error.text);
    screen->work = work_of_model(model_find(model), &options);
}

/* The rule: every third managed tensor is recomputed where that is allowed, then tensors leave in producer order until
 * the plan fits. */
static void make_plan(const struct profile *profile, const struct link *link, uint64_t budget, struct arena *arena,
                      struct plan *plan) {
    struct simulator *simulator = simulator_new(profile, NULL);
    struct sim_totals totals;
    assert_int_equal(plan_init(plan, arena, profile, NULL), SS_OK);
    for (uint32_t i = 2; i < profile->managed_count; i += 3)
        if (plan_set(plan, profile, profile->managed[i], ACTION_RECOMPUTE, NULL) == SS_OK &&
            sim_evaluate(simulator, plan, link, budget, &totals, NULL) != SS_OK)
            assert_int_equal(plan_set(plan, profile, profile->managed[i], ACTION_KEEP, NULL), SS_OK);
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        assert_int_equal(sim_evaluate(simulator, plan, link, budget, &totals, NULL), SS_OK);
        if (totals.feasible)
            break;
        plan_set(plan, profile, profile->managed[i], ACTION_OFFLOAD, NULL);
    }
    simulator_free(simulator);
}

void screen_plan(struct screen *screen) {
    const struct settings *settings = &screen->state.settings;
    const struct profile *profile = screen->scene.profile;
    struct arena arena = { 0 };
    struct error error = { "", "" };
    struct plan plan;
    struct link link;
    uint64_t budget;
    struct outcome *outcome = arena_alloc(&arena, 1, sizeof *outcome);
    assert_int_equal(link_resolve(&profile->link, &settings->link, &link, NULL), SS_OK);
    assert_int_equal(budget_resolve(&settings->budget, profile, &screen->scene.limits, &budget, NULL), SS_OK);
    if (screen->state.plan == NULL)
        make_plan(profile, &link, budget, &arena, &plan);
    /* the bound may get tighter any day; screens should not change with it, nor storms wait for it */
    struct bounds made_up = { .count = 0 };
    bounds_note(&made_up, profile, &link, budget,
                &(struct bound){ .bound_us = profile->ideal_us * 1.01, .binding = BINDING_D2H_WINDOW });
    struct outcome_request request = {
        .profile = profile, .budget = settings->budget, .link = settings->link, .planner = settings->planner, .bounds = &made_up,
        .plan = screen->state.plan != NULL ? screen->state.plan : &plan, .unit = UNIT_TENSOR, .host_memory_bytes = BYTES_UNLIMITED,
    };
    if (outcome_compute(&request, &arena, outcome, &error) != SS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scene_take(&screen->scene, &arena, outcome, NULL), SS_OK);
    if (state_outcome(&screen->state, &screen->scene, true) & EFFECT_FORGET)
        scene_forget(&screen->scene);
}

/* ---- what planners make of a puzzle is made up too: the rule's plan is the best ---- */

static void answer_challenge(struct screen *screen) {
    const struct study_kind *kind = &STUDY_KINDS[STUDY_challenge];
    const struct profile *profile = screen->scene.profile;
    const struct settings *settings = &screen->state.challenge.set;
    struct challenge_question question;
    struct arena arena = { 0 };
    struct sim_totals totals;
    if (!kind->ask(&screen->state, &screen->scene, &question) || study_answers(&screen->scene.study[STUDY_challenge], kind, &question))
        return;
    struct puzzle_marks *marks = arena_alloc(&arena, 1, sizeof *marks);
    make_plan(profile, &profile->link, settings->budget.bytes, &arena, &marks->best);
    struct simulator *simulator = simulator_new(profile, NULL);
    assert_int_equal(sim_evaluate(simulator, &marks->best, &profile->link, settings->budget.bytes, &totals, NULL), SS_OK);
    simulator_free(simulator);
    marks->best_gap = totals.step_us / (profile->ideal_us * 1.01) - 1;
    marks->slackswap_gap = marks->best_gap + 0.05;
    marks->best_planner = "refine";
    marks->proved = true;
    study_take(&screen->scene.study[STUDY_challenge], kind, &question, &arena, marks, true);
}

/* ---- what Compare asks is found out, as long as no planner is asked ---- */

static bool never(void *context) {
    (void)context;
    return false;
}

struct taking { struct screen *screen; const void *question; };

static void take(void *context, struct arena *arena, const void *answer) {
    const struct taking *taking = context;
    study_take(&taking->screen->scene.study[STUDY_compare], &STUDY_KINDS[STUDY_compare], taking->question, arena, answer, true);
}

static void answer_compare(struct screen *screen) {
    const struct study_kind *kind = &STUDY_KINDS[STUDY_compare];
    _Alignas(16) unsigned char question[STUDY_QUESTION_MOST] = { 0 };
    const struct compare_choice *side = screen->state.compare.side;
    struct arena arena = { 0 };
    struct taking taking = { screen, question };
    const struct study_run run = { screen->scene.profile, never, take, &taking };
    if (side[0].what == COMPARE_PLANNER || side[1].what == COMPARE_PLANNER ||
        !kind->ask(&screen->state, &screen->scene, question) ||
        study_answers(&screen->scene.study[STUDY_compare], kind, question))
        return;
    const void *prepared = kind->prepare(&screen->state, &screen->scene, &arena);
    assert_non_null(prepared);
    assert_int_equal(kind->run(&run, question, prepared, NULL), SS_OK);
    arena_free(&arena);
}

/* Fixes are found by simulating alone: the same whatever planners do. */
static void answer_fixes(struct screen *screen) {
    struct error error = { "", "" };
    if (study_answer(&screen->state, &screen->scene, STUDY_problems, &error) != SS_OK ||
        study_answer(&screen->state, &screen->scene, STUDY_remedies, &error) != SS_OK)
        fail_msg("%s", error.text);
}

void screen_open(struct screen *screen, int width, int height) {
    struct settings settings = settings_default();
    settings.planner = planner_find("offload");
    struct subject *subject;
    settings.work = screen->work;
    assert_int_equal(subject_new(&subject, &screen->work, &screen->profile, NULL, NULL), SS_OK);
    scene_begin(&screen->scene, subject);
    subject_release(subject);
    state_init(&screen->state, &settings, width, height);
    screen->state.history = &screen->history;
    assert_true(grid_resize(&screen->grid, screen->state.width, screen->state.height));
    screen_plan(screen);
    answer_fixes(screen);
    screen_draw(screen);
}

void screen_open_small(struct screen *screen, int width, int height) {
    memset(screen, 0, sizeof *screen);
    screen_profile_small(screen);
    screen_open(screen, width, height);
}

void screen_close(struct screen *screen) {
    scene_free(&screen->scene);
    grid_free(&screen->grid);
    history_free(&screen->history);
    arena_free(&screen->arena);
}

void screen_size(struct screen *screen, int width, int height) {
    state_resize(&screen->state, &screen->scene, width, height);
    assert_true(grid_resize(&screen->grid, screen->state.width, screen->state.height));
    screen_draw(screen);
}

static unsigned perform(struct screen *screen, unsigned effects) {
    effects = state_follow(&screen->state, &screen->scene, effects);
    if (effects & EFFECT_REPLAN)
        screen_plan(screen);
    canned_whatif(&screen->state, &screen->scene);
    answer_compare(screen);
    answer_challenge(screen);
    answer_fixes(screen);
    assert_true(state_is_valid(&screen->state, &screen->scene));
    return effects;
}

unsigned screen_key(struct screen *screen, struct key key) {
    return perform(screen, state_key(&screen->state, &screen->scene, key));
}

unsigned screen_mouse(struct screen *screen, struct mouse mouse) {
    return perform(screen, state_mouse(&screen->state, &screen->scene, &screen->grid, mouse));
}

unsigned screen_press(struct screen *screen, const char *script) {
    struct arena arena = { 0 };
    struct error error = { "", "" };
    struct key *keys;
    size_t count;
    unsigned effects = 0;
    if (keys_parse(script, &arena, &keys, &count, &error) != SS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++)
        effects = screen_key(screen, keys[i]);
    arena_free(&arena);
    screen_draw(screen);
    return effects;
}

/* One cell: valid UTF-8 without controls, a width that fits its place, a role of the table. */
static void check_cell(const struct grid *grid, int x, int y) {
    const struct cell *cell = grid_at(grid, x, y);
    char text[CELL_BYTES + 1] = "";
    unsigned long code;
    assert_true(cell->style.role > ROLE_NONE && cell->style.role < ROLE_COUNT && cell->style.under < ROLE_COUNT);
    if (cell->width == 0) {
        assert_int_equal(cell->length, 0);
        assert_true(x > 0 && grid_at(grid, x - 1, y)->width == 2);
        return;
    }
    assert_in_range(cell->length, 1, CELL_BYTES);
    memcpy(text, cell->text, cell->length);
    for (size_t at = 0, length; at < cell->length; at += length) {
        length = utf8_decode(text + at, &code);
        assert_true(length > 0 && code >= ' ' && code != 0x7F);
        assert_true(!grid->ascii || code < 0x80);
    }
    assert_true(cell->width == 1 || (x + 1 < grid->width && grid_at(grid, x + 1, y)->width == 0));
}

void screen_draw(struct screen *screen) {
    struct error error = { "", "" };
    if (study_answer(&screen->state, &screen->scene, STUDY_prices, &error) != SS_OK ||
        study_answer(&screen->state, &screen->scene, STUDY_live, &error) != SS_OK)
        fail_msg("%s", error.text);
    view_draw(&screen->state, &screen->scene, &THEME_DEFAULT, &screen->grid);
    for (int y = 0; y < screen->grid.height; y++)
        for (int x = 0; x < screen->grid.width; x++)
            check_cell(&screen->grid, x, y);
}

const char *screen_row(struct screen *screen, int y) {
    char *text = arena_alloc(&screen->arena, (size_t)screen->grid.width * CELL_BYTES + 1, 1);
    size_t length = 0;
    for (int x = 0; x < screen->grid.width; x++) {
        const struct cell *cell = grid_at(&screen->grid, x, y);
        memcpy(text + length, cell->text, cell->length);
        length += cell->length;
    }
    return text;
}

bool screen_shows(struct screen *screen, const char *text) {
    for (int y = 0; y < screen->grid.height; y++)
        if (strstr(screen_row(screen, y), text) != NULL)
            return true;
    return false;
}
