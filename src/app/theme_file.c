#include "theme_file.h"

#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "io/file.h"
#include "io/json.h"
#include "suggest.h"
#include "talk.h"
#include "view/text.h"

static int digit_value(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_rgb(const char *text, uint32_t *out) {
    uint32_t rgb = 0;
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (int i = 1; i < 7; i++) {
        int value = digit_value(text[i]);
        if (value < 0)
            return false;
        rgb = rgb << 4 | (uint32_t)value;
    }
    *out = rgb;
    return true;
}

/* Optional, as all members are. */
static bool take_colour(struct json *json, const cJSON *object, const char *key, bool may_be_null, uint32_t *out) {
    const cJSON *node = json_find(object, key);
    if (json->status != SS_OK || !node)
        return json->status == SS_OK;
    if (may_be_null && cJSON_IsNull(node)) {
        *out = COLOUR_NONE;
        return true;
    }
    if (cJSON_IsString(node) && read_rgb(node->valuestring, out))
        return true;
    return json_expected(json, node, may_be_null ? "a colour such as \"#56B4E9\", or null" : "a colour such as \"#56B4E9\"");
}

/* A grapheme that takes one column and is no control character: text_next points at a replacement for those. */
static bool is_glyph(const char *text) {
    const char *cursor = text;
    struct grapheme grapheme;
    return text_next(&cursor, &grapheme) && grapheme.text == text && grapheme.width == 1 && !*cursor &&
           grapheme.length < CELL_BYTES;
}

static bool is_ascii_glyph(const char *text) {
    return text[0] >= ' ' && text[0] <= '~' && !text[1];
}

static bool take_glyph(struct json *json, const cJSON *object, const char *key, bool (*fits)(const char *), const char *expected,
                       struct arena *arena, const char **out) {
    const cJSON *node = json_find(object, key);
    if (json->status != SS_OK || !node)
        return json->status == SS_OK;
    if (!cJSON_IsString(node) || !fits(node->valuestring))
        return json_expected(json, node, expected);
    *out = arena_strdup(arena, node->valuestring);
    return *out || json_fault(json, node, NULL, error_no_memory(json->error));
}

/* NODE stands where nothing of its name may. */
static bool refuse(struct json *json, const cJSON *node, const char *what, const char *const *names, int count) {
    char text[80];
    struct suggestion near = { .word = node->string };
    for (int i = 0; i < count; i++)
        suggest(&near, names[i]);
    error_set(json->error, SS_BAD_INPUT, "%s%s", what, suggestion_text(&near, "", text));
    return json_fault(json, node, NULL, SS_BAD_INPUT);
}

static bool is_one_of(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool take_role(struct json *json, const cJSON *node, struct arena *arena, struct theme_role *out) {
    static const char *const MEMBERS[] = { "fg", "bg", "bold", "glyph", "ascii" };
    const int count = sizeof MEMBERS / sizeof MEMBERS[0];
    if (!json_is_object(json, node, "an object of fg, bg, bold, glyph and ascii"))
        return false;
    for (const cJSON *member = node->child; member; member = member->next)
        if (!is_one_of(member->string, MEMBERS, count))
            return refuse(json, member, "a role has no such member", MEMBERS, count);
    return take_colour(json, node, "fg", true, &out->fg) && take_colour(json, node, "bg", true, &out->bg) &&
           json_get_bool(json, node, "bold", &out->bold) &&
           take_glyph(json, node, "glyph", is_glyph, "a character of one column", arena, &out->glyph) &&
           take_glyph(json, node, "ascii", is_ascii_glyph, "a printable ASCII character", arena, &out->ascii);
}

static bool take_base(struct json *json, struct theme *out) {
    const char *name = THEME_DEFAULT.name;
    const struct theme *base;
    if (!json_get_text(json, json->root, "base", JSON_OPTIONAL, &name))
        return false;
    base = theme_builtin(name);
    if (!base)
        return json_expected(json, json_find(json->root, "base"), "the name of a built-in theme");
    *out = *base;
    return true;
}

static bool take_theme(struct json *json, struct arena *arena, struct theme *out) {
    static const char *const BESIDE[] = { "schema", "base", "foreground", "background", "mono" };
    const int count = sizeof BESIDE / sizeof BESIDE[0];
    if (!json_is_object(json, json->root, "an object of roles") ||
        !json_check_schema(json, "slackswap-theme/1", NULL) || !take_base(json, out))
        return false;
    take_colour(json, json->root, "foreground", false, &out->foreground);
    take_colour(json, json->root, "background", false, &out->background);
    json_get_bool(json, json->root, "mono", &out->mono);
    for (const cJSON *member = json->root->child; member && json->status == SS_OK; member = member->next) {
        int role = 1;
        while (role < ROLE_COUNT && strcmp(ROLE_NAME[role], member->string) != 0)
            role++;
        if (role < ROLE_COUNT)
            take_role(json, member, arena, &out->role[role]);
        else if (!is_one_of(member->string, BESIDE, count))
            refuse(json, member, "no role is called so", &ROLE_NAME[1], ROLE_COUNT - 1);
    }
    return json->status == SS_OK;
}

enum ss_status theme_parse(const char *text, size_t length, const char *name, struct arena *arena, struct theme *out,
                           struct error *error) {
    struct json json;
    enum ss_status status = json_open(&json, text, length, error);
    if (status != SS_OK)
        return status;
    take_theme(&json, arena, out);
    out->name = arena_strdup(arena, name);
    status = json.status != SS_OK ? json.status : out->name ? SS_OK : error_no_memory(error);
    json_close(&json);
    return status;
}

static enum ss_status no_such_theme(const char *name, struct error *error) {
    char text[80];
    struct suggestion near = { .word = name };
    for (uint32_t i = 0; i < THEME_BUILTIN_COUNT; i++)
        suggest(&near, THEME_BUILTIN[i].name);
    return error_set(error, SS_USAGE, "there is no theme '%s'%s: neither built in nor in slackswap/themes of the configuration folder",
                     name, suggestion_text(&near, "", text));
}

static enum ss_status read_file(struct theme_file *file, const char *name, const char *path, struct error *error) {
    struct file_text text;
    enum ss_status status = file_check_regular(path, error);
    if (status == SS_OK)
        status = file_read(path, &text, error);
    if (status == SS_OK) {
        status = theme_parse(text.text, text.length, name, &file->arena, &file->theme, error);
        file_text_free(&text);
    }
    return status == SS_OK ? SS_OK : error_in_file(error, path, status);
}

static enum ss_status find(struct theme_file *file, const char *name, struct error *error) {
    const struct theme *builtin = theme_builtin(name);
    const char *path = strchr(name, '/') ? "" : folder_path(FOLDER_CONFIG, arena_printf(&file->arena, "themes/%s.json", name),
                                                            &file->arena);
    if (!path)
        return error_no_memory(error);
    if (*path && access(path, F_OK) == 0) {
        file->path = path;
        return read_file(file, name, path, error);
    }
    if (!builtin)
        return no_such_theme(name, error);
    file->theme = *builtin;
    return SS_OK;
}

enum ss_status theme_file_load(const char *name, struct theme_file *out, struct error *error) {
    *out = (struct theme_file){ 0 };
    enum ss_status status = find(out, name, error);
    if (status != SS_OK)
        theme_file_free(out);
    return status;
}

void theme_file_free(struct theme_file *file) {
    arena_free(&file->arena);
    *file = (struct theme_file){ 0 };
}
