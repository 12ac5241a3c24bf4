/* member_lines: see member_lines.h. */
#include "member_lines.h"

#include <string.h>

#include <cjson/cJSON.h>

struct scan {
    const char *at, *end;
    uint32_t line, depth;
    struct arena *arena;
};

/* Behind the text whose opening quote stands at AT. */
static const char *text_end(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

/* What the LENGTH bytes at AT, quotes included, stand for. */
static const char *decode(struct arena *arena, const char *at, size_t length) {
    char *name = NULL;
    if (!memchr(at, '\\', length)) {
        name = ARENA_ARRAY(arena, char, length);
        if (name)
            memcpy(name, at + 1, length - 2); /* the rest is zero */
        return name;
    }
    cJSON *text = cJSON_ParseWithLength(at, length);
    if (text && cJSON_IsString(text))
        name = arena_strdup(arena, text->valuestring);
    cJSON_Delete(text);
    return name;
}

static bool is_member(const char *after, const char *end) {
    while (after < end && strchr(" \t\r\n", *after) && *after)
        after++;
    return after < end && *after == ':';
}

static enum ss_status note_text(struct scan *scan, struct member_lines *out, struct error *error) {
    const char *after = text_end(scan->at, scan->end);
    bool added;
    enum ss_status status = SS_OK;
    if (scan->depth == 2 && is_member(after, scan->end)) {
        const char *name = decode(scan->arena, scan->at, (size_t)(after - scan->at));
        status = name ? names_insert(&out->lines, scan->arena, name, scan->line, &added, error) : error_no_memory(error);
    }
    scan->at = after;
    return status;
}

enum ss_status member_lines_find(const char *text, size_t length, struct arena *arena, struct member_lines *out,
                                 struct error *error) {
    struct scan scan = { .at = text, .end = text + length, .line = 1, .arena = arena };
    enum ss_status status = names_init(&out->lines, arena, 64, error);
    while (status == SS_OK && scan.at < scan.end) {
        if (*scan.at == '"') {
            status = note_text(&scan, out, error);
            continue;
        }
        scan.line += *scan.at == '\n';
        scan.depth += *scan.at == '{' || *scan.at == '[';
        scan.depth -= *scan.at == '}' || *scan.at == ']';
        scan.at++;
    }
    return status;
}

uint32_t member_line(const struct member_lines *lines, const char *name) {
    const uint32_t line = names_find(&lines->lines, name);
    return line == NONE ? 0 : line;
}
