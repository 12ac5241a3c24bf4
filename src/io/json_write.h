/* json_write: JSON out, the same bytes for the same data. Members stand in the order in which they are put; numbers are
 * the shortest that read back equal, whole numbers never have an exponent; NAN and infinities become null. */
#ifndef SLACKSWAP_IO_JSON_WRITE_H
#define SLACKSWAP_IO_JSON_WRITE_H

#include "buffer.h"

/* A container has its members on a line each, indented, or all on one line: what stands in one of the latter does so too. */
enum json_style { JSON_LINES, JSON_INLINE };

#define JSON_WRITE_DEPTH 16
struct json_writer {
    struct buffer *out;
    uint32_t depth;
    struct { enum json_style style; bool used; char closing; } level[JSON_WRITE_DEPTH];
};

/* KEY is NULL within an array and at the top. */
void json_open_object(struct json_writer *writer, const char *key, enum json_style style);
void json_open_array(struct json_writer *writer, const char *key, enum json_style style);
void json_end(struct json_writer *writer); /* ends the object or array opened last */
void json_put_text(struct json_writer *writer, const char *key, const char *text);
void json_put_number(struct json_writer *writer, const char *key, double number);
void json_put_whole(struct json_writer *writer, const char *key, uint64_t number);
void json_put_bool(struct json_writer *writer, const char *key, bool value);
void json_put_null(struct json_writer *writer, const char *key);

#define JSON_NUMBER_TEXT 32
char *json_format_number(char text[JSON_NUMBER_TEXT], double number);

#endif
