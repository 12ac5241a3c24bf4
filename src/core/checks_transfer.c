/* checks_transfer: where compute waits for the link, and what moved in vain. */
#include "checker.h"
#include "units.h"

#define CULPRITS_MOST 12 /* transfers that are looked at for a fix */

/* ---- fixes ---------------------------------------------------------------------------------------------------- */

/* The best of several simulated plans so far. */
struct candidate { bool found; double step_us; uint32_t group; enum action action; };

static void try_actions(struct checker *c, uint32_t tensor, struct candidate *best) {
    static const enum action TRIED[] = { ACTION_KEEP, ACTION_RECOMPUTE };
    const uint32_t group = c->group_of[tensor];
    for (int i = 0; i < 2; i++) {
        const struct flip *flip = checker_flip(c, group, TRIED[i]);
        if (!flip || !flip->fits || !(checker_gain(c, &flip->totals) > c->notable_us) ||
            (best->found && flip->totals.step_us >= best->step_us))
            continue;
        *best = (struct candidate){ true, flip->totals.step_us, group, TRIED[i] };
    }
}

/* Simulates the plan with another distance for TENSOR. */
static bool try_distance(struct checker *c, uint32_t tensor, uint32_t distance, struct sim_totals *totals) {
    c->scratch.prefetch[tensor] = distance;
    const bool done = checker_simulate(c, &c->scratch, totals) && checker_fits(c, totals);
    c->scratch.prefetch[tensor] = c->plan.prefetch[tensor];
    return done;
}

static struct fix *distance_fix(struct checker *c, uint32_t tensor, uint32_t distance,
                                const struct sim_totals *totals) {
    c->scratch.prefetch[tensor] = distance;
    struct fix *fix = checker_fix(c, &c->scratch, totals);
    c->scratch.prefetch[tensor] = c->plan.prefetch[tensor];
    return fix;
}

/* The least distance with which the step is as short as with any: by halving. PREFETCH_ANY when no distance helps. */
static uint32_t least_distance(struct checker *c, uint32_t tensor, struct sim_totals *totals) {
    const uint32_t first_use = c->timeline.schedule.first_use[tensor];
    struct sim_totals best, tried;
    uint32_t low = c->plan.prefetch[tensor], high = first_use; /* LOW is too late, HIGH is not */
    if (!try_distance(c, tensor, high, &best) || !(checker_gain(c, &best) > c->notable_us))
        return PREFETCH_ANY;
    *totals = best;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        const bool fine = try_distance(c, tensor, middle, &tried) && tried.step_us <= best.step_us + c->notable_us / 2;
        if (fine)
            *totals = tried;
        *(fine ? &high : &low) = middle;
    }
    return high;
}

/* ---- a return that is late ------------------------------------------------------------------------------------ */

/* What stands before the return on its lane, and it itself: another action for one of them, or an earlier start. */
static void fix_late_return(struct checker *c, const struct stall *stall, struct finding *finding) {
    const struct timeline *t = &c->timeline;
    struct candidate best = { false, 0, NONE, ACTION_KEEP };
    struct sim_totals totals;
    uint32_t at = stall->transfer, distance = PREFETCH_ANY;
    for (int i = 0; i < CULPRITS_MOST; i++) {
        try_actions(c, t->h2d[at].tensor, &best);
        if (t->h2d[at].cause.kind != CAUSE_LANE)
            break;
        at = t->h2d[at].cause.index;
    }
    const uint32_t held = t->h2d[at].tensor; /* the first of those that stood in a row */
    if (t->h2d[at].cause.kind == CAUSE_DISTANCE && c->plan.prefetch[held] != PREFETCH_ANY) {
        distance = least_distance(c, held, &totals);
        if (distance != PREFETCH_ANY) {
            finding_number(finding, "least_distance_steps", distance);
            if (!best.found || totals.step_us <= best.step_us + c->notable_us) {
                finding->fix = distance_fix(c, held, distance, &totals);
                return;
            }
        }
    }
    if (best.found)
        finding->fix = checker_flip_fix(c, best.group, best.action);
}

