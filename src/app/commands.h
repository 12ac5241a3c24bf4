/* commands: what the program can be told to do, in one table. Dispatch, help and manual all read it; a command that does
 * not exist yet is not in it. One file a command: cmd_NAME.c. */
#ifndef SLACKSWAP_APP_COMMANDS_H
#define SLACKSWAP_APP_COMMANDS_H

#include "core/base.h"

/*    id        name      arguments          least, most
 *    summary
 *    example: a command line that works as it stands                                                                  */
#define COMMANDS(X)                                                                                                     \
    X(VIEW,     view,     "[PROFILE|MODEL]", 0, 1,                                                                      \
      "opens the viewer (the command when none is given)",                                                              \
      "slackswap view gpt2-xl --budget 40%")                                                                            \
    X(MODEL,    model,    "NAME",            0, 1,                                                                      \
      "builds the profile of a built-in model",                                                                         \
      "slackswap model bert-large --batch 16 --attention eager -o bert.json")                                           \
    X(IMPORT,   import,   "FILE|-",          1, 1,                                                                      \
      "makes a profile of another program's recording",                                                                 \
      "slackswap import --from pipedream graph.txt -o profile.json")                                                    \
    X(PLAN,     plan,     "PROFILE|MODEL",   1, 1,                                                                      \
      "plans, simulates and reports",                                                                                   \
      "slackswap plan gpt2-xl --budget 50% --bandwidth 16GB/s -o plan.json")                                            \
    X(SIMULATE, simulate, "PROFILE|MODEL",   1, 1,                                                                      \
      "replays a plan that was saved",                                                                                  \
      "slackswap simulate gpt2-xl --plan plan.json --duplex half")                                                      \
    X(COMPARE,  compare,  "PROFILE|MODEL",   1, 1,                                                                      \
      "every planner on the same work, and the bound",                                                                  \
      "slackswap compare gpt2-xl --planner offload,recompute,slackswap")                                                \
    X(DIFF,     diff,     "PROFILE|MODEL PLAN_A [PLAN_B]", 2, 3,                                                        \
      "two plans, or one under two settings: what differs, and what it costs",                                          \
      "slackswap diff gpt2-xl plan.json --b bandwidth=16GB/s")                                                          \
    X(EXPLAIN,  explain,  "PROFILE|MODEL",   1, 1,                                                                      \
      "says why, in words: waits, memory, choices, and what would help",                                                \
      "slackswap explain gpt2 --budget 40% --tensor L00.gelu")                                                          \
    X(SWEEP,    sweep,    "PROFILE|MODEL",   1, 1,                                                                      \
      "plans a grid of budgets and links, one line a point",                                                            \
      "slackswap sweep gpt2-xl --budget 40%:80%:20% --bandwidth 16,25 --evals 50")                                      \
    X(EXPORT,   export,   "PROFILE|MODEL",   1, 1,                                                                      \
      "takes a result away: a trace, a picture, a table, a report, a plan",                                             \
      "slackswap export gpt2-xl --budget 40% --to chrome -o gpt2-xl.trace.json")                                        \
    X(CHECK,    check,    "PROFILE|MODEL",   0, 1,                                                                      \
      "says what is wrong with a plan, where, and what mends it",                                                       \
      "slackswap check gpt2-xl --plan plan.json --fail-on error")                                                       \
    X(SCREEN,   screen,   "[PROFILE|MODEL]", 0, 1,                                                                      \
      "draws a screen of the viewer without a terminal",                                                                \
      "slackswap screen gpt2-xl --size 120x40 --keys 'b 4 0 % Enter e'")                                                \
    X(LESSON,   lesson,   "[N|NAME|FILE | check [FILE ...] | challenge [LEVEL[.SEED]]]", 0, 32,            \
      "guided lessons: lists them, plays one, checks what authors wrote",                                               \
      "slackswap lesson 1 --plain")                                                                                     \
    X(BENCH,    bench,    "[PROFILE|MODEL|FOLDER ...]", 0, 32,                                                          \
      "measures the program's own speed and the plans it finds",                                                        \
      "slackswap bench --quality gpt2-xl --budget 50% --bandwidth 25 --evals 500")

enum command_id {
#define X(id, name, arguments, least, most, summary, example) COMMAND_##id,
    COMMANDS(X)
#undef X
    COMMAND_COUNT
};
#define DEFAULT_COMMAND COMMAND_VIEW

struct options;
/* Does the work and writes its result. Returns an exit status; ERROR is filled unless it is SS_OK, or SS_NO and the result
 * says so itself. */
typedef enum ss_status command_function(const struct options *options, struct error *error);

#define X(id, name, arguments, least, most, summary, example) command_function cmd_##name;
COMMANDS(X)
#undef X

struct command {
    const char *name, *arguments, *summary, *example;
    int least, most; /* arguments taken */
    command_function *run;
};
extern const struct command COMMAND_TABLE[COMMAND_COUNT];

/* The command of that name, or COMMAND_COUNT. */
enum command_id command_find(const char *name);

#endif
