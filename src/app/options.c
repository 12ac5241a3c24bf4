#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config_file.h"
#include "suggest.h"

enum where { FLAG, SETTING };
const struct option_entry OPTION_TABLE[OPTION_COUNT] = {
#define X(id, name, letter, argument, where, group, commands, help)                                                     \
    [OPTION_##id] = { name, letter, argument, where, ABOUT_##group, commands, help },
    OPTIONS(X)
#undef X
};
const char *const ABOUT_TITLE[ABOUT_COUNT] = {
    [ABOUT_WORK] = "Memory and input", [ABOUT_LINK] = "Link", [ABOUT_PLANNING] = "Planning",
    [ABOUT_MODELS] = "Built-in models", [ABOUT_CHECKING] = "Checking", [ABOUT_OUTPUT] = "Output",
    [ABOUT_SCREENS] = "Screens",
};

/* Each pair says the same thing in two ways, or one leaves nothing for the other to say. */
static const enum option_id EXCLUSIVE[][2] = {
    { OPTION_budget, OPTION_gpu_memory }, { OPTION_plan_time, OPTION_evals }, { OPTION_host_memory, OPTION_host_budget },
    { OPTION_quality, OPTION_paper }, { OPTION_plan, OPTION_planner },
    { OPTION_plan, OPTION_unit }, { OPTION_plan, OPTION_plan_time }, { OPTION_plan, OPTION_evals },
    { OPTION_plan, OPTION_seed },
};

/* What was written, before it is known which command it is for. */
struct written {
    const char *value[OPTION_COUNT];
    const char *word[ARGUMENTS_MAX + 2]; /* a command, its arguments, and one too many */
    int word_count;
};

enum option_id option_find(const char *name, size_t length) {
    int id = 0;
    while (id < OPTION_COUNT &&
           !(strlen(OPTION_TABLE[id].name) == length && memcmp(OPTION_TABLE[id].name, name, length) == 0))
        id++;
    return (enum option_id)id;
}

char *option_variable(enum option_id id, char text[40]) {
    snprintf(text, 40, "SLACKSWAP_%s", OPTION_TABLE[id].name);
    for (char *at = text; *at; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    return text;
}

static enum ss_status write_long(struct options *options, struct written *written, char *const *argv, int *at,
                                 struct error *error) {
    const char *name = argv[*at] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    enum option_id id = option_find(name, length);
    if (id == OPTION_COUNT) {
        char typed[64], text[80];
        snprintf(typed, sizeof typed, "%.*s", (int)(length < 63 ? length : 63), name);
        struct suggestion near = { .word = typed };
        for (int i = 0; i < OPTION_COUNT; i++)
            suggest(&near, OPTION_TABLE[i].name);
        return error_set(error, SS_USAGE, "unknown option '--%s'%s", typed, suggestion_text(&near, "--", text));
    }
    const struct option_entry *entry = &OPTION_TABLE[id];
    if (!entry->argument && value)
        return error_set(error, SS_USAGE, "option '--%s' takes no value", entry->name);
    if (entry->argument && !value)
        value = argv[++*at];
    if (entry->argument && !value)
        return error_set(error, SS_USAGE, "option '--%s' needs a value: %s", entry->name, entry->argument);
    written->value[id] = entry->argument ? value : "yes";
    options->source[id] = SOURCE_FLAG;
    return SS_OK;
}

/* "-q", "-qV", "-oFILE", "-o FILE" */
static enum ss_status write_letters(struct options *options, struct written *written, char *const *argv, int *at,
                                    struct error *error) {
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        int id = 0;
        while (id < OPTION_COUNT && OPTION_TABLE[id].letter != *letter)
            id++;
        if (id == OPTION_COUNT)
            return error_set(error, SS_USAGE, "unknown option '-%s'", letter);
        options->source[id] = SOURCE_FLAG;
        written->value[id] = "yes";
        if (!OPTION_TABLE[id].argument)
            continue;
        written->value[id] = letter[1] ? letter + 1 : argv[++*at];
        if (!written->value[id])
            return error_set(error, SS_USAGE, "option '-%c' needs a value: %s", *letter, OPTION_TABLE[id].argument);
        break;
    }
    return SS_OK;
}

static enum ss_status write_down(int argc, char *const *argv, struct options *options, struct written *written,
                                 struct error *error) {
    enum ss_status status = SS_OK;
    bool ended = false;
    for (int i = 1; i < argc && status == SS_OK; i++) {
        const char *word = argv[i];
        if (!ended && strcmp(word, "--") == 0)
            ended = true;
        else if (!ended && strncmp(word, "--", 2) == 0)
            status = write_long(options, written, argv, &i, error);
        else if (!ended && word[0] == '-' && word[1])
            status = write_letters(options, written, argv, &i, error);
        else if (written->word_count < ARGUMENTS_MAX + 2)
            written->word[written->word_count++] = word;
    }
    return status;
}

/* Whether WORD, standing alone, can only be meant as a profile. */
static bool names_profile(const char *word) {
    return strcmp(word, "-") == 0 || strpbrk(word, "./") || model_find(word) || access(word, F_OK) == 0;
}

static enum ss_status find_command(struct options *options, const struct written *written, struct error *error) {
    const char *word = written->word_count ? written->word[0] : NULL;
    int first = 0;
    options->command = word ? command_find(word) : DEFAULT_COMMAND;
    if (word && options->command != COMMAND_COUNT)
        first = 1;
    else if (word && !names_profile(word)) {
        char text[80];
        struct suggestion near = { .word = word };
        for (int i = 0; i < COMMAND_COUNT; i++)
            suggest(&near, COMMAND_TABLE[i].name);
        for (uint32_t i = 0; i < MODEL_COUNT; i++)
            suggest(&near, MODELS[i].name);
        return error_set(error, SS_USAGE, "'%s' is no command, built-in model or file%s", word,
                         suggestion_text(&near, "", text));
    } else if (word)
        options->command = DEFAULT_COMMAND;
    for (int i = first; i < written->word_count && options->argument_count < ARGUMENTS_MAX; i++)
        options->argument[options->argument_count++] = written->word[i];
    return SS_OK;
}

static const char *arguments_taken(int most) {
    static const char *const WORDS[] = { "no argument", "one argument", "two arguments", "three arguments" };
    return most < (int)(sizeof WORDS / sizeof WORDS[0]) ? WORDS[most] : "32 arguments at most";
}

static enum ss_status check_words(const struct options *options, const struct written *written, struct error *error) {
    const struct command *command = &COMMAND_TABLE[options->command];
    for (int i = 0; i < OPTION_COUNT; i++)
        if (written->value[i] && !(OPTION_TABLE[i].commands & 1u << options->command))
            return error_set(error, SS_USAGE, "%s has no option '--%s'", command->name, OPTION_TABLE[i].name);
    if (written->value[OPTION_preset] && options->argument_count > 0)
        return error_set(error, SS_USAGE, "--preset stands in place of a profile: what is '%s'?", options->argument[0]);
    if (options->argument_count < command->least)
        return error_set(error, SS_USAGE, "%s needs %s", command->name, command->arguments);
    if (options->argument_count > command->most)
        return error_set(error, SS_USAGE, "%s takes %s: what is '%s'?", command->name, arguments_taken(command->most),
                         options->argument[command->most]);
    return SS_OK;
}

/* Whether a preset says it: then only a flag says otherwise. */
static bool preset_says(enum option_id id) {
    static const enum option_id SAID[] = { OPTION_budget, OPTION_gpu_memory, OPTION_headroom, OPTION_link, OPTION_bandwidth,
                                           OPTION_h2d, OPTION_d2h, OPTION_h2d_both, OPTION_d2h_both, OPTION_duplex,
                                           OPTION_latency, OPTION_share, OPTION_planner, OPTION_batch, OPTION_seq,
                                           OPTION_attention, OPTION_no_head, OPTION_gpu };
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
        if (SAID[i] == id)
            return true;
    return false;
}

/* What flags leave open comes from the environment, and what that leaves open from the file. */
static enum ss_status fill_in(struct options *options, struct written *written, const struct config_file *file) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        char name[40];
        const struct option_entry *entry = &OPTION_TABLE[id];
        if (written->value[id] || !entry->setting || !(entry->commands & 1u << options->command) ||
            (written->value[OPTION_preset] && preset_says((enum option_id)id)))
            continue;
        const char *value = getenv(option_variable((enum option_id)id, name));
        if (value && *value) {
            written->value[id] = value;
            options->source[id] = SOURCE_ENVIRONMENT;
        } else if (file->value[id]) {
            written->value[id] = file->value[id];
            options->source[id] = SOURCE_FILE;
        }
    }
    return SS_OK;
}

