/* action: everything a key can do, in one table: bindings, footer, help overlay and manual all read it. A key that does
 * nothing yet is not in it. The keys that open a view come from the table of views (views.h). */
#ifndef SLACKSWAP_VIEW_ACTION_H
#define SLACKSWAP_VIEW_ACTION_H

#include "key.h"
#include "views.h"

/* Where a binding holds: in one view (each line of VIEWS makes a context), in all views after the view's own (VIEW), in
 * help (HELP; then TERM while a word is typed there), while a knob takes typed values (VALUE; then those of the view hold
 * too), while a name is typed (FIND), in the command palette (COMMAND), on the start screen (PRESETS, then the view's
 * own), while a bookmark's letter is awaited (LETTER), in the list of lessons (LESSONS), on a page of a lesson before the
 * view's own (LESSON), while its question is open (QUESTION, before LESSON) or its task (TASK instead of LESSON), or
 * everywhere, after all others (ANY). */
enum context {
    CONTEXT_ANY, CONTEXT_VIEW, CONTEXT_HELP, CONTEXT_TERM, CONTEXT_VALUE, CONTEXT_FIND, CONTEXT_COMMAND, CONTEXT_PRESETS,
    CONTEXT_LETTER, CONTEXT_LESSONS, CONTEXT_LESSON, CONTEXT_QUESTION, CONTEXT_TASK,
#define X(name, context, key, tab, help) CONTEXT_##context,
    VIEWS(X)
#undef X
    CONTEXT_COUNT
};

/* Order of the groups in help. */
enum action_group { GROUP_MOVE, GROUP_TIME, GROUP_FIND, GROUP_KNOBS, GROUP_PLAN, GROUP_LESSON, GROUP_SCREEN, GROUP_COUNT };
extern const char *const GROUP_TITLE[GROUP_COUNT];

/* HINT is a word for the footer, RANK its importance there (1 = first, 0 = not there); with PAIR the row below is the
 * counterpart and shares the hint. HELP is one line for the help overlay and the manual ("" = not listed there: a key
 * inside an overlay).
 *
 *    id               keys (tmux notation)  context  group  pair rank hint    help                                  */
