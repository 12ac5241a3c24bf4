/* lesson: the guided lessons — their list, one of them told in sentences, and a lint for those who write them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "challenges.h"
#include "core/lesson_check.h"
#include "core/sanitise.h"
#include "core/units.h"
#include "io/buffer.h"
#include "io/json_write.h"
#include "lesson_tell.h"
#include "lessons.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "talk.h"
#include "view/wrap.h"

/* ---- the list ---- */

#define LIST_COLUMNS 78
#define LIST_INDENT 4

static void list_lines(struct buffer *out, const char *text) {
    while (*text) {
        const size_t length = wrap_line(text, LIST_COLUMNS - LIST_INDENT, strlen(text));
        const size_t shown = length > 0 && text[length - 1] == ' ' ? length - 1 : length;
        buffer_printf(out, "%*s%.*s\n", LIST_INDENT, "", (int)shown, text);
        text += length;
    }
}

static void list_text(struct buffer *out, const struct lessons *lessons, const struct progress *progress) {
    for (uint32_t i = 0; i < lessons->count; i++) {
        const struct lesson_entry *entry = &lessons->entry[i];
        const struct lesson_progress done = progress_of_lesson(progress, entry->name);
        char name[SANITISED_BYTES(200)];
        sanitise(name, sizeof name, entry->name);
        if (!entry->lesson) {
            buffer_printf(out, "%3u %s: can't be used\n", i + 1, name);
            list_lines(out, entry->fault.place);
            list_lines(out, entry->fault.text);
            continue;
        }
        buffer_printf(out, "%3u %s (%s, %u minutes", i + 1, entry->lesson->title, name, entry->lesson->minutes);
        if (done.done)
            buffer_printf(out, ", done: %u of %u", done.best, done.of);
        buffer_text(out, ")\n");
        list_lines(out, entry->lesson->summary);
    }
}

static void list_entry_json(struct json_writer *writer, const struct lesson_entry *entry, uint32_t number,
                            const struct lesson_progress *done) {
    json_open_object(writer, NULL, JSON_LINES);
    json_put_whole(writer, "number", number);
    json_put_text(writer, "name", entry->name);
    if (entry->path)
        json_put_text(writer, "file", entry->path);
    if (entry->lesson) {
        json_put_text(writer, "title", entry->lesson->title);
        json_put_text(writer, "summary", entry->lesson->summary);
        json_put_whole(writer, "minutes", entry->lesson->minutes);
        json_put_whole(writer, "steps", entry->lesson->step_count);
        json_open_array(writer, "terms", JSON_INLINE);
        for (uint32_t i = 0; i < entry->lesson->term_count; i++)
            json_put_text(writer, NULL, entry->lesson->term[i]);
        json_end(writer);
        json_put_bool(writer, "done", done->done);
        if (done->done) {
            json_put_whole(writer, "best", done->best);
            json_put_whole(writer, "of", done->of);
        }
    } else {
        json_open_object(writer, "fault", JSON_INLINE);
        json_put_text(writer, "place", entry->fault.place);
        json_put_text(writer, "text", entry->fault.text);
        json_end(writer);
    }
    json_end(writer);
}

static void list_json(struct buffer *out, const struct lessons *lessons, const struct progress *progress) {
    struct json_writer writer = { .out = out };
    json_open_array(&writer, NULL, JSON_LINES);
    for (uint32_t i = 0; i < lessons->count; i++) {
        const struct lesson_progress done = progress_of_lesson(progress, lessons->entry[i].name);
        list_entry_json(&writer, &lessons->entry[i], i + 1, &done);
    }
    json_end(&writer);
}

static enum ss_status list(const struct options *options, struct error *error) {
    struct lessons lessons;
    struct progress progress;
    struct buffer out = { 0 };
    enum ss_status status = lessons_read(&lessons, error);
    progress_load(&progress);
    if (status == SS_OK) {
        (options->json ? list_json : list_text)(&out, &lessons, &progress);
        status = buffer_status(&out, error);
        if (status == SS_OK && out.length > 0)
            status = output_print(out.text, out.length, error);
        buffer_free(&out);
    }
    progress_free(&progress);
    lessons_free(&lessons);
    return status;
}

/* ---- the lint ---- */

struct lint {
    const struct options *options;
    struct buffer out;
    struct json_writer writer;
    uint32_t lessons, faults;
    enum ss_status status;   /* SS_BAD_INPUT: a file was no JSON, or could not be read; ERROR says which */
    struct error *error;
};

static void lint_fault(struct lint *lint, const char *file, const char *place, const char *text) {
    lint->faults++;
    if (lint->options->json) {
        json_open_object(&lint->writer, NULL, JSON_INLINE);
        json_put_text(&lint->writer, "file", file);
        json_put_text(&lint->writer, "place", place);
        json_put_text(&lint->writer, "text", text);
        json_end(&lint->writer);
    } else {
        buffer_printf(&lint->out, "%s: %s: %s\n", file, place, text);
    }
}

/* What reading FILE (as it is called) came to: a fault of its content, or that it is none at all. */
static void lint_unreadable(struct lint *lint, const char *file, const struct error *fault) {
    const char *behind = strstr(fault->place, ": $"), *path = fault->place[0] == '$' ? fault->place : behind ? behind + 2 : NULL;
    if (path)
        lint_fault(lint, file, path, fault->text);
    else if (lint->status == SS_OK)
        *lint->error = *fault;
    if (!path)
        lint->status = SS_BAD_INPUT;
}

