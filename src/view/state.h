/* state: what the user has done to the screen, as plain data, and the one place where it changes.
 *
 * key -> state_key -> effect bits -> the loop performs them -> view_draw. Nothing else alters a state. A state may be
 * copied freely: it owns nothing (plans made by hand belong to its history, which the loop owns). Times are microseconds of the shown timeline. */
#ifndef SLACKSWAP_VIEW_STATE_H
#define SLACKSWAP_VIEW_STATE_H

#include "action.h"
#include "challenge_state.h"
#include "command_state.h"
#include "compare_state.h"
#include "help_state.h"
#include "history.h"
#include "layers_state.h"
#include "lesson_state.h"
#include "core/findings.h"
#include "core/knobs.h"
#include "core/timeline.h"
#include "presets_state.h"
#include "problems_state.h"
#include "scene.h"
#include "target.h"
#include "views.h"
#include "whatif_state.h"

/* What the loop must do after a change. */
enum effect {
    EFFECT_REDRAW = 1,
    EFFECT_RELAYOUT = 2,  /* sizes of panes changed (a redraw is implied) */
    EFFECT_REPLAN = 4,    /* state.settings or state.plan changed: ask for a new outcome; state.generation names the request */
    EFFECT_QUIT = 8,
    EFFECT_SUSPEND = 16,
    EFFECT_REPAINT = 32,  /* send the whole screen anew */
    EFFECT_PLAY = 64,     /* state.playing changed: start or stop the timer */
    EFFECT_FORGET = 128,  /* the outcome that is shown is not to be seen any more: scene_forget */
    EFFECT_COPY = 1024,   /* put copy_text into the terminal's clipboard */
    EFFECT_EXPORT = 2048, /* write what is shown as state.export says, and say where */
    EFFECT_SAVE = 256,    /* save the plan that is shown, and say where */
    EFFECT_WORK = 4096,   /* state.settings.work changed: state_follow, before anything else */
    EFFECT_CHALLENGE = 65536, /* a puzzle was opened, or planned better than before: see what is known, keep what is new */
    EFFECT_READ_PLAN = 8192, /* read the plan in the file state.compare.path: state_compare_file, or a message */
    EFFECT_LESSON_END = 16384, /* the learner has come to the end of state.classroom's lesson: keep the score */
};

enum pane { PANE_ENGINES, PANE_LAYERS, PANE_MEMORY, PANE_INSPECTOR, PANE_COUNT };

/* A row of events. The engine lanes come first; each layer has a row, and an open layer four more below it. */
enum row_kind {
    ROW_COMPUTE, ROW_D2H, ROW_H2D,
    ROW_LAYER, ROW_LAYER_COMPUTE, ROW_LAYER_RECOMPUTE, ROW_LAYER_D2H, ROW_LAYER_H2D,
    ROW_KIND_COUNT
};
struct row {
    uint8_t kind;    /* enum row_kind */
    uint32_t layer;  /* from ROW_LAYER on */
};
#define ENGINE_ROWS 3
#define OPEN_ROWS 4 /* further rows of an open layer */

/* What is selected: an event, named by what it is, so that it is found again in another outcome. */
struct selection {
    bool exists;
    struct event event;  /* in the shown timeline */
    uint32_t op;         /* a step: its op and kind */
    uint8_t kind;
    uint32_t tensor;     /* a transfer: its tensor (event.lane says which way) */
};

#define VALUE_MAX 24     /* bytes of a typed value, terminator included */
#define QUERY_MAX 64     /* bytes of a name to find, terminator included */
#define OPEN_MAX 64      /* layers open at once; opening one more closes the first */
#define TRAIL_MAX 64     /* steps along the cause chain that can be walked back */
#define MESSAGE_MAX 200

/* What the hand holds while a button is down. */
enum drag_kind { DRAG_NOTHING, DRAG_PAN, DRAG_BUDGET };
struct drag {
    uint8_t kind;        /* enum drag_kind */
    bool moved;          /* it is no mere click any more */
    bool noted;          /* it made a change, which can be undone */
    int x;               /* where the hand was last */
    uint64_t top_bytes;  /* DRAG_BUDGET: what the memory curve's full height stands for until the line is let go */
};

enum message_kind { MESSAGE_NONE, MESSAGE_INFO, MESSAGE_BAD };

struct view_state {
    int width, height;           /* of the screen, at least 1 x 1 */
    enum view_id view;           /* the one that is open */
    bool ascii;                  /* only ASCII on the screen */

    struct settings settings;    /* what the user wants; the shown outcome may be older */
    const struct plan *plan;     /* made by hand, played as it is; NULL: the planner of the settings makes one */
    struct history *history;     /* borrowed; NULL: nothing can be edited or undone */
    struct classroom *classroom; /* borrowed; NULL: there are no lessons */
    uint64_t generation;         /* counts requests for an outcome */
    bool planning;               /* a request is under way: what is shown is stale */
    bool improving;              /* of that request an early plan is shown already */
    bool ghost;                  /* the curve before the last change is still to be seen, see scene.ghost */
    double first_gap;            /* of the first such plan, see outcome_gap; meaningful while improving */

    enum knob_id knob;           /* the one that - and + turn; at first the budget */
    bool knob_focused;           /* it takes typed values */
    char value[VALUE_MAX];       /* typed so far */

    bool finding;                /* a name is being typed */
    char query[QUERY_MAX];       /* typed so far, or looked for last */

    enum pane pane;
    bool maximised;              /* the pane has the whole body */
    bool help;
    int help_scroll;
    struct help_state about;     /* what help tells; meaningful while it is open */
    int inspector_scroll;

