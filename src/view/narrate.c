#include "narrate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/preset.h"
#include "core/glossary.h"
#include "core/sanitise.h"
#include "core/units.h"
#include "core/words.h"
#include "core/fix_words.h"
#include "compare_words.h"
#include "challenge.h"
#include "classroom.h"
#include "help_lines.h"
#include "inspect.h"
#include "layout.h"
#include "lesson_panel.h"
#include "view.h"
#include "view_kind.h"
#include "view_problems.h"
#include "whatif_words.h"

#define LINE_BYTES 2048
#define UNWRAPPED GRID_MAX /* columns: a screen reader breaks lines itself */

struct story {
    struct arena *arena;
    char *text;
    size_t length, room;
    bool short_of_memory;
};

static void append(struct story *story, const char *line, size_t length) {
    if (story->length + length + 1 > story->room) {
        size_t room = 2 * (story->room + length + 1);
        char *text = arena_alloc(story->arena, room, 1);
        if (!text) {
            story->short_of_memory = true;
            return;
        }
        if (story->length > 0)
            memcpy(text, story->text, story->length);
        story->text = text;
        story->room = room;
    }
    memcpy(story->text + story->length, line, length);
    story->length += length;
    story->text[story->length] = '\0';
}

/* One line; whatever came from a file is made harmless here, as a grid does for what is drawn. */
static void tell(struct story *story, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(struct story *story, const char *format, ...) {
    char line[LINE_BYTES], shown[SANITISED_BYTES(LINE_BYTES)];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    sanitise(shown, sizeof shown - 1, line);
    strcat(shown, "\n");
    append(story, shown, strlen(shown));
}

/* ---- lessons ---- */

/* What a page points at. */
static void tell_places(struct story *story, const struct view_state *state, const struct scene *scene) {
    const struct lesson_stand *stand = lesson_play_stand(&state->classroom->play);
    char line[LINE_BYTES] = "", name[NAME_BYTES];
    size_t length = 0;
    for (uint32_t i = 0; i < stand->highlight_count && length < sizeof line; i++) {
        const struct lesson_place *place = &stand->highlight[i];
        const char *part = i == 0 ? "" : ", ";
        if (place->id == LESSON_PLACE_LAYER && place->index < scene->profile->layer_count)
            length += (size_t)snprintf(line + length, sizeof line - length, "%slayer %s", part,
                                       name_fit(name, scene->profile->layers[place->index].name));
        else if (place->id == LESSON_PLACE_TENSOR && place->index < scene->profile->tensor_count)
            length += (size_t)snprintf(line + length, sizeof line - length, "%stensor %s", part,
                                       name_fit(name, scene->profile->tensors[place->index].name));
        else
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s", part, LESSON_PLACE_HELP[place->id]);
    }
    if (length > 0)
        tell(story, "Look at: %s.", line);
}

static void tell_page(struct story *story, const struct view_state *state, const struct lesson_panel *panel) {
    static const char *const KEYS[LESSON_PHASE_COUNT] = {
        [LESSON_TELL] = "Space goes on, BSpace goes back, L looks around, Escape leaves the lesson.",
        [LESSON_ASK] = "A letter answers; Space pressed twice shows the answer.",
        [LESSON_REVEAL] = "Space goes on, BSpace goes back, L looks around, Escape leaves the lesson.",
        [LESSON_TASK] = "It is done as soon as the goal is reached; Space pressed twice shows a solution.",
        [LESSON_DONE] = "Space goes on, BSpace goes back, L looks around, Escape leaves the lesson.",
        [LESSON_END] = "",
    };
    if (panel->text[0] != '\0')
        tell(story, "%s", panel->text);
    if (panel->ask[0] != '\0')
        tell(story, "%s: %s", panel->answers > 0 ? "Question" : "Task", panel->ask);
    for (uint32_t i = 0; i < panel->answers; i++)
        tell(story, "  %c: %s%s%s", 'a' + (char)i, panel->answer[i].text, panel->answer[i].right ? " (right)" : "",
             panel->answer[i].picked ? " (your answer)" : "");
    if (panel->verdict[0] != '\0')
        tell(story, "%s", panel->verdict);
    if (panel->why[0] != '\0')
        tell(story, "%s", panel->why);
    if (state->lesson.away)
        tell(story, "You look around on your own: L comes back to this page.");
    else if (KEYS[panel->phase][0] != '\0')
        tell(story, "%s", KEYS[panel->phase]);
}

static void tell_lesson(struct story *story, const struct view_state *state, const struct scene *scene) {
    struct lesson_panel panel;
    if (!lesson_panel_make(state, story->arena, &panel))
        return;
    tell(story, "Lesson %u, %s: step %u of %u; %u of %u right so far.", (unsigned)panel.number, panel.title, (unsigned)panel.step,
         (unsigned)panel.steps, (unsigned)panel.score.earned, (unsigned)panel.score.of);
    tell_page(story, state, &panel);
    if (!state->lesson.away && panel.phase != LESSON_END)
        tell_places(story, state, scene);
}

static void tell_lessons(struct story *story, const struct view_state *state) {
    const struct classroom *classroom = state->classroom;
    tell(story, "The list of lessons is open: Up and Down choose, Enter begins, Escape closes it.");
    for (uint32_t i = 0; i < classroom->count; i++) {
        const struct classroom_entry *entry = &classroom->entry[i];
        if (entry->fault != NULL)
            tell(story, "  %s%u: %s can't be taken: %s", i == state->lesson.choice ? "chosen: " : "", (unsigned)i + 1, entry->title,
                 entry->fault);
        else
            tell(story, "  %s%u: %s, %u minutes%s. %s", i == state->lesson.choice ? "chosen: " : "", (unsigned)i + 1, entry->title,
                 (unsigned)entry->minutes, entry->done ? ", done" : "", entry->summary);
    }
    tell(story, "  %s%s. %s", classroom->count == state->lesson.choice ? "chosen: " : "", CHALLENGE_TITLE, CHALLENGE_SUMMARY);
}

/* ---- what it came to ---- */

static void tell_work(struct story *story, const struct view_state *state, const struct scene *scene) {
    const struct profile *profile = scene->profile;
    char name[NAME_BYTES], device[NAME_BYTES], budget[UNIT_TEXT], bytes[UNIT_TEXT], rate[UNIT_TEXT];
    uint64_t resolved;
    tell(story, "%s%s%s: %u ops in %u layers, planned by %s.", name_fit(name, profile->name), *profile->device_name ? " on " : "",
         name_fit(device, profile->device_name), (unsigned)profile->op_count, (unsigned)profile->layer_count,
         state->settings.planner ? state->settings.planner->name : "hand");
    knob_format(KNOB_BUDGET, profile, &state->settings, budget);
    knob_format(KNOB_BANDWIDTH, profile, &state->settings, rate);
    if (budget_resolve(&state->settings.budget, profile, &scene->limits, &resolved, NULL) == SS_OK)
        tell(story, "The budget is %s, which leaves %s for activations; the link moves %s.", budget, format_bytes(bytes, resolved), rate);
    if (state->planning)
        tell(story, "A plan for these settings is being made; what follows belongs to the last one.");
}

static void tell_infeasible(struct story *story, const struct scene *scene) {
    struct words words;
    if (scene->latest == NULL || outcome_feasible(scene->latest))
        return;
    words_start(&words, &VOICE_PLAIN);
    words_lack(&words, &scene->latest->timeline);
    tell(story, "The plan does not fit: it %s.", words.text);
    if (scene->shown != NULL)
        tell(story, "What follows belongs to the last plan that did.");
}

static void tell_figures(struct story *story, const struct outcome *outcome) {
    const struct timeline *timeline = &outcome->timeline;
    const struct sim_totals *totals = &timeline->totals;
    const struct memory_sample *peak = &timeline->memory[timeline->peak_sample];
    char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];
    struct words step;
    tell(story, "The step takes %s, %s of the ideal. No plan can take less than %s: the gap is %.2f%%, and what binds is the %s.",
         format_time(a, totals->step_us), format_percent(b, outcome_throughput(outcome)), format_time(c, outcome->bound.bound_us),
         100 * outcome_gap(outcome), BINDING_NAME[outcome->bound.binding]);
    if (timeline->stall_count == 0)
        tell(story, "Compute never waits; %s go into running forward ops again.", format_time(a, totals->recompute_us));
    else
        tell(story, "Compute waits %u time%s, %s in all; %s go into running forward ops again.", (unsigned)timeline->stall_count,
             plural(timeline->stall_count), format_time(a, totals->stall_us), format_time(b, totals->recompute_us));
    words_start(&step, &VOICE_PLAIN);
    words_event(&step, timeline, (struct event){ LANE_COMPUTE, peak->step });
    tell(story, "Memory peaks at %s, at %s, during %s; %s of host memory are pinned.", format_bytes(a, totals->peak_bytes),
         format_time(b, peak->at_us), step.text, format_bytes(c, totals->host_peak_bytes));
}

