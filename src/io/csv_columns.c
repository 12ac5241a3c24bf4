#include "csv_columns.h"

#include <math.h>
#include <string.h>

const char *const CSV_FIELD_NAME[CSV_FIELD_COUNT] = {
    [CSV_NAME] = "name", [CSV_FORWARD] = "forward", [CSV_BACKWARD] = "backward",
    [CSV_ACTIVATION_AND_OUTPUT] = "activation_and_output", [CSV_ACTIVATION] = "activation", [CSV_OUTPUT] = "output",
    [CSV_WEIGHT] = "weight", [CSV_FORWARD_WORKSPACE] = "forward_workspace",
    [CSV_BACKWARD_WORKSPACE] = "backward_workspace", [CSV_REPEAT] = "repeat",
};

enum quantity { TEXT, TIME, SIZE };
static enum quantity quantity_of(enum csv_field field) {
    switch (field) {
    case CSV_NAME: case CSV_REPEAT: return TEXT;
    case CSV_FORWARD: case CSV_BACKWARD: return TIME;
    default: return SIZE;
    }
}
static bool is_required(enum csv_field field) { return field <= CSV_BACKWARD; }

static const struct { const char *name; enum quantity quantity; double scale; } UNITS[] = {
    { "us", TIME, 1 }, { "ms", TIME, 1e3 }, { "s", TIME, 1e6 },
    { "bytes", SIZE, 1 }, { "kb", SIZE, 1e3 }, { "mb", SIZE, 1e6 }, { "gb", SIZE, 1e9 },
    { "kib", SIZE, 1024.0 }, { "mib", SIZE, 1024.0 * 1024 }, { "gib", SIZE, 1024.0 * 1024 * 1024 },
};

/* Tables that are known by their columns: MAP holds when every column in it is there. */
static const struct { const char *name, *map; double failed_us; } DIALECTS[] = {
    /* microsoft/SuperScaler, profiled-time-eurosys: us and MiB. An op's activations are what it leaves in memory, its
     * output among it; output_size is what crosses to the next op, residual connections included. */
    { "Aceso", "name=op_name,forward_us=forward-compute,backward_us=backward-compute,"
               "activation_and_output_mib=activations,output_mib=output_size,weight_mib=weights", 10000000 },
};

/* "forward_us" is FORWARD in microseconds. */
static bool read_field(struct piece text, enum csv_field *field, double *scale) {
    for (int f = 0; f < CSV_FIELD_COUNT; f++) {
        const size_t length = strlen(CSV_FIELD_NAME[f]);
        if (!piece_starts(text, CSV_FIELD_NAME[f])) continue;
        const struct piece rest = { text.at + length, text.length - length };
        *field = (enum csv_field)f;
        *scale = 1;
        if (quantity_of((enum csv_field)f) == TEXT && rest.length == 0) return true;
        for (size_t u = 0; u < sizeof UNITS / sizeof *UNITS && rest.length && rest.at[0] == '_'; u++) {
            *scale = UNITS[u].scale;
            if (UNITS[u].quantity == quantity_of((enum csv_field)f) &&
                piece_equal((struct piece){ rest.at + 1, rest.length - 1 }, UNITS[u].name))
                return true;
        }
    }
    return false;
}

static uint32_t find_column(const struct piece *header, uint32_t count, struct piece name) {
    for (uint32_t i = 0; i < count; i++)
        if (header[i].length == name.length && memcmp(header[i].at, name.at, name.length) == 0) return i;
    return NONE;
}

/* "enc-1..enc-9*24" */
static bool read_block(struct piece text, struct csv_block *block) {
    struct piece rest, number;
    uint64_t times;
    if (!piece_split(text, "..", &block->first, &rest) || !piece_split(rest, "*", &block->last, &number) ||
        !piece_bytes(number, &times) || times < 1 || times > CSV_LARGEST_REPEAT)
        return false;
    block->times = (uint32_t)times;
    return block->first.length && block->last.length;
}

static enum ss_status bad_map(struct error *error, const char *expected, struct piece found) {
    char quoted[QUOTE_TEXT];
    return error_set(error, SS_USAGE, "map: expected %s, found %s", expected, piece_quote(found, quoted));
}

static enum ss_status take_entry(struct csv_columns *columns, const struct piece *header, uint32_t count,
                                 struct piece entry, struct error *error) {
    struct piece name, value;
    enum csv_field field;
    double scale;
    piece_split(entry, "=", &name, &value);
    name = piece_trim(name), value = piece_trim(value);
    if (!read_field(name, &field, &scale))
        return bad_map(error, "name, repeat, forward_us, backward_us, activation_bytes, output_bytes, "
                       "activation_and_output_bytes, weight_bytes, forward_workspace_bytes or backward_workspace_bytes, "
                       "or one of them in another unit", name);
    const uint32_t at = find_column(header, count, value);
    if (field == CSV_REPEAT && at == NONE && columns->block_count < CSV_BLOCKS &&
        read_block(value, &columns->blocks[columns->block_count])) {
        columns->block_count++;
        return SS_OK;
    }
    if (at == NONE)
        return bad_map(error, field == CSV_REPEAT ? "a column of the table, or FIRST..LAST*TIMES" : "a column of the table",
                       value);
    columns->field[field] = (struct csv_column){ at, scale };
    return SS_OK;
}

