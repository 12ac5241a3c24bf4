/* compare_state: the part of the state that belongs to the Compare view. */
#ifndef SLACKSWAP_VIEW_COMPARE_STATE_H
#define SLACKSWAP_VIEW_COMPARE_STATE_H

#include "core/link.h"
#include "core/plan.h"

/* What stands on one side: the plan that was pinned, the newest one (fit or not), what a planner would do now, or the plan
 * that a file brought, played with the budget and the link at hand. */
enum compare_what { COMPARE_PINNED, COMPARE_CURRENT, COMPARE_PLANNER, COMPARE_FILE, COMPARE_WHAT_COUNT };
struct compare_choice {
    uint8_t what;               /* enum compare_what */
    uint8_t which;              /* COMPARE_PLANNER: its place in PLANNERS; COMPARE_FILE: in the files below */
    uint8_t link;               /* 0: the link that the plan is played over anyway; else one more than its place in LINKS */
    uint8_t device;             /* 0: the profile's own; else one more than its place in GPUS */
};

#define COMPARE_FILES 8         /* one more takes the place of the first */
#define COMPARE_PATH 256
struct compare_file {
    const struct plan *plan;    /* belongs to the history, as the next */
    const char *path;
    char name[48];              /* of the file, with its folders where another is called so too */
};

struct compare_state {
    struct compare_choice side[2]; /* A and B */
    uint8_t focus;              /* the side that the arrows choose for */
    const struct plan *pinned;  /* belongs to the history; NULL: nothing is pinned */
    uint64_t pinned_budget_bytes; /* with what it was played when it was pinned */
    struct link pinned_link;
    struct compare_file file[COMPARE_FILES];
    uint8_t file_count;
    char path[COMPARE_PATH];    /* EFFECT_READ_PLAN: the file to read, for the side in focus */
    uint32_t row;               /* of the changed layers: the first that is in sight */
};

#endif
