/* checker: see checker.h. */
#include "checker.h"

#include <string.h>

#include "planner.h"

#define NOTABLE_SHARE 1e-5      /* of the step */
#define OPS_A_CHECK 10000000    /* steps played in all, about: some seconds */
#define EVALUATIONS_LEAST 200
#define EVALUATIONS_MOST 20000

/* ---- groups --------------------------------------------------------------------------------------------------- */

static uint32_t key_of(const struct profile *profile, uint32_t tensor, bool by_layer) {
    return by_layer ? profile->ops[profile->tensors[tensor].producer].layer : tensor;
}

static void take_in(struct checker *c, struct group *group, uint32_t tensor) {
    const struct tensor *t = &c->profile->tensors[tensor];
    const uint8_t action = c->plan.action[tensor];
    if (group->count == 0)
        *group = (struct group){ .action = action, .recomputable = true, .producer = t->producer };
    else if (group->action != action)
        group->action = ACTION_COUNT;
    group->count++;
    group->bytes += t->bytes;
    group->recomputable = group->recomputable && closure_allows(&c->closure, c->profile, tensor);
    group->producer = t->producer < group->producer ? t->producer : group->producer;
}

/* Groups the tensors that may move, by the first of each: a counting sort. */
static enum ss_status group_tensors(struct checker *c, struct error *error) {
    const struct profile *p = c->profile;
    const bool by_layer = strcmp(c->plan.unit, UNIT_NAME[UNIT_LAYER]) == 0;
    uint32_t *number = ARENA_ARRAY(c->arena, uint32_t, by_layer ? p->layer_count : p->tensor_count);
    c->group = ARENA_ARRAY(c->arena, struct group, p->managed_count);
    c->tensor = ARENA_ARRAY(c->arena, uint32_t, p->managed_count);
    c->group_of = ARENA_ARRAY(c->arena, uint32_t, p->tensor_count);
    if (!number || !c->group || !c->tensor || !c->group_of)
        return error_no_memory(error);
    memset(c->group_of, 0xff, p->tensor_count * sizeof *c->group_of); /* NONE */
    for (uint32_t m = 0; m < p->managed_count; m++) {
        const uint32_t tensor = p->managed[m];
        if (p->tensors[tensor].keep)
            continue;
        uint32_t *key = &number[key_of(p, tensor, by_layer)];
        if (*key == 0)
            *key = ++c->group_count;
        c->group_of[tensor] = *key - 1;
        take_in(c, &c->group[*key - 1], tensor);
    }
    uint32_t at = 0;
    for (uint32_t g = 0; g < c->group_count; g++) {
        c->group[g].at = at;
        at += c->group[g].count;
        c->group[g].count = 0;
    }
    for (uint32_t m = 0; m < p->managed_count; m++) {
        const uint32_t g = c->group_of[p->managed[m]];
        if (g != NONE)
            c->tensor[c->group[g].at + c->group[g].count++] = p->managed[m];
    }
    return SS_OK;
}

/* ---- beginning and end ---------------------------------------------------------------------------------------- */

/* A copy that has distances, whether it needs them or not. */
static enum ss_status copy_with_distances(struct plan *out, const struct checker *c, const struct plan *plan,
                                          struct error *error) {
    const enum ss_status status = plan_copy(out, c->arena, c->profile, plan, error);
    return status == SS_OK ? plan_add_distances(out, c->arena, c->profile, error) : status;
}

/* What may not be recomputed is moved instead: that needs the least memory, and is always allowed. */
static void play_faults_down(struct checker *c) {
    const struct plan_faults *faults = c->task->faults;
    for (uint32_t i = 0; faults && i < faults->count; i++)
        if (faults->fault[i].kind == FAULT_FORBIDDEN)
            c->plan.action[faults->fault[i].tensor] = ACTION_OFFLOAD;
}

static uint64_t evaluation_limit(const struct check_task *task) {
    if (task->evaluation_limit > 0)
        return task->evaluation_limit;
    const uint64_t limit = OPS_A_CHECK / task->profile->op_count;
    return limit < EVALUATIONS_LEAST ? EVALUATIONS_LEAST : limit > EVALUATIONS_MOST ? EVALUATIONS_MOST : limit;
}

static enum ss_status play(struct checker *c, struct error *error) {
    const struct check_task *task = c->task;
    const enum ss_status status = sim_run(c->simulator, &c->plan, &task->link, task->budget_bytes, c->arena,
                                          &c->timeline, error);
    c->fits = status == SS_OK && checker_fits(c, &c->timeline.totals);
    c->notable_us = c->timeline.totals.feasible ? NOTABLE_SHARE * c->timeline.totals.step_us : 0;
    return status;
}

enum ss_status checker_begin(struct checker *c, const struct check_task *task, struct arena *arena,
                             struct findings *findings, struct error *error) {
    *c = (struct checker){ .task = task, .profile = task->profile, .arena = arena, .findings = findings,
                           .limit = evaluation_limit(task), .error = error };
    c->simulator = simulator_new(task->profile, error);
    if (!c->simulator)
        return SS_INTERNAL;
    enum ss_status status = copy_with_distances(&c->plan, c, task->plan, error);
    play_faults_down(c);
    if (status == SS_OK)
        status = copy_with_distances(&c->scratch, c, &c->plan, error);
    if (status == SS_OK)
        status = closure_compute(&c->closure, arena, task->profile, error);
    if (status == SS_OK)
        status = group_tensors(c, error);
    if (status == SS_OK) {
        c->flip = (struct flip(*)[ACTION_COUNT])arena_alloc(arena, c->group_count, sizeof *c->flip);
        status = c->flip ? play(c, error) : error_no_memory(error);
    }
    if (status != SS_OK)
        checker_end(c);
    return status;
}

