/* fix_words: see fix_words.h. */
#include "fix_words.h"

#include <string.h>

#include "units.h"

#define CHANGES_SHOWN 3

static void add_distance(struct words *words, uint32_t distance) {
    if (distance == PREFETCH_ANY)
        words_add(words, "any");
    else
        words_add(words, "%u", distance);
}

void words_change(struct words *words, const struct profile *profile, const struct change *change) {
    words_name(words, "", profile->tensors[change->tensor].name, " ");
    if (change->from != change->to)
        words_add(words, "%s %s %s", ACTION_NAME[change->from], words->voice->becomes,
                  ACTION_NAME[change->to]);
    if (change->from_distance == change->to_distance)
        return;
    words_add(words, "%sprefetch ", change->from != change->to ? ", " : "");
    add_distance(words, change->from_distance);
    words_add(words, " %s ", words->voice->becomes);
    add_distance(words, change->to_distance);
    words_add(words, " steps");
}

void words_changes(struct words *words, const struct profile *profile, const struct change *change, uint32_t count,
                   uint32_t most) {
    for (uint32_t i = 0; i < count && i < most; i++) {
        words_add(words, i ? ", " : "");
        words_change(words, profile, &change[i]);
    }
    if (count > most)
        words_add(words, " and %u more", count - most);
}

void words_fix_result(struct words *words, const struct fix *fix) {
    char now[UNIT_TEXT], change[UNIT_TEXT];
    if (!fix->totals.feasible) {
        words_add(words, "still needs %s", format_bytes(now, fix->totals.required_bytes));
        return;
    }
    words_add(words, "step %s", format_time(now, fix->totals.step_us));
    if (!isnan(fix->step_change_us))
        words_add(words, " (%s)", format_time_change(change, fix->step_change_us));
    words_add(words, ", peak %s", format_bytes(now, fix->totals.peak_bytes));
    if (!isnan(fix->peak_change_bytes) && fix->peak_change_bytes != 0)
        words_add(words, " (%s)", format_bytes_change(change, fix->peak_change_bytes));
    if (!fix->fits)
        words_add(words, ", host %s: too much", format_bytes(now, fix->totals.host_peak_bytes));
}

void words_fix(struct words *words, const struct profile *profile, const struct fix *fix) {
    if (fix->entry) {
        words_name(words, "take '", fix->entry, "' out of the plan");
        return;
    }
    words_changes(words, profile, fix->change, fix->count, CHANGES_SHOWN);
    words_add(words, ": ");
    words_fix_result(words, fix);
}
