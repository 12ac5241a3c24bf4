#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>

#define OPS_MOST 64
#define EVALUATIONS 20

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
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
    arena_free(&arena);
}

void exercise_reading(enum ss_status status, const struct error *error) {
    if (status != SS_OK && (status != SS_BAD_INPUT || !*error->text))
        fail("reading", *error->text ? error->text : "no message");
}

void exercise_profile(const struct profile *profile, const struct plan *plan) {
    struct outcome_request request = {
        .profile = profile,
        .budget = BUDGET_CHOICE_DEFAULT,
        .host_memory_bytes = BYTES_UNLIMITED,
        .evaluation_limit = EVALUATIONS,
        .plan = plan,
    };
    if (profile->op_count > OPS_MOST)
        return;
    if (plan)
        compute(&request, "replay");
    request.plan = NULL;
    for (uint32_t i = 0; i < PLANNER_COUNT; i++) {
        request.planner = &PLANNERS[i];
        compute(&request, PLANNERS[i].name);
    }
}
