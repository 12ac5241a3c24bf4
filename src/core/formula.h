/* formula: what a text may compute of figures — sums, ratios, comparisons — for lessons, whose words and claims come from
 * the run and not from whoever wrote them.
 *
 *     step_us - before.step_us            recompute_us > before.recompute_us and stall_us = 0
 *     offload_bytes / unlimited_peak_bytes            peak_bytes <= budget_bytes
 *
 * Operators, the loosest first: or; and; not; < > <= >= = !=; + -; * /; a minus sign; parentheses. Numbers may carry a unit
 * (40%, 2ms, 1.5GiB, 25GB/s) and are else pure. Measures are kept apart: adding a time to bytes is an error; a ratio of
 * equals is a share. A name is a quantity (quantity.h) of the outcome at hand, or behind "before." of an earlier one. */
#ifndef SLACKSWAP_CORE_FORMULA_H
#define SLACKSWAP_CORE_FORMULA_H

#include "quantity.h"
#include "units.h"

struct formula_value {
    double value;          /* in the units of quantity.h; a truth is 0 or 1 */
    enum measure measure;
};

/* Where names find their values; BEFORE may be NULL, and "before." is an error then. */
struct formula_scope {
    const struct quantities *now, *before;
};

/* Evaluates the LENGTH bytes at TEXT. SS_BAD_INPUT with what was expected at which character (its place "character N"), or
 * which measures don't go together. Dividing by 0 gives 0: a figure of nothing. */
enum ss_status formula_evaluate(const char *text, size_t length, const struct formula_scope *scope, struct formula_value *out,
                                struct error *error);
/* The same for a claim, which must come out as a truth. */
enum ss_status formula_holds(const char *text, size_t length, const struct formula_scope *scope, bool *out, struct error *error);
/* As people read it: "412.9 ms", "5.39 GiB", "97.6%", "3", "yes". Returns TEXT. */
char *formula_format(char text[UNIT_TEXT], struct formula_value value);

#endif
