/* findings_sarif: findings as code-review tools take them — Static Analysis Results Interchange Format 2.1.0 (OASIS).
 * A result points to the line of the plan that names its tensor, to the first line when it is about none; its logical
 * location is the step, op or tensor. */
#include <stdio.h>

#include "core/fix_words.h"
#include "core/version.h"
#include "findings_report.h"
#include "json_write.h"

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static void put_message(struct json_writer *writer, const char *key, const char *text) {
    json_open_object(writer, key, JSON_INLINE);
    json_put_text(writer, "text", text);
    json_end(writer);
}

static void put_rule(struct json_writer *writer, const struct rule *rule) {
    char title[256];
    json_open_object(writer, NULL, JSON_LINES);
    json_put_text(writer, "id", rule->id);
    snprintf(title, sizeof title, "The plan %s.", rule->title);
    put_message(writer, "shortDescription", title);
    put_message(writer, "fullDescription", rule->explanation);
    json_open_object(writer, "defaultConfiguration", JSON_INLINE);
    json_put_text(writer, "level", SEVERITY_NAME[rule->severity]);
    json_end(writer);
    json_end(writer);
}

static void put_tool(struct json_writer *writer) {
    const char *version = version_text();
    json_open_object(writer, "tool", JSON_LINES);
    json_open_object(writer, "driver", JSON_LINES);
    json_put_text(writer, "name", "slackswap");
    json_put_text(writer, "fullName", version);
    json_open_array(writer, "rules", JSON_LINES);
    for (int id = 0; id < RULE_COUNT; id++)
        put_rule(writer, &RULE_TABLE[id]);
    json_end(writer);
    json_end(writer);
    json_end(writer);
}

/* A path as a URI reference: what is not unreserved or a slash is escaped. */
static void put_uri(struct json_writer *writer, const char *path) {
    struct buffer uri = { 0 };
    buffer_text(&uri, "");
    for (const char *at = path; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')
                        || byte == '-' || byte == '.' || byte == '_' || byte == '~' || byte == '/';
        if (plain)
            buffer_put(&uri, at, 1);
        else
            buffer_printf(&uri, "%%%02X", byte);
    }
    json_put_text(writer, "uri", uri.failed || !uri.text ? "" : uri.text);
    writer->out->failed = writer->out->failed || uri.failed;
    buffer_free(&uri);
}

static void put_logical(struct json_writer *writer, const char *kind, const char *name) {
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "name", name);
    json_put_text(writer, "kind", kind);
    json_end(writer);
}

static void put_location(struct json_writer *writer, const struct check *check, const struct finding *finding,
                         const struct findings_source *source) {
    const struct profile *profile = check->timeline.profile;
    const struct place *place = &finding->place;
    const uint32_t line = finding_line(finding, profile, source);
    json_open_array(writer, "locations", JSON_LINES);
    json_open_object(writer, NULL, JSON_LINES);
    json_open_object(writer, "physicalLocation", JSON_LINES);
    json_open_object(writer, "artifactLocation", JSON_INLINE);
    put_uri(writer, source->file);
    json_end(writer);
    json_open_object(writer, "region", JSON_INLINE);
    json_put_whole(writer, "startLine", line > 0 ? line : 1);
    json_end(writer);
    json_end(writer);
    if (place->op != NONE || place->tensor != NONE || place->entry) {
        json_open_array(writer, "logicalLocations", JSON_LINES);
        if (place->tensor != NONE || place->entry)
            put_logical(writer, "member", place->entry ? place->entry : profile->tensors[place->tensor].name);
        if (place->op != NONE)
            put_logical(writer, "function", profile->ops[place->op].name);
        json_end(writer);
    }
    json_end(writer);
    json_end(writer);
}

static void put_result(struct json_writer *writer, const struct check *check, const struct finding *finding,
                       const struct findings_source *source) {
    const struct rule *rule = &RULE_TABLE[finding->rule];
    struct buffer text = { 0 };
    buffer_text(&text, finding->words);
    if (finding->fix) {
        struct words words;
        words_start(&words, &VOICE_PLAIN);
        words_fix(&words, check->timeline.profile, finding->fix);
        buffer_printf(&text, ". Fix: %s", words.text);
    }
    json_open_object(writer, NULL, JSON_LINES);
    json_put_text(writer, "ruleId", rule->id);
    json_put_whole(writer, "ruleIndex", finding->rule);
    json_put_text(writer, "level", SEVERITY_NAME[rule->severity]);
    put_message(writer, "message", text.failed || !text.text ? "" : text.text);
    put_location(writer, check, finding, source);
    json_end(writer);
    writer->out->failed = writer->out->failed || text.failed;
    buffer_free(&text);
}

void findings_sarif(struct buffer *out, const struct check *check, const struct findings_source *source) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_LINES);
    json_put_text(&writer, "$schema", SARIF_SCHEMA);
    json_put_text(&writer, "version", "2.1.0");
    json_open_array(&writer, "runs", JSON_LINES);
    json_open_object(&writer, NULL, JSON_LINES);
    put_tool(&writer);
    json_open_array(&writer, "results", JSON_LINES);
    for (uint32_t i = 0; i < check->findings.count; i++)
        put_result(&writer, check, &check->findings.finding[i], source);
    json_end(&writer);
    json_end(&writer);
    json_end(&writer);
    json_end(&writer);
}
