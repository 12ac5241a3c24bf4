#include "lessons.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/units.h"
#include "folders.h"
#include "io/file.h"
#include "io/lesson_files.h"
#include "io/lesson_json.h"
#include "suggest.h"
#include "talk.h"
#include "view/key.h"

/* ---- one lesson ---- */

/* "folder/03-offload.json" is called "03-offload". */
static const char *name_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t length = strlen(base), ending = length > 5 && strcmp(base + length - 5, ".json") == 0 ? 5 : 0;
    return arena_printf(arena, "%.*s", (int)(length - ending), base);
}

static enum ss_status check_keys(const char *keys, uint32_t step, const char *where, struct error *error) {
    struct arena scratch = { 0 };
    struct key *key;
    size_t count;
    enum ss_status status = keys_parse(keys, &scratch, &key, &count, error);
    arena_free(&scratch);
    if (status != SS_USAGE)
        return status;
    error_place(error, "$.steps[%u]%s.keys", step, where);
    return SS_BAD_INPUT;
}

/* What keys there are is known to the view alone. */
static enum ss_status check_all_keys(const struct lesson *lesson, struct error *error) {
    enum ss_status status = SS_OK;
    for (uint32_t i = 0; i < lesson->step_count && status == SS_OK; i++) {
        const struct lesson_step *step = &lesson->step[i];
        status = check_keys(step->stand.keys, i, "", error);
        if (status == SS_OK && step->kind == LESSON_ASKS)
            status = check_keys(step->question.reveal.keys, i, ".question.reveal", error);
        if (status == SS_OK && step->kind == LESSON_SETS_TASK)
            status = check_keys(step->task.solution.keys, i, ".task.solution", error);
    }
    return status;
}

static enum ss_status read_text(const char *text, size_t length, const char *name, struct arena *arena,
                                struct lesson *out, struct error *error) {
    const enum ss_status status = lesson_json_read(text, length, name, arena, out, error);
    return status == SS_OK ? check_all_keys(out, error) : status;
}

enum ss_status lesson_load(const char *path, struct arena *arena, struct lesson *out, struct error *error) {
    struct file_text text;
    const char *name = name_of(path, arena);
    if (!name)
        return error_no_memory(error);
    enum ss_status status = file_read(path, &text, error);
    if (status == SS_OK) {
        status = read_text(text.text, text.length, name, arena, out, error);
        file_text_free(&text);
    }
    return status == SS_OK ? SS_OK : error_in_file(error, path, status);
}

/* ---- all of them ---- */

