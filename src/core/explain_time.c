/* explain_time: answers about steps, transfers and stalls. */
#include "explain_parts.h"

#include <math.h>

/* ---- overlap ---- */

/* Both copy lanes as one list of stretches in which something moves. */
struct moving { const struct timeline *timeline; uint32_t out, back; };
struct stretch { double from_us, to_us; struct event first; };

static const struct timeline_transfer *next_transfer(const struct moving *m, struct event *event) {
    const struct timeline *t = m->timeline;
    const bool has_out = m->out < t->schedule.d2h_count, has_back = m->back < t->schedule.h2d_count;
    if (!has_out && !has_back)
        return NULL;
    const bool out = has_out && (!has_back || t->d2h[m->out].start_us <= t->h2d[m->back].start_us);
    *event = out ? (struct event){ LANE_D2H, m->out } : (struct event){ LANE_H2D, m->back };
    return out ? &t->d2h[m->out] : &t->h2d[m->back];
}

static bool next_stretch(struct moving *m, struct stretch *out) {
    struct event event;
    const struct timeline_transfer *transfer = next_transfer(m, &event);
    if (!transfer)
        return false;
    *out = (struct stretch){ transfer->start_us, transfer->start_us, event };
    while (transfer && transfer->start_us <= out->to_us) {
        out->to_us = fmax(out->to_us, transfer->end_us);
        if (event.lane == LANE_D2H)
            m->out++;
        else
            m->back++;
        transfer = next_transfer(m, &event);
    }
    return true;
}

/* What of stalls lies between FROM_US and TO_US; NEXT is the first stall that may, and moves on. */
static double stalled_within(const struct timeline *timeline, uint32_t *next, double from_us, double to_us) {
    double sum = 0;
    while (*next < timeline->stall_count && timeline->stalls[*next].end_us <= from_us)
        ++*next;
    for (uint32_t i = *next; i < timeline->stall_count && timeline->stalls[i].start_us < to_us; i++)
        sum += fmin(to_us, timeline->stalls[i].end_us) - fmax(from_us, timeline->stalls[i].start_us);
    return sum;
}

struct overlap {
    double moving_us, exposed_us;           /* something moves; compute waits meanwhile */
    double idle_us, idle_from_us, idle_to_us; /* nothing moves: in all, and the longest time */
    struct event after;                     /* what moves after the longest */
    bool at_end;                            /* nothing does */
};

static void note_idle(struct overlap *o, double from_us, double to_us, struct event after, bool at_end) {
    const double length = to_us - from_us;
    o->idle_us += length > 0 ? length : 0;
    if (length <= o->idle_to_us - o->idle_from_us)
        return;
    o->idle_from_us = from_us;
    o->idle_to_us = to_us;
    o->after = after;
    o->at_end = at_end;
}

static struct overlap measure_overlap(const struct timeline *timeline) {
    struct overlap o = { 0 };
    struct moving moving = { .timeline = timeline };
    struct stretch stretch = { 0 };
    uint32_t stall = 0;
    double before = 0;
    while (next_stretch(&moving, &stretch)) {
        note_idle(&o, before, stretch.from_us, stretch.first, false);
        o.moving_us += stretch.to_us - stretch.from_us;
        o.exposed_us += stalled_within(timeline, &stall, stretch.from_us, stretch.to_us);
        before = stretch.to_us;
    }
    note_idle(&o, before, timeline->end_us, stretch.first, true);
    return o;
}

static const struct stall *longest_stall(const struct timeline *timeline) {
    const struct stall *longest = NULL;
    for (uint32_t i = 0; i < timeline->stall_count; i++)
        if (!longest || stall_length(&timeline->stalls[i]) > stall_length(longest))
            longest = &timeline->stalls[i];
    return longest;
}

/* Why nothing moves until EVENT does. */
static void say_held(struct explainer *e, struct event event) {
    answer_say(e, "%s is next, and ", text_event(e, event).text);
    words_cause(&e->words, "it", e->timeline, event);
}

