/* What each option does with its value: one small function each, named take_ID. */
#include <stdio.h>
#include <string.h>

#include "core/preset.h"
#include "core/units.h"
#include "jobs.h"
#include "challenges.h"
#include "options.h"
#include "suggest.h"
#include "view/grid.h"

#define TAKE(id) static enum ss_status take_##id(struct options *options, const char *value, struct error *error)
#define SEED_MAX ((UINT64_C(1) << 53) - 1) /* what a JSON number holds exactly */

static enum ss_status take_word(const char *const *words, size_t count, const char *value, size_t *out,
                                struct error *error) {
    char list[128] = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], value) == 0) {
            *out = i;
            return SS_OK;
        }
        if (i > 0)
            strcat(list, i + 1 < count ? ", " : " or ");
        strcat(list, words[i]);
    }
    return error_set(error, SS_USAGE, "expected %s, found '%s'", list, value);
}

#define TAKE_WORD(id, field, ...)                                                                                       \
    TAKE(id) {                                                                                                          \
        static const char *const words[] = { __VA_ARGS__ };                                                            \
        size_t index = 0;                                                                                               \
        enum ss_status status = take_word(words, sizeof words / sizeof words[0], value, &index, error);                 \
        if (status == SS_OK)                                                                                            \
            options->field = index;                                                                                     \
        return status;                                                                                                  \
    }
#define TAKE_KNOB(id, knob)                                                                                             \
    TAKE(id) { return knob_parse(knob, value, NULL, &options->settings, error); }
