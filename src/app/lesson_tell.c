#include "lesson_tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/plan_rules.h"
#include "core/sanitise.h"
#include "core/units.h"
#include "core/words.h"
#include "io/buffer.h"
#include "output.h"
#include "view/wrap.h"

#define COLUMNS 78

struct teller {
    const struct lesson *lesson;
    struct lesson_play play;
    struct arena arena;              /* owns the outcome at hand, and what the learner tries */
    struct outcome outcome;
    const struct lesson_stand *told; /* the stand that was told last; NULL before the first */
    struct settings settings;        /* of the task at hand: what the learner made of it */
    const struct plan *plan;
    struct buffer out;
    char *line;                      /* read last; owned */
    size_t line_room;
    bool begun;                      /* the work was told */
    bool heard;                      /* input has not ended */
    bool left;                       /* the learner wants no more of it */
    bool echoed;                     /* what is typed shows by itself */
    enum ss_status status;
    struct error *error;
};

static bool fine(const struct teller *teller) { return teller->status == SS_OK; }

/* ---- saying ---- */

/* TEXT in lines, each behind INDENT blanks. */
static void say_lines(struct teller *teller, int indent, const char *text) {
    while (*text) {
        const size_t length = wrap_line(text, COLUMNS - indent, strlen(text));
        size_t shown = length;
        while (shown > 0 && text[shown - 1] == ' ')
            shown--;
        buffer_printf(&teller->out, "%*s%.*s\n", indent, "", (int)shown, text);
        text += length;
    }
}

static void say(struct teller *teller, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct teller *teller, const char *format, ...) {
    char text[2048], clean[SANITISED_BYTES(sizeof text)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_lines(teller, 0, sanitise(clean, sizeof clean, text));
}

static const char *part(struct teller *teller, enum lesson_part which, uint32_t index) {
    const char *text = lesson_play_say(&teller->play, which, index, &teller->arena);
    if (!text && fine(teller))
        teller->status = error_no_memory(teller->error);
    return text ? text : "";
}

static void flush(struct teller *teller) {
    if (fine(teller))
        teller->status = buffer_status(&teller->out, teller->error);
    if (fine(teller) && teller->out.length > 0)
        teller->status = output_print(teller->out.text, teller->out.length, teller->error);
    buffer_free(&teller->out);
}

/* The next line that is typed, without blanks around it; NULL when input has ended. A q leaves the lesson. */
static const char *hear(struct teller *teller, const char *prompt) {
    if (!teller->heard)
        return NULL;
    buffer_text(&teller->out, prompt);
    flush(teller);
    if (!fine(teller))
        return NULL;
    const ssize_t length = getline(&teller->line, &teller->line_room, stdin);
    teller->heard = length >= 0;
    if (!teller->heard) {
        buffer_text(&teller->out, "\n");
        return NULL;
    }
    char *text = teller->line + strspn(teller->line, " \t\r\n");
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r\n", text[end - 1]); end--)
        text[end - 1] = '\0';
    if (!teller->echoed) /* whoever reads along sees what was typed */
        say(teller, "%.200s", text);
    if (!teller->echoed && !*text)
        buffer_text(&teller->out, "\n");
    teller->left = strcmp(text, "q") == 0;
    return text;
}

/* ---- how things stand ---- */

static void list_add(struct buffer *list, const char *what, const char *value) {
    buffer_printf(list, "%s%s %s", list->length ? ", " : "", what, value);
}

/* The settings that differ from those told last; at first budget, bandwidth, and whatever is not as usual. */
static void list_settings(struct teller *teller, const struct lesson_stand *stand, struct buffer *list) {
    const struct profile *profile = &teller->lesson->profile;
    const struct settings usual = settings_default();
    const struct settings *now = &stand->settings, *before = teller->told ? &teller->told->settings : NULL;
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const bool always = !before && (knob == KNOB_BUDGET || knob == KNOB_BANDWIDTH);
        char value[UNIT_TEXT], old[UNIT_TEXT];
        if (!knob_applies((enum knob_id)knob, now))
            continue;
        knob_format((enum knob_id)knob, profile, now, value);
        knob_format((enum knob_id)knob, profile, before ? before : &usual, old);
        if (always || strcmp(value, old) != 0)
            list_add(list, KNOBS[knob].name, value);
    }
    if (stand->plan && (!before || stand->plan != teller->told->plan))
        list_add(list, "a plan", "made by hand");
    else if (!stand->plan && (!before || before->planner != now->planner || teller->told->plan))
        list_add(list, "planner", now->planner->name);
    if (!before ? now->unit != UNIT_TENSOR : now->unit != before->unit)
        list_add(list, "one action a", UNIT_NAME[now->unit]);
}