static void say_idle(struct explainer *e, const struct overlap *o) {
    if (!(o->idle_to_us > o->idle_from_us))
        return;
    answer_say(e, " Nothing moves for %s of the step, the longest time from %s to %s: ", show_time(o->idle_us).text,
               text_moment(o->idle_from_us).text, text_moment(o->idle_to_us).text);
    if (o->at_end)
        answer_say(e, "by then all that left has come back");
    else
        say_held(e, o->after);
    answer_say(e, ".");
}

void answer_overlap(struct explainer *e) {
    const struct overlap o = measure_overlap(e->timeline);
    const struct stall *stall = longest_stall(e->timeline);
    answer_begin(e, "overlap", "Why is there no overlap here?");
    answer_figure(e, NULL, "transfer_us", o.moving_us);
    answer_figure(e, NULL, "exposed_us", o.exposed_us);
    answer_figure(e, NULL, "hidden_us", o.moving_us - o.exposed_us);
    answer_figure(e, NULL, "idle_us", o.idle_us);
    answer_figure(e, NULL, "idle_from_us", o.idle_from_us);
    answer_figure(e, NULL, "idle_to_us", o.idle_to_us);
    if (e->timeline->schedule.d2h_count == 0) {
        answer_say(e, "The plan moves nothing, so there is nothing that could overlap.");
        answer_end(e);
        return;
    }
    answer_say(e, "Something is on the link for %s, and compute runs beside it for %s of that.",
               show_time(o.moving_us).text, show_time(o.moving_us - o.exposed_us).text);
    if (o.exposed_us > 0 && stall) {
        answer_say(e, " For %s compute waits while bytes move, the longest time from %s on: ", show_time(o.exposed_us).text,
                   text_moment(stall->start_us).text);
        words_why(&e->words, e->timeline, (struct event){ LANE_COMPUTE, stall->step });
        answer_say(e, ".");
        answer_chain(e, (struct event){ LANE_COMPUTE, stall->step });
    } else {
        answer_say(e, " Compute never waits while bytes move: all of it is hidden.");
    }
    say_idle(e, &o);
    answer_end(e);
}

/* ---- one moment ---- */

static const struct timeline_transfer *transfers_of(const struct timeline *timeline, enum lane lane, uint32_t *count) {
    *count = lane == LANE_D2H ? timeline->schedule.d2h_count : timeline->schedule.h2d_count;
    return lane == LANE_D2H ? timeline->d2h : timeline->h2d;
}

/* What LANE does at AT_US; true when it moves something. */
static bool say_lane_at(struct explainer *e, enum lane lane, double at_us) {
    const char *name = lane == LANE_D2H ? "D2H" : "H2D";
    uint32_t count;
    const struct timeline_transfer *transfers = transfers_of(e->timeline, lane, &count);
    const uint32_t at = timeline_at(e->timeline, lane, at_us);
    const uint32_t next = at == NONE ? 0 : at + 1;
    if (at != NONE && transfers[at].end_us > at_us) {
        answer_say(e, " %s moves %s since %s, until %s.", name, text_tensor(e, transfers[at].tensor).text,
                   text_moment(transfers[at].start_us).text, text_moment(transfers[at].end_us).text);
        return true;
    }
    if (count == 0) {
        answer_say(e, " %s has nothing to do in this plan.", name);
        return false;
    }
    if (next == count) {
        answer_say(e, " %s is idle: all that %s had done so by %s.", name, lane == LANE_D2H ? "leaves" : "returns",
                   text_moment(transfers[count - 1].end_us).text);
        return false;
    }
    answer_say(e, " %s is idle until %s: ", name, text_moment(transfers[next].start_us).text);
    say_held(e, (struct event){ (uint8_t)lane, next });
    answer_say(e, ".");
    return false;
}