static void tell_ghost(struct story *story, const struct view_state *state, const struct scene *scene) {
    const struct view_model *ghost = memory_ghost(state, scene);
    char step[UNIT_TEXT], peak[UNIT_TEXT];
    if (ghost != NULL)
        tell(story, "Before the last change the step took %s, and memory peaked at %s.",
             format_time(step, ghost->timeline->totals.step_us), format_bytes(peak, ghost->timeline->totals.peak_bytes));
}

/* ---- what is looked at ---- */

/* The inspector's paragraphs: a label, a colon, a sentence. */
static void tell_selection(struct story *story, const struct view_state *state, const struct scene *scene) {
    struct inspect_text text;
    struct view_state plain = *state;
    struct words title;
    plain.ascii = true;
    if (state->selection.exists) {
        words_start(&title, &VOICE_PLAIN);
        words_title(&title, scene->shown->timeline, state->selection.event);
        tell(story, "Selected: %s.", title.text);
    }
    inspect_lines(&plain, scene, UNWRAPPED, &text);
    for (int i = 0; i < text.count; i++)
        tell(story, "  %s%s%s", text.line[i].label, text.line[i].label[0] ? ": " : "", text.line[i].text);
}

static void tell_window(struct story *story, const struct view_state *state, const struct scene *scene) {
    char from[UNIT_TEXT], to[UNIT_TEXT], at[UNIT_TEXT], name[NAME_BYTES] = "";
    static const char *const ROW[ROW_KIND_COUNT] = { "the compute lane", "the D2H lane", "the H2D lane", "layer ", "compute of layer ",
                                                     "recompute of layer ", "D2H of layer ", "H2D of layer " };
    if (state->row.kind >= ROW_LAYER)
        name_fit(name, scene->profile->layers[state->row.layer].name);
    tell(story, "The window shows %s to %s; the cursor is at %s, in %s%s.", format_time(from, state->from_us),
         format_time(to, state->to_us), format_time(at, state->cursor_us), ROW[state->row.kind], name);
    if (state->playing)
        tell(story, "It plays at %g of real time.", SPEEDS[state->speed]);
}