static void say_outcome(struct teller *teller) {
    const struct outcome *outcome = &teller->outcome;
    const struct sim_totals *totals = &outcome->timeline.totals;
    if (!totals->feasible) {
        say(teller, "This does not fit: it needs %s of the %s there are.", show_bytes(totals->required_bytes).text,
            show_bytes(outcome->budget_bytes).text);
        return;
    }
    say(teller, "The step takes %s, %s of ideal (no plan gets beyond %s); peak %s of %s; stalls %s, recompute %s.",
        show_time(totals->step_us).text, show_percent(outcome_throughput(outcome)).text,
        show_percent(outcome->ideal_us / outcome->bound.bound_us).text, show_bytes(totals->peak_bytes).text,
        show_bytes(outcome->budget_bytes).text, show_time(totals->stall_us).text, show_time(totals->recompute_us).text);
}

/* Plans what the page shows, unless that is what was told last, and says what has changed. */
static void take_stand(struct teller *teller) {
    const struct lesson_stand *stand = lesson_play_stand(&teller->play);
    const bool same = teller->told && !lesson_play_waits(&teller->play) &&
                      lesson_play_is_as_set(&teller->play, &teller->told->settings, teller->told->plan);
    if (!fine(teller))
        return;
    if (!same) {
        struct buffer list = { 0 };
        arena_reset(&teller->arena);
        teller->status = lesson_play_compute(&teller->play, &teller->arena, &teller->outcome, teller->error);
        list_settings(teller, stand, &list);
        if (!teller->begun)
            say(teller, "The work is %s.", teller->lesson->profile.name);
        if (list.length > 0)
            say(teller, "Set: %s.", list.text);
        buffer_free(&list);
        teller->begun = true;
        if (fine(teller))
            say_outcome(teller);
    }
    teller->told = stand;
}

static void say_places(struct teller *teller) {
    const struct lesson_stand *stand = lesson_play_stand(&teller->play);
    const struct profile *profile = &teller->lesson->profile;
    struct buffer list = { 0 };
    for (uint32_t i = 0; i < stand->highlight_count; i++) {
        const struct lesson_place place = stand->highlight[i];
        buffer_text(&list, i > 0 ? "; " : "");
        if (place.id == LESSON_PLACE_LAYER)
            buffer_printf(&list, "layer %s", profile->layers[place.index].name);
        else if (place.id == LESSON_PLACE_TENSOR)
            buffer_printf(&list, "tensor %s", profile->tensors[place.index].name);
        else
            buffer_text(&list, LESSON_PLACE_HELP[place.id]);
    }
    if (list.length > 0)
        say(teller, "Look at: %s.", list.text);
    buffer_free(&list);
}

/* ---- questions ---- */

/* The answer that LINE picks, or LESSON_ANSWERS_MOST. */
static uint32_t answer_of(const char *line, uint32_t count) {
    const char letter = line[0] >= 'A' && line[0] <= 'Z' ? (char)(line[0] - 'A' + 'a') : line[0];
    const uint32_t answer = (uint32_t)(letter - 'a');
    return line[1] == '\0' && letter >= 'a' && answer < count ? answer : LESSON_ANSWERS_MOST;
}

