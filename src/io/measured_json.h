/* measured_json: the member "measured" of a profile, in and out. */
#ifndef SLACKSWAP_IO_MEASURED_JSON_H
#define SLACKSWAP_IO_MEASURED_JSON_H

#include "core/measured.h"
#include "core/profile.h"
#include "json.h"
#include "json_write.h"

/* Reads the member of OBJECT into PROFILE, which has none where it is absent. False once JSON has a fault. */
bool measured_json_read(struct json *json, const cJSON *object, struct profile *profile);
/* Puts it as a member, if PROFILE has it. */
void measured_json_put(struct json_writer *writer, const struct profile *profile);

#endif
