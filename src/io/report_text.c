#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/not_modelled.h"
#include "core/stalls.h"
#include "core/units.h"
#include "core/words.h"
#include "report.h"

#define LABEL_COLUMNS 14 /* where the figures start */

/* A name as it may be shown: harmless, and cut when it is very long. */
struct shown { char text[NAME_BYTES + 4]; };

static struct shown show(const char *name) {
    struct shown shown;
    name_fit(shown.text, name);
    return shown;
}

struct unit_text { char text[UNIT_TEXT]; };

static struct unit_text bytes_of(uint64_t bytes) {
    struct unit_text text;
    if (bytes == BYTES_UNLIMITED)
        strcpy(text.text, "no limit");
    else
        format_bytes(text.text, bytes);
    return text;
}

static struct unit_text time_of(double us) {
    struct unit_text text;
    format_time(text.text, us);
    return text;
}

static struct unit_text percent_of(double share) {
    struct unit_text text;
    format_percent(text.text, share);
    return text;
}

static struct unit_text rate_of(double gb_per_s) {
    struct unit_text text;
    format_rate(text.text, gb_per_s);
    return text;
}

static void label(struct buffer *out, const char *text) { buffer_printf(out, "%-*s", LABEL_COLUMNS, text); }

/* "B L03.fc1" */
static struct shown step_name(const struct timeline *timeline, uint32_t step) {
    struct shown shown = show(timeline->profile->ops[timeline->schedule.op[step]].name), named;
    snprintf(named.text, sizeof named.text, "%c %.150s", STEP_LETTER[timeline->schedule.kind[step]], shown.text);
    return named;
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* ---- what was asked --------------------------------------------------------------------------------------------------- */

static void put_link(struct buffer *out, const struct link *link) {
    label(out, "link");
    if (*link->name)
        buffer_printf(out, "%s: ", show(link->name).text);
    buffer_printf(out, "H2D %s, D2H %s", rate_of(link->h2d_gb_per_s).text, rate_of(link->d2h_gb_per_s).text);
    if (link->h2d_both_gb_per_s < link->h2d_gb_per_s || link->d2h_both_gb_per_s < link->d2h_gb_per_s)
        buffer_printf(out, " (at once %s, %s)", rate_of(link->h2d_both_gb_per_s).text,
                      rate_of(link->d2h_both_gb_per_s).text);
    buffer_printf(out, ", latency %s\n", time_of(link->latency_us).text);
}

static void put_profile(struct buffer *out, const struct profile *profile) {
    label(out, "profile");
    buffer_printf(out, "%s: %u op%s in %u layer%s, %u of %u tensors managed\n",
                  *profile->name ? show(profile->name).text : "(without a name)", (unsigned)profile->op_count,
                  plural(profile->op_count), (unsigned)profile->layer_count, plural(profile->layer_count),
                  (unsigned)profile->managed_count, (unsigned)profile->tensor_count);
    if (*profile->device_name) {
        label(out, "device");
        buffer_printf(out, "%s\n", show(profile->device_name).text);
    }
}

static void put_planner(struct buffer *out, const struct outcome *outcome) {
    label(out, "planner");
    buffer_printf(out, "%s, an action a %s", show(outcome->planner_name).text, show(outcome->timeline.plan.unit).text);
    if (outcome->evaluations > 0)
        buffer_printf(out, ", %llu evaluation%s", (unsigned long long)outcome->evaluations,
                      plural(outcome->evaluations));
    buffer_text(out, outcome->proved ? ", proved optimal\n" : "\n");
}

/* "layers 'encoder.3'  recompute 9 tensors, 1 more said otherwise" */
static void put_rules(struct buffer *out, const struct plan_details *details) {
    for (uint32_t i = 0; i < details->rule_count; i++) {
        const struct plan_rule *rule = &details->rules[i];
        label(out, i > 0 ? "" : "expanded");
        buffer_printf(out, "%s '%s': %s %u tensor%s", rule->about_layers ? "layers" : "tensors", show(rule->text).text,
                      ACTION_NAME[rule->action], (unsigned)rule->decided, plural(rule->decided));
        if (rule->decided < rule->matched)
            buffer_printf(out, "; %u more %s decided by what is more specific", (unsigned)(rule->matched - rule->decided),
                          rule->matched - rule->decided == 1 ? "is" : "are");
        buffer_text(out, "\n");
    }
}

/* ---- what came of it -------------------------------------------------------------------------------------------------- */

static void put_share_of_peak(struct buffer *out, const struct outcome *outcome) {
    const uint64_t peak = outcome->limits.unlimited_peak_bytes, budget = outcome->timeline.budget_bytes;
    if (peak > 0 && budget != BYTES_UNLIMITED)
        buffer_printf(out, ", %s of the unlimited peak %s", percent_of((double)budget / (double)peak).text,
                      bytes_of(peak).text);
}

static void put_feasible(struct buffer *out, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    label(out, "budget");
    buffer_printf(out, "%s", bytes_of(timeline->budget_bytes).text);
    put_share_of_peak(out, outcome);
    if (timeline->budget_bytes < outcome->budget_bytes)
        buffer_printf(out, " (the plan's own; %s is there)", bytes_of(outcome->budget_bytes).text);
    buffer_text(out, "\n");
    label(out, "feasible");
    if (outcome_feasible(outcome)) {
        buffer_printf(out, "yes: needs %s\n", bytes_of(totals->required_bytes).text);
        return;
    }
    if (totals->feasible) {
        buffer_printf(out, "no: pins %s of host memory, more than --host-memory allows\n",
                      bytes_of(totals->host_peak_bytes).text);
        return;
    }
    const uint32_t op = timeline->schedule.op[totals->required_step];
    buffer_printf(out, "no: needs %s at %s, layer %s; %s too little\n", bytes_of(totals->required_bytes).text,
                  step_name(timeline, totals->required_step).text,
                  show(timeline->profile->layers[timeline->profile->ops[op].layer].name).text,
                  bytes_of(totals->required_bytes - timeline->budget_bytes).text);
    label(out, "least budget");
    buffer_printf(out, "%s: below it no plan fits\n", bytes_of(outcome->limits.least_bytes).text);
}

static void put_bound(struct buffer *out, const struct outcome *outcome) {
    const struct bound *bound = &outcome->bound;
    const struct profile *profile = outcome->timeline.profile;
    label(out, "ideal");
    buffer_printf(out, "%s\n", time_of(outcome->ideal_us).text);
    label(out, "bound");
    buffer_printf(out, "%s (%s", time_of(bound->bound_us).text, BINDING_NAME[bound->binding]);
    if (bound->step_op != NONE)
        buffer_printf(out, " at %c %s", STEP_LETTER[bound->step_kind], show(profile->ops[bound->step_op].name).text);
    buffer_text(out, ")");
    if (outcome->timeline.totals.feasible)
        buffer_printf(out, ", gap %s", percent_of(outcome_gap(outcome)).text);
    buffer_text(out, "\n");
}

static uint32_t count_recomputed(const struct schedule *schedule) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < schedule->step_count; k++)
        count += schedule->kind[k] == STEP_RECOMPUTE;
    return count;
}

