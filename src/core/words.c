/* words: see words.h. */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sanitise.h"
#include "stalls.h"
#include "units.h"

#define NAME_PLAIN 48   /* bytes of a name's beginning that are enough to know it by */
#define HELD_LINKS 6    /* clauses of one "why" */
#define TENSORS_MOST 12

const char *const STEP_WORD[STEP_KIND_COUNT] = { "forward", "recompute", "backward" };

char *name_fit(char out[NAME_BYTES], const char *name) {
    char part[SANITISED_BYTES(NAME_PLAIN)];
    sanitise(part, sizeof part, name);
    snprintf(out, NAME_BYTES, "%s%s", part, strlen(part) + 3 >= sizeof part ? "..." : "");
    return out;
}

static char *fit_plain(char *out, size_t size, const char *name) {
    char fitted[NAME_BYTES];
    snprintf(out, size, "%s", name_fit(fitted, name));
    return out;
}

const struct voice VOICE_PLAIN = {
    .back = "<-", .more = "..", .dash = "-", .becomes = "->", .at_least = ">=", .fit = fit_plain
};

void words_start(struct words *words, const struct voice *voice) {
    words->text[0] = '\0';
    words->length = 0;
    words->voice = voice;
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

void words_name(struct words *words, const char *before, const char *name, const char *after) {
    char fitted[NAME_BYTES];
    words_add(words, "%s%s%s", before, words->voice->fit(fitted, sizeof fitted, name), after);
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
        words_name(words, "", op_name(timeline, event.index), "");
    } else {
        words_name(words, event.lane == LANE_D2H ? "D2H(" : "H2D(",
                 timeline->profile->tensors[transfer_of(timeline, event)->tensor].name, ")");
    }
}

void words_title(struct words *words, const struct timeline *timeline, struct event event) {
    char time[UNIT_TEXT];
    if (event.lane != LANE_COMPUTE) {
        words_name(words, event.lane == LANE_D2H ? "D2H (offload) of " : "H2D (return) of ",
                 timeline->profile->tensors[transfer_of(timeline, event)->tensor].name, "");
        return;
    }
    words_add(words, "%s ", STEP_WORD[timeline->schedule.kind[event.index]]);
    words_name(words, "", op_name(timeline, event.index), "");
    const struct stall *stall = timeline_stall_of(timeline, event.index);
    if (stall != NULL)
        words_add(words, " waits %s", format_time(time, stall->end_us - stall->start_us));
}

/* ---- why ---- */

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
    if (!timeline_cause(timeline, *event, &by) || PHRASE[cause.kind][phrase].before == NULL)
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
    const struct stall *stall = timeline_stall_of(timeline, step);
    struct event at = { LANE_COMPUTE, step };
    struct event by;
    words_event(words, timeline, at);
    if (stall == NULL) {
        if (!timeline_cause(timeline, at, &by)) {
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

static void cause_of_step(struct words *words, const char *what, const struct timeline *timeline, uint32_t step) {
    char text[UNIT_TEXT];
    const struct stall *stall = timeline_stall_of(timeline, step);
    struct event by;
    if (stall != NULL)
        words_add(words, "%s waits %s for ", what, format_time(text, stall_length(stall)));
    if (!timeline_cause(timeline, (struct event){ LANE_COMPUTE, step }, &by)) {
        words_add(words, "with %s the step starts", what);
        return;
    }
    const uint8_t kind = timeline->steps[step].cause.kind;
    if (stall == NULL)
        words_add(words, "%s starts as soon as ", what);
    words_event(words, timeline, by);
    words_add(words, kind == CAUSE_LANDED ? stall ? " to land" : " has landed"
                     : kind == CAUSE_ROOM ? stall ? " to end and free room" : " has freed room"
                                          : stall ? " to end" : " has ended");
}

void words_cause(struct words *words, const char *what, const struct timeline *timeline, struct event event) {
    int more;
    if (event.lane == LANE_COMPUTE) {
        cause_of_step(words, what, timeline, event.index);
        return;
    }
    const size_t length = words->length;
    words_add(words, "%s ", what);
    const size_t clause = words->length;
    add_phrase(words, timeline, PHRASE_CLAUSE, &event, &more);
    if (words->length == clause) {
        words->length = length;
        words->text[length] = '\0';
        words_add(words, "nothing holds %s", what);
    }
}

void words_chain(struct words *words, const struct timeline *timeline, struct event event, int count) {
    words_event(words, timeline, event);
    for (int steps = 0; count > 0 && timeline_cause(timeline, event, &event); count--) {
        /* a second step in a row means: from here on it is the order of steps, nothing else */
        steps = event.lane == LANE_COMPUTE ? steps + 1 : 0;
        words_add(words, " %s ", words->voice->back);
        if (steps == 2) {
            words_add(words, "%s", words->voice->more);
            return;
        }
        words_event(words, timeline, event);
    }
}

/* ---- when, and what for ---- */

void words_when(struct words *words, const struct timeline *timeline, struct event event) {
    double start = timeline_start(timeline, event), end = timeline_end(timeline, event);
    char text[UNIT_TEXT];
    words_add(words, "%.3f %s %.3f ms, takes %s", start / 1e3, words->voice->dash, end / 1e3,
              format_time(text, end - start));
}

void words_use(struct words *words, const struct timeline *timeline, struct event event) {
    const struct timeline_transfer *transfer = transfer_of(timeline, event);
    struct event step = { LANE_COMPUTE, transfer->use_step };
    char text[UNIT_TEXT];
    if (event.lane == LANE_D2H) {
        words_add(words, "leaves after ");
        words_event(words, timeline, step);
        return;
    }
    double spare = timeline_start(timeline, step) - transfer->end_us;
    words_add(words, "comes back for ");
    words_event(words, timeline, step);
    if (spare > 0)
        words_add(words, ", %s before it starts", format_time(text, spare));
    else
        words_add(words, ", which starts the moment it lands");
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
        words_name(words, shown++ > 0 ? ", " : "", tensor->name, "");
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
        words_name(words, " (layer ", layer, ")");
    words_add(words, ", %s more than the budget",
              format_bytes(lack, totals->required_bytes > budget ? totals->required_bytes - budget : 0));
}
