/* pofo_table: see pofo_table.h. States are numbered from 1, in the order in which they are met. */
#include "pofo_table.h"

#include <math.h>

#define BLOCK 4096 /* states allocated at a time */

struct stage_sizes { double output, saved, none_need, all_need, backward_need; };

struct pofo_state {
    double time;               /* up to here, both ways: forward from the start, backward to the end */
    uint32_t before;           /* the best state to come from; 0 at the start of the chain */
    uint16_t stage;
    uint8_t bar;               /* in front stands all that the stage before saved, not its output alone */
    double kept, out, back;    /* slots, see enum pofo_counting */
    uint8_t moved;             /* what stood in front of the stage of `before` has left */
};

static struct pofo_state *state_of(const struct pofo_table *table, uint32_t number) {
    return &table->block[number / BLOCK][number % BLOCK];
}

static uint32_t slots_of(const struct pofo_table *table) { return table->rotor->slots; }

static uint32_t **page_of(const struct pofo_table *table, uint32_t stage, bool bar, uint32_t kept) {
    return &table->page[((size_t)2 * stage + bar) * (slots_of(table) + 1) + kept];
}

/* Rounded up, but for what arithmetic alone adds. */
static uint32_t whole(double slots) { return (uint32_t)ceil(slots - 1e-9); }

/* What a state remembers of it. */
static double counted(const struct pofo_table *table, double slots) {
    return table->counting == POFO_AS_PUBLISHED ? whole(slots) : slots;
}

static uint32_t *page_entry(struct pofo_table *table, const struct pofo_state *state) {
    const uint32_t kept = whole(state->kept), side = slots_of(table) - kept + 1;
    uint32_t **page = page_of(table, state->stage, state->bar, kept);
    if (!*page)
        *page = ARENA_ARRAY(table->arena, uint32_t, (size_t)side * side);
    return *page ? &(*page)[whole(state->out) * side + whole(state->back)] : NULL;
}

/* Meets STATE, or the same one sooner than before. */
static void add_state(struct pofo_table *table, const struct pofo_state *state) {
    uint32_t *entry = page_entry(table, state);
    if (entry && *entry == 0) {
        const uint32_t number = table->state_count + 1;
        struct pofo_state **block = &table->block[number / BLOCK];
        if (!*block)
            *block = ARENA_ARRAY(table->arena, struct pofo_state, BLOCK);
        if (*block) {
            *entry = table->state_count = number;
            *state_of(table, number) = *state;
            return;
        }
    }
    if (!entry || *entry == 0)
        table->failed = true;
    else if (state->time < state_of(table, *entry)->time)
        *state_of(table, *entry) = *state;
}

static double input_of(const struct pofo_table *table, const struct pofo_state *state) {
    if (state->stage == 0)
        return 0;
    const struct stage_sizes *before = &table->size[state->stage - 1];
    return state->bar ? before->saved : before->output;
}

/* Stages that were passed up to before STAGE, with what was moved meanwhile, each way. */
struct passed { uint32_t stage; bool bar; double out, back, time; };

/* Goes on from state NUMBER both ways: what stands in front stays, or moves. */
static void go_on(struct pofo_table *table, uint32_t number, const struct passed *passed) {
    const struct pofo_state from = *state_of(table, number);
    const double input = input_of(table, &from), time = from.time + passed->time;
    if (time + table->rest_us[passed->stage] > table->limit_us)
        return;
    for (int moves = 0; moves <= (input > 0); moves++) {
        const double moved = moves ? input : 0;
        const double kept = counted(table, from.kept + input - moved);
        const double out = counted(table, fmax(0, from.out + moved - passed->out));
        const double back = counted(table, fmax(0, from.back - passed->back) + moved);
        if (whole(kept) + whole(fmax(out, back)) <= slots_of(table))
            add_state(table, &(struct pofo_state){
                .time = time, .before = number, .stage = (uint16_t)passed->stage, .bar = passed->bar,
                .kept = kept, .out = out, .back = back, .moved = (uint8_t)moves });
    }
}

static double room_of(const struct pofo_table *table, const struct pofo_state *state) {
    return slots_of(table) - state->kept - input_of(table, state);
}

