/* explain: why a step came out as it did, and what would change it, in words. */
#include <math.h>

#include "core/explain.h"
#include "io/report_explain.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"
#include "suggest.h"

struct subject {
    struct profile profile;
    struct plan plan;
    struct plan_details details;
    struct outcome outcome;
    struct report_extras extras;
    struct explain_selection selection;
};

static enum ss_status check(const struct options *options, struct error *error) {
    const int asked = (options->tensor != NULL) + (options->op != NULL) + (options->layer != NULL) + options->stalls +
                      !isnan(options->at_us);
    if (asked > 1)
        return error_set(error, SS_USAGE, "give one of --tensor, --op, --layer, --stalls and --at");
    return load_check_inputs(options, error);
}

/* What stands in the profile under the name asked for; each list of names is tried the same way. */
enum named { NAMED_TENSOR, NAMED_OP, NAMED_LAYER };

static const char *name_at(const struct profile *profile, enum named what, uint32_t i) {
    return what == NAMED_TENSOR ? profile->tensors[i].name : what == NAMED_OP ? profile->ops[i].name : profile->layers[i].name;
}

static enum ss_status find(const struct profile *profile, enum named what, const char *name, uint32_t *index,
                           struct error *error) {
    static const char *const WHAT[] = { "tensor", "op", "layer" };
    const uint32_t count = what == NAMED_TENSOR ? profile->tensor_count
                         : what == NAMED_OP     ? profile->op_count
                                                : profile->layer_count;
    struct suggestion near = { .word = name };
    char text[80];
    *index = what == NAMED_TENSOR ? profile_find_tensor(profile, name)
           : what == NAMED_OP     ? profile_find_op(profile, name)
                                  : profile_find_layer(profile, name);
    if (*index != NONE)
        return SS_OK;
    for (uint32_t i = 0; i < count; i++)
        suggest(&near, name_at(profile, what, i));
    error_set(error, SS_USAGE, "no %s of profile '%.80s' is called '%.120s'%s", WHAT[what], profile->name, name,
              suggestion_text(&near, "", text));
    error_place(error, "--%s", WHAT[what]);
    return SS_USAGE;
}

static enum ss_status select_subject(const struct options *options, struct subject *subject, struct error *error) {
    struct explain_selection *selection = &subject->selection;
    if (options->tensor) {
        selection->topic = EXPLAIN_TENSOR;
        return find(&subject->profile, NAMED_TENSOR, options->tensor, &selection->index, error);
    }
    if (options->op) {
        selection->topic = EXPLAIN_OP;
        return find(&subject->profile, NAMED_OP, options->op, &selection->index, error);
    }
    if (options->layer) {
        selection->topic = EXPLAIN_LAYER;
        return find(&subject->profile, NAMED_LAYER, options->layer, &selection->index, error);
    }
    selection->at_us = options->at_us;
    selection->topic = options->stalls ? EXPLAIN_STALLS : isnan(options->at_us) ? EXPLAIN_ALL : EXPLAIN_TIME;
    return SS_OK;
}

static enum ss_status load(const struct options *options, struct arena *arena, struct subject *subject,
                           struct error *error) {
    enum ss_status status = load_profile(options, arena, &subject->profile, error);
    if (status == SS_OK)
        status = select_subject(options, subject, error);
    if (status == SS_OK && options->plan)
        status = load_plan_details(options, options->plan, &subject->profile, arena, &subject->plan, &subject->details,
                                   error);
    if (status == SS_OK)
        status = planning_run(options, &subject->profile, options->plan ? NULL : options->settings.planner,
                              options->plan ? &subject->plan : NULL, NULL, arena, &subject->outcome, &subject->extras,
                              error);
    subject->extras.details = options->plan ? &subject->details : NULL;
    return status;
}

/* How long planners may search: each of them, and all together. */
struct patience { double each_us; struct deadline now, last; };
#define ALL_PLANNING_US 120e6

static void start_planner(void *context) {
    struct patience *patience = context;
    patience->now.at_us = fmin(clock_us() + patience->each_us, patience->last.at_us);
}

static bool stop_planner(void *context) { return deadline_passed(&((struct patience *)context)->now); }

static enum ss_status run(const struct options *options, struct arena *arena, const struct subject *subject,
                          struct explanation *out, struct error *error) {
    const bool by_evaluations = options->source[OPTION_evals] != SOURCE_DEFAULT, by_time = !isnan(options->plan_time_us);
    struct patience patience = { .each_us = by_evaluations ? INFINITY : by_time ? options->plan_time_us : PLAN_TIME_DEFAULT_US,
                                 .last = { by_evaluations || by_time ? INFINITY : clock_us() + ALL_PLANNING_US } };
    struct explain_request request = {
        .outcome = &subject->outcome, .settings = options->settings, .replayed = options->plan != NULL,
        .measurements = subject->details.measurements, .measurement_count = subject->details.measurement_count,
        .started = start_planner, .should_stop = stop_planner, .context = &patience,
    };
    if (by_time && !by_evaluations)
        request.settings.evaluation_limit = UINT64_MAX;
    return explain(&request, &subject->selection, arena, out, error);
}

static enum ss_status print(const struct options *options, const struct subject *subject,
                            const struct explanation *explanation, struct error *error) {
    struct buffer out = { 0 };
    if (options->json)
        explain_json(&out, &subject->outcome, explanation, &subject->extras);
    else
        explain_text(&out, &subject->outcome, explanation);
    return output_buffer(options, &out, error);
}

enum ss_status cmd_explain(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct explanation explanation;
    struct subject *subject = ARENA_ARRAY(&arena, struct subject, 1);
    enum ss_status status = check(options, error);
    if (status == SS_OK && !subject)
        status = error_no_memory(error);
    if (status == SS_OK)
        status = load(options, &arena, subject, error);
    if (status == SS_OK)
        status = run(options, &arena, subject, &explanation, error);
    if (status == SS_OK)
        status = print(options, subject, &explanation, error);
    if (status == SS_OK && !outcome_feasible(&subject->outcome))
        status = SS_NO;
    arena_free(&arena);
    return status;
}
