#include "load.h"

#include <string.h>
#include <unistd.h>

#include "core/preset.h"
#include "importing.h"
#include "io/file.h"
#include "io/profile_json.h"
#include "suggest.h"
#include "talk.h"

/* Options that only a built-in model has. */
static const enum option_id MODEL_OPTIONS[] = { OPTION_batch, OPTION_seq, OPTION_attention, OPTION_no_head, OPTION_gpu };

static enum ss_status refuse_model_options(const struct options *options, const char *name, struct error *error) {
    for (size_t i = 0; i < sizeof MODEL_OPTIONS / sizeof MODEL_OPTIONS[0]; i++) {
        if (options->source[MODEL_OPTIONS[i]] != SOURCE_FLAG)
            continue;
        error_set(error, SS_USAGE, "applies to built-in models only, and '%s' is none", name);
        error_place(error, "--%s", OPTION_TABLE[MODEL_OPTIONS[i]].name);
        return SS_USAGE;
    }
    return SS_OK;
}

/* What a file that is no profile may be instead. */
static enum ss_status advise(const char *name, enum ss_status status, struct error *error) {
    if (status == SS_BAD_INPUT && strcmp(name, "-") != 0 && import_knows(name))
        error_set(error, SS_BAD_INPUT, "a recording, no profile: 'slackswap import FILE -o profile.json' makes one of it");
    return error_in_file(error, name, status);
}

enum ss_status load_profile_file(const struct options *options, const char *name, struct arena *arena, struct profile *out,
                                 struct error *error) {
    struct file_text text;
    struct warnings warnings = { 0 };
    enum ss_status status = file_read(name, &text, error);
    if (status == SS_OK) {
        status = profile_json_read(text.text, text.length, arena, out, &warnings, error);
        file_text_free(&text);
    }
    if (status != SS_OK)
        return advise(name, status, error);
    talk_warnings(options, name, &warnings);
    return SS_OK;
}

enum ss_status load_check_inputs(const struct options *options, struct error *error) {
    if (options->plan && options->argument_count > 0 && strcmp(options->plan, "-") == 0 &&
        strcmp(options->argument[0], "-") == 0)
        return error_set(error, SS_USAGE, "profile and plan can't both be standard input");
    return SS_OK;
}

enum ss_status load_plan_details(const struct options *options, const char *name, const struct profile *profile,
                                 struct arena *arena, struct plan *out, struct plan_details *details,
                                 struct error *error) {
    struct file_text text;
    struct warnings warnings = { 0 };
    enum ss_status status = file_read(name, &text, error);
    if (status == SS_OK) {
        status = plan_json_read_details(text.text, text.length, profile, arena, out, details, &warnings, error);
        file_text_free(&text);
    }
    if (status != SS_OK)
        return error_in_file(error, name, status);
    talk_warnings(options, name, &warnings);
    return SS_OK;
}

enum ss_status load_plan(const struct options *options, const char *name, const struct profile *profile,
                         struct arena *arena, struct plan *out, struct error *error) {
    struct plan_details details;
    return load_plan_details(options, name, profile, arena, out, &details, error);
}

enum ss_status load_faulty_plan(const struct options *options, const char *name, const struct profile *profile,
                                struct arena *arena, struct plan *out, struct plan_reading *reading,
                                struct error *error) {
    struct file_text text;
    struct warnings warnings = { 0 };
    enum ss_status status = file_read(name, &text, error);
    if (status == SS_OK) {
        reading->faults = (struct plan_faults){ .arena = arena };
        status = plan_json_read_faulty(text.text, text.length, profile, arena, out, &reading->faults, &warnings, error);
        if (status == SS_OK)
            status = member_lines_find(text.text, text.length, arena, &reading->lines, error);
        file_text_free(&text);
    }
    if (status != SS_OK)
        return error_in_file(error, name, status);
    talk_warnings(options, name, &warnings);
    return SS_OK;
}

/* " (did you mean 'MODEL'?)", or nothing. */
static const char *near_model(const char *name, char text[80]) {
    struct suggestion near = { .word = name };
    for (uint32_t i = 0; i < MODEL_COUNT; i++)
        suggest(&near, MODELS[i].name);
    return suggestion_text(&near, "", text);
}

enum ss_status load_model(const struct options *options, const char *name, struct arena *arena, struct profile *out,
                          struct error *error) {
    const struct model *model = model_find(name);
    if (model)
        return model_build(model, &options->model, arena, out, error);
    char text[80];
    return error_set(error, SS_USAGE, "no built-in model is called '%s'%s; 'slackswap model --list' names them", name,
                     near_model(name, text));
}

static const char *profile_name(const struct options *options) {
    return options->argument_count ? options->argument[0] : options->preset ? options->preset->model : DEFAULT_MODEL;
}

const char *profile_path(const struct options *options) {
    const char *name = profile_name(options);
    return model_find(name) || strcmp(name, "-") == 0 ? NULL : name;
}

enum ss_status load_profile(const struct options *options, struct arena *arena, struct profile *out,
                            struct error *error) {
    const char *name = profile_name(options);
    char text[80];
    if (model_find(name))
        return load_model(options, name, arena, out, error);
    if (strpbrk(name, "./") == NULL && strcmp(name, "-") != 0 && access(name, F_OK) != 0)
        return error_set(error, SS_USAGE, "'%s' is no built-in model or file%s", name, near_model(name, text));
    enum ss_status status = refuse_model_options(options, name, error);
    if (status == SS_OK)
        status = load_profile_file(options, name, arena, out, error);
    if (status == SS_OK && options->link)
        out->link = options->link->link;
    return status;
}

struct work_choice load_work(const struct options *options) {
    const struct model *model = model_find(profile_name(options));
    return model ? work_of_model(model, &options->model) : (struct work_choice){ .profile = WORK_OPENED };
}
