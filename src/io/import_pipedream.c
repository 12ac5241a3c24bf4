#include "import_pipedream.h"

#include <math.h>
#include <string.h>

#include "pipedream_graph.h"
#include "pipedream_kinds.h"

/* One version of a node's output. An in-place op makes a new value in its operand's storage; a view makes none. */
struct value {
    uint32_t maker; /* node */
    uint32_t storage;
    uint64_t bytes;
    uint32_t readers; /* nodes, views aside */
};
struct storage {
    uint32_t producer; /* node, or NONE: data */
    uint32_t tensor;
    double in_place_us; /* what in-place ops do to it after its producer */
    uint32_t operands;  /* what they read besides it: head of a list in import.operands */
};
struct operand { uint32_t value, next; };

struct item { /* beside graph.nodes */
    const struct kind *kind;
    struct piece kind_name, arguments;
    uint32_t made_at; /* place in the order, from 1; 0: data */
    bool input, in_place;
    bool shares;        /* in place, and in its operand's storage */
    struct span values; /* numbers in a row; a view has its operand's */
    struct span reads;  /* import.reads[]: values, each once */
    const char *layer;
};

struct import {
    struct graph graph;
    struct item *items;
    struct value *values;     uint32_t value_count;
    struct storage *storages; uint32_t storage_count;
    uint32_t *reads;          uint32_t read_count;
    struct operand *operands; uint32_t operand_count;
    uint32_t *stamps;         uint32_t stamp; /* a mark for each value or storage: seen in this round */
    uint32_t *inputs, *saved, *outputs; /* of the op at hand */
    bool *kind_used;          /* beside KINDS */
    struct arena *arena;      /* of the profile */
    struct arena scratch;     /* of everything above */
    struct profile *profile;
    struct import_remarks *remarks;
    struct pipedream_totals *totals;
    struct error *error;
};

/* "ReLU(inplace)", "Dropout(p=0.5, inplace=True)", but not "inplace=False". */
static bool says_in_place(struct piece arguments) {
    struct piece before, after;
    return piece_split(arguments, "inplace", &before, &after) && !piece_starts(after, "=False");
}

static void classify(struct import *import, uint32_t n) {
    const struct graph_node *node = &import->graph.nodes[n];
    struct item *item = &import->items[n];
    piece_split(node->description, "(", &item->kind_name, &item->arguments);
    item->kind_name = piece_trim(item->kind_name);
    item->input = node->inputs.count == 0 && node->backward_ms == 0 && node->parameter_bytes == 0 &&
                  (piece_starts(item->kind_name, "Input") || node->forward_ms == 0);
    item->kind = kind_of(item->kind_name);
    item->in_place = item->kind->role == COMPUTES && !item->input && says_in_place(item->arguments);
    if (!item->input) import->kind_used[item->kind - KINDS] = true;
}

static enum ss_status add_bytes(struct import *import, const struct graph_node *node, uint64_t bytes, uint64_t *sum) {
    if (bytes_add(*sum, bytes, sum)) return SS_OK;
    error_set(import->error, SS_BAD_INPUT, "expected sizes that add up to less than 2^63 bytes");
    error_place(import->error, "line %u", (unsigned)node->line);
    return SS_BAD_INPUT;
}

static enum ss_status sum_up(struct import *import) {
    struct pipedream_totals *totals = import->totals;
    const struct graph *graph = &import->graph;
    enum ss_status status = SS_OK;
    *totals = (struct pipedream_totals){ .nodes = graph->node_count, .edges = graph->edge_count };
    for (uint32_t n = 0; n < graph->node_count && status == SS_OK; n++) {
        const struct graph_node *node = &graph->nodes[n];
        const struct item *item = &import->items[n];
        totals->forward_ms += node->forward_ms;
        totals->backward_ms += node->backward_ms;
        totals->inputs += item->input;
        totals->input_forward_ms += item->input ? node->forward_ms : 0;
        totals->views += !item->input && item->kind->role != COMPUTES;
        totals->in_place += item->in_place;
        totals->unknown += !item->input && item->kind->unknown;
        status = add_bytes(import, node, node->parameter_bytes, &totals->parameter_bytes);
        for (uint32_t i = 0; i < node->outputs.count && status == SS_OK; i++)
            status = add_bytes(import, node, graph->output_bytes[node->outputs.at + i], &totals->activation_bytes);
    }
    if (status == SS_OK && totals->forward_ms - totals->input_forward_ms + totals->backward_ms <= 0)
        return error_set(import->error, SS_BAD_INPUT, "expected measured times, found 0 for the forward and backward of "
                         "every node: this graph was written without profiling");
    return status;
}

