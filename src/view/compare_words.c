/* compare_words: see compare_words.h. */
#include "compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "symbol.h"
#include "text.h"

/* ---- a side ---- */

char *compare_side_words(const struct view_state *state, const struct scene *scene, const struct compare_answer *answer,
                         int side, char *text, size_t size) {
    const struct compare_choice *choice = &state->compare.side[side];
    size_t used = 0;
    switch (choice->what) {
    case COMPARE_PLANNER: snprintf(text, size, "planner %s", PLANNERS[choice->which].name); return text;
    case COMPARE_FILE: used = (size_t)snprintf(text, size, "the plan of %s", state->compare.file[choice->which].name); break;
    case COMPARE_PINNED: used = (size_t)snprintf(text, size, "the pinned plan"); break;
    default: used = (size_t)snprintf(text, size, "the current plan"); break;
    }
    if (answer != NULL && used < size)
        snprintf(text + used, size - used, ", by %.40s", choice->what == COMPARE_CURRENT ? scene->latest->planner_name
                                                                                         : answer->outcome[side].planner_name);
    return text;
}

char *compare_side_note(const struct view_state *state, const struct compare_answer *answer, int side, int columns,
                        char *text, size_t size) {
    const struct compare_choice *choice = &state->compare.side[side];
    const struct outcome *outcome = &answer->outcome[side];
    char budget[UNIT_TEXT], rate[UNIT_TEXT], step[UNIT_TEXT] = "";
    const char *link = choice->link > 0 ? LINKS[choice->link - 1].link.name : "";
    const char *device = choice->device > 0 ? GPUS[choice->device - 1].name : "";
    format_bytes(budget, outcome->timeline.budget_bytes);
    format_rate(rate, outcome->link.h2d_gb_per_s);
    if (outcome->timeline.totals.feasible)
        format_time(step, outcome->timeline.totals.step_us);
    for (int dropped = 0; dropped < 3; dropped++) {
        snprintf(text, size, "%s%s%s%s%s%s%s%s%s", dropped < 1 ? budget : "", dropped < 1 ? "  " : "", link,
                 link[0] != '\0' && dropped < 2 ? " " : "", dropped < 2 || link[0] == '\0' ? rate : "",
                 device[0] != '\0' ? "  " : "", device, step[0] != '\0' ? "  " : "", step);
        if (text_width(text) <= columns)
            break;
    }
    return text;
}

/* ---- totals ---- */

static void figure_words(char text[UNIT_TEXT], enum figure_kind kind, double value) {
    if (isnan(value))
        snprintf(text, UNIT_TEXT, "-");
    else if (kind == FIGURE_TIME)
        format_time(text, value);
    else if (kind == FIGURE_SHARE)
        format_percent(text, value);
    else
        format_bytes(text, value < 0x1p63 ? (uint64_t)value : BYTES_UNLIMITED);
}

static void change_words(char text[UNIT_TEXT], enum figure_kind kind, double change) {
    if (isnan(change))
        snprintf(text, UNIT_TEXT, "-");
    else if (kind == FIGURE_TIME)
        format_time_change(text, change);
    else if (kind == FIGURE_SHARE)
        snprintf(text, UNIT_TEXT, fabs(change) < 5e-5 ? "0" : "%+.2f%%", change * 100);
    else
        format_bytes_change(text, change);
}

/* Little screens show no more than the first few. */
static const enum difference_figure FIGURES[] = {
    DIFFERENCE_STEP, DIFFERENCE_STALL, DIFFERENCE_RECOMPUTE, DIFFERENCE_PEAK, DIFFERENCE_HOST, DIFFERENCE_GAP,
    DIFFERENCE_THROUGHPUT, DIFFERENCE_OFFLOAD, DIFFERENCE_RECOMPUTED, DIFFERENCE_KEEP, DIFFERENCE_D2H, DIFFERENCE_H2D,
    DIFFERENCE_REQUIRED, DIFFERENCE_BUDGET, DIFFERENCE_BOUND,
};
#define FIGURE_ROWS (uint32_t)(sizeof FIGURES / sizeof *FIGURES)

