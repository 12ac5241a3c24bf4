/* knobs: everything a user can turn, in one table (name, flag, range, step, help, what it invalidates), and the
 * settings they turn. Command-line flags, the knob bar of the viewer and `--help` all read it.
 *
 * `struct settings` is plain data: copying it is a snapshot, so a plan request can be handed to another thread. */
#ifndef SLACKSWAP_CORE_KNOBS_H
#define SLACKSWAP_CORE_KNOBS_H

#include "base.h"
#include "link.h"
#include "outcome.h"
#include "planner.h"

struct settings {
    struct budget_choice budget;
    struct link_options link;
    const struct planner *planner;
    enum plan_unit unit;
    uint64_t host_memory_bytes;   /* BYTES_UNLIMITED: no limit */
    uint64_t evaluation_limit, seed;
};
struct settings settings_default(void);

/* What must be done anew after a turn. */
enum knob_effect { KNOB_REPLAN = 1, KNOB_REBUILD_PROFILE = 2 };

enum knob_id { KNOB_BUDGET, KNOB_BANDWIDTH, KNOB_LATENCY, KNOB_DUPLEX, KNOB_SHARE, KNOB_HEADROOM, KNOB_HOST_MEMORY,
               KNOB_COUNT };

struct knob {
    const char *name;   /* "budget", "bandwidth", … as flags and the palette spell it (without dashes) */
    const char *label;  /* on the knob bar */
    const char *unit;   /* "% or GiB", "GB/s", "us", … : what a value may be */
    const char *help;   /* one line */
    unsigned effects;   /* enum knob_effect bits */
};
extern const struct knob KNOBS[KNOB_COUNT];

/* Takes a typed value ("60%", "24GiB", "22GB/s", "22", "half"). SS_USAGE, settings untouched, when it is not one.
 * PROFILE gives the link's present value where a relative step or a check needs it. */
enum ss_status knob_parse(enum knob_id knob, const char *text, const struct profile *profile,
                          struct settings *settings, struct error *error);
/* Turns a knob by STEPS notches (budget: 1 % of the unlimited peak, or 1/64 of the bytes; bandwidth: 0.5 GB/s below 16,
 * 1 up to 64, 4 above …). Clamps to the range. Returns false when nothing changed. */
bool knob_turn(enum knob_id knob, int steps, const struct profile *profile, const struct limits *limits,
               struct settings *settings);
/* The value as shown: "50%", "24.0 GiB", "25.0 GB/s", "full", "10 us", "none". */
char *knob_format(enum knob_id knob, const struct profile *profile, const struct settings *settings,
                  char text[32]);

#endif