/* What a view shows: element i of its operand for __getitem__(i), otherwise all of it. Of several operands it is the
 * first that has the view's size, or else the first that is a tensor at all. */
static struct span values_of_view(const struct import *import, uint32_t n) {
    const struct graph_node *node = &import->graph.nodes[n];
    const struct item *item = &import->items[n];
    const uint64_t bytes = import->graph.output_bytes[node->outputs.at];
    struct span shown = { 0, 0 };
    for (uint32_t i = 0; i < node->inputs.count; i++) {
        const struct span values = import->items[import->graph.inputs[node->inputs.at + i]].values;
        if (values.count == 0) continue;
        const bool fits = values.count == 1 && import->values[values.at].bytes == bytes;
        if (shown.count == 0 || fits) shown = values;
        if (fits) break;
    }
    uint64_t element;
    struct piece index, rest;
    piece_split(item->arguments, ")", &index, &rest);
    if (piece_equal(item->kind_name, "__getitem__") && piece_bytes(index, &element) && element < shown.count)
        return (struct span){ shown.at + (uint32_t)element, 1 };
    return shown;
}

/* Numbers the values in execution order and gathers what every op reads. */
static enum ss_status trace_values(struct import *import) {
    const struct graph *graph = &import->graph;
    size_t reads = 0;
    for (uint32_t k = 0; k < graph->node_count; k++) {
        const uint32_t n = graph->order[k];
        const struct graph_node *node = &graph->nodes[n];
        struct item *item = &import->items[n];
        item->made_at = item->input ? 0 : k + 1;
        for (uint32_t i = 0; i < node->inputs.count; i++)
            reads += import->items[graph->inputs[node->inputs.at + i]].values.count;
        if (!item->input && item->kind->role == HOST) continue;
        if (!item->input && item->kind->role == VIEW) {
            item->values = values_of_view(import, n);
            continue;
        }
        item->values = (struct span){ import->value_count, node->outputs.count };
        for (uint32_t i = 0; i < node->outputs.count; i++)
            import->values[import->value_count++] =
                (struct value){ .maker = n, .bytes = graph->output_bytes[node->outputs.at + i] };
    }
    import->reads = ARENA_ARRAY(&import->scratch, uint32_t, reads);
    import->operands = ARENA_ARRAY(&import->scratch, struct operand, reads);
    return import->reads && import->operands ? SS_OK : error_no_memory(import->error);
}

static void gather_reads(struct import *import, uint32_t n) {
    const struct span inputs = import->graph.nodes[n].inputs;
    struct item *item = &import->items[n];
    item->reads.at = import->read_count;
    import->stamp++;
    for (uint32_t i = 0; i < inputs.count; i++) {
        const struct span values = import->items[import->graph.inputs[inputs.at + i]].values;
        for (uint32_t v = values.at; v < values.at + values.count; v++) {
            if (import->stamps[v] == import->stamp) continue;
            import->stamps[v] = import->stamp;
            if (item->kind->role == COMPUTES) import->values[v].readers++;
            import->reads[import->read_count++] = v;
        }
    }
    item->reads.count = import->read_count - item->reads.at;
}

/* The operand in whose storage an in-place op may put its result: of the result's size, made on the GPU, read by nobody
 * else and not needed by its own maker's backward. The other operands must exist when that storage is made, so that it
 * can be rebuilt in one go. Of several the one made last; NONE when there is none. */
