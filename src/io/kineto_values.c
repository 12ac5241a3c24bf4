#include "kineto_values.h"

#include <string.h>

#include "kineto_kinds.h"
#include "kineto_scan.h"

#define ARGUMENTS_MOST 64  /* tensors that one op reads, as far as they are told apart */
#define LOOK_BACK 512      /* tensors among which an input is sought */
#define ROUNDING 512       /* the GPU's allocator hands out multiples of this */

/* One look at a storage: its output, a view of it, or what an op in place left of it. */
struct value {
    uint32_t storage;      /* NONE: memory that nothing in the step made */
    struct piece dims;     /* raw JSON; empty: not known */
    uint64_t bytes;        /* the most it can have while dims are not known; UINT64_MAX: no limit known */
    bool view, read, gone;
};

struct argument { struct piece dims; uint32_t place; uint64_t elements, bytes; bool scalar; };

struct operand { uint32_t storage, next; };

struct finder {
    struct kineto_values *values;
    const struct kineto_trace *trace;
    const struct kineto_links *links;
    struct value *list;         uint32_t count;
    struct argument arguments[ARGUMENTS_MOST]; uint32_t argument_count;
    uint32_t read[ARGUMENTS_MOST]; uint32_t read_count; /* storages, each once */
    uint32_t target;            /* of an op in place: the place in list; NONE */
    bool *sized;                /* beside storages */
    double *extra_per_element;  /* beside rows */
    uint32_t *in_place_operands; /* beside rows: list of what ops in place on its output read, or NONE */
    struct operand *operands;   uint32_t operand_count, operand_room;
    struct error *error;
};

static enum ss_status too_large(struct finder *finder) {
    return error_set(finder->error, SS_BAD_INPUT, "expected tensors below 2^53 bytes, found a shape beyond");
}

static uint64_t bytes_of_type(struct piece type) {
    static const struct { const char *name; uint64_t bytes; } TYPES[] = {
        { "float", 4 }, { "double", 8 }, { "c10::Half", 2 }, { "c10::BFloat16", 2 }, { "long int", 8 }, { "long", 8 },
        { "int", 4 }, { "unsigned char", 1 }, { "signed char", 1 }, { "bool", 1 }, { "short", 2 }, { "short int", 2 },
        { "c10::complex<float>", 8 }, { "c10::complex<double>", 16 }, { "c10::Float8_e4m3fn", 1 },
        { "c10::Float8_e5m2", 1 }, { "long long", 8 },
    };
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (piece_equal(type, TYPES[i].name))
            return TYPES[i].bytes;
    return 0;
}

static enum ss_status add_argument(struct finder *finder, struct piece dims, struct piece type, uint32_t place) {
    struct kineto_cursor cursor = { 0 };
    struct argument argument = { .dims = dims, .place = place, .elements = 1, .scalar = true };
    struct piece number;
    int64_t size;
    while (kineto_element(dims, &cursor, &number)) {
        if (!kineto_whole(number, &size) || size < 0)
            return SS_OK; /* no shape */
        argument.scalar = false;
        if (size > 0 && argument.elements > BYTES_LIMIT / (uint64_t)size)
            return too_large(finder);
        argument.elements *= (uint64_t)size;
    }
    const uint64_t width = bytes_of_type(kineto_bare(type));
    if (cursor.faulty || (argument.scalar && width == 0) || argument.elements == 0)
        return SS_OK; /* a scalar that is no tensor, or nothing at all */
    finder->values->untyped += width == 0;
    argument.bytes = argument.elements * (width ? width : 4);
    if (argument.bytes >= BYTES_LIMIT)
        return too_large(finder);
    if (finder->argument_count < ARGUMENTS_MOST)
        finder->arguments[finder->argument_count++] = argument;
    return SS_OK;
}

/* "[[2, 3], [], [[4], [5]]]": a list of tensors stands in one more pair of brackets. */
static enum ss_status read_arguments(struct finder *finder, const struct kineto_op *op) {
    struct kineto_cursor cursor = { 0 }, type_cursor = { 0 };
    enum ss_status status = SS_OK;
    finder->argument_count = 0;
    if (op->dims == NONE)
        return SS_OK;
    const struct piece shapes = piece_of(finder->trace->words[op->dims]);
    const struct piece types = op->types == NONE ? piece_of("") : piece_of(finder->trace->words[op->types]);
    struct piece shape, type;
    for (uint32_t place = 0; status == SS_OK && kineto_element(shapes, &cursor, &shape); place++) {
        if (type_cursor.faulty || !kineto_element(types, &type_cursor, &type))
            type = piece_of("");
        struct kineto_cursor inner = { 0 };
        struct piece first;
        if (kineto_element(shape, &inner, &first) && first.at[0] == '[') {
            do status = add_argument(finder, first, type, place);
            while (status == SS_OK && kineto_element(shape, &inner, &first));
        } else if (shape.at[0] == '[') {
            status = add_argument(finder, shape, type, place);
        }
    }
    return status;
}

