/* checks_memory: whether what the plan leaves on the GPU and on the host fits. */
#include "checker.h"
#include "mend.h"
#include "units.h"

#define LIVE_SHOWN 4

static void say_resident(struct words *words, const struct checker *c, const struct resident *r, const char *separator) {
    char bytes[UNIT_TEXT];
    words_add(words, "%s", separator);
    if (r->tensor == NONE) {
        words_add(words, "workspace");
    } else {
        const struct tensor *t = &c->profile->tensors[r->tensor];
        words_name(words, r->part == PART_GRADIENT ? "gradient of " : "", t->name, "");
        if (r->part == PART_KEPT && t->managed && c->plan.action[r->tensor] != ACTION_KEEP)
            words_add(words, " (%s)", ACTION_NAME[c->plan.action[r->tensor]]);
    }
    words_add(words, " %s", format_bytes(bytes, r->bytes));
}

/* "in memory there: logits 1.20 GiB, gradient of logits 1.20 GiB, 31 more 200 MiB". */
static void say_live_set(struct words *words, struct checker *c, uint32_t step) {
    struct resident *resident;
    uint32_t count;
    uint64_t rest = 0;
    char bytes[UNIT_TEXT];
    const enum ss_status status = schedule_live_set(simulator_builder(c->simulator), &c->plan, step, c->arena, &resident,
                                                    &count, c->error);
    if (status != SS_OK) {
        c->status = status;
        return;
    }
    words_add(words, "; in memory there: ");
    for (uint32_t i = 0; i < count && i < LIVE_SHOWN; i++)
        say_resident(words, c, &resident[i], i ? ", " : "");
    for (uint32_t i = LIVE_SHOWN; i < count; i++)
        rest += resident[i].bytes;
    if (count > LIVE_SHOWN)
        words_add(words, ", %u more %s", count - LIVE_SHOWN, format_bytes(bytes, rest));
}

static uint32_t steps_over(const struct checker *c) {
    const struct schedule *s = &c->timeline.schedule;
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->step_count; k++)
        count += s->requirement[k] > c->timeline.budget_bytes;
    return count;
}

static void say_least(struct words *words, const struct limits *limits, uint64_t required, uint64_t budget) {
    char own[UNIT_TEXT], least[UNIT_TEXT];
    words_add(words, "; this plan works from %s on, ", format_bytes(own, required));
    format_bytes(least, limits->least_bytes);
    if (limits->least_bytes > budget)
        words_add(words, "and none does below %s", least);
    else
        words_add(words, "the least of any plan is %s", least);
}

static void check_budget(struct checker *c, const struct limits *limits) {
    const struct sim_totals *totals = &c->timeline.totals;
    if (totals->feasible)
        return;
    const uint32_t step = totals->required_step, over = steps_over(c);
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    words_lack(&words, &c->timeline);
    if (over > 1)
        words_add(&words, ", and too much at %u other step%s", over - 1, over > 2 ? "s" : "");
    say_live_set(&words, c, step);
    say_least(&words, limits, totals->required_bytes, c->timeline.budget_bytes);
    struct finding *finding = findings_add(c->findings, RULE_OVER_BUDGET, checker_step_place(c, step, NAN),
                                           checker_words(c, &words));
    finding_number(finding, "required_bytes", (double)totals->required_bytes);
    finding_number(finding, "budget_bytes", (double)c->timeline.budget_bytes);
    finding_number(finding, "over_bytes", (double)(totals->required_bytes - c->timeline.budget_bytes));
    finding_number(finding, "steps_over", over);
    finding_number(finding, "least_budget_of_plan_bytes", (double)totals->required_bytes);
    finding_number(finding, "least_budget_bytes", (double)limits->least_bytes);
    finding->fix = mend_fix(c);
}

static double host_peak_at(const struct timeline *timeline) {
    for (uint32_t i = 0; i < timeline->memory_count; i++)
        if (timeline->memory[i].host_bytes == timeline->totals.host_peak_bytes)
            return timeline->memory[i].at_us;
    return NAN;
}

static void check_host(struct checker *c) {
    const struct sim_totals *totals = &c->timeline.totals;
    const uint64_t limit = c->task->host_memory_bytes;
    if (!totals->feasible || totals->host_peak_bytes <= limit)
        return;
    const double at_us = host_peak_at(&c->timeline);
    char peak[UNIT_TEXT], over[UNIT_TEXT], allowed[UNIT_TEXT], at[UNIT_TEXT];
    struct words words;
    words_start(&words, &VOICE_PLAIN);
    words_add(&words, "holds %s of pinned host memory at %s, %s more than the limit of %s",
              format_bytes(peak, totals->host_peak_bytes), format_time(at, at_us),
              format_bytes(over, totals->host_peak_bytes - limit), format_bytes(allowed, limit));
    struct place place = PLACE_NOWHERE;
    place.at_us = at_us;
    struct finding *finding = findings_add(c->findings, RULE_HOST_MEMORY, place, checker_words(c, &words));
    finding_number(finding, "host_peak_bytes", (double)totals->host_peak_bytes);
    finding_number(finding, "host_memory_bytes", (double)limit);
    finding_number(finding, "over_bytes", (double)(totals->host_peak_bytes - limit));
    finding->fix = mend_fix(c);
}

void check_memory(struct checker *c, const struct limits *limits) {
    check_budget(c, limits);
    check_host(c);
}
