/* view_kind: what a view can do, and the list of those that there are (views.h). Private to the view room. */
#ifndef SLACKSWAP_VIEW_VIEW_KIND_H
#define SLACKSWAP_VIEW_VIEW_KIND_H

#include "state.h"

struct canvas;

struct view_kind {
    enum context context;
    enum ui_action open; /* the action that opens it */
    /* Draws into canvas->panes.body; canvas->model is not NULL, but for Problems, which tell why nothing fits. */
    void (*draw)(const struct canvas *canvas);
    /* Performs ACTION and returns true, EFFECTS set to what the loop must do; false when it means nothing here. Knobs,
     * planners, help and the like are dealt with for every view alike (state.c) when this returns false. */
    bool (*act)(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects);
    /* Brings the view's part of the state back into its ranges: called after each key, resize and outcome, and when
     * the view is opened. */
    void (*settle)(struct view_state *state, const struct scene *scene);
    /* Whether its part is within its ranges, be it open or not; for tests. */
    bool (*is_valid)(const struct view_state *state, const struct scene *scene);
};
extern const struct view_kind VIEW_KINDS[VIEW_COUNT];

#define X(name, context, key, tab, help)                                                                       \
    void draw_##name(const struct canvas *canvas);                                                             \
    bool name##_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects); \
    void name##_settle(struct view_state *state, const struct scene *scene);                                   \
    bool name##_is_valid(const struct view_state *state, const struct scene *scene);
VIEWS(X)
#undef X

#endif
