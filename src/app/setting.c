#include "setting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suggest.h"

/* Options that can differ between two runs on one profile. */
static bool is_setting(enum option_id id) {
    const struct option_entry *entry = &OPTION_TABLE[id];
    return entry->setting && id != OPTION_planner &&
           (entry->group == ABOUT_WORK || entry->group == ABOUT_LINK || entry->group == ABOUT_PLANNING);
}

static enum ss_status unknown(const char *name, struct error *error) {
    char text[80];
    struct suggestion near = { .word = name };
    for (int id = 0; id < OPTION_COUNT; id++)
        if (is_setting((enum option_id)id))
            suggest(&near, OPTION_TABLE[id].name);
    return error_set(error, SS_USAGE, "no setting is called '%s'%s", name, suggestion_text(&near, "", text));
}

#define VALUE_BYTES 80

/* One "name=value" of the list, LENGTH bytes at TEXT, into VALUES. */
static enum ss_status read_pair(const char *text, size_t length, char (*values)[VALUE_BYTES], struct error *error) {
    char pair[2 * VALUE_BYTES];
    if (length >= sizeof pair)
        return error_set(error, SS_USAGE, "expected NAME=VALUE, found '%.40s...'", text);
    memcpy(pair, text, length);
    pair[length] = '\0';
    char *value = strchr(pair, '=');
    if (!value)
        return error_set(error, SS_USAGE, "expected NAME=VALUE, found '%s'", pair);
    *value++ = '\0';
    const enum option_id id = option_find(pair, strlen(pair));
    if (id == OPTION_COUNT || !is_setting(id))
        return unknown(pair, error);
    if (*value == '\0' || strlen(value) >= VALUE_BYTES)
        return error_set(error, SS_USAGE, "%s: expected a value: %s", pair, OPTION_TABLE[id].argument);
    if (*values[id])
        return error_set(error, SS_USAGE, "%s: expected each setting once", pair);
    strcpy(values[id], value);
    return SS_OK;
}

/* What a new value replaces beside itself: a budget another way of saying it, a limit on planning the other one. */
static void make_room(struct options *options, enum option_id id) {
    if (id == OPTION_budget)
        options->settings.budget = BUDGET_CHOICE_DEFAULT;
    if (id == OPTION_evals)
        options->plan_time_us = NAN;
    if (id == OPTION_plan_time)
        options->source[OPTION_evals] = SOURCE_DEFAULT;
    options->source[id] = SOURCE_FLAG;
}

/* In the order of the table, so that what depends on another comes after it. */
static enum ss_status take_values(struct options *options, char (*values)[VALUE_BYTES], struct error *error) {
    enum ss_status status = SS_OK;
    for (int id = 0; id < OPTION_COUNT && status == SS_OK; id++) {
        if (!*values[id])
            continue;
        make_room(options, (enum option_id)id);
        status = option_take((enum option_id)id, options, values[id], error);
        if (status != SS_OK)
            error_place(error, "%s", OPTION_TABLE[id].name);
    }
    return status;
}

enum ss_status setting_take(const struct options *base, enum option_id option, const char *text, struct options *out,
                            struct error *error) {
    char values[OPTION_COUNT][VALUE_BYTES] = { "" };
    enum ss_status status = SS_OK;
    *out = *base;
    for (const char *at = text; at && status == SS_OK;) {
        const size_t length = strcspn(at, ",");
        status = read_pair(at, length, values, error);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == SS_OK)
        status = take_values(out, values, error);
    if (status != SS_OK && error) {
        char place[sizeof error->place];
        memcpy(place, error->place, sizeof place);
        error_place(error, "--%s%s%.200s", OPTION_TABLE[option].name, *place ? ": " : "", place);
    }
    return status;
}

struct profile setting_profile(const struct options *options, const struct profile *profile) {
    struct profile copy = *profile;
    if (options->link)
        copy.link = options->link->link;
    return copy;
}
