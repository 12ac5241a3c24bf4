/* A report in CommonMark, with tables as GitHub has them. Names are text: what Markdown or HTML would take for a sign of
 * their own is escaped. */
#include <stdlib.h>
#include <string.h>

#include "core/measured.h"
#include "core/not_modelled.h"
#include "core/sanitise.h"
#include "core/stalls.h"
#include "core/units.h"
#include "core/version.h"
#include "export.h"
#include "export_words.h"

static void put_name(struct buffer *out, const char *name) {
    const size_t size = SANITISED_BYTES(strlen(name));
    char *clean = malloc(size);
    if (!clean) {
        out->failed = true;
        return;
    }
    for (const char *at = sanitise(clean, size, name); *at; at++) {
        if (strchr("\\`*_[]<>|&~$#", *at))
            buffer_text(out, "\\");
        buffer_put(out, at, 1);
    }
    free(clean);
}

static void put_bytes(struct buffer *out, uint64_t bytes) {
    char text[UNIT_TEXT];
    buffer_text(out, bytes == BYTES_UNLIMITED ? "no limit" : format_bytes(text, bytes));
}

static void put_time(struct buffer *out, double us) {
    char text[UNIT_TEXT];
    buffer_text(out, format_time(text, us));
}

static void put_percent(struct buffer *out, double share) {
    char text[UNIT_TEXT];
    buffer_text(out, format_percent(text, share));
}

static void put_rate(struct buffer *out, double gb_per_s) {
    char text[UNIT_TEXT];
    buffer_text(out, format_rate(text, gb_per_s));
}

static void begin_row(struct buffer *out, const char *label) { buffer_printf(out, "| %s | ", label); }
static void next_cell(struct buffer *out) { buffer_text(out, " | "); }
static void end_row(struct buffer *out) { buffer_text(out, " |\n"); }

static void row_bytes(struct buffer *out, const char *label, uint64_t bytes) {
    begin_row(out, label);
    put_bytes(out, bytes);
    end_row(out);
}

static void row_time(struct buffer *out, const char *label, double us) {
    begin_row(out, label);
    put_time(out, us);
    end_row(out);
}

/* ---- the result --------------------------------------------------------------------------------------------------------- */

static void put_work(struct buffer *out, const struct outcome *outcome) {
    const struct profile *profile = outcome->timeline.profile;
    const struct link *link = &outcome->link;
    begin_row(out, "profile");
    put_name(out, profile->name);
    buffer_printf(out, ": %u ops in %u layers, %u of %u tensors managed", (unsigned)profile->op_count,
                  (unsigned)profile->layer_count, (unsigned)profile->managed_count, (unsigned)profile->tensor_count);
    end_row(out);
    if (*profile->device_name) {
        begin_row(out, "device");
        put_name(out, profile->device_name);
        end_row(out);
    }
    begin_row(out, "link");
    buffer_text(out, "H2D ");
    put_rate(out, link->h2d_gb_per_s);
    buffer_text(out, ", D2H ");
    put_rate(out, link->d2h_gb_per_s);
    buffer_text(out, "; at once ");
    put_rate(out, link->h2d_both_gb_per_s);
    buffer_text(out, " and ");
    put_rate(out, link->d2h_both_gb_per_s);
    buffer_text(out, "; latency ");
    put_time(out, link->latency_us);
    end_row(out);
    begin_row(out, "planner");
    put_name(out, outcome->planner_name);
    buffer_text(out, ", an action a ");
    put_name(out, outcome->timeline.plan.unit);
    buffer_printf(out, ", seed %llu%s", (unsigned long long)outcome->seed, outcome->proved ? ", proved optimal" : "");
    end_row(out);
}

static void put_fit(struct buffer *out, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    const uint64_t peak = outcome->limits.unlimited_peak_bytes;
    begin_row(out, "budget");
    put_bytes(out, timeline->budget_bytes);
    if (peak > 0 && timeline->budget_bytes != BYTES_UNLIMITED) {
        buffer_text(out, ", ");
        put_percent(out, (double)timeline->budget_bytes / (double)peak);
        buffer_text(out, " of the unlimited peak ");
        put_bytes(out, peak);
    }
    end_row(out);
    begin_row(out, "fits");
    if (outcome_feasible(outcome)) {
        buffer_text(out, "yes");
    } else if (totals->feasible) {
        buffer_text(out, "no: more host memory than allowed");
    } else {
        const struct op *op = &timeline->profile->ops[timeline->schedule.op[totals->required_step]];
        buffer_text(out, "no: needs ");
        put_bytes(out, totals->required_bytes);
        buffer_printf(out, " at %s ", STEP_SHORT[timeline->schedule.kind[totals->required_step]]);
        put_name(out, op->name);
    }
    end_row(out);
}

static void put_times(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    if (totals->feasible) {
        begin_row(out, "step");
        buffer_text(out, "**");
        put_time(out, totals->step_us);
        buffer_text(out, "**, ");
        put_percent(out, outcome_throughput(outcome));
        buffer_text(out, " of ideal");
        end_row(out);
    }
    row_time(out, "ideal", outcome->ideal_us);
    begin_row(out, "bound");
    put_time(out, outcome->bound.bound_us);
    if (totals->feasible) {
        buffer_text(out, ", gap ");
        put_percent(out, outcome_gap(outcome));
    }
    end_row(out);
    if (!totals->feasible)
        return;
    row_time(out, "recompute", totals->recompute_us);
    row_time(out, "stall", totals->stall_us);
    row_bytes(out, "peak", totals->peak_bytes);
    row_bytes(out, "offloaded", totals->d2h_bytes);
    row_bytes(out, "brought back", totals->h2d_bytes);
    row_bytes(out, "pinned on the host", totals->host_peak_bytes);
}

