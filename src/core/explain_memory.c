/* explain_memory: answers about the GPU's memory and the host's. */
#include "explain_parts.h"

#include <string.h>

#define LARGEST_SHOWN 5

static const char *const STATE_NAME[MEMORY_STATE_COUNT] = { "kept_bytes", "draining_bytes", "prefetched_bytes",
                                                            "gradients_bytes", "scratch_bytes" };

/* The largest residents of STEP: "L0.fc1 50.0 MiB, gradient of logits 384 MiB". */
static void say_largest(struct explainer *e, uint32_t step) {
    struct resident *residents;
    uint32_t count;
    arena_reset(&e->scratch);
    const enum ss_status status = schedule_live_set(simulator_builder(e->simulator), &e->timeline->plan, step, &e->scratch,
                                                    &residents, &count, e->error);
    if (status != SS_OK) {
        e->status = status;
        return;
    }
    for (uint32_t i = 0; i < count && i < LARGEST_SHOWN; i++) {
        const struct resident *r = &residents[i];
        answer_say(e, "%s%s%s %s", i > 0 ? ", " : "", r->part == PART_GRADIENT ? "the gradient of " : "",
                   r->tensor == NONE ? "workspace" : text_tensor(e, r->tensor).text, show_bytes(r->bytes).text);
    }
    if (count > LARGEST_SHOWN) {
        uint64_t rest = 0;
        for (uint32_t i = LARGEST_SHOWN; i < count; i++)
            rest += residents[i].bytes;
        answer_say(e, " and %u more with %s", (unsigned)(count - LARGEST_SHOWN), show_bytes(rest).text);
    }
}

static void figure_memory(struct explainer *e, const struct memory_sample *sample) {
    for (int state = 0; state < MEMORY_STATE_COUNT; state++)
        answer_figure(e, NULL, STATE_NAME[state], (double)sample->bytes[state]);
}

void answer_fit(struct explainer *e) {
    const struct sim_totals *totals = &e->timeline->totals;
    const uint64_t budget = e->timeline->budget_bytes;
    answer_begin(e, "fit", "Why does the plan not fit?");
    answer_figure(e, NULL, "required_bytes", (double)totals->required_bytes);
    answer_figure(e, NULL, "budget_bytes", (double)budget);
    answer_figure(e, NULL, "lack_bytes", (double)(totals->required_bytes - budget));
    answer_figure(e, NULL, "least_budget_bytes", (double)e->outcome->limits.least_bytes);
    answer_say(e, "It ");
    words_lack(&e->words, e->timeline);
    answer_say(e, " of %s. There stand ", show_bytes(budget).text);
    say_largest(e, totals->required_step);
    answer_say(e, ". ");
    if (budget < e->outcome->limits.least_bytes)
        answer_say(e, "No plan fits below %s.", show_bytes(e->outcome->limits.least_bytes).text);
    else
        answer_say(e, "Other plans do fit: the least budget of any is %s.",
                   show_bytes(e->outcome->limits.least_bytes).text);
    answer_end(e);
}

void answer_peak(struct explainer *e) {
    const struct timeline *timeline = e->timeline;
    const struct memory_sample *sample = &timeline->memory[timeline->peak_sample];
    answer_begin(e, "peak", "When is the peak, and what is in it?");
    answer_figure(e, NULL, "peak_bytes", (double)memory_used(sample));
    answer_figure(e, NULL, "at_us", sample->at_us);
    figure_memory(e, sample);
    answer_say(e, "At %s, while %s runs. There are ", text_moment(sample->at_us).text,
               text_event(e, (struct event){ LANE_COMPUTE, sample->step }).text);
    words_memory(&e->words, timeline, timeline->peak_sample);
    answer_say(e, ". The step needs ");
    say_largest(e, sample->step);
    answer_say(e, ".");
    answer_end(e);
}

void answer_memory_at(struct explainer *e, double at_us) {
    const struct timeline *timeline = e->timeline;
    answer_begin(e, "memory", "What is in memory at %s?", text_moment(at_us).text);
    if (at_us >= timeline->end_us) {
        answer_figure(e, NULL, "used_bytes", 0);
        answer_say(e, "No activations: the step is over.");
        answer_end(e);
        return;
    }
    const uint32_t at = timeline_memory_at(timeline, at_us);
    const struct memory_sample *sample = &timeline->memory[at];
    answer_figure(e, NULL, "used_bytes", (double)memory_used(sample));
    figure_memory(e, sample);
    words_memory(&e->words, timeline, at);
    answer_say(e, ", in %s. It needs ", text_event(e, (struct event){ LANE_COMPUTE, sample->step }).text);
    say_largest(e, sample->step);
    answer_say(e, ".");
    answer_end(e);
}

