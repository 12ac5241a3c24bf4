/* Compare: what its keys do. Arrows and their like choose plan, link and device for the side that has the focus; the time
 * axis is zoomed and panned as the Timeline's; rows scroll the changed layers. */
#include "view_compare.h"

#include <stdio.h>
#include <string.h>

#include "reduce.h"
#include "text.h"
#include "view_kind.h"

#define PAGE 8
#define A_AT_FIRST "slackswap-rule" /* beside the current plan, until one is pinned */

static uint8_t planner_at(const char *name) { return (uint8_t)(planner_find(name) - PLANNERS); }

void compare_start(struct view_state *state) {
    state->compare = (struct compare_state){
        .side = { { .what = COMPARE_PLANNER, .which = planner_at(A_AT_FIRST) }, { .what = COMPARE_CURRENT } },
    };
}

/* ---- plans that are kept for comparing ---- */

/* PLAN and no other link or device on one side. */
static struct compare_choice choice_of(enum compare_what what, uint32_t which) {
    return (struct compare_choice){ .what = (uint8_t)what, .which = (uint8_t)which };
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
    compare->side[0] = choice_of(COMPARE_PINNED, 0);
    compare->side[1] = choice_of(COMPARE_CURRENT, 0);
    compare->focus = 1;
    compare->row = 0;
    return EFFECT_REDRAW | state_open_view(state, scene, VIEW_COMPARE)
         | state_message(state, MESSAGE_INFO, "Pinned as A. Turn knobs, edit, or choose another B: all is compared with it.");
}

/* A copy of PLAN, which a file brought, that may be kept; NULL when memory is short. */
static const struct plan *keep_plan(const struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct plan named = *plan;
    named.planner = named.planner[0] != '\0' ? named.planner : "file";
    return state->history != NULL ? history_plan(state->history, scene->profile, &named) : NULL;
}

unsigned state_open_plan(struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct compare_state *compare = &state->compare;
    const struct plan *pinned = keep_plan(state, scene, plan);
    if (pinned == NULL)
        return state_message(state, MESSAGE_BAD, "No memory is left: the plan can't be shown.");
    if (link_resolve(&scene->profile->link, &state->settings.link, &compare->pinned_link, NULL) == SS_OK &&
        budget_resolve(&state->settings.budget, scene->profile, &scene->limits, &compare->pinned_budget_bytes, NULL) == SS_OK) {
        compare->pinned = pinned;
        compare->side[0] = choice_of(COMPARE_PINNED, 0);
    }
    return state_take_plan(state, scene, pinned);
}

unsigned compare_choose_file(struct view_state *state, const char *path) {
    if (strlen(path) >= sizeof state->compare.path)
        return state_message(state, MESSAGE_BAD, "That name is too long.");
    snprintf(state->compare.path, sizeof state->compare.path, "%s", path);
    return EFFECT_READ_PLAN;
}

static const char *name_in_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Called as it is in its folder, unless another file is called so. */
static void name_file(const struct compare_state *compare, struct compare_file *file, bool ascii) {
    const char *short_name = name_in_folder(file->path);
    bool alone = true;
    for (uint32_t i = 0; i < compare->file_count; i++)
        alone = alone && (strcmp(compare->file[i].path, file->path) == 0 ||
                          strcmp(name_in_folder(compare->file[i].path), short_name) != 0);
    text_fit(file->name, sizeof file->name, alone ? short_name : file->path, 24, alone ? CUT_MIDDLE : CUT_START, ascii);
}

unsigned state_compare_file(struct view_state *state, const struct scene *scene, const struct plan *plan) {
    struct compare_state *compare = &state->compare;
    struct compare_file file = { .plan = keep_plan(state, scene, plan) };
    uint32_t at = 0;
    if (file.plan != NULL)
        file.path = arena_printf(&state->history->arena, "%s", compare->path);
    if (file.path == NULL)
        return state_message(state, MESSAGE_BAD, "No memory is left: the plan can't be compared.");
    while (at < compare->file_count && strcmp(compare->file[at].path, file.path) != 0)
        at++;
    name_file(compare, &file, state->ascii);
    if (at == compare->file_count)
        at = compare->file_count < COMPARE_FILES ? compare->file_count++ : 0;
    compare->file[at] = file;
    compare->side[compare->focus].what = COMPARE_FILE;
    compare->side[compare->focus].which = (uint8_t)at;
    compare->row = 0;
    return EFFECT_REDRAW | state_open_view(state, scene, VIEW_COMPARE);
}

