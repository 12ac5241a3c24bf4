#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/measured.h"
#include "core/not_modelled.h"
#include "core/stalls.h"
#include "core/units.h"
#include "report.h"
#include "report_residuals.h"
#include "report_parts.h"

/* ---- what was asked --------------------------------------------------------------------------------------------------- */

static void put_planner(struct buffer *out, const struct outcome *outcome) {
    report_label(out, "planner");
    buffer_printf(out, "%s, an action a %s", show_name(outcome->planner_name).text, show_name(outcome->timeline.plan.unit).text);
    if (outcome->evaluations > 0)
        buffer_printf(out, ", %llu evaluation%s", (unsigned long long)outcome->evaluations,
                      plural(outcome->evaluations));
    buffer_text(out, outcome->proved ? ", proved optimal\n" : "\n");
}

/* "layers 'encoder.3'  recompute 9 tensors, 1 more said otherwise" */
static void put_rules(struct buffer *out, const struct plan_details *details) {
    for (uint32_t i = 0; i < details->rule_count; i++) {
        const struct plan_rule *rule = &details->rules[i];
        report_label(out, i > 0 ? "" : "expanded");
        buffer_printf(out, "%s '%s': %s %u tensor%s", rule->about_layers ? "layers" : "tensors", show_name(rule->text).text,
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
        buffer_printf(out, ", %s of the unlimited peak %s", show_percent((double)budget / (double)peak).text,
                      show_bytes(peak).text);
}

static void put_feasible(struct buffer *out, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    report_label(out, "budget");
    buffer_printf(out, "%s", show_bytes(timeline->budget_bytes).text);
    put_share_of_peak(out, outcome);
    if (timeline->budget_bytes < outcome->budget_bytes)
        buffer_printf(out, " (the plan's own; %s is there)", show_bytes(outcome->budget_bytes).text);
    buffer_text(out, "\n");
    report_label(out, "feasible");
    if (outcome_feasible(outcome)) {
        buffer_printf(out, "yes: needs %s\n", show_bytes(totals->required_bytes).text);
        return;
    }
    if (totals->feasible) {
        buffer_printf(out, "no: pins %s of host memory, more than --host-memory allows\n",
                      show_bytes(totals->host_peak_bytes).text);
        return;
    }
    const uint32_t op = timeline->schedule.op[totals->required_step];
    buffer_printf(out, "no: needs %s at %s, layer %s; %s too little\n", show_bytes(totals->required_bytes).text,
                  show_step(timeline, totals->required_step).text,
                  show_name(timeline->profile->layers[timeline->profile->ops[op].layer].name).text,
                  show_bytes(totals->required_bytes - timeline->budget_bytes).text);
    report_label(out, "least budget");
    buffer_printf(out, "%s: below it no plan fits\n", show_bytes(outcome->limits.least_bytes).text);
}

static void put_bound(struct buffer *out, const struct outcome *outcome) {
    const struct bound *bound = &outcome->bound;
    const struct profile *profile = outcome->timeline.profile;
    report_label(out, "ideal");
    buffer_printf(out, "%s\n", show_time(outcome->ideal_us).text);
    report_label(out, "bound");
    buffer_printf(out, "%s (%s", show_time(bound->bound_us).text, BINDING_NAME[bound->binding]);
    if (bound->step_op != NONE)
        buffer_printf(out, " at %c %s", STEP_LETTER[bound->step_kind], show_name(profile->ops[bound->step_op].name).text);
    buffer_text(out, ")");
    if (outcome->timeline.totals.feasible)
        buffer_printf(out, ", gap %s", show_percent(outcome_gap(outcome)).text);
    buffer_text(out, "\n");
}

static uint32_t count_recomputed(const struct schedule *schedule) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < schedule->step_count; k++)
        count += schedule->kind[k] == STEP_RECOMPUTE;
    return count;
}

/* What the planner's paper promises: recomputing more than once, other rules for transfers. */
static void put_own_model(struct buffer *out, const struct outcome *outcome) {
    if (!isfinite(outcome->own_model_us))
        return;
    report_label(out, "own model");
    buffer_printf(out, "%s, as the planner itself counts; the plan is the best of ours made of its decisions\n",
                  show_time(outcome->own_model_us).text);
}

