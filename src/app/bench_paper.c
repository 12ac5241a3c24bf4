/* bench_paper: see bench_paper.h.
 *
 * The paper (arXiv 2610.13003) gives shares of the ideal throughput at half of the memory on an A100 and PCIe 4.0, but not
 * the batch, the sequence or the kernels. So beside our figures at the documented defaults stands what the bound allows:
 * where no plan can reach the published share, the paper's work was another than ours. A list then names the settings
 * nearest to the defaults at which the published share is within reach, and the link at which it would be as things are. */
#include "bench_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/whatif.h"
#include "io/json_write.h"
#include "load.h"
#include "output.h"
#include "planning.h"

#define ROUNDING 0.0005 /* the paper rounds to tenths of a percent */

static const struct published {
    const char *model, *name;
    double share;
    uint32_t positions;   /* the longest sequence that the model was trained for */
} PUBLISHED[] = {
    { "bert-large", "BERT-Large", 0.963, 512 },
    { "gpt2-xl", "GPT-2 XL", 0.976, 1024 },
    { "llama-7b", "Llama-7B-like", 0.996, 2048 },
};
#define PUBLISHED_COUNT (sizeof PUBLISHED / sizeof *PUBLISHED)

static const char *const OURS[] = { "slackswap-rule", "slackswap", "refine" };
#define OURS_COUNT (sizeof OURS / sizeof *OURS)

/* Searched for a setting within reach: batches and sequences of so many times the defaults. */
static const double BATCHES[] = { 1, 2, 4, 8, 16, 0.5, 0.25 };
static const double SEQUENCES[] = { 1, 2, 4, 0.5, 0.25 };
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct row {
    const struct published *published;
    struct model_options model;
    double bound;                 /* share of ideal that no plan exceeds */
    double ours[OURS_COUNT];      /* share of ideal */
};

struct report { bool json; struct buffer out; struct json_writer writer; };

static bool is_within_reach(const struct row *row) { return row->bound >= row->published->share - ROUNDING; }

static enum ss_status build(const struct row *row, struct arena *arena, struct profile *profile, struct error *error) {
    return model_build(model_find(row->published->model), &row->model, arena, profile, error);
}

/* Share of ideal that the bound allows at half of the memory, at GB_PER_S (NAN: the profile's link). */
static enum ss_status measure_bound(const struct profile *profile, double gb_per_s, double *share, struct error *error) {
    struct link_options options = LINK_OPTIONS_NONE;
    const struct budget_choice half = BUDGET_CHOICE_DEFAULT;
    struct limits limits;
    struct link link;
    struct bound bound;
    uint64_t bytes = 0;
    options.bandwidth_gb_per_s = gb_per_s;
    enum ss_status status = limits_compute(profile, &limits, error);
    if (status == SS_OK)
        status = budget_resolve(&half, profile, &limits, &bytes, error);
    if (status == SS_OK)
        status = link_resolve(&profile->link, &options, &link, error);
    if (status == SS_OK)
        status = bound_compute(profile, &link, bytes, &bound, error);
    if (status == SS_OK)
        *share = profile->ideal_us / bound.bound_us;
    return status;
}

static enum ss_status find_bound(struct row *row, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    enum ss_status status = build(row, &arena, &profile, error);
    if (status == SS_OK)
        status = measure_bound(&profile, NAN, &row->bound, error);
    arena_free(&arena);
    return status;
}

/* Our planners' shares, each searching as it does by itself. */
static enum ss_status plan_row(const struct options *options, struct row *row, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct bounds bounds = { .count = 0 };
    enum ss_status status = build(row, &arena, &profile, error);
    for (size_t i = 0; i < OURS_COUNT && status == SS_OK; i++) {
        struct arena scratch = { 0 };
        struct outcome outcome;
        status = planning_run(options, &profile, planner_find(OURS[i]), NULL, &bounds, &scratch, &outcome, NULL, error);
        row->ours[i] = status == SS_OK ? outcome_throughput(&outcome) : 0;
        arena_free(&scratch);
    }
    arena_free(&arena);
    return status;
}

