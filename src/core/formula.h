/* formula: what a text may compute of figures — sums, ratios, comparisons — for lessons, whose words and claims come from
 * the run and not from whoever wrote them.
 *
 *     step_us - before.step_us            recompute_us > before.recompute_us and stall_us = 0
 *     offload_bytes / unlimited_peak_bytes            d2h_gb_per_s * forward_us            pcie3.stall_us > 2 * stall_us
 *     bytes("L*.mask")            rerun_us("L00.gelu") < transfer_us("L00.gelu")            is_recomputed("L*.mask")
 *
 * Operators, the loosest first: or; and; not; < > <= >= = !=; + -; * /; a minus sign; parentheses. Numbers may carry a unit
 * (40%, 2ms, 1.5GiB, 25GB/s) and are else pure. Measures are kept apart: adding a time to bytes is an error. Products and
 * ratios have the measure that they should: rate * time is bytes, time / bytes is a cost per byte, a ratio of equals is a
 * share. Times, shares, rates and costs are equal when they differ by less than 1e-9 of their size, times also by 1e-6 us
 * and shares by 1e-9. A bare 0 may be compared with anything. A figure that is not there (of a plan that does not fit) is no number:
 * it compares as false, != apart.
 *
 * A name is a quantity (quantity.h) of the outcome at hand, or a function (below) of tensors; behind "before." that of an
 * earlier outcome, behind "NAME." that of a named one. Texts stand between " or '. */
#ifndef SLACKSWAP_CORE_FORMULA_H
#define SLACKSWAP_CORE_FORMULA_H

#include "closure.h"
#include "snapshot.h"
#include "units.h"

/* Functions of the tensor of that name, or of all managed tensors that a pattern (glob.h) describes: ONE takes a name only.
 *
 *    name           takes     measure help */
#define FORMULA_FUNCTIONS(X)                                                                                  \
    X(bytes,         ANY,      BYTES,  "its size; of a pattern the sum")                                      \
    X(count,         ANY,      NUMBER, "how many it describes")                                               \
    X(transfer_us,   ONE,      TIME,   "to move it one way: latency and bytes at the slower single rate")     \
    X(rerun_us,      ONE,      TIME,   "to compute it again while all else is kept: its closure")             \
    X(cost_per_byte, ONE,      COST,   "rerun_us for each of its bytes")                                      \
    X(made_us,       ONE,      TIME,   "when the forward pass has made it")                                   \
    X(left_us,       ONE,      TIME,   "when its copy to the host has ended")                                 \
    X(returned_us,   ONE,      TIME,   "when it is on the GPU again")                                         \
    X(needed_us,     ONE,      TIME,   "when the backward pass first needs it")                               \
    X(is_kept,       ANY,      TRUTH,  "the plan keeps it, or all of them")                                   \
    X(is_offloaded,  ANY,      TRUTH,  "the plan offloads it, or all of them")                                \
    X(is_recomputed, ANY,      TRUTH,  "the plan recomputes it, or all of them")

enum formula_function {
#define X(name, takes, measure, help) FUNCTION_##name,
    FORMULA_FUNCTIONS(X)
#undef X
    FUNCTION_COUNT
};
struct formula_function_entry { const char *name, *help; bool takes_pattern; enum measure measure; };
extern const struct formula_function_entry FORMULA_FUNCTION_TABLE[FUNCTION_COUNT];

struct formula_value {
    double value;          /* in the units of quantity.h; a truth is 0 or 1; NAN where there is none */
    enum measure measure;
};

/* Where names find their values. A snapshot may be NULL while its outcome is not known: its figures are NAN. */
struct formula_named { const char *name; const struct snapshot *snapshot; };
struct formula_scope {
    const struct profile *profile;       /* of all snapshots */
    const struct snapshot *now, *before;
    bool nothing_before;                 /* "before." is an error */
    const struct formula_named *named; uint32_t named_count;
    char *trace; size_t trace_size;      /* gets what figures were looked at, and what they were; NULL: not wanted */
};

/* Evaluates the LENGTH bytes at TEXT. SS_BAD_INPUT with what was expected at which character (its place "character N"), or
 * which measures don't go together, whatever the figures are: where all snapshots are NULL, this is a check. Dividing by 0
 * gives 0: a figure of nothing. */
enum ss_status formula_evaluate(const char *text, size_t length, const struct formula_scope *scope, struct formula_value *out,
                                struct error *error);
/* The same for a claim, which must come out as a truth. */
enum ss_status formula_holds(const char *text, size_t length, const struct formula_scope *scope, bool *out, struct error *error);
/* As people read it: "412.9 ms", "5.39 GiB", "97.6%", "3", "yes"; "-" for no number. Returns TEXT. */
char *formula_format(char text[UNIT_TEXT], struct formula_value value);
/* TEXT with each {formula} replaced by what it comes to, in ARENA; "{{" is a brace. SS_BAD_INPUT as above, the character
 * being one of TEXT. UNKNOWN stands for figures that are not there. */
enum ss_status formula_fill(const char *text, const struct formula_scope *scope, const char *unknown, struct arena *arena,
                            char **out, struct error *error);

#endif
