/* The Problems view: what its keys do. The selected finding is selected in the Timeline too. */
#include "move.h"
#include "reduce.h"
#include "view_kind.h"
#include "view_problems.h"

static uint32_t row_count(const struct view_state *state, const struct scene *scene) {
    const struct problems *problems = problems_shown(state, scene, NULL);
    return problems != NULL ? problems->check.findings.count + 1 : 1;
}

static uint32_t page(const struct view_state *state, const struct scene *scene) {
    const uint32_t rows = problems_list_rows(state, scene->profile->layer_count);
    return rows > 1 ? rows - 1 : 1;
}

/* The event that PLACE is about, in the timeline that is shown. */
static bool event_at(const struct timeline *timeline, const struct place *place, struct event *out) {
    if (place->step != NONE) {
        *out = (struct event){ LANE_COMPUTE, place->step };
    } else if (place->tensor != NONE && timeline->h2d_of[place->tensor] != NONE) {
        *out = (struct event){ LANE_H2D, timeline->h2d_of[place->tensor] };
    } else if (place->op != NONE) { /* what runs it again, or else its backward */
        *out = (struct event){ LANE_COMPUTE, timeline->schedule.backward_step[place->op] };
        for (uint32_t k = timeline->schedule.forward_count; k < timeline->schedule.step_count; k++)
            if (timeline->schedule.kind[k] == STEP_RECOMPUTE && timeline->schedule.op[k] == place->op)
                *out = (struct event){ LANE_COMPUTE, k };
    } else {
        return false;
    }
    return true;
}

static void follow(struct view_state *state, const struct scene *scene) {
    const struct problems *problems = problems_shown(state, scene, NULL);
    struct event event;
    if (problems == NULL || state->problems.row == 0 || state_stale(state, scene))
        return;
    if (event_at(scene->shown->timeline, &problems->check.findings.finding[state->problems.row - 1].place, &event) &&
        move_event_exists(scene, event))
        move_go(state, scene, event);
}

static void go_to(struct view_state *state, const struct scene *scene, int64_t row) {
    const int64_t last = (int64_t)row_count(state, scene) - 1;
    state->problems.row = (uint32_t)(row < 0 ? 0 : row > last ? last : row);
    follow(state, scene);
}

/* The selected finding's fix; of the first row all changes together. */
static unsigned apply(struct view_state *state, const struct scene *scene) {
    const struct problems *problems = problems_shown(state, scene, NULL);
    if (problems == NULL)
        return state_message(state, MESSAGE_INFO, "The plan is still being looked at.");
    if (state->problems.row == 0)
        return fix_apply_all(state, scene);
    const struct finding *finding = &problems->check.findings.finding[state->problems.row - 1];
    const uint32_t n = problems_fix_number(problems, finding);
    if (n == NONE)
        return state_message(state, MESSAGE_INFO, finding->fix != NULL ? "That would not fit: it can't be applied."
                                                                       : "No single change was found that mends this.");
    return fix_apply(state, scene, n);
}

bool problems_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    const int64_t row = state->problems.row;
    *effects = EFFECT_REDRAW;
    switch (action) {
    case DO_row_up: go_to(state, scene, row - 1); return true;
    case DO_row_down: go_to(state, scene, row + 1); return true;
    case DO_page_up: go_to(state, scene, row - page(state, scene)); return true;
    case DO_page_down: go_to(state, scene, row + page(state, scene)); return true;
    case DO_row_first: go_to(state, scene, 0); return true;
    case DO_row_last: go_to(state, scene, INT64_MAX); return true;
    case DO_open:
        if (state->pointed == NONE) {
            *effects = apply(state, scene);
        } else { /* a click selects */
            go_to(state, scene, state->pointed);
        }
        return true;
    default: return false;
    }
}

void problems_settle(struct view_state *state, const struct scene *scene) {
    struct problems_state *problems = &state->problems;
    const uint32_t visible = problems_list_rows(state, scene->profile->layer_count);
    const uint32_t rows = row_count(state, scene);
    if (problems->row >= rows && problems_shown(state, scene, NULL) != NULL)
        problems->row = rows - 1;
    if (problems->row < problems->top)
        problems->top = problems->row;
    if (visible > 0 && problems->row >= problems->top + visible)
        problems->top = problems->row - visible + 1;
}

bool problems_is_valid(const struct view_state *state, const struct scene *scene) {
    (void)scene;
    return state->problems.top <= state->problems.row;
}
