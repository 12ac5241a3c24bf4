/* report_diff: see report_diff.h. */
#include "report_diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_parts.h"

#define FIGURE_COLUMNS 13
#define NAMES_MOST 6    /* tensors that a line of changes names */
#define LAYERS_MOST 12  /* layers whose time is shown */
#define SLICES 16       /* of the step, in which memory is compared */
#define BAR_COLUMNS 24

/* ---- text: figures ------------------------------------------------------------------------------------------------------ */

static struct unit_text show_figure(enum figure_kind kind, double value) {
    if (isnan(value))
        return (struct unit_text){ "-" };
    switch (kind) {
    case FIGURE_TIME: return show_time(value);
    case FIGURE_SHARE: return show_percent(value);
    default: return show_bytes(value < 0x1p63 ? (uint64_t)value : BYTES_UNLIMITED);
    }
}

static struct unit_text show_change(enum figure_kind kind, double change) {
    struct unit_text text = { "-" };
    if (isnan(change))
        return text;
    switch (kind) {
    case FIGURE_TIME: return show_time_change(change);
    case FIGURE_SHARE:
        snprintf(text.text, sizeof text.text, "%+.2f%%", change * 100);
        return text;
    default: return show_bytes_change(change);
    }
}

/* The change as a share of A, where that says something. */
static void put_share(struct buffer *out, enum figure_kind kind, double a, double b) {
    if (kind != FIGURE_SHARE && a > 0 && isfinite(b) && fabs(b - a) > 1e-9 * a)
        buffer_printf(out, "  (%+.1f%%)", (b - a) / a * 100);
}

static void put_figures(struct buffer *out, const struct difference *d) {
    buffer_printf(out, "\n%-*s%*s%*s%*s\n", LABEL_COLUMNS, "", FIGURE_COLUMNS, "A", FIGURE_COLUMNS, "B", FIGURE_COLUMNS,
                  "B - A");
    for (int i = 0; i < DIFFERENCE_FIGURE_COUNT; i++) {
        const enum figure_kind kind = DIFFERENCE_FIGURE[i].kind;
        const double a = d->figure[i][0], b = d->figure[i][1];
        report_label(out, DIFFERENCE_FIGURE[i].label);
        buffer_printf(out, "%*s%*s%*s", FIGURE_COLUMNS, show_figure(kind, a).text, FIGURE_COLUMNS,
                      show_figure(kind, b).text, FIGURE_COLUMNS, show_change(kind, b - a).text);
        put_share(out, kind, a, b);
        buffer_text(out, "\n");
    }
}

/* ---- text: time --------------------------------------------------------------------------------------------------------- */

static void put_time_line(struct buffer *out, double a, double b, const char *words) {
    buffer_printf(out, "%*s%*s%*s  %s\n", LABEL_COLUMNS + FIGURE_COLUMNS, show_time(a).text, FIGURE_COLUMNS,
                  show_time(b).text, FIGURE_COLUMNS, show_time_change(b - a).text, words);
}

static void put_times(struct buffer *out, const struct difference *d) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    buffer_text(out, "\nwhere the time went\n");
    put_time_line(out, d->figure[DIFFERENCE_RECOMPUTE][0], d->figure[DIFFERENCE_RECOMPUTE][1], "recompute");
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
        if (d->stall_us[reason][0] > 0 || d->stall_us[reason][1] > 0)
            put_time_line(out, d->stall_us[reason][0], d->stall_us[reason][1], STALL_REASON_WORDS[reason]);
    if (d->time_count > 0)
        buffer_text(out, "\nby layer\n");
    for (uint32_t i = 0; i < d->time_count && i < LAYERS_MOST; i++) {
        const struct layer_time *time = &d->times[i];
        char words[sizeof(struct shown) + 2 * UNIT_TEXT + 32];
        snprintf(words, sizeof words, "%s: recompute %s, stall %s", show_name(profile->layers[time->layer].name).text,
                 show_time_change(time->recompute_us[1] - time->recompute_us[0]).text,
                 show_time_change(time->stall_us[1] - time->stall_us[0]).text);
        put_time_line(out, time->recompute_us[0] + time->stall_us[0], time->recompute_us[1] + time->stall_us[1], words);
    }
    if (d->time_count > LAYERS_MOST)
        buffer_printf(out, "%*s  and %u more layers with smaller changes\n", LABEL_COLUMNS + 3 * FIGURE_COLUMNS, "",
                      (unsigned)(d->time_count - LAYERS_MOST));
}

