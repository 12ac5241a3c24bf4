/* report_sweep: see report_sweep.h. */
#include "report_sweep.h"

#include <stdio.h>

#include "core/sanitise.h"
#include "core/units.h"

void sweep_json_line(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras) {
    struct json_writer writer = { .out = out };
    report_json_put_inline(&writer, NULL, outcome, extras);
}

void sweep_text_head(struct buffer *out, const struct profile *profile, const struct limits *limits, bool timing) {
    char name[SANITISED_BYTES(48)], peak[UNIT_TEXT], least[UNIT_TEXT], ideal[UNIT_TEXT];
    sanitise(name, sizeof name, profile->name);
    buffer_printf(out, "%s: unlimited peak %s, least budget %s, ideal step %s; of ideal, beside the bound\n\n", name,
                  format_bytes(peak, limits->unlimited_peak_bytes), format_bytes(least, limits->least_bytes),
                  format_time(ideal, profile->ideal_us));
    buffer_printf(out, "%-16s%11s%8s%11s%11s%9s%9s%8s%11s%11s%11s%s\n", "planner", "link", "budget", "bytes", "step",
                  "of ideal", "bound", "gap", "recompute", "stall", "host", timing ? "   planning" : "");
}

static double share_of(uint64_t part, uint64_t whole) { return whole > 0 ? (double)part / (double)whole : 1; }

static void put_place(struct buffer *out, const struct outcome *outcome) {
    char rate[UNIT_TEXT], share[UNIT_TEXT], bytes[UNIT_TEXT];
    snprintf(share, sizeof share, "%.3g%%", 100 * share_of(outcome->budget_bytes, outcome->limits.unlimited_peak_bytes));
    buffer_printf(out, "%-16s%11s%8s%11s", outcome->planner_name, format_rate(rate, outcome->link.h2d_gb_per_s), share,
                  format_bytes(bytes, outcome->budget_bytes));
}

void sweep_text_line(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras,
                     bool begins) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    char step[UNIT_TEXT], ideal[UNIT_TEXT], bound[UNIT_TEXT], gap[UNIT_TEXT], again[UNIT_TEXT], stall[UNIT_TEXT],
        host[UNIT_TEXT], took[UNIT_TEXT];
    const double ceiling = outcome->bound.bound_us > 0 ? outcome->ideal_us / outcome->bound.bound_us : 1;
    if (begins)
        buffer_text(out, "\n");
    put_place(out, outcome);
    if (!totals->feasible) {
        buffer_printf(out, "  does not fit: needs %s\n", format_bytes(step, totals->required_bytes));
        return;
    }
    snprintf(gap, sizeof gap, "%.2f%%", 100 * outcome_gap(outcome));
    buffer_printf(out, "%11s%9s%9s%8s%11s%11s%11s", format_time(step, totals->step_us),
                  format_percent(ideal, outcome_throughput(outcome)), format_percent(bound, ceiling), gap,
                  format_time(again, totals->recompute_us), format_time(stall, totals->stall_us),
                  format_bytes(host, totals->host_peak_bytes));
    if (extras->timing)
        buffer_printf(out, "%11s", format_time(took, extras->plan_us));
    buffer_text(out, outcome->host_limit_exceeded ? "  does not fit: more host memory than allowed\n" : "\n");
}