/* ---- beside what was measured ------------------------------------------------------------------------------------------- */

static void put_lane(struct buffer *out, const char *label, const struct measured_sum *measured, double busy_us,
                     const uint64_t *bytes) {
    begin_row(out, label);
    put_time(out, measured->busy_us);
    if (bytes) {
        buffer_text(out, ", ");
        put_bytes(out, measured->bytes);
    }
    next_cell(out);
    put_time(out, busy_us);
    if (bytes) {
        buffer_text(out, ", ");
        put_bytes(out, *bytes);
    }
    end_row(out);
}

static void put_measured(struct buffer *out, const struct timeline *timeline) {
    const struct measured *measured = timeline->profile->measured;
    const struct measured_sum compute = measured_sum(measured, LANE_COMPUTE), d2h = measured_sum(measured, LANE_D2H),
                              h2d = measured_sum(measured, LANE_H2D);
    buffer_text(out, "\n## Measured and simulated\n\nWhat the recording saw in its step, and what this plan would "
                "do.\n\n| | measured | simulated |\n|---|--:|--:|\n");
    begin_row(out, "step");
    put_time(out, measured->step_us);
    next_cell(out);
    put_time(out, timeline->totals.step_us);
    end_row(out);
    put_lane(out, "computing", &compute, timeline->lane_busy_us[LANE_COMPUTE] + timeline->profile->fixed_us, NULL);
    put_lane(out, "D2H", &d2h, timeline->lane_busy_us[LANE_D2H], &timeline->totals.d2h_bytes);
    put_lane(out, "H2D", &h2d, timeline->lane_busy_us[LANE_H2D], &timeline->totals.h2d_bytes);
}

/* ---- where it waits ------------------------------------------------------------------------------------------------------- */

static void put_stalls(struct buffer *out, const struct timeline *timeline) {
    struct stall_sum sums[STALL_REASON_COUNT];
    buffer_text(out, "\n## Where the GPU waits\n\n");
    if (timeline->stall_count == 0) {
        buffer_text(out, "Nowhere.\n");
        return;
    }
    stalls_sum(timeline, sums);
    buffer_text(out, "| waiting for | gaps | time | longest | before |\n|---|--:|--:|--:|---|\n");
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++) {
        const struct stall *longest = sums[reason].longest;
        if (!longest)
            continue;
        begin_row(out, STALL_REASON_WORDS[reason]);
        buffer_printf(out, "%u | ", (unsigned)sums[reason].count);
        put_time(out, sums[reason].us);
        next_cell(out);
        put_time(out, stall_length(longest));
        buffer_printf(out, " | %s ", STEP_SHORT[timeline->schedule.kind[longest->step]]);
        put_name(out, timeline->profile->ops[timeline->schedule.op[longest->step]].name);
        end_row(out);
    }
}

/* ---- the plan ------------------------------------------------------------------------------------------------------------- */

static void put_mix(struct buffer *out, const struct plan_mix *mix) {
    for (int action = 0; action < ACTION_COUNT; action++) {
        if (action > 0)
            next_cell(out);
        if (mix->count[action] > 0) {
            put_bytes(out, mix->bytes[action]);
            buffer_printf(out, " in %u", (unsigned)mix->count[action]);
        }
    }
    end_row(out);
}

static void put_plan(struct buffer *out, const struct timeline *timeline) {
    const struct profile *profile = timeline->profile;
    const struct plan_mix all = plan_mix(profile, &timeline->plan);
    struct plan_mix *mixes = calloc(profile->layer_count, sizeof *mixes);
    if (!mixes) {
        out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const uint32_t tensor = profile->managed[i], layer = profile->ops[profile->tensors[tensor].producer].layer;
        mixes[layer].bytes[timeline->plan.action[tensor]] += profile->tensors[tensor].bytes;
        mixes[layer].count[timeline->plan.action[tensor]]++;
    }
    buffer_text(out, "\n## The plan, layer by layer\n\n| layer | keep | offload | recompute |\n|---|--:|--:|--:|\n");
    for (uint32_t layer = 0; layer < profile->layer_count; layer++) {
        buffer_text(out, "| ");
        put_name(out, profile->layers[layer].name);
        next_cell(out);
        put_mix(out, &mixes[layer]);
    }
    begin_row(out, "**all**");
    put_mix(out, &all);
    free(mixes);
}

void export_markdown(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    const struct timeline *timeline = &outcome->timeline;
    (void)look;
    buffer_text(out, "# ");
    put_name(out, timeline->profile->name);
    buffer_text(out, " by ");
    put_name(out, outcome->planner_name);
    buffer_text(out, "\n\n| | |\n|---|---|\n");
    put_work(out, outcome);
    put_fit(out, outcome);
    put_times(out, outcome);
    if (timeline->totals.feasible && timeline->profile->measured)
        put_measured(out, timeline);
    if (timeline->totals.feasible)
        put_stalls(out, timeline);
    put_plan(out, timeline);
    buffer_text(out, "\n## Not modelled\n\n");
    for (int i = 0; i < NOT_MODELLED_COUNT; i++)
        buffer_printf(out, "- %s\n", NOT_MODELLED[i]);
    buffer_printf(out, "\nMade by %s.\n", version_text());
}