/* ---- text: actions ------------------------------------------------------------------------------------------------------ */

static void put_distance(struct buffer *out, uint32_t distance) {
    if (distance == PREFETCH_ANY)
        buffer_text(out, "any");
    else
        buffer_printf(out, "%u", (unsigned)distance);
}

/* The tensors of LAYER that went FROM one action TO another, on one line. */
static void put_transition(struct buffer *out, const struct difference *d, const struct changed_layer *layer, int from,
                           int to, const char *name) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    uint64_t bytes = 0;
    uint32_t count = 0, shown = 0;
    for (uint32_t i = layer->at; i < layer->at + layer->count; i++) {
        if (d->changes[i].from != from || d->changes[i].to != to)
            continue;
        bytes += profile->tensors[d->changes[i].tensor].bytes;
        count++;
    }
    if (count == 0)
        return;
    buffer_printf(out, "  %-*s%s -> %s, %s in %u: ", LABEL_COLUMNS - 2, name, ACTION_NAME[from], ACTION_NAME[to],
                  show_bytes(bytes).text, (unsigned)count);
    for (uint32_t i = layer->at; i < layer->at + layer->count; i++) {
        const struct changed_tensor *change = &d->changes[i];
        if (change->from != from || change->to != to || shown++ >= NAMES_MOST)
            continue;
        buffer_printf(out, "%s%s", shown > 1 ? ", " : "", show_name(profile->tensors[change->tensor].name).text);
        if (change->prefetch_from != change->prefetch_to) {
            buffer_text(out, " (distance ");
            put_distance(out, change->prefetch_from);
            buffer_text(out, " -> ");
            put_distance(out, change->prefetch_to);
            buffer_text(out, ")");
        }
    }
    if (count > NAMES_MOST)
        buffer_printf(out, " and %u more", (unsigned)(count - NAMES_MOST));
    buffer_text(out, "\n");
}

static void put_changes(struct buffer *out, const struct difference *d) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    if (!difference_found(d)) {
        buffer_text(out, "\nactions: the two plans are the same\n");
        return;
    }
    buffer_printf(out, "\nactions: %u of %u tensors changed, in %u layer%s\n", (unsigned)d->change_count,
                  (unsigned)profile->managed_count, (unsigned)d->layer_count, plural(d->layer_count));
    for (uint32_t i = 0; i < d->layer_count; i++) {
        const struct shown name = show_name(profile->layers[d->layers[i].layer].name);
        for (int from = 0; from < ACTION_COUNT; from++)
            for (int to = 0; to < ACTION_COUNT; to++)
                put_transition(out, d, &d->layers[i], from, to, name.text);
    }
}

/* ---- text: memory ------------------------------------------------------------------------------------------------------- */

static double longer_step(const struct difference *d) {
    return fmax(d->outcome[0]->timeline.end_us, d->outcome[1]->timeline.end_us);
}

static void put_spot(struct buffer *out, const struct memory_pair *pair, const char *which) {
    buffer_printf(out, "  B uses %s %s at %.3f ms: %s against %s\n", show_bytes_change((double)memory_change(pair)).text,
                  which, pair->at_us / 1e3, show_bytes(pair->used[1]).text, show_bytes(pair->used[0]).text);
}

