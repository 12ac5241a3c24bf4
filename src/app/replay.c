#include "replay.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/lines.h"
#include "session.h"
#include "view/pointing.h"
#include "view/view.h"

enum entry_kind { ENTRY_KEY, ENTRY_SETTLE, ENTRY_MOUSE, ENTRY_SIZE, ENTRY_PLAN, ENTRY_SET };
struct replay_entry {
    enum entry_kind kind;
    union {
        struct key key;
        struct mouse mouse;
        struct { int width, height; } size;
        const char *plan;
        struct { enum knob_id knob; const char *value; } set;
    } of;
};

/* ---- reading ---- */

struct reading {
    struct replay *replay;
    size_t room;
    struct error *error;
};

static enum ss_status append(struct reading *reading, struct replay_entry entry) {
    struct replay *replay = reading->replay;
    if (replay->count == reading->room) {
        size_t room = reading->room ? 2 * reading->room : 64;
        struct replay_entry *larger = ARENA_ARRAY(&replay->arena, struct replay_entry, room);
        if (larger == NULL)
            return error_no_memory(reading->error);
        if (replay->count > 0)
            memcpy(larger, replay->entry, replay->count * sizeof *larger);
        replay->entry = larger;
        reading->room = room;
    }
    replay->entry[replay->count++] = entry;
    return SS_OK;
}

static enum ss_status take_keys(struct reading *reading, const char *script) {
    struct key *keys = NULL;
    size_t count = 0;
    enum ss_status status = keys_parse(script, &reading->replay->arena, &keys, &count, reading->error);
    for (size_t i = 0; i < count && status == SS_OK; i++)
        status = append(reading, (struct replay_entry){ .kind = ENTRY_KEY, .of.key = keys[i] });
    if (status == SS_USAGE)
        return SS_BAD_INPUT;
    return status == SS_OK ? append(reading, (struct replay_entry){ .kind = ENTRY_SETTLE }) : status;
}

static enum ss_status take_mouse(struct reading *reading, const char *text) {
    int kind, button, modifiers, again, x, y, end = 0;
    if (sscanf(text, "%3d %3d %3d %3d %6d %6d%n", &kind, &button, &modifiers, &again, &x, &y, &end) != 6 || text[end] != '\0' ||
        kind < 0 || kind > MOUSE_WHEEL_DOWN || button < 0 || button > BUTTON_RIGHT || modifiers < 0 || modifiers > 7)
        return error_set(reading->error, SS_BAD_INPUT, "expected six numbers: kind, button, modifiers, again, x, y");
    struct mouse mouse = { .kind = (uint8_t)kind, .button = (uint8_t)button, .modifiers = (uint8_t)modifiers,
                           .again = again != 0, .x = x, .y = y };
    return append(reading, (struct replay_entry){ .kind = ENTRY_MOUSE, .of.mouse = mouse });
}

static enum ss_status take_size(struct reading *reading, const char *text) {
    struct replay_entry entry = { .kind = ENTRY_SIZE };
    int end = 0;
    if (sscanf(text, "%5dx%5d%n", &entry.of.size.width, &entry.of.size.height, &end) != 2 || text[end] != '\0')
        return error_set(reading->error, SS_BAD_INPUT, "expected a size such as 120x40");
    return append(reading, entry);
}

static enum ss_status take_plan(struct reading *reading, const char *text) {
    for (const char *at = text; *at != '\0';) {
        if (strchr("kor", *at) == NULL || !isdigit((unsigned char)at[1]))
            return error_set(reading->error, SS_BAD_INPUT, "expected actions and how often each, such as k12o3r4");
        for (at++; isdigit((unsigned char)*at); at++)
            continue;
    }
    return append(reading, (struct replay_entry){ .kind = ENTRY_PLAN, .of.plan = text });
}

