/* rotor_table: see rotor_table.h. */
#include "rotor_table.h"

#include <math.h>

/* Rows of the table: all pairs first <= last, last by last. */
static size_t row_of(const struct rotor_table *table, uint32_t first, uint32_t last) {
    return ((size_t)last * (last + 1) / 2 + first) * ((size_t)table->slots + 1);
}

double rotor_table_time(const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m) {
    return table->time[row_of(table, first, last) + m];
}

uint32_t rotor_table_choice(const struct rotor_table *table, uint32_t first, uint32_t last, uint32_t m) {
    return table->choice[row_of(table, first, last) + m];
}

uint64_t chain_memory_of_use(const struct chain *chain, uint64_t memory_bytes) {
    uint64_t all = 0, most = 0;
    for (uint32_t s = 0; s < chain->count; s++) {
        const struct stage *stage = &chain->stage[s];
        const uint64_t need = stage->gradient_bytes + stage->none_need_bytes + stage->all_need_bytes
            + stage->backward_need_bytes;
        all += stage->saved_bytes + stage->output_bytes;
        most = need > most ? need : most;
    }
    all += most;
    return all < memory_bytes ? all : memory_bytes;
}

/* BYTES in whole slots; more than there are is one more than there are. */
static uint32_t slots_of(const struct rotor_table *table, uint64_t bytes) {
    const double slots = ceil((double)bytes / table->slot_bytes * (1 - 1e-12));
    return slots < table->slots + 1.0 ? (uint32_t)slots : table->slots + 1;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Starts a row with what saving all in its first stage costs; returns the slots that running that stage needs. */
static void save_all(struct rotor_table *table, uint32_t first, uint32_t last) {
    const struct stage *stage = &table->chain->stage[first];
    const struct stage_slots *size = &table->stage[first];
    const uint32_t need = larger(table->stage[last].gradient + size->all_need, size->backward_need);
    const double own = stage->rerun_us + stage->backward_us;
    double *time = &table->time[row_of(table, first, last)];
    uint16_t *choice = &table->choice[row_of(table, first, last)];
    for (uint32_t m = 0; m <= table->slots; m++) {
        time[m] = INFINITY;
        choice[m] = (uint16_t)first;
        if (m < need)
            continue;
        if (first == last)
            time[m] = own;
        else if (m >= size->saved)
            time[m] = own + rotor_table_time(table, first + 1, last, m - size->saved);
    }
}

/* Improves a row by leaf checkpoints. */
static void save_checkpoints(struct rotor_table *table, uint32_t first, uint32_t last) {
    double *time = &table->time[row_of(table, first, last)];
    uint16_t *choice = &table->choice[row_of(table, first, last)];
    uint32_t need = table->stage[last].gradient + table->stage[first].none_need;
    double forward = 0;
    for (uint32_t c = first + 1; c <= last; c++) {
        const uint32_t checkpoint = table->stage[c - 1].output;
        const double *rest = &table->time[row_of(table, c, last)], *again = &table->time[row_of(table, first, c - 1)];
        forward += table->chain->stage[c - 1].rerun_us;
        for (uint32_t m = larger(need, checkpoint); m <= table->slots; m++) {
            const double sum = forward + rest[m - checkpoint] + again[m];
            if (sum < time[m] || (sum == time[m] && choice[m] == first && sum < INFINITY)) {
                time[m] = sum;
                choice[m] = (uint16_t)c;
            }
        }
        need = larger(need, table->stage[last].gradient + checkpoint + table->stage[c].none_need);
    }
}

enum ss_status rotor_table_build(struct rotor_table *table, struct arena *arena, const struct chain *chain,
                                 uint64_t memory_bytes, uint32_t slots, const struct patience *patience,
                                 struct error *error) {
    const uint64_t memory = chain_memory_of_use(chain, memory_bytes);
    *table = (struct rotor_table){ .chain = chain, .slots = memory < slots ? (uint32_t)memory : slots };
    table->slot_bytes = table->slots ? (double)memory / table->slots : 1;
    const size_t cells = row_of(table, 0, chain->count);
    table->stage = ARENA_ARRAY(arena, struct stage_slots, chain->count);
    table->time = ARENA_ARRAY(arena, double, cells);
    table->choice = ARENA_ARRAY(arena, uint16_t, cells);
    if (!table->stage || !table->time || !table->choice)
        return error_no_memory(error);
    for (uint32_t s = 0; s < chain->count; s++) {
        const struct stage *stage = &chain->stage[s];
        table->stage[s] = (struct stage_slots){
            slots_of(table, stage->output_bytes), slots_of(table, stage->saved_bytes),
            slots_of(table, stage->gradient_bytes), slots_of(table, stage->none_need_bytes),
            slots_of(table, stage->all_need_bytes), slots_of(table, stage->backward_need_bytes) };
    }
    for (uint32_t last = 0; last < chain->count; last++) {
        for (uint32_t first = last + 1; first-- > 0;) {
            if (patience_over(patience))
                return SS_STOPPED;
            save_all(table, first, last);
            save_checkpoints(table, first, last);
        }
    }
    return SS_OK;
}
