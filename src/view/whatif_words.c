#include "whatif_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

#define EXAMPLES 6 /* points of a curve that are told */

char *whatif_format_at(char text[UNIT_TEXT], enum whatif_axis axis, double at) {
    return axis == WHATIF_BUDGET ? format_bytes(text, (uint64_t)at) : format_rate(text, at);
}

bool whatif_knee_words(const struct whatif_curve *curve, enum whatif_axis axis, enum whatif_knee_kind kind, char *text,
                       size_t size) {
    static const struct { const char *at[2], *everywhere, *nowhere; } WORDS[KNEE_COUNT] = {
        [KNEE_FREE] = { { "free from %s", "free from %s" }, "free everywhere here", "nowhere free here" },
        [KNEE_NO_RECOMPUTE] = { { "recompute starts below %s", "recompute ends at %s" }, "no recompute here",
                                "recompute everywhere here" },
        [KNEE_FIT] = { { "fits from %s", "fits from %s" }, NULL, "fits nowhere here" },
    };
    const struct whatif_knee *knee = &curve->knee[kind];
    char at[UNIT_TEXT];
    const char *words = knee->place == KNEE_AT           ? WORDS[kind].at[axis]
                        : knee->place == KNEE_EVERYWHERE ? WORDS[kind].everywhere
                        : knee->place == KNEE_NOWHERE    ? WORDS[kind].nowhere
                                                         : NULL;
    if (words == NULL)
        return false;
    const char *hole = strstr(words, "%s");
    if (hole == NULL)
        snprintf(text, size, "%s", words);
    else
        snprintf(text, size, "%.*s%s", (int)(hole - words), words, whatif_format_at(at, axis, knee->at));
    return true;
}

/* ---- sentences ---- */

static void add(char *text, size_t size, const char *more) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

/* "Against the budget: 88.5 ms (84.4% of ideal) at 3.07 GiB, …; free from 7.31 GiB; …." */
static bool curve_sentence(const struct view_state *state, const struct scene *scene, enum whatif_axis axis, char *text,
                           size_t size) {
    bool complete;
    const struct whatif_curve *curve = whatif_shown_curve(state, scene, axis, &complete);
    char part[128], at[UNIT_TEXT], step[UNIT_TEXT], share[UNIT_TEXT];
    const uint32_t stride = curve != NULL && curve->count > EXAMPLES ? (curve->count + EXAMPLES - 1) / EXAMPLES : 1;
    snprintf(text, size, "Step against %s%s:", axis == WHATIF_BUDGET ? "budget" : "bandwidth",
             complete ? "" : ", as far as it is known");
    for (uint32_t i = 0; curve != NULL && i < curve->count; i++) {
        const struct whatif_point *point = &curve->point[i];
        if (!point->known || (i % stride != 0 && i + 1 < curve->count))
            continue;
        whatif_format_at(at, axis, point->at);
        if (point->fits)
            snprintf(part, sizeof part, " %s (%s of ideal) at %s,", format_time(step, point->step_us),
                     format_percent(share, point->step_us > 0 ? curve->ideal_us / point->step_us : 1), at);
        else
            snprintf(part, sizeof part, " does not fit at %s,", at);
        add(text, size, part);
    }
    text[strlen(text) - 1] = curve != NULL ? ';' : '.';
    for (int kind = 0; curve != NULL && kind < KNEE_COUNT; kind++)
        if (whatif_knee_words(curve, axis, (enum whatif_knee_kind)kind, part + 1, sizeof part - 2)) {
            part[0] = ' ';
            add(text, size, part);
            add(text, size, ";");
        }
    text[strlen(text) - 1] = '.';
    return true;
}

/* "At 5.38 GiB wins: slackswap from 2 GB/s, offload from 64 (free)." A row of the map. */
static bool map_sentence(const struct whatif_map *map, uint32_t row, char *text, size_t size) {
    char part[96], bytes[UNIT_TEXT];
    uint8_t before = WHATIF_NOBODY;
    bool free_before = false;
    snprintf(text, size, "At %s wins:", format_bytes(bytes, map->budget_bytes[row]));
    for (uint32_t i = 0; i < map->rate_count && row * map->rate_count + i < map->known; i++) {
        const uint8_t winner = map->winner[row][i];
        const bool is_free = winner != WHATIF_NOBODY && whatif_is_free(map->step_us[row][i], map->ideal_us);
        if (i > 0 && winner == before && is_free == free_before)
            continue;
        snprintf(part, sizeof part, " %s%s from %.3g GB/s,", winner == WHATIF_NOBODY ? "nobody" : PLANNERS[winner].name,
                 is_free ? " (free)" : "", map->rate[i]);
        add(text, size, part);
        before = winner;
        free_before = is_free;
    }
    text[strlen(text) - 1] = '.';
    return true;
}

static bool batch_sentence(const struct whatif_batches *batches, char *text, size_t size) {
    char part[64];
    snprintf(text, size, "Of this model up to %u samples fit into that memory;", (unsigned)batches->largest);
    for (uint32_t i = 0; i < batches->count; i++) {
        if (!batches->batch[i].fits)
            continue;
        snprintf(part, sizeof part, " %.0f tokens a second at %u,", batches->batch[i].tokens_per_s,
                 (unsigned)batches->batch[i].batch);
        add(text, size, part);
    }
    text[strlen(text) - 1] = '.';
    return true;
}

bool whatif_sentence(const struct view_state *state, const struct scene *scene, uint32_t n, char *text, size_t size) {
    const struct whatif_map *map = whatif_shown_map(state, scene, NULL);
    const struct whatif_batches *batches = whatif_shown_batches(state, scene);
    const uint32_t rows = map != NULL && map->rate_count > 0 ? (map->known + map->rate_count - 1) / map->rate_count : 0;
    if (n < 2)
        return curve_sentence(state, scene, n == 0 ? WHATIF_BUDGET : WHATIF_RATE, text, size);
    if (n - 2 < rows)
        return map_sentence(map, n - 2, text, size);
    return n - 2 == rows && batches != NULL && batch_sentence(batches, text, size);
}
