/* explain_choice: why a plan keeps this, offloads that and recomputes the rest.
 *
 * Plans say what, not why. The reasons are those of the published rule (MODEL.md §5): what is costliest to rebuild per
 * byte is offloaded as long as the slack lasts, what is cheap is recomputed. So the tensors are ranked by the price of
 * their closures, costliest first, and the slack that was left for each is what the offloaded ones before it did not
 * take. What the plan at hand would gain by deciding otherwise is simulated. */
#include "explain_parts.h"

#include <math.h>
#include <stdlib.h>

#include "closure.h"

#define MIB 1048576.0

/* What one re-run of OP brings back, and at what price. */
struct priced_op { uint32_t op; double us, us_per_byte; uint64_t bytes; }; /* us INFINITY: it may not run again */

struct prices {
    struct arena arena;
    struct closure closure;
    struct priced_op *ranked; uint32_t count; /* ops that make tensors which may leave; costliest first */
    double slack_bytes;
};

static int costliest_first(const void *a, const void *b) {
    const struct priced_op *x = a, *y = b;
    if (x->us_per_byte != y->us_per_byte)
        return x->us_per_byte > y->us_per_byte ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool may_leave(const struct tensor *tensor) { return tensor->managed && !tensor->keep; }

static uint64_t movable_bytes(const struct profile *profile, uint32_t op) {
    const struct span outputs = profile->ops[op].outputs;
    uint64_t bytes = 0;
    for (uint32_t o = 0; o < outputs.count; o++)
        if (may_leave(&profile->tensors[profile->index[outputs.at + o]]))
            bytes += profile->tensors[profile->index[outputs.at + o]].bytes;
    return bytes;
}

/* What D2H can move during the forward pass and H2D during the backward. */
static double slack_of(const struct explainer *e) {
    const struct link *link = &e->outcome->link;
    return fmin(e->profile->forward_us * gb_per_s_to_bytes_per_us(link->d2h_gb_per_s),
                e->profile->backward_us * gb_per_s_to_bytes_per_us(link->h2d_gb_per_s));
}

static bool prices_make(struct prices *prices, struct explainer *e) {
    const struct profile *profile = e->profile;
    *prices = (struct prices){ .slack_bytes = slack_of(e) };
    enum ss_status status = closure_compute(&prices->closure, &prices->arena, profile, e->error);
    prices->ranked = ARENA_ARRAY(&prices->arena, struct priced_op, profile->op_count);
    if (status == SS_OK && !prices->ranked)
        status = error_no_memory(e->error);
    for (uint32_t i = 0; i < profile->op_count && status == SS_OK; i++) {
        const uint64_t bytes = movable_bytes(profile, i);
        const double us = prices->closure.rerunnable[i] ? prices->closure.full_us[i] : INFINITY;
        if (bytes > 0)
            prices->ranked[prices->count++] = (struct priced_op){ i, us, us / (double)bytes, bytes };
    }
    if (status != SS_OK) {
        e->status = status;
        return false;
    }
    qsort(prices->ranked, prices->count, sizeof *prices->ranked, costliest_first);
    return true;
}

static void prices_free(struct prices *prices) { arena_free(&prices->arena); }

static uint64_t offloaded_bytes(const struct explainer *e, uint32_t op) {
    const struct span outputs = e->profile->ops[op].outputs;
    uint64_t bytes = 0;
    for (uint32_t o = 0; o < outputs.count; o++) {
        const uint32_t tensor = e->profile->index[outputs.at + o];
        if (e->timeline->plan.action[tensor] == ACTION_OFFLOAD)
            bytes += e->profile->tensors[tensor].bytes;
    }
    return bytes;
}

/* The rank of OP, from 1, and in TAKEN the bytes that those before it offload; 0 when it has none. */
static uint32_t rank_of(const struct prices *prices, const struct explainer *e, uint32_t op, double *taken) {
    *taken = 0;
    for (uint32_t r = 0; r < prices->count; r++) {
        if (prices->ranked[r].op == op)
            return r + 1;
        *taken += (double)offloaded_bytes(e, prices->ranked[r].op);
    }
    return 0;
}

/* ---- one tensor ---- */

/* What computing TENSOR again adds to the plan as it is: exactly, by laying both plans out. */
static double marginal_cost(struct explainer *e, uint32_t tensor) {
    struct schedule_builder *builder = simulator_builder(e->simulator);
    const struct schedule *schedule;
    struct plan plan;
    double with = 0, without = 0;
    arena_reset(&e->scratch);
    enum ss_status status = plan_copy(&plan, &e->scratch, e->profile, &e->timeline->plan, e->error);
    for (int again = 0; again < 2 && status == SS_OK; again++) {
        plan.action[tensor] = again ? ACTION_RECOMPUTE : ACTION_KEEP;
        status = schedule_build(builder, &plan, &schedule, e->error);
        if (status == SS_OK)
            *(again ? &with : &without) = schedule->recompute_us;
    }
    if (status != SS_OK)
        e->status = status;
    return with - without;
}

static void say_price(struct explainer *e, const struct prices *prices, uint32_t tensor) {
    const uint32_t op = e->profile->tensors[tensor].producer;
    double taken;
    const uint32_t rank = rank_of(prices, e, op, &taken);
    if (rank == 0) /* it has no bytes */
        return;
    const struct priced_op *price = &prices->ranked[rank - 1];
    answer_figure(e, NULL, "rank", rank);
    answer_figure(e, NULL, "ranked", prices->count);
    if (!isfinite(price->us)) {
        answer_say(e, "It can't be computed again: an op that would have to run twice must not. ");
        return;
    }
    const double marginal = marginal_cost(e, tensor);
    answer_figure(e, NULL, "closure_us", price->us);
    answer_figure(e, NULL, "us_per_mib", price->us_per_byte * MIB);
    answer_figure(e, NULL, "marginal_us", marginal);
    answer_say(e, "Making it again takes %s (%.3g us a MiB), its whole closure counted: number %u of %u, the costliest "
               "first. In this plan recomputing it %s %s. ", show_time(price->us).text, price->us_per_byte * MIB,
               (unsigned)rank, (unsigned)prices->count,
               e->timeline->plan.action[tensor] == ACTION_RECOMPUTE ? "adds" : "would add", show_time(marginal).text);
}

/* How much slack was left when the tensor's turn came, by the rule. */
static double say_slack(struct explainer *e, const struct prices *prices, uint32_t tensor) {
    double taken;
    rank_of(prices, e, e->profile->tensors[tensor].producer, &taken);
    const double left = fmax(0, prices->slack_bytes - taken);
    answer_figure(e, NULL, "slack_bytes", floor(prices->slack_bytes));
    answer_figure(e, NULL, "slack_left_bytes", floor(left));
    answer_say(e, "The slack, what D2H can move during the forward pass and H2D during the backward, is %s; what is "
               "costlier and offloaded takes %s, so %s was left when its turn came. ",
               show_bytes((uint64_t)prices->slack_bytes).text, show_bytes((uint64_t)taken).text,
               show_bytes((uint64_t)left).text);
    return left;
}

static void say_verdict(struct explainer *e, uint32_t tensor, double left) {
    const bool room = left >= (double)e->profile->tensors[tensor].bytes;
    switch (e->timeline->plan.action[tensor]) {
    case ACTION_OFFLOAD:
        answer_say(e, room ? "Hence it is offloaded: moving it hides behind compute."
                           : "It is offloaded beyond the slack: the planner wanted more memory than cheap recomputing frees.");
        return;
    case ACTION_RECOMPUTE:
        answer_say(e, room ? "It is recomputed though slack was left: the planner found, by simulating or by its own rule, "
                             "that this serves better."
                           : "Hence it is recomputed: the slack went to what is costlier to make again.");
        return;
    default: answer_say(e, "It is kept: with it the plan still fits.");
    }
}

static void say_unmanaged(struct explainer *e, uint32_t tensor) {
    answer_say(e, e->profile->tensors[tensor].producer == NONE
                      ? "No plan decides about it: no op makes it, it is part of the static memory."
                      : "No plan decides about it: no backward reads it, so it goes when the last forward op has read it.");
}

void answer_choice(struct explainer *e, uint32_t tensor) {
    static const char *const DONE[ACTION_COUNT] = { "kept", "offloaded", "recomputed" };
    const struct tensor *t = &e->profile->tensors[tensor];
    struct prices prices;
    answer_begin(e, "choice", "Why is %s %s?", text_tensor(e, tensor).text,
                 t->managed ? DONE[e->timeline->plan.action[tensor]] : "left alone");
    answer_figure(e, NULL, "bytes", (double)t->bytes);
    if (!t->managed) {
        say_unmanaged(e, tensor);
    } else if (t->keep) {
        answer_say(e, "The profile says that it must stay on the GPU.");
    } else if (prices_make(&prices, e)) {
        const struct link *link = &e->outcome->link;
        const double out = (double)t->bytes / gb_per_s_to_bytes_per_us(link->d2h_gb_per_s) + link->latency_us;
        const double back = (double)t->bytes / gb_per_s_to_bytes_per_us(link->h2d_gb_per_s) + link->latency_us;
        answer_say(e, "It has %s and belongs to layer %s. ", show_bytes(t->bytes).text,
                   text_layer(e, e->profile->ops[t->producer].layer).text);
        say_price(e, &prices, tensor);
        answer_figure(e, NULL, "d2h_us", out);
        answer_figure(e, NULL, "h2d_us", back);
        answer_say(e, "Moving it takes %s out and %s back on an idle link. ", show_time(out).text, show_time(back).text);
        say_verdict(e, tensor, say_slack(e, &prices, tensor));
        prices_free(&prices);
    }
    answer_end(e);
}

/* ---- what it would cost otherwise ---- */

static void try_action(struct explainer *e, struct plan *plan, uint32_t tensor, enum action action) {
    static const char *const DONE[ACTION_COUNT] = { "Kept", "Offloaded", "Recomputed" };
    const struct sim_totals *now = &e->timeline->totals;
    const uint8_t before = plan->action[tensor];
    struct sim_totals totals;
    char change[UNIT_TEXT], peak[UNIT_TEXT];
    plan->action[tensor] = (uint8_t)action;
    if (explain_try_plan(e, plan, &totals)) {
        answer_figure(e, ACTION_NAME[action], "feasible", totals.feasible);
        if (!totals.feasible) {
            answer_figure(e, ACTION_NAME[action], "required_bytes", (double)totals.required_bytes);
            answer_say(e, "%s, the plan does not fit: it needs %s. ", DONE[action], show_bytes(totals.required_bytes).text);
        } else {
            answer_figure(e, ACTION_NAME[action], "step_us", totals.step_us);
            answer_figure(e, ACTION_NAME[action], "peak_bytes", (double)totals.peak_bytes);
            answer_say(e, "%s, the step takes %s (%s) and the peak is %s (%s). ", DONE[action],
                       show_time(totals.step_us).text, format_time_change(change, totals.step_us - now->step_us),
                       show_bytes(totals.peak_bytes).text,
                       format_bytes_change(peak, (double)totals.peak_bytes - (double)now->peak_bytes));
        }
    }
    plan->action[tensor] = before;
}

void answer_prices(struct explainer *e, uint32_t tensor) {
    const struct tensor *t = &e->profile->tensors[tensor];
    struct arena arena = { 0 };
    struct prices prices;
    struct plan plan;
    if (t->keep || !prices_make(&prices, e))
        return;
    answer_begin(e, "otherwise", "What if the plan decided otherwise about %s?", text_tensor(e, tensor).text);
    const enum ss_status status = plan_copy(&plan, &arena, e->profile, &e->timeline->plan, e->error);
    if (status != SS_OK)
        e->status = status;
    for (int action = 0; action < ACTION_COUNT && e->status == SS_OK; action++) {
        if (action == plan.action[tensor])
            continue;
        if (action == ACTION_RECOMPUTE && !prices.closure.rerunnable[t->producer])
            answer_say(e, "Recomputed it can't be: an op would run twice that must not. ");
        else
            try_action(e, &plan, tensor, (enum action)action);
    }
    prices_free(&prices);
    arena_free(&arena);
    answer_end(e);
}

/* ---- all tensors ---- */

struct edge { double us_per_byte; uint32_t tensor; };

/* Among the tensors with ACTION the cheapest and the dearest to make again. */
static bool find_edges(const struct explainer *e, const struct prices *prices, enum action action, struct edge *cheapest,
                       struct edge *dearest) {
    *cheapest = (struct edge){ INFINITY, NONE };
    *dearest = (struct edge){ -1, NONE };
    for (uint32_t r = 0; r < prices->count; r++) {
        const struct span outputs = e->profile->ops[prices->ranked[r].op].outputs;
        const double price = prices->ranked[r].us_per_byte;
        for (uint32_t o = 0; o < outputs.count && isfinite(price); o++) {
            const uint32_t tensor = e->profile->index[outputs.at + o];
            if (!may_leave(&e->profile->tensors[tensor]) || e->timeline->plan.action[tensor] != action)
                continue;
            if (price < cheapest->us_per_byte)
                *cheapest = (struct edge){ price, tensor };
            if (price > dearest->us_per_byte)
                *dearest = (struct edge){ price, tensor };
        }
    }
    return cheapest->tensor != NONE;
}

static void say_edges(struct explainer *e, const struct prices *prices, enum action action, const char *words) {
    struct edge cheapest, dearest;
    if (!find_edges(e, prices, action, &cheapest, &dearest))
        return;
    answer_figure(e, ACTION_NAME[action], "least_us_per_mib", cheapest.us_per_byte * MIB);
    answer_figure(e, ACTION_NAME[action], "most_us_per_mib", dearest.us_per_byte * MIB);
    answer_say(e, "%s: from %.3g us a MiB (%s) to %.3g (%s). ", words, cheapest.us_per_byte * MIB,
               text_tensor(e, cheapest.tensor).text, dearest.us_per_byte * MIB, text_tensor(e, dearest.tensor).text);
}

void answer_choices(struct explainer *e) {
    const struct plan_mix mix = plan_mix(e->profile, &e->timeline->plan);
    struct prices prices;
    answer_begin(e, "choices", "Why are these offloaded and those recomputed?");
    for (int action = 0; action < ACTION_COUNT; action++) {
        answer_figure(e, ACTION_NAME[action], "bytes", (double)mix.bytes[action]);
        answer_figure(e, ACTION_NAME[action], "tensors", mix.count[action]);
    }
    if (prices_make(&prices, e)) {
        answer_figure(e, NULL, "slack_bytes", floor(prices.slack_bytes));
        answer_say(e, "What is costly to make again goes over the link as far as its slack reaches, what is cheap is "
                   "computed again, and what fits stays. The slack is %s; the plan offloads %s in %u tensor%s, recomputes "
                   "%s in %u and keeps %s in %u. ", show_bytes((uint64_t)prices.slack_bytes).text,
                   show_bytes(mix.bytes[ACTION_OFFLOAD]).text, (unsigned)mix.count[ACTION_OFFLOAD],
                   plural(mix.count[ACTION_OFFLOAD]), show_bytes(mix.bytes[ACTION_RECOMPUTE]).text,
                   (unsigned)mix.count[ACTION_RECOMPUTE], show_bytes(mix.bytes[ACTION_KEEP]).text,
                   (unsigned)mix.count[ACTION_KEEP]);
        say_edges(e, &prices, ACTION_OFFLOAD, "Making again what is offloaded would cost");
        say_edges(e, &prices, ACTION_RECOMPUTE, "Making again what is recomputed costs");
        prices_free(&prices);
    }
    answer_say(e, "--tensor NAME tells of one.");
    answer_end(e);
}
