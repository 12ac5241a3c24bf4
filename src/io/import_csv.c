#include "import_csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_columns.h"

#define LARGEST_LAYERS 1000000

struct row {
    struct piece name;
    uint32_t line;
    double forward_us, backward_us;
    uint64_t activation_bytes, output_bytes, weight_bytes;
    uint64_t forward_workspace_bytes, backward_workspace_bytes;
    uint32_t repeat, block; /* rows in a row with one block number repeat together */
};

struct import {
    const struct import_file *file;
    struct csv_columns columns;
    struct row *rows;
    struct arena *arena;  /* of the profile */
    struct arena scratch; /* of the rows */
    struct profile *profile;
    struct import_remarks *remarks;
    struct csv_totals *totals;
    struct error *error;
};

static enum ss_status bad_row(struct import *import, uint32_t line, const char *expected, struct piece found) {
    char quoted[QUOTE_TEXT];
    error_set(import->error, SS_BAD_INPUT, "expected %s, found %s", expected, piece_quote(found, quoted));
    error_place(import->error, "line %u", (unsigned)line);
    return SS_BAD_INPUT;
}

static enum ss_status read_number(struct import *import, const struct piece *cells, uint32_t line, enum csv_field field,
                                  double *out) {
    const struct csv_column *column = &import->columns.field[field];
    char expected[64];
    *out = 0;
    if (column->at == NONE) return SS_OK;
    if (piece_number(cells[column->at], out)) {
        *out *= column->scale;
        return SS_OK;
    }
    snprintf(expected, sizeof expected, "%s to be a number >= 0", CSV_FIELD_NAME[field]);
    return bad_row(import, line, expected, cells[column->at]);
}

static enum ss_status read_time(struct import *import, const struct piece *cells, uint32_t line, enum csv_field field,
                                double *us) {
    enum ss_status status = read_number(import, cells, line, field, us);
    if (status != SS_OK || *us != import->columns.failed_us) return status;
    return bad_row(import, line, "a measured time (the profiler writes this one for an op that failed)",
                   cells[import->columns.field[field].at]);
}

static enum ss_status read_size(struct import *import, const struct piece *cells, uint32_t line, enum csv_field field,
                                uint64_t *bytes) {
    double number;
    char expected[64];
    enum ss_status status = read_number(import, cells, line, field, &number);
    if (status != SS_OK) return status;
    if (number >= (double)BYTES_LIMIT) {
        snprintf(expected, sizeof expected, "%s below 2^53 bytes", CSV_FIELD_NAME[field]);
        return bad_row(import, line, expected, cells[import->columns.field[field].at]);
    }
    *bytes = (uint64_t)nearbyint(number);
    return SS_OK;
}

static enum ss_status read_repeat(struct import *import, const struct piece *cells, struct row *row) {
    const uint32_t at = import->columns.field[CSV_REPEAT].at;
    uint64_t repeat = 1;
    if (at != NONE && (!piece_bytes(cells[at], &repeat) || repeat < 1 || repeat > CSV_LARGEST_REPEAT))
        return bad_row(import, row->line, "repeat to be a whole number from 1 to 100000", cells[at]);
    row->repeat = (uint32_t)repeat;
    return SS_OK;
}

static enum ss_status read_row(struct import *import, const struct piece *cells, struct row *row) {
    const uint32_t line = row->line;
    uint64_t both = 0;
    enum ss_status status;
    row->name = cells[import->columns.field[CSV_NAME].at];
    if (row->name.length == 0) return bad_row(import, line, "a name", row->name);
    if ((status = read_time(import, cells, line, CSV_FORWARD, &row->forward_us)) != SS_OK ||
        (status = read_time(import, cells, line, CSV_BACKWARD, &row->backward_us)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_ACTIVATION, &row->activation_bytes)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_OUTPUT, &row->output_bytes)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_ACTIVATION_AND_OUTPUT, &both)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_WEIGHT, &row->weight_bytes)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_FORWARD_WORKSPACE, &row->forward_workspace_bytes)) != SS_OK ||
        (status = read_size(import, cells, line, CSV_BACKWARD_WORKSPACE, &row->backward_workspace_bytes)) != SS_OK)
        return status;
    if (import->columns.field[CSV_ACTIVATION_AND_OUTPUT].at != NONE) {
        if (row->output_bytes > both) row->output_bytes = both;
        row->activation_bytes = both - row->output_bytes;
    }
    return read_repeat(import, cells, row);
}

