#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/export.h"

#define OPS_MOST 64
#define EVALUATIONS 20

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

/* Every export of one result. */
static void take_away(const struct outcome *outcome) {
    static const struct palette palette;
    const struct look look = { &palette, &palette };
    for (uint32_t i = 0; i < EXPORT_COUNT; i++) {
        struct buffer out = { 0 };
        if (!EXPORTS[i].put || (EXPORTS[i].needs_times && !outcome->timeline.totals.feasible))
            continue;
        EXPORTS[i].put(&out, outcome, &look);
        if (out.failed || out.length == 0)
            fail(EXPORTS[i].name, "nothing came of it");
        buffer_free(&out);
    }
}

static void compute(const struct outcome_request *request, const char *name) {
    struct arena arena = { 0 };
    struct outcome outcome;
    struct error error = { 0 };
    const enum ss_status status = outcome_compute(request, &arena, &outcome, &error);
    /* a plan may re-run what can't be, or the GPU may be too small: refusals, with words */
    if (status != SS_OK && (!*error.text || (status != SS_BAD_INPUT && status != SS_USAGE)))
        fail(name, error.text);
    if (status == SS_OK && outcome_feasible(&outcome) && outcome_gap(&outcome) < -1e-9)
        fail(name, "a step below the bound");
    if (status == SS_OK)
        take_away(&outcome);
    arena_free(&arena);
}

void exercise_reading(enum ss_status status, const struct error *error) {
    if (status != SS_OK && (status != SS_BAD_INPUT || !*error->text))
        fail("reading", *error->text ? error->text : "no message");
}

static struct outcome_request half_of(const struct profile *profile) {
    return (struct outcome_request){
        .profile = profile,
        .budget = BUDGET_CHOICE_DEFAULT,
        .host_memory_bytes = BYTES_UNLIMITED,
        .evaluation_limit = EVALUATIONS,
    };
}

void exercise_plan(const struct profile *profile, const struct plan *plan) {
    struct outcome_request request = half_of(profile);
    request.plan = plan;
    compute(&request, "replay");
}

void exercise_profile(const struct profile *profile, const struct plan *plan) {
    struct outcome_request request = half_of(profile);
    if (profile->op_count > OPS_MOST)
        return;
    if (plan)
        exercise_plan(profile, plan);
    for (uint32_t i = 0; i < PLANNER_COUNT; i++) {
        request.planner = &PLANNERS[i];
        compute(&request, PLANNERS[i].name);
    }
}
