#include "help.h"

#include <stdio.h>
#include <string.h>

#define OPTION_COLUMN 27 /* where an option's help begins */
#define COMMAND_COLUMN 12

static void print_option(struct buffer *out, const struct option_entry *entry) {
    char left[64];
    const char *argument = entry->argument ? entry->argument : "";
    if (entry->letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", entry->letter, entry->name, *argument ? " " : "", argument);
    else
        snprintf(left, sizeof left, "  --%s%s%s", entry->name, *argument ? " " : "", argument);
    if (strlen(left) + 1 < OPTION_COLUMN)
        buffer_printf(out, "%-*s%s\n", OPTION_COLUMN, left, entry->help);
    else
        buffer_printf(out, "%s\n%*s%s\n", left, OPTION_COLUMN, "", entry->help);
}

static void print_group(struct buffer *out, enum command_id command, enum option_group group) {
    bool titled = false;
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option_entry *entry = &OPTION_TABLE[id];
        if (entry->group != group || !(entry->commands & 1u << command))
            continue;
        if (!titled)
            buffer_printf(out, "\n%s:\n", ABOUT_TITLE[group]);
        titled = true;
        print_option(out, entry);
    }
}

static void print_planners(struct buffer *out) {
    buffer_text(out, "\nPlanners:\n");
    for (uint32_t i = 0; i < PLANNER_COUNT; i++)
        buffer_printf(out, "  %-*s%s\n", OPTION_COLUMN - 2, PLANNERS[i].name, PLANNERS[i].title);
}

static void print_formats(struct buffer *out) {
    buffer_text(out, "\nFormats:\n");
    for (uint32_t i = 0; i < IMPORTER_COUNT; i++)
        buffer_printf(out, "  %-*s%s\n", OPTION_COLUMN - 2, IMPORTERS[i].name, IMPORTERS[i].words);
}

static void print_exports(struct buffer *out) {
    buffer_text(out, "\nFormats:\n");
    for (uint32_t i = 0; i < EXPORT_COUNT; i++)
        buffer_printf(out, "  %-*s%s\n", OPTION_COLUMN - 2, EXPORTS[i].name, EXPORTS[i].words);
}

static void print_command_help(struct buffer *out, enum command_id command) {
    const struct command *entry = &COMMAND_TABLE[command];
    buffer_printf(out, "usage: slackswap %s%s%s [options]\n\n%s: %s\n", entry->name,
                  *entry->arguments ? " " : "", entry->arguments, entry->name, entry->summary);
    if (strstr(entry->arguments, "PROFILE"))
        buffer_text(out, "PROFILE is a file (slackswap-profile/1), - for standard input; MODEL a built-in model's name.\n");
    for (int group = 0; group < ABOUT_COUNT; group++)
        print_group(out, command, (enum option_group)group);
    if (command == COMMAND_SWEEP)
        buffer_text(out, "\nLists: --budget (" SWEEP_BUDGETS_DEFAULT " when not given), --gpu-memory and --bandwidth take values and\n"
                    "ranges FROM:TO:STEP parted by commas, such as 24GiB,30%:95%:5%.\n");
    if (OPTION_TABLE[OPTION_planner].commands & 1u << command)
        print_planners(out);
    if (OPTION_TABLE[OPTION_from].commands & 1u << command)
        print_formats(out);
    if (OPTION_TABLE[OPTION_to].commands & 1u << command)
        print_exports(out);
    buffer_printf(out, "\nExample: %s\n", entry->example);
}

static void print_program_help(struct buffer *out) {
    buffer_text(out, "usage: slackswap [COMMAND] [PROFILE|MODEL] [options]\n\n"
                "Plans which activations of a training step stay on the GPU, which go over PCIe to the host and\n"
                "which are computed again, so that the step fits in memory and loses the least time.\n\nCommands:\n");
    for (int id = 0; id < COMMAND_COUNT; id++)
        buffer_printf(out, "  %-*s%s\n", COMMAND_COLUMN - 2, COMMAND_TABLE[id].name, COMMAND_TABLE[id].summary);
    buffer_text(out, "\nPROFILE is a file (slackswap-profile/1), - for standard input; MODEL a built-in model's name.\n"
                "An option may stand in the environment (--gpu-memory: SLACKSWAP_GPU_MEMORY) or in\n"
                "$XDG_CONFIG_HOME/slackswap/config.json (\"gpu-memory\": \"80GiB\").\n"
                "Sizes take KiB, MiB, GiB, kB, MB, GB; rates GB/s; times us, ms, s.\n"
                "Exit status: 0 fine, 1 does not fit, 2 usage, 3 bad input, 4 internal.\n\n"
                "'slackswap COMMAND --help' lists a command's options; 'man slackswap' has the rest.\n");
}

void help_put(struct buffer *out, enum command_id command) {
    if (command == COMMAND_COUNT)
        print_program_help(out);
    else
        print_command_help(out, command);
}
