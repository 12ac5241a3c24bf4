/* bench_quality: see bench_quality.h. A line of JSON for each cell as soon as it and those before it are measured, then
 * what they come to. */
#include "bench_quality.h"

#include <math.h>
#include <stdio.h>

#include "core/sanitise.h"
#include "core/schedule.h"
#include "core/units.h"
#include "io/json_write.h"
#include "io/report_parts.h"
#include "jobs.h"
#include "output.h"
#include "quality.h"
#include "workload.h"

#define WORST_LISTED 10

static const char *const MODELS_DEFAULT[] = { "bert-large", "gpt2-xl", "llama-7b" };
static const double SHARES_DEFAULT[] = { 0.35, 0.50, 0.65, 0.80, 0.90 };
static const double RATES_DEFAULT[] = { 8, 16, 25, 50 };
static const char *const DUPLEX_NAME[] = { [DUPLEX_AS_IS] = "as-is", [DUPLEX_FULL] = "full", [DUPLEX_HALF] = "half" };
#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct quality_grid {
    const struct options *options;
    struct arena arena;
    struct workload workload;
    const struct planner *planners[QUALITY_PLANNERS_MOST]; uint32_t planner_count;
    struct budget_choice *budgets; uint32_t budget_count;
    double *rates; uint32_t rate_count;
    enum link_duplex duplex[2]; uint32_t duplex_count;
    struct quality_cell *cells; uint32_t count;
};

/* ---- laying the grid out ---- */

static void add_planner(struct quality_grid *grid, const struct planner *planner) {
    for (uint32_t p = 0; p < grid->planner_count; p++)
        if (grid->planners[p] == planner)
            return;
    if (grid->planner_count < QUALITY_PLANNERS_MOST)
        grid->planners[grid->planner_count++] = planner;
}

static bool is_flag(const struct options *options, enum option_id id) { return options->source[id] == SOURCE_FLAG; }

static void choose_planners(struct quality_grid *grid) {
    const struct options *options = grid->options;
    const bool chosen = is_flag(options, OPTION_planner);
    for (uint32_t p = 0; p < (chosen ? options->planner_count : PLANNER_COUNT); p++)
        add_planner(grid, chosen ? options->planners[p] : &PLANNERS[p]);
    add_planner(grid, planner_find("slackswap"));
    add_planner(grid, planner_find(PLANNER_DEFAULT));
}

static enum ss_status choose_axes(struct quality_grid *grid, struct error *error) {
    const struct options *options = grid->options;
    const bool budgets = is_flag(options, OPTION_budget), rates = is_flag(options, OPTION_bandwidth);
    grid->budget_count = budgets ? options->budgets.count : LENGTH(SHARES_DEFAULT);
    grid->rate_count = rates ? options->rates.count : LENGTH(RATES_DEFAULT);
    grid->budgets = ARENA_ARRAY(&grid->arena, struct budget_choice, grid->budget_count);
    grid->rates = ARENA_ARRAY(&grid->arena, double, grid->rate_count);
    if (!grid->budgets || !grid->rates)
        return error_no_memory(error);
    for (uint32_t b = 0; b < grid->budget_count; b++) {
        grid->budgets[b] = BUDGET_CHOICE_DEFAULT;
        if (budgets)
            grid->budgets[b] = options->budgets.choice[b];
        else
            grid->budgets[b].share = SHARES_DEFAULT[b];
    }
    for (uint32_t r = 0; r < grid->rate_count; r++)
        grid->rates[r] = rates ? options->rates.gb_per_s[r] : RATES_DEFAULT[r];
    grid->duplex[0] = DUPLEX_FULL;
    grid->duplex[1] = DUPLEX_HALF;
    grid->duplex_count = 2;
    if (is_flag(options, OPTION_duplex)) {
        grid->duplex[0] = options->settings.link.duplex;
        grid->duplex_count = 1;
    }
    return SS_OK;
}

static enum ss_status choose_profiles(struct quality_grid *grid, struct error *error) {
    const struct options *options = grid->options;
    enum ss_status status = SS_OK;
    grid->workload.arena = &grid->arena;
    for (int i = 0; i < options->argument_count && status == SS_OK; i++)
        status = workload_add(&grid->workload, options, options->argument[i], error);
    for (uint32_t m = 0; m < LENGTH(MODELS_DEFAULT) && options->argument_count == 0 && status == SS_OK; m++)
        for (int a = ATTENTION_FLASH; a <= ATTENTION_EAGER && status == SS_OK; a++)
            status = workload_add_model(&grid->workload, options, model_find(MODELS_DEFAULT[m]), (enum attention)a, error);
    return status;
}