/* Row Y of RECT with runs of blanks and rules made one blank. */
static void tell_row(struct story *story, const struct grid *grid, struct rect rect, int y) {
    char line[LINE_BYTES];
    size_t length = 0;
    bool gap = false;
    for (int x = rect.x; x < rect.x + rect.width; x++) {
        const struct cell *cell = grid_at(grid, x, y);
        bool blank = cell->width == 1 && (cell->text[0] == ' ' || cell->style.role == ROLE_RULE);
        if (!blank && length + cell->length + 2 < sizeof line) {
            if (gap && length > 0)
                line[length++] = ' ';
            memcpy(line + length, cell->text, cell->length);
            length += cell->length;
        }
        gap = blank || (gap && cell->width == 0);
    }
    line[length] = '\0';
    if (length > 0)
        tell(story, "  %s", line);
}

/* Views that are tables say themselves what there is to say, row by row. */
static void tell_table(struct story *story, const struct view_state *state, const struct scene *scene) {
    struct view_state plain = *state;
    struct grid grid = { 0 };
    plain.ascii = true;
    if (!grid_resize(&grid, state->width, state->height)) {
        story->short_of_memory = true;
        return;
    }
    view_draw(&plain, scene, &THEME_DEFAULT, &grid);
    struct rect body = panes_make(&plain, scene->profile->layer_count).body;
    body = rect_intersect(body, grid_rect(&grid));
    for (int y = body.y; y < body.y + body.height; y++)
        tell_row(story, &grid, body, y);
    grid_free(&grid);
}

