/* findings: what a check of a plan found — which rule, where, in words and in numbers, and what would mend it.
 *
 * A finding's fix has been simulated: its figures are what the plan has once it is applied, alone, to the plan that was
 * checked. Everything lives in the arena of the findings. */
#ifndef SLACKSWAP_CORE_FINDINGS_H
#define SLACKSWAP_CORE_FINDINGS_H

#include <math.h>

#include "plan.h"
#include "rules.h"
#include "sim.h"

/* One tensor's new action and prefetch distance. */
struct change {
    uint32_t tensor;
    uint8_t from, to;                      /* enum action */
    uint32_t from_distance, to_distance;   /* PREFETCH_ANY: as early as room allows */
};

struct fix {
    struct change *change; uint32_t count;
    const char *entry;          /* an entry of the plan to take out; NULL: none */
    struct sim_totals totals;   /* afterwards */
    bool fits;                  /* afterwards: the budget and the host limit */
    double step_change_us;      /* step after less step before; NAN when one of them has none */
    double peak_change_bytes;   /* the same of peak_bytes */
};

/* Where a finding is: NONE for what does not apply. */
struct place {
    uint32_t step;              /* of the schedule that was checked */
    uint32_t op, layer, tensor;
    double at_us;               /* NAN: no moment */
    const char *entry;          /* as the plan names the tensor; NULL: it names none */
};
#define PLACE_NOWHERE ((struct place){ NONE, NONE, NONE, NONE, NAN, NULL })

struct figure { const char *name; double value; const char *text; }; /* TEXT when not NULL, else VALUE */
#define FIGURES_MOST 8

struct finding {
    enum rule_id rule;
    struct place place;
    const char *words;          /* goes on from "the plan …", or is a sentence about the place; names are harmless */
    struct figure figure[FIGURES_MOST]; uint32_t figure_count;
    struct fix *fix;            /* NULL: none was found */
};

struct findings {
    struct arena *arena;
    struct finding *finding; uint32_t count, room;
    uint32_t of[SEVERITY_COUNT];
    bool failed;                /* memory ran out: asked once, at the end */
};

enum ss_status findings_begin(struct findings *findings, struct arena *arena, struct error *error);
/* Adds one. The pointer is good until the next one is added. */
struct finding *findings_add(struct findings *findings, enum rule_id rule, struct place place, const char *words);
void finding_number(struct finding *finding, const char *name, double value);
void finding_text(struct finding *finding, const char *name, const char *text);
/* Errors first, then as the rules stand in their table; otherwise the order stays. */
void findings_sort(struct findings *findings);
/* How many are at least that severe. */
uint32_t findings_at_least(const struct findings *findings, enum severity severity);

/* The changes that lead from one plan to another of the same profile, by tensor. */
enum ss_status changes_between(const struct profile *profile, const struct plan *from, const struct plan *to,
                               struct arena *arena, struct change **out, uint32_t *count, struct error *error);
void changes_apply(struct plan *plan, const struct change *change, uint32_t count); /* PLAN has distances */

#endif