static enum ss_status take_set(struct reading *reading, const char *text) {
    const size_t length = strcspn(text, " ");
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        if (strlen(KNOBS[knob].name) == length && strncmp(text, KNOBS[knob].name, length) == 0 && text[length] == ' ')
            return append(reading, (struct replay_entry){ .kind = ENTRY_SET,
                                                          .of.set = { (enum knob_id)knob, text + length + 1 } });
    return error_set(reading->error, SS_BAD_INPUT, "expected a knob and its value, such as budget 45%%");
}

static enum ss_status take_option(struct reading *reading, const char *text) {
    size_t length = strcspn(text, " ");
    enum option_id id = option_find(text, length);
    if (id == OPTION_COUNT)
        return error_set(reading->error, SS_BAD_INPUT, "no option is called so");
    reading->replay->option[id] = text[length] == ' ' ? text + length + 1 : "";
    return SS_OK;
}

static enum ss_status take_profile(struct reading *reading, const char *text) {
    reading->replay->profile = text;
    return SS_OK;
}

static enum ss_status take_line(struct reading *reading, struct piece line) {
    static const struct {
        const char *word;
        enum ss_status (*take)(struct reading *reading, const char *text);
    } LINES[] = { { "keys ", take_keys },   { "mouse ", take_mouse },   { "size ", take_size },
                  { "plan ", take_plan },   { "option ", take_option }, { "set ", take_set }, { "profile ", take_profile } };
    if (piece_trim(line).length == 0 || line.at[0] == '#')
        return SS_OK;
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        size_t length = strlen(LINES[i].word);
        if (!piece_starts(line, LINES[i].word))
            continue;
        const char *rest = piece_copy((struct piece){ line.at + length, line.length - length }, &reading->replay->arena);
        return rest != NULL ? LINES[i].take(reading, rest) : error_no_memory(reading->error);
    }
    char quoted[QUOTE_TEXT];
    return error_set(reading->error, SS_BAD_INPUT, "expected keys, mouse, size, plan, set, option or profile, found %s",
                     piece_quote(line, quoted));
}

enum ss_status replay_read(const char *path, struct replay *out, struct error *error) {
    struct file_text text;
    struct reading reading = { out, 0, error };
    *out = (struct replay){ .count = 0 };
    enum ss_status status = file_read(path, &text, error);
    if (status != SS_OK) {
        error_place(error, "%s", path);
        return status;
    }
    struct lines lines = { { text.text, text.length }, 0 };
    struct piece line;
    if (!lines_next(&lines, &line) || !piece_equal(piece_trim(line), SESSION_SCHEMA))
        status = error_set(error, SS_BAD_INPUT, "is no session: it does not begin with %s", SESSION_SCHEMA);
    while (status == SS_OK && lines_next(&lines, &line))
        status = take_line(&reading, line);
    if (status == SS_BAD_INPUT)
        error_place(error, "%s: line %u", path, (unsigned)(lines.number ? lines.number : 1));
    file_text_free(&text);
    return status;
}

void replay_free(struct replay *replay) {
    arena_free(&replay->arena);
    *replay = (struct replay){ .count = 0 };
}

/* ---- what it looked at ---- */

enum ss_status replay_options(const struct replay *replay, const struct options *options, struct options *out,
                              struct error *error) {
    char *words[2 * OPTION_COUNT + 4];
    int count = 0;
    struct arena *arena = (struct arena *)&replay->arena;
    words[count++] = (char *)"slackswap";
    words[count++] = (char *)COMMAND_TABLE[options->command].name;
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option_entry *entry = &OPTION_TABLE[id];
        const char *value = options->flag[id] != NULL ? options->flag[id] : replay->option[id];
        bool ours = options->flag[id] != NULL || (entry->commands & 1u << options->command);
        if (value == NULL || !ours)
            continue;
        words[count++] = entry->argument ? arena_printf(arena, "--%s=%s", entry->name, value)
                                         : arena_printf(arena, "--%s", entry->name);
        if (words[count - 1] == NULL)
            return error_no_memory(error);
    }
    const char *profile = options->argument_count > 0 ? options->argument[0] : replay->profile;
    if (profile != NULL)
        words[count++] = (char *)profile;
    words[count] = NULL;
    return options_parse(count, words, out, error);
}

