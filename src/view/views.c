#include "view_kind.h"

const char *const VIEW_TAB[VIEW_COUNT] = {
#define X(name, context, key, tab, help) [VIEW_##context] = tab,
    VIEWS(X)
#undef X
};

const struct view_kind VIEW_KINDS[VIEW_COUNT] = {
#define X(name, context, key, tab, help)                                                                       \
    [VIEW_##context] = { CONTEXT_##context, DO_view_##name, draw_##name, name##_act, name##_settle, name##_is_valid },
    VIEWS(X)
#undef X
};
