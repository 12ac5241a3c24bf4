/* Compare: what its keys do. Arrows choose a plan for the side that has the focus and scroll the changed layers. */
#include "reduce.h"
#include "view_compare.h"
#include "view_kind.h"

#define PAGE 8
#define A_AT_FIRST "slackswap-rule" /* beside the current plan, until one is pinned */

static uint8_t planner_at(const char *name) { return (uint8_t)(planner_find(name) - PLANNERS); }

void compare_start(struct view_state *state) {
    state->compare = (struct compare_state){
        .side = { { COMPARE_PLANNER, planner_at(A_AT_FIRST) }, { COMPARE_CURRENT, 0 } },
    };
}

unsigned compare_pin(struct view_state *state, const struct scene *scene) {
    struct compare_state *compare = &state->compare;
    if (scene->shown == NULL)
        return state_message(state, MESSAGE_INFO, "There is no plan to pin yet.");
    struct plan named = scene->shown->timeline->plan;
    named.planner = scene->shown->outcome->planner_name; /* one handed over early does not say */
    const struct plan *plan = state->history != NULL ? history_plan(state->history, scene->profile, &named) : NULL;
    if (plan == NULL)
        return state_message(state, MESSAGE_BAD, "No memory is left: the plan can't be pinned.");
    compare->pinned = plan;
    compare->pinned_budget_bytes = scene->shown->outcome->budget_bytes;
    compare->pinned_link = scene->shown->outcome->link;
    compare->side[0] = (struct compare_choice){ COMPARE_PINNED, 0 };
    compare->side[1] = (struct compare_choice){ COMPARE_CURRENT, 0 };
    compare->focus = 1;
    compare->row = 0;
    return EFFECT_REDRAW | state_open_view(state, scene, VIEW_COMPARE)
         | state_message(state, MESSAGE_INFO, "Pinned as A. Turn knobs, edit, or choose another B: all is compared with it.");
}

unsigned state_open_plan(struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct compare_state *compare = &state->compare;
    struct plan named = *plan;
    named.planner = named.planner[0] != '\0' ? named.planner : "file";
    const struct plan *pinned = state->history != NULL ? history_plan(state->history, scene->profile, &named) : NULL;
    if (pinned == NULL)
        return state_message(state, MESSAGE_BAD, "No memory is left: the plan can't be shown.");
    if (link_resolve(&scene->profile->link, &state->settings.link, &compare->pinned_link, NULL) == SS_OK &&
        budget_resolve(&state->settings.budget, scene->profile, &scene->limits, &compare->pinned_budget_bytes, NULL) == SS_OK) {
        compare->pinned = pinned;
        compare->side[0] = (struct compare_choice){ COMPARE_PINNED, 0 };
    }
    return state_take_plan(state, scene, pinned);
}

/* Choices in their order: pinned (where something is), current, then each planner. */
static struct compare_choice step_choice(const struct compare_state *compare, struct compare_choice choice, int by) {
    const int count = 2 + (int)PLANNER_COUNT;
    int at = choice.what == COMPARE_PINNED ? 0 : choice.what == COMPARE_CURRENT ? 1 : 2 + choice.planner;
    do
        at = (at + by + count) % count;
    while (at == 0 && compare->pinned == NULL);
    return at == 0   ? (struct compare_choice){ COMPARE_PINNED, 0 }
         : at == 1   ? (struct compare_choice){ COMPARE_CURRENT, 0 }
                     : (struct compare_choice){ COMPARE_PLANNER, (uint8_t)(at - 2) };
}

static void choose(struct view_state *state, int by) {
    struct compare_choice *side = &state->compare.side[state->compare.focus];
    *side = step_choice(&state->compare, *side, by);
    state->compare.row = 0;
}

static void scroll(struct view_state *state, const struct scene *scene, int64_t by) {
    const struct compare_answer *answer = compare_shown(state, scene);
    const int64_t last = answer != NULL && answer->difference.layer_count > 0 ? answer->difference.layer_count - 1 : 0;
    const int64_t to = (int64_t)state->compare.row + by;
    state->compare.row = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

bool compare_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    *effects = EFFECT_REDRAW;
    switch (action) {
    case DO_compare_previous: choose(state, -1); return true;
    case DO_compare_next: choose(state, 1); return true;
    case DO_compare_side: state->compare.focus ^= 1; return true;
    case DO_row_up: scroll(state, scene, -1); return true;
    case DO_row_down: scroll(state, scene, 1); return true;
    case DO_page_up: scroll(state, scene, -PAGE); return true;
    case DO_page_down: scroll(state, scene, PAGE); return true;
    case DO_row_first: scroll(state, scene, -(int64_t)UINT32_MAX); return true;
    case DO_row_last: scroll(state, scene, UINT32_MAX); return true;
    default: return false;
    }
}

void compare_settle(struct view_state *state, const struct scene *scene) {
    (void)state, (void)scene; /* drawing stops at the last row of whatever answer is there */
}

bool compare_is_valid(const struct view_state *state, const struct scene *scene) {
    const struct compare_state *compare = &state->compare;
    (void)scene;
    for (int side = 0; side < 2; side++)
        if (compare->side[side].what >= COMPARE_WHAT_COUNT || compare->side[side].planner >= PLANNER_COUNT ||
            (compare->side[side].what == COMPARE_PINNED && compare->pinned == NULL))
            return false;
    return compare->focus < 2;
}