static void put_step(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const uint32_t again = count_recomputed(&outcome->timeline.schedule);
    label(out, "step");
    buffer_printf(out, "%s, %s of ideal\n", time_of(totals->step_us).text, percent_of(outcome_throughput(outcome)).text);
    put_bound(out, outcome);
    label(out, "recompute");
    buffer_printf(out, "%s in %u op%s run again\n", time_of(totals->recompute_us).text, (unsigned)again, plural(again));
}

static void put_memory(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const struct schedule *schedule = &outcome->timeline.schedule;
    label(out, "memory");
    buffer_printf(out, "peak %s of %s\n", bytes_of(totals->peak_bytes).text, bytes_of(outcome->timeline.budget_bytes).text);
    label(out, "transfers");
    buffer_printf(out, "D2H %s in %u, H2D %s in %u\n", bytes_of(totals->d2h_bytes).text, (unsigned)schedule->d2h_count,
                  bytes_of(totals->h2d_bytes).text, (unsigned)schedule->h2d_count);
    label(out, "host");
    buffer_printf(out, "%s pinned at most\n", bytes_of(totals->host_peak_bytes).text);
}

static void put_mix(struct buffer *out, const struct outcome *outcome) {
    const struct plan_mix mix = plan_mix(outcome->timeline.profile, &outcome->timeline.plan);
    label(out, "mix");
    for (int action = 0; action < ACTION_COUNT; action++)
        buffer_printf(out, "%s%s %s in %u", action ? ", " : "", ACTION_NAME[action], bytes_of(mix.bytes[action]).text,
                      (unsigned)mix.count[action]);
    buffer_text(out, "\n");
}

/* ---- stalls, by what compute waited for --------------------------------------------------------------------------------- */

static void put_stall_sum(struct buffer *out, const struct timeline *timeline, enum stall_reason reason,
                          const struct stall_sum *sum) {
    const struct stall *longest = sum->longest;
    const struct shown step = step_name(timeline, longest->step);
    buffer_printf(out, "%11s  %s: %u gap%s, the longest %s before %s", time_of(sum->us).text, STALL_REASON_WORDS[reason],
                  (unsigned)sum->count, plural(sum->count), time_of(stall_length(longest)).text, step.text);
    if (longest->tensor != NONE)
        buffer_printf(out, " for %s", show(timeline->profile->tensors[longest->tensor].name).text);
    buffer_text(out, "\n");
}

