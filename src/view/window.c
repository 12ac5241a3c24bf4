/* The window in time: the part of the axis that is in sight. */
#include "reduce.h"

#define WINDOW_LEAST 1e-6 /* of the step */

void window_axis(struct view_state *state, double axis_us) {
    const bool whole = state->from_us <= 0 && state->to_us >= state->axis_us;
    state->axis_us = axis_us;
    window_set(state, whole ? 0 : state->from_us, whole ? axis_us : state->to_us);
}

void window_set(struct view_state *state, double from_us, double to_us) {
    double least = state->axis_us * WINDOW_LEAST;
    if (to_us - from_us < least) {
        double middle = (from_us + to_us) / 2;
        from_us = middle - least / 2;
        to_us = middle + least / 2;
    }
    if (to_us - from_us >= state->axis_us) {
        from_us = 0;
        to_us = state->axis_us;
    }
    if (from_us < 0) {
        to_us -= from_us;
        from_us = 0;
    }
    if (to_us > state->axis_us) {
        from_us -= to_us - state->axis_us;
        to_us = state->axis_us;
    }
    state->from_us = from_us < 0 ? 0 : from_us;
    state->to_us = to_us;
}

void window_zoom_at(struct view_state *state, double factor, double at_us) {
    double span = state->to_us - state->from_us;
    double share = span > 0 ? (at_us - state->from_us) / span : 0.5;
    span /= factor;
    if (span < state->axis_us * WINDOW_LEAST)
        return;
    window_set(state, at_us - share * span, at_us + (1 - share) * span);
}

void window_zoom(struct view_state *state, double factor) {
    bool seen = state->cursor_us >= state->from_us && state->cursor_us <= state->to_us;
    window_zoom_at(state, factor, seen ? state->cursor_us : (state->from_us + state->to_us) / 2);
}

void window_pan(struct view_state *state, double share) {
    double by = share * (state->to_us - state->from_us);
    window_set(state, state->from_us + by, state->to_us + by);
}
