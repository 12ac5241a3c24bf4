/* random_profile: small random profiles, plans and links for property tests. The same seed gives the same work on
 * every machine.
 *
 * Profiles are DAGs of every kind that MODEL.md §1 allows: ops with no, one or several outputs, tensors read by many
 * ops, tensors nobody produces, unmanaged tensors between managed ones, masks, zero sizes and times, workspaces, ops
 * that must not run twice, tensors that must stay. Tensors are numbered in random order. */
#ifndef SLACKSWAP_TESTS_RANDOM_PROFILE_H
#define SLACKSWAP_TESTS_RANDOM_PROFILE_H

#include "core/link.h"
#include "core/plan.h"
#include "core/profile.h"

/* Of N random cases, how many to try: all; a fifth, where each instruction is watched and takes several times as long. A
 * property is shown by the plain build; what is watched for is in any case. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CASES_OF(n) (((n) + 4) / 5)
#else
#define CASES_OF(n) (n)
#endif

struct random { uint64_t state; };

uint64_t random_next(struct random *random);
uint32_t random_below(struct random *random, uint32_t limit); /* 0 … limit-1; limit > 0 */
bool random_chance(struct random *random, uint32_t percent);

struct random_shape {
    uint32_t most_ops;         /* 1 … most_ops ops */
    uint32_t most_managed;     /* at most that many managed tensors; 0: no limit (for exhaustive search) */
    bool whole_times;          /* small whole times and sizes: many events coincide */
    bool chain_only;           /* each op reads the one before it: no branches */
    bool free_choice;          /* no keep:true tensors, every op may run twice: each plan is allowed */
};

/* Fills OUT, which lives in ARENA. Aborts when memory is short or the profile is refused. */
void random_profile(struct random *random, const struct random_shape *shape, struct arena *arena,
                    struct profile *out);
/* A random action for each managed tensor that may move, half of the time with prefetch distances. */
void random_plan(struct random *random, const struct profile *profile, struct arena *arena, struct plan *out);
/* Link options for the profile's link that link_resolve accepts. */
struct link_options random_link_options(struct random *random, const struct profile *profile);

#endif
