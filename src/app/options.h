/* options: what a command line asks for, with the environment and the configuration file behind it.
 *
 * One table (OPTIONS) says everything about an option: how it is written, which commands take it, whether it may stand in
 * the environment (SLACKSWAP_BUDGET) and in the configuration file ("budget"), and what help says. A flag wins over the
 * environment, the environment over the file. An option that does not exist yet is not in the table and is refused. */
#ifndef SLACKSWAP_APP_OPTIONS_H
#define SLACKSWAP_APP_OPTIONS_H

#include "commands.h"
#include "core/axis.h"
#include "core/knobs.h"
#include "core/rules.h"
#include "core/zoo.h"
#include "io/export.h"
#include "io/import.h"
#include "theme_file.h"

#define ON(command) (1u << COMMAND_##command)
#define ON_ALL (~0u)
#define ON_SIMULATING (ON(VIEW) | ON(PLAN) | ON(SIMULATE) | ON(COMPARE) | ON(DIFF) | ON(EXPLAIN) | ON(SWEEP) | ON(EXPORT) | \
                       ON(CHECK) | ON(SCREEN))
#define ON_PLANNING (ON_SIMULATING & ~ON(SIMULATE) & ~ON(CHECK))
#define ON_REPLAYING (ON(VIEW) | ON(SCREEN) | ON(SIMULATE) | ON(EXPLAIN) | ON(EXPORT) | ON(CHECK))
#define ON_RESULTS (ON(PLAN) | ON(SIMULATE) | ON(COMPARE) | ON(DIFF) | ON(EXPLAIN) | ON(SWEEP))
#define ON_SEARCHING (ON(VIEW) | ON(PLAN) | ON(COMPARE) | ON(DIFF) | ON(EXPLAIN) | ON(SWEEP) | ON(EXPORT) | \
                      ON(BENCH))
#define ON_PRINTING (ON_RESULTS | ON(CHECK) | ON(MODEL) | ON(IMPORT) | ON(LESSON) | ON(BENCH))
#define ON_DRAWING (ON(VIEW) | ON(SCREEN) | ON(EXPORT))
#define ON_WRITING (ON(CHECK) | ON(MODEL) | ON(IMPORT) | ON(PLAN) | ON(EXPORT) | ON(SCREEN))

enum option_group {
    ABOUT_WORK, ABOUT_LINK, ABOUT_PLANNING, ABOUT_MODELS, ABOUT_CHECKING, ABOUT_OUTPUT, ABOUT_SCREENS, ABOUT_COUNT
};

/* SETTING: may stand in the environment and in the configuration file; FLAG: on the command line only.
 * They are taken in this order, so that what depends on another comes after it.
 *
 *    id            name            letter argument      where    group     commands    help                              */