void answer_overlap_at(struct explainer *e, double at_us) {
    const struct timeline *timeline = e->timeline;
    answer_begin(e, "overlap", "What overlaps at %s, and why no more?", text_moment(at_us).text);
    answer_figure(e, NULL, "at_us", at_us);
    const uint32_t step = timeline_at(timeline, LANE_COMPUTE, at_us);
    const bool over = at_us >= timeline->end_us;
    bool runs = !over && step != NONE && timeline->steps[step].end_us > at_us;
    if (over) {
        answer_say(e, "Compute is done: its last step ended at %s.", text_moment(timeline->end_us).text);
    } else if (runs) {
        answer_say(e, "Compute runs %s, until %s.", text_event(e, (struct event){ LANE_COMPUTE, step }).text,
                   text_moment(timeline->steps[step].end_us).text);
    } else {
        const uint32_t waiting = step == NONE ? 0 : step + 1;
        answer_say(e, "Compute waits: ");
        words_why(&e->words, timeline, (struct event){ LANE_COMPUTE, waiting });
        answer_say(e, ".");
        answer_chain(e, (struct event){ LANE_COMPUTE, waiting });
    }
    const bool out = say_lane_at(e, LANE_D2H, at_us), back = say_lane_at(e, LANE_H2D, at_us);
    answer_figure(e, NULL, "compute_runs", runs);
    answer_figure(e, NULL, "d2h_moves", out);
    answer_figure(e, NULL, "h2d_moves", back);
    answer_end(e);
}

/* ---- stalls ---- */

struct layer_stalls { double us; uint32_t count; const struct stall *longest; };

static struct layer_stalls stalls_of_layer(const struct timeline *timeline, uint32_t layer) {
    struct layer_stalls sum = { 0 };
    for (uint32_t i = 0; i < timeline->stall_count; i++) {
        const struct stall *stall = &timeline->stalls[i];
        if (timeline->profile->ops[timeline->schedule.op[stall->step]].layer != layer)
            continue;
        sum.us += stall_length(stall);
        sum.count++;
        if (!sum.longest || stall_length(stall) > stall_length(sum.longest))
            sum.longest = stall;
    }
    return sum;
}

/* The layer that waits longest; NONE when memory is short or nothing waits. */
static uint32_t worst_layer(struct explainer *e) {
    const struct timeline *timeline = e->timeline;
    struct arena arena = { 0 };
    double *us = ARENA_ARRAY(&arena, double, e->profile->layer_count);
    uint32_t worst = NONE;
    for (uint32_t i = 0; us && i < timeline->stall_count; i++)
        us[e->profile->ops[timeline->schedule.op[timeline->stalls[i].step]].layer] += stall_length(&timeline->stalls[i]);
    for (uint32_t l = 0; us && l < e->profile->layer_count; l++)
        if (us[l] > 0 && (worst == NONE || us[l] > us[worst]))
            worst = l;
    arena_free(&arena);
    return worst;
}

static void say_stall(struct explainer *e, const struct stall *stall) {
    words_why(&e->words, e->timeline, (struct event){ LANE_COMPUTE, stall->step });
    answer_say(e, ".");
    answer_chain(e, (struct event){ LANE_COMPUTE, stall->step });
}

static void figure_stalls(struct explainer *e) {
    struct stall_sum sums[STALL_REASON_COUNT];
    stalls_sum(e->timeline, sums);
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
        if (sums[reason].count > 0)
            answer_figure(e, "by_cause", STALL_REASON_NAME[reason], sums[reason].us);
}

void answer_stalls(struct explainer *e) {
    const struct timeline *timeline = e->timeline;
    const uint32_t layer = worst_layer(e);
    answer_begin(e, "stalls", "Which layer stalls, and for how long?");
    answer_figure(e, NULL, "stall_us", timeline->totals.stall_us);
    answer_figure(e, NULL, "stalls", timeline->stall_count);
    if (layer == NONE) {
        answer_say(e, "None: compute never waits.");
        answer_end(e);
        return;
    }
    const struct layer_stalls sum = stalls_of_layer(timeline, layer);
    answer_figure(e, NULL, "layer_stall_us", sum.us);
    answer_figure(e, NULL, "layer_stalls", sum.count);
    answer_figure(e, NULL, "longest_us", stall_length(sum.longest));
    answer_figure(e, NULL, "longest_at_us", sum.longest->start_us);
    figure_stalls(e);
    answer_say(e, "Layer %s: it waits %s in %u gap%s, of %s in %u in the whole step. The longest is %s, from %s on: ",
               text_layer(e, layer).text, show_time(sum.us).text, (unsigned)sum.count, plural(sum.count),
               show_time(timeline->totals.stall_us).text, (unsigned)timeline->stall_count,
               show_time(stall_length(sum.longest)).text, text_moment(sum.longest->start_us).text);
    say_stall(e, sum.longest);
    answer_end(e);
}