static uint32_t operand_overwritten(const struct import *import, uint32_t n) {
    const struct item *item = &import->items[n];
    const struct graph_node *node = &import->graph.nodes[n];
    uint32_t last = 0, before_last = 0, best = NONE, best_at = 0; /* when operands were made */
    for (uint32_t i = 0; i < item->reads.count; i++) {
        const uint32_t at = import->items[import->values[import->reads[item->reads.at + i]].maker].made_at;
        if (at >= last) before_last = last, last = at;
        else if (at > before_last) before_last = at;
    }
    if (item->kind->saves & INPUT || node->outputs.count != 1) return NONE;
    for (uint32_t i = 0; i < item->reads.count; i++) {
        const uint32_t v = import->reads[item->reads.at + i];
        const struct value *value = &import->values[v];
        const struct item *maker = &import->items[value->maker];
        const uint32_t producer = import->storages[value->storage].producer;
        const uint32_t others = maker->made_at == last ? before_last : last;
        if (producer == NONE || value->readers != 1 || maker->kind->saves & OUTPUT ||
            value->bytes != import->graph.output_bytes[node->outputs.at])
            continue;
        const uint32_t made_at = import->items[producer].made_at;
        if (others < made_at && made_at > best_at) best = v, best_at = made_at;
    }
    return best;
}

/* 4.07 ms are 4070 us, not the 4070.0000000000005 of the product: files have whole microseconds. */
static double microseconds(double ms) {
    const double us = 1e3 * ms, whole = nearbyint(us);
    return fabs(us - whole) < 1e-9 * whole ? whole : us;
}

static void share_storage(struct import *import, uint32_t n, uint32_t overwritten) {
    struct item *item = &import->items[n];
    const uint32_t s = import->values[overwritten].storage;
    struct storage *storage = &import->storages[s];
    item->shares = true;
    import->values[item->values.at].storage = s;
    storage->in_place_us += microseconds(import->graph.nodes[n].forward_ms);
    for (uint32_t i = 0; i < item->reads.count; i++) {
        const uint32_t v = import->reads[item->reads.at + i];
        if (v == overwritten) continue;
        import->operands[import->operand_count] = (struct operand){ v, storage->operands };
        storage->operands = import->operand_count++;
    }
}

static void place_values(struct import *import, uint32_t n) {
    struct item *item = &import->items[n];
    if (!item->input && item->kind->role != COMPUTES) return;
    const uint32_t overwritten = item->in_place ? operand_overwritten(import, n) : NONE;
    if (overwritten != NONE) {
        share_storage(import, n, overwritten);
        return;
    }
    import->totals->unshared += item->in_place;
    for (uint32_t i = 0; i < item->values.count; i++) {
        import->values[item->values.at + i].storage = import->storage_count;
        import->storages[import->storage_count++] =
            (struct storage){ .producer = item->input ? NONE : n, .tensor = NONE, .operands = NONE };
    }
}

/* "node7", "node7[1]" where there are several, "node7 mask" for what only the backward reads. */
static enum ss_status add_output(struct import *import, uint32_t n, uint32_t i, uint32_t *tensor) {
    const struct graph_node *node = &import->graph.nodes[n];
    struct tensor_spec spec = { .name = node->id, .bytes = import->graph.output_bytes[node->outputs.at + i] };
    if (node->outputs.count > 1) spec.name = arena_printf(&import->scratch, "%s[%u]", node->id, (unsigned)i);
    if (!spec.name) return error_no_memory(import->error);
    return profile_add_tensor(import->profile, &spec, tensor, import->error);
}

static enum ss_status add_outputs(struct import *import, uint32_t n, uint32_t *count) {
    const struct item *item = &import->items[n];
    enum ss_status status = SS_OK;
    for (uint32_t i = 0; i < item->values.count && status == SS_OK; i++) {
        uint32_t *tensor = &import->storages[import->values[item->values.at + i].storage].tensor;
        status = add_output(import, n, i, tensor);
        import->outputs[(*count)++] = *tensor;
    }
    return status;
}

