/* related: what belongs to the selected event — for a transfer the step that makes its tensor, the way there and back and
 * the step that needs it; for a step the transfers of what it makes and reads; for both what they waited for. */
#ifndef SLACKSWAP_VIEW_RELATED_H
#define SLACKSWAP_VIEW_RELATED_H

#include "state.h"

#define RELATED_MOST 16
struct related {
    struct event event[RELATED_MOST];
    int count;
};
struct related related_to(const struct timeline *timeline, const struct selection *selection);

#endif
