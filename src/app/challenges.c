#include "challenges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/puzzle.h"
#include "core/units.h"
#include "io/buffer.h"
#include "output.h"
#include "progress.h"
#include "view/challenge.h"

#define KEY_BYTES 40

static char *key_of(uint32_t level, uint32_t seed, char key[KEY_BYTES]) {
    snprintf(key, KEY_BYTES, "challenge/%u/%u", (unsigned)level, (unsigned)seed);
    return key;
}

static double kept_gap(const struct progress *progress, uint32_t level, uint32_t seed) {
    char key[KEY_BYTES];
    double gap;
    return progress_best_gap(progress, key_of(level, seed, key), &gap) ? gap : INFINITY;
}

unsigned challenge_remember(struct view_state *state) {
    struct progress progress;
    struct error error = { "", "" };
    char key[KEY_BYTES], text[MESSAGE_MAX];
    uint32_t level, seed;
    if (!challenge_is_open(state, &level, &seed))
        return 0;
    progress_load(&progress);
    const double kept = kept_gap(&progress, level, seed);
    progress_free(&progress);
    if (kept <= state->challenge.best_gap) {
        state->challenge.best_gap = kept;
        return EFFECT_REDRAW;
    }
    if (!isfinite(state->challenge.best_gap) || progress_note_gap(key_of(level, seed, key), state->challenge.best_gap, &error) == SS_OK)
        return 0;
    snprintf(text, sizeof text, "The best gap can't be kept: %.150s.", error.text);
    return state_message(state, MESSAGE_BAD, text);
}

/* ---- the command line ---- */

static bool whole(const char *text, const char **end, unsigned long most, uint32_t *out) {
    char *stop;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    const unsigned long value = strtoul(text, &stop, 10);
    *end = stop;
    *out = (uint32_t)value;
    return errno == 0 && value <= most;
}

enum ss_status challenge_parse(const char *text, uint32_t *level, uint32_t *seed, struct error *error) {
    const char *end = text;
    if (whole(text, &end, PUZZLE_LEVELS, level) && *level > 0) {
        *seed = puzzle_first_seed(*level);
        if (*end == '\0' || (*end == '.' && whole(end + 1, &end, PUZZLE_SEEDS - 1, seed) && *end == '\0'))
            return SS_OK;
    }
    return error_set(error, SS_USAGE, "expected a level from 1 to %u, with a seed below %u behind it if wanted, such as 3 or 3.17: found '%s'",
                     (unsigned)PUZZLE_LEVELS, (unsigned)PUZZLE_SEEDS, text);
}

unsigned challenge_begin(struct view_state *state, const struct scene *scene, const char *text) {
    uint32_t level, seed;
    struct error error = { "", "" };
    if (challenge_parse(text, &level, &seed, &error) != SS_OK)
        return state_message(state, MESSAGE_BAD, error.text);
    return challenge_open(state, scene, level, seed);
}

/* ---- the list ---- */

static void put_gap(struct buffer *out, double gap, int columns) {
    char text[24] = "-";
    if (isfinite(gap))
        snprintf(text, sizeof text, "%.2f%%", 100 * gap);
    buffer_printf(out, "%*s", columns, text);
}

struct standing { struct puzzle_marks marks; double gap; uint64_t budget_bytes; struct profile profile; };

static enum ss_status stand(uint32_t level, uint32_t seed, const struct progress *progress, struct arena *arena, struct standing *out,
                            struct error *error) {
    out->gap = kept_gap(progress, level, seed);
    enum ss_status status = puzzle_build(level, seed, arena, &out->profile, &out->budget_bytes, error);
    return status == SS_OK ? puzzle_marks_find(&out->marks, arena, &out->profile, out->budget_bytes, NULL, NULL, error) : status;
}

/* Without what planners find: that would take seconds. */
static enum ss_status put_level(struct buffer *out, uint32_t level, uint32_t seed, const struct progress *progress,
                                struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    uint64_t budget_bytes;
    char bytes[UNIT_TEXT], rate[UNIT_TEXT];
    enum ss_status status = puzzle_build(level, seed, &arena, &profile, &budget_bytes, error);
    if (status == SS_OK) {
        buffer_printf(out, "%5u %6u %8u %10s %10s", (unsigned)level, (unsigned)seed, (unsigned)profile.managed_count,
                      format_bytes(bytes, budget_bytes), format_rate(rate, profile.link.h2d_gb_per_s));
        put_gap(out, kept_gap(progress, level, seed), 15);
        buffer_text(out, "\n");
    }
    arena_free(&arena);
    return status;
}

/* ---- the puzzles that were played ---- */

struct played { uint32_t level, seed; };
struct played_list { struct played *at; size_t count, room; };

