/* plan_json: slackswap-plan/1 (MODEL.md §2) in and out. A plan is read for one profile: it names that profile's tensors. */
#ifndef SLACKSWAP_IO_PLAN_JSON_H
#define SLACKSWAP_IO_PLAN_JSON_H

#include "buffer.h"
#include "core/residuals.h"
#include "core/plan.h"
#include "core/plan_rules.h"
#include "core/profile.h"
#include "json.h"
#include "json_write.h"

#define PLAN_SCHEMA "slackswap-plan/1"

/* Reads LENGTH bytes at TEXT (TEXT[LENGTH] is NUL) into a plan for PROFILE in ARENA. Beside the names of tensors,
 * "actions" and "prefetch" may have patterns, and "layers" names of layers, modules and patterns of layers
 * (plan_rules.h says which wins). Managed tensors that the plan does
 * not name are kept. WARNINGS (may be NULL): a missing "schema", a plan made for a profile of another name. SS_BAD_INPUT
 * with a place, the message naming the tensor, for every error of MODEL.md §2, the closure rule included. */
enum ss_status plan_json_read(const char *text, size_t length, const struct profile *profile, struct arena *arena,
                              struct plan *out, struct warnings *warnings, struct error *error);
/* The same, but what only breaks the rules of MODEL.md §2 about tensors (one that is not there, not managed, must stay, or
 * may not be recomputed) is added to FAULTS, and OUT keeps such a tensor. A "profile" of another name is no warning. */
enum ss_status plan_json_read_faulty(const char *text, size_t length, const struct profile *profile,
                                     struct arena *arena, struct plan *out, struct plan_faults *faults,
                                     struct warnings *warnings, struct error *error);
/* The plan that NODE of another document is: a whole one, or an object of its "actions" alone. */
bool plan_json_take(struct json *json, const cJSON *node, const struct profile *profile, struct arena *arena,
                    struct plan *out);
/* What a plan's file says beside the actions themselves. */
struct plan_details {
    struct plan_rule *rules;  /* "layers" and patterns among "actions", in the order of the file, expanded in the plan */
    uint32_t rule_count;
    struct measurement *measurements; /* "measured": a step that really ran so */
    uint32_t measurement_count;
};
/* Like plan_json_read, with DETAILS (NULL: not wanted) in ARENA. */
enum ss_status plan_json_read_details(const char *text, size_t length, const struct profile *profile,
                                      struct arena *arena, struct plan *out, struct plan_details *details,
                                      struct warnings *warnings, struct error *error);
/* Appends PLAN, an action for each managed tensor; it reads back equal. */
void plan_json_write(struct buffer *out, const struct profile *profile, const struct plan *plan);
/* The same as a member KEY of the object that WRITER has open. */
void plan_json_put(struct json_writer *writer, const char *key, const struct profile *profile, const struct plan *plan);

#endif
