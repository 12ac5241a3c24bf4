#include "action.h"

#include <string.h>

const char *const GROUP_TITLE[GROUP_COUNT] = { "Moving", "Time", "Finding", "Knobs", "Plan", "Lessons", "Screen" };

const struct action_entry ACTION_TABLE[DO_COUNT] = {
    [DO_nothing] = { "nothing", "", CONTEXT_ANY, GROUP_SCREEN, false, 0, "", "" },
#define X(id, keys, context, group, pair, rank, hint, help)                                                            \
    [DO_##id] = { #id, keys, CONTEXT_##context, GROUP_##group, pair, rank, hint, help },
    ACTIONS(X)
#undef X
#define X(name, context, key, tab, help)                                                                               \
    [DO_view_##name] = { "view_" #name, key, CONTEXT_VIEW, GROUP_SCREEN, false, 0, "", help },
    VIEWS(X)
#undef X
};

bool action_key(enum ui_action action, int n, struct key *out) {
    const char *word = ACTION_TABLE[action].keys;
    while (*word != '\0') {
        size_t length = strcspn(word, " ");
        if (n-- == 0)
            return key_parse(word, length, out);
        word += length;
        word += strspn(word, " ");
    }
    return false;
}

static bool action_has_key(enum ui_action action, struct key key) {
    struct key own;
    for (int n = 0; action_key(action, n, &own); n++)
        if (key_equal(own, key))
            return true;
    return false;
}

enum ui_action action_in(struct key key, enum context context) {
    for (int i = DO_nothing + 1; i < DO_COUNT; i++)
        if (ACTION_TABLE[i].context == context && action_has_key((enum ui_action)i, key))
            return (enum ui_action)i;
    return DO_nothing;
}

bool context_is_view(enum context context) {
    return context > CONTEXT_TASK && context < CONTEXT_COUNT;
}

enum ui_action action_for_key(struct key key, enum context context, enum context below) {
    enum ui_action action = action_in(key, context);
    if (action == DO_nothing)
        action = action_in(key, below);
    if (action == DO_nothing && (context_is_view(context) || context_is_view(below)))
        action = action_in(key, CONTEXT_VIEW);
    return action != DO_nothing ? action : action_in(key, CONTEXT_ANY);
}

bool key_is_bound(struct key key) {
    for (int context = 0; context < CONTEXT_COUNT; context++)
        if (action_in(key, (enum context)context) != DO_nothing)
            return true;
    return false;
}
