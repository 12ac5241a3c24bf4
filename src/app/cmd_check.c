/* check: a linter for plans, and --fix. */
#include <string.h>

#include "core/check.h"
#include "core/outcome.h"
#include "core/units.h"
#include "io/file.h"
#include "io/findings_report.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "talk.h"

/* Everything that one check is about. */
struct job {
    const struct options *options;
    struct arena arena;
    struct profile profile;
    struct plan plan;
    struct plan_reading reading;
    struct check_task task;
    struct check check;
    struct findings_source source;
};

static enum ss_status refuse(struct error *error, const char *place, const char *text) {
    error_set(error, SS_USAGE, "%s", text);
    error_place(error, "%s", place);
    return SS_USAGE;
}

static enum ss_status check_usage(const struct options *options, struct error *error) {
    if (options->argument_count == 0)
        return error_set(error, SS_USAGE, "check needs PROFILE|MODEL");
    if (!options->plan)
        return error_set(error, SS_USAGE, "check needs --plan FILE");
    if (strcmp(options->plan, "-") == 0 && strcmp(options->argument[0], "-") == 0)
        return error_set(error, SS_USAGE, "profile and plan can't both be standard input");
    if (options->json && options->sarif)
        return refuse(error, "--sarif", "give this or json, not both");
    if (options->output && !options->fix)
        return refuse(error, "--output", "needs --fix");
    if (options->fix && !options->output && strcmp(options->plan, "-") == 0)
        return refuse(error, "--fix", "the plan comes from standard input: say with -o FILE where it goes");
    if (options->output && strcmp(options->output, "-") == 0)
        return error_set(error, SS_USAGE, "the plan can't go where the findings go: -o needs a file");
    return SS_OK;
}

static enum ss_status print_rules(const struct options *options, struct error *error) {
    struct buffer out = { 0 };
    if (options->argument_count > 0)
        return error_set(error, SS_USAGE, "check --rules takes no argument: what is '%s'?", options->argument[0]);
    if (options->json)
        rules_json(&out);
    else
        rules_text(&out);
    return output_buffer(options, &out, error);
}

/* ---- checking ------------------------------------------------------------------------------------------------------- */

static enum ss_status set_task(struct job *job, struct error *error) {
    const struct settings *settings = &job->options->settings;
    struct limits limits;
    job->task = (struct check_task){ .profile = &job->profile, .plan = &job->plan, .faults = &job->reading.faults,
                                     .host_memory_bytes = settings->host_memory_bytes };
    enum ss_status status = limits_compute(&job->profile, &limits, error);
    if (status == SS_OK)
        status = budget_resolve(&settings->budget, &job->profile, &limits, &job->task.budget_bytes, error);
    if (status == SS_OK)
        status = link_resolve(&job->profile.link, &settings->link, &job->task.link, error);
    return status;
}

static enum ss_status run(struct job *job, struct error *error) {
    const struct options *options = job->options;
    enum ss_status status = load_profile(options, &job->arena, &job->profile, error);
    if (status == SS_OK)
        status = load_faulty_plan(options, options->plan, &job->profile, &job->arena, &job->plan, &job->reading, error);
    if (status == SS_OK)
        status = set_task(job, error);
    if (status == SS_OK)
        status = check_plan(&job->task, &job->arena, &job->check, error);
    job->source = (struct findings_source){ options->plan, &job->reading.lines };
    return status;
}

static const char *spoken_name(const char *file) { return strcmp(file, "-") == 0 ? "standard input" : file; }

static void summarise(const struct job *job) {
    const char *plan = spoken_name(job->options->plan);
    const uint32_t errors = job->check.findings.of[SEVERITY_ERROR], warnings = job->check.findings.of[SEVERITY_WARNING];
    if (errors + warnings == 0)
        talk_note(job->options, "%s: no findings", plan);
    else
        talk_note(job->options, "%s: %u error%s, %u warning%s", plan, errors, plural(errors), warnings,
                  plural(warnings));
    if (job->check.limited)
        talk_note(job->options, "a large profile: not every change could be tried");
}

