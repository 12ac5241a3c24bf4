/* The inspector, with totals and legend beside it. */
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "draw.h"
#include "inspect.h"
#include "text.h"
#include "voice.h"
#include "wrap.h"

/* "stall 3 of 17" when the selected step is one that waited. */
static const char *stall_number(const struct timeline *timeline, const struct selection *selection, char *text,
                                size_t size) {
    const struct stall *stall = selection->exists && selection->event.lane == LANE_COMPUTE
                                    ? timeline_stall_of(timeline, selection->event.index)
                                    : NULL;
    text[0] = '\0';
    if (stall != NULL)
        snprintf(text, size, "stall %u of %u", (unsigned)(stall - timeline->stalls) + 1,
                 (unsigned)timeline->stall_count);
    return text;
}

/* Line I of TEXT; where the last one in sight goes on, an ellipsis says so. */
static void draw_line(const struct canvas *canvas, struct rect rect, int y, const struct inspect_text *text, int i) {
    const struct inspect_line *line = &text->line[i];
    const bool goes_on = y + 1 == rect.height && i + 1 < text->count && line[1].label[0] == '\0';
    char cut[INSPECT_BYTES];
    if (goes_on)
        wrap_cut(cut, sizeof cut, line->text, rect.width - INSPECT_LABEL, canvas_symbol(canvas, SYMBOL_MORE));
    canvas_text(canvas, rect, 0, y, line->label, plain(ROLE_DIM));
    canvas_text(canvas, rect, INSPECT_LABEL, y, goes_on ? cut : line->text, plain(ROLE_TEXT));
}

void draw_inspector(const struct canvas *canvas) {
    const struct view_state *state = canvas->state;
    struct rect rect = canvas->panes.inspector;
    const struct timeline *timeline = canvas->model->timeline;
    struct inspect_text text;
    struct words title;
    char number[48];
    if (rect.height < 1)
        return;
    words_start(&title, screen_voice(state->ascii));
    if (state->selection.exists)
        words_title(&title, timeline, state->selection.event);
    else
        words_add(&title, "nothing selected");
    stall_number(timeline, &state->selection, number, sizeof number);
    canvas_title(canvas, rect, title.text, number, state->pane == PANE_INSPECTOR,
               number[0] != '\0' ? ROLE_BAD : ROLE_TITLE);
    if (rect.height < 2)
        return;
    inspect_lines(state, canvas->scene, rect.width - 1, &text);
    for (int y = 1; y < rect.height; y++) {
        int i = state->inspector_scroll + y - 1;
        if (i >= text.count)
            break;
        draw_line(canvas, rect, y, &text, i);
    }
}

/* "label ……… 5.37 GiB" on line Y of RECT. */
static void total(const struct canvas *canvas, struct rect rect, int y, const char *label, uint64_t bytes) {
    char text[UNIT_TEXT];
    canvas_text(canvas, rect, 4, y, label, plain(ROLE_TEXT));
    canvas_text_right(canvas, rect, rect.width - 2, y, format_bytes(text, bytes), plain(ROLE_NUMBER));
}

void draw_totals(const struct canvas *canvas) {
    static const enum role ROLE[ACTION_COUNT] = { ROLE_KEPT, ROLE_D2H, ROLE_RECOMPUTE };
    struct rect rect = canvas->panes.totals;
    const struct limits *limits = &canvas->scene->limits;
    const struct sim_totals *totals = &canvas->model->timeline->totals;
    struct plan_mix mix = plan_mix(canvas->scene->profile, &canvas->model->timeline->plan);
    char text[96];
    int y = 1;
    if (rect.height < 2)
        return;
    canvas_title(canvas, rect, "the plan", "", false, ROLE_TITLE);
    for (int action = 0; action < ACTION_COUNT; action++, y++) {
        canvas_text(canvas, rect, 2, y, canvas_glyph(canvas, ROLE[action]), plain(ROLE[action]));
        snprintf(text, sizeof text, "%-9s %5u tensors", ACTION_NAME[action], (unsigned)mix.count[action]);
        total(canvas, rect, y, text, mix.bytes[action]);
    }
    total(canvas, rect, y++, "peak on the GPU", totals->peak_bytes);
    total(canvas, rect, y++, "peak on the host", totals->host_peak_bytes);
    total(canvas, rect, y++, "peak if all is kept", limits->unlimited_peak_bytes);
    total(canvas, rect, y++, "least budget of any plan", limits->least_bytes);
}

void draw_legend(const struct canvas *canvas) {
    struct rect rect = canvas->panes.legend;
    int y = 1;
    if (rect.height < 2)
        return;
    canvas_title(canvas, rect, "legend", "", false, ROLE_TITLE);
    for (int role = ROLE_FORWARD; role <= ROLE_STALL; role++) {
        if (y >= rect.height)
            return;
        canvas_text(canvas, rect, 2, y, canvas_glyph(canvas, (enum role)role), plain((enum role)role));
        canvas_text(canvas, rect, 4, y++, ROLE_WORDS[role], plain(ROLE_TEXT));
    }
}