/* ---- doing it again ---- */

/* The plan that was written down, if it is another than STATE's. */
static unsigned set_plan(struct view_state *state, const struct scene *scene, const char *text) {
    const struct profile *profile = scene->profile;
    struct arena arena = { 0 };
    struct plan plan;
    unsigned effects = 0;
    bool other = state->plan == NULL;
    if (plan_init(&plan, &arena, profile, NULL) == SS_OK) {
        uint32_t i = 0;
        for (char *at = (char *)text; *at != '\0';) {
            enum action action = *at == 'k' ? ACTION_KEEP : *at == 'o' ? ACTION_OFFLOAD : ACTION_RECOMPUTE;
            for (unsigned long run = strtoul(at + 1, &at, 10); run > 0 && i < profile->managed_count; run--, i++) {
                uint32_t tensor = profile->managed[i];
                bool may = action == ACTION_KEEP || (action == ACTION_OFFLOAD && !profile->tensors[tensor].keep) ||
                           closure_allows(&scene->closure, profile, tensor);
                plan.action[tensor] = (uint8_t)(may ? action : ACTION_KEEP);
                other = other || plan.action[tensor] != state->plan->action[tensor];
            }
        }
        if (other)
            effects = state_take_plan(state, scene, &plan);
    }
    arena_free(&arena);
    return effects;
}

/* The knob as it was written down; part of the change that was made before, if one was. A value that the work at hand can't take
 * is passed over. */
static unsigned set_knob(struct replay *replay, struct view_state *state, const struct scene *scene, enum knob_id knob,
                         const char *value) {
    struct settings settings = state->settings;
    if (knob_parse(knob, value, scene->profile, &settings, NULL) != SS_OK || settings_equal(&settings, &state->settings))
        return 0;
    return state_set(state, &settings, state->history != NULL && state->history->at != replay->noted);
}

bool replay_next(struct replay *replay, struct view_state *state, const struct scene *scene, const struct theme *theme,
                 struct grid *grid, unsigned *effects) {
    static const unsigned NOT_AGAIN = EFFECT_QUIT | EFFECT_SUSPEND | EFFECT_SAVE | EFFECT_EXPORT | EFFECT_COPY;
    *effects = 0;
    if (replay_ended(replay))
        return false;
    const struct replay_entry *entry = &replay->entry[replay->at];
    switch (entry->kind) {
    case ENTRY_SETTLE:
        if (state->planning)
            return false;
        session_settled(replay->session);
        break;
    case ENTRY_KEY:
        session_key(replay->session, entry->of.key);
        replay->noted = state->history != NULL ? state->history->at : 0;
        *effects = state_key(state, scene, entry->of.key) & ~NOT_AGAIN;
        break;
    case ENTRY_SIZE:
        session_size(replay->session, entry->of.size.width, entry->of.size.height);
        *effects = state_resize(state, scene, entry->of.size.width, entry->of.size.height);
        break;
    case ENTRY_PLAN:
        *effects = set_plan(state, scene, entry->of.plan);
        if (state->plan != NULL)
            session_plan(replay->session, scene->profile, state->plan);
        break;
    case ENTRY_SET: {
        const struct settings before = state->settings;
        *effects = set_knob(replay, state, scene, entry->of.set.knob, entry->of.set.value);
        session_settings(replay->session, scene->profile, &before, &state->settings);
        break;
    }
    case ENTRY_MOUSE:
        replay->noted = state->history != NULL ? state->history->at : 0;
        session_mouse(replay->session, entry->of.mouse);
        if (!grid_resize(grid, state->width, state->height))
            break;
        view_draw(state, scene, theme, grid);
        *effects = state_mouse(state, scene, grid, entry->of.mouse) & ~NOT_AGAIN;
        break;
    }
    replay->at++;
    return true;
}
