/* Fixes: how the screen says them, and how they are applied — exactly as they were simulated: the plan is taken over as
 * made by hand, so that no planner makes another of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/fix_words.h"
#include "core/units.h"
#include "reduce.h"
#include "symbol.h"
#include "view_problems.h"
#include "voice.h"

/* ---- words ---- */

void words_fix_short(struct words *words, const struct profile *profile, const struct fix *fix) {
    const struct change *change = fix->change;
    if (fix->count != 1) {
        words_add(words, "%u changes", fix->count);
        return;
    }
    words_name(words, "", profile->tensors[change->tensor].name, " ");
    words_add(words, "%s ", words->voice->becomes);
    if (change->from != change->to)
        words_add(words, "%s", ACTION_NAME[change->to]);
    else
        words_add(words, "%u steps ahead", change->to_distance);
}

void words_remedy(struct words *words, const struct profile *profile, const struct remedy *remedy) {
    char text[UNIT_TEXT];
    switch (remedy->kind) {
    case REMEDY_RATE:
        words_add(words, "PCIe %s %s%s", words->voice->at_least, format_rate(text, remedy->rate_gb_per_s),
                  remedy->halves ? " (half)" : "");
        break;
    case REMEDY_BUDGET:
        words_add(words, "budget %s%s", format_bytes_change(text, (double)remedy->more_bytes),
                  remedy->halves ? " (half)" : "");
        break;
    case REMEDY_TENSOR:
        words_name(words, "", profile->tensors[remedy->tensor].name, " ");
        words_add(words, "%s %s", words->voice->becomes, ACTION_NAME[remedy->action]);
        break;
    case REMEDY_LAYER:
        words_name(words, "layer ", profile->layers[remedy->layer].name, " ");
        words_add(words, "%s %s", words->voice->becomes, ACTION_NAME[remedy->action]);
        break;
    }
}

void words_gain(struct words *words, const struct fix *fix, bool gains) {
    char text[UNIT_TEXT];
    if (!fix->fits)
        words_add(words, "does not fit");
    else if (gains || fix->step_change_us > 0)
        words_add(words, "%s", format_time_change(text, fix->step_change_us));
    else
        words_add(words, "no gain");
}

void words_peak_change(struct words *words, const struct fix *fix) {
    char text[UNIT_TEXT];
    if (fix->fits && fix->peak_change_bytes != 0)
        words_add(words, ", peak %s", format_bytes_change(text, fix->peak_change_bytes));
}

/* ---- numbers ---- */

static bool is_applicable(const struct fix *fix) { return fix != NULL && fix->fits && fix->count > 0; }

const struct finding *problems_fix(const struct problems *problems, uint32_t n) {
    for (uint32_t i = 0; i < problems->check.findings.count; i++)
        if (is_applicable(problems->check.findings.finding[i].fix) && n-- == 0)
            return &problems->check.findings.finding[i];
    return NULL;
}

uint32_t problems_fix_number(const struct problems *problems, const struct finding *finding) {
    uint32_t n = 0;
    if (!is_applicable(finding->fix))
        return NONE;
    for (const struct finding *at = problems->check.findings.finding; at != finding; at++)
        n += is_applicable(at->fix);
    return n;
}

/* ---- applying ---- */

/* "Applied: L47.out → recompute, step 219.1 ms (-648 us); u undoes it." */
static unsigned say_applied(struct view_state *state, const char *what, const struct fix *fix) {
    struct words words;
    char step[UNIT_TEXT], peak[UNIT_TEXT];
    words_start(&words, screen_voice(state->ascii));
    words_add(&words, "By hand: %s; step %s, peak %s. u undoes it.", what, format_time(step, fix->totals.step_us),
              format_bytes(peak, fix->totals.peak_bytes));
    return state_message(state, MESSAGE_INFO, words.text);
}

