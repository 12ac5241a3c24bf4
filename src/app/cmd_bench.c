/* bench: how fast the program is on this machine, and how near its plans come to the bound.
 *
 * Seconds are noisy, so what can be is told as a ratio within one run. For figures that repeat, count instructions:
 *     valgrind --tool=callgrind --toggle-collect=sim_evaluate slackswap simulate PROFILE --plan PLAN */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "bench_paper.h"
#include "bench_quality.h"
#include "core/outcome.h"
#include "core/units.h"
#include "io/json_write.h"
#include "load.h"
#include "options.h"
#include "output.h"
#include "planning.h"
#include "view/view.h"

#define LEAST_US 2e5 /* a measurement is repeated for so long */

static const uint32_t CHAIN_OPS[] = { 1000, 10000, 100000 };
static const char *const BENCH_MODELS[] = { "bert-large", "gpt2-xl", "llama-7b" };
static const int SCREENS[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 } };
#define CHAINS (sizeof CHAIN_OPS / sizeof CHAIN_OPS[0])
#define BENCH_MODEL_COUNT (sizeof BENCH_MODELS / sizeof BENCH_MODELS[0])
#define SCREEN_COUNT (sizeof SCREENS / sizeof SCREENS[0])

struct report {
    bool json;
    struct buffer out;         /* of the part at work; of the whole when JSON */
    struct json_writer writer; /* when JSON */
};

typedef enum ss_status part_function(struct report *, const struct options *, struct error *);

/* A chain of OPS layers, all alike but for their names. */
static enum ss_status build_chain(uint32_t ops, struct arena *arena, struct profile *profile, struct error *error) {
    enum ss_status status = profile_begin(profile, arena, error);
    profile->name = "chain";
    for (uint32_t i = 0; i < ops && status == SS_OK; i++) {
        char name[16];
        snprintf(name, sizeof name, "L%u", i);
        struct layer_spec layer = { .name = name, .forward_us = 100, .backward_us = 200,
                                    .activation_bytes = 3000000, .output_bytes = 1000000 };
        status = profile_add_layer(profile, &layer, error);
    }
    return status == SS_OK ? profile_finish(profile, NULL, error) : status;
}

/* Everything goes over the link into a budget that just fits: every step and transfer waits for room. */
static enum ss_status offload_everything(const struct profile *profile, struct arena *arena, struct plan *plan,
                                         struct error *error) {
    enum ss_status status = plan_init(plan, arena, profile, error);
    for (uint32_t i = 0; i < profile->managed_count && status == SS_OK; i++)
        status = plan_set(plan, profile, profile->managed[i], ACTION_OFFLOAD, error);
    return status;
}

/* Time of this process alone: other programs at work matter less. */
static double processor_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* A measurement that is repeated: its shortest run is the one that was disturbed least. */
struct stopwatch { double begun_us, run_us, least_us; };

static struct stopwatch begin(void) {
    return (struct stopwatch){ .begun_us = processor_us(), .least_us = INFINITY };
}
static void start_run(struct stopwatch *watch) { watch->run_us = processor_us(); }
static void end_run(struct stopwatch *watch) {
    watch->least_us = fmin(watch->least_us, processor_us() - watch->run_us);
}
static bool is_enough(const struct stopwatch *watch) { return processor_us() - watch->begun_us >= LEAST_US; }

static enum ss_status time_evaluation(const struct profile *profile, const struct plan *plan, double *us,
                                      struct error *error) {
    struct limits limits;
    struct sim_totals totals;
    struct simulator *simulator = simulator_new(profile, error);
    enum ss_status status = simulator ? limits_compute(profile, &limits, error) : SS_INTERNAL;
    struct stopwatch watch = begin();
    while (status == SS_OK && !is_enough(&watch)) {
        start_run(&watch);
        status = sim_evaluate(simulator, plan, &profile->link, limits.least_bytes, &totals, error);
        end_run(&watch);
    }
    *us = watch.least_us;
    simulator_free(simulator);
    return status;
}

