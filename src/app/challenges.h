/* challenges: puzzles from the command line, and the best gaps, which progress (progress.h) keeps. */
#ifndef SLACKSWAP_APP_CHALLENGES_H
#define SLACKSWAP_APP_CHALLENGES_H

#include "options.h"
#include "view/state.h"

/* EFFECT_CHALLENGE: STATE learns the best gap of the puzzle that is open, or that is kept. Returns effects. */
unsigned challenge_remember(struct view_state *state);
/* Opens the puzzle that TEXT (LEVEL[.SEED]) names; returns effects. */
unsigned challenge_begin(struct view_state *state, const struct scene *scene, const char *text);
/* slackswap lesson challenge [LEVEL]: the viewer opened in it, or the puzzle in words. */
enum ss_status challenge_command(const struct options *options, struct error *error);
/* LEVEL[.SEED]; the level's first seed where none is given. */
enum ss_status challenge_parse(const char *text, uint32_t *level, uint32_t *seed, struct error *error);

#endif
