/* command: the command palette — every action, knob, planner and export by name, completed while it is typed. */
#ifndef SLACKSWAP_VIEW_COMMAND_H
#define SLACKSWAP_VIEW_COMMAND_H

#include "state.h"

enum command_kind {
    COMMAND_ACTION, COMMAND_KNOB, COMMAND_PLANNER, COMMAND_EXPORT, COMMAND_PRESET, COMMAND_TERM, COMMAND_CHALLENGE,
    COMMAND_COMPARE_PLAN, COMMAND_COMPARE_LINK, COMMAND_COMPARE_DEVICE, /* for the side in focus of the Compare view */
};
struct command {
    enum command_kind kind;
    uint32_t which;         /* enum ui_action or knob_id; index into PLANNERS, EXPORT_TABLE, PRESETS or GLOSSARY; a level; or as in compare_choice */
    char name[48];          /* as typed: "next stall", "budget", "planner refine", "export svg", "glossary slack" */
    const char *words;      /* one line on what it does */
};

#define COMMANDS_SHOWN 64
/* What matches the text typed, the best first: at most MOST. Returns how many. */
uint32_t command_matches(const struct view_state *state, struct command *out, uint32_t most);

#endif