static unsigned apply_remedy(struct view_state *state, const struct scene *scene, uint32_t n) {
    bool looking;
    const struct remedies *remedies = remedies_shown(state, scene, &looking);
    struct words words;
    if (remedies == NULL || n >= remedies->count)
        return state_message(state, MESSAGE_INFO, looking ? "Fixes are still being looked for."
                                                          : "There is no fix of that number here.");
    const struct remedy *remedy = &remedies->remedy[n];
    if (!remedy->fix.fits)
        return state_message(state, MESSAGE_INFO, "That does not fit: it can't be applied.");
    words_start(&words, screen_voice(state->ascii));
    words_remedy(&words, scene->profile, remedy);
    unsigned effects = state_take_changed(state, scene, &remedies->plan, remedy->fix.change, remedy->fix.count);
    if ((effects & EFFECT_REPLAN) == 0)
        return effects;
    state->settings.budget = remedy->settings.budget;
    state->settings.link = remedy->settings.link;
    return effects | say_applied(state, words.text, &remedy->fix);
}

static unsigned apply_finding(struct view_state *state, const struct scene *scene, const struct fix *fix,
                              const struct plan *plan) {
    struct words words;
    words_start(&words, screen_voice(state->ascii));
    words_fix_short(&words, scene->profile, fix);
    unsigned effects = state_take_changed(state, scene, plan, fix->change, fix->count);
    return effects & EFFECT_REPLAN ? effects | say_applied(state, words.text, fix) : effects;
}

bool fix_budget(const struct view_state *state, const struct scene *scene, struct budget_choice *out) {
    const struct limits *limits = &scene->limits;
    uint64_t budget;
    *out = state->settings.budget;
    if (budget_resolve(out, scene->profile, limits, &budget, NULL) != SS_OK || budget >= limits->least_bytes)
        return false;
    if (out->kind == BUDGET_SHARE) /* a whole percentage, as the knob shows it */
        out->share = ceil(100 * (double)limits->least_bytes / (double)limits->unlimited_peak_bytes) / 100;
    else if (out->headroom_bytes == 0 && out->headroom_share > 0)
        out->bytes += (uint64_t)((double)(limits->least_bytes - budget) / (1 - out->headroom_share)) + 1;
    else
        out->bytes += limits->least_bytes - budget;
    return budget_resolve(out, scene->profile, limits, &budget, NULL) == SS_OK && budget >= limits->least_bytes;
}

static unsigned apply_budget(struct view_state *state, const struct scene *scene, const struct budget_choice *budget) {
    char least[UNIT_TEXT], text[160];
    state->settings.budget = *budget;
    snprintf(text, sizeof text, "The least budget that a plan needs: %s. u undoes it.",
             format_bytes(least, scene->limits.least_bytes));
    state_message(state, MESSAGE_INFO, text);
    return state_replan(state);
}

unsigned fix_apply_all(struct view_state *state, const struct scene *scene) {
    struct budget_choice least;
    const struct problems *problems = problems_shown(state, scene, NULL);
    char what[40], step[UNIT_TEXT], text[160];
    if (problems == NULL || !problems->all_known)
        return state_message(state, MESSAGE_INFO, "The smallest set of changes is still being looked for.");
    const struct mended *mended = &problems->mended;
    if (!mended->fits && fix_budget(state, scene, &least))
        return apply_budget(state, scene, &least);
    if (!mended->fits || mended->count == 0)
        return state_message(state, MESSAGE_INFO, mended->fits ? "There is nothing to change."
                                                               : "No change was found that makes the plan fit.");
    unsigned effects = state_take_changed(state, scene, &mended->plan, NULL, 0);
    snprintf(what, sizeof what, "%u change%s", (unsigned)mended->count, plural(mended->count));
    snprintf(text, sizeof text, "By hand: %s; step %s. u undoes %s.", what, format_time(step, mended->after.step_us),
             mended->count == 1 ? "it" : "them");
    return effects & EFFECT_REPLAN ? effects | state_message(state, MESSAGE_INFO, text) : effects;
}

unsigned fix_apply(struct view_state *state, const struct scene *scene, uint32_t n) {
    if (state->view == VIEW_TIMELINE)
        return apply_remedy(state, scene, n);
    const struct problems *problems = problems_shown(state, scene, NULL);
    const struct finding *finding = problems != NULL ? problems_fix(problems, n) : NULL;
    if (finding == NULL)
        return state_message(state, MESSAGE_INFO, "There is no fix of that number here.");
    return apply_finding(state, scene, finding->fix, &problems->check.plan);
}
