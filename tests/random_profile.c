#include "random_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t random_next(struct random *random) {
    /* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014) */
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t random_below(struct random *random, uint32_t limit) {
    return (uint32_t)((random_next(random) >> 32) * limit >> 32);
}

bool random_chance(struct random *random, uint32_t percent) {
    return random_below(random, 100) < percent;
}

static double random_unit(struct random *random) {
    return (double)(random_next(random) >> 11) / (double)((uint64_t)1 << 53);
}

static void must(enum ss_status status, const struct error *error) {
    if (status == SS_OK)
        return;
    fprintf(stderr, "random profile: %s\n", error->text);
    abort();
}

static void *must_have(void *memory) {
    if (!memory)
        abort();
    return memory;
}

static double random_time(struct random *random, const struct random_shape *shape) {
    if (random_chance(random, 12))
        return 0;
    return shape->whole_times ? (double)random_below(random, 8) : 20 * random_unit(random);
}

/* At 1 GB/s 1000 bytes take 1 us. */
static uint64_t random_bytes(struct random *random, const struct random_shape *shape) {
    if (random_chance(random, 8))
        return 0;
    return shape->whole_times ? 1000 * (uint64_t)random_below(random, 40) : random_below(random, 200000);
}

/* ---- profile -------------------------------------------------------------------------------------------------- */

enum { MOST_LIST = 16 };

struct list { uint32_t item[MOST_LIST], count; };

static void list_add(struct list *list, uint32_t item) {
    if (list->count < MOST_LIST)
        list->item[list->count++] = item;
}

static bool list_has(const struct list *list, uint32_t item) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->item[i] == item)
            return true;
    return false;
}

struct drawing {
    struct random *random;
    const struct random_shape *shape;
    uint32_t tensor_count;      /* drawn so far; numbered in order of production, renumbered at the end */
    uint32_t *managed;          /* tensor -> stands in a saved list and has a producer */
    uint32_t managed_count;
    uint32_t *producer;         /* tensor -> op or NONE */
    struct list *inputs, *outputs, *saved;
};

static uint32_t draw_tensor(struct drawing *d, uint32_t producer) {
    d->producer[d->tensor_count] = producer;
    return d->tensor_count++;
}

static void draw_inputs(struct drawing *d, uint32_t op) {
    struct random *random = d->random;
    if (d->shape->chain_only) {
        for (uint32_t i = 0; op && i < d->outputs[op - 1].count; i++)
            list_add(&d->inputs[op], d->outputs[op - 1].item[i]);
        return;
    }
    uint32_t count = random_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        if (!d->tensor_count || random_chance(random, 10)) {
            list_add(&d->inputs[op], draw_tensor(d, NONE));
            continue;
        }
        /* mostly what was made lately */
        uint32_t back = random_chance(random, 70) ? 4 : d->tensor_count;
        uint32_t least = d->tensor_count > back ? d->tensor_count - back : 0;
        uint32_t tensor = least + random_below(random, d->tensor_count - least);
        if (!list_has(&d->inputs[op], tensor) || random_chance(random, 10)) /* x * x reads x twice */
            list_add(&d->inputs[op], tensor);
    }
}

static void save(struct drawing *d, uint32_t op, uint32_t tensor) {
    bool produced = d->producer[tensor] != NONE;
    if (list_has(&d->saved[op], tensor))
        return;
    if (produced && !d->managed[tensor]) {
        if (d->shape->most_managed && d->managed_count == d->shape->most_managed)
            return;
        d->managed[tensor] = 1;
        d->managed_count++;
    }
    list_add(&d->saved[op], tensor);
}

static void draw_saved(struct drawing *d, uint32_t op) {
    struct random *random = d->random;
    for (uint32_t i = 0; i < d->outputs[op].count; i++)
        if (random_chance(random, 45))
            save(d, op, d->outputs[op].item[i]);
    for (uint32_t i = 0; i < d->inputs[op].count; i++)
        if (random_chance(random, 45))
            save(d, op, d->inputs[op].item[i]);
    for (uint32_t t = 0; t < d->tensor_count; t++) /* a weight that another op read */
        if (d->producer[t] == NONE && random_chance(random, 10))
            save(d, op, t);
}

