/* The study of the Compare view: both plans played, and compared. */
#include "core/zoo.h"
#include "view_compare.h"

/* FNV-1a over what a simulation looks at in a plan. */
static uint64_t hash_of(const struct profile *profile, const struct plan *plan) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const uint32_t tensor = profile->managed[i];
        hash = (hash ^ plan->action[tensor]) * UINT64_C(0x100000001B3);
        hash = (hash ^ plan_prefetch(plan, tensor)) * UINT64_C(0x100000001B3);
    }
    return (hash ^ plan->budget_bytes) * UINT64_C(0x100000001B3);
}

/* The plan of a side; NULL where a planner makes it. */
static const struct plan *plan_of(const struct view_state *state, const struct scene *scene, int side) {
    const struct compare_choice *choice = &state->compare.side[side];
    switch (choice->what) {
    case COMPARE_PINNED: return state->compare.pinned;
    case COMPARE_CURRENT: return &scene->latest->timeline.plan;
    case COMPARE_FILE: return state->compare.file[choice->which].plan;
    default: return NULL;
    }
}

static bool is_played_as_it_was(const struct compare_source *source) {
    return source->what == COMPARE_PINNED || source->what == COMPARE_CURRENT;
}

static void ask_side(const struct view_state *state, const struct scene *scene, int side, struct compare_source *source) {
    const struct compare_choice *choice = &state->compare.side[side];
    const struct plan *plan = plan_of(state, scene, side);
    const struct link *other = choice->link > 0 ? &LINKS[choice->link - 1].link : NULL;
    *source = (struct compare_source){ .what = choice->what, .hash = plan != NULL ? hash_of(scene->profile, plan) : 0 };
    if (is_played_as_it_was(source)) {
        const bool pinned = choice->what == COMPARE_PINNED;
        source->budget_bytes = pinned ? state->compare.pinned_budget_bytes : scene->latest->budget_bytes;
        source->link = other != NULL ? *other : pinned ? state->compare.pinned_link : scene->latest->link;
    } else {
        source->settings = state->settings;
        source->settings.planner = plan == NULL ? &PLANNERS[choice->which] : NULL;
        if (other != NULL)
            source->settings.link = link_options_of(other);
    }
    if (choice->device > 0 && state->settings.work.model != NULL) {
        source->work = state->settings.work;
        source->work.options.gpu = &GPUS[choice->device - 1];
    }
}

bool compare_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct compare_question *question = asked;
    if (state->view != VIEW_COMPARE || scene->latest == NULL)
        return false;
    for (int side = 0; side < 2; side++)
        ask_side(state, scene, side, &question->source[side]);
    return true;
}

static bool same_rates(const struct link *a, const struct link *b) {
    return !(a->h2d_gb_per_s < b->h2d_gb_per_s || a->h2d_gb_per_s > b->h2d_gb_per_s || a->d2h_gb_per_s < b->d2h_gb_per_s ||
             a->d2h_gb_per_s > b->d2h_gb_per_s || a->h2d_both_gb_per_s < b->h2d_both_gb_per_s ||
             a->h2d_both_gb_per_s > b->h2d_both_gb_per_s || a->d2h_both_gb_per_s < b->d2h_both_gb_per_s ||
             a->d2h_both_gb_per_s > b->d2h_both_gb_per_s || a->latency_us < b->latency_us || a->latency_us > b->latency_us);
}

bool compare_same(const void *asked, const void *other) {
    const struct compare_question *a = asked, *b = other;
    for (int side = 0; side < 2; side++) {
        const struct compare_source *x = &a->source[side], *y = &b->source[side];
        if (x->what != y->what || x->hash != y->hash || x->budget_bytes != y->budget_bytes || !same_rates(&x->link, &y->link))
            return false;
        if (!is_played_as_it_was(x) && !settings_equal(&x->settings, &y->settings))
            return false;
        if (!work_equal(&x->work, &y->work))
            return false;
    }
    return true;
}

/* Copies of the two plans, for another thread. */
struct prepared { bool is_given[2]; struct plan plan[2]; };

