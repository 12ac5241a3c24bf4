/* checks_choice: whether another action for a tensor would be better, everything else left as it is.
 *
 * Nothing is estimated: each change is simulated (checker_flip), and a finding says what that gave. Where many changes
 * would remove the same waste, the best is told and the others are not: a change is told only if, on top of those told
 * before it, it still gains half of what it gains alone. */
#include <stdlib.h>
#include <string.h>

#include "checker.h"
#include "units.h"

#define PAYERS_MOST 64   /* groups that pay, for which something that could leave is looked for */
#define LEAVERS_MOST 4   /* tried for each of them */

/* The plan with everything told so far. */
struct told { struct plan plan; double step_us; };

/* A change of one group that gains. */
struct choice { uint32_t group; enum action to; double gain_us; };

/* Whether what PLAN changes, beside what it has of TOLD, still gains enough on top of that; then it is told. */
static bool still_gains(struct checker *c, struct told *told, const struct plan *plan, double gain_us) {
    struct sim_totals totals;
    const uint32_t count = c->profile->tensor_count;
    if (!checker_simulate(c, plan, &totals) || !checker_fits(c, &totals) || totals.step_us > told->step_us - gain_us / 2)
        return false;
    memcpy(told->plan.action, plan->action, count);
    told->step_us = totals.step_us;
    return true;
}

/* ---- one group ------------------------------------------------------------------------------------------------ */

/* The action that gives the shortest step that fits, the present one when none is notably shorter. Of equal ones the
 * first: keeping is simplest. */
static enum action best_action(struct checker *c, uint32_t group) {
    const enum action present = (enum action)c->group[group].action;
    enum action best = present;
    double gain = c->notable_us;
    for (int action = 0; action < ACTION_COUNT; action++) {
        const struct flip *flip = checker_flip(c, group, (enum action)action);
        if (!flip || !flip->fits || !(checker_gain(c, &flip->totals) > gain))
            continue;
        gain = checker_gain(c, &flip->totals) + c->notable_us;
        best = (enum action)action;
    }
    return best;
}

static enum rule_id rule_of(enum action from, enum action to) {
    if (from == ACTION_KEEP)
        return RULE_FREE_TO_LEAVE;
    if (to == ACTION_KEEP)
        return RULE_ROOM_TO_KEEP;
    return to == ACTION_OFFLOAD ? RULE_RECOMPUTE_IN_SLACK : RULE_BEYOND_SLACK;
}

/* What re-running them takes: what the plan pays now, or would pay. */
static double recompute_price(struct checker *c, uint32_t group, enum action to) {
    const struct flip *flip = checker_flip(c, group, to);
    const double now = c->timeline.totals.recompute_us, then = flip ? flip->totals.recompute_us : now;
    return to == ACTION_RECOMPUTE ? then - now : now - then;
}

static void say_choice(struct words *words, struct checker *c, uint32_t group, enum action to) {
    static const char *const DOES[ACTION_COUNT + 1] = { "keeps ", "offloads ", "recomputes ", "treats " };
    static const char *const THEN[RULE_COUNT] = {
        [RULE_ROOM_TO_KEEP] = ", which there is room to keep",
        [RULE_RECOMPUTE_IN_SLACK] = ", which would be cheaper to offload",
        [RULE_BEYOND_SLACK] = ", which would be cheaper to recompute",
    };
    const enum action from = (enum action)c->group[group].action;
    const enum rule_id rule = rule_of(from, to);
    char bytes[UNIT_TEXT], price[UNIT_TEXT];
    words_add(words, "%s", DOES[from]);
    words_group(words, c, group);
    words_add(words, " (%s)", format_bytes(bytes, c->group[group].bytes));
    if (from == ACTION_RECOMPUTE)
        words_add(words, " for %s", format_time(price, recompute_price(c, group, to)));
    if (rule != RULE_FREE_TO_LEAVE)
        words_add(words, "%s", THEN[rule]);
    else if (to == ACTION_OFFLOAD)
        words_add(words, ", which could leave for free; then compute waits less");
    else
        words_add(words, ", though compute waits longer for its room than recomputing it would take");
    if (to == ACTION_RECOMPUTE)
        words_add(words, " (%s)", format_time(price, recompute_price(c, group, to)));
}

static struct finding *add_choice(struct checker *c, enum rule_id rule, uint32_t group, const struct words *words,
                                  double gain_us) {
    struct place place = checker_tensor_place(c, c->tensor[c->group[group].at]);
    if (c->group[group].count > 1)
        place.tensor = NONE;
    struct finding *finding = findings_add(c->findings, rule, place, checker_words(c, words));
    finding_number(finding, "bytes", (double)c->group[group].bytes);
    finding_number(finding, "gain_us", gain_us);
    return finding;
}