static enum ss_status add_extra(struct import *import, uint32_t n, uint32_t *tensor) {
    const struct graph_node *node = &import->graph.nodes[n];
    const struct kind *kind = import->items[n].kind;
    double bytes = 0;
    for (uint32_t i = 0; i < node->outputs.count; i++)
        bytes += (double)import->graph.output_bytes[node->outputs.at + i];
    bytes *= kind->extra_ratio;
    if (bytes >= (double)BYTES_LIMIT) {
        error_set(import->error, SS_BAD_INPUT, "expected %s below 2^53 bytes, found %.3g", kind->extra, bytes);
        error_place(import->error, "line %u", (unsigned)node->line);
        return SS_BAD_INPUT;
    }
    const struct tensor_spec spec = { .name = arena_printf(&import->scratch, "%s %s", node->id, kind->extra),
                                      .bytes = (uint64_t)bytes, .no_gradient = true };
    if (!spec.name) return error_no_memory(import->error);
    return profile_add_tensor(import->profile, &spec, tensor, import->error);
}

/* Appends the tensor of value V unless it is in the list of this round. */
static void list_tensor(struct import *import, uint32_t v, uint32_t *list, uint32_t *count) {
    const uint32_t s = import->values[v].storage;
    if (import->stamps[s] == import->stamp) return;
    import->stamps[s] = import->stamp;
    list[(*count)++] = import->storages[s].tensor;
}

static void list_reads(struct import *import, const struct item *item, uint32_t *list, uint32_t *count) {
    for (uint32_t i = 0; i < item->reads.count; i++)
        list_tensor(import, import->reads[item->reads.at + i], list, count);
}

/* What the in-place ops on the outputs of ITEM read: rebuilding an output takes them too. */
static void list_in_place_operands(struct import *import, const struct item *item, uint32_t *list, uint32_t *count) {
    for (uint32_t i = 0; i < item->values.count; i++) {
        const struct storage *storage = &import->storages[import->values[item->values.at + i].storage];
        for (uint32_t o = storage->operands; o != NONE; o = import->operands[o].next)
            list_tensor(import, import->operands[o].value, list, count);
    }
}

/* The layer of what the op reads, of several the one made last; a layer of its own where the kind leads one. */
static const char *layer_of(const struct import *import, const struct item *item, const char *own) {
    const struct item *before = NULL;
    for (uint32_t i = 0; i < item->reads.count && !item->kind->leads; i++) {
        const struct item *maker = &import->items[import->values[import->reads[item->reads.at + i]].maker];
        if (maker->layer && (!before || maker->made_at > before->made_at)) before = maker;
    }
    return before ? before->layer : own;
}

static enum ss_status add_op(struct import *import, uint32_t n) {
    const struct graph_node *node = &import->graph.nodes[n];
    struct item *item = &import->items[n];
    struct op_spec spec = { .forward_us = microseconds(node->forward_ms),
                            .backward_us = microseconds(node->backward_ms),
                            .inputs = import->inputs, .outputs = import->outputs, .saved = import->saved };
    enum ss_status status = SS_OK;
    spec.kind = piece_copy(item->kind_name, &import->scratch);
    spec.name = spec.kind ? arena_printf(&import->scratch, "%s %s", node->id, spec.kind) : NULL;
    if (!spec.name) return error_no_memory(import->error);
    spec.layer = item->layer = layer_of(import, item, spec.name);
    spec.recompute_us = spec.forward_us;

    import->stamp++;
    list_reads(import, item, import->inputs, &spec.input_count);
    if (!item->shares && item->kind->role == COMPUTES) {
        list_in_place_operands(import, item, import->inputs, &spec.input_count);
        status = add_outputs(import, n, &spec.output_count);
        for (uint32_t i = 0; i < item->values.count; i++)
            spec.recompute_us += import->storages[import->values[item->values.at + i].storage].in_place_us;
    }
    import->stamp++;
    if (item->kind->saves & INPUT) list_reads(import, item, import->saved, &spec.saved_count);
    for (uint32_t i = 0; i < item->values.count && item->kind->saves & OUTPUT; i++)
        list_tensor(import, item->values.at + i, import->saved, &spec.saved_count);
    if (status == SS_OK && item->kind->extra) {
        uint32_t tensor;
        status = add_extra(import, n, &tensor);
        import->outputs[spec.output_count++] = import->saved[spec.saved_count++] = tensor;
    }
    return status == SS_OK ? profile_add_op(import->profile, &spec, NULL, import->error) : status;
}

