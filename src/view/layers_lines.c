#include "layers_lines.h"

#include "layout.h"

/* Lines below an open layer's own. */
static uint32_t lines_below(const struct profile *profile, uint32_t layer) {
    struct span ops = profile->layers[layer].ops;
    uint32_t lines = ops.count;
    for (uint32_t i = 0; i < ops.count; i++)
        lines += profile->ops[profile->index[ops.at + i]].outputs.count;
    return lines;
}

/* An open layer and its place in the order of the table. */
struct opened {
    uint32_t place, layer, below;
};

/* The open layers by place. Returns how many. */
static uint32_t opened_by_place(const struct view_state *state, const struct scene *scene, struct opened out[OPEN_MAX]) {
    const uint32_t *place = scene->shown->figures.place[state->layers.sort];
    for (uint32_t i = 0; i < state->open_count; i++) {
        uint32_t layer = state->open[i], at = i;
        struct opened opened = { place[layer], layer, lines_below(scene->profile, layer) };
        for (; at > 0 && out[at - 1].place > opened.place; at--)
            out[at] = out[at - 1];
        out[at] = opened;
    }
    return state->open_count;
}

uint32_t layers_line_count(const struct view_state *state, const struct scene *scene) {
    uint32_t lines = scene->profile->layer_count;
    for (uint32_t i = 0; i < state->open_count; i++)
        lines += lines_below(scene->profile, state->open[i]);
    return lines;
}

/* The N-th line below LAYER's own, from 1 on. */
static struct layers_line line_below(const struct profile *profile, uint32_t layer, uint32_t n) {
    struct span ops = profile->layers[layer].ops;
    for (uint32_t i = 0; i < ops.count; i++) {
        uint32_t op = profile->index[ops.at + i];
        struct span outputs = profile->ops[op].outputs;
        if (n == 1)
            return (struct layers_line){ layer, op, NONE };
        if (n - 2 < outputs.count)
            return (struct layers_line){ layer, op, profile->index[outputs.at + n - 2] };
        n -= 1 + outputs.count;
    }
    return (struct layers_line){ layer, NONE, NONE };
}

struct layers_line layers_line_at(const struct view_state *state, const struct scene *scene, uint32_t n) {
    struct opened opened[OPEN_MAX];
    uint32_t count = opened_by_place(state, scene, opened), extra = 0; /* lines below open layers further up */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = opened[i].place + extra;
        if (n <= own)
            break;
        if (n <= own + opened[i].below)
            return line_below(scene->profile, opened[i].layer, n - own);
        extra += opened[i].below;
    }
    return (struct layers_line){ scene->shown->figures.order[state->layers.sort][n - extra], NONE, NONE };
}

uint32_t layers_line_number(const struct view_state *state, const struct scene *scene, struct layers_line line) {
    const struct profile *profile = scene->profile;
    struct opened opened[OPEN_MAX];
    uint32_t count = opened_by_place(state, scene, opened);
    uint32_t place = scene->shown->figures.place[state->layers.sort][line.layer], number = place;
    for (uint32_t i = 0; i < count && opened[i].place < place; i++)
        number += opened[i].below;
    if (line.op == NONE || !state_is_open(state, line.layer))
        return number;
    struct span ops = profile->layers[line.layer].ops;
    for (uint32_t i = 0; i < ops.count; i++) {
        uint32_t op = profile->index[ops.at + i];
        struct span outputs = profile->ops[op].outputs;
        number++;
        if (op == line.op) {
            for (uint32_t j = 0; line.tensor != NONE && j < outputs.count; j++)
                if (profile->index[outputs.at + j] == line.tensor)
                    return number + 1 + j;
            return number;
        }
        number += outputs.count;
    }
    return number;
}

uint32_t layers_visible(const struct view_state *state, const struct scene *scene) {
    struct panes panes = panes_make(state, scene->profile->layer_count);
    return panes.table.height > 1 ? (uint32_t)panes.table.height - 1 : 1;
}

bool layers_line_marked(const struct view_state *state, const struct scene *scene, struct layers_line line) {
    struct target range = state_target(state, scene);
    if (state->mark.kind == TARGET_NONE || range.kind == TARGET_NONE)
        return false;
    if (range.kind == TARGET_OPS)
        return line.op != NONE && line.op >= range.first && line.op <= range.last;
    uint32_t place = range.place != NULL ? range.place[line.layer] : line.layer;
    return range.kind == TARGET_LAYERS && place >= range.first && place <= range.last;
}
