/* rehearsal: a plan played through quickly, to see whether it is worth laying out and simulating.
 *
 * The plan is kept up to date change by change: what is due when, which ops run again before which backward step, and
 * at what price. Playing it through then takes one pass over the steps of the schedule that keeps everything, with the
 * three lanes of MODEL.md §4 in it: returns have to find room and to land before what needs them, recompute steps
 * included, and what is on its way out holds its room. What is left out are the steps of a chain one by one: their
 * intermediates, what several ops of one chain share, and where within a step a transfer starts or room is made. The
 * result comes close to the simulator's, and takes a tenth of its time or less. */
#ifndef SLACKSWAP_CORE_REHEARSAL_H
#define SLACKSWAP_CORE_REHEARSAL_H

#include "trees.h"
#include "trial.h"

/* Managed tensors are numbered here in the order in which D2H takes them. */
struct rehearsal_tensor {
    uint32_t tensor, producer, last_forward; /* tensor: the profile's number */
    uint32_t natural;        /* the op whose B reads it first */
    uint32_t due;            /* the op before whose B it has to be there: for that, or for what runs again then */
    uint32_t next, previous; /* among the offloaded ones due there, as they return; NONE: none */
    int64_t bytes;
    double out_us, back_us, release_us;
    bool in_time;            /* it can be away at the step that needs most */
    bool for_rerun;          /* due for what runs again before that B, not only for the B itself */
};
struct rehearsal_level { int64_t level; uint32_t op; };
struct op_set { uint32_t *op, count; bool *has; };

struct rehearsal {
    const struct trial *trial;
    int64_t budget_bytes;
    double out_rate, back_rate, latency_us;

    /* fixed by the profile */
    uint32_t first_full;          /* the first forward step that does not fit with everything kept; ops: none */
    int64_t *kept_bytes;          /* req of the 2n steps with everything kept */
    double peak_us;               /* compute before the step that needs most */
    double *forward_us, *backward_us, *forward_end_us; /* by op */
    uint32_t *number;             /* tensor of the profile -> its number here */
    struct span *made;            /* op -> numbers of the managed tensors that it makes */
    struct span *reads;           /* op -> what running it again reads, its closure included: read[] */
    uint32_t *read;
    struct span *readers;         /* tensor -> ops whose re-run reads it: reader[] */
    uint32_t *reader;

    /* the plan */
    struct rehearsal_tensor *tensor;
    uint8_t *action;              /* tensor -> enum action */
    uint32_t *run_due;            /* op -> the op before whose B it runs again; NONE: it does not */
    double *rerun_us;             /* op -> time of all that runs again before its B */
    int64_t *due_bytes;           /* op -> bytes that come back for its B, or for what runs again before that */
    double *due_us, *rerun_due_us; /* op -> time on their way back of the offloaded ones that are due for its B; for what
                                     runs again before that */
    uint32_t *due_first;          /* op -> the first of the offloaded tensors due there; NONE: none */
    int64_t *dropped_bytes;       /* op -> bytes dropped once its F has ended */
    int64_t away_bytes;           /* of all that isn't kept */
    uint64_t offloaded_bytes;
    double recompute_us;
    struct level_tree demand;     /* what the 2n steps need */
    struct queue_tree departures; /* D2H of what is in_time */
    struct queue_tree returns;    /* op by op, the last one first */
    struct op_set changed;        /* may run again at another time than before */
    struct op_set stale;          /* returns due for their B are not yet as the plan says */

    /* of the play at hand */
    uint32_t *out, *back;         /* the offloaded tensors in D2H and in H2D order */
    double *out_end_us;           /* tensor -> end of its D2H */
    double *landing_us;           /* place in back[] -> end of its H2D */
    int64_t *needed;              /* op -> bytes that its B needs */
    int64_t *later;               /* op -> bytes whose D2H has ended, and which stay until its F has */
    struct rehearsal_level *window; /* the room test of the next return, as in sim_machine.h */
};

/* Everything kept; lives in ARENA. */
enum ss_status rehearsal_init(struct rehearsal *rehearsal, const struct trial *trial, struct arena *arena,
                              struct error *error);
/* Follows a change of UNIT's action. */
void rehearsal_change(struct rehearsal *rehearsal, uint32_t unit, enum action action);
/* What the step takes beyond the ideal one, about, us; INFINITY as soon as that is more than LIMIT, or when some step
 * would not find room. */
double rehearsal_play(struct rehearsal *rehearsal, double limit);

/* Bytes missing at the step that lacks most; <= 0 when all steps fit. */
static inline int64_t rehearsal_missing(const struct rehearsal *rehearsal) {
    return level_tree_most(&rehearsal->demand) - rehearsal->budget_bytes;
}
/* Whether transfers are forecast to be late. */
static inline bool rehearsal_is_late(const struct rehearsal *rehearsal) {
    return queue_tree_done(&rehearsal->departures) > rehearsal->peak_us || queue_tree_done(&rehearsal->returns) > 0;
}
/* The same in constant time, and less sure: every return finds room at once, D2H is only late for the step that needs
 * most, and bytes that are missing take as long as moving them. What is to spare, bytes or D2H time, counts SPARE_PRICE
 * us a byte, less. */
double rehearsal_forecast(const struct rehearsal *rehearsal, double spare_price);

#endif