static void ask(struct teller *teller) {
    const struct lesson_question *question = &teller->lesson->step[teller->play.step].question;
    const char last = (char)('a' + question->answer_count - 1);
    char prompt[32];
    say(teller, "Question: %s", part(teller, LESSON_PART_ASK, 0));
    for (uint32_t i = 0; i < question->answer_count; i++)
        say(teller, "  %c) %s", (char)('a' + i), part(teller, LESSON_PART_ANSWER, i));
    snprintf(prompt, sizeof prompt, "Your answer (a-%c): ", last);
    for (;;) {
        const char *line = hear(teller, prompt);
        if (!line || !*line)
            lesson_play_give_up(&teller->play);
        if (!line || !*line || teller->left)
            return;
        if (lesson_play_answer(&teller->play, answer_of(line, question->answer_count)))
            return;
        say(teller, "Type a letter from a to %c, or nothing to be shown the answer; q leaves.", last);
    }
}

static void reveal(struct teller *teller) {
    struct lesson_play *play = &teller->play;
    const uint32_t picked = play->record[play->step].answer, right = lesson_play_right(play);
    const char *said = picked < LESSON_ANSWERS_MOST ? part(teller, LESSON_PART_ANSWER_WHY, picked) : "";
    const char *right_text = right < LESSON_ANSWERS_MOST ? part(teller, LESSON_PART_ANSWER, right) : "none of these";
    const char letter = right < LESSON_ANSWERS_MOST ? (char)('a' + right) : '-';
    if (lesson_play_verdict(play) == VERDICT_RIGHT)
        say(teller, "Right: %c) %s", letter, right_text);
    else
        say(teller, "%s %c) %s", picked < LESSON_ANSWERS_MOST ? "No. The answer is" : "The answer is", letter, right_text);
    if (*said)
        say(teller, "%s", said);
    say(teller, "%s", part(teller, LESSON_PART_WHY, 0));
}

/* ---- tasks ---- */

static enum ss_status edit_plan(struct teller *teller, enum action action, const char *pattern, struct error *error) {
    const struct profile *profile = &teller->lesson->profile;
    struct plan *plan = ARENA_ARRAY(&teller->arena, struct plan, 1);
    uint32_t *rule_of = ARENA_ARRAY(&teller->arena, uint32_t, profile->tensor_count);
    struct plan_rule rule = { .text = pattern, .action = action };
    if (!plan || !rule_of)
        return error_no_memory(error);
    enum ss_status status = plan_copy(plan, &teller->arena, profile, &teller->outcome.timeline.plan, error);
    plan->budget_bytes = BYTES_UNLIMITED;
    if (status == SS_OK)
        status = plan_rules_apply(plan, profile, &rule, 1, rule_of, NULL, error);
    if (status == SS_OK)
        teller->plan = plan;
    return status;
}

/* LINE is "WORD REST": an action and the tensors, or a setting and its value. */
static enum ss_status edit(struct teller *teller, char *line, struct error *error) {
    char *rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    for (int action = 0; action < ACTION_COUNT; action++)
        if (strcmp(line, ACTION_NAME[action]) == 0)
            return edit_plan(teller, (enum action)action, rest, error);
    if (!lesson_can_set(line))
        return error_set(error, SS_USAGE, "expected keep, offload or recompute and a tensor, or a setting and its value, found '%.60s'", line);
    const enum ss_status status = lesson_set(line, rest, &teller->lesson->profile, &teller->settings, error);
    if (status == SS_OK && strcmp(line, "planner") == 0)
        teller->plan = NULL;
    return status;
}

