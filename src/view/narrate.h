/* narrate: a state of the screen in sentences, for those who hear rather than see it, and for notes. */
#ifndef SLACKSWAP_VIEW_NARRATE_H
#define SLACKSWAP_VIEW_NARRATE_H

#include "state.h"

/* What is shown, what it came to, what is selected and why it is so, what can be typed: a sentence or two a line, ASCII but
 * for the profile's own names, which are made harmless. A terminated text of *LENGTH bytes in ARENA; NULL when memory is
 * short. */
char *narrate(const struct view_state *state, const struct scene *scene, struct arena *arena, size_t *length);

#endif