static void report_chain(struct report *report, uint32_t ops, double us, double first_us_an_op) {
    double us_an_op = us / ops;
    if (report->json) {
        json_open_object(&report->writer, NULL, JSON_INLINE);
        json_put_whole(&report->writer, "ops", ops);
        json_put_number(&report->writer, "evaluations_per_s", 1e6 / us);
        json_put_number(&report->writer, "us_per_op", us_an_op);
        json_put_number(&report->writer, "ratio", us_an_op / first_us_an_op);
        json_end(&report->writer);
    } else {
        buffer_printf(&report->out, "%8u%17.1f%12.1f%20.2f\n", ops, 1e6 / us, us_an_op * 1e3,
                      us_an_op / first_us_an_op);
    }
}

static enum ss_status bench_simulator(struct report *report, const struct options *options, struct error *error) {
    enum ss_status status = SS_OK;
    double first = NAN;
    if (report->json)
        json_open_array(&report->writer, "simulator", JSON_LINES);
    else
        buffer_printf(&report->out,
                      "Simulating a chain, every tensor offloaded into a budget that just fits\n%8s%17s%12s%20s\n",
                      "ops", "evaluations/s", "ns an op", "times the first's");
    for (size_t i = 0; i < CHAINS && status == SS_OK; i++) {
        struct arena arena = { 0 };
        struct profile profile;
        struct plan plan;
        double us = 0;
        status = build_chain(CHAIN_OPS[i], &arena, &profile, error);
        if (status == SS_OK)
            status = offload_everything(&profile, &arena, &plan, error);
        if (status == SS_OK)
            status = time_evaluation(&profile, &plan, &us, error);
        first = i ? first : us / CHAIN_OPS[i];
        if (status == SS_OK)
            report_chain(report, CHAIN_OPS[i], us, first);
        arena_free(&arena);
    }
    if (report->json)
        json_end(&report->writer);
    return status;
}

static void report_plan(struct report *report, const char *model, const struct outcome *outcome, double us) {
    bool feasible = outcome_feasible(outcome);
    char took[UNIT_TEXT], step[UNIT_TEXT], ideal[UNIT_TEXT], gap[UNIT_TEXT];
    if (report->json) {
        json_open_object(&report->writer, NULL, JSON_INLINE);
        json_put_text(&report->writer, "profile", model);
        json_put_text(&report->writer, "planner", outcome->planner_name);
        json_put_number(&report->writer, "plan_us", us);
        json_put_whole(&report->writer, "evaluations", outcome->evaluations);
        json_put_bool(&report->writer, "feasible", feasible);
        json_put_number(&report->writer, "throughput", outcome_throughput(outcome));
        json_put_number(&report->writer, "gap", outcome_gap(outcome));
        json_end(&report->writer);
        return;
    }
    buffer_printf(&report->out, "%-12s%-16s%12s%13llu%13s%10s%10s\n", model, outcome->planner_name,
                  format_time(took, us), (unsigned long long)outcome->evaluations,
                  feasible ? format_time(step, outcome->timeline.totals.step_us) : "does not fit",
                  feasible ? format_percent(ideal, outcome_throughput(outcome)) : "-",
                  feasible ? format_percent(gap, outcome_gap(outcome)) : "-");
}

static enum ss_status bench_planner(struct report *report, const struct options *options,
                                    const struct profile *profile, const struct planner *planner,
                                    struct error *error) {
    struct arena arena = { 0 };
    struct outcome outcome;
    double start = processor_us();
    enum ss_status status = planning_run(options, profile, planner, NULL, NULL, &arena, &outcome, NULL, error);
    if (status == SS_OK)
        report_plan(report, profile->name, &outcome, processor_us() - start);
    arena_free(&arena);
    return status;
}

static enum ss_status bench_planners(struct report *report, const struct options *options, struct error *error) {
    enum ss_status status = SS_OK;
    if (report->json)
        json_open_array(&report->writer, "planners", JSON_LINES);
    else
        buffer_printf(&report->out,
                      "\nPlanning built-in models at 50%% of their unlimited peak, in processor time\n"
                      "%-12s%-16s%12s%13s%13s%10s%10s\n",
                      "model", "planner", "took", "evaluations", "step", "of ideal", "gap");
    for (size_t i = 0; i < BENCH_MODEL_COUNT && status == SS_OK; i++) {
        struct arena arena = { 0 };
        struct profile profile;
        status = load_model(options, BENCH_MODELS[i], &arena, &profile, error);
        for (uint32_t j = 0; j < PLANNER_COUNT && status == SS_OK; j++)
            status = bench_planner(report, options, &profile, &PLANNERS[j], error);
        arena_free(&arena);
    }
    if (report->json)
        json_end(&report->writer);
    return status;
}