/* Plays what the learner made of it; what can't be is said, and taken back. Returns whether the goal is reached. */
static bool try_out(struct teller *teller, char *line) {
    const struct settings settings = teller->settings;
    const struct plan *plan = teller->plan;
    struct error fault = { "", "" };
    struct outcome outcome;
    enum ss_status status = edit(teller, line, &fault);
    if (status == SS_OK) {
        struct outcome_request request = settings_request(&teller->lesson->profile, &teller->settings);
        request.plan = teller->plan;
        status = outcome_compute(&request, &teller->arena, &outcome, &fault);
    }
    if (status == SS_INTERNAL) {
        teller->status = error_no_memory(teller->error);
    } else if (status != SS_OK) {
        teller->settings = settings;
        teller->plan = plan;
        say(teller, "That can't be: %s", fault.text);
    } else {
        teller->outcome = outcome;
        say_outcome(teller);
        return lesson_play_take(&teller->play, &outcome);
    }
    return false;
}

static void set_task(struct teller *teller) {
    const struct lesson_stand *stand = lesson_play_stand(&teller->play);
    teller->settings = stand->settings;
    teller->plan = stand->plan;
    say(teller, "Task: %s", part(teller, LESSON_PART_ASK, 0));
    if (teller->heard)
        say(teller, "Type what to do, such as \"offload %s\" or \"budget 45%%\", or nothing to be shown a solution.",
            teller->lesson->profile.managed_count > 0
                ? teller->lesson->profile.tensors[teller->lesson->profile.managed[0]].name : "*");
    while (fine(teller)) {
        const char *line = hear(teller, "> ");
        if (!line || !*line)
            lesson_play_give_up(&teller->play);
        if (!line || !*line || teller->left)
            return;
        if (try_out(teller, teller->line + (line - teller->line)))
            return;
    }
}

static void finish_task(struct teller *teller) {
    say(teller, "%s", lesson_play_verdict(&teller->play) == VERDICT_RIGHT ? "Done." : "A solution:");
    say(teller, "%s", part(teller, LESSON_PART_WHY, 0));
}

/* ---- the whole ---- */

static void tell_page(struct teller *teller) {
    struct lesson_play *play = &teller->play;
    switch (play->phase) {
    case LESSON_TELL:
        buffer_text(&teller->out, "\n");
        say(teller, "Step %u of %u.", play->step + 1, teller->lesson->step_count);
        take_stand(teller);
        say(teller, "%s", part(teller, LESSON_PART_TEXT, 0));
        say_places(teller);
        break;
    case LESSON_ASK:
        ask(teller);
        if (teller->left)
            break;
        take_stand(teller);
        reveal(teller);
        say_places(teller);
        break;
    case LESSON_TASK:
        set_task(teller);
        if (teller->left)
            break;
        if (lesson_play_verdict(play) == VERDICT_RIGHT)
            teller->told = NULL; /* what stands is the learner's own */
        else
            take_stand(teller);
        finish_task(teller);
        break;
    default:
        break;
    }
    flush(teller);
}

enum ss_status lesson_tell(const struct lesson *lesson, uint32_t step, bool *ended, struct lesson_score *score, struct error *error) {
    struct teller teller = { .lesson = lesson, .heard = true, .echoed = isatty(STDIN_FILENO), .error = error };
    teller.status = lesson_play_start(&teller.play, lesson, error);
    if (!fine(&teller))
        return teller.status;
    lesson_play_go(&teller.play, step);
    teller.status = lesson_play_compute_before(&teller.play, error);
    say(&teller, "%s (%u minutes)", lesson->title, lesson->minutes);
    say(&teller, "%s", lesson->summary);
    do
        tell_page(&teller);
    while (fine(&teller) && !teller.left && lesson_play_next(&teller.play) && teller.play.phase != LESSON_END);
    *score = lesson_play_score(&teller.play);
    *ended = fine(&teller) && step == 0 && teller.heard && teller.play.phase == LESSON_END;
    buffer_text(&teller.out, "\n");
    say(&teller, "%s Right at the first try: %u of %u.", teller.left ? "Left." : "The end.", score->earned, score->of);
    flush(&teller);
    lesson_play_free(&teller.play);
    arena_free(&teller.arena);
    free(teller.line);
    return teller.status;
}