static enum ss_status read_rows(struct import *import) {
    struct lines lines = { { import->file->text, import->file->length }, 0 };
    struct piece line = piece_of(""), cells[CSV_LARGEST_ROW];
    uint32_t count;
    char expected[32];
    if (import->file->length >= UINT32_MAX)
        return error_set(import->error, SS_BAD_INPUT, "expected a file below 4 GiB, found %zu bytes", import->file->length);
    import->rows = ARENA_ARRAY(&import->scratch, struct row, lines_count(lines.rest));
    if (!import->rows) return error_no_memory(import->error);
    lines_next(&lines, &line);
    enum ss_status status = csv_columns_find(&import->columns, line, import->file->columns, &import->scratch, import->error);
    while (status == SS_OK && lines_next(&lines, &line)) {
        struct row *row = &import->rows[import->totals->rows];
        if (piece_trim(line).length == 0) continue;
        row->line = lines.number;
        if ((status = csv_cells(line, cells, &count, &import->scratch, import->error)) != SS_OK) {
            if (status == SS_BAD_INPUT) error_place(import->error, "line %u", (unsigned)lines.number);
            return status;
        }
        snprintf(expected, sizeof expected, "%u cells", (unsigned)import->columns.count);
        if (count != import->columns.count) return bad_row(import, lines.number, expected, line);
        status = read_row(import, cells, row);
        import->totals->rows++;
    }
    if (status == SS_OK && import->totals->rows == 0) return bad_row(import, lines.number + 1, "a row", piece_of(""));
    return status;
}

static uint32_t find_row(const struct import *import, struct piece name) {
    for (uint32_t i = 0; i < import->totals->rows; i++) {
        const struct piece found = import->rows[i].name;
        if (found.length == name.length && memcmp(found.at, name.at, name.length) == 0) return i;
    }
    return NONE;
}

/* Numbers the blocks: those of the map, and runs of rows with one repeat count. */
static enum ss_status mark_blocks(struct import *import) {
    uint32_t block = 0;
    char quoted[QUOTE_TEXT];
    for (uint32_t b = 0; b < import->columns.block_count; b++) {
        const struct csv_block *given = &import->columns.blocks[b];
        const uint32_t first = find_row(import, given->first), last = find_row(import, given->last);
        if (first == NONE || last == NONE || last < first)
            return error_set(import->error, SS_USAGE, "map: repeat: expected FIRST..LAST to name two rows in order, found %s",
                             piece_quote(first == NONE ? given->first : given->last, quoted));
        for (uint32_t i = first; i <= last; i++) {
            if (import->rows[i].block)
                return error_set(import->error, SS_USAGE, "map: repeat: expected blocks apart from each other, found row %s "
                                 "in two", piece_quote(import->rows[i].name, quoted));
            import->rows[i].repeat = given->times;
            import->rows[i].block = b + 1;
        }
    }
    block = import->columns.block_count;
    for (uint32_t i = 0; i < import->totals->rows; i++) {
        struct row *row = &import->rows[i];
        if (row->block) continue;
        const bool goes_on = i > 0 && row[-1].block > import->columns.block_count && row[-1].repeat == row->repeat;
        row->block = goes_on ? block : ++block;
    }
    return SS_OK;
}

static enum ss_status add_layer(struct import *import, const struct row *row, uint32_t round) {
    struct layer_spec spec = {
        .name = piece_copy(row->name, &import->scratch), .forward_us = row->forward_us, .backward_us = row->backward_us,
        .activation_bytes = row->activation_bytes, .output_bytes = row->output_bytes,
        .forward_workspace_bytes = row->forward_workspace_bytes,
        .backward_workspace_bytes = row->backward_workspace_bytes };
    if (spec.name && row->repeat > 1) spec.name = arena_printf(&import->scratch, "%s.%02u", spec.name, (unsigned)round);
    if (!spec.name) return error_no_memory(import->error);
    if (import->totals->layers++ == LARGEST_LAYERS)
        return error_set(import->error, SS_BAD_INPUT, "expected at most %d layers, repeats included", LARGEST_LAYERS);
    enum ss_status status = profile_add_layer(import->profile, &spec, import->error);
    for (int copy = 0; copy < 2 && status == SS_OK; copy++) /* weights and their gradients */
        if (!bytes_add(import->profile->static_bytes, row->weight_bytes, &import->profile->static_bytes))
            status = error_set(import->error, SS_BAD_INPUT, "expected weights that add up to less than 2^63 bytes");
    if (status == SS_BAD_INPUT) error_place(import->error, "line %u", (unsigned)row->line);
    return status;
}