/* Turns an error about a value into one about the place where it was written. */
static enum ss_status blame(const struct options *options, enum option_id id, const struct config_file *file,
                            struct error *error) {
    char name[40];
    switch (options->source[id]) {
    case SOURCE_FILE:
        error_place(error, "%s: $.%s", file->path, OPTION_TABLE[id].name);
        return SS_BAD_INPUT;
    case SOURCE_ENVIRONMENT:
        error_place(error, "%s", option_variable(id, name));
        return SS_USAGE;
    default:
        error_place(error, "--%s", OPTION_TABLE[id].name);
        return SS_USAGE;
    }
}

/* Of a pair that excludes each other the one that was given closer at hand stands. */
static enum ss_status settle_pairs(struct options *options, struct written *written, const struct config_file *file,
                                   struct error *error) {
    for (size_t i = 0; i < sizeof EXCLUSIVE / sizeof EXCLUSIVE[0]; i++) {
        enum option_id a = EXCLUSIVE[i][0], b = EXCLUSIVE[i][1];
        if (!written->value[a] || !written->value[b])
            continue;
        if (options->source[a] == options->source[b]) {
            error_set(error, SS_USAGE, "give this or %s, not both", OPTION_TABLE[a].name);
            return blame(options, b, file, error);
        }
        enum option_id loser = options->source[a] < options->source[b] ? a : b;
        written->value[loser] = NULL;
        options->source[loser] = SOURCE_DEFAULT;
    }
    return SS_OK;
}