static void draw_op(struct drawing *d, uint32_t op) {
    draw_inputs(d, op);
    uint32_t outputs = random_chance(d->random, 60) ? 1 : random_below(d->random, 4);
    for (uint32_t i = 0; i < outputs; i++)
        list_add(&d->outputs[op], draw_tensor(d, op));
    draw_saved(d, op);
}

/* Adds the drawn tensors in random order; NUMBER receives the profile's number of each. */
static void add_tensors(struct drawing *d, struct profile *profile, uint32_t *number) {
    struct error error;
    uint32_t *order = must_have(malloc((d->tensor_count + 1) * sizeof *order));
    for (uint32_t t = 0; t < d->tensor_count; t++) {
        uint32_t other = random_below(d->random, t + 1);
        order[t] = order[other];
        order[other] = t;
    }
    for (uint32_t i = 0; i < d->tensor_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%u", order[i]);
        struct tensor_spec spec = {
            .name = name, .bytes = random_bytes(d->random, d->shape), .no_gradient = random_chance(d->random, 25),
            .keep = !d->shape->free_choice && random_chance(d->random, 8)
        };
        must(profile_add_tensor(profile, &spec, &number[order[i]], &error), &error);
    }
    free(order);
}

static void renumber(struct list *list, const uint32_t *number) {
    for (uint32_t i = 0; i < list->count; i++)
        list->item[i] = number[list->item[i]];
}

static void add_op(struct drawing *d, struct profile *profile, uint32_t op, const uint32_t *number) {
    struct random *random = d->random;
    struct error error;
    char name[32], layer[32];
    snprintf(name, sizeof name, "op%u", op);
    snprintf(layer, sizeof layer, "layer%u", op / 3);
    renumber(&d->inputs[op], number);
    renumber(&d->outputs[op], number);
    renumber(&d->saved[op], number);
    struct op_spec spec = {
        .name = name, .layer = layer, .kind = "", .forward_us = random_time(random, d->shape),
        .backward_us = random_time(random, d->shape),
        .recompute_us = random_chance(random, 30) ? random_time(random, d->shape) : NAN,
        .not_recomputable = !d->shape->free_choice && random_chance(random, 6),
        .forward_workspace_bytes = random_chance(random, 25) ? random_bytes(random, d->shape) : 0,
        .backward_workspace_bytes = random_chance(random, 25) ? random_bytes(random, d->shape) : 0,
        .inputs = d->inputs[op].item, .input_count = d->inputs[op].count,
        .outputs = d->outputs[op].item, .output_count = d->outputs[op].count,
        .saved = d->saved[op].item, .saved_count = d->saved[op].count,
    };
    must(profile_add_op(profile, &spec, NULL, &error), &error);
}

static struct link random_link(struct random *random, const struct random_shape *shape) {
    struct link link = { .name = "random", .latency_us = random_chance(random, 30) ? 0 : random_below(random, 4) };
    link.h2d_gb_per_s = shape->whole_times ? 1 + random_below(random, 3) : 1 + 30 * random_unit(random);
    link.d2h_gb_per_s = random_chance(random, 50) ? link.h2d_gb_per_s : 1 + random_below(random, 30);
    bool half = random_chance(random, 50);
    link.h2d_both_gb_per_s = link.h2d_gb_per_s * (half ? 0.5 : 1);
    link.d2h_both_gb_per_s = link.d2h_gb_per_s * (half && random_chance(random, 70) ? 0.5 : 1);
    return link;
}