static void note_played(void *context, const char *key) {
    struct played_list *list = context;
    struct played one;
    char same[KEY_BYTES];
    const char *end = key + strlen("challenge/");
    if (strncmp(key, "challenge/", strlen("challenge/")) != 0 || !whole(end, &end, PUZZLE_LEVELS, &one.level) || one.level == 0 || *end != '/' ||
        !whole(end + 1, &end, PUZZLE_SEEDS - 1, &one.seed) || strcmp(key_of(one.level, one.seed, same), key) != 0 ||
        one.seed == puzzle_first_seed(one.level))
        return;
    if (list->count == list->room) {
        const size_t room = list->room > 0 ? 2 * list->room : 16;
        struct played *larger = realloc(list->at, room * sizeof *larger);
        if (larger == NULL)
            return;
        list->at = larger;
        list->room = room;
    }
    list->at[list->count++] = one;
}

static int compare_played(const void *a, const void *b) {
    const struct played *x = a, *y = b;
    return x->level != y->level ? (x->level < y->level ? -1 : 1) : x->seed != y->seed ? (x->seed < y->seed ? -1 : 1) : 0;
}

/* Each level's first puzzle, and behind it those that were played. */
static enum ss_status put_levels(struct buffer *out, const struct progress *progress, struct error *error) {
    struct played_list list = { NULL, 0, 0 };
    enum ss_status status = SS_OK;
    size_t next = 0;
    progress_each_gap(progress, note_played, &list);
    if (list.count > 0)
        qsort(list.at, list.count, sizeof list.at[0], compare_played);
    buffer_text(out, "level   seed  tensors     budget       link  your best gap\n");
    for (uint32_t level = 1; level <= PUZZLE_LEVELS && status == SS_OK; level++) {
        status = put_level(out, level, puzzle_first_seed(level), progress, error);
        for (; status == SS_OK && next < list.count && list.at[next].level == level; next++)
            status = put_level(out, level, list.at[next].seed, progress, error);
    }
    free(list.at);
    buffer_text(out, "'slackswap lesson challenge LEVEL' opens one, LEVEL.SEED another of that level.\n");
    return status;
}

/* ---- one in words ---- */

static void put_tensors(struct buffer *out, const struct profile *profile) {
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        const struct tensor *tensor = &profile->tensors[profile->managed[i]];
        const struct op *op = &profile->ops[tensor->producer];
        char bytes[UNIT_TEXT], time[UNIT_TEXT];
        buffer_printf(out, "  %-12s %10s, made by %s in %s\n", tensor->name, format_bytes(bytes, tensor->bytes), op->name,
                      format_time(time, op->forward_us));
    }
}

static enum ss_status put_puzzle(struct buffer *out, uint32_t level, uint32_t seed, const struct progress *progress,
                                 struct error *error) {
    struct arena arena = { 0 };
    struct standing standing;
    char bytes[UNIT_TEXT], rate[UNIT_TEXT];
    enum ss_status status = stand(level, seed, progress, &arena, &standing, error);
    if (status == SS_OK) {
        buffer_printf(out, "Challenge: level %u, seed %u. Plan %u tensors by hand for a budget of %s; the link moves %s.\n", (unsigned)level,
                      (unsigned)seed, (unsigned)standing.profile.managed_count, format_bytes(bytes, standing.budget_bytes),
                      format_rate(rate, standing.profile.link.h2d_gb_per_s));
        put_tensors(out, &standing.profile);
        buffer_text(out, "Gaps to the bound: slackswap");
        put_gap(out, standing.marks.slackswap_gap, 6);
        buffer_text(out, ", best known");
        put_gap(out, standing.marks.best_gap, 6);
        buffer_printf(out, " (by %s%s), yours ", standing.marks.best_planner, standing.marks.proved ? ", proved" : "");
        put_gap(out, standing.gap, 0);
        buffer_printf(out, ": %s.\n", puzzle_verdict(standing.gap, &standing.marks));
    }
    arena_free(&arena);
    return status;
}

static enum ss_status print(uint32_t level, uint32_t seed, bool all, struct error *error) {
    struct buffer out = { 0 };
    struct progress progress;
    progress_load(&progress);
    enum ss_status status = all ? put_levels(&out, &progress, error) : put_puzzle(&out, level, seed, &progress, error);
    if (status == SS_OK)
        status = buffer_status(&out, error);
    if (status == SS_OK)
        status = output_print(out.text, out.length, error);
    buffer_free(&out);
    progress_free(&progress);
    return status;
}

enum ss_status challenge_command(const struct options *options, struct error *error) {
    uint32_t level = 0, seed = 0;
    if (options->json)
        return error_set(error, SS_USAGE, "--json is for the list of lessons and for check");
    if (options->argument_count > 2)
        return error_set(error, SS_USAGE, "lesson challenge takes one level: what is '%s'?", options->argument[2]);
    if (options->argument_count < 2)
        return print(0, 0, true, error);
    enum ss_status status = challenge_parse(options->argument[1], &level, &seed, error);
    if (status != SS_OK)
        return status;
    if (options->plain || !isatty(STDOUT_FILENO))
        return print(level, seed, false, error);
    struct options asked = *options;
    asked.command = COMMAND_VIEW;
    asked.challenge = asked.flag[OPTION_challenge] = options->argument[1];
    asked.argument_count = 0; /* what is looked at when the challenge is left is what the viewer opens by itself */
    return cmd_view(&asked, error);
}
