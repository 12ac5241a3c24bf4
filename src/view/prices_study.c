/* The study of prices: see prices.h. */
#include "prices.h"

#include <string.h>

#include "edit.h"

bool prices_apply(const struct view_state *state, const struct scene *scene) {
    if ((state->view != VIEW_TIMELINE && state->view != VIEW_LAYERS) || scene->shown == NULL ||
        scene->shown->outcome != scene->latest)
        return false;
    uint32_t one;
    return target_count(scene->profile, state_target(state, scene), &one) > 0;
}

bool prices_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    if (state->planning || !prices_apply(state, scene))
        return false;
    struct target target = state_target(state, scene);
    struct price_question *question = asked;
    memset(question, 0, sizeof *question);
    question->generation = state->generation;
    question->kind = target.kind;
    question->sort = target.place != NULL ? state->layers.sort : 0;
    question->first = target.first;
    question->last = target.last;
    return true;
}

bool prices_same(const void *asked, const void *other) {
    const struct price_question *a = asked, *b = other;
    return a->generation == b->generation && a->kind == b->kind && a->sort == b->sort && a->first == b->first &&
           a->last == b->last;
}

/* What the question is about, copied: the outcome may be gone before the answer is there. */
struct priced {
    struct plan plan;
    bool *member;                 /* profile.tensor_count entries */
    struct link link;
    uint64_t budget_bytes, host_memory_bytes;
    struct sim_totals totals;     /* of the plan as it is */
    const struct closure *closure; /* what is looked at has it, which the run holds */
};

void *prices_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    const struct profile *profile = scene->profile;
    const struct outcome *outcome = scene->shown->outcome;
    struct target target = state_target(state, scene);
    struct priced *subject = ARENA_ARRAY(arena, struct priced, 1);
    bool *member = ARENA_ARRAY(arena, bool, profile->tensor_count);
    if (!subject || !member || plan_copy(&subject->plan, arena, profile, &outcome->timeline.plan, NULL) != SS_OK)
        return NULL;
    for (uint32_t i = 0; i < profile->managed_count; i++)
        member[profile->managed[i]] = target_has(profile, target, profile->managed[i]);
    subject->member = member;
    subject->link = outcome->link;
    subject->budget_bytes = outcome->budget_bytes;
    subject->plan.budget_bytes = BYTES_UNLIMITED;
    subject->host_memory_bytes = state->settings.host_memory_bytes;
    subject->totals = outcome->timeline.totals;
    subject->closure = &scene->subject->closure;
    return subject;
}

static enum ss_status price_one(const struct profile *profile, const struct priced *subject, enum action action,
                                struct simulator *simulator, struct arena *arena, struct price *out,
                                struct error *error) {
    struct edit_count count = { 0 };
    struct plan plan;
    struct sim_totals totals;
    enum ss_status status = plan_copy(&plan, arena, profile, &subject->plan, error);
    if (status != SS_OK)
        return status;
    for (uint32_t i = 0; i < profile->managed_count; i++)
        if (subject->member[profile->managed[i]])
            edit_tensor(profile, subject->closure, &plan, profile->managed[i], action, &count);
    *out = (struct price){ .changed = count.changed, .refused = count.bound + count.barred };
    if (count.changed == 0)
        return SS_OK;
    status = sim_evaluate(simulator, &plan, &subject->link, subject->budget_bytes, &totals, error);
    if (status != SS_OK)
        return status;
    out->feasible = totals.feasible && totals.host_peak_bytes <= subject->host_memory_bytes;
    out->required_bytes = totals.required_bytes;
    out->step_us = totals.step_us - subject->totals.step_us;
    out->peak_bytes = (double)totals.peak_bytes - (double)subject->totals.peak_bytes;
    return SS_OK;
}

enum ss_status prices_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    struct arena answer = { 0 }, scratch = { 0 };
    struct prices *prices = ARENA_ARRAY(&answer, struct prices, 1);
    struct simulator *simulator = simulator_new(run->profile, error);
    enum ss_status status = prices && simulator ? SS_OK : error_no_memory(error);
    (void)asked;
    for (int action = 0; action < ACTION_COUNT && status == SS_OK; action++)
        status = run->should_stop(run->context) ? SS_STOPPED
                                                : price_one(run->profile, prepared, (enum action)action, simulator, &scratch,
                                                            &prices->action[action], error);
    if (status == SS_OK)
        run->show(run->context, &answer, prices);
    simulator_free(simulator);
    arena_free(&scratch);
    arena_free(&answer);
    return status;
}

const struct prices *prices_shown(const struct view_state *state, const struct scene *scene) {
    const struct study_slot *slot = &scene->study[STUDY_prices];
    struct price_question question;
    bool asked = prices_ask(state, scene, &question);
    return asked && study_answers(slot, &STUDY_KINDS[STUDY_prices], &question) ? slot->answer : NULL;
}
