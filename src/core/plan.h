/* plan: one action for each managed tensor (MODEL.md §2). */
#ifndef SLACKSWAP_CORE_PLAN_H
#define SLACKSWAP_CORE_PLAN_H

#include "base.h"
#include "profile.h"

enum action { ACTION_KEEP, ACTION_OFFLOAD, ACTION_RECOMPUTE, ACTION_COUNT };
extern const char *const ACTION_NAME[ACTION_COUNT]; /* "keep", "offload", "recompute" */

#define PREFETCH_ANY UINT32_MAX /* a return may start as early as room allows */

/* A plan for one profile. Arrays have profile.tensor_count entries; unmanaged tensors stay ACTION_KEEP. */
struct plan {
    const char *planner;    /* who made it; "" when not known */
    const char *unit;       /* "tensor" or "layer" */
    uint8_t *action;        /* enum action */
    uint32_t *prefetch;     /* compute steps before first backward use at which the return may start; or NULL: any */
    uint64_t budget_bytes;  /* the budget it was made for: limits a simulation from above; BYTES_UNLIMITED = none */
    const char *made_for;   /* name of the profile it was made for; "" when not known */
    struct link link;       /* the link it was made for; h2d_gb_per_s 0 when not known. No simulation looks at it */
};

/* What breaks MODEL.md §2 in a plan that can be read all the same. */
enum plan_fault_kind {
    FAULT_UNKNOWN_TENSOR, /* it names a tensor that the profile does not have */
    FAULT_UNMANAGED,      /* it decides about a tensor that is not managed */
    FAULT_MUST_STAY,      /* it moves or drops a tensor with "keep": true */
    FAULT_FORBIDDEN,      /* it recomputes a tensor whose closure runs an op again that must not */
};
struct plan_fault {
    uint8_t kind;
    uint8_t action;         /* what the plan wants */
    bool distance;          /* it is the prefetch distance that names the tensor, not an action */
    uint32_t tensor;        /* NONE when unknown */
    uint32_t op;            /* FAULT_FORBIDDEN: the op that must not run again */
    const char *name;       /* as the plan has it */
};
/* Zero-initialise but for the arena, which owns the list. */
struct plan_faults {
    struct arena *arena;
    struct plan_fault *fault;
    uint32_t count, room;
};
enum ss_status plan_faults_add(struct plan_faults *faults, struct plan_fault fault, struct error *error);

/* A plan that keeps everything. */
enum ss_status plan_init(struct plan *plan, struct arena *arena, const struct profile *profile, struct error *error);
enum ss_status plan_copy(struct plan *out, struct arena *arena, const struct profile *profile, const struct plan *plan,
                         struct error *error);
/* Sets one action; SS_BAD_INPUT naming the tensor when it is unmanaged or must stay (keep: true). The closure rule is
 * checked by schedule_build, which sees the whole plan. */
enum ss_status plan_set(struct plan *plan, const struct profile *profile, uint32_t tensor, enum action action,
                        struct error *error);
/* PLAN, made for FROM, for TO: what TO's tensors of the same names may do, they do; the others stay. *LOST counts the
 * tensors that FROM moved or dropped and that TO does not have, or must keep. OUT lives in ARENA. */
enum ss_status plan_carry(struct plan *out, struct arena *arena, const struct profile *from, const struct plan *plan,
                          const struct profile *to, uint32_t *lost, struct error *error);
/* Gives PLAN distances to set, each PREFETCH_ANY, if it has none. */
enum ss_status plan_add_distances(struct plan *plan, struct arena *arena, const struct profile *profile,
                                  struct error *error);
uint32_t plan_prefetch(const struct plan *plan, uint32_t tensor); /* distance, or PREFETCH_ANY */

/* Totals over managed tensors by action. */
struct plan_mix { uint64_t bytes[ACTION_COUNT]; uint32_t count[ACTION_COUNT]; };
struct plan_mix plan_mix(const struct profile *profile, const struct plan *plan);

#endif
