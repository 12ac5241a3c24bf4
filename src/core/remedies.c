/* remedies: see remedies.h.
 *
 * A knob's least value is found by halving between the present one, where the step waits, and one where it does not: there
 * and one notch below have both been simulated, whatever lies between. */
#include "remedies.h"

#include <stdio.h>
#include <string.h>

#include "checker.h"
#include "units.h"

#define RATE_MOST_TIMES 16      /* of the present rate */
#define BUDGET_NOTCHES 2048     /* notches, each a 1024th of the unlimited peak */
#define NOTCHES_A_PEAK 1024

struct search {
    const struct remedies_task *task;
    struct check_task checking;
    struct checker checker;
    struct limits limits;
    struct link link;
    uint64_t budget_bytes;
    struct arena scratch;
    struct remedies *out;
    struct error *error;
};

/* ---- knobs ---------------------------------------------------------------------------------------------------- */

/* Plays the plan under SETTINGS. False when it can't be done, or does not fit. */
static bool play(struct search *s, const struct settings *settings, struct timeline *out) {
    struct link link;
    uint64_t budget;
    arena_reset(&s->scratch);
    if (s->task->should_stop && s->task->should_stop(s->task->context)) {
        s->checker.status = SS_STOPPED;
        return false;
    }
    if (link_resolve(&s->task->profile->link, &settings->link, &link, s->error) != SS_OK ||
        budget_resolve(&settings->budget, s->task->profile, &s->limits, &budget, s->error) != SS_OK)
        return false;
    const enum ss_status status = sim_run(s->checker.simulator, &s->checker.plan, &link, budget, &s->scratch, out,
                                          s->error);
    if (status == SS_INTERNAL)
        s->checker.status = status;
    return status == SS_OK && out->totals.feasible && out->totals.host_peak_bytes <= settings->host_memory_bytes;
}

/* The N-th notch from the present value on. */
typedef bool notch_function(const struct search *s, uint32_t n, struct settings *settings);

static double bandwidth(const struct search *s) {
    struct link_options options = s->task->settings.link;
    struct link link = s->link;
    options.share = 1;
    link_resolve(&s->task->profile->link, &options, &link, NULL);
    return link.h2d_gb_per_s;
}

/* Rates of three digits. */
static double rate_notch(double rate) { return pow(10, floor(log10(rate)) - 2); }

static double rate_at(const struct search *s, uint32_t n) {
    const double rate = bandwidth(s), notch = rate_notch(rate);
    return (floor(rate / notch + 1e-9) + n) * notch;
}

static bool turn_rate(const struct search *s, uint32_t n, struct settings *settings) {
    char text[UNIT_TEXT];
    snprintf(text, sizeof text, "%.6g", rate_at(s, n));
    return knob_parse(KNOB_BANDWIDTH, text, s->task->profile, settings, NULL) == SS_OK;
}

static bool turn_budget(const struct search *s, uint32_t n, struct settings *settings) {
    const uint64_t notch = s->limits.unlimited_peak_bytes / NOTCHES_A_PEAK + 1;
    settings->budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = s->budget_bytes + n * notch };
    return true;
}

/* What is asked of a knob: that STEP waits no longer than that. */
struct aim { notch_function *turn; uint32_t step, most; double wait_us; };

static bool is_met(struct search *s, const struct aim *aim, uint32_t n, struct settings *settings,
                   struct timeline *out) {
    *settings = s->task->settings;
    if (!aim->turn(s, n, settings) || !play(s, settings, out))
        return false;
    const struct stall *stall = timeline_stall_of(out, aim->step);
    return !stall || stall_length(stall) <= aim->wait_us;
}

/* The first notch at which AIM is met; 0 when there is none. */
static uint32_t least_notch(struct search *s, const struct aim *aim, struct settings *settings,
                            struct timeline *timeline) {
    uint32_t low = 0, high = 1;
    while (high < aim->most && !is_met(s, aim, high, settings, timeline)) {
        low = high;
        high = high > aim->most / 2 ? aim->most : 2 * high;
    }
    if (high >= aim->most && !is_met(s, aim, high, settings, timeline))
        return 0;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(is_met(s, aim, middle, settings, timeline) ? &high : &low) = middle;
    }
    return is_met(s, aim, high, settings, timeline) ? high : 0;
}

