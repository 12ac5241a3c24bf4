/* reduce: what the files that change a state share — each owns some actions. Private to the reducer. */
#ifndef SLACKSWAP_VIEW_REDUCE_H
#define SLACKSWAP_VIEW_REDUCE_H

#include "state.h"

/* Asks for an outcome anew, the settings having changed. */
unsigned state_replan(struct view_state *state);
/* Gives the pane the whole body, or takes it back. */
unsigned state_maximise(struct view_state *state);
/* Does ACTION, without remembering it. */
unsigned state_perform(struct view_state *state, const struct scene *scene, enum ui_action action);
/* Opens another view. */
unsigned state_open_view(struct view_state *state, const struct scene *scene, enum view_id view);

/* BEFORE is how STATE was before a key whose effects were EFFECTS: remembers what can be undone. Whatever changes
 * a state on a user's behalf ends with it. Returns the effects. */
unsigned state_note(struct view_state *state, const struct view_state *before, unsigned effects);

/* edit.c: plans made by hand, undoing */
bool edit_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
/* The outcome of an undone or redone change has come: back to the moment of it, if it is the outcome that was seen then. */
bool state_restore(struct view_state *state, const struct scene *scene, unsigned *effects);

/* Goes to TO, a state of before that stays where it is: at once, or when its outcome is there again. Needs a history. */
unsigned state_go_to(struct view_state *state, const struct scene *scene, const struct view_state *to);
/* A lesson begins: STATE and what can be undone are set aside, what comes has a history of its own. False when that can't be. */
bool state_set_aside(struct view_state *state);
/* It has ended: back to what was set aside, exactly; 0 when nothing was. */
unsigned state_take_back(struct view_state *state, const struct scene *scene);

/* view_compare.c: how the view begins, before anything is pinned */
void compare_start(struct view_state *state);

/* Presses KEY as if no lesson was there. */
unsigned state_press(struct view_state *state, const struct scene *scene, struct key key);
/* lesson.c */
bool lesson_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
/* Whether the lesson's page has the keys (it is not looked away from, nor being set), and the context of those. */
bool lesson_has_keys(const struct view_state *state);
enum context lesson_context(const struct view_state *state);
/* Whether ACTION would go astray: what a page sets is not there yet. */
bool lesson_bars(const struct view_state *state, enum ui_action action);
/* Escape: back to the page, or out of the lesson. */
unsigned lesson_close(struct view_state *state, const struct scene *scene);
/* Before and after an outcome that has settled is looked at; no outcome came. */
void lesson_before_outcome(struct view_state *state);
unsigned lesson_after_outcome(struct view_state *state, const struct scene *scene);
void lesson_failed(struct view_state *state);
bool lesson_is_valid(const struct view_state *state); /* for tests */

/* command.c: the palette */
bool command_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
bool command_type(struct view_state *state, struct key key);

/* presets.c: the start screen */
bool presets_act(struct view_state *state, enum ui_action action, unsigned *effects);
bool presets_type(struct view_state *state, struct key key, unsigned *effects);
/* ACTION was done: what belongs to the view has left the start screen. */
void presets_settle(struct view_state *state, enum ui_action action);
/* Opens PRESETS[WHICH], and says its sentence. */
unsigned preset_open(struct view_state *state, uint32_t which);

/* bookmarks.c */
bool bookmark_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
bool bookmark_type(struct view_state *state, const struct scene *scene, struct key key, unsigned *effects);

struct bookmark bookmark_here(const struct view_state *state);
/* Back to state.place, if there is such a one. */
void bookmark_return(struct view_state *state, const struct scene *scene);

/* rows.c */
void rows_toggle(struct view_state *state, uint32_t layer);

/* window.c */
#define ZOOM_FACTOR 2.0
#define PAN_SHARE 0.2 /* of the window */
void window_set(struct view_state *state, double from_us, double to_us);
void window_axis(struct view_state *state, double axis_us);                     /* another axis: what was whole stays whole */
void window_zoom(struct view_state *state, double factor);                      /* about the cursor, if it is in sight */
void window_zoom_at(struct view_state *state, double factor, double at_us);     /* which stays where it is */
void window_pan(struct view_state *state, double share);

/* turn.c: knobs and planners */
bool turn_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
unsigned knob_leave(struct view_state *state);
/* Turns the budget to the notch nearest to BYTES. */
unsigned budget_turn_to(struct view_state *state, const struct scene *scene, uint64_t bytes);
/* Takes KEY as a character of the value being typed. True when it was one, or was refused as one. */
bool value_type(struct view_state *state, struct key key, unsigned *effects);

/* typing.c: names that are typed */
bool typing_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
/* Takes KEY as a character of the name to find, or of the word looked for in help. */
bool find_type(struct view_state *state, struct key key);
bool term_type(struct view_state *state, struct key key);
unsigned typing_erase(char *text); /* takes the last character off */

#endif
