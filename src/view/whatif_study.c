/* The studies of the What-if view: what is asked, and how the answers are found (core/whatif.h). */
#include <string.h>

#include "view_whatif.h"

/* Curves do not change when the knob is turned along them, nor the map with either. */
static void forget_budget(struct settings *settings) {
    settings->budget = BUDGET_CHOICE_DEFAULT;
}

/* Rates that were given one by one keep their ratio to the bandwidth: then it counts. */
static void forget_rate(struct settings *settings, const struct profile *profile) {
    whatif_take_rate(settings, WHATIF_RATE_MOST, profile);
}

static bool ask(const struct view_state *state, const struct scene *scene, bool budget, bool rate, bool planner,
                void *asked) {
    struct whatif_question *question = asked;
    if (state->view != VIEW_WHATIF || state->planning)
        return false;
    question->settings = state->settings;
    if (!budget)
        forget_budget(&question->settings);
    if (!rate)
        forget_rate(&question->settings, scene->profile);
    if (!planner)
        question->settings.planner = NULL;
    return true;
}

static bool same(const void *asked, const void *other) {
    return settings_equal(&((const struct whatif_question *)asked)->settings,
                         &((const struct whatif_question *)other)->settings);
}

bool budget_curve_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    return ask(state, scene, false, true, true, asked);
}
bool rate_curve_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    return ask(state, scene, true, false, true, asked);
}
bool planner_map_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    return ask(state, scene, false, false, false, asked);
}
bool budget_curve_same(const void *asked, const void *other) { return same(asked, other); }
bool rate_curve_same(const void *asked, const void *other) { return same(asked, other); }
bool planner_map_same(const void *asked, const void *other) { return same(asked, other); }

/* Nobody sees the bound of a cell but of that under the cursor, while the map has the keys. */
bool cell_bound_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct cell_question *question = asked;
    struct whatif_question map_question;
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    if (state->whatif.pane != WHATIF_PANE_MAP || map == NULL || map->known == 0 ||
        !planner_map_ask(state, scene, &map_question))
        return false;
    question->settings = map_question.settings;
    question->budget_bytes = map->budget_bytes[whatif_map_cursor(state, scene, WHATIF_BUDGET, map)];
    question->rate = map->rate[whatif_map_cursor(state, scene, WHATIF_RATE, map)];
    return true;
}

bool cell_bound_same(const void *asked, const void *other) {
    const struct cell_question *a = asked, *b = other;
    return a->budget_bytes == b->budget_bytes && a->rate == b->rate && settings_equal(&a->settings, &b->settings);
}

bool batches_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct batches_question *question = asked;
    struct settings *settings = &question->settings;
    uint64_t bytes = 0;
    *settings = state->settings;
    if (settings->work.model == NULL || state->view != VIEW_WHATIF || state->planning ||
        budget_resolve(&settings->budget, scene->profile, &scene->limits, &bytes, NULL) != SS_OK)
        return false;
    settings->budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = bytes };
    settings->work.options.batch = 1;
    return true;
}

bool batches_same(const void *asked, const void *other) {
    return settings_equal(&((const struct batches_question *)asked)->settings,
                         &((const struct batches_question *)other)->settings);
}

/* ---- finding out ---- */

static bool should_stop(void *context) {
    const struct study_run *run = context;
    return run->should_stop(run->context);
}

static void show(const struct study_run *run, const void *answer, size_t bytes) {
    struct arena arena = { 0 };
    void *copy = arena_alloc(&arena, 1, bytes);
    if (copy != NULL)
        run->show(run->context, &arena, memcpy(copy, answer, bytes));
    arena_free(&arena);
}

static void show_curve(void *context, const struct whatif_curve *curve) { show(context, curve, sizeof *curve); }
static void show_map(void *context, const struct whatif_map *map) { show(context, map, sizeof *map); }

static void show_batches(void *context, const struct whatif_batches *batches) { show(context, batches, sizeof *batches); }

static struct whatif_task task_of(const struct study_run *run, const struct settings *settings) {
    return (struct whatif_task){ .profile = run->profile, .should_stop = should_stop, .context = (void *)run,
                                 .settings = *settings };
}

enum ss_status budget_curve_run(const struct study_run *run, const void *asked, const void *prepared,
                                struct error *error) {
    const struct whatif_task task = task_of(run, &((const struct whatif_question *)asked)->settings);
    struct whatif_curve curve;
    (void)prepared;
    return whatif_curve(&task, WHATIF_BUDGET, &curve, show_curve, error);
}

enum ss_status rate_curve_run(const struct study_run *run, const void *asked, const void *prepared,
                              struct error *error) {
    const struct whatif_task task = task_of(run, &((const struct whatif_question *)asked)->settings);
    struct whatif_curve curve;
    (void)prepared;
    return whatif_curve(&task, WHATIF_RATE, &curve, show_curve, error);
}

enum ss_status planner_map_run(const struct study_run *run, const void *asked, const void *prepared,
                               struct error *error) {
    const struct whatif_task task = task_of(run, &((const struct whatif_question *)asked)->settings);
    struct whatif_map map;
    (void)prepared;
    return whatif_map(&task, &map, show_map, error);
}

enum ss_status cell_bound_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct cell_question *question = asked;
    double bound_us;
    (void)prepared;
    const enum ss_status status = whatif_cell_bound(run->profile, &question->settings, question->budget_bytes, question->rate,
                                                    &bound_us, error);
    if (status == SS_OK)
        show(run, &bound_us, sizeof bound_us);
    return status;
}

enum ss_status batches_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct batches_question *question = asked;
    const struct whatif_task task = task_of(run, &question->settings);
    struct whatif_batches batches;
    (void)prepared;
    return whatif_batches(&task, question->settings.work.model, &question->settings.work.options, &batches, show_batches, error);
}

/* ---- what is shown ---- */

/* While a request is under way nothing is asked; what was found for the settings at hand is shown all the same. */
static const void *shown(const struct view_state *state, const struct scene *scene, enum study_id id, bool *complete) {
    const struct study_slot *slot = &scene->study[id];
    struct view_state asking;
    _Alignas(16) unsigned char question[STUDY_QUESTION_MOST] = { 0 };
    memcpy(&asking, state, sizeof asking);
    asking.view = VIEW_WHATIF;
    asking.planning = false;
    const bool answers = STUDY_KINDS[id].ask(&asking, scene, question) && study_answers(slot, &STUDY_KINDS[id], question);
    if (complete != NULL)
        *complete = answers && slot->complete;
    return answers ? slot->answer : NULL;
}

const struct whatif_curve *whatif_shown_curve(const struct view_state *state, const struct scene *scene,
                                              enum whatif_axis axis, bool *complete) {
    return shown(state, scene, axis == WHATIF_BUDGET ? STUDY_budget_curve : STUDY_rate_curve, complete);
}

const struct whatif_map *whatif_shown_map(const struct view_state *state, const struct scene *scene, bool *complete) {
    return shown(state, scene, STUDY_planner_map, complete);
}

const double *whatif_shown_cell_bound(const struct view_state *state, const struct scene *scene) {
    return shown(state, scene, STUDY_cell_bound, NULL);
}

const struct whatif_batches *whatif_shown_batches(const struct view_state *state, const struct scene *scene) {
    return state->settings.work.model != NULL ? shown(state, scene, STUDY_batches, NULL) : NULL;
}
