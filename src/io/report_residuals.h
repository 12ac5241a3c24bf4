/* report_residuals: a measured step beside its simulation (core/residuals.h), for people and for programs. */
#ifndef SLACKSWAP_IO_REPORT_RESIDUALS_H
#define SLACKSWAP_IO_REPORT_RESIDUALS_H

#include "buffer.h"
#include "core/residuals.h"
#include "json_write.h"

/* Appends, for each lane that has measurements, how late it is and its largest residuals. */
void residuals_text(struct buffer *out, const struct timeline *timeline, const struct measurement *measurements,
                   uint32_t count);
/* Puts a member "residuals" of the object that WRITER has open: the lanes with all their residuals. */
void residuals_json_put(struct json_writer *writer, const struct timeline *timeline,
                       const struct measurement *measurements, uint32_t count);

#endif