static enum ss_status add_layers(struct import *import) {
    const struct row *rows = import->rows;
    enum ss_status status = SS_OK;
    for (uint32_t first = 0, end; first < import->totals->rows && status == SS_OK; first = end) {
        for (end = first; end < import->totals->rows && rows[end].block == rows[first].block;) end++;
        for (uint32_t round = 0; round < rows[first].repeat && status == SS_OK; round++)
            for (uint32_t i = first; i < end && status == SS_OK; i++) status = add_layer(import, &rows[i], round);
    }
    return status;
}

static void sum_up(struct import *import) {
    struct csv_totals *totals = import->totals;
    for (uint32_t i = 0; i < totals->rows; i++) {
        const struct row *row = &import->rows[i];
        totals->forward_us += row->forward_us;
        totals->backward_us += row->backward_us;
        totals->saved_bytes += (double)row->activation_bytes + (double)row->output_bytes;
        totals->weight_bytes += (double)row->weight_bytes;
    }
}

static enum ss_status describe(struct import *import) {
    const struct csv_totals *totals = import->totals;
    struct import_remarks *remarks = import->remarks;
    const struct csv_column *fields = import->columns.field;
    const double mib = 1024.0 * 1024;
    remarks->summary = arena_printf(import->arena, "%u rows, %u layers; over the rows: forward %.3f us, backward %.3f us, "
                                    "activations and outputs %.3f MiB, weights %.3f MiB", (unsigned)totals->rows,
                                    (unsigned)totals->layers, totals->forward_us, totals->backward_us,
                                    totals->saved_bytes / mib, totals->weight_bytes / mib);
    if (fields[CSV_OUTPUT].at == NONE && fields[CSV_ACTIVATION].at == NONE && fields[CSV_ACTIVATION_AND_OUTPUT].at == NONE)
        remarks->warnings[remarks->warning_count++] =
            "no column tells what a layer saves: activation_*, output_* or activation_and_output_*";
    import->profile->name = arena_strdup(import->arena, import->file->name);
    if (remarks->summary)
        import->profile->source = arena_printf(import->arena, "table of layers%s%s: %s. A layer's backward reads the output "
            "of the layer before and what it saved itself. static_bytes: weights and their gradients",
            import->columns.dialect ? ", " : "", import->columns.dialect ? import->columns.dialect : "", remarks->summary);
    return import->profile->name && import->profile->source ? SS_OK : error_no_memory(import->error);
}

static enum ss_status build(struct import *import) {
    enum ss_status status;
    if ((status = read_rows(import)) != SS_OK || (status = mark_blocks(import)) != SS_OK) return status;
    sum_up(import);
    if (import->totals->forward_us + import->totals->backward_us <= 0)
        return error_set(import->error, SS_BAD_INPUT, "expected measured times, found 0 in every row");
    if ((status = profile_begin(import->profile, import->arena, import->error)) != SS_OK ||
        (status = add_layers(import)) != SS_OK || (status = describe(import)) != SS_OK)
        return status;
    return profile_finish(import->profile, NULL, import->error);
}

enum ss_status import_csv_totals(const struct import_file *file, struct arena *arena, struct profile *profile,
                                 struct import_remarks *remarks, struct csv_totals *totals, struct error *error) {
    struct import import = { .file = file, .arena = arena, .profile = profile, .remarks = remarks, .totals = totals,
                             .error = error };
    *remarks = (struct import_remarks){ 0 };
    *totals = (struct csv_totals){ 0 };
    enum ss_status status = build(&import);
    arena_free(&import.scratch);
    return status;
}

enum ss_status import_csv(const struct import_file *file, struct arena *arena, struct profile *profile,
                          struct import_remarks *remarks, struct error *error) {
    struct csv_totals totals;
    return import_csv_totals(file, arena, profile, remarks, &totals, error);
}

bool import_csv_matches(const char *text, size_t length) {
    struct lines lines = { { text, length }, 0 };
    struct piece header;
    struct arena scratch = { 0 };
    struct csv_columns columns;
    const bool matches = lines_next(&lines, &header) &&
                         csv_columns_find(&columns, header, NULL, &scratch, NULL) == SS_OK;
    arena_free(&scratch);
    return matches;
}