#define OPTIONS(X)                                                                                     \
    X(preset,       "preset",       0,   "NAME",         FLAG,    WORK,     ON(VIEW) | ON(SCREEN),         \
      "a built-in model, a GPU, a link and a budget to explore, in place of a PROFILE")                \
    X(budget,       "budget",       0,   "N%|SIZE",      SETTING, WORK,     ON_SIMULATING | ON(BENCH), \
      "memory for activations: a share of the unlimited peak, or bytes (50%)")                         \
    X(gpu_memory,   "gpu-memory",   0,   "SIZE",         SETTING, WORK,     ON_SIMULATING,             \
      "instead of --budget: memory of the whole GPU, less static_bytes and headroom")                  \
    X(headroom,     "headroom",     0,   "N%|SIZE",      SETTING, WORK,     ON_SIMULATING,             \
      "GPU memory to leave free, beside --gpu-memory (0%)")                                            \
    X(host_memory,  "host-memory",  0,   "SIZE|none",    SETTING, WORK,     ON_SIMULATING,             \
      "limit on pinned host memory (none)")                                                            \
    X(host_budget,  "host-budget",  0,   "SIZE|none",    FLAG,    WORK,     ON(CHECK),                 \
      "the same as --host-memory")                                                                     \
    X(plan,         "plan",         0,   "FILE",         FLAG,    WORK,     ON_REPLAYING,              \
      "the plan to replay, show or check: slackswap-plan/1, - for standard input")                           \
    X(tensor,       "tensor",       0,   "NAME",         FLAG,    WORK,     ON(EXPLAIN),               \
      "explain what the plan does with this tensor")                                                   \
    X(op,           "op",           0,   "NAME",         FLAG,    WORK,     ON(EXPLAIN),               \
      "explain when this op runs")                                                                     \
    X(layer,        "layer",        0,   "NAME",         FLAG,    WORK,     ON(EXPLAIN),               \
      "explain what this layer costs")                                                                 \
    X(stalls,       "stalls",       0,   NULL,           FLAG,    WORK,     ON(EXPLAIN),               \
      "explain each stall, the longest first")                                                         \
    X(at,           "at",           0,   "TIME",         FLAG,    WORK,     ON(EXPLAIN),               \
      "explain this moment of the step, such as 72ms")                                                 \
    X(a,            "a",            0,   "SETTING=VALUE,...", FLAG, WORK,   ON(DIFF),                  \
      "of the first plan alone: another budget, link or planning, such as budget=40%")                 \
    X(b,            "b",            0,   "SETTING=VALUE,...", FLAG, WORK,   ON(DIFF),                  \
      "the same of the second")                                                                        \
    X(from,         "from",         0,   "FORMAT",       FLAG,    WORK,     ON(IMPORT),                \
      "one of the formats below; auto: told by the content (auto)")                                    \
    X(map,          "map",          0,   "FIELD=COLUMN,...", FLAG, WORK,    ON(IMPORT),                \
      "of a table: which column is which field")                                                       \
    X(step,         "step",         0,   "N",            FLAG,    WORK,     ON(IMPORT),                \
      "of a trace: the number of the step to take (the last whole one)")                               \
    X(device,       "device",       0,   "N",            FLAG,    WORK,     ON(IMPORT),                \
      "of a trace: the GPU to take (the one that works most in the step)")                             \
    X(link,         "link",         0,   "NAME",         SETTING, LINK,     ON_SIMULATING | ON(MODEL), \
      "a measured link in place of the profile's; model --list names them")                            \
    X(bandwidth,    "bandwidth",    0,   "RATE",         SETTING, LINK,     ON_SIMULATING | ON(BENCH), \
      "host-to-device rate; the other three keep their ratio to it")                                   \
    X(h2d,          "h2d",          0,   "RATE",         SETTING, LINK,     ON_SIMULATING,             \
      "host-to-device rate, alone and both ways, in ratio")                                            \
    X(d2h,          "d2h",          0,   "RATE",         SETTING, LINK,     ON_SIMULATING,             \
      "device-to-host rate, alone and both ways, in ratio")                                            \
    X(h2d_both,     "h2d-both",     0,   "RATE",         SETTING, LINK,     ON_SIMULATING,             \
      "host-to-device rate while both directions move bytes")                                          \
    X(d2h_both,     "d2h-both",     0,   "RATE",         SETTING, LINK,     ON_SIMULATING,             \
      "device-to-host rate while both directions move bytes")                                          \
    X(duplex,       "duplex",       0,   "full|half",    SETTING, LINK,     ON_SIMULATING | ON(BENCH), \
      "both-way rates: the single ones, or half of them")                                              \
    X(latency,      "latency",      0,   "TIME",         SETTING, LINK,     ON_SIMULATING,             \
      "what a transfer costs before it moves bytes")                                                   \
    X(share,        "share",        0,   "N",            SETTING, LINK,     ON_SIMULATING,             \
      "GPUs behind one switch: all four rates divided by N (1)")                                       \
    X(planner,      "planner",      0,   "NAME",         SETTING, PLANNING, (ON_PLANNING & ~ON(DIFF)) | ON(BENCH), \
      "the planner; compare and sweep take a list (" PLANNER_DEFAULT "; compare: all)")                \
    X(unit,         "unit",         0,   "tensor|layer", SETTING, PLANNING, ON_PLANNING,               \
      "one action for each tensor, or one for each layer (tensor)")                                    \
    X(plan_time,    "plan-time",    0,   "TIME",         SETTING, PLANNING, ON_SEARCHING,              \
      "time a planner may search, such as 2s")                                                         \
    X(evals,        "evals",        0,   "N",            SETTING, PLANNING, ON_SEARCHING | ON(SCREEN), \
      "an exact number of evaluations instead of a time: repeatable")                                  \
    X(seed,         "seed",         0,   "N",            SETTING, PLANNING, ON_PLANNING | ON(BENCH),   \
      "seed of planners that search at random (0)")                                                    \
    X(jobs,         "jobs",         0,   "N",            SETTING, PLANNING, ON(SWEEP) | ON(EXPORT) | ON(BENCH), \
      "points planned at a time; changes nothing else (as many as processors)")                        \
    X(shard,        "shard",        0,   "I/N",          FLAG,    PLANNING, ON(SWEEP),                 \
      "the I-th of N parts of the grid (1/1)")                                                         \
    X(quality,      "quality",      0,   NULL,           FLAG,    PLANNING, ON(BENCH),                 \
      "instead: how near plans come to the bound, over a grid of budgets and links")                   \
    X(paper,        "paper",        0,   NULL,           FLAG,    PLANNING, ON(BENCH),                 \
      "instead: the paper's figures beside ours, and what the bound allows")                           \
    X(batch,        "batch",        0,   "N",            SETTING, MODELS,   ON_SIMULATING | ON(MODEL), \
      "samples in a micro-batch of a built-in model")                                                  \
    X(seq,          "seq",          0,   "N",            SETTING, MODELS,   ON_SIMULATING | ON(MODEL), \
      "tokens in a sequence of a built-in model")                                                      \
    X(attention,    "attention",    0,   "flash|eager",  SETTING, MODELS,   ON_SIMULATING | ON(MODEL), \
      "attention of a built-in model: fused, or op by op (flash)")                                     \
    X(no_head,      "no-head",      0,   NULL,           SETTING, MODELS,   ON_SIMULATING | ON(MODEL), \
      "a built-in model's blocks alone: no final norm, vocabulary projection and loss")                \
    X(gpu,          "gpu",          0,   "NAME",         SETTING, MODELS,   ON_SIMULATING | ON(MODEL), \
      "device that a built-in model is priced for (a100-80gb)")                                        \
    X(list,         "list",         0,   NULL,           FLAG,    MODELS,   ON(MODEL),                 \
      "list the built-in models, devices and links")                                                   \
    X(json,         "json",         0,   NULL,           FLAG,    OUTPUT,   ON_PRINTING,               \
      "write JSON")                                                                                    \
    X(actions,      "actions",      0,   NULL,           FLAG,    OUTPUT,   ON_RESULTS,                \
      "with --json: the plan within the result")                                                       \
    X(timing,       "timing",       0,   NULL,           FLAG,    OUTPUT,   ON_RESULTS,                \
      "how long planning and simulating took")                                                         \
    X(output,       "output",       'o', "FILE",         FLAG,    OUTPUT,   ON_WRITING,                \
      "write the profile, the plan or the picture to FILE")                                            \
    X(to,           "to",           0,   "FORMAT",       FLAG,    OUTPUT,   ON(EXPORT),                \
      "one of the formats below")                                                                      \
    X(rules,        "rules",        0,   NULL,           FLAG,    CHECKING, ON(CHECK),                 \
      "list the rules that plans are checked by")                                                      \
    X(fix,          "fix",          0,   NULL,           FLAG,    CHECKING, ON(CHECK),                 \
      "mend the plan with few changes, show them, and write it to -o FILE or back")                    \
    X(fail_on,      "fail-on",      0,   "error|warning", FLAG,   CHECKING, ON(CHECK),                 \
      "findings that make the exit status 1, and that --fix removes (error)")                          \
    X(sarif,        "sarif",        0,   NULL,           FLAG,    CHECKING, ON(CHECK),                 \
      "write SARIF 2.1.0, for code-review tools")                                                      \
    X(plain,        "plain",        0,   NULL,           FLAG,    OUTPUT,   ON(VIEW) | ON(SCREEN) | ON(LESSON), \
      "in words: of view the report, of screen what it shows, a lesson told, in sentences")            \
    X(color,        "color",        0,   "WHEN",         SETTING, OUTPUT,   ON(VIEW) | ON(SCREEN) | ON(LESSON),    \
      "colours: auto, always or never (auto; NO_COLOR means never)")                                   \
    X(ascii,        "ascii",        0,   NULL,           SETTING, OUTPUT,   ON(VIEW) | ON(SCREEN) | ON(LESSON),    \
      "nothing but ASCII on the screen")                                                               \
    X(theme,        "theme",        0,   "NAME",         SETTING, OUTPUT,   ON_DRAWING | ON(LESSON),                \
      "colours and glyphs: default, light, contrast, mono, or your own (default)")                             \
    X(no_mouse,     "no-mouse",     0,   NULL,           SETTING, OUTPUT,   ON(VIEW) | ON(LESSON),                  \
      "leave the mouse to the terminal, for selecting text")                                           \
    X(quiet,        "quiet",        'q', NULL,           FLAG,    OUTPUT,   ON_ALL,                    \
      "no notes or warnings on standard error")                                                        \
    X(help,         "help",         'h', NULL,           FLAG,    OUTPUT,   ON_ALL,                    \
      "this help")                                                                                     \
    X(version,      "version",      'V', NULL,           FLAG,    OUTPUT,   ON_ALL,                    \
      "the program's version")                                                                         \
    X(size,         "size",         0,   "WxH",          FLAG,    SCREENS,  ON(SCREEN),                \
      "columns and rows of the screen (80x24)")                                                        \
    X(keys,         "keys",         0,   "KEYS",         FLAG,    SCREENS,  ON(SCREEN),                \
      "keys to press first, as tmux writes them: 'b 4 0 % Enter Left'")                                \
    X(replay,       "replay",       0,   "FILE",         FLAG,    SCREENS,  ON(VIEW) | ON(SCREEN),     \
      "do a session again: one that the viewer has saved")                                             \
    X(lesson,       "lesson",       0,   "LESSON",       FLAG,    SCREENS,  ON(VIEW) | ON(SCREEN),     \
      "a lesson, by number, name or file; 3.2: its second step, with its question")                             \
    X(challenge,    "challenge",    0,   "LEVEL[.SEED]", FLAG,    SCREENS,  ON(VIEW) | ON(SCREEN),     \
      "a puzzle to plan by hand; slackswap lesson challenge lists the levels")                         \
    X(format,       "format",       0,   "FORMAT",       FLAG,    SCREENS,  ON(SCREEN),                \
      "text, ansi, svg or json (text)")

