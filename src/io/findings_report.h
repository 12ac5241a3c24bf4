/* findings_report: what a check found, for people, for programs and for code-review tools. Equal checks give equal bytes.
 *
 * For people: a line a finding, as compilers write them: "plan.json:12: warning: room-to-keep: recomputes …". */
#ifndef SLACKSWAP_IO_FINDINGS_REPORT_H
#define SLACKSWAP_IO_FINDINGS_REPORT_H

#include "buffer.h"
#include "core/check.h"
#include "member_lines.h"

#define FINDINGS_SCHEMA "slackswap-findings/1"

struct findings_source {
    const char *file;                   /* as the user named the plan */
    const struct member_lines *lines;   /* of its text */
};
/* What --fix did; NULL where there was none. */
struct fix_report {
    const struct mended *mended;
    uint32_t entries;           /* of the plan that were taken out */
    const char *written;        /* the file; NULL: nothing was changed */
};

void findings_text(struct buffer *out, const struct check *check, const struct findings_source *source);
void findings_json(struct buffer *out, const struct check *check, const struct findings_source *source,
                   const struct fix_report *fix);
/* SARIF 2.1.0 (OASIS), one run. */
void findings_sarif(struct buffer *out, const struct check *check, const struct findings_source *source);

/* The table of rules. */
void rules_text(struct buffer *out);
void rules_json(struct buffer *out);

/* The changes a line each, as a diff, and what they lead to. */
void fix_text(struct buffer *out, const struct profile *profile, const struct fix_report *fix);

/* The line of the plan that FINDING is about, from 1; 0 when it is about none. */
uint32_t finding_line(const struct finding *finding, const struct profile *profile,
                      const struct findings_source *source);

#endif
