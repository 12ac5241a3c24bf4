/* view_compare: what the Compare view's keys, its study and its drawing share. Private to the view room. */
#ifndef SLACKSWAP_VIEW_VIEW_COMPARE_H
#define SLACKSWAP_VIEW_VIEW_COMPARE_H

#include "core/difference.h"
#include "state.h"

/* What the study is asked about one side. Plans are too large for a question: HASH stands for it. */
struct compare_source {
    uint8_t what;               /* enum compare_what */
    uint64_t hash;              /* of the plan: COMPARE_PINNED, COMPARE_CURRENT */
    uint64_t budget_bytes;      /* … and with what it is played */
    struct link link;
    struct settings settings;   /* COMPARE_PLANNER */
};
struct compare_question { struct compare_source source[2]; };

/* The answer: both outcomes, indexed for drawing where they fit, and the difference. */
struct compare_answer {
    struct outcome outcome[2];
    struct view_model model[2]; /* of outcomes that fit in memory */
    struct difference difference;
};

/* The answer to what is asked now, or NULL while it is being found. */
const struct compare_answer *compare_shown(const struct view_state *state, const struct scene *scene);
/* Pins the plan that is shown as A, the current one being B, and opens the view. */
unsigned compare_pin(struct view_state *state, const struct scene *scene);

#endif