enum option_id {
#define X(id, name, letter, argument, where, group, commands, help) OPTION_##id,
    OPTIONS(X)
#undef X
    OPTION_COUNT
};

struct option_entry {
    const char *name;
    char letter;            /* 0: none */
    const char *argument;   /* NULL: takes none */
    bool setting;           /* may stand in the environment and the configuration file */
    enum option_group group;
    unsigned commands;      /* ON(…) bits */
    const char *help;
};
extern const struct option_entry OPTION_TABLE[OPTION_COUNT];
extern const char *const ABOUT_TITLE[ABOUT_COUNT];

enum option_source { SOURCE_DEFAULT, SOURCE_FILE, SOURCE_ENVIRONMENT, SOURCE_FLAG };
enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum screen_format { FORMAT_TEXT, FORMAT_ANSI, FORMAT_SVG, FORMAT_JSON, SCREEN_FORMAT_COUNT };

#define ARGUMENTS_MAX 33 /* one more than any command takes */
#define PLANNERS_MAX 32
#define SWEEP_BUDGETS_DEFAULT "30%:95%:5%"

struct options {
    struct arena arena;                 /* owns strings that came from the configuration file */
    enum command_id command;
    const char *argument[ARGUMENTS_MAX];
    int argument_count;
    enum option_source source[OPTION_COUNT];
    const char *flag[OPTION_COUNT];     /* values as written on the command line ("" without an argument); NULL: not given */

