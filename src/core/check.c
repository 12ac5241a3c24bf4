/* check: see check.h. */
#include "checker.h"

static enum ss_status run_rules(struct checker *c, const struct limits *limits) {
    check_faults(c);
    check_memory(c, limits);
    check_made_for(c);
    if (c->fits) {
        check_transfers(c);
        check_choices(c);
    }
    return c->status;
}

enum ss_status check_plan(const struct check_task *task, struct arena *arena, struct check *out, struct error *error) {
    struct checker checker;
    *out = (struct check){ .evaluations = 0 };
    enum ss_status status = findings_begin(&out->findings, arena, error);
    if (status == SS_OK)
        status = limits_compute(task->profile, &out->limits, error);
    if (status == SS_OK)
        status = checker_begin(&checker, task, arena, &out->findings, error);
    if (status != SS_OK)
        return status;
    status = run_rules(&checker, &out->limits);
    out->plan = checker.plan;
    out->timeline = checker.timeline;
    out->evaluations = checker.evaluations;
    out->limited = checker.limited;
    checker_end(&checker);
    if (status == SS_OK)
        findings_sort(&out->findings);
    if (status == SS_OK && out->findings.failed)
        status = error_no_memory(error);
    return status;
}
