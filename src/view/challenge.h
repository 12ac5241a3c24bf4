/* challenge: puzzles in the viewer — begun, measured, left. One's own work is set aside meanwhile, and taken back as it was. */
#ifndef SLACKSWAP_VIEW_CHALLENGE_H
#define SLACKSWAP_VIEW_CHALLENGE_H

#include "core/puzzle.h"
#include "scene.h"
#include "state.h"

/* Whether a puzzle is open, and which. LEVEL and SEED may be NULL. */
bool challenge_is_open(const struct view_state *state, uint32_t *level, uint32_t *seed);
/* Opens a puzzle; returns effects. A level or seed that there is not is a message. */
unsigned challenge_open(struct view_state *state, const struct scene *scene, uint32_t level, uint32_t seed);
/* Its row below the lessons, in their list. */
#define CHALLENGE_TITLE "Challenge: plan puzzles by hand"
#define CHALLENGE_SUMMARY "Puzzles of 12 levels: beat slackswap, and come as near to the best plan as you can."
/* Opens the first puzzle of all. */
unsigned challenge_start(struct view_state *state, const struct scene *scene);
/* Leaves it: what was looked at before comes back. */
unsigned challenge_leave(struct view_state *state, const struct scene *scene);
/* What the puzzle is measured by, or NULL while that is being found out. */
const struct puzzle_marks *challenge_marks(const struct view_state *state, const struct scene *scene);
/* The gap of the plan that is shown, where it counts: made by hand, and under what the puzzle sets. INFINITY otherwise. */
double challenge_gap(const struct view_state *state, const struct scene *scene);
/* Whether the knobs are as the puzzle sets them. */
bool challenge_is_as_set(const struct view_state *state);
/* An outcome has come: EFFECT_CHALLENGE when it is the best so far. */
unsigned challenge_note(struct view_state *state, const struct scene *scene);

/* Actions of the challenge, and those that it refuses: a planner, or all fixes at once, would solve it. */
bool challenge_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
unsigned challenge_refuse(struct view_state *state);

/* "level 3, seed 5", and how it stands, in one line of words. */
#define CHALLENGE_WORDS 160
char *challenge_name(const struct view_state *state, char text[CHALLENGE_WORDS]);
/* "your gap 1.75% (best 0.92%), slackswap 2.31%, best known 0.62%, proved". */
char *challenge_figures(const struct view_state *state, const struct scene *scene, char text[CHALLENGE_WORDS]);
/* "beats slackswap", or why the plan that is shown does not count; *STARS (may be NULL): of the best plan so far. */
const char *challenge_words(const struct view_state *state, const struct scene *scene, uint32_t *stars);

struct challenge_question { uint32_t work; };

#endif
