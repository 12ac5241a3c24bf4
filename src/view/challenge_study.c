/* The study of a puzzle: what planners make of it. */
#include "challenge.h"

bool challenge_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct challenge_question *question = asked;
    uint32_t level, seed;
    if (!challenge_is_open(state, &level, &seed) || !work_equal(&scene->subject->work, &state->settings.work))
        return false;
    question->work = state->settings.work.profile;
    return true;
}

bool challenge_same(const void *asked, const void *other) {
    const struct challenge_question *a = asked, *b = other;
    return a->work == b->work;
}

enum ss_status challenge_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct challenge_question *question = asked;
    struct arena answer = { 0 }, scratch = { 0 };
    struct puzzle_marks *marks = ARENA_ARRAY(&answer, struct puzzle_marks, 1);
    struct profile profile;
    uint64_t budget_bytes;
    uint32_t level, seed;
    (void)prepared;
    enum ss_status status = marks ? SS_OK : error_no_memory(error);
    if (status == SS_OK && puzzle_of_work(question->work, &level, &seed))
        status = puzzle_build(level, seed, &scratch, &profile, &budget_bytes, error);
    if (status == SS_OK)
        status = puzzle_marks_find(marks, &answer, &profile, budget_bytes, run->should_stop, run->context, error);
    if (status == SS_OK && run->should_stop(run->context))
        status = SS_STOPPED;
    if (status == SS_OK)
        run->show(run->context, &answer, marks);
    arena_free(&scratch);
    arena_free(&answer);
    return status;
}

const struct puzzle_marks *challenge_marks(const struct view_state *state, const struct scene *scene) {
    const struct study_slot *slot = &scene->study[STUDY_challenge];
    struct challenge_question question;
    bool asked = challenge_ask(state, scene, &question);
    return asked && study_answers(slot, &STUDY_KINDS[STUDY_challenge], &question) ? slot->answer : NULL;
}
