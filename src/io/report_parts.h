/* report_parts: what the text reports have in common — names and figures as they may be shown, and the lines about the
 * profile and the link. */
#ifndef SLACKSWAP_IO_REPORT_PARTS_H
#define SLACKSWAP_IO_REPORT_PARTS_H

#include "buffer.h"
#include "core/bound.h"
#include "core/timeline.h"
#include "core/units.h"
#include "core/words.h"

/* A name as it may be shown: harmless, and cut when it is very long. */
struct shown { char text[NAME_BYTES + 4]; };
struct shown show_name(const char *name);
struct shown show_step(const struct timeline *timeline, uint32_t step); /* "B L03.fc1" */

/* What binds a bound of PROFILE, as slackswap-result/1 says it: "D2H window", "room at B L03.fc1". The op's name stands as it
 * is. */
void report_binding(struct buffer *out, const struct profile *profile, const struct bound *bound);

#define LABEL_COLUMNS 14 /* where the figures start */
void report_label(struct buffer *out, const char *text);
void report_profile(struct buffer *out, const struct profile *profile);
void report_link(struct buffer *out, const struct link *link);

#endif