/* What compute waited for, in eleven columns at most. */
static const char *const STALL_LABEL[STALL_REASON_COUNT] = {
    [STALL_FOR_LANE] = "wait: lane",      [STALL_FOR_ROOM] = "wait: room", [STALL_FOR_DISTANCE] = "wait: dist.",
    [STALL_FOR_OWN_D2H] = "wait: D2H",    [STALL_FOR_TRANSFER] = "wait: H2D", [STALL_FOR_D2H] = "room: D2H",
};

static void make_row(struct compare_row *out, const char *label, enum figure_kind kind, const double value[2]) {
    out->label = label;
    figure_words(out->text[0], kind, value[0]);
    figure_words(out->text[1], kind, value[1]);
    change_words(out->text[2], kind, value[1] - value[0]);
}

bool compare_row_at(const struct difference *difference, uint32_t n, struct compare_row *out) {
    if (n < FIGURE_ROWS) {
        const struct figure_entry *entry = &DIFFERENCE_FIGURE[FIGURES[n]];
        make_row(out, entry->label, entry->kind, difference->figure[FIGURES[n]]);
        return true;
    }
    n -= FIGURE_ROWS;
    for (int reason = 0; reason < STALL_REASON_COUNT && difference->timed; reason++) {
        const double *stall_us = difference->stall_us[reason];
        if (!(stall_us[0] > 0 || stall_us[1] > 0) || n-- > 0)
            continue;
        make_row(out, STALL_LABEL[reason], FIGURE_TIME, stall_us);
        return true;
    }
    return false;
}

/* ---- memory, and actions ---- */

char *compare_memory_words(const struct difference *difference, char *text, size_t size) {
    const struct memory_pair *most = &difference->memory[difference->most], *least = &difference->memory[difference->least];
    char a[UNIT_TEXT], b[UNIT_TEXT];
    if (memory_change(most) == 0 && memory_change(least) == 0)
        snprintf(text, size, "memory: the same all the time");
    else
        snprintf(text, size, "memory, B - A: at most %s at %.1f ms, at least %s at %.1f ms",
                 format_bytes_change(a, (double)memory_change(most)), most->at_us / 1e3,
                 format_bytes_change(b, (double)memory_change(least)), least->at_us / 1e3);
    return text;
}

#define MORE ", .."

/* The tensors of LAYER that went FROM one action TO another: "keep→offload 62.5 MiB (fc1, gelu)". */
static void add_transition(const struct profile *profile, const struct difference *d, const struct changed_layer *layer,
                           int from, int to, bool ascii, char *text, size_t size) {
    const char *prefix = profile->layers[layer->layer].name;
    uint64_t bytes = 0;
    char names[160] = "", unit[UNIT_TEXT];
    unsigned count = 0;
    bool cut = false;
    for (uint32_t i = layer->at; i < layer->at + layer->count; i++) {
        const struct changed_tensor *change = &d->changes[i];
        const char *name = profile->tensors[change->tensor].name;
        const size_t length = strlen(prefix);
        if (change->from != from || change->to != to)
            continue;
        if (strncmp(name, prefix, length) == 0 && name[length] == '.')
            name += length + 1;
        bytes += profile->tensors[change->tensor].bytes;
        cut = cut || strlen(names) + strlen(name) + sizeof MORE > sizeof names;
        if (!cut)
            strcat(strcat(names, count > 0 ? ", " : ""), name);
        count++;
    }
    if (count > 0)
        snprintf(text + strlen(text), size - strlen(text), "%s%s%s%s %s (%s%s)", text[0] != '\0' ? "; " : "", ACTION_NAME[from],
                 from == to ? " sooner or later," : symbol_text(SYMBOL_BECOMES, ascii), from == to ? "" : ACTION_NAME[to],
                 format_bytes(unit, bytes), names, cut ? MORE : "");
}

char *compare_change_words(const struct scene *scene, const struct difference *difference, const struct changed_layer *layer,
                           bool ascii, char *text, size_t size) {
    text[0] = '\0';
    for (int from = 0; from < ACTION_COUNT; from++)
        for (int to = 0; to < ACTION_COUNT; to++)
            add_transition(scene->profile, difference, layer, from, to, ascii, text, size);
    return text;
}
