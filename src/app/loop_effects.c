/* What the loop performs, and the outcomes that it takes in. */
#include <stdio.h>

#include "challenges.h"
#include "loop_parts.h"
#include "read_plan.h"
#include "save.h"
#include "view/export_names.h"
#include "view/follow.h"
#include "view/inspect.h"

/* Saves the plan that is edited, or else the one that is shown, and says where. */
static void save(struct loop *loop) {
    char path[SAVE_PATH], text[1024];
    struct error error = { "", "" };
    const struct plan *plan = loop->state.plan ? loop->state.plan : &loop->scene.shown->timeline->plan;
    enum message_kind kind = MESSAGE_INFO;
    if (save_plan(loop->scene.profile, plan, path, &error) == SS_OK) {
        snprintf(text, sizeof text, "Saved as %s, which slackswap simulate --plan plays.", path);
    } else {
        snprintf(text, sizeof text, "Not saved as %s: %s.", path, error.text);
        kind = MESSAGE_BAD;
    }
    loop_perform(loop, state_message(&loop->state, kind, text));
}

/* Takes away what is shown in the form that was chosen, and says where. */
static void export(struct loop *loop) {
    char path[SAVE_PATH], text[1024];
    struct error error = { "", "" };
    const struct export_name *name = &EXPORT_TABLE[loop->state.export];
    enum ss_status status = save_export(name, loop->scene.shown->outcome, &loop->theme->theme, path, &error);
    if (status == SS_OK)
        snprintf(text, sizeof text, "Exported as %s: %s.", path, name->words);
    else
        snprintf(text, sizeof text, "Not exported as %s: %s.", path, error.text);
    loop_perform(loop, state_message(&loop->state, status == SS_OK ? MESSAGE_INFO : MESSAGE_BAD, text));
}

/* What the inspector says goes to the terminal's clipboard. */
static void copy(struct loop *loop) {
    struct arena arena = { 0 };
    char *text = inspect_copy(&loop->state, &loop->scene, &arena);
    if (text) {
        term_copy(loop->term, text);
        loop_perform(loop, state_message(&loop->state, MESSAGE_INFO, "Copied, if the terminal lets programs do so (OSC 52)."));
    }
    arena_free(&arena);
}

void loop_perform(struct loop *loop, unsigned effects) {
    if (loop->ending)
        return;
    effects = state_follow(&loop->state, &loop->scene, effects);
    if (effects & (EFFECT_REDRAW | EFFECT_RELAYOUT | EFFECT_REPAINT))
        loop->dirty = true;
    if (effects & EFFECT_FORGET)
        scene_forget(&loop->scene);
    if (effects & EFFECT_SAVE)
        save(loop);
    if ((effects & EFFECT_EXPORT) && loop->scene.shown)
        export(loop);
    if ((effects & EFFECT_COPY) && loop->scene.shown)
        copy(loop);
    if (effects & EFFECT_READ_PLAN)
        loop_perform(loop, read_compared_plan(&loop->state, &loop->scene));
    if (effects & EFFECT_LESSON_END)
        school_note(loop->options->school, &loop->state);
    if (effects & EFFECT_CHALLENGE)
        loop_perform(loop, challenge_remember(&loop->state));
    if (effects & EFFECT_REPAINT)
        term_repaint(loop->term);
    if (effects & EFFECT_REPLAN)
        loop_request(loop);
    if (effects & EFFECT_PLAY)
        loop_run_clock(loop);
    if (effects & EFFECT_SUSPEND)
        loop_suspend(loop, 0);
    if (effects & EFFECT_QUIT)
        loop_finish(loop, LOOP_QUIT);
}

/* ---- planning ---- */

void loop_request(struct loop *loop) {
    worker_request(loop->worker, loop->scene.subject, &loop->state.settings, loop->state.plan, loop->state.generation);
}

void loop_replay_on(struct loop *loop) {
    unsigned effects;
    int width, height;
    while (loop->replay && !loop->ending &&
           replay_next(loop->replay, &loop->state, &loop->scene, &loop->theme->theme, &loop->grid, &effects))
        loop_perform(loop, effects);
    if (!loop->replay || !replay_ended(loop->replay))
        return;
    loop->replay = NULL;
    term_size(loop->term, &width, &height);
    loop_perform(loop, state_resize(&loop->state, &loop->scene, width, height));
    loop_perform(loop, state_message(&loop->state, MESSAGE_INFO, loop->replay_words));
}

/* Planning has settled: what is done from here on is done upon what it found. */
static void settled(struct loop *loop) {
    session_settled(loop->session);
    loop_replay_on(loop);
}

static void on_planned(void *context, uint64_t generation, struct arena *arena, const struct view_model *model,
                       bool final) {
    struct loop *loop = context;
    (void)generation;
    scene_take_model(&loop->scene, arena, model);
    loop_perform(loop, state_outcome(&loop->state, &loop->scene, final));
    if (final)
        settled(loop);
}

static void on_failed(void *context, uint64_t generation, const struct error *error) {
    struct loop *loop = context;
    (void)generation;
    state_failed(&loop->state, error->text);
    loop->dirty = true;
    settled(loop);
}

const struct worker_listener LOOP_LISTENER = { on_planned, on_failed, NULL };
