/* Tables (RFC 4180): a header, then a row a line. A name that a spreadsheet would take for a formula ("=…", "+…", "-…",
 * "@…") gets an apostrophe in front, by which spreadsheets know text. */
#include <stdlib.h>
#include <string.h>

#include "core/measured.h"
#include "core/sanitise.h"
#include "core/stalls.h"
#include "export.h"
#include "export_words.h"
#include "json_write.h"

struct table {
    struct buffer *out;
    const struct timeline *timeline;
    struct buffer words;
    bool begun; /* the row has a cell */
};

static void separate(struct table *table) {
    if (table->begun)
        buffer_text(table->out, ",");
    table->begun = true;
}

static void put_text(struct table *table, const char *text) {
    const size_t size = SANITISED_BYTES(strlen(text));
    char *clean = malloc(size);
    separate(table);
    if (!clean) {
        table->out->failed = true;
        return;
    }
    sanitise(clean, size, text);
    const bool quoted = strpbrk(clean, "\",") || clean[0] == ' ' || (clean[0] && clean[strlen(clean) - 1] == ' ');
    if (quoted)
        buffer_text(table->out, "\"");
    if (clean[0] && strchr("=+-@", clean[0]))
        buffer_text(table->out, "'");
    for (const char *at = clean; *at; at++)
        buffer_put(table->out, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    if (quoted)
        buffer_text(table->out, "\"");
    free(clean);
}

static void put_number(struct table *table, double number) {
    char text[JSON_NUMBER_TEXT];
    separate(table);
    buffer_text(table->out, json_format_number(text, number));
}

static void put_whole(struct table *table, uint64_t number) {
    separate(table);
    buffer_printf(table->out, "%llu", (unsigned long long)number);
}

static void end_row(struct table *table) {
    buffer_text(table->out, "\n");
    table->begun = false;
}

static void put_times(struct table *table, double start_us, double end_us) {
    put_number(table, start_us);
    put_number(table, end_us);
    put_number(table, end_us - start_us);
}

static void put_cause(struct table *table, struct event event) {
    const char *cause;
    const char *words = event_cause(&table->words, table->timeline, event, &cause);
    put_text(table, cause);
    put_text(table, words);
    end_row(table);
}

/* ---- events ----------------------------------------------------------------------------------------------------------- */

static const char EVENT_COLUMNS[] = "lane,kind,name,layer,start_us,end_us,duration_us,bytes,tensor,action,cause,words\n";
static const char *const LANE_WORD[LANE_COUNT] = { "compute", "d2h", "h2d" };

static const struct op *op_of(const struct timeline *timeline, uint32_t step) {
    return &timeline->profile->ops[timeline->schedule.op[step]];
}

static void put_stall(struct table *table, const struct stall *stall) {
    const struct profile *profile = table->timeline->profile;
    const struct op *op = op_of(table->timeline, stall->step);
    put_text(table, LANE_WORD[LANE_COMPUTE]);
    put_text(table, "stall");
    put_text(table, op->name);
    put_text(table, profile->layers[op->layer].name);
    put_times(table, stall->start_us, stall->end_us);
    put_whole(table, stall->tensor == NONE ? 0 : profile->tensors[stall->tensor].bytes);
    put_text(table, stall->tensor == NONE ? "" : profile->tensors[stall->tensor].name);
    put_text(table, stall->tensor == NONE ? "" : ACTION_NAME[table->timeline->plan.action[stall->tensor]]);
    put_text(table, STALL_REASON_NAME[stall_reason(stall)]);
    put_text(table, STALL_REASON_WORDS[stall_reason(stall)]);
    end_row(table);
}

static void put_steps(struct table *table) {
    const struct timeline *timeline = table->timeline;
    uint32_t stall = 0;
    for (uint32_t k = 0; k < timeline->schedule.step_count; k++) {
        const struct op *op = op_of(timeline, k);
        if (stall < timeline->stall_count && timeline->stalls[stall].step == k)
            put_stall(table, &timeline->stalls[stall++]);
        put_text(table, LANE_WORD[LANE_COMPUTE]);
        put_text(table, STEP_SHORT[timeline->schedule.kind[k]]);
        put_text(table, op->name);
        put_text(table, timeline->profile->layers[op->layer].name);
        put_times(table, timeline->steps[k].start_us, timeline->steps[k].end_us);
        put_whole(table, timeline->schedule.requirement[k]);
        put_text(table, "");
        put_text(table, "");
        put_cause(table, (struct event){ LANE_COMPUTE, k });
    }
}

static void put_transfers(struct table *table, enum lane lane) {
    const struct timeline *timeline = table->timeline;
    const struct profile *profile = timeline->profile;
    const struct timeline_transfer *list = lane == LANE_D2H ? timeline->d2h : timeline->h2d;
    const uint32_t count = lane == LANE_D2H ? timeline->schedule.d2h_count : timeline->schedule.h2d_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct tensor *tensor = &profile->tensors[list[i].tensor];
        put_text(table, LANE_WORD[lane]);
        put_text(table, LANE_WORD[lane]);
        put_text(table, profile->ops[tensor->producer].name);
        put_text(table, profile->layers[profile->ops[tensor->producer].layer].name);
        put_times(table, list[i].start_us, list[i].end_us);
        put_whole(table, tensor->bytes);
        put_text(table, tensor->name);
        put_text(table, ACTION_NAME[timeline->plan.action[list[i].tensor]]);
        put_cause(table, (struct event){ (uint8_t)lane, i });
    }
}

