/* checks_plan: whether the plan speaks of this profile, this budget and this link. */
#include <string.h>

#include "checker.h"
#include "units.h"

static const char *const WANTS[ACTION_COUNT] = { "keeps", "offloads", "recomputes" };

static void say_fault(struct words *words, const struct checker *c, const struct plan_fault *fault) {
    const struct profile *p = c->profile;
    const char *wants = fault->distance ? "gives a prefetch distance to" : WANTS[fault->action];
    switch ((enum plan_fault_kind)fault->kind) {
    case FAULT_UNKNOWN_TENSOR:
        words_name(words, "names '", fault->name, "', which ");
        words_name(words, "profile '", p->name, "' does not have");
        break;
    case FAULT_UNMANAGED:
        words_add(words, "%s ", wants);
        words_name(words, "'", fault->name, "', which ");
        words_add(words, "%s, so no plan decides about it",
                  p->tensors[fault->tensor].producer == NONE ? "no op produces" : "no backward op reads");
        break;
    case FAULT_MUST_STAY:
        words_add(words, "%s ", wants);
        words_name(words, "'", fault->name, "', which must stay on the GPU (\"keep\": true)");
        break;
    case FAULT_FORBIDDEN:
        words_name(words, "recomputes '", fault->name, "': ");
        words_name(words, "op '", p->ops[fault->op].name, "' would run again, which it must not (\"recomputable\": false)");
        break;
    }
}

/* The plan was read, and is played, with the fault mended: what that gives is what playing it gave. */
static struct fix *mend_fault(struct checker *c, const struct plan_fault *fault) {
    struct fix *fix = ARENA_ARRAY(c->arena, struct fix, 1);
    struct change *change = ARENA_ARRAY(c->arena, struct change, 1);
    if (!fix || !change) {
        c->findings->failed = true;
        return NULL;
    }
    *fix = (struct fix){ .totals = c->timeline.totals, .fits = c->fits, .step_change_us = NAN, .peak_change_bytes = NAN };
    if (fault->kind == FAULT_UNKNOWN_TENSOR || fault->kind == FAULT_UNMANAGED) {
        fix->entry = fault->name;
        return fix;
    }
    const uint32_t distance = plan_prefetch(&c->plan, fault->tensor);
    *change = (struct change){ fault->tensor, fault->action, c->plan.action[fault->tensor], distance, distance };
    fix->change = change;
    fix->count = 1;
    return fix;
}

void check_faults(struct checker *c) {
    static const enum rule_id RULE[] = { [FAULT_UNKNOWN_TENSOR] = RULE_UNKNOWN_TENSOR,
                                         [FAULT_UNMANAGED] = RULE_UNMANAGED_TENSOR,
                                         [FAULT_MUST_STAY] = RULE_MUST_STAY, [FAULT_FORBIDDEN] = RULE_FORBIDDEN };
    const struct plan_faults *faults = c->task->faults;
    for (uint32_t i = 0; faults && i < faults->count; i++) {
        const struct plan_fault *fault = &faults->fault[i];
        struct words words;
        words_start(&words, &VOICE_PLAIN);
        say_fault(&words, c, fault);
        struct place place = fault->tensor == NONE ? PLACE_NOWHERE : checker_tensor_place(c, fault->tensor);
        place.entry = fault->name;
        struct finding *finding = findings_add(c->findings, RULE[fault->kind], place, checker_words(c, &words));
        finding_text(finding, fault->distance ? "entry" : "action",
                     fault->distance ? "prefetch" : ACTION_NAME[fault->action]);
        if (fault->kind == FAULT_FORBIDDEN)
            finding_text(finding, "forbidden_op", c->profile->ops[fault->op].name);
        finding->fix = mend_fault(c, fault);
    }
}

/* ---- what it was made for ------------------------------------------------------------------------------------- */

static void check_profile(struct checker *c) {
    const char *made_for = c->plan.made_for;
    struct words words;
    if (!*made_for || strcmp(made_for, c->profile->name) == 0)
        return;
    words_start(&words, &VOICE_PLAIN);
    words_name(&words, "was made for profile '", made_for, "'");
    words_name(&words, ", not for '", c->profile->name, "'");
    finding_text(findings_add(c->findings, RULE_OTHER_PROFILE, PLACE_NOWHERE, checker_words(c, &words)), "made_for",
                 made_for);
}

static void check_budget(struct checker *c) {
    const uint64_t made_for = c->plan.budget_bytes, budget = c->task->budget_bytes;
    char own[UNIT_TEXT], here[UNIT_TEXT];
    struct words words;
    if (made_for == BYTES_UNLIMITED || made_for == budget)
        return;
    format_bytes(own, made_for);
    format_bytes(here, budget);
    words_start(&words, &VOICE_PLAIN);
    if (strcmp(own, here) == 0)
        words_add(&words, "was made for %llu bytes, and there are %llu", (unsigned long long)made_for,
                  (unsigned long long)budget);
    else if (made_for < budget)
        words_add(&words, "was made for %s and is held to it, though there are %s", own, here);
    else
        words_add(&words, "was made for %s, and there are %s", own, here);
    struct finding *finding = findings_add(c->findings, RULE_OTHER_BUDGET, PLACE_NOWHERE, checker_words(c, &words));
    finding_number(finding, "plan_budget_bytes", (double)made_for);
    finding_number(finding, "budget_bytes", (double)budget);
}

static void say_link(struct words *words, const struct link *link, bool both) {
    char h2d[UNIT_TEXT], d2h[UNIT_TEXT], latency[UNIT_TEXT];
    words_add(words, "H2D %s, D2H %s", format_rate(h2d, link->h2d_gb_per_s), format_rate(d2h, link->d2h_gb_per_s));
    if (both)
        words_add(words, " (at once %s, %s)", format_rate(h2d, link->h2d_both_gb_per_s),
                  format_rate(d2h, link->d2h_both_gb_per_s));
    words_add(words, ", latency %s", format_time(latency, link->latency_us));
}

static void check_link(struct checker *c) {
    const struct link *made_for = &c->plan.link, *link = &c->task->link;
    struct words words;
    if (!(made_for->h2d_gb_per_s > 0) || link_equal(made_for, link))
        return;
    const bool both = made_for->h2d_both_gb_per_s < made_for->h2d_gb_per_s || link->h2d_both_gb_per_s < link->h2d_gb_per_s
                   || made_for->d2h_both_gb_per_s < made_for->d2h_gb_per_s || link->d2h_both_gb_per_s < link->d2h_gb_per_s;
    words_start(&words, &VOICE_PLAIN);
    words_add(&words, "was made for ");
    say_link(&words, made_for, both);
    words_add(&words, "; here it is ");
    say_link(&words, link, both);
    struct finding *finding = findings_add(c->findings, RULE_OTHER_LINK, PLACE_NOWHERE, checker_words(c, &words));
    finding_number(finding, "plan_h2d_gb_per_s", made_for->h2d_gb_per_s);
    finding_number(finding, "plan_d2h_gb_per_s", made_for->d2h_gb_per_s);
    finding_number(finding, "h2d_gb_per_s", link->h2d_gb_per_s);
    finding_number(finding, "d2h_gb_per_s", link->d2h_gb_per_s);
}

void check_made_for(struct checker *c) {
    check_profile(c);
    check_budget(c);
    check_link(c);
}
