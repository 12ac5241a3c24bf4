/* schedule: the static part of a simulation (MODEL.md §3) — which compute steps, in which order, needing how much
 * memory. A pure function of profile and plan; time and link play no part.
 *
 * Steps are numbered in execution order: F(0)…F(n-1), then for i = n-1…0 the recompute steps that B(i) needs, then
 * B(i). Adversarial profiles can need more steps than 3 n (a chain of unmanaged tensors re-run by many), so the step
 * arrays grow; building is linear in the steps and their inputs, and never recurses. */
#ifndef SLACKSWAP_CORE_SCHEDULE_H
#define SLACKSWAP_CORE_SCHEDULE_H

#include "base.h"
#include "plan.h"
#include "profile.h"

enum step_kind { STEP_FORWARD, STEP_RECOMPUTE, STEP_BACKWARD, STEP_KIND_COUNT };
extern const char STEP_LETTER[STEP_KIND_COUNT]; /* 'F', 'R', 'B' */

struct schedule {
    uint32_t step_count, forward_count; /* forward_count = ops: the first step of the backward pass */
    uint32_t *op;            /* step -> op */
    uint8_t *kind;           /* step -> enum step_kind */
    double *duration_us;     /* step -> kernel time */
    uint64_t *requirement;   /* step -> req(k), bytes */
    uint32_t *backward_step; /* op -> its B step */
    uint32_t *first_use;     /* tensor -> step of its first backward use (an R or B), NONE when not brought back;
                                for recomputed tensors the R that restores it */
    uint32_t *last_use;      /* tensor -> step of its last backward use, kept tensors included; NONE = no use */
    uint32_t *d2h;           /* offloaded tensors in D2H order; d2h_count */
    uint32_t *h2d;           /* offloaded tensors in H2D order; h2d_count */
    uint32_t d2h_count, h2d_count;
    uint32_t peak_step;      /* first step at which requirement is largest */
    uint64_t peak_bytes;     /* requirement there */
    double recompute_us;     /* Σ duration of R steps */
    double compute_us;       /* Σ duration of all steps */
};

/* A builder that owns scratch memory and reuses it from one plan to the next: planners evaluate thousands. What
 * schedule_build returns is valid until the next build on the same builder. Zero-initialise; schedule_builder_free
 * gives everything back. */
struct schedule_builder;
struct schedule_builder *schedule_builder_new(const struct profile *profile, struct error *error);
void schedule_builder_free(struct schedule_builder *builder);
const struct profile *schedule_builder_profile(const struct schedule_builder *builder);

/* Lays PLAN out. SS_BAD_INPUT, naming the managed tensor and the op, when a closure would run a non-recomputable op
 * again, or when the plan moves or drops a keep:true tensor. */
enum ss_status schedule_build(struct schedule_builder *builder, const struct plan *plan, const struct schedule **out,
                              struct error *error);
/* A deep copy in ARENA (for a timeline that outlives the builder). */
enum ss_status schedule_copy(struct schedule *out, struct arena *arena, const struct profile *profile,
                             const struct schedule *schedule, struct error *error);

/* What req(k) consists of, for the memory curve. Arrays of step_count entries in ARENA; their sum is requirement[k]. */
enum requirement_part { PART_KEPT, PART_GRADIENT, PART_SCRATCH, PART_COUNT };
/* kept: forward and backward copies; gradient; scratch: workspaces and chain intermediates */
enum ss_status schedule_parts(struct schedule_builder *builder, const struct plan *plan, struct arena *arena,
                              uint64_t *parts[PART_COUNT], struct error *error);

/* The tensors resident in step K with their part, largest first (the viewer's "live set here").
 * COUNT receives how many; gradients of tensors carry PART_GRADIENT, workspaces have tensor NONE. */
struct resident { uint32_t tensor; enum requirement_part part; uint64_t bytes; };
enum ss_status schedule_live_set(struct schedule_builder *builder, const struct plan *plan, uint32_t k,
                                 struct arena *arena, struct resident **out, uint32_t *count, struct error *error);

#endif