static void put_memory(struct buffer *out, const struct difference *d) {
    const double end = longer_step(d);
    const double most = (double)memory_change(&d->memory[d->most]), least = (double)memory_change(&d->memory[d->least]);
    const double scale = fmax(most, -least);
    uint32_t spot = 0;
    if (!(scale > 0)) {
        buffer_text(out, "\nmemory: the same all the time\n");
        return;
    }
    buffer_text(out, "\nmemory over time: the largest difference in each slice of the step\n");
    for (int i = 0; i < SLICES; i++) {
        const double from = end * i / SLICES, to = end * (i + 1) / SLICES;
        const struct memory_pair *pair = difference_memory(d, from, to, &spot);
        const double change = (double)memory_change(pair);
        char bar[BAR_COLUMNS + 1];
        const int length = (int)ceil(fabs(change) / scale * BAR_COLUMNS - 1e-9);
        memset(bar, change > 0 ? '+' : '-', (size_t)length);
        bar[length] = '\0';
        buffer_printf(out, "  %9.3f ms%*s%*s%*s  %s\n", from / 1e3, FIGURE_COLUMNS + 1, show_bytes(pair->used[0]).text,
                      FIGURE_COLUMNS, show_bytes(pair->used[1]).text, FIGURE_COLUMNS, show_bytes_change(change).text, bar);
    }
    if (most > 0)
        put_spot(out, &d->memory[d->most], "at most");
    if (least < 0)
        put_spot(out, &d->memory[d->least], "at least");
}

/* ---- text: the sides ------------------------------------------------------------------------------------------------------ */

static void put_side(struct buffer *out, const char *letter, const struct outcome *outcome, const struct diff_side *side) {
    const struct link *link = &outcome->link;
    report_label(out, letter);
    buffer_printf(out, "%s", show_name(side->name).text);
    if (strcmp(side->name, outcome->planner_name) != 0)
        buffer_printf(out, ", by %s", show_name(outcome->planner_name).text);
    buffer_printf(out, "; budget %s, H2D %s, D2H %s", show_bytes(outcome->timeline.budget_bytes).text,
                  show_rate(link->h2d_gb_per_s).text, show_rate(link->d2h_gb_per_s).text);
    if (link->h2d_both_gb_per_s < link->h2d_gb_per_s || link->d2h_both_gb_per_s < link->d2h_gb_per_s)
        buffer_printf(out, " (at once %s, %s)", show_rate(link->h2d_both_gb_per_s).text,
                      show_rate(link->d2h_both_gb_per_s).text);
    buffer_printf(out, ", latency %s\n", show_time(link->latency_us).text);
    if (outcome_feasible(outcome))
        return;
    report_label(out, "");
    if (outcome->timeline.totals.feasible)
        buffer_printf(out, "does not fit: pins %s of host memory, more than allowed\n",
                      show_bytes(outcome->timeline.totals.host_peak_bytes).text);
    else
        buffer_printf(out, "does not fit: needs %s at %s\n", show_bytes(outcome->timeline.totals.required_bytes).text,
                      show_step(&outcome->timeline, outcome->timeline.totals.required_step).text);
}

void diff_text(struct buffer *out, const struct difference *difference, const struct diff_side sides[2]) {
    report_profile(out, difference->outcome[0]->timeline.profile);
    put_side(out, "A", difference->outcome[0], &sides[0]);
    put_side(out, "B", difference->outcome[1], &sides[1]);
    put_figures(out, difference);
    if (difference->timed)
        put_times(out, difference);
    put_changes(out, difference);
    if (difference->timed)
        put_memory(out, difference);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static void put_pair(struct json_writer *writer, const char *key, double a, double b) {
    json_open_object(writer, key, JSON_INLINE);
    json_put_number(writer, "a", a);
    json_put_number(writer, "b", b);
    json_put_number(writer, "change", b - a);
    json_end(writer);
}

static void json_times(struct json_writer *writer, const struct difference *d) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    json_open_object(writer, "time", JSON_LINES);
    put_pair(writer, "recompute_us", d->figure[DIFFERENCE_RECOMPUTE][0], d->figure[DIFFERENCE_RECOMPUTE][1]);
    json_open_object(writer, "stall_us", JSON_LINES);
    for (int reason = 0; reason < STALL_REASON_COUNT; reason++)
        put_pair(writer, STALL_REASON_NAME[reason], d->stall_us[reason][0], d->stall_us[reason][1]);
    json_end(writer);
    json_open_array(writer, "layers", JSON_LINES);
    for (uint32_t i = 0; i < d->time_count; i++) {
        const struct layer_time *time = &d->times[i];
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_text(writer, "layer", profile->layers[time->layer].name);
        put_pair(writer, "recompute_us", time->recompute_us[0], time->recompute_us[1]);
        put_pair(writer, "stall_us", time->stall_us[0], time->stall_us[1]);
        json_end(writer);
    }
    json_end(writer);
    json_end(writer);
}

