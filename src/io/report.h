/* report: an outcome for programs (slackswap-result/1, INTERFACE.md §1) and for people. Equal outcomes give equal bytes.
 *
 * Names that came from a file are made harmless in the text reports, and escaped in JSON. */
#ifndef SLACKSWAP_IO_REPORT_H
#define SLACKSWAP_IO_REPORT_H

#include "buffer.h"
#include "core/outcome.h"
#include "json_write.h"
#include "plan_json.h"

#define RESULT_SCHEMA "slackswap-result/1"

/* What the user asked to be added. */
struct report_extras {
    bool actions;                /* --actions: the plan */
    bool timing;                 /* --timing: the two times below */
    double plan_us, simulate_us; /* wall-clock time of planning and of one simulation */
    const struct plan_details *details; /* what the replayed plan's file said beside its actions; NULL: nothing */
};

/* Puts OUTCOME as one object: a member KEY of the object that WRITER has open, or (KEY NULL) an element or the whole.
 * Figures that an infeasible plan does not have are null. */
void report_json_put(struct json_writer *writer, const char *key, const struct outcome *outcome,
                     const struct report_extras *extras);
/* The same, all on one line. */
void report_json_put_inline(struct json_writer *writer, const char *key, const struct outcome *outcome,
                            const struct report_extras *extras);
/* Appends OUTCOME as a document of its own. */
void report_json(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras);
/* Appends the outcomes of several planners as a list. EXTRAS has an entry for each. */
void compare_json(struct buffer *out, const struct outcome *const *outcomes, const struct report_extras *extras,
                  uint32_t count);

/* Appends what `plan` and `simulate` print for people: aligned lines of plain text. EXTRAS->timing adds the two times. */
void report_text(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras);
/* Appends the table of `compare`: a planner a line, all on the same profile, budget and link; COUNT >= 1. */
void compare_text(struct buffer *out, const struct outcome *const *outcomes, uint32_t count);

#endif
