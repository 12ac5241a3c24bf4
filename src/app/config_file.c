#include "config_file.h"

#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "io/file.h"
#include "io/json.h"
#include "io/json_write.h"
#include "suggest.h"
#include "talk.h"

/* MEMBER's value as the command line would have it; NULL when it can't be one. */
static const char *value_of(const cJSON *member, struct arena *arena) {
    char number[JSON_NUMBER_TEXT];
    if (cJSON_IsString(member))
        return arena_strdup(arena, member->valuestring);
    if (cJSON_IsNumber(member))
        return arena_strdup(arena, json_format_number(number, member->valuedouble));
    return cJSON_IsTrue(member) ? "yes" : "no";
}

static enum ss_status refuse_name(struct json *json, const cJSON *member) {
    char text[80];
    struct suggestion near = { .word = member->string };
    for (int i = 0; i < OPTION_COUNT; i++)
        if (OPTION_TABLE[i].setting)
            suggest(&near, OPTION_TABLE[i].name);
    error_set(json->error, SS_BAD_INPUT, "no setting is called so%s", suggestion_text(&near, "", text));
    json_fault(json, member, NULL, SS_BAD_INPUT);
    return json->status;
}

static enum ss_status take_member(struct json *json, const cJSON *member, struct arena *arena, struct config_file *out) {
    enum option_id id = option_find(member->string, strlen(member->string));
    if (id == OPTION_COUNT || !OPTION_TABLE[id].setting)
        return refuse_name(json, member);
    if (!cJSON_IsString(member) && !cJSON_IsNumber(member) && !cJSON_IsBool(member)) {
        json_expected(json, member, "a text, a number or a boolean");
        return json->status;
    }
    out->value[id] = value_of(member, arena);
    return out->value[id] ? SS_OK : error_no_memory(json->error);
}

enum ss_status config_file_parse(const char *text, size_t length, struct arena *arena, struct config_file *out,
                                 struct error *error) {
    struct json json;
    enum ss_status status = json_open(&json, text, length, error);
    if (status != SS_OK)
        return status;
    if (!json_is_object(&json, json.root, "an object of settings"))
        status = json.status;
    for (const cJSON *member = json.root->child; member && status == SS_OK; member = member->next)
        status = take_member(&json, member, arena, out);
    json_close(&json);
    return status;
}

enum ss_status config_file_read(struct arena *arena, struct config_file *out, struct error *error) {
    struct file_text text;
    *out = (struct config_file){ .path = folder_path(FOLDER_CONFIG, "config.json", arena) };
    if (!out->path)
        return error_no_memory(error);
    if (!*out->path || access(out->path, F_OK) != 0)
        return SS_OK;
    enum ss_status status = file_read(out->path, &text, error);
    if (status == SS_OK) {
        status = config_file_parse(text.text, text.length, arena, out, error);
        file_text_free(&text);
    }
    return status == SS_OK ? SS_OK : error_in_file(error, out->path, status);
}
