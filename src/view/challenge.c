#include "challenge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reduce.h"

bool challenge_is_open(const struct view_state *state, uint32_t *level, uint32_t *seed) {
    uint32_t l, s;
    if (state->settings.work.model != NULL || !puzzle_of_work(state->settings.work.profile, &l, &s))
        return false;
    if (level != NULL)
        *level = l;
    if (seed != NULL)
        *seed = s;
    return true;
}

bool challenge_is_as_set(const struct view_state *state) {
    struct settings now = state->settings, set = state->challenge.set;
    now.planner = set.planner;
    now.evaluation_limit = set.evaluation_limit;
    now.seed = set.seed;
    return settings_equal(&now, &set);
}

/* ---- opening and leaving ---- */

static void begin(struct view_state *state, const struct settings *set) {
    state->settings = *set;
    state->plan = NULL; /* offload moves what must go: a plan to start from */
    state->challenge = (struct challenge_state){ .set = *set, .best_gap = INFINITY };
    state->view = VIEW_TIMELINE;
    state->maximised = state->knob_focused = state->finding = state->help = false;
    state->command.open = state->presets.open = false;
    history_begin(state->history); /* undoing stays within the puzzle */
}

unsigned challenge_open(struct view_state *state, const struct scene *scene, uint32_t level, uint32_t seed) {
    struct arena arena = { 0 };
    struct profile profile;
    struct error error = { "", "" };
    struct settings set = settings_default();
    uint64_t budget_bytes;
    (void)scene;
    const enum ss_status status = puzzle_build(level, seed, &arena, &profile, &budget_bytes, &error);
    arena_free(&arena);
    if (status != SS_OK)
        return state_message(state, MESSAGE_BAD, error.text);
    /* what was looked at before a lesson, or another puzzle, stays set aside */
    if (!state->lesson.open && !challenge_is_open(state, NULL, NULL) && !state_set_aside(state))
        return state_message(state, MESSAGE_BAD, "No memory is left for a puzzle.");
    state->lesson = (struct lesson_state){ .choice = state->lesson.choice };
    set.work = (struct work_choice){ .profile = puzzle_work(level, seed) };
    set.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = budget_bytes };
    set.planner = planner_find("offload");
    const unsigned other = work_equal(&state->settings.work, &set.work) ? 0 : EFFECT_WORK;
    begin(state, &set);
    state_message(state, MESSAGE_INFO, "Plan it by hand: K keeps, O offloads, R recomputes what is selected; u undoes.");
    return state_replan(state) | EFFECT_RELAYOUT | EFFECT_PLAY | EFFECT_CHALLENGE | other;
}

unsigned challenge_start(struct view_state *state, const struct scene *scene) {
    return challenge_open(state, scene, 1, puzzle_first_seed(1));
}

unsigned challenge_leave(struct view_state *state, const struct scene *scene) {
    const unsigned effects = state_take_back(state, scene);
    return effects != 0 ? effects | EFFECT_RELAYOUT : 0;
}

/* The next seed of the level where all stars are there, else the next level; outside a challenge the first puzzle. */
static unsigned open_next(struct view_state *state, const struct scene *scene) {
    uint32_t level = 0, seed = 0;
    if (challenge_is_open(state, &level, &seed) && level == PUZZLE_LEVELS)
        return challenge_open(state, scene, level, (seed + 1) % PUZZLE_SEEDS);
    return challenge_open(state, scene, level + 1, puzzle_first_seed(level + 1));
}

static unsigned open_again(struct view_state *state, const struct scene *scene) {
    uint32_t level, seed;
    return challenge_is_open(state, &level, &seed) ? challenge_open(state, scene, level, seed) : 0;
}

/* ---- how it stands ---- */

double challenge_gap(const struct view_state *state, const struct scene *scene) {
    if (!challenge_is_open(state, NULL, NULL) || state->plan == NULL || state->planning || scene->latest == NULL ||
        !challenge_is_as_set(state) || !outcome_feasible(scene->latest))
        return INFINITY;
    return outcome_gap(scene->latest);
}

