/* live: what is in the GPU's memory at the cursor, the largest first. A study (study.h): it takes the schedule anew. */
#ifndef SLACKSWAP_VIEW_LIVE_H
#define SLACKSWAP_VIEW_LIVE_H

#include "scene.h"
#include "state.h"

#define LIVE_SHOWN 10
#define LIVE_HEIGHT 36 /* rows of the screen from which there is room for it */

struct live_question { uint64_t generation; uint32_t step; };
struct live_set {
    struct resident largest[LIVE_SHOWN];
    uint32_t shown, more;     /* MORE are not among the largest */
    uint64_t more_bytes;
};

/* What is known for the cursor; NULL while it is being found out, or where it is not asked for. */
const struct live_set *live_shown(const struct view_state *state, const struct scene *scene);
void *live_prepare(const struct view_state *state, const struct scene *scene, struct arena *arena);

#endif
