/* quantity: the figures of an outcome by name, so that a text can speak of them ("{step_us}") and a claim can be made about
 * them ("recompute_us > before.recompute_us"). The names are those of slackswap-result/1 where it has the figure. */
#ifndef SLACKSWAP_CORE_QUANTITY_H
#define SLACKSWAP_CORE_QUANTITY_H

#include "outcome.h"

enum measure { MEASURE_NUMBER, MEASURE_TIME, MEASURE_BYTES, MEASURE_SHARE, MEASURE_RATE, MEASURE_TRUTH };

/*    id                 measure value, of the outcome O, its timeline T and totals S */
#define QUANTITIES(X)                                                                          \
    X(step_us,              TIME,   S->step_us)                                                \
    X(ideal_us,             TIME,   O->ideal_us)                                               \
    X(bound_us,             TIME,   O->bound.bound_us)                                         \
    X(recompute_us,         TIME,   S->recompute_us)                                           \
    X(stall_us,             TIME,   S->stall_us)                                               \
    X(forward_us,           TIME,   quantity_forward_us(T))                                    \
    X(peak_us,              TIME,   T->memory_count > 0 ? T->memory[T->peak_sample].at_us : 0) \
    X(throughput,           SHARE,  outcome_throughput(O))                                     \
    X(gap,                  SHARE,  outcome_gap(O))                                            \
    X(budget_bytes,         BYTES,  (double)O->budget_bytes)                                   \
    X(peak_bytes,           BYTES,  (double)S->peak_bytes)                                     \
    X(required_bytes,       BYTES,  (double)S->required_bytes)                                 \
    X(unlimited_peak_bytes, BYTES,  (double)O->limits.unlimited_peak_bytes)                    \
    X(least_bytes,          BYTES,  (double)O->limits.least_bytes)                             \
    X(host_peak_bytes,      BYTES,  (double)S->host_peak_bytes)                                \
    X(d2h_bytes,            BYTES,  (double)S->d2h_bytes)                                      \
    X(h2d_bytes,            BYTES,  (double)S->h2d_bytes)                                      \
    X(keep_bytes,           BYTES,  (double)M->bytes[ACTION_KEEP])                             \
    X(offload_bytes,        BYTES,  (double)M->bytes[ACTION_OFFLOAD])                          \
    X(recompute_bytes,      BYTES,  (double)M->bytes[ACTION_RECOMPUTE])                        \
    X(h2d_gb_per_s,         RATE,   O->link.h2d_gb_per_s)                                      \
    X(d2h_gb_per_s,         RATE,   O->link.d2h_gb_per_s)                                      \
    X(stall_count,          NUMBER, (double)T->stall_count)                                    \
    X(layer_count,          NUMBER, (double)T->profile->layer_count)                           \
    X(feasible,             TRUTH,  outcome_feasible(O) ? 1 : 0)

enum quantity_id {
#define X(id, measure, value) QUANTITY_##id,
    QUANTITIES(X)
#undef X
    QUANTITY_COUNT
};
extern const char *const QUANTITY_NAME[QUANTITY_COUNT];
extern const enum measure QUANTITY_MEASURE[QUANTITY_COUNT];

/* Plain data: a snapshot. Of an outcome that does not fit, what a simulation would tell is 0. */
struct quantities {
    double of[QUANTITY_COUNT];
};
void quantities_take(const struct outcome *outcome, struct quantities *out);
/* The quantity whose name is the LENGTH bytes at NAME, or QUANTITY_COUNT. */
enum quantity_id quantity_find(const char *name, size_t length);

#endif