static void check_late_return(struct checker *c, const struct stall *stall) {
    const struct timeline *t = &c->timeline;
    const struct timeline_transfer *transfer = &t->h2d[stall->transfer];
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    words_why(&words, t, (struct event){ LANE_COMPUTE, stall->step });
    struct place place = checker_step_place(c, stall->step, stall->start_us);
    place.tensor = stall->tensor;
    struct finding *finding = findings_add(c->findings, RULE_LATE_PREFETCH, place, checker_words(c, &words));
    finding_number(finding, "late_us", stall_length(stall));
    finding_text(finding, "held_by", STALL_REASON_NAME[stall_reason(stall)]);
    finding_number(finding, "return_starts_us", transfer->start_us);
    finding_number(finding, "return_ends_us", transfer->end_us);
    if (c->plan.prefetch[stall->tensor] != PREFETCH_ANY)
        finding_number(finding, "distance_steps", c->plan.prefetch[stall->tensor]);
    fix_late_return(c, stall, finding);
}

/* ---- a return that is too early ------------------------------------------------------------------------------- */

/* Early returns can't keep a step from its room: each asks for room for every step up to its use, and nothing is added to
 * what drains after the forward pass (MODEL.md §4). But where both directions at once are slower, they slow down the D2H
 * that a late return waits for. */
struct early { uint32_t first, last, d2h, step; }; /* returns; the D2H; the step that runs when that, alone, would end */

/* The last step that has started when the D2H would have ended, had it moved alone. */
static uint32_t step_at_end_alone(const struct timeline *t, const struct timeline_transfer *d2h) {
    const double bytes = (double)t->profile->tensors[d2h->tensor].bytes;
    const double end_us = d2h->start_us + t->link.latency_us + bytes / gb_per_s_to_bytes_per_us(t->link.d2h_gb_per_s);
    return timeline_at(t, LANE_COMPUTE, end_us);
}

/* What stood on the lane before the return that STALL waits for, and moved bytes beside the D2H that held it. */
static bool find_early(const struct timeline *t, const struct stall *stall, struct early *out) {
    uint32_t at = stall->transfer;
    while (t->h2d[at].cause.kind == CAUSE_LANE)
        at = t->h2d[at].cause.index;
    const struct cause cause = t->h2d[at].cause;
    if ((cause.kind != CAUSE_ROOM && cause.kind != CAUSE_ON_HOST) || at == 0)
        return false;
    const struct timeline_transfer *d2h = &t->d2h[cause.index];
    *out = (struct early){ at, at - 1, cause.index, step_at_end_alone(t, d2h) };
    while (out->first > 0 && t->h2d[out->first - 1].end_us > d2h->start_us && t->h2d[out->first - 1].use_step > out->step)
        out->first--;
    return out->first <= out->last;
}

/* Lets them start with step FROM, no sooner. */
static struct fix *start_with(struct checker *c, const struct early *early, uint32_t from) {
    const struct timeline *t = &c->timeline;
    struct sim_totals totals;
    struct fix *fix = NULL;
    for (uint32_t i = early->first; i <= early->last; i++) {
        const uint32_t tensor = t->h2d[i].tensor, distance = t->h2d[i].use_step - from;
        c->scratch.prefetch[tensor] = distance < c->plan.prefetch[tensor] ? distance : c->plan.prefetch[tensor];
    }
    if (checker_simulate(c, &c->scratch, &totals) && checker_fits(c, &totals) &&
        checker_gain(c, &totals) > c->notable_us)
        fix = checker_fix(c, &c->scratch, &totals);
    for (uint32_t i = early->first; i <= early->last; i++)
        c->scratch.prefetch[t->h2d[i].tensor] = c->plan.prefetch[t->h2d[i].tensor];
    return fix;
}

/* Lets them start when that D2H has ended, or with the step after: the better of the two. */
static struct fix *start_later(struct checker *c, const struct early *early) {
    struct fix *at_once = start_with(c, early, early->step), *after = start_with(c, early, early->step + 1);
    if (!at_once || !after)
        return at_once ? at_once : after;
    return after->totals.step_us < at_once->totals.step_us ? after : at_once;
}

static void say_early(struct words *words, const struct timeline *t, const struct stall *stall,
                      const struct early *early, double ahead_us) {
    char waits[UNIT_TEXT], ahead[UNIT_TEXT];
    words_event(words, t, (struct event){ LANE_COMPUTE, stall->step });
    words_add(words, " waits %s for ", format_time(waits, stall_length(stall)));
    words_event(words, t, (struct event){ LANE_H2D, stall->transfer });
    words_add(words, ", which waits for ");
    words_event(words, t, (struct event){ LANE_D2H, early->d2h });
    words_add(words, ", which ");
    words_event(words, t, (struct event){ LANE_H2D, early->first });
    words_add(words, " slows down %s before ", format_time(ahead, ahead_us));
    words_event(words, t, (struct event){ LANE_COMPUTE, t->h2d[early->first].use_step });
    words_add(words, " needs it");
}