unsigned challenge_note(struct view_state *state, const struct scene *scene) {
    const double gap = challenge_gap(state, scene);
    if (state->challenge.given_away || !(gap < state->challenge.best_gap))
        return 0;
    state->challenge.best_gap = gap;
    return EFFECT_CHALLENGE;
}

/* Shows what a planner found: whoever has seen it can't find it any more. */
static unsigned give_away(struct view_state *state, const struct scene *scene) {
    const struct puzzle_marks *marks = challenge_marks(state, scene);
    if (marks == NULL)
        return state_message(state, MESSAGE_INFO, "The best plan is still being looked for.");
    if (!isfinite(marks->best_gap))
        return state_message(state, MESSAGE_INFO, "No planner has found a plan that fits.");
    state->settings = state->challenge.set;
    state->challenge.given_away = true;
    const unsigned effects = state_take_plan(state, scene, &marks->best);
    return effects | state_message(state, MESSAGE_INFO, "The best plan that is known. M-r begins the puzzle anew, M-n the next one.");
}

unsigned challenge_refuse(struct view_state *state) {
    return state_message(state, MESSAGE_INFO, "In a challenge you plan: K, O and R. M-s shows the best plan that is known, Escape leaves.");
}

static bool solves(const struct view_state *state, enum ui_action action) {
    return action == DO_planner || (action == DO_open && state->view == VIEW_PROBLEMS);
}

bool challenge_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    const bool open = challenge_is_open(state, NULL, NULL);
    switch (action) {
    case DO_challenge_next: *effects = open_next(state, scene); return true;
    case DO_challenge_again:
    case DO_challenge_solution:
        *effects = !open ? state_message(state, MESSAGE_INFO, "No challenge is open: M-n opens the first puzzle.")
                   : action == DO_challenge_again ? open_again(state, scene)
                                                  : give_away(state, scene);
        return true;
    default:
        if (!open || !solves(state, action))
            return false;
        *effects = challenge_refuse(state);
        return true;
    }
}

/* ---- in words ---- */

char *challenge_name(const struct view_state *state, char text[CHALLENGE_WORDS]) {
    uint32_t level = 0, seed = 0;
    challenge_is_open(state, &level, &seed);
    snprintf(text, CHALLENGE_WORDS, "challenge: level %u of %u, seed %u", (unsigned)level, (unsigned)PUZZLE_LEVELS, (unsigned)seed);
    return text;
}

static void put_gap(char text[16], double gap) {
    if (isfinite(gap))
        snprintf(text, 16, "%.2f%%", 100 * gap);
    else
        snprintf(text, 16, "-");
}

char *challenge_figures(const struct view_state *state, const struct scene *scene, char text[CHALLENGE_WORDS]) {
    const struct puzzle_marks *marks = challenge_marks(state, scene);
    char now[16], best[16], slackswap[16], known[16];
    put_gap(now, challenge_gap(state, scene));
    put_gap(best, state->challenge.best_gap);
    int length = snprintf(text, CHALLENGE_WORDS, "your gap %s (best %s)", now, best);
    if (marks == NULL) {
        snprintf(text + length, CHALLENGE_WORDS - (size_t)length, "; what planners find is being looked for");
        return text;
    }
    put_gap(slackswap, marks->slackswap_gap);
    put_gap(known, marks->best_gap);
    snprintf(text + length, CHALLENGE_WORDS - (size_t)length, ", slackswap %s, best known %s%s", slackswap, known,
             marks->proved ? " (proved)" : "");
    return text;
}

const char *challenge_words(const struct view_state *state, const struct scene *scene, uint32_t *stars) {
    const struct puzzle_marks *marks = challenge_marks(state, scene);
    if (stars != NULL)
        *stars = marks != NULL ? puzzle_stars(state->challenge.best_gap, marks) : 0;
    if (!challenge_is_as_set(state))
        return "a knob was turned: does not count (u undoes)";
    if (state->challenge.given_away)
        return "the best plan was shown: does not count (M-r begins anew)";
    if (scene->latest != NULL && !state->planning && state->plan != NULL && !outcome_feasible(scene->latest))
        return "does not fit";
    return marks != NULL ? puzzle_verdict(state->challenge.best_gap, marks) : "";
}
