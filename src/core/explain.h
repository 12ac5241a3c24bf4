/* explain: why a step came out as it did, and what would change it — questions answered in plain sentences.
 *
 * An answer has its sentences, the figures in them (under the names that results use, `_us`, `_bytes`, `_gb_per_s`), and,
 * where something waited, the chain of causes back to its root. What would happen is never estimated: each "would" has
 * been planned or simulated anew. */
#ifndef SLACKSWAP_CORE_EXPLAIN_H
#define SLACKSWAP_CORE_EXPLAIN_H

#include "knobs.h"
#include "residuals.h"
#include "outcome.h"

/* A figure of an answer. SUBJECT groups those of one alternative ("budget", "offload"); NULL: of the answer itself. */
struct answer_figure { const char *subject, *name; double value; };
/* One link of a chain of causes: what happened, and in a clause why it did not happen sooner. COUNT events are summed
 * up in it: a run of steps, or of transfers on one lane, that followed each other without waiting; EVENT is the last. */
struct answer_link { struct event event; uint32_t count; const char *words; };

struct answer {
    const char *id;          /* stable: "peak", "stalls", … */
    const char *question;
    const char *words;       /* one or more sentences */
    const struct answer_figure *figures; uint32_t figure_count;
    const struct answer_link *chain;     uint32_t chain_count; /* newest first; 0 where nothing waited */
    bool chain_cut;          /* the chain goes on */
};
struct explanation { struct answer *answers; uint32_t count; };

struct explain_request {
    const struct outcome *outcome;     /* what is explained */
    struct settings settings;          /* under which it came to be */
    bool replayed;                     /* its plan was given: changes are simulated, not planned anew */
    const struct measurement *measurements; /* how the step really ran; explained along with all */
    uint32_t measurement_count;
    void (*started)(void *context);    /* a planner is about to be asked; NULL: nobody wants to know */
    bool (*should_stop)(void *context); /* it should end now; NULL: never */
    void *context;
};

/* What is asked about. */
enum explain_topic { EXPLAIN_ALL, EXPLAIN_TENSOR, EXPLAIN_OP, EXPLAIN_LAYER, EXPLAIN_STALLS, EXPLAIN_TIME };
struct explain_selection {
    enum explain_topic topic;
    uint32_t index;                    /* tensor, op or layer */
    double at_us;                      /* EXPLAIN_TIME */
};

/* OUT lives in ARENA. Nothing of OUTCOME is changed. */
enum ss_status explain(const struct explain_request *request, const struct explain_selection *selection,
                       struct arena *arena, struct explanation *out, struct error *error);

#endif