/* Told only where starting later has been simulated to be better. */
static void check_early_return(struct checker *c, const struct stall *stall) {
    const struct timeline *t = &c->timeline;
    struct early early;
    struct words words;
    if (t->link.d2h_both_gb_per_s >= t->link.d2h_gb_per_s || !find_early(t, stall, &early))
        return;
    struct fix *fix = start_later(c, &early);
    if (!fix)
        return;
    const struct timeline_transfer *first = &t->h2d[early.first];
    const double ahead_us = t->steps[first->use_step].start_us - first->start_us;
    words_start(&words, &VOICE_PLAIN);
    say_early(&words, t, stall, &early, ahead_us);
    struct place place = checker_step_place(c, stall->step, stall->start_us);
    place.tensor = first->tensor;
    struct finding *finding = findings_add(c->findings, RULE_EARLY_RETURN, place, checker_words(c, &words));
    finding_number(finding, "wait_us", stall_length(stall));
    finding_number(finding, "early_returns", early.last - early.first + 1);
    finding_number(finding, "ahead_us", ahead_us);
    finding->fix = fix;
}

/* ---- a step that waits for room ------------------------------------------------------------------------------- */

/* What a step lacks when it begins to wait, and what is draining then. */
struct shortage { uint64_t lacking, draining; };

static struct shortage shortage_at(const struct checker *c, const struct stall *stall) {
    const struct timeline *t = &c->timeline;
    const struct memory_sample *sample = &t->memory[timeline_memory_at(t, stall->start_us)];
    const uint64_t used = memory_used(sample);
    return (struct shortage){ used > t->budget_bytes ? used - t->budget_bytes : 0, sample->bytes[MEMORY_DRAINING] };
}

/* The stalls that one backlog causes: from FIRST on, until the queue behind D2H is empty at END_US. */
struct backlog { uint32_t stalls; double wait_us, end_us; };

static struct backlog backlog_from(const struct checker *c, uint32_t first) {
    const struct timeline *t = &c->timeline;
    struct backlog backlog = { 0, 0, t->end_us };
    for (uint32_t i = timeline_memory_at(t, t->stalls[first].end_us); i < t->memory_count; i++)
        if (t->memory[i].bytes[MEMORY_DRAINING] == 0) {
            backlog.end_us = t->memory[i].at_us;
            break;
        }
    for (uint32_t i = first; i < t->stall_count && t->stalls[i].start_us < backlog.end_us; i++) {
        if (t->stalls[i].kind != STALL_ROOM)
            continue;
        backlog.stalls++;
        backlog.wait_us += stall_length(&t->stalls[i]);
    }
    return backlog;
}

/* The offloaded tensors that have had their last forward use and have not left when STALL begins: from AT of the D2H
 * lane on. Tries another action for those that stand there first. */
static uint32_t look_at_queue(struct checker *c, const struct stall *stall, struct candidate *best) {
    const struct timeline *t = &c->timeline;
    uint32_t count = 0;
    for (uint32_t i = stall->transfer; i < t->schedule.d2h_count; i++) {
        const struct tensor *tensor = &c->profile->tensors[t->d2h[i].tensor];
        if (tensor->producer >= stall->step)
            break;
        if (tensor->last_forward >= stall->step)
            continue;
        if (count++ < CULPRITS_MOST)
            try_actions(c, t->d2h[i].tensor, best);
    }
    return count;
}

static void check_backlog(struct checker *c, const struct stall *stall, const struct backlog *backlog) {
    const struct timeline *t = &c->timeline;
    const struct shortage shortage = shortage_at(c, stall);
    char waits[UNIT_TEXT], bytes[UNIT_TEXT], end[UNIT_TEXT], all[UNIT_TEXT];
    struct candidate best = { false, 0, NONE, ACTION_KEEP };
    struct words words;
    const uint32_t queued = look_at_queue(c, stall, &best);
    words_start(&words, &VOICE_PLAIN);
    words_event(&words, t, (struct event){ LANE_COMPUTE, stall->step });
    words_add(&words, " waits %s for room", format_time(waits, stall_length(stall)));
    if (backlog->stalls > 1)
        words_add(&words, ", the first of %u waits that take %s", backlog->stalls, format_time(all, backlog->wait_us));
    words_add(&words, ": %s in %u tensor%s ha%s not left behind ", format_bytes(bytes, shortage.draining), queued,
              plural(queued), queued == 1 ? "s" : "ve");
    words_event(&words, t, (struct event){ LANE_D2H, stall->transfer });
    words_add(&words, ", the queue is empty at %s; offloading more makes it longer", format_time(end, backlog->end_us));
    struct place place = checker_step_place(c, stall->step, stall->start_us);
    place.tensor = stall->tensor;
    struct finding *finding = findings_add(c->findings, RULE_DRAINING_BACKLOG, place, checker_words(c, &words));
    finding_number(finding, "wait_us", stall_length(stall));
    finding_number(finding, "waits", backlog->stalls);
    finding_number(finding, "waits_us", backlog->wait_us);
    finding_number(finding, "lacking_bytes", (double)shortage.lacking);
    finding_number(finding, "queued_bytes", (double)shortage.draining);
    finding_number(finding, "queued_tensors", queued);
    finding_number(finding, "queue_empty_us", backlog->end_us);
    if (best.found)
        finding->fix = checker_flip_fix(c, best.group, best.action);
}

