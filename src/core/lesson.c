#include "lesson.h"

#include <stdio.h>
#include <string.h>

#include "units.h"

const char *const LESSON_PLACE_NAME[LESSON_PLACE_COUNT] = {
#define X(id, help) [LESSON_PLACE_##id] = #id,
    LESSON_PLACES(X)
#undef X
    [LESSON_PLACE_LAYER] = "layer",
    [LESSON_PLACE_TENSOR] = "tensor",
};
const char *const LESSON_PLACE_HELP[LESSON_PLACE_COUNT] = {
#define X(id, help) [LESSON_PLACE_##id] = help,
    LESSON_PLACES(X)
#undef X
    [LESSON_PLACE_LAYER] = "the layer of that name",
    [LESSON_PLACE_TENSOR] = "the tensor of that name",
};

#define EVALS_MOST 1000000
#define SEED_MOST (BYTES_LIMIT - 1)

const struct lesson_stand *lesson_step_end(const struct lesson_step *step) {
    return step->kind == LESSON_ASKS ? &step->question.reveal : step->kind == LESSON_SETS_TASK ? &step->task.solution
                                                                                               : &step->stand;
}

/* Adds WORD to the list in TEXT, as a sentence would have it. */
static void list_word(char *text, size_t size, const char *word, bool first, bool last) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", first ? "" : last ? " or " : ", ", word);
}

/* ---- places ---- */

static enum ss_status no_such_place(const char *text, struct error *error) {
    char list[256] = "";
    for (int id = 0; id < LESSON_PLACE_LAYER; id++)
        list_word(list, sizeof list, LESSON_PLACE_NAME[id], id == 0, false);
    return error_set(error, SS_BAD_INPUT, "expected %s, layer NAME or tensor NAME, found '%.100s'", list, text);
}

/* What follows "layer " or "tensor ", or NULL. */
static const char *name_behind(const char *text, const char *word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

enum ss_status lesson_place_parse(const char *text, const struct profile *profile, struct lesson_place *out,
                                  struct error *error) {
    const char *layer = name_behind(text, "layer"), *tensor = name_behind(text, "tensor");
    uint8_t id = 0;
    uint32_t index = NONE;
    if (layer || tensor) {
        id = layer ? LESSON_PLACE_LAYER : LESSON_PLACE_TENSOR;
        index = layer ? profile_find_layer(profile, layer) : profile_find_tensor(profile, tensor);
        if (index == NONE)
            return error_set(error, SS_BAD_INPUT, "expected a %s of profile '%.100s', found '%.100s'",
                             LESSON_PLACE_NAME[id], profile->name, layer ? layer : tensor);
    } else {
        while (id < LESSON_PLACE_LAYER && strcmp(text, LESSON_PLACE_NAME[id]) != 0)
            id++;
        if (id == LESSON_PLACE_LAYER)
            return no_such_place(text, error);
    }
    *out = (struct lesson_place){ id, index };
    return SS_OK;
}

/* ---- settings ---- */

static enum ss_status set_link(const char *value, struct settings *settings, struct error *error) {
    const struct link_preset *preset = link_find(value);
    if (!preset) {
        char list[300] = "";
        for (uint32_t i = 0; i < LINK_COUNT; i++)
            list_word(list, sizeof list, LINKS[i].link.name, i == 0, i + 1 == LINK_COUNT);
        return error_set(error, SS_USAGE, "expected %s, found '%.60s'", list, value);
    }
    settings->link = link_options_of(&preset->link);
    return SS_OK;
}

static enum ss_status set_planner(const char *value, struct settings *settings, struct error *error) {
    const struct planner *planner = planner_find(value);
    if (!planner) {
        char list[300] = "";
        for (uint32_t i = 0; i < PLANNER_COUNT; i++)
            list_word(list, sizeof list, PLANNERS[i].name, i == 0, i + 1 == PLANNER_COUNT);
        return error_set(error, SS_USAGE, "expected %s, found '%.60s'", list, value);
    }
    settings->planner = planner;
    return SS_OK;
}

static enum ss_status set_unit(const char *value, struct settings *settings, struct error *error) {
    for (int unit = 0; unit < 2; unit++)
        if (strcmp(value, UNIT_NAME[unit]) == 0) {
            settings->unit = (enum plan_unit)unit;
            return SS_OK;
        }
    return error_set(error, SS_USAGE, "expected %s or %s, found '%.60s'", UNIT_NAME[0], UNIT_NAME[1], value);
}

static enum ss_status set_gpu_memory(const char *value, struct settings *settings, struct error *error) {
    uint64_t bytes;
    const enum ss_status status = parse_bytes(value, &bytes, error);
    if (status == SS_OK) {
        settings->budget.kind = BUDGET_GPU_MEMORY;
        settings->budget.bytes = bytes;
    }
    return status;
}

static enum ss_status set_evals(const char *value, struct settings *settings, struct error *error) {
    return parse_count(value, 1, EVALS_MOST, &settings->evaluation_limit, error);
}

static enum ss_status set_seed(const char *value, struct settings *settings, struct error *error) {
    return parse_count(value, 0, SEED_MOST, &settings->seed, error);
}

/* What can be set beside the knobs. */
static const struct {
    const char *name;
    enum ss_status (*set)(const char *value, struct settings *settings, struct error *error);
} BESIDE[] = {
    { "gpu-memory", set_gpu_memory }, { "link", set_link },   { "planner", set_planner },
    { "unit", set_unit },             { "evals", set_evals }, { "seed", set_seed },
};
#define BESIDE_COUNT (sizeof BESIDE / sizeof BESIDE[0])

/* The knob called NAME, or KNOB_COUNT; what would make other work of it is none. */
static int find_knob(const char *name) {
    int knob = 0;
    while (knob < KNOB_COUNT && (strcmp(name, KNOBS[knob].name) != 0 || (KNOBS[knob].effects & KNOB_REBUILD_PROFILE)))
        knob++;
    return knob;
}

static size_t find_beside(const char *name) {
    size_t i = 0;
    while (i < BESIDE_COUNT && strcmp(name, BESIDE[i].name) != 0)
        i++;
    return i;
}

bool lesson_can_set(const char *name) { return find_knob(name) < KNOB_COUNT || find_beside(name) < BESIDE_COUNT; }

static enum ss_status no_such_setting(const char *name, struct error *error) {
    char list[300] = "";
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        if (strcmp(name, KNOBS[knob].name) == 0)
            return error_set(error, SS_USAGE, "the work of a lesson stays the same: say %s in its \"profile\"", name);
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        if (!(KNOBS[knob].effects & KNOB_REBUILD_PROFILE))
            list_word(list, sizeof list, KNOBS[knob].name, knob == 0, false);
    for (size_t i = 0; i < BESIDE_COUNT; i++)
        list_word(list, sizeof list, BESIDE[i].name, false, i + 1 == BESIDE_COUNT);
    return error_set(error, SS_USAGE, "expected %s, found '%.60s'", list, name);
}

enum ss_status lesson_set(const char *name, const char *value, const struct profile *profile, struct settings *settings,
                          struct error *error) {
    const int knob = find_knob(name);
    const size_t beside = find_beside(name);
    if (knob < KNOB_COUNT)
        return knob_parse((enum knob_id)knob, value, profile, settings, error);
    return beside < BESIDE_COUNT ? BESIDE[beside].set(value, settings, error) : no_such_setting(name, error);
}
