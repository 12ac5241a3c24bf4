/* The loop's hands: keys and mouse. */
#include "loop_parts.h"
#include "view/follow.h"
#include "view/pointing.h"

#define DOUBLE_CLICK_MS 400

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
    loop_perform(loop, state_mouse(&loop->state, &loop->scene, &loop->grid, mouse));
}

/* What was edited is written down as such: a session must not depend on what a planner finds the next time. */
static void note_plan(struct loop *loop, const struct plan *before) {
    if (loop->state.plan && loop->state.plan != before && loop->history.at == loop->history.count)
        session_plan(loop->session, loop->scene.profile, loop->state.plan);
}

static void on_key(struct loop *loop, struct key key) {
    const struct plan *before = loop->state.plan;
    /* while a session is done again only leaving is possible */
    if (loop->replay && action_for_key(key, CONTEXT_ANY, CONTEXT_ANY) != DO_quit)
        return;
    if (loop->replay)
        loop->state.help = loop->state.finding = loop->state.knob_focused = false;
    session_key(loop->session, key);
    unsigned effects = state_follow(&loop->state, &loop->scene, state_key(&loop->state, &loop->scene, key));
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
