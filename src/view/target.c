#include "target.h"

#include <stdio.h>

#include "core/units.h"
#include "text.h"

#define NAME_SHOWN 28 /* columns */

bool target_has(const struct profile *profile, struct target target, uint32_t tensor) {
    const struct tensor *t = &profile->tensors[tensor];
    if (!t->managed)
        return false;
    uint32_t place = target.kind == TARGET_TENSOR ? tensor
                     : target.kind == TARGET_OPS  ? t->producer
                                                  : profile->ops[t->producer].layer;
    if (target.kind == TARGET_LAYERS && target.place != NULL)
        place = target.place[place];
    return target.kind != TARGET_NONE && place >= target.first && place <= target.last;
}

/* Managed tensors among what OP makes; the first one of all goes to *ONE. */
static uint32_t count_outputs(const struct profile *profile, uint32_t op, uint32_t before, uint32_t *one) {
    struct span outputs = profile->ops[op].outputs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t tensor = profile->index[outputs.at + i];
        if (profile->tensors[tensor].managed && before + count++ == 0 && one != NULL)
            *one = tensor;
    }
    return count;
}

/* It is asked for in every frame: only what belongs to TARGET is looked at. */
uint32_t target_count(const struct profile *profile, struct target target, uint32_t *one) {
    uint32_t count = 0;
    if (target.kind == TARGET_TENSOR) {
        if (profile->tensors[target.first].managed && one != NULL)
            *one = target.first;
        return profile->tensors[target.first].managed;
    }
    for (uint32_t op = target.first; target.kind == TARGET_OPS && op <= target.last; op++)
        count += count_outputs(profile, op, count, one);
    for (uint32_t layer = 0; target.kind == TARGET_LAYERS && layer < profile->layer_count; layer++) {
        uint32_t place = target.place != NULL ? target.place[layer] : layer;
        struct span ops = profile->layers[layer].ops;
        for (uint32_t i = 0; place >= target.first && place <= target.last && i < ops.count; i++)
            count += count_outputs(profile, profile->index[ops.at + i], count, one);
    }
    return count;
}

bool target_equal(struct target a, struct target b) {
    return a.kind == b.kind && a.first == b.first && a.last == b.last && a.place == b.place;
}

static const char *name_of(const struct profile *profile, struct target target, uint32_t which) {
    return target.kind == TARGET_TENSOR ? profile->tensors[which].name
           : target.kind == TARGET_OPS  ? profile->ops[which].name
                                        : profile->layers[which].name;
}

char *target_words(const struct profile *profile, struct target target, bool ascii, char text[TARGET_WORDS]) {
    char first[TARGET_WORDS / 3], last[TARGET_WORDS / 3];
    uint32_t one = 0, count = target_count(profile, target, &one);
    if (target.kind == TARGET_NONE) {
        text[0] = '\0';
        return text;
    }
    bool range = target.first != target.last;
    if (target.place != NULL && range) {
        snprintf(text, TARGET_WORDS, "%u layers (%u tensors)", (unsigned)(target.last - target.first + 1), (unsigned)count);
        return text;
    }
    if (!range && count == 1)
        target = (struct target){ TARGET_TENSOR, one, one, NULL };
    text_fit(first, sizeof first, name_of(profile, target, target.first), NAME_SHOWN, CUT_MIDDLE, ascii);
    text_fit(last, sizeof last, name_of(profile, target, target.last), NAME_SHOWN, CUT_MIDDLE, ascii);
    const char *what = target.kind == TARGET_LAYERS ? range ? "layers " : "layer " : "";
    if (target.kind == TARGET_TENSOR)
        snprintf(text, TARGET_WORDS, "%s", first);
    else if (!range)
        snprintf(text, TARGET_WORDS, "%s%s (%u tensors)", what, first, (unsigned)count);
    else
        snprintf(text, TARGET_WORDS, "%s%s to %s (%u tensor%s)", what, first, last, (unsigned)count,
                 plural(count));
    return text;
}
