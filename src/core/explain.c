/* explain: see explain.h. */
#include "explain_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

/* ---- figures and names as text ---- */

struct unit_text text_moment(double us) {
    struct unit_text text;
    snprintf(text.text, sizeof text.text, "%.3f ms", us / 1e3);
    return text;
}

struct name_text text_tensor(const struct explainer *e, uint32_t tensor) {
    struct name_text text;
    name_fit(text.text, e->profile->tensors[tensor].name);
    return text;
}

struct name_text text_layer(const struct explainer *e, uint32_t layer) {
    struct name_text text;
    name_fit(text.text, e->profile->layers[layer].name);
    return text;
}

struct name_text text_event(const struct explainer *e, struct event event) {
    struct name_text text;
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    words_event(&words, e->timeline, event);
    snprintf(text.text, sizeof text.text, "%.*s", NAME_BYTES - 1, words.text);
    return text;
}

/* ---- putting answers together ---- */

static void fail(struct explainer *e, enum ss_status status) {
    if (e->status == SS_OK)
        e->status = status;
}

static const char *keep_text(struct explainer *e, const char *text) {
    const char *kept = arena_strdup(e->arena, text);
    if (!kept)
        fail(e, error_no_memory(e->error));
    return kept;
}

void answer_begin(struct explainer *e, const char *id, const char *question, ...) {
    char text[NAME_BYTES + 120];
    va_list list;
    va_start(list, question);
    vsnprintf(text, sizeof text, question, list);
    va_end(list);
    e->id = keep_text(e, id);
    e->question = keep_text(e, text);
    words_start(&e->words, &VOICE_PLAIN);
    e->figure_count = e->chain_count = 0;
    e->chain_cut = false;
}