/* Names that end in .json; the caller frees the list, whose texts live in ARENA. */
static enum ss_status list_folder(const char *folder, struct arena *arena, const char ***names, uint32_t *count,
                                  struct error *error) {
    DIR *directory = *folder ? opendir(folder) : NULL;
    uint32_t room = 0;
    enum ss_status status = SS_OK;
    *names = NULL;
    *count = 0;
    for (struct dirent *entry; directory && status == SS_OK && (entry = readdir(directory));) {
        const size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        if (*count == room) {
            room = room ? 2 * room : 16;
            const char **more = realloc(*names, room * sizeof *more);
            if (!more)
                status = error_no_memory(error);
            *names = more ? more : *names;
        }
        if (status == SS_OK && !((*names)[*count] = arena_strdup(arena, entry->d_name)))
            status = error_no_memory(error);
        *count += status == SS_OK;
    }
    if (directory)
        closedir(directory);
    return status;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* What came of reading ENTRY: a lesson, or a fault of its own. */
static enum ss_status finish(struct lesson_entry *entry, const struct lesson *lesson, enum ss_status status,
                             struct error *error) {
    if (status == SS_INTERNAL)
        return error_no_memory(error);
    entry->lesson = status == SS_OK ? lesson : NULL;
    return SS_OK;
}

static enum ss_status read_builtin(struct lessons *lessons, uint32_t i, struct error *error) {
    struct lesson *lesson = ARENA_ARRAY(&lessons->arena, struct lesson, 1);
    const struct lesson_file *file = &LESSON_FILES[i];
    struct lesson_entry *entry = &lessons->entry[lessons->count++];
    if (!lesson)
        return error_no_memory(error);
    entry->name = file->name;
    const enum ss_status status = read_text(file->text, file->length, file->name, &lessons->arena, lesson, &entry->fault);
    return finish(entry, lesson, status, error);
}

static enum ss_status read_users(struct lessons *lessons, const char *folder, const char *file, struct error *error) {
    struct lesson *lesson = ARENA_ARRAY(&lessons->arena, struct lesson, 1);
    struct lesson_entry *entry = &lessons->entry[lessons->count++];
    entry->path = arena_printf(&lessons->arena, "%s/%s", folder, file);
    entry->name = name_of(file, &lessons->arena);
    if (!lesson || !entry->path || !entry->name)
        return error_no_memory(error);
    enum ss_status status = file_check_regular(entry->path, &entry->fault);
    if (status == SS_OK)
        status = lesson_load(entry->path, &lessons->arena, lesson, &entry->fault);
    return finish(entry, lesson, status, error);
}

enum ss_status lessons_read(struct lessons *lessons, struct error *error) {
    const char **names = NULL;
    uint32_t own = 0;
    *lessons = (struct lessons){ .count = 0 };
    const char *folder = folder_path(FOLDER_CONFIG, "lessons", &lessons->arena);
    enum ss_status status = folder ? list_folder(folder, &lessons->arena, &names, &own, error) : error_no_memory(error);
    if (own > 0)
        qsort(names, own, sizeof *names, by_name);
    lessons->entry = ARENA_ARRAY(&lessons->arena, struct lesson_entry, LESSON_FILE_COUNT + own);
    if (status == SS_OK && !lessons->entry)
        status = error_no_memory(error);
    for (uint32_t i = 0; i < LESSON_FILE_COUNT && status == SS_OK; i++)
        status = read_builtin(lessons, i, error);
    for (uint32_t i = 0; i < own && status == SS_OK; i++)
        status = read_users(lessons, folder, names[i], error);
    free(names);
    return status;
}

void lessons_free(struct lessons *lessons) {
    arena_free(&lessons->arena);
    *lessons = (struct lessons){ .count = 0 };
}

/* ---- the one that is meant ---- */

/* "offload" of "03-offload". */
static const char *short_name(const char *name) {
    const size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '-' ? name + digits + 1 : name;
}

/* Its number in the list, or NONE. */
static uint32_t find_listed(const struct lessons *lessons, const char *word) {
    const size_t digits = strspn(word, "0123456789");
    const unsigned long number = digits > 0 && digits < 9 && !word[digits] ? strtoul(word, NULL, 10) : 0;
    if (number >= 1 && number <= lessons->count)
        return (uint32_t)number - 1;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (strcmp(lessons->entry[i].name, word) == 0)
            return i;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (strcmp(short_name(lessons->entry[i].name), word) == 0)
            return i;
    return NONE;
}

static enum ss_status no_such_lesson(const struct lessons *lessons, const char *word, struct error *error) {
    char text[80];
    struct suggestion near = { .word = word };
    for (uint32_t i = 0; i < lessons->count; i++) {
        suggest(&near, lessons->entry[i].name);
        suggest(&near, short_name(lessons->entry[i].name));
    }
    return error_set(error, SS_USAGE, "there is no lesson '%s'%s: 'slackswap lesson' lists them, and a file needs a '.' or '/'",
                     word, suggestion_text(&near, "", text));
}

static enum ss_status choose(const struct lessons *lessons, const char *word, struct arena *arena, struct lesson *own,
                             struct lesson_choice *out, struct error *error) {
    const uint32_t number = find_listed(lessons, word);
    if (number == NONE && !strpbrk(word, "./") && strcmp(word, "-") != 0)
        return no_such_lesson(lessons, word, error);
    out->number = number == NONE ? lessons->count : number;
    out->lesson = number == NONE ? own : lessons->entry[number].lesson;
    if (number == NONE)
        return lesson_load(word, arena, own, error);
    if (out->lesson)
        return SS_OK;
    *error = lessons->entry[number].fault;
    return SS_BAD_INPUT;
}

/* The length of what stands before ".STEP". Names of files may have points of their own: the last one counts, where a number
 * stands behind it and no file is called so. */
static size_t split_step(const char *text, uint32_t *step) {
    const char *dot = strrchr(text, '.');
    uint64_t number;
    *step = NONE;
    if (!dot || parse_count(dot + 1, 1, NONE, &number, NULL) != SS_OK || access(text, F_OK) == 0)
        return strlen(text);
    *step = (uint32_t)number - 1;
    return (size_t)(dot - text);
}

enum ss_status lessons_choose(const struct lessons *lessons, const char *text, struct arena *arena, struct lesson *own,
                              struct lesson_choice *out, struct error *error) {
    uint32_t step;
    const char *word = arena_printf(arena, "%.*s", (int)split_step(text, &step), text);
    if (!word)
        return error_no_memory(error);
    const enum ss_status status = choose(lessons, word, arena, own, out, error);
    out->step = step;
    if (status == SS_OK && step != NONE && step >= out->lesson->step_count)
        return error_set(error, SS_USAGE, "lesson '%s' has %u steps", word, (unsigned)out->lesson->step_count);
    return status;
}
