/* report_diff: two outcomes side by side (core/difference.h), for people and for programs. */
#ifndef SLACKSWAP_IO_REPORT_DIFF_H
#define SLACKSWAP_IO_REPORT_DIFF_H

#include "buffer.h"
#include "core/difference.h"
#include "report.h"

#define DIFF_SCHEMA "slackswap-diff/1"

/* How the two sides are called: a planner's name or a plan's file, and what is said of the setting. */
struct diff_side { const char *name; const struct report_extras *extras; };

/* Appends the difference as a document: both results, every figure, where the time went, changed actions by layer,
 * memory over time. */
void diff_json(struct buffer *out, const struct difference *difference, const struct diff_side sides[2]);
/* Appends the same as aligned lines of plain text. */
void diff_text(struct buffer *out, const struct difference *difference, const struct diff_side sides[2]);

#endif
