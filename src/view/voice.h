/* voice: how the screen's sentences show names and signs (core/words.h). */
#ifndef SLACKSWAP_VIEW_VOICE_H
#define SLACKSWAP_VIEW_VOICE_H

#include "core/words.h"

const struct voice *screen_voice(bool ascii); /* ASCII: nothing else beside the profile's own names */

#endif