static void pass_saving_all(struct pofo_table *table, uint32_t number) {
    const struct pofo_state *state = state_of(table, number);
    const struct stage *stage = &table->chain->stage[state->stage];
    const struct stage_sizes *size = &table->size[state->stage];
    const double room = room_of(table, state);
    if (fmax(size->all_need, size->backward_need) > room + 1e-9)
        return;
    const double late_out = fmax(0, size->all_need + state->out - room);
    const double late_back = fmax(0, size->backward_need + state->back - room);
    go_on(table, number, &(struct passed){
        .stage = state->stage + 1u, .bar = true, .out = stage->forward_us * table->out_rate + late_out,
        .back = stage->backward_us * table->back_rate + late_back,
        .time = stage->forward_us + stage->backward_us + late_out / table->out_rate + late_back / table->back_rate });
}

/* Memory for rotor_table while STATE's stage is run again. */
static uint32_t slots_for_rerun(const struct pofo_table *table, const struct pofo_state *state) {
    return (uint32_t)floor(room_of(table, state) + 1e-9);
}

static void pass_saving_nothing(struct pofo_table *table, uint32_t number) {
    const struct pofo_state state = *state_of(table, number);
    const double room = room_of(table, &state), transfer = state.back / table->back_rate;
    double forward = 0, late = 0;
    if (room < 0)
        return;
    for (uint32_t j = state.stage; j < table->chain->count; j++) {
        const double need = table->size[j].none_need + (j > state.stage ? table->size[j - 1].output : 0);
        if (need > room + 1e-9)
            return;
        late = fmax(late, need + state.out - room - forward * table->out_rate);
        forward += table->chain->stage[j].forward_us;
        const double compute = rotor_table_time(table->rotor, state.stage, j, slots_for_rerun(table, &state));
        const double backward = (fmax(compute, transfer) + compute + transfer) / 2;
        if (backward < INFINITY)
            go_on(table, number, &(struct passed){ .stage = j + 1, .bar = false, .out = forward * table->out_rate + late,
                                                   .back = backward * table->back_rate,
                                                   .time = forward + late / table->out_rate + backward });
    }
}

/* At the end of the chain, all that is still on its way is waited for. */
static void end_chain(struct pofo_table *table, uint32_t number) {
    const struct pofo_state *state = state_of(table, number);
    const double time = state->time + state->out / table->out_rate + state->back / table->back_rate;
    if (room_of(table, state) >= -1e-9 && time < table->best_us) {
        table->best_us = time;
        table->best = number;
    }
}

static void pass(struct pofo_table *table, uint32_t number) {
    if (state_of(table, number)->stage == table->chain->count) {
        end_chain(table, number);
    } else {
        pass_saving_all(table, number);
        pass_saving_nothing(table, number);
    }
}

/* Goes on from the states of a stage that hold KEPT slots, in the order of `out` and `back`: but not from those that are
 * not sooner than all that are ahead, with no more of each count. AHEAD has the best time of those for every out, back;
 * that of one slot less kept stands in ahead_before. */
static void meet(struct pofo_table *table, uint32_t stage, bool bar, uint32_t kept) {
    const uint32_t slots = slots_of(table), side = slots - kept + 1;
    const uint32_t *page = *page_of(table, stage, bar, kept);
    double *ahead = table->ahead;
    for (uint32_t out = 0; out < side; out++) {
        for (uint32_t back = 0; back < side; back++) {
            const size_t at = out * ((size_t)slots + 1) + back;
            double best = kept > 0 ? table->ahead_before[at] : INFINITY;
            best = out > 0 ? fmin(best, ahead[at - slots - 1]) : best;
            best = back > 0 ? fmin(best, ahead[at - 1]) : best;
            const uint32_t number = page ? page[out * side + back] : 0;
            if (number != 0 && state_of(table, number)->time < best) {
                best = state_of(table, number)->time;
                pass(table, number);
            }
            ahead[at] = best;
        }
    }
    table->ahead = table->ahead_before;
    table->ahead_before = ahead;
}

static enum ss_status pass_all(struct pofo_table *table, const struct patience *patience) {
    for (uint32_t stage = 0; stage <= table->chain->count; stage++) {
        for (int bar = 0; bar < 2; bar++) {
            for (uint32_t kept = 0; kept <= slots_of(table); kept++) {
                if (patience_over(patience))
                    return SS_STOPPED;
                meet(table, stage, bar, kept);
                if (table->failed)
                    return SS_INTERNAL;
            }
        }
    }
    return SS_OK;
}

