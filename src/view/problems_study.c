/* The studies behind fixes: findings of the plan at hand (core/check.h), remedies of the selection (core/remedies.h). */
#include <string.h>

#include "view_problems.h"

/* ---- what is asked ---- */

static uint64_t hash_more(uint64_t hash, const void *data, size_t length) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

static uint64_t plan_hash(const struct profile *profile, const struct plan *plan) {
    uint64_t hash = hash_more(UINT64_C(0xcbf29ce484222325), plan->action, profile->tensor_count);
    if (plan->prefetch)
        hash = hash_more(hash, plan->prefetch, profile->tensor_count * sizeof *plan->prefetch);
    return hash_more(hash, &plan->budget_bytes, sizeof plan->budget_bytes);
}

/* What a planner is told does not matter once there is a plan. */
static bool ask_about_plan(const struct view_state *state, const struct scene *scene, struct plan_question *question) {
    if (state->planning || scene->latest == NULL)
        return false;
    question->settings = state->settings;
    question->settings.planner = NULL;
    question->settings.evaluation_limit = question->settings.seed = 0;
    question->plan = plan_hash(scene->profile, &scene->latest->timeline.plan);
    return true;
}

static bool same_plan(const struct plan_question *a, const struct plan_question *b) {
    return a->plan == b->plan && settings_equal(&a->settings, &b->settings);
}

bool problems_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct problems_question *question = asked;
    return state->view == VIEW_PROBLEMS && ask_about_plan(state, scene, &question->plan);
}

bool problems_same(const void *asked, const void *other) {
    return same_plan(&((const struct problems_question *)asked)->plan, &((const struct problems_question *)other)->plan);
}

/* What does not wait needs no remedy; what another action would give stands beside "price". */
static bool waits(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_COMPUTE && timeline_stall_of(timeline, event.index) != NULL;
}

bool remedies_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct remedies_question *question = asked;
    if (state->view != VIEW_TIMELINE || !state->selection.exists || state_stale(state, scene) ||
        !waits(scene->shown->timeline, state->selection.event))
        return false;
    question->event = state->selection.event;
    return ask_about_plan(state, scene, &question->plan);
}

bool remedies_same(const void *asked, const void *other) {
    const struct remedies_question *a = asked, *b = other;
    return a->event.lane == b->event.lane && a->event.index == b->event.index && same_plan(&a->plan, &b->plan);
}

void *newest_plan(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    struct plan *plan = ARENA_ARRAY(arena, struct plan, 1);
    (void)state;
    if (plan == NULL || plan_copy(plan, arena, scene->profile, &scene->latest->timeline.plan, NULL) != SS_OK)
        return NULL;
    return plan;
}

/* ---- finding out ---- */

static bool should_stop(void *context) {
    const struct study_run *run = context;
    return run->should_stop(run->context);
}

static enum ss_status task_of(const struct study_run *run, const struct settings *settings, const struct plan *plan,
                              struct check_task *task, struct error *error) {
    struct limits limits;
    *task = (struct check_task){ .profile = run->profile, .plan = plan, .host_memory_bytes = settings->host_memory_bytes,
                                 .should_stop = should_stop, .context = (void *)run };
    enum ss_status status = limits_compute(run->profile, &limits, error);
    if (status == SS_OK)
        status = budget_resolve(&settings->budget, run->profile, &limits, &task->budget_bytes, error);
    if (status == SS_OK)
        status = link_resolve(&run->profile->link, &settings->link, &task->link, error);
    return status;
}

/* The findings, and, ALL, the smallest set of changes too. */
static enum ss_status find_problems(const struct study_run *run, const struct check_task *task, bool all,
                                    struct error *error) {
    struct arena arena = { 0 };
    struct problems *problems = ARENA_ARRAY(&arena, struct problems, 1);
    enum ss_status status = problems != NULL ? check_plan(task, &arena, &problems->check, error) : error_no_memory(error);
    if (status == SS_OK && all) {
        const enum mend_goal goal = problems->check.findings.of[SEVERITY_ERROR] > 0 ? MEND_ERRORS : MEND_ALL;
        status = check_mend(task, goal, &arena, &problems->mended, error);
        problems->all_known = true;
    }
    if (status == SS_OK)
        run->show(run->context, &arena, problems);
    arena_free(&arena);
    return status;
}

enum ss_status problems_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct problems_question *question = asked;
    struct check_task task;
    enum ss_status status = task_of(run, &question->plan.settings, prepared, &task, error);
    if (status == SS_OK)
        status = find_problems(run, &task, false, error);
    return status == SS_OK ? find_problems(run, &task, true, error) : status;
}

enum ss_status remedies_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct remedies_question *question = asked;
    struct arena arena = { 0 };
    struct remedies *remedies = ARENA_ARRAY(&arena, struct remedies, 1);
    const struct remedies_task task = { .profile = run->profile, .plan = prepared, .settings = question->plan.settings,
                                        .step = question->event.index, .should_stop = should_stop, .context = (void *)run };
    enum ss_status status = remedies != NULL ? remedies_find(&task, &arena, remedies, error) : error_no_memory(error);
    if (status == SS_OK)
        run->show(run->context, &arena, remedies);
    arena_free(&arena);
    return status;
}

/* ---- what is shown ---- */

const struct problems *problems_shown(const struct view_state *state, const struct scene *scene, bool *complete) {
    const struct study_slot *slot = &scene->study[STUDY_problems];
    struct problems_question question = { .plan = { .plan = 0 } };
    const bool known = ask_about_plan(state, scene, &question.plan) &&
                       study_answers(slot, &STUDY_KINDS[STUDY_problems], &question);
    if (complete != NULL)
        *complete = known && slot->complete;
    return known ? slot->answer : NULL;
}

const struct remedies *remedies_shown(const struct view_state *state, const struct scene *scene, bool *looking) {
    const struct study_slot *slot = &scene->study[STUDY_remedies];
    struct remedies_question question = { .event = { 0, 0 } };
    const bool asked = remedies_ask(state, scene, &question);
    const bool known = asked && study_answers(slot, &STUDY_KINDS[STUDY_remedies], &question);
    *looking = asked && !known && slot->message[0] == '\0';
    return known ? slot->answer : NULL;
}
