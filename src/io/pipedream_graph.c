#include "pipedream_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"

#define SEPARATOR " -- "

struct edge { struct piece from_id, to_id; uint32_t from, to, line; };

struct reader {
    struct graph *graph;
    struct arena *arena;
    struct edge *edges;
    uint32_t output_count;
    uint32_t *input_lines; /* beside graph.inputs: the line of that edge */
    struct error *error;
};

static enum ss_status bad_line(const struct reader *reader, uint32_t line, const char *expected, struct piece found) {
    char quoted[QUOTE_TEXT];
    error_set(reader->error, SS_BAD_INPUT, "expected %s, found %s", expected, piece_quote(found, quoted));
    error_place(reader->error, "line %u", (unsigned)line);
    return SS_BAD_INPUT;
}

/* "4096.0" or "[4096.0; 128.0]" */
static enum ss_status read_outputs(struct reader *reader, struct graph_node *node, struct piece value) {
    static const char expected[] = "activation_size to be whole bytes >= 0, or a list of them like [4096; 128]";
    struct piece list = value, item;
    struct graph *graph = reader->graph;
    node->outputs.at = reader->output_count;
    const bool is_list = value.length >= 2 && value.at[0] == '[' && value.at[value.length - 1] == ']';
    if (is_list) list = (struct piece){ value.at + 1, value.length - 2 };
    for (bool more = true; more; node->outputs.count++) {
        if (node->outputs.count == GRAPH_LARGEST_LIST)
            return bad_line(reader, node->line, "at most 64 outputs in activation_size", value);
        item = list;
        more = is_list && piece_split(list, ";", &item, &list);
        if (!piece_bytes(piece_trim(item), &graph->output_bytes[reader->output_count++]))
            return bad_line(reader, node->line, expected, value);
    }
    return SS_OK;
}

enum field { FORWARD, BACKWARD, ACTIVATION, PARAMETER, FIELD_COUNT };
static const char *const FIELD_NAME[FIELD_COUNT] = {
    "forward_compute_time", "backward_compute_time", "activation_size", "parameter_size",
};

static enum ss_status read_field(struct reader *reader, struct graph_node *node, enum field field, struct piece value) {
    switch (field) {
    case FORWARD:
        if (piece_number(value, &node->forward_ms)) return SS_OK;
        return bad_line(reader, node->line, "forward_compute_time to be milliseconds >= 0", value);
    case BACKWARD:
        if (piece_number(value, &node->backward_ms)) return SS_OK;
        return bad_line(reader, node->line, "backward_compute_time to be milliseconds >= 0", value);
    case ACTIVATION:
        return read_outputs(reader, node, value);
    case PARAMETER:
        if (piece_bytes(value, &node->parameter_bytes)) return SS_OK;
        return bad_line(reader, node->line, "parameter_size to be whole bytes >= 0", value);
    case FIELD_COUNT: break;
    }
    return SS_INTERNAL;
}

static enum ss_status read_fields(struct reader *reader, struct graph_node *node, struct piece fields) {
    unsigned seen = 0;
    struct piece pair, name, value, rest = fields;
    for (bool more = true; more;) {
        int field = 0;
        more = piece_split(rest, ",", &pair, &rest);
        piece_split(piece_trim(pair), "=", &name, &value);
        while (field < FIELD_COUNT && !piece_equal(name, FIELD_NAME[field])) field++;
        if (field == FIELD_COUNT || seen & 1u << field)
            return bad_line(reader, node->line, "forward_compute_time, backward_compute_time, activation_size and "
                            "parameter_size, each once", pair);
        seen |= 1u << field;
        enum ss_status status = read_field(reader, node, (enum field)field, piece_trim(value));
        if (status != SS_OK) return status;
    }
    for (int field = 0; field < FIELD_COUNT; field++)
        if (!(seen & 1u << field)) return bad_line(reader, node->line, FIELD_NAME[field], fields);
    return SS_OK;
}

