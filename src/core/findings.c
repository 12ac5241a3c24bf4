/* findings: see findings.h. */
#include "findings.h"

#include <math.h>
#include <string.h>

#define ROOM_FIRST 32

enum ss_status findings_begin(struct findings *findings, struct arena *arena, struct error *error) {
    *findings = (struct findings){ .arena = arena, .room = ROOM_FIRST,
                                   .finding = ARENA_ARRAY(arena, struct finding, ROOM_FIRST) };
    return findings->finding ? SS_OK : error_no_memory(error);
}

struct finding *findings_add(struct findings *findings, enum rule_id rule, struct place place, const char *words) {
    if (findings->count == findings->room) {
        struct finding *larger = ARENA_ARRAY(findings->arena, struct finding, 2 * (size_t)findings->room);
        if (larger) {
            memcpy(larger, findings->finding, findings->count * sizeof *larger);
            findings->finding = larger;
            findings->room *= 2;
        } else { /* over the last one: nobody will see it */
            findings->failed = true;
            findings->count--;
        }
    }
    struct finding *finding = &findings->finding[findings->count++];
    *finding = (struct finding){ .rule = rule, .place = place, .words = words };
    findings->of[RULE_TABLE[rule].severity]++;
    return finding;
}

void finding_number(struct finding *finding, const char *name, double value) {
    if (finding->figure_count < FIGURES_MOST)
        finding->figure[finding->figure_count++] = (struct figure){ name, value, NULL };
}

void finding_text(struct finding *finding, const char *name, const char *text) {
    if (finding->figure_count < FIGURES_MOST)
        finding->figure[finding->figure_count++] = (struct figure){ name, NAN, text };
}

void findings_sort(struct findings *findings) {
    struct finding *sorted = ARENA_ARRAY(findings->arena, struct finding, findings->count);
    uint32_t count = 0;
    if (!sorted) {
        findings->failed = true;
        return;
    }
    for (int severity = SEVERITY_COUNT - 1; severity >= 0; severity--)
        for (int rule = 0; rule < RULE_COUNT; rule++)
            for (uint32_t i = 0; i < findings->count && RULE_TABLE[rule].severity == (enum severity)severity; i++)
                if (findings->finding[i].rule == (enum rule_id)rule)
                    sorted[count++] = findings->finding[i];
    findings->finding = sorted;
    findings->room = count;
}

uint32_t findings_at_least(const struct findings *findings, enum severity severity) {
    uint32_t count = 0;
    for (int s = severity; s < SEVERITY_COUNT; s++)
        count += findings->of[s];
    return count;
}

enum ss_status changes_between(const struct profile *profile, const struct plan *from, const struct plan *to,
                               struct arena *arena, struct change **out, uint32_t *count, struct error *error) {
    *count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !(*out = ARENA_ARRAY(arena, struct change, *count)))
            return error_no_memory(error);
        *count = 0;
        for (uint32_t m = 0; m < profile->managed_count; m++) {
            const uint32_t t = profile->managed[m];
            const struct change change = { t, from->action[t], to->action[t], plan_prefetch(from, t),
                                           plan_prefetch(to, t) };
            if (change.from == change.to && change.from_distance == change.to_distance)
                continue;
            if (pass == 1)
                (*out)[*count] = change;
            (*count)++;
        }
    }
    return SS_OK;
}

void changes_apply(struct plan *plan, const struct change *change, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        plan->action[change[i].tensor] = change[i].to;
        plan->prefetch[change[i].tensor] = change[i].to_distance;
    }
}