/* How well a value may be what ARGUMENT is, 0: not at all. A shape that is known decides; a size that is known leaves room
 * for what the op made for its backward besides. */
enum { NO_FIT, LOOSE_FIT, READ_FIT, OPEN_FIT, GOOD_FIT };

static int fit_of(const struct finder *finder, const struct value *value, const struct argument *argument) {
    if (value->gone)
        return NO_FIT;
    if (value->dims.length > 0) {
        const bool same = value->dims.length == argument->dims.length && value->bytes == argument->bytes &&
                          memcmp(value->dims.at, argument->dims.at, argument->dims.length) == 0;
        return !same ? NO_FIT : value->read ? READ_FIT : GOOD_FIT;
    }
    if (value->read || argument->bytes > value->bytes)
        return NO_FIT;
    if (value->bytes == UINT64_MAX)
        return OPEN_FIT;
    const double width = (double)argument->bytes / (double)argument->elements;
    const double extra = value->storage == NONE || value->view ? 0 : finder->extra_per_element[value->storage / 2];
    const double likely = (double)value->bytes * width / (width + extra);
    return (double)argument->bytes + ROUNDING >= likely * 15 / 16 ? GOOD_FIT : LOOSE_FIT;
}

/* The place in the list of what ARGUMENT is taken to be, or NONE; nothing that this op has read already. */
static uint32_t find_value(struct finder *finder, const struct argument *argument) {
    uint32_t best = NONE, equals = 0;
    int best_fit = NO_FIT;
    const uint32_t stop = finder->count > LOOK_BACK ? finder->count - LOOK_BACK : 0;
    for (uint32_t v = finder->count; v-- > stop;) {
        const struct value *value = &finder->list[v];
        bool used = false;
        for (uint32_t i = 0; i < finder->read_count && value->storage != NONE; i++)
            used = used || finder->read[i] == value->storage;
        const int fit = used ? NO_FIT : fit_of(finder, value, argument);
        if (fit == NO_FIT || fit < best_fit)
            continue;
        equals = fit == best_fit ? equals + 1 : 0;
        best = fit > best_fit ? v : best;
        best_fit = fit;
    }
    finder->values->ambiguous += equals > 0;
    return best;
}

/* A value's shape shows when it is read first, if not before; of an output, that is its size. */
static void learn(struct finder *finder, struct value *value, const struct argument *argument) {
    if (value->dims.length > 0)
        return;
    value->dims = argument->dims;
    value->bytes = argument->bytes;
    if (value->view || value->storage == NONE || finder->sized[value->storage])
        return;
    const uint32_t row = value->storage / 2;
    struct kineto_storage *out = &finder->values->storages[value->storage];
    finder->sized[value->storage] = true;
    out->bytes = argument->bytes;
    struct kineto_storage *extra = out + 1;
    if (finder->links->has_memory) {
        const uint64_t retained = (uint64_t)finder->links->rows[row].retained_bytes;
        extra->bytes = retained - out->bytes;
        if (extra->bytes < ROUNDING) {
            out->bytes = retained;
            extra->bytes = 0;
        }
    } else {
        extra->bytes = (uint64_t)(finder->extra_per_element[row] * (double)argument->elements);
    }
    extra->used = extra->bytes > 0;
}

static enum ss_status add_static(struct finder *finder, uint64_t bytes) {
    return bytes_add(finder->values->static_bytes, bytes, &finder->values->static_bytes) ? SS_OK : too_large(finder);
}

static void note_read(struct finder *finder, uint32_t v) {
    const uint32_t storage = finder->list[v].storage;
    for (uint32_t i = 0; i < finder->read_count; i++)
        if (finder->read[i] == storage)
            return;
    if (storage != NONE)
        finder->read[finder->read_count++] = storage;
}

