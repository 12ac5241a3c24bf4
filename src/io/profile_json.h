/* profile_json: slackswap-profile/1 (MODEL.md §1), in its full and its short form, in and out. */
#ifndef SLACKSWAP_IO_PROFILE_JSON_H
#define SLACKSWAP_IO_PROFILE_JSON_H

#include "buffer.h"
#include "core/profile.h"
#include "json.h"

#define PROFILE_SCHEMA "slackswap-profile/1"

/* Reads LENGTH bytes at TEXT (TEXT[LENGTH] is NUL) into a finished profile in ARENA. WARNINGS (may be NULL) get what was
 * passed over: a missing "schema", "layers" beside "ops". SS_BAD_INPUT with a place ("line L, column C" or a JSON path)
 * when the text is no JSON or breaks the contract. Linear in the text. */
enum ss_status profile_json_read(const char *text, size_t length, struct arena *arena, struct profile *out,
                                 struct warnings *warnings, struct error *error);
/* The same of NODE, a profile within another document. */
bool profile_json_take(struct json *json, const cJSON *node, struct arena *arena, struct profile *out);
/* Appends PROFILE in its full form; it reads back equal. A failed buffer tells of itself. */
void profile_json_write(struct buffer *out, const struct profile *profile);

#endif