/* The least bandwidth, in tenths of GB/s, from which the bound allows the published share. */
static enum ss_status find_link(const struct row *row, double *gb_per_s, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    double low = 10, high = 1280; /* in tenths */
    enum ss_status status = build(row, &arena, &profile, error);
    while (high - low > 1 && status == SS_OK) {
        const double middle = floor((low + high) / 2);
        double share = 0;
        status = measure_bound(&profile, middle / 10, &share, error);
        *(share >= row->published->share - ROUNDING ? &high : &low) = middle;
    }
    *gb_per_s = high / 10;
    arena_free(&arena);
    return status;
}

/* ---- printing ---- */

static void put_settings(struct report *report, const struct row *row) {
    const struct model *model = model_find(row->published->model);
    const uint32_t batch = row->model.batch > 0 ? row->model.batch : model->batch;
    const uint32_t sequence = row->model.sequence > 0 ? row->model.sequence : model->sequence;
    if (report->json) {
        json_put_text(&report->writer, "model", row->published->model);
        json_put_number(&report->writer, "published", row->published->share);
        json_put_whole(&report->writer, "batch", batch);
        json_put_whole(&report->writer, "seq", sequence);
        json_put_text(&report->writer, "attention", ATTENTION_NAME[row->model.attention]);
        json_put_bool(&report->writer, "head", !row->model.no_head);
    } else {
        buffer_printf(&report->out, "%-13s%6.1f%%%6u%6u%s %-6s%-4s", row->published->name, 100 * row->published->share,
                      (unsigned)batch, (unsigned)sequence, sequence > row->published->positions ? "*" : " ",
                      ATTENTION_NAME[row->model.attention], row->model.no_head ? "no" : "yes");
    }
}

static void put_shares(struct report *report, const struct row *row) {
    static const char *const KEYS[OURS_COUNT] = { "slackswap_rule", "slackswap", "refine" };
    static const int WIDTHS[OURS_COUNT] = { 5, 9, 6 };
    for (size_t i = 0; i < OURS_COUNT; i++)
        if (report->json)
            json_put_number(&report->writer, KEYS[i], row->ours[i]);
        else
            buffer_printf(&report->out, "%*.1f%%", WIDTHS[i], 100 * row->ours[i]);
    if (report->json) {
        json_put_number(&report->writer, "bound", row->bound);
        json_put_bool(&report->writer, "within_reach", is_within_reach(row));
    } else {
        buffer_printf(&report->out, "%6.1f%%%6s", 100 * row->bound, is_within_reach(row) ? "yes" : "no");
    }
}

static void open_row(struct report *report) {
    if (report->json)
        json_open_object(&report->writer, NULL, JSON_INLINE);
}

static void end_row(struct report *report) {
    if (report->json)
        json_end(&report->writer);
    else
        buffer_text(&report->out, "\n");
}

static void put_head(struct report *report, const char *title) {
    if (!report->json)
        buffer_printf(&report->out, "%s\n\n%-13s%7s%6s%6s  %-6s%-4s%6s%10s%7s%7s%6s\n", title, "model", "paper",
                      "batch", "seq", "attn", "head", "rule", "slackswap", "refine", "bound", "reach");
}

/* ---- the two tables ---- */

static enum ss_status put_defaults(struct report *report, const struct options *options, struct row *rows,
                                   struct error *error) {
    enum ss_status status = SS_OK;
    char links[160] = "";
    put_head(report, "Share of the ideal throughput at half of the memory, at our defaults");
    for (size_t i = 0; i < PUBLISHED_COUNT && status == SS_OK; i++) {
        double gb_per_s = 0;
        rows[i] = (struct row){ .published = &PUBLISHED[i] };
        status = find_bound(&rows[i], error);
        if (status == SS_OK)
            status = plan_row(options, &rows[i], error);
        if (status == SS_OK)
            status = find_link(&rows[i], &gb_per_s, error);
        open_row(report);
        put_settings(report, &rows[i]);
        put_shares(report, &rows[i]);
        if (report->json)
            json_put_number(&report->writer, "within_reach_from_gb_per_s", gb_per_s);
        else
            snprintf(links + strlen(links), sizeof links - strlen(links), "%s%s %.1f", i > 0 ? ", " : "",
                     PUBLISHED[i].name, gb_per_s);
        end_row(report);
    }
    if (!report->json)
        buffer_printf(&report->out, "\nWithin reach from: %s GB/s\n\n", links);
    return status;
}