static void put_step(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const uint32_t again = count_recomputed(&outcome->timeline.schedule);
    report_label(out, "step");
    buffer_printf(out, "%s, %s of ideal\n", show_time(totals->step_us).text, show_percent(outcome_throughput(outcome)).text);
    put_own_model(out, outcome);
    put_bound(out, outcome);
    report_label(out, "recompute");
    buffer_printf(out, "%s in %u op%s run again\n", show_time(totals->recompute_us).text, (unsigned)again, plural(again));
}

static void put_memory(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const struct schedule *schedule = &outcome->timeline.schedule;
    report_label(out, "memory");
    buffer_printf(out, "peak %s of %s\n", show_bytes(totals->peak_bytes).text, show_bytes(outcome->timeline.budget_bytes).text);
    report_label(out, "transfers");
    buffer_printf(out, "D2H %s in %u, H2D %s in %u\n", show_bytes(totals->d2h_bytes).text, (unsigned)schedule->d2h_count,
                  show_bytes(totals->h2d_bytes).text, (unsigned)schedule->h2d_count);
    report_label(out, "host");
    buffer_printf(out, "%s pinned at most\n", show_bytes(totals->host_peak_bytes).text);
}

static void put_mix(struct buffer *out, const struct outcome *outcome) {
    const struct plan_mix mix = plan_mix(outcome->timeline.profile, &outcome->timeline.plan);
    report_label(out, "mix");
    for (int action = 0; action < ACTION_COUNT; action++)
        buffer_printf(out, "%s%s %s in %u", action ? ", " : "", ACTION_NAME[action], show_bytes(mix.bytes[action]).text,
                      (unsigned)mix.count[action]);
    buffer_text(out, "\n");
}

/* ---- stalls, by what compute waited for --------------------------------------------------------------------------------- */

static void put_stall_sum(struct buffer *out, const struct timeline *timeline, enum stall_reason reason,
                          const struct stall_sum *sum) {
    const struct stall *longest = sum->longest;
    const struct shown step = show_step(timeline, longest->step);
    buffer_printf(out, "%11s  %s: %u gap%s, the longest %s before %s", show_time(sum->us).text, STALL_REASON_WORDS[reason],
                  (unsigned)sum->count, plural(sum->count), show_time(stall_length(longest)).text, step.text);
    if (longest->tensor != NONE)
        buffer_printf(out, " for %s", show_name(timeline->profile->tensors[longest->tensor].name).text);
    buffer_text(out, "\n");
}

