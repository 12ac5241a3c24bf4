#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "core/puzzle.h"

/* Bytes that all layers' names begin with, whole characters, no name being used up by them. */
static uint32_t common_prefix(const struct profile *profile) {
    const char *first = profile->layers[0].name;
    uint32_t length = (uint32_t)strlen(first);
    for (uint32_t layer = 0; layer < profile->layer_count; layer++) {
        const char *name = profile->layers[layer].name;
        uint32_t same = 0;
        while (same < length && name[same] == first[same])
            same++;
        length = name[same] == '\0' && same > 0 ? same - 1 : same;
    }
    while (length > 0 && ((unsigned char)first[length] & 0xC0) == 0x80)
        length--;
    return length;
}

static enum ss_status know(struct subject *subject, struct error *error) {
    subject->layer_prefix = common_prefix(subject->profile);
    enum ss_status status = limits_compute(subject->profile, &subject->limits, error);
    return status == SS_OK ? closure_compute(&subject->closure, &subject->arena, subject->profile, error) : status;
}

static enum ss_status build(struct subject *subject, const struct work_source *source, struct error *error) {
    const struct work_choice *work = &subject->work;
    subject->profile = &subject->built;
    if (work->model != NULL)
        return model_build(work->model, &work->options, &subject->arena, &subject->built, error);
    uint32_t level, seed;
    uint64_t budget_bytes;
    if (puzzle_of_work(work->profile, &level, &seed))
        return puzzle_build(level, seed, &subject->arena, &subject->built, &budget_bytes, error);
    if (source == NULL || source->open == NULL)
        return error_set(error, SS_INTERNAL, "a bug: nobody knows the profile %u", (unsigned)work->profile);
    return source->open(source->context, work->profile, &subject->arena, &subject->built, error);
}

enum ss_status subject_new(struct subject **out, const struct work_choice *work, const struct profile *profile,
                           const struct work_source *source, struct error *error) {
    struct subject *subject = calloc(1, sizeof *subject);
    if (subject == NULL)
        return error_no_memory(error);
    *subject = (struct subject){ .holders = 1, .work = *work, .profile = profile };
    enum ss_status status = profile != NULL ? SS_OK : build(subject, source, error);
    if (status == SS_OK)
        status = know(subject, error);
    if (status == SS_OK)
        *out = subject;
    else
        subject_release(subject);
    return status;
}

enum ss_status subject_adopt(struct subject **out, const struct work_choice *work, const struct profile *profile,
                             struct arena *arena, struct error *error) {
    struct subject *subject = calloc(1, sizeof *subject);
    if (subject == NULL)
        return error_no_memory(error);
    *subject = (struct subject){ .arena = *arena, .holders = 1, .work = *work, .built = *profile };
    *arena = (struct arena){ 0 };
    subject->built.arena = &subject->arena;
    subject->profile = &subject->built;
    const enum ss_status status = know(subject, error);
    if (status == SS_OK)
        *out = subject;
    else
        subject_release(subject);
    return status;
}

struct subject *subject_hold(struct subject *subject) {
    if (subject != NULL)
        subject->holders++;
    return subject;
}

void subject_release(struct subject *subject) {
    if (subject == NULL || --subject->holders > 0)
        return;
    arena_free(&subject->arena);
    free(subject);
}

static bool same_counts(const struct profile *a, const struct profile *b) {
    return a->layer_count == b->layer_count && a->op_count == b->op_count && a->tensor_count == b->tensor_count &&
           a->managed_count == b->managed_count;
}

static bool same_name(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool subject_alike(const struct subject *first, const struct subject *second) {
    const struct profile *a = first->profile, *b = second->profile;
    if (a == b)
        return true;
    if (!same_counts(a, b))
        return false;
    for (uint32_t i = 0; i < a->managed_count; i++)
        if (a->managed[i] != b->managed[i])
            return false;
    for (uint32_t i = 0; i < a->layer_count; i++)
        if (!same_name(a->layers[i].name, b->layers[i].name))
            return false;
    for (uint32_t i = 0; i < a->op_count; i++)
        if (a->ops[i].layer != b->ops[i].layer || !same_name(a->ops[i].name, b->ops[i].name))
            return false;
    for (uint32_t i = 0; i < a->tensor_count; i++)
        if (a->tensors[i].producer != b->tensors[i].producer || !same_name(a->tensors[i].name, b->tensors[i].name))
            return false;
    return true;
}