static void tell_choice(struct checker *c, const struct choice *choice) {
    const uint32_t group = choice->group;
    const enum action from = (enum action)c->group[group].action, to = choice->to;
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    say_choice(&words, c, group, to);
    struct finding *finding = add_choice(c, rule_of(from, to), group, &words, choice->gain_us);
    if (from == ACTION_RECOMPUTE || to == ACTION_RECOMPUTE)
        finding_number(finding, "recompute_us", recompute_price(c, group, to));
    finding->fix = checker_flip_fix(c, group, to);
}

static int compare_choices(const void *left, const void *right) {
    const struct choice *a = left, *b = right;
    if (a->gain_us != b->gain_us)
        return a->gain_us < b->gain_us ? 1 : -1;
    return (a->group > b->group) - (a->group < b->group);
}

/* What a group may gain at most, so that the likeliest are tried first where not all can be. */
struct hope { double us; uint64_t bytes; uint32_t group; };

static int compare_hopes(const void *left, const void *right) {
    const struct hope *a = left, *b = right;
    if (a->us != b->us)
        return a->us < b->us ? 1 : -1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return (a->group > b->group) - (a->group < b->group);
}

/* A group that is recomputed may gain that; others nothing where compute never waits. */
static uint32_t list_hopes(const struct checker *c, struct hope *out) {
    const double waits_us = c->timeline.totals.stall_us;
    uint32_t count = 0;
    for (uint32_t g = 0; g < c->group_count; g++) {
        const bool reruns = c->group[g].action == ACTION_RECOMPUTE || c->group[g].action == ACTION_COUNT;
        const double us = waits_us + (reruns ? c->closure.full_us[c->group[g].producer] : 0);
        if (us > c->notable_us)
            out[count++] = (struct hope){ us, c->group[g].bytes, g };
    }
    qsort(out, count, sizeof *out, compare_hopes);
    return count;
}

/* The groups for which another action gains, most first. */
static uint32_t gather_choices(struct checker *c, const struct hope *hope, uint32_t hopes, struct choice *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < hopes; i++) {
        const uint32_t g = hope[i].group;
        const enum action to = best_action(c, g);
        if (to != (enum action)c->group[g].action)
            out[count++] = (struct choice){ g, to, checker_gain(c, &checker_flip(c, g, to)->totals) };
    }
    qsort(out, count, sizeof *out, compare_choices);
    return count;
}

static void tell_choices(struct checker *c, struct told *told, const struct choice *choice, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        memcpy(c->scratch.action, told->plan.action, c->profile->tensor_count);
        checker_set(c, &c->scratch, choice[i].group, choice[i].to);
        const bool gains = still_gains(c, told, &c->scratch, choice[i].gain_us);
        memcpy(c->scratch.action, c->plan.action, c->profile->tensor_count);
        if (gains)
            tell_choice(c, &choice[i]);
    }
}

/* ---- one leaves so that another can stay ---------------------------------------------------------------------- */

/* Whether nothing of GROUP is used by OP's step or has yet to be: it is between its last forward and its first backward
 * use there. */
static bool could_be_away(const struct checker *c, uint32_t group, uint32_t op, bool backward) {
    const struct group *g = &c->group[group];
    for (uint32_t i = 0; i < g->count; i++) {
        const struct tensor *t = &c->profile->tensors[c->tensor[g->at + i]];
        const uint32_t last_saver = c->profile->index[t->savers.at + t->savers.count - 1];
        if (backward ? op <= last_saver : op <= t->last_forward)
            return false;
    }
    return true;
}

static bool is_free_to_leave(struct checker *c, uint32_t group) {
    if (c->group[group].action != ACTION_KEEP)
        return false;
    const struct flip *flip = checker_flip(c, group, ACTION_OFFLOAD);
    return flip && flip->fits && checker_gain(c, &flip->totals) > -c->notable_us;
}

/* Into OUT, which is sorted by size: the smallest stay. */
static void insert_leaver(const struct checker *c, uint32_t out[LEAVERS_MOST], uint32_t *count, uint32_t group) {
    uint32_t at = *count;
    while (at > 0 && c->group[out[at - 1]].bytes > c->group[group].bytes)
        at--;
    if (at == LEAVERS_MOST)
        return;
    *count += *count < LEAVERS_MOST;
    memmove(&out[at + 1], &out[at], (*count - 1 - at) * sizeof *out);
    out[at] = group;
}

/* PAYER has no room to stay because some step lacks LACK bytes: the kept groups that could make that room, smallest
 * first, at most LEAVERS_MOST. */
static uint32_t find_leavers(struct checker *c, const bool *used, uint32_t payer, const struct sim_totals *lacking,
                             uint32_t out[LEAVERS_MOST]) {
    const struct schedule *s = NULL;
    uint32_t count = 0;
    checker_set(c, &c->scratch, payer, ACTION_KEEP);
    const enum ss_status status = schedule_build(simulator_builder(c->simulator), &c->scratch, &s, c->error);
    checker_set(c, &c->scratch, payer, (enum action)c->group[payer].action);
    if (status != SS_OK)
        return 0;
    const uint32_t op = s->op[lacking->required_step];
    const bool backward = s->kind[lacking->required_step] != STEP_FORWARD;
    const uint64_t lack = lacking->required_bytes - c->timeline.budget_bytes;
    for (uint32_t g = 0; g < c->group_count; g++) {
        if (g == payer || used[g] || c->group[g].bytes < lack || c->group[g].action != ACTION_KEEP ||
            !could_be_away(c, g, op, backward))
            continue;
        insert_leaver(c, out, &count, g);
    }
    return count;
}

