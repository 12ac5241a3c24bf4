/* explain_parts: what the files that answer questions share (explain.h). */
#ifndef SLACKSWAP_CORE_EXPLAIN_PARTS_H
#define SLACKSWAP_CORE_EXPLAIN_PARTS_H

#include "explain.h"
#include "units.h"
#include "words.h"

#define ANSWER_FIGURES_MOST 80
#define ANSWER_LINKS_MOST 40

struct explainer {
    const struct explain_request *request;
    const struct outcome *outcome;
    const struct timeline *timeline;
    const struct profile *profile;
    struct simulator *simulator;     /* for plans that are tried */
    struct bounds bounds;
    struct arena *arena;             /* of the explanation */
    struct arena scratch;            /* of outcomes that are tried; reset after each */
    struct explanation *out;
    uint32_t room;
    enum ss_status status;           /* the first failure; nothing is added after it */
    struct error *error;

    /* the answer that is being put together */
    const char *id, *question;
    struct words words;
    struct answer_figure figures[ANSWER_FIGURES_MOST];
    uint32_t figure_count;
    struct answer_link chain[ANSWER_LINKS_MOST];
    uint32_t chain_count;
    bool chain_cut;
};

/* ---- putting answers together (explain.c) ---- */

void answer_begin(struct explainer *e, const char *id, const char *question, ...)
    __attribute__((format(printf, 3, 4)));
void answer_say(struct explainer *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void answer_figure(struct explainer *e, const char *subject, const char *name, double value);
/* Adds the chain of causes of EVENT, from EVENT itself to the start of the step. */
void answer_chain(struct explainer *e, struct event event);
void answer_end(struct explainer *e);

/* Simulates PLAN under the link and budget of what is explained. False after a failure. */
bool explain_try_plan(struct explainer *e, const struct plan *plan, struct sim_totals *totals);
/* What SETTINGS give: planned by their planner, or the plan that was replayed under them. The outcome lives until the
 * next try. False when it can't be had, be it that planning was stopped. */
bool explain_try_settings(struct explainer *e, const struct settings *settings, bool replan, struct outcome *out);

/* Moments and names as text, each in a buffer of its own for one call of answer_say; figures: show_time and the like. */
/* "72.004 ms": a moment. */
struct unit_text text_moment(double us);
struct name_text { char text[NAME_BYTES]; };
struct name_text text_tensor(const struct explainer *e, uint32_t tensor);
struct name_text text_layer(const struct explainer *e, uint32_t layer);
struct name_text text_event(const struct explainer *e, struct event event);

/* ---- the answers ---- */

/* explain_time.c: steps, transfers, stalls */
void answer_overlap(struct explainer *e);
void answer_overlap_at(struct explainer *e, double at_us);
void answer_stalls(struct explainer *e);
void answer_each_stall(struct explainer *e);
void answer_prefetch(struct explainer *e, uint32_t transfer); /* NONE: the return with the least time to spare */
void answer_op(struct explainer *e, uint32_t op);
void answer_layer(struct explainer *e, uint32_t layer);

/* explain_memory.c */
void answer_fit(struct explainer *e); /* what an infeasible plan lacks */
void answer_peak(struct explainer *e);
void answer_memory_at(struct explainer *e, double at_us);
void answer_no_drop(struct explainer *e);
void answer_no_drop_of(struct explainer *e, uint32_t tensor);
void answer_host(struct explainer *e);

/* explain_choice.c: what the plan does with tensors */
void answer_choices(struct explainer *e);
void answer_choice(struct explainer *e, uint32_t tensor);
void answer_prices(struct explainer *e, uint32_t tensor);

/* explain_residuals.c */
void answer_residuals(struct explainer *e);

/* explain_change.c: what other plans and settings would give */
void answer_offload_or_recompute(struct explainer *e);
void answer_recompute_starts(struct explainer *e);
void answer_free_bandwidth(struct explainer *e);
void answer_knobs(struct explainer *e);

#endif
