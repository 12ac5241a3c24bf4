#include "view.h"

#include "draw.h"
#include "help.h"
#include "view_kind.h"

void view_draw(const struct view_state *state, const struct scene *scene, const struct theme *theme,
               struct grid *grid) {
    struct canvas canvas = {
        .state = state,
        .scene = scene,
        .model = scene->shown,
        .theme = theme,
        .grid = grid,
        .panes = panes_make(state, scene->profile->layer_count),
        .stale = state_stale(state, scene) ? CELL_STALE : 0,
    };
    if (canvas.model != NULL)
        canvas.related = related_to(canvas.model->timeline, &state->selection);
    grid->ascii = state->ascii;
    grid_clear(grid);
    if (state->help) { /* which has the whole screen */
        draw_help(&canvas);
        return;
    }
    draw_header(&canvas);
    draw_knobs(&canvas);
    bool own = state->view == VIEW_WHATIF /* which has plans of its own */ ||
               (state->view == VIEW_PROBLEMS && scene->latest != NULL); /* which tells why none fits */
    if (canvas.model != NULL || own) {
        VIEW_KINDS[state->view].draw(&canvas);
    } else {
        draw_nothing_yet(&canvas);
    }
    draw_lesson_marks(&canvas);
    draw_lesson(&canvas);
    draw_challenge(&canvas);
    draw_footer(&canvas);
    if (state->presets.open)
        draw_presets(&canvas);
    if (state->lesson.list)
        draw_lessons(&canvas);
    if (state->command.open)
        draw_command(&canvas);
}
