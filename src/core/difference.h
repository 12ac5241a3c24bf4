/* difference: two outcomes of the same work side by side — two plans, or one plan on two links or budgets.
 *
 * A stands before B everywhere, and a change is B - A. Both outcomes are of the same ops and tensors. Figures that an
 * infeasible outcome does not have are NAN. */
#ifndef SLACKSWAP_CORE_DIFFERENCE_H
#define SLACKSWAP_CORE_DIFFERENCE_H

#include "outcome.h"
#include "stalls.h"

/* What is compared, in the order in which it is shown. */
enum figure_kind { FIGURE_TIME, FIGURE_BYTES, FIGURE_SHARE, FIGURE_COUNT };
#define DIFFERENCE_FIGURES(X)                                  \
    X(STEP,            "step_us",         "step",       TIME)  \
    X(THROUGHPUT,      "throughput",      "of ideal",   SHARE) \
    X(BOUND,           "bound_us",        "bound",      TIME)  \
    X(GAP,             "gap",             "gap",        SHARE) \
    X(RECOMPUTE,       "recompute_us",    "recompute",  TIME)  \
    X(STALL,           "stall_us",        "stall",      TIME)  \
    X(BUDGET,          "budget_bytes",    "budget",     BYTES) \
    X(REQUIRED,        "required_bytes",  "needs",      BYTES) \
    X(PEAK,            "peak_bytes",      "peak",       BYTES) \
    X(HOST,            "host_peak_bytes", "host",       BYTES) \
    X(D2H,             "d2h_bytes",       "D2H",        BYTES) \
    X(H2D,             "h2d_bytes",       "H2D",        BYTES) \
    X(KEEP,            "keep_bytes",      "kept",       BYTES) \
    X(OFFLOAD,         "offload_bytes",   "offloaded",  BYTES) \
    X(RECOMPUTED,      "recompute_bytes", "recomputed", BYTES)
enum difference_figure {
#define X(id, name, label, kind) DIFFERENCE_##id,
    DIFFERENCE_FIGURES(X)
#undef X
    DIFFERENCE_FIGURE_COUNT
};
struct figure_entry { const char *name, *label; enum figure_kind kind; };
extern const struct figure_entry DIFFERENCE_FIGURE[DIFFERENCE_FIGURE_COUNT];

/* A tensor that the two plans treat differently. */
struct changed_tensor {
    uint32_t tensor;
    uint8_t from, to;                      /* enum action */
    uint32_t prefetch_from, prefetch_to;   /* distances; differ only where both offload */
};
/* The changes of one layer (that of the producer), and what became of its time. */
struct changed_layer {
    uint32_t layer;
    uint32_t at, count;                    /* difference.changes[] */
    uint64_t bytes;                        /* of the tensors that changed */
};
/* Time that a layer's steps cost beyond the ideal: what it computes again and what its steps wait for. */
struct layer_time { uint32_t layer; double recompute_us[2], stall_us[2]; };

/* Memory in use from AT_US on, until the next sample; 0 when a side's step is over. */
struct memory_pair { double at_us; uint64_t used[2]; };

#define MEMORY_BLOCK 64

struct difference {
    const struct outcome *outcome[2];
    double figure[DIFFERENCE_FIGURE_COUNT][2];
    struct changed_tensor *changes; uint32_t change_count; /* by layer, in the order of the profile */
    struct changed_layer *layers;   uint32_t layer_count;  /* layers with changes, in the order of the profile */
    bool timed;                            /* both fit, so that there are times; all below needs that */
    double stall_us[STALL_REASON_COUNT][2];
    struct layer_time *times;       uint32_t time_count;   /* layers whose time changed, the largest change first */
    struct memory_pair *memory;     uint32_t memory_count; /* ascending in time */
    uint32_t *memory_block;                /* of each MEMORY_BLOCK of them that are whole, the one of the largest difference */
    uint32_t most, least;                  /* in memory[]: where B - A is largest, and smallest */
};

/* OUT lives in ARENA and points to A and B. */
enum ss_status difference_compute(struct difference *out, struct arena *arena, const struct outcome *a,
                                  const struct outcome *b, struct error *error);
/* Whether the plans differ: an action, or the distance of a tensor that both offload. */
static inline bool difference_found(const struct difference *difference) { return difference->change_count > 0; }
static inline double layer_time_change(const struct layer_time *time) {
    return time->recompute_us[1] - time->recompute_us[0] + time->stall_us[1] - time->stall_us[0];
}
static inline int64_t memory_change(const struct memory_pair *pair) {
    return (int64_t)pair->used[1] - (int64_t)pair->used[0];
}
/* The pair with the largest difference, whichever its sign, of those that hold somewhere in [FROM_US, TO_US). SPOT is
 * where to look from, 0 at first; it moves on, so that ascending slices cost one pass, of which blocks take one step each. */
const struct memory_pair *difference_memory(const struct difference *difference, double from_us, double to_us,
                                            uint32_t *spot);

#endif
