/* remedies: what would mend one stall, each by one knob or by the actions of one tensor or layer alone, the plan otherwise
 * as it is. Each is simulated; those that gain nothing are told all the same, for that is an answer too. */
#ifndef SLACKSWAP_CORE_REMEDIES_H
#define SLACKSWAP_CORE_REMEDIES_H

#include "findings.h"
#include "knobs.h"
#include "timeline.h"

enum remedy_kind {
    REMEDY_RATE,    /* the least bandwidth at which the step waits no more; its knob to three digits */
    REMEDY_BUDGET,  /* the least budget, to a thousandth of the unlimited peak */
    REMEDY_TENSOR,  /* another action for one tensor */
    REMEDY_LAYER,   /* one for all tensors of a layer that may have it */
};

struct remedy {
    enum remedy_kind kind;
    struct settings settings;   /* afterwards; the plan is then played as it is, with FIX's changes */
    double rate_gb_per_s;       /* REMEDY_RATE */
    uint64_t more_bytes;        /* REMEDY_BUDGET: on top of the budget at hand */
    enum action action;         /* REMEDY_TENSOR, REMEDY_LAYER */
    uint32_t tensor, layer;
    struct fix fix;
    bool gains;                 /* the step gets notably shorter */
    bool halves;                /* REMEDY_RATE, _BUDGET: no value ends the wait; this is the least that halves it */
};
#define REMEDIES_MOST 6

struct remedies {
    struct plan plan;           /* to which the fixes' changes are meant; its own budget dropped */
    struct sim_totals before;
    struct remedy remedy[REMEDIES_MOST]; uint32_t count;
};

struct remedies_task {
    const struct profile *profile;
    const struct plan *plan;
    struct settings settings;
    uint32_t step;                        /* that waits, of the plan's timeline under these settings */
    bool (*should_stop)(void *context);   /* NULL: never */
    void *context;
};

/* OUT lives in ARENA. A step that does not wait, or a plan that does not fit, has none. SS_STOPPED when told to stop. */
enum ss_status remedies_find(const struct remedies_task *task, struct arena *arena, struct remedies *out,
                             struct error *error);

#endif
