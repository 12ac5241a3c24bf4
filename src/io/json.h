/* json: documents in, with errors that say where (INTERFACE.md §1, exit status 3).
 *
 * json_open refuses what is no JSON, with "line L, column C": broken UTF-8, control bytes, a document that ends early,
 * one nested deeper than JSON_DEPTH_MOST, anything after its end; and an object that has a member twice. A document is
 * then read through getters that stop at the first fault: from there on they return false, and `status` and `error` keep
 * that fault, its place a JSON path ("$.ops[3].inputs[1]"), its text "expected …, found …". So a reader asks for all it
 * wants in a row and looks at `status` once. Members nobody asks for are ignored.
 *
 * The document owns the cJSON tree until json_close; strings point into it. */
#ifndef SLACKSWAP_IO_JSON_H
#define SLACKSWAP_IO_JSON_H

#include <cjson/cJSON.h>

#include "core/base.h"
#include "json_syntax.h"

struct json {
    cJSON *root;
    const char *at;         /* the path of root, where the document stands within another; NULL: "$" */
    enum ss_status status;
    struct error *error;    /* where the fault goes; may be NULL */
};

/* Parses LENGTH bytes at TEXT (TEXT[LENGTH] is NUL). On failure nothing needs closing. */
enum ss_status json_open(struct json *json, const char *text, size_t length, struct error *error);
void json_close(struct json *json);
/* NODE of JSON as a document of its own, whose faults are told by their paths in JSON; strings in ARENA. It is not closed,
 * but left: JSON has its status then. */
struct json json_nested(const struct json *json, const cJSON *node, struct arena *arena);
bool json_leave(struct json *json, const struct json *nested);

/* Whether a member must be there. An optional one that is absent leaves *OUT as it was, and the getter returns true. */
enum json_need { JSON_OPTIONAL, JSON_REQUIRED };

/* The member of OBJECT called KEY, or NULL. */
const cJSON *json_find(const cJSON *object, const char *key);
/* Each takes one member of OBJECT. */
bool json_get_text(struct json *json, const cJSON *object, const char *key, enum json_need need, const char **out);
/* A text that is not empty. */
bool json_get_name(struct json *json, const cJSON *object, const char *key, enum json_need need, const char **out);
bool json_get_bool(struct json *json, const cJSON *object, const char *key, bool *out);                /* optional */
/* A whole number, 0 <= it < LIMIT <= 2^63. */
bool json_get_whole(struct json *json, const cJSON *object, const char *key, enum json_need need, uint64_t limit,
                    uint64_t *out);
bool json_get_time(struct json *json, const cJSON *object, const char *key, enum json_need need, double *out_us);
bool json_get_array(struct json *json, const cJSON *object, const char *key, enum json_need need, const cJSON **out);
bool json_get_object(struct json *json, const cJSON *object, const char *key, enum json_need need, const cJSON **out);
/* A finite number above 0. */
bool json_get_rate(struct json *json, const cJSON *object, const char *key, enum json_need need, double *out);

/* The value of NODE itself, as the getters above check it. */
bool json_is_object(struct json *json, const cJSON *node, const char *what);
bool json_take_text(struct json *json, const cJSON *node, const char *what, const char **out);
/* Whether NODE is a whole number, 0 <= it < LIMIT; records nothing. */
bool json_is_whole(const cJSON *node, uint64_t limit, uint64_t *out);

/* Records "expected EXPECTED, found (what NODE is)" at NODE's path; returns false. */
bool json_expected(struct json *json, const cJSON *node, const char *expected);
/* Records that OBJECT lacks KEY; returns false. */
bool json_missing(struct json *json, const cJSON *object, const char *key, const char *expected);
/* Records STATUS; the message already stands in json->error, and gets NODE's path (FIELD, NULL or a member of NODE that
 * may be absent, appended) as its place; returns false. */
bool json_fault(struct json *json, const cJSON *node, const char *field, enum ss_status status);

/* What a reader noticed and could go on with, for stderr. */
#define WARNINGS_MOST 4
struct warnings {
    char text[WARNINGS_MOST][256];
    uint32_t count;
};
/* Adds one, made harmless to look at; WARNINGS may be NULL. */
void warnings_add(struct warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes "schema": one other than WANTED is a fault, a missing one a warning. */
bool json_check_schema(struct json *json, const char *wanted, struct warnings *warnings);

#endif
