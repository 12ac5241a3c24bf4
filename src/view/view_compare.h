/* view_compare: what the Compare view's keys, its study and its drawing share. Private to the view room. */
#ifndef SLACKSWAP_VIEW_VIEW_COMPARE_H
#define SLACKSWAP_VIEW_VIEW_COMPARE_H

#include "core/difference.h"
#include "grid.h"
#include "state.h"

/* What the study is asked about one side. Plans are too large for a question: HASH stands for it. */
struct compare_source {
    uint8_t what;               /* enum compare_what */
    uint64_t hash;              /* of the plan, where no planner makes it */
    uint64_t budget_bytes;      /* COMPARE_PINNED, COMPARE_CURRENT: with what it is played */
    struct link link;
    struct settings settings;   /* COMPARE_PLANNER, COMPARE_FILE */
    struct work_choice work;    /* with a model: what is planned in place of the profile at hand, for another device */
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
/* The end of the time axis: that of the longer step; 0 where neither fits. */
double compare_axis_us(const struct compare_answer *answer);
/* STATE as both sides are drawn with it: the window on their axis, nothing selected, no cursor. */
void compare_in_time(struct view_state *out, const struct view_state *state, const struct compare_answer *answer);
/* Pins the plan that is shown as A, the current one being B, and opens the view. */
unsigned compare_pin(struct view_state *state, const struct scene *scene);
/* Opens the view, LINK (one more than its place in LINKS; 0: as it is) or DEVICE (GPUS, alike) chosen for the side in focus. */
unsigned compare_choose_link(struct view_state *state, const struct scene *scene, uint32_t link);
unsigned compare_choose_device(struct view_state *state, const struct scene *scene, uint32_t device);
/* Asks for the plan in the file PATH, for the side in focus. */
unsigned compare_choose_file(struct view_state *state, const char *path);

#define COMPARE_TOTALS_WIDTH 42
struct compare_panes { struct rect ruler, side[2], memory, totals, changes; };
/* Lanes and ruler have their rows first; what is left is shared by the memory strip and the words below it. */
struct compare_panes compare_lay_out(struct rect body);

#endif