/* What was measured stands behind what was simulated, on lanes of its own. */
static void put_measured(struct table *table) {
    static const char *const MEASURED_LANE[LANE_COUNT] = { "measured compute", "measured d2h", "measured h2d" };
    const struct measured *measured = table->timeline->profile->measured;
    for (int lane = 0; lane < LANE_COUNT; lane++)
        for (uint32_t i = 0; i < measured->count[lane]; i++) {
            const struct measured_slice *slice = &measured->slices[lane][i];
            put_text(table, MEASURED_LANE[lane]);
            put_text(table, "measured");
            put_text(table, "");
            put_text(table, "");
            put_times(table, slice->start_us, slice->start_us + slice->duration_us);
            put_whole(table, slice->bytes);
            for (int empty = 0; empty < 4; empty++)
                put_text(table, "");
            end_row(table);
        }
}

static void finish(struct table *table) {
    table->out->failed = table->out->failed || table->words.failed;
    buffer_free(&table->words);
}

void export_csv(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    struct table table = { .out = out, .timeline = &outcome->timeline };
    (void)look;
    buffer_text(out, EVENT_COLUMNS);
    put_steps(&table);
    put_transfers(&table, LANE_D2H);
    put_transfers(&table, LANE_H2D);
    if (table.timeline->profile->measured)
        put_measured(&table);
    finish(&table);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static const char MEMORY_COLUMNS[] = "at_us,step,running,kept_bytes,draining_bytes,prefetched_bytes,gradients_bytes,"
                                     "scratch_bytes,used_bytes,host_bytes,budget_bytes\n";

void export_memory_csv(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    const struct timeline *timeline = &outcome->timeline;
    struct table table = { .out = out, .timeline = timeline };
    (void)look;
    buffer_text(out, MEMORY_COLUMNS);
    for (uint32_t i = 0; i < timeline->memory_count; i++) {
        const struct memory_sample *sample = &timeline->memory[i];
        put_number(&table, sample->at_us);
        put_text(&table, event_name(&table.words, timeline, (struct event){ LANE_COMPUTE, sample->step }));
        put_whole(&table, sample->running);
        for (int state = 0; state < MEMORY_STATE_COUNT; state++)
            put_whole(&table, sample->bytes[state]);
        put_whole(&table, memory_used(sample));
        put_whole(&table, sample->host_bytes);
        if (timeline->budget_bytes == BYTES_UNLIMITED)
            put_text(&table, "");
        else
            put_whole(&table, timeline->budget_bytes);
        end_row(&table);
    }
    finish(&table);
}
