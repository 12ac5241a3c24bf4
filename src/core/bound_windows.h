/* bound_windows: a timeline in which every plan's step takes part — the longest path through compute steps and transfer
 * windows, for a choice of what is recomputed (bound.c, item 7).
 *
 * A moment is the start or the end of a step of the schedule that keeps everything. Computing leads from moment to
 * moment. A window leads over several steps at once: to step K, D2H has moved what is missing at K and was made after
 * some op; from step K on, H2D brings back what was missing at K and is needed by some later step. */
#ifndef SLACKSWAP_CORE_BOUND_WINDOWS_H
#define SLACKSWAP_CORE_BOUND_WINDOWS_H

#include "closure.h"
#include "link.h"
#include "profile.h"

#define READS_AN_OP 4u /* on average, at most */

/* A tensor that may leave: it can be away at steps GONE … BACK - 1. */
struct leaver { uint32_t op, gone, back; uint64_t bytes; bool again; /* may be recomputed */ };

/* A tensor seen from a step at which it can be away, with the bytes missing there among it and those before it in its
 * list: RAW is what they exceed the room by that is left for them (negative when all of them may stay), NEED that in whole
 * tensors. */
struct sight { uint32_t leaver; double need, raw; };

/* What is taken for granted about a leaver: it may or may not move over the link, never does, or does. */
enum fate { FATE_OPEN, FATE_STAYS, FATE_LEAVES };
/* What is taken for granted about an op: it may or may not run again, never does, or does. */
enum choice { CHOICE_FREE, CHOICE_NEVER, CHOICE_ALWAYS };
/* By leaver and by op; and what follows: BACK is the step by which a leaver is on the GPU again, its own first use or that
 * of what surely runs again and reads it. EARLY lists those for which that differs, the earliest first. */
struct premises { uint8_t *fate, *choice; uint32_t *back, *early, early_count; };

/* A step that needs more than the budget when everything is kept. */
struct tight {
    uint32_t step;
    double d2h, h2d;            /* us a byte, latency included */
    struct sight *out, *back;   /* the same tensors: those made last first; those needed first first */
    uint32_t sights;
};

struct windows {
    const struct profile *profile;
    const struct closure *closure;
    struct leaver *leaver; uint32_t leaver_count; /* in the order of their producers */
    uint32_t *by_back;                            /* leavers, those needed first first */
    struct tight *tight; uint32_t tight_count;    /* by step */
    uint64_t sights;                              /* of all of them, both lists */
    uint32_t *tight_at;                           /* step -> its tight + 1; 0: fits */
    uint32_t *first_of;                           /* op -> its first leaver; op_count + 1 entries */
    uint32_t *place;                              /* leaver -> its place in by_back */
    uint32_t *read_at, *read;                     /* op -> leavers that its closure reads: read[read_at[op]] … */
    bool reads_cut;                               /* some reads are missing */
    uint32_t *natural;                            /* op -> before an earlier step it runs again only for an op that runs again
                                                   * then, too, and reads what it restores; 0: that isn't known */
    double *duration;                             /* step -> us */
    struct moment *moment;                        /* scratch */
    struct spared *spared;                        /* scratch: by leaver */
    uint32_t *staying, staying_count;             /* scratch: leavers that stay */
    struct likely_call *likely; uint32_t likely_count; /* scratch: by step */
    uint32_t *calls_at, *likeliest; double *called;    /* scratch: by step; by leaver */
    bool exact;                                   /* scratch: whole windows as long as they are */
};

static inline bool leaver_away_at(const struct leaver *leaver, uint32_t step) {
    return leaver->gone <= step && step < leaver->back;
}

/* A tensor is large when its copy takes at least such a part of the compute time. Some step is tight. */
#define LARGE_PART 0.005
static inline bool leaver_is_large(const struct windows *windows, const struct leaver *leaver) {
    const struct profile *profile = windows->profile;
    return (double)leaver->bytes * windows->tight[0].d2h >= LARGE_PART * (profile->forward_us + profile->backward_us);
}

/* Before which steps an op runs again, and how likely, in the order of steps: what a path is looked for against. */
#define ODDS_STEPS 3
struct odds { uint32_t step[ODDS_STEPS]; double chance[ODDS_STEPS]; };

/* Bytes of a leaver that need not move: AGAIN when it is seen from before each STEP, ALWAYS as its op surely runs again. */
struct spared { uint32_t step[ODDS_STEPS]; double again[ODDS_STEPS], always; };

static inline double spared_again(const struct spared *spared, uint32_t step) {
    double bytes = 0;
    for (int i = 0; i < ODDS_STEPS; i++)
        bytes += spared->step[i] > step ? spared->again[i] : 0;
    return bytes;
}

/* OP runs again before a window of H2D's ends, and reads LEAVER, which comes later in the list: so it counts there, unless it
 * is recomputed itself. */
struct call { uint32_t leaver, op; };
struct likely_call { uint32_t step; struct call call; double chance; };

/* One window on a path: of tight's list up to a place; the steps it leads over, whose recompute steps don't count there;
 * how many bytes it moves when nothing runs again, and how many fewer for each byte that is restored. WHOLE: what surely
 * runs again is off them already. */
struct hop { bool out, whole; uint32_t tight, place; uint32_t low, high; double bytes, scale; uint32_t calls_at, calls; };
#define PATH_HOPS 24
#define PATH_CALLS 512
/* CALL: of hop h, those from h.calls_at on. */
struct path {
    uint32_t count; struct hop hop[PATH_HOPS];
    uint32_t call_count; struct call call[PATH_CALLS];
    double constant_us;
    const struct premises *premises;
};

/* By step: what it needs with everything kept, and how long the plan's step takes at least because of it alone (0 where it
 * fits BUDGET). */
struct tightness { const uint64_t *requirement; uint64_t budget; const double *single_us; };
/* SIGHTS: about how many tensors to look at from tight steps, each from each. */
enum ss_status windows_build(struct windows *out, struct arena *arena, const struct profile *profile,
                             const struct link *link, const struct closure *closure, const struct tightness *tightness,
                             uint32_t sights, struct error *error);
/* What follows from fate and choice; the arrays are there. */
void windows_conclude(const struct windows *windows, struct premises *premises);
/* The longest path when ops run again by ODDS, and its length, for plans that PREMISES hold for (kept by OUT); false when
 * it has more windows than fit. */
bool windows_longest(struct windows *windows, const struct premises *premises, const struct odds *odds, struct path *out,
                     double *out_us);
/* How long the longest path is when ops run again exactly as ODDS say (chances of 0 and 1): no less than the length of any
 * path above, and no more than the step of any plan that does so. */
double windows_exactly(struct windows *windows, const struct premises *premises, const struct odds *odds);
/* How long HOP's window is when nothing runs again. */
double windows_length(const struct windows *windows, const struct hop *hop);
/* What HOP of PATH need not move when OP runs again before any step behind that of its tight, in us. */
double windows_relief(const struct windows *windows, const struct path *path, const struct hop *hop, uint32_t op);
/* How much longer HOP's window is when the op of CALL, one of its own, runs again before a step that is not behind it. */
static inline double windows_call_us(const struct windows *windows, const struct hop *hop, const struct call *call) {
    return (double)windows->leaver[call->leaver].bytes * windows->tight[hop->tight].h2d;
}
/* How much later (or earlier) PATH ends, calls aside, when OP runs again just before STEP (0: not at all). */
double windows_effect(const struct windows *windows, const struct path *path, uint32_t op, uint32_t step);

#endif
