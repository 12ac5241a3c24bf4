#include "report.h"

#include <math.h>

#include "core/measured.h"
#include "link_json.h"
#include "report_parts.h"
#include "report_residuals.h"

/* A number of bytes that may be "no limit". */
static void put_bytes(struct json_writer *writer, const char *key, uint64_t bytes) {
    if (bytes == BYTES_UNLIMITED)
        json_put_null(writer, key);
    else
        json_put_whole(writer, key, bytes);
}

/* "B L03.fc1": the step at which the plan needs most. */
static void put_required_step(struct json_writer *writer, const struct timeline *timeline) {
    const uint32_t step = timeline->totals.required_step;
    const struct op *op = &timeline->profile->ops[timeline->schedule.op[step]];
    struct buffer text = { 0 };
    buffer_printf(&text, "%c %s", STEP_LETTER[timeline->schedule.kind[step]], op->name);
    json_put_text(writer, "step", text.failed ? "" : text.text);
    json_put_text(writer, "layer", timeline->profile->layers[op->layer].name);
    writer->out->failed = writer->out->failed || text.failed;
    buffer_free(&text);
}

static void put_binding(struct json_writer *writer, const struct profile *profile, const struct bound *bound) {
    struct buffer text = { 0 };
    report_binding(&text, profile, bound);
    json_put_text(writer, "bound_binding", text.failed ? "" : text.text);
    writer->out->failed = writer->out->failed || text.failed;
    buffer_free(&text);
}

static void put_memory(struct json_writer *writer, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    json_put_bool(writer, "feasible", outcome_feasible(outcome));
    if (outcome->host_limit_exceeded)
        json_put_bool(writer, "host_limit_exceeded", true);
    put_bytes(writer, "budget_bytes", outcome->budget_bytes);
    if (timeline->budget_bytes < outcome->budget_bytes)
        put_bytes(writer, "plan_budget_bytes", timeline->budget_bytes);
    if (totals->feasible)
        json_put_whole(writer, "peak_bytes", totals->peak_bytes);
    else
        json_put_null(writer, "peak_bytes");
    json_put_whole(writer, "unlimited_peak_bytes", outcome->limits.unlimited_peak_bytes);
    json_put_whole(writer, "least_budget_bytes", outcome->limits.least_bytes);
    json_put_whole(writer, "required_bytes", totals->required_bytes);
    if (!outcome_feasible(outcome))
        put_required_step(writer, timeline);
}

static void put_times(struct json_writer *writer, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    json_put_number(writer, "step_us", totals->feasible ? totals->step_us : NAN);
    json_put_number(writer, "own_model_us", outcome->own_model_us);
    json_put_number(writer, "ideal_us", outcome->ideal_us);
    json_put_number(writer, "bound_us", outcome->bound.bound_us);
    put_binding(writer, outcome->timeline.profile, &outcome->bound);
    json_put_number(writer, "throughput", totals->feasible ? outcome_throughput(outcome) : NAN);
    json_put_number(writer, "gap", totals->feasible ? outcome_gap(outcome) : NAN);
    json_put_number(writer, "recompute_us", totals->feasible ? totals->recompute_us : NAN);
    json_put_number(writer, "stall_us", totals->feasible ? totals->stall_us : NAN);
}

static void put_transfers(struct json_writer *writer, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const struct plan_mix mix = plan_mix(outcome->timeline.profile, &outcome->timeline.plan);
    static const char *const keys[] = { "d2h_bytes", "h2d_bytes", "host_peak_bytes" };
    const uint64_t bytes[] = { totals->d2h_bytes, totals->h2d_bytes, totals->host_peak_bytes };
    for (int i = 0; i < 3; i++) {
        if (totals->feasible)
            json_put_whole(writer, keys[i], bytes[i]);
        else
            json_put_null(writer, keys[i]);
    }
    json_put_whole(writer, "keep_bytes", mix.bytes[ACTION_KEEP]);
    json_put_whole(writer, "offload_bytes", mix.bytes[ACTION_OFFLOAD]);
    json_put_whole(writer, "recompute_bytes", mix.bytes[ACTION_RECOMPUTE]);
}

