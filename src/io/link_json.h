/* link_json: the "link" of a profile or a plan (MODEL.md §1), in and out. */
#ifndef SLACKSWAP_IO_LINK_JSON_H
#define SLACKSWAP_IO_LINK_JSON_H

#include "core/link.h"
#include "json.h"
#include "json_write.h"

/* Takes the members of OBJECT; the name points into the document. Both single rates are required. */
bool link_json_take(struct json *json, const cJSON *object, struct link *out);
/* Puts LINK's rates and latency as members of the object at hand. */
void link_json_put_rates(struct json_writer *writer, const struct link *link);
/* Puts LINK as a member "link", on one line. */
void link_json_put(struct json_writer *writer, const struct link *link);

#endif
