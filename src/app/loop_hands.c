/* The loop's hands: keys and mouse. */
#include "loop_parts.h"
#include "view/follow.h"
#include "view/pointing.h"

#define DOUBLE_CLICK_MS 400

/* Whether what is set now came from a page of a lesson, or from going back: it will come from there again. */
static bool sets_itself(const struct loop *loop) {
    return loop->state.lesson.setting || loop->history.awaited;
}

/* What was edited is written down as such: a session must not depend on what a planner finds the next time. */
static void note_plan(struct loop *loop, const struct plan *before) {
    if (loop->state.plan && loop->state.plan != before && loop->history.at == loop->history.count && !sets_itself(loop))
        session_plan(loop->session, loop->scene.profile, loop->state.plan);
}

static void note_settings(struct loop *loop, const struct settings *before) {
    if (!sets_itself(loop))
        session_settings(loop->session, loop->scene.profile, before, &loop->state.settings);
}

/* Whether KEY chooses among what was found out in the background: what it sets must not depend on how far that had come. */
static bool chooses(const struct loop *loop, struct key key) {
    enum context context = state_context(&loop->state);
    enum ui_action action = action_for_key(key, context, context);
    return action == DO_open || (action >= DO_fix_1 && action <= DO_fix_9);
}

/* What lies under the hand is told by the screen that it saw. */
static void on_mouse(struct loop *loop, struct mouse mouse) {
    uint64_t now_ms = uv_now(&loop->uv);
    if (mouse.kind == MOUSE_PRESS) {
        mouse.again = now_ms - loop->pressed_ms < DOUBLE_CLICK_MS && mouse.button == loop->pressed.button &&
                      mouse.x == loop->pressed.x && mouse.y == loop->pressed.y;
        loop->pressed_ms = mouse.again ? 0 : now_ms;
        loop->pressed = mouse;
    }
    if (loop->replay)
        return;
    session_mouse(loop->session, mouse);
    const struct plan *plan = loop->state.plan;
    const struct settings before = loop->state.settings;
    unsigned effects = state_mouse(&loop->state, &loop->scene, &loop->grid, mouse);
    note_settings(loop, &before);
    effects = state_follow(&loop->state, &loop->scene, effects);
    note_plan(loop, plan);
    loop_perform(loop, effects);
}

static void on_key(struct loop *loop, struct key key) {
    const struct plan *before = loop->state.plan;
    /* while a session is done again only leaving is possible */
    if (loop->replay && action_for_key(key, CONTEXT_ANY, CONTEXT_ANY) != DO_quit)
        return;
    if (loop->replay)
        loop->state.help = loop->state.finding = loop->state.knob_focused = false;
    const bool chosen = chooses(loop, key);
    const struct settings settings = loop->state.settings;
    session_key(loop->session, key);
    unsigned effects = state_key(&loop->state, &loop->scene, key);
    if (chosen)
        note_settings(loop, &settings);
    effects = state_follow(&loop->state, &loop->scene, effects);
    note_plan(loop, before);
    loop_perform(loop, effects);
    if (!loop->state.planning)
        session_settled(loop->session);
}

static void on_paste(struct loop *loop, struct key key) {
    unsigned effects;
    if (loop->replay)
        return;
    if (state_paste(&loop->state, &loop->scene, key, &effects))
        session_key(loop->session, key);
    loop_perform(loop, effects);
}

static void on_readable(uv_poll_t *handle, int status, int events) {
    struct loop *loop = handle->data;
    struct input input;
    bool any = false;
    (void)events;
    while (status == 0 && !loop->ending && !loop->asleep && term_input(loop->term, &input)) {
        any = true;
        if (input.is_mouse)
            on_mouse(loop, input.mouse);
        else if (input.is_pasted)
            on_paste(loop, input.key);
        else
            on_key(loop, input.key);
    }
    if (!loop->ending && !loop->asleep && (status < 0 || (!any && term_is_gone(loop->term))))
        loop_finish(loop, LOOP_TERMINAL_GONE);
}

void loop_watch_keys(struct loop *loop) {
    uv_poll_start(&loop->keys, UV_READABLE, on_readable);
}

void loop_press(struct loop *loop, const char *keys) {
    struct arena arena = { 0 };
    struct key *key;
    size_t count = 0;
    if (keys_parse(keys, &arena, &key, &count, NULL) == SS_OK)
        for (size_t i = 0; i < count; i++)
            on_key(loop, key[i]);
    arena_free(&arena);
}
