/* screen: a screen of the viewer as text, drawn without a terminal. Planning settles after each key, so that the same keys
 * always give the same screen. */
#include "challenges.h"
#include "core/preset.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"
#include "read_plan.h"
#include "replay.h"
#include "school.h"
#include "view/follow.h"
#include "view/grid_out.h"
#include "view/key.h"
#include "view/narrate.h"
#include "view/view.h"

struct screen {
    const struct options *options;
    struct scene scene;
    struct view_state state;
    struct history history;
    struct school school;
    struct grid grid;
};

/* Plans what the state asks for. A request that can't be met is shown on the screen, as the viewer would. */
static enum ss_status settle(struct screen *screen, struct error *error) {
    struct arena arena = { 0 };
    struct outcome_request request = settings_request(screen->scene.profile, &screen->state.settings);
    request.plan = screen->state.plan;
    struct outcome *outcome = ARENA_ARRAY(&arena, struct outcome, 1);
    if (!outcome)
        return error_no_memory(error);
    enum ss_status status = outcome_compute(&request, &arena, outcome, error);
    if (status == SS_OK)
        status = scene_take(&screen->scene, &arena, outcome, error);
    if (status == SS_OK) {
        if (state_outcome(&screen->state, &screen->scene, true) & EFFECT_FORGET)
            scene_forget(&screen->scene);
    } else if (status != SS_INTERNAL) {
        state_failed(&screen->state, error->text);
        status = SS_OK;
    }
    arena_free(&arena);
    return status;
}

static enum ss_status press(struct screen *screen, const char *script, struct error *error) {
    struct arena arena = { 0 };
    struct key *keys = NULL;
    size_t count = 0;
    enum ss_status status = keys_parse(script, &arena, &keys, &count, error);
    if (status == SS_USAGE)
        error_place(error, "--keys");
    for (size_t i = 0; i < count && status == SS_OK; i++) {
        unsigned effects = state_follow(&screen->state, &screen->scene, state_key(&screen->state, &screen->scene, keys[i]));
        if (effects & EFFECT_QUIT)
            break;
        if (effects & EFFECT_READ_PLAN)
            read_compared_plan(&screen->state, &screen->scene);
        if (effects & EFFECT_REPLAN)
            status = settle(screen, error);
        if (status == SS_OK)
            status = study_answer_all(&screen->state, &screen->scene, error);
    }
    arena_free(&arena);
    return status;
}

/* Does a session again, at once. At its end the screen has the size that was asked for. */
static enum ss_status do_again(struct screen *screen, struct replay *replay, struct error *error) {
    enum ss_status status = SS_OK;
    unsigned effects = 0;
    while (status == SS_OK && !replay_ended(replay)) {
        if (replay_next(replay, &screen->state, &screen->scene, &screen->options->theme.theme, &screen->grid, &effects)) {
            if (state_follow(&screen->state, &screen->scene, effects) & EFFECT_FORGET)
                scene_forget(&screen->scene);
            if (effects & EFFECT_READ_PLAN)
                read_compared_plan(&screen->state, &screen->scene);
        } else {
            status = settle(screen, error);
        }
    }
    if (status == SS_OK && screen->state.planning)
        status = settle(screen, error);
    state_resize(&screen->state, &screen->scene, screen->options->width, screen->options->height);
    return status == SS_OK ? study_answer_all(&screen->state, &screen->scene, error) : status;
}

static char *render(const struct screen *screen, struct arena *arena, size_t *length) {
    switch (screen->options->format) {
    case FORMAT_ANSI:
        return grid_ansi_out(&screen->grid, &screen->options->theme.theme, options_want_color(screen->options) ? DEPTH_TRUE : DEPTH_MONO,
                             arena, length);
    case FORMAT_SVG:
        return grid_svg_out(&screen->grid, &screen->options->theme.theme, arena, length);
    case FORMAT_JSON:
        return grid_json_out(&screen->grid, arena, length);
    default:
        return grid_text_out(&screen->grid, arena, length);
    }
}