#define TAKE_RATE(id)                                                                                                   \
    TAKE(id) { return parse_rate(value, &options->settings.link.id##_gb_per_s, error); }
#define TAKE_COUNT(id, field, low, high)                                                                                \
    TAKE(id) {                                                                                                          \
        uint64_t count = 0;                                                                                             \
        enum ss_status status = parse_count(value, low, high, &count, error);                                           \
        if (status == SS_OK)                                                                                            \
            options->field = count;                                                                                     \
        return status;                                                                                                  \
    }
#define TAKE_TEXT(id)                                                                                                   \
    TAKE(id) {                                                                                                          \
        options->id = value;                                                                                            \
        return *value ? SS_OK : error_set(error, SS_USAGE, "expected a name, found nothing");                           \
    }
/* In the environment and the configuration file a flag has a value too. */
#define TAKE_FLAG(id) TAKE_FLAG_INTO(id, id)
#define TAKE_FLAG_INTO(id, field)                                                                                       \
    TAKE(id) {                                                                                                          \
        static const char *const words[] = { "no", "yes", "0", "1", "false", "true" };                                  \
        size_t index = 0;                                                                                               \
        enum ss_status status = take_word(words, 6, value, &index, error);                                              \
        if (status == SS_OK)                                                                                            \
            options->field = index % 2 == 1;                                                                            \
        return status;                                                                                                  \
    }

TAKE_KNOB(headroom, KNOB_HEADROOM)
TAKE_KNOB(host_memory, KNOB_HOST_MEMORY)
TAKE_KNOB(host_budget, KNOB_HOST_MEMORY)
TAKE_KNOB(duplex, KNOB_DUPLEX)
TAKE_KNOB(latency, KNOB_LATENCY)
TAKE_KNOB(share, KNOB_SHARE)
TAKE_RATE(h2d)
TAKE_RATE(d2h)
TAKE_RATE(h2d_both)
TAKE_RATE(d2h_both)
TAKE_WORD(fail_on, fail_on, "warning", "error")
TAKE_WORD(unit, settings.unit, "tensor", "layer")
TAKE_WORD(attention, model.attention, "flash", "eager")
TAKE_WORD(color, color, "auto", "always", "never")
TAKE_WORD(format, format, "text", "ansi", "svg", "json")
TAKE_COUNT(evals, settings.evaluation_limit, 1, 1000000000)
TAKE_COUNT(seed, settings.seed, 0, SEED_MAX)
TAKE_COUNT(jobs, jobs, 1, JOBS_MOST)
TAKE_COUNT(batch, model.batch, 1, 1 << 20)
TAKE_COUNT(seq, model.sequence, 1, 1 << 20)
TAKE_TEXT(plan)
TAKE_TEXT(tensor)
TAKE_TEXT(op)
TAKE_TEXT(layer)
TAKE_FLAG(stalls)
TAKE_TEXT(a)
TAKE_TEXT(b)
TAKE_TEXT(map)
TAKE_COUNT(step, step, 0, INT64_MAX)
TAKE_COUNT(device, device, 0, 1000000)
TAKE_TEXT(output)
TAKE_FLAG_INTO(no_head, model.no_head)
TAKE_FLAG(list)
TAKE_FLAG(quality)
TAKE_FLAG(paper)
TAKE_FLAG(json)
TAKE_FLAG(actions)
TAKE_FLAG(timing)
TAKE_FLAG(rules)
TAKE_FLAG(fix)
TAKE_FLAG(sarif)
TAKE_FLAG(plain)
TAKE_FLAG(ascii)
TAKE_FLAG(no_mouse)
TAKE_FLAG(quiet)
TAKE_FLAG(help)
TAKE_FLAG(version)

TAKE(at) { return parse_time(value, &options->at_us, error); }

TAKE(keys) {
    options->keys = value;
    return SS_OK;
}

TAKE(lesson) {
    options->lesson = value;
    return SS_OK;
}

TAKE(challenge) {
    uint32_t level, seed;
    options->challenge = value;
    return challenge_parse(value, &level, &seed, error);
}

TAKE(replay) {
    options->replay = value;
    return SS_OK;
}

TAKE(theme) {
    struct theme_file theme;
    enum ss_status status = theme_file_load(value, &theme, error);
    if (status != SS_OK)
        return status;
    theme_file_free(&options->theme);
    options->theme = theme;
    return SS_OK;
}

/* A whole axis of the grid; the settings get its first value, for what asks what kind it is. */
static enum ss_status take_budget_axis(struct options *options, const char *value, enum budget_kind kind,
                                       struct error *error) {
    enum ss_status status = axis_parse_budgets(value, kind, &options->arena, &options->budgets, error);
    if (status == SS_OK)
        options->settings.budget = options->budgets.choice[0];
    return status;
}

/* export takes lists as sweep does, for curves; of one value it makes what other commands make. */
static bool is_axis(const struct options *options, const char *value) {
    return options->command == COMMAND_SWEEP || options->command == COMMAND_BENCH || (options->command == COMMAND_EXPORT && strpbrk(value, ",:"));
}

TAKE(budget) {
    if (is_axis(options, value))
        return take_budget_axis(options, value, BUDGET_BYTES, error);
    options->settings.budget = BUDGET_CHOICE_DEFAULT; /* whatever a preset says */
    return knob_parse(KNOB_BUDGET, value, NULL, &options->settings, error);
}

TAKE(bandwidth) {
    if (is_axis(options, value))
        return axis_parse_rates(value, &options->arena, &options->rates, error);
    return knob_parse(KNOB_BANDWIDTH, value, NULL, &options->settings, error);
}

TAKE(shard) {
    char index[16] = "";
    const char *slash = strchr(value, '/');
    uint64_t i = 0, count = 0;
    if (slash && (size_t)(slash - value) < sizeof index)
        memcpy(index, value, (size_t)(slash - value));
    if (!slash || parse_count(slash + 1, 1, 1000000, &count, NULL) != SS_OK ||
        parse_count(index, 1, count, &i, NULL) != SS_OK)
        return error_set(error, SS_USAGE, "expected a part and the number of parts, such as 1/4, found '%s'",
                         value);
    options->shard.index = (uint32_t)i;
    options->shard.count = (uint32_t)count;
    return SS_OK;
}

TAKE(gpu_memory) {
    uint64_t bytes = 0;
    if (is_axis(options, value))
        return take_budget_axis(options, value, BUDGET_GPU_MEMORY, error);
    enum ss_status status = parse_bytes(value, &bytes, error);
    if (status == SS_OK) {
        options->settings.budget.kind = BUDGET_GPU_MEMORY;
        options->settings.budget.bytes = bytes;
    }
    return status;
}

/* A bare number would mean microseconds: nobody who writes --plan-time 2 means that. */
TAKE(plan_time) {
    size_t length = strlen(value);
    double us = 0;
    if (length == 0 || value[length - 1] != 's')
        return error_set(error, SS_USAGE, "expected a time with its unit, such as 2s or 500ms, found '%s'", value);
    enum ss_status status = parse_time(value, &us, error);
    if (status == SS_OK && us == 0)
        return error_set(error, SS_USAGE, "expected a time above 0, found '%s'", value);
    if (status == SS_OK)
        options->plan_time_us = us;
    return status;
}

TAKE(size) {
    char columns[8] = "", rows[8] = "";
    uint64_t width = 0, height = 0;
    const char *cross = strchr(value, 'x');
    bool fits = cross && (size_t)(cross - value) < sizeof columns && strlen(cross + 1) < sizeof rows;
    if (fits) {
        memcpy(columns, value, (size_t)(cross - value));
        memcpy(rows, cross + 1, strlen(cross + 1));
    }
    if (!fits || parse_count(columns, 1, GRID_MAX, &width, NULL) != SS_OK ||
        parse_count(rows, 1, GRID_MAX, &height, NULL) != SS_OK)
        return error_set(error, SS_USAGE, "expected columns and rows of 1 to %d each, such as 120x40, found '%s'",
                         GRID_MAX, value);
    options->width = (int)width;
    options->height = (int)height;
    return SS_OK;
}

/* What a preset says; the flags beside it are taken after it. */
TAKE(preset) {
    char text[80];
    struct suggestion near = { .word = value };
    const struct preset *preset = preset_find(value);
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        suggest(&near, PRESETS[i].name);
    if (!preset)
        return error_set(error, SS_USAGE, "no preset is called '%s'%s; the manual and the viewer's key H list them", value,
                         suggestion_text(&near, "", text));
    options->preset = preset;
    preset_apply(preset, &options->settings);
    options->model = options->settings.work.options;
    options->link = options->model.link;
    return SS_OK;
}

TAKE(gpu) {
    char text[80];
    struct suggestion near = { .word = value };
    const struct gpu *gpu = gpu_find(value);
    for (uint32_t i = 0; i < GPU_COUNT; i++)
        suggest(&near, GPUS[i].name);
    if (!gpu)
        return error_set(error, SS_USAGE, "no device is called '%s'%s; 'slackswap model --list' names them", value,
                         suggestion_text(&near, "", text));
    options->model.gpu = gpu;
    return SS_OK;
}

TAKE(link) {
    char text[80];
    struct suggestion near = { .word = value };
    const struct link_preset *link = link_find(value);
    for (uint32_t i = 0; i < LINK_COUNT; i++)
        suggest(&near, LINKS[i].link.name);
    if (!link)
        return error_set(error, SS_USAGE, "no link is called '%s'%s; 'slackswap model --list' names them", value,
                         suggestion_text(&near, "", text));
    options->link = options->model.link = link;
    return SS_OK;
}

static enum ss_status find_planner(const char *name, const struct planner **out, struct error *error) {
    char text[80], list[256] = "";
    struct suggestion near = { .word = name };
    *out = planner_find(name);
    for (uint32_t i = 0; i < PLANNER_COUNT; i++) {
        suggest(&near, PLANNERS[i].name);
        if (strlen(list) + strlen(PLANNERS[i].name) + 3 < sizeof list)
            strcat(strcat(list, i ? ", " : ""), PLANNERS[i].name);
    }
    if (*out)
        return SS_OK;
    return error_set(error, SS_USAGE, "no planner is called '%s'%s; there are %s", name,
                     suggestion_text(&near, "", text), list);
}

TAKE(to) {
    char list[128] = "";
    options->to = export_find(value);
    if (options->to)
        return SS_OK;
    for (uint32_t i = 0; i < EXPORT_COUNT; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0 ? "" : i + 1 < EXPORT_COUNT ? ", " : " or ", EXPORTS[i].name);
    return error_set(error, SS_USAGE, "expected %s, found '%s'", list, value);
}

TAKE(from) {
    char list[128] = "auto";
    options->importer = importer_find(value);
    if (options->importer || strcmp(value, "auto") == 0)
        return SS_OK;
    for (uint32_t i = 0; i < IMPORTER_COUNT; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i + 1 < IMPORTER_COUNT ? ", " : " or ",
                 IMPORTERS[i].name);
    return error_set(error, SS_USAGE, "expected %s, found '%s'", list, value);
}

/* A list for compare alone; a list in the environment does not stop the other commands: they take its first. */
TAKE(planner) {
    enum ss_status status = SS_OK;
    uint32_t count = 0;
    for (const char *at = value; status == SS_OK && at; count++) {
        char name[64];
        size_t length = strcspn(at, ",");
        length = length < sizeof name ? length : sizeof name - 1;
        memcpy(name, at, length);
        name[length] = '\0';
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
        if (count == PLANNERS_MAX)
            return error_set(error, SS_USAGE, "expected at most %d planners", PLANNERS_MAX);
        status = find_planner(name, &options->planners[count], error);
    }
    if (status != SS_OK)
        return status;
    const bool takes_many = options->command == COMMAND_COMPARE || options->command == COMMAND_SWEEP ||
                            options->command == COMMAND_EXPORT || options->command == COMMAND_BENCH;
    if (count > 1 && !takes_many && options->source[OPTION_planner] == SOURCE_FLAG)
        return error_set(error, SS_USAGE, "expected one planner, found '%s'; compare and sweep take a list", value);
    options->planner_count = count;
    options->settings.planner = options->planners[0];
    return SS_OK;
}

typedef enum ss_status take_function(struct options *, const char *, struct error *);

enum ss_status option_take(enum option_id id, struct options *options, const char *value, struct error *error) {
    static take_function *const takes[OPTION_COUNT] = {
#define X(id, name, letter, argument, where, group, commands, help) [OPTION_##id] = take_##id,
        OPTIONS(X)
#undef X
    };
    return takes[id](options, value, error);
}