void checker_end(struct checker *c) {
    simulator_free(c->simulator);
    c->simulator = NULL;
}

/* ---- trying --------------------------------------------------------------------------------------------------- */

bool checker_fits(const struct checker *c, const struct sim_totals *totals) {
    return totals->feasible && totals->host_peak_bytes <= c->task->host_memory_bytes;
}

static bool may_go_on(struct checker *c) {
    if (c->status == SS_OK && c->task->should_stop && c->task->should_stop(c->task->context))
        c->status = SS_STOPPED;
    c->limited = c->limited || c->evaluations >= c->limit;
    return c->status == SS_OK && c->evaluations < c->limit;
}

bool checker_simulate(struct checker *c, const struct plan *plan, struct sim_totals *totals) {
    if (!may_go_on(c))
        return false;
    c->evaluations++;
    const enum ss_status status = sim_evaluate(c->simulator, plan, &c->task->link, c->task->budget_bytes, totals,
                                               c->error);
    if (status == SS_INTERNAL)
        c->status = status;
    return status == SS_OK;
}

bool checker_may(const struct checker *c, uint32_t group, enum action action) {
    return action != ACTION_RECOMPUTE || c->group[group].recomputable;
}

void checker_set(const struct checker *c, struct plan *plan, uint32_t group, enum action action) {
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++)
        plan->action[c->tensor[g->at + i]] = (uint8_t)action;
}

const struct flip *checker_flip(struct checker *c, uint32_t group, enum action action) {
    struct flip *flip = &c->flip[group][action];
    const struct group *g = &c->group[group];
    if (!checker_may(c, group, action) || (action == (enum action)g->action))
        return NULL;
    if (!flip->tried) {
        checker_set(c, &c->scratch, group, action);
        flip->tried = checker_simulate(c, &c->scratch, &flip->totals);
        for (uint32_t i = 0; i < g->count; i++)
            c->scratch.action[c->tensor[g->at + i]] = c->plan.action[c->tensor[g->at + i]];
        flip->fits = flip->tried && checker_fits(c, &flip->totals);
    }
    return flip->tried ? flip : NULL;
}

/* ---- fixes ---------------------------------------------------------------------------------------------------- */

struct fix *checker_fix(struct checker *c, const struct plan *plan, const struct sim_totals *totals) {
    const struct sim_totals *before = &c->timeline.totals;
    const bool both = before->feasible && totals->feasible;
    struct fix *fix = ARENA_ARRAY(c->arena, struct fix, 1);
    if (!fix || changes_between(c->profile, &c->plan, plan, c->arena, &fix->change, &fix->count, c->error) != SS_OK) {
        c->findings->failed = true;
        return NULL;
    }
    fix->totals = *totals;
    fix->fits = checker_fits(c, totals);
    fix->step_change_us = both ? totals->step_us - before->step_us : NAN;
    fix->peak_change_bytes = both ? (double)totals->peak_bytes - (double)before->peak_bytes : NAN;
    return fix->count > 0 ? fix : NULL;
}

struct fix *checker_flip_fix(struct checker *c, uint32_t group, enum action action) {
    const struct flip *flip = checker_flip(c, group, action);
    if (!flip)
        return NULL;
    checker_set(c, &c->scratch, group, action);
    struct fix *fix = checker_fix(c, &c->scratch, &flip->totals);
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++)
        c->scratch.action[c->tensor[g->at + i]] = c->plan.action[c->tensor[g->at + i]];
    return fix;
}

/* ---- places and words ----------------------------------------------------------------------------------------- */

struct place checker_step_place(const struct checker *c, uint32_t step, double at_us) {
    const uint32_t op = c->timeline.schedule.op[step];
    return (struct place){ .step = step, .op = op, .layer = c->profile->ops[op].layer, .tensor = NONE, .at_us = at_us };
}

struct place checker_tensor_place(const struct checker *c, uint32_t tensor) {
    struct place place = PLACE_NOWHERE;
    const uint32_t producer = c->profile->tensors[tensor].producer;
    place.tensor = tensor;
    place.op = producer;
    place.layer = producer == NONE ? NONE : c->profile->ops[producer].layer;
    return place;
}

const char *checker_words(struct checker *c, const struct words *words) {
    const char *text = arena_strdup(c->arena, words->text);
    c->findings->failed = c->findings->failed || !text;
    return text ? text : "";
}

void words_group(struct words *words, const struct checker *c, uint32_t group) {
    const struct group *g = &c->group[group];
    const bool by_layer = strcmp(c->plan.unit, UNIT_NAME[UNIT_LAYER]) == 0;
    if (by_layer)
        words_name(words, "layer '", c->profile->layers[c->profile->ops[g->producer].layer].name, "'");
    else
        words_name(words, "'", c->profile->tensors[c->tensor[g->at]].name, "'");
}
