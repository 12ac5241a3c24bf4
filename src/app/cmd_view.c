/* view: opens the viewer; where there is nobody to look at it, or --plain asks for it, the report is printed instead. */
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "core/preset.h"
#include "io/file.h"
#include "load.h"
#include "loop.h"
#include "options.h"
#include "planning.h"
#include "talk.h"
#include "term.h"

/* How long each request may search, as a command would have it: a number of evaluations knows no clock, and where only a
 * time was given, the time alone ends the search. */
static double plan_time_us(const struct options *options, struct settings *settings) {
    if (options->source[OPTION_evals] != SOURCE_DEFAULT)
        return INFINITY;
    if (isnan(options->plan_time_us))
        return PLAN_TIME_DEFAULT_US;
    settings->evaluation_limit = UINT64_MAX;
    return options->plan_time_us;
}

/* Dies of the signal that ended the viewer, now that the terminal is back: whoever started us should know. */
static void die_of(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/* The file has changed. CONTEXT are the options, quiet: the screen is in use. */
static enum ss_status reload(void *context, struct arena *arena, struct profile *out, struct error *error) {
    const char *path = profile_path(context);
    enum ss_status status = path ? file_check_regular(path, error) : SS_OK;
    return status == SS_OK ? load_profile(context, arena, out, error) : error_in_file(error, path, status);
}

/* Whoever names nothing at all may want to be shown around. */
static bool wants_start_screen(const struct options *options, const struct replay *replay) {
    static const enum option_id LOOKS[] = { OPTION_theme, OPTION_ascii, OPTION_color, OPTION_no_mouse };
    int looks = 0, given = 0;
    for (size_t i = 0; i < sizeof LOOKS / sizeof LOOKS[0]; i++)
        looks += options->flag[LOOKS[i]] != NULL;
    for (int id = 0; id < OPTION_COUNT; id++)
        given += options->flag[id] != NULL;
    return !replay && options->argument_count == 0 && given == looks;
}

static enum ss_status view(const struct options *options, const struct profile *profile, const struct plan *plan,
                           struct school *school, struct replay *replay, const char *words, struct error *error) {
    struct settings settings = options->settings;
    struct options quiet = *options;
    const struct term_options look = { &options->theme.theme, !options_want_color(options), options->ascii,
                                       !options->no_mouse };
    struct loop_options loop = {
        .theme = &options->theme,
        .profile = profile,
        .settings = &settings,
        .plan = plan,
        .plan_time_us = plan_time_us(options, &settings),
        .compute = outcome_compute,
        .challenge = options->challenge,
        .replay = replay,
        .replay_words = words,
        .first_words = options->preset && !replay ? options->preset->words : NULL,
        .first_keys = wants_start_screen(options, replay) ? "H" : NULL,
        .path = profile_path(options),
        .reload = reload,
        .context = &quiet,
        .school = school,
        .lesson = NONE,
    };
    quiet.quiet = true;
    settings.work = load_work(options);
    enum loop_end end = LOOP_QUIT;
    int number = 0;
    enum ss_status status = SS_OK;
    if (options->lesson)
        status = school_find(school, options->lesson, &loop.lesson, &loop.step, error);
    if (status == SS_OK)
        status = term_open(&loop.term, &look, error);
    if (status != SS_OK)
        return status;
    loop.session = session_begin(options);
    if (replay)
        replay->session = loop.session;
    status = loop_run(&loop, &end, &number, error);
    term_close(loop.term);
    session_end(loop.session);
    if (end == LOOP_SIGNAL)
        die_of(number);
    return status;
}

static enum ss_status load_and_view(const struct options *options, struct replay *replay, const char *words,
                                    struct error *error) {
    struct plan plan;
    struct profile profile;
    struct arena arena = { 0 };
    struct school school;
    enum ss_status status = load_check_inputs(options, error);
    school_init(&school, true);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK && options->plan)
        status = load_plan(options, options->plan, &profile, &arena, &plan, error);
    if (status == SS_OK)
        status = view(options, &profile, options->plan ? &plan : NULL, &school, replay, words, error);
    school_free(&school);
    arena_free(&arena);
    return status;
}

/* Does the session in PATH again, and goes on from there. */
static enum ss_status view_again(const struct options *options, const char *path, const char *words,
                                 struct error *error) {
    struct replay replay;
    struct options asked = { .argument_count = 0 };
    enum ss_status status = replay_read(path, &replay, error);
    if (status == SS_OK)
        status = replay_options(&replay, options, &asked, error);
    if (status == SS_OK)
        status = load_and_view(&asked, &replay, words, error);
    options_free(&asked);
    replay_free(&replay);
    return status;
}

/* The report instead of the viewer; what only a screen can show is refused. */
static enum ss_status report(const struct options *options, struct error *error) {
    static const enum option_id SEEN[] = { OPTION_replay, OPTION_lesson, OPTION_challenge };
    for (size_t i = 0; i < sizeof SEEN / sizeof SEEN[0]; i++) {
        if (options->flag[SEEN[i]] == NULL)
            continue;
        error_set(error, SS_USAGE, "is for the viewer on a terminal, not for its report; 'slackswap screen' draws it");
        error_place(error, "--%s", OPTION_TABLE[SEEN[i]].name);
        return SS_USAGE;
    }
    return options->plan ? cmd_simulate(options, error) : cmd_plan(options, error);
}

enum ss_status cmd_view(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct error broken;
    if (options->plain || !isatty(STDOUT_FILENO))
        return report(options, error);
    if (options->replay)
        return view_again(options, options->replay, "Done again: go on from here, u undoes.", error);
    const char *crashed = session_crashed(options, &arena);
    enum ss_status status = SS_BAD_INPUT;
    if (crashed)
        status = view_again(options, crashed, "Restored what a crash had ended: go on from here, u undoes.", &broken);
    if (status == SS_BAD_INPUT) /* none, or it can't be read */
        status = load_and_view(options, NULL, NULL, error);
    else if (status != SS_OK)
        *error = broken;
    arena_free(&arena);
    return status;
}
