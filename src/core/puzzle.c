#include "puzzle.h"

#include "bound.h"
#include "splitmix.h"

#define NUMBER 0x80000000u /* of the first puzzle, as work */
#define LEVEL_BIT 24

uint32_t puzzle_work(uint32_t level, uint32_t seed) {
    return NUMBER | level << LEVEL_BIT | seed;
}

bool puzzle_of_work(uint32_t profile, uint32_t *level, uint32_t *seed) {
    *level = (profile & ~NUMBER) >> LEVEL_BIT;
    *seed = profile & (PUZZLE_SEEDS - 1);
    return profile >= NUMBER && *level >= 1 && *level <= PUZZLE_LEVELS;
}

/* ---- chance ---- */

struct dice { uint64_t state; };

/* A number from LEAST to MOST, both included. */
static uint32_t between(struct dice *dice, uint32_t least, uint32_t most) {
    return least + (uint32_t)((splitmix64(&dice->state) >> 32) * (most - least + 1) >> 32);
}

/* ---- the work ---- */

#define SIZE_BYTES (UINT64_C(8) << 20) /* sizes and times are small multiples of these */
#define TIME_US 100u

struct making {
    struct profile *profile;
    struct dice dice;
    struct error *error;
    enum ss_status status;
    uint32_t layer, managed;
    uint64_t size, time;     /* of all tensors, of all ops forward: in SIZE_BYTES and TIME_US */
    const char *layer_name;
};

static uint32_t tensor(struct making *making, const char *name, uint32_t size, bool gradient) {
    uint32_t index = 0;
    const char *full = arena_printf(making->profile->arena, "%s.%s", making->layer_name, name);
    const struct tensor_spec spec = { .name = full, .bytes = size * SIZE_BYTES, .no_gradient = !gradient };
    making->size += size;
    if (making->status == SS_OK)
        making->status = full ? profile_add_tensor(making->profile, &spec, &index, making->error) : error_no_memory(making->error);
    return index;
}

struct reads { uint32_t tensor[3], count; };

static void op(struct making *making, const char *name, const char *kind, uint32_t time, struct reads inputs, struct reads outputs,
               struct reads saved) {
    const char *full = arena_printf(making->profile->arena, "%s.%s", making->layer_name, name);
    const struct op_spec spec = {
        .name = full, .layer = making->layer_name, .kind = kind,
        .forward_us = (double)(time * TIME_US), .backward_us = (double)(2 * time * TIME_US), .recompute_us = (double)(time * TIME_US),
        .inputs = inputs.tensor, .input_count = inputs.count, .outputs = outputs.tensor, .output_count = outputs.count,
        .saved = saved.tensor, .saved_count = saved.count,
    };
    making->time += time;
    if (making->status == SS_OK)
        making->status = full ? profile_add_op(making->profile, &spec, NULL, making->error) : error_no_memory(making->error);
}

#define READS(...) ((struct reads){ { __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t) })
#define NOTHING ((struct reads){ { 0 }, 0 })

/* A product, slow, and what follows it, fast: what lies between is large and cheap to make again if the product's input is there. */
static uint32_t mlp(struct making *m, uint32_t in) {
    uint32_t wide = tensor(m, "wide", between(&m->dice, 5, 14), true), out = tensor(m, "out", between(&m->dice, 2, 6), true);
    uint32_t bent = tensor(m, "bent", between(&m->dice, 5, 14), true);
    op(m, "up", "gemm", between(&m->dice, 20, 50), READS(in), READS(wide), READS(in));
    op(m, "bend", "gelu", between(&m->dice, 1, 5), READS(wide), READS(bent), READS(wide));
    op(m, "down", "gemm", between(&m->dice, 20, 50), READS(bent), READS(out), READS(bent));
    m->managed += 2;
    return out;
}

/* A dropout: its mask is small, but behind it stands whatever made its input. */
static uint32_t dropout(struct making *m, uint32_t in) {
    uint32_t out = tensor(m, "kept", between(&m->dice, 2, 6), true), mask = tensor(m, "mask", between(&m->dice, 1, 4), false);
    op(m, "drop", "dropout", between(&m->dice, 1, 4), READS(in), READS(out, mask), READS(mask));
    m->managed += 1;
    return out;
}

static uint32_t norm(struct making *m, uint32_t in) {
    uint32_t out = tensor(m, "norm", between(&m->dice, 3, 8), true);
    op(m, "norm", "norm", between(&m->dice, 2, 6), READS(in), READS(out), READS(in));
    m->managed += 1;
    return out;
}

/* Attention spelled out: dear, and with scores that nothing else is as large as. */
static uint32_t attention(struct making *m, uint32_t in) {
    uint32_t scores = tensor(m, "scores", between(&m->dice, 8, 20), true), out = tensor(m, "mix", between(&m->dice, 2, 6), true);
    op(m, "score", "attention", between(&m->dice, 18, 48), READS(in), READS(scores), READS(in));
    op(m, "mix", "attention", between(&m->dice, 10, 40), READS(scores), READS(out), READS(scores));
    m->managed += 1;
    return out;
}

/* What came in is added to what comes out: it is needed for longer. */
static uint32_t add(struct making *m, uint32_t in, uint32_t out) {
    uint32_t sum = tensor(m, "sum", between(&m->dice, 2, 6), true);
    op(m, "add", "add", between(&m->dice, 1, 3), READS(in, out), READS(sum), NOTHING);
    return sum;
}