void answer_say(struct explainer *e, const char *format, ...) {
    char text[WORDS_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    words_add(&e->words, "%s", text);
}

void answer_figure(struct explainer *e, const char *subject, const char *name, double value) {
    if (e->figure_count < ANSWER_FIGURES_MOST)
        e->figures[e->figure_count++] = (struct answer_figure){ subject, name, value };
}

static void grow(struct explainer *e) {
    const uint32_t room = e->room ? 2 * e->room : 16;
    struct answer *larger = ARENA_ARRAY(e->arena, struct answer, room);
    if (!larger) {
        fail(e, error_no_memory(e->error));
        return;
    }
    if (e->out->count > 0)
        memcpy(larger, e->out->answers, e->out->count * sizeof *larger);
    e->out->answers = larger;
    e->room = room;
}

static void *copy_of(struct explainer *e, const void *from, size_t count, size_t size) {
    void *copy = arena_alloc(e->arena, count, size);
    if (!copy)
        fail(e, error_no_memory(e->error));
    else if (count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

void answer_end(struct explainer *e) {
    if (e->status == SS_OK && e->out->count == e->room)
        grow(e);
    if (e->status != SS_OK)
        return;
    struct answer answer = {
        .id = e->id, .question = e->question, .words = keep_text(e, e->words.text),
        .figures = copy_of(e, e->figures, e->figure_count, sizeof *e->figures), .figure_count = e->figure_count,
        .chain = copy_of(e, e->chain, e->chain_count, sizeof *e->chain), .chain_count = e->chain_count,
        .chain_cut = e->chain_cut,
    };
    if (e->status == SS_OK)
        e->out->answers[e->out->count++] = answer;
}

/* ---- chains of causes ---- */

static struct cause cause_of(const struct timeline *timeline, struct event event) {
    return event.lane == LANE_COMPUTE ? timeline->steps[event.index].cause
         : event.lane == LANE_D2H     ? timeline->d2h[event.index].cause
                                      : timeline->h2d[event.index].cause;
}

/* Events that follow each other without waiting for anything else are one link: moves *EVENT to the earliest of them
 * and returns how many they are. */
static uint32_t follow_run(const struct timeline *timeline, struct event *event) {
    const uint8_t kind = event->lane == LANE_COMPUTE ? CAUSE_ORDER : CAUSE_LANE;
    uint32_t count = 1;
    while (cause_of(timeline, *event).kind == kind) {
        event->index = cause_of(timeline, *event).index;
        count++;
    }
    return count;
}

static void say_run(struct explainer *e, struct words *words, struct event last, struct event first, uint32_t count) {
    words_event(words, e->timeline, first);
    words_add(words, " to ");
    words_event(words, e->timeline, last);
    words_add(words, ": %u %s one after the other, %s", (unsigned)count,
              first.lane == LANE_COMPUTE ? "steps" : "transfers",
              show_time(timeline_end(e->timeline, last) - timeline_start(e->timeline, first)).text);
}

void answer_chain(struct explainer *e, struct event event) {
    for (;;) {
        struct event last = event, by;
        struct words words;
        const uint32_t count = follow_run(e->timeline, &event);
        words_start(&words, &VOICE_PLAIN);
        if (count > 1)
            say_run(e, &words, last, event, count);
        else
            words_event(&words, e->timeline, last);
        words_add(&words, "; ");
        words_cause(&words, count > 1 ? "the first of them" : "it", e->timeline, event);
        if (e->chain_count == ANSWER_LINKS_MOST) {
            e->chain_cut = true;
            return;
        }
        e->chain[e->chain_count++] = (struct answer_link){ last, count, keep_text(e, words.text) };
        if (e->status != SS_OK || !timeline_cause(e->timeline, event, &by))
            return;
        event = by;
    }
}

/* ---- trying ---- */

bool explain_try_plan(struct explainer *e, const struct plan *plan, struct sim_totals *totals) {
    if (e->status != SS_OK)
        return false;
    const enum ss_status status = sim_evaluate(e->simulator, plan, &e->outcome->link, e->outcome->budget_bytes, totals,
                                               e->error);
    fail(e, status);
    return status == SS_OK;
}

bool explain_try_settings(struct explainer *e, const struct settings *settings, bool replan, struct outcome *out) {
    struct outcome_request request = settings_request(e->profile, settings);
    if (e->status != SS_OK)
        return false;
    arena_reset(&e->scratch);
    if (e->request->started)
        e->request->started(e->request->context);
    request.plan = replan ? NULL : &e->timeline->plan;
    request.should_stop = e->request->should_stop;
    request.context = e->request->context;
    request.bounds = &e->bounds;
    const enum ss_status status = outcome_compute(&request, &e->scratch, out, e->error);
    if (status == SS_INTERNAL)
        fail(e, status);
    return status == SS_OK;
}

/* ---- which answers ---- */

static void explain_all(struct explainer *e) {
    if (!e->timeline->totals.feasible) {
        answer_fit(e);
        answer_choices(e);
        answer_offload_or_recompute(e);
        answer_recompute_starts(e);
        answer_free_bandwidth(e);
        return;
    }
    answer_peak(e);
    answer_no_drop(e);
    answer_host(e);
    answer_overlap(e);
    answer_stalls(e);
    answer_prefetch(e, NONE);
    answer_choices(e);
    answer_offload_or_recompute(e);
    answer_recompute_starts(e);
    answer_free_bandwidth(e);
    answer_knobs(e);
    if (e->request->measurement_count > 0)
        answer_residuals(e);
}

static void explain_tensor(struct explainer *e, uint32_t tensor) {
    answer_choice(e, tensor);
    if (!e->timeline->totals.feasible) {
        answer_fit(e);
        return;
    }
    if (e->profile->tensors[tensor].managed)
        answer_prices(e, tensor);
    if (e->profile->tensors[tensor].managed)
        answer_no_drop_of(e, tensor);
    if (e->timeline->h2d_of[tensor] != NONE)
        answer_prefetch(e, e->timeline->h2d_of[tensor]);
}

static void answer(struct explainer *e, const struct explain_selection *selection) {
    const bool timed = e->timeline->totals.feasible;
    switch (selection->topic) {
    case EXPLAIN_ALL: explain_all(e); return;
    case EXPLAIN_TENSOR: explain_tensor(e, selection->index); return;
    default: break;
    }
    if (!timed) {
        answer_fit(e);
        return;
    }
    switch (selection->topic) {
    case EXPLAIN_OP: answer_op(e, selection->index); return;
    case EXPLAIN_LAYER: answer_layer(e, selection->index); return;
    case EXPLAIN_STALLS:
        answer_stalls(e);
        answer_each_stall(e);
        return;
    default:
        answer_overlap_at(e, selection->at_us);
        answer_memory_at(e, selection->at_us);
    }
}

enum ss_status explain(const struct explain_request *request, const struct explain_selection *selection,
                       struct arena *arena, struct explanation *out, struct error *error) {
    const struct timeline *timeline = &request->outcome->timeline;
    struct explainer e = { .request = request, .outcome = request->outcome, .timeline = timeline,
                           .profile = timeline->profile, .arena = arena, .out = out, .error = error };
    *out = (struct explanation){ 0 };
    e.simulator = simulator_new(timeline->profile, error);
    if (!e.simulator)
        return SS_INTERNAL;
    bounds_note(&e.bounds, e.profile, &e.outcome->link, e.outcome->budget_bytes, &e.outcome->bound);
    answer(&e, selection);
    simulator_free(e.simulator);
    arena_free(&e.scratch);
    return e.status;
}