static void lint_lesson(struct lint *lint, const char *file, const struct lesson *lesson) {
    struct arena arena = { 0 };
    struct lesson_faults *faults = ARENA_ARRAY(&arena, struct lesson_faults, 1);
    enum ss_status status = faults ? SS_OK : error_no_memory(lint->error);
    if (faults)
        faults->arena = &arena;
    if (status == SS_OK)
        status = lesson_check(lesson, faults, lint->error);
    for (uint32_t i = 0; status == SS_OK && i < faults->count; i++)
        lint_fault(lint, file, faults->fault[i].place, faults->fault[i].text);
    if (status != SS_OK)
        lint->status = SS_INTERNAL;
    lint->lessons++;
    arena_free(&arena);
}

static void lint_file(struct lint *lint, const char *path) {
    struct arena arena = { 0 };
    struct lesson lesson;
    struct error fault = { "", "" };
    const char *spoken = strcmp(path, "-") == 0 ? "standard input" : path;
    const enum ss_status status = lesson_load(path, &arena, &lesson, &fault);
    if (status == SS_OK)
        lint_lesson(lint, spoken, &lesson);
    else
        lint_unreadable(lint, spoken, &fault);
    arena_free(&arena);
}

/* Those that are built in; a user's own are given as files. */
static void lint_builtin(struct lint *lint) {
    struct lessons lessons;
    const enum ss_status status = lessons_read(&lessons, lint->error);
    if (status != SS_OK)
        lint->status = status;
    for (uint32_t i = 0; status == SS_OK && i < lessons.count; i++) {
        const struct lesson_entry *entry = &lessons.entry[i];
        if (entry->path)
            continue;
        if (entry->lesson)
            lint_lesson(lint, entry->name, entry->lesson);
        else
            lint_unreadable(lint, entry->name, &entry->fault);
    }
    lessons_free(&lessons);
}

static enum ss_status lint(const struct options *options, struct error *error) {
    struct lint lint = { .options = options, .error = error };
    lint.writer.out = &lint.out;
    if (options->json)
        json_open_array(&lint.writer, NULL, JSON_LINES);
    if (options->argument_count == 1)
        lint_builtin(&lint);
    for (int i = 1; i < options->argument_count; i++)
        lint_file(&lint, options->argument[i]);
    if (options->json)
        json_end(&lint.writer);
    enum ss_status status = buffer_status(&lint.out, error);
    if (status == SS_OK && lint.out.length > 0)
        status = output_print(lint.out.text, lint.out.length, error);
    buffer_free(&lint.out);
    if (status != SS_OK || lint.status != SS_OK)
        return status != SS_OK ? status : lint.status;
    talk_note(options, "%u lesson%s: %u fault%s", lint.lessons, plural(lint.lessons), lint.faults,
              plural(lint.faults));
    return lint.faults > 0 ? SS_NO : SS_OK;
}

/* ---- one lesson ---- */

static enum ss_status tell(const struct options *options, const struct lesson_choice *choice, struct error *error) {
    bool ended = false;
    struct lesson_score score;
    const struct lesson *lesson = choice->lesson;
    enum ss_status status = lesson_tell(lesson, choice->step == NONE ? 0 : choice->step, &ended, &score, error);
    if (status == SS_OK && ended) {
        struct error fault;
        if (progress_note_lesson(lesson->name, score.earned, score.of, &fault) != SS_OK)
            talk_note(options, "what was done can't be kept: %s: %s", fault.place, fault.text);
    }
    return status;
}

/* On a terminal the viewer plays it, with the flags that are for both. */
static enum ss_status view_lesson(const struct options *options, struct error *error) {
    char *words[OPTION_COUNT + 4] = { (char *)"slackswap", (char *)COMMAND_TABLE[COMMAND_VIEW].name };
    int count = 2;
    struct arena arena = { 0 };
    struct options asked = { .argument_count = 0 };
    words[count++] = arena_printf(&arena, "--lesson=%s", options->argument[0]);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options->flag[id] && (OPTION_TABLE[id].commands & 1u << COMMAND_VIEW))
            words[count++] = OPTION_TABLE[id].argument ? arena_printf(&arena, "--%s=%s", OPTION_TABLE[id].name, options->flag[id])
                                                       : arena_printf(&arena, "--%s", OPTION_TABLE[id].name);
    enum ss_status status = SS_OK;
    for (int i = 0; i < count; i++)
        status = words[i] ? status : error_no_memory(error);
    words[count] = NULL;
    if (status == SS_OK)
        status = options_parse(count, words, &asked, error);
    if (status == SS_OK)
        status = cmd_view(&asked, error);
    options_free(&asked);
    arena_free(&arena);
    return status;
}

static enum ss_status play(const struct options *options, struct error *error) {
    struct lessons lessons = { .count = 0 };
    struct arena arena = { 0 };
    struct lesson own;
    struct lesson_choice choice;
    if (options->json)
        return error_set(error, SS_USAGE, "--json is for the list and for check: a lesson is told in words");
    if (!options->plain && isatty(STDOUT_FILENO))
        return view_lesson(options, error);
    enum ss_status status = lessons_read(&lessons, error);
    if (status == SS_OK)
        status = lessons_choose(&lessons, options->argument[0], &arena, &own, &choice, error);
    if (status == SS_OK)
        status = tell(options, &choice, error);
    arena_free(&arena);
    lessons_free(&lessons);
    return status;
}

enum ss_status cmd_lesson(const struct options *options, struct error *error) {
    if (options->argument_count == 0)
        return list(options, error);
    if (strcmp(options->argument[0], "check") == 0)
        return lint(options, error);
    if (strcmp(options->argument[0], "challenge") == 0)
        return challenge_command(options, error);
    if (options->argument_count > 1)
        return error_set(error, SS_USAGE, "lesson takes one argument: what is '%s'?", options->argument[1]);
    return play(options, error);
}