/* ---- choosing ---- */

/* Plans in their order: pinned (where something is), current, each planner, each file. */
static void step_plan(struct compare_state *compare, int by) {
    struct compare_choice *choice = &compare->side[compare->focus];
    const int planners = (int)PLANNER_COUNT, count = 2 + planners + compare->file_count;
    int at = choice->what == COMPARE_PINNED    ? 0
             : choice->what == COMPARE_CURRENT ? 1
             : choice->what == COMPARE_PLANNER ? 2 + choice->which
                                               : 2 + planners + choice->which;
    do
        at = (at + by + count) % count;
    while (at == 0 && compare->pinned == NULL);
    choice->what = (uint8_t)(at == 0              ? COMPARE_PINNED
                             : at == 1            ? COMPARE_CURRENT
                             : at < 2 + planners ? COMPARE_PLANNER
                                                  : COMPARE_FILE);
    choice->which = (uint8_t)(at < 2 ? 0 : at < 2 + planners ? at - 2 : at - 2 - planners);
    compare->row = 0;
}

static unsigned open_and_say(struct view_state *state, const struct scene *scene, const char *what, const char *source) {
    char text[MESSAGE_MAX];
    snprintf(text, sizeof text, "%c: %s%s%s", 'A' + state->compare.focus, what, source[0] != '\0' ? ": " : "", source);
    state->compare.row = 0;
    return EFFECT_REDRAW | state_open_view(state, scene, VIEW_COMPARE) | state_message(state, MESSAGE_INFO, text);
}

unsigned compare_choose_link(struct view_state *state, const struct scene *scene, uint32_t link) {
    state->compare.side[state->compare.focus].link = (uint8_t)link;
    return link == 0 ? open_and_say(state, scene, "the link at hand, as its knobs say", "")
                     : open_and_say(state, scene, LINKS[link - 1].link.name, LINKS[link - 1].source);
}

unsigned compare_choose_device(struct view_state *state, const struct scene *scene, uint32_t device) {
    if (state->settings.work.model == NULL)
        return state_message(state, MESSAGE_BAD, "Only a built-in model can be priced for another device: these times were given.");
    state->compare.side[state->compare.focus].device = (uint8_t)device;
    return device == 0 ? open_and_say(state, scene, "the device at hand", "")
                       : open_and_say(state, scene, GPUS[device - 1].name, GPUS[device - 1].source);
}

/* One of COUNT after none, round and round. */
static uint32_t step_round(uint32_t at, int by, uint32_t count) {
    return (uint32_t)((int64_t)at + by + count + 1) % (count + 1);
}