static void put_json_distance(struct json_writer *writer, const char *key, uint32_t distance) {
    if (distance == PREFETCH_ANY)
        json_put_null(writer, key);
    else
        json_put_whole(writer, key, distance);
}

static void json_change(struct json_writer *writer, const struct profile *profile, const struct changed_tensor *change) {
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "tensor", profile->tensors[change->tensor].name);
    json_put_whole(writer, "bytes", profile->tensors[change->tensor].bytes);
    json_put_text(writer, "a", ACTION_NAME[change->from]);
    json_put_text(writer, "b", ACTION_NAME[change->to]);
    if (change->prefetch_from != change->prefetch_to) {
        put_json_distance(writer, "a_prefetch", change->prefetch_from);
        put_json_distance(writer, "b_prefetch", change->prefetch_to);
    }
    json_end(writer);
}

static void json_changes(struct json_writer *writer, const struct difference *d) {
    const struct profile *profile = d->outcome[0]->timeline.profile;
    json_open_array(writer, "changed", JSON_LINES);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        const struct changed_layer *layer = &d->layers[i];
        json_open_object(writer, NULL, JSON_LINES);
        json_put_text(writer, "layer", profile->layers[layer->layer].name);
        json_put_whole(writer, "bytes", layer->bytes);
        json_open_array(writer, "tensors", JSON_LINES);
        for (uint32_t k = 0; k < layer->count; k++)
            json_change(writer, profile, &d->changes[layer->at + k]);
        json_end(writer);
        json_end(writer);
    }
    json_end(writer);
}

static void json_memory(struct json_writer *writer, const struct difference *d) {
    json_open_array(writer, "memory", JSON_LINES);
    for (uint32_t i = 0; i < d->memory_count; i++) {
        const struct memory_pair *pair = &d->memory[i];
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_number(writer, "at_us", pair->at_us);
        json_put_whole(writer, "a_bytes", pair->used[0]);
        json_put_whole(writer, "b_bytes", pair->used[1]);
        json_put_number(writer, "change_bytes", (double)memory_change(pair));
        json_end(writer);
    }
    json_end(writer);
}

void diff_json(struct buffer *out, const struct difference *difference, const struct diff_side sides[2]) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_LINES);
    json_put_text(&writer, "schema", DIFF_SCHEMA);
    json_put_text(&writer, "a_name", sides[0].name);
    json_put_text(&writer, "b_name", sides[1].name);
    json_put_bool(&writer, "differ", difference_found(difference));
    report_json_put(&writer, "a", difference->outcome[0], sides[0].extras);
    report_json_put(&writer, "b", difference->outcome[1], sides[1].extras);
    json_open_object(&writer, "figures", JSON_LINES);
    for (int i = 0; i < DIFFERENCE_FIGURE_COUNT; i++)
        put_pair(&writer, DIFFERENCE_FIGURE[i].name, difference->figure[i][0], difference->figure[i][1]);
    json_end(&writer);
    if (difference->timed)
        json_times(&writer, difference);
    json_changes(&writer, difference);
    if (difference->timed)
        json_memory(&writer, difference);
    json_end(&writer);
}