static struct remedy *add(struct search *s, enum remedy_kind kind, const struct settings *settings,
                          const struct sim_totals *totals) {
    struct remedy *remedy = &s->out->remedy[s->out->count++];
    const struct sim_totals *before = &s->out->before;
    *remedy = (struct remedy){ .kind = kind, .settings = *settings, .tensor = NONE, .layer = NONE };
    remedy->fix.totals = *totals;
    remedy->fix.fits = totals->feasible && totals->host_peak_bytes <= settings->host_memory_bytes;
    remedy->fix.step_change_us = totals->feasible ? totals->step_us - before->step_us : NAN;
    remedy->fix.peak_change_bytes = totals->feasible ? (double)totals->peak_bytes - (double)before->peak_bytes : NAN;
    remedy->gains = remedy->fix.fits && remedy->fix.step_change_us < -s->checker.notable_us;
    return remedy;
}

/* Where no notch ends the wait, the one that halves it is told. */
static struct remedy *try_knob(struct search *s, enum remedy_kind kind, struct aim aim, double wait_us, uint32_t *notch) {
    struct settings settings;
    struct timeline timeline;
    aim.wait_us = s->checker.notable_us;
    *notch = least_notch(s, &aim, &settings, &timeline);
    const bool halves = *notch == 0;
    if (halves) {
        aim.wait_us = wait_us / 2;
        *notch = least_notch(s, &aim, &settings, &timeline);
    }
    if (*notch == 0)
        return NULL;
    struct remedy *remedy = add(s, kind, &settings, &timeline.totals);
    remedy->halves = halves;
    return remedy;
}

static void try_knobs(struct search *s, const struct stall *stall) {
    const double rate = bandwidth(s), wait_us = stall_length(stall);
    const uint32_t step = stall->step, rates = (uint32_t)((RATE_MOST_TIMES - 1) * rate / rate_notch(rate));
    uint32_t n;
    struct remedy *remedy = try_knob(s, REMEDY_RATE, (struct aim){ turn_rate, step, rates, 0 }, wait_us, &n);
    if (remedy)
        remedy->rate_gb_per_s = rate_at(s, n);
    remedy = try_knob(s, REMEDY_BUDGET, (struct aim){ turn_budget, step, BUDGET_NOTCHES, 0 }, wait_us, &n);
    if (remedy)
        remedy->more_bytes = remedy->settings.budget.bytes - s->budget_bytes;
}

/* ---- actions -------------------------------------------------------------------------------------------------- */

static void add_flip(struct search *s, uint32_t group, enum action action) {
    struct checker *c = &s->checker;
    const struct flip *flip = checker_flip(c, group, action);
    struct fix *fix = flip ? checker_flip_fix(c, group, action) : NULL;
    if (!fix || s->out->count == REMEDIES_MOST)
        return;
    struct remedy *remedy = add(s, REMEDY_TENSOR, &s->task->settings, &flip->totals);
    remedy->fix = *fix;
    remedy->tensor = c->tensor[c->group[group].at];
    remedy->action = action;
}

/* The tensor whose other action shortens the step most; none gains: TENSOR's own other actions are told. */
static void try_tensors(struct search *s, uint32_t tensor) {
    struct checker *c = &s->checker;
    uint32_t best = NONE;
    enum action to = ACTION_KEEP;
    double gain = c->notable_us;
    for (uint32_t g = 0; g < c->group_count; g++)
        for (int action = 0; action < ACTION_COUNT; action++) {
            const struct flip *flip = checker_flip(c, g, (enum action)action);
            if (!flip || !flip->fits || !(checker_gain(c, &flip->totals) > gain))
                continue;
            gain = checker_gain(c, &flip->totals);
            best = g;
            to = (enum action)action;
        }
    if (best == NONE) {
        best = c->group_of[tensor];
        to = c->group[best].recomputable && c->group[best].action != ACTION_RECOMPUTE ? ACTION_RECOMPUTE : ACTION_KEEP;
    }
    add_flip(s, best, to);
}

