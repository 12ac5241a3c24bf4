/* study: what a view wants to know beyond the outcome, and that takes many plans or simulations to find out: a curve, fixes
 * tried one by one, another planner's plan. Studies run beside the drawing and show more and more of their answer.
 *
 * A study is a line of STUDIES and four functions of its own file. NAME_ask says, as the screen stands, whether anybody
 * wants to know, and writes the question: plain data. As long as it asks the same (NAME_same) the study runs on, or its
 * answer stands; once it asks something else, or no more, it is told to stop. NAME_run, on another thread perhaps, finds the
 * answer from the question alone and from what NAME_prepare (NULL: nothing) copied of the scene when it began. What it shows
 * lies in scene->study[STUDY_NAME] for drawing.
 *
 * Nothing here knows threads: app/studies.c runs studies in the background, study_answer_all at once (screens, tests). */
#ifndef SLACKSWAP_VIEW_STUDY_H
#define SLACKSWAP_VIEW_STUDY_H

#include "core/base.h"
#include "core/profile.h"
#include "studies.h"

struct view_state;
struct scene;

/* What a running study may call; nothing else is shared with it. */
struct study_run {
    const struct profile *profile;
    /* Somebody wants it to end: what it has not shown by then is lost. Ask often. For struct outcome_request, too. */
    bool (*should_stop)(void *context);
    /* Shows ANSWER, as far as it goes by now. It lives in *ARENA, which is emptied: what comes later goes into a new copy. */
    void (*show)(void *context, struct arena *arena, const void *answer);
    void *context;
};

#define STUDY_QUESTION_MOST 1024 /* bytes */
struct study_kind {
    size_t question_bytes;
    bool (*ask)(const struct view_state *state, const struct scene *scene, void *question);
    bool (*same)(const void *question, const void *other);
    /* A copy in ARENA of what the question is about; NULL when memory is short. Called on the drawing thread. */
    void *(*prepare)(const struct view_state *state, const struct scene *scene, struct arena *arena);
    /* SS_OK when the last answer shown is complete; SS_STOPPED when it was told to stop. */
    enum ss_status (*run)(const struct study_run *run, const void *question, const void *prepared, struct error *error);
    enum study_about about;
};
extern const struct study_kind STUDY_KINDS[];

/* Where an answer lies. ANSWER is NULL before the first; it may be to an older question: see QUESTION. */
struct study_slot {
    struct arena arena;
    const void *answer;
    bool complete;                                  /* nothing will be added to ANSWER */
    char message[200];                              /* why the study asked for last failed, or "" */
    _Alignas(16) unsigned char question[STUDY_QUESTION_MOST];
};
/* Takes ANSWER (NULL: none, but COMPLETE may be set) over with its arena, which is emptied. */
void study_take(struct study_slot *slot, const struct study_kind *kind, const void *question, struct arena *arena,
                const void *answer, bool complete);
void study_free(struct study_slot *slot);
/* Another profile is looked at: what was found of the one before is forgotten. */
void study_forget(struct study_slot slots[STUDY_COUNT]);
/* Whether SLOT answers QUESTION, fully or as far as it got. */
bool study_answers(const struct study_slot *slot, const struct study_kind *kind, const void *question);

/* Runs the study ID to its end if STATE asks for it and SCENE has no complete answer to it. */
enum ss_status study_answer(const struct view_state *state, struct scene *scene, enum study_id id, struct error *error);
/* Runs to its end every study that STATE asks for and SCENE has no complete answer to. */
enum ss_status study_answer_all(const struct view_state *state, struct scene *scene, struct error *error);

#endif
