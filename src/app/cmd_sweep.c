/* sweep: the same work on a grid of planners, links and budgets, one line a point. */
#include "sweep_run.h"

#include "core/units.h"

#include "io/report_sweep.h"
#include "load.h"
#include "output.h"
#include "talk.h"

static enum ss_status print_point(void *context, uint32_t n, const struct outcome *outcome,
                                  const struct report_extras *extras, struct error *error) {
    const struct sweep_run *run = context;
    struct buffer out = { 0 };
    if (run->options->json)
        sweep_json_line(&out, outcome, extras);
    else
        sweep_text_line(&out, outcome, extras, sweep_begins_column(run->sweep, n));
    return output_buffer(run->options, &out, error);
}

static enum ss_status print_head(const struct sweep_run *run, struct error *error) {
    struct buffer out = { 0 };
    struct limits limits;
    enum ss_status status = limits_compute(run->profile, &limits, error);
    if (status != SS_OK || run->options->json)
        return status;
    sweep_text_head(&out, run->profile, &limits, run->options->timing);
    return output_buffer(run->options, &out, error);
}

static enum ss_status run_shard(struct sweep_run *run, struct error *error) {
    const struct options *options = run->options;
    if (run->first == run->end) {
        talk_note(options, "shard %u/%u is empty: the grid has %u curve%s", (unsigned)options->shard.index,
                  (unsigned)options->shard.count, (unsigned)sweep_columns(run->sweep),
                  plural(sweep_columns(run->sweep)));
        return SS_OK;
    }
    enum ss_status status = print_head(run, error);
    if (status == SS_OK)
        status = sweep_run(run, error);
    return status == SS_OK && !run->any_fits ? SS_NO : status;
}

enum ss_status cmd_sweep(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct sweep sweep;
    struct sweep_run run = { .options = options, .profile = &profile, .sweep = &sweep, .take = print_point,
                             .context = &run };
    enum ss_status status = load_profile(options, &arena, &profile, error);
    if (status == SS_OK)
        status = sweep_lay_out(&sweep, options, &profile, &arena, error);
    if (status == SS_OK) {
        sweep_shard(&sweep, options->shard.index, options->shard.count, &run.first, &run.end);
        status = run_shard(&run, error);
    }
    arena_free(&arena);
    return status;
}