/* Cells stand in the order of profile, budget, rate, duplex. */
static struct quality_task task_of(const struct quality_grid *grid, uint32_t n) {
    const struct options *options = grid->options;
    const bool evals = options->source[OPTION_evals] != SOURCE_DEFAULT, timed = !isnan(options->plan_time_us);
    const uint32_t d = n % grid->duplex_count, r = n / grid->duplex_count % grid->rate_count,
                   b = n / grid->duplex_count / grid->rate_count % grid->budget_count,
                   p = n / grid->duplex_count / grid->rate_count / grid->budget_count;
    struct quality_task task = {
        .profile = &grid->workload.item[p]->profile, .name = grid->workload.item[p]->name,
        .budget = grid->budgets[b], .link = LINK_OPTIONS_NONE, .gb_per_s = grid->rates[r],
        .planners = grid->planners, .planner_count = grid->planner_count,
        .evaluation_limit = options->settings.evaluation_limit, .seed = options->settings.seed,
        .plan_us = evals ? INFINITY : timed ? options->plan_time_us : QUALITY_PLAN_US,
        .search_long = !evals && !timed,
    };
    task.link.bandwidth_gb_per_s = grid->rates[r];
    task.link.duplex = grid->duplex[d];
    return task;
}

/* ---- lines ---- */

static const char *budget_text(const struct budget_choice *budget, char text[UNIT_TEXT]) {
    if (budget->kind != BUDGET_SHARE)
        return format_bytes(text, budget->bytes);
    snprintf(text, UNIT_TEXT, "%.4g%%", 100 * budget->share);
    return text;
}

static const char *binding_text(const struct quality_task *task, const struct bound *bound, struct arena *arena) {
    struct buffer text = { 0 };
    report_binding(&text, task->profile, bound);
    const char *out = text.failed ? NULL : arena_strdup(arena, text.text);
    buffer_free(&text);
    return out;
}

static void put_cell(struct json_writer *writer, const struct quality_task *task, const struct quality_cell *cell,
                     struct arena *arena) {
    char text[UNIT_TEXT];
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "profile", task->name);
    json_put_text(writer, "budget", budget_text(&task->budget, text));
    json_put_whole(writer, "budget_bytes", cell->budget_bytes);
    json_put_number(writer, "gb_per_s", task->gb_per_s);
    json_put_text(writer, "duplex", DUPLEX_NAME[task->link.duplex]);
    json_put_bool(writer, "feasible", cell->feasible);
    json_put_number(writer, "ideal_us", cell->ideal_us);
    json_put_number(writer, "bound_us", cell->bound.bound_us);
    const char *binding = binding_text(task, &cell->bound, arena);
    json_put_text(writer, "bound_binding", binding ? binding : "");
    json_open_object(writer, "step_us", JSON_INLINE);
    for (uint32_t p = 0; p < task->planner_count; p++)
        json_put_number(writer, task->planners[p]->name, cell->step_us[p]);
    json_end(writer);
    json_put_number(writer, "first_gap", cell->first_gap);
    json_put_number(writer, "gap", cell->gap);
    if (cell->best_other == NONE)
        json_put_null(writer, "best_other");
    else
        json_put_text(writer, "best_other", task->planners[cell->best_other]->name);
    json_put_bool(writer, "beaten", cell->beaten);
    json_put_bool(writer, "proved", cell->proved);
    if (cell->fault != FAULT_NONE) {
        json_put_number(writer, "long_gap", cell->long_gap);
        json_put_text(writer, "fault", QUALITY_FAULT_NAME[cell->fault]);
    }
    json_end(writer);
}

static enum ss_status measure(void *context, uint32_t n, struct error *error) {
    struct quality_grid *grid = context;
    const struct quality_task task = task_of(grid, n);
    return quality_measure(&task, &grid->cells[n], error);
}

static enum ss_status print_cell(void *context, uint32_t n, struct error *error) {
    struct quality_grid *grid = context;
    struct buffer out = { 0 };
    struct json_writer writer = { .out = &out };
    const struct quality_task task = task_of(grid, n);
    put_cell(&writer, &task, &grid->cells[n], &grid->arena);
    return output_buffer(grid->options, &out, error);
}

/* ---- summary ---- */

static void summary_json(struct buffer *out, const struct quality_summary *summary) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_INLINE);
    json_open_object(&writer, "summary", JSON_INLINE);
    json_put_whole(&writer, "cells", summary->cells);
    json_put_whole(&writer, "feasible", summary->feasible);
    json_put_whole(&writer, "counted", summary->counted);
    json_put_number(&writer, "median_gap", summary->median_gap);
    json_put_number(&writer, "worst_gap", summary->worst_gap);
    json_put_number(&writer, "median_first_gap", summary->median_first_gap);
    json_put_number(&writer, "worst_first_gap", summary->worst_first_gap);
    json_put_whole(&writer, "above", summary->above);
    json_put_whole(&writer, "beaten", summary->beaten);
    json_put_number(&writer, "worst_other_gap", summary->worst_other_gap);
    json_put_whole(&writer, "other_above", summary->other_above);
    json_end(&writer);
    json_end(&writer);
}

