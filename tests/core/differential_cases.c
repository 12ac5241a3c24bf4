/* differential_cases SEED COUNT: writes COUNT random cases and what this program makes of them, one JSON object a
 * line, for compare_with_oracle.py: {"profile", "plan", "budget", "link" (options), "effective_link", "result"}. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/sim.h"
#include "core/timeline.h"
#include "../random_profile.h"

static void must(enum ss_status status, const struct error *error) {
    if (status == SS_OK)
        return;
    fprintf(stderr, "differential_cases: %s\n", error->text);
    exit(1);
}

/* ---- the case ------------------------------------------------------------------------------------------------- */

static void write_names(const struct profile *p, const char *key, struct span span) {
    printf(", \"%s\": [", key);
    for (uint32_t i = 0; i < span.count; i++)
        printf("%s\"%s\"", i ? ", " : "", p->tensors[p->index[span.at + i]].name);
    putchar(']');
}

static void write_profile(const struct profile *p) {
    printf("{\"profile\": {\"name\": \"random\", \"fixed_us\": %.17g", p->fixed_us);
    if (p->link_given)
        printf(", \"link\": {\"h2d_gb_per_s\": %.17g, \"d2h_gb_per_s\": %.17g, \"h2d_both_gb_per_s\": %.17g, "
               "\"d2h_both_gb_per_s\": %.17g, \"latency_us\": %.17g}", p->link.h2d_gb_per_s, p->link.d2h_gb_per_s,
               p->link.h2d_both_gb_per_s, p->link.d2h_both_gb_per_s, p->link.latency_us);
    printf(", \"tensors\": [");
    for (uint32_t t = 0; t < p->tensor_count; t++)
        printf("%s{\"name\": \"%s\", \"bytes\": %" PRIu64 ", \"gradient\": %s, \"keep\": %s}", t ? ", " : "",
               p->tensors[t].name, p->tensors[t].bytes, p->tensors[t].gradient ? "true" : "false",
               p->tensors[t].keep ? "true" : "false");
    printf("], \"ops\": [");
    for (uint32_t i = 0; i < p->op_count; i++) {
        const struct op *op = &p->ops[i];
        printf("%s{\"name\": \"%s\", \"forward_us\": %.17g, \"backward_us\": %.17g, \"recompute_us\": %.17g, "
               "\"recomputable\": %s, \"forward_workspace_bytes\": %" PRIu64 ", \"backward_workspace_bytes\": %" PRIu64,
               i ? ", " : "", op->name, op->forward_us, op->backward_us, op->recompute_us,
               op->recomputable ? "true" : "false", op->forward_workspace_bytes, op->backward_workspace_bytes);
        write_names(p, "inputs", op->inputs);
        write_names(p, "outputs", op->outputs);
        write_names(p, "saved", op->saved);
        putchar('}');
    }
    printf("]}");
}

static void write_plan(const struct profile *p, const struct plan *plan) {
    const char *comma = "";
    printf(", \"plan\": {\"actions\": {");
    for (uint32_t i = 0; i < p->managed_count; i++, comma = ", ")
        printf("%s\"%s\": \"%s\"", comma, p->tensors[p->managed[i]].name, ACTION_NAME[plan->action[p->managed[i]]]);
    printf("}, \"prefetch\": {");
    comma = "";
    for (uint32_t i = 0; i < p->managed_count; i++) {
        uint32_t distance = plan_prefetch(plan, p->managed[i]);
        if (distance == PREFETCH_ANY)
            continue;
        printf("%s\"%s\": %u", comma, p->tensors[p->managed[i]].name, distance);
        comma = ", ";
    }
    putchar('}');
    if (plan->budget_bytes != BYTES_UNLIMITED)
        printf(", \"budget_bytes\": %" PRIu64, plan->budget_bytes);
    putchar('}');
}

static void write_option(const char *key, double value) {
    if (!isnan(value))
        printf(", \"%s\": %.17g", key, value);
}

/* Effective rates in bytes/us, as the oracle counts, and the latency. */
static void write_link(const struct link_options *o, const struct link *link) {
    printf(", \"effective_link\": [%.17g, %.17g, %.17g, %.17g, %.17g]", gb_per_s_to_bytes_per_us(link->h2d_gb_per_s),
           gb_per_s_to_bytes_per_us(link->d2h_gb_per_s), gb_per_s_to_bytes_per_us(link->h2d_both_gb_per_s),
           gb_per_s_to_bytes_per_us(link->d2h_both_gb_per_s), link->latency_us);
    printf(", \"link\": {\"share\": %u", o->share);
    write_option("bandwidth", o->bandwidth_gb_per_s);
    write_option("h2d", o->h2d_gb_per_s);
    write_option("d2h", o->d2h_gb_per_s);
    write_option("h2d_both", o->h2d_both_gb_per_s);
    write_option("d2h_both", o->d2h_both_gb_per_s);
    write_option("latency", o->latency_us);
    if (o->duplex != DUPLEX_AS_IS)
        printf(", \"duplex\": \"%s\"", o->duplex == DUPLEX_FULL ? "full" : "half");
    putchar('}');
}

