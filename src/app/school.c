#include "school.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

/* ---- the list ---- */

static void describe(const struct lesson_entry *lesson, const struct lesson_progress *done, struct arena *arena,
                     struct classroom_entry *out) {
    *out = (struct classroom_entry){ .title = lesson->name, .summary = "" };
    if (!lesson->lesson) {
        const char *fault = arena_printf(arena, "%s: %s", lesson->fault.place, lesson->fault.text);
        out->fault = fault ? fault : lesson->fault.text;
        return;
    }
    out->title = lesson->lesson->title;
    out->summary = lesson->lesson->summary;
    out->minutes = lesson->lesson->minutes;
    out->done = done->done;
    out->best = (struct lesson_score){ done->best, done->of };
}

static void describe_all(struct school *school) {
    struct progress progress = { NULL };
    if (school->keeps)
        progress_load(&progress);
    for (uint32_t i = 0; i < school->lessons.count; i++) {
        const struct lesson_progress done = progress_of_lesson(&progress, school->lessons.entry[i].name);
        describe(&school->lessons.entry[i], &done, &school->lessons.arena, &school->entry[i]);
    }
    if (school->own.arena) {
        const struct lesson_entry own = { .name = school->own.name, .lesson = &school->own };
        const struct lesson_progress done = progress_of_lesson(&progress, own.name);
        describe(&own, &done, &school->arena, &school->entry[school->lessons.count]);
    }
    progress_free(&progress);
}

static enum ss_status read_lessons(struct school *school, struct error *error) {
    if (school->read)
        return SS_OK;
    enum ss_status status = lessons_read(&school->lessons, error);
    if (status == SS_OK) {
        school->entry = ARENA_ARRAY(&school->lessons.arena, struct classroom_entry, school->lessons.count + 1); /* and OWN */
        status = school->entry ? SS_OK : error_no_memory(error);
    }
    if (status != SS_OK) {
        lessons_free(&school->lessons);
        return status;
    }
    school->read = true;
    describe_all(school);
    return SS_OK;
}

static uint32_t count(const struct school *school) {
    return school->lessons.count + (school->own.arena != NULL);
}

static enum ss_status list(void *context, const struct classroom_entry **entry, uint32_t *number, struct error *error) {
    struct school *school = context;
    const enum ss_status status = read_lessons(school, error);
    if (status == SS_OK) {
        *entry = school->entry;
        *number = count(school);
    }
    return status;
}

static enum ss_status open_lesson(void *context, uint32_t number, const struct lesson **lesson, struct error *error) {
    struct school *school = context;
    const enum ss_status status = read_lessons(school, error);
    if (status != SS_OK)
        return status;
    if (number >= count(school))
        return error_set(error, SS_USAGE, "there are %u lessons", (unsigned)count(school));
    *lesson = number < school->lessons.count ? school->lessons.entry[number].lesson : &school->own;
    if (*lesson)
        return SS_OK;
    *error = school->lessons.entry[number].fault;
    return SS_BAD_INPUT;
}

/* ---- the school ---- */

void school_init(struct school *school, bool keeps) {
    *school = (struct school){ .keeps = keeps };
    school->source = (struct classroom_source){ list, open_lesson, school };
    school->classroom.source = &school->source;
    school->profiles = (struct work_source){ classroom_profile, &school->classroom };
}

void school_free(struct school *school) {
    classroom_free(&school->classroom);
    if (school->read)
        lessons_free(&school->lessons);
    arena_free(&school->arena);
    school->read = false;
}

void school_attend(struct school *school, struct view_state *state, struct scene *scene) {
    state->classroom = &school->classroom;
    scene->source = &school->profiles;
}

enum ss_status school_find(struct school *school, const char *text, uint32_t *number, uint32_t *step, struct error *error) {
    struct lesson_choice choice;
    enum ss_status status = read_lessons(school, error);
    if (status != SS_OK)
        return status;
    status = lessons_choose(&school->lessons, text, &school->arena, &school->own, &choice, error);
    if (status != SS_OK) {
        school->own.arena = NULL;
        return status;
    }
    *number = choice.number;
    *step = choice.step == NONE ? LESSON_FROM_START : choice.step;
    describe_all(school);
    return SS_OK;
}

void school_note(struct school *school, struct view_state *state) {
    const struct lesson_play *play = &school->classroom.play;
    struct error error = { "", "" };
    char text[sizeof error.text + 40];
    if (!school->keeps)
        return;
    const struct lesson_score score = lesson_play_score(play);
    if (progress_note_lesson(play->lesson->name, score.earned, score.of, &error) != SS_OK) {
        snprintf(text, sizeof text, "What you did can't be kept: %s", error.text);
        state_message(state, MESSAGE_BAD, text);
    }
    describe_all(school);
}