/* Nearest to the default first: fewest doublings of batch and sequence, then the lower batch. */
static double distance(double batch, double sequence) {
    return fabs(log2(batch)) + fabs(log2(sequence)) + (batch > 1 ? 0.01 : 0);
}

/* Of the batches and sequences, the setting nearest to the default that is within reach; ANY_LENGTH allows sequences beyond
 * the model's positions. The highest bound met is noted in *BEST. */
static enum ss_status find_nearest(const struct row *kind, bool any_length, struct row *nearest, struct row *best,
                                   struct error *error) {
    const struct model *model = model_find(kind->published->model);
    double least = INFINITY;
    enum ss_status status = SS_OK;
    for (size_t b = 0; b < LENGTH(BATCHES) && status == SS_OK; b++)
        for (size_t s = 0; s < LENGTH(SEQUENCES) && status == SS_OK; s++) {
            struct row row = *kind;
            row.model.batch = (uint32_t)(model->batch * BATCHES[b]);
            row.model.sequence = (uint32_t)(model->sequence * SEQUENCES[s]);
            const bool is_long = row.model.sequence > kind->published->positions;
            if (row.model.batch < 1 || is_long != any_length)
                continue;
            status = find_bound(&row, error);
            if (status == SS_OK && row.bound > best->bound)
                *best = row;
            if (status == SS_OK && is_within_reach(&row) && distance(BATCHES[b], SEQUENCES[s]) < least) {
                least = distance(BATCHES[b], SEQUENCES[s]);
                *nearest = row;
            }
        }
    return status;
}

static enum ss_status put_nearest(struct report *report, const struct options *options, struct row *row,
                                  struct error *error) {
    enum ss_status status = plan_row(options, row, error);
    open_row(report);
    put_settings(report, row);
    put_shares(report, row);
    end_row(report);
    return status;
}

/* Settings of one model within reach, one for each kind of attention and head, and for lengths within and beyond its
 * positions. Where there is none within them, the best there is. */
static enum ss_status put_within_reach(struct report *report, const struct options *options,
                                       const struct published *published, struct error *error) {
    enum ss_status status = SS_OK;
    struct row best = { .published = published }, before = { .bound = 0 };
    bool any = false;
    for (int i = 0; i < 8 && status == SS_OK; i++) {
        struct row nearest = { .bound = 0 }, ignored = { .bound = 1 };
        const struct row kind = { .published = published,
                                  .model = { .attention = i & 2 ? ATTENTION_EAGER : ATTENTION_FLASH, .no_head = i & 1 } };
        const bool any_length = i >= 4;
        if (i == 4 && !any)
            status = put_nearest(report, options, &best, error);
        if (status == SS_OK)
            status = find_nearest(&kind, any_length, &nearest, any_length ? &ignored : &best, error);
        if (status != SS_OK || nearest.published == NULL)
            continue;
        any = any || !any_length;
        const bool as_before = nearest.model.no_head && nearest.model.batch == before.model.batch
            && nearest.model.sequence == before.model.sequence;
        before = nearest;
        if (!as_before) /* the head makes no difference: it may stay */
            status = put_nearest(report, options, &nearest, error);
    }
    return status;
}

enum ss_status bench_paper(const struct options *options, struct error *error) {
    struct report report = { .json = options->json };
    struct row rows[PUBLISHED_COUNT];
    report.writer.out = &report.out;
    if (report.json)
        json_open_array(&report.writer, NULL, JSON_LINES);
    enum ss_status status = put_defaults(&report, options, rows, error);
    put_head(&report, "The settings nearest to these at which the paper's share is within reach,\n"
             "that is, the bound allows it; else those that come nearest");
    for (size_t i = 0; i < PUBLISHED_COUNT && status == SS_OK; i++)
        status = put_within_reach(&report, options, &PUBLISHED[i], error);
    if (report.json)
        json_end(&report.writer);
    else
        buffer_text(&report.out, "\n*: longer than the model was trained for\n");
    if (status == SS_OK)
        status = output_buffer(options, &report.out, error);
    buffer_free(&report.out);
    return status;
}