/* ---- the result ----------------------------------------------------------------------------------------------- */

static void write_starts(const struct timeline *t) {
    const struct profile *p = t->profile;
    printf(", \"compute\": [");
    for (uint32_t k = 0; k < t->schedule.step_count; k++)
        printf("%s[\"%c\", \"%s\", %.17g]", k ? ", " : "", STEP_LETTER[t->schedule.kind[k]],
               p->ops[t->schedule.op[k]].name, t->steps[k].start_us);
    printf("], \"d2h\": [");
    for (uint32_t i = 0; i < t->schedule.d2h_count; i++)
        printf("%s[\"D\", \"%s\", %.17g]", i ? ", " : "", p->tensors[t->d2h[i].tensor].name, t->d2h[i].start_us);
    printf("], \"h2d\": [");
    for (uint32_t i = 0; i < t->schedule.h2d_count; i++)
        printf("%s[\"H\", \"%s\", %.17g]", i ? ", " : "", p->tensors[t->h2d[i].tensor].name, t->h2d[i].start_us);
    putchar(']');
}

static void write_result(enum ss_status status, const struct error *error, const struct timeline *t) {
    const struct sim_totals *totals = &t->totals;
    if (status != SS_OK) {
        printf(", \"result\": {\"status\": %d, \"error\": \"", (int)status);
        for (const char *c = error->text; *c; c++)
            printf(*c == '"' ? "\\\"" : "%c", *c);
        printf("\"}}\n");
        return;
    }
    printf(", \"result\": {\"status\": 0, \"feasible\": %s, \"required_bytes\": %" PRIu64 ", \"required_step\": "
           "\"%c %s\"", totals->feasible ? "true" : "false", totals->required_bytes,
           STEP_LETTER[t->schedule.kind[totals->required_step]],
           t->profile->ops[t->schedule.op[totals->required_step]].name);
    if (totals->feasible) {
        printf(", \"step_us\": %.17g, \"recompute_us\": %.17g, \"stall_us\": %.17g, \"peak_bytes\": %" PRIu64
               ", \"host_peak_bytes\": %" PRIu64 ", \"d2h_bytes\": %" PRIu64 ", \"h2d_bytes\": %" PRIu64,
               totals->step_us, totals->recompute_us, totals->stall_us, totals->peak_bytes, totals->host_peak_bytes,
               totals->d2h_bytes, totals->h2d_bytes);
        write_starts(t);
    }
    printf("}}\n");
}

/* ---- budgets -------------------------------------------------------------------------------------------------- */

/* Just what the plan needs, a little less or more, or no limit. */
static uint64_t draw_budget(struct random *random, uint64_t required) {
    switch (random_below(random, 8)) {
    case 0: return BYTES_LIMIT;
    case 1: return required ? required - 1 : 0;
    case 2: return required + 1 + random_below(random, 1000);
    case 3:
    case 4: return required + required * random_below(random, 60) / 100;
    default: return required;
    }
}

static void write_case(struct random *random) {
    struct arena arena = { NULL };
    struct error error = { .text = "" };
    struct profile profile;
    struct plan plan;
    struct random_shape shape = { .most_ops = random_chance(random, 5) ? 120 : 2 + random_below(random, 18),
                                  .whole_times = random_chance(random, 50),
                                  .chain_only = random_chance(random, 15), .free_choice = random_chance(random, 60) };
    random_profile(random, &shape, &arena, &profile);
    random_plan(random, &profile, &arena, &plan);
    struct link_options options = random_link_options(random, &profile);
    struct link link;
    must(link_resolve(&profile.link, &options, &link, &error), &error);
    struct simulator *simulator = simulator_new(&profile, &error);
    if (!simulator)
        must(SS_INTERNAL, &error);
    struct sim_totals totals;
    uint64_t budget = BYTES_LIMIT;
    if (sim_evaluate(simulator, &plan, &link, BYTES_UNLIMITED, &totals, &error) == SS_OK)
        budget = draw_budget(random, totals.required_bytes);
    if (random_chance(random, 15)) { /* the plan's own budget counts when it is the smaller one */
        plan.budget_bytes = budget;
        budget += random_below(random, 5000);
    }
    struct timeline timeline;
    enum ss_status status = sim_run(simulator, &plan, &link, budget, &arena, &timeline, &error);
    write_profile(&profile);
    write_plan(&profile, &plan);
    write_link(&options, &link);
    printf(", \"budget\": %" PRIu64, budget);
    write_result(status, &error, &timeline);
    simulator_free(simulator);
    arena_free(&arena);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: differential_cases SEED COUNT\n");
        return 2;
    }
    struct random random = { strtoull(argv[1], NULL, 10) };
    for (long count = strtol(argv[2], NULL, 10); count > 0; count--)
        write_case(&random);
    return 0;
}