static enum ss_status print(const struct job *job, const struct fix_report *fix, struct error *error) {
    const struct options *options = job->options;
    struct buffer out = { 0 };
    buffer_text(&out, "");
    if (options->json)
        findings_json(&out, &job->check, &job->source, fix);
    else if (options->sarif)
        findings_sarif(&out, &job->check, &job->source);
    else
        findings_text(&out, &job->check, &job->source);
    if (fix && fix->mended->fits && !options->json && !options->sarif)
        fix_text(&out, &job->profile, fix);
    enum ss_status status = buffer_status(&out, error);
    if (status == SS_OK && out.length > 0)
        status = output_print(out.text, out.length, error);
    buffer_free(&out);
    return status;
}

/* ---- mending -------------------------------------------------------------------------------------------------------- */

static uint32_t entries_out(const struct plan_faults *faults) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < faults->count; i++)
        count += faults->fault[i].kind == FAULT_UNKNOWN_TENSOR || faults->fault[i].kind == FAULT_UNMANAGED;
    return count;
}

/* From now on it is a plan for this budget and this link. */
static void make_ours(const struct job *job, struct plan *plan) {
    plan->budget_bytes = plan->budget_bytes < job->task.budget_bytes ? plan->budget_bytes : job->task.budget_bytes;
    plan->link = job->task.link;
}

static enum ss_status write_plan(const struct job *job, const struct plan *plan, const char *file, struct error *error) {
    struct buffer out = { 0 };
    plan_json_write(&out, &job->profile, plan);
    enum ss_status status = buffer_status(&out, error);
    if (status == SS_OK) {
        status = file_write(file, out.text, out.length, error);
        if (status != SS_OK)
            status = error_in_file(error, file, status);
    }
    buffer_free(&out);
    return status;
}

/* Whether what is left in the mended plan is to be told by the exit status. */
static enum ss_status judge_mended(const struct job *job, const struct plan *plan, struct error *error) {
    struct arena arena = { 0 };
    struct check check;
    struct check_task task = job->task;
    task.plan = plan;
    task.faults = NULL;
    enum ss_status status = check_plan(&task, &arena, &check, error);
    if (status == SS_OK && findings_at_least(&check.findings, job->options->fail_on) > 0)
        status = SS_NO;
    arena_free(&arena);
    return status;
}

static enum ss_status fix(struct job *job, struct error *error) {
    const struct options *options = job->options;
    const bool all = job->check.findings.of[SEVERITY_ERROR] == 0 || options->fail_on == SEVERITY_WARNING;
    struct mended mended;
    enum ss_status status = check_mend(&job->task, all ? MEND_ALL : MEND_ERRORS, &job->arena, &mended, error);
    if (status != SS_OK)
        return status;
    struct fix_report report = { .mended = &mended, .entries = entries_out(&job->reading.faults) };
    const bool changed = mended.fits && mended.count + report.entries > 0;
    report.written = !changed ? NULL : options->output ? options->output : options->plan;
    make_ours(job, &mended.plan);
    status = print(job, &report, error);
    if (status != SS_OK)
        return status;
    summarise(job);
    if (!mended.fits)
        talk_note(options, "no change was found that makes the plan fit");
    else if (!changed)
        talk_note(options, "no change was found that helps");
    if (changed) {
        status = write_plan(job, &mended.plan, report.written, error);
        if (status == SS_OK)
            talk_note(options, "%s: written", report.written);
    }
    return status == SS_OK ? judge_mended(job, &mended.plan, error) : status;
}

enum ss_status cmd_check(const struct options *options, struct error *error) {
    struct job job = { .options = options };
    if (options->rules)
        return print_rules(options, error);
    enum ss_status status = check_usage(options, error);
    if (status == SS_OK)
        status = run(&job, error);
    if (status == SS_OK && options->fix && job.check.findings.count > 0) {
        status = fix(&job, error);
    } else if (status == SS_OK) {
        status = print(&job, NULL, error);
        if (status == SS_OK)
            summarise(&job);
        if (status == SS_OK && findings_at_least(&job.check.findings, options->fail_on) > 0)
            status = SS_NO;
    }
    if (status == SS_NO) /* the findings say so; what was read in spite of faults left messages behind */
        *error = (struct error){ .place = "" };
    arena_free(&job.arena);
    return status;
}