static enum ss_status add_node(struct import *import, uint32_t n) {
    const struct graph_node *node = &import->graph.nodes[n];
    const struct item *item = &import->items[n];
    uint64_t *data_bytes = &import->profile->static_bytes;
    if (!item->input) {
        const bool idle = item->kind->role != COMPUTES && node->forward_ms == 0 && node->backward_ms == 0;
        return idle ? SS_OK : add_op(import, n);
    }
    uint32_t count = 0;
    enum ss_status status = add_outputs(import, n, &count);
    for (uint32_t i = 0; i < node->outputs.count && status == SS_OK; i++)
        status = add_bytes(import, node, import->graph.output_bytes[node->outputs.at + i], data_bytes);
    return status;
}

static enum ss_status warn(struct import *import, const char *text) {
    if (!text) return error_no_memory(import->error);
    import->remarks->warnings[import->remarks->warning_count++] = text;
    return SS_OK;
}

static enum ss_status warn_about_nodes(struct import *import) {
    const struct pipedream_totals *totals = import->totals;
    enum ss_status status = SS_OK;
    uint32_t unknown = NONE, unshared = NONE; /* the first of each */
    char quoted[QUOTE_TEXT];
    for (uint32_t n = import->graph.node_count; n-- > 0;) {
        const struct item *item = &import->items[n];
        if (!item->input && item->kind->unknown) unknown = n;
        if (item->in_place && !item->shares) unshared = n;
    }
    if (unknown != NONE)
        status = warn(import, arena_printf(import->arena, "%u ops of unknown kind are taken to save their inputs and "
                      "outputs; the first is %s on line %u", (unsigned)totals->unknown,
                      piece_quote(import->items[unknown].kind_name, quoted),
                      (unsigned)import->graph.nodes[unknown].line));
    if (unshared != NONE && status == SS_OK)
        status = warn(import, arena_printf(import->arena, "%u in-place ops overwrite what is still needed and got a "
                      "tensor of their own; the first is %s on line %u", (unsigned)totals->unshared,
                      piece_quote(piece_of(import->graph.nodes[unshared].id), quoted),
                      (unsigned)import->graph.nodes[unshared].line));
    return status;
}

/* "Conv* input, MaxPool* input and indices": the kinds in this file, and what they save. */
static const char *words_saved(struct import *import) {
    const char *words = "";
    for (uint32_t k = 0; k < KIND_COUNT && words; k++) {
        const struct kind *kind = &KINDS[k];
        if (!import->kind_used[k] || kind->role != COMPUTES) continue;
        words = arena_printf(&import->scratch, "%s%s%s %s%s%s", words, *words ? ", " : "",
                             kind->unknown ? "other" : kind->name,
                             kind->extra && !kind->saves ? "" : SAVES_WORDS[kind->saves],
                             kind->extra && kind->saves ? " and " : "", kind->extra ? kind->extra : "");
    }
    return words;
}

static enum ss_status describe(struct import *import, const char *name) {
    const struct pipedream_totals *totals = import->totals;
    const char *saved = words_saved(import);
    import->remarks->summary = arena_printf(import->arena, "%u nodes, %u edges; forward %.3f ms, of which %.3f ms of data "
        "loading in %u input nodes left out; backward %.3f ms; activations %llu bytes, parameters %llu bytes; %u in-place "
        "ops, %u views", (unsigned)totals->nodes, (unsigned)totals->edges, totals->forward_ms, totals->input_forward_ms,
        (unsigned)totals->inputs, totals->backward_ms, (unsigned long long)totals->activation_bytes,
        (unsigned long long)totals->parameter_bytes, (unsigned)totals->in_place, (unsigned)totals->views);
    import->profile->name = arena_strdup(import->arena, name);
    if (import->remarks->summary && saved)
        import->profile->source = arena_printf(import->arena, "PipeDream graph: %s. In-place ops and views share their "
            "operand's storage. static_bytes: parameters, their gradients and the batch; optimizer state is not recorded. "
            "Saved for backward: %s", import->remarks->summary, saved);
    return import->profile->name && import->profile->source ? SS_OK : error_no_memory(import->error);
}

