/* study: see study.h. */
#include "study.h"

#include <string.h>

#include "challenge.h"
#include "live.h"
#include "prices.h"
#include "scene.h"
#include "state.h"
#include "view_compare.h"
#include "view_problems.h"
#include "view_whatif.h"

void *compare_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena);

#define X(name, question, prepare, about)                                                                             \
    bool name##_ask(const struct view_state *state, const struct scene *scene, void *asked);                   \
    bool name##_same(const void *asked, const void *other);                                                    \
    enum ss_status name##_run(const struct study_run *run, const void *asked, const void *prepared,            \
                              struct error *error);                                                            \
    _Static_assert(sizeof(question) <= STUDY_QUESTION_MOST, "the question of " #name " has no room");
STUDIES(X)
#undef X

const struct study_kind STUDY_KINDS[] = {
#define X(name, question, prepare, about)                                                                             \
    [STUDY_##name] = { sizeof(question), name##_ask, name##_same, prepare, name##_run, ABOUT_##about },
    STUDIES(X)
#undef X
};

void study_take(struct study_slot *slot, const struct study_kind *kind, const void *question, struct arena *arena,
                const void *answer, bool complete) {
    if (answer != NULL) {
        arena_free(&slot->arena);
        slot->arena = *arena;
        *arena = (struct arena){ 0 };
        slot->answer = answer;
        memcpy(slot->question, question, kind->question_bytes);
        slot->complete = false;
    }
    if (study_answers(slot, kind, question))
        slot->complete = complete;
    slot->message[0] = '\0';
}

void study_forget(struct study_slot slots[STUDY_COUNT]) {
    for (int id = 0; id < STUDY_COUNT; id++)
        if (STUDY_KINDS[id].about == ABOUT_SCENE)
            study_free(&slots[id]);
}

void study_free(struct study_slot *slot) {
    arena_free(&slot->arena);
    *slot = (struct study_slot){ .answer = NULL };
}

bool study_answers(const struct study_slot *slot, const struct study_kind *kind, const void *question) {
    return slot->answer != NULL && kind->same(slot->question, question);
}

/* ---- at once ---- */

struct at_once { struct study_slot *slot; const struct study_kind *kind; const void *question; };

static bool never(void *context) {
    (void)context;
    return false;
}

static void take_shown(void *context, struct arena *arena, const void *answer) {
    const struct at_once *here = context;
    study_take(here->slot, here->kind, here->question, arena, answer, false);
}

enum ss_status study_answer(const struct view_state *state, struct scene *scene, enum study_id id, struct error *error) {
    const struct study_kind *kind = &STUDY_KINDS[id];
    struct study_slot *slot = &scene->study[id];
    _Alignas(16) unsigned char question[STUDY_QUESTION_MOST] = { 0 };
    if (!kind->ask(state, scene, question) || (slot->complete && study_answers(slot, kind, question)))
        return SS_OK;
    struct arena prepared = { 0 }, none = { 0 };
    struct at_once here = { slot, kind, question };
    const struct study_run run = { scene->profile, never, take_shown, &here };
    const void *copy = kind->prepare != NULL ? kind->prepare(state, scene, &prepared) : NULL;
    enum ss_status status = kind->prepare != NULL && copy == NULL ? error_no_memory(error)
                                                                  : kind->run(&run, question, copy, error);
    study_take(slot, kind, question, &none, NULL, true);
    arena_free(&prepared);
    return status;
}

enum ss_status study_answer_all(const struct view_state *state, struct scene *scene, struct error *error) {
    enum ss_status status = SS_OK;
    for (int id = 0; id < STUDY_COUNT && status == SS_OK; id++)
        status = study_answer(state, scene, (enum study_id)id, error);
    return status;
}
