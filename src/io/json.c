#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "core/sanitise.h"
#include "json_write.h"

/* ---- paths: found by looking for the node, when an error needs one --------------------------------------------- */

struct path {
    const cJSON *node[JSON_DEPTH_MOST + 2];
    size_t index[JSON_DEPTH_MOST + 2]; /* of node among its siblings */
    uint32_t depth;                    /* of the last node */
};

/* Moves to the next node in document order; false at the end. */
static bool path_advance(struct path *path) {
    const cJSON *node = path->node[path->depth];
    if (node->child) {
        path->node[++path->depth] = node->child;
        path->index[path->depth] = 0;
        return true;
    }
    while (path->depth > 0 && !path->node[path->depth]->next)
        path->depth--;
    if (path->depth == 0)
        return false;
    path->node[path->depth] = path->node[path->depth]->next;
    path->index[path->depth]++;
    return true;
}

static bool is_plain(const char *key) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *key && strspn(key, letters) == strlen(key) && strlen(key) < 60;
}

static void put_key(struct buffer *out, const char *key) {
    if (is_plain(key))
        buffer_printf(out, ".%s", key);
    else
        buffer_printf(out, "[\"%.60s\"]", key);
}

/* Writes NODE's path; NAME (may be NULL) receives the name of the list entry that NODE stands in, if it has one. */
static void put_path(struct buffer *text, const struct json *json, const cJSON *node, const char **name) {
    struct path path = { .node = { json->root } };
    while (path.node[path.depth] != node && path_advance(&path))
        ;
    buffer_text(text, json->at ? json->at : "$");
    for (uint32_t level = 1; level <= path.depth; level++) {
        if (!cJSON_IsArray(path.node[level - 1])) {
            put_key(text, path.node[level]->string);
            continue;
        }
        const cJSON *member = json_find(path.node[level], "name");
        if (name && cJSON_IsString(member) && member != node)
            *name = member->valuestring;
        buffer_printf(text, "[%zu]", path.index[level]);
    }
}

/* Sets the place of the fault to NODE's path, or to that of its member FIELD. */
static void set_place(const struct json *json, const cJSON *node, const char *field, const char **name) {
    struct buffer text = { 0 };
    put_path(&text, json, node, name);
    if (field)
        put_key(&text, field);
    if (!text.failed)
        error_place(json->error, "%s", text.text);
    buffer_free(&text);
}

bool json_fault(struct json *json, const cJSON *node, const char *field, enum ss_status status) {
    if (json->status == SS_OK) {
        json->status = status;
        if (json->error)
            set_place(json, node, field, NULL);
    }
    return false;
}

/* The message, its place, and the name of the entry. */
static bool expected(struct json *json, const cJSON *node, const char *field, const char *wanted, const char *found) {
    if (json->status != SS_OK)
        return false;
    json->status = SS_BAD_INPUT;
    if (!json->error)
        return false;
    char place[sizeof json->error->place];
    const char *name = NULL;
    set_place(json, node, field, &name);
    memcpy(place, json->error->place, sizeof place);
    if (name)
        error_set(json->error, SS_BAD_INPUT, "expected %s, found %s ('%.120s')", wanted, found, name);
    else
        error_set(json->error, SS_BAD_INPUT, "expected %s, found %s", wanted, found);
    memcpy(json->error->place, place, sizeof place);
    return false;
}

bool json_expected(struct json *json, const cJSON *node, const char *wanted) {
    char found[128], number[JSON_NUMBER_TEXT];
    if (cJSON_IsString(node))
        snprintf(found, sizeof found, "'%.100s'", node->valuestring);
    else if (cJSON_IsNumber(node) && !isfinite(node->valuedouble))
        strcpy(found, "a number too large to hold");
    else if (cJSON_IsNumber(node))
        strcpy(found, json_format_number(number, node->valuedouble));
    else
        strcpy(found, cJSON_IsTrue(node) ? "true" : cJSON_IsFalse(node) ? "false" : cJSON_IsNull(node) ? "null"
               : cJSON_IsArray(node) ? "a list" : "an object");
    return expected(json, node, NULL, wanted, found);
}

