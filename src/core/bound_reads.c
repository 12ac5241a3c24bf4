/* bound_reads: see bound_reads.h. */
#include "bound_reads.h"

#define LOOKED 32u        /* ops of a closure that are looked at */

/* Adds to w->read the leavers that OP's closure reads, LOOKED ops of it at most. */
static uint32_t read_by(struct windows *w, uint32_t op, const uint32_t *leaver_of, uint32_t *seen, uint32_t *stack,
                        uint32_t count) {
    const struct profile *p = w->profile;
    uint32_t depth = 0, looked = 0;
    stack[depth++] = op;
    while (depth > 0 && looked++ < LOOKED) {
        const struct op *o = &p->ops[stack[--depth]];
        for (uint32_t k = 0; k < o->inputs.count; k++) {
            const uint32_t tensor = p->index[o->inputs.at + k];
            if (p->tensors[tensor].producer == NONE || seen[tensor] == op + 1)
                continue;
            seen[tensor] = op + 1;
            if (leaver_of[tensor] && count < READS_AN_OP * p->op_count)
                w->read[count++] = leaver_of[tensor] - 1;
            else if (!p->tensors[tensor].managed && depth < LOOKED)
                stack[depth++] = p->tensors[tensor].producer;
            else if (leaver_of[tensor] || !p->tensors[tensor].managed)
                w->reads_cut = true;
        }
    }
    w->reads_cut = w->reads_cut || depth > 0;
    return count;
}

static enum ss_status list_reads(struct windows *w, struct arena *arena, struct error *error) {
    const struct profile *p = w->profile;
    uint32_t *leaver_of = ARENA_ARRAY(arena, uint32_t, p->tensor_count);
    uint32_t *seen = ARENA_ARRAY(arena, uint32_t, p->tensor_count);
    uint32_t stack[LOOKED + 1], count = 0, leaver = 0;
    w->read_at = ARENA_ARRAY(arena, uint32_t, (size_t)p->op_count + 1);
    w->read = ARENA_ARRAY(arena, uint32_t, READS_AN_OP * (size_t)p->op_count);
    if (!leaver_of || !seen || !w->read_at || !w->read)
        return error_no_memory(error);
    for (uint32_t i = 0; i < p->op_count; i++) {
        w->read_at[i] = count;
        count = read_by(w, i, leaver_of, seen, stack, count);
        for (uint32_t o = 0; o < p->ops[i].outputs.count; o++) {
            const uint32_t tensor = p->index[p->ops[i].outputs.at + o];
            const struct tensor *t = &p->tensors[tensor];
            if (t->managed && !t->keep && t->bytes > 0)
                leaver_of[tensor] = ++leaver;
        }
    }
    w->read_at[p->op_count] = count;
    return SS_OK;
}

/* Does OP restore what takes no room? It may run again for that, and no leaver tells. */
static bool restores_nothing(const struct profile *p, uint32_t op) {
    for (uint32_t o = 0; o < p->ops[op].outputs.count; o++) {
        const struct tensor *t = &p->tensors[p->index[p->ops[op].outputs.at + o]];
        if (t->managed && !t->keep && t->bytes == 0)
            return true;
    }
    return false;
}

/* The step before which the first of OP's outputs is needed, whatever else runs again; 0 where others may need it that are
 * not looked at: what it restores is no leaver, or isn't managed and read, so that its readers' readers count. */
static uint32_t natural_of(const struct windows *w, uint32_t op) {
    const struct profile *p = w->profile;
    uint32_t first = w->first_of[op] < w->first_of[op + 1] && !restores_nothing(p, op) ? 2 * p->op_count : 0;
    for (uint32_t l = w->first_of[op]; l < w->first_of[op + 1]; l++)
        first = w->leaver[l].back < first ? w->leaver[l].back : first;
    for (uint32_t o = 0; o < p->ops[op].outputs.count; o++) {
        const struct tensor *t = &p->tensors[p->index[p->ops[op].outputs.at + o]];
        if (!t->managed && t->consumers.count > 0)
            return 0;
    }
    return first;
}

enum ss_status reads_list(struct windows *w, struct arena *arena, struct error *error) {
    const uint32_t n = w->profile->op_count;
    const enum ss_status status = list_reads(w, arena, error);
    w->natural = ARENA_ARRAY(arena, uint32_t, n);
    if (status != SS_OK || !w->natural)
        return status != SS_OK ? status : error_no_memory(error);
    for (uint32_t i = 0; i < n; i++)
        w->natural[i] = natural_of(w, i);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = w->read_at[i]; r < w->read_at[i + 1] && restores_nothing(w->profile, i); r++)
            w->natural[w->leaver[w->read[r]].op] = 0;
    return SS_OK;
}