/* ---- moved for nothing ---------------------------------------------------------------------------------------- */

/* When the copy on the GPU is gone: it has left, and forward needs it no more. */
static double gone_at(const struct timeline *t, uint32_t tensor) {
    const double left_us = t->d2h[t->d2h_of[tensor]].end_us;
    const double used_us = t->steps[t->profile->tensors[tensor].last_forward].end_us;
    return left_us > used_us ? left_us : used_us;
}

static uint32_t first_start_from(const struct timeline *t, enum lane lane, double at_us) {
    const uint32_t before = timeline_at(t, lane, at_us - 1e-6);
    return before == NONE ? 0 : before + 1;
}

/* Nothing has started while it was away, so nobody has used its room. Completions less than 1e-6 us apart belong to one
 * instant (MODEL.md §4). */
static bool moved_for_nothing(const struct timeline *t, uint32_t returned) {
    const struct timeline_transfer *back = &t->h2d[returned];
    const double gone_us = gone_at(t, back->tensor), end_us = back->start_us - 1e-6;
    const uint32_t step = first_start_from(t, LANE_COMPUTE, gone_us);
    if (step < t->schedule.step_count && t->steps[step].start_us < end_us)
        return false;
    const uint32_t other = first_start_from(t, LANE_H2D, gone_us);
    return other >= returned;
}

static void check_moves(struct checker *c) {
    const struct timeline *t = &c->timeline;
    for (uint32_t i = 0; i < t->schedule.h2d_count; i++) {
        const uint32_t tensor = t->h2d[i].tensor;
        char bytes[UNIT_TEXT];
        struct words words;
        if (c->profile->tensors[tensor].bytes == 0 || !moved_for_nothing(t, i))
            continue;
        words_start(&words, &VOICE_PLAIN);
        words_name(&words, "moves '", c->profile->tensors[tensor].name, "'");
        words_add(&words, " (%s) out and back, and nothing starts while it is away",
                  format_bytes(bytes, c->profile->tensors[tensor].bytes));
        struct place place = checker_tensor_place(c, tensor);
        place.at_us = t->h2d[i].start_us;
        const double gone_us = gone_at(t, tensor);
        struct finding *finding = findings_add(c->findings, RULE_MOVED_FOR_NOTHING, place, checker_words(c, &words));
        finding_number(finding, "bytes", (double)c->profile->tensors[tensor].bytes);
        finding_number(finding, "away_us", t->h2d[i].start_us - gone_us);
        const struct flip *kept = checker_flip(c, c->group_of[tensor], ACTION_KEEP);
        if (kept && kept->fits && checker_gain(c, &kept->totals) >= -c->notable_us)
            finding->fix = checker_flip_fix(c, c->group_of[tensor], ACTION_KEEP);
    }
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */

void check_transfers(struct checker *c) {
    const struct timeline *t = &c->timeline;
    double backlog_end_us = 0; /* until then waits for room have been told */
    for (uint32_t i = 0; i < t->stall_count; i++) {
        const struct stall *stall = &t->stalls[i];
        if (stall->kind == STALL_TRANSFER) {
            if (stall_length(stall) <= c->notable_us)
                continue;
            check_late_return(c, stall);
            check_early_return(c, stall);
            continue;
        }
        if (stall->start_us < backlog_end_us)
            continue;
        const struct backlog backlog = backlog_from(c, i);
        backlog_end_us = backlog.end_us;
        if (backlog.wait_us <= c->notable_us)
            continue;
        check_backlog(c, stall, &backlog);
    }
    check_moves(c);
}
