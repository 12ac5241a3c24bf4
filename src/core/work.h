/* work: what is looked at — a built-in model, built with options that can be turned like knobs, or a profile that somebody
 * else keeps: the file that the viewer was opened with, say. Plain data: the profile itself is made of it by whoever needs
 * one. */
#ifndef SLACKSWAP_CORE_WORK_H
#define SLACKSWAP_CORE_WORK_H

#include "zoo.h"

#define WORK_OPENED 0 /* the profile that was opened at first */

struct work_choice {
    const struct model *model;    /* built with OPTIONS; NULL: a profile of another kind */
    struct model_options options; /* meaningful with a model */
    uint32_t profile;             /* without a model: WORK_OPENED, a puzzle (puzzle.h), or a number that its keeper knows */
};

/* The choice of MODEL with OPTIONS, whose defaults are filled in where they can be. */
struct work_choice work_of_model(const struct model *model, const struct model_options *options);
/* Whether A and B are the same work: a default is as good as its value written out. */
bool work_equal(const struct work_choice *a, const struct work_choice *b);
/* SS_USAGE when the model can't be built so; SS_OK for other profiles. */
enum ss_status work_check(const struct work_choice *work, struct error *error);

#endif
