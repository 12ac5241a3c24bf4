#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "challenge.h"
#include "core/glossary.h"
#include "core/letters.h"
#include "core/preset.h"
#include "export_names.h"
#include "help_terms.h"
#include "reduce.h"
#include "text.h"
#include "view_compare.h"
#include "view_kind.h"

const struct export_name EXPORT_TABLE[] = {
#define X(name, ending, words) { name, ending, words },
    EXPORT_NAMES(X)
#undef X
};
const unsigned EXPORT_NAME_COUNT = sizeof EXPORT_TABLE / sizeof EXPORT_TABLE[0];

#define TERM_COMMAND "glossary "
#define TERM_QUESTION "what is "

/* ---- what there is ---- */

/* Fills OUT in, its name being PREFIX and NAME with blanks for underscores. All commands are made anew for each frame that
 * shows some: no printf. */
static bool make(struct command *out, enum command_kind kind, uint32_t which, const char *prefix, const char *name,
                 const char *words) {
    size_t length = 0;
    out->kind = kind;
    out->which = which;
    out->words = words;
    for (const char *c = prefix; *c != '\0' && length + 1 < sizeof out->name; c++)
        out->name[length++] = *c;
    for (const char *c = name; *c != '\0' && length + 1 < sizeof out->name; c++)
        out->name[length++] = (char)(*c == '_' ? ' ' : *c);
    out->name[length] = '\0';
    return true;
}

/* The N-th command that chooses what is compared; false after the last. */
static bool compare_command_at(uint32_t n, struct command *out) {
    if (n == 0)
        return make(out, COMMAND_COMPARE_PLAN, 0, "compare ", "plan", "compare with the plan in a file");
    n--;
    if (n <= LINK_COUNT)
        return make(out, COMMAND_COMPARE_LINK, n, "compare link ", n > 0 ? LINKS[n - 1].link.name : "at hand",
                    n > 0 ? LINKS[n - 1].source : "over the link at hand");
    n -= LINK_COUNT + 1;
    return n <= GPU_COUNT && make(out, COMMAND_COMPARE_DEVICE, n, "compare device ", n > 0 ? GPUS[n - 1].name : "at hand",
                                  n > 0 ? GPUS[n - 1].source : "on the device at hand");
}

/* The N-th of all commands in the view at hand; false after the last. */
static bool command_at(const struct view_state *state, uint32_t n, struct command *out) {
    if (n < DO_COUNT) {
        const struct action_entry *entry = &ACTION_TABLE[n];
        bool here = entry->context == CONTEXT_VIEW || entry->context == CONTEXT_ANY ||
                    entry->context == VIEW_KINDS[state->view].context;
        return make(out, COMMAND_ACTION, n, "", entry->name, here ? entry->help : "");
    }
    n -= DO_COUNT;
    if (n < KNOB_COUNT)
        return make(out, COMMAND_KNOB, n, "", KNOBS[n].name, knob_applies((enum knob_id)n, &state->settings) ? KNOBS[n].help : "");
    n -= KNOB_COUNT;
    if (n < PLANNER_COUNT)
        return make(out, COMMAND_PLANNER, n, "planner ", PLANNERS[n].name, PLANNERS[n].title);
    n -= PLANNER_COUNT;
    if (n < EXPORT_NAME_COUNT)
        return make(out, COMMAND_EXPORT, n, "export ", EXPORT_TABLE[n].name, EXPORT_TABLE[n].words);
    n -= EXPORT_NAME_COUNT;
    if (n < PRESET_COUNT)
        return make(out, COMMAND_PRESET, n, "preset ", PRESETS[n].name, PRESETS[n].words);
    n -= PRESET_COUNT;
    if (n < PUZZLE_LEVELS) {
        *out = (struct command){ COMMAND_CHALLENGE, n + 1, "", "a puzzle to plan by hand; a seed may stand behind" };
        snprintf(out->name, sizeof out->name, "challenge %u", (unsigned)n + 1);
        return true;
    }
    n -= PUZZLE_LEVELS;
    if (n < GLOSSARY_COUNT)
        return make(out, COMMAND_TERM, n, TERM_COMMAND, GLOSSARY[n].name, GLOSSARY[n].words);
    return compare_command_at(n - GLOSSARY_COUNT, out);
}

/* ---- matching ---- */

