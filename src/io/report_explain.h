/* report_explain: answers (core/explain.h) for people and for programs. */
#ifndef SLACKSWAP_IO_REPORT_EXPLAIN_H
#define SLACKSWAP_IO_REPORT_EXPLAIN_H

#include "buffer.h"
#include "core/explain.h"
#include "json_write.h"
#include "report.h"

#define EXPLANATION_SCHEMA "slackswap-explanation/1"

/* Appends the answers as a document, with the result that they explain. */
void explain_json(struct buffer *out, const struct outcome *outcome, const struct explanation *explanation,
                  const struct report_extras *extras);
/* Appends each question, its answer in lines of at most 78 columns, and the chain of causes. */
void explain_text(struct buffer *out, const struct outcome *outcome, const struct explanation *explanation);

#endif
