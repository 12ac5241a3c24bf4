/* member_lines: on which lines of a plan its tensors are named, so that a finding can point there. */
#ifndef SLACKSWAP_IO_MEMBER_LINES_H
#define SLACKSWAP_IO_MEMBER_LINES_H

#include "core/names.h"

struct member_lines { struct names lines; };

/* Looks through TEXT (JSON that json_open took) for the members of the members of its object: "actions", "prefetch" and
 * whatever else. The first of a name counts. OUT lives in ARENA. */
enum ss_status member_lines_find(const char *text, size_t length, struct arena *arena, struct member_lines *out,
                                 struct error *error);
/* From 1; 0 when NAME stands nowhere. */
uint32_t member_line(const struct member_lines *lines, const char *name);

#endif