static uint32_t block(struct making *m, uint32_t in) {
    m->layer_name = arena_printf(m->profile->arena, "%c", (int)('a' + m->layer++));
    if (!m->layer_name) {
        m->status = error_no_memory(m->error);
        return in;
    }
    uint32_t out = in;
    switch (between(&m->dice, 0, 3)) {
    case 0: out = mlp(m, in); break;
    case 1: out = attention(m, norm(m, in)); break;
    case 2: out = dropout(m, mlp(m, in)); break;
    default: out = mlp(m, norm(m, in)); break;
    }
    return between(&m->dice, 0, 1) ? add(m, in, out) : out;
}

/* ---- the puzzle ---- */

/* FIRST: a seed at which slackswap can be beaten. */
struct level { uint32_t tensors, first; bool slow_both; };
static const struct level LEVEL[PUZZLE_LEVELS + 1] = {
    [1] = { 4, 3, false },  [2] = { 6, 3, false },  [3] = { 7, 5, false },  [4] = { 9, 11, false },
    [5] = { 10, 2, true },  [6] = { 12, 5, false }, [7] = { 14, 1, true },  [8] = { 17, 5, false },
    [9] = { 20, 3, true },  [10] = { 25, 2, false }, [11] = { 32, 0, true }, [12] = { 40, 4, true },
};

uint32_t puzzle_first_seed(uint32_t level) {
    return level >= 1 && level <= PUZZLE_LEVELS ? LEVEL[level].first : 0;
}

static enum ss_status make_work(struct making *m, uint32_t tensors) {
    m->layer_name = "x";
    uint32_t in = tensor(m, "in", between(&m->dice, 2, 6), true);
    while (m->status == SS_OK && m->managed + 1 < tensors)
        in = block(m, in);
    m->layer_name = "end";
    uint32_t last = tensor(m, "loss", 1, true);
    op(m, "loss", "loss", between(&m->dice, 2, 8), READS(in), READS(last), READS(in));
    return m->status;
}

/* What D2H can move during the forward pass: SHARE percent of all there is, in half GB/s. */
static struct link make_link(struct making *m, bool slow_both) {
    const uint64_t share = between(&m->dice, 12, 32);
    uint64_t halves = m->size * SIZE_BYTES * share / 100 * 2 / (m->time * TIME_US * 1000);
    halves = halves < 1 ? 1 : halves;
    const double rate = (double)halves / 2, both = slow_both ? rate * between(&m->dice, 5, 8) / 10 : rate;
    return (struct link){ .name = "puzzle", .h2d_gb_per_s = rate, .d2h_gb_per_s = rate, .h2d_both_gb_per_s = both,
                          .d2h_both_gb_per_s = both, .latency_us = 50 };
}

/* Between what the least plan needs and what all of it takes: nearer to the former. */
static uint64_t make_budget(struct making *m, const struct limits *limits) {
    const uint64_t room = (limits->unlimited_peak_bytes - limits->least_bytes) / SIZE_BYTES;
    return limits->least_bytes + room * between(&m->dice, 18, 48) / 100 * SIZE_BYTES;
}

/* Whether there is much to decide: moving things away must be worth a quarter of the peak. */
static bool has_room(const struct limits *limits) {
    return limits->unlimited_peak_bytes - limits->least_bytes >= limits->unlimited_peak_bytes / 4;
}

static enum ss_status try_to_make(struct making *making, const struct level *level, struct limits *limits) {
    struct profile *profile = making->profile;
    making->status = profile_begin(profile, profile->arena, making->error);
    if (making->status == SS_OK)
        making->status = make_work(making, level->tensors);
    if (making->status != SS_OK)
        return making->status;
    profile->link = make_link(making, level->slow_both);
    profile->link_given = true;
    const enum ss_status status = profile_finish(profile, NULL, making->error);
    return status == SS_OK ? limits_compute(profile, limits, making->error) : status;
}

enum ss_status puzzle_build(uint32_t level, uint32_t seed, struct arena *arena, struct profile *out, uint64_t *budget_bytes,
                            struct error *error) {
    struct limits limits;
    if (level < 1 || level > PUZZLE_LEVELS)
        return error_set(error, SS_USAGE, "there is no level %u: levels go from 1 to %u", (unsigned)level, (unsigned)PUZZLE_LEVELS);
    if (seed >= PUZZLE_SEEDS)
        return error_set(error, SS_USAGE, "there is no seed %u: seeds are below %u", (unsigned)seed, (unsigned)PUZZLE_SEEDS);
    struct dice dice = { ((uint64_t)level << 32) + seed };
    do {
        struct making making = { .profile = out, .error = error, .dice = dice };
        out->arena = arena;
        const enum ss_status status = try_to_make(&making, &LEVEL[level], &limits);
        if (status != SS_OK)
            return status;
        *budget_bytes = make_budget(&making, &limits);
        dice = making.dice;
    } while (!has_room(&limits));
    out->name = arena_printf(arena, "challenge %u, seed %u", (unsigned)level, (unsigned)seed);
    out->source = "made up by level and seed";
    return out->name ? SS_OK : error_no_memory(error);
}