    struct settings settings;
    struct budget_axis budgets;         /* of sweep; none: not given */
    struct rate_axis rates;
    struct { uint32_t index, count; } shard; /* 1 … count */
    uint32_t jobs;                      /* 0: as many as processors */
    const struct planner *planners[PLANNERS_MAX]; /* of compare and sweep */
    uint32_t planner_count;
    double plan_time_us;                /* NAN: not given */
    const struct link_preset *link;     /* NULL: the profile's */
    const struct preset *preset;     /* NULL: none */
    struct model_options model;
    const struct importer *importer;    /* NULL: told by the content */
    const struct export_format *to;     /* NULL: not given */
    const char *plan, *tensor, *op, *layer, *a, *b, *map, *output, *keys, *replay, *lesson, *challenge; /* NULL: not given */
    uint64_t step, device;              /* of a trace; see source[OPTION_step], source[OPTION_device] */
    double at_us;                       /* of explain; NAN: not given */
    bool list, stalls, json, actions, timing, rules, fix, sarif, plain, ascii, no_mouse, quiet, help, version, quality, paper;
    enum severity fail_on;
    enum color_choice color;
    struct theme_file theme;            /* the default one unless asked for */
    int width, height;
    enum screen_format format;
};

/* Reads the command line, the environment and the configuration file into OUT, which lives as long as ARGV and must be
 * given to options_free in any case. SS_USAGE, or SS_BAD_INPUT for the file, with one message. With help or version asked
 * for, nothing else is read or checked. */
enum ss_status options_parse(int argc, char *const *argv, struct options *out, struct error *error);
void options_free(struct options *options);

/* Whether colours are wanted where --color says auto: NO_COLOR is a default that a flag overrules (no-color.org). */
bool options_want_color(const struct options *options);

/* Takes one value as written, as an option's argument or the value of a setting. */
enum ss_status option_take(enum option_id id, struct options *options, const char *value, struct error *error);
/* "SLACKSWAP_GPU_MEMORY". Returns TEXT. */
char *option_variable(enum option_id id, char text[40]);
/* The option with that name (LENGTH bytes of it), or OPTION_COUNT. */
enum option_id option_find(const char *name, size_t length);

#endif