static void put_stalls(struct buffer *out, const struct timeline *timeline) {
    struct stall_sum sums[STALL_REASON_COUNT];
    label(out, "stall");
    buffer_printf(out, "%s in %u gap%s\n", time_of(timeline->totals.stall_us).text, (unsigned)timeline->stall_count,
                  plural(timeline->stall_count));
    stalls_sum(timeline, sums);
    for (;;) {
        int worst = -1;
        for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
            if (sums[reason].count > 0 && (worst < 0 || sums[reason].us > sums[worst].us))
                worst = reason;
        if (worst < 0)
            return;
        put_stall_sum(out, timeline, (enum stall_reason)worst, &sums[worst]);
        sums[worst].count = 0;
    }
}

static void put_not_modelled(struct buffer *out) {
    buffer_text(out, "\nnot modelled\n");
    for (int i = 0; i < NOT_MODELLED_COUNT; i++)
        buffer_printf(out, "  %s\n", NOT_MODELLED[i]);
}

void report_text(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras) {
    const bool timed = outcome->timeline.totals.feasible;
    put_profile(out, outcome->timeline.profile);
    put_link(out, &outcome->link);
    put_planner(out, outcome);
    if (extras->details)
        put_rules(out, extras->details);
    buffer_text(out, "\n");
    put_feasible(out, outcome);
    if (timed) {
        put_step(out, outcome);
        put_stalls(out, &outcome->timeline);
        put_memory(out, outcome);
    } else {
        put_bound(out, outcome);
    }
    put_mix(out, outcome);
    if (extras->timing) {
        label(out, "took");
        buffer_printf(out, "planning %s, one simulation %s\n", time_of(extras->plan_us).text,
                      time_of(extras->simulate_us).text);
    }
    put_not_modelled(out);
}

/* ---- compare -------------------------------------------------------------------------------------------------------------- */

#define PLANNER_COLUMNS 16
#define FIGURE_COLUMNS 12
static const char *const COMPARE_HEADS[] = {
    "step", "of ideal", "gap to bound", "recompute", "stall", "peak", "host", "mix k/o/r",
};
#define COMPARE_COUNT (int)(sizeof COMPARE_HEADS / sizeof *COMPARE_HEADS)

static void put_compared(struct buffer *out, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    const struct plan_mix mix = plan_mix(timeline->profile, &timeline->plan);
    buffer_printf(out, "%-*s", PLANNER_COLUMNS, show(outcome->planner_name).text);
    if (!totals->feasible) {
        buffer_printf(out, "  does not fit: needs %s at %s\n", bytes_of(totals->required_bytes).text,
                      step_name(timeline, totals->required_step).text);
        return;
    }
    buffer_printf(out, "%*s%*s%*s", FIGURE_COLUMNS, time_of(totals->step_us).text, FIGURE_COLUMNS,
                  percent_of(outcome_throughput(outcome)).text, FIGURE_COLUMNS + 2, percent_of(outcome_gap(outcome)).text);
    buffer_printf(out, "%*s%*s", FIGURE_COLUMNS, time_of(totals->recompute_us).text, FIGURE_COLUMNS,
                  time_of(totals->stall_us).text);
    buffer_printf(out, "%*s%*s", FIGURE_COLUMNS, bytes_of(totals->peak_bytes).text, FIGURE_COLUMNS,
                  bytes_of(totals->host_peak_bytes).text);
    buffer_printf(out, "  %u/%u/%u%s\n", (unsigned)mix.count[ACTION_KEEP], (unsigned)mix.count[ACTION_OFFLOAD],
                  (unsigned)mix.count[ACTION_RECOMPUTE],
                  outcome->host_limit_exceeded ? "  does not fit: more host memory than allowed" : "");
}

void compare_text(struct buffer *out, const struct outcome *const *outcomes, uint32_t count) {
    put_profile(out, outcomes[0]->timeline.profile);
    put_link(out, &outcomes[0]->link);
    label(out, "budget");
    buffer_printf(out, "%s", bytes_of(outcomes[0]->budget_bytes).text);
    put_share_of_peak(out, outcomes[0]);
    buffer_printf(out, "; at least %s is needed\n", bytes_of(outcomes[0]->limits.least_bytes).text);
    label(out, "ideal");
    buffer_printf(out, "%s\n", time_of(outcomes[0]->ideal_us).text);
    label(out, "bound");
    buffer_printf(out, "%s (%s)\n\n", time_of(outcomes[0]->bound.bound_us).text,
                  BINDING_NAME[outcomes[0]->bound.binding]);
    buffer_printf(out, "%-*s", PLANNER_COLUMNS, "planner");
    for (int i = 0; i < COMPARE_COUNT - 1; i++)
        buffer_printf(out, "%*s", FIGURE_COLUMNS + (i == 2 ? 2 : 0), COMPARE_HEADS[i]);
    buffer_printf(out, "  %s\n", COMPARE_HEADS[COMPARE_COUNT - 1]);
    for (uint32_t i = 0; i < count; i++)
        put_compared(out, outcomes[i]);
}