struct gap_text { char text[16]; };

static struct gap_text show_gap(double gap) {
    struct gap_text shown;
    if (isfinite(gap))
        snprintf(shown.text, sizeof shown.text, "%.3f%%", 100 * gap);
    else
        snprintf(shown.text, sizeof shown.text, "-");
    return shown;
}

static void put_worst(struct buffer *out, const struct quality_task *task, const struct quality_cell *cell,
                      struct arena *arena) {
    char name[64], budget[UNIT_TEXT], rate[UNIT_TEXT], binding[96];
    const char *bound_by = binding_text(task, &cell->bound, arena);
    buffer_printf(out, "%-22s%7s%10s %-5s%9s%9s%9s  %s", sanitise(name, sizeof name, task->name),
                  budget_text(&task->budget, budget), format_rate(rate, task->gb_per_s), DUPLEX_NAME[task->link.duplex],
                  show_gap(cell->gap).text, show_gap(cell->first_gap).text,
                  show_gap(cell->bound.bound_us / cell->ideal_us - 1).text,
                  sanitise(binding, sizeof binding, bound_by ? bound_by : ""));
    if (cell->beaten)
        buffer_printf(out, "; beaten by %s", task->planners[cell->best_other]->name);
    if (cell->fault != FAULT_NONE)
        buffer_printf(out, "; 60 s: %s, at fault: %s", show_gap(cell->long_gap).text, QUALITY_FAULT_NAME[cell->fault]);
    buffer_text(out, "\n");
}

/* The worst cells, and every one that needs an explanation. */
static void summary_text(struct quality_grid *grid, struct buffer *out, const struct quality_summary *summary,
                         const uint32_t *order) {
    buffer_printf(out, "\n%u cells, of which %u fit; in %u of these the bound is more than 0.1%% above the ideal:\n",
                  summary->cells, summary->feasible, summary->counted);
    buffer_printf(out, "  refine's gap to the bound  %9s in the median, %9s at worst, above 0.5%% in %u\n",
                  show_gap(summary->median_gap).text, show_gap(summary->worst_gap).text, summary->above);
    buffer_printf(out, "  the first plan's gap       %9s in the median, %9s at worst\n",
                  show_gap(summary->median_first_gap).text, show_gap(summary->worst_first_gap).text);
    buffer_printf(out, "refine's gap in the others that fit: %s at worst, above 0.5%% in %u\n",
                  show_gap(summary->worst_other_gap).text, summary->other_above);
    buffer_printf(out, "cells in which another planner beats refine: %u\n\n", summary->beaten);
    buffer_printf(out, "%-22s%7s%10s %-5s%9s%9s%9s  %s\n", "the worst", "budget", "link", "", "gap", "first", "bound-1",
                  "bound by");
    for (uint32_t i = 0; i < summary->cells; i++) {
        const struct quality_cell *cell = &grid->cells[order[i]];
        const struct quality_task task = task_of(grid, order[i]);
        if (cell->feasible && (i < WORST_LISTED || cell->gap > QUALITY_GAP_MOST || cell->beaten))
            put_worst(out, &task, cell, &grid->arena);
    }
}

static enum ss_status print_summary(struct quality_grid *grid, struct error *error) {
    struct quality_summary summary;
    struct buffer out = { 0 };
    uint32_t *order = ARENA_ARRAY(&grid->arena, uint32_t, grid->count);
    if (!order)
        return error_no_memory(error);
    const enum ss_status status = quality_summarise(grid->cells, grid->count, order, &summary, error);
    if (status != SS_OK)
        return status;
    if (grid->options->json)
        summary_json(&out, &summary);
    else
        summary_text(grid, &out, &summary, order);
    return output_buffer(grid->options, &out, error);
}

enum ss_status bench_quality(const struct options *options, struct error *error) {
    struct quality_grid grid = { .options = options };
    choose_planners(&grid);
    enum ss_status status = choose_axes(&grid, error);
    if (status == SS_OK)
        status = choose_profiles(&grid, error);
    grid.count = grid.workload.count * grid.budget_count * grid.rate_count * grid.duplex_count;
    grid.cells = ARENA_ARRAY(&grid.arena, struct quality_cell, grid.count);
    if (status == SS_OK && !grid.cells)
        status = error_no_memory(error);
    if (status == SS_OK) {
        const struct jobs jobs = { .count = grid.count, .work = measure, .take = print_cell, .context = &grid };
        status = jobs_run(&jobs, options->jobs ? options->jobs : jobs_threads_default(), error);
    }
    if (status == SS_OK)
        status = print_summary(&grid, error);
    arena_free(&grid.arena);
    return status;
}
