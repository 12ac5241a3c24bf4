/* report_sweep: the points of a sweep as they come, a line each: for programs a slackswap-result/1 on one line (JSON
 * lines), for people a row of a table. */
#ifndef SLACKSWAP_IO_REPORT_SWEEP_H
#define SLACKSWAP_IO_REPORT_SWEEP_H

#include "report.h"

/* Appends OUTCOME as one line of JSON. */
void sweep_json_line(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras);

/* Appends what stands above the rows: what all points share. TIMING as in the rows' extras. */
void sweep_text_head(struct buffer *out, const struct profile *profile, const struct limits *limits, bool timing);
/* Appends a row; the first one of a column (BEGINS) is set off. */
void sweep_text_line(struct buffer *out, const struct outcome *outcome, const struct report_extras *extras, bool begins);

#endif
