/* views: the table of views — Timeline, Layers, … A view is a line here, and files of its own:
 *
 *     NAME_state.h     its part of the state, a small struct (a member of view_state), where it has one
 *     view_NAME.c      what its keys do: NAME_act, NAME_settle, NAME_is_valid
 *     draw_NAME.c      how it looks: draw_NAME, which draws into canvas->panes.body
 *
 * The line makes the rest: the key, the tab, the help, the context in which its own keys hold (CONTEXT_…, for rows of
 * ACTIONS), and the declarations below. Keys of CONTEXT_VIEW (movement, knobs, finding) mean the same in every view; each
 * view says in NAME_act what they do there. A view that has not landed has no line. */
#ifndef SLACKSWAP_VIEW_VIEWS_H
#define SLACKSWAP_VIEW_VIEWS_H

/*    name      context   key  tab         help                                            */
#define VIEWS(X)                                                                              \
    X(timeline, TIMELINE, "1", "Timeline", "view: the step in time, by engine and by layer") \
    X(layers,   LAYERS,   "2", "Layers",   "view: a table of what each layer costs") \
    X(whatif,   WHATIF,   "3", "What-if",  "view: other budgets and links, and who plans best there") \
    X(compare,  COMPARE,  "4", "Compare",  "view: two plans over one time axis, and what differs") \
    X(problems, PROBLEMS, "5", "Problems", "view: what waits and wastes, and what mends it")

enum view_id {
#define X(name, context, key, tab, help) VIEW_##context,
    VIEWS(X)
#undef X
    VIEW_COUNT
};

extern const char *const VIEW_TAB[VIEW_COUNT];

#endif