void *compare_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    struct prepared *prepared = ARENA_ARRAY(arena, struct prepared, 1);
    for (int side = 0; side < 2 && prepared != NULL; side++) {
        const struct plan *plan = plan_of(state, scene, side);
        prepared->is_given[side] = plan != NULL;
        if (plan != NULL && plan_copy(&prepared->plan[side], arena, scene->profile, plan, NULL) != SS_OK)
            prepared = NULL;
    }
    return prepared;
}

/* The work of SOURCE: the profile at hand, or the same model priced for another device. *PLAN goes over by the tensors'
 * names. NULL, STATUS set, when that can't be. */
static const struct profile *work_of(const struct study_run *run, const struct compare_source *source, const struct plan **plan,
                                     struct arena *arena, enum ss_status *status, struct error *error) {
    uint32_t lost;
    *status = SS_OK;
    if (source->work.model == NULL)
        return run->profile;
    struct profile *profile = ARENA_ARRAY(arena, struct profile, 1);
    struct plan *moved = ARENA_ARRAY(arena, struct plan, 1);
    *status = profile != NULL && moved != NULL ? model_build(source->work.model, &source->work.options, arena, profile, error)
                                               : error_no_memory(error);
    if (*status == SS_OK && *plan != NULL) {
        *status = plan_carry(moved, arena, run->profile, *plan, profile, &lost, error);
        moved->budget_bytes = (*plan)->budget_bytes;
        *plan = moved;
    }
    return *status == SS_OK ? profile : NULL;
}

static enum ss_status run_side(const struct study_run *run, const struct compare_source *source, const struct plan *plan,
                               struct bounds *bounds, struct arena *arena, struct compare_answer *answer, int side,
                               struct error *error) {
    enum ss_status status;
    const struct profile *profile = work_of(run, source, &plan, arena, &status, error);
    if (profile == NULL)
        return status;
    struct outcome_request request = settings_request(profile, &source->settings);
    if (is_played_as_it_was(source))
        request = (struct outcome_request){ .profile = profile, .link = link_options_of(&source->link),
                                            .budget = { .kind = BUDGET_BYTES, .bytes = source->budget_bytes },
                                            .host_memory_bytes = BYTES_UNLIMITED };
    request.plan = plan;
    request.bounds = bounds;
    request.should_stop = run->should_stop;
    request.context = run->context;
    status = outcome_compute(&request, arena, &answer->outcome[side], error);
    if (status == SS_OK && answer->outcome[side].timeline.totals.feasible)
        status = view_model_build(&answer->model[side], arena, profile, &answer->outcome[side], error);
    return status;
}

enum ss_status compare_run(const struct study_run *run, const void *asked, const void *copies, struct error *error) {
    const struct compare_question *question = asked;
    const struct prepared *prepared = copies;
    struct arena arena = { 0 };
    struct bounds bounds = { .count = 0 };
    struct compare_answer *answer = ARENA_ARRAY(&arena, struct compare_answer, 1);
    enum ss_status status = answer != NULL ? SS_OK : error_no_memory(error);
    for (int side = 0; side < 2 && status == SS_OK; side++)
        status = run_side(run, &question->source[side], prepared->is_given[side] ? &prepared->plan[side] : NULL, &bounds,
                          &arena, answer, side, error);
    if (status == SS_OK)
        status = difference_compute(&answer->difference, &arena, &answer->outcome[0], &answer->outcome[1], error);
    if (status == SS_OK)
        run->show(run->context, &arena, answer);
    arena_free(&arena);
    return status;
}

const struct compare_answer *compare_shown(const struct view_state *state, const struct scene *scene) {
    _Alignas(16) unsigned char question[STUDY_QUESTION_MOST] = { 0 };
    const struct study_slot *slot = &scene->study[STUDY_compare];
    if (!compare_ask(state, scene, question) || !study_answers(slot, &STUDY_KINDS[STUDY_compare], question))
        return NULL;
    return slot->answer;
}
