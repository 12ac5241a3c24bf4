/* view: opens the viewer; where there is nobody to look at it, or --plain asks for it, the report is printed instead. */
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "load.h"
#include "loop.h"
#include "options.h"
#include "planning.h"
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

static enum ss_status view(const struct options *options, const struct profile *profile, const struct plan *plan,
                           struct error *error) {
    struct settings settings = options->settings;
    const struct term_options look = { &options->theme.theme, !options_want_color(options), options->ascii,
                                       !options->no_mouse };
    struct loop_options loop = {
        .theme = &options->theme,
        .profile = profile,
        .settings = &settings,
        .plan = plan,
        .plan_time_us = plan_time_us(options, &settings),
        .compute = outcome_compute,
    };
    enum loop_end end = LOOP_QUIT;
    int number = 0;
    enum ss_status status = term_open(&loop.term, &look, error);
    if (status != SS_OK)
        return status;
    status = loop_run(&loop, &end, &number, error);
    term_close(loop.term);
    if (end == LOOP_SIGNAL)
        die_of(number);
    return status;
}

enum ss_status cmd_view(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct plan plan;
    if (options->plain || !isatty(STDOUT_FILENO))
        return options->plan ? cmd_simulate(options, error) : cmd_plan(options, error);
    enum ss_status status = load_check_inputs(options, error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK && options->plan)
        status = load_plan(options, options->plan, &profile, &arena, &plan, error);
    if (status == SS_OK)
        status = view(options, &profile, options->plan ? &plan : NULL, error);
    arena_free(&arena);
    return status;
}
