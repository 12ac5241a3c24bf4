#include "studies.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct question { _Alignas(16) unsigned char bytes[STUDY_QUESTION_MOST]; };

/* What goes to the loop's thread. */
struct shown { struct arena arena; const void *answer; };

/* One study. Between uv_queue_work and its completion QUESTION, PREPARED, STATUS and ERROR belong to the thread that
 * runs it. */
struct runner {
    struct studies *studies;
    const struct study_kind *kind;
    struct study_slot *slot;
    bool running;
    bool ended;                     /* the last run came to its end, well or not: not begun again for its question */
    uv_work_t work;
    struct subject *subject;        /* of the run at work, or of the last one, held; NULL before the first */
    struct question question;       /* of the run at work, or of the last one */
    struct arena arena;             /* owns PREPARED */
    const void *prepared;
    enum ss_status status;
    struct error error;
    atomic_bool stop;
    _Atomic(struct shown *) shown;  /* the newest answer that was not yet taken */
};

struct studies {
    uv_loop_t *loop;
    uv_async_t ready;
    struct scene *scene;
    void (*changed)(void *context);
    void *context;
    bool closing;
    uint32_t count;
    struct runner runner[];
};

/* ---- on the pool's thread ---- */

static bool should_stop(void *context) {
    return atomic_load_explicit(&((struct runner *)context)->stop, memory_order_relaxed);
}

static void shown_free(struct shown *shown) {
    if (shown != NULL)
        arena_free(&shown->arena);
    free(shown);
}

/* An answer that can't be handed over is no harm: a later one will be. */
static void show(void *context, struct arena *arena, const void *answer) {
    struct runner *runner = context;
    struct shown *shown = malloc(sizeof *shown);
    if (shown == NULL) {
        arena_free(arena);
        return;
    }
    *shown = (struct shown){ *arena, answer };
    *arena = (struct arena){ 0 };
    shown_free(atomic_exchange(&runner->shown, shown));
    uv_async_send(&runner->studies->ready);
}

static void run(uv_work_t *work) {
    struct runner *runner = work->data;
    const struct study_run run = { runner->subject->profile, should_stop, show, runner };
    runner->status = runner->kind->run(&run, runner->question.bytes, runner->prepared, &runner->error);
}

/* ---- on the loop's thread ---- */

/* Whether it is about what is looked at now. */
static bool is_about_scene(const struct runner *runner) {
    return runner->kind->about == ABOUT_QUESTION || runner->subject == runner->studies->scene->subject;
}

/* True when there was an answer to take, one that is still asked for. */
static bool take(struct runner *runner, bool complete) {
    struct shown *shown = atomic_exchange(&runner->shown, NULL);
    const bool wanted = !atomic_load(&runner->stop) && is_about_scene(runner) && (shown != NULL || complete);
    if (wanted) {
        struct arena none = { 0 };
        study_take(runner->slot, runner->kind, runner->question.bytes, shown != NULL ? &shown->arena : &none,
                   shown != NULL ? shown->answer : NULL, complete);
    }
    shown_free(shown);
    return wanted;
}

static void on_ready(uv_async_t *async) {
    struct studies *studies = async->data;
    bool any = false;
    for (uint32_t i = 0; i < studies->count; i++)
        any |= studies->runner[i].running && take(&studies->runner[i], false);
    if (any && !studies->closing)
        studies->changed(studies->context);
}

static void on_closed(uv_handle_t *handle) {
    struct studies *studies = handle->data;
    for (uint32_t i = 0; i < studies->count; i++) {
        shown_free(atomic_exchange(&studies->runner[i].shown, NULL));
        arena_free(&studies->runner[i].arena);
        subject_release(studies->runner[i].subject);
    }
    free(studies);
}

static void close_when_idle(struct studies *studies) {
    for (uint32_t i = 0; i < studies->count; i++)
        if (studies->runner[i].running)
            return;
    uv_close((uv_handle_t *)&studies->ready, on_closed);
}

/* Whoever is told updates the studies in turn; so what was waiting for this one to stop begins. */
static void on_done(uv_work_t *work, int cancelled) {
    struct runner *runner = work->data;
    struct studies *studies = runner->studies;
    (void)cancelled; /* nobody cancels it: the flag stops it */
    runner->ended = !atomic_load(&runner->stop);
    take(runner, true);
    if (runner->ended && runner->status != SS_OK)
        snprintf(runner->slot->message, sizeof runner->slot->message, "%.199s", runner->error.text);
    runner->running = false;
    if (studies->closing)
        close_when_idle(studies);
    else
        studies->changed(studies->context);
}

static void start(struct runner *runner, const struct view_state *state, const struct question *question) {
    struct studies *studies = runner->studies;
    arena_reset(&runner->arena);
    runner->question = *question;
    runner->prepared = NULL;
    runner->error = (struct error){ "", "" };
    if (runner->kind->prepare != NULL) {
        runner->prepared = runner->kind->prepare(state, studies->scene, &runner->arena);
        if (runner->prepared == NULL)
            return; /* no memory now: asked for again with the next change */
    }
    runner->slot->message[0] = '\0';
    subject_hold(studies->scene->subject);
    subject_release(runner->subject);
    runner->subject = studies->scene->subject;
    runner->running = true;
    runner->ended = false;
    atomic_store(&runner->stop, false);
    runner->work.data = runner;
    uv_queue_work(studies->loop, &runner->work, run, on_done);
}

static void update(struct runner *runner, const struct view_state *state) {
    struct question question = { { 0 } };
    const struct scene *scene = runner->studies->scene;
    const bool asked = runner->kind->ask(state, scene, question.bytes);
    const bool same = asked && runner->kind->same(question.bytes, runner->question.bytes);
    if (runner->running) {
        if (!same || !is_about_scene(runner))
            atomic_store(&runner->stop, true);
        return; /* one that is stopping is not taken up again: on_done leads back here */
    }
    const bool answered = runner->slot->complete && study_answers(runner->slot, runner->kind, question.bytes);
    if (asked && !answered && !(same && runner->ended && is_about_scene(runner)))
        start(runner, state, &question);
}

void studies_update(struct studies *studies, const struct view_state *state) {
    if (studies->closing)
        return;
    for (uint32_t i = 0; i < studies->count; i++)
        update(&studies->runner[i], state);
}

enum ss_status studies_new(struct studies **out, uv_loop_t *loop, const struct study_kind *kinds, uint32_t count,
                           struct scene *scene, struct study_slot *slots, void (*changed)(void *context), void *context,
                           struct error *error) {
    struct studies *studies = calloc(1, sizeof *studies + count * sizeof studies->runner[0]);
    if (studies == NULL)
        return error_no_memory(error);
    studies->loop = loop;
    studies->scene = scene;
    studies->changed = changed;
    studies->context = context;
    studies->count = count;
    for (uint32_t i = 0; i < count; i++) {
        studies->runner[i].studies = studies;
        studies->runner[i].kind = &kinds[i];
        studies->runner[i].slot = &slots[i];
    }
    studies->ready.data = studies;
    const int failed = uv_async_init(loop, &studies->ready, on_ready);
    if (failed) {
        free(studies);
        return error_set(error, SS_INTERNAL, "no wake-up for studies: %s", uv_strerror(failed));
    }
    *out = studies;
    return SS_OK;
}

void studies_close(struct studies *studies) {
    studies->closing = true;
    for (uint32_t i = 0; i < studies->count; i++)
        atomic_store(&studies->runner[i].stop, true);
    close_when_idle(studies);
}