static void scroll(struct view_state *state, const struct scene *scene, int64_t by) {
    const struct compare_answer *answer = compare_shown(state, scene);
    const int64_t last = answer != NULL && answer->difference.layer_count > 0 ? answer->difference.layer_count - 1 : 0;
    const int64_t to = (int64_t)state->compare.row + by;
    state->compare.row = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

/* ---- time ---- */

double compare_axis_us(const struct compare_answer *answer) {
    double end_us = 0;
    for (int side = 0; side < 2 && answer != NULL; side++) {
        const struct timeline *timeline = &answer->outcome[side].timeline;
        if (timeline->totals.feasible && timeline->end_us > end_us)
            end_us = timeline->end_us;
    }
    return end_us;
}

void compare_in_time(struct view_state *out, const struct view_state *state, const struct compare_answer *answer) {
    const double axis_us = compare_axis_us(answer);
    *out = *state;
    if (axis_us > 0)
        window_axis(out, axis_us);
    out->end_us = axis_us;
    out->cursor_us = -1;
    out->selection.exists = false;
}

/* There is no cursor to zoom about. */
static void zoom(struct view_state *state, double factor) {
    window_zoom_at(state, factor, (state->from_us + state->to_us) / 2);
}

static bool time_act(struct view_state *state, enum ui_action action) {
    switch (action) {
    case DO_compare_zoom_in: zoom(state, ZOOM_FACTOR); return true;
    case DO_compare_zoom_out: zoom(state, 1 / ZOOM_FACTOR); return true;
    case DO_compare_pan_left: window_pan(state, -PAN_SHARE); return true;
    case DO_compare_pan_right: window_pan(state, PAN_SHARE); return true;
    case DO_compare_fit: window_set(state, 0, state->axis_us); return true;
    default: return false;
    }
}

/* ---- keys ---- */

bool compare_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    const struct compare_choice *choice = &state->compare.side[state->compare.focus];
    *effects = EFFECT_REDRAW;
    compare_settle(state, scene); /* the answer may have come since */
    if (time_act(state, action))
        return true;
    switch (action) {
    case DO_compare_previous: step_plan(&state->compare, -1); return true;
    case DO_compare_next: step_plan(&state->compare, 1); return true;
    case DO_compare_link_previous: *effects = compare_choose_link(state, scene, step_round(choice->link, -1, LINK_COUNT)); return true;
    case DO_compare_link_next: *effects = compare_choose_link(state, scene, step_round(choice->link, 1, LINK_COUNT)); return true;
    case DO_compare_device_previous:
        *effects = compare_choose_device(state, scene, step_round(choice->device, -1, GPU_COUNT));
        return true;
    case DO_compare_device_next: *effects = compare_choose_device(state, scene, step_round(choice->device, 1, GPU_COUNT)); return true;
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

/* Drawing stops at the last row of whatever answer is there. The axis is known with the answer. */
void compare_settle(struct view_state *state, const struct scene *scene) {
    const double axis_us = compare_axis_us(compare_shown(state, scene));
    if (axis_us > 0 && state->axis_us > 0)
        window_axis(state, axis_us);
}

bool compare_is_valid(const struct view_state *state, const struct scene *scene) {
    (void)scene;
    const struct compare_state *compare = &state->compare;
    for (int side = 0; side < 2; side++) {
        const struct compare_choice *choice = &compare->side[side];
        const uint32_t count = choice->what == COMPARE_PLANNER ? PLANNER_COUNT : choice->what == COMPARE_FILE ? compare->file_count : 1;
        if (choice->what >= COMPARE_WHAT_COUNT || choice->which >= count || choice->link > LINK_COUNT ||
            choice->device > (state->settings.work.model != NULL ? GPU_COUNT : 0) || (choice->what == COMPARE_PINNED && compare->pinned == NULL))
            return false;
    }
    return compare->focus < 2 && compare->file_count <= COMPARE_FILES;
}

/* ---- layout ---- */

#define SIDE_ROWS 4 /* a title and three lanes */

struct compare_panes compare_lay_out(struct rect body) {
    struct compare_panes panes = { .ruler = { body.x, body.y, body.width, body.height > 0 ? 1 : 0 } };
    int y = body.y + panes.ruler.height, left = body.height - panes.ruler.height;
    for (int side = 0; side < 2; side++) {
        const int rows = left < SIDE_ROWS ? left : SIDE_ROWS;
        panes.side[side] = (struct rect){ body.x, y, body.width, rows };
        y += rows;
        left -= rows;
    }
    const int memory = left < 3 ? 0 : left < 9 ? 3 : left * 2 / 5;
    panes.memory = (struct rect){ body.x, y, body.width, memory };
    y += memory;
    const int split = body.width >= 2 * COMPARE_TOTALS_WIDTH - 8 ? COMPARE_TOTALS_WIDTH : body.width;
    panes.totals = (struct rect){ body.x, y, split, left - memory };
    panes.changes = (struct rect){ body.x + split, y, body.width - split, left - memory };
    return panes;
}