/* What is wrong, and what mends it: a line a finding. */
static void tell_problems(struct story *story, const struct view_state *state, const struct scene *scene) {
    const struct problems *problems = problems_shown(state, scene, NULL);
    char step[UNIT_TEXT];
    if (problems == NULL) {
        tell(story, "The plan is being looked at.");
        return;
    }
    if (problems->check.findings.count == 0)
        tell(story, "No problems: no single change shortens the step.");
    for (uint32_t i = 0; i < problems->check.findings.count; i++) {
        const struct finding *finding = &problems->check.findings.finding[i];
        const uint32_t number = problems_fix_number(problems, finding);
        const struct rule *rule = &RULE_TABLE[finding->rule];
        struct words fix;
        words_start(&fix, &VOICE_PLAIN);
        if (finding->fix != NULL)
            words_fix(&fix, scene->profile, finding->fix);
        tell(story, "%s%s, %s: %s. Fix: %s.", state->problems.row == i + 1 ? "Selected: " : "", SEVERITY_NAME[rule->severity],
             rule->id, finding->words, finding->fix != NULL ? fix.text : "none was found");
        if (number < FIXES_BY_KEY)
            tell(story, "M-%u applies it.", (unsigned)number + 1);
    }
    if (problems->all_known && problems->mended.fits && problems->mended.count > 0)
        tell(story, "All together: %u changes, step %s.", (unsigned)problems->mended.count,
             format_time(step, problems->mended.after.step_us));
}

static void tell_whatif(struct story *story, const struct view_state *state, const struct scene *scene) {
    char text[LINE_BYTES];
    for (uint32_t n = 0; whatif_sentence(state, scene, n, text, sizeof text); n++)
        tell(story, "%s", text);
}

static void tell_side(struct story *story, const struct view_state *state, const struct scene *scene,
                      const struct compare_answer *answer, int side) {
    char words[160], note[160];
    struct words lack;
    const struct timeline *timeline = &answer->outcome[side].timeline;
    compare_side_words(state, scene, answer, side, words, sizeof words);
    compare_side_note(state, answer, side, GRID_MAX, note, sizeof note);
    words_start(&lack, &VOICE_PLAIN);
    if (!timeline->totals.feasible)
        words_lack(&lack, timeline);
    tell(story, "%c%s: %s: %s.%s%s%s", 'A' + side, state->compare.focus == side ? ", for which arrows choose" : "", words, note,
         lack.text[0] != '\0' ? " It does not fit: it " : "", lack.text, lack.text[0] != '\0' ? "." : "");
}

static void tell_compare(struct story *story, const struct view_state *state, const struct scene *scene) {
    const struct compare_answer *answer = compare_shown(state, scene);
    char text[LINE_BYTES], from[UNIT_TEXT], to[UNIT_TEXT], name[NAME_BYTES];
    struct compare_row row;
    struct view_state in_time;
    if (answer == NULL) {
        tell(story, "The two are being compared.");
        return;
    }
    const struct difference *difference = &answer->difference;
    for (int side = 0; side < 2; side++)
        tell_side(story, state, scene, answer, side);
    for (uint32_t n = 0; compare_row_at(difference, n, &row); n++)
        tell(story, "%s: A %s, B %s, B - A %s.", row.label, row.text[0], row.text[1], row.text[2]);
    if (difference->timed)
        tell(story, "%s.", compare_memory_words(difference, text, sizeof text));
    compare_in_time(&in_time, state, answer);
    if (in_time.axis_us > 0)
        tell(story, "The window shows %s to %s.", format_time(from, in_time.from_us), format_time(to, in_time.to_us));
    tell(story, "%u tensors in %u layers are treated otherwise.", (unsigned)difference->change_count,
         (unsigned)difference->layer_count);
    for (uint32_t i = 0; i < difference->layer_count; i++)
        tell(story, "  %s: %s.", name_fit(name, scene->profile->layers[difference->layers[i].layer].name),
             compare_change_words(scene, difference, &difference->layers[i], true, text, sizeof text));
}