#define ACTIONS(X)                                                                                             \
    X(event_previous,   "Left h",              TIMELINE, MOVE,   1,  3, "event",    "previous event in time")  \
    X(event_next,       "Right l",             TIMELINE, MOVE,   0,  0, "",         "next event in time")      \
    X(lane_previous,    ",",                   TIMELINE, MOVE,   0,  0, "",         "previous event on the lane or layer") \
    X(lane_next,        ".",                   TIMELINE, MOVE,   0,  0, "",         "next event on the lane or layer") \
    X(row_up,           "Up k",                VIEW,     MOVE,   1,  4, "row",      "row above")     \
    X(row_down,         "Down j",              VIEW,     MOVE,   0,  0, "",         "row below")     \
    X(page_up,          "PPage",               VIEW,     MOVE,   0,  0, "",         "a page of rows up")     \
    X(page_down,        "NPage",               VIEW,     MOVE,   0,  0, "",         "a page of rows down")   \
    X(row_first,        "g Home",              VIEW,     MOVE,   0,  0, "",         "first row")             \
    X(row_last,         "G End",               VIEW,     MOVE,   0,  0, "",         "last row")              \
    X(pane_next,        "Tab",                 TIMELINE, MOVE,   0, 13, "pane",     "next pane")               \
    X(pane_previous,    "BTab",                TIMELINE, MOVE,   0,  0, "",         "previous pane")           \
    X(open,             "Enter",               VIEW,     MOVE,   0, 12, "open",     "open a layer, or close it") \
    X(sort,             "S",                   LAYERS,   MOVE,   0,  5, "sort",     "sort the table by the next column") \
    X(zoom_in,          "w",                   TIMELINE, TIME,   1,  5, "zoom",     "zoom in at the cursor")   \
    X(zoom_out,         "s",                   TIMELINE, TIME,   0,  0, "",         "zoom out")                \
    X(pan_left,         "a",                   TIMELINE, TIME,   1, 17, "pan",      "pan to earlier times")    \
    X(pan_right,        "d",                   TIMELINE, TIME,   0,  0, "",         "pan to later times")      \
    X(fit,              "0",                   TIMELINE, TIME,   0, 16, "fit",      "fit the whole step")      \
    X(play,             "Space",               TIMELINE, TIME,   0, 11, "play",     "play, or pause")          \
    X(speed,            "T",                   TIMELINE, TIME,   0,  0, "",         "next playing speed")      \
    X(stall_next,       "e",                   TIMELINE, FIND,   1,  6, "stall",    "next stall: where the GPU waits") \
    X(stall_previous,   "E",                   TIMELINE, FIND,   0,  0, "",         "previous stall")          \
    X(cause,            "[",                   TIMELINE, FIND,   1, 15, "cause",    "to what the selection waited for") \
    X(consequence,      "]",                   TIMELINE, FIND,   0,  0, "",         "back along the cause chain") \
    X(peak,             "^",                   TIMELINE, FIND,   0, 14, "peak",     "to the memory peak")      \
    X(point_previous,   "Left h",              WHATIF,   MOVE,   1,  3, "point",    "point with less memory or a slower link") \
    X(point_next,       "Right l",             WHATIF,   MOVE,   0,  0, "",         "point with more memory or a faster link") \
    X(whatif_pane_next, "Tab",                 WHATIF,   MOVE,   0,  5, "curve",    "next curve, or the map")  \
    X(whatif_pane_previous, "BTab",            WHATIF,   MOVE,   0,  0, "",         "previous curve, or the map") \
    X(compare_previous, "Left h",              COMPARE,  MOVE,   1,  3, "plan",     "previous plan for A or B") \
    X(compare_next,     "Right l",             COMPARE,  MOVE,   0,  0, "",         "next plan for A or B")    \
    X(compare_link_previous, ",",              COMPARE,  MOVE,   1,  6, "link",     "previous link for A or B: those of model --list") \
    X(compare_link_next, ".",                  COMPARE,  MOVE,   0,  0, "",         "next link for A or B")    \
    X(compare_device_previous, "<",            COMPARE,  MOVE,   1,  6, "device",   "previous device for A or B, of a built-in model") \
    X(compare_device_next, ">",                COMPARE,  MOVE,   0,  0, "",         "next device for A or B")  \
    X(compare_side,     "Tab BTab",            COMPARE,  MOVE,   0,  5, "A or B",   "choose for the other side, A or B") \
    X(compare_zoom_in,  "w",                   COMPARE,  TIME,   1,  6, "zoom",     "zoom in on both plans")   \
    X(compare_zoom_out, "s",                   COMPARE,  TIME,   0,  0, "",         "zoom out")                \
    X(compare_pan_left, "a",                   COMPARE,  TIME,   1, 17, "pan",      "pan to earlier times")    \
    X(compare_pan_right, "d",                  COMPARE,  TIME,   0,  0, "",         "pan to later times")      \
    X(compare_fit,      "0",                   COMPARE,  TIME,   0, 16, "fit",      "fit the longer step")     \
    X(find,             "/",                   VIEW,     FIND,   0, 12, "find",     "find a name: op, tensor or layer") \
    X(find_next,        "n",                   VIEW,     FIND,   0,  0, "",         "next match")              \
    X(find_previous,    "N",                   VIEW,     FIND,   0,  0, "",         "previous match")          \
    X(knob_budget,      "b",                   VIEW,     KNOBS,  0,  7, "budget",   "memory budget: 60% or 24GiB, Enter") \
    X(knob_bandwidth,   "p",                   VIEW,     KNOBS,  0,  8, "PCIe",     "PCIe bandwidth: 22 or 22GB/s, Enter") \
    X(knob_other,       "o",                   VIEW,     KNOBS,  0, 18, "others",   "the other knobs in turn") \
    X(knob_down,        "-",                   VIEW,     KNOBS,  1, 10, "turn",     "turn the knob used last down") \
    X(knob_up,          "+ =",                 VIEW,     KNOBS,  0,  0, "",         "turn the knob used last up") \
    X(planner,          "P",                   VIEW,     KNOBS,  0,  9, "planner",  "next planner")            \
    X(keep,             "K",                   VIEW,     PLAN,   0, 11, "keep", "keep the selected tensor, op or layer, or the marked range") \
    X(offload,          "O",                   VIEW,     PLAN,   0, 11, "offload",         "offload it")              \
    X(recompute,        "R",                   VIEW,     PLAN,   0, 11, "recompute",         "recompute it")            \
    X(fix_1,            "M-1",                 VIEW,     PLAN,   0,  0, "",         "apply the fix of that number, to M-9") \
    X(fix_2,            "M-2",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_3,            "M-3",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_4,            "M-4",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_5,            "M-5",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_6,            "M-6",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_7,            "M-7",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_8,            "M-8",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(fix_9,            "M-9",                 VIEW,     PLAN,   0,  0, "",         "")                        \
    X(mark,             "v",                   VIEW,     PLAN,   0,  0, "",         "mark a range from here on, or drop the mark") \
    X(undo,             "u",                   VIEW,     PLAN,   0, 12, "undo",     "undo the last change")    \
    X(redo,             "C-r",                 VIEW,     PLAN,   0,  0, "",         "do it again")             \
    X(challenge_next,   "M-n",                 VIEW,     PLAN,   0,  0, "",         "challenge: a puzzle to plan by hand, then the next one") \
    X(challenge_again,  "M-r",                 VIEW,     PLAN,   0,  0, "",         "challenge: begin the puzzle anew") \
    X(challenge_solution, "M-s",               VIEW,     PLAN,   0,  0, "",         "challenge: show the best plan that is known") \
    X(pin,              "c",                   VIEW,     PLAN,   0, 13, "compare",  "pin this plan as A, and compare") \
    X(lessons,          "L",                   VIEW,     LESSON, 0, 14, "lessons",  "lessons; in a lesson: look around, and come back") \
    X(lessons_take,     "Enter",               LESSONS,  LESSON, 0,  1, "begin",    "")                        \
    X(lessons_up,       "Up k",                LESSONS,  LESSON, 1,  2, "choose",   "")                        \
    X(lessons_down,     "Down j",              LESSONS,  LESSON, 0,  0, "",         "")                        \
    X(lessons_first,    "g Home",              LESSONS,  LESSON, 0,  0, "",         "")                        \
    X(lessons_last,     "G End",               LESSONS,  LESSON, 0,  0, "",         "")                        \
    X(lessons_close,    "q L",                 LESSONS,  LESSON, 0,  0, "",         "")                        \
    X(answer_a,         "a",                   QUESTION, LESSON, 0,  1, "answer",   "answer a lesson's question; b, c and d do, too") \
    X(answer_b,         "b",                   QUESTION, LESSON, 0,  0, "",         "")                        \
    X(answer_c,         "c",                   QUESTION, LESSON, 0,  0, "",         "")                        \
    X(answer_d,         "d",                   QUESTION, LESSON, 0,  0, "",         "")                        \
    X(lesson_next,      "Space Enter",         LESSON,   LESSON, 0,  2, "next",     "next page of the lesson") \
    X(lesson_back,      "BSpace",              LESSON,   LESSON, 0,  3, "back",     "page before")             \
    X(lesson_solve,     "Space",               TASK,     LESSON, 0,  1, "solution", "pressed twice: show a task's solution") \
    X(lesson_retell,    "BSpace",              TASK,     LESSON, 0,  2, "back",     "")                        \
    X(save,             "C-s",                 ANY,      PLAN,   0,  0, "",         "save the plan as PROFILE.plan.json") \
    X(command,          ":",                   VIEW,     SCREEN, 0, 13, "command",  "command palette: every action, knob and planner by name") \
    X(command_take,     "Enter",               COMMAND,  SCREEN, 0,  1, "do it",    "")                        \
    X(command_complete, "Tab",                 COMMAND,  SCREEN, 0,  2, "complete", "")                        \
    X(command_up,       "Up",                  COMMAND,  SCREEN, 1,  3, "choose",   "")                        \
    X(command_down,     "Down",                COMMAND,  SCREEN, 0,  0, "",         "")                        \
    X(command_erase,    "BSpace",              COMMAND,  SCREEN, 0,  4, "erase",    "")                        \
    X(bookmark_set,     "m",                   VIEW,     FIND,   0,  0, "",         "then a letter: bookmark this place") \
    X(bookmark_go,      "'",                   VIEW,     FIND,   0,  0, "",         "then a letter: go to that bookmark") \
    X(presets,          "H",                   VIEW,     SCREEN, 0,  0, "",         "start screen: presets to explore") \
    X(presets_take,     "Enter",               PRESETS,  SCREEN, 0,  1, "open",     "")                        \
    X(presets_up,       "Up k",                PRESETS,  SCREEN, 1,  2, "choose",   "")                        \
    X(presets_down,     "Down j",              PRESETS,  SCREEN, 0,  0, "",         "")                        \
    X(presets_close,    "H",                   PRESETS,  SCREEN, 0,  0, "",         "")                        \
    X(copy,             "y",                   VIEW,     SCREEN, 0, 20, "copy",     "copy what the inspector says to the clipboard") \
    X(export,           "x",                   VIEW,     SCREEN, 0, 20, "export",   "export what is shown, into a file") \
    X(not_modelled,     "M",                   VIEW,     SCREEN, 0,  0, "",         "what is not modelled")    \
    X(maximise,         "z",                   TIMELINE, SCREEN, 0, 19, "maximise", "maximise the pane, or restore it") \
    X(help,             "? F1",                ANY,      SCREEN, 0,  1, "help",     "help: words on the screen, keys, signs; / finds any word") \
    X(help_find,        "/",                   HELP,     SCREEN, 0,  0, "",         "")                        \
    X(help_part_next,   "Tab",                 HELP,     SCREEN, 0,  0, "",         "")                        \
    X(help_part_previous, "BTab",              HELP,     SCREEN, 0,  0, "",         "")                        \
    X(term_take,        "Enter",               TERM,     SCREEN, 0,  0, "",         "")                        \
    X(term_erase,       "BSpace",              TERM,     SCREEN, 0,  0, "",         "")                        \
    X(help_up,          "Up k",                HELP,     SCREEN, 1,  2, "scroll",   "")                        \
    X(help_down,        "Down j",              HELP,     SCREEN, 0,  0, "",         "")                        \
    X(help_page_up,     "PPage",               HELP,     SCREEN, 0,  0, "",         "")                        \
    X(help_page_down,   "NPage Space",         HELP,     SCREEN, 0,  3, "page",     "")                        \
    X(help_close,       "q",                   HELP,     SCREEN, 0,  1, "close",    "")                        \
    X(value_take,       "Enter",               VALUE,    SCREEN, 0,  1, "take",     "")                        \
    X(value_erase,      "BSpace",              VALUE,    SCREEN, 0,  2, "erase",    "")                        \
    X(find_take,        "Enter",               FIND,     SCREEN, 0,  1, "find",     "")                        \
    X(find_erase,       "BSpace",              FIND,     SCREEN, 0,  2, "erase",    "")                        \
    X(close,            "Escape",              ANY,      SCREEN, 0,  0, "",         "close or clear")          \
    X(repaint,          "C-l",                 ANY,      SCREEN, 0,  0, "",         "repaint the screen")      \
    X(suspend,          "C-z",                 ANY,      SCREEN, 0,  0, "",         "suspend to the shell")    \
    X(quit,             "q C-c",               ANY,      SCREEN, 0,  2, "quit",     "quit")

/* Named ui_action because core's enum action is what a plan does with a tensor. */
enum ui_action {
    DO_nothing,
#define X(id, keys, context, group, pair, rank, hint, help) DO_##id,
    ACTIONS(X)
#undef X
#define X(name, context, key, tab, help) DO_view_##name,
    VIEWS(X)
#undef X
    DO_COUNT
};

struct action_entry {
    const char *name;    /* as in configuration and tests: "stall_next" */
    const char *keys;    /* default keys, parted by blanks */
    enum context context;
    enum action_group group;
    bool pair;
    int rank;
    const char *hint, *help;
};
extern const struct action_entry ACTION_TABLE[DO_COUNT]; /* [DO_nothing] is empty */

/* What KEY does in CONTEXT: a binding of CONTEXT, else of BELOW (the same again where nothing is below), else, if one of
 * the two is a view's, of CONTEXT_VIEW, else of CONTEXT_ANY, else DO_nothing. */
enum ui_action action_for_key(struct key key, enum context context, enum context below);
bool context_is_view(enum context context); /* one that a line of VIEWS made */
/* A binding of CONTEXT itself, or DO_nothing. */
enum ui_action action_in(struct key key, enum context context);
/* Whether KEY is bound in any context. */
bool key_is_bound(struct key key);
/* The N-th (0 = first) key of ACTION; false when it has no more. */
bool action_key(enum ui_action action, int n, struct key *out);

#endif