static enum ss_status allocate(struct import *import) {
    const size_t nodes = import->graph.node_count;
    size_t outputs = 0;
    for (size_t n = 0; n < nodes; n++) outputs += import->graph.nodes[n].outputs.count;
    import->items = ARENA_ARRAY(&import->scratch, struct item, nodes);
    import->kind_used = ARENA_ARRAY(&import->scratch, bool, KIND_COUNT);
    import->values = ARENA_ARRAY(&import->scratch, struct value, outputs);
    import->storages = ARENA_ARRAY(&import->scratch, struct storage, outputs);
    import->stamps = ARENA_ARRAY(&import->scratch, uint32_t, outputs);
    import->inputs = ARENA_ARRAY(&import->scratch, uint32_t, outputs);
    import->saved = ARENA_ARRAY(&import->scratch, uint32_t, outputs + 1);
    import->outputs = ARENA_ARRAY(&import->scratch, uint32_t, outputs + 1);
    return import->items && import->kind_used && import->values && import->storages && import->stamps &&
           import->inputs && import->saved && import->outputs ? SS_OK : error_no_memory(import->error);
}

static enum ss_status build(struct import *import, const struct import_file *file) {
    const struct graph *graph = &import->graph;
    const struct piece text = { file->text, file->length };
    enum ss_status status;
    if ((status = graph_read(&import->graph, text, &import->scratch, import->error)) != SS_OK ||
        (status = allocate(import)) != SS_OK)
        return status;
    for (uint32_t n = 0; n < graph->node_count; n++) classify(import, n);
    if ((status = sum_up(import)) != SS_OK || (status = trace_values(import)) != SS_OK ||
        (status = profile_begin(import->profile, import->arena, import->error)) != SS_OK)
        return status;
    for (uint32_t k = 0; k < graph->node_count; k++) gather_reads(import, graph->order[k]);
    for (uint32_t k = 0; k < graph->node_count; k++) place_values(import, graph->order[k]);
    for (uint32_t k = 0; k < graph->node_count && status == SS_OK; k++) status = add_node(import, graph->order[k]);
    if (status != SS_OK || (status = describe(import, file->name)) != SS_OK ||
        (status = warn_about_nodes(import)) != SS_OK)
        return status;
    for (uint32_t n = 0; n < graph->node_count && status == SS_OK; n++) /* weights and their gradients */
        for (int copy = 0; copy < 2 && status == SS_OK; copy++)
            status = add_bytes(import, &graph->nodes[n], graph->nodes[n].parameter_bytes,
                               &import->profile->static_bytes);
    return status == SS_OK ? profile_finish(import->profile, NULL, import->error) : status;
}

enum ss_status import_pipedream_totals(const struct import_file *file, struct arena *arena, struct profile *profile,
                                       struct import_remarks *remarks, struct pipedream_totals *totals,
                                       struct error *error) {
    struct import import = { .arena = arena, .profile = profile, .remarks = remarks, .totals = totals, .error = error };
    *remarks = (struct import_remarks){ 0 };
    enum ss_status status = build(&import, file);
    arena_free(&import.scratch);
    return status;
}

enum ss_status import_pipedream(const struct import_file *file, struct arena *arena, struct profile *profile,
                                struct import_remarks *remarks, struct error *error) {
    struct pipedream_totals totals;
    return import_pipedream_totals(file, arena, profile, remarks, &totals, error);
}

bool import_pipedream_matches(const char *text, size_t length) {
    struct lines lines = { { text, length }, 0 };
    struct piece line, before, after;
    while (lines_next(&lines, &line))
        if (piece_trim(line).length)
            return piece_split(line, " -- ", &before, &after) && piece_split(after, " -- ", &before, &after) &&
                   piece_starts(after, "forward_compute_time=");
    return false;
}