static enum ss_status find_inputs(struct finder *finder, const struct kineto_kind *kind) {
    enum ss_status status = SS_OK;
    finder->read_count = 0;
    finder->target = NONE;
    for (uint32_t a = 0; a < finder->argument_count && status == SS_OK; a++) {
        const struct argument *argument = &finder->arguments[a];
        const bool parameter = argument->place < 32 && (kind->parameters >> argument->place & 1);
        const uint32_t v = parameter ? NONE : find_value(finder, argument);
        if (v != NONE) {
            const struct value *value = &finder->list[v];
            finder->values->by_order += value->dims.length == 0 && value->bytes == UINT64_MAX;
            learn(finder, &finder->list[v], argument);
            finder->list[v].read = true;
            note_read(finder, v);
            finder->target = a == 0 ? v : finder->target;
        } else if (!argument->scalar) {
            status = add_static(finder, argument->bytes);
            if (parameter && status == SS_OK)
                status = add_static(finder, argument->bytes);
        }
    }
    if (finder->argument_count == 0 && finder->count > 0) { /* no shapes: the op before */
        finder->values->ambiguous += finder->values->shaped > 0;
        finder->list[finder->count - 1].read = true;
        note_read(finder, finder->count - 1);
        finder->target = finder->count - 1;
    }
    finder->values->shaped += finder->argument_count > 0;
    return status;
}

/* Whether the op's result can be put where its first input stands: all else that it reads is older than that. */
static bool shares_target(const struct finder *finder, const char *name) {
    if (finder->target == NONE || !kineto_in_place(name) || finder->list[finder->target].storage == NONE)
        return false;
    for (uint32_t i = 0; i < finder->read_count; i++)
        if (finder->read[i] > finder->list[finder->target].storage)
            return false;
    return true;
}

static void overwrite(struct finder *finder, uint32_t r) {
    struct value *old = &finder->list[finder->target];
    const uint32_t producer = old->storage / 2;
    old->gone = true;
    finder->list[finder->count++] = (struct value){ old->storage, old->dims, old->bytes, old->view, false, false };
    finder->values->readings[producer].in_place_ns += finder->links->rows[r].forward_ns;
    for (uint32_t i = 0; i < finder->read_count; i++) {
        if (finder->read[i] == old->storage || finder->operand_count == finder->operand_room)
            continue;
        finder->operands[finder->operand_count] = (struct operand){ finder->read[i], finder->in_place_operands[producer] };
        finder->in_place_operands[producer] = finder->operand_count++;
    }
}

/* An op that moves nothing and keeps nothing shows its input anew. */
static bool is_view(const struct finder *finder, uint32_t r, const struct kineto_kind *kind) {
    const struct kineto_row *row = &finder->links->rows[r];
    if (row->retained_bytes > 0 || finder->argument_count == 0)
        return false;
    return kind->view && (!finder->links->on_gpu || row->forward_ns == 0);
}

static void add_result(struct finder *finder, uint32_t r, const struct kineto_kind *kind, const char *name) {
    const struct kineto_row *row = &finder->links->rows[r];
    struct kineto_storage *out = &finder->values->storages[2 * r];
    const bool memory = finder->links->has_memory;
    if (is_view(finder, r, kind)) {
        const struct value *source = finder->target == NONE ? NULL : &finder->list[finder->target];
        finder->list[finder->count++] = (struct value){ .storage = source ? source->storage : NONE, .view = true,
                                                        .bytes = finder->arguments[0].bytes };
        return;
    }
    if (shares_target(finder, name)) {
        overwrite(finder, r);
        out[1].bytes = memory ? (uint64_t)row->retained_bytes : 0;
        out[1].used = out[1].bytes > 0;
        return;
    }
    out->used = true;
    finder->extra_per_element[r] = kind->extra_per_element;
    struct value *value = &finder->list[finder->count++];
    *value = (struct value){ .storage = 2 * r, .bytes = memory ? (uint64_t)row->retained_bytes : UINT64_MAX };
    if (kind->same && finder->argument_count > 0 && fit_of(finder, value, &finder->arguments[0]) >= OPEN_FIT)
        learn(finder, value, &finder->arguments[0]);
}

static void put_index(struct finder *finder, struct span *span, uint32_t storage) {
    struct kineto_values *values = finder->values;
    for (uint32_t i = span->at; i < span->at + span->count; i++)
        if (values->index[i] == storage)
            return;
    values->index[values->index_count++] = storage;
    span->count++;
}