static enum ss_status read_node(struct reader *reader, uint32_t line_number, struct piece line) {
    struct graph_node *node = &reader->graph->nodes[reader->graph->node_count++];
    struct piece id, rest, fields, tag, name, value;
    node->line = line_number;
    if (!piece_split(line, SEPARATOR, &id, &rest) || !piece_split(rest, SEPARATOR, &node->description, &fields) ||
        id.length == 0 || node->description.length == 0)
        return bad_line(reader, line_number, "a node line \"ID -- DESCRIPTION -- forward_compute_time=...\"", line);
    if (piece_split(fields, SEPARATOR, &fields, &tag) &&
        !(piece_split(tag, "=", &name, &value) && name.length && value.length))
        return bad_line(reader, line_number, "a fourth field like stage_id=0", tag);
    if (!(node->id = piece_copy(id, reader->arena))) return error_no_memory(reader->error);
    return read_fields(reader, node, fields);
}

static enum ss_status read_edge(struct reader *reader, uint32_t line_number, struct piece line) {
    struct edge *edge = &reader->edges[reader->graph->edge_count++];
    edge->line = line_number;
    if (!piece_split(piece_trim(line), SEPARATOR, &edge->from_id, &edge->to_id) || edge->from_id.length == 0 ||
        edge->to_id.length == 0)
        return bad_line(reader, line_number, "an edge line \"<tab>ID -- ID\"", line);
    return SS_OK;
}

static enum ss_status read_lines(struct reader *reader, struct piece text) {
    struct lines lines = { text, 0 };
    struct piece line;
    enum ss_status status = SS_OK;
    while (status == SS_OK && lines_next(&lines, &line)) {
        if (piece_trim(line).length == 0) continue;
        const bool is_edge = line.at[0] == '\t' || line.at[0] == ' ';
        status = is_edge ? read_edge(reader, lines.number, line) : read_node(reader, lines.number, line);
    }
    if (status == SS_OK && reader->graph->node_count == 0)
        return bad_line(reader, 1, "at least one node", piece_of(""));
    return status;
}

static enum ss_status find_node(const struct reader *reader, const struct names *names, uint32_t line,
                                struct piece id, uint32_t *found) {
    const char *name = piece_copy(id, reader->arena);
    if (!name) return error_no_memory(reader->error);
    *found = names_find(names, name);
    return *found != NONE ? SS_OK : bad_line(reader, line, "a node that the file defines", id);
}

static enum ss_status resolve_edges(struct reader *reader) {
    struct graph *graph = reader->graph;
    struct names names;
    enum ss_status status = names_init(&names, reader->arena, graph->node_count, reader->error);
    for (uint32_t i = 0; i < graph->node_count && status == SS_OK; i++) {
        const struct graph_node *node = &graph->nodes[i];
        char expected[64];
        if (names_add(&names, node->id, i)) continue;
        snprintf(expected, sizeof expected, "an id other than that of line %u",
                 (unsigned)graph->nodes[names_find(&names, node->id)].line);
        status = bad_line(reader, node->line, expected, piece_of(node->id));
    }
    for (uint32_t i = 0; i < graph->edge_count && status == SS_OK; i++) {
        struct edge *edge = &reader->edges[i];
        if ((status = find_node(reader, &names, edge->line, edge->from_id, &edge->from)) != SS_OK ||
            (status = find_node(reader, &names, edge->line, edge->to_id, &edge->to)) != SS_OK)
            return status;
        if (edge->from == edge->to)
            status = bad_line(reader, edge->line, "an edge between two nodes", edge->to_id);
    }
    return status;
}

/* Sorts the edges by the node that they lead to; an edge that is there already is dropped. */
static enum ss_status gather_inputs(struct reader *reader) {
    struct graph *graph = reader->graph;
    uint32_t *last_reader = ARENA_ARRAY(reader->arena, uint32_t, graph->node_count); /* node + 1 that was given it last */
    uint32_t *first = ARENA_ARRAY(reader->arena, uint32_t, graph->node_count + (size_t)1);
    struct edge **sorted = ARENA_ARRAY(reader->arena, struct edge *, graph->edge_count);
    if (!last_reader || !first || !sorted) return error_no_memory(reader->error);
    for (uint32_t i = 0; i < graph->edge_count; i++) first[reader->edges[i].to + 1]++;
    for (uint32_t i = 0; i < graph->node_count; i++) first[i + 1] += first[i];
    for (uint32_t i = graph->edge_count; i-- > 0;) /* backwards from each end: file order is kept */
        sorted[--first[reader->edges[i].to + 1]] = &reader->edges[i];
    for (uint32_t i = 0, used = 0; i < graph->edge_count; i++) {
        const struct edge *edge = sorted[i];
        struct span *inputs = &graph->nodes[edge->to].inputs;
        if (last_reader[edge->from] == edge->to + 1) continue;
        last_reader[edge->from] = edge->to + 1;
        if (inputs->count++ == 0) inputs->at = used;
        reader->input_lines[used] = edge->line;
        graph->inputs[used++] = edge->from;
    }
    return SS_OK;
}