/* Whether something is typed after the command's name. */
static bool takes_value(const struct command *command) {
    return command->kind == COMMAND_KNOB || command->kind == COMMAND_COMPARE_PLAN || command->kind == COMMAND_CHALLENGE;
}

/* Whether TEXT is the name of a command that takes a value, and then one: "budget 60%". */
static bool is_setting(const struct command *command, const char *text, const char **value) {
    size_t length = strlen(command->name);
    if (!takes_value(command) || !letters_begin(text, command->name, length) || text[length] != ' ')
        return false;
    *value = text + length + strspn(text + length, " ");
    return **value != '\0';
}

/* A term may be asked for as one asks: "what is slack"; and its name alone will do, if no other command begins so. */
static int rank_of_term(const struct command *command, const char *text) {
    const char *term = command->name + sizeof TERM_COMMAND - 1, *asked = text;
    if (letters_begin(text, TERM_QUESTION, sizeof TERM_QUESTION - 1))
        asked += sizeof TERM_QUESTION - 1;
    else if (letters_begin(text, TERM_COMMAND, sizeof TERM_COMMAND - 1))
        asked += sizeof TERM_COMMAND - 1;
    size_t length = strlen(asked);
    while (length > 0 && (asked[length - 1] == ' ' || asked[length - 1] == '?'))
        length--;
    if (length > 0 && glossary_find(asked, length) == command->which)
        return asked > text ? 1 : 3;
    return letters_begin(term, asked, length) ? asked > text ? 2 : 3 : letters_hold(command->name, asked, length) ? 4 : 0;
}

#define COMMANDS_MOST 4096 /* many times as many as there are */
#define RANKS 4

/* 0: no match; else, up to RANKS, the less the better. */
static int rank(const struct command *command, const char *text) {
    const char *value;
    if (command->kind == COMMAND_TERM)
        return text[0] != '\0' ? rank_of_term(command, text) : 4;
    if (command->words[0] == '\0' || (command->kind == COMMAND_ACTION && command->which == DO_command))
        return 0;
    if (is_setting(command, text, &value))
        return 1;
    if (letters_begin(command->name, text, strlen(text)))
        return 2;
    bool in_name = true;
    for (const char *word = text + strspn(text, " "); *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (!letters_hold(command->name, word, length)) {
            in_name = false;
            if (!letters_hold(command->words, word, length))
                return 0;
        }
        word += length;
    }
    return in_name ? 3 : 4;
}

uint32_t command_matches(const struct view_state *state, struct command *out, uint32_t most) {
    struct command command;
    uint8_t ranks[COMMANDS_MOST];
    uint32_t all = 0, count = 0;
    while (all < COMMANDS_MOST && command_at(state, all, &command))
        ranks[all++] = (uint8_t)rank(&command, state->command.text);
    for (int wanted = 1; wanted <= RANKS; wanted++)
        for (uint32_t n = 0; n < all && count < most; n++)
            if (ranks[n] == wanted && command_at(state, n, &command))
                out[count++] = command;
    return count;
}

/* ---- doing ---- */

static unsigned leave(struct view_state *state) {
    state->command = (struct command_state){ .open = false };
    return EFFECT_REDRAW;
}

static unsigned command_open(struct view_state *state, const char *text) {
    state->command = (struct command_state){ .open = true };
    snprintf(state->command.text, sizeof state->command.text, "%s", text);
    return EFFECT_REDRAW;
}

static unsigned set_knob(struct view_state *state, const struct scene *scene, enum knob_id knob, const char *value) {
    struct error error = { "", "" };
    if (knob_parse(knob, value, scene->profile, &state->settings, &error) != SS_OK)
        return state_message(state, MESSAGE_BAD, error.text);
    state->knob = knob;
    return leave(state) | state_replan(state);
}

static unsigned open_puzzle(struct view_state *state, const struct scene *scene, const struct command *command) {
    const char *value = "";
    char *end = NULL;
    unsigned long seed = puzzle_first_seed(command->which);
    if (is_setting(command, state->command.text, &value))
        seed = strtoul(value, &end, 10);
    if (end != NULL && (value[0] < '0' || value[0] > '9' || *end != '\0' || seed >= PUZZLE_SEEDS)) {
        char text[MESSAGE_MAX];
        snprintf(text, sizeof text, "Expected a seed from 0 to %u.", (unsigned)PUZZLE_SEEDS - 1);
        return state_message(state, MESSAGE_BAD, text);
    }
    leave(state);
    return challenge_open(state, scene, command->which, (uint32_t)seed);
}

