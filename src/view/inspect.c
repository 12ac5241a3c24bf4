#include "inspect.h"

#include <string.h>

#include "core/units.h"
#include "core/words.h"
#include "live.h"
#include "prices.h"
#include "text.h"
#include "view_problems.h"
#include "voice.h"
#include "wrap.h"

#define CHAIN_LINKS 16
#define NARROW 100 /* columns below which the inspector has few lines, too */

static void add_paragraph(struct inspect_text *out, const char *label, const char *text, int width) {
    int columns = width - INSPECT_LABEL;
    columns = columns < 8 ? 8 : columns > INSPECT_WIDTH ? INSPECT_WIDTH : columns;
    do {
        if (out->count == INSPECT_LINES)
            return;
        size_t length = wrap_line(text, columns, INSPECT_BYTES - 1);
        struct inspect_line *line = &out->line[out->count++];
        line->label = label;
        memcpy(line->text, text, length);
        line->text[length] = '\0';
        text += length;
        label = "";
    } while (*text != '\0');
}

static void add_change(struct words *words, const char *what, const char *change) {
    const bool same = strcmp(change, "0") == 0;
    words_add(words, same ? "%s%s" : "%s %s", same ? "same " : what, same ? what : change);
}

/* "K keep: step +1.2 ms, peak +3 MiB", and so on for each action. */
static void words_price(struct words *words, const struct price *price, enum action action, bool known) {
    static const char KEY[ACTION_COUNT] = { 'K', 'O', 'R' };
    char text[UNIT_TEXT];
    words_add(words, "%s%c %s: ", action == ACTION_KEEP ? "" : "; ", KEY[action], ACTION_NAME[action]);
    if (!known) {
        words_add(words, "%s", words->voice->more);
    } else if (price->changed == 0) {
        words_add(words, "%s", price->refused > 0 ? "can't be" : "as it is");
    } else if (!price->feasible) {
        words_add(words, "does not fit, needs %s", format_bytes(text, price->required_bytes));
    } else {
        add_change(words, "step", format_time_change(text, price->step_us));
        words_add(words, ", ");
        add_change(words, "peak", format_bytes_change(text, price->peak_bytes));
    }
}

/* What each action would make of the selection, simulated. */
static void inspect_prices(const struct view_state *state, const struct scene *scene, int width, struct inspect_text *out) {
    const struct prices *prices = prices_shown(state, scene);
    char target[TARGET_WORDS];
    struct words words;
    if (!prices_apply(state, scene))
        return;
    words_start(&words, screen_voice(state->ascii));
    words_add(&words, "%s ", target_words(scene->profile, state_target(state, scene), state->ascii, target));
    words_add(&words, "%s ", words.voice->dash);
    for (int action = 0; action < ACTION_COUNT; action++)
        words_price(&words, prices != NULL ? &prices->action[action] : NULL, (enum action)action, prices != NULL);
    add_paragraph(out, "price", words.text, width);
}

/* A fix with its number: "M-1 PCIe ≥ 27.5 GB/s: -534 us". */
static void say_remedy(struct words *words, const struct view_state *state, const struct scene *scene,
                       const struct remedy *remedy, uint32_t n, int width) {
    words_start(words, screen_voice(state->ascii));
    words_add(words, "M-%u ", (unsigned)n + 1);
    words_remedy(words, scene->profile, remedy);
    words_add(words, ": ");
    words_gain(words, &remedy->fix, remedy->gains);
    if (width >= NARROW)
        words_peak_change(words, &remedy->fix);
}

/* As many on a line as fit whole. */
static void add_fixes(struct inspect_text *out, const struct view_state *state, const struct scene *scene, int width) {
    bool looking;
    const struct remedies *remedies = remedies_shown(state, scene, &looking);
    struct words line, one;
    const char *label = "fix";
    words_start(&line, screen_voice(state->ascii));
    if (looking)
        words_add(&line, "%s", screen_voice(state->ascii)->more);
    for (uint32_t i = 0; remedies != NULL && i < remedies->count; i++) {
        say_remedy(&one, state, scene, &remedies->remedy[i], i, width);
        if (line.length > 0 && text_width(line.text) + 2 + text_width(one.text) > width - INSPECT_LABEL) {
            add_paragraph(out, label, line.text, width);
            label = "";
            words_start(&line, screen_voice(state->ascii));
        }
        words_add(&line, "%s%s", line.length > 0 ? "  " : "", one.text);
    }
    if (line.length > 0)
        add_paragraph(out, label, line.text, width);
}

