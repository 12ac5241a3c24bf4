/* view_problems: what the Problems view's keys, its drawing and the inspector share — findings and remedies, and how a fix
 * is applied. Private to the view room. */
#ifndef SLACKSWAP_VIEW_VIEW_PROBLEMS_H
#define SLACKSWAP_VIEW_VIEW_PROBLEMS_H

#include "core/check.h"
#include "core/remedies.h"
#include "core/words.h"
#include "state.h"

/* A plan under settings, told by what counts: as long as this is the same, so are findings and remedies. */
struct plan_question { struct settings settings; uint64_t plan; };

struct problems_question { struct plan_question plan; };
struct problems {
    struct check check;
    struct mended mended;   /* when ALL_KNOWN */
    bool all_known;
};
/* What was found about the newest outcome; NULL as long as nothing is known. COMPLETE (NULL is allowed): more won't come. */
const struct problems *problems_shown(const struct view_state *state, const struct scene *scene, bool *complete);

struct remedies_question { struct plan_question plan; struct event event; };
/* What would change the selection; NULL where nothing is asked or known. LOOKING: it is being found out. */
const struct remedies *remedies_shown(const struct view_state *state, const struct scene *scene, bool *looking);

/* Prepared for a study: the plan of the newest outcome. */
void *newest_plan(const struct view_state *state, const struct scene *scene, struct arena *arena);

/* The N-th fix (from 0) that can be applied of what is shown: of the findings, in their order. NULL when there is none. */
const struct finding *problems_fix(const struct problems *problems, uint32_t n);
/* Its number, from 0, or NONE. */
uint32_t problems_fix_number(const struct problems *problems, const struct finding *finding);
#define FIXES_BY_KEY 9

/* "L10.gelu → recompute", "3 changes"; "PCIe ≥ 27.5 GB/s", "budget +1.2 GiB", "layer L3 → recompute". */
void words_fix_short(struct words *words, const struct profile *profile, const struct fix *fix);
void words_remedy(struct words *words, const struct profile *profile, const struct remedy *remedy);
/* "-1.20 ms", "no gain", "does not fit". */
void words_gain(struct words *words, const struct fix *fix, bool gains);

/* ", peak +12.5 MiB"; nothing where it stays. */
void words_peak_change(struct words *words, const struct fix *fix);

/* Applies the N-th numbered fix (from 0) of the view at hand. */
unsigned fix_apply(struct view_state *state, const struct scene *scene, uint32_t n);
/* Where no plan fits in the budget at hand: that budget turned up to the least that one needs. */
bool fix_budget(const struct view_state *state, const struct scene *scene, struct budget_choice *out);
/* Applies the smallest set of changes that was found; where no plan fits, turns up the budget. */
unsigned fix_apply_all(struct view_state *state, const struct scene *scene);

/* Rows of the list of findings on this screen. */
uint32_t problems_list_rows(const struct view_state *state, uint32_t layer_count);

#endif
