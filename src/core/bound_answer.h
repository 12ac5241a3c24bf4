/* bound_answer: the best answer to a mixture of paths: which ops run again, and before which steps (bound.c, item 7). */
#ifndef SLACKSWAP_CORE_BOUND_ANSWER_H
#define SLACKSWAP_CORE_BOUND_ANSWER_H

#include "bound_table.h"

/* A good answer to the paths as they are mixed now, op -> step or 0, among those that CHOICE (by op) allows; returns what
 * the mixture gains at least, whatever the answer. */
double answer_paths(struct table *t, const uint8_t *choice, uint32_t *answer);

#endif