static unsigned perform(struct view_state *state, const struct scene *scene, const struct command *command) {
    const char *value = "";
    switch (command->kind) {
    case COMMAND_ACTION:
        leave(state);
        return EFFECT_REDRAW | state_perform(state, scene, (enum ui_action)command->which);
    case COMMAND_PLANNER:
        leave(state);
        if (challenge_is_open(state, NULL, NULL))
            return challenge_refuse(state);
        state->settings.planner = &PLANNERS[command->which];
        state->plan = NULL;
        return state_replan(state);
    case COMMAND_PRESET: leave(state); return preset_open(state, command->which);
    case COMMAND_CHALLENGE: return open_puzzle(state, scene, command);
    case COMMAND_TERM:
        leave(state);
        state->help = true;
        state->help_scroll = 0;
        help_terms_about(command->which, &state->about);
        return EFFECT_REDRAW;
    case COMMAND_EXPORT:
        leave(state);
        state->export = command->which;
        return EFFECT_REDRAW | (scene->shown != NULL ? EFFECT_EXPORT : 0);
    case COMMAND_COMPARE_LINK: leave(state); return compare_choose_link(state, scene, command->which);
    case COMMAND_COMPARE_DEVICE: leave(state); return EFFECT_REDRAW | compare_choose_device(state, scene, command->which);
    default:
        if (is_setting(command, state->command.text, &value) && command->kind == COMMAND_COMPARE_PLAN)
            return compare_choose_file(state, value) | leave(state);
        if (is_setting(command, state->command.text, &value))
            return set_knob(state, scene, (enum knob_id)command->which, value);
        snprintf(state->command.text, sizeof state->command.text, "%s ", command->name);
        state->command.choice = 0;
        return state_message(state, MESSAGE_INFO, command->kind == COMMAND_KNOB ? "Now its value, then Enter."
                                                                                 : "Now the name of the file, then Enter.");
    }
}

static unsigned take(struct view_state *state, const struct scene *scene, bool complete) {
    struct command matches[COMMANDS_SHOWN];
    uint32_t count = command_matches(state, matches, COMMANDS_SHOWN);
    if (count == 0)
        return state_message(state, MESSAGE_BAD, "Nothing is called so: BSpace takes characters back, Escape leaves.");
    const struct command *chosen = &matches[state->command.choice < count ? state->command.choice : count - 1];
    if (!complete)
        return perform(state, scene, chosen);
    snprintf(state->command.text, sizeof state->command.text, "%s%s", chosen->name,
             takes_value(chosen) ? " " : "");
    state->command.choice = 0;
    return EFFECT_REDRAW;
}

static unsigned choose(struct view_state *state, int by) {
    struct command matches[COMMANDS_SHOWN];
    uint32_t count = command_matches(state, matches, COMMANDS_SHOWN);
    int64_t to = (int64_t)state->command.choice + by;
    state->command.choice = count == 0 || to < 0 ? 0 : to >= count ? count - 1 : (uint32_t)to;
    return EFFECT_REDRAW;
}

bool command_type(struct view_state *state, struct key key) {
    char bytes[4];
    size_t used = strlen(state->command.text);
    if (state_context(state) != CONTEXT_COMMAND || key.modifiers != 0 || key.code < ' ' || key.code == 0x7F ||
        key.code >= K_UP)
        return false;
    size_t length = text_encode(key.code, bytes);
    if (used + length < sizeof state->command.text) {
        memcpy(state->command.text + used, bytes, length);
        state->command.text[used + length] = '\0';
    }
    state->command.choice = 0;
    state->message_kind = MESSAGE_NONE;
    return true;
}

bool command_act(struct view_state *state, const struct scene *scene, enum ui_action action, unsigned *effects) {
    switch (action) {
    case DO_command: *effects = command_open(state, ""); return true;
    case DO_export: *effects = command_open(state, "export "); return true;
    case DO_command_take: *effects = take(state, scene, false); return true;
    case DO_command_complete: *effects = take(state, scene, true); return true;
    case DO_command_up: *effects = choose(state, 1); return true;
    case DO_command_down: *effects = choose(state, -1); return true;
    case DO_command_erase:
        *effects = typing_erase(state->command.text);
        state->command.choice = 0;
        return true;
    default: return false;
    }
}
