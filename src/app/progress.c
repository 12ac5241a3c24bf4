#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "folders.h"
#include "io/buffer.h"
#include "io/file.h"
#include "io/json.h"
#include "talk.h"

#define SCHEMA "slackswap-progress/1"
#define FILE_NAME "progress.json"

/* ---- reading ---- */

static cJSON *read_root(const char *path) {
    struct file_text text;
    struct json json = { .root = NULL };
    if (file_read(path, &text, NULL) != SS_OK)
        return NULL;
    enum ss_status status = json_open(&json, text.text, text.length, NULL);
    file_text_free(&text);
    if (status == SS_OK && !(cJSON_IsObject(json.root) && json_check_schema(&json, SCHEMA, NULL)))
        json_close(&json);
    return json.root;
}

void progress_load(struct progress *progress) {
    struct arena arena = { 0 };
    const char *path = folder_path(FOLDER_STATE, FILE_NAME, &arena);
    progress->root = path && *path ? read_root(path) : NULL;
    arena_free(&arena);
}

void progress_free(struct progress *progress) {
    cJSON_Delete(progress->root);
    progress->root = NULL;
}

static uint32_t count_of(const cJSON *object, const char *key) {
    uint64_t count;
    const cJSON *node = json_find(object, key);
    return node && json_is_whole(node, UINT32_MAX, &count) ? (uint32_t)count : 0;
}

struct lesson_progress progress_of_lesson(const struct progress *progress, const char *name) {
    const cJSON *entry = json_find(json_find(progress->root, "lessons"), name);
    struct lesson_progress lesson = { .done = cJSON_IsObject(entry) };
    if (lesson.done) {
        lesson.best = count_of(entry, "best");
        lesson.of = count_of(entry, "of");
    }
    return lesson;
}

bool progress_best_gap(const struct progress *progress, const char *key, double *gap) {
    const cJSON *node = json_find(json_find(progress->root, "gaps"), key);
    if (!cJSON_IsNumber(node) || !isfinite(node->valuedouble))
        return false;
    *gap = node->valuedouble;
    return true;
}

void progress_each_gap(const struct progress *progress, void (*each)(void *context, const char *key), void *context) {
    const cJSON *gap;
    cJSON_ArrayForEach(gap, json_find(progress->root, "gaps"))
        if (gap->string)
            each(context, gap->string);
}

/* ---- writing ---- */

/* The member KEY of OBJECT as an object: made, or made anew where something else stands there. NULL: no memory. */
static cJSON *object_in(cJSON *object, const char *key) {
    cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsObject(node))
        return node;
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    return cJSON_AddObjectToObject(object, key);
}

static bool put_number(cJSON *object, const char *key, double value) {
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    return cJSON_AddNumberToObject(object, key, value) != NULL;
}

/* A file that can't be read is not thrown away. */
static cJSON *open_root(const char *path, struct arena *arena) {
    cJSON *root = read_root(path);
    const char *aside = arena_printf(arena, "%s.broken", path);
    if (root || !aside)
        return root;
    rename(path, aside);
    root = cJSON_CreateObject();
    if (root && !cJSON_AddStringToObject(root, "schema", SCHEMA)) {
        cJSON_Delete(root);
        root = NULL;
    }
    return root;
}

static enum ss_status write_root(const cJSON *root, const char *path, struct error *error) {
    struct buffer out = { 0 };
    char *text = cJSON_Print(root);
    if (!text)
        return error_no_memory(error);
    buffer_text(&out, text);
    buffer_text(&out, "\n");
    cJSON_free(text);
    enum ss_status status = buffer_status(&out, error);
    if (status == SS_OK)
        status = file_write(path, out.text, out.length, error);
    buffer_free(&out);
    return status == SS_OK ? SS_OK : error_in_file(error, path, status);
}

/* What is to be noted, and how: CHANGE returns false when memory is short, and clears WORTH when nothing is to be written. */
struct note {
    const char *key;
    uint32_t earned, of;
    double gap;
    bool worth;
    bool (*change)(struct note *note, cJSON *root);
};

static enum ss_status write_note(struct note *note, struct error *error) {
    struct arena arena = { 0 };
    enum ss_status status = SS_OK;
    const char *folder = folder_path(FOLDER_STATE, "", &arena), *path = folder_path(FOLDER_STATE, FILE_NAME, &arena);
    cJSON *root = NULL;
    if (!folder || !path) {
        status = error_no_memory(error);
    } else if (*path) {
        folder_make(folder, &arena);
        root = open_root(path, &arena);
        note->worth = true;
        status = root && note->change(note, root) ? SS_OK : error_no_memory(error);
        if (status == SS_OK && note->worth)
            status = write_root(root, path, error);
    }
    cJSON_Delete(root);
    arena_free(&arena);
    return status;
}

static bool change_lesson(struct note *note, cJSON *root) {
    const struct progress now = { root };
    const struct lesson_progress before = progress_of_lesson(&now, note->key);
    note->worth = !before.done || before.of != note->of || before.best < note->earned;
    if (!note->worth)
        return true;
    cJSON *lessons = object_in(root, "lessons"), *entry = lessons ? object_in(lessons, note->key) : NULL;
    return entry && put_number(entry, "best", note->earned) && put_number(entry, "of", note->of);
}

static bool change_gap(struct note *note, cJSON *root) {
    const struct progress now = { root };
    double best;
    note->worth = !progress_best_gap(&now, note->key, &best) || note->gap < best;
    if (!note->worth)
        return true;
    cJSON *gaps = object_in(root, "gaps");
    return gaps && put_number(gaps, note->key, note->gap);
}

enum ss_status progress_note_lesson(const char *name, uint32_t earned, uint32_t of, struct error *error) {
    return write_note(&(struct note){ .key = name, .earned = earned, .of = of, .change = change_lesson }, error);
}

enum ss_status progress_note_gap(const char *key, double gap, struct error *error) {
    if (!isfinite(gap))
        return SS_OK;
    return write_note(&(struct note){ .key = key, .gap = gap, .change = change_gap }, error);
}
