/* The study of the live set: see live.h. */
#include "live.h"

#include <string.h>

bool live_ask(const struct view_state *state, const struct scene *scene, void *asked) {
    struct live_question *question = asked;
    if ((state->view != VIEW_TIMELINE && state->view != VIEW_LAYERS) || state->planning || state->playing ||
        state->height < LIVE_HEIGHT || scene->shown == NULL || scene->shown->outcome != scene->latest)
        return false;
    const struct timeline *timeline = scene->shown->timeline;
    memset(question, 0, sizeof *question);
    question->generation = state->generation;
    question->step = timeline->memory[timeline_memory_at(timeline, state->cursor_us)].step;
    return true;
}

bool live_same(const void *asked, const void *other) {
    const struct live_question *a = asked, *b = other;
    return a->generation == b->generation && a->step == b->step;
}

/* The plan: the outcome may be gone before the answer is there. */
void *live_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    struct plan *plan = ARENA_ARRAY(arena, struct plan, 1);
    (void)state;
    return plan && plan_copy(plan, arena, scene->profile, &scene->shown->timeline->plan, NULL) == SS_OK ? plan : NULL;
}

enum ss_status live_run(const struct study_run *run, const void *asked, const void *prepared, struct error *error) {
    const struct live_question *question = asked;
    struct arena answer = { 0 }, scratch = { 0 };
    struct live_set *set = ARENA_ARRAY(&answer, struct live_set, 1);
    struct schedule_builder *builder = schedule_builder_new(run->profile, error);
    struct resident *residents = NULL;
    uint32_t count = 0;
    enum ss_status status = set && builder ? schedule_live_set(builder, prepared, question->step, &scratch, &residents,
                                                               &count, error)
                                           : error_no_memory(error);
    for (uint32_t i = 0; i < count && status == SS_OK; i++) {
        if (set->shown < LIVE_SHOWN) {
            set->largest[set->shown++] = residents[i];
            continue;
        }
        set->more++;
        set->more_bytes += residents[i].bytes;
    }
    if (status == SS_OK)
        run->show(run->context, &answer, set);
    schedule_builder_free(builder);
    arena_free(&scratch);
    arena_free(&answer);
    return status;
}

const struct live_set *live_shown(const struct view_state *state, const struct scene *scene) {
    const struct study_slot *slot = &scene->study[STUDY_live];
    struct live_question question;
    bool asked = live_ask(state, scene, &question);
    return asked && study_answers(slot, &STUDY_KINDS[STUDY_live], &question) ? slot->answer : NULL;
}
