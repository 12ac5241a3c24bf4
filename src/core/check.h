/* check: a linter for plans (rules.h), and the smallest change that mends one. */
#ifndef SLACKSWAP_CORE_CHECK_H
#define SLACKSWAP_CORE_CHECK_H

#include "bound.h"
#include "findings.h"
#include "timeline.h"

struct check_task {
    const struct profile *profile;
    const struct plan *plan;
    const struct plan_faults *faults;   /* what the reader found; NULL: nothing */
    struct link link;
    uint64_t budget_bytes;              /* at hand; the plan's own may be less */
    uint64_t host_memory_bytes;         /* BYTES_UNLIMITED: no limit */
    uint64_t evaluation_limit;          /* simulations to spend; 0: a number that takes some seconds at most */
    bool (*should_stop)(void *context); /* NULL: never */
    void *context;
};

struct check {
    struct findings findings;
    struct plan plan;           /* what was played: a tensor with a fault is offloaded, or kept where it must stay */
    struct timeline timeline;   /* of it */
    struct limits limits;
    uint64_t evaluations;
    bool limited;               /* a large profile: not every change was tried */
};

/* Checks a plan. OUT lives in ARENA. SS_STOPPED when should_stop said so. */
enum ss_status check_plan(const struct check_task *task, struct arena *arena, struct check *out, struct error *error);

/* What mending may be after. */
enum mend_goal {
    MEND_ERRORS,    /* make the plan fit, with as few changes as can be found */
    MEND_ALL,       /* then remove what waits and wastes, as long as that shortens the step */
};
struct mended {
    struct plan plan;
    struct change *change; uint32_t count;  /* from what was checked to the plan */
    struct sim_totals before, after;
    bool fits;                  /* afterwards */
    uint64_t evaluations;
    bool limited;               /* the evaluations were spent: there may be more to gain */
};
/* Mends a plan: the smallest set of changes that was found. With faults, what they are about is mended first. OUT lives
 * in ARENA. */
enum ss_status check_mend(const struct check_task *task, enum mend_goal goal, struct arena *arena, struct mended *out,
                          struct error *error);

#endif
