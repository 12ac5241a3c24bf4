/* follow: another profile takes the place of the one that is looked at. A reducer asks for it by a change of
 * state.settings.work (core/work.h), which makes EFFECT_WORK; whoever performs effects calls state_follow first. */
#ifndef SLACKSWAP_VIEW_FOLLOW_H
#define SLACKSWAP_VIEW_FOLLOW_H

#include "state.h"

/* What SCENE shows stays as the ghost of what EFFECT_REPLAN brings. Performs EFFECT_WORK, if it is among EFFECTS: SCENE goes on with state.settings.work. A plan made by hand, the pinned one,
 * bookmarks, open layers and the selection go over by name. Returns what is left to be done. Where the profile can't be
 * had, STATE goes on with the one before and says why. */
unsigned state_follow(struct view_state *state, struct scene *scene, unsigned effects);
/* The profile that was opened has changed on disk: FRESH takes its place, for whatever has to do with it. What was done to the
 * old one can't be undone any more. */
unsigned state_reload(struct view_state *state, struct scene *scene, struct subject *fresh);

#endif
