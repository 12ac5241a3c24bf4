/* screen: a state, a scene and a grid for tests, planned by a rule of the tests' own, so that screens change only when
 * the view (or the simulator) does, never because a planner got better. */
#ifndef SLACKSWAP_TESTS_SCREEN_H
#define SLACKSWAP_TESTS_SCREEN_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "view/grid_out.h"
#include "view/pointing.h"
#include "view/view.h"

struct screen {
    struct arena arena;     /* the profile lives here */
    struct profile profile;
    struct work_choice work; /* what PROFILE is */
    struct scene scene;
    struct view_state state;
    struct history history;
    struct grid grid;
};

/* A screen of WIDTH x HEIGHT on screen->profile, which the caller has built in screen->arena; the first outcome is
 * there already. */
void screen_open(struct screen *screen, int width, int height);
/* Six layers of three ops: a GEMM, a GELU, a dropout with a mask; the default of most tests. */
void screen_profile_small(struct screen *screen);
/* The same behind a tensor called FIRST that nothing reads: every other has another number. */
void screen_profile_shifted(struct screen *screen, const char *first);
/* The first at once, whatever SCREEN was before. */
void screen_open_small(struct screen *screen, int width, int height);
void screen_profile_model(struct screen *screen, const char *model);
void screen_close(struct screen *screen);

/* Presses the keys of SCRIPT one after the other, plans as the effects demand, and draws. Fails the test on unknown
 * keys and on invalid states. Returns the effects of the last key. */
unsigned screen_press(struct screen *screen, const char *script);
unsigned screen_key(struct screen *screen, struct key key);
/* The same with the mouse, on the screen as it was drawn last. */
unsigned screen_mouse(struct screen *screen, struct mouse mouse);
void screen_size(struct screen *screen, int width, int height);
/* Hands over an outcome for the settings, as the worker would. */
void screen_plan(struct screen *screen);
/* Draws and checks that every cell is what a cell may be. */
void screen_draw(struct screen *screen);
/* Row Y as text, in the screen's arena. */
const char *screen_row(struct screen *screen, int y);
/* Whether TEXT stands somewhere on the screen. */
bool screen_shows(struct screen *screen, const char *text);

#endif