static void put_stalls(struct buffer *out, const struct timeline *timeline) {
    struct stall_sum sums[STALL_REASON_COUNT];
    report_label(out, "stall");
    buffer_printf(out, "%s in %u gap%s\n", show_time(timeline->totals.stall_us).text, (unsigned)timeline->stall_count,
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

/* What the recording saw, beside what was simulated. */
static void put_measured(struct buffer *out, const struct measured *measured) {
    const struct measured_sum compute = measured_sum(measured, LANE_COMPUTE), d2h = measured_sum(measured, LANE_D2H),
                              h2d = measured_sum(measured, LANE_H2D);
    report_label(out, "measured");
    buffer_printf(out, "step %s, computing %s; D2H %s in %u, %s; H2D %s in %u, %s\n", show_time(measured->step_us).text,
                  show_time(compute.busy_us).text, show_bytes(d2h.bytes).text, (unsigned)measured->count[LANE_D2H],
                  show_time(d2h.busy_us).text, show_bytes(h2d.bytes).text, (unsigned)measured->count[LANE_H2D],
                  show_time(h2d.busy_us).text);
}

void report_text(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras) {
    const bool timed = outcome->timeline.totals.feasible;
    report_profile(out, outcome->timeline.profile);
    report_link(out, &outcome->link);
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
        put_own_model(out, outcome);
        put_bound(out, outcome);
    }
    put_mix(out, outcome);
    if (outcome->timeline.profile->measured)
        put_measured(out, outcome->timeline.profile->measured);
    if (extras->timing) {
        report_label(out, "took");
        buffer_printf(out, "planning %s, one simulation %s\n", show_time(extras->plan_us).text,
                      show_time(extras->simulate_us).text);
    }
    if (timed && extras->details && extras->details->measurement_count > 0)
        residuals_text(out, &outcome->timeline, extras->details->measurements, extras->details->measurement_count);
    put_not_modelled(out);
}

/* ---- compare -------------------------------------------------------------------------------------------------------------- */

#define PLANNER_COLUMNS 16
#define FIGURE_COLUMNS 12
static const char *const COMPARE_HEADS[] = {
    "step", "of ideal", "gap to bound", "own model", "recompute", "stall", "peak", "host", "mix k/o/r",
};
#define COMPARE_COUNT (int)(sizeof COMPARE_HEADS / sizeof *COMPARE_HEADS)

static struct unit_text own_model_of(const struct outcome *outcome) {
    return isfinite(outcome->own_model_us) ? show_time(outcome->own_model_us) : (struct unit_text){ "-" };
}

static void put_compared(struct buffer *out, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    const struct plan_mix mix = plan_mix(timeline->profile, &timeline->plan);
    buffer_printf(out, "%-*s", PLANNER_COLUMNS, show_name(outcome->planner_name).text);
    if (!totals->feasible) {
        buffer_printf(out, "  does not fit: needs %s at %s\n", show_bytes(totals->required_bytes).text,
                      show_step(timeline, totals->required_step).text);
        return;
    }
    buffer_printf(out, "%*s%*s%*s", FIGURE_COLUMNS, show_time(totals->step_us).text, FIGURE_COLUMNS,
                  show_percent(outcome_throughput(outcome)).text, FIGURE_COLUMNS + 2, show_percent(outcome_gap(outcome)).text);
    buffer_printf(out, "%*s", FIGURE_COLUMNS, own_model_of(outcome).text);
    buffer_printf(out, "%*s%*s", FIGURE_COLUMNS, show_time(totals->recompute_us).text, FIGURE_COLUMNS,
                  show_time(totals->stall_us).text);
    buffer_printf(out, "%*s%*s", FIGURE_COLUMNS, show_bytes(totals->peak_bytes).text, FIGURE_COLUMNS,
                  show_bytes(totals->host_peak_bytes).text);
    buffer_printf(out, "  %u/%u/%u%s\n", (unsigned)mix.count[ACTION_KEEP], (unsigned)mix.count[ACTION_OFFLOAD],
                  (unsigned)mix.count[ACTION_RECOMPUTE],
                  outcome->host_limit_exceeded ? "  does not fit: more host memory than allowed" : "");
}

void compare_text(struct buffer *out, const struct outcome *const *outcomes, uint32_t count) {
    report_profile(out, outcomes[0]->timeline.profile);
    report_link(out, &outcomes[0]->link);
    report_label(out, "budget");
    buffer_printf(out, "%s", show_bytes(outcomes[0]->budget_bytes).text);
    put_share_of_peak(out, outcomes[0]);
    buffer_printf(out, "; at least %s is needed\n", show_bytes(outcomes[0]->limits.least_bytes).text);
    report_label(out, "ideal");
    buffer_printf(out, "%s\n", show_time(outcomes[0]->ideal_us).text);
    report_label(out, "bound");
    buffer_printf(out, "%s (%s)\n\n", show_time(outcomes[0]->bound.bound_us).text,
                  BINDING_NAME[outcomes[0]->bound.binding]);
    buffer_printf(out, "%-*s", PLANNER_COLUMNS, "planner");
    for (int i = 0; i < COMPARE_COUNT - 1; i++)
        buffer_printf(out, "%*s", FIGURE_COLUMNS + (i == 2 ? 2 : 0), COMPARE_HEADS[i]);
    buffer_printf(out, "  %s\n", COMPARE_HEADS[COMPARE_COUNT - 1]);
    for (uint32_t i = 0; i < count; i++)
        put_compared(out, outcomes[i]);
}