void random_profile(struct random *random, const struct random_shape *shape, struct arena *arena,
                    struct profile *out) {
    struct error error;
    uint32_t ops = 1 + random_below(random, shape->most_ops);
    uint32_t most_tensors = ops * 6 + 1; /* at most 3 new inputs and 3 outputs an op */
    struct drawing d = {
        .random = random, .shape = shape,
        .managed = must_have(calloc(most_tensors, sizeof *d.managed)),
        .producer = must_have(calloc(most_tensors, sizeof *d.producer)),
        .inputs = must_have(calloc(ops, sizeof *d.inputs)), .outputs = must_have(calloc(ops, sizeof *d.outputs)),
        .saved = must_have(calloc(ops, sizeof *d.saved)),
    };
    for (uint32_t op = 0; op < ops; op++)
        draw_op(&d, op);
    must(profile_begin(out, arena, &error), &error);
    out->name = "random";
    if (random_chance(random, 80)) {
        out->link = random_link(random, shape);
        out->link_given = true;
    }
    out->fixed_us = random_chance(random, 30) ? random_time(random, shape) : 0;
    uint32_t *number = must_have(malloc(most_tensors * sizeof *number));
    add_tensors(&d, out, number);
    for (uint32_t op = 0; op < ops; op++)
        add_op(&d, out, op, number);
    must(profile_finish(out, NULL, &error), &error);
    free(number);
    free(d.managed);
    free(d.producer);
    free(d.inputs);
    free(d.outputs);
    free(d.saved);
}

/* ---- plan and link -------------------------------------------------------------------------------------------- */

/* A distance for each managed tensor, from 0 to more than the profile has steps; PREFETCH_ANY among them. */
static void draw_prefetch(struct random *random, const struct profile *profile, struct arena *arena,
                          struct plan *plan) {
    plan->prefetch = must_have(ARENA_ARRAY(arena, uint32_t, profile->tensor_count));
    uint32_t common = random_chance(random, 50) ? PREFETCH_ANY : random_below(random, profile->op_count + 2);
    bool own = random_chance(random, 50);
    for (uint32_t t = 0; t < profile->tensor_count; t++) {
        plan->prefetch[t] = profile->tensors[t].managed ? common : PREFETCH_ANY;
        if (profile->tensors[t].managed && own && random_chance(random, 50))
            plan->prefetch[t] = random_below(random, profile->op_count + 2);
    }
}

void random_plan(struct random *random, const struct profile *profile, struct arena *arena, struct plan *out) {
    struct error error;
    must(plan_init(out, arena, profile, &error), &error);
    uint32_t offload_percent = random_below(random, 101);
    uint32_t keep_percent = random_below(random, 60);
    for (uint32_t i = 0; i < profile->managed_count; i++) {
        uint32_t t = profile->managed[i];
        if (profile->tensors[t].keep || random_chance(random, keep_percent))
            continue;
        enum action action = random_chance(random, offload_percent) ? ACTION_OFFLOAD : ACTION_RECOMPUTE;
        must(plan_set(out, profile, t, action, &error), &error);
    }
    if (random_chance(random, 40))
        draw_prefetch(random, profile, arena, out);
}

struct link_options random_link_options(struct random *random, const struct profile *profile) {
    struct link_options options = LINK_OPTIONS_NONE;
    if (random_chance(random, 20))
        options.bandwidth_gb_per_s = 1 + random_below(random, 20);
    if (random_chance(random, 20))
        options.d2h_gb_per_s = 1 + random_below(random, 20);
    if (random_chance(random, 20))
        options.h2d_gb_per_s = 1 + random_below(random, 20);
    if (random_chance(random, 20))
        options.latency_us = random_below(random, 6);
    if (random_chance(random, 25))
        options.duplex = random_chance(random, 50) ? DUPLEX_FULL : DUPLEX_HALF;
    if (random_chance(random, 15))
        options.share = 1 + random_below(random, 4);
    if (random_chance(random, 15) && options.duplex == DUPLEX_AS_IS) {
        /* between a tenth and all of the single rate that counts */
        double single = !isnan(options.h2d_gb_per_s) ? options.h2d_gb_per_s
                      : !isnan(options.bandwidth_gb_per_s) ? options.bandwidth_gb_per_s
                                                           : profile->link.h2d_gb_per_s;
        options.h2d_both_gb_per_s = single * ((1 + random_below(random, 10)) / 10.0);
    }
    return options;
}