    struct row row;
    struct selection selection;
    struct layers_state layers;
    struct command_state command;
    struct presets_state presets;
    struct challenge_state challenge; /* meaningful while a puzzle is open (challenge.h) */
    struct bookmarks bookmarks;
    struct bookmark place;       /* where to be in the first outcome of another profile; unset: wherever it is best */
    uint32_t export;             /* EFFECT_EXPORT: index into EXPORT_TABLE */
    struct target mark;          /* where a marked range began; TARGET_NONE when nothing is marked */
    struct event trail[TRAIL_MAX]; /* visited along the cause chain, newest last */
    uint32_t trail_count;
    uint32_t open[OPEN_MAX];     /* open layers, ascending */
    uint32_t open_count;
    uint32_t top_row;            /* first visible row of the layers pane, counted from the first layer's row */

    double end_us;               /* of the timeline that the times below belong to; 0 before the first */
    double axis_us;              /* of the axis in sight: end_us, but in Compare the longer of its two steps */
    double from_us, to_us;       /* the visible window, 0 <= from < to <= axis */
    double cursor_us;            /* 0 <= cursor <= end */
    double anchor_us;            /* where the cursor was before rows were changed: each row is entered near it */
    bool playing;
    uint32_t speed;              /* index into SPEEDS */

    struct drag drag;
    uint32_t pointed;            /* while a click acts: the item it was on (grid_link), else NONE */
    struct whatif_state whatif;
    struct compare_state compare;
    struct problems_state problems;
    struct lesson_state lesson;

    enum message_kind message_kind;
    char message[MESSAGE_MAX];
};

extern const double SPEEDS[]; /* microseconds of the step per microsecond of the clock */
extern const uint32_t SPEED_COUNT;

/* The state in which the viewer opens. */
void state_init(struct view_state *state, const struct settings *settings, int width, int height);
/* The screen has another size (anything; brought into 1..GRID_MAX). */
unsigned state_resize(struct view_state *state, const struct scene *scene, int width, int height);
/* A key was pressed. Returns enum effect bits. */
unsigned state_key(struct view_state *state, const struct scene *scene, struct key key);
/* A character was pasted. True when it was typed, as its key would have been, for a text is being typed; it never acts. EFFECTS
 * are enum effect bits. */
bool state_paste(struct view_state *state, const struct scene *scene, struct key key, unsigned *effects);
/* Takes SETTINGS, and asks for their outcome: as a change of its own, or PART of the one before. */
unsigned state_set(struct view_state *state, const struct settings *settings, bool part);
/* Performs one action as if its key had been pressed. */
unsigned state_apply(struct view_state *state, const struct scene *scene, enum ui_action action);
/* SCENE has taken a new outcome. FINAL is false for one that a planner still at work has handed over early. Selection
 * is kept by what it is, the window by its fraction of the step. */
unsigned state_outcome(struct view_state *state, const struct scene *scene, bool final);
/* The newest request ended without an outcome: say why. */
unsigned state_failed(struct view_state *state, const char *message);
/* The clock went on by ELAPSED_US while playing. */
unsigned state_tick(struct view_state *state, const struct scene *scene, double elapsed_us);
/* Shows a line at the foot until the next key. */
unsigned state_message(struct view_state *state, enum message_kind kind, const char *text);

/* What K, O and R act on: the selected tensor, op or layer, or all from the mark to there. */
struct target state_target(const struct view_state *state, const struct scene *scene);
/* Sets ACTION for TARGET's tensors in a plan made by hand, which starts from the one that is shown, and asks for its
 * outcome; says what could not be done. */
unsigned state_edit(struct view_state *state, const struct scene *scene, struct target target, enum action action);
/* Takes PLAN over as made by hand: copied, its own budget dropped. */
unsigned state_take_plan(struct view_state *state, const struct scene *scene, const struct plan *plan);
/* The same with CHANGEs made to it. */
unsigned state_take_changed(struct view_state *state, const struct scene *scene, const struct plan *plan,
                            const struct change *change, uint32_t count);

/* The viewer opens with PLAN, which a file brought: it is played as made by hand, and pinned for comparing under the
 * settings at hand. Before the first request for an outcome. */
unsigned state_open_plan(struct view_state *state, const struct scene *scene, const struct plan *plan);

/* The plan that the file state.compare.path brought stands on the side in focus of the Compare view. */
unsigned state_compare_file(struct view_state *state, const struct scene *scene, const struct plan *plan);
/* The lesson of NUMBER in the list takes the place of what is shown, or of another lesson. */
unsigned lesson_open(struct view_state *state, const struct scene *scene, uint32_t number);
#define LESSON_FROM_START UINT32_MAX
/* The same at its STEP (from 0), whose question or task is open; what the steps before showed is found out at once. */
unsigned lesson_open_at(struct view_state *state, const struct scene *scene, uint32_t number, uint32_t step);

/* For drawing and tests. */
enum context state_context(const struct view_state *state);
bool state_is_open(const struct view_state *state, uint32_t layer);
uint32_t state_layer_rows(const struct view_state *state, const struct scene *scene); /* rows of the layers pane */
struct row state_layer_row(const struct view_state *state, uint32_t n);               /* the N-th of them */
uint32_t state_layer_row_index(const struct view_state *state, struct row row);       /* and back */
/* Whether what is shown does not belong to the settings. */
bool state_stale(const struct view_state *state, const struct scene *scene);
/* True when everything in STATE is within its ranges for SCENE; for tests. */
bool state_is_valid(const struct view_state *state, const struct scene *scene);

#endif
