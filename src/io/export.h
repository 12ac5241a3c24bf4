/* export: a result taken away, in the forms of other programs. One function a format, one entry in EXPORTS.
 *
 * Equal outcomes give equal bytes. Names that came from a file are data: each format escapes them as its own rules say, and
 * what controls a terminal, or reorders a line, is replaced in what people read (svg, markdown, csv). */
#ifndef SLACKSWAP_IO_EXPORT_H
#define SLACKSWAP_IO_EXPORT_H

#include "buffer.h"
#include "core/outcome.h"
#include "export_curves.h"
#include "palette.h"

struct export_format {
    const char *name;  /* as typed after --to */
    const char *words; /* what it is, for help */
    bool needs_times;  /* it shows what happened: of a plan that does not fit there is nothing to show */
    bool is_picture;   /* LOOK means something to it */
    /* One of the two: of one result, or of a grid of them. */
    void (*put)(struct buffer *out, const struct outcome *outcome, const struct look *look);
    void (*put_curves)(struct buffer *out, const struct curves *curves, const struct look *look);
};
extern const struct export_format EXPORTS[];
extern const uint32_t EXPORT_COUNT;

const struct export_format *export_find(const char *name);

/* The formats (slackswap-export(5) has their fields). */
void export_chrome(struct buffer *out, const struct outcome *outcome, const struct look *look);
void export_svg(struct buffer *out, const struct outcome *outcome, const struct look *look);
void export_csv(struct buffer *out, const struct outcome *outcome, const struct look *look);
void export_memory_csv(struct buffer *out, const struct outcome *outcome, const struct look *look);
void export_markdown(struct buffer *out, const struct outcome *outcome, const struct look *look);
void export_plan(struct buffer *out, const struct outcome *outcome, const struct look *look);

#endif
