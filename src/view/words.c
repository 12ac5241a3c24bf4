#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "symbol.h"
#include "text.h"

#define NAME_COLUMNS 28
#define NAME_BYTES 120
#define HELD_LINKS 6    /* clauses of one "why" */
#define TENSORS_MOST 12

const char *const STEP_WORD[STEP_KIND_COUNT] = { "forward", "recompute", "backward" };

void words_start(struct words *words, bool ascii) {
    words->text[0] = '\0';
    words->length = 0;
    words->ascii = ascii;
}

void words_add(struct words *words, const char *format, ...) {
    va_list list;
    va_start(list, format);
    size_t left = sizeof words->text - words->length;
    int length = vsnprintf(words->text + words->length, left, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < left)
        words->length += (size_t)length;
    else
        words->text[words->length] = '\0';
}

static void add_name(struct words *words, const char *before, const char *name, const char *after) {
    char fitted[NAME_BYTES];
    words_add(words, "%s%s%s", before, text_fit(fitted, sizeof fitted, name, NAME_COLUMNS, CUT_MIDDLE, words->ascii),
              after);
}

static const char *op_name(const struct timeline *timeline, uint32_t step) {
    return timeline->profile->ops[timeline->schedule.op[step]].name;
}

static const struct timeline_transfer *transfer_of(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_D2H ? &timeline->d2h[event.index] : &timeline->h2d[event.index];
}

void words_event(struct words *words, const struct timeline *timeline, struct event event) {
    if (event.lane == LANE_COMPUTE) {
        words_add(words, "%c ", STEP_LETTER[timeline->schedule.kind[event.index]]);
        add_name(words, "", op_name(timeline, event.index), "");
    } else {
        add_name(words, event.lane == LANE_D2H ? "D2H(" : "H2D(",
                 timeline->profile->tensors[transfer_of(timeline, event)->tensor].name, ")");
    }
}