static enum ss_status take_map(struct csv_columns *columns, const struct piece *header, uint32_t count, const char *map,
                               struct error *error) {
    struct piece entry, rest = piece_of(map);
    enum ss_status status = SS_OK;
    for (bool more = true; more && status == SS_OK;) {
        more = piece_split(rest, ",", &entry, &rest);
        status = take_entry(columns, header, count, entry, error);
    }
    return status;
}

static struct csv_columns none(void) {
    struct csv_columns columns = { .failed_us = NAN };
    for (int f = 0; f < CSV_FIELD_COUNT; f++) columns.field[f].at = NONE;
    return columns;
}

static enum ss_status check(const struct csv_columns *columns, struct piece header, struct error *error) {
    char quoted[QUOTE_TEXT];
    for (int f = 0; f < CSV_FIELD_COUNT; f++) {
        if (!is_required((enum csv_field)f) || columns->field[f].at != NONE) continue;
        return error_set(error, SS_BAD_INPUT, "expected the names of columns, %s%s among them, or a map that tells them; "
                         "found %s", CSV_FIELD_NAME[f], quantity_of((enum csv_field)f) == TIME ? "_us" : "",
                         piece_quote(header, quoted));
    }
    if (columns->field[CSV_ACTIVATION].at != NONE && columns->field[CSV_ACTIVATION_AND_OUTPUT].at != NONE)
        return error_set(error, SS_USAGE, "map: expected activation or activation_and_output, found both");
    return SS_OK;
}

static enum ss_status find(struct csv_columns *columns, struct piece header, const char *map, struct arena *arena,
                           struct error *error) {
    struct piece cells[CSV_LARGEST_ROW];
    uint32_t count;
    enum ss_status status = csv_cells(header, cells, &count, arena, error);
    if (status != SS_OK) return status;
    if (count > CSV_LARGEST_ROW)
        return error_set(error, SS_BAD_INPUT, "expected at most %d columns, found %u", CSV_LARGEST_ROW, (unsigned)count);
    for (uint32_t i = count; i-- > 0;) { /* of two columns of one name the first counts */
        enum csv_field field;
        double scale;
        if (read_field(cells[i], &field, &scale)) columns->field[field] = (struct csv_column){ i, scale };
    }
    for (size_t d = 0; d < sizeof DIALECTS / sizeof *DIALECTS && !columns->dialect; d++) {
        struct csv_columns known = none();
        if (take_map(&known, cells, count, DIALECTS[d].map, NULL) != SS_OK) continue;
        *columns = known;
        columns->dialect = DIALECTS[d].name;
        columns->failed_us = DIALECTS[d].failed_us;
    }
    columns->count = count;
    if (map && (status = take_map(columns, cells, count, map, error)) != SS_OK) return status;
    return check(columns, header, error);
}

enum ss_status csv_columns_find(struct csv_columns *columns, struct piece header, const char *map, struct arena *arena,
                                struct error *error) {
    *columns = none();
    enum ss_status status = find(columns, header, map, arena, error);
    if (status == SS_BAD_INPUT) error_place(error, "line 1");
    return status;
}

/* One cell at the start of REST; REST becomes what follows it, MORE whether a comma did. */
static enum ss_status take_cell(struct piece *rest, struct piece *cell, bool *more, struct arena *arena,
                                struct error *error) {
    const struct piece text = piece_trim(*rest);
    if (text.length == 0 || text.at[0] != '"') {
        *more = piece_split(*rest, ",", cell, rest);
        *cell = piece_trim(*cell);
        return SS_OK;
    }
    char *copy = ARENA_ARRAY(arena, char, text.length), quoted[QUOTE_TEXT];
    size_t from = 1, to = 0;
    if (!copy) return error_no_memory(error);
    while (from < text.length && !(text.at[from] == '"' && (from + 1 == text.length || text.at[from + 1] != '"'))) {
        copy[to++] = text.at[from];
        from += text.at[from] == '"' ? 2 : 1;
    }
    const bool closed = from < text.length;
    struct piece between = { text.at + text.length, 0 }, after = between;
    if (closed) after = (struct piece){ text.at + from + 1, text.length - from - 1 };
    *more = piece_split(after, ",", &between, rest);
    if (!closed || piece_trim(between).length)
        return error_set(error, SS_BAD_INPUT, "expected a quote to close before the next comma, found %s",
                         piece_quote(text, quoted));
    *cell = (struct piece){ copy, to };
    return SS_OK;
}

enum ss_status csv_cells(struct piece line, struct piece cells[CSV_LARGEST_ROW], uint32_t *count, struct arena *arena,
                         struct error *error) {
    struct piece rest = line, cell;
    *count = 0;
    for (bool more = true; more; ++*count) {
        enum ss_status status = take_cell(&rest, &cell, &more, arena, error);
        if (status != SS_OK) return status;
        if (*count < CSV_LARGEST_ROW) cells[*count] = cell;
    }
    return SS_OK;
}
