/* timings_json: the "measured" of a plan, a list of events with their times (core/residuals.h), in.
 *
 *     { "op": "L0.fc1", "kind": "backward", "start_us": 1200.5, "end_us": 1260 }
 *     { "tensor": "L0.gelu", "lane": "d2h", "start_us": 80, "end_us": 410 } */
#ifndef SLACKSWAP_IO_TIMINGS_JSON_H
#define SLACKSWAP_IO_TIMINGS_JSON_H

#include "core/residuals.h"
#include "json.h"

/* Takes the elements of LIST, which name ops and tensors of PROFILE, into ARENA. False with the fault recorded when one is
 * not as above, names what the profile does not have, or ends before it starts. */
bool timings_json_take(struct json *json, const cJSON *list, const struct profile *profile, struct arena *arena,
                        struct measurement **out, uint32_t *count);

#endif
