#include "layers_lines.h"

#include "layout.h"

/* An open layer and its place in the order of the table. */
struct opened {
    uint32_t place, layer, below;
};

/* The open layers by place. Returns how many. */
static uint32_t opened_by_place(const struct view_state *state, const struct scene *scene, struct opened out[OPEN_MAX]) {
    const uint32_t *place = scene->shown->figures.place[state->layers.sort];
    for (uint32_t i = 0; i < state->open_count; i++) {
        uint32_t layer = state->open[i], at = i;
        struct opened opened = { place[layer], layer, scene->shown->figures.lines[layer] };
        for (; at > 0 && out[at - 1].place > opened.place; at--)
            out[at] = out[at - 1];
        out[at] = opened;
    }
    return state->open_count;
}

uint32_t layers_line_count(const struct view_state *state, const struct scene *scene) {
    uint32_t lines = scene->profile->layer_count;
    for (uint32_t i = 0; i < state->open_count; i++)
        lines += scene->shown->figures.lines[state->open[i]];
    return lines;
}

/* The N-th line below LAYER's own, from 1 on: of the last op that does not come later. */
static struct layers_line line_below(const struct view_model *model, uint32_t layer, uint32_t n) {
    const struct profile *profile = model->profile;
    const struct span ops = profile->layers[layer].ops;
    const uint32_t *op_line = model->figures.op_line;
    uint32_t low = 0, high = ops.count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (op_line[profile->index[ops.at + middle]] <= n)
            low = middle;
        else
            high = middle;
    }
    const uint32_t op = profile->index[ops.at + low], behind = n - op_line[op];
    return (struct layers_line){ layer, op, behind > 0 ? profile->index[profile->ops[op].outputs.at + behind - 1] : NONE };
}

struct layers_line layers_line_at(const struct view_state *state, const struct scene *scene, uint32_t n) {
    struct opened opened[OPEN_MAX];
    uint32_t count = opened_by_place(state, scene, opened), extra = 0; /* lines below open layers further up */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = opened[i].place + extra;
        if (n <= own)
            break;
        if (n <= own + opened[i].below)
            return line_below(scene->shown, opened[i].layer, n - own);
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
    if (line.op >= profile->op_count || profile->ops[line.op].layer != line.layer || !state_is_open(state, line.layer))
        return number;
    const struct span outputs = profile->ops[line.op].outputs;
    number += scene->shown->figures.op_line[line.op];
    for (uint32_t i = 0; line.tensor != NONE && i < outputs.count; i++)
        if (profile->index[outputs.at + i] == line.tensor)
            return number + 1 + i;
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