/* PipeDream numbers nodes as the forward pass makes them. */
struct turn { uint64_t number; uint32_t node; };

static struct turn turn_of(const struct graph *graph, uint32_t node) {
    const char *id = graph->nodes[node].id;
    size_t digits = strlen(id);
    while (digits && id[digits - 1] >= '0' && id[digits - 1] <= '9') digits--;
    return (struct turn){ strtoull(id + digits, NULL, 10), node };
}

static int compare_turns(const void *a, const void *b) {
    const struct turn *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

/* Nodes come by the number in their id, ties by file order, and what a node reads comes before it: the order in which
 * the forward pass ran wherever the numbers tell it, and one and the same order always. Depth first with a stack of its
 * own, so that a long chain is no deep recursion; linear but for the sort. */
static enum ss_status order_nodes(struct reader *reader) {
    enum { NEW, OPEN, PLACED };
    struct graph *graph = reader->graph;
    const uint32_t count = graph->node_count;
    struct turn *turns = ARENA_ARRAY(reader->arena, struct turn, count);
    uint8_t *state = ARENA_ARRAY(reader->arena, uint8_t, count);
    uint32_t *next = ARENA_ARRAY(reader->arena, uint32_t, count), *stack = ARENA_ARRAY(reader->arena, uint32_t, count);
    uint32_t depth = 0, placed = 0;
    if (!turns || !state || !next || !stack) return error_no_memory(reader->error);
    for (uint32_t i = 0; i < count; i++) turns[i] = turn_of(graph, i);
    qsort(turns, count, sizeof *turns, compare_turns);
    for (uint32_t i = 0; i < count; i++) {
        if (state[turns[i].node] == NEW) state[stack[depth++] = turns[i].node] = OPEN;
        while (depth) {
            const uint32_t node = stack[depth - 1];
            const struct span inputs = graph->nodes[node].inputs;
            if (next[node] == inputs.count) {
                state[node] = PLACED;
                graph->order[placed++] = stack[--depth];
                continue;
            }
            const uint32_t edge = inputs.at + next[node]++, input = graph->inputs[edge];
            if (state[input] == OPEN)
                return bad_line(reader, reader->input_lines[edge], "edges without a cycle; one leads through",
                                piece_of(graph->nodes[input].id));
            if (state[input] == NEW) state[stack[depth++] = input] = OPEN;
        }
    }
    return SS_OK;
}

static enum ss_status allocate(struct reader *reader, struct piece text) {
    if (text.length >= UINT32_MAX)
        return error_set(reader->error, SS_BAD_INPUT, "expected a file below 4 GiB, found %zu bytes", text.length);
    const size_t lines = lines_count(text);
    size_t outputs = lines;
    for (size_t i = 0; i < text.length; i++) outputs += text.at[i] == ';';
    reader->graph->nodes = ARENA_ARRAY(reader->arena, struct graph_node, lines);
    reader->graph->output_bytes = ARENA_ARRAY(reader->arena, uint64_t, outputs);
    reader->graph->inputs = ARENA_ARRAY(reader->arena, uint32_t, lines);
    reader->graph->order = ARENA_ARRAY(reader->arena, uint32_t, lines);
    reader->edges = ARENA_ARRAY(reader->arena, struct edge, lines);
    reader->input_lines = ARENA_ARRAY(reader->arena, uint32_t, lines);
    return reader->graph->nodes && reader->graph->output_bytes && reader->graph->inputs && reader->graph->order &&
           reader->edges && reader->input_lines ? SS_OK : error_no_memory(reader->error);
}

enum ss_status graph_read(struct graph *graph, struct piece text, struct arena *arena, struct error *error) {
    struct reader reader = { .graph = graph, .arena = arena, .error = error };
    enum ss_status status;
    *graph = (struct graph){ 0 };
    if ((status = allocate(&reader, text)) != SS_OK || (status = read_lines(&reader, text)) != SS_OK ||
        (status = resolve_edges(&reader)) != SS_OK || (status = gather_inputs(&reader)) != SS_OK)
        return status;
    return order_nodes(&reader);
}
