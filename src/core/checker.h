/* checker: what the checks_*.c share about one check — the plan and what becomes of it, what changing it would give.
 *
 * Simulations are counted and their number is limited, so that a check ends in some seconds whatever the profile; what
 * is not tried any more has no fix. A failure is remembered in `status`: from there on every try says "no". */
#ifndef SLACKSWAP_CORE_CHECKER_H
#define SLACKSWAP_CORE_CHECKER_H

#include "check.h"
#include "closure.h"
#include "words.h"

/* What is changed together: a tensor, or all of a layer where the plan's unit is one. */
struct group {
    uint32_t at, count;         /* groups.tensor[] */
    uint8_t action;             /* enum action of all of them; ACTION_COUNT when they differ */
    bool recomputable;
    uint64_t bytes;
    uint32_t producer;          /* op that makes the first */
};
/* What setting all of a group to one action gives. */
struct flip { bool tried; bool fits; struct sim_totals totals; };

struct checker {
    const struct check_task *task;
    const struct profile *profile;
    struct arena *arena;
    struct simulator *simulator;
    struct plan plan;           /* as far as it can be played; has distances */
    struct plan scratch;        /* for trying; equal to `plan` between two tries */
    struct timeline timeline;   /* of `plan` */
    bool fits;                  /* `plan` fits the budget and the host limit */
    double notable_us;          /* what is shorter is not worth a finding */
    struct closure closure;
    struct group *group; uint32_t group_count;
    uint32_t *tensor;           /* of groups */
    uint32_t *group_of;         /* tensor -> its group, or NONE: it must stay */
    struct flip (*flip)[ACTION_COUNT];
    struct findings *findings;
    uint64_t evaluations, limit;
    bool limited;               /* something was left untried */
    enum ss_status status;
    struct error *error;
};

enum ss_status checker_begin(struct checker *checker, const struct check_task *task, struct arena *arena,
                             struct findings *findings, struct error *error);
void checker_end(struct checker *checker);

/* Simulates PLAN. False when that can't be done: the limit is reached, the plan can't be laid out, something failed. */
bool checker_simulate(struct checker *checker, const struct plan *plan, struct sim_totals *totals);
bool checker_fits(const struct checker *checker, const struct sim_totals *totals);
/* What setting GROUP to ACTION gives; simulated at most once. NULL when it can't be tried. */
const struct flip *checker_flip(struct checker *checker, uint32_t group, enum action action);
bool checker_may(const struct checker *checker, uint32_t group, enum action action);
void checker_set(const struct checker *checker, struct plan *plan, uint32_t group, enum action action);

/* The fix that makes PLAN of the checker's plan; NULL when they are equal, or on failure. */
struct fix *checker_fix(struct checker *checker, const struct plan *plan, const struct sim_totals *totals);
struct fix *checker_flip_fix(struct checker *checker, uint32_t group, enum action action);
/* How much shorter the step is with TOTALS. */
static inline double checker_gain(const struct checker *checker, const struct sim_totals *totals) {
    return checker->timeline.totals.step_us - totals->step_us;
}

/* Places: of a step, of a tensor. */
struct place checker_step_place(const struct checker *checker, uint32_t step, double at_us);
struct place checker_tensor_place(const struct checker *checker, uint32_t tensor);
/* TEXT of WORDS, copied into the arena. */
const char *checker_words(struct checker *checker, const struct words *words);
/* Adds a finding, and a name for it to the words: "L3.gelu", "layer L3". */
void words_group(struct words *words, const struct checker *checker, uint32_t group);

/* The rules. Each adds what it finds. */
void check_faults(struct checker *checker);     /* checks_plan.c */
void check_made_for(struct checker *checker);
void check_memory(struct checker *checker, const struct limits *limits); /* checks_memory.c */
void check_transfers(struct checker *checker);  /* checks_transfer.c */
void check_choices(struct checker *checker);    /* checks_choice.c */

#endif