static void tell_typing(struct story *story, const struct view_state *state) {
    if (state->knob_focused)
        tell(story, "The knob %s (%s) takes a value; typed so far: %s.", KNOBS[state->knob].name, KNOBS[state->knob].unit,
             state->value[0] ? state->value : "nothing");
    if (state->finding)
        tell(story, "A name to find is typed; so far: %s.", state->query[0] ? state->query : "nothing");
    if (state->message_kind != MESSAGE_NONE)
        tell(story, "Message: %s", state->message);
}

static void tell_challenge(struct story *story, const struct view_state *state, const struct scene *scene) {
    char name[CHALLENGE_WORDS], figures[CHALLENGE_WORDS];
    uint32_t stars;
    if (!challenge_is_open(state, NULL, NULL))
        return;
    const char *words = challenge_words(state, scene, &stars);
    tell(story, "This is a %s: %s; %u of %u stars%s%s.", challenge_name(state, name), challenge_figures(state, scene, figures),
         (unsigned)stars, (unsigned)PUZZLE_STARS_MOST, words[0] != '\0' ? ", " : "", words);
}

static void tell_related(struct story *story, uint32_t term) {
    char names[256] = "";
    size_t length = 0;
    for (uint32_t n = 0, related; (related = glossary_related(term, n)) != TERM_NONE && length < sizeof names; n++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", n > 0 ? ", " : "", GLOSSARY[related].name);
    tell(story, "    See %s.", names);
}

/* Help is all there is to see while it is open. */
static void tell_help(struct story *story, const struct view_state *state) {
    struct help_page page;
    help_page_make(&page, &state->about, 1, UNWRAPPED, state->height);
    tell(story, "Help.%s%s%s", state->about.query[0] ? " Looking for: " : "", state->about.query, state->about.query[0] ? "." : "");
    for (int i = 0; i < page.count; i++) {
        const struct help_line *line = &page.line[i];
        switch (line->kind) {
        case LINE_BLANK: break;
        case LINE_HEADING: tell(story, "%s:", line->words); break;
        case LINE_ACTION: tell(story, "  %s: %s.", ACTION_TABLE[line->what].keys, line->words); break;
        case LINE_ROLE: tell(story, "  %c: %s.", ROLE_LETTER[line->what], line->words); break;
        case LINE_TERM: tell(story, "  %s: %.*s", GLOSSARY[line->what].name, (int)line->length, line->words); break;
        case LINE_SEE: tell_related(story, (uint32_t)line->what); break;
        default: tell(story, "  %s.", line->words); break;
        }
    }
}

static void tell_presets(struct story *story, const struct view_state *state) {
    char text[PRESET_TEXT];
    tell(story, "The start screen: presets to explore, each by its number; any other key leads on.");
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        tell(story, "%s%u, %s: %s. %s", state->presets.choice == i ? "Chosen: " : "", (unsigned)i + 1, PRESETS[i].name,
             preset_format(&PRESETS[i], text), PRESETS[i].words);
}

char *narrate(const struct view_state *state, const struct scene *scene, struct arena *arena, size_t *length) {
    struct story story = { .arena = arena };
    if (state->presets.open)
        tell_presets(&story, state);
    if (state->help) {
        tell_help(&story, state);
        *length = story.length;
        return story.short_of_memory ? NULL : story.text;
    }
    if (state->lesson.list)
        tell_lessons(&story, state);
    tell_lesson(&story, state, scene);
    tell_work(&story, state, scene);
    tell_infeasible(&story, scene);
    tell_challenge(&story, state, scene);
    if (scene->shown != NULL) {
        tell_figures(&story, scene->shown->outcome);
        tell_ghost(&story, state, scene);
        tell(&story, "View: %s.", VIEW_TAB[state->view]);
        if (state->view == VIEW_TIMELINE) {
            tell_window(&story, state, scene);
            tell_selection(&story, state, scene);
        } else if (state->view == VIEW_LAYERS) {
            tell_table(&story, state, scene);
        }
    }
    if (state->view == VIEW_WHATIF)
        tell_whatif(&story, state, scene);
    if (state->view == VIEW_COMPARE && scene->latest != NULL)
        tell_compare(&story, state, scene);
    if (state->view == VIEW_PROBLEMS)
        tell_problems(&story, state, scene);
    tell_typing(&story, state);
    *length = story.length;
    return story.short_of_memory ? NULL : story.text;
}