/* Of all states that there can be: the sum over kept of (slots - kept + 1)^2, for each stage and bar. */
static size_t most_states(size_t stages, size_t slots) {
    return 2 * (stages + 1) * ((slots + 1) * (slots + 2) * (2 * slots + 3) / 6);
}

static enum ss_status allocate(struct pofo_table *table, struct error *error) {
    const size_t count = table->chain->count, slots = table->rotor->slots, side = slots + 1;
    table->size = ARENA_ARRAY(table->arena, struct stage_sizes, count);
    table->rest_us = ARENA_ARRAY(table->arena, double, count + 1);
    table->page = ARENA_ARRAY(table->arena, uint32_t *, 2 * (count + 1) * side);
    table->block = ARENA_ARRAY(table->arena, struct pofo_state *, most_states(count, slots) / BLOCK + 2);
    table->ahead = ARENA_ARRAY(table->arena, double, side * side);
    table->ahead_before = ARENA_ARRAY(table->arena, double, side * side);
    const bool all = table->size && table->rest_us && table->page && table->block && table->ahead && table->ahead_before;
    return all ? SS_OK : error_no_memory(error);
}

/* Time of rotor's schedule with these slots; this one can do the same. */
static double rotor_alone(const struct rotor_table *rotor) {
    return rotor->chain->first_us + rotor_table_time(rotor, 0, rotor->chain->count - 1, rotor->slots);
}

enum ss_status pofo_table_build(struct pofo_table *table, struct arena *arena, const struct rotor_table *rotor,
                                const struct link *link, enum pofo_counting counting, const struct patience *patience,
                                struct error *error) {
    const struct chain *chain = rotor->chain;
    *table = (struct pofo_table){ .chain = chain, .rotor = rotor, .counting = counting, .arena = arena,
                                  .best_us = INFINITY };
    table->out_rate = gb_per_s_to_bytes_per_us(link->d2h_gb_per_s) / rotor->slot_bytes;
    table->back_rate = gb_per_s_to_bytes_per_us(link->h2d_gb_per_s) / rotor->slot_bytes;
    table->limit_us = rotor_alone(rotor) * (1 + 1e-9);
    enum ss_status status = allocate(table, error);
    if (status != SS_OK)
        return status;
    for (uint32_t s = chain->count; s-- > 0;) {
        const struct stage *stage = &chain->stage[s];
        table->rest_us[s] = table->rest_us[s + 1] + stage->forward_us + stage->backward_us;
        table->size[s] = (struct stage_sizes){
            (double)stage->output_bytes / rotor->slot_bytes, (double)stage->saved_bytes / rotor->slot_bytes,
            (double)stage->none_need_bytes / rotor->slot_bytes, (double)stage->all_need_bytes / rotor->slot_bytes,
            (double)stage->backward_need_bytes / rotor->slot_bytes };
    }
    add_state(table, &(struct pofo_state){ .time = 0 });
    status = table->failed ? SS_INTERNAL : pass_all(table, patience);
    return status == SS_INTERNAL ? error_no_memory(error) : status;
}

void pofo_decide(const struct pofo_table *table, struct chain_plan *plan) {
    const struct pofo_state *state = state_of(table, table->best);
    enum action action = ACTION_KEEP; /* of what stands in front of it: at the end of the chain it stays */
    chain_plan_start(plan, ACTION_RECOMPUTE);
    for (; state->before != 0; state = state_of(table, state->before)) {
        const struct pofo_state *before = state_of(table, state->before);
        if (state->bar) {
            plan->decisions.saved[state->stage - 1] = (uint8_t)action;
        } else {
            if (state->stage < table->chain->count) {
                plan->decisions.checkpoint[state->stage] = (uint8_t)action;
                plan->decisions.level[state->stage] = 0;
            }
            rotor_decide(plan, table->rotor, before->stage, state->stage - 1u, slots_for_rerun(table, before), 1);
        }
        action = state->moved ? ACTION_OFFLOAD : ACTION_KEEP;
    }
}