static void inspect_step(const struct view_state *state, const struct scene *scene, int width,
                         struct inspect_text *out) {
    const struct timeline *timeline = scene->shown->timeline;
    uint32_t step = state->selection.event.index;
    bool ascii = state->ascii;
    const struct profile *profile = timeline->profile;
    const struct op *op = &profile->ops[timeline->schedule.op[step]];
    const bool waits = timeline_stall_of(timeline, step) != NULL; /* then why, and what helps, is what matters */
    struct event event = { LANE_COMPUTE, step };
    struct words words, when;
    words_start(&when, screen_voice(ascii));
    words_when(&when, timeline, event);
    words_name(&when, "; layer ", profile->layers[op->layer].name, "");
    if (op->kind[0] != '\0')
        words_name(&when, ", kind ", op->kind, "");
    if (!waits)
        add_paragraph(out, "when", when.text, width);
    if (waits && width < NARROW) /* there are but three lines in sight */
        add_fixes(out, state, scene, width);
    words_start(&words, screen_voice(ascii));
    words_why(&words, timeline, event);
    add_paragraph(out, "why", words.text, width);
    if (waits && width >= NARROW)
        add_fixes(out, state, scene, width);
    if (waits)
        add_paragraph(out, "when", when.text, width);
    inspect_prices(state, scene, width, out);
    words_start(&words, screen_voice(ascii));
    words_chain(&words, timeline, event, CHAIN_LINKS);
    add_paragraph(out, "chain", words.text, width);
    words_start(&words, screen_voice(ascii));
    words_tensors(&words, timeline, step);
    add_paragraph(out, timeline->schedule.kind[step] == STEP_BACKWARD ? "reads" : "makes", words.text, width);
}

static void inspect_transfer(const struct view_state *state, const struct scene *scene, int width,
                             struct inspect_text *out) {
    const struct timeline *timeline = scene->shown->timeline;
    struct event event = state->selection.event;
    bool ascii = state->ascii;
    const struct timeline_transfer *transfer =
        event.lane == LANE_D2H ? &timeline->d2h[event.index] : &timeline->h2d[event.index];
    const struct tensor *tensor = &timeline->profile->tensors[transfer->tensor];
    double busy = transfer->end_us - transfer->start_us - timeline->link.latency_us;
    char text[UNIT_TEXT];
    struct words words;
    words_start(&words, screen_voice(ascii));
    words_add(&words, "%s, ", format_bytes(text, tensor->bytes));
    words_when(&words, timeline, event);
    if (busy > 0)
        words_add(&words, " at %s", format_rate(text, (double)tensor->bytes / busy / 1e3));
    add_paragraph(out, "when", words.text, width);
    words_start(&words, screen_voice(ascii));
    words_why(&words, timeline, event);
    add_paragraph(out, "why", words.text, width);
    inspect_prices(state, scene, width, out);
    words_start(&words, screen_voice(ascii));
    words_use(&words, timeline, event);
    add_paragraph(out, "use", words.text, width);
    words_start(&words, screen_voice(ascii));
    words_chain(&words, timeline, event, CHAIN_LINKS);
    add_paragraph(out, "chain", words.text, width);
}

/* "head.logits 393 MiB (gradient), …; 120 more: 4.1 GiB". */
static void inspect_live(const struct view_state *state, const struct scene *scene, int width, struct inspect_text *out) {
    static const char *const PART[PART_COUNT] = { "", " (gradient)", " (scratch)" };
    const struct live_set *set = live_shown(state, scene);
    char text[UNIT_TEXT];
    struct words words;
    if (set == NULL)
        return;
    words_start(&words, screen_voice(state->ascii));
    for (uint32_t i = 0; i < set->shown; i++) {
        const struct resident *resident = &set->largest[i];
        const char *name = resident->tensor == NONE ? "workspace" : scene->profile->tensors[resident->tensor].name;
        words_name(&words, i > 0 ? ", " : "", name, "");
        words_add(&words, " %s%s", format_bytes(text, resident->bytes), PART[resident->part]);
    }
    if (set->more > 0)
        words_add(&words, "; %u more: %s", (unsigned)set->more, format_bytes(text, set->more_bytes));
    add_paragraph(out, "live", words.text, width);
}

void inspect_lines(const struct view_state *state, const struct scene *scene, int width, struct inspect_text *out) {
    out->count = 0;
    if (scene->shown == NULL)
        return;
    const struct timeline *timeline = scene->shown->timeline;
    if (!state->selection.exists)
        add_paragraph(out, "", "This lane is empty: the plan moves nothing here.", width);
    else if (state->selection.event.lane == LANE_COMPUTE)
        inspect_step(state, scene, width, out);
    else
        inspect_transfer(state, scene, width, out);
    struct words words;
    words_start(&words, screen_voice(state->ascii));
    words_add(&words, "at the cursor ");
    words_memory(&words, timeline, timeline_memory_at(timeline, state->cursor_us));
    add_paragraph(out, "memory", words.text, width);
    inspect_live(state, scene, width, out);
}

int inspector_scroll_last(const struct view_state *state, const struct scene *scene, struct rect rect) {
    struct inspect_text text;
    if (rect.height < 2)
        return 0;
    inspect_lines(state, scene, rect.width, &text);
    return text.count > rect.height - 1 ? text.count - (rect.height - 1) : 0;
}

char *inspect_copy(const struct view_state *state, const struct scene *scene, struct arena *arena) {
    struct inspect_text text;
    struct words title;
    inspect_lines(state, scene, INSPECT_WIDTH, &text);
    words_start(&title, screen_voice(state->ascii));
    if (state->selection.exists)
        words_title(&title, scene->shown->timeline, state->selection.event);
    char *out = arena_printf(arena, "%s", title.text);
    for (int i = 0; i < text.count && out != NULL; i++) {
        bool begins = text.line[i].label[0] != '\0';
        out = arena_printf(arena, "%s%s%s%s%s", out, begins ? "\n" : "", text.line[i].label, begins ? ": " : "",
                           text.line[i].text);
    }
    return out != NULL ? arena_printf(arena, "%s\n", out) : NULL;
}
