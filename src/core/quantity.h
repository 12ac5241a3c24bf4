/* quantity: the figures of an outcome by name, so that a text can speak of them ("{step_us}") and a claim can be made about
 * them ("recompute_us > before.recompute_us"). The names are those of slackswap-result/1 where it has the figure. */
#ifndef SLACKSWAP_CORE_QUANTITY_H
#define SLACKSWAP_CORE_QUANTITY_H

#include "outcome.h"

/* MEASURE_COST: time for bytes, in us a byte; shown for a MiB. */
enum measure { MEASURE_NUMBER, MEASURE_TIME, MEASURE_BYTES, MEASURE_SHARE, MEASURE_RATE, MEASURE_COST, MEASURE_TRUTH,
               MEASURE_COUNT };

/*    id                   measure value, of the outcome O, its timeline T, totals S, mix of actions M and memory P at the
 *                                 peak; and what it is */
#define QUANTITIES(X)                                                                                                   \
    X(step_us,              TIME,   S->step_us, "the step, fixed_us included")                                          \
    X(ideal_us,             TIME,   O->ideal_us, "the step if memory were no matter")                                   \
    X(bound_us,             TIME,   O->bound.bound_us, "no plan is faster")                                             \
    X(recompute_us,         TIME,   S->recompute_us, "computing again")                                                 \
    X(stall_us,             TIME,   S->stall_us, "compute waiting")                                                     \
    X(longest_stall_us,     TIME,   quantity_longest_stall_us(T), "the longest wait")                                   \
    X(forward_us,           TIME,   quantity_forward_us(T), "when the forward pass has ended")                          \
    X(peak_us,              TIME,   quantity_peak_us(T), "when memory peaks")                                           \
    X(d2h_busy_us,          TIME,   T->lane_busy_us[LANE_D2H], "the D2H lane at work")                                  \
    X(h2d_busy_us,          TIME,   T->lane_busy_us[LANE_H2D], "the H2D lane at work")                                  \
    X(drained_us,           TIME,   quantity_drained_us(T), "when the last D2H has ended")                              \
    X(latency_us,           TIME,   O->link.latency_us, "what a transfer costs before it moves bytes")                  \
    X(throughput,           SHARE,  outcome_throughput(O), "the ideal as a share of the step")                          \
    X(gap,                  SHARE,  outcome_gap(O), "the step above the bound")                                         \
    X(budget_bytes,         BYTES,  (double)O->budget_bytes, "memory there is for activations")                         \
    X(peak_bytes,           BYTES,  (double)S->peak_bytes, "the most in use while a step runs")                         \
    X(peak_kept_bytes,      BYTES,  (double)P->bytes[MEMORY_KEPT], "of the peak, activations at home")                  \
    X(peak_draining_bytes,  BYTES,  (double)P->bytes[MEMORY_DRAINING], "of the peak, on their way out")                 \
    X(peak_prefetched_bytes, BYTES, (double)P->bytes[MEMORY_PREFETCHED], "of the peak, back before they are needed")    \
    X(peak_gradient_bytes,  BYTES,  (double)P->bytes[MEMORY_GRADIENTS], "of the peak, gradients")                       \
    X(peak_scratch_bytes,   BYTES,  (double)P->bytes[MEMORY_SCRATCH], "of the peak, workspace and passing results")     \
    X(required_bytes,       BYTES,  (double)S->required_bytes, "what the plan needs to fit")                            \
    X(unlimited_peak_bytes, BYTES,  (double)O->limits.unlimited_peak_bytes, "the peak with everything kept")            \
    X(least_bytes,          BYTES,  (double)O->limits.least_bytes, "the least budget that any plan fits")               \
    X(host_peak_bytes,      BYTES,  (double)S->host_peak_bytes, "the most on the host")                                 \
    X(d2h_bytes,            BYTES,  (double)S->d2h_bytes, "moved to the host")                                          \
    X(h2d_bytes,            BYTES,  (double)S->h2d_bytes, "moved back")                                                 \
    X(keep_bytes,           BYTES,  (double)M->bytes[ACTION_KEEP], "activations kept")                                  \
    X(offload_bytes,        BYTES,  (double)M->bytes[ACTION_OFFLOAD], "activations offloaded")                          \
    X(recompute_bytes,      BYTES,  (double)M->bytes[ACTION_RECOMPUTE], "activations computed again")                   \
    X(static_bytes,         BYTES,  (double)T->profile->static_bytes, "weights and the like, beside the budget")        \
    X(h2d_gb_per_s,         RATE,   O->link.h2d_gb_per_s, "the link to the GPU, alone")                                 \
    X(d2h_gb_per_s,         RATE,   O->link.d2h_gb_per_s, "the link to the host, alone")                                \
    X(h2d_both_gb_per_s,    RATE,   O->link.h2d_both_gb_per_s, "the link to the GPU while D2H moves bytes too")         \
    X(d2h_both_gb_per_s,    RATE,   O->link.d2h_both_gb_per_s, "the link to the host while H2D moves bytes too")        \
    X(keep_count,           NUMBER, (double)M->count[ACTION_KEEP], "tensors kept")                                      \
    X(offload_count,        NUMBER, (double)M->count[ACTION_OFFLOAD], "tensors offloaded")                              \
    X(recompute_count,      NUMBER, (double)M->count[ACTION_RECOMPUTE], "tensors computed again")                       \
    X(stall_count,          NUMBER, (double)T->stall_count, "waits of compute")                                         \
    X(tensor_count,         NUMBER, (double)T->profile->managed_count, "tensors that a plan decides about")             \
    X(op_count,             NUMBER, (double)T->profile->op_count, "ops of the forward pass")                            \
    X(layer_count,          NUMBER, (double)T->profile->layer_count, "layers")                                          \
    X(bound_by_ideal,       TRUTH,  O->bound.binding == BINDING_IDEAL, "the bound is the ideal step")                   \
    X(bound_by_d2h_window,  TRUTH,  O->bound.binding == BINDING_D2H_WINDOW, "what must leave before a step binds it")   \
    X(bound_by_h2d_window,  TRUTH,  O->bound.binding == BINDING_H2D_WINDOW, "what must return after a step binds it")   \
    X(bound_by_recompute,   TRUTH,  O->bound.binding == BINDING_RECOMPUTE, "what must be computed again binds it")      \
    X(bound_by_room,        TRUTH,  O->bound.binding == BINDING_ROOM, "room at a step binds it")                        \
    X(feasible,             TRUTH,  outcome_feasible(O) ? 1 : 0, "the plan fits the budget and the host limit")

enum quantity_id {
#define X(id, measure, value, help) QUANTITY_##id,
    QUANTITIES(X)
#undef X
    QUANTITY_COUNT
};
struct quantity { const char *name, *help; enum measure measure; };
extern const struct quantity QUANTITY_TABLE[QUANTITY_COUNT];

/* Plain data: a snapshot. Of an outcome that does not fit, what a simulation would tell is NAN. */
struct quantities {
    double of[QUANTITY_COUNT];
};
void quantities_take(const struct outcome *outcome, struct quantities *out);
/* The quantity whose name is the LENGTH bytes at NAME, or QUANTITY_COUNT. */
enum quantity_id quantity_find(const char *name, size_t length);

#endif
