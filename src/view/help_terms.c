#include "help_terms.h"

#include <string.h>

#include "core/glossary.h"
#include "core/words.h"
#include "help_state.h"
#include "layout.h"
#include "view.h"

#define ROW_BYTES (GRID_MAX * 4 + 1)

static void add(struct help_state *out, uint32_t term) {
    for (uint8_t i = 0; i < out->count; i++)
        if (out->term[i] == term)
            return;
    if (term != TERM_NONE && out->count < HELP_TERMS)
        out->term[out->count++] = (uint8_t)term;
}

static void add_named(struct help_state *out, const char *name) {
    add(out, glossary_find(name, strlen(name)));
}

/* Columns FROM to TO (not included) of row Y as text. What lies before column *AT takes *BEFORE bytes; AT NULL: not asked. */
static void row_text(const struct grid *grid, int from, int to, int y, char text[ROW_BYTES], int at, size_t *before) {
    size_t length = 0;
    for (int x = from; x < to && length + CELL_BYTES < ROW_BYTES; x++) {
        const struct cell *cell = grid_at(grid, x, y);
        if (x == at)
            *before = length;
        memcpy(text + length, cell->text, cell->length);
        length += cell->length;
    }
    text[length] = '\0';
}

static void add_rect(const struct grid *grid, struct rect rect, struct help_state *out) {
    char text[ROW_BYTES];
    rect = rect_intersect(rect, grid_rect(grid));
    for (int y = rect.y; y < rect.y + rect.height && out->count < HELP_TERMS; y++) {
        size_t at = 0, length, none;
        row_text(grid, rect.x, rect.x + rect.width, y, text, -1, &none);
        for (uint32_t term; (term = glossary_next(text, &at, &length)) != TERM_NONE; at += length)
            add(out, term);
    }
}

/* What is selected is an event, which nobody reads on the screen. */
static void add_selection(const struct view_state *state, const struct scene *scene, struct help_state *out) {
    const struct selection *selection = &state->selection;
    if (!selection->exists || scene->shown == NULL || state->view != VIEW_TIMELINE)
        return;
    if (selection->event.lane != LANE_COMPUTE) {
        add_named(out, selection->event.lane == LANE_D2H ? "D2H" : "H2D");
        return;
    }
    if (timeline_stall_of(scene->shown->timeline, selection->event.index) != NULL)
        add_named(out, "stall");
    add_named(out, STEP_WORD[selection->kind]);
}

static struct rect focused(const struct view_state *state, const struct panes *panes) {
    if (state->view != VIEW_TIMELINE)
        return panes->body;
    return state->pane == PANE_ENGINES ? panes->engines
           : state->pane == PANE_LAYERS ? panes->layers
           : state->pane == PANE_MEMORY ? panes->memory
                                        : panes->inspector;
}

void help_terms_of_screen(const struct view_state *state, const struct scene *scene, struct help_state *out) {
    struct view_state beneath = *state;
    struct grid grid = { 0 };
    *out = (struct help_state){ .count = 0 };
    beneath.help = beneath.command.open = false;
    if (!grid_resize(&grid, state->width, state->height))
        return;
    view_draw(&beneath, scene, &THEME_DEFAULT, &grid);
    struct panes panes = panes_make(&beneath, scene->profile->layer_count);
    const struct rect order[] = { focused(&beneath, &panes), panes.inspector, panes.body, panes.header, panes.knobs };
    add_selection(&beneath, scene, out);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        add_rect(&grid, order[i], out);
    grid_free(&grid);
}

void help_terms_about(uint32_t term, struct help_state *out) {
    *out = (struct help_state){ .asked = true };
    add(out, term);
    for (uint32_t n = 0, related; (related = glossary_related(term, n)) != TERM_NONE; n++)
        add(out, related);
}

bool help_terms_at(const struct grid *grid, int x, int y, struct help_state *out) {
    char text[ROW_BYTES];
    size_t at = 0, length, pointed = 0;
    *out = (struct help_state){ .asked = true };
    if (!grid_has(grid, x, y))
        return false;
    row_text(grid, 0, grid->width, y, text, x, &pointed);
    for (uint32_t term; (term = glossary_next(text, &at, &length)) != TERM_NONE; at += length) {
        if (at <= pointed && pointed < at + length) {
            help_terms_about(term, out);
            return true;
        }
        add(out, term);
    }
    return out->count > 0;
}