static enum ss_status draw(struct screen *screen, struct error *error) {
    struct arena arena = { 0 };
    size_t length = 0;
    if (!grid_resize(&screen->grid, screen->state.width, screen->state.height))
        return error_no_memory(error);
    screen->grid.ascii = screen->options->ascii;
    view_draw(&screen->state, &screen->scene, &screen->options->theme.theme, &screen->grid);
    char *text = screen->options->plain ? narrate(&screen->state, &screen->scene, &arena, &length)
                                        : render(screen, &arena, &length);
    enum ss_status status = text ? output_write(screen->options, text, length, error) : error_no_memory(error);
    arena_free(&arena);
    return status;
}

static enum ss_status open_scene(struct scene *scene, const struct profile *profile, const struct work_choice *work,
                                 struct error *error) {
    struct subject *subject;
    const enum ss_status status = subject_new(&subject, work, profile, NULL, error);
    if (status == SS_OK) {
        scene_begin(scene, subject);
        subject_release(subject);
    }
    return status;
}

/* The lesson that is asked for takes the place of the profile, as L and Enter would have it. */
static enum ss_status open_lesson(struct screen *screen, struct error *error) {
    uint32_t number, step;
    enum ss_status status = school_find(&screen->school, screen->options->lesson, &number, &step, error);
    if (status != SS_OK)
        return status;
    state_follow(&screen->state, &screen->scene, lesson_open_at(&screen->state, &screen->scene, number, step));
    return SS_OK;
}

static enum ss_status show_state(struct screen *screen, struct replay *replay, struct error *error) {
    const struct options *options = screen->options;
    enum ss_status status = options->lesson ? open_lesson(screen, error) : SS_OK;
    if (options->challenge && !options->lesson)
        state_follow(&screen->state, &screen->scene, challenge_begin(&screen->state, &screen->scene, options->challenge));
    if (status == SS_OK)
        status = settle(screen, error);
    if (status == SS_OK)
        status = study_answer_all(&screen->state, &screen->scene, error);
    if (status == SS_OK && replay)
        status = do_again(screen, replay, error);
    if (options->preset && !replay)
        state_message(&screen->state, MESSAGE_INFO, options->preset->words);
    if (status == SS_OK && options->keys)
        status = press(screen, options->keys, error);
    return status == SS_OK ? draw(screen, error) : status;
}

static enum ss_status show(const struct options *options, struct replay *replay, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct plan plan;
    struct settings settings = options->settings;
    struct screen screen = { .options = options };
    settings.work = load_work(options);
    enum ss_status status = load_check_inputs(options, error);
    if (status == SS_OK)
        status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = open_scene(&screen.scene, &profile, &settings.work, error);
    if (status == SS_OK && options->plan)
        status = load_plan(options, options->plan, &profile, &arena, &plan, error);
    if (status == SS_OK) {
        school_init(&screen.school, false);
        state_init(&screen.state, &settings, options->width, options->height);
        screen.state.ascii = options->ascii;
        screen.state.history = &screen.history;
        school_attend(&screen.school, &screen.state, &screen.scene);
        if (options->plan)
            state_open_plan(&screen.state, &screen.scene, &plan);
        status = show_state(&screen, replay, error);
        scene_free(&screen.scene);
        grid_free(&screen.grid);
        history_free(&screen.history);
        school_free(&screen.school);
    }
    arena_free(&arena);
    return status;
}

enum ss_status cmd_screen(const struct options *options, struct error *error) {
    struct replay replay;
    struct options asked = { .argument_count = 0 };
    if (!options->replay)
        return show(options, NULL, error);
    enum ss_status status = replay_read(options->replay, &replay, error);
    if (status == SS_OK)
        status = replay_options(&replay, options, &asked, error);
    if (status == SS_OK)
        status = show(&asked, &replay, error);
    options_free(&asked);
    replay_free(&replay);
    return status;
}