#define STALLS_MOST 40

/* The next stall to tell of: the longest that is no longer than LAST, the earlier of equals first. */
static const struct stall *next_longest(const struct timeline *timeline, const struct stall *last) {
    const struct stall *found = NULL;
    for (uint32_t i = 0; i < timeline->stall_count; i++) {
        const struct stall *stall = &timeline->stalls[i];
        const bool told = last && (stall_length(stall) > stall_length(last) ||
                                   (stall_length(stall) == stall_length(last) && stall <= last));
        if (!told && (!found || stall_length(stall) > stall_length(found)))
            found = stall;
    }
    return found;
}

void answer_each_stall(struct explainer *e) {
    const struct stall *stall = NULL;
    for (int i = 0; i < STALLS_MOST && (stall = next_longest(e->timeline, stall)) != NULL; i++) {
        const struct event event = { LANE_COMPUTE, stall->step };
        answer_begin(e, "stall", "Why does %s wait %s?", text_event(e, event).text, show_time(stall_length(stall)).text);
        answer_figure(e, NULL, "stall_us", stall_length(stall));
        answer_figure(e, NULL, "from_us", stall->start_us);
        answer_figure(e, NULL, "to_us", stall->end_us);
        say_stall(e, stall);
        answer_end(e);
    }
}

/* ---- prefetch ---- */

/* When the step that TRANSFER serves could start if it did not wait for it. */
static double ready_without(const struct timeline *timeline, const struct timeline_transfer *transfer) {
    return transfer->use_step > 0 ? timeline->steps[transfer->use_step - 1].end_us : 0;
}

static uint32_t tightest_return(const struct timeline *timeline) {
    uint32_t tightest = NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < timeline->schedule.h2d_count; i++) {
        const double spare = ready_without(timeline, &timeline->h2d[i]) - timeline->h2d[i].end_us;
        if (spare < least) {
            least = spare;
            tightest = i;
        }
    }
    return tightest;
}

/* The step of the plan explained, with TENSOR's return held to DISTANCE. */
static double step_with_distance(struct explainer *e, struct plan *plan, uint32_t tensor, uint32_t distance) {
    struct sim_totals totals;
    plan->prefetch[tensor] = distance;
    return explain_try_plan(e, plan, &totals) && totals.feasible ? totals.step_us : INFINITY;
}

/* A copy of the plan explained in which distances can be changed. */
static bool plan_with_distances(struct explainer *e, struct arena *arena, struct plan *plan) {
    enum ss_status status = plan_copy(plan, arena, e->profile, &e->timeline->plan, e->error);
    if (status == SS_OK && !plan->prefetch) {
        plan->prefetch = ARENA_ARRAY(arena, uint32_t, e->profile->tensor_count);
        for (uint32_t t = 0; plan->prefetch && t < e->profile->tensor_count; t++)
            plan->prefetch[t] = PREFETCH_ANY;
        status = plan->prefetch ? SS_OK : error_no_memory(e->error);
    }
    if (status != SS_OK)
        e->status = status;
    return status == SS_OK;
}

/* The least distance with which the step takes no longer than it does; LESS_US is what one step less costs. */
static uint32_t least_distance(struct explainer *e, uint32_t tensor, uint32_t most, double *less_us) {
    const double step = e->timeline->totals.step_us, same = step + 1e-9 * step;
    struct arena arena = { 0 };
    struct plan plan;
    uint32_t low = 0, high = most;
    *less_us = 0;
    if (plan_with_distances(e, &arena, &plan)) {
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (step_with_distance(e, &plan, tensor, middle) <= same)
                high = middle;
            else
                low = middle + 1;
        }
        if (high > 0)
            *less_us = step_with_distance(e, &plan, tensor, high - 1) - step;
    }
    arena_free(&arena);
    return high;
}