bool json_missing(struct json *json, const cJSON *object, const char *key, const char *wanted) {
    return expected(json, object, key, wanted, "nothing");
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

#define FEW 12 /* up to here comparing all pairs is quicker than a table */

static bool is_twice(struct json *json, const cJSON *object, const cJSON *member) {
    error_set(json->error, SS_BAD_INPUT, "expected each member once, found '%.120s' twice", member->string);
    return json_fault(json, object, member->string, SS_BAD_INPUT);
}

static bool check_few_members(struct json *json, const cJSON *object) {
    for (const cJSON *member = object->child; member; member = member->next)
        for (const cJSON *other = object->child; other != member; other = other->next)
            if (strcmp(member->string, other->string) == 0)
                return is_twice(json, object, member);
    return true;
}

static bool check_many_members(struct json *json, const cJSON *object, size_t count, struct arena *scratch) {
    struct names names;
    arena_reset(scratch);
    enum ss_status status = names_init(&names, scratch, count, json->error);
    if (status != SS_OK)
        return json_fault(json, object, NULL, status);
    for (const cJSON *member = object->child; member; member = member->next)
        if (!names_add(&names, member->string, 0))
            return is_twice(json, object, member);
    return true;
}

static bool check_members(struct json *json, const cJSON *object, struct arena *scratch) {
    size_t count = 0;
    for (const cJSON *member = object->child; member; member = member->next)
        count++;
    return count <= FEW ? check_few_members(json, object) : check_many_members(json, object, count, scratch);
}

static void check_unique_members(struct json *json) {
    struct path path = { .node = { json->root } };
    struct arena scratch = { 0 };
    do
        if (cJSON_IsObject(path.node[path.depth]) && !check_members(json, path.node[path.depth], &scratch))
            break;
    while (path_advance(&path));
    arena_free(&scratch);
}

enum ss_status json_open(struct json *json, const char *text, size_t length, struct error *error) {
    static const char mark[] = "\xEF\xBB\xBF"; /* the byte order mark that some editors put before UTF-8 */
    *json = (struct json){ .error = error };
    if (length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    json->status = json_check_syntax(text, length, error);
    if (json->status != SS_OK)
        return json->status;
    json->root = cJSON_ParseWithLengthOpts(text, length + 1, NULL, 1);
    if (!json->root)
        return json->status = error_no_memory(error);
    check_unique_members(json);
    if (json->status != SS_OK)
        json_close(json);
    return json->status;
}

struct json json_nested(const struct json *json, const cJSON *node, struct arena *arena) {
    struct buffer text = { 0 };
    struct json nested = { .root = (cJSON *)node, .status = json->status, .error = json->error };
    put_path(&text, json, node, NULL);
    if (!text.failed)
        nested.at = arena_strdup(arena, text.text);
    if (!nested.at && nested.status == SS_OK)
        nested.status = error_no_memory(json->error);
    buffer_free(&text);
    return nested;
}

bool json_leave(struct json *json, const struct json *nested) {
    json->status = nested->status;
    return json->status == SS_OK;
}

void json_close(struct json *json) {
    cJSON_Delete(json->root);
    json->root = NULL;
}

/* ---- getters ------------------------------------------------------------------------------------------------------ */

const cJSON *json_find(const cJSON *object, const char *key) {
    if (!cJSON_IsObject(object))
        return NULL;
    for (const cJSON *member = object->child; member; member = member->next)
        if (strcmp(member->string, key) == 0)
            return member;
    return NULL;
}

/* The member to take: NODE is NULL when there is nothing to take and, unless the result is false, nothing wrong. */
static bool find(struct json *json, const cJSON *object, const char *key, enum json_need need, const char *wanted,
                 const cJSON **node) {
    *node = NULL;
    if (json->status != SS_OK)
        return false;
    *node = json_find(object, key);
    return *node || need == JSON_OPTIONAL || json_missing(json, object, key, wanted);
}

bool json_take_text(struct json *json, const cJSON *node, const char *what, const char **out) {
    if (json->status != SS_OK)
        return false;
    if (!cJSON_IsString(node))
        return json_expected(json, node, what);
    *out = node->valuestring;
    return true;
}

bool json_get_text(struct json *json, const cJSON *object, const char *key, enum json_need need, const char **out) {
    const cJSON *node;
    if (!find(json, object, key, need, "a text", &node))
        return false;
    return !node || json_take_text(json, node, "a text", out);
}

bool json_get_name(struct json *json, const cJSON *object, const char *key, enum json_need need, const char **out) {
    const cJSON *node;
    if (!find(json, object, key, need, "a name", &node))
        return false;
    if (node && cJSON_IsString(node) && !*node->valuestring)
        return json_expected(json, node, "a name");
    return !node || json_take_text(json, node, "a name", out);
}

bool json_get_bool(struct json *json, const cJSON *object, const char *key, bool *out) {
    const cJSON *node;
    if (!find(json, object, key, JSON_OPTIONAL, "", &node))
        return false;
    if (!node)
        return true;
    if (!cJSON_IsBool(node))
        return json_expected(json, node, "true or false");
    *out = cJSON_IsTrue(node);
    return true;
}

static const char *whole_wanted(uint64_t limit) {
    return limit == BYTES_LIMIT ? "a whole number from 0 to below 2^53" : "a whole number of 0 or more";
}

bool json_is_whole(const cJSON *node, uint64_t limit, uint64_t *out) {
    double number = cJSON_IsNumber(node) ? node->valuedouble : -1;
    if (!(number >= 0 && number < (double)limit && number == floor(number)))
        return false;
    *out = (uint64_t)number;
    return true;
}

bool json_get_whole(struct json *json, const cJSON *object, const char *key, enum json_need need, uint64_t limit,
                    uint64_t *out) {
    const cJSON *node;
    if (!find(json, object, key, need, whole_wanted(limit), &node))
        return false;
    return !node || json_is_whole(node, limit, out) || json_expected(json, node, whole_wanted(limit));
}

bool json_get_time(struct json *json, const cJSON *object, const char *key, enum json_need need, double *out_us) {
    static const char wanted[] = "a finite time of 0 us or more";
    const cJSON *node;
    if (!find(json, object, key, need, wanted, &node))
        return false;
    if (!node)
        return true;
    if (!cJSON_IsNumber(node) || !isfinite(node->valuedouble) || node->valuedouble < 0)
        return json_expected(json, node, wanted);
    *out_us = node->valuedouble;
    return true;
}

bool json_get_rate(struct json *json, const cJSON *object, const char *key, enum json_need need, double *out) {
    static const char wanted[] = "a finite rate above 0 GB/s";
    const cJSON *node;
    if (!find(json, object, key, need, wanted, &node))
        return false;
    if (!node)
        return true;
    if (!cJSON_IsNumber(node) || !isfinite(node->valuedouble) || node->valuedouble <= 0)
        return json_expected(json, node, wanted);
    *out = node->valuedouble;
    return true;
}

bool json_get_array(struct json *json, const cJSON *object, const char *key, enum json_need need, const cJSON **out) {
    const cJSON *node;
    if (!find(json, object, key, need, "a list", &node))
        return false;
    if (node && !cJSON_IsArray(node))
        return json_expected(json, node, "a list");
    *out = node ? node : *out;
    return true;
}

bool json_is_object(struct json *json, const cJSON *node, const char *what) {
    return json->status == SS_OK && (cJSON_IsObject(node) || json_expected(json, node, what));
}

bool json_get_object(struct json *json, const cJSON *object, const char *key, enum json_need need, const cJSON **out) {
    const cJSON *node;
    if (!find(json, object, key, need, "an object", &node))
        return false;
    if (node && !json_is_object(json, node, "an object"))
        return false;
    *out = node ? node : *out;
    return true;
}

/* ---- warnings ----------------------------------------------------------------------------------------------------- */

void warnings_add(struct warnings *warnings, const char *format, ...) {
    char raw[256];
    if (!warnings || warnings->count == WARNINGS_MOST)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    sanitise(warnings->text[warnings->count++], sizeof warnings->text[0], raw);
}

bool json_check_schema(struct json *json, const char *wanted, struct warnings *warnings) {
    const char *schema = NULL;
    char text[64];
    if (!json_get_text(json, json->root, "schema", JSON_OPTIONAL, &schema))
        return false;
    if (!schema)
        warnings_add(warnings, "no \"schema\": read as %s", wanted);
    if (!schema || strcmp(schema, wanted) == 0)
        return true;
    snprintf(text, sizeof text, "\"%s\"", wanted);
    return json_expected(json, json_find(json->root, "schema"), text);
}
