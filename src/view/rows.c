/* The rows of the timeline: which layers are open, and which row is whose. */
#include <string.h>

#include "reduce.h"

bool state_is_open(const struct view_state *state, uint32_t layer) {
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] == layer)
            return true;
    return false;
}

static void open_remove(struct view_state *state, uint32_t at) {
    memmove(&state->open[at], &state->open[at + 1], (state->open_count - at - 1) * sizeof state->open[0]);
    state->open_count--;
}

void rows_toggle(struct view_state *state, uint32_t layer) {
    for (uint32_t i = 0; i < state->open_count; i++)
        if (state->open[i] == layer) {
            open_remove(state, i);
            return;
        }
    if (state->open_count == OPEN_MAX)
        open_remove(state, 0);
    uint32_t at = state->open_count;
    for (; at > 0 && state->open[at - 1] > layer; at--)
        state->open[at] = state->open[at - 1];
    state->open[at] = layer;
    state->open_count++;
}

uint32_t state_layer_rows(const struct view_state *state, const struct scene *scene) {
    return scene->profile->layer_count + OPEN_ROWS * state->open_count;
}

struct row state_layer_row(const struct view_state *state, uint32_t n) {
    uint32_t extra = 0; /* rows of the open layers above */
    for (uint32_t i = 0; i < state->open_count; i++) {
        uint32_t header = state->open[i] + extra;
        if (n <= header)
            break;
        if (n <= header + OPEN_ROWS)
            return (struct row){ (uint8_t)(ROW_LAYER + (n - header)), state->open[i] };
        extra += OPEN_ROWS;
    }
    return (struct row){ ROW_LAYER, n - extra };
}

uint32_t state_layer_row_index(const struct view_state *state, struct row row) {
    uint32_t index = row.layer + (uint32_t)(row.kind - ROW_LAYER);
    for (uint32_t i = 0; i < state->open_count && state->open[i] < row.layer; i++)
        index += OPEN_ROWS;
    return index;
}