static void say_distance(struct explainer *e, const struct timeline_transfer *transfer) {
    const uint32_t most = transfer->use_step - e->timeline->schedule.forward_count;
    double less;
    const uint32_t distance = least_distance(e, transfer->tensor, most, &less);
    answer_figure(e, NULL, "least_distance", distance);
    answer_figure(e, NULL, "one_less_us", less);
    if (distance == 0)
        answer_say(e, " A prefetch distance of 0 steps would do: the step takes no longer even so.");
    else
        answer_say(e, " As a prefetch distance that is %u step%s: with one step less the training step takes %s longer.",
                   (unsigned)distance, plural(distance), show_time(less).text);
}

void answer_prefetch(struct explainer *e, uint32_t transfer) {
    const struct timeline *timeline = e->timeline;
    const bool any = transfer == NONE;
    if (any)
        transfer = tightest_return(timeline);
    if (transfer == NONE) {
        answer_begin(e, "prefetch", "How early must a prefetch start?");
        answer_say(e, "The plan moves nothing, so nothing has to come back.");
        answer_end(e);
        return;
    }
    const struct timeline_transfer *back = &timeline->h2d[transfer];
    const struct event event = { LANE_H2D, transfer }, use = { LANE_COMPUTE, back->use_step };
    const double takes = back->end_us - back->start_us, ready = ready_without(timeline, back);
    const double must = ready - takes, spare = must - back->start_us;
    answer_begin(e, "prefetch", "How early must the prefetch of %s start?", text_tensor(e, back->tensor).text);
    answer_figure(e, NULL, "transfer_us", takes);
    answer_figure(e, NULL, "starts_us", back->start_us);
    answer_figure(e, NULL, "ready_us", ready);
    answer_figure(e, NULL, "must_start_us", must);
    answer_figure(e, NULL, "spare_us", spare);
    if (any)
        answer_say(e, "It is the return with the least time to spare. ");
    answer_say(e, "%s takes %s, and %s could start at %s: so the prefetch must start by %s. It starts at %s, ",
               text_event(e, event).text, show_time(takes).text, text_event(e, use).text, text_moment(ready).text,
               text_moment(must).text, text_moment(back->start_us).text);
    if (spare >= 0) {
        answer_say(e, "%s earlier than it must.", show_time(spare).text);
    } else {
        answer_say(e, "%s too late: ", show_time(-spare).text);
        words_cause(&e->words, "it", timeline, event);
        answer_say(e, ".");
    }
    say_distance(e, back);
    answer_chain(e, event);
    answer_end(e);
}

/* ---- an op, a layer ---- */

static void say_step(struct explainer *e, uint32_t step, struct event *worst) {
    const struct event event = { LANE_COMPUTE, step };
    const struct stall *stall = timeline_stall_of(e->timeline, step), *before = timeline_stall_of(e->timeline, worst->index);
    words_why(&e->words, e->timeline, event);
    answer_say(e, " (");
    words_when(&e->words, e->timeline, event);
    answer_say(e, "). ");
    if (stall && (!before || stall_length(stall) > stall_length(before)))
        *worst = event;
}