/* Sets ACTION for the tensors of LAYER that may have it; false when none changes. */
static bool set_layer(const struct checker *c, struct plan *plan, uint32_t layer, enum action action) {
    bool changed = false;
    for (uint32_t g = 0; g < c->group_count; g++) {
        const uint32_t tensor = c->tensor[c->group[g].at];
        if (c->profile->ops[c->profile->tensors[tensor].producer].layer != layer || !checker_may(c, g, action))
            continue;
        changed = changed || plan->action[tensor] != action;
        plan->action[tensor] = (uint8_t)action;
    }
    return changed;
}

/* The action for all of LAYER that gives the shortest step that fits. */
static void try_layer(struct search *s, uint32_t layer) {
    struct checker *c = &s->checker;
    struct fix *best = NULL;
    enum action to = ACTION_KEEP;
    for (int action = 0; action < ACTION_COUNT; action++) {
        struct sim_totals totals;
        const bool tried = set_layer(c, &c->scratch, layer, (enum action)action) &&
                           checker_simulate(c, &c->scratch, &totals) && checker_fits(c, &totals);
        if (tried && (!best || totals.step_us < best->totals.step_us)) {
            best = checker_fix(c, &c->scratch, &totals);
            to = (enum action)action;
        }
        memcpy(c->scratch.action, c->plan.action, c->profile->tensor_count);
    }
    if (!best || s->out->count == REMEDIES_MOST)
        return;
    struct remedy *remedy = add(s, REMEDY_LAYER, &s->task->settings, &best->totals);
    remedy->fix = *best;
    remedy->layer = layer;
    remedy->action = to;
}

/* ---- the stall ------------------------------------------------------------------------------------------------ */

static void look_at(struct search *s) {
    const struct timeline *t = &s->checker.timeline;
    const struct stall *stall = s->checker.fits ? timeline_stall_of(t, s->task->step) : NULL;
    if (!stall)
        return;
    try_knobs(s, stall);
    try_tensors(s, stall->tensor);
    try_layer(s, s->task->profile->ops[t->schedule.op[stall->step]].layer);
}

static enum ss_status begin(struct search *s, struct arena *arena, struct findings *findings, struct error *error) {
    const struct remedies_task *task = s->task;
    enum ss_status status = limits_compute(task->profile, &s->limits, error);
    if (status == SS_OK)
        status = budget_resolve(&task->settings.budget, task->profile, &s->limits, &s->budget_bytes, error);
    if (status == SS_OK)
        status = link_resolve(&task->profile->link, &task->settings.link, &s->link, error);
    if (status == SS_OK)
        status = plan_copy(&s->out->plan, arena, task->profile, task->plan, error);
    if (status == SS_OK)
        status = findings_begin(findings, arena, error);
    if (status != SS_OK)
        return status;
    s->out->plan.budget_bytes = BYTES_UNLIMITED;
    s->out->plan.unit = UNIT_NAME[UNIT_TENSOR];
    s->checking = (struct check_task){ .profile = task->profile, .plan = &s->out->plan, .link = s->link,
                                       .budget_bytes = s->budget_bytes,
                                       .host_memory_bytes = task->settings.host_memory_bytes,
                                       .should_stop = task->should_stop, .context = task->context };
    return checker_begin(&s->checker, &s->checking, arena, findings, error);
}

enum ss_status remedies_find(const struct remedies_task *task, struct arena *arena, struct remedies *out,
                             struct error *error) {
    struct findings findings;
    struct search search = { .task = task, .out = out, .error = error };
    *out = (struct remedies){ .count = 0 };
    enum ss_status status = begin(&search, arena, &findings, error);
    if (status != SS_OK)
        return status;
    out->before = search.checker.timeline.totals;
    look_at(&search);
    status = search.checker.status;
    checker_end(&search.checker);
    arena_free(&search.scratch);
    return status == SS_OK && findings.failed ? error_no_memory(error) : status;
}