static enum ss_status take_all(struct options *options, const struct written *written, const struct config_file *file,
                               struct error *error) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!written->value[id])
            continue;
        /* A headroom that stands in the settings waits for a --gpu-memory; only one that was asked for is a mistake. */
        if (id == OPTION_headroom && options->source[id] != SOURCE_FLAG &&
            !knob_applies(KNOB_HEADROOM, &options->settings))
            continue;
        enum ss_status status = option_take((enum option_id)id, options, written->value[id], error);
        if (status == SS_USAGE)
            return blame(options, (enum option_id)id, file, error);
        if (status != SS_OK) /* a file that the value names: the error says where in it */
            return status;
    }
    return SS_OK;
}

static enum ss_status needs(enum option_id id, const char *other, struct error *error) {
    error_set(error, SS_USAGE, "needs %s", other);
    error_place(error, "--%s", OPTION_TABLE[id].name);
    return SS_USAGE;
}

/* What would do nothing is not passed over in silence. */
static enum ss_status check_needs(const struct options *options, struct error *error) {
    static const enum option_id OF_QUALITY[] = { OPTION_budget, OPTION_bandwidth, OPTION_duplex, OPTION_planner,
                                                 OPTION_seed, OPTION_jobs };
    if (options->actions && !options->json)
        return needs(OPTION_actions, "--json", error);
    if (options->command != COMMAND_BENCH || options->quality)
        return SS_OK;
    for (size_t i = 0; i < sizeof OF_QUALITY / sizeof OF_QUALITY[0]; i++)
        if (options->source[OF_QUALITY[i]] == SOURCE_FLAG)
            return needs(OF_QUALITY[i], "--quality", error);
    if (options->argument_count > 0)
        return error_set(error, SS_USAGE, "bench takes no argument without --quality: what is '%s'?",
                         options->argument[0]);
    return SS_OK;
}

static void set_defaults(struct options *options) {
    *options = (struct options){
        .settings = settings_default(),
        .plan_time_us = NAN,
        .at_us = NAN,
        .shard = { 1, 1 },
        .fail_on = SEVERITY_ERROR,
        .width = 80,
        .height = 24,
        .theme.theme = THEME_DEFAULT,
    };
}

enum ss_status options_parse(int argc, char *const *argv, struct options *out, struct error *error) {
    struct written written = { 0 };
    struct config_file file = { 0 };
    set_defaults(out);
    enum ss_status status = write_down(argc, argv, out, &written, error);
    if (status != SS_OK)
        return status;
    for (int id = 0; id < OPTION_COUNT; id++)
        out->flag[id] = written.value[id] && OPTION_TABLE[id].argument ? written.value[id] : written.value[id] ? "" : NULL;
    out->help = written.value[OPTION_help];
    out->version = written.value[OPTION_version];
    if (out->version || (out->help && written.word_count == 0)) {
        out->command = COMMAND_COUNT;
        return SS_OK;
    }
    status = find_command(out, &written, error);
    if (status != SS_OK || out->help)
        return status;
    status = check_words(out, &written, error);
    if (status == SS_OK)
        status = config_file_read(&out->arena, &file, error);
    if (status == SS_OK)
        status = fill_in(out, &written, &file);
    if (status == SS_OK)
        status = settle_pairs(out, &written, &file, error);
    if (status == SS_OK)
        status = take_all(out, &written, &file, error);
    return status == SS_OK ? check_needs(out, error) : status;
}

bool options_want_color(const struct options *options) {
    const char *no_color = getenv("NO_COLOR");
    if (options->color == COLOR_AUTO)
        return !(no_color && *no_color);
    return options->color == COLOR_ALWAYS;
}

void options_free(struct options *options) {
    theme_file_free(&options->theme);
    arena_free(&options->arena);
}