static void say_exchange(struct words *words, const struct checker *c, uint32_t leaver, uint32_t payer) {
    char bytes[UNIT_TEXT];
    words_add(words, "keeps ");
    words_group(words, c, leaver);
    words_add(words, " (%s), which could leave for free; then ", format_bytes(bytes, c->group[leaver].bytes));
    words_group(words, c, payer);
    words_add(words, c->group[payer].action == ACTION_RECOMPUTE ? " need not be recomputed" : " need not leave");
}

static void exchange(const struct checker *c, struct plan *plan, uint32_t leaver, uint32_t payer) {
    checker_set(c, plan, leaver, ACTION_OFFLOAD);
    checker_set(c, plan, payer, ACTION_KEEP);
}

/* True when PAYER stays in exchange for LEAVER, and that is worth telling. */
static bool try_exchange(struct checker *c, struct told *told, uint32_t leaver, uint32_t payer) {
    struct sim_totals totals;
    struct words words;
    struct fix *fix = NULL;
    exchange(c, &c->scratch, leaver, payer);
    bool gains = checker_simulate(c, &c->scratch, &totals) && checker_fits(c, &totals)
              && checker_gain(c, &totals) > c->notable_us;
    if (gains) {
        fix = checker_fix(c, &c->scratch, &totals);
        memcpy(c->scratch.action, told->plan.action, c->profile->tensor_count);
        exchange(c, &c->scratch, leaver, payer);
        gains = still_gains(c, told, &c->scratch, checker_gain(c, &totals));
    }
    memcpy(c->scratch.action, c->plan.action, c->profile->tensor_count);
    if (!gains)
        return false;
    words_start(&words, &VOICE_PLAIN);
    say_exchange(&words, c, leaver, payer);
    struct finding *finding = add_choice(c, RULE_FREE_TO_LEAVE, leaver, &words, checker_gain(c, &totals));
    finding_text(finding, "for", c->profile->tensors[c->tensor[c->group[payer].at]].name);
    finding->fix = fix;
    return true;
}

/* Pays, and has no other way out: it would fit nowhere, or nothing else is better for it. */
static bool pays(struct checker *c, uint32_t group) {
    const struct group *g = &c->group[group];
    if (g->action != ACTION_RECOMPUTE && (g->action != ACTION_OFFLOAD || c->timeline.totals.stall_us <= c->notable_us))
        return false;
    const struct flip *kept = checker_flip(c, group, ACTION_KEEP);
    return kept && !kept->totals.feasible && best_action(c, group) == (enum action)g->action;
}

static void check_exchanges(struct checker *c, struct told *told) {
    bool *used = ARENA_ARRAY(c->arena, bool, c->group_count);
    uint32_t payers = 0;
    if (!used) {
        c->findings->failed = true;
        return;
    }
    for (uint32_t g = 0; g < c->group_count && payers < PAYERS_MOST; g++) {
        uint32_t leaver[LEAVERS_MOST];
        if (!pays(c, g))
            continue;
        payers++;
        const uint32_t count = find_leavers(c, used, g, &checker_flip(c, g, ACTION_KEEP)->totals, leaver);
        for (uint32_t i = 0; i < count; i++)
            if (is_free_to_leave(c, leaver[i]) && try_exchange(c, told, leaver[i], g)) {
                used[leaver[i]] = true;
                break;
            }
    }
}

/* Stalls that nothing on their own lanes would mend: what else makes room, or time. */
static void mend_other_stalls(struct checker *c, const struct choice *best) {
    for (uint32_t i = 0; i < c->findings->count; i++) {
        struct finding *finding = &c->findings->finding[i];
        if ((finding->rule == RULE_LATE_PREFETCH || finding->rule == RULE_DRAINING_BACKLOG) && !finding->fix &&
            best->gain_us >= finding->figure[0].value / 2)
            finding->fix = checker_flip_fix(c, best->group, best->to);
    }
}

void check_choices(struct checker *c) {
    struct told told = { .step_us = c->timeline.totals.step_us };
    struct choice *choice = ARENA_ARRAY(c->arena, struct choice, c->group_count);
    struct hope *hope = ARENA_ARRAY(c->arena, struct hope, c->group_count);
    if (!choice || !hope || plan_copy(&told.plan, c->arena, c->profile, &c->plan, c->error) != SS_OK) {
        c->findings->failed = true;
        return;
    }
    const uint32_t count = gather_choices(c, hope, list_hopes(c, hope), choice);
    if (count > 0)
        mend_other_stalls(c, &choice[0]);
    tell_choices(c, &told, choice, count);
    check_exchanges(c, &told);
}