/* What the backward reads; the row's own storages are put in when all sizes are known. */
static void list_reads(struct finder *finder, uint32_t r) {
    struct kineto_reading *reading = &finder->values->readings[r];
    reading->inputs.at = finder->values->index_count;
    for (uint32_t i = 0; i < finder->read_count; i++)
        put_index(finder, &reading->inputs, finder->read[i]);
}

static enum ss_status add_row(struct finder *finder, uint32_t r, const struct kineto_kind **kinds, uint32_t *results) {
    const struct kineto_op *op = &finder->trace->ops[finder->links->rows[r].op];
    const char *name = finder->trace->words[op->name];
    enum ss_status status = read_arguments(finder, op);
    kinds[r] = kineto_kind_of(name);
    finder->values->unknown += kinds[r]->unknown;
    if (status != SS_OK || (status = find_inputs(finder, kinds[r])) != SS_OK)
        return status;
    list_reads(finder, r);
    add_result(finder, r, kinds[r], name);
    results[r] = finder->list[finder->count - 1].storage;
    return SS_OK;
}

/* Outputs that nobody read: all that the op retained is theirs. */
static void settle_sizes(struct finder *finder) {
    for (uint32_t r = 0; r < finder->links->row_count; r++) {
        struct kineto_storage *out = &finder->values->storages[2 * r];
        if (!out->used || finder->sized[2 * r])
            continue;
        out->bytes = (uint64_t)finder->links->rows[r].retained_bytes;
        finder->values->unsized += !finder->links->has_memory;
    }
}

static void list_saved(struct finder *finder, uint32_t r, const struct kineto_kind *kind, uint32_t result,
                       const uint32_t *in_place_operands) {
    struct kineto_values *values = finder->values;
    struct kineto_reading *reading = &values->readings[r];
    const struct span own = reading->inputs;
    reading->inputs = (struct span){ values->index_count, 0 };
    for (uint32_t i = 0; i < own.count; i++)
        put_index(finder, &reading->inputs, values->index[own.at + i]);
    for (uint32_t o = in_place_operands[r]; o != NONE; o = finder->operands[o].next)
        put_index(finder, &reading->inputs, finder->operands[o].storage);
    reading->saved = (struct span){ values->index_count, 0 };
    for (uint32_t i = 0; i < own.count && (kind->saves & KINETO_INPUT); i++)
        put_index(finder, &reading->saved, values->index[own.at + i]);
    if ((kind->saves & KINETO_OUTPUT) && result != NONE)
        put_index(finder, &reading->saved, result);
    if (values->storages[2 * r + 1].used)
        put_index(finder, &reading->saved, 2 * r + 1);
}

enum ss_status kineto_values_find(struct kineto_values *values, const struct kineto_trace *trace,
                                  const struct kineto_links *links, struct arena *arena, struct error *error) {
    const size_t rows = links->row_count, reads = rows * (size_t)ARGUMENTS_MOST;
    struct finder finder = { .values = values, .trace = trace, .links = links, .error = error,
                             .operand_room = (uint32_t)(4 * rows) };
    *values = (struct kineto_values){ .storages = ARENA_ARRAY(arena, struct kineto_storage, 2 * rows),
                                      .readings = ARENA_ARRAY(arena, struct kineto_reading, rows),
                                      .index = ARENA_ARRAY(arena, uint32_t, 4 * reads) };
    const struct kineto_kind **kinds = ARENA_ARRAY(arena, const struct kineto_kind *, rows);
    uint32_t *results = ARENA_ARRAY(arena, uint32_t, rows);
    finder.list = ARENA_ARRAY(arena, struct value, rows);
    finder.sized = ARENA_ARRAY(arena, bool, 2 * rows);
    finder.extra_per_element = ARENA_ARRAY(arena, double, rows);
    finder.in_place_operands = ARENA_ARRAY(arena, uint32_t, rows);
    finder.operands = ARENA_ARRAY(arena, struct operand, finder.operand_room);
    if (!values->storages || !values->readings || !values->index || !kinds || !results || !finder.list || !finder.sized ||
        !finder.extra_per_element || !finder.in_place_operands || !finder.operands)
        return error_no_memory(error);
    for (uint32_t r = 0; r < rows; r++) finder.in_place_operands[r] = NONE;
    for (uint32_t r = 0; r < rows; r++) {
        enum ss_status status = add_row(&finder, r, kinds, results);
        if (status != SS_OK)
            return status;
    }
    settle_sizes(&finder);
    for (uint32_t r = 0; r < rows; r++) list_saved(&finder, r, kinds[r], results[r], finder.in_place_operands);
    return SS_OK;
}