/* ---- why memory did not drop ---- */

/* The sample with the most bytes that are not needed any more but have not left. */
static uint32_t most_draining(const struct timeline *timeline) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < timeline->memory_count; i++)
        if (timeline->memory[i].bytes[MEMORY_DRAINING] > timeline->memory[most].bytes[MEMORY_DRAINING])
            most = i;
    return most;
}

/* When the last of what drains at sample AT has left. */
static double drained_us(const struct timeline *timeline, uint32_t at) {
    uint32_t i = at;
    while (i < timeline->memory_count && timeline->memory[i].bytes[MEMORY_DRAINING] > 0)
        i++;
    return i < timeline->memory_count ? timeline->memory[i].at_us : timeline->end_us;
}

/* The end of the forward step that reads TENSOR last: from then on its copy is of no use on the GPU. */
static double last_read_us(const struct timeline *timeline, uint32_t tensor) {
    return timeline->steps[timeline->profile->tensors[tensor].last_forward].end_us;
}

/* Tensors that wait to leave, or are leaving, at AT_US. */
static uint32_t draining_count(const struct timeline *timeline, double at_us, uint32_t *first) {
    uint32_t count = 0;
    *first = NONE;
    for (uint32_t i = 0; i < timeline->schedule.d2h_count; i++) {
        const struct timeline_transfer *transfer = &timeline->d2h[i];
        if (last_read_us(timeline, transfer->tensor) > at_us || transfer->end_us <= at_us)
            continue;
        *first = *first == NONE ? i : *first;
        count++;
    }
    return count;
}

void answer_no_drop(struct explainer *e) {
    const struct timeline *timeline = e->timeline;
    const uint32_t at = most_draining(timeline);
    const struct memory_sample *sample = &timeline->memory[at], *peak = &timeline->memory[timeline->peak_sample];
    const uint64_t bytes = sample->bytes[MEMORY_DRAINING];
    uint32_t first;
    answer_begin(e, "memory-drop", "Why did memory not drop?");
    answer_figure(e, NULL, "draining_bytes", (double)bytes);
    answer_figure(e, NULL, "peak_draining_bytes", (double)peak->bytes[MEMORY_DRAINING]);
    if (timeline->schedule.d2h_count == 0) {
        answer_say(e, "The plan moves nothing to the host, so nothing leaves before the backward pass needs it.");
        answer_end(e);
        return;
    }
    if (bytes == 0) {
        answer_say(e, "It does: each offloaded tensor has left by the end of the last forward step that reads it.");
        answer_end(e);
        return;
    }
    const uint32_t count = draining_count(timeline, sample->at_us, &first);
    const double empty = drained_us(timeline, at);
    answer_figure(e, NULL, "at_us", sample->at_us);
    answer_figure(e, NULL, "queued", count);
    answer_figure(e, NULL, "empty_us", empty);
    answer_say(e, "A tensor that is offloaded stays in memory until its D2H has ended. Most wait at %s: %s in %u tensor%s "
               "that no forward step needs any more, drained by %s. ", text_moment(sample->at_us).text,
               show_bytes(bytes).text, (unsigned)count, plural(count), text_moment(empty).text);
    if (first != NONE) {
        const struct event event = { LANE_D2H, first };
        answer_say(e, "First among them is %s: ", text_event(e, event).text);
        words_cause(&e->words, "it", timeline, event);
        answer_say(e, ", and ends at %s. ", text_moment(timeline->d2h[first].end_us).text);
        answer_chain(e, event);
    }
    answer_say(e, "At the peak %s of %s drain.", show_bytes(peak->bytes[MEMORY_DRAINING]).text,
               show_bytes(memory_used(peak)).text);
    answer_end(e);
}

/* Whether the peak lies in the time in which TENSOR is away. */
static void say_peak(struct explainer *e, double from_us, double to_us) {
    const double at = e->timeline->memory[e->timeline->peak_sample].at_us;
    answer_figure(e, NULL, "peak_at_us", at);
    if (from_us <= at && at < to_us)
        answer_say(e, " The peak, at %s, lies within.", text_moment(at).text);
    else
        answer_say(e, " The peak, at %s, does not lie within: it is no lower for that.", text_moment(at).text);
}