static enum ss_status time_frame(const struct scene *scene, const struct settings *settings, int width, int height,
                                 double *us, struct error *error) {
    struct view_state state;
    struct grid grid = { 0 };
    state_init(&state, settings, width, height);
    state_outcome(&state, scene, true);
    if (!grid_resize(&grid, width, height))
        return error_no_memory(error);
    struct stopwatch watch = begin();
    while (!is_enough(&watch)) {
        start_run(&watch);
        view_draw(&state, scene, &THEME_DEFAULT, &grid);
        end_run(&watch);
    }
    *us = watch.least_us;
    grid_free(&grid);
    return SS_OK;
}

static void report_frame(struct report *report, int width, int height, double us) {
    char took[UNIT_TEXT];
    if (report->json) {
        json_open_object(&report->writer, NULL, JSON_INLINE);
        json_put_whole(&report->writer, "width", (uint64_t)width);
        json_put_whole(&report->writer, "height", (uint64_t)height);
        json_put_number(&report->writer, "us", us);
        json_end(&report->writer);
    } else {
        buffer_printf(&report->out, "%5d x %-3d%12s\n", width, height, format_time(took, us));
    }
}

static enum ss_status bench_frames(struct report *report, const struct options *options, struct error *error) {
    struct arena arena = { 0 }, outcome_arena = { 0 };
    struct profile profile;
    struct scene scene;
    enum ss_status status = load_model(options, DEFAULT_MODEL, &arena, &profile, error);
    if (status == SS_OK)
        status = scene_init(&scene, &profile, error);
    if (status != SS_OK) {
        arena_free(&arena);
        return status;
    }
    struct outcome *outcome = ARENA_ARRAY(&outcome_arena, struct outcome, 1);
    const struct planner *planner = planner_find(PLANNER_DEFAULT);
    status = outcome ? planning_run(options, &profile, planner, NULL, NULL, &outcome_arena, outcome, NULL, error)
                     : error_no_memory(error);
    if (status == SS_OK)
        status = scene_take(&scene, &outcome_arena, outcome, error);
    if (report->json)
        json_open_array(&report->writer, "frames", JSON_LINES);
    else
        buffer_printf(&report->out, "\nDrawing a screen of %s\n%11s%11s\n", DEFAULT_MODEL, "size", "a frame");
    for (size_t i = 0; i < SCREEN_COUNT && status == SS_OK; i++) {
        double us = 0;
        status = time_frame(&scene, &options->settings, SCREENS[i][0], SCREENS[i][1], &us, error);
        if (status == SS_OK)
            report_frame(report, SCREENS[i][0], SCREENS[i][1], us);
    }
    if (report->json)
        json_end(&report->writer);
    scene_free(&scene);
    arena_free(&outcome_arena);
    arena_free(&arena);
    return status;
}

enum ss_status cmd_bench(const struct options *options, struct error *error) {
    if (options->quality)
        return bench_quality(options, error);
    if (options->paper)
        return bench_paper(options, error);
    static part_function *const parts[] = { bench_simulator, bench_planners, bench_frames };
    struct report report = { .json = options->json };
    struct options plain = *options; /* what narrows the grid of --quality has no part in this */
    enum ss_status status = SS_OK;
    plain.settings = settings_default();
    plain.settings.evaluation_limit = options->settings.evaluation_limit;
    report.writer.out = &report.out;
    if (options->json) {
        json_open_object(&report.writer, NULL, JSON_LINES);
        json_put_text(&report.writer, "schema", "slackswap-bench/1");
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == SS_OK; i++) {
        status = parts[i](&report, &plain, error);
        if (status == SS_OK && !options->json) /* what is measured is shown at once */
            status = output_buffer(options, &report.out, error);
    }
    if (status == SS_OK && options->json) {
        json_end(&report.writer);
        status = output_buffer(options, &report.out, error);
    }
    buffer_free(&report.out);
    return status;
}