const struct stall *timeline_stall_of(const struct timeline *timeline, uint32_t step) {
    uint32_t low = 0, high = timeline->stall_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (timeline->stalls[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < timeline->stall_count && timeline->stalls[low].step == step ? &timeline->stalls[low] : NULL;
}

void words_title(struct words *words, const struct timeline *timeline, struct event event) {
    char time[UNIT_TEXT];
    if (event.lane != LANE_COMPUTE) {
        add_name(words, event.lane == LANE_D2H ? "D2H (offload) of " : "H2D (return) of ",
                 timeline->profile->tensors[transfer_of(timeline, event)->tensor].name, "");
        return;
    }
    words_add(words, "%s ", STEP_WORD[timeline->schedule.kind[event.index]]);
    add_name(words, "", op_name(timeline, event.index), "");
    const struct stall *stall = timeline_stall_of(timeline, event.index);
    if (stall != NULL)
        words_add(words, " waits %s", format_time(time, stall->end_us - stall->start_us));
}

/* ---- why ---- */

/* The event whose end is CAUSE; LANE is the lane of the transfer that waited. False for causes that are none. */
static bool cause_event(struct cause cause, enum lane lane, struct event *out) {
    switch (cause.kind) {
    case CAUSE_ORDER:
    case CAUSE_STEP_ROOM:
    case CAUSE_PRODUCED:
    case CAUSE_DISTANCE:
    case CAUSE_BACKWARD:
        *out = (struct event){ LANE_COMPUTE, cause.index };
        return true;
    case CAUSE_LANDED: *out = (struct event){ LANE_H2D, cause.index }; return true;
    case CAUSE_ROOM:
    case CAUSE_ON_HOST: *out = (struct event){ LANE_D2H, cause.index }; return true;
    case CAUSE_LANE: *out = (struct event){ (uint8_t)lane, cause.index }; return true;
    default: return false;
    }
}

static struct cause cause_of(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_COMPUTE ? timeline->steps[event.index].cause : transfer_of(timeline, event)->cause;
}

/* Transfers that stood on one lane, one behind the other: how many causes of kind LANE follow from EVENT on, which
 * moves to the last of them. */
static int follow_lane(const struct timeline *timeline, struct event *event) {
    int count = 0;
    while (event->lane != LANE_COMPUTE && cause_of(timeline, *event).kind == CAUSE_LANE) {
        event->index = cause_of(timeline, *event).index;
        count++;
    }
    return count;
}

/* How a transfer's start is explained: right after its name ("… H2D(x), held by its lane behind …"), or as a clause of
 * its own ("… which waits for its lane behind …"). */
enum phrase { PHRASE_HELD, PHRASE_CLAUSE, PHRASE_COUNT };

struct phrasing {
    const char *before, *after;
};
static const struct phrasing PHRASE[CAUSE_KIND_COUNT][PHRASE_COUNT] = {
    [CAUSE_LANE] = { { "held by its lane behind ", "" }, { "waits for its lane behind ", "" } },
    [CAUSE_ROOM] = { { "held for room until ", " ends" }, { "waits for room until ", " ends" } },
    [CAUSE_STEP_ROOM] = { { "held for room until ", " ends" }, { "waits for room until ", " ends" } },
    [CAUSE_ON_HOST] = { { "held by its own ", "" }, { "waits for its own ", " to end" } },
    [CAUSE_DISTANCE] = { { "held by its prefetch distance until ", " ends" },
                         { "waits for its prefetch distance until ", " ends" } },
    [CAUSE_BACKWARD] = { { "held for the backward pass until ", " ends" },
                         { "waits for the backward pass until ", " ends" } },
    [CAUSE_PRODUCED] = { { "started once ", " had made it" }, { "starts once ", " has made it" } },
};

/* Says why the transfer *EVENT started when it did, and moves *EVENT to what may have waited in its turn; *MORE tells
 * how many others stood on the lane between the two. False at the end of the chain: what held it was compute. */
static bool add_phrase(struct words *words, const struct timeline *timeline, enum phrase phrase, struct event *event,
                       int *more) {
    struct cause cause = cause_of(timeline, *event);
    struct event by;
    *more = 0;
    if (!cause_event(cause, (enum lane)event->lane, &by) || PHRASE[cause.kind][phrase].before == NULL)
        return false;
    words_add(words, "%s", PHRASE[cause.kind][phrase].before);
    words_event(words, timeline, by);
    words_add(words, "%s", PHRASE[cause.kind][phrase].after);
    *event = by;
    if (cause.kind == CAUSE_LANE && (*more = follow_lane(timeline, event)) > 0)
        words_add(words, " and %d more", *more);
    return event->lane != LANE_COMPUTE;
}

/* The clauses behind the first: "…, the first of which waits for room until …". */
static void add_clauses(struct words *words, const struct timeline *timeline, struct event event, int more) {
    for (int i = 0; i < HELD_LINKS; i++) {
        size_t length = words->length;
        words_add(words, more > 0 ? ", the first of which " : ", which ");
        size_t clause = words->length;
        bool goes_on = add_phrase(words, timeline, PHRASE_CLAUSE, &event, &more);
        if (words->length == clause) {
            words->length = length;
            words->text[length] = '\0';
        }
        if (!goes_on)
            return;
    }
}

static void why_step(struct words *words, const struct timeline *timeline, uint32_t step) {
    char text[UNIT_TEXT];
    struct cause cause = timeline->steps[step].cause;
    const struct stall *stall = timeline_stall_of(timeline, step);
    struct event at = { LANE_COMPUTE, step };
    struct event by;
    words_event(words, timeline, at);
    if (stall == NULL) {
        if (cause.kind == CAUSE_START || !cause_event(cause, LANE_COMPUTE, &by)) {
            words_add(words, " is the first step: it starts at once");
            return;
        }
        words_add(words, " starts without waiting, as soon as ");
        words_event(words, timeline, by);
        words_add(words, " has ended");
        return;
    }
    at = (struct event){ stall->kind == STALL_TRANSFER ? LANE_H2D : LANE_D2H, stall->transfer };
    words_add(words, " waits %s for ", format_time(text, stall->end_us - stall->start_us));
    if (stall->kind == STALL_ROOM)
        words_add(words, "room, which ");
    words_event(words, timeline, at);
    if (stall->kind == STALL_ROOM)
        words_add(words, " frees when it ends");
    words_add(words, ", ");
    int more;
    if (add_phrase(words, timeline, PHRASE_HELD, &at, &more))
        add_clauses(words, timeline, at, more);
}

static void why_transfer(struct words *words, const struct timeline *timeline, struct event event) {
    int more;
    words_event(words, timeline, event);
    words_add(words, " ");
    if (add_phrase(words, timeline, PHRASE_CLAUSE, &event, &more))
        add_clauses(words, timeline, event, more);
}

void words_why(struct words *words, const struct timeline *timeline, struct event event) {
    if (event.lane == LANE_COMPUTE)
        why_step(words, timeline, event.index);
    else
        why_transfer(words, timeline, event);
}

void words_chain(struct words *words, const struct timeline *timeline, struct event event, int count) {
    const char *back = symbol_text(SYMBOL_BACK, words->ascii), *more = symbol_text(SYMBOL_MORE, words->ascii);
    words_event(words, timeline, event);
    for (int steps = 0; count > 0 && timeline_cause(timeline, event, &event); count--) {
        /* a second step in a row means: from here on it is the order of steps, nothing else */
        steps = event.lane == LANE_COMPUTE ? steps + 1 : 0;
        words_add(words, " %s ", back);
        if (steps == 2) {
            words_add(words, "%s", more);
            return;
        }
        words_event(words, timeline, event);
    }
}

/* ---- memory and tensors ---- */

void words_memory(struct words *words, const struct timeline *timeline, uint32_t sample) {
    static const char *const NAME[MEMORY_STATE_COUNT] = { "kept", "draining", "prefetched", "gradients", "scratch" };
    const struct memory_sample *memory = &timeline->memory[sample];
    char text[UNIT_TEXT];
    words_add(words, "%s %s", format_bytes(text, memory_used(memory)), memory->running ? "in use" : "needed");
    const char *separator = ": ";
    for (int state = 0; state < MEMORY_STATE_COUNT; state++)
        if (memory->bytes[state] > 0) {
            words_add(words, "%s%s %s", separator, NAME[state], format_bytes(text, memory->bytes[state]));
            separator = ", ";
        }
    words_add(words, "; host %s", format_bytes(text, memory->host_bytes));
}

void words_tensors(struct words *words, const struct timeline *timeline, uint32_t step) {
    const struct profile *profile = timeline->profile;
    const struct op *op = &profile->ops[timeline->schedule.op[step]];
    bool backward = timeline->schedule.kind[step] == STEP_BACKWARD;
    struct span span = backward ? op->saved : op->outputs;
    char text[UNIT_TEXT];
    uint32_t shown = 0;
    for (uint32_t i = 0; i < span.count && shown < TENSORS_MOST; i++) {
        uint32_t t = profile->index[span.at + i];
        const struct tensor *tensor = &profile->tensors[t];
        if (tensor->producer == NONE)
            continue;
        add_name(words, shown++ > 0 ? ", " : "", tensor->name, "");
        words_add(words, " %s", format_bytes(text, tensor->bytes));
        if (tensor->managed)
            words_add(words, " (%s)", ACTION_NAME[timeline->plan.action[t]]);
    }
    if (shown == 0)
        words_add(words, "nothing that the plan decides about");
}

void words_lack(struct words *words, const struct timeline *timeline) {
    const struct sim_totals *totals = &timeline->totals;
    uint32_t step = totals->required_step;
    const struct op *op = &timeline->profile->ops[timeline->schedule.op[step]];
    char need[UNIT_TEXT], lack[UNIT_TEXT];
    uint64_t budget = timeline->budget_bytes;
    words_add(words, "needs %s at ", format_bytes(need, totals->required_bytes));
    words_event(words, timeline, (struct event){ LANE_COMPUTE, step });
    const char *layer = timeline->profile->layers[op->layer].name;
    if (strcmp(layer, op->name) != 0)
        add_name(words, " (layer ", layer, ")");
    words_add(words, ", %s more than the budget",
              format_bytes(lack, totals->required_bytes > budget ? totals->required_bytes - budget : 0));
}