void answer_op(struct explainer *e, uint32_t op) {
    const struct schedule *schedule = &e->timeline->schedule;
    struct name_text name;
    struct event worst = { LANE_COMPUTE, schedule->backward_step[op] };
    uint32_t again = 0;
    double recompute_us = 0, stall_us = 0;
    name_fit(name.text, e->profile->ops[op].name);
    answer_begin(e, "op", "When does %s run, and what does it wait for?", name.text);
    for (uint32_t k = 0; k < schedule->step_count; k++) {
        const struct stall *stall = schedule->op[k] == op ? timeline_stall_of(e->timeline, k) : NULL;
        if (schedule->op[k] != op)
            continue;
        say_step(e, k, &worst);
        stall_us += stall ? stall_length(stall) : 0;
        again += schedule->kind[k] == STEP_RECOMPUTE;
        recompute_us += schedule->kind[k] == STEP_RECOMPUTE ? schedule->duration_us[k] : 0;
    }
    answer_figure(e, NULL, "stall_us", stall_us);
    answer_figure(e, NULL, "recompute_us", recompute_us);
    answer_figure(e, NULL, "recomputed", again);
    answer_say(e, "Its backward reads ");
    words_tensors(&e->words, e->timeline, schedule->backward_step[op]);
    answer_say(e, ".");
    answer_chain(e, worst);
    answer_end(e);
}

struct layer_sum { double recompute_us; uint32_t again; uint64_t bytes[ACTION_COUNT]; uint32_t count[ACTION_COUNT]; };

static void sum_tensors(const struct explainer *e, uint32_t layer, struct layer_sum *sum) {
    const struct profile *profile = e->profile;
    const struct span ops = profile->layers[layer].ops;
    for (uint32_t i = 0; i < ops.count; i++) {
        const struct span outputs = profile->ops[profile->index[ops.at + i]].outputs;
        for (uint32_t o = 0; o < outputs.count; o++) {
            const uint32_t tensor = profile->index[outputs.at + o];
            if (!profile->tensors[tensor].managed)
                continue;
            sum->bytes[e->timeline->plan.action[tensor]] += profile->tensors[tensor].bytes;
            sum->count[e->timeline->plan.action[tensor]]++;
        }
    }
}

static struct layer_sum sum_layer(const struct explainer *e, uint32_t layer) {
    const struct schedule *schedule = &e->timeline->schedule;
    struct layer_sum sum = { 0 };
    for (uint32_t k = 0; k < schedule->step_count; k++) {
        if (schedule->kind[k] != STEP_RECOMPUTE || e->profile->ops[schedule->op[k]].layer != layer)
            continue;
        sum.recompute_us += schedule->duration_us[k];
        sum.again++;
    }
    sum_tensors(e, layer, &sum);
    return sum;
}

void answer_layer(struct explainer *e, uint32_t layer) {
    const struct layer_sum sum = sum_layer(e, layer);
    const struct layer_stalls stalls = stalls_of_layer(e->timeline, layer);
    answer_begin(e, "layer", "What does layer %s cost, and what does it wait for?", text_layer(e, layer).text);
    answer_figure(e, NULL, "stall_us", stalls.us);
    answer_figure(e, NULL, "stalls", stalls.count);
    answer_figure(e, NULL, "recompute_us", sum.recompute_us);
    for (int action = 0; action < ACTION_COUNT; action++)
        answer_figure(e, ACTION_NAME[action], "bytes", (double)sum.bytes[action]);
    answer_say(e, "Of its tensors %u (%s) are kept, %u (%s) offloaded and %u (%s) recomputed. ",
               (unsigned)sum.count[ACTION_KEEP], show_bytes(sum.bytes[ACTION_KEEP]).text,
               (unsigned)sum.count[ACTION_OFFLOAD], show_bytes(sum.bytes[ACTION_OFFLOAD]).text,
               (unsigned)sum.count[ACTION_RECOMPUTE], show_bytes(sum.bytes[ACTION_RECOMPUTE]).text);
    answer_say(e, "Computing again costs %s in %u op%s. ", show_time(sum.recompute_us).text, (unsigned)sum.again,
               plural(sum.again));
    if (stalls.count == 0) {
        answer_say(e, "None of its steps waits.");
    } else {
        answer_say(e, "Its steps wait %s in %u gap%s, of %s in the whole step; the longest: ", show_time(stalls.us).text,
                   (unsigned)stalls.count, plural(stalls.count), show_time(e->timeline->totals.stall_us).text);
        say_stall(e, stalls.longest);
    }
    answer_end(e);
}