/* Patterns and modules, and how many tensors each came to decide about. */
static void put_rules(struct json_writer *writer, const struct plan_details *details) {
    json_open_array(writer, "expanded", JSON_LINES);
    for (uint32_t i = 0; i < details->rule_count; i++) {
        const struct plan_rule *rule = &details->rules[i];
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_text(writer, rule->about_layers ? "layers" : "tensors", rule->text);
        json_put_text(writer, "action", ACTION_NAME[rule->action]);
        json_put_whole(writer, "matched", rule->matched);
        json_put_whole(writer, "decided", rule->decided);
        json_end(writer);
    }
    json_end(writer);
}

/* Beside the simulated figures, what the recording saw. */
static void put_measured(struct json_writer *writer, const struct measured *measured) {
    const struct measured_sum compute = measured_sum(measured, LANE_COMPUTE), d2h = measured_sum(measured, LANE_D2H),
                              h2d = measured_sum(measured, LANE_H2D);
    json_open_object(writer, "measured", JSON_INLINE);
    json_put_number(writer, "step_us", measured->step_us);
    json_put_number(writer, "compute_us", compute.busy_us);
    json_put_number(writer, "d2h_us", d2h.busy_us);
    json_put_whole(writer, "d2h_bytes", d2h.bytes);
    json_put_number(writer, "h2d_us", h2d.busy_us);
    json_put_whole(writer, "h2d_bytes", h2d.bytes);
    json_end(writer);
}

static void put_result(struct json_writer *writer, const char *key, enum json_style style,
                       const struct outcome *outcome, const struct report_extras *extras) {
    json_open_object(writer, key, style);
    json_put_text(writer, "schema", RESULT_SCHEMA);
    json_put_text(writer, "profile", outcome->timeline.profile->name);
    json_put_text(writer, "planner", outcome->planner_name);
    json_put_text(writer, "unit", outcome->timeline.plan.unit);
    put_memory(writer, outcome);
    put_times(writer, outcome);
    put_transfers(writer, outcome);
    link_json_put_rates(writer, &outcome->link);
    if (outcome->timeline.profile->measured)
        put_measured(writer, outcome->timeline.profile->measured);
    json_put_whole(writer, "seed", outcome->seed);
    json_put_whole(writer, "evaluations", outcome->evaluations);
    json_put_bool(writer, "proved", outcome->proved);
    if (extras->timing) {
        json_put_number(writer, "plan_us", extras->plan_us);
        json_put_number(writer, "simulate_us", extras->simulate_us);
    }
    if (extras->details && extras->details->rule_count > 0)
        put_rules(writer, extras->details);
    if (extras->details && extras->details->measurement_count > 0 && outcome->timeline.totals.feasible)
        residuals_json_put(writer, &outcome->timeline, extras->details->measurements, extras->details->measurement_count);
    if (extras->actions)
        plan_json_put(writer, "plan", outcome->timeline.profile, &outcome->timeline.plan);
    json_end(writer);
}

void report_json_put(struct json_writer *writer, const char *key, const struct outcome *outcome,
                     const struct report_extras *extras) {
    put_result(writer, key, JSON_LINES, outcome, extras);
}

void report_json_put_inline(struct json_writer *writer, const char *key, const struct outcome *outcome,
                            const struct report_extras *extras) {
    put_result(writer, key, JSON_INLINE, outcome, extras);
}

void report_json(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras) {
    struct json_writer writer = { .out = out };
    report_json_put(&writer, NULL, outcome, extras);
}

void compare_json(struct buffer *out, const struct outcome *const *outcomes, const struct report_extras *extras,
                  uint32_t count) {
    struct json_writer writer = { .out = out };
    json_open_array(&writer, NULL, JSON_LINES);
    for (uint32_t i = 0; i < count; i++)
        report_json_put(&writer, NULL, outcomes[i], &extras[i]);
    json_end(&writer);
}
