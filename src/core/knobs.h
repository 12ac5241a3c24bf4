/* knobs: everything a user can turn, in one table (name, label, what a value may be, help, what it invalidates), and the
 * settings they turn. The knob bar of the viewer, its help and the command line's options all speak of these.
 *
 * `struct settings` is plain data: copying it is a snapshot, so a plan request can be handed to another thread. */
#ifndef SLACKSWAP_CORE_KNOBS_H
#define SLACKSWAP_CORE_KNOBS_H

#include "base.h"
#include "link.h"
#include "outcome.h"
#include "planner.h"
#include "work.h"

struct settings {
    struct work_choice work;      /* what is planned; only the viewer turns it, elsewhere the profile at hand counts */
    struct budget_choice budget;
    struct link_options link;
    const struct planner *planner;
    enum plan_unit unit;
    uint64_t host_memory_bytes;   /* BYTES_UNLIMITED: no limit */
    uint64_t evaluation_limit, seed;
};
struct settings settings_default(void);
/* Whether A and B ask for the same. */
bool settings_equal(const struct settings *a, const struct settings *b);
/* What SETTINGS ask of PROFILE; nothing stops it. */
struct outcome_request settings_request(const struct profile *profile, const struct settings *settings);

/* What must be done anew after a turn. */
enum knob_effect { KNOB_REPLAN = 1, KNOB_REBUILD_PROFILE = 2 };

enum knob_id { KNOB_BUDGET, KNOB_BANDWIDTH, KNOB_LATENCY, KNOB_DUPLEX, KNOB_SHARE, KNOB_HEADROOM, KNOB_HOST_MEMORY,
               KNOB_BATCH, KNOB_SEQUENCE, KNOB_ATTENTION, KNOB_GPU, KNOB_COUNT };

struct knob {
    const char *name;   /* "budget", "bandwidth", … as flags and the palette spell it (without dashes) */
    const char *label;  /* on the knob bar */
    const char *unit;   /* "% or GiB", "GB/s", "us", … : what a value may be */
    const char *help;   /* one line */
    unsigned effects;   /* enum knob_effect bits */
};
extern const struct knob KNOBS[KNOB_COUNT];

/* Whether the knob means anything under SETTINGS: headroom does beside a whole GPU's memory only, what a model is built
 * with where settings.work is a built-in model. */
bool knob_applies(enum knob_id knob, const struct settings *settings);

/* What the bandwidth knob shows: the H2D rate before sharing; 0 when the options contradict each other. */
double knob_bandwidth(const struct profile *profile, const struct settings *settings);
/* Takes a typed value ("60%", "24GiB", "22GB/s", "22", "half", "none"). SS_USAGE, settings untouched, when it is not
 * one, or when PROFILE's link can't be so. The bandwidth is the H2D rate before sharing; all four rates keep their ratio
 * to it, those given one by one (--h2d …) too. A budget in bytes means the whole GPU where it already is one of a whole
 * GPU (a share ends that). PROFILE NULL, where none is at hand yet: the value goes into SETTINGS as it stands. */
enum ss_status knob_parse(enum knob_id knob, const char *text, const struct profile *profile,
                          struct settings *settings, struct error *error);
/* Turns a knob by STEPS notches. A notch is 1 % of the unlimited peak where the budget is a share, else about 1/64 of
 * the size; 0.5 GB/s up to 16, 1 up to 64, 4 above; 1 us up to 20, 5 up to 100, 25 above; batches of 1 up to 16,
 * 4 up to 64, 16 up to 256, 64 above; sequences of 128 up to 1024, 512 up to 4096, 2048 up to 16384, 8192 above; the GPUs in the
 * order of their table. Values come to rest on whole
 * notches and stay in range: what lies outside because it was typed may only be turned back. A limit on host memory
 * turned above the unlimited peak is none. Returns false when nothing changed. */
bool knob_turn(enum knob_id knob, int steps, const struct profile *profile, const struct limits *limits,
               struct settings *settings);
/* Turns the budget to the notch nearest to BYTES of activations, in the kind in which it is given. Of a whole GPU the share
 * that is headroom is taken as it is now. Returns false when nothing changed. */
bool knob_turn_budget_to(uint64_t bytes, const struct profile *profile, const struct limits *limits,
                         struct settings *settings);
/* The value as shown: "50%", "24.0 GiB", "25.0 GB/s", "full", "10 us", "none". At most UNIT_TEXT bytes; returns TEXT. */
char *knob_format(enum knob_id knob, const struct profile *profile, const struct settings *settings,
                  char text[32]);

#endif