static void say_offloaded(struct explainer *e, uint32_t tensor) {
    const struct timeline *timeline = e->timeline;
    const struct event out = { LANE_D2H, timeline->d2h_of[tensor] };
    const struct timeline_transfer *leaves = &timeline->d2h[out.index], *returns = &timeline->h2d[timeline->h2d_of[tensor]];
    const double read = last_read_us(timeline, tensor), gone = read > leaves->end_us ? read : leaves->end_us;
    answer_figure(e, NULL, "last_read_us", read);
    answer_figure(e, NULL, "left_us", leaves->end_us);
    answer_figure(e, NULL, "away_from_us", gone);
    answer_figure(e, NULL, "away_to_us", returns->start_us);
    if (leaves->end_us > read) {
        answer_say(e, "The last forward step that reads it ends at %s, but its D2H only at %s: for %s its bytes drain. ",
                   text_moment(read).text, text_moment(leaves->end_us).text, show_time(leaves->end_us - read).text);
        answer_say(e, "%s starts at %s: ", text_event(e, out).text, text_moment(leaves->start_us).text);
        words_cause(&e->words, "it", timeline, out);
        answer_say(e, ".");
    } else {
        answer_say(e, "It has left at %s, before the last forward step that reads it ends at %s.",
                   text_moment(leaves->end_us).text, text_moment(read).text);
    }
    answer_chain(e, out);
    if (returns->start_us > gone) {
        answer_say(e, " It is away from %s until its return starts at %s.", text_moment(gone).text,
                   text_moment(returns->start_us).text);
        say_peak(e, gone, returns->start_us);
    } else {
        answer_say(e, " Its return starts at %s, as soon as it has left: it frees nothing.",
                   text_moment(returns->start_us).text);
    }
}

static void say_recomputed(struct explainer *e, uint32_t tensor) {
    const double read = last_read_us(e->timeline, tensor);
    const uint32_t again = e->timeline->schedule.first_use[tensor];
    const double back = e->timeline->steps[again].start_us;
    answer_figure(e, NULL, "away_from_us", read);
    answer_figure(e, NULL, "away_to_us", back);
    answer_say(e, "It is dropped when the last forward step that reads it ends, at %s, and is made again by %s at %s.",
               text_moment(read).text, text_event(e, (struct event){ LANE_COMPUTE, again }).text, text_moment(back).text);
    say_peak(e, read, back);
}

void answer_no_drop_of(struct explainer *e, uint32_t tensor) {
    const uint8_t action = e->timeline->plan.action[tensor];
    answer_begin(e, "memory-drop", "When does %s free its memory?", text_tensor(e, tensor).text);
    answer_figure(e, NULL, "bytes", (double)e->profile->tensors[tensor].bytes);
    if (action == ACTION_OFFLOAD) {
        say_offloaded(e, tensor);
    } else if (action == ACTION_RECOMPUTE && e->timeline->schedule.first_use[tensor] != NONE) {
        say_recomputed(e, tensor);
    } else {
        const uint32_t last = e->timeline->schedule.last_use[tensor];
        answer_say(e, "Not before the last backward step that reads it has ended: it is kept");
        if (last != NONE) {
            answer_figure(e, NULL, "freed_us", e->timeline->steps[last].end_us);
            answer_say(e, " until %s, when %s ends", text_moment(e->timeline->steps[last].end_us).text,
                       text_event(e, (struct event){ LANE_COMPUTE, last }).text);
        }
        answer_say(e, ".");
    }
    answer_end(e);
}

/* ---- the host ---- */

static uint32_t host_peak(const struct timeline *timeline) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < timeline->memory_count; i++)
        if (timeline->memory[i].host_bytes > timeline->memory[most].host_bytes)
            most = i;
    return most;
}

static uint32_t host_count(const struct timeline *timeline, double at_us) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeline->schedule.d2h_count; i++) {
        const struct timeline_transfer *back = &timeline->h2d[timeline->h2d_of[timeline->d2h[i].tensor]];
        count += timeline->d2h[i].start_us <= at_us && back->end_us > at_us;
    }
    return count;
}

void answer_host(struct explainer *e) {
    const struct timeline *timeline = e->timeline;
    const struct memory_sample *sample = &timeline->memory[host_peak(timeline)];
    const uint64_t bytes = timeline->totals.host_peak_bytes;
    answer_begin(e, "host", "How much pinned host memory does it take?");
    answer_figure(e, NULL, "host_peak_bytes", (double)bytes);
    if (bytes == 0) {
        answer_say(e, "None: the plan moves nothing to the host.");
        answer_end(e);
        return;
    }
    answer_figure(e, NULL, "at_us", sample->at_us);
    const uint32_t count = host_count(timeline, sample->at_us);
    answer_figure(e, NULL, "tensors", count);
    answer_say(e, "%s (%llu bytes): so much is on the host at %s, in %u tensor%s, each from the start of its D2H to the "
               "end of its H2D. With --host-memory %llu this plan runs, with a byte less it does not.",
               show_bytes(bytes).text, (unsigned long long)bytes, text_moment(sample->at_us).text, (unsigned)count,
               plural(count), (unsigned long long)bytes);
    answer_end(e);
}
