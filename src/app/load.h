/* load: the profile a command is about — a file, standard input, or a built-in model. */
#ifndef SLACKSWAP_APP_LOAD_H
#define SLACKSWAP_APP_LOAD_H

#include "core/plan.h"
#include "core/profile.h"
#include "core/work.h"
#include "io/member_lines.h"
#include "io/plan_json.h"
#include "options.h"

#define DEFAULT_MODEL "gpt2-xl"

/* Loads what the command's first argument names, DEFAULT_MODEL when there is none; OUT lives in ARENA. A built-in model's
 * name is that model; a file of the same name is reached as ./NAME. --link replaces the profile's own link. Options of
 * models beside a file are SS_USAGE (those in the environment or the configuration file are passed over); a file that
 * can't be read or breaks its contract is SS_BAD_INPUT, with the file in the error's place. */
enum ss_status load_profile(const struct options *options, struct arena *arena, struct profile *out,
                            struct error *error);

/* The profile in the file NAME ("-": standard input), whatever the command's arguments are. */
enum ss_status load_profile_file(const struct options *options, const char *name, struct arena *arena, struct profile *out,
                                 struct error *error);
/* SS_USAGE where profile and --plan would both be standard input. */
enum ss_status load_check_inputs(const struct options *options, struct error *error);
/* The file that load_profile reads, or NULL when it is a built-in model or standard input. */
const char *profile_path(const struct options *options);
/* The plan for PROFILE in the file NAME ("-": standard input). SS_BAD_INPUT as above. */
enum ss_status load_plan(const struct options *options, const char *name, const struct profile *profile,
                         struct arena *arena, struct plan *out, struct error *error);
/* The same, with what the file says beside the actions. */
enum ss_status load_plan_details(const struct options *options, const char *name, const struct profile *profile,
                                 struct arena *arena, struct plan *out, struct plan_details *details,
                                 struct error *error);
/* The same, with what its text tells beside the plan itself. */
struct plan_reading {
    struct plan_faults faults;  /* what breaks the rules about tensors and could be read all the same */
    struct member_lines lines;  /* where the tensors are named */
};
enum ss_status load_faulty_plan(const struct options *options, const char *name, const struct profile *profile,
                                struct arena *arena, struct plan *out, struct plan_reading *reading,
                                struct error *error);
/* A built-in model of that name, as the options of models say. SS_USAGE when there is none. */
enum ss_status load_model(const struct options *options, const char *name, struct arena *arena, struct profile *out,
                          struct error *error);

/* What load_profile loads, for settings: a built-in model and how it is built, or the profile that was opened. */
struct work_choice load_work(const struct options *options);

#endif
